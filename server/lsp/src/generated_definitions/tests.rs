//! Reusing the results of earlier texts does not change the findings.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Settings, StopSignal};
use rand::{RngExt, SeedableRng};
use rand_xorshift::XorShiftRng;

use super::{AnalysisInputs, GeneratedDefinitions};
use crate::config::Projects;
use crate::go_package::{GoPackage, Texts};

const HEAD: &str = "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n";

/// A file with some kinds, whose definitions have findings.
fn kinds(numbers: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for number in numbers {
        let _ = write!(
            text,
            "// Kind{number} is one.\n// +kubebuilder:object:root=true\ntype Kind{number} struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tSpec Kind{number}Spec `json:\"spec\"`\n}}\n\n// +kubebuilder:validation:XValidation:rule=\"self.size <= 'a'\",message=\"m\"\n// +kubebuilder:validation:XValidation:rule=\"self.nothing\"\ntype Kind{number}Spec struct {{\n\t// +kubebuilder:default=500\n\t// +kubebuilder:validation:Maximum=100\n\tSize int32 `json:\"size\"`\n\n\t// +optional\n\tShared *Shared `json:\"shared,omitempty\"`\n}}\n\n"
        );
    }
    text
}

/// A package of two files; one declares a type that the kinds of both use.
fn module(root: &Path) -> [(PathBuf, String); 2] {
    fs::create_dir_all(root.join("v1")).unwrap();
    fs::write(root.join("go.mod"), "module example.com/a\n").unwrap();
    let shared = "// Shared is part of all.\ntype Shared struct {\n\t// +kubebuilder:validation:Pattern=`(`\n\tName string `json:\"name\"`\n}\n\n";
    let files = [
        (root.join("v1/one.go"), format!("// +groupName=a.example.com\n{HEAD}{shared}{}", kinds(0..3))),
        (root.join("v1/two.go"), format!("{HEAD}{}", kinds(3..5))),
    ];
    for (path, text) in &files {
        fs::write(path, text).unwrap();
    }
    files
}

/// The texts that an edit may insert.
const PIECES: [&str; 8] = [
    "1",
    "\n",
    "// word\n",
    "\t// +optional\n",
    " ",
    "self.size",
    "",
    "\n// +kubebuilder:validation:Minimum=3\n",
];

fn edited(text: &str, random: &mut XorShiftRng) -> String {
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let at = match random.random_range(0..2) {
        0 => lines[random.random_range(0..lines.len())],
        _ => random.random_range(0..text.len()),
    };
    let end = (at + random.random_range(0..3)).min(text.len());
    let piece = PIECES[random.random_range(0..PIECES.len())];
    format!("{}{piece}{}", &text[..at], &text[end..])
}

#[test]
fn findings_after_edits_are_those_of_a_fresh_analysis() {
    let mut random = XorShiftRng::seed_from_u64(environment::seed(1));
    let folder = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(folder.path()).unwrap();
    let files = module(&root);
    let package = GoPackage::of(&root.join("v1"), &Projects::default());
    let (stop, settings) = (StopSignal::default(), |_: &Path| Settings::default());
    let around = AnalysisInputs { settings: &settings, base: &|_| None, stop: &stop };
    let mut texts = Texts::new();
    let outcome = Arc::new(package.generate(&texts, None).unwrap());
    let mut last = GeneratedDefinitions::new(outcome, None, &around).unwrap();
    assert_eq!(last.files.len(), 2);
    assert!(last.findings().values().all(|findings| findings.len() > 5));
    let mut sound = 0;
    for _ in 0..environment::made_up(200) {
        let (path, original) = &files[random.random_range(0..files.len())];
        let before = texts.get(path).unwrap_or(original).clone();
        let text = edited(&before, &mut random);
        texts.insert(path.clone(), text.clone());
        let changed = std::slice::from_ref(path);
        let again = Arc::new(package.generate(&texts, Some((&last.outcome, changed))).unwrap());
        let again = GeneratedDefinitions::new(again, Some(&last), &around).unwrap();
        let fresh = Arc::new(package.generate(&texts, None).unwrap());
        let fresh = GeneratedDefinitions::new(fresh, None, &around).unwrap();
        assert_eq!(again.findings(), fresh.findings(), "{before}\n=>\n{text}");
        for (path, _) in &files {
            assert_eq!(again.findings_in(path), fresh.findings().remove(path).unwrap_or_default());
        }
        if again.files.len() == 2 && again.findings().values().all(|findings| findings.len() > 3) {
            sound += 1;
            last = again;
        } else {
            // A syntax error drops a part of the text, which would hide the effect of the edits that follow.
            texts.insert(path.clone(), before);
        }
    }
    assert!(sound > environment::made_up(200) / 4, "{sound}");
}

/// The conversion skips the text of the JSON that Go's decoder would read.
#[test]
fn a_definition_is_read_as_from_the_text_of_its_json() {
    let text = r#"
integers: [0, -1, 9007199254740993, 18446744073709551615, 0x10]
fractions: [1.0, -0.0, 0.1, 1e21, 1e-7, 123456789012345678901234567890]
texts: ["quoted \" \\ <&>", "two\nlines", 'é \u2028', "\u2028"]
others: [true, ~, {}, [], {a: {b: [c]}}]
"#;
    let tree = yaml::Tree::parse(text);
    let decoded = yaml::decode(tree.documents().next().unwrap()).unwrap();
    let read = go::json::Json::decoded(&decoded.json.to_string()).unwrap();
    assert_eq!(super::json_of(text), Some(read));
}
