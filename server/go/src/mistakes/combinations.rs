//! Markers of one field or type that contradict each other, repeat each other or have no effect there.

use std::collections::BTreeMap;

use super::column_names::usual_name;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, written_name};
use super::without_effect;
use crate::load::Place;
use crate::marker::{Data, Marker, Meaning, Target, Value};
use crate::strings;
use crate::syntax::{Expr, ExprKind, FileMarkers, MarkerComment};

pub(super) fn check(seen: CheckedFile<'_>, associated: &FileMarkers, found: &mut Vec<Mistake>) {
    for (target, list) in lists(seen, associated) {
        let known: Vec<Read<'_>> = list.iter().filter_map(|comment| Read::of(seen, comment)).collect();
        switched_off(seen, &known, found);
        without_effect::check(seen, &known, found);
        if target == Target::Field {
            contradictions(seen, &known, found);
        }
        check_list(seen, &known, found);
    }
    for declared in seen.types() {
        if let Some(list) = associated.types.get(declared.name.span.start) {
            exclusive(seen, list, &declared.expr, found);
        }
        if let ExprKind::Struct(fields) = &declared.expr.kind {
            for field in fields {
                if let Some(list) = associated.fields.get(field.spec.span.start) {
                    exclusive(seen, list, &field.expr, found);
                }
            }
        }
    }
}

/// Checks the markers of the package, which may be anywhere in the file.
pub(super) fn package(seen: CheckedFile<'_>, associated: &FileMarkers, found: &mut Vec<Mistake>) {
    let list = associated.package.iter();
    let known: Vec<Read<'_>> = list.filter_map(|comment| Read::of(seen, comment)).collect();
    switched_off(seen, &known, found);
    all_required(seen, &known, found);
    check_list(seen, &known, found);
}

fn check_list(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    if known.len() > 1 {
        repeated(seen, known, found);
        unique(seen, known, found);
        columns(seen, known, found);
        overridden(seen, known, found);
    }
}

/// A known marker without errors.
pub(super) struct Read<'f> {
    pub(super) comment: &'f MarkerComment,
    text: &'f str,
    pub(super) marker: &'f Marker,
}

impl<'f> Read<'f> {
    pub(super) fn of(seen: CheckedFile<'f>, comment: &'f MarkerComment) -> Option<Self> {
        let read = comment.read.as_deref().filter(|read| read.refusals.is_empty())?;
        Some(Self { comment, text: seen.text(comment), marker: &read.marker })
    }

    /// The name as written, without the argument that may follow.
    pub(super) fn name(&self) -> String {
        self.marker.definition.name()
    }

    /// The place of the name, without the `+`.
    pub(super) fn place(&self, seen: CheckedFile<'_>) -> Place {
        let name = written_name(self.text);
        seen.place_in_marker(self.comment, 1..1 + self.name().len().min(name.len()))
    }

    pub(super) fn value(&self) -> Option<&Data> {
        self.marker.argument("").map(|value| &value.data)
    }

    /// The text after `=`.
    pub(super) fn value_text(&self) -> &str {
        let value = self.marker.argument("");
        value.and_then(|value| self.text.get(value.range.clone())).unwrap_or("").trim()
    }
}

/// The markers of each type and field to check.
fn lists<'a>(
    seen: CheckedFile<'_>,
    associated: &'a FileMarkers,
) -> impl Iterator<Item = (Target, &'a [MarkerComment])> {
    let types = associated.types.markers_within(seen.scope).map(|(_, list)| (Target::Type, list));
    types.chain(associated.fields.markers_within(seen.scope).map(|(_, list)| (Target::Field, list)))
}

/// Checks for markers that disagree on whether a field is required. The one with the lowest rank decides.
fn contradictions(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let rank = |read: &Read<'_>| match read.marker.meaning() {
        Meaning::Optional if read.name() == "kubebuilder:validation:Optional" => Some((0, false)),
        Meaning::Required if read.name() == "kubebuilder:validation:Required" => Some((1, true)),
        Meaning::Optional => Some((2, false)),
        Meaning::Required | Meaning::K8sRequired => Some((3, true)),
        _ => None,
    };
    let ranked: Vec<_> = known.iter().filter_map(|read| Some((rank(read)?, read))).collect();
    let Some(((_, decided), winner)) = ranked.iter().min_by_key(|((rank, _), _)| *rank) else { return };
    for ((_, is_required), loser) in &ranked {
        if is_required != decided {
            let words = advised(
                format!("`{}` contradicts `{}`, which wins", loser.name(), winner.name()),
                "remove one of them",
            );
            let mistake = Mistake::new(MistakeKind::Overridden, loser.place(seen), words);
            let mistake = mistake.with_related(winner.place(seen), format!("`{}` wins", winner.name()));
            let title = format!("Remove `{}`, which has no effect", loser.name());
            found.push(mistake.removed(seen, loser.comment.comment, title, false));
        }
    }
}

/// Checks for markers that are written twice.
fn repeated(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let mut texts: BTreeMap<&str, &Read<'_>> = BTreeMap::new();
    for read in known {
        let Some(first) = texts.get(read.text) else {
            texts.insert(read.text, read);
            continue;
        };
        // kube-apiserver rejects such a repetition, so the definition has a finding.
        if matches!(read.marker.meaning(), Meaning::SelectableField) {
            continue;
        }
        let words = advised(format!("`{}` is repeated", read.name()), "remove one of the two");
        let mistake = Mistake::new(MistakeKind::Overridden, read.place(seen), words).hint();
        let mistake = mistake.with_related(first.place(seen), "the same marker".to_owned());
        let title = format!("Remove the repeated `{}`", read.name());
        found.push(mistake.removed(seen, read.comment.comment, title, true));
    }
}

/// Checks for duplicate items in the defaults of sets and of lists with keys.
fn unique(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let own = || known.iter().filter(|read| !read.marker.definition.items);
    if let (Some(default), Some(list)) = (default_of(own()), ListType::of(own())) {
        list.unique(seen, default, found);
    }
}

/// The marker whose default applies.
pub(super) fn default_of<'r, 'f: 'r>(
    reads: impl DoubleEndedIterator<Item = &'r Read<'f>> + Clone,
) -> Option<&'r Read<'f>> {
    let last = |meaning| reads.clone().rfind(|read| read.marker.meaning() == meaning);
    last(Meaning::Default).or_else(|| last(Meaning::JsonDefault))
}

/// The parts of an item that must be unique in a list.
pub(super) enum ListType<'r> {
    /// The whole item.
    Set,
    /// The values of these keys.
    Map(Vec<&'r str>),
}

impl<'r> ListType<'r> {
    /// The list type according to the markers; `None` for lists that allow equal items.
    pub(super) fn of<'f: 'r>(reads: impl DoubleEndedIterator<Item = &'r Read<'f>> + Clone) -> Option<Self> {
        let of = |meaning| reads.clone().filter(move |read| read.marker.meaning() == meaning);
        match of(Meaning::ListType).next_back()?.marker.text("") {
            "set" => Some(Self::Set),
            "map" => {
                let keys: Vec<&str> = of(Meaning::ListMapKey).map(|read| read.marker.text("")).collect();
                (!keys.is_empty()).then_some(Self::Map(keys))
            }
            _ => None,
        }
    }

    fn identity(&self, item: &Value) -> Option<String> {
        match (self, &item.data) {
            (Self::Set, _) => Some(item.to_json()?.encoded()),
            (Self::Map(keys), Data::Map(entries)) => {
                let value = |key: &&str| entries.iter().rfind(|(name, _)| name == key)?.1.to_json();
                let values: Option<Vec<_>> = keys.iter().map(|key| Some(value(key)?.encoded())).collect();
                Some(values?.join(","))
            }
            _ => None,
        }
    }

    /// Checks for duplicate items of a default: objects that do not set a value are then rejected.
    pub(super) fn unique(&self, seen: CheckedFile<'_>, default: &Read<'_>, found: &mut Vec<Mistake>) {
        let Some(Data::List(items)) = default.value() else { return };
        let mut first: BTreeMap<String, Place> = BTreeMap::new();
        for item in items {
            let place = seen.place_in_marker(default.comment, item.range.clone());
            let Some(identity) = self.identity(item) else { continue };
            let Some(before) = first.get(&identity) else {
                first.insert(identity, place);
                continue;
            };
            let words = match self {
                Self::Set => advised(
                    "the default has this value twice, but the items of a set are unique",
                    "remove one",
                ),
                Self::Map(keys) => advised(
                    format!("two items of the default have the same `{}`", keys.join("`, `")),
                    "change or remove one",
                ),
            };
            let mistake = Mistake::new(MistakeKind::Value, place, words);
            found.push(mistake.with_related(*before, "the same item".to_owned()));
        }
    }
}

/// Checks for markers whose effect a later one cancels.
fn overridden(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let mut last: BTreeMap<(bool, &'static str), Vec<&Read<'_>>> = BTreeMap::new();
    for read in known {
        // Only other tools read `default=ref(…)`.
        let is_ours = read.marker.meaning() != Meaning::JsonDefault || read.value() != Some(&Data::None);
        if let Some(keyword) = keyword(read.marker).filter(|_| is_ours) {
            last.entry((read.marker.definition.items, keyword)).or_default().push(read);
        }
    }
    for reads in last.into_values() {
        let is_late = |read: &&&Read<'_>| read.marker.meaning() != Meaning::JsonDefault;
        let Some(winner) = reads.iter().rfind(is_late).or(reads.last()) else { continue };
        for read in &reads {
            let is_same =
                read.text == winner.text || json(read).is_some_and(|value| Some(value) == json(winner));
            if std::ptr::eq(*read, *winner) || is_same {
                continue;
            }
            if has_more(read, winner) {
                found.extend(reset(seen, read, winner));
                continue;
            }
            let words = if read.name() == winner.name() {
                advised(format!("another `{}` overrides this one", read.name()), "remove one of the two")
            } else {
                advised(format!("`{}` overrides `{}`", winner.name(), read.name()), "remove one of the two")
            };
            let mistake = Mistake::new(MistakeKind::Overridden, read.place(seen), words);
            let mistake = mistake.with_related(winner.place(seen), "this one has the effect".to_owned());
            let title = format!("Remove `{}`, which has no effect", read.name());
            found.push(mistake.removed(seen, read.comment.comment, title, false));
        }
    }
}

/// Arguments of `resource` that another `resource` overrides only if it has them as well.
const LASTING: [&str; 2] = ["path", "singular"];

/// Whether `read` is a `resource` with an argument that `winner` lacks.
fn has_more(read: &Read<'_>, winner: &Read<'_>) -> bool {
    let mut names = read.marker.arguments.iter().map(|(name, _)| name);
    read.marker.meaning() == Meaning::Resource && names.any(|name| winner.marker.argument(name).is_none())
}

/// The mistake for such a marker: the other arguments, which `winner` sets or resets.
fn reset(seen: CheckedFile<'_>, read: &Read<'_>, winner: &Read<'_>) -> Option<Mistake> {
    let lost = read.marker.arguments.iter().map(|(name, _)| *name).filter(|name| !LASTING.contains(name));
    let lost: Vec<String> = lost.map(|name| format!("`{name}`")).collect();
    if lost.is_empty() {
        return None;
    }
    let words = advised(
        format!("another `{}` resets {} of this one", winner.name(), lost.join(", ")),
        "merge the two into one marker",
    );
    let mistake = Mistake::new(MistakeKind::Overridden, read.place(seen), words);
    let mistake = mistake.with_related(winner.place(seen), "this one has the effect".to_owned());
    let missing = read.marker.arguments.iter().filter(|(name, _)| winner.marker.argument(name).is_none());
    let missing = missing.map(|(name, value)| {
        let text = seen.text(read.comment);
        format!("{name}={}", text.get(value.range.clone()).unwrap_or(""))
    });
    let edits = merged(seen, read.comment, &missing.collect::<Vec<_>>().join(","), winner);
    Some(mistake.repaired("Merge the two markers".to_owned(), edits, false))
}

/// The edits that move arguments from one marker to another.
pub(super) fn merged(
    seen: CheckedFile<'_>,
    from: &MarkerComment,
    arguments: &str,
    to: &Read<'_>,
) -> Vec<(Place, String)> {
    let mark = if to.marker.arguments.is_empty() { ":" } else { "," };
    let len = seen.text(to.comment).trim_end().len();
    vec![
        (seen.line_of(from.comment), String::new()),
        (seen.place_in_marker(to.comment, len..len), format!("{mark}{arguments}")),
    ]
}

fn json(read: &Read<'_>) -> Option<crate::json::Json> {
    read.marker.argument("").and_then(crate::marker::Value::to_json)
}

/// The setting of a marker that can be set only once.
const fn keyword(marker: &Marker) -> Option<&'static str> {
    match marker.meaning() {
        Meaning::GroupName => Some("group"),
        Meaning::VersionName => Some("version"),
        Meaning::Resource => Some("resource"),
        Meaning::Scale => Some("scale"),
        Meaning::DeprecatedVersion => Some("deprecated"),
        // Several rules are allowed, and setting a flag twice has no effect.
        Meaning::Validation
        | Meaning::PreserveUnknownFields
        | Meaning::EmbeddedResource
        | Meaning::IntOrString
        | Meaning::Nullable => None,
        meaning => meaning.keyword(),
    }
}

/// Checks for columns with the same name.
fn columns(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let mut first: BTreeMap<&str, Place> = BTreeMap::new();
    for read in known.iter().filter(|read| read.marker.meaning() == Meaning::PrintColumn) {
        let Some(value) = read.marker.argument("name") else { continue };
        let Data::Text(name) = &value.data else { continue };
        let place = seen.place_in_marker(read.comment, value.range.clone());
        let Some(before) = first.get(&**name) else {
            first.insert(name, place);
            continue;
        };
        // Another check reports equal markers.
        if known.iter().any(|other| !std::ptr::eq(other, read) && other.text == read.text) {
            continue;
        }
        let words = advised(format!("two columns have the name `{name}`"), "rename one");
        let mistake = Mistake::new(MistakeKind::Overridden, place, words);
        let mistake = mistake.with_related(*before, "the other column".to_owned());
        let is_free = |new: &String| known.iter().all(|other| other.marker.text("name") != new.as_str());
        found.push(match usual_name(read.marker).filter(is_free) {
            Some(new) => {
                let edits = vec![(place, strings::quoted(&new))];
                mistake.repaired(format!("Change `{name}` to `{new}`"), edits, false)
            }
            None => mistake,
        });
    }
}

/// Checks for `Required` on the package: fields are required by default, and `Optional` on the package takes
/// precedence.
fn all_required(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    for read in known.iter().filter(|read| read.marker.meaning() == Meaning::Required) {
        let optional = known.iter().find(|other| other.marker.meaning() == Meaning::Optional);
        let reason = optional.map_or_else(
            || "fields are required by default".to_owned(),
            |optional| format!("`{}` wins", optional.name()),
        );
        let words =
            advised(format!("`{}` has no effect on the package, because {reason}", read.name()), "remove it");
        let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words).hint();
        let title = format!("Remove `{}`", read.name());
        found.push(mistake.removed(seen, read.comment.comment, title, false));
    }
}

/// Checks for flags that are false, which is the default.
fn switched_off(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    for read in known {
        let is_flag = matches!(
            read.marker.meaning(),
            Meaning::ExclusiveMaximum | Meaning::ExclusiveMinimum | Meaning::UniqueItems
        );
        if is_flag && read.value() == Some(&Data::Bool(false)) {
            let words = advised(
                format!("`{}=false` has no effect, because false is the default", read.name()),
                "remove it",
            );
            let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words).hint();
            let title = format!("Remove `{}`", read.name());
            found.push(mistake.removed(seen, read.comment.comment, title, true));
        }
    }
}

/// Checks for `ExclusiveMaximum` without a maximum. Types of the project are skipped because they may have one.
fn exclusive(seen: CheckedFile<'_>, list: &[MarkerComment], expr: &Expr, found: &mut Vec<Mistake>) {
    if !is_number(expr) {
        return;
    }
    let known: Vec<Read<'_>> = list.iter().filter_map(|comment| Read::of(seen, comment)).collect();
    for (exclusive, bound) in
        [(Meaning::ExclusiveMaximum, Meaning::Maximum), (Meaning::ExclusiveMinimum, Meaning::Minimum)]
    {
        let of = |meaning| {
            known.iter().find(|read| read.marker.meaning() == meaning && !read.marker.definition.items)
        };
        let Some(read) = of(exclusive).filter(|read| read.value() == Some(&Data::Bool(true))) else {
            continue;
        };
        if of(bound).is_none() {
            let needed = read.name().replace("Exclusive", "");
            let words = advised(
                format!("`{}` has no effect without `{needed}`", read.name()),
                "add the bound, or remove the marker",
            );
            let title = format!("Remove `{}`, which has no effect", read.name());
            let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
            found.push(mistake.removed(seen, read.comment.comment, title, false));
        }
    }
}

fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Pointer(inner) => is_number(inner),
        ExprKind::Ident(name) => {
            matches!(
                &**name,
                "int"
                    | "int8"
                    | "int16"
                    | "int32"
                    | "int64"
                    | "uint"
                    | "uint8"
                    | "uint16"
                    | "uint32"
                    | "uint64"
            )
        }
        _ => false,
    }
}
