//! The tables and rules of the proposal on versioning by field.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod hidden_parts;

use yaml::{Document, Reader, Tree};

use crate::customresource::{ResourceVersion, admit, admit_update};
use crate::experimental::{Experiments, check};
use crate::gates::{Action, FeatureGates, GateReason, GatedField, State, apply, steps};
use crate::object::definitions;
use crate::value::Value;
use crate::{Cache, KubernetesVersion, Options};

const BOTH: Experiments = Experiments { feature_gates: true, unions: true };

/// A definition whose `spec` ends with `gates`.
fn definition(gates: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: crontabs.stable.example.com}}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {{plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct]}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              cronSpec: {{type: string}}
              image: {{type: string}}
              sizes: {{type: array, items: {{type: integer}}}}
              labels: {{type: object, additionalProperties: {{type: string}}}}
              any: {{x-kubernetes-preserve-unknown-fields: true}}
              foobar: {{type: integer}}
              replicas:
                type: object
                properties:
                  maxAvailable: {{type: integer}}
                  maxUnavailable: {{type: integer}}
              foo:
                type: object
                properties:
                  baz: {{type: integer}}
                  qux: {{type: integer}}
{gates}"
    )
}

fn with_first<T>(text: &str, take: impl FnOnce(Document<'_>, &Reader<'_>) -> T) -> T {
    let tree = Tree::parse(text);
    let document = tree.documents().next().unwrap();
    take(document, &Reader::new(document))
}

fn read(gates: &str) -> FeatureGates {
    with_first(&definition(gates), |document, reader| FeatureGates::read(&definitions(document, reader)[0]))
}

/// A list of gates: each has a name, its state as written, and paths.
fn list(gates: &[(&str, &str, &str)]) -> String {
    let one = |(name, written, paths): &(&str, &str, &str)| {
        let written = if written.is_empty() { String::new() } else { format!("{written}, ") };
        format!("  - {{name: {name}, {written}fieldPaths: [{paths}]}}\n")
    };
    format!("  featureGates:\n{}", gates.iter().map(one).collect::<String>())
}

/// The gates' names with `on` or `off`.
fn states(gates: &str) -> Vec<(String, &'static str)> {
    let gates = read(gates);
    let names = gates.gates.iter().map(|gate| gate.title().to_owned());
    names.zip(gates.states().iter().map(State::on_or_off)).collect()
}

/// The state of the one gate that has the fields `written`.
fn state(written: &str) -> State {
    read(&list(&[("G", written, ".spec.image")])).states().remove(0)
}

/// The problems of `gates` themselves, without `gates/published`, which is reported for each published field
/// whose gate is off.
fn problems_of(gates: &str) -> Vec<(&'static str, String)> {
    let mut found = all_found(&definition(gates));
    found.retain(|(code, _)| *code != "gates/published");
    found
}

fn all_found(text: &str) -> Vec<(&'static str, String)> {
    let findings =
        with_first(text, |document, _| check(document, BOTH, &Options::default(), &mut Cache::default()));
    let of = |finding: crate::Finding| {
        assert!(!finding.range.is_empty(), "{finding:?}");
        (finding.code.as_str(), finding.message.to_string())
    };
    findings.into_iter().map(of).collect()
}

fn codes(gates: &str) -> Vec<&'static str> {
    problems_of(gates).into_iter().map(|(code, _)| code).collect()
}

fn version(gates: &str) -> ResourceVersion {
    version_of(&definition(gates))
}

fn version_of(text: &str) -> ResourceVersion {
    with_first(text, |document, reader| {
        let definition = &definitions(document, reader)[0];
        let mut version = ResourceVersion::all(definition, reader, &mut Cache::default()).remove(0);
        version.gated = FeatureGates::read(definition).fields();
        version
    })
}

fn cron_tab(spec: &str) -> String {
    format!(
        "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {{name: one, namespace: default}}\nspec: {spec}\n"
    )
}

/// The stored object below `spec`, and the action for each guarded field, when `sent` is created or replaces
/// `stored`.
fn stored(version: &ResourceVersion, stored: Option<&str>, sent: &str) -> (String, Vec<(String, Action)>) {
    let server = KubernetesVersion::default();
    let admission = with_first(&cron_tab(sent), |document, _| match stored {
        None => admit(document, version, server),
        Some(stored) => {
            with_first(&cron_tab(stored), |stored, _| admit_update(document, stored, version, server))
        }
    });
    assert!(admission.errors.is_empty(), "{:?}", admission.errors);
    let object = admission.object.unwrap();
    let spec = object.get("spec").map(Value::to_json).unwrap().to_string();
    let actions = admission.gated.into_iter().map(|outcome| (outcome.field.path, outcome.action));
    (spec, actions.collect())
}

/// `enabled` of a gate.
fn setting(on: bool) -> &'static str {
    if on {
        "preRelease: beta, default: false, enabled: true"
    } else {
        "preRelease: beta, default: true, enabled: false"
    }
}

/// The first table of the proposal: whether the persisted object has the field, whether the gate is enabled,
/// and the action.
#[test]
fn a_field_with_one_gate() {
    for (persisted, enabled, action, spec) in [
        (false, false, Action::Dropped, r#"{"image":"new"}"#),
        (false, true, Action::Set, r#"{"foobar":3,"image":"new"}"#),
        (true, false, Action::Kept, r#"{"foobar":1,"image":"new"}"#),
        (true, true, Action::Updated, r#"{"foobar":3,"image":"new"}"#),
    ] {
        let version = version(&list(&[("G", setting(enabled), ".spec.foobar")]));
        let sent = "{image: new, foobar: 3}";
        let expected = (spec.to_owned(), vec![(".spec.foobar".to_owned(), action)]);
        let before = if persisted { "{image: old, foobar: 1}" } else { "{image: old}" };
        assert_eq!(stored(&version, Some(before), sent), expected, "update");
        if !persisted {
            assert_eq!(stored(&version, None, sent), expected, "create");
        }
    }
}

/// The second table: a gate on a field, and another on a field within.
#[test]
fn a_field_with_a_gate_within_one_with_a_gate() {
    for (case, (persisted, foo, qux, spec)) in [
        (false, false, false, "{}"),
        (false, false, true, "{}"),
        (false, true, false, r#"{"foo":{"baz":2}}"#),
        (false, true, true, r#"{"foo":{"baz":2,"qux":3}}"#),
        (true, false, false, r#"{"foo":{"qux":1}}"#),
        (true, false, true, r#"{"foo":{"qux":1}}"#),
        (true, true, false, r#"{"foo":{"baz":2,"qux":1}}"#),
        (true, true, true, r#"{"foo":{"baz":2,"qux":3}}"#),
    ]
    .into_iter()
    .enumerate()
    {
        // In either order of the gates.
        let mut gates = [
            ("FooFeatureGate", setting(foo), ".spec.foo"),
            ("QuxFeatureGate", setting(qux), ".spec.foo.qux"),
        ];
        for _ in 0..2 {
            let version = version(&list(&gates));
            let sent = "{foo: {baz: 2, qux: 3}}";
            let before = if persisted { "{foo: {qux: 1}}" } else { "{}" };
            assert_eq!(stored(&version, Some(before), sent).0, spec, "case {}", case + 1);
            if !persisted {
                assert_eq!(stored(&version, None, sent).0, spec, "case {}", case + 1);
            }
            gates.reverse();
        }
    }
}

#[test]
fn a_gate_removes_a_field_with_its_parent() {
    let version = version(&list(&[("G", setting(false), ".spec.foo.qux")]));
    assert_eq!(stored(&version, Some("{foo: {qux: 1}, image: a}"), "{image: b}").0, r#"{"image":"b"}"#);
    let kept = vec![(".spec.foo.qux".to_owned(), Action::Kept)];
    assert_eq!(
        stored(&version, Some("{foo: {qux: 1}}"), "{foo: {baz: 2}}"),
        (r#"{"foo":{"baz":2,"qux":1}}"#.to_owned(), kept)
    );
    assert_eq!(stored(&version, Some("{}"), "{image: b}").1, [], "nobody speaks of the field");
}

#[test]
fn no_gate_changes_nothing() {
    let field = GatedField {
        path: "spec".into(),
        gate: "G".into(),
        on: false,
        reason: String::new(),
        range: text::TextRange::default(),
    };
    let mut value = Value::text("x");
    assert_eq!(apply(&mut value, None, &[field]), [], "a path that is none");
    let version = version("");
    assert_eq!(stored(&version, None, "{foo: {qux: 3}}").0, r#"{"foo":{"qux":3}}"#);
}

/// Both forms of the proposal; in the first, the component is a separate item of the list.
#[test]
fn both_forms_are_read() {
    let gates = "    - name: ReplicasFeatureGate
      enabled: false
      default: false
      prerelease: alpha
      fieldPaths:
      - .spec.replicas
    - name: AnotherFeatureGate
      enabled: true
      default: true
      prerelease: beta
      fieldPaths:
      - .spec.foo
      - .spec.image
";
    for (form, component) in [
        (format!("  featureGates:\n{gates}"), None),
        (format!("  featureGates:\n    - component: istio # optional\n{gates}"), Some("istio")),
        (format!("  featureGates:\n    component: istio\n    featureGates:\n{gates}"), Some("istio")),
        (
            format!("  customFeatureGates:\n    component: istio # optional\n    featureGates:\n{gates}"),
            Some("istio"),
        ),
        (format!("  customFeatureGates:\n    featureGates:\n{gates}"), None),
    ] {
        assert_eq!(problems_of(&form), [], "{form}");
        assert_eq!(read(&form).component.as_deref(), component, "{form}");
        assert_eq!(
            states(&form),
            [("ReplicasFeatureGate".to_owned(), "off"), ("AnotherFeatureGate".to_owned(), "on")],
            "{form}"
        );
    }
}

/// The last example of the proposal: its resource keeps only `maxUnavailable`.
#[test]
fn gates_without_settings_use_defaults() {
    let gates = "  customFeatureGates:
    component: istio
    featureGates:
    - {name: ReplicasFeatureGate, enabled: true, default: false, preRelease: alpha, fieldPaths: [.spec.replicas]}
    - {name: MaxAvailableFeatureGate, preRelease: alpha, fieldPaths: [.spec.replicas.maxAvailable]}
    - name: MaxUnavailableFeatureGate
      enabled: true
      default: false
      preRelease: alpha
      fieldPaths: [.spec.replicas.maxUnavailable]
";
    assert_eq!(problems_of(gates), []);
    let words: Vec<_> = states(gates).into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["on", "off", "on"]);
    let (spec, _) = stored(&version(gates), None, "{replicas: {maxAvailable: 100, maxUnavailable: 5}}");
    assert_eq!(spec, r#"{"replicas":{"maxUnavailable":5}}"#);
}

#[test]
fn enabled_takes_precedence_over_default_and_default_over_the_stage() {
    for (written, on, why) in [
        ("preRelease: alpha", false, "alpha, neither enabled nor default is set"),
        ("preRelease: alpha, default: false", false, "default: false"),
        ("preRelease: alpha, default: false, enabled: true", true, "enabled: true"),
        ("preRelease: beta, default: true", true, "default: true"),
        ("preRelease: beta, default: false", false, "default: false"),
        ("preRelease: beta, default: true, enabled: false", false, "enabled: false"),
        ("prerelease: stable", true, "stable"),
        ("preRelease: stable, enabled: false", true, "stable"),
        ("preRelease: deprecated", false, "deprecated, neither enabled nor default is set"),
        ("preRelease: deprecated, default: true", true, "default: true"),
        ("preRelease: gamma", false, "neither enabled nor default is set"),
    ] {
        let state = state(written);
        assert_eq!((state.on, &*state.reason_text()), (on, why), "{written}");
    }
}

/// A path is above another path by its steps, not by its letters.
#[test]
fn a_gate_counts_only_if_all_gates_above_it_are_on() {
    let on = setting(true);
    let gates = list(&[
        ("Letters", on, ".spec.foobar"),
        ("Two", on, ".spec.image, .spec.foo.baz"),
        ("Deep", on, ".spec.image.deep"),
        ("Foo", setting(false), ".spec.foo"),
    ]);
    let all = states(&gates);
    assert_eq!(all.iter().map(|(_, word)| *word).collect::<Vec<_>>(), ["on", "off", "off", "off"]);
    let reasons = read(&gates).states();
    assert_eq!(reasons[1].reason, GateReason::Parent { path: ".spec.foo".into(), gate: "Foo".into() });
    assert_eq!(reasons[2].reason, GateReason::Parent { path: ".spec.image".into(), gate: "Two".into() });
    // Two gates that are above each other do not switch each other off.
    let ring = list(&[("A", on, ".spec.foo, .spec.replicas.x"), ("B", on, ".spec.replicas, .spec.foo.qux")]);
    assert_eq!(states(&ring).iter().map(|(_, word)| *word).collect::<Vec<_>>(), ["on", "on"]);
}

#[test]
fn the_stage_requires_a_default() {
    for (written, wrong) in [
        ("preRelease: alpha", None),
        ("preRelease: alpha, default: false", None),
        ("preRelease: alpha, default: true", Some("the default of an alpha gate is `false`")),
        ("preRelease: stable", None),
        ("preRelease: stable, default: true", None),
        ("preRelease: stable, default: false", Some("the default of a stable gate is `true`")),
        ("preRelease: beta, default: false", None),
        ("preRelease: beta, default: true", None),
        ("preRelease: beta", Some("the beta gate `G` needs a `default`: `true` or `false`")),
        ("preRelease: beta, enabled: true", Some("the beta gate `G` needs a `default`: `true` or `false`")),
    ] {
        let expected: Vec<_> = wrong.iter().map(|wrong| ("gates/default", (*wrong).to_owned())).collect();
        assert_eq!(problems_of(&list(&[("G", written, ".spec.image")])), expected, "{written}");
    }
}

#[test]
fn a_field_has_one_gate() {
    let alpha = "preRelease: alpha";
    let two = list(&[("A", alpha, ".spec.image"), ("B", alpha, ".spec.foo, .spec.image")]);
    let message = "`.spec.image` is already guarded by `A`; a field can have only one gate";
    assert_eq!(problems_of(&two), [("gates/shared-path", message.to_owned())]);
    assert_eq!(codes(&list(&[("A", alpha, ".spec.image, .spec.image")])), ["gates/shared-path"]);
    assert_eq!(codes(&list(&[("A", alpha, ".spec.foo"), ("B", alpha, ".spec.foo.qux")])), Vec::<&str>::new());
}

#[test]
fn paths_are_simple_and_lead_to_fields() {
    for (path, message) in [
        (".spec.image", None),
        (".spec.labels.any", None),
        (".spec.any.thing.at.all", None),
        ("spec.image", Some("is not a simple JSON path: it must start with a dot")),
        (".spec..image", Some("a name is missing")),
        (".spec.image.", Some("a name is missing")),
        (".", Some("a name is missing")),
        ("'.spec.sizes[0]'", Some("only field names and dots")),
        (".spec.sizes.x", Some("`.spec.sizes` has type array, but a path can only lead through objects")),
        (".spec.image.x", Some("`.spec.image` has type string")),
        (
            ".spec.imgae",
            Some("`.spec.imgae` is not a field: the schema declares no `imgae`; did you mean `image`?"),
        ),
        (".metadata.name", Some("fields that every object has cannot be gated")),
    ] {
        let found = problems_of(&list(&[("G", "preRelease: alpha", path)]));
        match message {
            None => assert_eq!(found, [], "{path}"),
            Some(message) => {
                assert_eq!(found.len(), 1, "{path}: {found:?}");
                assert_eq!(found[0].0, "gates/field-path", "{path}");
                assert!(found[0].1.contains(message), "{path}: {}", found[0].1);
            }
        }
    }
    assert_eq!(steps(".spec.replicas"), Ok(vec!["spec", "replicas"]));
}

#[test]
fn paths_lead_to_fields_in_all_versions() {
    let gates = list(&[("G", "preRelease: alpha", ".spec.image")]);
    let other = "  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
";
    let text = definition(&format!("{other}{gates}"));
    let findings =
        with_first(&text, |document, _| check(document, BOTH, &Options::default(), &mut Cache::default()));
    let wrong = findings.iter().filter(|finding| finding.severity == crate::Severity::Error);
    let messages: Vec<String> = wrong.map(|finding| finding.message.to_string()).collect();
    assert_eq!(messages, ["`.spec.image` is not a field in version v2: the schema declares no `image`"]);
}

#[test]
fn unreadable_gates_are_reported() {
    for (gates, message) in [
        ("  featureGates: yes please\n", "a list of gates or an object"),
        ("  featureGates: [a]\n", "use an object with `name`"),
        ("  customFeatureGates: {component: istio}\n", "`featureGates` is missing"),
        ("  customFeatureGates: {component: [], featureGates: []}\n", "use a string"),
        ("  customFeatureGates: {featureGates: {}}\n", "use a list of gates"),
        ("  customFeatureGates: {featureGate: [], featureGates: []}\n", "did you mean `featureGates`?"),
        ("  featureGates: []\n  customFeatureGates: {featureGates: []}\n", "not both"),
        ("  featureGates: [{preRelease: alpha, fieldPaths: [.spec.foo]}]\n", "no `name`"),
        ("  featureGates: [{name: G, fieldPaths: [.spec.foo]}]\n", "no `preRelease`"),
        ("  featureGates: [{name: G, preRelease: bata, fieldPaths: [.spec.foo]}]\n", "did you mean `beta`?"),
        ("  featureGates: [{name: G, preRelease: alpha}]\n", "guards nothing"),
        ("  featureGates: [{name: G, preRelease: alpha, fieldPaths: .spec.foo}]\n", "a list of paths"),
        ("  featureGates: [{name: G, preRelease: alpha, fieldPaths: [null]}]\n", "the path is empty"),
        (
            "  featureGates: [{name: G, preRelease: alpha, prerelease: alpha, fieldPaths: [.spec.foo]}]\n",
            "older",
        ),
        (
            "  featureGates: [{name: G, preRelease: alpha, enabled: 'no', fieldPaths: [.spec.foo]}]\n",
            "`true` or",
        ),
    ] {
        let found = problems_of(gates);
        assert_eq!(found.len(), 1, "{gates}: {found:?}");
        assert_eq!(found[0].0, "gates/form");
        assert!(found[0].1.contains(message), "{gates}: {}", found[0].1);
    }
    let alpha = "preRelease: alpha";
    let twins = list(&[("A", alpha, ".spec.foo"), ("A", alpha, ".spec.image")]);
    assert_eq!(problems_of(&twins), [("gates/form", "the gate `A` already exists".to_owned())]);
}

#[test]
fn deprecated_gates_have_a_warning() {
    let gates = list(&[("G", "preRelease: deprecated, deprecatedWarning: use H", ".spec.image")]);
    assert_eq!(problems_of(&gates), [("gates/deprecated", "`G` is deprecated: use H".to_owned())]);
    let gates = list(&[("G", "preRelease: deprecated", ".spec.image")]);
    assert!(problems_of(&gates)[0].1.starts_with("the gate `G` is deprecated"), "{:?}", problems_of(&gates));
}

/// The server's finding on an unknown field is dropped for an enabled proposal, and kept for the others.
#[test]
fn disabled_proposals_have_the_errors_of_the_server() {
    let gates = list(&[("G", "preRelease: alpha", ".spec.image")]);
    let text = definition(&gates);
    with_first(&text, |document, _| {
        let report = crate::check(document, &Options::default(), &mut Cache::default());
        assert_eq!(report.findings.len(), 1);
        let finding = &report.findings[0];
        assert_eq!(finding.message.problem.split(':').next(), Some("unknown field `featureGates`"));
        assert!(BOTH.explain(finding));
        assert!(!Experiments { unions: true, ..Experiments::default() }.explain(finding));
        assert_eq!(check(document, Experiments::default(), &Options::default(), &mut Cache::default()), []);
    });
}

#[test]
fn many_gates_cost_no_more_than_their_number() {
    let one =
        |at: usize| format!("  - {{name: G{at}, preRelease: alpha, fieldPaths: [.spec.any.a{at}.b.c]}}\n");
    let gates = format!("  featureGates:\n{}", (0..5_000).map(one).collect::<String>());
    assert_eq!(problems_of(&gates), []);
    let version = version(&gates);
    assert_eq!(stored(&version, None, "{any: {a7: {b: {c: 1, d: 2}}}}").0, r#"{"any":{"a7":{"b":{"d":2}}}}"#);
}
