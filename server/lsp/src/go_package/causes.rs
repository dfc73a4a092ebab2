//! The causes of problems that follow from others: one error is reported once, at its cause.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;

use go::generate::Outcome;
use go::load::{FileId, Place};
use go::schema::{Misfit, Problem, ProblemKind, ProblemPlace};
use go::{Mistake, MistakeKind};

use super::findings::SyntaxSlips;

/// The marker of the type of a list.
const LIST_TYPE: &str = "listType";
/// The marker of a type in JSON.
const TYPE: &str = "kubebuilder:validation:Type";

/// The cause of a problem.
pub(super) enum Cause {
    /// Its own place.
    Here,
    /// An error at another place, whose package is not reported.
    Elsewhere(Place),
    /// A problem that is already reported.
    Reported,
}

/// The problems of an outcome so far, as possible causes of those that follow.
pub(super) struct Causes<'o> {
    outcome: &'o Outcome,
    /// The first error of each folder, for which its types have no schema.
    first_errors: HashMap<&'o OsStr, Place>,
    /// Comments with a rejected marker.
    refused: HashSet<Place>,
    /// Types without a schema.
    without_schema: BTreeSet<&'o str>,
    /// Undeclared types, and types without a schema to which others refer.
    undeclared: HashSet<&'o str>,
    referred: HashSet<&'o str>,
    /// The first syntax error of each package that has one, by its name.
    broken: HashMap<&'o str, Place>,
    /// References to types of packages that are not imported.
    unimported: HashSet<Place>,
    /// The indexes of errors in tags, by their lines.
    tags: HashMap<(FileId, usize), usize>,
    /// All mistakes by their places.
    mistakes: HashMap<Place, usize>,
    /// The indexes of the mistakes that make controller-gen fail.
    refused_mistakes: HashSet<usize>,
}

impl<'o> Causes<'o> {
    /// The causes of an outcome with these `mistakes`, before any problem.
    pub(super) fn of(outcome: &'o Outcome, mistakes: &[Mistake], slips: &SyntaxSlips) -> Self {
        let tags = mistakes.iter().enumerate().filter(|(_, mistake)| mistake.kind == MistakeKind::Tag);
        let tags = tags.filter_map(|(number, mistake)| Some((line_of(outcome, mistake.place)?, number)));
        let named = |name_of: fn(&ProblemKind) -> Option<&str>| -> HashSet<&'o str> {
            outcome.problems.iter().filter_map(|problem| name_of(&problem.kind)).collect()
        };
        Self {
            outcome,
            first_errors: first_errors(outcome),
            undeclared: named(|kind| match kind {
                ProblemKind::UnknownType(name) => Some(name),
                _ => None,
            }),
            referred: named(|kind| match kind {
                ProblemKind::NoSchema(name) => Some(name),
                _ => None,
            }),
            broken: first_syntax_errors(outcome, slips),
            refused: HashSet::new(),
            without_schema: BTreeSet::new(),
            unimported: HashSet::new(),
            tags: tags.collect(),
            mistakes: mistakes.iter().enumerate().map(|(number, mistake)| (mistake.place, number)).collect(),
            refused_mistakes: HashSet::new(),
        }
    }

    /// The cause of the next problem.
    pub(super) fn of_problem(&mut self, problem: &'o Problem) -> Cause {
        if self.is_after_refusal(problem) {
            return Cause::Reported;
        }
        let place = self.outcome.place_of(problem);
        let error_of = |name: &str| self.first_errors.get(folder_of(name)?).copied();
        match &problem.kind {
            // kube-apiserver reports the same on the definition, which is generated nevertheless.
            ProblemKind::NoStorage => Cause::Reported,
            ProblemKind::Misplaced { found: Misfit::Failed, .. } => Cause::Reported,
            // The type of the list is rejected, and may be intended as `map`.
            ProblemKind::NoListMap if self.has_refused_list_type(problem) => Cause::Reported,
            // The marker for the type of the list or of the value has no effect.
            ProblemKind::NoListMap if let Some(dead) = self.mistake_near(LIST_TYPE, problem) => {
                self.refused_mistakes.insert(dead);
                Cause::Reported
            }
            ProblemKind::Misplaced { .. } if let Some(dead) = self.mistake_near(TYPE, problem) => {
                self.refused_mistakes.insert(dead);
                Cause::Reported
            }
            ProblemKind::Unimported => {
                self.unimported.extend(problem.token);
                Cause::Here
            }
            // The reference to the type reports the same at its place.
            ProblemKind::UnknownType(name) if problem.token.is_none() && self.referred.contains(&**name) => {
                Cause::Reported
            }
            ProblemKind::UnknownType(name)
                if error_of(name).is_some()
                    || place.is_some_and(|place| self.unimported.contains(&place)) =>
            {
                Cause::Reported
            }
            ProblemKind::UnknownType(name) => match self.syntax_error_of(name) {
                Some(_) if !self.without_schema.insert(name) => Cause::Reported,
                error => error.map_or(Cause::Here, Cause::Elsewhere),
            },
            // The field is merged, because its tag has no name.
            ProblemKind::Conflict { places, .. } => {
                let mut lines = places.iter().filter_map(|place| line_of(self.outcome, *place));
                match lines.find_map(|line| self.tags.get(&line)) {
                    Some(tag) => {
                        self.refused_mistakes.insert(*tag);
                        Cause::Reported
                    }
                    None => Cause::Here,
                }
            }
            // All references to a type fail for the same reason, which is reported in its package.
            ProblemKind::NoSchema(name) => match error_of(name) {
                // An error in another module is reported at a place of the project.
                Some(error) if self.outcome.is_named(error.file) || !self.outcome.is_own(error.file) => {
                    Cause::Reported
                }
                _ if !self.without_schema.insert(name) => Cause::Reported,
                error => error.map_or(Cause::Here, Cause::Elsewhere),
            },
            _ => Cause::Here,
        }
    }

    /// Whether the type of the list to which a key belongs is rejected.
    fn has_refused_list_type(&self, key: &Problem) -> bool {
        self.outcome.problems.iter().any(|other| {
            other.place == key.place
                && matches!(&other.kind, ProblemKind::Word { of, .. } if of.ends_with("listType"))
        })
    }

    /// The kind of a problem, depending on the place of its cause: a type without a schema is not declared, or its package
    /// has errors.
    pub(super) fn kind_of(&self, problem: &Problem, cause: Option<Place>) -> ProblemKind {
        match (&problem.kind, cause) {
            (ProblemKind::UnknownType(name), Some(_)) => ProblemKind::NoSchema(name.clone()),
            (ProblemKind::NoSchema(name), None) if self.undeclared.contains(&**name) => {
                ProblemKind::UnknownType(name.clone())
            }
            (kind, _) => kind.clone(),
        }
    }

    /// The syntax error because of which a type of another package, such as `v2.Type`, is unknown.
    fn syntax_error_of(&self, name: &str) -> Option<Place> {
        let (package, _) = name.split_once('.')?;
        self.broken.get(package).copied()
    }

    /// The indexes of the mistakes that make controller-gen fail.
    pub(super) fn refused(self) -> HashSet<usize> {
        self.refused_mistakes
    }

    /// The index of the mistake in a marker with this name beside another one, if it has no effect.
    fn mistake_near(&self, name: &str, other: &Problem) -> Option<usize> {
        let dead = self.outcome.misplaced_near(name, self.outcome.place_of(other)?)?;
        self.mistakes.get(&dead).copied()
    }

    /// Whether a marker was already rejected: further messages of controller-gen on it follow from the first error.
    fn is_after_refusal(&mut self, problem: &Problem) -> bool {
        let (ProblemPlace::Place(comment), Some(token)) = (&problem.place, problem.token) else {
            return false;
        };
        comment.contains(token) && !self.refused.insert(*comment)
    }
}

/// The line of a place, from 1.
fn line_of(outcome: &Outcome, place: Place) -> Option<(FileId, usize)> {
    Some((place.file, outcome.source(place.file)?.position(place.span.start).0))
}

/// The folder of the package of a type such as `"example.com/a/b".Type`.
fn folder_of(name: &str) -> Option<&OsStr> {
    let (package, _) = name.strip_prefix('"')?.split_once('"')?;
    package.rsplit('/').next().map(OsStr::new)
}

/// The first syntax error of each package that has one, by its name.
fn first_syntax_errors<'o>(outcome: &'o Outcome, slips: &SyntaxSlips) -> HashMap<&'o str, Place> {
    let mut first = HashMap::new();
    for source in outcome.sources() {
        if let Some(slip) = outcome.file_at(&source.path).and_then(|file| slips.get(&file)) {
            // The error may be in the package clause.
            let folder = source.path.parent().and_then(|folder| folder.file_name()?.to_str());
            for name in [Some(&*source.package.name), folder].into_iter().flatten() {
                first.entry(name).or_insert(slip.mistake.place);
            }
        }
    }
    first
}

/// The first error of each folder, for which its types have no schema.
fn first_errors(outcome: &Outcome) -> HashMap<&OsStr, Place> {
    let mut first = HashMap::new();
    // A reference to a type without a schema is not the reason why the type has none.
    let causes = outcome.problems.iter().filter(|problem| !matches!(problem.kind, ProblemKind::NoSchema(_)));
    for token in causes.filter_map(|problem| problem.token) {
        let folder = outcome.source(token.file).and_then(|file| file.path.parent()?.file_name());
        if let Some(folder) = folder {
            first.entry(folder).or_insert(token);
        }
    }
    first
}
