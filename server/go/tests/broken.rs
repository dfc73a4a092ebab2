//! Text that is invalid or incomplete Go does not affect other code.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use go::generate::{Outcome, Request, generate};
use go::invocation::Options;
use go::load::{Build, Disk, Entry, Environment, Library};
use go::version::Version;
use proptest::prelude::*;

/// Files in memory.
#[derive(Default)]
struct Memory(BTreeMap<PathBuf, String>);

impl Disk for Memory {
    fn read(&self, path: &Path) -> Option<String> {
        self.0.get(path).cloned()
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self
            .0
            .keys()
            .filter_map(|file| {
                let mut rest = file.strip_prefix(path).ok()?.components();
                let name = rest.next()?.as_os_str().to_str()?.to_owned();
                Some(Entry { name, is_directory: rest.next().is_some() })
            })
            .collect();
        entries.dedup();
        entries
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.0.keys().any(|file| file != path && file.starts_with(path))
    }
}

const META: &str = include_str!("../../../fixtures/go/apimachinery/pkg/apis/meta/v1/types.go");
const TYPES: &str = include_str!("../../../fixtures/go/library/api/v1/types.go");
const NAMES: &str = include_str!("../../../fixtures/go/library/shared/names.go");

/// Generates from a module whose types are `text`. Returns the number of generated files.
fn generated(text: &str) -> usize {
    texts(text).len()
}

/// The generated files of a module whose types are `text`.
fn texts(text: &str) -> Vec<String> {
    outcome(text).files.into_iter().map(|file| file.text.to_string()).collect()
}

fn outcome(text: &str) -> Outcome {
    let files = [
        (
            "/m/go.mod",
            "module example.com/library\nrequire k8s.io/apimachinery v0.0.0\nreplace k8s.io/apimachinery => ./meta\n",
        ),
        ("/m/meta/go.mod", "module k8s.io/apimachinery\n"),
        ("/m/meta/pkg/apis/meta/v1/types.go", META),
        ("/m/shared/names.go", NAMES),
        ("/m/api/v1/types.go", text),
    ];
    let disk = Memory(files.into_iter().map(|(path, text)| (PathBuf::from(path), text.to_owned())).collect());
    let request = Request {
        disk: &disk,
        library: &Library::default(),
        environment: Environment::default(),
        build: Build::default(),
        folder: Path::new("/m"),
        paths: &["./api/...".to_owned()],
        options: &Options::default(),
        header: "",
        version: Version::NEWEST,
    };
    generate(&request).unwrap()
}

#[test]
fn the_generated_text_is_complete() {
    assert_eq!(generated(TYPES), 1);
}

#[test]
fn line_ends_of_windows_change_nothing() {
    assert_eq!(texts(&TYPES.replace('\n', "\r\n")), texts(TYPES));
}

/// The grammar does not support all of Go: `new` takes a value since 1.26.
#[test]
fn function_bodies_cost_nothing() {
    assert_eq!(
        generated(&format!(
            "{TYPES}\nfunc F() *int32 {{\n\treturn new(int32(5))\n}}\nvar X = new(int32(5))\n"
        )),
        1
    );
    assert_eq!(generated(&format!("{TYPES}\nfunc F() {{\n\tif x :=\n}}\n")), 1);
}

#[test]
fn no_prefix_of_a_file_panics() {
    for end in (0..TYPES.len()).filter(|end| TYPES.is_char_boundary(*end)) {
        generated(&TYPES[..end]);
    }
}

#[test]
fn recursive_types_terminate() {
    for body in [
        "type A B\ntype B A\n",
        "type A = B\ntype B = A\n",
        "type A []A\n",
        "type A map[string]A\n",
        "type A struct { A `json:\",inline\"` }\n",
        "type A struct { *B `json:\",inline\"` }\ntype B struct { *A `json:\",inline\"` }\n",
        "type A struct { X *A `json:\"x\"` }\n",
    ] {
        let kind = "type K struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n\tA A `json:\"a\"`\n}\n";
        let text = format!(
            "// +groupName=g\npackage v1\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n{kind}{body}"
        );
        assert_eq!(generated(&text), 1, "{body}");
    }
}

/// Each level has twice the schemas of the one below it.
#[test]
fn types_that_double_with_each_level_are_reported() {
    let kind = "type K struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n\tA T0 `json:\"a\"`\n}\n";
    let start = format!(
        "// +groupName=g\npackage v1\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n{kind}"
    );
    let levels = |first: &str, second: &str| -> String {
        let of = |level: usize| {
            let below = level + 1;
            format!(
                "type T{level} struct {{\n\tA T{below} `json:\"{first}\"`\n\tB T{below} `json:\"{second}\"`\n}}\n"
            )
        };
        let last = "type T60 struct {\n\tX string `json:\"x\"`\n}\n".to_owned();
        (0..60).map(of).chain([last]).collect()
    };
    for (first, second, reported) in [
        ("a", "b", "the schema of K holds more than 250000 schemas and is not written; nest fewer types"),
        (",inline", ",inline", "the schemas are too large"),
        ("a", ",inline", "the schemas are too large"),
    ] {
        let outcome = outcome(&format!("{start}{}", levels(first, second)));
        let messages: Vec<&str> =
            outcome.problems.iter().chain(&outcome.panic).map(|problem| problem.message.as_str()).collect();
        assert!(outcome.files.is_empty(), "{first} {second}");
        assert!(
            messages.iter().any(|messages| messages.starts_with(reported)),
            "{first} {second}: {messages:?}"
        );
    }
}

#[test]
fn deeply_nested_types_terminate() {
    let deep = format!("// +groupName=g\npackage v1\ntype A {}int\n", "[]".repeat(20_000));
    generated(&deep);
    let deep =
        format!("// +groupName=g\npackage v1\n// +kubebuilder:default={}\ntype A int\n", "{".repeat(20_000));
    generated(&deep);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: u32::try_from(environment::made_up(256)).unwrap(), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        generated(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_file_with_a_replaced_piece_does_not_panic(start in 0..TYPES.len(), len in 0..200_usize, piece in "\\PC{0,20}") {
        let start = (0..=start).rev().find(|at| TYPES.is_char_boundary(*at)).unwrap();
        let end = (start + len).min(TYPES.len());
        let end = (end..=TYPES.len()).find(|at| TYPES.is_char_boundary(*at)).unwrap();
        generated(&format!("{}{piece}{}", &TYPES[..start], &TYPES[end..]));
    }

    #[test]
    fn random_markers_do_not_panic(text in "\\+(kubebuilder:validation:(Enum|Maximum|XValidation:rule|Pattern)|kubebuilder:default|default|listType)=\\PC{0,40}") {
        use go::marker::{Target, lookup, parse};
        for version in [Version::NEWEST, Version::OLDEST] {
            if let Some(known) = lookup(&text, Target::Field, version) {
                let (_, refusals) = parse(&text, known, version);
                for refusal in refusals {
                    prop_assert!(text.get(refusal.range).is_some());
                }
            }
        }
    }
}
