//! Each fix is evaluated separately: other errors in the document do not prevent it, and it causes no new
//! ones.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use ide::{Applicability, File, Fix, Settings};
use text::{TextEdit, TextRange};

/// A definition with the schema `schema` for `spec`, and no other fields.
fn with_spec(schema: &str) -> String {
    let schema: String = schema.lines().map(|line| format!("            {line}\n")).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.b.c\nspec:\n  group: b.c\n  scope: Cluster\n  \
         names: {{kind: A, plural: as}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties:\n          spec:\n{schema}"
    )
}

fn fixes(text: &str) -> Vec<Fix> {
    File::new(text, &Settings::default()).fixes(TextRange::new(0, text.len() as u32))
}

fn titles(text: &str) -> Vec<String> {
    let sign = |fix: &Fix| if fix.applicability == Applicability::Safe { "safe" } else { "suggested" };
    fixes(text).iter().map(|fix| format!("{}: {}", sign(fix), fix.title)).collect()
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

/// The text after the fix with that title.
fn taken(text: &str, title: &str) -> String {
    let fixes = fixes(text);
    let found = fixes.iter().find(|fix| fix.title == title);
    let fix = found.unwrap_or_else(|| panic!("{title} is none of {:#?}", titles(text)));
    applied(text, &fix.edits)
}

fn codes(text: &str) -> Vec<&'static str> {
    File::new(text, &Settings::default()).findings().iter().map(|finding| finding.code.as_str()).collect()
}

const PORT: &str = "type: object\nproperties:\n  port: {oneOf: [{type: integer}, {type: integer}]}\n";
const HOISTED: &str = "safe: Move `type: integer` from 2 branches of `oneOf` to `port`, and remove `oneOf` (its branches are then identical)";

/// `port` is repaired in the same way beside any other error: each line is added to the schema
/// beside it.
#[test]
fn a_fix_does_not_depend_on_what_else_is_wrong() {
    let alone = titles(&with_spec(PORT));
    let [hoist] = alone.as_slice() else { panic!("{alone:?}") };
    assert!(hoist.contains("Move `type: integer` from 2 branches of `oneOf` to `port`"), "{hoist}");
    for beside in [
        // An unknown function, on another field and on the object.
        "  name: {type: string, x-kubernetes-validations: [{rule: self.startWith('a')}]}\n",
        "x-kubernetes-validations:\n- rule: self.naem == 'a'\n",
        // Rules that are too expensive.
        "  names: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a == b))'}]}\n",
        // A syntax error, a rule that is not a boolean, a message that is not a string.
        "  name: {type: string, x-kubernetes-validations: [{rule: 'self =='}]}\n",
        "  name: {type: string, x-kubernetes-validations: [{rule: size(self)}]}\n",
        "  name: {type: string, x-kubernetes-validations: [{rule: 'true', messageExpression: '1'}]}\n",
        // A default of another type, and a default that the schema rejects.
        "  name: {type: string, default: 1}\n",
        "  name: {type: string, enum: [a], default: b}\n",
        // Incomplete text.
        "  other: {}\n",
        "  other:\n",
        "  other\n",
        "  other: {type: string\n",
        "  other: \"\n",
    ] {
        let text = with_spec(&format!("{PORT}{beside}"));
        let titles = titles(&text);
        assert!(titles.contains(hoist), "beside {beside}: {titles:#?}");
    }
    assert_eq!(HOISTED.split(", drop").next(), hoist.replace("suggested", "safe").split(", drop").next());
}

#[test]
fn hidden_findings_that_a_fix_reveals_do_not_prevent_it() {
    // The first foreign operator prevents the parsing of the rest.
    let text = with_spec(
        "type: object\nproperties: {a: {type: string}, b: {type: integer}}\nrequired: [a, b]\nx-kubernetes-validations:\n- rule: self.a != 'x' and self.b > 'y'\n",
    );
    let after = taken(&text, "Replace the operators with `&&`");
    assert!(after.contains("self.a != 'x' && self.b > 'y'"), "{after}");
    // The cost of a rule is known only if it compiles.
    let text = with_spec(
        "type: object\nproperties: {a: {type: array, items: {type: string}}}\nrequired: [a]\nx-kubernetes-validations:\n- rule: self.a.all(x, self.a.all(y, self.aa.all(z, x != y || y != z)))\n",
    );
    let after = taken(&text, "Change `aa` to `a`");
    assert!(codes(&after).contains(&"cel/rule-cost"), "{:?}", codes(&after));
}

#[test]
fn no_fix_causes_a_finding() {
    // A rule that compares the field with a string: an integer would break it.
    let text = with_spec(
        "type: object\nproperties: {a: {type: int}}\nrequired: [a]\nx-kubernetes-validations: [{rule: self.a != 'x'}]\n",
    );
    assert!(
        !titles(&text).iter().any(|title| title.starts_with("safe: Set `type: integer`")),
        "{:?}",
        titles(&text)
    );
    // The default is an object.
    let text = with_spec("type: object\nproperties: {a: {default: {}, description: what}}\n");
    assert!(!titles(&text).iter().any(|title| title.contains("`type: string`")), "{:?}", titles(&text));
}

/// An object or a list: no structural schema can express that, and only the types distinguish the branches.
#[test]
fn object_or_list_is_repaired_in_one_step() {
    let text = suites::read(&suites::fixtures().join("fixes/titles/object-or-array.yaml")).unwrap();
    assert_eq!(
        titles(&text),
        [
            "suggested: Replace `type` and `oneOf` in `port` with `x-kubernetes-preserve-unknown-fields: true` (accepts any value)",
            "suggested: Remove the branches of `oneOf` in `port`, except that with `type: object`",
            "suggested: Remove the branches of `oneOf` in `port`, except that with `type: array`",
        ]
    );
    let [any, object, array] = ["Replace `type` and `oneOf` in `port` with `x-kubernetes-preserve-unknown-fields: true` (accepts any value)",
        "Remove the branches of `oneOf` in `port`, except that with `type: object`",
        "Remove the branches of `oneOf` in `port`, except that with `type: array`"].map(|title| taken(&text, title));
    for after in [&any, &object, &array] {
        assert_eq!(codes(after), Vec::<&str>::new(), "{after}");
        assert!(after.contains("# One port, or several.") && !after.contains("oneOf"), "{after}");
    }
    let port = |text: &str| text.split("port:\n").nth(1).unwrap().to_owned();
    assert_eq!(
        port(&any),
        "                description: |-\n                  - object: one\n                  - array: several\n                x-kubernetes-preserve-unknown-fields: true\n"
    );
    assert!(port(&object).contains("number:") && !port(&object).contains("items:"), "{object}");
    assert!(port(&array).contains("items:"), "{array}");
}

/// One action for all places with the same problem.
#[test]
fn a_choice_can_be_made_for_all_places() {
    let fields: String = (0..12).map(|index| format!("  a{index}: {{description: what}}\n")).collect();
    let text = with_spec(&format!(
        "type: object\nproperties:\n{fields}  number: {{minimum: 1.5, description: b}}\n"
    ));
    let file = File::new(&text, &Settings::default());
    let at = TextRange::empty(text.find("a3:").unwrap() as u32);
    let offered = file.fixes(at);
    let text_type = offered.iter().find(|fix| fix.title == "Add `type: string` to `a3`").unwrap();
    let all = file.similar_fixes(std::slice::from_ref(text_type), &file.budget()).remove(0);
    assert_eq!(all.title, "Add `type: string` to `a3`, and repair 11 similar mistakes");
    assert_eq!((all.applicability, all.repairs.len()), (Applicability::Suggested, 12));
    let after = applied(&text, &all.edits);
    assert_eq!(after.matches("type: string").count(), 12, "{after}");
    // A single place has no such action.
    let alone = with_spec("type: object\nproperties:\n  a: {description: what}\n");
    let file = File::new(&alone, &Settings::default());
    let whole = TextRange::new(0, alone.len() as u32);
    assert_eq!(file.similar_fixes(&file.fixes(whole), &file.budget()), []);
}

#[test]
fn a_path_of_a_column_is_repaired_with_filters_and_metadata() {
    let definition = |path: &str| {
        let columns = format!(
            "  - additionalPrinterColumns: [{{name: A, type: string, jsonPath: '{path}'}}]\n    name:"
        );
        let schema = "{type: object, properties: {list: {type: array, items: {type: object, properties: {name: {type: \
                      string}, kind: {type: string}}}}}}";
        with_spec(schema).replacen("  - name:", &columns, 1)
    };
    for (path, better) in [
        (".metadata.creationTimeStamp", ".metadata.creationTimestamp"),
        (".creationTimestamp", ".metadata.creationTimestamp"),
        (".spec.lits[?(@.name==\"a.b\")].kind", ".spec.list[?(@.name==\"a.b\")].kind"),
        (".spec.list[0].knid", ".spec.list[0].kind"),
        (".spec.list[?(@.name=\"a\")].kind", ".spec.list[?(@.name==\"a\")].kind"),
        (".spec.list[?(name=a)].kind", ".spec.list[?(@.name==\"a\")].kind"),
    ] {
        assert_eq!(
            titles(&definition(path)),
            [format!("suggested: Change `{path}` to `{better}`")],
            "{path}"
        );
    }
    for sound in [".metadata.labels.a", ".spec.list[?(@.name==\"a\")].kind", ".spec.list[*].name"] {
        assert_eq!(titles(&definition(sound)), Vec::<String>::new(), "{sound}");
    }
}

#[test]
fn a_sentence_in_place_of_an_expression_becomes_the_message() {
    let definition = |message: &str| {
        with_spec(&format!(
            "type: string\nmaxLength: 9\nx-kubernetes-validations:\n- rule: self != 'a'\n  messageExpression: {message}"
        ))
    };
    let text = definition("the name must not be a");
    assert_eq!(titles(&text), ["suggested: Move the text to `message`"]);
    assert!(
        taken(&text, "Move the text to `message`")
            .contains("\n              message: the name must not be a\n")
    );
    for other in ["\"'no ' + self\"", "self + 'a' 'b'", "the name"] {
        assert!(titles(&definition(other)).iter().all(|title| !title.contains("Move")), "{other}");
    }
}

#[test]
fn a_field_without_its_colon_gets_it() {
    let definition = |of_spec: &str| with_spec(&format!("type: object\n{of_spec}"));
    for (wrong, title, right) in [
        ("properties:\n  a:\n    type string", "type", "properties:\n  a:\n    type: string\n"),
        ("properties: {a: type string}", "type", "properties: {a: {type: string}}\n"),
        ("additionalProperties:\n  type string", "type", "additionalProperties:\n  type: string\n"),
        (
            "properties: {a: {type: string}}\nx-kubernetes-validations:\n- rule has(self.a)",
            "rule",
            "x-kubernetes-validations:\n- rule: has(self.a)\n",
        ),
    ] {
        let text = definition(wrong);
        let title = format!("Add `:` after `{title}`");
        assert!(titles(&text).contains(&format!("suggested: {title}")), "{wrong}: {:?}", titles(&text));
        let indented = right.replace('\n', &format!("\n{}", " ".repeat(12)));
        assert!(taken(&text, &title).contains(indented.trim_end()), "{}", taken(&text, &title));
    }
}

#[test]
fn a_key_and_a_dash_are_separated_from_what_follows() {
    let definition =
        |of_spec: &str| with_spec(&format!("type: object\nproperties:\n  a:\n    type: string\n{of_spec}"));
    for (wrong, title, right) in [
        ("    maxLength:1", "Add a space after `maxLength:`", "    maxLength: 1"),
        ("    maxLength = 1", "Replace `=` with `:` after `maxLength`", "    maxLength: 1"),
        ("    enum:\n    -Fast", "Add a space after `-`", "    enum:\n    - Fast"),
        ("    enum:\n    - Slow\n    -Fast", "Add a space after `-`", "    - Slow\n    - Fast"),
        ("  b\n", "Add `:` after `b`", "  b:"),
        ("  b:\n    type:string", "Add `:` after `type`", "    type: string"),
        ("  b:\n    type = string", "Add `:` after `type`", "    type: string"),
    ] {
        let text = definition(wrong);
        let offered = format!("suggested: {title}");
        assert!(titles(&text).contains(&offered), "{wrong}: {:?}", titles(&text));
        let indented = right.replace('\n', &format!("\n{}", " ".repeat(12)));
        assert!(taken(&text, title).contains(indented.trim_end()), "{}", taken(&text, title));
    }
}

#[test]
fn an_object_in_the_place_of_a_list_of_them_becomes_its_item() {
    let (before, rest) = with_spec("type: object")
        .split_once("  - name: v1")
        .map(|(one, other)| (one.to_owned(), other.to_owned()))
        .unwrap();
    let wrong = format!("{before}    name: v1 # the only one{rest}");
    let title = "Convert `versions` to a list of one item";
    let right = format!("{before}  - name: v1 # the only one{rest}");
    assert_eq!(taken(&wrong, title), right);
    // Comments are not lost.
    let commented = format!("{before}    # the only one\n    name: v1{rest}");
    assert!(titles(&commented).iter().all(|offered| !offered.ends_with(title)));
    let rules = with_spec("type: object\nx-kubernetes-validations:\n  rule: 'true'\n  message: never");
    let title = "Convert `x-kubernetes-validations` to a list of one item";
    assert!(
        taken(&rules, title).contains(
            "            x-kubernetes-validations:\n            - rule: 'true'\n              message: never\n"
        ),
        "{}",
        taken(&rules, title)
    );
}

#[test]
fn missing_separators_of_entries_and_items_are_added() {
    let yaml = |lines: &str| with_spec(&format!("type: string\n{lines}"));
    for (wrong, title, right) in [
        ("enum: [\"a\" \"b\"]", "Add `,` before `b`", "enum: [\"a\", \"b\"]"),
        ("enum:\n  - a\n  b", "Add `-` before `b`", "enum:\n  - a\n  - b"),
    ] {
        assert_eq!(taken(&yaml(wrong), title), yaml(right), "{:?}", titles(&yaml(wrong)));
    }
    let json = "{\n  \"apiVersion\": \"apiextensions.k8s.io/v1\",\n  \"kind\": \"CustomResourceDefinition\",\n  \"metadata\": {\"name\": \"as.b.c\"},\n  \"spec\": {\n    \"group\": \"b.c\",\n    \"scope\": \"Cluster\",\n    \"names\": {\"kind\": \"A\", \"plural\": \"as\"},\n    \"versions\": [{\n      \"name\": \"v1\",\n      \"served\": true,\n      \"storage\": true,\n      \"schema\": {\"openAPIV3Schema\": {\"type\": \"object\"}}\n    }]\n  }\n}\n";
    for (right, key) in [
        ("true,\n      \"storage", "storage"),
        ("\"A\", \"plural", "plural"),
        ("\"b.c\",\n", "scope"),
        ("},\n    \"versions", "versions"),
    ] {
        let wrong = json.replacen(right, &right.replacen(',', "", 1), 1);
        let title = format!("Add `,` before `{key}`");
        assert_eq!(taken(&wrong, &title), json, "{:?}", titles(&wrong));
    }
}

#[test]
fn an_unclosed_bracket_or_quote_is_closed_at_its_end() {
    let yaml =
        |lines: &str| with_spec(&format!("type: object\nproperties:\n  a:\n    type: string\n{lines}"));
    for (wrong, close, right) in [
        (
            "    description: 'what it is\n    maxLength: 3",
            "'",
            "    description: 'what it is'\n    maxLength: 3",
        ),
        (
            "    description: \"what it is\n    maxLength: 3",
            "\"",
            "    description: \"what it is\"\n    maxLength: 3",
        ),
        ("    enum: [a, b\n    maxLength: 3", "]", "    enum: [a, b]\n    maxLength: 3"),
        ("    enum: [a, b # all\n    maxLength: 3", "]", "    enum: [a, b] # all\n    maxLength: 3"),
        ("  b: {type: string\n  c: {type: string}", "}", "  b: {type: string}\n  c: {type: string}"),
    ] {
        assert_eq!(
            taken(&yaml(wrong), &format!("Add the closing `{close}`")),
            yaml(right),
            "{:?}",
            titles(&yaml(wrong))
        );
    }
}

#[test]
fn literals_get_the_type_of_the_other_operand() {
    for (rule, from, to) in [
        ("self.name in [1, 22]", "[1, 22]", "['1', '22']"),
        ("self.size in ['1', '22']", "['1', '22']", "[1, 22]"),
        ("self.on in ['true']", "['true']", "[true]"),
        ("self.on == 1", "1", "true"),
        ("self.on != 0", "0", "false"),
    ] {
        let schema = |rule: &str| {
            with_spec(&format!(
                "type: object\nrequired: [name, size, \"on\"]\nproperties:\n  name: {{type: string, maxLength: 9}}\n  size: {{type: integer}}\n  \"on\": {{type: boolean}}\nx-kubernetes-validations:\n- rule: {rule}\n"
            ))
        };
        let fixed = taken(&schema(rule), &format!("Replace `{from}` with `{to}`"));
        assert_eq!(fixed, schema(&rule.replace(from, to)));
    }
}

#[test]
fn a_list_of_types_is_an_object_where_the_server_accepts_nothing_else() {
    let title = "Set `type: object` instead of the list of types";
    let embedded = |ty: &str| {
        with_spec(&format!(
            "type: {ty}\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n"
        ))
    };
    assert_eq!(taken(&embedded("[string, \"null\"]"), title), embedded("object"));
    let root = |ty: &str| {
        with_spec("type: object\n").replace(
            "openAPIV3Schema:\n        type: object",
            &format!("openAPIV3Schema:\n        type: {ty}"),
        )
    };
    assert_eq!(taken(&root("[object, \"null\"]"), title), root("object"));
}

#[test]
fn the_path_of_a_column_is_corrected() {
    let text = |path: &str| {
        let columns =
            format!("    additionalPrinterColumns: [{{name: A, type: string, jsonPath: {path:?}}}]\n");
        with_spec("type: object\nproperties: {list: {type: array, items: {type: object, properties: {name: {type: string}}}}}\n")
            .replace("    schema:\n", &format!("{columns}    schema:\n"))
    };
    let right = ".spec.list[?(@.name=='a')].name";
    for wrong in [
        ".spec.list[?(@.name=='a').name",
        ".spec.list[?(@.name=='a'].name",
        ".spec.list[?(@.name=='a')).name",
        ".spec/list[?(@.name=='a')].name",
        ".spec.list[?(@name=='a')].name",
    ] {
        let after = taken(&text(wrong), &format!("Change `{wrong}` to `{right}`"));
        assert!(!codes(&after).iter().any(|code| code.starts_with("lint/column")), "{after}");
    }
}

#[test]
fn a_lookaround_is_removed_from_a_pattern() {
    let text = |pattern: &str| {
        with_spec(&format!("type: object\nproperties: {{a: {{type: string, pattern: '{pattern}'}}}}\n"))
    };
    for (wrong, group, right) in [
        ("^(?!a)[a-z]+$", "(?!a)", "^[a-z]+$"),
        ("^[a-z]+(?<!-(a|b))$", "(?<!-(a|b))", "^[a-z]+$"),
        ("^a(?=[)b])|c$", "(?=[)b])", "^a|c$"),
    ] {
        let after = taken(&text(wrong), &format!("Remove `{group}` (the pattern then admits more values)"));
        assert!(after.contains(right) && !codes(&after).contains(&"structural/pattern"), "{after}");
    }
}
