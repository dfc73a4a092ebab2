//! Nodes of schemas with their types.

use cel::DeclType;
use text::{TextRange, TextSize};

use crate::schema::structural::{Structural, StructuralOrBool};

/// A node of a schema with the type that it has in CEL.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'s> {
    /// The node.
    pub schema: &'s Structural,
    /// The start of the node, in bytes.
    pub base: TextSize,
    /// Its type.
    pub decl_type: &'s DeclType,
    /// The byte range of the node's key; `None` for the node of the rule.
    pub key: Option<TextRange>,
}

impl<'s> SchemaNode<'s> {
    /// The node of a rule.
    pub(crate) const fn new(schema: &'s Structural, base: TextSize, of: &'s DeclType) -> Self {
        Self { schema, base, decl_type: of, key: None }
    }

    /// The property that an expression calls `name`; `None` for metadata that no schema describes.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Self> {
        // Newer releases accept reserved words without escaping.
        let field = self.decl_type.field(name).or_else(|| self.decl_type.field(&format!("__{name}__")))?;
        let child = self.schema.properties.get(field.property.as_str())?;
        Some(Self {
            schema: &child.node,
            base: child.base(self.base),
            decl_type: &field.field_type,
            key: Some(child.key.wrapping_shifted(self.base)),
        })
    }

    /// The items of a list or the values of a map.
    #[must_use]
    pub fn element(&self) -> Option<Self> {
        let child = match (&self.schema.items, &self.schema.additional_properties) {
            (Some(items), _) if &*self.schema.generic.type_name == "array" => items,
            (_, Some(StructuralOrBool::Structural(values))) => values,
            _ => return None,
        };
        Some(Self {
            schema: &child.node,
            base: child.base(self.base),
            decl_type: self.decl_type.element()?,
            key: Some(child.key.wrapping_shifted(self.base)),
        })
    }
}
