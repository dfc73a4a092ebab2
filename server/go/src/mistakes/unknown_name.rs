//! Marker names that controller-gen knows for no target.

use super::combinations;
use super::elements;
use super::form::OF_OBJECTS;
use super::mistake::{
    CheckedFile, Mistake, MistakeKind, MistakeText, advised, beginning, flag_of, written_name,
};
use super::similar_names::{MAX_DISTANCE, by_other_word, nearest, newer, normalized, prefixed};
use super::{methods, others, synonyms, unprefixed};
use crate::load::Place;
use crate::marker::{self, ArgumentType, Meaning, Shape, Target};
use crate::syntax::MarkerComment;

/// The parts after `kubebuilder:` that belong to controller-gen's generator `crd`.
const OURS: [&str; 15] = [
    "validation",
    "printcolumn",
    "resource",
    "subresource",
    "default",
    "title",
    "example",
    "externalDocs",
    "metadata",
    "selectablefield",
    "pruning",
    "storageversion",
    "unservedversion",
    "deprecatedversion",
    "skipversion",
];

/// The prefix of arguments of rules.
const RULE: &str = "kubebuilder:validation:XValidation:";

/// The parts after `kubebuilder:` that belong to other generators and tools.
const OTHERS: [&str; 8] =
    ["object", "rbac", "webhook", "webhookconfiguration", "ac", "scaffold", "docs-gen", "doc"];

/// Names without `kubebuilder:` that other tools know, although they resemble names of controller-gen.
const OF_OTHER_TOOLS: [&str; 2] = ["listMapKeys", "mapKeys"];

/// Names that mean `listMapKey` on a list of type `map` without a key.
const KEY_WORDS: [&str; 4] = ["listKey", "listKeys", "mapKey", "mapKeys"];

/// Names that mean `optional`.
const OPTIONAL_WORDS: [&str; 2] = ["option", "omitempty"];

/// The minimum length of a name without `kubebuilder:`. Shorter names may mean anything.
const SHORTEST: usize = 7;

/// The maximum number of characters of a value in a title.
const SHOWN: usize = 60;

/// The minimum length of a part that is compared with other generators. A shorter part may belong to an
/// unknown generator.
const SHORTEST_OTHER: usize = 4;

/// A marker whose name is known for no target.
pub(super) struct UnknownName<'f> {
    seen: CheckedFile<'f>,
    comment: &'f MarkerComment,
    /// The markers of the same declaration.
    list: &'f [MarkerComment],
    target: Target,
    text: &'f str,
    name: &'f str,
}

impl<'f> UnknownName<'f> {
    pub(super) fn of(
        seen: CheckedFile<'f>,
        (comment, list): (&'f MarkerComment, &'f [MarkerComment]),
        target: Target,
    ) -> Self {
        let text = seen.text(comment);
        Self { seen, comment, list, target, text, name: beginning(written_name(text)) }
    }

    /// The mistake in the name; `None` if it may belong to another tool.
    pub(super) fn mistake(&self) -> Option<Mistake> {
        self.of_newer_release()
            .or_else(|| self.repeated_key())
            .or_else(|| elements::check(self.seen, self.comment, self.name))
            .or_else(|| self.with_other_separators())
            .or_else(|| match self.name.strip_prefix("kubebuilder:") {
                Some(below) => self.with_prefix(below),
                None => self.without_prefix(),
            })
    }

    fn of_newer_release(&self) -> Option<Mistake> {
        let (name, version) = (self.name, self.seen.version);
        let since = newer(self.text, self.target, version)?;
        let problem = format!("controller-gen {version} does not know `{name}`, {since} does");
        Some(self.unknown(advised(problem, "update controller-gen")))
    }

    fn repeated_key(&self) -> Option<Mistake> {
        let is_key = self.name == OF_OTHER_TOOLS[0];
        is_key.then(|| repeats_key(self.seen, (self.comment, self.list), self.place_of(self.name)))?
    }

    /// Another character between the parts of the name, or a misspelt or missing first part.
    fn with_other_separators(&self) -> Option<Mistake> {
        let (whole, version) = (written_name(self.text), self.seen.version);
        let known = normalized(whole, self.target, version);
        let (written, intended) = known.or_else(|| prefixed(whole, self.target, version))?;
        Some(self.change(ignored_problem(written), written, intended))
    }

    fn without_prefix(&self) -> Option<Mistake> {
        let (seen, comment, name, target) = (self.seen, self.comment, self.name, self.target);
        let declaration = (comment, self.list);
        if let Some(mistake) = synonyms::check(seen, declaration, name, target) {
            return Some(mistake);
        }
        if let Some((written, intended)) = unprefixed::of_schema((self.text, name), target, seen.version) {
            return Some(self.change(ignored_problem(name), written, intended));
        }
        if let Some(intended) = unprefixed::intended_name(seen, comment, name, target) {
            return Some(self.change_ignored(intended));
        }
        if let Some(mistake) = unprefixed::of_enum(seen, declaration, name, target) {
            return Some(mistake);
        }
        let is_map_without_key = || is_map_without_key(seen, self.list);
        if OPTIONAL_WORDS.contains(&name) && target == Target::Field && self.value().is_empty() {
            return Some(self.change_ignored("optional".to_owned()));
        }
        if KEY_WORDS.contains(&name) && is_map_without_key() {
            return Some(self.change_ignored("listMapKey".to_owned()));
        }
        if let Some(mistake) = others::check(seen, comment, name) {
            return Some(mistake);
        }
        // Names of one word belong to other tools unless they are similar to known names.
        let is_of_map = name == OF_OTHER_TOOLS[0] && is_map_without_key();
        if name.contains(':') || name.len() < SHORTEST || OF_OTHER_TOOLS.contains(&name) && !is_of_map {
            return None;
        }
        Some(self.change_ignored(nearest(name, target, 1)?))
    }

    /// A name that starts with `kubebuilder:`, and its other parts.
    fn with_prefix(&self, below: &str) -> Option<Mistake> {
        let (name, target) = (self.name, self.target);
        let second = below.split(':').next().unwrap_or("");
        if name == "kubebuilder:object" {
            return Some(self.change_useless(OF_OBJECTS[1].to_owned()));
        }
        // `scale` needs arguments.
        if self.text.trim_end() == "+kubebuilder:subresource" && target == Target::Type {
            return Some(self.change_ignored(format!("{name}:status")));
        }
        if OF_OBJECTS.contains(&name) {
            return methods::check(self.seen, self.comment, name, target);
        }
        if OTHERS.contains(&second) && (second != "object" || OF_OBJECTS.contains(&name)) {
            return None;
        }
        if let Some(intended) = of_other(second) {
            let rest = below.get(second.len()..).unwrap_or("");
            return Some(self.change_useless(match (intended, rest) {
                ("object", "") => OF_OBJECTS[1].to_owned(),
                _ => format!("kubebuilder:{intended}{rest}"),
            }));
        }
        if let Some(intended) = unprefixed::with_colon((self.text, name), target, self.seen.version) {
            return Some(self.change_useless(intended));
        }
        if let Some(mistake) = self.with_number().or_else(|| self.description()) {
            return Some(mistake);
        }
        let known = by_other_word(name, target, self.seen.version);
        if let Some(intended) = known.or_else(|| nearest(name, target, MAX_DISTANCE)) {
            return Some(self.change_ignored(intended));
        }
        if let Some(mistake) = synonyms::check(self.seen, (self.comment, self.list), name, target) {
            return Some(mistake);
        }
        if OURS.contains(&second) {
            return Some(self.remove(ignored_problem(name)));
        }
        // A name with further parts may belong to a generator of the project.
        (!below.contains(':')).then(|| self.remove(unknown_problem(name)).hint())
    }

    /// The text after the name.
    fn value(&self) -> &'f str {
        self.text.get(1 + self.name.len()..).unwrap_or("").trim_end()
    }

    /// A known name with a number in place of `=` and the number: `MinLength1`.
    fn with_number(&self) -> Option<Mistake> {
        let name = self.name.trim_end_matches(|ch: char| ch.is_ascii_digit());
        let number = self.name.get(name.len()..).filter(|number| !number.is_empty())?;
        let known = marker::lookup(&format!("+{name}"), self.target, self.seen.version)?;
        let takes_number = matches!(known.definition.shape, Shape::Integer(_) | Shape::Float(_));
        let takes_number = takes_number
            || matches!(known.definition.shape, Shape::Value(ArgumentType::Int | ArgumentType::Number));
        (takes_number && self.value().is_empty()).then(|| self.change_ignored(format!("{name}={number}")))
    }

    /// A marker for the description, which controller-gen takes from the comment.
    fn description(&self) -> Option<Mistake> {
        let (_, last) = self.name.rsplit_once(':')?;
        let value = self.value().strip_prefix([':', '='])?.trim_start_matches('=');
        let described = value.trim_matches(['"', '`']).trim();
        if !last.eq_ignore_ascii_case("description") || described.is_empty() {
            return None;
        }
        let words = advised(ignored_problem(self.name), "write the description as a comment");
        let place = self.seen.place_in_marker(self.comment, 0..self.text.trim_end().len());
        let title = format!("Change to `// {}`", text::start(described, SHOWN));
        Some(self.unknown(words).repaired(title, vec![(place, described.to_owned())], false))
    }

    /// The change of a marker with a flag to one that takes no value. `false` means the marker with the opposite meaning.
    fn without_flag(&self, problem: &str, written: &str, intended: &str) -> Option<Mistake> {
        let known = marker::lookup(&format!("+{intended}"), self.target, self.seen.version)?;
        let end = self.text.trim_end().len();
        let flag = flag_of(self.text.get(1 + written.len()..end)?.strip_prefix([':', '='])?.trim())?;
        if !matches!(known.definition.shape, Shape::Empty) {
            return None;
        }
        let is_set = flag == "true";
        let last = intended.rsplit(':').next().unwrap_or(intended).to_lowercase();
        let intended = match &*last {
            _ if is_set => intended,
            "required" => "optional",
            "optional" => "required",
            _ => return None,
        };
        let words = advised(problem, format!("write `{intended}`"));
        let mistake = Mistake::new(MistakeKind::Unknown, self.place_of(written), words);
        let place = self.seen.place_in_marker(self.comment, 1..end);
        let shown = text::start(self.text.trim_start_matches('+').trim_end(), SHOWN);
        let title = format!("Change `{shown}` to `{intended}`");
        Some(mistake.with_intended_name(intended).repaired(title, vec![(place, intended.to_owned())], is_set))
    }

    fn place_of(&self, written: &str) -> Place {
        self.seen.place_in_marker(self.comment, 1..1 + written.len())
    }

    fn unknown(&self, words: MistakeText) -> Mistake {
        Mistake::new(MistakeKind::Unknown, self.place_of(self.name), words)
    }

    fn remove(&self, problem: String) -> Mistake {
        removable(self.seen, self.comment, self.unknown(advised(problem, CORRECT)), self.name)
    }

    /// The change of a name that controller-gen ignores.
    fn change_ignored(&self, intended: String) -> Mistake {
        self.change(ignored_problem(self.name), self.name, intended)
    }

    /// The change of a name that no generator knows.
    fn change_useless(&self, intended: String) -> Mistake {
        self.change(unknown_problem(self.name), self.name, intended)
    }

    /// The change of `written` to the name that is meant, or to an argument of another marker.
    fn change(&self, problem: String, written: &str, intended: String) -> Mistake {
        if let Some(mistake) = self.without_flag(&problem, written, &intended) {
            return mistake;
        }
        let (seen, comment) = (self.seen, self.comment);
        let place = self.place_of(written);
        let value = self.text.get(1 + written.len()..).unwrap_or("").trim_end();
        let reads = || self.list.iter().filter_map(|other| combinations::Read::of(seen, other));
        let argument = intended.strip_prefix("kubebuilder:resource:");
        // A second marker would reset the settings of the first one.
        let of_resource = |read: &combinations::Read<'_>| read.marker.meaning() == Meaning::Resource;
        if let (Some(argument), Some(other)) = (argument, reads().rfind(of_resource)) {
            return merged(seen, comment, (place, problem), &format!("{argument}{value}"), &other);
        }
        // The rule may follow its message.
        let is_whole = value.contains("rule=");
        if let Some(argument) =
            intended.strip_prefix(RULE).filter(|argument| *argument != "rule" && !is_whole)
        {
            return of_rule(seen, (comment, self.list), (place, problem), (argument, value));
        }
        let mistake =
            Mistake::new(MistakeKind::Unknown, place, advised(problem, format!("write `{intended}`")));
        let mistake = mistake.with_intended_name(&intended);
        // A version of the type in another package may have such a marker.
        let is_safe = argument.is_none();
        let change =
            |intended: String| (format!("Change `{written}` to `{intended}`"), vec![(place, intended)]);
        // It is unknown whether all of the fields may be omitted.
        if written.ends_with(":OneOf") {
            let (title, edits) = change(intended.replace("Exactly", "AtMost"));
            let (exactly, of_exactly) = change(intended);
            return mistake.repaired(exactly, of_exactly, false).or_repaired(title, edits);
        }
        let (title, edits) = change(intended);
        mistake.repaired(title, edits, is_safe)
    }
}

/// The mistake for an argument that is written as a separate marker beside the marker that takes it.
fn merged(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (place, problem): (Place, String),
    argument: &str,
    other: &combinations::Read<'_>,
) -> Mistake {
    let words = advised(problem, format!("add `{argument}` to the other `{}`", other.name()));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let name = argument.split('=').next().unwrap_or(argument);
    if other.marker.argument(name).is_some() {
        return mistake.with_related(other.place(seen), format!("it has `{name}` already"));
    }
    let edits = combinations::merged(seen, comment, argument, other);
    mistake.repaired(format!("Add `{argument}` to `{}`", other.name()), edits, true)
}

/// The mistake for a key under another name, beside the marker that names the key for controller-gen.
fn repeats_key(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    place: Place,
) -> Option<Mistake> {
    let (name, value) = seen.text(comment).trim_start_matches('+').split_once('=')?;
    let is_same = |read: &combinations::Read<'_>| {
        read.marker.meaning() == Meaning::ListMapKey && read.marker.text("") == value.trim()
    };
    let other = list.iter().filter_map(|other| combinations::Read::of(seen, other)).find(is_same)?;
    let words = advised(
        format!("controller-gen ignores `{name}`, and `{}` names the key", other.name()),
        "remove it",
    );
    let mistake = Mistake::new(MistakeKind::Unknown, place, words).hint();
    Some(
        removable(seen, comment, mistake, name)
            .with_related(other.place(seen), "this one has the effect".to_owned()),
    )
}

/// Whether the markers of a declaration make a list a map, but name no key.
fn is_map_without_key(seen: CheckedFile<'_>, list: &[MarkerComment]) -> bool {
    let reads = || list.iter().filter_map(|other| combinations::Read::of(seen, other));
    let is_map = |read: &combinations::Read<'_>| {
        read.marker.meaning() == Meaning::ListType && read.marker.text("") == "map"
    };
    reads().any(|read| is_map(&read)) && !reads().any(|read| read.marker.meaning() == Meaning::ListMapKey)
}

/// The mistake for an argument of a rule that is written as a separate marker. It belongs to the preceding rule.
fn of_rule(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    (place, problem): (Place, String),
    (argument, value): (&str, &str),
) -> Mistake {
    let before = list.iter().take_while(|other| other.span != comment.span);
    let rule = before.filter_map(|other| Some((other, rule_in(seen, other)?))).last();
    let (name, whole) = (RULE.trim_end_matches(':'), format!("{argument}{value}"));
    let words = advised(problem, format!("write `{argument}` as an argument of `{name}`"));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let Some((rule, renamed)) = rule else { return mistake };
    let has_it =
        combinations::Read::of(seen, rule).is_some_and(|read| read.marker.argument(argument).is_some());
    if has_it {
        return mistake;
    }
    let end = seen.text(rule).trim_end().len();
    let mut edits = vec![
        (seen.line_of(comment.comment), String::new()),
        (seen.place_in_marker(rule, end..end), format!(",{whole}")),
    ];
    edits.extend(renamed);
    mistake.repaired(format!("Add `{argument}` to the rule before it"), edits, false)
}

/// `Some` if a marker is a rule or is meant as one, with the edit that turns it into a rule if necessary.
fn rule_in(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<Option<(Place, String)>> {
    if let Some(read) = combinations::Read::of(seen, comment) {
        return (read.marker.meaning() == Meaning::Validation).then_some(None);
    }
    let name = beginning(written_name(seen.text(comment)));
    let intended = nearest(name, Target::Field, MAX_DISTANCE)?;
    let is_rule = comment.read.is_none() && intended.strip_prefix(RULE) == Some("rule");
    is_rule.then(|| Some((seen.place_in_marker(comment, 1..1 + name.len()), intended)))
}

/// The remedy for a name that resembles no known name.
const CORRECT: &str = "correct the name, or remove the marker";

fn removable(seen: CheckedFile<'_>, comment: &MarkerComment, mistake: Mistake, name: &str) -> Mistake {
    mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false)
}

fn ignored_problem(written: &str) -> String {
    format!("controller-gen does not know the marker `{written}` and ignores it")
}

fn unknown_problem(name: &str) -> String {
    format!("no generator knows the marker `{name}`, so it has no effect")
}

/// The part after `kubebuilder:` of another generator that a misspelt part means.
fn of_other(second: &str) -> Option<&'static str> {
    let is_intended = |other: &&&str| {
        !OURS.contains(&second) && second.len() >= SHORTEST_OTHER && strsim::osa_distance(second, other) == 1
    };
    OTHERS.iter().find(is_intended).copied()
}
