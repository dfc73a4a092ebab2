//! Values that another tool fills in before the server reads them, and the findings that are unknown until then.

use std::borrow::Cow;

use crd::{FieldPath, Segment};
use text::TextRange;
use yaml::{Entry, Mapping, Reader, Value, ValueKind};

use crate::UnvalidatedReason;

/// The maximum number in one document; more do not help anybody.
const MOST: usize = 1_000;

/// A value or key that another tool will replace.
#[derive(Clone, Debug)]
pub(crate) struct Placeholder {
    /// Its path from the root of the object.
    pub(crate) path: FieldPath,
    pub(crate) range: TextRange,
    /// Whether it is the key at the end of `path`, not the value there.
    pub(crate) is_key: bool,
    /// Whether it is `{NAME}` without quotes, which YAML reads as a mapping.
    pub(crate) is_mapping: bool,
    /// How it is written.
    pub(crate) form: PlaceholderForm,
}

/// The placeholders of an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placeholders {
    pub(crate) placeholders: Vec<Placeholder>,
    /// Whether there are more.
    pub(crate) is_cut: bool,
}

impl Placeholders {
    /// The placeholders in `root`. If it `has_bindings`, chainsaw evaluates text in parentheses. It descends
    /// in a loop.
    pub(crate) fn of<'t>(root: Value<'t>, reader: &Reader<'t>, has_bindings: bool) -> Self {
        let mut found = Self::default();
        let mut pending = vec![(root, FieldPath::root())];
        while let Some((value, path)) = pending.pop() {
            if found.placeholders.len() >= MOST {
                found.is_cut = true;
                break;
            }
            let Some(value) = reader.follow(value) else { continue };
            let mut add = |range, path: &FieldPath, is_key: bool, form: PlaceholderForm| {
                let is_mapping = !is_key && value.as_mapping().is_some();
                found.placeholders.push(Placeholder { path: path.clone(), range, is_key, is_mapping, form });
            };
            match value.kind() {
                ValueKind::Scalar(scalar) => {
                    if let Some(form) = form_of(&scalar.text(), has_bindings) {
                        add(value.range(), &path, false, form);
                    }
                }
                ValueKind::Mapping(mapping) if is_name_in_braces(mapping) => {
                    add(value.range(), &path, false, PlaceholderForm::Other);
                }
                ValueKind::Mapping(mapping) => {
                    for (key, entry) in reader.entries(mapping) {
                        let mut path = path.clone();
                        path.push_key(&key);
                        if let Some(form) = form_of(&key, has_bindings) {
                            add(entry.key_range(), &path, true, form);
                        }
                        pending.push((entry.value(), path));
                    }
                }
                ValueKind::Sequence(sequence) => {
                    for (index, item) in sequence.items().enumerate() {
                        let mut path = path.clone();
                        path.push_index(index);
                        pending.push((item.value(), path));
                    }
                }
                ValueKind::Alias(_) | ValueKind::Absent => {}
            }
        }
        found.placeholders.sort_by_key(|one| one.range);
        found
    }

    /// The placeholder that is the value at `path`, contains it, or is its key.
    pub(crate) fn placeholder_at(&self, path: &FieldPath) -> Option<&Placeholder> {
        self.placeholders.iter().find(|one| below(&one.path, path).is_some())
    }

    /// The placeholders below the value at `path`, each with its relative path.
    pub(crate) fn placeholders_below<'p, 'q>(
        &'p self,
        path: &'q FieldPath,
    ) -> impl Iterator<Item = (&'p Placeholder, &'p [Segment])> + use<'p, 'q> {
        self.placeholders.iter().filter_map(move |one| {
            let steps = below(path, &one.path)?;
            (!steps.is_empty()).then_some((one, steps))
        })
    }
}

/// The path from the value at `outer` to the one at `inner`, if `inner` is below. Different notations of a
/// key are equal.
fn below<'p>(outer: &FieldPath, inner: &'p FieldPath) -> Option<&'p [Segment]> {
    let (outer, inner) = (outer.segments(), inner.segments());
    let (front, rest) = inner.split_at_checked(outer.len())?;
    let is_same = |(one, other): (&Segment, &Segment)| match (one, other) {
        (Segment::Index(one), Segment::Index(other)) => one == other,
        (one, other) => one.key().is_some() && one.key() == other.key(),
    };
    outer.iter().zip(front).all(is_same).then_some(rest)
}

/// The notation of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlaceholderForm {
    /// An action of a text template.
    Action,
    Other,
}

impl PlaceholderForm {
    pub(crate) const fn reason(self) -> UnvalidatedReason {
        match self {
            Self::Action => UnvalidatedReason::Template,
            Self::Other => UnvalidatedReason::Placeholder,
        }
    }
}

/// Returns the form of the placeholder in `text`, if it has one.
pub(crate) fn form_of(text: &str, has_bindings: bool) -> Option<PlaceholderForm> {
    // Almost no text has any of these characters.
    if !text.contains(['{', '(', '<', '$']) {
        return None;
    }
    if text.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}")) {
        return Some(PlaceholderForm::Action);
    }
    let is_other = holds_variable(text)
        || holds_name_in_braces(text)
        || is_binding(text, has_bindings)
        || holds_name_in_brackets(text);
    is_other.then_some(PlaceholderForm::Other)
}

/// Returns whether `text` has `${NAME}`, possibly with an operator of envsubst after the name (`${NAME:=1}`,
/// `${NAME/a/b}`), `$(NAME)`, or `$NAME` in capitals.
fn holds_variable(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let Some(open) = rest.chars().next().filter(|open| matches!(open, '{' | '(')) else {
            let after = rest.trim_start_matches(is_of_name);
            return rest.strip_suffix(after).is_some_and(is_capital_name);
        };
        let rest = rest.get(1..).unwrap_or_default();
        let is_of_reference = |char: char| is_of_name(char) || open == '(' && matches!(char, '.' | '-');
        let after = rest.trim_start_matches(is_of_reference);
        let is_named = after.len() < rest.len() && !rest.starts_with(|char: char| char.is_ascii_digit());
        is_named
            && match open {
                '(' => after.starts_with(')'),
                _ => {
                    after.starts_with('}')
                        || after.starts_with([':', '-', '=', '+', '?', '#', '%', '/', '^', ',', '@'])
                            && after.contains('}')
                }
            }
    })
}

/// Returns whether `text` has `{NAME}`, in capitals as placeholders usually are. `{2,3}` in a pattern is not
/// a placeholder.
fn holds_name_in_braces(text: &str) -> bool {
    text.match_indices('{').any(|(at, open)| {
        let rest = text.get(at + open.len()..).unwrap_or_default();
        rest.split_once('}').is_some_and(|(name, _)| is_capital_name(name))
    })
}

/// Whether `char` may be part of the name of a variable.
fn is_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn is_capital_name(name: &str) -> bool {
    name.len() > 1
        && name.starts_with(|char: char| char.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns whether `mapping` is `{NAME}` without quotes: a key without a colon, and nothing else.
fn is_name_in_braces(mapping: Mapping<'_>) -> bool {
    let mut entries = mapping.entries();
    let is_name = |entry: Entry<'_>| {
        let name = entry.key().as_scalar().map(|key| key.text()).unwrap_or(Cow::Borrowed(""));
        entry.colon().is_none() && is_name(&name)
    };
    mapping.is_flow() && entries.next().is_some_and(is_name) && entries.next().is_none()
}

fn is_name(name: &str) -> bool {
    name.starts_with(|char: char| char.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Returns whether `text` is an expression of chainsaw: `($namespace)`,
/// `(join('-', [$test.metadata.name, 'one']))`. It needs no variable if only chainsaw reads the text.
fn is_binding(text: &str, has_bindings: bool) -> bool {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return false };
    has_bindings
        || inner.match_indices('$').any(|(at, _)| {
            inner.get(at + 1..).is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_alphabetic()))
        })
}

/// Returns whether `text` consists of `<name>` and characters of names: `<namespace>`,
/// `registry/<your image>:v1`. Prose with `<b>tags</b>` or comparisons has blanks around them, closing tags,
/// or words right in front.
fn holds_name_in_brackets(text: &str) -> bool {
    let (mut rest, mut has_one) = (text, false);
    while let Some((before, behind)) = rest.split_once('<') {
        let is_free = !before.ends_with(|char: char| char.is_ascii_alphanumeric());
        let Some((name, behind)) = behind.split_once('>') else { return false };
        let is_named = name.starts_with(|char: char| char.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-.".contains(&byte));
        if !is_free || !is_named || has_blank(before) {
            return false;
        }
        (rest, has_one) = (behind, true);
    }
    has_one && !has_blank(rest) && !rest.contains('>')
}

fn has_blank(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use yaml::Tree;

    use crate::analysis::validation_coverage::placeholders::*;

    #[test]
    fn placeholders_are_names_in_characters_that_values_do_not_have() {
        for text in [
            "${A}",
            "a-${b_1}.c",
            "${A:=1}",
            "${A:-x}",
            "${A/a/b}",
            "$${A}",
            "$(A)",
            "$(params.name)",
            "$NAME",
            "a-$NAME_1.b",
            "{GATEWAY_CLASS_NAME}",
            "a-{NAME}",
            "($namespace)",
            "(join('-', [$a, 'b']))",
            "<name>",
            "<your name>",
            "registry/<user>/app:<tag>",
        ] {
            assert_eq!(form_of(text, false), Some(PlaceholderForm::Other), "{text}");
        }
        for text in ["{{A}}", "a-{{ .Values.a }}"] {
            assert_eq!(form_of(text, false), Some(PlaceholderForm::Action), "{text}");
        }
        for text in [
            "$A",
            "$name",
            "$NAMEs",
            "[A-Z]$",
            "${}",
            "${1}",
            "${A",
            "${A B}",
            "$ {A}",
            "$()",
            "$(A B)",
            "a{2,3}",
            "[A-Z]{N}",
            "/pets/{petId}",
            "a < b",
            "a <b> c",
            "<b>bold</b>",
            "List<String>",
            "<1>",
            "a > b",
            "<a",
            "(a|b)",
            "(US$)",
            "{{",
            "}}{{",
        ] {
            assert_eq!(form_of(text, false), None, "{text}");
        }
        assert_eq!(form_of("(a)", true), Some(PlaceholderForm::Other));
    }

    #[test]
    fn placeholders_are_found_with_their_places() {
        let text = "a: {NAME}\nb: {c: d}\ne:\n- x: <name>\n${KEY}: 1\nf: {name}\ng: [{NAME: }]\n";
        let tree = Tree::parse(text);
        let document = tree.documents().next().unwrap();
        let found = Placeholders::of(document.root().unwrap(), &Reader::new(document), false);
        let places: Vec<String> = found.placeholders.iter().map(|one| one.path.to_string()).collect();
        assert_eq!(places, ["[a]", "[e][0][x]", "[${KEY}]", "[f]"]);
        let path = FieldPath::of_names(["e"]).index(0);
        assert_eq!(found.placeholders_below(&path).count(), 1);
        assert!(found.placeholder_at(&path).is_none() && found.placeholder_at(&path.child("x")).is_some());
    }
}
