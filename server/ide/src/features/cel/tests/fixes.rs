use crate::features::cel::tests::{STYLES, at_cursor, in_style};
use text::{TextEdit, TextRange};

/// The title of each fix at the cursor, and the fixed text.
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

/// Checks that the only fix at the cursor changes the rule to `expected`.
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
fn an_unknown_name_is_replaced_with_the_intended_one() {
    check("self.replica$0s2 > 1", "Change `replicas2` to `replicas`", "self.replicas > 1");
    check("self.ports.all(p, p.pr$0ot > 1)", "Change `prot` to `port`", "self.ports.all(p, p.port > 1)");
    check("self.mode.startWi$0th('a')", "Change `startWith` to `startsWith`", "self.mode.startsWith('a')");
    check("le$0n(self.mode) < 9", "Change `len` to `size`", "size(self.mode) < 9");
    check("self.mode.hasPre$0fix('a')", "Change `hasPrefix` to `startsWith`", "self.mode.startsWith('a')");
    check("self.mode.len$0ght() < 9", "Change `lenght` to `size`", "self.mode.size() < 9");
    check("self.mode.len$0gth < 9", "Change `length` to `size()`", "self.mode.size() < 9");
    check("self.ports.si$0ze < 9", "Change `size` to `size()`", "self.ports.size() < 9");
    check("true && mo$0de == 'a'", "Change `mode` to `self.mode`", "true && self.mode == 'a'");
    check("true && sel$0.mode == 'a'", "Change `sel` to `self`", "true && self.mode == 'a'");
}

#[test]
fn properties_are_replaced_with_their_escaped_spelling() {
    check(
        "self.ol$0d-name == 'a'",
        "Replace `old-name` with `old__dash__name`",
        "self.old__dash__name == 'a'",
    );
    check("self.name$0space == 'a'", "Replace `namespace` with `__namespace__`", "self.__namespace__ == 'a'");
}

#[test]
fn a_property_called_as_a_word_of_the_language_is_escaped() {
    for (rule, written, word, escaped) in [
        ("self.in == 'a'", "self.__in__ == 'a'", "in", "__in__"),
        ("has(self.in)", "has(self.__in__)", "in", "__in__"),
        ("self.mode in [self.in]", "self.mode in [self.__in__]", "in", "__in__"),
        ("self.null == 'a'", "self.__null__ == 'a'", "null", "__null__"),
        ("self.true.size() > 2", "self.__true__.size() > 2", "true", "__true__"),
    ] {
        let (text, ..) = at_cursor(&format!("rule: {rule}$0"), 35);
        let text = text.replace("namespace:\n", &format!("\"{word}\":\n"));
        let file = crate::File::new(&text, &crate::Settings::default());
        let at = text.find(&format!(".{word}")).unwrap() + 1;
        let fixes = file.fixes(TextRange::new(at as u32, (at + word.len()) as u32));
        let title = format!("Replace `{word}` with `{escaped}`");
        let mut named = fixes.iter().filter(|fix| fix.title == title);
        let fix = named.next().unwrap_or_else(|| panic!("{rule}: {fixes:?} {:?}", file.findings()));
        assert!(named.next().is_none(), "{rule}: {fixes:?}");
        let mut fixed = text;
        fix.edits.iter().rev().for_each(|edit| fixed.replace_range(edit.range.as_usize(), &edit.new_text));
        assert!(fixed.contains(written), "{fixed}");
    }
}

#[test]
fn escapes_unknown_to_cel_become_a_raw_string() {
    for entry in [r"rule: self.mode.matches('^$0\d+')", r#"rule: "self.mode.matches('^$0\\d+')""#] {
        let found = fixes(entry, 35);
        let [(title, after)] = &*found else { panic!("one fix: {found:?}") };
        assert_eq!(title, r"Change to the raw string `r'^\d+'`");
        assert!(after.contains("self.mode.matches(r'^\\"), "{after}");
    }
}

#[test]
fn foreign_syntax_in_a_rule_is_converted_to_cel() {
    let title = "Replace the operators with `&&`, `==`";
    check("self.mode $0= 'Fast' and true", title, "self.mode == 'Fast' && true");
    check("obj$0ect.spec.mode == 'Fast'", "Replace `object.spec` with `self`", "self.mode == 'Fast'");
}

#[test]
fn has_is_closed_after_its_path() {
    check("has$0(self.mode && self.mode == 'a'", "Insert `)`", "has(self.mode) && self.mode == 'a'");
    check(
        "$0(has(self.mode && self.mode == 'a') || true",
        "Insert `)`",
        "(has(self.mode) && self.mode == 'a') || true",
    );
}

/// The line of the entry of the rule.
fn line_of_rule(text: &str) -> TextRange {
    let at = text.find("            - rule").unwrap() + 14;
    TextRange::new(at as u32, (at + text[at..].find('\n').unwrap()) as u32)
}

#[test]
fn a_rule_that_yaml_misreads_is_explained_and_quoted() {
    for (rule, why) in [
        ("$0!has(self.mode)", "as a tag"),
        ("$0!has(self.mode) || self.mode == 'Fast'", "as a tag"),
        ("self.mode == 'it #$01'", "start of a comment"),
        ("self.mode != 'a #$0b' && self.mode != \"c #d\"", "start of a comment"),
        ("self.mode == 'a' ? true $0: false", "end of a key"),
        ("'F$0ast' == self.mode", "begins with a quote"),
        ("[1, 2].all(x$0, x > 1)", "begins with a bracket"),
    ] {
        let entry = format!("rule: {rule}");
        let (text, file, _) = at_cursor(&entry, 35);
        let is_reported = |message: &crate::Message| {
            message.problem.contains(why)
                && message.remedy.as_deref() == Some("put the whole expression in quotes")
        };
        let line = line_of_rule(&text);
        let reported = file.findings().iter().filter(|finding| is_reported(&finding.message));
        assert_eq!(reported.count(), 1, "{entry}: {:?}", file.findings());
        let fixes = file.fixes(line);
        let quoting = fixes.iter().find(|fix| fix.title == "Quote the rule");
        let quoting = quoting.unwrap_or_else(|| panic!("{entry}: {fixes:?}"));
        let quoted = format!("'{}'", rule.replace("$0", "").replace('\'', "''"));
        assert_eq!(quoting.edits.iter().map(|edit| edit.new_text.as_str()).collect::<Vec<_>>(), [quoted]);
    }
}

#[test]
fn a_rule_that_yaml_reads_as_a_tag_is_quoted_without_its_comment() {
    for rule in ["!has(self.mode)", "!has(self.mode) || self.mode == 'a #b'"] {
        let (text, file, _) = at_cursor(&format!("rule: {rule} # don't$0"), 35);
        let errors: Vec<_> = file.findings().iter().map(|finding| &finding.message.problem).collect();
        assert!(errors.iter().all(|problem| problem.contains("reads the leading `!`")), "{rule}: {errors:?}");
        let quoted = format!("rule: '{}' # don't\n", rule.replace('\'', "''"));
        let fixes = file.fixes(line_of_rule(&text));
        let quoting = fixes.iter().find(|fix| fix.title == "Quote the rule");
        let quoting = quoting.unwrap_or_else(|| panic!("{rule}: {fixes:?}"));
        let mut text = text;
        quoting.edits.iter().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
        assert!(text.contains(&quoted), "{text}");
    }
}

#[test]
fn text_that_yaml_reads_as_written_is_not_quoted() {
    for entry in
        ["rule: self.mode = $0'a' # b", "rule: $0", "rule: \"self.nope$0\"", "rule: self.mode == 'a' # b$0"]
    {
        let (_, file, _) = at_cursor(entry, 35);
        assert!(
            file.findings().iter().all(|finding| !finding.message.problem.contains("YAML does not")),
            "{entry}"
        );
    }
}

#[test]
fn an_expensive_rule_gets_bounds() {
    let found = fixes("rule: self.la$0bels.all(k, self.labels.all(j, k == j))", 35);
    let of_cost = found.iter().find(|(title, _)| title.starts_with("Add `maxProperties: "));
    let (title, text) = of_cost.expect("a fix");
    assert!(title.contains("to `spec.labels` (cost ") && title.ends_with(" % of the limit)"), "{title}");
    assert!(text.contains("type: object\n                maxProperties: "), "{text}");
}

#[test]
fn rules_that_are_expensive_together_get_bounds() {
    let rule = "rule: self.labels.all(k, self.labels.exists(j, k != j))";
    let (text, ..) = at_cursor(&format!("{rule}$0"), 35);
    let key = u32::try_from(text.find("openAPIV3Schema").unwrap()).unwrap();
    let file = crate::File::new(&text, &crate::Settings::default());
    let of_total =
        |file: &crate::File| file.findings().iter().any(|finding| finding.code == "cel/crd-cost-total");
    assert!(of_total(&file));
    let fixes = file.fixes(TextRange::empty(key));
    let fix = fixes.iter().find(|fix| fix.title.contains("% of the limit")).expect("a fix");
    let mut fixed = text;
    fix.edits.iter().rev().for_each(|edit| fixed.replace_range(edit.range.as_usize(), &edit.new_text));
    assert!(!of_total(&crate::File::new(&fixed, &crate::Settings::default())), "{fixed}");
}

#[test]
fn a_list_is_compared_item_by_item() {
    let found = fixes("rule: has(self.ports) && self.ports.map(p, p.name) $0== 'a'", 35);
    let rules: Vec<_> = found
        .iter()
        .map(|(title, text)| {
            (
                title.as_str(),
                text.contains("&& self.ports.map(p, p.name).all(x, x == 'a')"),
                text.contains("&& self.ports.map(p, p.name).exists(x, x == 'a')"),
            )
        })
        .collect();
    let all = "Replace the comparison with `self.ports.map(p, p.name).all(x, …)` (every item must match)";
    let any =
        "Replace the comparison with `self.ports.map(p, p.name).exists(x, …)` (one matching item is enough)";
    assert_eq!(rules, [(all, true, false), (any, false, true)]);
    assert_eq!(fixes("rule: self.replicas $0== 'a'", 35), []);
}

#[test]
fn parentheses_stay_around_what_items_are_compared_with() {
    let entry =
        "rule: \"has(self.ports) && (self.mode == 'Fast' ? 'a' : 'b') $0!= self.ports.map(p, p.name)\"";
    let found = fixes(entry, 35);
    let expected = "&& self.ports.map(p, p.name).all(x, (self.mode == 'Fast' ? 'a' : 'b') != x)\"";
    let of_all = found.iter().find(|(title, _)| title.ends_with("(every item must match)"));
    assert!(of_all.is_some_and(|(_, text)| text.contains(expected)), "{found:?}");
    let found = fixes("rule: has(self.ports) && self.ports.map(p, p.name) $0== ('a')", 35);
    let expected = "&& self.ports.map(p, p.name).exists(x, x == ('a'))\n";
    assert!(found.iter().any(|(_, text)| text.contains(expected)), "{found:?}");
}

#[test]
fn items_with_a_name_can_be_identified() {
    let (text, ..) = at_cursor("rule: $0self.mode != ''", 35);
    let items = "                items:\n                  type: object\n";
    let rules = "                  required: [name]\n                  x-kubernetes-validations:\n                  - {rule: self.name == oldSelf.name}\n";
    let text = text.replace(items, &format!("{items}{rules}"));
    let offset = u32::try_from(text.find("oldSelf").unwrap()).unwrap();
    let file = crate::File::new(&text, &crate::Settings::default());
    let fixes = file.fixes(TextRange::empty(offset));
    let titles: Vec<_> = fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert!(
        titles.contains(&"Set `x-kubernetes-list-type: map` with the key `name`"),
        "{titles:?} {:?}",
        file.findings()
    );
}

#[test]
fn a_misspelt_field_path_is_corrected_from_the_schema() {
    let (path, title) = (".repl$0cas", "Set `fieldPath: .replicas`");
    let found = fixes(&format!("rule: self.mode == 'Fast'\n              fieldPath: {path}"), 35);
    assert_eq!(found[0].0, title, "{found:?}");
    assert!(found[0].1.contains("fieldPath: .replicas\n"), "{}", found[0].1);
}

#[test]
fn a_name_that_is_nearly_right_comes_before_a_new_field() {
    let found = fixes("rule: self.mod$0 == 'a'", 35);
    let titles: Vec<&str> = found.iter().map(|(title, _)| &**title).collect();
    assert_eq!(titles, ["Change `mod` to `mode`", "Declare `mod` in this object as a string"]);
}

#[test]
fn one_slip_of_the_syntax_is_corrected() {
    for (rule, title, expected) in [
        ("self.mode == 'a';$0", "Remove `;`", "self.mode == 'a'"),
        ("$0$self.mode == 'a'", "Remove `$`", "self.mode == 'a'"),
        ("self.mode == 'a' &&$0", "Remove `&&`", "self.mode == 'a'"),
        ("self.mode == 'a'.$0", "Remove `.`", "self.mode == 'a'"),
        ("$0|| self.mode == 'a'", "Remove `||`", "self.mode == 'a'"),
        ("re$0turn self.mode == 'a'", "Remove `return`", "self.mode == 'a'"),
        ("i$0f self.mode == 'a'", "Remove `if`", "self.mode == 'a'"),
        ("true && &$0& self.mode == 'a'", "Remove `&&`", "true && self.mode == 'a'"),
        ("self.$0.mode == 'a'", "Remove `.`", "self.mode == 'a'"),
        ("self.replicas =$0< 5", "Replace `=<` with `<=`", "self.replicas <= 5"),
        ("self.replicas =$0> 5", "Replace `=>` with `>=`", "self.replicas >= 5"),
        ("self.mode n$0e 'a'", "Replace `ne` with `!=`", "self.mode != 'a'"),
        ("true th$0en true else false", "Replace `then` with `?`", "true ? true : false"),
        ("true ? true ;$0 false", "Replace `;` with `:`", "true ? true : false"),
        ("true ? true fal$0se", "Insert `:`", "true ? true : false"),
        ("has sel$0f.mode", "Replace `has self.mode` with `has(self.mode)`", "has(self.mode)"),
        ("self.mode != 'a || self.mode == 'b$0'", "Insert `'`", "self.mode != 'a' || self.mode == 'b'"),
        ("self.mode in ['a', '$0b]", "Insert `'`", "self.mode in ['a', 'b']"),
        ("has(self.mode) self$0.mode == 'a'", "Insert `&&`", "has(self.mode) && self.mode == 'a'"),
        ("not$0 has(self.mode)", "Replace the operators with `!`", "!has(self.mode)"),
    ] {
        let entry = format!("rule: \"{rule}\"");
        let found = fixes(&entry, 35);
        let is_expected = |(of, text): &&(String, String)| of == title && text.contains(expected);
        assert_eq!(found.iter().filter(is_expected).count(), 1, "{rule}: {found:#?}");
    }
}
