//! Findings on Go itself: the messages of controller-gen, missing modules, errors in markers and tags.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use go::generate::Outcome;
use go::load::{FileId, Place};
use go::schema::{Problem, ProblemKind, ProblemPlace};
use go::syntax::{ExprKind, Field, json_tag};
use go::{Mistake, MistakeKind, Repair, SYNTAX_ERROR, SyntaxSlip};
use ide::{
    Applicability, Code, FieldPath, Finding, Fix, Message, RULES, RelatedInformation, RuleLevels, Severity,
};
use text::{TextEdit, TextRange};

use super::causes::{Cause, Causes};
use crate::golang::is_of_version;

/// The findings by file.
pub(crate) type FindingsByFile = BTreeMap<PathBuf, Vec<GoFinding>>;

/// A finding, with all its repairs.
#[derive(Clone, Debug)]
pub(crate) struct GoFinding {
    pub(crate) finding: Finding,
    pub(crate) fixes: Vec<Fix>,
    /// Whether gopls reports it as well, so that an editor with both need not show it twice.
    pub(crate) is_of_go: bool,
    /// The file with the error that causes this finding.
    pub(crate) cause: Option<PathBuf>,
}

/// The findings on the Go files of an outcome that the settings select.
pub(crate) fn go_findings(outcome: &Outcome, rules: &RuleLevels) -> FindingsByFile {
    let mut found = FindingsByFile::new();
    let (explained, mistakes): (Vec<Mistake>, Vec<Mistake>) = outcome
        .mistakes(asks_for_conventions(rules))
        .into_iter()
        .partition(|mistake| mistake.kind == MistakeKind::Refused);
    // The place of controller-gen's error may contain the wrong token.
    let at = |mistake: &Mistake| mistake.related.as_ref().map_or(mistake.place, |(place, _)| *place);
    let explained: HashMap<Place, Mistake> =
        explained.into_iter().map(|mistake| (at(&mistake), mistake)).collect();
    let slips = syntax_slips(outcome);
    let mut causes = Causes::of(outcome, &mistakes, &slips);
    report_problems(outcome, &explained, &mut causes, rules, &mut found);
    report_of_go(outcome, (&explained, &slips), rules, &mut found);
    let refused = causes.refused();
    report_ungenerated(outcome, rules, &mut found);
    report_missing_modules(outcome, &slips, rules, &mut found);
    for (number, mut mistake) in mistakes.into_iter().enumerate() {
        if follows_from_slip(&slips, mistake.place) {
            continue;
        }
        let is_refused = refused.contains(&number);
        // controller-gen rejects the tag, but not the marker without effect: it rejects another marker.
        let is_tag = mistake.kind == MistakeKind::Tag;
        if is_refused && is_tag {
            mistake.kind = MistakeKind::Refused;
        }
        let code = code_of(mistake.kind);
        if !code.rule().is_optional || rules.is_requested(code) {
            let kind = MistakeDetails { is_error: is_refused, ..MistakeDetails::default() };
            report_mistake(outcome, &mistake, kind, rules, &mut found);
        }
    }
    found
}

/// The first syntax error of each file that has one.
pub(super) type SyntaxSlips = HashMap<FileId, SyntaxSlip>;

fn syntax_slips(outcome: &Outcome) -> SyntaxSlips {
    let files = outcome.sources().iter().filter(|source| !source.errors.is_empty());
    let ids = files.filter_map(|source| outcome.file_at(&source.path));
    ids.filter_map(|id| Some((id, outcome.syntax_slip(id)?))).collect()
}

/// Whether a mistake is in text that Go does not read as its author means it.
fn follows_from_slip(slips: &SyntaxSlips, place: Place) -> bool {
    slips.get(&place.file).is_some_and(|slip| slip.affected.contains(place.span))
}

/// Reports the errors of controller-gen, with the mistake in `explained` if there is one at the same place.
fn report_problems<'o>(
    outcome: &'o Outcome,
    explained: &HashMap<Place, Mistake>,
    causes: &mut Causes<'o>,
    rules: &RuleLevels,
    found: &mut FindingsByFile,
) {
    let (mut types_of_others, mut of_others) = (HashSet::new(), HashSet::new());
    let mut broken = HashSet::new();
    for problem in outcome.problems.iter().chain(&outcome.panic) {
        if is_of_list_type(outcome, problem) {
            continue;
        }
        let cause = match causes.of_problem(problem) {
            Cause::Reported => continue,
            Cause::Elsewhere(place) => Some(place),
            Cause::Here => None,
        };
        let place = outcome.place_of(problem);
        if let Some(place) = place.filter(|place| !outcome.is_own(place.file)) {
            // Each field of the type may have a problem, but finding the path to the type is slow, so one problem is enough.
            if !types_of_others.insert(type_at(outcome, place)) {
                continue;
            }
            let mistake = outcome.explained_at_use(problem, outcome.leading_to(place));
            let mistake = mistake.filter(|mistake| of_others.insert(mistake.place));
            mistake.into_iter().for_each(|mistake| {
                report_mistake(outcome, &mistake, MistakeDetails::default(), rules, found)
            });
        } else if let Some(mistake) = problem.token.and_then(|token| explained.get(&token)) {
            report_mistake(outcome, mistake, MistakeDetails::default(), rules, found);
        } else if let Some(mistake) =
            problem.token.and_then(|token| outcome.mistake_in_rejected_marker(token))
        {
            report_mistake(outcome, &mistake, MistakeDetails::default(), rules, found);
        } else if let Some(place) = place.filter(|place| !is_internal(outcome, *place)) {
            let kind = causes.kind_of(problem, cause);
            // Further syntax errors of a file follow from the first one.
            if problem.message.starts_with(SYNTAX_ERROR) && !broken.insert(place.file) {
                continue;
            }
            let mut mistake = outcome.explained(&Problem { kind, ..problem.clone() }, place);
            if let Some(cause) = cause.and_then(|cause| place_text(outcome, cause)) {
                mistake.remedy = Some(format!("correct {cause} first"));
            }
            let cause = cause.and_then(|cause| Some(outcome.source(cause.file)?.path.as_path()));
            // The call of the project may allow such numbers.
            let is_assumed = outcome.are_options_guessed && problem.kind == ProblemKind::Float;
            report_mistake(
                outcome,
                &mistake,
                MistakeDetails { cause, is_assumed, ..MistakeDetails::default() },
                rules,
                found,
            );
        }
    }
}

/// Whether a key of a list is given for a field that is no list, and `listType` is rejected there for the same reason.
fn is_of_list_type(outcome: &Outcome, problem: &Problem) -> bool {
    let is_misplaced = |problem: &Problem, marker: &str| {
        let written =
            problem.token.and_then(|place| outcome.source(place.file)?.text.get(place.span.range()));
        matches!(problem.kind, ProblemKind::Misplaced { .. }) && written == Some(marker)
    };
    let is_cause = |other: &Problem| other.place == problem.place && is_misplaced(other, "listType");
    is_misplaced(problem, "listMapKey") && outcome.problems.iter().any(is_cause)
}

/// Reports errors that Go finds in types that controller-gen does not read, because no kind uses them.
fn report_of_go(
    outcome: &Outcome,
    (explained, slips): (&HashMap<Place, Mistake>, &SyntaxSlips),
    rules: &RuleLevels,
    found: &mut FindingsByFile,
) {
    let places = outcome.problems.iter().flat_map(|problem| [problem.token, outcome.place_of(problem)]);
    let reported: HashSet<Place> = places.flatten().collect();
    let mut others: Vec<&Mistake> = explained
        .iter()
        .filter(|(place, mistake)| mistake.is_of_go && !reported.contains(place))
        .filter(|(place, _)| !follows_from_slip(slips, **place))
        .map(|(_, mistake)| mistake)
        .collect();
    others.sort_by_key(|mistake| (mistake.place.file, mistake.place.span));
    for mistake in others {
        report_mistake(outcome, mistake, MistakeDetails::default(), rules, found);
    }
}

/// Reports imports of modules that are not in the module cache, and those whose built-in copy may differ.
fn report_missing_modules(
    outcome: &Outcome,
    slips: &SyntaxSlips,
    rules: &RuleLevels,
    found: &mut FindingsByFile,
) {
    // Packages with a syntax error are not read, so these are not all imports, nor the first of each module.
    if !slips.is_empty() {
        return;
    }
    for missing in &outcome.missing {
        report(
            outcome,
            missing.place,
            Code::GoMissingModule,
            Severity::Warning,
            missing.message(),
            FindingDetails::of_go(missing.is_of_go()),
            rules,
            found,
        );
    }
    for approximate in outcome.approximate() {
        let message = approximate.built_in_message();
        let details = FindingDetails::of_go(approximate.is_of_go());
        report(
            outcome,
            approximate.place,
            Code::GoMissingModule,
            Severity::Hint,
            message,
            details,
            rules,
            found,
        );
    }
}

/// Properties of a mistake besides its message.
#[derive(Clone, Copy, Default)]
struct MistakeDetails<'a> {
    /// The file with the error that causes the finding.
    cause: Option<&'a Path>,
    /// Whether controller-gen reports a consequence as an error.
    is_error: bool,
    /// Whether controller-gen reports an error only if its options are those that the server assumes.
    is_assumed: bool,
}

fn report_mistake(
    outcome: &Outcome,
    mistake: &Mistake,
    kind: MistakeDetails<'_>,
    rules: &RuleLevels,
    found: &mut FindingsByFile,
) {
    let code = code_of(mistake.kind);
    let severity = match mistake.is_hint {
        _ if kind.is_error => Severity::Error,
        true => Severity::Hint,
        false if kind.is_assumed => Severity::Warning,
        false => code.rule().severity,
    };
    let message = Message { remedy: mistake.remedy.clone(), ..Message::new(mistake.problem.as_str()) };
    let (related, repairs) = (mistake.related.as_ref(), mistake.repairs.as_slice());
    let details = FindingDetails { is_of_go: mistake.is_of_go, related, repairs, cause: kind.cause };
    report(outcome, mistake.place, code, severity, message, details, rules, found);
}

/// A place with the folder and the name of its file: `v1/types.go:3:4`.
fn place_text(outcome: &Outcome, place: Place) -> Option<String> {
    let file = outcome.source(place.file)?;
    let (line, column) = file.position(place.span.start);
    let folder = file.path.parent()?.file_name()?.to_string_lossy();
    Some(format!("{folder}/{}:{line}:{column}", file.path.file_name()?.to_string_lossy()))
}

/// Reports kinds that are not checked because controller-gen panics in another file and generates no definitions for them.
fn report_ungenerated(outcome: &Outcome, rules: &RuleLevels, found: &mut FindingsByFile) {
    let Some(ProblemPlace::Place(panic)) = outcome.panic.as_ref().map(|panic| &panic.place) else { return };
    let Some(file) = outcome.source(panic.file) else { return };
    let (line, column) = file.position(panic.span.start);
    let path = file.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for place in outcome.ungenerated.iter().filter(|place| place.file != panic.file) {
        let source = outcome.source(place.file);
        // The panic is in the same package.
        let cause = source.filter(|source| source.path.parent() == file.path.parent()).map(|_| file);
        let kind = source.map_or("", |source| source.slice(place.span));
        let message = Message::new(format!(
            "`{kind}` is neither generated nor checked, because controller-gen panics in package `{}` ({path}:{line}:{column})",
            file.package.name
        ))
        .advise("correct that first");
        report(
            outcome,
            *place,
            Code::GoGeneration,
            Severity::Warning,
            message,
            FindingDetails { cause: cause.map(|file| file.path.as_path()), ..FindingDetails::default() },
            rules,
            found,
        );
    }
}

/// The type declaration around a place, or the place itself if there is none.
fn type_at(outcome: &Outcome, place: Place) -> Place {
    let types = outcome.source(place.file).into_iter().flat_map(|file| file.types());
    let mut spans = types.map(|(_, declared)| declared.expr.span);
    spans.find(|span| span.contains(place.span)).map_or(place, |span| Place { span, ..place })
}

/// Whether the rules select a check of the conventions of the Kubernetes API.
pub(super) fn asks_for_conventions(rules: &RuleLevels) -> bool {
    RULES.iter().any(|rule| rule.is_convention() && rules.is_requested(rule.code))
}

/// Whether a place is in a struct without JSON names in a package that is not named like a version: a type for conversions,
/// which is never encoded.
pub(crate) fn is_internal(outcome: &Outcome, place: Place) -> bool {
    let Some(file) = outcome.source(place.file).filter(|file| !is_of_version(file)) else { return false };
    file.types().any(|(_, declared)| match &declared.expr.kind {
        ExprKind::Struct(fields) => {
            let has_name =
                |field: &Field| field.tag.as_ref().is_some_and(|tag| json_tag(&tag.text).is_some());
            declared.expr.span.contains(place.span) && !fields.iter().any(has_name)
        }
        _ => false,
    })
}

/// The rule that a mistake violates.
pub(super) const fn code_of(kind: MistakeKind) -> Code {
    match kind {
        MistakeKind::Refused => Code::GoGeneration,
        MistakeKind::Unknown => Code::GoMarkerUnknown,
        MistakeKind::Target => Code::GoMarkerTarget,
        MistakeKind::Form => Code::GoMarkerForm,
        MistakeKind::Position => Code::GoMarkerPosition,
        MistakeKind::Value => Code::GoMarkerValue,
        MistakeKind::Overridden => Code::GoMarkerOverridden,
        MistakeKind::Unused => Code::GoMarkerUnused,
        MistakeKind::Bounds => Code::LintBounds,
        MistakeKind::Tag => Code::GoJsonTag,
        MistakeKind::Encoding => Code::GoEncoding,
        MistakeKind::RequiredOmitted => Code::GoRequiredOmitempty,
        MistakeKind::CommentStart => Code::ConventionCommentStart,
        MistakeKind::Requirement => Code::ConventionOptionalOrRequired,
        MistakeKind::StructOmitted => Code::ConventionStructOmitempty,
        MistakeKind::IntegerType => Code::ConventionIntegerType,
        MistakeKind::Duration => Code::ConventionDuration,
    }
}

pub(super) const fn range_of(place: Place) -> TextRange {
    TextRange::new(place.span.start, place.span.end)
}

/// The properties of a finding besides its message.
#[derive(Clone, Copy, Default)]
struct FindingDetails<'a> {
    /// Whether the Go compiler may report it as well.
    is_of_go: bool,
    related: Option<&'a (Place, String)>,
    repairs: &'a [Repair],
    /// The file with the error that causes the finding.
    cause: Option<&'a Path>,
}

impl FindingDetails<'_> {
    const fn of_go(is_of_go: bool) -> Self {
        Self { is_of_go, related: None, repairs: &[], cause: None }
    }
}

#[allow(clippy::too_many_arguments, reason = "the parts of one finding")]
fn report(
    outcome: &Outcome,
    place: Place,
    code: Code,
    severity: Severity,
    message: impl Into<Message>,
    details: FindingDetails<'_>,
    rules: &RuleLevels,
    found: &mut FindingsByFile,
) {
    let Some(file) = outcome.source(place.file) else { return };
    let range = range_of(place);
    let FindingDetails { is_of_go, related, repairs, cause } = details;
    let related = related.filter(|(other, _)| other.file == place.file);
    let related = related.map(|(other, what)| RelatedInformation::here(range_of(*other), what.clone()));
    let mut finding = Finding {
        code,
        severity,
        message: message.into(),
        range,
        field_path: FieldPath::root(),
        api_server: None,
        related: related.into_iter().collect(),
    };
    if !rules.admit(&mut finding) {
        return;
    }
    let here = repairs.iter().filter(|repair| repair.edits.iter().all(|(other, _)| other.file == place.file));
    let fixes = here.map(|repair| {
        let mut edits: Vec<TextEdit> = repair
            .edits
            .iter()
            .map(|(place, text)| TextEdit::replace(range_of(*place), file.with_line_ends(text.clone())))
            .collect();
        edits.sort_by_key(|edit| edit.range);
        let applicability = if repair.is_safe { Applicability::Safe } else { Applicability::Suggested };
        Fix::with_title(repair.title.clone(), edits, applicability, vec![(code, range)])
    });
    let (fixes, cause) = (fixes.collect(), cause.map(Path::to_owned));
    found.entry(file.path.clone()).or_default().push(GoFinding { finding, fixes, is_of_go, cause });
}
