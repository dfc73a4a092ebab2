//! The reported effects of a change to a definition are those on objects, as far as objects are found that
//! show them.
//!
//! The definitions are generated here, and those of the corpus are added if it is available. With
//! `CRD_LS_CASES=all`, all pairs of the corpus are compared, which takes minutes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../../tests/support/beside.rs"]
mod beside;
mod histories;
mod proof;

use crd::compat::{Change, compare};
use crd::customresource::{Admission, ResourceVersion, admit};
use crd::object::definitions;
use crd::{Cache, KubernetesVersion, Options, Severity, check};
use serde_json::Value;
use yaml::{Reader, Tree};

/// The changes between the definitions in two texts.
fn changes(old: &str, new: &str) -> Vec<Change> {
    let (old, new) = (Tree::parse(old), Tree::parse(new));
    let (old, new) = (old.documents().next().unwrap(), new.documents().next().unwrap());
    let (old_reader, new_reader) = (Reader::new(old), Reader::new(new));
    let (old, new) = (definitions(old, &old_reader), definitions(new, &new_reader));
    compare(&old[0], &new[0], &mut Cache::default())
}

/// Whether the server accepts the definition.
fn is_accepted(text: &str) -> bool {
    let tree = Tree::parse(text);
    let report = check(tree.documents().next().unwrap(), &Options::default(), &mut Cache::default());
    report.findings.iter().all(|finding| finding.severity != Severity::Error)
}

/// A server with one definition.
struct Server {
    version: ResourceVersion,
}

impl Server {
    fn of(text: &str) -> Self {
        let tree = Tree::parse(text);
        let document = tree.documents().next().unwrap();
        let reader = Reader::new(document);
        let definition = &definitions(document, &reader)[0];
        Self { version: ResourceVersion::all(definition, &reader, &mut Cache::default()).remove(0) }
    }

    fn admit_object(&self, object: &Value) -> Admission {
        let tree = Tree::parse(&object.to_string());
        admit(tree.documents().next().unwrap(), &self.version, KubernetesVersion::default())
    }
}
