use super::{STYLES, at_cursor, in_style};
use text::{TextEdit, TextRange};

/// The titles of the fixes at the cursor, each with the text that it makes.
fn fixes(entry: &str, minor: u8) -> Vec<(String, String)> {
    let (text, file, offset) = at_cursor(entry, minor);
    let fixes = file.fixes(TextRange::empty(offset)).into_iter();
    let after = |edits: &[TextEdit]| {
        let mut text = text.clone();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
        text
    };
    fixes.map(|fix| (fix.title, after(&fix.edits))).collect()
}

/// The one fix at the cursor makes that rule of it.
#[track_caller]
fn check(rule: &str, title: &str, expected: &str) {
    for style in STYLES {
        let entry = in_style(style, rule);
        let found = fixes(&entry, 31);
        let titles: Vec<_> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, [title], "in {entry}");
        assert!(found[0].1.contains(&in_style(style, expected)), "in {entry}:\n{}", found[0].1);
    }
}

#[test]
fn a_name_that_nothing_has_is_replaced_by_the_one_that_was_meant() {
    check("self.replica$0s2 > 1", "Replace by `replicas`", "self.replicas > 1");
    check("self.ports.all(p, p.pr$0ot > 1)", "Replace by `port`", "self.ports.all(p, p.port > 1)");
    check("self.mode.startWi$0th('a')", "Replace by `startsWith`", "self.mode.startsWith('a')");
    check("true && sel$0.mode == 'a'", "Replace by `self`", "true && self.mode == 'a'");
}

#[test]
fn a_property_is_written_as_an_expression_spells_it() {
    check("self.ol$0d-name == 'a'", "Write `old-name` as `old__dash__name`", "self.old__dash__name == 'a'");
    check("self.name$0space == 'a'", "Write `namespace` as `__namespace__`", "self.__namespace__ == 'a'");
}

#[test]
fn a_rule_that_yaml_reads_as_something_else_says_so_and_is_quoted() {
    for (rule, why) in [
        ("$0!has(self.mode)", "is a tag"),
        ("self.mode == 'it #$01'", "begins a comment"),
        ("self.mode == 'a' ? true $0: false", "is for keys"),
        ("'F$0ast' == self.mode", "begins with a quote"),
        ("[1, 2].all(x$0, x > 1)", "begins with a bracket"),
    ] {
        let entry = format!("rule: {rule}");
        let (text, file, _) = at_cursor(&entry, 35);
        let message = |message: &str| message.contains(why) && message.contains("put it in quotes");
        let at = text.find("            - rule").unwrap() + 14;
        let line = TextRange::new(at as u32, (at + text[at..].find('\n').unwrap()) as u32);
        let found: Vec<_> = file.findings().iter().map(|finding| &finding.message).collect();
        assert!(found.iter().any(|found| message(found)), "{entry}: {found:?}");
        let fixes = file.fixes(line);
        let quoting = fixes.iter().find(|fix| fix.title == "Put the rule in quotes");
        let quoting = quoting.unwrap_or_else(|| panic!("{entry}: {fixes:?}"));
        let quoted = format!("'{}'", rule.replace("$0", "").replace('\'', "''"));
        assert_eq!(quoting.edits.iter().map(|edit| edit.new_text.as_str()).collect::<Vec<_>>(), [quoted]);
    }
}

#[test]
fn what_yaml_reads_as_it_stands_is_not_quoted() {
    for entry in
        ["rule: self.mode = $0'a' # b", "rule: $0", "rule: \"self.nope$0\"", "rule: self.mode == 'a' # b$0"]
    {
        let (_, file, _) = at_cursor(entry, 35);
        assert!(file.findings().iter().all(|finding| !finding.message.contains("YAML does not")), "{entry}");
    }
}

#[test]
fn what_is_too_dear_gets_bounds() {
    let found = fixes("rule: self.la$0bels.all(k, self.labels.all(j, k == j))", 35);
    let (title, text) = found.first().expect("a fix");
    assert!(title.starts_with("Set `maxProperties: "), "{title}");
    assert!(title.contains("on `spec.labels`: cost ") && title.ends_with(" % of the limit"), "{title}");
    assert!(text.contains("additionalProperties: {type: string}\n                maxProperties: "), "{text}");
}
