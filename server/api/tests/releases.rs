//! All places that list the supported releases list the same ones. `docs/new-release.md` describes the other
//! steps for a new release.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use api::{CHECKS, Difference, KubernetesVersion, RULES};

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)).unwrap()
}

fn named(version: KubernetesVersion) -> String {
    format!("1.{}", version.minor)
}

#[test]
fn documents_name_the_oldest_and_the_newest_release() {
    let (oldest, newest) = (named(KubernetesVersion::OLDEST), named(KubernetesVersion::NEWEST));
    assert!(text("README.md").contains(&format!("for Kubernetes {oldest} to {newest}")));
    assert!(
        text("docs/settings.md")
            .contains(&format!("`\"{oldest}\"` to `\"{newest}\"`, default `\"{newest}\"`"))
    );
    assert!(text("vscode-extension/README.md").contains(&format!("`\"{oldest}\"` to `\"{newest}\"`")));
}

#[test]
fn the_extension_offers_all_releases() {
    let settings = text("vscode-extension/package.json");
    let setting =
        settings.split_once("\"crd-ls.kubernetesVersion\": {").unwrap().1.split_once('}').unwrap().0;
    let (_, listed) = setting.split_once("\"enum\": [").unwrap();
    let (listed, following) = listed.split_once(']').unwrap();
    let listed: Vec<&str> = listed.split(',').map(|one| one.trim().trim_matches('"')).collect();
    let known = KubernetesVersion::OLDEST.minor..=KubernetesVersion::NEWEST.minor;
    let known: Vec<String> = known.map(|minor| named(KubernetesVersion { minor })).collect();
    assert_eq!(listed, known);
    assert!(
        following.contains(&format!("\"default\": \"{}\"", named(KubernetesVersion::NEWEST))),
        "{following}"
    );
}

#[test]
fn go_libraries_and_api_texts_are_those_of_the_newest_release() {
    let minor = KubernetesVersion::NEWEST.minor;
    let modules = text("tests/oracle/go.mod");
    for module in ["apiextensions-apiserver", "apimachinery", "apiserver"] {
        assert!(modules.contains(&format!("k8s.io/{module} v0.{minor}.")), "{module}");
    }
    assert!(text("Cargo.toml").contains(&format!("\"v1_{minor}\"")));
    assert!(text("server/api/checks.tsv").contains(&format!("(v0.{minor}.")));
    let built_in = format!("BUILTIN_RELEASE: &str = \"1.{minor}\"");
    assert!(text("server/go/src/load/builtin/mod.rs").contains(&built_in));
}

#[test]
fn everything_is_from_a_known_release() {
    let releases =
        RULES.iter().filter_map(|rule| rule.since).chain(CHECKS.iter().filter_map(|check| check.since));
    for since in releases {
        assert!(since > KubernetesVersion::OLDEST && since <= KubernetesVersion::NEWEST, "{since:?}");
    }
}

/// The releases whose own code answered the cases of `fixtures/crd`: the newest in the suites, the others in
/// `fixtures/crd/minors`.
fn recorded() -> Vec<KubernetesVersion> {
    let files =
        fs::read_dir(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crd/minors"))).unwrap();
    let minor = |name: &str| name.strip_prefix("1.")?.strip_suffix(".jsonl")?.parse().ok();
    let minors = files.filter_map(|file| minor(file.unwrap().file_name().to_str()?));
    let mut recorded: Vec<_> = minors.map(|minor| KubernetesVersion { minor }).collect();
    recorded.push(KubernetesVersion::NEWEST);
    recorded.sort();
    recorded
}

/// `docs/releases.md`.
fn page() -> String {
    let mut page = String::from(
        "# What differs between releases of Kubernetes\n\n`server/api` generates this page: \
         `CRD_LS_UPDATE=1 cargo test -p crd-ls-api --test releases` writes it.\n\n",
    );
    let recorded: Vec<String> = recorded().into_iter().map(named).collect();
    page.push_str(&format!(
        "Answers are recorded from the code of {}.\nFor the other releases from {} to {}, crd-ls relies on this \
         table,\nwhich comes from the sources and release notes of Kubernetes.\n",
        recorded.join(", "),
        named(KubernetesVersion::OLDEST),
        named(KubernetesVersion::NEWEST),
    ));
    for minor in KubernetesVersion::OLDEST.minor + 1..=KubernetesVersion::NEWEST.minor {
        let release = KubernetesVersion { minor };
        let differences = Difference::ALL.iter().filter(|difference| difference.since() == release);
        let differences = differences.map(|difference| format!("- {}\n", difference.what().trim()));
        let rules = RULES.iter().filter(|rule| rule.since == Some(release));
        let rules = rules.map(|rule| format!("- The rule `{}`.\n", rule.code.as_str()));
        let rows: String = differences.chain(rules).collect();
        if !rows.is_empty() {
            page.push_str(&format!("\n## {}\n\n{rows}", named(release)));
        }
    }
    page
}

#[test]
fn the_page_on_releases_agrees_with_the_tables() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/releases.md"));
    if environment::updates() {
        fs::write(path, page()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), page());
}

#[test]
fn the_readme_lists_the_releases_with_recorded_answers() {
    let releases: Vec<String> = recorded().into_iter().map(named).collect();
    let (last, others) = releases.split_last().unwrap();
    assert!(
        text("README.md").contains(&format!("recorded from Kubernetes {} and {last}", others.join(", ")))
    );
}

#[test]
fn each_difference_is_used_by_its_name() {
    let mut code = String::new();
    let mut pending = vec![Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_other = path.file_name().is_some_and(|name| name != "tests");
            if path.is_dir() && is_other {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("difference.rs")
            {
                code.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    for difference in Difference::ALL {
        assert!(
            code.contains(&format!("Difference::{}", difference.name())),
            "{difference:?}: nobody asks for it"
        );
    }
}
