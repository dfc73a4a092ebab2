//! Our messages for each syntax error: the position, the problem and the remedy.
#![allow(clippy::unwrap_used, missing_docs)]

use yaml::{SyntaxErrorKind as Kind, Tree};

/// An error, a text with it, its byte range, and its message.
const FAULTS: &[(Kind, &str, std::ops::Range<usize>, &str)] = &[
    (Kind::TabIndentation, "a:\n\tb: 1\n", 3..4, "this line is indented with a tab; use spaces"),
    (Kind::TabBeforeValue, "a:\n \tb\n", 4..5, "this line is indented with a tab; use spaces"),
    (
        Kind::BlankTab,
        "a: \"b\"\n\t\nc: d\n",
        7..8,
        "a blank line or a comment must not begin with a tab; use spaces",
    ),
    (Kind::BlankTabBelowText, "a: b\n\t\nc: d\n", 5..6, "a blank line must not begin with a tab; use spaces"),
    (
        Kind::TabSeparation,
        "-\ta: b\n",
        1..2,
        "a tab is not allowed between this and the block after it; use a space",
    ),
    (Kind::TabAfterIndicator, "-\ta\n", 1..2, "a tab cannot follow this; use a space"),
    (Kind::ContinuationTab, "a: b\n\tc\n", 5..6, "this line is indented with a tab; use spaces"),
    (
        Kind::BlockTab,
        "a:\n  b: |\n \t\n   c\n",
        11..12,
        "this line of a text block is indented with a tab; use spaces",
    ),
    (
        Kind::BlockLeadingTab,
        "a: |\n \tb\n",
        6..7,
        "the first line of a text block must not start with a tab; add an indentation digit after `|` or `>`",
    ),
    (
        Kind::Indentation,
        "a:\n    b: 1\n  c: 2\n",
        14..18,
        "the indentation of this line matches no open block; indent it like the lines it belongs to",
    ),
    (Kind::MissingColon, "a: 1\nb\n", 5..6, "a `:` is missing after this key; add `:`"),
    (
        Kind::MissingTopColon,
        "a # b\nc: d\n",
        0..1,
        "a `:` is missing after this key, so kube-apiserver parses it as the whole document; add `:`",
    ),
    (
        Kind::NestedColon,
        "a: b: c\n",
        4..5,
        "a second `: ` in this value; quote the value or move it to a separate line",
    ),
    (Kind::MisplacedDash, "a: - b\n", 3..4, "a `- ` is not allowed here; put the list on the next line"),
    (
        Kind::DashAmongKeys,
        "a:\n  b: 1\n  - c\n",
        12..13,
        "a `- ` among keys, outside of a list; indent it like the items of its list, or add the key of the list",
    ),
    (Kind::MisplacedQuestion, "a: ? b\n", 3..4, "text cannot start with `? `; quote it"),
    (
        Kind::MissingDash,
        "- a\nb: c\n",
        4..8,
        "a `- ` is missing before this line, which is among list items; add `- `",
    ),
    (
        Kind::BlockOnMarkerLine,
        "--- a: b\n",
        4..5,
        "keys and items cannot follow `---` on its line; put them on the next line",
    ),
    (
        Kind::UnclosedQuote,
        "a: \"b\nc: d\n",
        3..4,
        "the quote opened here is never closed; close it at the end of its text",
    ),
    (
        Kind::UnclosedBracket,
        "a: [b\nc: d\n",
        3..4,
        "the bracket opened here is never closed; add a `]` after its last item",
    ),
    (
        Kind::UnclosedBrace,
        "a: {b: c\nd: e\n",
        3..4,
        "the brace opened here is never closed; add a `}` after its last entry",
    ),
    (Kind::MissingComma, "[\"a\" \"b\"]\n", 5..6, "a `,` is missing before this; add `,`"),
    (Kind::MissingBraceComma, "{\"a\" \"b\"}\n", 5..6, "a `,` is missing before this; add `,`"),
    (
        Kind::UnexpectedIndicator,
        "a: ]\n",
        3..4,
        "this closes or separates nothing; remove it or quote the text",
    ),
    (Kind::UnexpectedCharacter, "a: @b\n", 3..5, "no value can start with this character; quote the value"),
    (
        Kind::ControlCharacter,
        "a: b\u{1}\n",
        4..5,
        "control characters are not allowed; use an escape in double quotes",
    ),
    (
        Kind::UnicodeBreak,
        "a: b\u{2028}c\n",
        4..7,
        "kube-apiserver parses this invisible character as a line break; remove it or escape it in double quotes",
    ),
    (
        Kind::ExtraContent,
        "a: \"b\" c\n",
        7..8,
        "the value has already ended; remove this text or quote it together with the value",
    ),
    (
        Kind::Dropped,
        "  a: b\nc: d\n",
        7..11,
        "the document has already ended, and kube-apiserver ignores this text; indent it like the lines it belongs to",
    ),
    (
        Kind::CommentSpace,
        "a: [b]#c\n",
        6..7,
        "YAML requires a space before the `#` of a comment, although kube-apiserver does not; add a space",
    ),
    (
        Kind::FlowIndentation,
        "a: [b,\nc]\n",
        7..8,
        "this line is indented too little for YAML, although kube-apiserver accepts it; indent it further",
    ),
    (
        Kind::FlowDash,
        "a: [-]\n",
        4..5,
        "YAML does not allow a lone `-` in brackets, although kube-apiserver parses it as text; quote it",
    ),
    (Kind::FlowItem, "a: [- b]\n", 4..5, "a `- ` is not allowed in brackets; separate items with commas"),
    (Kind::FlowColon, "a: [:b]\n", 4..5, "text in brackets cannot start with `:`; quote it"),
    (Kind::FlowColonSpace, "a: {b:[c]}\n", 5..6, "a space is missing after this `:`; add it"),
    (
        Kind::FlowColonTail,
        "a: {b:}\n",
        5..6,
        "kube-apiserver parses this `:` as part of the text; add a space after it",
    ),
    (Kind::FlowQuestion, "a: [b?c]\n", 5..6, "text in brackets cannot contain a `?`; quote it"),
    (
        Kind::FlowQuestionKey,
        "a: [?b]\n",
        4..5,
        "kube-apiserver parses this `?` as a key indicator; quote the text",
    ),
    (Kind::EmptyKey, ": a\n", 0..1, "a key is missing before this `:`; add it or remove the `:`"),
    (Kind::EmptyFlowKey, "{: a}\n", 1..2, "a key is missing before this `:`; add it or remove the `:`"),
    (Kind::MultilineFlowKey, "{a\n: b}\n", 1..2, "a key and its `:` must be on one line; join the lines"),
    (Kind::MultilineKey, "[a\nb: c]\n", 1..4, "a key and its `:` must be on one line; join the lines"),
    (
        Kind::MultilineBlockKey,
        "\"a\n b\": c\n",
        6..9,
        "a key and its `:` must be on one line; join the lines",
    ),
    (
        Kind::BlockHeader,
        "a: |x\n",
        4..5,
        "only an indentation digit, `+`, `-` and a comment may follow `|` or `>`; move the text to the next line",
    ),
    (Kind::ZeroIndentation, "a: |0\n  b\n", 3..5, "an indentation digit is 1 to 9; write another, or none"),
    (
        Kind::LeadingBlank,
        "a: |\n    \n  b\n",
        12..13,
        "a blank line above is indented more than this first line of text; remove its spaces",
    ),
    (
        Kind::LeadingBlankComment,
        "a: |\n    \n  # b\n",
        12..15,
        "a blank line above is indented more than this line, which kube-apiserver parses as a comment; remove its spaces",
    ),
    (Kind::MissingName, "a: *\n", 3..4, "a name is missing after this; add one or quote the text"),
    (
        Kind::AnchorName,
        "a: *.b\n",
        4..6,
        "an anchor name may contain only letters, digits, `-` and `_`; quote the text if it is not an anchor",
    ),
    (
        Kind::AnchorCut,
        "a: &b:c d\n",
        5..7,
        "kube-apiserver ends the anchor name here and parses the rest as text; use letters, digits, `-` and `_`",
    ),
    (
        Kind::TagCharacter,
        "a: !b^c d\n",
        5..6,
        "a tag cannot contain this character; quote the text if it is not a tag",
    ),
    (Kind::EmptyTag, "a: !! b\n", 3..5, "a name is missing after this; add one or quote the text"),
    (Kind::UnclosedTag, "a: !<b\n", 3..6, "the `!<` opened here is never closed; add a `>` after the tag"),
    (Kind::TagEscape, "a: !b%z c\n", 5..6, "two hexadecimal digits are missing after this `%`; add them"),
    (
        Kind::TagComma,
        "a: !b, c\n",
        5..6,
        "YAML does not allow this character in a tag, although kube-apiserver parses it as part of the tag; remove it",
    ),
    (
        Kind::FlowTagComma,
        "[!a, b]\n",
        3..4,
        "kube-apiserver parses this `,` as part of the tag and the rest as its value; insert a space before it",
    ),
    (
        Kind::FlowTag,
        "[!a]\n",
        3..4,
        "kube-apiserver parses this as part of the tag; insert a space before it",
    ),
    (
        Kind::RepeatedProperty,
        "a: &b &c d\n",
        6..8,
        "a value can have only one anchor and one tag; remove this one",
    ),
    (
        Kind::PropertyOnAlias,
        "a: &b c\nd: &e *b\n",
        14..16,
        "an alias cannot have an anchor or a tag; remove the text before it",
    ),
    (
        Kind::UnknownEscape,
        "a: \"\\q\"\n",
        4..6,
        "this is not an escape; use `\\\\` for a backslash or use single quotes",
    ),
    (Kind::SlashEscape, "a: \"\\/\"\n", 4..6, "kube-apiserver does not support the escape `\\/`; use `/`"),
    (Kind::QuoteEscape, "a: \"\\'\"\n", 4..6, "YAML does not support the escape `\\'`; use `'`"),
    (
        Kind::EscapeDigits,
        "a: \"\\x4\"\n",
        4..7,
        "this escape has too few hexadecimal digits; write two after `\\x`, four after `\\u`, eight after `\\U`",
    ),
    (
        Kind::EscapeCharacter,
        "a: \"\\ud800\"\n",
        4..10,
        "this escape is not a Unicode character; use another code",
    ),
    (
        Kind::DirectiveVersion,
        "%YAML 1.2\n---\na\n",
        0..9,
        "kube-apiserver reads only YAML 1.1; remove this line",
    ),
    (
        Kind::UnknownDirective,
        "%FOO a\n---\nb\n",
        0..6,
        "kube-apiserver supports only the directives `%YAML` and `%TAG`; remove this line",
    ),
    (Kind::LoneDirective, "%YAML 1.1\na: b\n", 0..9, "a `---` is missing below this line; add it"),
    (
        Kind::DirectiveSyntax,
        "%YAML\n---\na\n",
        0..5,
        "this directive is invalid; use `%YAML 1.1` or `%TAG !name! prefix`, or remove it",
    ),
    (
        Kind::RepeatedDirective,
        "%YAML 1.1\n%YAML 1.1\n---\na\n",
        10..19,
        "duplicate directive; remove this line",
    ),
    (Kind::NoContent, "...\n", 0..3, "`...` ends no document; remove this line"),
];

#[test]
fn each_error_has_a_range_and_a_readable_message() {
    for (kind, text, range, message) in FAULTS {
        let errors = Tree::parse(text).errors();
        let error = errors.iter().find(|error| error.kind == *kind);
        assert!(error.is_some(), "{kind:?} is not in {text:?}: {errors:?}");
        assert_eq!(
            (error.unwrap().range.as_usize(), &*kind.to_string()),
            (range.clone(), *message),
            "{text:?}"
        );
    }
}

/// Errors that require long texts.
const OF_LENGTH: &[Kind] = &[Kind::LongKey, Kind::TooDeep];

#[test]
fn every_kind_of_error_is_tested() {
    let listed = |kind: &Kind| FAULTS.iter().any(|(listed, ..)| listed == kind) || OF_LENGTH.contains(kind);
    let forgotten: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !listed(kind)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn texts_that_are_too_long_or_too_deep() {
    let long = Tree::parse(&format!("{}: a\n", "k".repeat(1_025))).errors();
    assert_eq!((long[0].kind, long[0].range.as_usize()), (Kind::LongKey, 0..1_025));
    assert!(long[0].kind.to_string().starts_with("a key cannot have more than 1024 characters"));
    let deep = Tree::parse(&"[".repeat(300)).errors();
    let deep = deep.iter().find(|error| error.kind == Kind::TooDeep).unwrap();
    assert_eq!(deep.range.as_usize(), 200..201);
    assert_eq!(deep.kind.to_string(), "this is nested too deeply; split it");
}

/// The text of an unclosed quote or bracket, as far as it was read.
fn unclosed_text(text: &str) -> String {
    let tree = Tree::parse(text);
    let document = tree.documents().next().unwrap();
    let error = tree
        .errors()
        .into_iter()
        .find(|error| matches!(error.kind, Kind::UnclosedQuote | Kind::UnclosedBracket | Kind::UnclosedBrace))
        .unwrap();
    text[document.unclosed(error).unwrap().as_usize()].to_owned()
}

#[test]
fn unclosed_quotes_and_brackets_have_an_end() {
    assert_eq!(unclosed_text("a: \"b\nc: d\n"), "\"b");
    assert_eq!(unclosed_text("a: [b,\n  c\nd: e\n"), "[b,\n  c");
    assert_eq!(unclosed_text("a:\n  - {b: c\n  - d\n"), "{b: c");
    assert_eq!(unclosed_text("a: 1\n'b: 2\nc: 3\n"), "'b: 2");
}
