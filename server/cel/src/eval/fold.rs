//! Loops.

use super::run::Machine;
use super::step::{Fold, Step};
use crate::value::{EvalError, List, Map, Outcome, Value};

impl<'a> Machine<'a, '_> {
    pub(super) fn fold(&mut self, fold: &'a Fold) -> Outcome<Value<'a>> {
        self.unset(fold.accu);
        let range = self.eval(fold.range)?;
        match (&range, fold.iter2) {
            (Value::List(list), _) => self.fold_list(fold, list)?,
            (Value::Map(map), _) => self.fold_map(fold, map)?,
            (other, None) => {
                let message = format!("got '{}', expected iterable type", other.go_type());
                return Err(EvalError::new(message));
            }
            (other, Some(_)) => {
                let message = format!("unsupported comprehension range type: {}", other.go_type());
                return Err(EvalError::new(message));
            }
        }
        self.eval(fold.result)
    }

    fn fold_list(&mut self, fold: &'a Fold, list: &List<'a>) -> Outcome<()> {
        for index in 0..list.len() {
            let Some(element) = list.get(index) else { break };
            match fold.iter2 {
                None => self.set(fold.iter, element),
                Some(second) => {
                    self.set(fold.iter, Ok(Value::Int(index as i64)));
                    self.set(second, element);
                }
            }
            if !self.iterate(fold)? {
                break;
            }
        }
        Ok(())
    }

    fn fold_map(&mut self, fold: &'a Fold, map: &Map<'a>) -> Outcome<()> {
        for (key, value) in map.entries() {
            self.set(fold.iter, Ok(key));
            if let Some(second) = fold.iter2 {
                self.set(second, value);
            }
            if !self.iterate(fold)? {
                break;
            }
        }
        Ok(())
    }

    /// One iteration of a loop; returns whether there may be another.
    fn iterate(&mut self, fold: &'a Fold) -> Outcome<bool> {
        self.bound.work(1)?;
        let continues = match self.program.step(fold.condition) {
            Step::Constant(Value::Bool(continues)) => *continues,
            _ => match self.eval(fold.condition) {
                Ok(Value::Bool(continues)) => continues,
                Err(error) if error.is_final() => return Err(error),
                // cel-go continues if the condition is not a bool.
                _ => true,
            },
        };
        if !continues {
            return Ok(false);
        }
        let next = self.eval(fold.step);
        if let Err(error) = &next
            && error.is_final()
        {
            return Err(error.clone());
        }
        self.set(fold.accu, next);
        Ok(true)
    }
}
