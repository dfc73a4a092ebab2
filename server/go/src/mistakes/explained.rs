//! What to do about what controller-gen reports of types.

use super::mistake::{Repair, Seen, written_name};
use crate::generate::Outcome;
use crate::load::Place;
use crate::schema::Problem;
use crate::syntax::Span;

/// What messages begin with, and what to do; the first that fits counts.
const REMEDIES: &[(&str, &str)] = &[
    ("must apply listMapKey to an associative-list", "add `listType=map`"),
    (MISPLACED, "remove the marker, or change the type of the field"),
    ("cannot apply non-integral", "write a whole number"),
    ("encountered struct field", "add a tag such as `json:\"name\"`, or `json:\"-\"`"),
    ("found float", "use a string, or generate with `crd:allowDangerousTypes=true`"),
    ("unsupported AST kind", "use a type that JSON has, or add the tag `json:\"-\"`"),
    ("map keys must be", "use `string` as the type of the keys"),
    ("unsupported type", "use a string, a boolean, `int32`, `int64`, a struct, a list or a map"),
    ("unknown type", "declare the type, or correct its name"),
    ("use of unimported package", "import the package"),
    ("annotation ", "write `name=value`"),
    ("no enum values found", "declare constants of the type"),
    ("conflicting types in allOf", "give the field and its type the same `Type`"),
];

/// What messages about markers begin with that do not fit the type.
const MISPLACED: &str = "must apply ";

/// What the longest message of all goes on with, which is its remedy.
const DISCOURAGED: &str = ", the usage of which";

/// What a problem is, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What controller-gen says, or does.
    pub problem: String,
    /// What to do, as an imperative; none where the problem says it.
    pub remedy: Option<&'static str>,
    /// How it is done, where that is known.
    pub repair: Option<Repair>,
}

impl Outcome {
    /// What a problem is in words for a person, and what to do about it.
    #[must_use]
    pub fn advice(&self, problem: &Problem) -> Advice {
        let said = problem.message.split(DISCOURAGED).next().unwrap_or_default();
        let by = if said.starts_with("controller-gen") { "" } else { "controller-gen: " };
        let known = REMEDIES.iter().find(|(start, _)| said.starts_with(start));
        let is_misplaced = known.is_some_and(|(start, _)| *start == MISPLACED);
        let repair = problem.token.filter(|_| is_misplaced).and_then(|token| self.without_marker(token));
        Advice { problem: format!("{by}{said}"), remedy: known.map(|(_, remedy)| *remedy), repair }
    }

    /// The removal of the marker that a token is in.
    fn without_marker(&self, token: Place) -> Option<Repair> {
        let file = self.source(token.file)?;
        let seen = Seen::all(token.file, file, self.version);
        let before = file.slice(Span { start: 0, end: token.span.start });
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let comment = start + before.get(start..)?.find("//")?;
        let rest = file.text.get(comment..)?;
        let written = rest.lines().next()?;
        let name = written_name(written.trim_start_matches('/').trim_start());
        let span = Span { start: comment as u32, end: (comment + written.trim_end().len()) as u32 };
        let edits = vec![(seen.line_of(span), String::new())];
        Some(Repair { title: format!("Remove `{name}`"), edits, is_safe: false })
    }
}
