//! Assignability of types, and the bindings of type variables during a check.

use crate::types::{DECLARED_PARAMS, Type};

/// The type variables of a check. Bindings from a failed attempt are reverted.
#[derive(Default)]
pub(super) struct Unifier {
    bindings: Vec<Option<Type>>,
    trail: Vec<(usize, Option<Type>)>,
    fresh: u32,
}

/// The result of binding a type parameter to a type.
enum Binding {
    /// The parameter is bound to the type for the first time.
    New,
    /// The type fits the type to which the parameter is bound.
    Fits,
    /// The type does not fit the type to which the parameter is bound.
    Conflicts,
    /// The type contains the parameter.
    Circular,
}

impl Unifier {
    pub(super) fn fresh(&mut self) -> Type {
        Type::Param(self.fresh_block(1))
    }

    /// The first of `count` new variables in a row.
    pub(super) fn fresh_block(&mut self, count: usize) -> u32 {
        let first = DECLARED_PARAMS.saturating_add(self.fresh);
        self.fresh = self.fresh.saturating_add(count as u32);
        first
    }

    /// Whether `from` is assignable to `to`; if so, the resulting bindings of variables are kept.
    pub(super) fn assignable(&mut self, from: &Type, to: &Type) -> bool {
        self.attempt(|unifier| unifier.assign(from, to))
    }

    /// The same for a list of arguments.
    pub(super) fn all_assignable(&mut self, from: &[Type], to: &[Type]) -> bool {
        from.len() == to.len()
            && self.attempt(|unifier| from.iter().zip(to).all(|(a, b)| unifier.assign(a, b)))
    }

    fn attempt(&mut self, run: impl FnOnce(&mut Self) -> bool) -> bool {
        let mark = self.trail.len();
        if run(self) {
            self.trail.truncate(mark);
            return true;
        }
        for (slot, old) in self.trail.drain(mark..).rev() {
            if let Some(binding) = self.bindings.get_mut(slot) {
                *binding = old;
            }
        }
        false
    }

    fn slot(param: &Type) -> Option<usize> {
        match param {
            Type::Param(number) => number.checked_sub(DECLARED_PARAMS).map(|slot| slot as usize),
            _ => None,
        }
    }

    fn find(&self, param: &Type) -> Option<&Type> {
        self.bindings.get(Self::slot(param)?)?.as_ref()
    }

    fn bind(&mut self, param: &Type, to: Type) {
        let Some(slot) = Self::slot(param) else { return };
        if self.bindings.len() <= slot {
            self.bindings.resize(slot + 1, None);
        }
        if let Some(binding) = self.bindings.get_mut(slot) {
            let old = binding.replace(to);
            self.trail.push((slot, old));
        }
    }

    fn assign(&mut self, from: &Type, to: &Type) -> bool {
        if let Type::Param(_) = to {
            match self.try_bind(from, to) {
                Binding::New | Binding::Fits => return true,
                Binding::Conflicts => return false,
                Binding::Circular => {}
            }
        }
        if let Type::Param(_) = from {
            return matches!(self.try_bind(to, from), Binding::New | Binding::Fits);
        }
        if from.is_dyn_or_error() || to.is_dyn_or_error() {
            return true;
        }
        match (from, to) {
            (Type::Null, other) | (other, Type::Null) => nullable(other),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => self.assign(a, b),
            (Type::Map(a), Type::Map(b)) => self.assign(&a.0, &b.0) && self.assign(&a.1, &b.1),
            _ => exact(from, to),
        }
    }

    /// Binds `param` to `other`, if possible.
    fn try_bind(&mut self, other: &Type, param: &Type) -> Binding {
        if other == param {
            return Binding::Fits;
        }
        if let Some(bound) = self.find(param).cloned() {
            if exact(other, &bound) {
                return Binding::Fits;
            }
            if self.assign(other, &bound) {
                let general = more_general(other, &bound);
                if self.free_of(param, &general) {
                    self.bind(param, general);
                }
                return Binding::Fits;
            }
            return Binding::Conflicts;
        }
        if self.free_of(param, other) {
            self.bind(param, other.clone());
            return Binding::New;
        }
        Binding::Circular
    }

    /// Whether `param` does not occur in `within`.
    fn free_of(&self, param: &Type, within: &Type) -> bool {
        if param == within {
            return false;
        }
        match within {
            Type::Param(_) => self.find(within).is_none_or(|bound| self.free_of(param, bound)),
            Type::List(of) | Type::Optional(of) | Type::Type(Some(of)) => self.free_of(param, of),
            Type::Map(of) => self.free_of(param, &of.0) && self.free_of(param, &of.1),
            _ => true,
        }
    }

    /// `of` with all variables replaced by their bindings; unbound variables become `dyn` if `free_to_dyn`.
    pub(super) fn substitute(&self, of: &Type, free_to_dyn: bool) -> Type {
        if !has_params(of) {
            return of.clone();
        }
        match of {
            Type::Param(_) => match self.find(of) {
                Some(bound) => self.substitute(bound, free_to_dyn),
                None if free_to_dyn => Type::Dyn,
                None => of.clone(),
            },
            Type::List(element) => Type::list(self.substitute(element, free_to_dyn)),
            Type::Optional(of) => Type::optional(self.substitute(of, free_to_dyn)),
            Type::Type(Some(of)) => Type::type_of(self.substitute(of, free_to_dyn)),
            Type::Map(entry) => {
                Type::map(self.substitute(&entry.0, free_to_dyn), self.substitute(&entry.1, free_to_dyn))
            }
            other => other.clone(),
        }
    }
}

fn has_params(of: &Type) -> bool {
    match of {
        Type::Param(_) => true,
        Type::List(of) | Type::Optional(of) | Type::Type(Some(of)) => has_params(of),
        Type::Map(of) => has_params(&of.0) || has_params(&of.1),
        _ => false,
    }
}

/// The parameters of a declaration, replaced by variables: the n-th of `letters` by `first` + n.
pub(super) fn instantiate(of: &Type, letters: &[u32], first: u32) -> Type {
    match of {
        Type::Param(letter) => {
            let at = letters.iter().position(|known| known == letter).unwrap_or(0);
            Type::Param(first.saturating_add(at as u32))
        }
        Type::List(of) => Type::list(instantiate(of, letters, first)),
        Type::Optional(of) => Type::optional(instantiate(of, letters, first)),
        Type::Type(Some(of)) => Type::type_of(instantiate(of, letters, first)),
        Type::Map(of) => Type::map(instantiate(&of.0, letters, first), instantiate(&of.1, letters, first)),
        other => other.clone(),
    }
}

/// Whether `null` is assignable: to all objects, opaque types, optionals and wrappers, and to times.
fn nullable(of: &Type) -> bool {
    matches!(
        of,
        Type::Null
            | Type::Object(_)
            | Type::Opaque(_)
            | Type::Optional(_)
            | Type::Any
            | Type::Duration
            | Type::Timestamp
            | Type::Wrapper(_)
    )
}

/// Whether two types are equal; a wrapper equals its wrapped type.
pub(super) fn exact(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Wrapper(a), Type::Wrapper(b)) => a == b,
        (Type::Wrapper(wrapped), other) | (other, Type::Wrapper(wrapped)) => wrapped.unwrapped() == *other,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => exact(a, b),
        (Type::Map(a), Type::Map(b)) => exact(&a.0, &b.0) && exact(&a.1, &b.1),
        (Type::Type(Some(a)), Type::Type(Some(b))) => exact(a, b),
        _ => a == b,
    }
}

pub(super) fn more_general(a: &Type, b: &Type) -> Type {
    if at_most_as_specific(a, b) { a.clone() } else { b.clone() }
}

fn at_most_as_specific(a: &Type, b: &Type) -> bool {
    let open = |of: &Type| of.is_dyn() || matches!(of, Type::Param(_));
    if open(a) {
        return true;
    }
    if open(b) {
        return false;
    }
    match (a, b) {
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => at_most_as_specific(a, b),
        (Type::Map(a), Type::Map(b)) => at_most_as_specific(&a.0, &b.0) && at_most_as_specific(&a.1, &b.1),
        (Type::Type(_), Type::Type(_)) => true,
        _ => exact(a, b),
    }
}
