//! What the user can set, from the command line and from an editor.

use ide::{KubernetesVersion, Settings};
use serde_json::Value;

/// The section under which editors keep our settings.
pub(crate) const SECTION: &str = "crd-ls";

/// Reads `1.NN`.
pub(crate) fn parse_version(text: &str) -> Result<KubernetesVersion, String> {
    let (oldest, newest) = (KubernetesVersion::OLDEST, KubernetesVersion::NEWEST);
    let digits = text.strip_prefix("1.").filter(|minor| minor.bytes().all(|b| b.is_ascii_digit()));
    let version = digits.and_then(|minor| minor.parse().ok()).map(|minor| KubernetesVersion { minor });
    version.filter(|version| (oldest..=newest).contains(version)).ok_or_else(|| {
        format!("'{text}' is not a Kubernetes version from 1.{} to 1.{}", oldest.minor, newest.minor)
    })
}

/// Settings with what an editor sent in place of `current`, and what was wrong with it. The values may stand
/// under [`SECTION`] or by themselves; keys that are not ours are left to others.
pub(crate) fn from_editor(current: &Settings, sent: &Value) -> (Settings, Vec<String>) {
    let mut settings = current.clone();
    let mut problems = Vec::new();
    let section = sent.get(SECTION).unwrap_or(sent);
    match section.get("kubernetesVersion") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => match parse_version(text) {
            Ok(version) => settings.kubernetes_version = version,
            Err(problem) => problems.push(format!("kubernetesVersion: {problem}")),
        },
        // As a number 1.30 would be 1.3.
        Some(other) => problems.push(format!("kubernetesVersion: {other} is not a string such as \"1.37\"")),
    }
    (settings, problems)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use serde_json::json;

    use super::*;

    #[test]
    fn versions_outside_the_known_ones_are_refused() {
        assert_eq!(parse_version("1.25"), Ok(KubernetesVersion { minor: 25 }));
        for bad in ["1.24", "1.99", "1.", "1.+30", "1.300", "37", "v1.30", "1.30.1", ""] {
            assert!(parse_version(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn settings_stand_alone_or_in_their_section() {
        let expected = Settings { kubernetes_version: KubernetesVersion { minor: 30 } };
        for sent in [json!({"kubernetesVersion": "1.30"}), json!({"crd-ls": {"kubernetesVersion": "1.30"}})] {
            assert_eq!(from_editor(&Settings::default(), &sent), (expected.clone(), vec![]));
        }
    }

    #[test]
    fn a_bad_value_is_told_and_changes_nothing() {
        let current = Settings { kubernetes_version: KubernetesVersion { minor: 30 } };
        for sent in [json!({"kubernetesVersion": 1.37}), json!({"kubernetesVersion": "2.0"})] {
            let (settings, problems) = from_editor(&current, &sent);
            assert_eq!((settings, problems.len()), (current.clone(), 1), "{sent}");
        }
        for sent in [json!(null), json!(7), json!([]), json!({"other": 1})] {
            assert_eq!(from_editor(&current, &sent), (current.clone(), vec![]), "{sent}");
        }
    }
}
