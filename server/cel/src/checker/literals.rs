//! The types of literals: scalars, lists, maps and messages.

use text::TextRange;

use super::{Checker, Reference, names, unify};
use crate::ast::{Entry, EntryKey, EntryList, ExprId, IndexList, Literal};
use crate::issue::IssueCode;
use crate::types::Type;

/// Larger types, counted in parts, are abandoned: a literal that repeats its elements doubles its type.
const MAX_TYPE_PARTS: usize = 1_000;

impl Checker<'_> {
    pub(super) fn check_list(&mut self, id: ExprId, elements: &[ExprId], optional: IndexList) {
        let mut joined = None;
        let mut optional = self.ast.indices(optional).iter().peekable();
        for (at, element) in (0u32..).zip(elements) {
            self.check(*element);
            let mut of = self.type_of(*element);
            if optional.next_if(|index| **index == at).is_some() {
                of = self.unwrapped(*element, of);
            }
            joined = Some(self.join(joined, of));
        }
        let element = joined.unwrap_or_else(|| self.unifier.fresh());
        self.set_type(id, Type::list(element));
    }

    /// The type of the optional `of`'s value; reports an error if `of` is not optional.
    pub(super) fn unwrapped(&mut self, id: ExprId, of: Type) -> Type {
        let (inner, is_optional) = of.unwrap_optional();
        let inner = inner.clone();
        if !is_optional && !inner.is_dyn() {
            self.mismatch(id, &Type::optional(inner.clone()), &inner);
        }
        inner
    }

    pub(super) fn join(&mut self, previous: Option<Type>, current: Type) -> Type {
        let Some(previous) = previous else { return current };
        if self.unifier.assignable(&previous, &current) {
            return unify::more_general(&previous, &current);
        }
        // Mixed types are rejected after the check, if there are no other errors.
        Type::Dyn
    }

    pub(super) fn check_map(&mut self, id: ExprId, entries: EntryList) {
        let mut keys = None;
        let mut values = None;
        for entry in self.ast.entries(entries) {
            let EntryKey::Expr(key) = entry.key else { continue };
            self.check(key);
            let of = self.type_of(key);
            keys = Some(self.join(keys, of));
            self.check(entry.value);
            let of = self.type_of(entry.value);
            let of = if entry.optional { self.unwrapped(entry.value, of) } else { of };
            values = Some(self.join(values, of));
        }
        let (key, value) = match (keys, values) {
            (Some(key), Some(value)) => (key, value),
            _ => (self.unifier.fresh(), self.unifier.fresh()),
        };
        let of = Type::map(key, value);
        if parts(&of, MAX_TYPE_PARTS) == 0 {
            self.set_type(id, Type::Error);
            let message = "the type of this literal is too large".to_owned();
            return self.issue(IssueCode::TooLarge, id, message);
        }
        self.set_type(id, of);
    }

    pub(super) fn check_struct(&mut self, id: ExprId, type_name: &str, fields: EntryList) {
        let name = type_name.strip_prefix('.').unwrap_or(type_name);
        let Some(of) = names::named_type(name, self.context.env) else {
            self.set_type(id, Type::Error);
            for field in self.ast.entries(fields) {
                self.check_quietly(field.value);
            }
            return self.undeclared(id, type_name);
        };
        self.refer(id, Reference::Type(of.clone()));
        let message = names::message_name(&of).map(str::to_owned);
        match &message {
            Some(_) => self.set_type(id, of),
            None => {
                let shown = erased(&of);
                self.issue(IssueCode::NotAMessage, id, format!("'{shown}' is not a message type"));
                self.set_type(id, Type::Error);
            }
        }
        for field in self.ast.entries(fields) {
            self.check_message_field(message.as_deref().unwrap_or(name), field);
        }
    }

    fn check_message_field(&mut self, message: &str, field: &Entry) {
        self.check(field.value);
        let EntryKey::Field(name) = field.key else { return };
        let name = self.ast.name(name);
        // The range of the colon is empty, because the colon may be missing.
        let range = TextRange::empty(field.anchor);
        let wanted = self.field_at(range, field.anchor, message, name).unwrap_or(Type::Error);
        let of = self.type_of(field.value);
        let of = if field.optional { self.unwrapped(field.value, of) } else { of };
        if !self.unifier.assignable(&wanted, &of) {
            let message =
                format!("expected type of field '{name}' is '{wanted}' but provided type is '{of}'");
            self.issue_at(IssueCode::TypeMismatch, range, field.anchor, message);
        }
    }
}

pub(super) fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

/// The name of a type without its parameters.
pub(super) fn erased(of: &Type) -> String {
    match of {
        Type::List(_) => "list".to_owned(),
        Type::Map(_) => "map".to_owned(),
        Type::Optional(_) => "optional_type".to_owned(),
        Type::Type(_) => "type".to_owned(),
        Type::Null => "null_type".to_owned(),
        Type::Timestamp => "google.protobuf.Timestamp".to_owned(),
        Type::Duration => "google.protobuf.Duration".to_owned(),
        other => other.to_string(),
    }
}

/// The rest of `budget` after the parts of `of` are subtracted; 0 if `of` has too many parts.
fn parts(of: &Type, budget: usize) -> usize {
    let Some(left) = budget.checked_sub(1) else { return 0 };
    match of {
        Type::List(of) | Type::Optional(of) | Type::Type(Some(of)) => parts(of, left),
        Type::Map(of) => parts(&of.1, parts(&of.0, left)),
        _ => left,
    }
}
