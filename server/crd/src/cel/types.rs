//! The object types of a schema, by the names that messages show.

use cel::{DeclKind, DeclType, Type, TypeProvider};

/// The name of the type of `self`. The server appends a number that changes with every compilation.
const SELF: &str = "selfType";

/// The object types below a declared type. Their names ([`DeclType::as_type`]) are resolved on request, so that no
/// table is built.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredTypes<'d> {
    root: &'d DeclType,
}

impl<'d> DeclaredTypes<'d> {
    /// The types of a rule whose `self` has the type `root`.
    #[must_use]
    pub fn new(root: &'d DeclType) -> Self {
        Self { root }
    }

    /// The type of `self`.
    #[must_use]
    pub fn root_type(&self) -> Type {
        self.root.as_type(SELF)
    }

    /// Whether the type of `self` is unknown, or that of its items or values if it is a list or map.
    pub(crate) fn leads_to_unknown(&self) -> bool {
        self.root.leads_to_unknown()
    }

    /// The declared type with this name.
    pub(crate) fn declared(&self, name: &str) -> Option<&'d DeclType> {
        let mut parts = name.split('.');
        if parts.next() != Some(SELF) {
            return None;
        }
        parts.try_fold(self.root, |of, part| match part {
            "@idx" | "@elem" => of.element(),
            field => of.field(field).map(|field| &field.field_type),
        })
    }
}

impl TypeProvider for DeclaredTypes<'_> {
    fn has_object(&self, name: &str) -> bool {
        self.declared(name).is_some_and(|of| matches!(of.kind, DeclKind::Object(_)))
    }

    fn field_type(&self, object: &str, field: &str) -> Option<Type> {
        let declared = self.declared(object)?;
        match declared.field(field) {
            Some(field_of) => Some(field_of.field_type.as_type(&format!("{object}.{field}"))),
            None => declared.is_open().then_some(Type::Dyn),
        }
    }

    fn field_names(&self, object: &str) -> Vec<String> {
        match self.declared(object).map(|of| &of.kind) {
            Some(DeclKind::Object(object)) => object.order.clone(),
            _ => Vec::new(),
        }
    }
}
