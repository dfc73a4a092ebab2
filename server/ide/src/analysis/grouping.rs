//! Groups findings with the same cause: they become one finding, with the others as related places.

mod table;

use crd::{ProblemClass, Segment};
use std::collections::{BTreeMap, HashMap, HashSet};

use api::Code;
use text::{TextRange, TextSize};
use yaml::{Document, Reader};

use crate::analysis::unfinished::UnknownKeys;
use crate::{Finding, RelatedInformation, Severity};
use table::{CodePattern, FOLLOWS, Proximity};

/// The fields that determine the name of a definition.
const NAMING: [&[&str]; 4] =
    [&["spec"], &["spec", "group"], &["spec", "names"], &["spec", "names", "plural"]];

/// The prefix of the codes for keywords that are not allowed in a branch.
const IN_BRANCH: &str = "structural/junctor-";

/// The code for a type in a branch, which is then often missing in the node.
const TYPE_IN_BRANCH: Code = Code::StructuralJunctorType;

/// The codes for fields that only a branch declares.
const ONLY_IN_BRANCH: [Code; 2] = [Code::StructuralComplete, Code::StructuralCompleteNested];

/// Findings, one for each cause.
#[derive(Clone, Debug, Default)]
pub struct GroupedFindings {
    /// The remaining findings, by range, then code, document by document.
    pub findings: Vec<Finding>,
    /// The index of the finding that reports the group of each original finding, by code and range.
    representatives: HashMap<(Code, TextRange), usize>,
}

impl GroupedFindings {
    /// The finding that reports the original finding with this code and range.
    #[must_use]
    pub fn representative(&self, code: Code, range: TextRange) -> Option<&Finding> {
        self.findings.get(*self.representatives.get(&(code, range))?)
    }

    /// Groups the findings of a text that is not a definition, such as Go: only the steps of one path have a
    /// common cause.
    #[must_use]
    pub fn of_steps(findings: &[Finding]) -> Self {
        let mut grouped = Self::default();
        grouped.add_with_causes(findings, &steps_before(findings));
        grouped
    }

    /// Adds the findings of `document`. `follows` has the index of the cause of some of them.
    pub(crate) fn add(&mut self, document: Document<'_>, findings: &[Finding], follows: Vec<Option<usize>>) {
        let mut causes = causes(document, findings);
        for (index, cause) in follows.into_iter().enumerate() {
            let Some(cause) = cause.filter(|cause| cause_of(*cause, &causes) != index) else { continue };
            if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
                *own = Some(cause);
            }
        }
        self.add_with_causes(findings, &causes);
    }

    fn add_with_causes(&mut self, findings: &[Finding], causes: &[Option<usize>]) {
        let mut groups: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
        for (index, finding) in findings.iter().enumerate() {
            let others = groups.entry(cause_of(index, causes)).or_default();
            if cause_of(index, causes) != index {
                others.push(finding);
            }
        }
        for (cause, others) in groups {
            let Some(cause) = findings.get(cause) else { continue };
            for member in others.iter().copied().chain([cause]) {
                self.representatives.insert((member.code, member.range), self.findings.len());
            }
            self.findings.push(with_consequences(cause, &others));
        }
    }
}

/// Recognizes findings with the code, the range and the problem of an earlier one. The earlier one represents them.
#[derive(Debug, Default)]
pub struct RepeatedFindings<'f> {
    seen: HashSet<(Code, TextRange, &'f str)>,
}

impl<'f> RepeatedFindings<'f> {
    /// Whether an earlier call had an equal finding.
    pub fn is_repeated(&mut self, finding: &'f Finding) -> bool {
        !self.seen.insert((finding.code, finding.range, &finding.message.problem))
    }
}

/// The severity of a group of findings with one cause: the worst of all, because an error that follows from a
/// warning is still an error.
#[must_use]
pub fn group_severity(cause: &Finding, consequences: &[&Finding]) -> Severity {
    consequences.iter().map(|one| one.severity).fold(cause.severity, Severity::min)
}

/// Returns `cause` with all that follows from it as related places, and with the severity of the group.
fn with_consequences(cause: &Finding, others: &[&Finding]) -> Finding {
    let mut finding = cause.clone();
    finding.severity = group_severity(cause, others);
    if !others.is_empty() {
        let noun = if others.len() == 1 { "finding" } else { "findings" };
        finding.message.note.push_str(&format!(" ({} more {noun} with the same cause)", others.len()));
    }
    finding
        .related
        .extend(others.iter().map(|other| RelatedInformation::here(other.range, other.message.to_string())));
    let mut known: HashSet<TextRange> = finding.related.iter().map(|related| related.range).collect();
    for further in others.iter().flat_map(|other| &other.related) {
        if further.elsewhere.is_some() || known.insert(further.range) {
            finding.related.push(further.clone());
        }
    }
    finding
}

/// Returns the index of the finding that reports the one at `index`. Causes have causes, but the table has no
/// cycles and is short.
fn cause_of(index: usize, causes: &[Option<usize>]) -> usize {
    let mut index = index;
    for _ in 0..=FOLLOWS.len() {
        match causes.get(index).copied().flatten() {
            Some(cause) => index = cause,
            None => break,
        }
    }
    index
}

/// Returns the index of the cause of each finding, if it follows from another one.
fn causes(document: Document<'_>, findings: &[Finding]) -> Vec<Option<usize>> {
    let mut causes = steps_before(findings);
    same_undeclared(findings, &mut causes);
    same_shapes(findings, &mut causes);
    if findings.len() < 2 || !findings.iter().any(|finding| finding.severity == Severity::Error) {
        return causes;
    }
    let reader = Reader::new(document);
    let is_set =
        |path: &[Segment]| document.root().is_some_and(|root| crd::value_at(root, path, &reader).is_some());
    let known = CauseIndex::of(findings);
    for (index, (finding, cause)) in findings.iter().zip(&mut causes).enumerate() {
        *cause = known.cause(finding, &is_set).filter(|cause| *cause != index).or(*cause);
    }
    causes
}

/// Returns the previous step of each optional field that a rule reads through another (`self.a.b`): a guard
/// for the first covers all.
fn steps_before(findings: &[Finding]) -> Vec<Option<usize>> {
    let mut ends: HashMap<TextSize, usize> = HashMap::new();
    let step_before = |(index, finding): (usize, &Finding)| {
        if finding.code != Code::LintCelOptionalField {
            return None;
        }
        ends.insert(finding.range.end, index);
        let before = ends.get(&finding.range.start.checked_sub(1)?)?;
        findings.get(*before).is_some_and(|one| one.field_path == finding.field_path).then_some(*before)
    };
    findings.iter().enumerate().map(step_before).collect()
}

/// Makes objects and lists among the values of one `enum` follow from the first of them: they have one shape.
fn same_shapes(findings: &[Finding], causes: &mut [Option<usize>]) {
    let mut first: HashMap<(&ProblemClass, &[Segment]), usize> = HashMap::new();
    for (index, (finding, cause)) in findings.iter().zip(causes).enumerate() {
        let class = finding.message.class.as_ref();
        let of_shape =
            class.filter(|class| matches!(class, ProblemClass::ObjectInEnum | ProblemClass::ListInEnum));
        if let Some(shape) = of_shape {
            let path = finding.field_path.segments();
            let list = path.split_last().map_or(path, |(_, list)| list);
            let known = *first.entry((shape, list)).or_insert(index);
            *cause = cause.or((known != index).then_some(known));
        }
    }
}

/// Makes paths of a definition that lead to the same undeclared field follow from the first of them.
fn same_undeclared(findings: &[Finding], causes: &mut [Option<usize>]) {
    let mut first: HashMap<(&str, &[Segment]), usize> = HashMap::new();
    for (index, (finding, cause)) in findings.iter().zip(causes).enumerate() {
        if finding.code == Code::LintColumnPath {
            // The path of the version: without the index of the column and the keyword.
            let path = finding.field_path.segments();
            let of_version =
                path.len().checked_sub(2).and_then(|columns| path.get(..columns)).unwrap_or(path);
            let known = *first.entry((&finding.message.problem, of_version)).or_insert(index);
            *cause = cause.or((known != index).then_some(known));
        }
    }
}

/// The first error of each code at each range, in each node, and so on.
#[derive(Default)]
struct CauseIndex<'f> {
    places: HashMap<(Code, TextRange), usize>,
    /// By the common part of the field paths.
    parts: HashMap<(Code, &'f [Segment]), usize>,
    /// By the whole field path.
    paths: HashMap<(Code, &'f [Segment]), usize>,
    /// The number of findings on parts of the cost in each schema.
    contributors: HashMap<&'f [Segment], usize>,
    /// The first error of the branches of each schema node.
    hosts: HashMap<&'f [Segment], usize>,
    /// The nodes whose branches have a type.
    typed_hosts: HashSet<&'f [Segment]>,
    /// The codes of the errors.
    codes: Vec<Code>,
    /// The first error of each resource that prevents the check of its rules.
    resources: HashMap<&'f [Segment], usize>,
    /// Unknown fields, which may be misspellings of missing ones.
    unknown: UnknownKeys<'f>,
}

impl<'f> CauseIndex<'f> {
    fn of(findings: &'f [Finding]) -> Self {
        let mut known = Self::default();
        let errors = findings.iter().enumerate().filter(|(_, finding)| finding.severity == Severity::Error);
        for (index, finding) in errors {
            let path = finding.field_path.segments();
            known.unknown.note(index, finding);
            if finding.code.group() == "resource" {
                known.resources.entry(definition(path)).or_insert(index);
            }
            if !known.codes.contains(&finding.code) {
                known.codes.push(finding.code);
            }
            known.places.entry((finding.code, finding.range)).or_insert(index);
            known.paths.entry((finding.code, path)).or_insert(index);
            for part in [node(path), schema(path), definition(path)] {
                known.parts.entry((finding.code, part)).or_insert(index);
            }
            if finding.code.as_str().starts_with(IN_BRANCH) {
                known.hosts.entry(host(path)).or_insert(index);
                if finding.code == TYPE_IN_BRANCH {
                    known.typed_hosts.insert(host(path));
                }
            }
            if finding.code == Code::CelCrdCostContributor {
                *known.contributors.entry(schema(path)).or_default() += 1;
            }
        }
        known
    }

    fn cause(&self, finding: &Finding, is_set: &dyn Fn(&[Segment]) -> bool) -> Option<usize> {
        let path = finding.field_path.segments();
        if finding.code.as_str().starts_with(IN_BRANCH) && finding.severity == Severity::Error {
            return self.hosts.get(host(path)).copied();
        }
        if ONLY_IN_BRANCH.contains(&finding.code)
            && let Some(cause) = enclosing_paths(path).find_map(|node| self.hosts.get(node))
        {
            return Some(*cause);
        }
        if finding.code == Code::ResourceRulesNotChecked {
            return self.resources.get(definition(path)).copied();
        }
        if let Some(cause) = self.unknown.cause(finding, is_set) {
            return Some(cause);
        }
        if finding.code == Code::ResourceMetadata
            && let Some(cause) = self.wrong_prefix(path)
        {
            return Some(cause);
        }
        if finding.code == Code::NamesMetadataName
            && let Some(cause) = self.unreadable_name()
        {
            return Some(cause);
        }
        if finding.severity != Severity::Error {
            return None;
        }
        if finding.code == Code::StructuralTypeRequired
            && self.typed_hosts.contains(node(path))
            && let Some(cause) = self.hosts.get(node(path))
        {
            return Some(*cause);
        }
        let follows = FOLLOWS.iter().filter(|(pattern, ..)| pattern.matches(finding.code));
        let mut causes =
            follows.flat_map(|(_, causes, near)| causes.iter().map(move |cause| (*cause, *near)));
        let cause = causes.find_map(|(cause, near)| self.find_near(finding, cause, near));
        cause.or_else(|| self.places.get(&(finding.code, finding.range)).copied())
    }

    /// Returns the finding on the `generateName` from which the server makes the name at `path`.
    fn wrong_prefix(&self, path: &[Segment]) -> Option<usize> {
        let (last, above) = path.split_last()?;
        let beside: Vec<Segment> =
            above.iter().cloned().chain([Segment::Name("generateName".into())]).collect();
        let is_name = last.key() == Some("name");
        self.paths.get(&(Code::ResourceMetadata, &beside[..])).copied().filter(|_| is_name)
    }

    /// Returns the first part of a definition's name that is not a string.
    fn unreadable_name(&self) -> Option<usize> {
        let is_part = |path: &[Segment]| {
            NAMING.iter().any(|names| {
                let mut steps = path.iter().map(|step| match step {
                    Segment::Name(name) => Some(&**name),
                    _ => None,
                });
                steps.by_ref().eq(names.iter().map(|name| Some(*name)))
            })
        };
        let types = self.paths.iter().filter(|((code, path), _)| *code == Code::DecodeType && is_part(path));
        types.map(|(_, index)| *index).min()
    }

    fn find_near(&self, finding: &Finding, cause: CodePattern, near: Proximity) -> Option<usize> {
        let path = finding.field_path.segments();
        // Several expensive rules have different places and different remedies.
        if matches!(near, Proximity::Schema) && self.contributors.get(schema(path)) != Some(&1) {
            return None;
        }
        let mut codes = self.codes.iter().filter(|code| cause.matches(**code) && **code != finding.code);
        codes.find_map(|code| match near {
            Proximity::Place => self.places.get(&(*code, finding.range)).copied(),
            Proximity::Node => self.parts.get(&(*code, node(path))).copied(),
            Proximity::Schema => self.parts.get(&(*code, schema(path))).copied(),
            Proximity::Definition => self.parts.get(&(*code, definition(path))).copied(),
            Proximity::Around => {
                let mut around = (1..=path.len()).rev().filter_map(|count| path.get(..count));
                around.find_map(|path| self.paths.get(&(*code, path)).copied())
            }
        })
    }
}

/// The schema node of a path to one of its keywords.
fn node(path: &[Segment]) -> &[Segment] {
    let keyword = path.iter().rposition(|step| matches!(step, Segment::Name(_)));
    path.get(..keyword.unwrap_or_default()).unwrap_or_default()
}

/// The root of the schema of a path.
fn schema(path: &[Segment]) -> &[Segment] {
    let is_root = |step: &Segment| matches!(step, Segment::Name(name) if name == "openAPIV3Schema");
    path.iter().position(is_root).and_then(|at| path.get(..=at)).unwrap_or_default()
}

/// The definition of a path: the item of a list, or the document.
fn definition(path: &[Segment]) -> &[Segment] {
    match path {
        [Segment::Name(items), Segment::Index(_), ..] if items == "items" => {
            path.get(..2).unwrap_or_default()
        }
        _ => &[],
    }
}

/// The outermost schema node whose branches a path leads through.
fn host(path: &[Segment]) -> &[Segment] {
    let leads_in = |steps: &[Segment]| match steps {
        [Segment::Name(junctor), Segment::Index(_)] => matches!(&**junctor, "allOf" | "anyOf" | "oneOf"),
        [Segment::Name(junctor), Segment::Name(_)] => junctor == "not",
        _ => false,
    };
    path.windows(2).position(leads_in).and_then(|at| path.get(..at)).unwrap_or(path)
}

/// The nodes that a path leads through, innermost first.
fn enclosing_paths(path: &[Segment]) -> impl Iterator<Item = &[Segment]> {
    std::iter::successors(Some(path), |path| Some(node(path)).filter(|node| !node.is_empty()))
}

#[cfg(test)]
mod tests;
