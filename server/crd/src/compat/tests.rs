#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod conversion;

use yaml::{Reader, Tree};

use super::{Change, FieldCell, compare};
use crate::cache::Cache;
use crate::object::definitions;
use crate::tests::markers::HEAD;

/// The changes between the definitions in two texts.
fn changes(old: &str, new: &str) -> Vec<Change> {
    let (old, new) = (Tree::parse(old), Tree::parse(new));
    let (old, new) = (old.documents().next().unwrap(), new.documents().next().unwrap());
    let (old_reader, new_reader) = (Reader::new(old), Reader::new(new));
    let (old, new) = (definitions(old, &old_reader), definitions(new, &new_reader));
    compare(&old[0], &new[0], &mut Cache::default())
}

/// A definition with that schema of `.spec`.
fn definition(spec: &str) -> String {
    format!(
        "{HEAD}  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {spec}
"
    )
}

/// The changes caused by a change of the schema of `.spec`, each with the text at its range.
fn reported(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (definition(old), definition(new));
    let shown = |change: Change| {
        let place = &new[change.range.as_usize()];
        format!("{} {} at `{place}`: {}", change.class.name(), change.code.as_str(), change.message)
    };
    changes(&old, &new).into_iter().map(shown).collect()
}

#[test]
fn equal_definitions_have_no_changes() {
    let text = "{type: object, required: [a], properties: {a: {type: string, enum: [x], pattern: x}}}";
    let other = "{properties: {a: {pattern: \"x\", enum: [x], type: string, description: A}}, type: object, required: [a]}";
    assert_eq!(reported(text, other), Vec::<String>::new());
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row for each kind of change")]
fn changes_of_a_schema_name_the_field_and_both_values() {
    for (old, new, expected) in [
        (
            "{type: object, properties: {a: {type: string}, b: {type: string}}}",
            "{type: object, properties: {b: {type: string}}}",
            "breaking compat/field-removed at `properties`: `.spec.a` in v1: the field was removed; kube-apiserver prunes its stored and new values",
        ),
        (
            "{type: integer}",
            "{type: string}",
            "breaking compat/type-changed at `type`: `.spec` in v1: the type changed from `integer` to `string`; values that were valid are now rejected",
        ),
        (
            "{type: integer}",
            "{x-kubernetes-int-or-string: true}",
            "risky compat/type-changed at `x-kubernetes-int-or-string`: `.spec` in v1: the type changed from `integer` to `int-or-string`; clients may receive values that they do not expect",
        ),
        (
            "{type: integer, maximum: 10}",
            "{type: integer, maximum: 5}",
            "breaking compat/bound-tightened at `maximum`: `.spec` in v1: `maximum` changed from 10 to 5; values in between are rejected",
        ),
        (
            "{type: integer, maximum: 5}",
            "{type: integer, maximum: 5, exclusiveMaximum: true}",
            "breaking compat/bound-tightened at `maximum`: `.spec` in v1: `maximum` now excludes 5 itself",
        ),
        (
            "{type: string, minLength: 3}",
            "{type: string}",
            "safe compat/loosened at `spec`: `.spec` in v1: `minLength: 3` was removed",
        ),
        (
            "{type: string, enum: [a, b]}",
            "{type: string, enum: [b]}",
            "breaking compat/enum-removed at `enum`: `.spec` in v1: `enum` no longer has \"a\"; such values are rejected",
        ),
        (
            "{type: string, enum: [a]}",
            "{type: string, enum: [a, b]}",
            "risky compat/enum-added at `enum`: `.spec` in v1: `enum` now has \"b\"; clients may receive values that they do not know",
        ),
        (
            "{type: string, pattern: a}",
            "{type: string, pattern: b}",
            "risky compat/pattern-changed at `pattern`: `.spec` in v1: `pattern` changed from `a` to `b`; values that matched may be rejected",
        ),
        (
            "{type: object, properties: {a: {type: string}}}",
            "{type: object, required: [a], properties: {a: {type: string}}}",
            "breaking compat/required-added at `required`: `.spec` in v1: `a` is now required; objects without it are rejected",
        ),
        (
            "{type: object, properties: {a: {type: string, default: x}}}",
            "{type: object, required: [a], properties: {a: {type: string, default: x}}}",
            "safe compat/required-added at `required`: `.spec` in v1: `a` is now required; it has a default",
        ),
        (
            "{type: string, default: a}",
            "{type: string, default: b}",
            "risky compat/default-changed at `default`: `.spec` in v1: the default changed from \"a\" to \"b\"; objects stored with the former one keep it",
        ),
        (
            "{type: string, nullable: true}",
            "{type: string}",
            "risky compat/nullable-withdrawn at `spec`: `.spec` in v1: `nullable` was removed; null is now pruned",
        ),
        (
            "{type: array, items: {type: string, nullable: true}}",
            "{type: array, items: {type: string}}",
            "breaking compat/nullable-withdrawn at `items`: `.spec[*]` in v1: `nullable` was removed; null is now rejected",
        ),
        (
            "{type: array, items: {type: string}}",
            "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
            "breaking compat/list-type-changed at `x-kubernetes-list-type`: `.spec` in v1: the list type changed from `atomic` to `set`; lists with duplicate items are rejected",
        ),
        (
            "{type: object, x-kubernetes-preserve-unknown-fields: true}",
            "{type: object}",
            "breaking compat/field-removed at `spec`: `.spec` in v1: undeclared fields are now pruned",
        ),
        (
            "{type: string}",
            "{type: string, anyOf: [{pattern: a}, {pattern: b}]}",
            "breaking compat/condition-changed at `anyOf`: `.spec` in v1: `anyOf` was added; values that do not satisfy it are rejected",
        ),
        (
            "{type: string}",
            "{type: string, x-kubernetes-validations: [{rule: self != 'a'}]}",
            "breaking compat/rule-added at `{rule: self != 'a'}`: `.spec` in v1: the rule `self != 'a'` was added; values that do not satisfy it are rejected",
        ),
        (
            "{type: array, items: {type: object, properties: {a: {type: string}}}}",
            "{type: array, items: {type: object, properties: {a: {type: string, maxLength: 1}}}}",
            "breaking compat/bound-tightened at `maxLength`: `.spec[*].a` in v1: `maxLength: 1` was added; values beyond it are rejected",
        ),
    ] {
        assert_eq!(reported(old, new), [expected], "{old} -> {new}");
    }
}

#[test]
fn a_constraint_that_all_earlier_objects_satisfy_is_safe() {
    let old = "{type: object, required: [a], properties: {a: {type: string, enum: [x]}}}";
    for (rule, class) in [
        ("has(self.a) != has(self.b)", "safe"),
        ("[has(self.a), has(self.b)].filter(x, x).size() == 1", "safe"),
        ("!(has(self.b) && self.a != 'y')", "safe"),
        ("!(self.a == 'y' && self.b == 'y')", "safe"),
        ("has(self.b) || self.a == 'z'", "breaking"),
        ("has(self.b)", "breaking"),
    ] {
        let new = format!(
            "{{type: object, required: [a], properties: {{a: {{type: string, enum: [x]}}, b: {{type: string}}}}, \
             x-kubernetes-validations: [{{rule: \"{rule}\"}}]}}"
        );
        let reported = reported(old, &new);
        let about: Vec<&String> = reported.iter().filter(|one| one.contains("compat/rule-added")).collect();
        assert!(about.len() == 1 && about[0].starts_with(class), "{rule}: {reported:?}");
    }
    for (old, new) in [
        ("{type: string, pattern: ^a+$}", "{type: string, pattern: ^a+$, minLength: 1}"),
        ("{type: integer}", "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}"),
    ] {
        let reported = reported(old, new);
        assert!(!reported.iter().any(|one| one.starts_with("breaking")), "{reported:?}");
    }
}

/// A rule over a value that is new in the same change cannot reject an object that was stored before.
#[test]
fn a_rule_on_a_new_field_is_not_breaking() {
    let node = |required: &str, values: &str, more: &str| {
        format!(
            "{{type: object, {required} properties: {{a: {{type: string, enum: {values}}}, b: {{type: string}}, \
             on: {{type: boolean}}, c: {{type: object, properties: {{d: {{type: string, enum: {values}}}}}}}}}{more}}}"
        )
    };
    let rule = |rule: &str| format!(", x-kubernetes-validations: [{{rule: \"{rule}\"}}]");
    for (required, text, class) in [
        ("required: [a],", "self.a == 'new' ? has(self.b) : true", "safe"),
        ("required: [a],", "self.a != 'new' || has(self.b)", "safe"),
        ("required: [a],", "!(self.a in ['new']) || has(self.b)", "safe"),
        ("required: [a],", "self.a in ['x', 'new'] ? has(self.b) : true", "breaking"),
        ("required: [a],", "self.a == 'x' ? has(self.b) : true", "breaking"),
        // The field may be absent, so that the comparison fails.
        ("", "self.a == 'new' ? has(self.b) : true", "breaking"),
        ("", "has(self.a) && self.a == 'new' ? has(self.b) : true", "safe"),
        ("", "!has(self.a) || self.a != 'new' || has(self.b)", "safe"),
        ("", "!has(self.a) || self.a != 'x' || has(self.b)", "breaking"),
        // Through an object that may be absent.
        ("", "!has(self.c) || !has(self.c.d) || self.c.d != 'new'", "safe"),
        ("", "!has(self.c.d) || self.c.d != 'new'", "breaking"),
        ("required: [c],", "!has(self.c.d) || self.c.d != 'new'", "safe"),
        // A field that is new in the same change, beside one with unchanged values.
        ("required: [a],", "self.a == 'x' ? !has(self.e) : true", "safe"),
        (
            "required: [on],",
            "self.on == true ? !has(self.e) : self.on == false || self.on == true",
            "breaking",
        ),
        ("required: [on],", "!has(self.e) || self.on == true", "safe"),
        // The text around the comparison changes its meaning.
        ("required: [a],", "self.a == 'n' + 'ew' || has(self.b)", "breaking"),
        ("required: [a],", "size(self.a) == 1 || self.a != 'new'", "safe"),
    ] {
        let old = node(required, "[x, y]", "");
        let new = node(required, "[x, y, new]", &rule(text)).replace("on: {", "e: {type: string}, on: {");
        let reported = reported(&old, &new);
        let about: Vec<&String> = reported.iter().filter(|one| one.contains("compat/rule-added")).collect();
        assert!(about.len() == 1 && about[0].starts_with(class), "{required} {text}: {reported:?}");
    }
    for (before, now, text, class) in [
        ("[x]", "[x, new]", "self != 'new' || oldSelf == self", "safe"),
        ("[x, z]", "[x, z, new]", "self.startsWith('n') ? self == 'new' : true", "safe"),
        ("[x, n]", "[x, n, new]", "self.startsWith('n') ? self == 'new' : true", "breaking"),
    ] {
        let old = format!("{{type: string, enum: {before}}}");
        let reported = reported(&old, &format!("{{type: string, enum: {now}{}}}", rule(text)));
        let about: Vec<&String> = reported.iter().filter(|one| one.contains("compat/rule-added")).collect();
        assert!(about.len() == 1 && about[0].starts_with(class), "{text}: {reported:?}");
    }
}

#[test]
fn a_new_default_changes_objects_when_they_are_read() {
    let expected = "risky compat/default-changed at `default`: `.spec` in v1: the default \"a\" was added; objects that \
                    omit the field now have it";
    assert_eq!(reported("{type: string}", "{type: string, default: a}"), [expected]);
}

#[test]
fn changes_with_one_cause_differ_only_in_the_field() {
    let old = "{type: object, properties: {a: {type: string}, b: {type: string}}}";
    let new = "{type: object, properties: {a: {type: string, pattern: x}, b: {type: string, pattern: x}}}";
    let changes = changes(&definition(old), &definition(new));
    let cause = "`pattern: x` was added; values that do not match are rejected";
    assert_eq!(changes.iter().map(|change| change.cause.as_str()).collect::<Vec<_>>(), [cause, cause]);
    assert_eq!(changes[1].message, format!("`.spec.b` in v1: {cause}"));
}

#[test]
fn every_object_has_kind_and_metadata_regardless_of_the_schema() {
    let old = definition(
        "{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}}}",
    );
    let old = old.replace(
        "          spec:",
        "          kind: {type: string}\n          metadata: {type: object}\n          spec:",
    );
    let new = definition(
        "{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
    );
    assert_eq!(changes(&old, &new), []);
}

#[test]
fn fields_below_a_removed_field_are_not_reported() {
    let old = "{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}";
    assert_eq!(reported(old, "{type: object, properties: {}}").len(), 1);
}

/// The changes caused by a change of the whole definition; each text of `edits` is replaced by its partner.
fn changes_after_edits(edits: &[(&str, &str)]) -> Vec<String> {
    let old = definition("{type: object}");
    let new = edits.iter().fold(old.clone(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let shown = |change: Change| format!("{} {}", change.class.name(), change.code.as_str());
    changes(&old, &new).into_iter().map(shown).collect()
}

#[test]
fn changes_around_schemas() {
    let second = "    storage: true\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}\n  - name: v2\n    served: true\n    storage: false\n";
    let moved = second.replace("storage: true", "storage: false").replacen(
        "v2\n    served: true\n    storage: false",
        "v2\n    served: true\n    storage: true",
        1,
    );
    for (edits, expected) in [
        (&[("Namespaced", "Cluster")][..], &["breaking compat/identity-changed"][..]),
        (&[("kind: Widget", "kind: Gadget")], &["breaking compat/identity-changed"]),
        (&[("name: v1\n", "name: v2\n")], &["breaking compat/version-removed", "safe compat/version-added"]),
        (&[("served: true", "served: false")], &["breaking compat/version-unserved"]),
        (&[("served: true", "served: true\n    deprecated: true")], &["safe compat/version-deprecated"]),
        (
            &[("served: true", "served: true\n    subresources: {status: {}}")],
            &["breaking compat/subresource-changed"],
        ),
        (
            &[("  scope:", "  conversion: {strategy: Webhook}\n  scope:")],
            &["risky compat/conversion-changed"],
        ),
        (&[("    storage: true\n", second)], &["safe compat/version-added"]),
        (
            &[("    storage: true\n", moved.as_str())],
            &["safe compat/version-added", "risky compat/storage-moved"],
        ),
    ] {
        assert_eq!(changes_after_edits(edits), expected, "{edits:?}");
    }
}

#[test]
fn a_definition_of_v1beta1_without_scope_is_namespaced() {
    let new = definition("{type: object}");
    let old = new.replace("k8s.io/v1\n", "k8s.io/v1beta1\n").replace("  scope: Namespaced\n", "");
    let changed = |new: &str| {
        changes(&old, new).iter().filter(|change| change.code == "compat/identity-changed").count()
    };
    assert!(old.contains("v1beta1") && !old.contains("scope"));
    assert_eq!([changed(&new), changed(&new.replace("Namespaced", "Cluster"))], [0, 1]);
}

#[test]
fn versions_without_compatibility_promise_are_recognized() {
    let old = definition("{type: integer}").replace("name: v1\n", "name: v1alpha1\n");
    let new = old.replace("{type: integer}", "{type: string}");
    assert!(changes(&old, &new).iter().all(Change::is_alpha));
    assert!(!changes(&definition("{type: integer}"), &definition("{type: string}"))[0].is_alpha());
}

#[test]
fn versions_are_compared_side_by_side() {
    let text = definition("{type: object, required: [a], properties: {a: {type: string}, b: {type: integer, default: 1}}}")
        + "  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string, enum: [x]}}}
          status: {type: array, items: {type: string}}
";
    let tree = Tree::parse(&text);
    let document = tree.documents().next().unwrap();
    let reader = Reader::new(document);
    let table = super::versions(&definitions(document, &reader)[0], &mut Cache::default());
    let show = |cell: &FieldCell| match cell {
        FieldCell::Dropped => "-".to_owned(),
        FieldCell::Kept => "kept".to_owned(),
        FieldCell::Declared(declared) => declared.to_string(),
    };
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| format!("{}: {}", row.path, row.cells.iter().map(show).collect::<Vec<_>>().join(" / ")))
        .collect();
    assert_eq!(
        rows,
        [
            ".spec: object / object",
            ".spec.a: string, \"x\" / string, required",
            ".spec.b: kept / integer, default 1",
            ".status: array / -",
            ".status[*]: string / -",
        ]
    );
    // `status` with all fields below it, and undeclared fields of `.spec`, are not stored.
    assert_eq!((table.losses, table.preferred()), (2, Some("v2")));
    assert!(table.rows[0].is_same() && !table.rows[1].is_same());
    assert!(table.rows[3].is_lost() && !table.rows[2].is_lost());
    assert_eq!(table.strategy, "None");
}

#[test]
fn a_rule_on_items_is_compared_with_the_earlier_items() {
    let list = |item: &str, rule: &str| {
        format!("{{type: array, items: {item}, x-kubernetes-validations: [{{rule: \"{rule}\"}}]}}")
    };
    let pattern = "{type: string, pattern: '^[a-z]([-a-z.]*[a-z])?$'}";
    let object = "{type: object, properties: {a: {type: string}}}";
    let named = "{type: object, properties: {a: {type: string}, name: {type: string}}}";
    let unique = "self.all(l1, !has(l1.name) || self.exists_one(l2, has(l2.name) && l1.name == l2.name))";
    for (before, now, rule, class) in [
        // No item had a name.
        (object, named, unique, "safe"),
        (
            "{type: object, nullable: true}",
            "{type: object, nullable: true, properties: {name: {type: string}}}",
            unique,
            "breaking",
        ),
        (named, named, unique, "breaking"),
        (object, object, "self.all(x, x.a == 'y')", "breaking"),
        // The variable is declared again within.
        (object, object, "self.all(x, !has(x.b)) && self.size() < 2", "breaking"),
        // The pattern already implies it, or does not.
        (pattern, pattern, "self.all(h, !isIP(h))", "risky"),
        (pattern, pattern, "self.all(h, !h.contains('.'))", "breaking"),
        ("{type: string}", "{type: string}", "self.all(h, !isIP(h))", "breaking"),
    ] {
        let before = format!("{{type: array, items: {before}}}");
        let reported = reported(&before, &list(now, rule));
        let of_rule: Vec<_> = reported.iter().filter(|one| one.contains("rule-added")).collect();
        assert!(of_rule.len() == 1 && of_rule[0].starts_with(class), "{before} {rule}: {reported:?}");
    }
}

#[test]
fn turning_off_a_gate_is_breaking() {
    let gates = |gates: &str| {
        let definition =
            conversion::two_versions("{strategy: None}", ["a: {type: string}, b: {type: string}"; 2]);
        definition.replace(
            "  versions:\n",
            &format!("  customFeatureGates: {{featureGates: [{gates}]}}\n  versions:\n"),
        )
    };
    let gate =
        |name: &str, rest: &str, field: &str| format!("{{name: {name}, {rest}, fieldPaths: [{field}]}}");
    let (on, off) = ("preRelease: beta, default: true", "preRelease: alpha");
    let reported = |old: &str, new: &str| {
        let found =
            changes(old, new).into_iter().filter(|change| change.code.as_str().starts_with("compat/gate"));
        found
            .map(|change| {
                format!(
                    "{} {} at `{}`",
                    change.class.name(),
                    change.object_path,
                    &new[change.range.as_usize()]
                )
            })
            .collect::<Vec<_>>()
    };
    let (is_on, is_off) = (gates(&gate("G", on, ".a")), gates(&gate("G", off, ".a")));
    assert_eq!(reported(&is_on, &is_off), ["breaking .a at `G`"]);
    assert_eq!(reported(&is_off, &is_on), ["safe .a at `G`"]);
    assert_eq!(reported(&is_off, &is_off), Vec::<String>::new());
    assert_eq!(reported(&gates(""), &is_off), ["breaking .a at `G`"]);
    assert_eq!(reported(&gates(""), &is_on), Vec::<String>::new());
    assert_eq!(reported(&is_off, &gates("")).len(), 1);
    // Nobody had the field before.
    assert_eq!(reported(&gates(""), &gates(&gate("G", off, ".c"))), Vec::<String>::new());
    // One of several gates is enough, also a gate on a field above.
    let both = |state: &str| gates(&format!("{}, {}", gate("G", on, ".a"), gate("H", state, ".a")));
    assert_eq!(reported(&both(on), &both(off)), ["breaking .a at `H`"]);
    let message = &changes(&is_on, &is_off)[0].message;
    assert_eq!(
        message,
        "the feature gate `G` is now off (alpha, neither enabled nor default is set), and the feature gate `G` was on \
         (default: true): new objects lose `.a`, stored objects keep it"
    );
}
