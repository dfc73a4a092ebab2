//! The verdict on one document.

use yaml::{Document, Reader, Value};

use super::collect::{Base, Collector};
use super::condition::NonStructural;
use super::defaults;
use super::outcome::Findings;
use super::{Budget, Cache, Context, Flags, Outcome, Ratchets, Reporting, Stage, Walker, status_root};
use crate::api::FieldType;
use crate::object::template::has_broken_action;
use crate::object::{CustomResourceDefinition, SchemaPlace, Version, definitions, is_json_patch};
use crate::report::{
    ApiVersion, DocumentKind, DocumentReport, ErrorType, Origin, ServerError, Severity, Violation,
};
use crate::schema::Schema;
use crate::schema::convert::conversion_error;
use crate::schema::decode::Decoder;
use crate::{FieldPath, Options, locate};

/// What kube-apiserver says of the definitions in `document` when they are created, and what we say beyond it. After
/// an edit, the same `cache` spares all that the edit left alone.
#[must_use]
pub fn check(document: Document<'_>, options: &Options, cache: &mut Cache) -> DocumentReport {
    cache.prepare(options);
    check_with(document, &StoredSchemas::default(), options, cache)
}

/// As [`check`], where the definitions replace those of the same name in `stored`.
#[must_use]
pub fn check_update(
    document: Document<'_>,
    stored: Document<'_>,
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
    cache.prepare(options);
    let stored = StoredSchemas::of(stored, options, cache);
    check_with(document, &stored, options, cache)
}

/// The messages of the NonStructuralSchema condition that the server's controller writes to the definitions in
/// `document`, sorted; none where it writes no such condition.
#[must_use]
pub fn non_structural_condition(document: Document<'_>, options: &Options, cache: &mut Cache) -> Vec<String> {
    cache.prepare(options);
    let reader = Reader::new(document);
    let mut budget = Budget::new(document.syntax().node().flags().aliases);
    let mut messages = Vec::new();
    for definition in definitions(document, &reader) {
        let mut condition = NonStructural::new(definition.prunes());
        for place in definition.schemas() {
            let outcome = walk(&place, &reader, options, cache, &mut budget);
            // Where no version has a schema of its own, all have that of `spec.validation`.
            let own = |version: &Version<'_, '_>| place.version.is_none_or(|index| version.index == index);
            for version in definition.versions().filter(own) {
                let schema = Schema::read(place.value, &reader);
                match schema.filter(|_| outcome.flags.has(Flags::UNCONVERTIBLE)) {
                    Some(schema) => {
                        let error = conversion_error(&schema, &mut budget).unwrap_or_default();
                        condition.fail(&version.name().unwrap_or_default(), error);
                    }
                    None => condition.note(version.index, &outcome),
                }
            }
        }
        messages.extend(condition.finish());
    }
    messages
}

fn walk<'t>(
    place: &SchemaPlace<'t>,
    reader: &Reader<'t>,
    options: &Options,
    cache: &mut Cache,
    budget: &mut Budget,
) -> Outcome {
    Walker { reader, options, cache, budget }.visit(place.value, Context::ROOT)
}

/// What relaxes the checks of an update, by the name of the stored definition.
#[derive(Default)]
struct StoredSchemas {
    ratchets: Vec<(String, Ratchets)>,
    /// Of what replaces nothing.
    none: Ratchets,
}

impl StoredSchemas {
    fn of(stored: Document<'_>, options: &Options, cache: &mut Cache) -> Self {
        let reader = Reader::new(stored);
        let mut budget = Budget::new(stored.syntax().node().flags().aliases);
        let mut found = Self::default();
        for definition in definitions(stored, &reader) {
            let mut ratchets = Ratchets::default();
            for place in definition.schemas() {
                let outcome = walk(&place, &reader, options, cache, &mut budget);
                ratchets.note(&outcome);
                let found = defaults::check(&place, &outcome, None, &reader, options, cache);
                if found.iter().any(|violation| violation.code == "defaults/unknown-fields") {
                    ratchets.note_unpruned_defaults();
                }
            }
            found.ratchets.push((name_of(&definition), ratchets));
        }
        found
    }

    fn ratchets(&self, definition: &CustomResourceDefinition<'_, '_>) -> &Ratchets {
        let name = name_of(definition);
        let found = self.ratchets.iter().find(|(stored, _)| *stored == name);
        found.map_or(&self.none, |(_, ratchets)| ratchets)
    }
}

fn name_of(definition: &CustomResourceDefinition<'_, '_>) -> String {
    let name = definition.field(&["metadata", "name"]).and_then(Value::as_scalar);
    name.and_then(yaml::Scalar::as_str).unwrap_or_default().into_owned()
}

fn check_with(
    document: Document<'_>,
    stored: &StoredSchemas,
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
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
            match pass.definition(definition, stored.ratchets(definition)) {
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
    fn definition(&mut self, definition: &CustomResourceDefinition<'_, 't>, ratchets: &Ratchets) -> Origin {
        if definition.is_patch() {
            return Origin::Patch;
        }
        let mut all_flags = Flags::NONE;
        let mut schemas: Vec<(SchemaPlace<'t>, Outcome)> = Vec::new();
        for place in definition.schemas() {
            let outcome = walk(&place, self.reader, self.options, self.cache, &mut self.budget);
            all_flags |= outcome.flags;
            schemas.push((place, outcome));
        }
        // The schemas go first: what is around them must not use up their budget.
        let mut decoder = Decoder { reader: self.reader, budget: &mut self.budget };
        all_flags |= decoder.decode(definition.value(), FieldType::Object(definition.object_type()));
        if all_flags.has(Flags::TEMPLATE) {
            return Origin::Template;
        }
        crate::validation::check(definition, self.options, self.reader, &mut self.collector.violations);
        let reporting = Reporting {
            has_syntax_errors: self.has_syntax_errors,
            decodes: !self.has_syntax_errors && !all_flags.has(Flags::UNDECODABLE),
            flags: Flags::NONE,
            all_flags,
            has_root_errors: false,
            prunes: definition.prunes(),
            ratchets,
        };
        self.preserved_defaults(definition, &reporting);
        let mut hoisted = None;
        for (place, outcome) in schemas {
            let schema = Schema::read(place.value, self.reader);
            let status = schema.as_ref().and_then(status_root::check);
            let has_defaults = outcome.flags.has(Flags::DEFAULTS);
            if status.is_none() && outcome.findings.is_none() && !has_defaults {
                continue;
            }
            let hoisted =
                *hoisted.get_or_insert_with(|| definition.hoists_schemas(self.cache, &mut self.budget));
            let status = status.filter(|_| has_status(definition, place.version, hoisted));
            self.schema(place, &outcome, status, hoisted, reporting);
        }
        Origin::Whole
    }

    /// Adds what is wrong with the schema at `place`; `status` is what is wrong because of the status subresource.
    fn schema(
        &mut self,
        place: SchemaPlace<'t>,
        outcome: &Outcome,
        status: Option<Findings>,
        hoisted: bool,
        reporting: Reporting<'_>,
    ) {
        let own = outcome.findings.as_deref().map_or(&[][..], |findings| &findings.own);
        let has_root_errors = status.is_some() || own.iter().any(|finding| finding.stage == Stage::Root);
        let reporting = Reporting { flags: outcome.flags, has_root_errors, ..reporting };
        let server = CustomResourceDefinition::server_path(&place, hoisted);
        let about = Some((&server, &reporting));
        let found = defaults::check(&place, outcome, about, self.reader, self.options, self.cache);
        self.collector.violations.extend(found);
        let base = Base { value: place.value, key: place.key, server, user: place.path, reporting };
        for findings in status.iter().chain(outcome.findings.as_deref()) {
            self.collector.collect(findings, &base);
        }
    }

    /// Check 23: defaults want that fields that are not declared are dropped.
    fn preserved_defaults(
        &mut self,
        definition: &CustomResourceDefinition<'_, 't>,
        reporting: &Reporting<'_>,
    ) {
        if reporting.prunes || !reporting.all_flags.has(Flags::DEFAULTS) {
            return;
        }
        let path = FieldPath::of_names(["spec", "preserveUnknownFields"]);
        let written = definition.field(&["spec", "preserveUnknownFields"]).map(Value::range);
        let range = written.unwrap_or_else(|| locate(definition.value(), &path, self.reader).range);
        let detail = "must be false in order to use defaults in the schema".to_owned();
        let advice = match definition.api_version() {
            ApiVersion::V1 => "drop it",
            ApiVersion::V1Beta1 => "set `preserveUnknownFields: false`",
        };
        let server = || ServerError::error(ErrorType::Invalid, path.to_string(), detail.clone());
        self.collector.violations.push(Violation {
            code: "defaults/preserve-unknown-fields",
            severity: Severity::Error,
            message: format!("{detail}: {advice}"),
            range,
            server: reporting.decodes.then(server),
            field_path: definition.path().join(path.segments()),
            related: Vec::new(),
        });
    }
}

/// Whether the server sees the status subresource on for the schema of `version` (none: `spec.validation`).
fn has_status(definition: &CustomResourceDefinition<'_, '_>, version: Option<usize>, hoisted: bool) -> bool {
    let has_subresources = |version: &Version<'_, '_>| version.member("subresources").is_some();
    let has_status = |version: &Version<'_, '_>| version.has_status();
    let top = definition.api_version() == ApiVersion::V1Beta1
        && definition.field(&["spec", "subresources", "status"]).is_some();
    let Some(index) = version.filter(|_| !hoisted) else {
        return top || definition.versions().any(|version| has_status(&version));
    };
    if !definition.versions().any(|version| has_subresources(&version)) {
        return top;
    }
    // Of versions of the same name the server looks at the first.
    let name =
        definition.versions().find(|version| version.index == index).and_then(|version| version.name());
    definition.versions().find(|version| version.name() == name).is_some_and(|version| has_status(&version))
}
