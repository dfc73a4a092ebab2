//! Pieces of real files with random changes, compared with yaml-rust2: if both accept a text, they read the
//! same; if only one does, the reason is known. The files come from the corpus, or from the fixtures if there
//! is no corpus; `CRD_LS_CASES` makes a longer run, `CRD_LS_SEED` a different one.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

mod support;

#[allow(dead_code)]
#[path = "../../../tests/support/edits.rs"]
mod edits;
#[path = "support/mutations.rs"]
mod mutations;

use std::collections::BTreeMap;

use edits::Random;
use yaml::syntax::ElementRef;
use yaml::{RejectedBy, SyntaxError, SyntaxErrorKind as Kind, SyntaxKind, Tree};

/// One text and its two readings.
struct Case {
    text: String,
    tree: Tree,
    /// Our errors that are also errors in YAML 1.2, in the order of the text.
    refusals: Vec<SyntaxError>,
    theirs: Result<Vec<String>, String>,
}

impl Case {
    fn new(text: String) -> Self {
        let tree = Tree::parse(&text);
        let mut refusals = tree.errors();
        refusals.retain(|error| matches!(error.kind.verdict(), RejectedBy::Both | RejectedBy::OnlyYaml12));
        refusals.sort_by_key(|error| error.range.start);
        Self { theirs: support::their_events(&text), text, tree, refusals }
    }

    /// Whether there are rejections and all are of these kinds.
    fn refused_for(&self, kinds: &[Kind]) -> bool {
        !self.refusals.is_empty() && self.refusals.iter().all(|error| kinds.contains(&error.kind))
    }

    fn has(&self, kind: Kind) -> bool {
        self.tree.errors().iter().any(|error| error.kind == kind)
    }

    fn their_error_contains(&self, words: &str) -> bool {
        self.theirs.as_ref().is_err_and(|error| error.contains(words))
    }

    /// The byte offset of yaml-rust2's error.
    fn their_offset(&self) -> Option<usize> {
        let error = self.theirs.as_ref().err()?;
        let number = |word: &str| {
            let after = error.split(word).nth(1)?.trim_start();
            after.split(' ').next()?.parse::<usize>().ok()
        };
        let line = self.text.lines().nth(number(" line ")? - 1)?;
        let (at, _) = line.char_indices().nth(number(" column ")? - 1)?;
        Some(line.as_ptr() as usize - self.text.as_ptr() as usize + at)
    }

    /// The character at yaml-rust2's error.
    fn their_place(&self) -> Option<char> {
        self.text[self.their_offset()?..].chars().next()
    }

    /// Whether we report one of `kinds` at exactly the character of yaml-rust2's error.
    fn has_error_at_their_place(&self, kinds: &[Kind]) -> bool {
        let there = self.their_offset();
        let mut errors = self.tree.errors().into_iter().filter(|error| kinds.contains(&error.kind));
        errors.any(|error| Some(error.range.start as usize) == there)
    }

    /// Whether the byte offset `at` is within a quoted scalar, brackets or braces.
    fn is_in_quotes_or_brackets(&self, at: u32) -> bool {
        let mut node = self.tree.root();
        loop {
            match node.element_at(at) {
                Some(ElementRef::Node(below))
                    if matches!(below.kind(), SyntaxKind::FlowMapping | SyntaxKind::FlowSequence) =>
                {
                    return true;
                }
                Some(ElementRef::Node(below)) => node = below,
                Some(ElementRef::Token(token)) => {
                    return matches!(token.kind, SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted);
                }
                None => return false,
            }
        }
    }

    /// The same text without the rejections for the column of a line in quotes or brackets, if there are both
    /// such and other rejections: the remaining text is compared separately.
    fn but_for_columns(&self) -> Option<Self> {
        let mut rest = Self::new(self.text.clone());
        rest.refusals.retain(|error| {
            error.kind != Kind::FlowIndentation || !self.is_in_quotes_or_brackets(error.range.start)
        });
        (!rest.refusals.is_empty() && rest.refusals.len() < self.refusals.len()).then_some(rest)
    }

    /// The line of the first rejection, without its indentation.
    fn refused_line(&self) -> &str {
        let at = self.refusals.first().map_or(0, |error| error.range.start as usize);
        let start = self.text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        self.text[start..].split(['\n', '\r']).next().unwrap_or_default().trim_start()
    }

    /// Whether a `?` is followed by a comma or a closing bracket, with at most blanks between.
    fn has_bare_question(&self) -> bool {
        let mut after = self.text.split('?').skip(1);
        after.any(|after| after.trim_start().starts_with([',', ']', '}']))
    }

    /// The text in the range of the first rejection.
    fn refused_text(&self) -> &str {
        self.refusals.first().map_or("", |error| &self.text[error.range.as_usize()])
    }
}

/// A known difference: the condition for it, and whose fault it is.
struct KnownDifference {
    name: &'static str,
    applies: fn(&Case) -> bool,
}

const MARKER_IN_TEXT_BLOCK: KnownDifference = KnownDifference {
    name: "yaml-rust2 reads the `---` behind a text block that is a whole document into it; nobody else does",
    applies: |case| {
        let mut roots = case.tree.documents().filter_map(|document| document.root()?.as_scalar());
        roots.any(|root| root.token().text.starts_with(['|', '>'])) && case.text.contains("\n---")
    },
};

const BARE_QUESTION: &str =
    "yaml-rust2 looks for a key behind the closing bracket of `[? ]`; YAML 1.2 and go-yaml do not";

/// Texts that only we reject; all of them are errors in YAML 1.2.
const ONLY_WE_REFUSE: &[KnownDifference] = &[
    MARKER_IN_TEXT_BLOCK,
    KnownDifference {
        name: "yaml-rust2 lets a block begin behind the `:` of a missing key; go-yaml refuses the missing key",
        applies: |case| {
            case.has(Kind::EmptyKey)
                && case.refused_line().trim_start_matches(['-', '?', ' ']).starts_with(':')
        },
    },
    KnownDifference {
        name: "yaml-rust2 takes some tabs for indentation; go-yaml refuses them",
        applies: |case| {
            matches!(
                case.refusals[0].kind,
                Kind::TabIndentation | Kind::TabSeparation | Kind::ContinuationTab
            ) && case.refused_text() == "\t"
        },
    },
    KnownDifference {
        name: "yaml-rust2 reads a tab below a text block; go-yaml refuses it",
        applies: |case| case.refused_for(&[Kind::BlockTab]) && case.refused_text() == "\t",
    },
    KnownDifference {
        name: "yaml-rust2 does not look at the column of every line in quotes and brackets; go-yaml of none",
        applies: |case| {
            let at = case.refusals[0].range.start;
            case.refused_for(&[Kind::FlowIndentation]) && case.is_in_quotes_or_brackets(at)
        },
    },
    KnownDifference {
        name: "yaml-rust2 reads `|` and `>` within brackets; go-yaml refuses them",
        applies: |case| {
            case.refusals[0].kind == Kind::UnexpectedCharacter && case.refused_text().starts_with(['|', '>'])
        },
    },
    KnownDifference {
        name: "yaml-rust2 reads a tag with a `#`; go-yaml refuses it",
        applies: |case| case.refusals[0].kind == Kind::TagCharacter && case.refused_text() == "#",
    },
    KnownDifference {
        name: "yaml-rust2 reads `-` without a space behind it within brackets as text; so does go-yaml",
        applies: |case| case.refused_for(&[Kind::FlowDash]),
    },
    KnownDifference {
        name: BARE_QUESTION,
        applies: |case| {
            matches!(case.refusals[0].kind, Kind::UnclosedBrace | Kind::UnclosedBracket)
                && case.has_bare_question()
        },
    },
    KnownDifference {
        name: "a line that begins with `- ` where the block around does ends brackets for us, as a half-typed one costs one entry",
        applies: |case| {
            matches!(case.refusals[0].kind, Kind::UnclosedBrace | Kind::UnclosedBracket)
                && case.text.lines().any(|line| line.trim_start().starts_with("- "))
        },
    },
    KnownDifference {
        name: "yaml-rust2 reads a key that goes over lines within brackets; YAML 1.2 and go-yaml refuse it",
        applies: |case| {
            let start = case.refusals[0].range.start;
            let colon = case.refusals[0].kind == Kind::MissingComma && case.refused_text() == ":";
            let long = case.refused_for(&[Kind::MultilineKey]) && case.refused_text().contains(['\n', '\r']);
            (colon || long) && case.is_in_quotes_or_brackets(start)
        },
    },
    KnownDifference {
        name: "yaml-rust2 reads a key of more than 1024 characters within braces; go-yaml refuses it",
        applies: |case| {
            let start = case.refusals[0].range.start;
            case.refused_for(&[Kind::LongKey])
                && case.refused_text().chars().count() > 1024
                && case.is_in_quotes_or_brackets(start)
        },
    },
];

/// Texts that only yaml-rust2 rejects.
const ONLY_THEY_REFUSE: &[KnownDifference] = &[
    KnownDifference {
        name: "`{a: :}`, `[a, : b]`: what the colon lacks within brackets is refused there in the words of the server",
        applies: |case| {
            case.their_error_contains("did not find expected node content")
                && case.has_error_at_their_place(&[Kind::FlowColon, Kind::EmptyFlowKey])
        },
    },
    KnownDifference {
        name: BARE_QUESTION,
        applies: |case| case.their_error_contains("while parsing a flow") && case.has_bare_question(),
    },
    KnownDifference {
        name: "`[a: {b: c}]`: yaml-rust2 misses the end of the pair behind the braces; YAML 1.2 and go-yaml do not",
        applies: |case| {
            let before = case.their_offset().map_or("", |at| &case.text[..at]);
            case.their_error_contains("while parsing a flow mapping, did not find expected ',' or '}'")
                && case.their_place() == Some(']')
                && before.trim_end().ends_with('}')
        },
    },
    KnownDifference {
        name: "`{a -}`: yaml-rust2 takes the last `-` of a text within brackets for the first; YAML 1.2 and go-yaml do not",
        applies: |case| {
            let before = case.their_offset().and_then(|at| case.text[..at].trim_end().chars().next_back());
            case.their_error_contains("plain scalar cannot start with '-'")
                && case.their_place() == Some('-')
                && before.is_some_and(|before| !",:?[]{}'\"".contains(before))
        },
    },
    KnownDifference {
        name: "`{a: b:}`: the second colon is text for go-yaml, and we read what it reads",
        applies: |case| {
            case.their_error_contains("did not find expected ','")
                && [":}", ":]", ":,"].iter().any(|colon| case.text.contains(colon))
        },
    },
    KnownDifference {
        name: "an alias without an anchor is no matter of syntax for us; it has a finding of its own",
        applies: |case| {
            let aliases = case.tree.documents().flat_map(yaml::alias_problems).next().is_some();
            case.their_error_contains("unknown anchor")
                && (aliases || case.has(Kind::AnchorCut) || case.has(Kind::AnchorName))
        },
    },
    KnownDifference {
        name: "a tag handle that is not declared is no matter of syntax for us; it has a finding of its own",
        applies: |case| {
            case.their_error_contains("the handle wasn't declared")
                && case.tree.documents().flat_map(yaml::value_problems).next().is_some()
        },
    },
    KnownDifference {
        name: "yaml-rust2 wants a space behind a `?`; a tab is refused in other words, and the end of the text will do",
        applies: |case| {
            let tab = case.has(Kind::TabAfterIndicator) || case.has(Kind::TabSeparation);
            case.their_error_contains("expected whitespace") && (tab || case.text.trim_end().ends_with('?'))
        },
    },
    KnownDifference {
        name: "a closing bracket may be in the column of the block around it, which is the common style",
        applies: |case| {
            case.their_error_contains("invalid indentation at")
                && matches!(case.their_place(), Some('}' | ']'))
        },
    },
    KnownDifference {
        name: "yaml-rust2 wants no tab behind a colon; YAML 1.2 and go-yaml do not mind",
        applies: |case| {
            case.their_error_contains("':' must be followed by a valid YAML whitespace")
                && case.text.contains(":\t")
        },
    },
    KnownDifference {
        name: "a tab before a value or comment on a line of its own, or behind `?`, is refused in the server's words",
        applies: |case| {
            case.their_error_contains("tabs disallowed")
                && (case.has(Kind::TabBeforeValue)
                    || case.has(Kind::TabAfterIndicator)
                    || case.has(Kind::BlankTab))
        },
    },
    KnownDifference {
        name: "we take a line in quotes that begins with `}` or `]` for one that closes brackets; a hint is missing",
        applies: |case| {
            case.their_error_contains("invalid indentation in quoted scalar")
                && case.text.lines().any(|line| line.trim_start().starts_with(['}', ']']))
        },
    },
    KnownDifference {
        name: "a `%` line within a document is refused as a directive, in the words of the server",
        applies: |case| case.their_error_contains("before directive") && case.has(Kind::UnknownDirective),
    },
];

/// Texts that both accept and read differently.
const READ_DIFFERENTLY: &[KnownDifference] = &[
    MARKER_IN_TEXT_BLOCK,
    KnownDifference {
        name: "a text block that is a whole document has to be indented for go-yaml, and we read what it reads",
        applies: |case| {
            let mut roots = case.tree.documents().filter_map(|document| document.root()?.as_scalar());
            roots.any(|root| {
                let mut lines = root.token().text.lines().skip(1).filter(|line| !line.trim().is_empty());
                root.token().text.starts_with(['|', '>'])
                    && lines.next().is_some_and(|line| !line.starts_with(' '))
            })
        },
    },
    KnownDifference {
        name: "`{:}` and `[a:]`: the colon is text for go-yaml, and we read what it reads",
        applies: |case| {
            case.has(Kind::FlowColon)
                || case.has(Kind::FlowColonTail)
                || case.text.contains(":]")
                || case.text.contains(":,")
        },
    },
    KnownDifference {
        name: "NEL and the separators of Unicode are line breaks for go-yaml, and we read what it reads",
        applies: |case| {
            const BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
            let Ok(theirs) = &case.theirs else { return false };
            let but_for_breaks = |events: &[String]| -> Vec<String> {
                let blank = |event: &String| {
                    let event =
                        event.replace("\\u{85}", "").replace("\\u{2028}", "").replace("\\u{2029}", "");
                    event.replace([' ', '\u{85}', '\u{2028}', '\u{2029}'], "").replace("\\n", "")
                };
                events.iter().map(blank).collect()
            };
            case.text.contains(BREAKS)
                && but_for_breaks(&support::our_events(&case.tree)) == but_for_breaks(theirs)
        },
    },
];

/// The first of `classes` that explains the difference of `case`.
fn known_as(case: &Case, classes: &'static [KnownDifference]) -> Option<&'static str> {
    let name = |case: &Case| classes.iter().find(|class| (class.applies)(case)).map(|class| class.name);
    name(case).or_else(|| name(&case.but_for_columns()?))
}

/// The difference of `case`, if any, and the classes that may explain it.
fn difference(case: &Case) -> Option<(String, &'static [KnownDifference])> {
    match (&case.theirs, case.refusals.first()) {
        (Err(_), Some(_)) => None,
        (Err(error), None) => Some((format!("only they refuse: {error}"), ONLY_THEY_REFUSE)),
        (Ok(_), Some(_)) => {
            let kinds: Vec<Kind> = case.refusals.iter().map(|error| error.kind).collect();
            Some((format!("only we refuse: {kinds:?}"), ONLY_WE_REFUSE))
        }
        (Ok(theirs), None) => {
            let ours = support::our_events(&case.tree);
            let same = |(ours, theirs): (&String, &String)| support::same_event(ours, theirs);
            let pair = ours.iter().zip(theirs).find(|pair| !same(*pair));
            let differ = pair.is_some() || ours.len() != theirs.len();
            differ.then(|| (format!("read differently: {pair:?}"), READ_DIFFERENTLY))
        }
    }
}

#[test]
fn random_mutations_are_read_as_yaml_rust2_reads_them() {
    let count = environment::made_up(20_000);
    let seed = environment::seed(7);
    let files = support::files("mutates the fixtures");
    let mut random = Random(seed);
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut unknown, mut accepted) = (Vec::new(), 0);
    for _ in 0..count {
        let (_, text) = &files[random.below(files.len())];
        let mut text = mutations::stretch(text, 14, &mut random);
        for _ in 0..=random.below(3) {
            text = mutations::mutated(&text, &mut random);
        }
        let case = Case::new(text);
        assert!(case.tree.text() == case.text, "text lost of {:?}", case.text);
        accepted += usize::from(case.refusals.is_empty() && case.theirs.is_ok());
        let Some((what, classes)) = difference(&case) else { continue };
        match known_as(&case, classes) {
            Some(class) => *known.entry(class).or_default() += 1,
            None => unknown.push(format!("{what} of {:?}", case.text)),
        }
    }
    println!("{count} mutations by seed {seed}, {accepted} accepted by both");
    known.iter().for_each(|(name, count)| println!("{count:6} {name}"));
    assert!(unknown.is_empty(), "{} of no known class:\n{}", unknown.len(), unknown.join("\n"));
}
