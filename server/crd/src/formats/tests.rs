#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use api::KubernetesVersion;
use serde_json::Value;

use super::{FORMATS, Format, is_heeded};

#[test]
fn verdicts_are_those_of_the_servers_library() {
    let golden = include_str!("../../../../fixtures/formats/formats.jsonl");
    let (mut texts, mut differences) = (0, Vec::new());
    for line in golden.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["f"].as_str().unwrap();
        let format = Format::named(name).expect(name);
        let all = line["t"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        for (text, server) in all.zip(line["m"].as_str().unwrap().bytes()) {
            texts += 1;
            if format.validates(text) != (server == b'1') {
                differences.push(format!("{name} {text:?}: the server says {}", char::from(server)));
            }
        }
    }
    assert_eq!(golden.lines().count(), FORMATS.len());
    assert!(texts > 6_000, "{texts} texts");
    assert!(differences.is_empty(), "{} of {texts} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn names_are_found_without_their_dashes() {
    assert!(FORMATS.is_sorted_by_key(|(name, _)| *name));
    assert_eq!(Format::named("date-time"), Format::named("datetime"));
    assert!(Format::named("u-u-i-d").is_some());
    assert!(Format::named("Date").is_none());
}

#[test]
fn formats_apply_since_a_version() {
    let heeded = |format, ty, minor| is_heeded(format, ty, KubernetesVersion { minor });
    assert!(heeded("k8s-short-name", "string", 35) && !heeded("k8s-short-name", "string", 34));
    assert!(heeded("int32", "integer", 36) && !heeded("int32", "integer", 35));
    assert!(!heeded("int32", "string", 36) && !heeded("date", "integer", 36) && heeded("date", "", 36));
}
