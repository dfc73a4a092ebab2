//! Completes findings, which know only their node, with a place, a path and the server's message.

use std::borrow::Cow;

use api::{Code, Severity};
use rustc_hash::FxHashMap;
use text::{TextRange, TextSize};
use yaml::{Entry, Mapping, Reader, Value};

use super::completeness::{COMPLETE, COMPLETE_NESTED};
use super::lints::REQUIRED_UNDEFINED;
use super::outcome::{Findings, NodeFinding, Place, ServerDetail};
use super::{ReportingConditions, Stage, Treatment};
use crate::field_path::{FieldPath, Segment};
use crate::finding::{Finding, RelatedInformation};
use crate::message::Message;
use crate::reading::item_range;
use crate::reading::members;
use crate::report::{AnswerKind, SUPPORTED_VALUES, ServerError, lint_severity, with_subject};
use crate::schema::{Keyword, Schema, TypeName};

/// The maximum number of findings.
const MAX_VIOLATIONS: usize = 10_000;
/// The number of findings that are listed for every document, and the number of bytes of the document for
/// each further finding: with aliases and merge keys, few lines may be wrong at very many places.
const LEAST_VIOLATIONS: usize = 1_000;
const BYTES_OF_VIOLATION: usize = 8;

/// The maximum number of findings for a document of that size.
pub(crate) fn most_findings(bytes: TextSize) -> usize {
    MAX_VIOLATIONS.min(LEAST_VIOLATIONS + bytes as usize / BYTES_OF_VIOLATION)
}

/// The end of the message of a finding that updates accept.
const TOLERATED: &str = "; updates are accepted, because the stored definition has the same error";

/// The prefix of the codes for keywords that are forbidden inside a junctor.
const IN_JUNCTOR: &str = "structural/junctor-";

/// The position of a schema.
pub(crate) struct Base<'c, 't> {
    pub(crate) value: Value<'t>,
    /// The key `openAPIV3Schema`.
    pub(crate) key: TextRange,
    /// Its path as the user wrote it.
    pub(crate) user: FieldPath,
    /// Its path as the server names it.
    pub(crate) server: FieldPath,
    /// Which findings the server reports.
    pub(crate) reporting: ReportingConditions<'c>,
}

/// Collects the findings of one document.
pub(crate) struct Collector<'r, 't> {
    pub(crate) findings: Vec<Finding>,
    pub(crate) truncated: bool,
    /// The maximum number of findings.
    pub(crate) limit: usize,
    /// Whether the one conversion error of the current schema was reported.
    converted: bool,
    reader: &'r Reader<'t>,
    /// The members of mappings that were looked up, by the range of the mapping.
    tables: FxHashMap<TextRange, FxHashMap<Cow<'t, str>, Entry<'t>>>,
}

impl<'r, 't> Collector<'r, 't> {
    pub(crate) fn new(reader: &'r Reader<'t>, most: usize) -> Self {
        Self {
            limit: most,
            findings: Vec::new(),
            truncated: false,
            converted: false,
            reader,
            tables: FxHashMap::default(),
        }
    }

    /// Adds the findings of the schema at `base`.
    pub(crate) fn collect(&mut self, findings: &Findings, base: &Base<'_, 't>) {
        let Some(value) = self.reader.follow(base.value) else { return };
        let start = value.node().map_or(value.range().start, |node| node.range().start);
        self.converted = false;
        self.node(findings, start, base.key, &mut Vec::new(), base);
    }

    fn node(
        &mut self,
        findings: &Findings,
        start: TextSize,
        key: TextRange,
        path: &mut Vec<Segment>,
        base: &Base<'_, 't>,
    ) {
        for finding in &findings.own {
            let has_no_effect = match finding.code {
                COMPLETE_NESTED => !base.reporting.must_prune,
                REQUIRED_UNDEFINED => !base.reporting.prunes,
                _ => false,
            };
            if has_no_effect {
                continue;
            }
            if self.findings.len() >= self.limit {
                self.truncated = true;
                return;
            }
            let finding = self.finding(finding, start, key, path, base);
            self.findings.push(finding);
        }
        for below in &findings.below {
            if self.truncated {
                return;
            }
            let depth = path.len();
            below.step.push_to(path);
            let distant = start.wrapping_add(below.distance);
            self.node(&below.findings, distant, below.key.absolute(start), path, base);
            path.truncate(depth);
        }
    }

    fn finding(
        &mut self,
        finding: &NodeFinding,
        start: TextSize,
        key: TextRange,
        path: &[Segment],
        base: &Base<'_, 't>,
    ) -> Finding {
        let place = |place: Place| match place {
            Place::Owner => key,
            Place::At(range) => range.absolute(start),
        };
        let of = |root: &FieldPath, tail: &[Segment]| {
            let mut full = root.join(path);
            full.extend(tail);
            full
        };
        let treatment = base.reporting.treatment(finding.stage);
        let detail = finding.server_message(&base.server, path);
        let message = Message {
            is_later: treatment == Treatment::Hidden
                && !base.reporting.has_syntax_errors
                && finding.stage != Stage::Warning,
            note: if treatment == Treatment::Tolerated { TOLERATED.to_owned() } else { String::new() },
            ..message(finding, &detail, path)
        };
        let value = || finding.value.as_deref().unwrap_or_default().to_owned();
        let mut server = || match finding.stage {
            Stage::Warning if base.reporting.was_warned(&detail) => None,
            Stage::Warning => Some(ServerError::text(AnswerKind::Warning, detail.clone())),
            Stage::Convert if std::mem::replace(&mut self.converted, true) => None,
            Stage::Convert => {
                Some(ServerError::of_value(finding.error, base.server.to_string(), value(), detail.clone()))
            }
            _ => {
                let field = of(&base.server, &finding.tail).to_string();
                Some(ServerError::of_value(finding.error, field, value(), detail.clone()))
            }
        };
        let server = if treatment == Treatment::Reported { server() } else { None };
        let mut related: Vec<RelatedInformation> = finding
            .related
            .iter()
            .map(|(range, text)| RelatedInformation::here(place(*range), &**text))
            .collect();
        if finding.code == Code::StructuralJunctorType {
            related.extend(self.spine_of(path, base));
        }
        Finding {
            code: finding.code,
            severity: severity(finding, treatment),
            message,
            range: place(finding.place),
            field_path: of(&base.user, &finding.tail),
            api_server: server,
            related,
        }
    }

    /// Where the type of the value validation at `path` belongs, outside junctors.
    fn spine_of(&mut self, path: &[Segment], base: &Base<'_, 't>) -> Option<RelatedInformation> {
        let mut value = base.value;
        let mut key = base.key;
        let mut missing = None;
        for segment in spine_path(path) {
            match self.step(value, segment) {
                Some((range, below)) => (key, value) = (range, below),
                None => {
                    missing = Some(segment);
                    break;
                }
            }
        }
        if let Some(segment) = missing {
            let name = match segment {
                Segment::Name(name) => name.to_string(),
                Segment::Key(key) => key.to_string(),
                Segment::Index(index) => index.to_string(),
            };
            return Some(RelatedInformation::here(key, format!("`{name}` is missing here")));
        }
        let spine = Schema::read(value, self.reader)?;
        match (spine.type_name(), spine.key_range(Keyword::Type)) {
            (TypeName::Named(name), Some(range)) => {
                Some(RelatedInformation::here(range, format!("the type of the field is `{name}`")))
            }
            _ => Some(RelatedInformation::here(key, "`type` is missing here")),
        }
    }

    fn step(&mut self, value: Value<'t>, segment: &Segment) -> Option<(TextRange, Value<'t>)> {
        let value = self.reader.follow(value)?;
        match segment.key() {
            Some(key) => {
                let entry = self.entry(value.as_mapping()?, key)?;
                Some((entry.key_range(), entry.value()))
            }
            None => {
                let item = value.as_sequence()?.items().next()?;
                Some((item_range(item), item.value()))
            }
        }
    }

    fn entry(&mut self, mapping: Mapping<'t>, key: &str) -> Option<Entry<'t>> {
        let table = self.tables.entry(mapping.syntax().range());
        table.or_insert_with(|| members(mapping, self.reader).entries.into_iter().collect()).get(key).copied()
    }
}

fn severity(finding: &NodeFinding, treatment: Treatment) -> Severity {
    match (finding.stage, treatment) {
        (Stage::Warning, _) | (_, Treatment::Tolerated) => Severity::Warning,
        (Stage::Lint, _) if finding.code == COMPLETE_NESTED => Severity::Warning,
        (Stage::Lint, _) => lint_severity(finding.code).unwrap_or(Severity::Error),
        _ => Severity::Error,
    }
}

/// The placeholder in messages for the junctor that a finding is about.
const JUNCTOR: &str = "{junctor}";

/// The innermost of `allOf`, `anyOf`, `oneOf` and `not` that `finding` is about, in backticks.
fn junctor_of(finding: &NodeFinding, path: &[Segment]) -> String {
    let is_junctor = |segment: &&Segment| match segment {
        Segment::Name(name) => Keyword::parse(name).is_some_and(Keyword::is_junctor),
        _ => false,
    };
    let trail = match &finding.detail {
        ServerDetail::DefinedIn(trail) => trail.as_slice(),
        _ => &[],
    };
    let innermost = trail.iter().rfind(is_junctor).or_else(|| path.iter().rfind(is_junctor));
    match innermost {
        Some(Segment::Name(name)) => format!("`{name}`"),
        _ => "`allOf`, `anyOf`, `oneOf` or `not`".to_owned(),
    }
}

/// `path` without the steps into junctors.
fn spine_path(path: &[Segment]) -> impl Iterator<Item = &Segment> {
    path.iter().filter(|segment| match segment {
        Segment::Name(name) => !Keyword::parse(name).is_some_and(Keyword::is_junctor),
        Segment::Key(_) => true,
        Segment::Index(_) => false,
    })
}

/// The problem at `path`, and the remedy.
fn message(finding: &NodeFinding, detail: &str, path: &[Segment]) -> Message {
    let with_junctor = |words: String| match words.contains(JUNCTOR) {
        true => words.replace(JUNCTOR, &junctor_of(finding, path)),
        false => words,
    };
    let message = match finding.code {
        Code::StructuralPattern => Message::new(format!("`pattern` has {}", finding.reason)),
        _ => Message::new(problem(finding, detail)).explain(&finding.reason),
    };
    let remedy = match finding.code {
        // Outside `not`, the type would mean the opposite.
        Code::StructuralJunctorType if junctor_of(finding, path) == "`not`" => {
            Some("set the `type` of the field outside `not`".to_owned())
        }
        _ => (!finding.advice.is_empty()).then(|| with_junctor(finding.advice.to_string())),
    };
    Message {
        problem: with_junctor(message.problem),
        remedy,
        class: finding.class.clone(),
        ..Message::default()
    }
}

/// The longest value that a message shows, in bytes.
const MOST_SHOWN: usize = 40;

/// The problem: the server's message, without its path prefix, if it is clear enough.
fn problem(finding: &NodeFinding, detail: &str) -> String {
    let key = finding.tail.last().and_then(Segment::key).unwrap_or_default();
    match finding.code {
        _ if !finding.problem.is_empty() => finding.problem.to_string(),
        COMPLETE | COMPLETE_NESTED => missing_words(finding),
        Code::StructuralTypeRequired => "missing `type`".to_owned(),
        Code::StructuralItemsRequired => "missing `items`".to_owned(),
        _ if detail.starts_with(SUPPORTED_VALUES) => match finding.value.as_deref() {
            Some(value) if value.len() <= MOST_SHOWN => format!("unsupported `{key}` {value}"),
            _ => format!("unsupported `{key}`"),
        },
        Code::SchemaListItemsNullable => {
            let ty = detail.rsplit(' ').next().unwrap_or_default();
            format!("the items of a list of type `{ty}` cannot be nullable")
        }
        Code::WarnListSetNonScalar => {
            let ty = if detail.contains("\"object\"") { "object" } else { "array" };
            format!("`x-kubernetes-list-type: set` does not support items of type `{ty}`")
        }
        code if code.as_str().starts_with(IN_JUNCTOR) && !key.is_empty() => {
            format!("`{key}` is not allowed inside {JUNCTOR}")
        }
        _ => with_subject(key, detail),
    }
}

/// The message for a field that is declared only inside a junctor.
fn missing_words(finding: &NodeFinding) -> String {
    match finding.tail.last() {
        Some(Segment::Key(key)) => format!("`{key}` is declared only inside {JUNCTOR}"),
        _ => format!("`items` is declared only inside {JUNCTOR}"),
    }
}
