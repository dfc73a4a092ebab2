//! Keys, tags and numbers for which the API server rejects a document that is well-formed YAML.

use std::borrow::Cow;

use text::TextRange;

use super::tree::{Decoder, WRONG_MERGE};
use crate::ast::{Document, Entry, Item, Value, ValueKind};
use crate::scalar::{self, ResolveError, ScalarStyle};

/// More problems than this in one document help nobody.
const MOST: usize = 100;

/// A value or key that the decoder rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueProblem {
    /// The byte range of the value or key.
    pub range: TextRange,
    /// The problem, for a person.
    pub problem: Cow<'static, str>,
    /// The remedy, if it is certain.
    pub remedy: Option<&'static str>,
    /// The server's message.
    pub server: String,
}

/// The keys, tags and numbers of `document` that the decoder rejects; [`crate::alias_problems`] checks the
/// aliases. Free if the document contains nothing unusual.
#[must_use]
pub fn value_problems(document: Document<'_>) -> Vec<ValueProblem> {
    let flags = document.syntax().node().flags();
    let mut problems = Vec::new();
    let Some(root) = document.first_value().filter(|_| flags.unusual) else { return problems };
    let mut walk = ProblemWalk { decoder: Decoder::new(document), problems: &mut problems };
    let mut pending = vec![root];
    while let Some(value) = pending.pop().filter(|_| walk.problems.len() < MOST) {
        walk.value(value);
        if value.node().is_some_and(|node| !node.node().flags().unusual) {
            continue;
        }
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                for entry in walk.decoder.entries(mapping).rev() {
                    walk.entry(entry);
                    pending.extend([entry.value(), entry.key()]);
                }
            }
            ValueKind::Sequence(sequence) => {
                pending.extend(walk.decoder.items(sequence).rev().map(Item::value))
            }
            _ => {}
        }
    }
    problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
    problems.dedup();
    problems.truncate(MOST);
    problems
}

struct ProblemWalk<'w, 't> {
    decoder: Decoder<'t>,
    problems: &'w mut Vec<ValueProblem>,
}

impl<'t> ProblemWalk<'_, 't> {
    fn add(&mut self, range: TextRange, problem: &'static str, server: String) {
        self.problems.push(ValueProblem { range, problem: problem.into(), remedy: None, server });
    }

    /// Adds a problem that quotes repair.
    fn add_unquoted(&mut self, range: TextRange, problem: impl Into<Cow<'static, str>>, server: String) {
        self.problems.push(ValueProblem { range, problem: problem.into(), remedy: Some("quote it"), server });
    }

    /// Checks the tag of a value and, for a scalar, its text.
    fn value(&mut self, value: Value<'t>) {
        let tag = match self.decoder.tag(value) {
            Ok(tag) => tag,
            Err(error) => {
                return self.add(error.range, "no `%TAG` line declares this tag handle", error.message);
            }
        };
        let resolved = match value.kind() {
            ValueKind::Scalar(scalar) => scalar::resolve(scalar.text(), scalar.style(), tag.as_deref()),
            ValueKind::Absent => scalar::resolve(Cow::Borrowed(""), ScalarStyle::Plain, tag.as_deref()),
            _ => return,
        };
        if let Err(error) = resolved {
            let (range, server) = (value.range(), error.to_string());
            match error {
                ResolveError::UnsupportedValue(_) => {
                    self.add_unquoted(range, "JSON cannot represent this number", server)
                }
                ResolveError::WrongTag { .. } => self.add(range, "the value does not match its tag", server),
                ResolveError::InvalidBase64 => self.add(range, "this is not base64", server),
            }
        }
    }

    /// Checks the key of an entry.
    fn entry(&mut self, entry: Entry<'t>) {
        let range = entry.key_range();
        if self.decoder.is_merge(entry).unwrap_or(false) {
            // An alias without an anchor is reported separately.
            let is_unknown = |value: Value<'t>| self.decoder.follow(value).is_none();
            let has_unknown = match entry.value().kind() {
                ValueKind::Sequence(list) => list.items().any(|item| is_unknown(item.value())),
                _ => is_unknown(entry.value()),
            };
            if let Some(range) = self.decoder.wrong_merge(entry.value()).filter(|_| !has_unknown) {
                self.add(range, "`<<` merges only mappings", WRONG_MERGE.to_owned());
            }
            return;
        }
        let Some(key) = self.decoder.follow(entry.key()) else { return };
        let Ok(tag) = self.decoder.tag(key) else { return };
        let (text, style) = match key.kind() {
            ValueKind::Mapping(_) | ValueKind::Sequence(_) => {
                // A problem within the key is reported separately.
                let key = self.decoder.value(key, 0).map_or_else(|_| String::new(), |key| key.go_syntax());
                return self.add(
                    range,
                    "a list or mapping cannot be a key",
                    format!("yaml: invalid map key: {key}"),
                );
            }
            ValueKind::Scalar(scalar) => (scalar.text(), scalar.style()),
            _ => (Cow::Borrowed(""), ScalarStyle::Plain),
        };
        let written = text.clone();
        let Ok(resolved) = scalar::resolve_key(text, style, tag.as_deref()) else { return };
        if let Err(error) = scalar::key_text(&resolved) {
            // A problem within the value is reported separately.
            let value = self.decoder.value(entry.value(), 0);
            let value = value.map_or_else(|_| String::new(), |value| value.go_syntax());
            let problem = match (&resolved, written.is_empty()) {
                (scalar::ResolvedScalar::Null, true) => "the key is missing, and null cannot be a key".into(),
                (scalar::ResolvedScalar::Null, false) => {
                    Cow::from(format!("`{written}` is null, which cannot be a key"))
                }
                _ => "this number is too large for a key".into(),
            };
            let remedy = if written.is_empty() { "write a key" } else { "quote it" };
            let server = error.message(&value);
            self.problems.push(ValueProblem { range, problem, remedy: Some(remedy), server });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Tree, value_problems};

    fn problems(text: &str) -> Vec<String> {
        let tree = Tree::parse(text);
        let problems = tree.documents().flat_map(value_problems);
        problems.map(|problem| format!("{}: {}", &text[problem.range.as_usize()], problem.server)).collect()
    }

    #[test]
    fn keys_without_a_json_form() {
        assert_eq!(problems("[a, 1]: b\n"), [r#"[a, 1]: yaml: invalid map key: []interface {}{"a", 1}"#]);
        assert_eq!(
            problems("a:\n  ~: [1]\n"),
            ["~: unsupported map key of type: %!s(<nil>), key: <nil>, value: []interface {}{1}"]
        );
        assert_eq!(problems("a: &x {b: c}\n*x : d\n").len(), 1);
    }

    #[test]
    fn values_without_a_json_form_and_wrong_tags() {
        assert_eq!(problems("a: .inf\n"), [".inf: json: unsupported value: +Inf"]);
        assert_eq!(problems("a: !!int x\n"), ["x: yaml: cannot decode !!str `x` as a !!int"]);
        assert_eq!(problems("a: !x!y z\n"), ["!x!y: yaml: found undefined tag handle"]);
    }

    #[test]
    fn only_mappings_merge() {
        assert_eq!(
            problems("<<: [{a: 1}, b]\n"),
            ["b: yaml: map merge requires map or sequence of maps as the value"]
        );
    }

    #[test]
    fn usual_values_have_no_problem() {
        assert_eq!(problems("a: null\nb: [~, -1, +x, .5]\n<<: {c: d}\n1: !!str 2\n"), Vec::<String>::new());
    }
}
