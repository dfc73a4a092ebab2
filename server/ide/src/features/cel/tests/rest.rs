use crate::TokenClass;
use crate::features::cel::tests::{STYLES, at_cursor, in_style};
use text::TextRange;

/// The active signature with its active parameter in brackets.
fn signature(entry: &str) -> Option<String> {
    let (_, file, offset) = at_cursor(entry, 35);
    let all = file.signatures(offset)?;
    let one = &all.list[all.active];
    let mut label = one.label.clone();
    if let Some(parameter) = one.parameters.get(all.argument) {
        label.insert(parameter.end, ']');
        label.insert(parameter.start, '[');
    }
    Some(label)
}

#[test]
fn a_call_shows_its_signature_and_parameter() {
    for style in STYLES {
        let shown = |rule: &str| signature(&in_style(style, rule));
        assert_eq!(shown("self.mode.matches($0)").as_deref(), Some("string.matches([string]) -> bool"));
        assert_eq!(
            shown("self.mode.replace('a', $0").as_deref(),
            Some("string.replace(string, [string]) -> string")
        );
        assert_eq!(
            shown("self.mode.replace('a', 'b', 1$0)").as_deref(),
            Some("string.replace(string, string, [int]) -> string")
        );
        assert_eq!(
            shown("self.ports.all(p, p.port $0").as_deref(),
            Some("collection.all(x, [condition]) -> bool")
        );
        assert_eq!(shown("true && size($0").as_deref(), Some("size([bytes]) -> int"));
        assert_eq!(
            shown("sets.contains(['a'], $0)").as_deref(),
            Some("sets.contains(list(T), [list(T)]) -> bool")
        );
        assert_eq!(shown("self.mode == $0'a'"), None);
    }
}

/// The hints of the entry, each with the text before it on its line.
fn hints(entry: &str) -> Vec<(String, String)> {
    let (text, file, _) = at_cursor(&format!("{entry}$0"), 35);
    let all = TextRange::new(0, text.len() as u32);
    let line = |at: u32| text[..at as usize].rsplit('\n').next().unwrap().trim().to_owned();
    file.hints(all).into_iter().map(|hint| (line(hint.offset), hint.label)).collect()
}

#[test]
fn each_rule_has_a_cost_hint() {
    let label = "cost 51 → less than 0.1 % of the limit".to_owned();
    let rule = "self.ports.all(p, p.port > 1)";
    for (style, line) in STYLES.iter().zip([
        "- rule: self.ports.all(p, p.port > 1)",
        "- rule: 'self.ports.all(p, p.port > 1)'",
        "- rule: \"self.ports.all(p, p.port > 1)\"",
        "- rule: |",
        "- rule: >-",
    ]) {
        assert_eq!(hints(&in_style(style, rule)), [(line.to_owned(), label.clone())]);
    }
    let expensive = hints("rule: self.labels.all(k, self.labels.all(j, k == j))");
    assert!(expensive[0].1.starts_with("⚠ cost ") && expensive[0].1.contains("the limit"), "{expensive:?}");
    assert_eq!(hints("rule: self.labels.all("), []);
}

/// The name at the cursor, and the line of its declaration.
fn definition(entry: &str) -> Option<(String, String)> {
    let (text, file, offset) = at_cursor(entry, 35);
    let found = file.definition(offset)?;
    let name = text[found.name.as_usize()].to_owned();
    Some((name, text[found.target.start as usize..].lines().next().unwrap().to_owned()))
}

#[test]
fn a_field_leads_to_its_property() {
    for style in STYLES {
        let found = |rule: &str| definition(&in_style(style, rule));
        assert_eq!(found("true && self.mo$0de == 'a'"), Some(("mode".to_owned(), "mode:".to_owned())));
        assert_eq!(
            found("has(self.old__da$0sh__name)"),
            Some(("old__dash__name".to_owned(), "old-name:".to_owned()))
        );
        let port =
            Some(("port".to_owned(), "port: {type: integer, description: Where it listens.}".to_owned()));
        assert_eq!(found("self.ports.exists(p, p.po$0rt > 1)"), port);
        assert_eq!(found("self.ports.filter(p, true)[0].po$0rt > 1"), port);
        assert_eq!(found("self.ports.exists(p, p$0.port > 1)").unwrap().1.split('.').next(), Some("p, p"));
        assert_eq!(found("se$0lf.mode == 'a'"), None);
    }
}

#[test]
fn references_of_a_property_include_the_rules_that_name_it() {
    for style in STYLES {
        let entry = in_style(style, "has(self.mode) && self.mo$0de.size() > 1 || self.replicas > 1");
        let (text, file, offset) = at_cursor(&entry, 35);
        let found = file.references(offset);
        let names: Vec<_> = found.iter().map(|range| &text[range.as_usize()]).collect();
        assert_eq!(names, ["mode"; 4], "the property, `required` and the rule: {entry}");
        assert!(text[found[0].start as usize..].starts_with("mode:\n"), "the property comes first");
        assert_eq!(file.references(found[0].start), found, "from the property");
    }
    let (text, file, offset) =
        at_cursor("rule: self.ports.all(p, p$0.port > 1) && self.ports.all(p, p.port < 9)", 35);
    let names: Vec<_> = file.references(offset).iter().map(|range| &text[range.as_usize()]).collect();
    assert_eq!(names, ["p", "p"], "a variable belongs to its macro");
}

#[test]
fn tokens_have_classes() {
    use TokenClass as T;
    for style in STYLES {
        let entry =
            in_style(style, "self.ports.all(p, p.port in [1]) && self.mode.size() != 2 ? true : 'a' == 'b'");
        let (text, file, _) = at_cursor(&format!("{entry}$0"), 35);
        let found = file.tokens(TextRange::new(0, text.len() as u32));
        let found: Vec<_> =
            found.iter().map(|(range, class)| (text[range.as_usize()].trim_matches('\''), *class)).collect();
        let expected = [
            ("self", T::Variable),
            ("ports", T::Property),
            ("all", T::Macro),
            ("p", T::Parameter),
            ("p", T::Parameter),
            ("port", T::Property),
            ("in", T::Keyword),
            ("1", T::Number),
            ("&&", T::Operator),
            ("self", T::Variable),
            ("mode", T::Property),
            ("size", T::Function),
            ("!=", T::Operator),
            ("2", T::Number),
            ("?", T::Operator),
            ("true", T::Keyword),
            ("a", T::String),
            ("==", T::Operator),
            ("b", T::String),
        ];
        assert_eq!(found, expected, "{entry}");
    }
}
