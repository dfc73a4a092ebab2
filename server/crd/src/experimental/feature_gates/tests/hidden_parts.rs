//! Parts of definitions that depend on fields whose gate is off.

use super::{Action, all_found, cron_tab, stored, version_of, with_first};
use crate::KubernetesVersion;
use crate::customresource::admit;

/// A definition whose fields below `spec` are `fields`, and whose gate on `.spec.replicas` says `gate`.
fn definition_with_gate(fields: &str, required: &str, more: &str, gate: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: crontabs.stable.example.com}}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {{plural: crontabs, singular: crontab, kind: CronTab}}
  featureGates:
  - {{name: G, {gate}, fieldPaths: [.spec.replicas]}}
  versions:
  - name: v1
    served: true
    storage: true
{more}    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
{required}            properties:
              image: {{type: string}}
{fields}"
    )
}

const REPLICAS: &str = "              replicas: {type: integer}\n";
const OFF: &str = "preRelease: alpha";
const ON: &str = "preRelease: alpha, enabled: true";

fn codes_for_gate(fields: &str, required: &str, more: &str, gate: &str) -> Vec<&'static str> {
    let mut codes: Vec<_> = all_found(&definition_with_gate(fields, required, more, gate))
        .into_iter()
        .map(|(code, _)| code)
        .collect();
    codes.retain(|code| *code != "gates/published");
    codes
}

#[test]
fn a_hidden_field_is_published() {
    let hint = "`.spec.replicas` is published to `kubectl explain` and clients while the feature gate `G` is off (alpha, neither enabled nor default is set); new objects lose it";
    assert_eq!(
        all_found(&definition_with_gate(REPLICAS, "", "", OFF)),
        [("gates/published", hint.to_owned())]
    );
    assert_eq!(all_found(&definition_with_gate(REPLICAS, "", "", ON)), []);
}

#[test]
fn a_hidden_field_is_required() {
    for required in [
        "            required: [replicas]\n",
        "            required: [image, replicas]\n",
        "            allOf: [{required: [replicas]}]\n",
    ] {
        assert_eq!(codes_for_gate(REPLICAS, required, "", OFF), ["gates/required"], "{required}");
        assert_eq!(codes_for_gate(REPLICAS, required, "", ON), Vec::<&str>::new(), "{required}");
    }
    let found = all_found(&definition_with_gate(REPLICAS, "            required: [replicas]\n", "", OFF));
    assert_eq!(
        found[0].1,
        "`replicas` is required, so every new object that has `.spec` is rejected while the feature gate `G` is off (alpha, neither enabled nor default is set)"
    );
    // The server's own code validates the rest of the object.
    let text = definition_with_gate(REPLICAS, "            required: [replicas]\n", "", OFF);
    let version = version_of(&text);
    let admission = with_first(&cron_tab("{replicas: 3}"), |document, _| {
        admit(document, &version, KubernetesVersion::default())
    });
    assert_eq!(admission.errors[0].message(), "spec.replicas: Required value");
}

#[test]
fn a_hidden_field_has_a_default() {
    let fields = "              replicas: {type: integer, default: 1}\n";
    assert_eq!(codes_for_gate(fields, "", "", OFF), ["gates/default-dropped"]);
    assert_eq!(codes_for_gate(fields, "", "", ON), Vec::<&str>::new());
    let version = version_of(&definition_with_gate(fields, "", "", OFF));
    let path = ".spec.replicas".to_owned();
    assert_eq!(stored(&version, None, "{}"), ("{}".to_owned(), vec![(path.clone(), Action::DefaultDropped)]));
    assert_eq!(stored(&version, None, "{replicas: 2}"), ("{}".to_owned(), vec![(path, Action::Dropped)]));
}

#[test]
fn paths_lead_to_a_hidden_field() {
    for more in [
        "    additionalPrinterColumns: [{name: A, type: integer, jsonPath: .spec.replicas}]\n",
        "    selectableFields: [{jsonPath: .spec.replicas}]\n",
        "    subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}\n",
    ] {
        assert_eq!(codes_for_gate(REPLICAS, "", more, OFF), ["gates/path"], "{more}");
        assert_eq!(codes_for_gate(REPLICAS, "", more, ON), Vec::<&str>::new(), "{more}");
    }
    for path in [".spec", ".spec.image", ".spec.replicas2"] {
        let more = format!("    additionalPrinterColumns: [{{name: A, type: string, jsonPath: {path}}}]\n");
        assert_eq!(codes_for_gate(REPLICAS, "", &more, OFF), Vec::<&str>::new(), "{path}");
    }
}

#[test]
fn rules_read_a_hidden_field() {
    for (rule, is_reported) in [
        ("self.replicas > 0", true),
        ("self.image == 'a' && self.replicas > 0", true),
        ("has(self.replicas) && self.replicas > 0", false),
        ("!has(self.replicas) || self.replicas > 0", false),
        ("self.?replicas.orValue(1) > 0", false),
        ("self.image != ''", false),
    ] {
        for required in ["", "            required: [image, replicas]\n"] {
            let rules = format!("{required}            x-kubernetes-validations: [{{rule: \"{rule}\"}}]\n");
            let has = |gate| codes_for_gate(REPLICAS, &rules, "", gate).contains(&"gates/rule");
            assert_eq!((has(OFF), has(ON)), (is_reported, false), "{rule} {required}");
        }
    }
    // From the root, and beside another rule that tests the field.
    let above = definition_with_gate(REPLICAS, "", "", OFF).replace(
        "        type: object\n        properties:\n          spec:",
        "        type: object\n        x-kubernetes-validations: [{rule: self.spec.replicas > 0}]\n        properties:\n          spec:",
    );
    assert!(all_found(&above).iter().any(|(code, _)| *code == "gates/rule"), "{above}");
    let two =
        "            x-kubernetes-validations: [{rule: has(self.replicas)}, {rule: self.replicas > 0}]\n";
    assert_eq!(codes_for_gate(REPLICAS, two, "", OFF), Vec::<&str>::new());
    // Its own rules do not run.
    let own = "              replicas: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}\n";
    assert_eq!(codes_for_gate(own, "", "", OFF), Vec::<&str>::new());
}
