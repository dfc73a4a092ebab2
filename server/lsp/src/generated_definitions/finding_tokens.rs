//! Findings on generated definitions at the Go tokens that cause them.
//!
//! Finding the token of a finding takes longer than all other work on it, so the tokens are kept. If an edit changes neither a
//! definition nor its findings, their tokens are only shifted by the edit.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::definition::Definition;
use go::load::Place;
use go::schema::ProblemKind;
use go::source::{OriginKind as OriginToken, RecursiveField, Source as _};
use go::syntax::File;
use ide::{Code, Finding, Message, RelatedInformation, Severity};
use text::{TextRange, TextSize};

use super::code_classes::{
    describes_parts, is_compile_error, is_general, is_of_items, is_of_places, is_of_whole, other_cause,
    reads_structs,
};
use super::go_messages::{in_go, of_others};
use super::shift::Shift;
use super::{GeneratedDefinitions, GoFileDefinitions, is_of_later_step, range_in_marker, range_of, step};
use crate::golang::is_of_version;

/// The type of a struct in a schema.
const OBJECT: &str = "object";

/// The findings on one definition, and where they are in Go.
#[derive(Clone, Debug)]
pub(super) struct DefinitionFindings {
    pub(super) definition: Arc<Definition>,
    /// The findings, with ranges relative to the start of the document.
    pub(super) findings: Arc<[Finding]>,
    /// Whether all definitions of the same Go file have a group.
    has_group: bool,
    /// The tokens of the findings that are reported.
    pub(super) tokens: Vec<FindingToken>,
}

/// The token of Go that causes a finding.
#[derive(Clone, Debug)]
pub(super) struct Cause {
    pub(super) path: PathBuf,
    pub(super) range: TextRange,
    related: Vec<RelatedInformation>,
    /// Whether the finding is on a node of a type in another module, for which this token refers to the type.
    is_of_others: bool,
    /// Whether that type is built in, and may differ in the release of the module that the project requires.
    is_approximate: bool,
}

/// The place of a finding in Go.
#[derive(Clone, Debug)]
pub(super) struct FindingToken {
    /// The index of the finding.
    pub(super) number: usize,
    cause: Cause,
    /// A message for Go, if it differs from the one on the definition.
    message: Option<Message>,
    /// The file without the error that a later step makes from the definition.
    pub(super) repaired_in: Option<PathBuf>,
}

impl FindingToken {
    /// The token at its place after the edits; `None` if they touch it.
    fn shifted(&self, shifts: &Shifts<'_>) -> Option<Self> {
        let Some(shift) = shifts.shift_of(&self.cause.path) else { return Some(self.clone()) };
        let related = |related: &RelatedInformation| match related.elsewhere {
            Some(_) => Some(related.clone()),
            None => Some(RelatedInformation { range: shift.unaffected(related.range)?, ..related.clone() }),
        };
        let related = self.cause.related.iter().map(related).collect::<Option<_>>()?;
        let cause = Cause { range: shift.unaffected(self.cause.range)?, related, ..self.cause.clone() };
        Some(Self { cause, ..self.clone() })
    }
}

/// The edits between two generations in the files that both read.
struct Shifts<'g> {
    before: &'g [Arc<File>],
    after: &'g [Arc<File>],
    /// The shift of each changed file; `None` for unchanged files.
    shifts: RefCell<HashMap<PathBuf, Option<Shift>>>,
}

impl Shifts<'_> {
    fn shift_of(&self, path: &Path) -> Option<Shift> {
        if let Some(known) = self.shifts.borrow().get(path) {
            return *known;
        }
        let of = |files: &[Arc<File>]| files.iter().find(|file| file.path == path).cloned();
        let shift = of(self.before)
            .zip(of(self.after))
            .filter(|(before, after)| !Arc::ptr_eq(before, after))
            .map(|(before, after)| Shift::between(&before.text, &after.text));
        self.shifts.borrow_mut().insert(path.to_owned(), shift);
        shift
    }
}

impl GeneratedDefinitions {
    /// The findings on all definitions, by the Go file that causes them, without duplicates, sorted by range and code.
    pub(crate) fn findings(&self) -> BTreeMap<PathBuf, Vec<Finding>> {
        let mut found: BTreeMap<&Path, Vec<(&FindingToken, &Finding)>> = BTreeMap::new();
        for (token, finding) in self.tokens() {
            found.entry(&token.cause.path).or_default().push((token, finding));
        }
        found.into_iter().map(|(path, found)| (path.to_owned(), each_once(found))).collect()
    }

    /// The findings that the Go file at `path` causes.
    pub(crate) fn findings_in(&self, path: &Path) -> Vec<Finding> {
        each_once(self.tokens().filter(|(token, _)| token.cause.path == path).collect())
    }

    fn tokens(&self) -> impl Iterator<Item = (&FindingToken, &Finding)> {
        self.definition_findings.iter().flat_map(|shown| {
            shown.tokens.iter().filter_map(|token| Some((token, shown.findings.get(token.number)?)))
        })
    }

    /// The findings on all definitions at their tokens; known results in `before` are reused.
    pub(super) fn all_shown(&self, before: Option<&Self>) -> Vec<DefinitionFindings> {
        let known: HashMap<_, &DefinitionFindings> = before
            .into_iter()
            .flat_map(|before| &before.definition_findings)
            .map(|shown| ((Arc::as_ptr(&shown.definition), shown.findings.as_ptr()), shown))
            .collect();
        let shifts = before.map(|before| Shifts {
            before: before.outcome.sources(),
            after: self.outcome.sources(),
            shifts: RefCell::default(),
        });
        let mut definitions: HashMap<&str, &Arc<Definition>> = HashMap::new();
        for file in &self.outcome.files {
            definitions.entry(&file.name).or_insert(&file.definition);
        }
        let mut all = Vec::new();
        for made in &self.files {
            // Without a group, names and versions miss a part as well.
            let has_group =
                made.file.findings().iter().all(|finding| finding.code != Code::SpecGroupRequired);
            for (start, findings) in made.file.findings_by_document() {
                if findings.is_empty() {
                    continue;
                }
                let definition = made.product(start).and_then(|product| definitions.get(&*product.name));
                let Some(definition) = definition.copied() else { continue };
                let known = known.get(&(Arc::as_ptr(definition), findings.as_ptr()));
                let known = known.filter(|known| known.has_group == has_group).zip(shifts.as_ref());
                let kept = known.and_then(|(known, shifts)| {
                    known.tokens.iter().map(|token| token.shifted(shifts)).collect::<Option<_>>()
                });
                let tokens = kept.unwrap_or_else(|| self.tokens_of(made, start, findings, has_group));
                let (definition, findings) = (Arc::clone(definition), Arc::clone(findings));
                all.push(DefinitionFindings { definition, findings, has_group, tokens });
            }
        }
        all
    }

    /// The tokens of the findings on the document that begins at `start`.
    fn tokens_of(
        &self,
        made: &GoFileDefinitions,
        start: TextSize,
        findings: &[Finding],
        has_group: bool,
    ) -> Vec<FindingToken> {
        let has = |code: Code| findings.iter().any(|finding| finding.code == code);
        let is_merged = self.has_merged_field(made);
        // The server reports one error for both the versions and the stored versions.
        let follows = |finding: &Finding| match finding.code {
            Code::MetadataNameDns => has(Code::SpecGroupDns) || has(Code::NamesPlural),
            Code::StoredVersionsEmpty => has(Code::VersionsOneStorage),
            Code::StoredVersionsStorageMissing => has(Code::VersionsOneStorage),
            // controller-gen reports the same.
            Code::LintStorageNotServed => {
                self.outcome.problems.iter().any(|one| matches!(one.kind, ProblemKind::NotServed(_)))
            }
            Code::LintStatusSubresource | Code::LintColumnPath | Code::LintScalePath
                if self.is_of_missed(made, start, finding) || self.is_of_failed(made, start, finding) =>
            {
                true
            }
            // The error in the type has its own finding.
            Code::CelRuleCompile | Code::CelMessageExpressionCompile
                if self.is_of_failed(made, start, finding) =>
            {
                true
            }
            Code::LintKeywordType => describes_parts(&finding.field_path),
            // A finding on the value itself is more specific.
            Code::DefaultsSchema => findings.iter().any(|other| {
                other.code == finding.code
                    && other.field_path == finding.field_path
                    && is_general(&finding.message)
                    && !is_general(&other.message)
            }),
            // A check that reads a struct with the type of one of its fields fails for that reason.
            code if is_merged => reads_structs(code),
            // In Go, the checks of tags and markers, and the findings on the uses of a name, report these slips.
            Code::LintMisspeltProperty | Code::YamlStraySign => true,
            // The marker that causes the empty name is reported.
            Code::LintRequiredUndefined => made.buffer.slice(finding.range.shifted(start)) == "\"\"",
            _ => false,
        };
        // Types that no call generates are copies for clients.
        let is_missing = |code: Code| self.outcome.is_uncovered && is_of_whole(code);
        let is_reported = |finding: &Finding| {
            !is_of_later_step(finding.code)
                && !is_missing(finding.code)
                && !follows(finding)
                && (finding.code != Code::SpecGroupRequired
                    || !self.outcome.is_generated_elsewhere
                        && self.is_of_version(made)
                        && self.is_first_of_package(made))
                && (has_group || !matches!(finding.code, Code::MetadataNameDns | Code::VersionsName))
        };
        let reported = findings.iter().enumerate().filter(|(_, finding)| is_reported(finding));
        reported
            .filter_map(|(number, finding)| {
                let cause = self.cause_of(made, &finding.shifted(start))?;
                // The user cannot change the other module, so only errors matter, because kube-apiserver rejects the definition.
                if cause.is_of_others && (finding.severity != Severity::Error || cause.is_approximate) {
                    return None;
                }
                let message = match () {
                    () if let Some(field) = self.recursive_field(made, start, finding) => {
                        Some(recursion(field))
                    }
                    () if cause.is_of_others => of_others(finding.code, &finding.message),
                    () => in_go(finding),
                };
                Some(FindingToken { number, cause, message, repaired_in: None })
            })
            .collect()
    }

    /// The Go token that causes a finding on a generated definition, and the related tokens; `None` if a part of the source that
    /// the finding depends on is missing.
    pub(super) fn cause_of(&self, made: &GoFileDefinitions, finding: &Finding) -> Option<Cause> {
        let product = made.product(finding.range.start)?;
        let steps = steps_to(made, finding);
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let mut is_approximate = false;
        let (path, range, is_of_others) = match finding.code {
            Code::SpecGroupRequired => {
                let (path, range) = self.misplaced_group(made).or_else(|| self.clause(made))?;
                (path, range, false)
            }
            code => {
                // Items without a known type are not wrong.
                if is_of_items(code) && !self.outcome.are_types_known(&product.name, &steps) {
                    return None;
                }
                let other =
                    other_cause(code, &steps).or_else(|| self.type_of_format(&product.name, code, &steps));
                let other = other.filter(|steps| self.outcome.are_types_known(&product.name, steps));
                let source = other.as_deref().unwrap_or(&steps);
                let origins = if is_compile_error(code)
                    && self.outcome.are_types_of_rule_known(&product.name, source)
                {
                    self.outcome.origins(&product.name, source)
                } else {
                    self.known_origins(&product.name, source)
                };
                let own = origins.iter().position(|origin| origin.is_own).unwrap_or_default();
                let mut of_others = origins.iter().take(own);
                is_approximate = of_others.any(|origin| self.outcome.is_approximate(&origin.path));
                let origin = origins.into_iter().nth(own)?;
                let place = if other.is_some() { None } else { made.file.place_of(product.start, &steps) };
                let part =
                    place.and_then(|place| range_in_marker(&self.outcome, &origin, &place, finding.range));
                let range = part.unwrap_or_else(|| range_of(&origin));
                let (path, range) = self
                    .missed_marker(made, &product.name, code, (&origin.path, range))
                    .unwrap_or((origin.path, range));
                (path, range, own > 0)
            }
        };
        let is_named = match finding.code {
            Code::DefaultsUnknownFields => true,
            // controller-gen generates a rule from the names in a marker such as `ExactlyOneOf=a;b`.
            Code::CelRuleCompile => self.is_of_names(&path, range),
            _ => false,
        };
        let key =
            is_named.then(|| self.key_within(&path, range, &made.buffer.slice(finding.range))).flatten();
        let range = key.unwrap_or(range);
        let related = finding.related.iter().filter_map(|related| {
            if related.elsewhere.is_some() {
                return Some(related.clone());
            }
            let (other, range) = self.origin_of(made, related.range)?;
            (other == path).then(|| RelatedInformation::here(range, related.message.clone()))
        });
        let related = related.collect();
        Some(Cause { path, range, related, is_of_others, is_approximate })
    }

    /// Whether a field of the package without a JSON name changes the type of its struct.
    fn has_merged_field(&self, made: &GoFileDefinitions) -> bool {
        let is_here = |place: &Place| {
            let file = self.outcome.source(place.file);
            file.is_some_and(|file| file.path.parent() == made.path.parent())
        };
        self.outcome.problems.iter().any(|problem| match &problem.kind {
            ProblemKind::Conflict { kept, dropped, places } => {
                kept != dropped && (kept == OBJECT || dropped == OBJECT) && places.iter().any(is_here)
            }
            _ => false,
        })
    }

    /// The `type` node beside a `format`, if a marker sets the type and the format comes from the Go type.
    fn type_of_format<'s>(&self, product: &str, code: Code, steps: &[&'s str]) -> Option<Vec<&'s str>> {
        let (last, above) = steps.split_last().filter(|_| code == Code::WarnUnrecognizedFormat)?;
        let is_marked = |steps: &[&str]| {
            let origins = self.known_origins(product, steps);
            origins.iter().any(|origin| origin.is_own && origin.token == OriginToken::Annotation)
        };
        let kind = [above, &["type"]].concat();
        (*last == "format" && !is_marked(steps) && is_marked(&kind)).then_some(kind)
    }

    /// The origin of a name in a generated text: the range of the name if it is a part of the token, otherwise the whole token.
    pub(crate) fn origin_of_name(
        &self,
        made: &GoFileDefinitions,
        range: TextRange,
    ) -> Option<(PathBuf, TextRange)> {
        let (path, token) = self.origin_of(made, range)?;
        let part = self.key_within(&path, token, &made.buffer.slice(range));
        Some((path, part.unwrap_or(token)))
    }

    /// Whether a token is a marker that lists the fields of a union.
    fn is_of_names(&self, path: &Path, range: TextRange) -> bool {
        let name = self.text_at(path, range).and_then(|marker| marker.split('=').next()).unwrap_or_default();
        name.starts_with('+') && name.ends_with("OneOf")
    }

    /// The text of a Go file at `range`.
    fn text_at(&self, path: &Path, range: TextRange) -> Option<&str> {
        self.outcome.source_at(path)?.text.get(range.as_usize())
    }

    /// The range of `key` in a value in Go, if the value contains it as a word exactly once.
    fn key_within(&self, path: &Path, range: TextRange, key: &str) -> Option<TextRange> {
        let written = self.text_at(path, range)?;
        let key = key.trim_matches(['"', '\'']);
        let mut found = go::marker::names_in(written, key);
        let at = found.next().filter(|_| found.next().is_none() && !key.is_empty())?;
        let start = range.start + TextSize::try_from(at).ok()?;
        Some(TextRange::new(start, start + TextSize::try_from(key.len()).ok()?))
    }

    /// Whether a package is named like a version. Other packages, such as those for conversions, may declare kinds without a
    /// group, from which no definition is intended.
    fn is_of_version(&self, made: &GoFileDefinitions) -> bool {
        self.outcome.source_at(&made.path).is_some_and(is_of_version)
    }

    /// The field whose Go type contains itself, if a finding on the document at `start` says that the type of the field is
    /// missing for that reason.
    pub(crate) fn recursive_field(
        &self,
        made: &GoFileDefinitions,
        start: TextSize,
        finding: &Finding,
    ) -> Option<RecursiveField> {
        if finding.code != Code::StructuralTypeRequired {
            return None;
        }
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        self.outcome.recursive_field(&made.product(start)?.name, &steps)
    }

    /// Whether this is the first file of its package with kinds: findings on the package are reported only there.
    fn is_first_of_package(&self, made: &GoFileDefinitions) -> bool {
        let mut in_package = self.files.iter().filter(|other| other.path.parent() == made.path.parent());
        in_package.next().is_some_and(|first| first.path == made.path)
    }

    /// The name of the package of a file.
    fn clause(&self, made: &GoFileDefinitions) -> Option<(PathBuf, TextRange)> {
        let span = self.outcome.source_at(&made.path)?.package.span;
        Some((made.path.clone(), TextRange::new(span.start, span.end)))
    }
}

/// The findings at their tokens, sorted by range and code; of equal findings on one token only the first.
fn each_once(mut found: Vec<(&FindingToken, &Finding)>) -> Vec<Finding> {
    let mut seen = HashMap::new();
    found.retain(|(token, finding)| {
        // All nodes of a type in another module have the same field as their token, and all uses of a type have its rules.
        let is_one = token.cause.is_of_others || is_of_places(finding.code);
        let message = (!is_one).then_some(&finding.message);
        let times = seen.entry((token.cause.range, finding.code, message)).or_insert(0);
        *times += 1;
        *times == 1
    });
    found.sort_by_key(|(token, finding)| (token.cause.range, finding.code));
    let shown = found.into_iter().map(|(token, finding)| {
        let mut message = token.message.clone().unwrap_or_else(|| finding.message.clone());
        let others = seen.get(&(token.cause.range, finding.code, None)).map_or(0, |times| times - 1);
        if others > 0 {
            let noun = if others == 1 { "finding" } else { "findings" };
            let place = if token.cause.is_of_others { "in its type" } else { "where the type is used" };
            message.note.push_str(&format!(" ({others} more {noun} {place})"));
        }
        let cause = token.cause.clone();
        let mut severity = finding.severity;
        if let Some(file) = &token.repaired_in {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            message.note.push_str(&format!("; a later step repairs it in {name}"));
            severity = Severity::Hint;
        }
        Finding { range: cause.range, related: cause.related, message, severity, ..finding.clone() }
    });
    shown.collect()
}

/// The message on a type that contains itself.
fn recursion(field: RecursiveField) -> Message {
    let markers = match field.is_list {
        // These markers apply to the whole list, so its items cannot have a schema.
        true => "`Schemaless` and `PreserveUnknownFields`",
        false => "`Schemaless`, `Type=object` and `PreserveUnknownFields`",
    };
    Message::new("the type contains itself, so controller-gen leaves the schema of the field empty")
        .advise(format!("use the markers {markers} on the field"))
}

/// The path to the node of a finding. A finding on the list of rules is about the rule at its range.
pub(super) fn steps_to(made: &GoFileDefinitions, finding: &Finding) -> Vec<String> {
    let mut steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
    if steps.last().is_some_and(|step| step == "x-kubernetes-validations")
        && let Some(place) = made.file.place_at(finding.range.start)
        && let Some(index) = place.steps.get(steps.len())
    {
        steps.extend([index.clone(), "rule".to_owned()]);
    }
    // If several versions are stored, the server names the list of versions.
    if finding.code == Code::VersionsOneStorage
        && let Some(place) = made.file.place_at(finding.range.start)
        && place.steps.last().is_some_and(|step| step == "storage")
    {
        steps = place.steps;
    }
    steps
}
