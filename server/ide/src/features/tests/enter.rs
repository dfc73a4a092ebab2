use crate::{File, Settings};

/// The text with a new line at `$0`, and with `|` at the cursor after the indentation.
fn entered(text: &str) -> String {
    entered_with(text, None)
}

/// The same in an editor that indents by `tab` columns.
fn entered_with(text: &str, tab: Option<usize>) -> String {
    let at = text.find("$0").unwrap();
    let mut text = text.replacen("$0", "\n", 1);
    let file = File::new(&text, &Settings::default());
    let edit = file.indented(at as u32 + 1, tab);
    let end = edit.map_or(at + 1, |edit| {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
        edit.range.start as usize + edit.new_text.len()
    });
    text.insert(end, '|');
    text
}

#[test]
fn a_block_scalar_begins_at_its_indicated_column() {
    assert_eq!(entered("a:\n  b: |4$0\n"), "a:\n  b: |4\n      |\n");
    assert_eq!(entered("a:\n  b: >-1$0\n"), "a:\n  b: >-1\n   |\n");
    assert_eq!(entered("a:\n  b: |$0\n"), "a:\n  b: |\n    |\n");
}

#[test]
fn keys_are_indented_as_others_of_the_document() {
    assert_eq!(entered("a:\n    b: 1\nc:$0\n"), "a:\n    b: 1\nc:\n    |\n");
    assert_eq!(entered("a:\n  b: 1\nc:$0\n"), "a:\n  b: 1\nc:\n  |\n");
    assert_eq!(entered("c:$0\n"), "c:\n  |\n");
}

#[test]
fn in_a_text_without_any_indentation_the_editor_decides() {
    assert_eq!(entered_with("a:$0\n", Some(4)), "a:\n    |\n");
    assert_eq!(entered_with("a: 1\nb:$0\n", Some(3)), "a: 1\nb:\n   |\n");
    assert_eq!(entered_with("a: |$0\n", Some(4)), "a: |\n    |\n");
    // The indentation of the text takes precedence, also that of another document.
    assert_eq!(entered_with("a:\n  b: 1\nc:$0\n", Some(4)), "a:\n  b: 1\nc:\n  |\n");
    assert_eq!(entered_with("a:\n  b: 1\n---\nc:$0\n", Some(4)), "a:\n  b: 1\n---\nc:\n  |\n");
    assert_eq!(entered("a:\n    b: 1\n---\nc:$0\n"), "a:\n    b: 1\n---\nc:\n    |\n");
    for nonsense in [0, 9, usize::MAX] {
        assert_eq!(entered_with("a:$0\n", Some(nonsense)), "a:\n  |\n");
    }
}

#[test]
fn the_rest_of_a_split_line_is_indented_like_the_next_line() {
    for (before, after) in [
        ("a:\n  b: $0# why\n", "a:\n  b: \n    |# why\n"),
        ("a:\n  b:$0   # why\n", "a:\n  b:\n    |# why\n"),
        ("a:\n  b: 1 $0# why\n", "a:\n  b: 1 \n  |# why\n"),
        ("a:\n  b: $0# why\n    c: 1\n", "a:\n  b: \n    |# why\n    c: 1\n"),
        ("a:\n  b: $0c\n", "a:\n  b: \n    |c\n"),
        ("a:\n  b:$0 {c: 1}\nd: 1\n", "a:\n  b:\n    |{c: 1}\nd: 1\n"),
        ("a:\n- $0b: 1\n  c: 2\n", "a:\n- \n  |b: 1\n  c: 2\n"),
        // The rest of a text stays where it is.
        ("a:\n  b: c$0 d\n", "a:\n  b: c\n| d\n"),
        ("a:\n  b: 'c$0 # d'\n", "a:\n  b: 'c\n| # d'\n"),
        ("a:\n  # b$0 c\n", "a:\n  # b\n| c\n"),
        ("a:\n  b: [$0c]\n", "a:\n  b: [\n|c]\n"),
    ] {
        assert_eq!(entered(before), after, "{before:?}");
    }
}
