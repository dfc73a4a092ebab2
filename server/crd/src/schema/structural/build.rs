//! Builds structural schemas from the views of their text.
//!
//! Parts that the server rejects are omitted, so that the rest of a faulty definition can be used: keywords
//! of a wrong type, and those that its conversion does not support (`$ref`, `definitions`, a list as
//! `items`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use text::{TextRange, TextSize};
use yaml::scalar::{OffsetMap, ResolvedScalar};
use yaml::{Entry, Node, Reader, Value, ValueKind};

use super::TypeMap;
use super::admits::AdmitsCell;
use super::{
    Child, Extensions, Generic, KeywordPlace, NestedOrBool, NestedValueValidation, Pattern, Places,
    ScalarPlace, SparseValidation, Structural, StructuralOrBool, ValidationRule, ValueValidation,
};
use crate::cache::Cache;
use crate::reading::Budget;
use crate::reading::integer;
use crate::reading::item_range;
use crate::reading::{is_null, members};
use crate::schema::{Keyword, Schema};
use crate::value::{Text, ValueDecoder};

/// The structural schema in `value`, and its start, in bytes; `None` if `value` is not a schema.
#[must_use]
pub fn structural<'t>(
    value: Value<'t>,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> Option<(Arc<Structural>, TextSize)> {
    rooted(value, reader, cache, MetadataOrigin::Own, BuildMode::Written)
}

/// The schema after repair of its errors. Types and costs of rules depend on it if the server does not reach
/// them. Valid parts are the same as in [`structural`].
pub(crate) fn repaired<'t>(
    value: Value<'t>,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> Option<(Arc<Structural>, TextSize)> {
    rooted(value, reader, cache, MetadataOrigin::Own, BuildMode::Repaired { at_root: true })
}

/// The schema of a kind that a server published.
pub(crate) fn published_structural<'t>(
    value: Value<'t>,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> Option<(Arc<Structural>, TextSize)> {
    rooted(value, reader, cache, MetadataOrigin::OfKind, BuildMode::Written)
}

fn rooted<'t>(
    value: Value<'t>,
    reader: &Reader<'t>,
    cache: &mut Cache,
    metadata_origin: MetadataOrigin,
    form: BuildMode,
) -> Option<(Arc<Structural>, TextSize)> {
    let value = reader.follow(value)?;
    let mut budget = Budget::new(value.node().is_some_and(|node| node.node().flags().aliases));
    let mut builder = Builder { reader, cache, budget: &mut budget, metadata_origin, form };
    Some((builder.build_structural(value)?, value.range().start))
}

/// The form in which a schema is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BuildMode {
    /// As written.
    Written,
    /// As it would be after repair of its errors.
    Repaired {
        /// Whether the next node describes a whole resource.
        at_root: bool,
    },
    /// After repair, for a node that so far only a branch of a junctor describes.
    Hoisted,
}

/// The origin of `apiVersion`, `kind` and `metadata`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MetadataOrigin {
    /// The author.
    Own,
    /// The server, which adds them to the published schema; the next node describes a whole kind.
    OfKind,
    /// The server; the next node is below one that describes a whole kind.
    OfEmbedded,
}

/// The fields that the server adds to whole objects.
const OBJECT_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

pub(super) struct Builder<'c, 't> {
    pub(super) reader: &'c Reader<'t>,
    pub(super) cache: &'c mut Cache,
    pub(super) budget: &'c mut Budget,
    metadata_origin: MetadataOrigin,
    pub(super) form: BuildMode,
}

/// A node that is being read.
pub(super) struct Source<'s, 'c, 't> {
    pub(super) schema: &'s Schema<'c, 't>,
    pub(super) base: TextSize,
}

impl<'c, 't> Builder<'c, 't> {
    pub(super) fn build_structural(&mut self, value: Value<'t>) -> Option<Arc<Structural>> {
        let value = self.reader.follow(value)?;
        if self.form != BuildMode::Written {
            return self.repaired_spine(value);
        }
        self.written_spine(value)
    }

    /// The schema of a property. The property is declared even if its value is not a schema, such as while
    /// its first key is typed.
    fn declared(&mut self, value: Value<'t>) -> Option<Arc<Structural>> {
        match value.as_scalar().is_some() && !is_null(value) {
            true => Some(Arc::new(super::repair::unknown())),
            false => self.build_structural(value),
        }
    }

    pub(super) fn written_spine(&mut self, value: Value<'t>) -> Option<Arc<Structural>> {
        let lasting = cacheable_node(value);
        if let Some(known) = lasting.and_then(|node| self.cache.structural(node)) {
            return Some(known);
        }
        let schema = self.read(value)?;
        if !self.enter(&schema) {
            return None;
        }
        let built = Arc::new(self.build_spine(&Source { schema: &schema, base: value.range().start }));
        self.budget.leave();
        if let Some(node) = lasting {
            self.cache.keep_structural(node, &built);
        }
        Some(built)
    }

    fn build_nested_validation(&mut self, value: Value<'t>) -> Option<Arc<NestedValueValidation>> {
        let value = self.reader.follow(value)?;
        let lasting = cacheable_node(value);
        if let Some(known) = lasting.and_then(|node| self.cache.nested_validation(node)) {
            return Some(known);
        }
        let schema = self.read(value)?;
        if !self.enter(&schema) {
            return None;
        }
        let source = Source { schema: &schema, base: value.range().start };
        let built = Arc::new(self.build_nested(&source));
        self.budget.leave();
        if let Some(node) = lasting {
            self.cache.keep_nested(node, &built);
        }
        Some(built)
    }

    /// The schema in `value`, unless the budget is spent.
    pub(super) fn read(&self, value: Value<'t>) -> Option<Schema<'c, 't>> {
        if self.budget.is_spent() { None } else { Schema::read(value, self.reader) }
    }

    pub(super) fn enter(&mut self, schema: &Schema<'_, '_>) -> bool {
        self.cache.count_built();
        !self.cache.stop().is_due() && self.budget.spend(schema.width()) && self.budget.enter()
    }

    pub(super) fn build_spine(&mut self, source: &Source<'_, 'c, 't>) -> Structural {
        let of_kind = self.metadata_origin == MetadataOrigin::OfKind;
        let of_embedded = self.is_published_resource(source.schema);
        if of_kind {
            self.metadata_origin = MetadataOrigin::OfEmbedded;
        }
        let items = self.below(source, Keyword::Items, Self::build_structural);
        let members = source.schema.members(Keyword::Properties).entries;
        let mut properties = self.properties(source, members, Self::declared);
        if of_kind || of_embedded {
            properties.retain(|name, _| !OBJECT_FIELDS.contains(&&**name));
        }
        let additional = match self.below(source, Keyword::AdditionalProperties, Self::build_structural) {
            Some(child) => Some(StructuralOrBool::Structural(child)),
            None => source.schema.boolean(Keyword::AdditionalProperties).map(StructuralOrBool::Bool),
        };
        let generic = self.generic(source);
        let additional_schema = match &additional {
            Some(StructuralOrBool::Structural(child)) => Some(child),
            _ => None,
        };
        let validations = self.validations(source);
        let has_below = |has: fn(&Structural) -> bool| {
            items.iter().chain(additional_schema).any(|child| has(&child.node))
                || properties.values().any(|child: &Child<Structural>| has(&child.node))
        };
        let has_open = has_below(|below| below.has_open);
        let has_defaults = generic.default.is_some() || has_below(|below| below.has_defaults);
        let has_rules = !validations.is_empty() || has_below(|below| below.has_rules);
        let value_validation = self.value_validation(source);
        let evaluates_rules = has_rules
            || has_below(|below| below.evaluates_rules)
            || value_validation.all_of.iter().any(|branch| branch.node.has_rules);
        Structural {
            items,
            properties,
            additional_properties: additional,
            generic,
            extensions: extensions(source.schema),
            validations,
            value_validation,
            places: places(source),
            has_defaults,
            has_rules,
            evaluates_rules,
            is_open: false,
            has_open,
            remembered: TypeMap::default(),
            admits: AdmitsCell::default(),
        }
    }

    fn build_nested(&mut self, source: &Source<'_, 'c, 't>) -> NestedValueValidation {
        let additional =
            match self.below(source, Keyword::AdditionalProperties, Self::build_nested_validation) {
                Some(child) => Some(NestedOrBool::Nested(child)),
                None => source.schema.boolean(Keyword::AdditionalProperties).map(NestedOrBool::Bool),
            };
        let value_validation = self.value_validation(source);
        let validations = self.validations(source);
        let items = self.below(source, Keyword::Items, Self::build_nested_validation);
        let members = source.schema.members(Keyword::Properties).entries;
        let properties = self.properties(source, members, Self::build_nested_validation);
        let additional_schema = match &additional {
            Some(NestedOrBool::Nested(child)) => Some(child),
            _ => None,
        };
        let below = items.iter().chain(properties.values()).chain(additional_schema);
        let has_rules = !validations.is_empty()
            || below
                .chain(&value_validation.all_of)
                .any(|child: &Child<NestedValueValidation>| child.node.has_rules);
        NestedValueValidation {
            value_validation,
            validations,
            items,
            properties,
            additional_properties: additional,
            forbidden_generics: self.generic(source),
            forbidden_extensions: extensions(source.schema),
            places: places(source),
            has_rules,
        }
    }

    /// The schema under `keyword`, if it is a mapping.
    fn below<T>(
        &mut self,
        source: &Source<'_, 'c, 't>,
        keyword: Keyword,
        build: fn(&mut Self, Value<'t>) -> Option<Arc<T>>,
    ) -> Option<Child<T>> {
        let value = source.schema.get(keyword)?;
        value.as_mapping()?;
        let key = source.schema.key_range(keyword)?;
        self.child(source, key, value, build)
    }

    pub(super) fn child<T>(
        &mut self,
        source: &Source<'_, 'c, 't>,
        key: TextRange,
        value: Value<'t>,
        build: fn(&mut Self, Value<'t>) -> Option<Arc<T>>,
    ) -> Option<Child<T>> {
        let value = self.reader.follow(value)?;
        let distance = value.range().start.wrapping_sub(source.base);
        Some(Child { distance, key: source.relative(key), node: build(self, value)? })
    }

    fn properties<T>(
        &mut self,
        source: &Source<'_, 'c, 't>,
        members: Vec<(Cow<'t, str>, Entry<'t>)>,
        build: fn(&mut Self, Value<'t>) -> Option<Arc<T>>,
    ) -> BTreeMap<Box<str>, Child<T>> {
        let mut child = |(key, entry): (Cow<'t, str>, Entry<'t>)| {
            Some((key.into(), self.child(source, entry.key_range(), entry.value(), build)?))
        };
        members.into_iter().filter_map(&mut child).collect()
    }

    fn branches(
        &mut self,
        source: &Source<'_, 'c, 't>,
        keyword: Keyword,
    ) -> Vec<Child<NestedValueValidation>> {
        let items = source.schema.items(keyword);
        items
            .filter_map(|item| {
                self.child(source, item_range(item), item.value(), Self::build_nested_validation)
            })
            .collect()
    }

    /// Whether it is a published schema of an embedded resource.
    fn is_published_resource(&self, schema: &Schema<'_, '_>) -> bool {
        self.metadata_origin != MetadataOrigin::Own && schema.is_true(Keyword::EmbeddedResource)
    }

    fn generic(&mut self, source: &Source<'_, 'c, 't>) -> Generic {
        let schema = source.schema;
        let default = schema.get(Keyword::Default).map(|value| self.value(source, value));
        Generic {
            type_name: text(schema, Keyword::Type),
            default,
            nullable: schema.is_true(Keyword::Nullable),
        }
    }

    fn value_validation(&mut self, source: &Source<'_, 'c, 't>) -> SparseValidation {
        let schema = source.schema;
        if !schema.has_any(Keyword::OF_VALUES) {
            return SparseValidation::default();
        }
        // Repair removes the quotes around a number.
        let is_repaired = self.form != BuildMode::Written;
        let quoted = |value: Value<'_>| {
            let text = is_repaired.then(|| value.as_scalar()?.as_str())??;
            text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
        };
        let number = |keyword| schema.get(keyword).and_then(|value| number(value).or_else(|| quoted(value)));
        let count = |keyword| {
            schema
                .get(keyword)
                .and_then(|value| count(value).or_else(|| quoted(value).map(|number| number as i64)))
        };
        let pattern = schema.string(Keyword::Pattern).filter(|text| !text.is_empty());
        let enumeration = schema.items(Keyword::Enum).map(|item| self.value(source, item.value())).collect();
        let mut required = self.strings(source, Keyword::Required);
        if self.is_published_resource(schema) {
            required.retain(|(name, _)| !OBJECT_FIELDS.contains(&&**name));
        }
        ValueValidation {
            format: text(schema, Keyword::Format),
            maximum: number(Keyword::Maximum),
            exclusive_maximum: schema.is_true(Keyword::ExclusiveMaximum),
            minimum: number(Keyword::Minimum),
            exclusive_minimum: schema.is_true(Keyword::ExclusiveMinimum),
            max_length: count(Keyword::MaxLength),
            min_length: count(Keyword::MinLength),
            pattern: pattern.map(|text| Pattern::new(&text)),
            max_items: count(Keyword::MaxItems),
            min_items: count(Keyword::MinItems),
            unique_items: schema.is_true(Keyword::UniqueItems),
            multiple_of: number(Keyword::MultipleOf),
            enumeration,
            max_properties: count(Keyword::MaxProperties),
            min_properties: count(Keyword::MinProperties),
            required,
            all_of: self.branches(source, Keyword::AllOf),
            one_of: self.branches(source, Keyword::OneOf),
            any_of: self.branches(source, Keyword::AnyOf),
            not: self.below(source, Keyword::Not, Self::build_nested_validation),
        }
        .into()
    }

    /// The strings of a list, each with its place.
    fn strings(&mut self, source: &Source<'_, 'c, 't>, keyword: Keyword) -> Vec<(Box<str>, TextRange)> {
        let items = source.schema.items(keyword);
        let string = |item: yaml::Item<'t>| {
            let text = self.reader.follow(item.value())?.as_scalar()?.as_str()?;
            Some((text.into(), source.relative(item.value().range())))
        };
        items.filter_map(string).collect()
    }

    fn validations(&mut self, source: &Source<'_, 'c, 't>) -> Vec<ValidationRule> {
        let items = source.schema.items(Keyword::Validations);
        let rule = |item: yaml::Item<'t>| {
            let range = source.relative(item.value().range());
            let value = self.reader.follow(item.value())?;
            if is_null(value) {
                return Some(ValidationRule { range, ..ValidationRule::default() });
            }
            let members = members(value.as_mapping()?, self.reader);
            let scalar = |name: &str| {
                let value = self.reader.follow(members.get(name)?.value())?;
                (!is_null(value)).then_some(value)?.as_scalar()
            };
            let text = |name: &str| scalar(name).and_then(yaml::Scalar::as_str).map(Box::from);
            let optional_old_self = match scalar("optionalOldSelf").map(yaml::Scalar::resolve) {
                Some(Ok(ResolvedScalar::Bool(value))) => Some(value),
                _ => None,
            };
            let place = |name: &str| scalar(name).map(|scalar| scalar_place(scalar, source));
            Some(ValidationRule {
                rule: text("rule").unwrap_or_default(),
                message: text("message").unwrap_or_default(),
                message_expression: text("messageExpression").unwrap_or_default(),
                reason: text("reason"),
                field_path: text("fieldPath").unwrap_or_default(),
                optional_old_self,
                range,
                rule_place: place("rule"),
                message_expression_place: place("messageExpression"),
                optional_old_self_place: scalar("optionalOldSelf")
                    .map(|scalar| source.relative(token_range(scalar))),
            })
        };
        items.filter_map(rule).collect()
    }

    fn value(&mut self, source: &Source<'_, 'c, 't>, value: Value<'t>) -> crate::value::Value {
        let mut decoder = ValueDecoder {
            reader: self.reader,
            budget: self.budget,
            text: Text::Definition,
            base: source.base,
        };
        decoder.value(value)
    }
}

impl Source<'_, '_, '_> {
    fn relative(&self, range: TextRange) -> TextRange {
        range.wrapping_shifted(0_u32.wrapping_sub(self.base))
    }
}

fn scalar_place(scalar: yaml::Scalar<'_>, source: &Source<'_, '_, '_>) -> ScalarPlace {
    let mapping = OffsetMap::new(scalar.style(), scalar.token().text, scalar.outer_column());
    ScalarPlace { range: source.relative(token_range(scalar)), mapping }
}

fn token_range(scalar: yaml::Scalar<'_>) -> TextRange {
    let token = scalar.token();
    TextRange::at(token.start, TextSize::try_from(token.text.len()).unwrap_or(TextSize::MAX))
}

fn extensions(schema: &Schema<'_, '_>) -> Extensions {
    let keys = schema.items(Keyword::ListMapKeys);
    let keys = keys.filter_map(|item| schema.reader().follow(item.value())?.as_scalar()?.as_str());
    Extensions {
        preserve_unknown_fields: schema.is_true(Keyword::PreserveUnknownFields),
        embedded_resource: schema.is_true(Keyword::EmbeddedResource),
        int_or_string: schema.is_true(Keyword::IntOrString),
        list_map_keys: keys.map(Box::from).collect(),
        list_type: schema.string(Keyword::ListType).map(Box::from),
        map_type: schema.string(Keyword::MapType).map(Box::from),
    }
}

fn places(source: &Source<'_, '_, '_>) -> Places {
    let place = |(keyword, entry): (Keyword, Entry<'_>)| {
        let (key, value) = (source.relative(entry.key_range()), source.relative(entry.value().range()));
        KeywordPlace { keyword, key, value }
    };
    Places { keywords: source.schema.entries().map(place).collect() }
}

fn text(schema: &Schema<'_, '_>, keyword: Keyword) -> Box<str> {
    schema.string(keyword).map(Box::from).unwrap_or_default()
}

fn number(value: Value<'_>) -> Option<f64> {
    match value.as_scalar()?.resolve().ok()? {
        ResolvedScalar::Int(number) => Some(number as f64),
        ResolvedScalar::Uint(number) => Some(number as f64),
        ResolvedScalar::Float(number) => Some(number),
        _ => None,
    }
}

fn count(value: Value<'_>) -> Option<i64> {
    integer(&value.as_scalar()?.resolve().ok()?)
}

/// The node with which the result can be cached. Aliases lead outside a node, so that the node alone does not
/// determine the result.
pub(super) fn cacheable_node(value: Value<'_>) -> Option<&Arc<Node>> {
    debug_assert!(!matches!(value.kind(), ValueKind::Alias(_)), "aliases were followed");
    value.node().map(|node| node.node()).filter(|node| !node.flags().aliases)
}
