use crate::features::cel::tests::{STYLES, at_cursor, in_style};

/// The text that a hover in the entry covers, and its Markdown.
fn hover(entry: &str) -> Option<(String, String)> {
    let (text, file, offset) = at_cursor(entry, 35);
    let hover = file.hover(offset)?;
    Some((text[hover.range.as_usize()].to_owned(), hover.markdown))
}

#[track_caller]
fn check(rule: &str, covered: &str, markdown: &str) {
    for style in STYLES {
        let entry = in_style(style, rule);
        let (range, found) = hover(&entry).unwrap_or_else(|| panic!("no hover in {entry}"));
        assert_eq!((range.as_str(), found.as_str()), (covered, markdown), "in {entry}\n{found}");
    }
}

#[test]
fn the_hover_of_a_field_shows_its_type_and_schema() {
    check(
        "size(self.mo$0de) > 1",
        "mode",
        "**`self.mode`**: `string`\n\n---\n\n**`spec.mode`**: `enum: Fast, It's slow` · required\n\nHow it works.",
    );
    check(
        "true && self.ports[0].po$0rt > 1",
        "port",
        "**`self.ports[0].port`**: `int`\n\n---\n\n**`spec.ports[*].port`**: `integer`\n\nWhere it listens.",
    );
}

#[test]
fn a_plain_rule_that_yaml_reads_as_a_tag_explains_its_parts() {
    for rule in ["!has(self.mode) || self.mo$0de == 'Fast'", "!has(self.mo$0de) # why"] {
        let plain = hover(&format!("rule: {rule}"));
        assert_eq!(plain.as_ref().map(|(covered, _)| covered.as_str()), Some("mode"), "{rule}");
        assert_eq!(plain, hover(&format!("rule: \"{rule}\"")), "{rule}");
    }
}

#[test]
fn the_argument_of_has_has_the_type_of_the_field() {
    check(
        "has(self.repl$0icas)",
        "replicas",
        "**`self.replicas`**: `int`\n\n---\n\n**`spec.replicas`**: `integer ≥ 0`",
    );
}

#[test]
fn the_variable_of_a_macro_is_an_element() {
    check(
        "self.ports.all(p, p.na$0me != 'a')",
        "name",
        "**`p.name`**: `string`\n\n---\n\n**`spec.ports[*].name`**: `string`",
    );
    check("self.ports.all(p$0, p.name != 'a')", "p", "**`p`**: `object`");
    check("self.labels.all(k$0, k != 'a')", "k", "**`k`**: `string`");
}

#[test]
fn the_hover_of_a_function_shows_signature_text_example_cost_and_link() {
    check(
        "self.mode.mat$0ches('^F')",
        "matches",
        "**`matches`**: `string.matches(string) -> bool`\n\nWhether a part of the string matches the regular expression; use `^` and `$` to match the whole string.\n\n\
         Example: `'abc'.matches('^a')` is `true`\n\n\
         Cost: 0.1 × the length of the text × 0.25 × the length of the pattern\n\n\
         [Documentation](https://kubernetes.io/docs/reference/using-api/cel/)",
    );
    check(
        "true && isI$0P(self.mode)",
        "isIP",
        "**`isIP`**: `isIP(string) -> bool` · since Kubernetes 1.31\n\nWhether the string is an IP address.\n\nExample: `isIP('10.0.0.256')` is `false`\n\n\
         Cost: 0.1 × the size of the argument\n\n[Documentation](https://kubernetes.io/docs/reference/using-api/cel/)",
    );
    check(
        "true && sets.cont$0ains(['a'], ['b'])",
        "contains",
        "**`sets.contains`**: `sets.contains(list(T), list(T)) -> bool` · since Kubernetes 1.30\n\nWhether the first list contains all elements of the second.\n\n\
         Example: `sets.contains([1, 2, 3], [2])` is `true`\n\n\
         Cost: the number of elements of one list × the number of the other\n\n[Documentation](https://kubernetes.io/docs/reference/using-api/cel/)",
    );
}

#[test]
fn the_hover_of_a_macro_shows_its_form_and_result_type() {
    check(
        "self.ports.ma$0p(p, p.name) == []",
        "map",
        "**`map`**: `collection.map(x, value) -> list` · macro\n\nThe list of the results for each element.\n\n\
         Example: `[1, 2].map(x, x * 2)` is `[2, 4]`\n\nType here: `list(string)`\n\n[Documentation](https://github.com/google/cel-spec/blob/master/doc/langdef.md#macros)",
    );
}

#[test]
fn a_namespace_lists_its_functions() {
    check(
        "true && se$0ts.contains(['a'], ['b'])",
        "sets",
        "**`sets`**: namespace\n\nFunctions: `sets.contains`, `sets.equivalent`, `sets.intersects`.\n\n\
         [Documentation](https://kubernetes.io/docs/reference/using-api/cel/)",
    );
}

#[test]
fn the_hover_of_an_operator_shows_the_type_of_the_operation() {
    check("self.mode =$0= 'a'", "==", "**`self.mode == 'a'`**: `bool`\n\nWhether two values are equal.");
}

#[test]
fn incomplete_expressions_have_types() {
    let (range, markdown) = hover("rule: self.rep$0licas > 0 && self.").unwrap();
    assert_eq!(
        (range.as_str(), markdown.split('\n').next().unwrap()),
        ("replicas", "**`self.replicas`**: `int`")
    );
}

#[test]
fn the_hover_of_the_key_and_the_start_of_a_rule_shows_its_cost() {
    let cost = "**Cost**: 51, less than 0.1 % of the limit";
    let (range, markdown) = hover("ru$0le: self.ports.all(p, p.port > 1)").unwrap();
    assert_eq!((range.as_str(), markdown.split("\n\n").next().unwrap()), ("rule", cost));
    assert!(markdown.contains("**`rule`**"), "{markdown}");
    let (_, markdown) = hover("rule: se$0lf.ports.all(p, p.port > 1)").unwrap();
    assert!(markdown.ends_with(cost), "{markdown}");
    let (range, markdown) = hover("rule: |$0\n                self.ports.all(p, p.port > 1)").unwrap();
    assert_eq!(markdown, cost);
    assert!(range.starts_with("|\n"));
}

#[test]
fn the_hover_of_an_expensive_rule_lists_unbounded_values() {
    let (_, markdown) = hover("ru$0le: self.labels.all(k, k.matches('a'))").unwrap();
    assert!(markdown.contains("- `spec.labels` has no `maxProperties`"), "{markdown}");
}

#[test]
fn a_reserved_word_is_a_field_where_the_release_knows_it() {
    let (_, markdown) = hover("rule: self.__names$0pace__ == ''").unwrap();
    assert!(markdown.starts_with("**`self.__namespace__`**: `string`"), "{markdown}");
    let (_, markdown) = hover("rule: self.names$0pace == ''").unwrap();
    assert!(markdown.starts_with("**`self.namespace`**: `string`"), "{markdown}");
}
