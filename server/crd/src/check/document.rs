//! The verdict on one document.

use yaml::{Document, Reader};

use super::collect::{Base, Collector, MAX_VIOLATIONS};
use super::{Budget, Cache, Context, Flags, Outcome, Walker};
use crate::Options;
use crate::api::FieldType;
use crate::decoding;
use crate::object::template::has_broken_action;
use crate::object::{CustomResourceDefinition, SchemaPlace, definitions, is_json_patch};
use crate::report::{ApiVersion, DocumentKind, DocumentReport, Origin, Violation};
use crate::schema::decode::Decoder;
use crate::validation::{self, State, Subject};

/// What kube-apiserver says of the definitions in `document` when they are created, and what we say beyond it. After
/// an edit, the same `cache` spares all that the edit left alone.
#[must_use]
pub fn check(document: Document<'_>, options: &Options, cache: &mut Cache) -> DocumentReport {
    judge(document, &[], options, cache)
}

/// What kube-apiserver says of the definitions in `document` when they replace those of the same name in `stored`.
/// Others are created.
#[must_use]
pub fn check_update(
    document: Document<'_>,
    stored: Document<'_>,
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
    let reader = Reader::new(stored);
    judge(document, &definitions(stored, &reader), options, cache)
}

fn judge(
    document: Document<'_>,
    stored: &[CustomResourceDefinition<'_, '_>],
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
    cache.prepare(options);
    let reader = Reader::new(document);
    let definitions = definitions(document, &reader);
    let kind = definitions.first().map_or(DocumentKind::Other, |definition| {
        DocumentKind::CustomResourceDefinition(definition.api_version())
    });
    let flags = document.syntax().node().flags();
    let mut pass = Pass {
        reader: &reader,
        options,
        cache,
        budget: Budget::new(flags.aliases),
        collector: Collector::new(&reader),
        has_syntax_errors: flags.errors,
        has_aliases: flags.aliases,
    };
    let mut origin = Origin::Whole;
    if is_json_patch(document, &reader) {
        origin = Origin::Patch;
    } else if flags.errors && has_broken_action(document.syntax()) {
        origin = Origin::Template;
    } else {
        for definition in &definitions {
            let name = definition.name();
            let stored = stored.iter().find(|stored| name.is_some() && stored.name() == name);
            match pass.definition(definition, stored) {
                Origin::Whole => {}
                other => origin = other,
            }
        }
    }
    if origin == Origin::Template {
        return DocumentReport { violations: Vec::new(), origin, kind, truncated: false };
    }
    let mut violations = pass.collector.violations;
    violations.sort_by(by_place);
    // An alias repeats what is wrong with its anchor; the server names it once where it moves the schemas.
    violations.dedup_by(|one, other| {
        (one.range, one.code, &one.server, &one.message, &one.related)
            == (other.range, other.code, &other.server, &other.message, &other.related)
    });
    DocumentReport { violations, origin, kind, truncated: pass.collector.truncated }
}

fn by_place(one: &Violation, other: &Violation) -> std::cmp::Ordering {
    (one.range, one.code, &one.field_path).cmp(&(other.range, other.code, &other.field_path))
}

/// One pass over a document.
struct Pass<'c, 't> {
    reader: &'c Reader<'t>,
    options: &'c Options,
    cache: &'c mut Cache,
    budget: Budget,
    collector: Collector<'c, 't>,
    has_syntax_errors: bool,
    has_aliases: bool,
}

impl<'t> Pass<'_, 't> {
    /// Judges `definition`, which replaces `stored` if there is such a one.
    fn definition(
        &mut self,
        definition: &CustomResourceDefinition<'_, 't>,
        stored: Option<&CustomResourceDefinition<'_, '_>>,
    ) -> Origin {
        if definition.is_patch() {
            return Origin::Patch;
        }
        let mut flags = Flags::NONE;
        let mut schemas: Vec<(SchemaPlace<'t>, Outcome)> = Vec::new();
        for place in definition.schemas() {
            let mut walker = Walker { reader: self.reader, cache: self.cache, budget: &mut self.budget };
            let outcome = walker.visit(place.value, Context::Root);
            flags |= outcome.flags;
            schemas.push((place, outcome));
        }
        // The schemas go first: what is around them must not use up their budget.
        let mut decoder = Decoder { reader: self.reader, budget: &mut self.budget };
        flags |= decoder.decode(definition.value(), FieldType::Object(definition.object_type()));
        if flags.has(Flags::TEMPLATE) {
            return Origin::Template;
        }
        if flags.has(Flags::UNDECODABLE) || flags.has(Flags::UNKNOWN_FIELDS) {
            let budget = &mut Budget::new(self.has_aliases);
            let violations = &mut self.collector.violations;
            decoding::check(definition, self.reader, self.cache, budget, !self.has_syntax_errors, violations);
        }
        let decodes = !self.has_syntax_errors && !flags.has(Flags::UNDECODABLE);
        let has_same_schemas = definition.has_same_schemas(self.cache, &mut self.budget);
        let unconvertible = schemas.iter().filter(|(_, outcome)| outcome.flags.has(Flags::UNCONVERTIBLE));
        let subject = Subject {
            definition,
            has_same_schemas,
            unconvertible: unconvertible.map(|(place, _)| place.version).collect(),
        };
        let stored = stored.map(|stored| Subject {
            definition: stored,
            has_same_schemas: stored.has_same_schemas(self.cache, &mut self.budget),
            unconvertible: Vec::new(),
        });
        let state = State { reported: decodes, has_wrong_types: flags.has(Flags::UNDECODABLE) };
        validation::check(&subject, stored.as_ref(), self.options, state, &mut self.collector.violations);
        self.collector.truncated |= self.collector.violations.len() >= MAX_VIOLATIONS;
        if schemas.iter().all(|(_, outcome)| outcome.findings.is_none()) {
            return Origin::Whole;
        }
        let hoisted = has_same_schemas && definition.api_version() == ApiVersion::V1;
        let prunes = definition.prunes();
        for (place, outcome) in schemas {
            let Some(findings) = &outcome.findings else { continue };
            let base = Base {
                value: place.value,
                key: place.key,
                server: CustomResourceDefinition::server_path(&place, hoisted),
                user: place.path,
                prunes,
                reported: decodes && !outcome.flags.has(Flags::UNCONVERTIBLE),
            };
            self.collector.collect(findings, &base);
        }
        Origin::Whole
    }
}
