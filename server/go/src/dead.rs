//! Markers that controller-gen passes over without a word.
//!
//! Only what cannot be meant for another tool is told: names below those of controller-gen, known markers in the wrong place,
//! and known markers that are written wrongly.

use crate::generate::Outcome;
use crate::load::{FileId, Place};
use crate::marker::{self, Shape, Target};
use crate::syntax::{Associated, File, MarkerComment, Span};
use crate::version::Version;

/// A marker without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadMarker {
    /// The marker's name, or what stands in the place of one.
    pub place: Place,
    /// What is wrong, and what to do.
    pub message: String,
    /// What to write in its place, where that is sure.
    pub replacement: Option<String>,
}

/// Parts behind `kubebuilder:` that belong to controller-gen's generator of definitions.
const OURS: [&str; 14] = [
    "validation",
    "printcolumn",
    "resource",
    "subresource",
    "default",
    "title",
    "example",
    "metadata",
    "selectablefield",
    "pruning",
    "storageversion",
    "unservedversion",
    "deprecatedversion",
    "skipversion",
];

/// Parts behind `kubebuilder:` that belong to other generators and tools.
const OTHERS: [&str; 8] =
    ["object", "rbac", "webhook", "webhookconfiguration", "ac", "scaffold", "docs-gen", "doc"];

/// Names differ by so many letters at most.
const MAX_DISTANCE: usize = 2;

impl Outcome {
    /// The markers without effect in the packages that were named.
    #[must_use]
    pub fn dead_markers(&self) -> Vec<DeadMarker> {
        let mut found = Vec::new();
        for id in &self.roots {
            if let Some(file) = self.source(*id) {
                let associated = file.associated(self.version);
                for (target, comment) in in_order(&associated) {
                    found.extend(dead(*id, file, comment, target, self.version));
                }
            }
        }
        found
    }
}

fn in_order(associated: &Associated) -> Vec<(Target, &MarkerComment)> {
    let package = associated.package.iter().map(|comment| (Target::Package, comment));
    let types = associated.types.values().flatten().map(|comment| (Target::Type, comment));
    let fields = associated.fields.values().flatten().map(|comment| (Target::Field, comment));
    let mut all: Vec<_> = package.chain(types).chain(fields).collect();
    all.sort_by_key(|(_, comment)| comment.span.start);
    all
}

const fn told(target: Target) -> &'static str {
    match target {
        Target::Package => "the package",
        Target::Type => "a type",
        Target::Field => "a field",
    }
}

fn dead(
    id: FileId,
    file: &File,
    comment: &MarkerComment,
    target: Target,
    version: Version,
) -> Option<DeadMarker> {
    let text = file.slice(comment.span);
    if marker::lookup(text, target, version).is_some() {
        return None;
    }
    let written = text.strip_prefix('+')?;
    let whole = written.split('=').next().unwrap_or(written);
    let name_len = whole
        .find(|ch: char| !(ch.is_alphanumeric() || matches!(ch, ':' | '-' | '_')))
        .unwrap_or(whole.len());
    let name = whole.get(..name_len)?.trim_end_matches(':');
    let tell = |len: usize, message: String, replacement: Option<String>| {
        let start = comment.span.start + 1;
        let place = Place { file: id, span: Span { start, end: start + len as u32 } };
        Some(DeadMarker { place, message, replacement })
    };
    let is_known = |name: &str, target| marker::lookup(&format!("+{name}"), target, version).is_some();
    // What is known, but with something behind it that makes it another name.
    if name.len() < whole.len() && is_known(name, target) {
        let message = format!(
            "controller-gen ignores this marker because `{}` is not a name; write `=` or nothing after `{name}`",
            whole.trim_end()
        );
        let fixed = if whole.trim_end() == name { Some(name.to_owned()) } else { None };
        return tell(whole.len(), message, fixed);
    }
    if let Some((short, _)) = name.rsplit_once(':')
        && written.len() == whole.len()
        && let Some(known) = marker::lookup(&format!("+{short}"), target, version)
        && known.name() == short
        && !matches!(known.definition.shape, Shape::Empty | Shape::Arguments(_))
    {
        let message =
            format!("controller-gen ignores this marker; write the value of `{short}` after `=`, not `:`");
        return tell(short.len() + 1, message, Some(format!("{short}=")));
    }
    let lookup = |target| marker::lookup(text, target, version);
    let elsewhere: Vec<Target> = [Target::Package, Target::Type, Target::Field]
        .into_iter()
        .filter(|other| lookup(*other).is_some())
        .collect();
    if let [first, ..] = elsewhere.as_slice() {
        // People write these as prose on types.
        let is_prose = matches!(name, "optional" | "required" | "default" | "k8s:optional" | "k8s:required");
        if is_prose || !name.contains(':') && *first == Target::Package {
            return None;
        }
        let message =
            format!("`{name}` is a marker for {} and has no effect on {}", told(*first), told(target));
        return tell(name.len(), message, None);
    }
    let second = name.strip_prefix("kubebuilder:")?.split(':').next().unwrap_or("");
    if OTHERS.contains(&second) {
        return None;
    }
    if let Some(since) = newer(text, target, version) {
        let message = format!("controller-gen {version} does not know `{name}`; {since} does");
        return tell(name.len(), message, None);
    }
    let nearest = nearest(name, target);
    if nearest.is_none() && !OURS.contains(&second) {
        return None;
    }
    let message = match &nearest {
        Some(nearest) => {
            format!("controller-gen ignores the unknown marker `{name}`; did you mean `{nearest}`?")
        }
        None => format!("controller-gen ignores the unknown marker `{name}`; correct or remove it"),
    };
    tell(name.len(), message, nearest)
}

/// The first release that knows a marker, if it is a later one.
fn newer(text: &str, target: Target, version: Version) -> Option<Version> {
    let mut minors = version.minor + 1..=Version::NEWEST.minor;
    minors.find_map(|minor| {
        let later = Version::new(minor, 0);
        marker::lookup(text, target, later).map(|_| later)
    })
}

/// The name of a marker that is meant: the same but for capitals, with the same last part, or nearly the same.
fn nearest(name: &str, target: Target) -> Option<String> {
    let lower = name.to_lowercase();
    let last = |name: &str| name.rsplit(':').next().unwrap_or("").to_lowercase();
    let candidates = marker::all(Version::NEWEST).filter(|(_, other)| *other == target).map(|(known, _)| {
        let candidate = known.name();
        let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
        let rank = if distance <= MAX_DISTANCE {
            distance
        } else if last(&candidate) == last(name) && !known.items && candidate.starts_with("kubebuilder:") {
            MAX_DISTANCE + 1
        } else {
            usize::MAX
        };
        (rank, candidate)
    });
    candidates.min().filter(|(rank, _)| *rank < usize::MAX).map(|(_, candidate)| candidate)
}
