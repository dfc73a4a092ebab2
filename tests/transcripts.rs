//! Pages whose examples cannot be YAML on the page: the output that they show is that of the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod completed;
    pub(crate) mod program;
}

use std::fs;

use api::{Example, RULES};
use support::completed;
use support::program::{directory, repository, run, stdout};

/// A definition without a schema, as only early servers stored it.
const WITHOUT_SCHEMA: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v1, served: true, storage: true}
";

/// The files in which the commands of pages run.
fn files(code: &str) -> Vec<(&'static str, Vec<u8>)> {
    let completed = |fragment: &str| completed::definition(code, fragment).unwrap().into_bytes();
    match code {
        "file/too-large" => vec![("bundle.yaml", vec![b'#'; 32 * 1024 * 1024 + 1])],
        "file/too-many" => {
            let lines: String = (0..300).map(|number| format!("\"k{number}: \"x\" y\n")).collect();
            vec![(
                "broken.yaml",
                format!("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n{lines}")
                    .into_bytes(),
            )]
        }
        "file/not-utf8" => vec![("latin1.yaml", b"kind: Caf\xe9\n".to_vec())],
        "metadata/annotations-size" => {
            let notes =
                format!("metadata:\n  annotations:\n    example.com/notes: {}\n", "x".repeat(262_144));
            vec![("widgets.yaml", completed(&notes))]
        }
        "lint/size" => {
            vec![(
                "widgets.yaml",
                completed(&format!("type: object\ndescription: {}\n", "x".repeat(262_144))),
            )]
        }
        "decode/dropped-field" => vec![(
            "widgets.yaml",
            completed(
                "spec:\n  versions:\n  - schema: {openAPIV3Schema: {properties: {color: {type: string}}}}\n    \
                 selectableFields:\n    - jsonPath: .color\n",
            ),
        )],
        "versions/schema-required-pruned" => {
            let old = WITHOUT_SCHEMA.replace("  names:", "  preserveUnknownFields: true\n  names:");
            vec![("old.yaml", old.into_bytes()), ("new.yaml", WITHOUT_SCHEMA.into())]
        }
        _ => Vec::new(),
    }
}

/// The output of the program in a repository of the fixtures, which `tests/repositories.rs` compares with the program.
fn printed_in_fixtures(code: &str) -> Option<String> {
    let repositories = match code {
        "go/stale" => "go-operator",
        "resource/definitions-disagree" | "resource/rival-definitions" => "two-channels",
        _ => return None,
    };
    let path = repository().join("fixtures/repositories").join(repositories).join("expected.txt");
    Some(fs::read_to_string(path).unwrap())
}

#[test]
fn pages_show_what_the_program_prints() {
    let mut compared = 0;
    for rule in &RULES {
        let (code, Example::Transcript(page)) = (rule.code.as_str(), rule.example) else { continue };
        let mut lines = page.lines().skip_while(|line| !line.starts_with("$ crd-ls "));
        let command = lines.next().unwrap().strip_prefix("$ crd-ls ").unwrap();
        let expected = lines.next().unwrap();
        let printed = printed_in_fixtures(code).unwrap_or_else(|| {
            let files = files(code);
            assert!(!files.is_empty(), "{code}: nothing to run `{command}` on");
            let files: Vec<(&str, &[u8])> =
                files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
            stdout(&run(directory(&files).path(), &command.split(' ').collect::<Vec<_>>()))
        });
        assert!(printed.lines().any(|line| line == expected), "{code}: not {expected}\n{printed:.2000}");
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}
