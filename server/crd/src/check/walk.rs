//! The walk over a schema: each node is visited once, and not at all where it was visited before.

use std::sync::Arc;

use text::TextRange;
use yaml::{Node, Reader, Value, ValueKind};

use super::outcome::{Below, Builder, Outcome, Relative, Step};
use super::{Budget, Cache, Flags, completeness, junctor, structural};
use crate::api::{FieldType, JSON_SCHEMA_PROPS};
use crate::locate::item_range;
use crate::schema::decode::{Decoder, refuse};
use crate::schema::zero::{has_int_or_string_branches, is_empty};
use crate::schema::{Keyword, Members, Schema};

/// From where a schema node is reached, as far as the checks depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Context {
    /// `openAPIV3Schema` itself.
    Root,
    /// The `items` of a node of the spine.
    Item,
    /// A member of `properties`, or `additionalProperties`, of a node of the spine.
    Field,
    /// A value validation: within `allOf`, `anyOf`, `oneOf` or `not`.
    Junctor,
    /// `allOf[0]` of a node of the spine, whose `anyOf` is the one that int-or-string may have.
    IntOrStringJunctor,
    /// Where the server looks only at whether it can be decoded and converted.
    Unchecked,
}

impl Context {
    /// Whether the node is one that values are stored by: not a value validation.
    pub(crate) fn is_spine(self) -> bool {
        matches!(self, Self::Root | Self::Item | Self::Field)
    }

    fn is_junctor(self) -> bool {
        matches!(self, Self::Junctor | Self::IntOrStringJunctor)
    }

    /// The context of what `keyword` holds.
    fn below(self, keyword: Keyword) -> Self {
        match keyword {
            _ if keyword.is_junctor() && self != Self::Unchecked => Self::Junctor,
            Keyword::Items if self.is_spine() => Self::Item,
            Keyword::Properties | Keyword::AdditionalProperties if self.is_spine() => Self::Field,
            Keyword::Items | Keyword::Properties if self.is_junctor() => Self::Junctor,
            _ => Self::Unchecked,
        }
    }
}

/// Walks the schemas of one document.
pub(crate) struct Walker<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) cache: &'c mut Cache,
    pub(crate) budget: &'c mut Budget,
}

impl<'c, 't> Walker<'c, 't> {
    /// The outcome for the schema that `value` holds.
    pub(crate) fn visit(&mut self, value: Value<'t>, context: Context) -> Outcome {
        let Some(value) = self.reader.follow(value) else { return refused(Flags::UNDECODABLE) };
        let lasting = lasting(value);
        if let Some(outcome) = lasting.and_then(|node| self.cache.outcome(node, context)) {
            return outcome;
        }
        if !self.budget.enter() {
            return refused(Flags::UNDECODABLE);
        }
        self.cache.count_visit();
        let outcome = self.compute(value, context);
        self.budget.leave();
        if let Some(node) = lasting {
            self.cache.keep_outcome(node, context, outcome.clone());
        }
        outcome
    }

    fn compute(&mut self, value: Value<'t>, context: Context) -> Outcome {
        let reader = self.reader;
        let Some(schema) = Schema::read(value, reader) else { return refused(refuse(value)) };
        let mut out = Builder::new(schema.start());
        if !self.budget.spend(schema.entries().count() + schema.unknown().len()) {
            return refused(Flags::UNDECODABLE);
        }
        self.decode(&schema, &mut out);
        let properties = schema.members(Keyword::Properties);
        self.members(Keyword::Properties, &properties, context, &mut out);
        self.descend(&schema, context, &mut out);
        if context.is_spine() {
            structural::check(&schema, &properties, context, &mut out);
            if out.flags.has(Flags::MENTIONS) {
                completeness::check(&schema, context, self.budget, &mut out);
            }
            out.flags = out.flags.without(Flags::MENTIONS);
        } else if context.is_junctor() {
            junctor::check(&schema, &properties, &mut out);
        }
        out.finish()
    }

    /// The keywords that hold no schemas, as far as the server's decoder and conversion judge them.
    fn decode(&mut self, schema: &Schema<'_, 't>, out: &mut Builder) {
        let mut decoder = Decoder { reader: self.reader, budget: self.budget };
        if schema.has_unreadable_key() {
            out.flags |= refuse(schema.value());
        }
        for entry in schema.unknown() {
            out.flags |= Flags::UNKNOWN_FIELDS;
            out.flags |= decoder.decode(entry.value(), FieldType::Json);
        }
        for (keyword, entry) in schema.entries() {
            out.flags |= match keyword.field().map_or(FieldType::Json, |field| field.ty) {
                // The walk itself looks into schemas.
                FieldType::Map(_) => shape(schema.get(keyword), |value| value.as_mapping().is_some()),
                FieldType::List(FieldType::Object(object))
                    if std::ptr::eq(*object, &raw const JSON_SCHEMA_PROPS) =>
                {
                    shape(schema.get(keyword), |value| value.as_sequence().is_some())
                }
                ty => decoder.decode(entry.value(), ty),
            };
            if makes_unconvertible(schema, keyword) {
                out.flags |= Flags::UNCONVERTIBLE;
            }
        }
    }

    fn descend(&mut self, schema: &Schema<'_, 't>, context: Context, out: &mut Builder) {
        let skips_any_of = context == Context::IntOrStringJunctor
            || context.is_spine() && has_int_or_string_branches(schema);
        for (keyword, entry) in schema.entries() {
            let Some(value) = schema.get(keyword) else { continue };
            let below = context.below(keyword);
            match keyword {
                Keyword::AnyOf if skips_any_of => {
                    self.branches(keyword, value, |_, _| Context::Unchecked, out);
                }
                Keyword::AllOf if context.is_spine() => {
                    let reader = self.reader;
                    let first = |at: usize, item| match at {
                        0 if is_int_or_string(item, reader) => Context::IntOrStringJunctor,
                        _ => below,
                    };
                    self.branches(keyword, value, first, out);
                }
                Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf => {
                    self.branches(keyword, value, |_, _| below, out);
                }
                Keyword::Items if value.as_sequence().is_some() => {
                    self.branches(keyword, value, |_, _| Context::Unchecked, out);
                }
                Keyword::Items | Keyword::Not | Keyword::AdditionalProperties | Keyword::AdditionalItems
                    if value.as_mapping().is_some() =>
                {
                    self.child(Step::Only(keyword), value, below, entry.key_range(), out);
                }
                Keyword::PatternProperties | Keyword::Definitions => {
                    self.members(keyword, &schema.members(keyword), context, out);
                }
                Keyword::Dependencies => self.dependencies(&schema.members(keyword), out),
                _ => {}
            }
        }
    }

    fn members(&mut self, keyword: Keyword, members: &Members<'t>, context: Context, out: &mut Builder) {
        if members.unreadable {
            out.flags |= Flags::UNDECODABLE;
        }
        self.budget.spend(members.entries.len());
        let below = context.below(keyword);
        for (key, entry) in &members.entries {
            let outcome = self.visit(entry.value(), below);
            let step = || Step::Member(keyword, key.as_ref().into());
            self.attach(step, entry.value(), outcome, entry.key_range(), out);
        }
    }

    /// A dependency is a schema or a list of names; other values decode to nothing.
    fn dependencies(&mut self, members: &Members<'t>, out: &mut Builder) {
        for (_, entry) in &members.entries {
            let value = self.reader.follow(entry.value());
            out.flags |= match value.map(Value::kind) {
                Some(ValueKind::Mapping(_)) => self.visit(entry.value(), Context::Unchecked).flags,
                Some(ValueKind::Sequence(_)) => {
                    let mut decoder = Decoder { reader: self.reader, budget: self.budget };
                    decoder.decode(entry.value(), FieldType::List(&FieldType::String))
                }
                _ => Flags::NONE,
            };
        }
    }

    fn branches(
        &mut self,
        keyword: Keyword,
        value: Value<'t>,
        context: impl Fn(usize, Value<'t>) -> Context,
        out: &mut Builder,
    ) {
        let Some(sequence) = value.as_sequence() else { return };
        for (index, item) in sequence.items().enumerate() {
            let below = context(index, item.value());
            self.child(Step::Branch(keyword, index), item.value(), below, item_range(item), out);
        }
    }

    fn child(&mut self, step: Step, value: Value<'t>, context: Context, key: TextRange, out: &mut Builder) {
        let outcome = self.visit(value, context);
        self.attach(|| step, value, outcome, key, out);
    }

    fn attach(
        &self,
        step: impl FnOnce() -> Step,
        value: Value<'t>,
        outcome: Outcome,
        key: TextRange,
        out: &mut Builder,
    ) {
        out.flags |= outcome.flags;
        let Some(findings) = outcome.findings else { return };
        let start = self.reader.follow(value).map_or(out.base, start);
        let distance = start.wrapping_sub(out.base);
        out.findings.below.push(Below { step: step(), distance, key: Relative::of(key, out.base), findings });
    }
}

/// The node of `value`, if a result for it holds wherever it stands.
fn lasting(value: Value<'_>) -> Option<&Arc<Node>> {
    value.node().map(|node| node.node()).filter(|node| !node.flags().aliases)
}

fn start(value: Value<'_>) -> text::TextSize {
    value.node().map_or(value.range().start, |node| node.range().start)
}

/// What the decoder says of a list or map whose members are looked at elsewhere; null is fine.
fn shape<'t>(value: Option<Value<'t>>, fits: impl Fn(Value<'t>) -> bool) -> Flags {
    match value {
        Some(value) if !fits(value) => refuse(value),
        _ => Flags::NONE,
    }
}

fn refused(flags: Flags) -> Outcome {
    Outcome { flags, findings: None }
}

fn is_int_or_string<'t>(value: Value<'t>, reader: &Reader<'t>) -> bool {
    Schema::read(value, reader).is_some_and(|schema| has_int_or_string_branches(&schema))
}

/// Whether `NewStructural` fails at `keyword`, so that no structural check is reached.
fn makes_unconvertible(schema: &Schema<'_, '_>, keyword: Keyword) -> bool {
    let Some(value) = schema.get(keyword) else { return false };
    match keyword {
        Keyword::Id | Keyword::SchemaUrl | Keyword::Ref => {
            schema.string(keyword).is_some_and(|text| !text.is_empty())
        }
        Keyword::AdditionalItems => true,
        Keyword::PatternProperties | Keyword::Definitions | Keyword::Dependencies => !is_empty(value),
        Keyword::Items => value.as_sequence().is_some() && !is_empty(value),
        Keyword::PreserveUnknownFields => schema.boolean(keyword) == Some(false),
        _ => false,
    }
}
