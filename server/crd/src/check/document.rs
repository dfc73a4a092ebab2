//! The verdict on one document.

use yaml::{Document, Reader};

use super::collect::{Base, Collector};
use super::{Budget, Cache, Context, Flags, Outcome, Walker};
use crate::Options;
use crate::api::FieldType;
use crate::object::template::has_broken_action;
use crate::object::{CustomResourceDefinition, SchemaPlace, definitions, is_json_patch};
use crate::report::{DocumentKind, DocumentReport, Origin, Violation};
use crate::schema::decode::Decoder;

/// What kube-apiserver says of the schemas of the definitions in `document`, and what we say beyond it. After an
/// edit, the same `cache` spares all that the edit left alone.
#[must_use]
pub fn check(document: Document<'_>, options: &Options, cache: &mut Cache) -> DocumentReport {
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
    };
    let mut origin = Origin::Whole;
    if is_json_patch(document, &reader) {
        origin = Origin::Patch;
    } else if flags.errors && has_broken_action(document.syntax()) {
        origin = Origin::Template;
    } else {
        for definition in &definitions {
            match pass.definition(definition) {
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
}

impl<'t> Pass<'_, 't> {
    fn definition(&mut self, definition: &CustomResourceDefinition<'_, 't>) -> Origin {
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
        crate::validation::check(definition, self.options, self.reader, &mut self.collector.violations);
        if schemas.iter().all(|(_, outcome)| outcome.findings.is_none()) {
            return Origin::Whole;
        }
        let decodes = !self.has_syntax_errors && !flags.has(Flags::UNDECODABLE);
        let hoisted = definition.hoists_schemas(self.cache, &mut self.budget);
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
