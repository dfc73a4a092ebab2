use crate::Severity;
use crate::features::cel::tests::{STYLES, at_cursor, in_style};
use text::{TextEdit, TextRange};

const CODE: &str = "lint/cel-optional-field";

fn text_after(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
    text
}

/// The value of the rule in `text`.
fn rule_of(text: &str) -> String {
    let tree = yaml::Tree::parse(text);
    let document = tree.documents().next().unwrap();
    let offset = u32::try_from(text.find("            - rule").unwrap() + 15).unwrap();
    let entry = crate::analysis::cel::rule_field::rule_entry(document, offset).unwrap().entry;
    let yaml::ValueKind::Scalar(scalar) = entry.value().kind() else { panic!("{text}") };
    scalar.text().trim_end().to_owned()
}

/// Checks the rule after the fix that adds a guard at the cursor, in each style. The other fixes change the
/// schema.
#[track_caller]
fn check(rule: &str, severity: Severity, guarded: Option<&str>) {
    for style in STYLES {
        let (text, file, offset) = at_cursor(&in_style(style, rule), 35);
        let found = file
            .findings()
            .iter()
            .find(|finding| finding.code.as_str() == CODE && finding.range.touches(offset));
        let found = found.unwrap_or_else(|| panic!("{style} {rule}: {:?}", file.findings()));
        assert_eq!((found.severity, found.related.len()), (severity, 1), "{rule}");
        let fixes = file.fixes(TextRange::empty(offset));
        let before = rule_of(&text);
        let rules = fixes.iter().map(|fix| rule_of(&text_after(&text, &fix.edits)));
        let rules: Vec<String> = rules.filter(|rule| *rule != before).collect();
        assert_eq!(rules, guarded.as_slice(), "{style}: {fixes:?}");
    }
}

#[test]
fn a_field_that_may_be_absent_is_guarded_where_it_is_read() {
    // Without replicas, the rule rejects the object with or without the error.
    check("self.repl$0icas > 1", Severity::Hint, Some("has(self.replicas) && self.replicas > 1"));
    check("self.repl$0icas < 10", Severity::Warning, Some("has(self.replicas) && self.replicas < 10"));
    check(
        "self.mode == 'Fast' || self.repl$0icas == 3",
        Severity::Hint,
        Some("self.mode == 'Fast' || has(self.replicas) && self.replicas == 3"),
    );
    check(
        "self.mode == 'Fast' ? self.repl$0icas > 1 :true",
        Severity::Hint,
        Some("self.mode == 'Fast' ? has(self.replicas) && self.replicas > 1 :true"),
    );
    check(
        "self.mode == 'Fast' || !(self.repl$0icas == 3 && has(self.labels))",
        Severity::Warning,
        Some("self.mode == 'Fast' || !((!has(self.replicas) || self.replicas == 3) && has(self.labels))"),
    );
    check(
        "has(self.ports) && self.ports.all(p, p.po$0rt > 1 || p.port < 0)",
        Severity::Hint,
        Some("has(self.ports) && self.ports.all(p, has(p.port) && (p.port > 1 || p.port < 0))"),
    );
    check(
        "has(self.ports) && self.ports.map(p, p.po$0rt).size() > 0",
        Severity::Warning,
        Some("has(self.ports) && self.ports.all(p, has(p.port)) && self.ports.map(p, p.port).size() > 0"),
    );
    // No guard accepts the same objects.
    check("(has(self.labels) || self.repl$0icas > 1) == (self.mode == 'Fast')", Severity::Warning, None);
}

#[test]
fn a_schema_may_require_the_field_or_set_it() {
    let (text, file, offset) = at_cursor("rule: self.repl$0icas < 10", 35);
    let fixes = file.fixes(TextRange::empty(offset));
    let titles: Vec<&str> = fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Add the guard `has(self.replicas) && …` (the rule accepts the same objects)",
            "Add `replicas` to `required` (rejects objects without it)",
            "Add `default: 0` to `replicas`",
        ]
    );
    for fix in &fixes {
        let file = crate::File::new(&text_after(&text, &fix.edits), file.settings());
        assert!(file.findings().is_empty(), "{}: {:?}", fix.title, file.findings());
    }
}

#[test]
fn guards_in_other_rules_of_the_same_value_count() {
    let entry =
        "rule: has(self.labels)\n              message: a\n            - rule: self.labels.$0size() > 0";
    let (_, file, _) = at_cursor(entry, 35);
    assert!(file.findings().iter().all(|finding| finding.code.as_str() != CODE), "{:?}", file.findings());
    let (_, file, _) = at_cursor("rule: self.labels.$0size() > 0", 35);
    assert_eq!(file.findings().iter().filter(|finding| finding.code.as_str() == CODE).count(), 1);
}

#[test]
fn a_rule_is_formatted() {
    for style in STYLES {
        let (text, file, offset) =
            at_cursor(&in_style(style, "self.mode=='a$0'||!( has( self.replicas))"), 35);
        let fix = file.format_rule(offset).unwrap();
        assert_eq!(fix.title, "Format this rule");
        let formatted = text_after(&text, &fix.edits);
        assert_eq!(rule_of(&formatted), "self.mode == 'a' || !(has(self.replicas))", "{style}");
        assert_eq!(crate::File::new(&formatted, file.settings()).format_rule(offset), None, "{style}");
    }
    let (_, file, offset) = at_cursor("rule: self.mode == $0", 35);
    assert_eq!(file.format_rule(offset), None);
}

#[test]
fn long_rules_with_a_message_become_several_lines() {
    let rule =
        "has(self.replicas) && self.replicas > 10 && has(self.labels) && self.labels.size() > 0 && true";
    let (text, file, offset) = at_cursor(&format!("rule: '$0{rule}'"), 35);
    let formatted = text_after(&text, &file.format_rule(offset).unwrap().edits);
    assert!(
        formatted.contains("has(self.replicas) &&\n                self.replicas > 10 &&\n"),
        "{formatted}"
    );
    let file = crate::File::new(&formatted, file.settings());
    assert_eq!(file.findings(), []);
    // Without a message, the server requires a rule on one line.
    let text = text.replace("message: refused", "reason: FieldValueInvalid");
    let file = crate::File::new(&text, file.settings());
    assert_eq!(file.format_rule(offset), None);
}

#[test]
fn selections_grow_from_the_name_to_the_rule() {
    for style in STYLES {
        let rule = "has(self.ports) && self.ports.all(p, p.po$0rt > 1)";
        let (text, file, offset) = at_cursor(&in_style(style, rule), 35);
        let chain = file.selections(offset);
        let texts: Vec<&str> = chain.iter().map(|range| &text[range.as_usize()]).collect();
        let expected = [
            "port",
            "p.port",
            "p.port > 1",
            "self.ports.all(p, p.port > 1)",
            "has(self.ports) && self.ports.all(p, p.port > 1)",
        ];
        assert_eq!(texts[..5], expected, "{style}");
        assert!(texts.iter().any(|text| text.starts_with("rule: ")), "{texts:?}");
        // Also before the first letter of a line.
        let line = text[..offset as usize].rfind('\n').unwrap() as u32 + 1;
        assert!(file.selections(line).iter().all(|range| range.touches(line)), "{style}");
        assert!(chain.windows(2).all(|pair| pair[1].contains_range(pair[0]) && pair[0] != pair[1]));
    }
}
