//! The fields of all versions, side by side.

use crd::compat::FieldDeclaration;
use crd::customresource::ResourceVersion;
use crd::schema::structural::{ScalarPlace, Structural, StructuralOrBool, ValidationRule};
use text::TextSize;

use super::{MOST_FIELDS, PictureCell, PictureDeclaration, PictureField, PictureMessage, PictureRule, View};
use crate::analysis::resources::SchemaNode;
use crate::features::resources::explain::description;

/// The maximum depth of fields; deeper ones are only counted, as nobody unfolds so many.
const DEEPEST: usize = 64;

/// Returns the fields, and the number of omitted ones.
pub(super) fn rows(view: &View<'_>, versions: &[ResourceVersion]) -> (Vec<PictureField>, usize) {
    let mut rows = Rows { view, versions, fields: Vec::new(), left_out: 0 };
    let roots = versions.iter().map(|version| match &version.schema {
        Some((schema, base)) => {
            FieldInVersion::Node(Node { schema, base: *base, declared_at: *base, required: false })
        }
        None if version.prunes => FieldInVersion::Dropped,
        None => FieldInVersion::Kept,
    });
    rows.row(String::new(), String::new(), 0, &roots.collect::<Vec<_>>());
    (rows.fields, rows.left_out)
}

struct Rows<'v> {
    view: &'v View<'v>,
    versions: &'v [ResourceVersion],
    fields: Vec<PictureField>,
    left_out: usize,
}

/// A field in one version.
#[derive(Clone, Copy)]
enum FieldInVersion<'s> {
    Node(Node<'s>),
    Dropped,
    Kept,
}

#[derive(Clone, Copy)]
struct Node<'s> {
    schema: &'s Structural,
    /// The start of the schema in the text, in bytes.
    base: TextSize,
    /// The offset of its key.
    declared_at: TextSize,
    required: bool,
}

impl<'s> FieldInVersion<'s> {
    fn property(self, name: &str) -> Self {
        let Self::Node(Node { schema, base, .. }) = self else { return self };
        let required = schema.value_validation.required.iter().any(|(other, _)| **other == *name);
        match (schema.properties.get(name), &schema.additional_properties) {
            (Some(child), _) => Self::Node(Node {
                schema: &child.node,
                base: child.base(base),
                declared_at: base.wrapping_add(child.key.start),
                required,
            }),
            (None, Some(StructuralOrBool::Structural(child))) => Self::Node(Node {
                schema: &child.node,
                base: child.base(base),
                declared_at: base.wrapping_add(child.key.start),
                required,
            }),
            (None, Some(StructuralOrBool::Bool(true))) => Self::Kept,
            (None, _) if schema.extensions.preserve_unknown_fields => Self::Kept,
            (None, _) => Self::Dropped,
        }
    }

    /// The schema of all items or members.
    fn items(self) -> Option<Self> {
        let Self::Node(Node { schema, base, .. }) = self else { return None };
        let child = match (&schema.items, &schema.additional_properties) {
            (Some(items), _) => items,
            (None, Some(StructuralOrBool::Structural(members))) => members,
            _ => return None,
        };
        Some(Self::Node(Node {
            schema: &child.node,
            base: child.base(base),
            declared_at: base.wrapping_add(child.key.start),
            required: false,
        }))
    }

    fn names(self) -> impl Iterator<Item = &'s str> {
        let schema = match self {
            Self::Node(node) => Some(node.schema),
            _ => None,
        };
        schema.into_iter().flat_map(|schema| schema.properties.keys().map(|name| &**name))
    }
}

impl Rows<'_> {
    fn row(&mut self, path: String, name: String, depth: usize, sides: &[FieldInVersion<'_>]) {
        if self.fields.len() >= MOST_FIELDS || depth > DEEPEST {
            // Fields below are not counted, as there may be endlessly many.
            self.left_out += 1;
            return;
        }
        let cells: Vec<PictureCell> =
            sides.iter().zip(self.versions).map(|(side, version)| self.cell(*side, &version.name)).collect();
        let is_same =
            cells.windows(2).all(|pair| matches!(pair, [one, other] if is_same_declaration(one, other)));
        self.fields.push(PictureField { path: path.clone(), name, depth, versions: cells, is_same });
        let mut names: Vec<&str> = sides.iter().flat_map(|side| side.names()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let below: Vec<FieldInVersion<'_>> = sides.iter().map(|side| side.property(name)).collect();
            self.row(format!("{path}.{name}"), name.to_owned(), depth + 1, &below);
        }
        if sides.iter().any(|side| side.items().is_some()) {
            let below = sides.iter().map(|side| match side {
                FieldInVersion::Kept => FieldInVersion::Kept,
                side => side.items().unwrap_or(FieldInVersion::Dropped),
            });
            let below: Vec<FieldInVersion<'_>> = below.collect();
            self.row(format!("{path}[*]"), "[*]".to_owned(), depth + 1, &below);
        }
    }

    fn cell(&self, side: FieldInVersion<'_>, version: &str) -> PictureCell {
        let node = match side {
            FieldInVersion::Dropped => return PictureCell::Dropped,
            FieldInVersion::Kept => return PictureCell::Kept,
            FieldInVersion::Node(node) => node,
        };
        let declared = FieldDeclaration::of(node.schema, node.required);
        let rules = node.schema.validations.iter().map(|rule| self.rule(rule, node.base, version));
        PictureCell::Declared(Box::new(PictureDeclaration {
            type_name: declared.type_name().to_owned(),
            required: node.required,
            default: declared.default().map(str::to_owned),
            allowed: declared.allowed().to_vec(),
            bounds: declared.bounds().map(str::to_owned).collect(),
            description: description(SchemaNode::root(node.schema, node.base, self.view.buffer)),
            rules: rules.collect(),
            place: (self.view.place)(node.declared_at),
        }))
    }

    fn rule(&self, rule: &ValidationRule, base: TextSize, version: &str) -> PictureRule {
        let start_of = |place: Option<&ScalarPlace>| place.map(|place| base.wrapping_add(place.range.start));
        let start = start_of(rule.rule_place.as_ref());
        let (cost, message_cost) = start.and_then(|start| self.view.rule_cost(version, start)).unzip();
        let message_expression = (!rule.message_expression.is_empty()).then(|| PictureMessage {
            expression: rule.message_expression.to_string(),
            place: start_of(rule.message_expression_place.as_ref()).map(self.view.place),
            cost: message_cost,
        });
        PictureRule {
            rule: rule.rule.to_string(),
            message: rule.message.to_string(),
            place: start.map(self.view.place),
            cost,
            message_expression,
        }
    }
}

/// Whether both have the same meaning for clients; positions, descriptions and costs are ignored.
fn is_same_declaration(one: &PictureCell, other: &PictureCell) -> bool {
    let (PictureCell::Declared(one), PictureCell::Declared(other)) = (one, other) else {
        return one == other;
    };
    let rules = |declaration: &PictureDeclaration| {
        declaration.rules.iter().map(|rule| rule.rule.clone()).collect::<Vec<_>>()
    };
    (&one.type_name, one.required, &one.default, &one.allowed, &one.bounds)
        == (&other.type_name, other.required, &other.default, &other.allowed, &other.bounds)
        && rules(one) == rules(other)
}
