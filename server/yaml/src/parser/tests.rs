//! The parser's results for valid and broken text. Below a line, `^^^ text` shows the position and text of an
//! error.

use crate::{Tree, Value, ValueKind};

/// The value as a short text: `{a: 1, b: [x, ∅]}`.
fn shape(value: Value<'_>) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            let entry = |entry: crate::Entry<'_>| format!("{}: {}", shape(entry.key()), shape(entry.value()));
            format!("{{{}}}", list(mapping.entries().map(entry).collect()))
        }
        ValueKind::Sequence(sequence) => {
            format!("[{}]", list(sequence.items().map(|item| shape(item.value())).collect()))
        }
        ValueKind::Scalar(scalar) => scalar.text().replace('\n', "⏎"),
        ValueKind::Alias(token) => token.text.to_owned(),
        ValueKind::Absent => "∅".to_owned(),
    }
}

/// Removes the marker lines from `marked` and returns the text and the errors that they describe.
fn unmark(marked: &str) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut line_start = 0;
    let mut expected = Vec::new();
    for line in marked.split_inclusive('\n') {
        let content = line.trim_start();
        if content.starts_with('^') {
            let carets = content.len() - content.trim_start_matches('^').len();
            let start = line_start + line.len() - content.len();
            expected.push(format!("{start}..{}: {}", start + carets, content.trim_start_matches('^').trim()));
        } else {
            line_start = text.len();
            text.push_str(line);
        }
    }
    (text, expected)
}

/// Parses `marked` without its markers; the documents have these shapes, and the errors are the marked ones.
fn check(marked: &str, shapes: &[&str]) {
    let (text, mut expected) = unmark(marked);
    let tree = Tree::parse(&text);
    assert_eq!(tree.text(), text);
    let found: Vec<String> =
        tree.documents().map(|document| document.root().map_or("∅".into(), shape)).collect();
    assert_eq!(found, shapes, "{text}");
    let error = |error: crate::SyntaxError| format!("{:?}: {}", error.range, error.kind);
    let mut errors: Vec<String> = tree.errors().into_iter().map(error).collect();
    errors.sort();
    expected.sort();
    assert_eq!(errors, expected, "{text}");
}

#[test]
fn blocks_by_column() {
    check(
        "a: 1\nb:\n  c: x y\n  d:\n    - 1\n    - e: 2\n      f: 3\ng:\n- h\n-\n- - i\n",
        &["{a: 1, b: {c: x y, d: [1, {e: 2, f: 3}]}, g: [h, ∅, [i]]}"],
    );
}

#[test]
fn scalars_of_every_style() {
    check(
        "a: 'it''s'\nb: \"x\\n\n  y\"\nc: |-\n  one\n   two\n\n  three\nd: >\n  folded\n  text\ne: plain\n  over lines # comment\n",
        &["{a: it's, b: x⏎ y, c: one⏎ two⏎⏎three, d: folded text⏎, e: plain over lines}"],
    );
}

#[test]
fn flow_style_may_continue_at_any_column() {
    check(
        "a: [1, {b: c, \"d\":e}, [x: y], ]\nf: {\n  g, h: \n}\ni: [\n1\n^ this line is indented too little for YAML, although kube-apiserver accepts it; indent it further\n]\n",
        &["{a: [1, {b: c, d: e}, [{x: y}]], f: {g: ∅, h: ∅}, i: [1]}"],
    );
}

#[test]
fn json_is_yaml() {
    check("{\"a\": [1, true, null],\n\"b\": {\"c\": \"d: [\"}}\n", &["{a: [1, true, null], b: {c: d: [}}"]);
}

#[test]
fn documents_and_their_markers() {
    check("# head\n---\na: 1\n...\n# between\n---\n---\nb: 2\n--- c\n", &["{a: 1}", "∅", "{b: 2}", "c"]);
}

#[test]
fn directives_belong_to_the_document_after_them() {
    check("%YAML 1.1\n---\na: 1\n", &["{a: 1}"]);
}

#[test]
fn anchors_tags_and_aliases() {
    check("a: &x !!map\n  b: !t 1\n&k c: *x\nd: &y\n- *y\n*x : e\n", &["{a: {b: 1}, c: *x, d: [*y], *x: e}"]);
}

#[test]
fn explicit_keys() {
    check("? a\n: b\n? - c\n: - d\n? e\n", &["{a: b, [c]: [d], e: ∅}"]);
}

#[test]
fn line_ends_of_every_kind() {
    check("a: 1\r\nb:\r\n- c\r\n- |\r\n  d\r\n", &["{a: 1, b: [c, d⏎]}"]);
    check("a: 1\rb: 2\r", &["{a: 1, b: 2}"]);
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    check("\u{feff}a: 1\nb: 2\n", &["{a: 1, b: 2}"]);
}

#[test]
fn a_hash_within_a_word_is_not_a_comment() {
    check("a: x#y #z\nb: #c\n", &["{a: x#y, b: ∅}"]);
}

#[test]
fn a_key_that_is_being_typed() {
    check(
        "\
spec:
  group: a
  nam
  ^^^ a `:` is missing after this key; add `:`
  scope: b
",
        &["{spec: {group: a, nam: ∅, scope: b}}"],
    );
}

#[test]
fn a_key_without_colon_keeps_its_block() {
    check(
        "\
spec
^^^^ a `:` is missing after this key; add `:`
  group: a
  ^^^^^^^^ the indentation of this line matches no open block; indent it like the lines it belongs to
kind: b
",
        &["{spec: {group: a}, kind: b}"],
    );
}

#[test]
fn a_value_typed_before_a_block_keeps_the_block_below() {
    check(
        "\
a: x
  b: 1
  ^^^^ the indentation of this line matches no open block; indent it like the lines it belongs to
c: 2
",
        &["{a: {b: 1}, c: 2}"],
    );
}

#[test]
fn a_line_indented_too_far_below_brackets_keeps_their_content() {
    check(
        "\
a: {b: 1}
  c: 2
  ^^^^ the indentation of this line matches no open block; indent it like the lines it belongs to
f: {}
  g: 4
  ^^^^ the indentation of this line matches no open block; indent it like the lines it belongs to
",
        &["{a: {b: 1}, c: 2, f: {g: 4}}"],
    );
}

#[test]
fn an_unclosed_quote_ends_with_its_line() {
    check(
        "\
a: \"x
   ^ the quote opened here is never closed; close it at the end of its text
b: 'y'
c: \"z\"
",
        &["{a: x, b: y, c: z}"],
    );
}

#[test]
fn a_quote_over_lines_needs_no_indentation() {
    check(
        "a: \"x\ny: z\"\n^ this line is indented too little for YAML, although kube-apiserver accepts it; indent it further\nb: 1\n",
        &["{a: x y: z, b: 1}"],
    );
}

#[test]
fn an_unclosed_bracket_ends_where_the_next_entry_starts() {
    check(
        "\
a:
  b: [x, y
     ^ the bracket opened here is never closed; add a `]` after its last item
  c: {d: e
     ^ the brace opened here is never closed; add a `}` after its last entry
f: 1
",
        &["{a: {b: [x, y], c: {d: e}}, f: 1}"],
    );
}

#[test]
fn a_missing_comma() {
    check(
        "\
a: [\"x\" \"y\"]
        ^ a `,` is missing before this; add `,`
",
        &["{a: [x, y]}"],
    );
}

#[test]
fn an_error_covers_whole_characters() {
    let tree = Tree::parse("[{} é]");
    assert_eq!(tree.errors()[0].range.as_usize(), 4..6);
}

#[test]
fn tabs_do_not_indent() {
    check("a:\n\tb: 1\n^ this line is indented with a tab; use spaces\nc: 2\n", &["{a: {b: 1}, c: 2}"]);
}

#[test]
fn a_line_between_two_columns_belongs_to_the_inner_block() {
    check(
        "\
a:
    b: 1
  c: 2
  ^^^^ the indentation of this line matches no open block; indent it like the lines it belongs to
d: 3
",
        &["{a: {b: 1, c: 2}, d: 3}"],
    );
}

#[test]
fn a_broken_line_to_the_left_does_not_end_a_block() {
    check(
        "\
a:
  b: 1
x
^ the indentation of this line matches no open block; indent it like the lines it belongs to
  c: 2
",
        &["{a: {b: 1, c: 2}}"],
    );
}

#[test]
fn a_line_without_dash_among_items() {
    check(
        "\
a:
  - b
  c: d
  ^^^^ a `- ` is missing before this line, which is among list items; add `- `
  - e
",
        &["{a: [b, e]}"],
    );
}

#[test]
fn a_second_colon() {
    check(
        "a: b: c\n    ^ a second `: ` in this value; quote the value or move it to a separate line\nd: 1\n",
        &["{a: b: c, d: 1}"],
    );
}

#[test]
fn characters_that_start_nothing() {
    check("a: @x\n   ^^ no value can start with this character; quote the value\nb: 1\n", &["{a: ∅, b: 1}"]);
}

#[test]
fn text_after_a_value() {
    check(
        "a: \"x\" y\n       ^ the value has already ended; remove this text or quote it together with the value\nb: 1\n",
        &["{a: x, b: 1}"],
    );
}

#[test]
fn a_half_typed_block_scalar() {
    check(
        "a: |\nb: >2\n  x\nc: |x\n    ^ only an indentation digit, `+`, `-` and a comment may follow `|` or `>`; move the text to the next line\n",
        &["{a: , b: x⏎, c: }"],
    );
}

#[test]
fn pairs_within_brackets_may_have_any_key() {
    check(
        "- [a: b, [c]: d, {e: f}: g, &h i: j, *h : k]\n",
        &["[[{a: b}, {[c]: d}, {{e: f}: g}, {i: j}, {*h: k}]]"],
    );
    check("a: [2001:db8::, b]\n", &["{a: [2001:db8::, b]}"]);
}

#[test]
fn lists_below_an_explicit_key_need_no_indentation() {
    check("?\n- a\n:\n- b\n", &["{[a]: [b]}"]);
}

#[test]
fn errors_of_the_server_alone() {
    check("a: \"x\\/y\"\n     ^^ kube-apiserver does not support the escape `\\/`; use `/`\n", &["{a: x/y}"]);
    check("a: [b?c]\n     ^ text in brackets cannot contain a `?`; quote it\n", &["{a: [b?c]}"]);
    check("a: 1\n\t\n^ a blank line must not begin with a tab; use spaces\nb: 2\n", &["{a: 1, b: 2}"]);
    check("-\ta\n ^ a tab cannot follow this; use a space\n", &["[a]"]);
    check(": a\n^ a key is missing before this `:`; add it or remove the `:`\n", &["{∅: a}"]);
    check(
        "%YAML 1.2\n^^^^^^^^^ kube-apiserver reads only YAML 1.1; remove this line\n---\na: 1\n",
        &["{a: 1}"],
    );
}

#[test]
fn errors_of_yaml_1_2_alone() {
    check(
        "a: [b]#c\n      ^ YAML requires a space before the `#` of a comment, although kube-apiserver does not; add a space\n",
        &["{a: [b]}"],
    );
    check(
        "  a: 1\nb: 2\n^^^^ the document has already ended, and kube-apiserver ignores this text; indent it like the lines it belongs to\n",
        &["{a: 1, b: 2}"],
    );
}

#[test]
fn properties_occur_once_and_not_before_an_alias() {
    check(
        "a: &x &y b\n      ^^ a value can have only one anchor and one tag; remove this one\n",
        &["{a: b}"],
    );
    check(
        "a: &x b\nc: &y *x\n      ^^ an alias cannot have an anchor or a tag; remove the text before it\n",
        &["{a: b, c: *x}"],
    );
}

#[test]
fn a_text_block_may_start_at_the_column_of_its_key() {
    let remark =
        "this line is indented too little for YAML, although kube-apiserver accepts it; indent it further";
    check(&format!("spec:\n>-\n^ {remark}\n  x\na: b\n"), &["{spec: x, a: b}"]);
    check(&format!("-\n|\n^ {remark}\n  x\n- b\n"), &["[x⏎, b]"]);
}

#[test]
fn closed_brackets_may_span_lines_that_look_like_entries() {
    let remark =
        "this line is indented too little for YAML, although kube-apiserver accepts it; indent it further";
    check(&format!("a: [x\n- b]\n^ {remark}\nc: d\n"), &["{a: [x - b], c: d}"]);
    check(&format!("a: [x,\nb: y]\n^ {remark}\nc: d\n"), &["{a: [x, {b: y}], c: d}"]);
    check(
        "a: [x\n   ^ the bracket opened here is never closed; add a `]` after its last item\nb: y\nc: [d]\n",
        &["{a: [x], b: y, c: [d]}"],
    );
}

#[test]
fn a_quote_after_a_colon_is_part_of_a_plain_scalar_in_brackets() {
    check("a: {b:' c, d: e}\nf: []\n", &["{a: {b:' c: ∅, d: e}, f: []}"]);
    check("a: [-'b, {c:\"- &a d, e: f}]\ng: h\n", &["{a: [-'b, {c:\"- &a d: ∅, e: f}], g: h}"]);
    check("a: {\"b\":'c}', 'd' :'e'}\n", &["{a: {b: c}, d: e}}"]);
}

#[test]
fn a_tag_includes_the_comma_after_it() {
    let warning = "kube-apiserver parses this `,` as part of the tag and the rest as its value; insert a space before it";
    check(&format!("a: [!t, x]\n      ^ {warning}\n"), &["{a: [∅, x]}"]);
    let refused = "kube-apiserver parses this as part of the tag; insert a space before it";
    check(&format!("a: [!t,x]\n      ^ {refused}\n"), &["{a: [∅, x]}"]);
    check(&format!("a: {{b: !t, c: d}}\n         ^ {refused}\n"), &["{a: {b: ∅, c: d}}"]);
}

#[test]
fn characters_forbidden_in_tags() {
    check(
        "a: !<tag:x^y> b\n          ^ a tag cannot contain this character; quote the text if it is not a tag\n",
        &["{a: b}"],
    );
    check("a: !<> b\n   ^^^ a name is missing after this; add one or quote the text\n", &["{a: b}"]);
    check(
        "%TAG !e! x^y\n          ^ a tag cannot contain this character; quote the text if it is not a tag\n---\na: b\n",
        &["{a: b}"],
    );
    check("a: !<tag:x,[y]%41> b\n", &["{a: b}"]);
}

#[test]
fn the_first_key_with_a_comment_after_it() {
    check(
        "\
apiVe # c
^^^^^ a `:` is missing after this key, so kube-apiserver parses it as the whole document; add `:`
kind: x
",
        &["{apiVe: ∅, kind: x}"],
    );
}

#[test]
fn a_key_whose_quote_is_not_closed() {
    check(
        "a: 1\n\"b: 2\n^ the quote opened here is never closed; close it at the end of its text\nc: 3\n",
        &["{a: 1, b: 2: ∅, c: 3}"],
    );
}

#[test]
fn quotes_below_plain_text_are_part_of_it() {
    check("a: b\n  \"c #d\": e\nf: 1\n", &["{a: b \"c, f: 1}"]);
}
