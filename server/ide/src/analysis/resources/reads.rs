//! Which fields a rule of a definition reads, told from its text. It may seem to read more than it does, never less.

use crd::Segment;
use text::{TextBuffer, TextRange};
use yaml::{Reader, Tree, Value};

/// What a rule reads of the value that it is a rule of.
pub(super) struct Reads {
    /// The ways to fields, by their names. One that is empty is the whole value.
    chains: Vec<Vec<String>>,
    /// The same of `self` alone, each once.
    pub(super) own: Vec<Vec<String>>,
    /// The rule itself; empty where it cannot be read.
    pub(super) rule: String,
    /// How many fields below that value its errors stand.
    pub(super) depth: usize,
}

impl Reads {
    /// What the rule in CEL at `range` of a definition reads.
    pub(super) fn of_rule(definition: &TextBuffer, range: TextRange) -> Self {
        let text = definition.slice(range).into_owned();
        let everything = Self { chains: vec![Vec::new()], own: Vec::new(), rule: String::new(), depth: 0 };
        // What follows on other lines keeps its column, so the first line gets it as well.
        let column = column_of(definition, range);
        let tree = Tree::parse(&format!("{}{text}", " ".repeat(column)));
        let Some(document) = tree.documents().next() else { return everything };
        let reader = Reader::new(document);
        let Some(item) = document.root().and_then(Value::as_mapping) else { return everything };
        let of = |key: &str| -> Option<String> {
            let scalar = reader.follow(reader.entry(item, key)?.value())?.as_scalar()?;
            scalar.as_str().map(|text| text.into_owned())
        };
        let Some(rule) = of("rule") else { return everything };
        let depth = of("fieldPath").map_or(0, |path| super::words::path(path.trim_start_matches('.')).len());
        let mut own: Vec<Vec<String>> = Vec::new();
        for chain in chains_from("self", &rule) {
            if !own.contains(&chain) {
                own.push(chain);
            }
        }
        Self { chains: chains(&rule), own, rule, depth }
    }

    /// Whether it reads what is at the end of `steps`.
    pub(super) fn reads(&self, steps: &[Segment]) -> bool {
        let names: Vec<&str> = steps.iter().filter_map(Segment::key).collect();
        self.chains.iter().any(|chain| chain.iter().zip(&names).all(|(one, other)| one == other))
    }
}

fn column_of(text: &TextBuffer, range: TextRange) -> usize {
    text.position(range.start, text::PositionEncoding::Utf8).character as usize
}

/// The ways from `self` and `oldSelf` that an expression goes: `self.a.b.size() > 1` goes to `a.b`. Where it goes on by
/// an index, a macro or an escaped name, the way ends before.
fn chains(expression: &str) -> Vec<Vec<String>> {
    ["self", "oldSelf"].iter().flat_map(|root| chains_from(root, expression)).collect()
}

/// Those from `root`.
fn chains_from(root: &str, expression: &str) -> Vec<Vec<String>> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut chains = Vec::new();
    for (at, _) in expression.match_indices(root) {
        let before = expression.get(..at).unwrap_or_default();
        if before.ends_with(|char: char| is_word(char) || char == '.') {
            continue;
        }
        let mut rest = expression.get(at + root.len()..).unwrap_or_default();
        if rest.starts_with(is_word) {
            continue;
        }
        let mut chain = Vec::new();
        while let Some(behind) = rest.trim_start().strip_prefix('.') {
            let behind = behind.trim_start();
            let end = behind.find(|char| !is_word(char)).unwrap_or(behind.len());
            let (name, behind) = behind.split_at(end);
            let is_call = behind.trim_start().starts_with('(');
            if name.is_empty() || is_call || name.contains("__") {
                break;
            }
            chain.push(name.to_owned());
            rest = behind;
        }
        chains.push(chain);
    }
    chains
}

#[cfg(test)]
mod tests {
    use crate::analysis::resources::reads::*;

    fn read(expression: &str) -> Vec<String> {
        chains(expression).iter().map(|chain| chain.join(".")).collect()
    }

    #[test]
    fn a_rule_reads_the_fields_that_it_names() {
        assert_eq!(read("self.a.b > 1 && has(self.c)"), ["a.b", "c"]);
        assert_eq!(read("self.a.size() == 1"), ["a"]);
        assert_eq!(read("self.all(x, x.y)"), [""]);
        assert_eq!(read("self.a[0].b == oldSelf.c"), ["a", "c"]);
        assert_eq!(read("size(self) < 3"), [""]);
        assert_eq!(read("self.a__dash__b"), [""]);
        assert_eq!(read("selfish.a && x.self"), Vec::<String>::new());
    }

    #[test]
    fn what_is_below_or_above_is_read_too() {
        let chains = chains("self.a.b > 1");
        let reads = Reads { chains, own: Vec::new(), rule: String::new(), depth: 0 };
        let of = |names: &[&'static str]| -> bool {
            let steps: Vec<Segment> = names.iter().map(|name| Segment::Name((*name).into())).collect();
            reads.reads(&steps)
        };
        assert_eq!(
            [of(&["a"]), of(&["a", "b", "c"]), of(&["a", "c"]), of(&["d"])],
            [true, true, false, false]
        );
    }

    #[test]
    fn a_rule_is_read_in_its_definition() {
        let text =
            "x:\n  - fieldPath: .a.b\n    message: self.no\n    rule: >-\n      self.a.b >\n      self.c\n";
        let start = text.find("fieldPath").unwrap_or_default() as u32;
        let reads = Reads::of_rule(&TextBuffer::new(text), TextRange::new(start, text.len() as u32));
        assert_eq!((reads.chains.len(), reads.depth), (2, 2));
    }
}
