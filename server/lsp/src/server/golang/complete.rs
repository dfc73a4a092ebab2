//! Completion in a marker: names, arguments, values, and expressions.

use std::ops::Range;

use go::json::Json;
use go::marker::{ArgumentType, Meaning, ResolvedMarker, Shape, Target};
use go::version::Version;
use ide::{Completion, CompletionKind};
use text::{TextRange, TextSize};

use super::analysis::GoFile;
use super::cursor::{Cursor, MarkerPart, quoted};
use super::declared_type::{self, DeclaredType};
use super::expression::argument_at;
use super::hover::{arguments, names, rules_on_marker};
use super::packages::Packages;
use super::tags::in_tag;
use super::usual::{has_validation_of_kubernetes, place};

/// The input with which completion may generate definitions again.
pub(in crate::server) struct CompletionInput<'a> {
    pub(in crate::server) packages: &'a Packages,
    pub(in crate::server) settings: &'a dyn Fn(&std::path::Path) -> ide::Settings,
}

/// Markers of packages and types with definitions that other generators read.
const OF_OTHER_GENERATORS: [(Target, &str, &str); 3] = [
    (
        Target::Package,
        "kubebuilder:object:generate=true",
        "controller-gen writes `DeepCopy` methods for all types of the package.",
    ),
    (
        Target::Type,
        "kubebuilder:object:root=true",
        "controller-gen writes the methods of `runtime.Object`, which a kind and its list need.",
    ),
    (Target::Type, "genclient", "client-gen writes a typed client of the kind."),
];

/// Words that authors type to find a rule, and the arguments of that rule.
const OF_RULES: [(&str, &str); 5] = [
    ("cel", ""),
    ("rule", ""),
    ("expression", ""),
    ("validation", ""),
    ("immutable", "rule=\"self == oldSelf\",message=\"field is immutable\""),
];

impl GoFile {
    /// The completions at a place, the best first.
    pub(in crate::server) fn completions(
        &self,
        offset: TextSize,
        input: &CompletionInput<'_>,
    ) -> Vec<Completion> {
        let Some(cursor) = Cursor::at(&self.text, offset) else { return in_tag(&self.text, offset) };
        let version = self.version();
        if let Some(range) = value_of_root(&cursor) {
            return values(cursor.in_file(range), [("true".to_owned(), "")].into_iter());
        }
        if let Some(argument) = argument_at(&cursor, version) {
            return self.in_argument(&cursor, &argument, offset, input);
        }
        match cursor.part(version) {
            Some(MarkerPart::Name(range)) => self.of_names(&cursor, range),
            Some(MarkerPart::Argument(known, range)) => of_arguments(&cursor, known, range),
            Some(MarkerPart::Value(known, _, range)) if is_of_schema(known) => {
                let values = self.schema_at(&cursor, input).map(|schema| values_of(&schema, known));
                let values = values.filter(|values| !values.is_empty());
                let values = values.unwrap_or_else(|| self.constants_below(&cursor, known));
                proposals(&cursor, &range, &values)
            }
            Some(MarkerPart::Value(known, _, range)) if known.definition.meaning == Meaning::Enum => {
                let each = self.constants_below(&cursor, known);
                let all = (each.len() > 1).then(|| each.join(";"));
                proposals(&cursor, &range, &all.into_iter().chain(each).collect::<Vec<_>>())
            }
            Some(MarkerPart::Value(known, name, range)) if known.definition.meaning == Meaning::ListType => {
                let found = of_values(&cursor, known, name, range, None);
                let is_scalar = self.text.get(cursor.start..).and_then(declared_type::items_of).is_some();
                // Only objects have keys.
                found.into_iter().filter(|one| !is_scalar || one.label != "map").collect()
            }
            Some(MarkerPart::Value(known, _, range)) if known.definition.meaning.is_union() => {
                let schema = self.schema_at(&cursor, input);
                schema.map(|schema| members(&cursor, range, &schema)).unwrap_or_default()
            }
            Some(MarkerPart::Value(known, name, range)) => {
                let declared_type = self
                    .text
                    .get(cursor.start..)
                    .and_then(declared_type::declared_after)
                    .map(|(declared_type, _)| declared_type);
                of_values(&cursor, known, name, range, declared_type)
            }
            None => Vec::new(),
        }
    }

    /// The constants of the type below a marker, as they are written in the marker.
    fn constants_below(&self, cursor: &Cursor<'_>, known: ResolvedMarker) -> Vec<String> {
        let names = self.text.get(cursor.start..).map(declared_type::names).unwrap_or_default();
        let outcomes = self.generated.iter().map(|generated| &generated.outcome);
        let mut found = outcomes.map(|outcome| {
            let of = |name: &&str| outcome.constants(name, self.path.parent());
            names.iter().map(of).find(|values| !values.is_empty()).unwrap_or_default()
        });
        let values = found.find(|values| !values.is_empty()).unwrap_or_default();
        values.into_iter().map(|value| marker_value(&Json::Text(value), known)).collect()
    }

    fn of_names(&self, cursor: &Cursor<'_>, range: Range<usize>) -> Vec<Completion> {
        let version = self.version();
        let typed = cursor.text.get(range.start..cursor.at.min(range.end)).unwrap_or("");
        let is_followed = cursor.text.get(range.end..).is_some_and(|rest| rest.starts_with(['=', ':']));
        let declared_type = self.text.get(cursor.start..).and_then(declared_type::declared_after);
        let items = self.text.get(cursor.start..).and_then(declared_type::items_of);
        let of_kubernetes = typed.starts_with("k8") || has_validation_of_kubernetes(&self.text, cursor.start);
        // A marker may give the field another type.
        let has_type = self.text.contains("+kubebuilder:validation:Type=");
        let mut all = Vec::new();
        for known in names(cursor.target, version) {
            let name = known.name();
            let is_of_kubernetes = name.starts_with("k8s:");
            let misfit = declared_type.filter(|(declared_type, _)| !declared_type.admits(known, items));
            // A misfit is hidden, because editors sort names alphabetically; but if other comments follow, the field may not
            // be written yet.
            let is_misfit = misfit.is_some_and(|(_, is_next)| is_next) && !has_type;
            if is_misfit || is_of_kubernetes && !of_kubernetes {
                continue;
            }
            let (suffix, snippet) = if is_followed { ("", String::new()) } else { completion_suffix(known) };
            let misfit = u8::from(misfit.is_some());
            let later = u8::from(is_of_kubernetes);
            let suggests_again = !is_followed && has_values(known);
            let rank = format!("{}{misfit}{later}{:02}", rank(&name, typed), place(&name, cursor.target));
            all.push(Completion {
                label: format!("+{name}"),
                kind: CompletionKind::Keyword,
                detail: known.form(),
                documentation: format!("{}{}", known.definition.meaning.doc(), rules_on_marker(&name)),
                text: format!("{name}{suffix}"),
                snippet: (!snippet.is_empty()).then(|| format!("{name}{snippet}")),
                range: cursor.in_file(range.clone()),
                sort: format!("{rank}{name}"),
                suggests_again,
                ..nothing()
            });
        }
        if !is_followed {
            all.extend(of_rules(cursor, &range, typed, version));
        }
        for (name, doc) in OF_OTHER_GENERATORS
            .iter()
            .filter(|(target, ..)| *target == cursor.target)
            .map(|(_, name, doc)| (*name, *doc))
        {
            all.push(Completion {
                label: format!("+{name}"),
                kind: CompletionKind::Keyword,
                documentation: doc.to_owned(),
                text: name.to_owned(),
                range: cursor.in_file(range.clone()),
                sort: format!("{}00{:02}{name}", rank(name, typed), place(name, cursor.target)),
                ..nothing()
            });
        }
        all.sort_by(|one, other| one.sort.cmp(&other.sort));
        all
    }
}

/// Rules for a word that authors type to find one: `cel`, `immut`.
fn of_rules(cursor: &Cursor<'_>, range: &Range<usize>, typed: &str, version: Version) -> Vec<Completion> {
    let typed = typed.to_lowercase();
    if typed.len() < 2 || cursor.target == Target::Package {
        return Vec::new();
    }
    let matching = OF_RULES.iter().filter(|(word, _)| word.starts_with(&typed));
    let rule = names(cursor.target, version)
        .into_iter()
        .find(|known| known.definition.meaning == Meaning::Validation);
    let Some(known) = rule else { return Vec::new() };
    let name = known.name();
    let one = |(word, filled): &(&str, &str)| {
        let (suffix, snippet) = match *filled {
            "" => completion_suffix(known),
            filled => (filled, format!(":{filled}")),
        };
        let colon = if filled.is_empty() { "" } else { ":" };
        Completion {
            label: format!("+{name}{colon}{filled}"),
            kind: CompletionKind::Keyword,
            detail: known.form(),
            documentation: format!("{}{}", known.definition.meaning.doc(), rules_on_marker(&name)),
            text: format!("{name}{colon}{suffix}"),
            snippet: (!filled.is_empty() || !snippet.is_empty()).then(|| format!("{name}{snippet}")),
            range: cursor.in_file(range.clone()),
            sort: format!("000{word}"),
            filter: Some((*word).to_owned()),
            suggests_again: filled.is_empty(),
            ..nothing()
        }
    };
    matching.map(one).collect()
}

/// The value of `kubebuilder:object:root`, which is read by another generator.
fn value_of_root(cursor: &Cursor<'_>) -> Option<Range<usize>> {
    const ROOT: &str = "+kubebuilder:object:root=";
    let is_there = cursor.target == Target::Type && cursor.at >= ROOT.len();
    (is_there && cursor.text.starts_with(ROOT)).then_some(ROOT.len()..cursor.text.len())
}

/// Whether the values of a marker are those of the schema.
const fn is_of_schema(known: ResolvedMarker) -> bool {
    matches!(known.definition.meaning, Meaning::Default | Meaning::JsonDefault | Meaning::Example)
}

/// The fields that can be keys of the items of a list.
pub(super) fn keys(cursor: &Cursor<'_>, range: &Range<usize>, schema: &Json) -> Vec<Completion> {
    let Some(Json::Map(items)) = part_of(schema, "items") else { return Vec::new() };
    let Some(Json::Map(properties)) = items.get("properties") else { return Vec::new() };
    let is_scalar = |property: &Json| match property {
        Json::Map(property) => property.get("type").is_none_or(
            |kind| !matches!(kind, Json::Text(kind) if matches!(kind.as_str(), "array" | "object")),
        ),
        _ => false,
    };
    let fitting = properties.iter().filter(|(_, property)| is_scalar(property));
    proposals(cursor, range, &fitting.map(|(name, _)| name.clone()).collect::<Vec<_>>())
}

/// The fields of a type that a marker does not list yet, to replace the one at the cursor.
fn members(cursor: &Cursor<'_>, range: Range<usize>, schema: &Json) -> Vec<Completion> {
    let Some(Json::Map(properties)) = part_of(schema, "properties") else { return Vec::new() };
    let written = cursor.text.get(range.clone()).unwrap_or("");
    let before = written.get(..cursor.at.saturating_sub(range.start)).unwrap_or(written);
    let start = range.start + before.rfind(';').map_or(0, |at| at + 1);
    let rest = cursor.text.get(cursor.at..range.end).unwrap_or("");
    let end = range.end - rest.len() + rest.find(';').unwrap_or(rest.len());
    let listed: Vec<&str> = written.split(';').map(str::trim).collect();
    let left = properties.keys().filter(|name| !listed.contains(&name.as_str()));
    values(cursor.in_file(start..end), left.map(|name| (name.clone(), "")))
}

/// A keyword of a node that is shown with its name.
fn part_of<'j>(schema: &'j Json, keyword: &str) -> Option<&'j Json> {
    let Json::Map(schema) = schema else { return None };
    let Json::Map(schema) = schema.values().next()? else { return None };
    schema.get(keyword)
}

/// The values that a schema lists, as they are written in a marker.
fn values_of(schema: &Json, known: ResolvedMarker) -> Vec<String> {
    let listed = match (part_of(schema, "enum"), part_of(schema, "type")) {
        (Some(Json::List(values)), _) => values.clone(),
        (_, Some(Json::Text(ty))) if ty == "boolean" => vec![Json::Bool(true), Json::Bool(false)],
        _ => Vec::new(),
    };
    listed.iter().map(|value| marker_value(value, known)).collect()
}

/// A value as it is written in a marker: a text of one word needs no quotes.
fn marker_value(value: &Json, known: ResolvedMarker) -> String {
    let is_word = |text: &str| {
        let other = matches!(text, "true" | "false" | "null");
        text.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && text.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_'))
            && !other
    };
    match value {
        Json::Text(text) if !matches!(known.definition.shape, Shape::Json) && is_word(text) => text.clone(),
        value => value.encoded(),
    }
}

/// Whether values or expressions are proposed for a marker on any type. If there are none for this type, the editor says so.
fn has_values(known: ResolvedMarker) -> bool {
    let meaning = known.definition.meaning;
    let is_of_fields = meaning.is_union() || matches!(meaning, Meaning::ListMapKey | Meaning::Validation);
    is_of_fields
        || !meaning.values("").is_empty()
        || matches!(known.definition.shape, Shape::Value(ArgumentType::Bool))
}

/// The text after the name of a marker: plain, and as a snippet with placeholders.
fn completion_suffix(known: ResolvedMarker) -> (&'static str, String) {
    match known.definition.shape {
        Shape::Empty | Shape::OptionalValue(_) => ("", String::new()),
        Shape::Value(_) | Shape::Float(_) | Shape::Integer(_) | Shape::Json => ("=", String::new()),
        Shape::Arguments(arguments) => {
            let needed = arguments.iter().filter(|argument| !argument.optional).enumerate();
            let filled = needed.map(|(at, argument)| {
                let stop = at + 1;
                match argument.kind {
                    ArgumentType::Text => format!("{}=\"${{{stop}}}\"", argument.name),
                    _ => format!("{}=${{{stop}}}", argument.name),
                }
            });
            let filled: Vec<String> = filled.collect();
            // Some markers are complete without arguments.
            if filled.is_empty() { ("", String::new()) } else { (":", format!(":{}", filled.join(","))) }
        }
    }
}

/// The rank of a name: first those that start with the typed text, then those whose last part does, then others; names on
/// items last.
fn rank(name: &str, typed: &str) -> u8 {
    let typed = typed.to_lowercase();
    let last = name.rsplit(':').next().unwrap_or("").to_lowercase();
    match () {
        () if name.contains(":items:") && !typed.contains("items") => 3,
        () if name.to_lowercase().starts_with(&typed) => 0,
        () if last.starts_with(&typed) => 1,
        () => 2,
    }
}

fn of_arguments(cursor: &Cursor<'_>, known: ResolvedMarker, range: Range<usize>) -> Vec<Completion> {
    let written = |name: &str| cursor.text.contains(&format!("{name}="));
    let is_followed = cursor.text.get(range.end..).is_some_and(|rest| rest.starts_with('='));
    let left = arguments(known).iter().filter(|argument| is_followed || !written(argument.name));
    let one = |(at, argument): (usize, &go::marker::Argument)| {
        let is_text = argument.kind == ArgumentType::Text;
        let (text, snippet) = match () {
            () if is_followed => (argument.name.to_owned(), None),
            () if is_text => (format!("{}=", argument.name), Some(format!("{}=\"${{1}}\"", argument.name))),
            () => (format!("{}=", argument.name), None),
        };
        Completion {
            label: argument.name.to_owned(),
            kind: CompletionKind::Field,
            detail: argument.kind.type_name().to_owned(),
            documentation: if argument.optional { "optional".to_owned() } else { "required".to_owned() },
            text,
            snippet,
            range: cursor.in_file(range.clone()),
            sort: format!("{at:02}"),
            ..nothing()
        }
    };
    left.enumerate().map(one).collect()
}

fn of_values(
    cursor: &Cursor<'_>,
    known: ResolvedMarker,
    name: &'static str,
    range: Range<usize>,
    declared_type: Option<DeclaredType>,
) -> Vec<Completion> {
    let kind = match known.definition.shape {
        Shape::Value(kind) | Shape::OptionalValue(kind) => Some(kind),
        Shape::Arguments(arguments) => {
            arguments.iter().find(|argument| argument.name == name).map(|argument| argument.kind)
        }
        _ => None,
    };
    let booleans: &[(&str, &str)] = &[("true", ""), ("false", "")];
    let all = match known.definition.meaning.values(name) {
        [] if kind == Some(ArgumentType::Bool) => booleans,
        all => all,
    };
    let fits = |value: &str| {
        declared_type.is_none_or(|declared_type| known.items || declared_type.admits_value(known, value))
    };
    let fitting = all.iter().filter(|(value, _)| fits(value));
    let all = fitting.map(|(value, doc)| ((*value).to_owned(), *doc));
    values(cursor.within_quotes(&range, &quoted(cursor, &range)), all)
}

/// Values that replace the written one, with its quotes, by which editors filter them.
fn proposals(cursor: &Cursor<'_>, range: &Range<usize>, all: &[String]) -> Vec<Completion> {
    let written = cursor.text.get(range.clone()).unwrap_or("");
    let quote = written.chars().next().filter(|ch| matches!(ch, '"' | '`' | '\''));
    let found = values(cursor.in_file(range.clone()), all.iter().map(|value| (value.clone(), "")));
    let filtered = found.into_iter().map(|one| {
        let filter = quote.map(|quote| format!("{quote}{}", one.text.trim_matches('"')));
        Completion { filter, ..one }
    });
    filtered.collect()
}

/// Values with the documentation of each.
fn values<'d>(range: TextRange, all: impl Iterator<Item = (String, &'d str)>) -> Vec<Completion> {
    let one = |(at, (value, doc)): (usize, (String, &str))| Completion {
        label: value.clone(),
        kind: CompletionKind::Value,
        detail: doc.to_owned(),
        text: value,
        range,
        sort: format!("{at:02}"),
        ..nothing()
    };
    all.enumerate().map(one).collect()
}

/// A completion item with defaults for the fields that markers do not need.
pub(super) fn nothing() -> Completion {
    Completion {
        label: String::new(),
        kind: CompletionKind::Value,
        detail: String::new(),
        belongs_to: String::new(),
        documentation: String::new(),
        range: TextRange::default(),
        text: String::new(),
        snippet: None,
        sort: String::new(),
        filter: None,
        suggests_again: false,
        is_draft: false,
        indent: None,
    }
}

#[cfg(test)]
mod tests {
    use go::marker::Target;
    use go::version::Version;

    use super::*;

    #[test]
    fn every_marker_has_a_description() {
        for target in [Target::Package, Target::Type, Target::Field] {
            for known in names(target, Version::NEWEST) {
                assert!(known.definition.meaning.doc().ends_with('.'), "{}", known.name());
            }
        }
    }

    #[test]
    fn names_with_the_typed_prefix_come_first() {
        assert_eq!(rank("kubebuilder:validation:MaxLength", "kubebuilder:validation:Max"), 0);
        assert_eq!(rank("kubebuilder:validation:MaxLength", "maxl"), 1);
        assert_eq!(rank("optional", "maxl"), 2);
    }
}
