//! The walk over a schema: it visits each node once, and skips nodes whose outcome is cached.

use std::sync::Arc;

use api::{FieldType, JSON_SCHEMA_PROPS};
use text::TextRange;
use yaml::{Node, Reader, Value, ValueKind};

use super::outcome::{Builder, DescendantOutcome, Outcome, RelativeRange, Step};
use super::{Context, Position, Stage};
use super::{completeness, formats, junctor, keywords, lints, lists, rules, structural};
use crate::cache::Cache;
use crate::reading::Budget;
use crate::reading::Members;
use crate::reading::item_range;
use crate::schema::Flags;
use crate::schema::convert::fails_at;
use crate::schema::decode::{Decoder, refuse};
use crate::schema::zero::has_int_or_string_branches;
use crate::schema::{Keyword, Schema};
use crate::{KubernetesVersion, Options};

/// Walks the schemas of one document.
pub(crate) struct Walker<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) options: &'c Options,
    pub(crate) cache: &'c mut Cache,
    pub(crate) budget: &'c mut Budget,
}

impl<'c, 't> Walker<'c, 't> {
    /// The outcome for a whole schema, whose root is `root`.
    pub(crate) fn walk(mut self, root: Value<'t>) -> Outcome {
        self.visit(root, Context::ROOT)
    }

    /// The outcome for the schema that `value` holds.
    pub(crate) fn visit(&mut self, value: Value<'t>, context: Context) -> Outcome {
        let Some(value) = self.reader.follow(value) else { return refused(Flags::UNDECODABLE) };
        let lasting = cacheable_node(value);
        if let Some(outcome) = lasting.and_then(|node| self.cache.outcome(node, context)) {
            return outcome;
        }
        if self.cache.stop().is_due() || !self.budget.enter() {
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
        self.properties(&schema, &properties, context, &mut out);
        self.descend(&schema, context, &mut out);
        self.check(&schema, &properties, context, &mut out);
        out.finish()
    }

    /// Runs the checks of one node, in the server's order.
    fn check(
        &mut self,
        schema: &Schema<'_, 't>,
        properties: &Members<'t>,
        context: Context,
        out: &mut Builder,
    ) {
        let position = context.position;
        let ty = schema.type_name();
        let version = self.options.kubernetes_version;
        if position.is_spine() {
            structural::check(schema, &ty, properties, position, version, out);
            if out.flags.contains(Flags::MENTIONS) {
                completeness::check(schema, position, self.budget, out);
            }
            out.flags = out.flags.without(Flags::MENTIONS);
        } else if position.is_junctor() {
            junctor::check(schema, properties, version, out);
        }
        keywords::check(schema, &ty, properties, context, out);
        lists::check(schema, &ty, position, self.options, out);
        rules::check(schema, self.options, out);
        formats::check(schema, &ty, self.options, out);
        lints::check(schema, &ty, properties, context, self.options, self.budget, out);
        if position == Position::Unreached {
            out.findings.own.retain(|finding| finding.stage == Stage::Warning);
        }
    }

    /// Decodes the keywords that hold no schemas, as the server's decoder and conversion do.
    fn decode(&mut self, schema: &Schema<'_, 't>, out: &mut Builder) {
        let mut decoder =
            Decoder { reader: self.reader, budget: self.budget, server: self.options.kubernetes_version };
        if schema.has_unreadable_key() {
            out.flags |= refuse(schema.value());
        }
        for entry in schema.unknown() {
            out.flags |= Flags::UNKNOWN_FIELDS;
            out.flags |= decoder.decode(entry.value(), FieldType::Json);
        }
        for (keyword, entry) in schema.entries() {
            out.flags |= match keyword.field().map_or(FieldType::Json, |field| field.ty) {
                // The walk itself visits schemas.
                FieldType::Map(_) => shape(schema.get(keyword), |value| value.as_mapping().is_some()),
                FieldType::List(FieldType::Object(object))
                    if std::ptr::eq(*object, &raw const JSON_SCHEMA_PROPS) =>
                {
                    shape(schema.get(keyword), |value| value.as_sequence().is_some())
                }
                ty => decoder.decode(entry.value(), ty),
            };
            if fails_at(schema, keyword) {
                out.flags |= Flags::UNCONVERTIBLE;
            }
        }
    }

    fn descend(&mut self, schema: &Schema<'_, 't>, context: Context, out: &mut Builder) {
        let position = context.position;
        let skips_any_of = position == Position::IntOrStringJunctor
            || position.is_spine() && has_int_or_string_branches(schema, self.options.kubernetes_version);
        let loose = context.at(if position == Position::Unreached { position } else { Position::Loose });
        for (keyword, entry) in schema.entries() {
            let Some(value) = schema.get(keyword) else { continue };
            let below = context.below(keyword);
            match keyword {
                Keyword::AnyOf if skips_any_of => {
                    self.branches(keyword, value, |_, _| loose, out);
                }
                Keyword::AllOf if position.is_spine() => {
                    let (reader, version) = (self.reader, self.options.kubernetes_version);
                    let first = |at: usize, item| match at {
                        0 if is_int_or_string(item, reader, version) => {
                            context.at(Position::IntOrStringJunctor)
                        }
                        _ => below,
                    };
                    self.branches(keyword, value, first, out);
                }
                Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf => {
                    self.branches(keyword, value, |_, _| below, out);
                }
                Keyword::Items if value.as_sequence().is_some() => {
                    self.branches(keyword, value, |_, _| loose, out);
                }
                Keyword::Items | Keyword::Not | Keyword::AdditionalProperties | Keyword::AdditionalItems
                    if value.as_mapping().is_some() =>
                {
                    self.child(Step::Only(keyword), value, below, entry.key_range(), out);
                }
                Keyword::PatternProperties | Keyword::Definitions => {
                    self.members(keyword, &schema.members(keyword), below, out);
                }
                Keyword::Dependencies => self.dependencies(&schema.members(keyword), below, out),
                _ => {}
            }
        }
    }

    fn properties(
        &mut self,
        schema: &Schema<'_, 't>,
        properties: &Members<'t>,
        context: Context,
        out: &mut Builder,
    ) {
        let embedded = schema.is_true(Keyword::EmbeddedResource);
        let below = |key: &str| context.property(key, embedded);
        self.members_in(Keyword::Properties, properties, below, out);
    }

    fn members(&mut self, keyword: Keyword, members: &Members<'t>, below: Context, out: &mut Builder) {
        self.members_in(keyword, members, |_| below, out);
    }

    fn members_in(
        &mut self,
        keyword: Keyword,
        members: &Members<'t>,
        below: impl Fn(&str) -> Context,
        out: &mut Builder,
    ) {
        if members.unreadable {
            out.flags |= Flags::UNDECODABLE;
        }
        self.budget.spend(members.entries.len());
        for (key, entry) in &members.entries {
            let outcome = self.visit(entry.value(), below(key));
            let step = || Step::Member(keyword, key.as_ref().into());
            self.attach(step, entry.value(), outcome, entry.key_range(), out);
        }
    }

    /// A dependency is a schema or a list of names; other values decode to nothing.
    fn dependencies(&mut self, members: &Members<'t>, below: Context, out: &mut Builder) {
        for (key, entry) in &members.entries {
            let value = self.reader.follow(entry.value());
            match value.map(Value::kind) {
                Some(ValueKind::Mapping(_)) => {
                    let outcome = self.visit(entry.value(), below);
                    let step = || Step::Member(Keyword::Dependencies, key.as_ref().into());
                    self.attach(step, entry.value(), outcome, entry.key_range(), out);
                }
                Some(ValueKind::Sequence(_)) => {
                    let mut decoder = Decoder {
                        reader: self.reader,
                        budget: self.budget,
                        server: self.options.kubernetes_version,
                    };
                    out.flags |= decoder.decode(entry.value(), FieldType::List(&FieldType::String));
                }
                _ => {}
            }
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
        let start = self.reader.follow(value).map_or(out.base, |value| value.range().start);
        let distance = start.wrapping_sub(out.base);
        out.findings.below.push(DescendantOutcome {
            step: step(),
            distance,
            key: RelativeRange::of(key, out.base),
            findings,
        });
    }
}

/// The node of `value`, if its outcome holds at every position.
fn cacheable_node(value: Value<'_>) -> Option<&Arc<Node>> {
    value.node().map(|node| node.node()).filter(|node| !node.flags().aliases)
}

/// The decoding errors of a list or map whose members are checked elsewhere; null is accepted.
fn shape<'t>(value: Option<Value<'t>>, fits: impl Fn(Value<'t>) -> bool) -> Flags {
    match value {
        Some(value) if !fits(value) => refuse(value),
        _ => Flags::NONE,
    }
}

fn refused(flags: Flags) -> Outcome {
    Outcome { flags, findings: None }
}

fn is_int_or_string<'t>(value: Value<'t>, reader: &Reader<'t>, version: KubernetesVersion) -> bool {
    Schema::read(value, reader).is_some_and(|schema| has_int_or_string_branches(&schema, version))
}
