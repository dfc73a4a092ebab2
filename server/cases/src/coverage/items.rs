//! The items of a schema that cases must cover.

use std::collections::BTreeMap;

use api::KubernetesVersion;
use cel::ast::ExprId;
use crd::customresource::ResourceVersion;
use crd::formats;
use crd::schema::Keyword;
use crd::schema::structural::{Structural, StructuralOrBool, ValidationRule};
use text::{TextRange, TextSize};

use super::branches::{CoveredPart, parts};
use super::{CoverageItem, ItemKind, Step, Subject};

/// The items by the positions that errors and evaluations report.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The items of properties, by the start of the node and the name.
    pub(super) properties: BTreeMap<(TextSize, Box<str>), usize>,
    /// The items that an accepted value of the node covers, by the start of the node.
    pub(super) nodes: BTreeMap<TextSize, Vec<usize>>,
    /// The items of enum values in their order, by the start of the node.
    pub(super) values: BTreeMap<TextSize, Vec<usize>>,
    /// The items that an error of a keyword covers, by the keyword and its position.
    pub(super) keywords: BTreeMap<(&'static str, u32), usize>,
    /// By the position of `required` and the name.
    pub(super) required: BTreeMap<(u32, Box<str>), usize>,
    /// By the position of the rule.
    pub(super) rules: BTreeMap<u32, RuleItems>,
}

/// The items of a rule.
#[derive(Debug)]
pub(super) struct RuleItems {
    pub(super) rule: usize,
    pub(super) parts: BTreeMap<ExprId, usize>,
}

const BOUNDS: [Keyword; 14] = [
    Keyword::Maximum,
    Keyword::Minimum,
    Keyword::MaxLength,
    Keyword::MinLength,
    Keyword::Pattern,
    Keyword::MaxItems,
    Keyword::MinItems,
    Keyword::UniqueItems,
    Keyword::MultipleOf,
    Keyword::MaxProperties,
    Keyword::MinProperties,
    Keyword::ListType,
    Keyword::Format,
    Keyword::Enum,
];

pub(super) fn items(version: &ResourceVersion, server: KubernetesVersion) -> (Vec<CoverageItem>, Index) {
    let (schema, base) = version.schema();
    let mut builder = Builder { items: Vec::new(), index: Index::default(), schema_path: Vec::new(), server };
    builder.node(schema, base);
    (builder.items, builder.index)
}

struct Builder {
    items: Vec<CoverageItem>,
    index: Index,
    /// The path to the current node.
    schema_path: Vec<Step>,
    server: KubernetesVersion,
}

impl Builder {
    fn add(
        &mut self,
        kind: ItemKind,
        (text, range): (String, TextRange),
        sides: [bool; 2],
        subject: Subject,
    ) -> usize {
        let sides = sides.map(|exists| exists.then_some(false));
        let (path, schema_path) = (self.path(&subject), self.schema_path.clone());
        self.items.push(CoverageItem { kind, path, text, range, sides, schema_path, subject });
        self.items.len() - 1
    }

    /// The field of an item.
    fn path(&self, subject: &Subject) -> String {
        let mut path = String::new();
        let property = match subject {
            Subject::Property(name) => Some(Step::Property(name.clone())),
            _ => None,
        };
        for step in self.schema_path.iter().chain(&property) {
            match step {
                Step::Property(name) if path.is_empty() => path.push_str(name),
                Step::Property(name) => path.extend([".", name]),
                Step::Items => path.push_str("[]"),
                Step::Additional => path.push_str(".*"),
            }
        }
        path
    }

    fn below(&mut self, step: Step, schema: &Structural, base: TextSize) {
        self.schema_path.push(step);
        self.node(schema, base);
        self.schema_path.pop();
    }

    fn node(&mut self, schema: &Structural, base: TextSize) {
        self.keywords(schema, base);
        for rule in &schema.validations {
            self.rule(rule, base);
        }
        for (name, child) in &schema.properties {
            if self.schema_path.is_empty() && matches!(&**name, "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let range = child.key.wrapping_shifted(base);
            let subject = Subject::Property(name.clone());
            let item = self.add(ItemKind::Property, (name.to_string(), range), [true, true], subject);
            self.index.properties.insert((base, name.clone()), item);
            self.below(Step::Property(name.clone()), &child.node, child.base(base));
        }
        if let Some(child) = &schema.items {
            self.below(Step::Items, &child.node, child.base(base));
        }
        if let Some(StructuralOrBool::Structural(child)) = &schema.additional_properties {
            self.below(Step::Additional, &child.node, child.base(base));
        }
    }

    fn keywords(&mut self, schema: &Structural, base: TextSize) {
        let of = &schema.value_validation;
        for (name, range) in &of.required {
            let written = (format!("required: {name}"), range.wrapping_shifted(base));
            let item = self.add(ItemKind::Required, written, [true, true], Subject::Required(name.clone()));
            if let Some(place) = schema.places.place_of(Keyword::Required, base) {
                self.index.required.insert((place.key.start, name.clone()), item);
            }
        }
        for keyword in BOUNDS {
            let Some(place) = schema.places.place_of(keyword, base) else { continue };
            let shown = match keyword {
                Keyword::Maximum => of.maximum.map(|bound| bound.to_string()),
                Keyword::Minimum => of.minimum.map(|bound| bound.to_string()),
                Keyword::MaxLength => of.max_length.map(|bound| bound.to_string()),
                Keyword::MinLength => of.min_length.map(|bound| bound.to_string()),
                Keyword::Pattern => of.pattern.as_ref().map(|pattern| pattern.as_str().to_owned()),
                Keyword::MaxItems => of.max_items.map(|bound| bound.to_string()),
                Keyword::MinItems => of.min_items.map(|bound| bound.to_string()),
                Keyword::UniqueItems => of.unique_items.then(|| "true".to_owned()),
                Keyword::MultipleOf => of.multiple_of.map(|bound| bound.to_string()),
                Keyword::MaxProperties => of.max_properties.map(|bound| bound.to_string()),
                Keyword::MinProperties => of.min_properties.map(|bound| bound.to_string()),
                // An atomic list may contain duplicates.
                Keyword::ListType => {
                    schema.extensions.list_type.as_deref().filter(|it| *it != "atomic").map(str::to_owned)
                }
                Keyword::Format => Some(of.format.to_string()).filter(|format| !format.is_empty()),
                Keyword::Enum => (!of.enumeration.is_empty()).then(String::new),
                _ => None,
            };
            let Some(shown) = shown else { continue };
            let (kind, text, sides) = match keyword {
                Keyword::Enum => (ItemKind::Enum, "enum".to_owned(), [false, true]),
                Keyword::Format => {
                    (ItemKind::Format, format!("format: {shown}"), [true, can_reject(schema, self.server)])
                }
                _ => {
                    // A bound that no value can violate rejects nothing.
                    let can_fail = !(shown == "0" && of_least(keyword));
                    (ItemKind::Bound, format!("{}: {shown}", keyword.as_str()), [true, can_fail])
                }
            };
            let item = self.add(kind, (text, place.key), sides, Subject::Keyword(keyword));
            self.index.keywords.insert((keyword.as_str(), place.key.start), item);
            self.index.nodes.entry(base).or_default().push(item);
            if keyword == Keyword::Enum {
                let values = of.enumeration.iter().map(|value| {
                    let range = match value.place {
                        crd::value::Place::Definition(range) => range.wrapping_shifted(base),
                        _ => place.key,
                    };
                    let written = (value.to_json().to_string(), range);
                    self.add(ItemKind::EnumValue, written, [true, false], Subject::Value(value.clone()))
                });
                let values = values.collect();
                self.index.values.insert(base, values);
            }
        }
    }

    fn rule(&mut self, rule: &ValidationRule, base: TextSize) {
        let range = rule.range.wrapping_shifted(base);
        let subject = || Subject::Rule(rule.rule.clone());
        let written = (rule.rule.trim().to_owned(), range);
        let item = self.add(ItemKind::Rule, written, [true, true], subject());
        let mut of_parts = BTreeMap::new();
        for CoveredPart { expr, range: part, is_loop } in parts(&rule.rule) {
            let kind = if is_loop { ItemKind::Loop } else { ItemKind::Branch };
            let place = rule.rule_place.as_ref().map_or(range, |place| place.range_of(part, base));
            let text = rule.rule.get(part.as_usize()).unwrap_or_default().to_owned();
            of_parts.insert(expr, self.add(kind, (text, place), [true, true], subject()));
        }
        self.index.rules.insert(range.start, RuleItems { rule: item, parts: of_parts });
    }
}

/// Whether the format of a schema rejects values that its type and bounds accept: for numbers, only `int32`
/// and `float` do.
fn can_reject(schema: &Structural, server: KubernetesVersion) -> bool {
    let (format, of) = (&*schema.value_validation.format, &schema.value_validation);
    let is_heeded = formats::is_heeded(format, &schema.generic.type_name, server);
    let limit = match (&*schema.generic.type_name, format) {
        ("integer", "int32") => f64::from(i32::MAX),
        ("number", "float") => f64::from(f32::MAX),
        ("integer" | "number", _) => return false,
        _ => return is_heeded,
    };
    let is_within = |bound: Option<f64>| bound.is_some_and(|bound| bound.abs() <= limit);
    is_heeded && !(is_within(of.minimum) && is_within(of.maximum))
}

/// Whether the keyword is the minimum of a count, which cannot be negative.
fn of_least(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties)
}
