//! Values as YAML with comments: `serde_yaml` writes the values, and our tree finds the lines of the comments.

use crd::value::{Kind, Map, Member, Value};
use serde::{Serialize, Serializer};
use yaml::{Tree, ValueKind};

/// The note beside the key of a member, by the path and the member.
pub(super) type Note<'n> = &'n dyn Fn(&str, &Member) -> Option<&'static str>;

/// The path of a member.
pub(super) fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Writes `value` as lines, with the identity of a resource first.
pub(super) fn lines(value: &Value, note: Note<'_>) -> String {
    let mut text = as_yaml(value);
    let mut notes = Vec::new();
    let tree = Tree::parse(&text);
    if let Some(root) = tree.documents().next().and_then(yaml::Document::root) {
        find_notes(value, root, "", note, &mut notes);
    }
    // From the end, so that earlier offsets remain valid.
    for (key_end, note) in notes.into_iter().rev() {
        let rest = text.get(key_end..).unwrap_or_default();
        let line_end = key_end + rest.find('\n').unwrap_or(rest.len());
        text.insert_str(line_end, &format!(" # {note}"));
    }
    text
}

/// `value` as lines, without comments. The API server reads the same value from them.
fn as_yaml(value: &Value) -> String {
    let options = serde_yaml::ser_options! {
        // Lists in manifests usually begin in the column of their key.
        compact_list_indent: true,
        // Each scalar remains on the line of its key. Besides, go-yaml cannot read some block scalars that
        // begin with a tab.
        prefer_block_scalars: false,
    };
    let mut text = String::new();
    match serde_yaml::to_fmt_writer_with_options(&mut text, &OrderedValue(value), options) {
        Ok(()) => text,
        // JSON is also YAML.
        Err(_) => format!("{}\n", value.to_json()),
    }
}

/// Finds the notes on the members of `value`, which is `written` in the text, and the ends of their keys, in bytes.
fn find_notes(
    value: &Value,
    written: yaml::Value<'_>,
    path: &str,
    note: Note<'_>,
    found: &mut Vec<(usize, &'static str)>,
) {
    match (&value.kind, written.kind()) {
        (Kind::Map(map), ValueKind::Mapping(mapping)) => {
            for ((key, member), entry) in ordered(map).zip(mapping.entries()) {
                let path = below(path, key);
                let key_end = entry.key_range().end as usize;
                found.extend(note(&path, member).map(|note| (key_end, note)));
                find_notes(&member.value, entry.value(), &path, note, found);
            }
        }
        (Kind::List(items), ValueKind::Sequence(sequence)) => {
            for ((index, value), item) in items.iter().enumerate().zip(sequence.items()) {
                find_notes(value, item.value(), &format!("{path}[{index}]"), note, found);
            }
        }
        _ => {}
    }
}

/// A value in the usual order of its keys.
struct OrderedValue<'v>(&'v Value);

impl Serialize for OrderedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.kind {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool(value) => serializer.serialize_bool(*value),
            Kind::Int(value) => serializer.serialize_i64(*value),
            Kind::Float(value) => serializer.serialize_f64(*value),
            Kind::String(text) => serializer.serialize_str(text),
            Kind::List(items) => serializer.collect_seq(items.iter().map(OrderedValue)),
            Kind::Map(map) => serializer
                .collect_map(ordered(map).map(|(key, member)| (&**key, OrderedValue(&member.value)))),
        }
    }
}

/// `apiVersion`, `kind` and `metadata` come first.
fn ordered(map: &Map) -> impl Iterator<Item = (&Box<str>, &Member)> {
    let is_first = |key: &str| matches!(key, "apiVersion" | "kind" | "metadata");
    let has_type = map.contains_key("apiVersion") && map.contains_key("kind");
    let first = map.iter().filter(move |(key, _)| has_type && is_first(key));
    first.chain(map.iter().filter(move |(key, _)| !has_type || !is_first(key)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::collections::BTreeSet;

    use yaml::Json;

    use crate::features::preview::write::*;

    /// The value that the API server reads.
    fn read(text: &str) -> Json {
        let tree = Tree::parse(text);
        let documents: Vec<_> = tree.documents().collect();
        assert_eq!(documents.len(), 1, "{text}");
        yaml::decode(documents[0]).unwrap_or_else(|error| panic!("{error:?}: {text}")).json
    }

    fn yaml_text(json: &Json) -> String {
        lines(&json.into(), &|_, _| None)
    }

    fn assert_survives(json: &Json) {
        let text = yaml_text(json);
        assert_eq!(read(&text).to_string(), json.to_string(), "{text}");
    }

    fn text(text: &str) -> Json {
        Json::String(text.to_owned())
    }

    fn object(members: impl IntoIterator<Item = (String, Json)>) -> Json {
        Json::Object(members.into_iter().collect())
    }

    /// Each raw scalar of the measured table, and each indicator that YAML knows.
    fn scalars() -> BTreeSet<String> {
        let table = include_str!("../../../../../fixtures/yaml/scalars.tsv");
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        let raw = rows.filter_map(|row| row.split('\t').nth(4)).map(str::to_owned);
        let indicators = [
            "-",
            "- a",
            "-a",
            "?",
            "? a",
            ":",
            ": a",
            "a:",
            "a: b",
            "a #b",
            "#",
            "[",
            "]",
            "{",
            "}",
            ",",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "'",
            "\"",
            "\\",
            "<<",
            "=",
            "---",
            "...",
            "--- a",
            "a\n---\n",
            " a",
            "a ",
            "\t",
            "\ta\nb",
            "a\tb",
            "\n",
            "\n\na",
            "a\n",
            "a\n\n",
            "a\r\nb",
            "\r",
            "é",
            "😀",
            "\u{0}",
            "\u{1}",
            "\u{7f}",
            "\u{85}",
            "a\u{85}b",
            "\u{a0}",
            "\u{2028}",
            "\u{feff}",
            "\u{feff}a",
            "\u{fffe}",
        ];
        let long = ["a ".repeat(1000), "a".repeat(2000)];
        raw.chain(indicators.map(str::to_owned)).chain(long).collect()
    }

    #[test]
    fn a_text_that_looks_like_another_type_stays_a_text() {
        assert_eq!(
            yaml_text(&object(
                ["yes", "0o7", "1_000", "12:30", "a b"].map(|key| (key.to_owned(), text(key)))
            )),
            "\"0o7\": \"0o7\"\n\"12:30\": \"12:30\"\n\"1_000\": \"1_000\"\na b: a b\n\"yes\": \"yes\"\n"
        );
        let scalars = scalars();
        assert!(scalars.len() >= 250, "{}", scalars.len());
        for scalar in scalars {
            let value = text(&scalar);
            assert_survives(&value);
            assert_survives(&Json::Array(vec![value.clone(), Json::Array(vec![value.clone()])]));
            // A key of more than 1024 characters is rejected in any notation.
            if scalar.len() < 1000 {
                assert_survives(&object([(scalar.clone(), object([(scalar, value)]))]));
            }
        }
    }

    #[test]
    fn random_values_are_read_as_what_they_are() {
        let seed = environment::seed(1);
        let scalars: Vec<String> = scalars().into_iter().filter(|scalar| scalar.len() < 1000).collect();
        let mut random = RandomValues { state: seed, scalars: &scalars };
        for case in 0..3_000 {
            let json = random.value(0);
            let text = yaml_text(&json);
            assert_eq!(read(&text).to_string(), json.to_string(), "seed {seed}, case {case}:\n{text}");
        }
    }

    struct RandomValues<'s> {
        state: u64,
        scalars: &'s [String],
    }

    impl RandomValues<'_> {
        /// SplitMix64.
        fn next(&mut self) -> u64 {
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }

        fn below(&mut self, count: usize) -> usize {
            (self.next() % count as u64) as usize
        }

        /// One scalar of the table, or several with separators.
        fn text(&mut self) -> String {
            let between = ["", " ", "\n", ": ", " #"][self.below(5)];
            let count = 1 + self.below(2) * self.below(3);
            let pieces: Vec<&str> =
                (0..count).map(|_| self.scalars[self.below(self.scalars.len())].as_str()).collect();
            pieces.join(between)
        }

        fn value(&mut self, depth: usize) -> Json {
            match self.below(if depth > 4 { 6 } else { 10 }) {
                0 => Json::Null,
                1 => Json::Bool(self.below(2) == 0),
                2 => {
                    let shift = self.below(64);
                    Json::Int((self.next() as i64) >> shift)
                }
                3 => Some(f64::from_bits(self.next())).filter(|float| float.is_finite()).map_or(
                    Json::Null,
                    // Numbers without a fraction are whole numbers in JSON.
                    |float| if float.fract() == 0.0 { Json::Float(float + 0.5) } else { Json::Float(float) },
                ),
                4 | 5 => Json::String(self.text()),
                6 | 7 => {
                    let count = self.below(4);
                    Json::Array((0..count).map(|_| self.value(depth + 1)).collect())
                }
                _ => {
                    let count = self.below(4);
                    object((0..count).map(|_| (self.text(), self.value(depth + 1))))
                }
            }
        }
    }

    #[test]
    fn notes_follow_the_key_or_the_value_on_its_line() {
        let json = read(
            "{spec: {a: {b: x}, c: [], d: [{e: 'on'}], f: \"two\\nlines # no comment\"}, apiVersion: v1, kind: K}",
        );
        let note = |path: &str, _: &Member| match path {
            "spec.a" | "spec.a.b" | "spec.c" | "spec.d" | "spec.d[0].e" | "spec.f" => Some("noted"),
            _ => None,
        };
        let expected = "\
apiVersion: v1
kind: K
spec:
  a: # noted
    b: x # noted
  c: [] # noted
  d: # noted
  - e: \"on\" # noted
  f: \"two\\nlines # no comment\" # noted
";
        let text = lines(&(&json).into(), &note);
        assert_eq!(text, expected);
        assert_eq!(read(&text), json);
    }
}
