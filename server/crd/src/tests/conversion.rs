//! Fields that objects lose between versions without a conversion.

use std::fmt::Write;

use super::markers::{HEAD, check};
use super::reports;
use crate::{Cache, Options, Severity};

/// A definition with these versions: their names, whether they are served and stored, and their `properties`.
fn definition(conversion: &str, versions: &[(&str, &str, &str)]) -> String {
    let mut text = format!("{HEAD}{conversion}  versions:\n");
    for (name, flags, properties) in versions {
        let _ = write!(
            text,
            "  - name: {name}\n{flags}    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n"
        );
        for line in properties.lines() {
            let _ = writeln!(text, "          {line}");
        }
    }
    text
}

const NONE: &str = "  conversion: {strategy: None}\n";
const STORED: &str = "    served: true\n    storage: true\n";
const SERVED: &str = "    served: true\n    storage: false\n";
const KEPT: &str = "    served: false\n    storage: false\n";

#[test]
fn a_renamed_field_is_lost_both_ways() {
    check(&definition(
        NONE,
        &[
            (
                "v1",
                STORED,
                "storageClassName: {type: string}
^^^^^^^^^^^^^^^^ information[lint/conversion-data-loss]: writes through `v1alpha1` prune `.storageClassName`, which `v1alpha1` does not declare; declare it, stop serving `v1alpha1`, or add a conversion webhook",
            ),
            (
                "v1alpha1",
                SERVED,
                "className: {type: string}
^^^^^^^^^ warning[lint/conversion-data-loss]: `.className` in `v1alpha1` is never stored, because storage version `v1` does not declare it; declare it in `v1`, or add a conversion webhook",
            ),
        ],
    ));
}

/// Each cause has one finding: for the topmost field, with all affected versions.
#[test]
fn a_field_and_several_versions_have_one_finding() {
    check(&definition(
        NONE,
        &[
            ("v1alpha1", SERVED, "a: {type: string}"),
            ("v1alpha2", SERVED, "a: {type: string}"),
            ("v1beta1", KEPT, "b: {type: string}"),
            (
                "v1",
                STORED,
                "a: {type: string}
spec:
^^^^ information[lint/conversion-data-loss]: writes through `v1alpha1` and `v1alpha2` prune `.spec`, which they do not declare; declare it, stop serving them, or add a conversion webhook
  type: object
  properties:
    deep: {type: object, properties: {deeper: {type: string}}}",
            ),
        ],
    ));
}

#[test]
fn lists_maps_and_open_objects_are_searched() {
    check(&definition(
        NONE,
        &[
            (
                "v1",
                STORED,
                "list: {type: array, items: {type: object, properties: {a: {type: string}}}}
map: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}
open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}
any: {type: object, x-kubernetes-preserve-unknown-fields: true}
labels: {type: object, additionalProperties: {type: string}}
both: {x-kubernetes-int-or-string: true}",
            ),
            (
                "v1alpha1",
                SERVED,
                "list: {type: array, items: {type: object, properties: {b: {type: string}, a: {type: string}}}}
                                                       ^ warning[lint/conversion-data-loss]: `.list[*].b` in `v1alpha1` is never stored
map: {type: object, additionalProperties: {type: object, properties: {b: {type: string}, a: {type: string}}}}
                                                                      ^ warning[lint/conversion-data-loss]: `.map[*].b` in `v1alpha1`
open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}, a: {type: object, properties: {c: {type: string}}}}}
                                                                                                                                ^ warning[lint/conversion-data-loss]: `.open.a.c` in `v1alpha1`
any: {type: object, additionalProperties: {type: string}}
labels: {type: object, additionalProperties: {type: string}}
both: {x-kubernetes-int-or-string: true}",
            ),
        ],
    ));
}

#[test]
fn keys_of_any_name_and_unknown_fields_are_lost() {
    check(&definition(
        NONE,
        &[
            ("v1", STORED, "map: {type: object, properties: {a: {type: string}}}\nopen: {type: object}"),
            (
                "v1alpha1",
                SERVED,
                "map: {type: object, additionalProperties: {type: string}}
                    ^^^^^^^^^^^^^^^^^^^^ warning[lint/conversion-data-loss]: the keys of `.map` in `v1alpha1` are never stored
open: {type: object, x-kubernetes-preserve-unknown-fields: true}
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[lint/conversion-data-loss]: undeclared fields of `.open` in `v1alpha1` are never stored",
            ),
        ],
    ));
}

#[test]
fn different_types_are_reported_once() {
    check(&definition(
        NONE,
        &[
            ("v1", STORED, "size: {type: integer}\nname: {type: string}"),
            (
                "v1alpha1",
                SERVED,
                "size: {type: string}
^^^^ warning[lint/conversion-type]: `.size` has type `string` in `v1alpha1` but `integer` in storage version `v1`; use one type, or add a conversion webhook
name: {type: string}",
            ),
        ],
    ));
}

#[test]
fn nothing_is_lost_with_a_webhook_or_preserved_fields() {
    let versions = [("v1", STORED, "a: {type: string}"), ("v1alpha1", SERVED, "b: {type: string}")];
    let webhook = "  conversion:\n    strategy: Webhook\n    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.example.com'}}\n";
    let lossy = |text: &str| {
        let found = reports(text).into_iter().flat_map(|report| report.findings);
        found
            .filter(|one| one.code.as_str().starts_with("lint/conversion-"))
            .map(|one| one.severity)
            .collect::<Vec<_>>()
    };
    assert_eq!(lossy(&definition(NONE, &versions)), [Severity::Information, Severity::Warning]);
    assert_eq!(lossy(&definition(webhook, &versions)), []);
    // Every object has metadata, declared or not.
    let metadata = [
        ("v1", STORED, "a: {type: string}"),
        ("v1alpha1", SERVED, "metadata: {type: object}\na: {type: string}\nkind: {type: string}"),
    ];
    assert_eq!(lossy(&definition(NONE, &metadata)), []);
    let unserved = [versions[0], ("v1alpha1", KEPT, "b: {type: string}")];
    assert_eq!(lossy(&definition(NONE, &unserved)), []);
    let keeps = definition(NONE, &versions).replace(
        "        properties:\n",
        "        x-kubernetes-preserve-unknown-fields: true\n        properties:\n",
    );
    assert_eq!(lossy(&keeps), []);
}

#[test]
fn many_fields_have_few_findings_that_count_the_others() {
    let mut properties = String::new();
    for number in 0..5_000 {
        let _ = writeln!(properties, "a{number}: {{type: string}}");
    }
    let text =
        definition(NONE, &[("v1", STORED, "b: {type: object}"), ("v1alpha1", SERVED, properties.trim_end())]);
    let found: Vec<String> = reports(&text)
        .into_iter()
        .flat_map(|report| report.findings)
        .filter(|one| one.code == "lint/conversion-data-loss")
        .map(|one| one.message.to_string())
        .collect();
    assert_eq!(found.len(), 10);
    assert!(
        found[9].ends_with(" more fields have the same problem (`crd-ls versions` lists all)"),
        "{}",
        found[9]
    );
}

/// A patch of kustomize may set a webhook.
#[test]
fn without_a_strategy_few_losses_are_reported() {
    let properties = "a: {type: string}\nb: {type: string}\nc: {type: string}\nd: {type: string}";
    let text = definition("", &[("v1", STORED, "size: {type: integer}"), ("v1alpha1", SERVED, properties)]);
    let found: Vec<_> = reports(&text)
        .into_iter()
        .flat_map(|report| report.findings)
        .filter(|one| one.code == "lint/conversion-data-loss")
        .collect();
    assert!(found.iter().all(|one| one.severity == Severity::Information), "{found:?}");
    assert_eq!(found.len(), 3);
    let end = "; 2 more fields have the same problem (`crd-ls versions` lists all)";
    assert_eq!(found[2].message.note, end);
}

/// Unchanged parts are not compared again; changed parts are.
#[test]
fn an_edited_text_has_the_findings_of_a_new_one() {
    let before =
        definition("", &[("v1", STORED, "a: {type: string}"), ("v1alpha1", SERVED, "a: {type: string}")]);
    let mut cache = Cache::default();
    let mut tree = yaml::Tree::parse(&before);
    let mut text = before.clone();
    let codes = |tree: &yaml::Tree, cache: &mut Cache| {
        let reports = tree.documents().map(|document| crate::check(document, &Options::default(), cache));
        reports.flat_map(|report| report.findings).map(|one| one.code.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&tree, &mut cache), Vec::<&str>::new());
    for (from, to) in [("a: {type: string}", "b: {type: string}"), ("b: {type", "a: {type")] {
        let at = text.rfind(from).unwrap();
        let edit = text::TextEdit::replace(text::TextRange::at(at as u32, from.len() as u32), to);
        text.replace_range(at..at + from.len(), to);
        tree = tree.edited(&edit, &|range| text[range.as_usize()].to_owned());
        assert_eq!(
            codes(&tree, &mut cache),
            codes(&yaml::Tree::parse(&text), &mut Cache::default()),
            "{text}"
        );
    }
    assert_eq!(codes(&tree, &mut cache), Vec::<&str>::new());
}
