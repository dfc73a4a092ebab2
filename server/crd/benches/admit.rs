//! Measures the validation of a resource whose definition is already loaded.
//!
//! The benchmark uses the resources of the corpus if it is available, and prints their number.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use crd::customresource::{ResourceVersion, admit};
use crd::object::definitions;
use crd::{Cache, KubernetesVersion};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use yaml::{Document, Reader, Tree};

/// A definition with 20 rules, and a resource of it with 100 items that have rules.
const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
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
            x-kubernetes-validations:
            - {rule: 'self.listeners.all(l, l.port > 0)', message: ports}
            - {rule: 'self.listeners.exists(l, l.name == \"l1\")', message: first}
            properties:
              listeners:
                type: array
                maxItems: 100
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name, port]
                  x-kubernetes-validations:
                  - {rule: 'self.protocol == \"TLS\" ? has(self.host) : true', message: tls}
                  - {rule: '!has(self.host) || self.host.size() < 100', message: long}
                  properties:
                    name: {type: string, maxLength: 63}
                    host: {type: string, maxLength: 253, pattern: '^[a-z0-9.-]+$'}
                    protocol: {type: string, default: TCP, enum: [TCP, TLS, HTTP]}
                    port:
                      type: integer
                      x-kubernetes-validations:
                      - {rule: 'self >= 1 && self <= 65535', message: range}
";

fn resource() -> String {
    let mut text =
        "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  listeners:\n".to_owned();
    for index in 0..100 {
        text.push_str(&format!(
            "  - name: l{index}\n    host: a{index}.example.com\n    port: {}\n",
            80 + index
        ));
    }
    text
}

fn versions(text: &str, cache: &mut Cache) -> Vec<ResourceVersion> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            all.extend(ResourceVersion::all(&definition, &reader, cache));
        }
    }
    all
}

#[divan::bench]
fn a_resource_with_rules(bencher: Bencher<'_, '_>) {
    let versions = versions(DEFINITION, &mut Cache::default());
    let tree = Tree::parse(&resource());
    let document = tree.documents().next().unwrap();
    bencher.bench_local(|| {
        let admission = admit(black_box(document), &versions[0], KubernetesVersion::NEWEST);
        assert!(admission.errors.is_empty(), "{:?}", admission.errors);
        admission
    });
}

#[divan::bench(sample_count = 10)]
fn resources_of_the_corpus(bencher: Bencher<'_, '_>) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: the corpus is not there");
        return;
    }
    let texts: Vec<String> = files(&corpus).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    let mut cache = Cache::default();
    let definitions = texts.iter().filter(|text| text.contains("kind: CustomResourceDefinition"));
    let versions: Vec<ResourceVersion> =
        definitions.flat_map(|text| versions(text, &mut cache)).filter(|version| version.served).collect();
    let trees: Vec<Tree> = texts.iter().map(|text| Tree::parse(text)).collect();
    let mut resources: Vec<(Document<'_>, &ResourceVersion)> = Vec::new();
    for document in trees.iter().flat_map(Tree::documents) {
        let name = |name| text_of(document, name);
        let (api_version, kind) = (name("apiVersion"), name("kind"));
        resources.extend(
            versions.iter().find(|it| it.is_of(&api_version, &kind)).map(|version| (document, version)),
        );
    }
    bencher.counter(ItemsCount::new(resources.len())).bench_local(|| {
        resources
            .iter()
            .map(|(document, version)| admit(*document, version, KubernetesVersion::NEWEST).errors.len())
            .sum::<usize>()
    });
}

fn text_of(document: Document<'_>, name: &str) -> String {
    let reader = Reader::new(document);
    let object = document.root().and_then(yaml::Value::as_mapping);
    let value = object.and_then(|object| reader.entry(object, name)).map(yaml::Entry::value);
    value.and_then(yaml::Value::as_scalar).and_then(yaml::Scalar::as_str).unwrap_or_default().into_owned()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn main() {
    divan::main();
}
