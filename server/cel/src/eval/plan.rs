//! Creates programs from checked expressions: constant parts are computed once, as in cel-go, and patterns
//! are compiled.

use rustc_hash::FxHashSet;

use super::call::{Call, Target};
use super::scope::Scope;
use super::step::{AttributeId, AttributePlan, Fold, Qualifier, QualifierKey, Root, SlotId, Step, StepId};
use super::{Program, RegexEngine};
use crate::ast::{Ast, Comprehension, EntryKey, ExprId, ExprKind, Function, Literal, Operator};
use crate::checker::{CheckedExpr, Reference, Variable};
use crate::env::library;
use crate::library::{Precomputation, Run, Trait};
use crate::parser::ACCUMULATOR;
use crate::types::Type;
use crate::value::{EvalError, Key, Outcome, Text, UNHASHABLE, Value, type_name};

pub(super) fn plan(
    ast: &Ast,
    checked: &CheckedExpr,
    variables: &[Variable],
    regex: &dyn RegexEngine,
) -> Outcome<Program> {
    let mut planner = Planner {
        ast,
        checked,
        regex,
        steps: vec![],
        origins: vec![],
        attributes: vec![],
        scope: Scope::default(),
    };
    let root = planner.plan(ast.root())?;
    Ok(Program {
        steps: planner.steps,
        origins: planner.origins,
        attributes: planner.attributes,
        root,
        slots: planner.scope.slots(),
        variables: variables.iter().map(|variable| variable.name.clone()).collect(),
    })
}

struct Planner<'p> {
    ast: &'p Ast,
    checked: &'p CheckedExpr,
    regex: &'p dyn RegexEngine,
    steps: Vec<Step>,
    origins: Vec<(StepId, ExprId)>,
    attributes: Vec<AttributePlan>,
    scope: Scope,
}

impl Planner<'_> {
    fn push(&mut self, step: Step) -> StepId {
        self.steps.push(step);
        StepId(u32::try_from(self.steps.len() - 1).unwrap_or(u32::MAX))
    }

    fn step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(id.0 as usize)
    }

    fn constant(&self, id: StepId) -> Option<&Value<'static>> {
        match self.step(id) {
            Some(Step::Constant(value)) => Some(value),
            _ => None,
        }
    }

    fn push_attribute(&mut self, root: Root) -> AttributeId {
        self.attributes.push(AttributePlan { root, qualifiers: vec![] });
        AttributeId(u32::try_from(self.attributes.len() - 1).unwrap_or(u32::MAX))
    }

    fn plan(&mut self, id: ExprId) -> Outcome<StepId> {
        let step = self.plan_kind(id)?;
        self.origins.push((step, id));
        Ok(step)
    }

    fn plan_kind(&mut self, id: ExprId) -> Outcome<StepId> {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Error => Err(EvalError::new("the expression is not complete")),
            ExprKind::Literal(literal) => Ok(self.push(Step::Constant(constant(literal)))),
            ExprKind::Ident(name) => match self.plan_name(id, ast.name(*name))? {
                Some(step) => Ok(step),
                None => {
                    let (slot, init) = self.scope.find(*name).ok_or(EvalError::NoSuchOverload)?;
                    let attribute = self.push_attribute(Root::Local(slot, init));
                    Ok(self.push(Step::Attribute(attribute)))
                }
            },
            ExprKind::Select { operand, field, test_only, .. } => {
                if let Some(step) = self.plan_name(id, "")? {
                    return Ok(step);
                }
                let operand = self.plan(*operand)?;
                let key = QualifierKey::Constant(Value::text(ast.name(*field)));
                self.select(operand, Qualifier { key, optional: false, presence: *test_only })
            }
            ExprKind::Call { function, target, args } => {
                let target = target.filter(|_| !self.checked.is_namespaced(id));
                let mut steps = vec![];
                for arg in target.iter().chain(ast.list(*args)) {
                    steps.push(self.plan(*arg)?);
                }
                self.plan_call(id, *function, &steps)
            }
            ExprKind::List { elements, optional } => {
                let optional = ast.indices(*optional);
                let mut steps = vec![];
                for (at, element) in (0u32..).zip(ast.list(*elements)) {
                    steps.push((self.plan(*element)?, optional.contains(&at)));
                }
                Ok(self.plan_list(steps))
            }
            ExprKind::Map(entries) => {
                let mut steps = vec![];
                for entry in ast.entries(*entries) {
                    let EntryKey::Expr(key) = entry.key else { continue };
                    steps.push((self.plan(key)?, self.plan(entry.value)?, entry.optional));
                }
                self.plan_map(steps)
            }
            ExprKind::Struct { type_name, fields } => {
                let name = ast.name(*type_name);
                let mut steps = vec![];
                for entry in ast.entries(*fields) {
                    let EntryKey::Field(field) = entry.key else { continue };
                    steps.push((ast.name(field).into(), self.plan(entry.value)?, entry.optional));
                }
                let name = name.strip_prefix('.').unwrap_or(name);
                Ok(self.push(Step::Message(name.into(), steps.into())))
            }
            ExprKind::Comprehension(comprehension) => self.plan_fold(comprehension),
        }
    }

    /// A name that is not the variable of a loop; `None` for other expressions.
    fn plan_name(&mut self, id: ExprId, name: &str) -> Outcome<Option<StepId>> {
        Ok(Some(match self.checked.reference(id) {
            Reference::Variable(at) => {
                let attribute = self.push_attribute(Root::Variable(*at));
                self.push(Step::Attribute(attribute))
            }
            Reference::Type(of) => {
                let short = name.strip_prefix('.').unwrap_or(name);
                // cel-go resolves these two types only by their long names.
                if matches!((of, short), (Type::Timestamp, "timestamp") | (Type::Duration, "duration")) {
                    return Err(EvalError::new(format!("reference to undefined type: {short}")));
                }
                self.push(Step::Constant(Value::Type(type_name(of))))
            }
            Reference::Constant(number) => self.push(Step::Constant(Value::Int(*number))),
            Reference::None | Reference::Local | Reference::Call(_) => return Ok(None),
        }))
    }

    // ---- attributes

    /// The path of a step; if the step is not a path, a new path that begins with its value.
    fn attribute_of(&mut self, step: StepId) -> AttributeId {
        match self.step(step) {
            Some(Step::Attribute(attribute) | Step::Presence(attribute)) => *attribute,
            _ => self.push_attribute(Root::Operand(step)),
        }
    }

    fn select(&mut self, operand: StepId, qualifier: Qualifier) -> Outcome<StepId> {
        let attribute = self.attribute_of(operand);
        let presence = qualifier.presence;
        self.qualify(attribute, qualifier);
        Ok(self.push(if presence { Step::Presence(attribute) } else { Step::Attribute(attribute) }))
    }

    /// Extends a path; for a conditional, the paths of both branches. No other step uses the path.
    fn qualify(&mut self, attribute: AttributeId, qualifier: Qualifier) {
        let Some(plan) = self.attributes.get_mut(attribute.0 as usize) else { return };
        if let Root::Conditional(_, a, b) = plan.root {
            self.qualify(a, qualifier.clone());
            return self.qualify(b, qualifier);
        }
        plan.qualifiers.push(qualifier);
    }

    fn index(&mut self, operand: StepId, index: StepId, optional: bool) -> Outcome<StepId> {
        let key = match self.step(index) {
            Some(Step::Constant(key)) => {
                check_key(key)?;
                QualifierKey::Constant(key.clone())
            }
            Some(Step::Attribute(attribute)) => QualifierKey::Attribute(*attribute),
            _ => QualifierKey::Step(index),
        };
        self.select(operand, Qualifier { key, optional, presence: false })
    }

    // ---- calls

    fn plan_call(&mut self, id: ExprId, function: Function, args: &[StepId]) -> Outcome<StepId> {
        let step = match (function, args) {
            (Function::Operator(Operator::And), [a, b]) => Step::And(*a, *b),
            (Function::Operator(Operator::Or), [a, b]) => Step::Or(*a, *b),
            (Function::Operator(Operator::Equals), [a, b]) => Step::Equals(*a, *b),
            (Function::Operator(Operator::NotEquals), [a, b]) => Step::NotEquals(*a, *b),
            (Function::Operator(Operator::Conditional), [condition, a, b]) => {
                let (a, b) = (self.attribute_of(*a), self.attribute_of(*b));
                Step::Attribute(self.push_attribute(Root::Conditional(*condition, a, b)))
            }
            (Function::Operator(Operator::Index), [operand, index]) => {
                return self.index(*operand, *index, false);
            }
            (Function::Operator(Operator::OptIndex | Operator::OptSelect), [operand, index]) => {
                return self.index(*operand, *index, true);
            }
            _ => return self.plan_function(id, args),
        };
        Ok(self.push(step))
    }

    fn plan_function(&mut self, id: ExprId, args: &[StepId]) -> Outcome<StepId> {
        let Reference::Call(call) = self.checked.reference(id) else {
            return Err(EvalError::NoSuchOverload);
        };
        let first = call.first.overload().ok_or(EvalError::NoSuchOverload)?;
        let only = match self.checked.overloads(id) {
            [only] => only.overload(),
            _ => None,
        };
        let name = first.function;
        match (name, args) {
            ("or", [a, b]) => return Ok(self.push(Step::OptionalOr(*a, *b))),
            ("orValue", [a, b]) => return Ok(self.push(Step::OptionalOrValue(*a, *b))),
            (_, [wanted, list]) if only.is_some_and(|only| only.id == "in_list") => {
                if let Some(step) = self.membership(*wanted, *list) {
                    return Ok(step);
                }
            }
            _ => {}
        }
        let function = library().function(name).ok_or(EvalError::NoSuchOverload)?;
        let mut target = Target::new(function, only).ok_or(EvalError::NoSuchOverload)?;
        let ahead = function.declared.ahead;
        let regex = match (ahead, args.get(1).and_then(|pattern| self.constant(*pattern))) {
            (Precomputation::Pattern, Some(Value::String(pattern))) => {
                Some(self.regex.compile(pattern).map_err(EvalError::new)?)
            }
            _ => None,
        };
        // The implementation for a compiled pattern does not check types first.
        if let (Some(_), Target::Overload(_, run) | Target::Singleton(run, _)) = (&regex, target) {
            target = Target::Singleton(run, Trait::Any);
        }
        let stops_early = args.len() > 2
            || regex.is_some()
            || matches!(target, Target::Dispatch(_))
            || only.is_some_and(|only| matches!(only.declared.run, Run::InTurn(_)));
        let price = only.map_or(function.declared.undecided, |only| only.declared.price);
        let call =
            Call { function: name, target, args: args.into(), stops_early, price, regex, consumes: None };
        let folds = ahead == Precomputation::Call && args.len() == 1;
        if let Some(argument) = args.first().and_then(|arg| self.constant(*arg)).filter(|_| folds) {
            let value = super::run::run_constant(&call, argument)?;
            return Ok(self.push(Step::Constant(value)));
        }
        Ok(self.push(Step::Call(Box::new(call))))
    }

    /// `a in […]` if the list is constant and all its elements are scalars.
    fn membership(&mut self, wanted: StepId, list: StepId) -> Option<StepId> {
        let Some(Value::List(list)) = self.constant(list) else { return None };
        if list.is_empty() {
            return Some(self.push(Step::Constant(Value::Bool(false))));
        }
        let mut keys = FxHashSet::default();
        for element in list.iter() {
            let element = element.ok()?;
            keys.insert(Key::of(&element));
            match element {
                Value::Bool(_) | Value::String(_) => {}
                Value::Int(number) => {
                    keys.insert(Key::Double(number as f64));
                    keys.extend(u64::try_from(number).ok().map(Key::Uint));
                }
                Value::Uint(number) => {
                    keys.insert(Key::Double(number as f64));
                    keys.extend(i64::try_from(number).ok().map(Key::Int));
                }
                Value::Double(number) => keys.extend(Key::Double(number).across().into_iter().flatten()),
                _ => return None,
            }
        }
        Some(self.push(Step::Member(wanted, keys)))
    }

    // ---- literals

    fn plan_list(&mut self, steps: Vec<(StepId, bool)>) -> StepId {
        let constants: Option<Vec<_>> =
            steps.iter().map(|(step, optional)| Some((self.constant(*step)?.clone(), *optional))).collect();
        let step = match constants {
            Some(values) => match super::run::list_of(values.into_iter()) {
                Ok(list) => Step::Constant(list),
                Err(error) => Step::Failure(error),
            },
            None => Step::List(steps.into()),
        };
        self.push(step)
    }

    fn plan_map(&mut self, steps: Vec<(StepId, StepId, bool)>) -> Outcome<StepId> {
        let constants: Option<Vec<_>> = steps
            .iter()
            .map(|(key, value, optional)| {
                Some((self.constant(*key)?.clone(), self.constant(*value)?.clone(), *optional))
            })
            .collect();
        let step = match constants {
            Some(entries) => match super::run::map_of(entries.into_iter()) {
                Ok(map) => Step::Constant(map),
                Err(error) if error == UNHASHABLE => return Err(error),
                Err(error) => Step::Failure(error),
            },
            None => Step::Map(steps.into()),
        };
        Ok(self.push(step))
    }

    // ---- loops

    fn plan_fold(&mut self, fold: &Comprehension) -> Outcome<StepId> {
        let init = self.plan(fold.accu_init)?;
        let range = self.plan(fold.range)?;
        let accu = self.scope.push(fold.accu_var, Some(init));
        let iter2 = fold.iter_var2.map(|name| self.scope.push(name, None));
        let iter = self.scope.push(fold.iter_var, None);
        let condition = self.plan(fold.condition)?;
        let step = self.plan(fold.step)?;
        self.scope.pop();
        if iter2.is_some() {
            self.scope.pop();
        }
        let result = self.plan(fold.result)?;
        self.scope.pop();
        if self.ast.name(fold.accu_var) == ACCUMULATOR {
            self.consume(step, accu);
        }
        let fold = Fold { range, iter, iter2, accu, condition, step, result };
        Ok(self.push(Step::Fold(Box::new(fold))))
    }

    /// Marks the calls that compute the next value of an accumulator from its old value as their first argument.
    fn consume(&mut self, step: StepId, accu: SlotId) {
        let attribute = match self.step(step) {
            Some(Step::Attribute(attribute)) => *attribute,
            Some(Step::Call(call)) if matches!(call.function, "_+_" | "cel.@mapInsert") => {
                let first = call.args.first().and_then(|first| self.step(*first));
                let Some(Step::Attribute(first)) = first else { return };
                let reads = self.attributes.get(first.0 as usize).is_some_and(|plan| {
                    plan.qualifiers.is_empty() && matches!(plan.root, Root::Local(slot, _) if slot == accu)
                });
                if let Some(Step::Call(call)) = self.steps.get_mut(step.0 as usize).filter(|_| reads) {
                    call.consumes = Some(accu);
                }
                return;
            }
            _ => return,
        };
        let plan = self.attributes.get(attribute.0 as usize);
        if let Some(&AttributePlan { root: Root::Conditional(_, a, b), .. }) = plan {
            for branch in [a, b] {
                let branch = self.attributes.get(branch.0 as usize);
                if let Some(&AttributePlan { root: Root::Operand(step), ref qualifiers }) = branch
                    && qualifiers.is_empty()
                {
                    self.consume(step, accu);
                }
            }
        }
    }
}

/// Checks that a value can be used as a key.
pub(super) fn check_key(key: &Value<'_>) -> Outcome<()> {
    match key {
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_) => Ok(()),
        other => Err(EvalError::new(format!("invalid qualifier type: {}", other.go_type()))),
    }
}

fn constant(literal: &Literal) -> Value<'static> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(number) => Value::Int(*number),
        Literal::Uint(number) => Value::Uint(*number),
        Literal::Double(number) => Value::Double(*number),
        Literal::String(text) => Value::String(Text::Shared(text.as_ref().into())),
        Literal::Bytes(bytes) => Value::Bytes(bytes.as_ref().into()),
    }
}
