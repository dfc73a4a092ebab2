//! The parser on real files, compared with yaml-rust2.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod support;

use yaml::{RejectedBy, Tree};

#[test]
fn every_file_comes_back_byte_for_byte() {
    let Some(corpus) = support::corpus("skipped") else { return };
    let files = support::yaml_files(&corpus);
    assert!(files.len() > 1_000, "{} files", files.len());
    for (path, text) in files {
        assert!(Tree::parse(&text).text() == text, "{}", path.display());
    }
}

/// Files with text such as `[2001:db8::]`, whose last colon is a separator in YAML 1.2, but text for the API
/// server.
const FLOW_COLON: &[&str] = &["serviceentry-valid.yaml"];

#[test]
fn errors_and_events_are_those_of_yaml_rust2() {
    let Some(corpus) = support::corpus("skipped") else { return };
    let mut differences = Vec::new();
    let (mut refused, mut lenient) = (0, 0);
    for (path, text) in support::yaml_files(&corpus) {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        let tree = Tree::parse(&text);
        // yaml-rust2 implements YAML 1.2, so it does not report text that only the API server rejects.
        let mut ours = tree.errors();
        ours.retain(|error| error.kind.verdict() == RejectedBy::Both);
        match support::their_events(&text) {
            Ok(theirs) => {
                if let Some(error) = ours.first() {
                    let line = text[..error.range.start as usize].lines().count();
                    differences.push(format!("{name}:{line}: only we refuse: {}", error.kind));
                }
                let ours = support::our_events(&tree);
                let pair = ours.iter().zip(&theirs).find(|(ours, theirs)| !support::same_event(ours, theirs));
                if FLOW_COLON.iter().any(|file| name.ends_with(file)) {
                    assert!(pair.is_some(), "{name} is read as yaml-rust2 reads it by now");
                } else if let Some((ours, theirs)) = pair {
                    differences.push(format!("{name}: we read {ours}, they read {theirs}"));
                } else if ours.len() != theirs.len() {
                    differences.push(format!("{name}: {} events, theirs {}", ours.len(), theirs.len()));
                }
            }
            Err(_) if !ours.is_empty() => refused += 1,
            // The API server's decoder allows brackets and quotes to continue at any column.
            Err(error) if error.contains("invalid indentation") => lenient += 1,
            Err(error) => differences.push(format!("{name}: only they refuse: {error}")),
        }
    }
    println!(
        "{refused} files refused by both, {lenient} by yaml-rust2 for an indentation that go-yaml accepts"
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
