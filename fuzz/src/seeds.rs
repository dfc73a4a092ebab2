//! Inputs to start from, made of the fixtures.

use std::path::Path;

use super::SEPARATOR;

/// Inputs above this are left out: a fuzzer gets nowhere with them.
const MOST_BYTES: usize = 4_096;

/// What to do with the text of a seed, for each target: pieces behind it.
const EDITS: &[u8] = b"\xFF\x00\x20\x01x\xFF\x01\x10\x00\"\xFF\x00\x40\x03\n  - ";
const READINGS: &[u8] = b"\xFF\x03!!str\xFF\x01!!int";
const CHANGES: &[u8] = b"\xFF\x00\x00\x03\x01\x02a: b\xFF\x03\x00\x05\x00\x00\xFF\x05\x00\x02\x01\x00c";

/// The inputs of `target` from all YAML files below `fixtures`, in the order of their paths.
pub fn of(target: &str, fixtures: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    if matches!(target, "expression" | "evaluate") {
        return expressions(&fixtures.join("cel/cases.jsonl"));
    }
    let mut seeds = Vec::new();
    let is_yaml = |text: &suites::Text| text.path.extension().is_some_and(|extension| extension == "yaml");
    for text in suites::all_below(fixtures)?.into_iter().filter(is_yaml) {
        seeds.extend(from_file(target, &text.bytes).into_iter().filter(|seed| seed.len() <= MOST_BYTES));
    }
    seeds.dedup();
    Ok(seeds)
}

/// The inputs of `target` that fuzzers found, from `TARGET.jsonl` in `folder`: the smallest ones that between them do what all
/// did. A line is one input as a JSON string whose characters are its bytes.
pub fn minimised(target: &str, folder: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    let lines = std::fs::read_to_string(folder.join(format!("{target}.jsonl")))?;
    let bytes = |line: &str| -> std::io::Result<Vec<u8>> {
        let text: String = serde_json::from_str(line)?;
        let byte = |char: char| u8::try_from(char).map_err(std::io::Error::other);
        text.chars().map(byte).collect()
    };
    lines.lines().map(bytes).collect()
}

fn from_file(target: &str, text: &[u8]) -> Vec<Vec<u8>> {
    match target {
        "check" => {
            const KEY: &[u8] = b"openAPIV3Schema:\n";
            let at = text.windows(KEY.len()).position(|window| window == KEY);
            at.and_then(|at| text.get(at + KEY.len()..)).into_iter().map(<[u8]>::to_vec).collect()
        }
        "scalar" => {
            let lines = text.split(|&byte| byte == b'\n');
            let values = lines.filter_map(|line| line.splitn(2, |&byte| byte == b':').nth(1));
            values
                .filter(|value| value.len() > 8)
                .map(|value| [value.trim_ascii(), READINGS].concat())
                .collect()
        }
        "rule" => {
            const KEY: &[u8] = b"rule: ";
            let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let rules = lines.filter_map(|line| line.strip_prefix(b"- ").unwrap_or(line).strip_prefix(KEY));
            rules.map(<[u8]>::to_vec).collect()
        }
        "edit" => vec![[text, EDITS].concat()],
        "edit_builder" => vec![[text, CHANGES].concat()],
        _ => vec![text.to_vec()],
    }
}

/// The expressions of the recorded cases, as far as JSON writes them as YAML does.
fn expressions(cases: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    let lines = std::fs::read_to_string(cases)?;
    let written = lines.lines().filter_map(|line| {
        let from = line.find(r#""expr":""#)? + r#""expr":"#.len();
        let raw = line.get(from..)?;
        Some(
            yaml::scalar::decode(yaml::scalar::ScalarStyle::DoubleQuoted, raw, -1)
                .text
                .into_owned()
                .into_bytes(),
        )
    });
    Ok(written.filter(|text| text.len() <= MOST_BYTES).collect())
}

/// The byte that no piece may hold, where bytes are made up.
pub fn clean(piece: &mut [u8]) {
    piece.iter_mut().filter(|byte| **byte == SEPARATOR).for_each(|byte| *byte = 0);
}
