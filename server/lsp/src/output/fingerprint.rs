//! Fingerprints of findings, which stay the same when lines move.

use std::collections::HashMap;
use std::hash::Hasher;

use fnv::FnvHasher;
use ide::Finding;

/// A fingerprint of a message that is the same on every machine: 16 hexadecimal digits. Line numbers are ignored.
pub(crate) fn of_message(message: &str) -> String {
    of_parts([without_lines(message).as_str()])
}

fn of_parts<const N: usize>(parts: [&str; N]) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        // This separator keeps different lists of parts from having the same bytes.
        hasher.write(&[0xff]);
    }
    format!("{:016x}", hasher.finish())
}

/// The message without the number in each `line 12`.
fn without_lines(message: &str) -> String {
    let mut parts = message.split("line ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("line ");
        plain.push_str(part.trim_start_matches(|char: char| char.is_ascii_digit()));
    }
    plain
}

/// Fingerprints of findings in the order in which they occur: identical ones are numbered.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    met: HashMap<String, usize>,
}

impl Fingerprints {
    pub(super) fn fingerprint_of(&mut self, path: &str, finding: &Finding) -> String {
        let message = without_lines(&finding.message.to_string());
        let hash = of_parts([path, finding.code.as_str(), &finding.field_path.to_string(), &message]);
        let number = self.met.entry(hash.clone()).or_default();
        *number += 1;
        format!("{hash}:{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::report;
    use super::*;

    #[test]
    fn a_message_keeps_its_fingerprint_when_lines_move() {
        assert_eq!(of_message("as in line 12, not line 7"), of_message("as in line 3, not line 70"));
        assert_ne!(of_message("at most 12"), of_message("at most 13"));
        // Files with these fingerprints are read for years.
        assert_eq!(of_message("is pruned"), "f05646a008bdac34");
    }

    #[test]
    fn similar_findings_have_different_fingerprints() {
        let (mut fingerprints, report) = (Fingerprints::default(), report());
        let all: Vec<String> = report
            .findings
            .iter()
            .chain(&report.findings)
            .map(|finding| fingerprints.fingerprint_of(&report.path, finding))
            .collect();
        assert_eq!(all[0].split_once(':').map(|(hash, _)| format!("{hash}:2")), Some(all[2].clone()));
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    }
}
