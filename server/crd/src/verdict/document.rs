//! The verdict on one document.

use api::{Code, FieldType, Severity};
use yaml::{Document, Reader, Value};

use crate::cache::Cache;
use crate::check::alike::{Comparison, ErrorPlaces};
use crate::check::collect::{Base, Collector, most_findings};
use crate::check::outcome::Findings;
use crate::check::{Outcome, ReportingConditions, Stage, Walker};
use crate::decoding;
use crate::finding::{DocumentReport, Finding};
use crate::message::Message;
use crate::object::{
    CustomResourceDefinition, SchemaPlace, definitions, holds_merge_directive, is_json_patch,
};
use crate::reading::Budget;
use crate::reading::has_broken_action;
use crate::report::{ApiVersion, Completeness, DocumentKind, ErrorType, ServerError};
use crate::schema::Flags;
use crate::schema::Schema;
use crate::schema::decode::Decoder;
use crate::schema::fingerprint::Fingerprinter;
use crate::validation::{self, State, Subject};
use crate::verdict::status_root;
use crate::verdict::stored_definition::{StoredFacts, StoredRules, ratchets, replaced, version_name};
use crate::verdict::walked_schema::WalkedSchema;
use crate::verdict::{defaults, expressions};
use crate::{FieldPath, Options, lints, locate};

/// The errors that kube-apiserver reports when the definitions in `document` are created, and our own
/// findings. After an edit, a check with the same `cache` visits only the changed parts.
#[must_use]
pub fn check(document: Document<'_>, options: &Options, cache: &mut Cache) -> DocumentReport {
    check_against(document, &[], options, cache)
}

/// The findings when the definitions in `document` replace those of the same name in `stored`. Other
/// definitions are created.
#[must_use]
pub fn check_update(
    document: Document<'_>,
    stored: Document<'_>,
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
    check_updates(document, &[stored], options, cache)
}

/// Like [`check_update`], with stored definitions in several documents. Of several with the same name, the
/// last is used.
#[must_use]
pub fn check_updates(
    document: Document<'_>,
    stored: &[Document<'_>],
    options: &Options,
    cache: &mut Cache,
) -> DocumentReport {
    let readers = readers(stored);
    check_against(document, &all_definitions(stored, &readers), options, cache)
}

/// The errors for which the server rejects an update of those in `stored`, but not a creation of the
/// definitions in `document`. An update may keep errors in schemas, and has no additional requirements for
/// schemas, so that only the rest is checked.
#[must_use]
pub fn check_replacement(
    document: Document<'_>,
    stored: &[Document<'_>],
    options: &Options,
    cache: &mut Cache,
) -> Vec<Finding> {
    cache.prepare(options);
    let (reader, readers) = (Reader::new(document), readers(stored));
    let stored = all_definitions(stored, &readers);
    let mut pass = Pass::new(document, &reader, options, cache);
    for definition in &definitions(document, &reader) {
        if let Some(stored) = replaced(definition, &stored) {
            let survey = pass.survey(definition);
            pass.outside_schemas(definition, Some(stored), &survey);
        }
    }
    pass.collector.findings
}

fn readers<'t>(documents: &[Document<'t>]) -> Vec<Reader<'t>> {
    documents.iter().map(|document| Reader::new(*document)).collect()
}

/// The definitions in all of `documents`, each with its reader.
fn all_definitions<'r, 't>(
    documents: &[Document<'t>],
    readers: &'r [Reader<'t>],
) -> Vec<CustomResourceDefinition<'r, 't>> {
    documents.iter().zip(readers).flat_map(|(document, reader)| definitions(*document, reader)).collect()
}

/// Checks `document`, whose definitions replace those of the same name in `stored`.
fn check_against(
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
    let mut pass = Pass::new(document, &reader, options, cache);
    let mut origin = Completeness::Whole;
    if is_json_patch(document, &reader) {
        origin = Completeness::Patch;
    } else if pass.has_syntax_errors && has_broken_action(document.syntax()) {
        origin = Completeness::Template;
    } else {
        for definition in &definitions {
            match pass.definition(definition, replaced(definition, stored)) {
                Completeness::Whole => {}
                other => origin = other,
            }
        }
    }
    if origin == Completeness::Template {
        return DocumentReport { findings: Vec::new(), origin, kind, truncated: false };
    }
    let truncated = pass.collector.truncated;
    let mut findings = pass.collector.findings;
    if origin == Completeness::Whole {
        lints::unbounded::check(document, options, cache, &mut findings);
    }
    findings.sort_by(by_place);
    // An alias repeats the errors of its anchor; the server reports them once if it moves the schemas.
    findings.dedup_by(|one, other| {
        (one.range, one.code, &one.api_server, &one.message, &one.related)
            == (other.range, other.code, &other.api_server, &other.message, &other.related)
    });
    DocumentReport { findings, origin, kind, truncated }
}

fn by_place(one: &Finding, other: &Finding) -> std::cmp::Ordering {
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

/// The schemas of a definition with their outcomes, and whether it decodes.
struct CheckedSchemas<'t> {
    schemas: Vec<(SchemaPlace<'t>, Outcome)>,
    flags: Flags,
}

impl<'c, 't> Pass<'c, 't> {
    fn new(
        document: Document<'_>,
        reader: &'c Reader<'t>,
        options: &'c Options,
        cache: &'c mut Cache,
    ) -> Self {
        let flags = document.syntax().node().flags();
        Self {
            reader,
            options,
            cache,
            budget: Budget::new(flags.aliases),
            collector: Collector::new(reader, most_findings(document.range().len())),
            has_syntax_errors: flags.errors,
            has_aliases: flags.aliases,
        }
    }

    fn survey(&mut self, definition: &CustomResourceDefinition<'_, 't>) -> CheckedSchemas<'t> {
        let mut flags = Flags::NONE;
        let mut schemas: Vec<(SchemaPlace<'t>, Outcome)> = Vec::new();
        for place in definition.schemas() {
            let walker = Walker {
                reader: self.reader,
                options: self.options,
                cache: self.cache,
                budget: &mut self.budget,
            };
            let outcome = walker.walk(place.value);
            flags |= outcome.flags;
            schemas.push((place, outcome));
        }
        // The schemas come first: the fields around them must not use up their budget.
        let mut decoder = Decoder {
            reader: self.reader,
            budget: &mut self.budget,
            server: self.options.kubernetes_version,
        };
        flags |= decoder.decode(definition.value(), FieldType::Object(definition.object_type()));
        CheckedSchemas { schemas, flags }
    }

    /// Whether kube-apiserver's decoder accepts the definition.
    fn decodes(&self, survey: &CheckedSchemas<'_>) -> bool {
        !self.has_syntax_errors && !survey.flags.contains(Flags::UNDECODABLE)
    }

    /// Checks `definition` except its schemas.
    fn outside_schemas<'d, 'r>(
        &mut self,
        definition: &'d CustomResourceDefinition<'r, 't>,
        stored: Option<&CustomResourceDefinition<'_, '_>>,
        survey: &CheckedSchemas<'t>,
    ) -> (Subject<'d, 'r, 't>, State) {
        let unconvertible =
            survey.schemas.iter().filter(|(_, outcome)| outcome.flags.contains(Flags::UNCONVERTIBLE));
        let subject = Subject {
            definition,
            has_same_schemas: definition.has_same_schemas(self.cache, &mut self.budget),
            unconvertible: unconvertible.map(|(place, _)| place.version).collect(),
        };
        let stored = stored.map(|stored| Subject {
            definition: stored,
            has_same_schemas: stored.has_same_schemas(self.cache, &mut self.budget),
            unconvertible: Vec::new(),
        });
        let state = State {
            reported: self.decodes(survey),
            has_wrong_types: survey.flags.contains(Flags::UNDECODABLE),
        };
        validation::check(&subject, stored.as_ref(), self.options, state, &mut self.collector.findings);
        (subject, state)
    }

    /// Checks `definition`, which replaces `stored` if it exists.
    fn definition(
        &mut self,
        definition: &CustomResourceDefinition<'_, 't>,
        stored: Option<&CustomResourceDefinition<'_, '_>>,
    ) -> Completeness {
        let is_partial = definition.is_partial();
        let is_patch = || self.options.is_patch || holds_merge_directive(definition.value());
        // The missing parts may be in the text that cannot be read.
        if is_partial && (self.has_syntax_errors || is_patch()) {
            return Completeness::Patch;
        }
        let survey = self.survey(definition);
        if survey.flags.contains(Flags::TEMPLATE) {
            return Completeness::Template;
        }
        let budget = &mut Budget::new(self.has_aliases);
        let server = self.options.kubernetes_version;
        let found = decoding::find(definition, self.reader, self.cache, budget, server);
        self.collector.findings.extend(found.findings(!self.has_syntax_errors));
        validation::check_served(definition, &mut self.collector.findings);
        if is_partial {
            validation::check_partial(definition, &mut self.collector.findings);
        }
        let ratchets = stored.map(|stored| ratchets(stored, self.options, self.cache)).unwrap_or_default();
        let before =
            stored.map(|stored| StoredRules::of(stored, self.options, self.cache)).unwrap_or_default();
        let (subject, state) = self.outside_schemas(definition, stored, &survey);
        let has_same_schemas = subject.has_same_schemas;
        lints::size::check(definition, self.cache, &mut self.collector.findings);
        if !has_same_schemas {
            lints::conversion::check(definition, self.cache, &mut self.collector.findings);
        }
        self.collector.truncated |= self.collector.findings.len() >= self.collector.limit;
        let reporting = ReportingConditions {
            has_syntax_errors: self.has_syntax_errors,
            decodes: self.decodes(&survey),
            flags: Flags::NONE,
            all_flags: survey.flags,
            has_root_errors: false,
            prunes: definition.prunes(),
            must_prune: definition.prunes() || stored.is_none() && definition.api_version() == ApiVersion::V1,
            ratchets: &ratchets,
        };
        self.preserved_defaults(definition, &reporting);
        let hoisted = has_same_schemas && definition.api_version() == ApiVersion::V1;
        for (place, outcome) in survey.schemas {
            let schema = Schema::read(place.value, self.reader);
            let status = schema.as_ref().and_then(status_root::check);
            let status = status.filter(|_| definition.has_status(place.version.filter(|_| !hoisted)));
            // Nodes below a misspelt keyword were not checked either.
            let has_more = outcome.flags.contains(Flags::DEFAULTS | Flags::RULES | Flags::UNKNOWN_FIELDS);
            if status.is_some() || outcome.findings.is_some() || has_more {
                // For a schema outside the versions, the server uses the name of the first version.
                let version = place.version.filter(|_| !hoisted).or(Some(0));
                let is_unchanged = outcome.flags.contains(Flags::RULES)
                    && before.has_schema(version_name(definition, version), || self.fingerprint(place.value));
                let stored = StoredFacts { texts: &before.texts, is_unchanged };
                self.schema(place, &outcome, status, hoisted, reporting, stored);
            }
        }
        if !has_same_schemas {
            self.check_equal_schemas(definition, &subject, state);
        }
        Completeness::Whole
    }

    /// Adds the errors that appear once the schemas of all versions are the same, if they differ only at
    /// errors.
    fn check_equal_schemas(
        &mut self,
        definition: &CustomResourceDefinition<'_, 't>,
        subject: &Subject<'_, '_, '_>,
        state: State,
    ) {
        let (reader, budget) = (self.reader, &mut Budget::new(self.has_aliases));
        let are_same = |findings: &[Finding]| {
            let wrong = findings.iter().filter(|finding| finding.severity == Severity::Error);
            let wrong = ErrorPlaces::new(wrong.map(|finding| finding.range));
            let mut comparison = Comparison { reader, budget, wrong: &wrong };
            let schemas = definition.schemas();
            let side = |place: &SchemaPlace<'t>| (place.key, place.value);
            let is_whole = schemas.len() == definition.versions().count();
            is_whole
                && schemas.windows(2).all(|pair| match pair {
                    [one, other] => comparison.are_alike(side(one), side(other)),
                    _ => false,
                })
        };
        validation::check_alike(subject, self.options, state, are_same, &mut self.collector.findings);
    }

    fn fingerprint(&mut self, schema: Value<'t>) -> u64 {
        let budget = &mut Budget::new(self.has_aliases);
        Fingerprinter { reader: self.reader, cache: self.cache, budget, levels: None }.schema(schema)
    }

    /// Adds the findings on the schema at `place`; `status` is the finding caused by the status subresource.
    fn schema(
        &mut self,
        place: SchemaPlace<'t>,
        outcome: &Outcome,
        status: Option<Findings>,
        hoisted: bool,
        reporting: ReportingConditions<'_>,
        stored: StoredFacts<'_>,
    ) {
        let own = outcome.findings.as_deref().map_or(&[][..], |findings| &findings.own);
        let has_root_errors = status.is_some() || own.iter().any(|finding| finding.stage == Stage::Root);
        let reporting = ReportingConditions { flags: outcome.flags, has_root_errors, ..reporting };
        let server = CustomResourceDefinition::server_path(&place, hoisted);
        let schema = WalkedSchema::new(&place, outcome, self.reader, self.options);
        let found = defaults::check(&schema, Some((&server, &reporting)), self.cache);
        let facts = expressions::RuleFacts {
            server: &server,
            reporting: &reporting,
            has_wrong_defaults: found.iter().any(|finding| finding.api_server.is_some()),
            is_unchanged: stored.is_unchanged,
            stored_texts: stored.texts,
        };
        let rules = expressions::check(&schema, &facts, self.cache);
        self.collector.truncated |= rules.len() >= crate::rules::MAX_VIOLATIONS;
        self.collector.findings.extend(found);
        self.collector.findings.extend(rules);
        let base = Base { value: place.value, key: place.key, server, user: place.path, reporting };
        for findings in status.iter().chain(outcome.findings.as_deref()) {
            self.collector.collect(findings, &base);
        }
    }

    /// Check 23: defaults require that undeclared fields are pruned.
    fn preserved_defaults(
        &mut self,
        definition: &CustomResourceDefinition<'_, 't>,
        reporting: &ReportingConditions<'_>,
    ) {
        if reporting.prunes || !reporting.all_flags.contains(Flags::DEFAULTS) {
            return;
        }
        let path = FieldPath::of_names(["spec", "preserveUnknownFields"]);
        let written = definition.field(&["spec", "preserveUnknownFields"]).map(Value::range);
        let range = written.unwrap_or_else(|| locate(definition.value(), &path, self.reader).range);
        let detail = "must be false in order to use defaults in the schema".to_owned();
        let advice = match definition.api_version() {
            ApiVersion::V1 => "remove it",
            ApiVersion::V1Beta1 => "set `preserveUnknownFields: false`",
        };
        let server =
            || ServerError::of_value(ErrorType::Invalid, path.to_string(), "true".to_owned(), detail.clone());
        self.collector.findings.push(Finding {
            code: Code::DefaultsPreserveUnknownFields,
            severity: Severity::Error,
            message: Message::new("`preserveUnknownFields` must be `false` if the schema has defaults")
                .advise(advice),
            range,
            api_server: reporting.decodes.then(server),
            field_path: definition.path().join(path.segments()),
            related: Vec::new(),
        });
    }
}
