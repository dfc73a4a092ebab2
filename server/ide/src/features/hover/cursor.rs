//! The key or value at an offset, with its type in the API.

use api::{Field, FieldType, ObjectType};
use text::{TextRange, TextSize};
use yaml::{Entry, Item, NodeRef, SyntaxKind, Value, ValueKind};

use crate::analysis::{grammar, short};

/// The maximum number of characters of one step of a path.
const LONGEST: usize = 80;

/// A key or value of a definition.
pub(crate) struct Cursor<'t> {
    /// Its range.
    pub(crate) range: TextRange,
    /// Whether it is a value.
    pub(crate) on_value: bool,
    /// The value, or the value of the key.
    pub(crate) value: Value<'t>,
    /// Its type.
    pub(crate) ty: FieldType,
    /// The field of the API that it is, or is a part of.
    pub(crate) field: Option<&'static Field>,
    /// The name of the field with the steps below it, for example `shortNames[0]`.
    pub(crate) segment: String,
    /// Whether it is a key that the author chose for a schema: the name of a property.
    pub(crate) names_schema: bool,
    /// The innermost schema around it, or the schema of its key.
    pub(crate) schema: Option<SchemaAt<'t>>,
}

/// A schema on the path to the cursor.
#[derive(Clone)]
pub(crate) struct SchemaAt<'t> {
    pub(crate) value: Value<'t>,
    /// The path of the described field, as authors of resources see it; empty for the object itself.
    pub(crate) path: String,
    /// The name of the property and the schema that declares it.
    pub(crate) property: Option<(String, Value<'t>)>,
    /// The innermost of `allOf`, `anyOf`, `oneOf` and `not` that contains it.
    pub(crate) junctor: Option<&'static str>,
}

/// Returns the key or value at `offset` (in bytes) below `root`; `None` on white space, comments and unknown
/// fields. It descends in a loop, so that no depth is too much.
pub(crate) fn find<'t>(root: Value<'t>, ty: &'static ObjectType, offset: TextSize) -> Option<Cursor<'t>> {
    let mut cursor = Cursor {
        range: root.range(),
        on_value: true,
        value: root,
        ty: FieldType::Object(ty),
        field: None,
        segment: String::new(),
        names_schema: false,
        schema: None,
    };
    loop {
        cursor.range = cursor.value.range();
        match cursor.value.kind() {
            ValueKind::Mapping(mapping) => {
                match mapping.entries().rfind(|entry| entry.range().touches(offset)) {
                    Some(entry) => cursor.enter_entry(entry)?,
                    None => return on_bracket(mapping.syntax(), offset).then_some(cursor),
                }
                // If the key touches the value, as `"a":b` in braces does, the key takes precedence.
                if cursor.range.touches(offset) {
                    cursor.on_value = false;
                    return Some(cursor);
                }
            }
            ValueKind::Sequence(sequence) => {
                match sequence.items().enumerate().filter(|(_, item)| item.range().touches(offset)).last() {
                    Some((index, item)) => cursor.enter_item(index, item)?,
                    None => return on_bracket(sequence.syntax(), offset).then_some(cursor),
                }
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) => {
                return cursor.range.touches(offset).then_some(cursor);
            }
            ValueKind::Absent => return None,
        }
    }
}

impl<'t> Cursor<'t> {
    /// Enters `entry`, whose key becomes the range; `None` if the API has no such field.
    fn enter_entry(&mut self, entry: Entry<'t>) -> Option<()> {
        let key = entry.key_text()?;
        self.range = entry.key_range();
        self.value = entry.value();
        self.names_schema = false;
        if entry.is_merge() {
            // Merged values have the type of the mapping itself.
            self.segment = key.into_owned();
            self.field = None;
            return Some(());
        }
        let (field, ty) = grammar::key(self.ty, &key)?;
        let json = matches!(self.ty, FieldType::Json);
        self.ty = ty;
        let step = short::shorten(&key, LONGEST);
        match field {
            Some(field) => {
                self.field = Some(field);
                self.segment = field.name.to_owned();
            }
            None if json => self.segment = format!("{}.{step}", self.segment),
            None => self.segment = format!("{}[{step}]", self.segment),
        }
        let name = field.is_none().then_some(key.as_ref());
        self.names_schema = self.enter_schema(name) && name.is_some();
        Some(())
    }

    fn enter_item(&mut self, index: usize, item: Item<'t>) -> Option<()> {
        self.ty = grammar::item(self.ty)?;
        self.value = item.value();
        self.segment = format!("{}[{index}]", self.segment);
        self.names_schema = false;
        self.enter_schema(None);
        Some(())
    }

    /// Makes the value the innermost schema, if it is a schema. `name` is the key that the author chose for it.
    fn enter_schema(&mut self, name: Option<&str>) -> bool {
        if !self.ty.is_schema() {
            return false;
        }
        let could_be = matches!(self.value.kind(), ValueKind::Mapping(_) | ValueKind::Alias(_));
        let Some(field) = self.field.filter(|_| could_be || name.is_some()) else { return false };
        self.schema = self.schema_below(field, name);
        self.schema.is_some()
    }

    fn schema_below(&self, field: &'static Field, name: Option<&str>) -> Option<SchemaAt<'t>> {
        let value = self.value;
        if field.name == "openAPIV3Schema" {
            return Some(SchemaAt { value, path: String::new(), property: None, junctor: None });
        }
        let outer = self.schema.clone()?;
        match (field.name, name) {
            ("properties", Some(name)) => Some(SchemaAt {
                value,
                path: property_path(outer.path, name),
                property: Some((name.to_owned(), outer.value)),
                ..outer
            }),
            ("items" | "additionalItems" | "additionalProperties" | "patternProperties", _) => {
                Some(SchemaAt { value, path: outer.path + "[*]", property: None, ..outer })
            }
            ("allOf" | "anyOf" | "oneOf" | "not", _) => {
                Some(SchemaAt { value, junctor: Some(field.name), ..outer })
            }
            // Other schemas, such as those in `definitions`, have no field in a resource.
            _ => None,
        }
    }
}

/// `outer.name`, or `outer['name']` if the name has special characters, as in `fieldPath`.
fn property_path(outer: String, name: &str) -> String {
    let step = short::shorten(name, LONGEST);
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '$');
    if step.is_empty() || !step.chars().all(plain) {
        format!("{outer}['{step}']")
    } else if outer.is_empty() {
        step
    } else {
        format!("{outer}.{step}")
    }
}

/// Whether a bracket or brace of `collection` is at `offset`.
fn on_bracket(collection: NodeRef<'_>, offset: TextSize) -> bool {
    let is_bracket = |kind| {
        use SyntaxKind as K;
        matches!(kind, K::LeftBrace | K::RightBrace | K::LeftBracket | K::RightBracket)
    };
    collection.tokens().any(|token| is_bracket(token.kind) && token.range().touches(offset))
}
