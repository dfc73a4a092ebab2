//! All that names the releases whose answers are known names the same ones. `docs/new-release.md` says what else a new one
//! takes.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use api::{CHECKS, KubernetesVersion, RULES};

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)).unwrap()
}

fn named(version: KubernetesVersion) -> String {
    format!("1.{}", version.minor)
}

#[test]
fn documents_name_the_oldest_and_the_newest() {
    let (oldest, newest) = (named(KubernetesVersion::OLDEST), named(KubernetesVersion::NEWEST));
    assert!(text("README.md").contains(&format!("for Kubernetes {oldest} to {newest}")));
    assert!(
        text("docs/editors.md")
            .contains(&format!("`\"{oldest}\"` to `\"{newest}\"`, default `\"{newest}\"`"))
    );
    assert!(text("vscode-extension/README.md").contains(&format!("`\"{oldest}\"` to `\"{newest}\"`")));
}

#[test]
fn the_extension_offers_all_of_them() {
    let settings = text("vscode-extension/package.json");
    let setting =
        settings.split_once("\"crd-ls.kubernetesVersion\": {").unwrap().1.split_once('}').unwrap().0;
    let (_, listed) = setting.split_once("\"enum\": [").unwrap();
    let (listed, behind) = listed.split_once(']').unwrap();
    let listed: Vec<&str> = listed.split(',').map(|one| one.trim().trim_matches('"')).collect();
    let known = KubernetesVersion::OLDEST.minor..=KubernetesVersion::NEWEST.minor;
    let known: Vec<String> = known.map(|minor| named(KubernetesVersion { minor })).collect();
    assert_eq!(listed, known);
    assert!(behind.contains(&format!("\"default\": \"{}\"", named(KubernetesVersion::NEWEST))), "{behind}");
}

#[test]
fn the_libraries_of_go_and_the_texts_of_the_api_are_those_of_the_newest() {
    let minor = KubernetesVersion::NEWEST.minor;
    let modules = text("tests/oracle/go.mod");
    for module in ["apiextensions-apiserver", "apimachinery", "apiserver"] {
        assert!(modules.contains(&format!("k8s.io/{module} v0.{minor}.")), "{module}");
    }
    assert!(text("Cargo.toml").contains(&format!("\"v1_{minor}\"")));
    assert!(text("server/api/checks.tsv").contains(&format!("(v0.{minor}.")));
}

#[test]
fn nothing_came_with_a_release_that_is_not_known() {
    let releases =
        RULES.iter().filter_map(|rule| rule.since).chain(CHECKS.iter().filter_map(|check| check.since));
    for since in releases {
        assert!(since > KubernetesVersion::OLDEST && since <= KubernetesVersion::NEWEST, "{since:?}");
    }
}
