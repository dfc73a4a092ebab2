//! The object types of a schema, by the names that messages show.

use cel::{DeclKind, DeclType, Type, TypeProvider};

/// The name of the type of `self`. The server appends a number that changes with every compilation.
const SELF: &str = "selfType";

/// The object types below a declared type. Names are `selfType`, then `.field`, `.@idx` for the items of a list
/// and `.@elem` for the values of a map; they are resolved on request, so that no table is built.
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
        object_type(self.root, SELF)
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
            field => of.field(field).map(|field| &field.of),
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
            Some(field_of) => Some(object_type(&field_of.of, &format!("{object}.{field}"))),
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

/// Converts `of`, whose name is `name`, to a type.
fn object_type(of: &DeclType, name: &str) -> Type {
    match &of.kind {
        DeclKind::Bool => Type::Bool,
        DeclKind::Int => Type::Int,
        DeclKind::Double => Type::Double,
        DeclKind::String => Type::String,
        DeclKind::Bytes => Type::Bytes,
        DeclKind::Duration => Type::Duration,
        DeclKind::Timestamp => Type::Timestamp,
        DeclKind::Dyn | DeclKind::Unknown => Type::Dyn,
        DeclKind::List(element) => Type::list(object_type(element, &format!("{name}.@idx"))),
        DeclKind::Map(value) => Type::map(Type::String, object_type(value, &format!("{name}.@elem"))),
        DeclKind::Object(_) => Type::object(name),
    }
}
