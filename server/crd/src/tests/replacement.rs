//! If the server accepts the creation of a definition, we find the errors of an update without its schemas.

use std::collections::{BTreeMap, BTreeSet};

use yaml::{Document, Reader, Tree};

use super::cases::cases;
use crate::object::definitions;
use crate::{Cache, Finding, KubernetesVersion, Options, Severity, check, check_replacement, check_update};

/// The maximum number of stored definitions that are combined with each new one.
const MOST: usize = 40;

/// The errors of the server.
fn refusals(findings: &[Finding]) -> BTreeSet<String> {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error && finding.api_server.is_some();
    let shown =
        |one: &Finding| format!("{:?} {} {:?} {}", one.range, one.code.as_str(), one.api_server, one.message);
    findings.iter().filter(is_error).map(shown).collect()
}

fn name(document: Document<'_>) -> Option<String> {
    let reader = Reader::new(document);
    let definitions = definitions(document, &reader);
    Some(definitions.first()?.name()?.into_owned())
}

#[test]
fn a_replacement_has_the_errors_of_an_update() {
    let cases = cases(&[
        "fixtures/crd/cases",
        "fixtures/crd/structural",
        "fixtures/crd/editor",
        "fixtures/documents",
    ]);
    let parts = cases.iter().flat_map(|case| [case.checked(), case.part("old")]).flatten();
    let trees: Vec<Tree> = parts.filter_map(|part| part.as_utf8()).map(Tree::parse).collect();
    let mut by_name: BTreeMap<String, Vec<Document<'_>>> = BTreeMap::new();
    for document in trees.iter().flat_map(Tree::documents) {
        by_name.entry(name(document).unwrap_or_default()).or_default().push(document);
    }
    let (mut compared, mut refused) = (0, 0);
    let versions = [KubernetesVersion::OLDEST, KubernetesVersion::NEWEST];
    for (documents, kubernetes_version) in by_name.values().flat_map(|all| versions.map(|one| (all, one))) {
        let options = Options { kubernetes_version, ..Options::default() };
        for new in documents {
            let mut cache = Cache::default();
            if !refusals(&check(*new, &options, &mut cache).findings).is_empty() {
                continue;
            }
            for old in documents.iter().step_by(documents.len().div_ceil(MOST)) {
                let update = refusals(&check_update(*new, *old, &options, &mut cache).findings);
                let replacement = refusals(&check_replacement(*new, &[*old], &options, &mut cache));
                assert_eq!(replacement, update, "{}\nreplaces\n{}", new.syntax().text(), old.syntax().text());
                compared += 1;
                refused += usize::from(!update.is_empty());
            }
        }
    }
    eprintln!("{compared} pairs, {refused} of them refused");
    assert!(compared > 1_000 && refused > 100, "{compared} {refused}");
}
