//! The settings of the user: on the command line, in an editor, in a project's file.

mod calls;
mod kustomize;
mod project;
#[cfg(test)]
mod schema_tests;
mod suites;

use std::path::Path;

use crate::definitions::DefinitionPlace;

pub(crate) use answers::settings::{
    Choices, Cluster, Editor, FILE_NAME, Go, Pattern, RuleSelector, SECTION, parse_version,
};
pub(crate) use calls::Calls;
pub(crate) use project::{Project, Projects};

/// The places of definitions in the settings of `editor`, relative to the folder `base`, and the problems with them.
pub(crate) fn places_of(editor: &Editor, base: &Path) -> (Vec<DefinitionPlace>, Vec<String>) {
    definition_places(&editor.choices_over(&Choices::default()), &|text| DefinitionPlace::new(base, text))
}

/// The places of further definitions in `choices`, read by `place`, and the problems with them.
fn definition_places(
    choices: &Choices,
    place: &dyn Fn(&str) -> Result<DefinitionPlace, String>,
) -> (Vec<DefinitionPlace>, Vec<String>) {
    let (mut places, mut problems) = (Vec::new(), Vec::new());
    for text in choices.crds().unwrap_or_default() {
        match place(text) {
            Ok(place) if place.exists() => places.push(place),
            Ok(_) => problems.push(format!("crds: {text}: no such file or directory")),
            Err(problem) => problems.push(format!("crds: {problem}")),
        }
    }
    (places, problems)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use ide::{KubernetesVersion, Settings};
    use serde_json::{Value, json};

    use super::*;

    fn settings_from(sent: &Value) -> (Settings, Vec<String>) {
        let (current, problems) = Choices::from_editor(sent);
        (Editor { current, ..Editor::default() }.settings(&Choices::default()), problems)
    }

    #[test]
    fn unknown_versions_are_rejected() {
        assert_eq!(parse_version("1.25"), Ok(KubernetesVersion { minor: 25 }));
        for same in ["v1.30", "1.30.2", "v1.30.2", "v1.30.2-gke.1", "1.30.2+k3s1", "1.30"] {
            assert_eq!(parse_version(same), Ok(KubernetesVersion { minor: 30 }), "{same}");
        }
        for bad in [
            "1.24", "1.99", "1.", "1.+30", "1.300", "37", "vv1.30", "1.30.", "1.30.x", "1.30-x", "2.30.1", "",
        ] {
            assert!(parse_version(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn settings_are_at_the_top_or_in_their_section() {
        let expected =
            Settings { kubernetes_version: KubernetesVersion { minor: 30 }, ..Settings::default() };
        for sent in [json!({"kubernetesVersion": "1.30"}), json!({"crd-ls": {"kubernetesVersion": "1.30"}})] {
            assert_eq!(settings_from(&sent), (expected.clone(), vec![]));
        }
    }

    #[test]
    fn an_invalid_value_is_reported_and_changes_nothing() {
        for (sent, problem) in [
            (
                json!({"kubernetesVersion": 1.37}),
                "kubernetesVersion: invalid type: floating point `1.37`, expected a Kubernetes version in quotes, \
                 such as \"1.37\"",
            ),
            (
                json!({"kubernetesVersion": "2.0"}),
                "kubernetesVersion: '2.0' is not a Kubernetes version from 1.25 to 1.37",
            ),
            (
                json!({"rules": {"structural/junctor-typ": "off"}}),
                "rules: unknown rule or group of rules 'structural/junctor-typ'; did you mean \
                 'structural/junctor-type'? `crd-ls rules` lists them",
            ),
            (json!({"syntaxErrors": "never"}), "syntaxErrors: \"never\" is not true or false"),
            (
                json!({"rules": {"yaml": "loud"}}),
                "rules: unknown variant `loud`, expected one of `off`, `hint`, `information`, `warning`, `error`",
            ),
        ] {
            assert_eq!(settings_from(&sent), (Settings::default(), vec![problem.to_owned()]), "{sent}");
        }
        for sent in
            [json!(null), json!(7), json!([]), json!({"other": 1}), json!({"kubernetesVersion": null})]
        {
            assert_eq!(settings_from(&sent), (Settings::default(), vec![]), "{sent}");
        }
    }

    #[test]
    fn an_editor_can_turn_off_syntax_errors() {
        let (settings, problems) = settings_from(&json!({"crd-ls": {"syntaxErrors": false}}));
        assert_eq!((settings.syntax_errors, problems), (false, vec![]));
        assert!(Settings::default().syntax_errors);
    }

    #[test]
    fn proposals_are_tried_one_by_one() {
        for (sent, gates, unions) in [
            (json!({}), false, false),
            (json!({"experimental": {"featureGates": true}}), true, false),
            (json!({"experimental": {"featureGates": false, "unions": true}}), false, true),
        ] {
            let (settings, problems) = settings_from(&sent);
            let experiments = ide::Experiments { feature_gates: gates, unions };
            assert_eq!((settings.experiments, problems), (experiments, vec![]), "{sent}");
        }
        assert_eq!(settings_from(&json!({"experimental": {"gates": true}})).1.len(), 1);
    }

    #[test]
    fn a_file_is_compared_with_head_by_default() {
        let editor = |sent: Value| Editor { current: Choices::from_editor(&sent).0, ..Editor::default() };
        let project = Choices::from_editor(&json!({"compareWith": "origin/main"})).0;
        let chosen = |sent: Value, project: &Choices| editor(sent).compare_with(project);
        assert_eq!(chosen(json!({}), &Choices::default()).as_deref(), Some("HEAD"));
        assert_eq!(chosen(json!({}), &project).as_deref(), Some("origin/main"));
        assert_eq!(chosen(json!({"compareWith": "v1.2"}), &project).as_deref(), Some("v1.2"));
        assert_eq!(chosen(json!({"compareWith": "off"}), &project), None);
        assert_eq!(Choices::from_editor(&json!({"compareWith": ""})).1.len(), 1);
    }

    #[test]
    fn an_editor_can_set_all_settings_of_files_except_paths() {
        let problem = Choices::from_file("nothing = 1").unwrap_err();
        let (_, expected) = problem.split_once("expected").unwrap();
        let expected: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        assert_eq!(expected, [&Choices::KEYS[..], &["go", "include", "exclude", "overrides"]].concat());
    }

    #[test]
    fn the_editor_takes_precedence_over_the_project() {
        let version = |minor: u8| Choices::from_editor(&json!({"kubernetesVersion": format!("1.{minor}")})).0;
        let minor = |editor: &Editor| editor.settings(&version(28)).kubernetes_version.minor;
        let mut editor = Editor::default();
        assert_eq!(minor(&editor), 28);
        editor.initial = version(29);
        assert_eq!(minor(&editor), 29);
        editor.current = version(30);
        assert_eq!(minor(&editor), 30);
        editor.current = Choices::from_editor(&json!({})).0;
        assert_eq!(minor(&editor), 29, "a setting that was withdrawn");
    }
}
