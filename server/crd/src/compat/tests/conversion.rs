//! Fields that conversions between versions lose.

use super::changes;
use crate::compat::Change;
use crate::tests::markers::HEAD;

/// A definition of two versions, the first stored, with these properties in flow style.
pub(super) fn two_versions(conversion: &str, [first, second]: [&str; 2]) -> String {
    let version = |name: &str, storage: bool, properties: &str| {
        format!(
            "  - name: {name}
    served: true
    storage: {storage}
    schema:
      openAPIV3Schema: {{type: object, properties: {{{properties}}}}}
"
        )
    };
    format!(
        "{HEAD}  conversion: {conversion}
  versions:
{}{}",
        version("v1", true, first),
        version("v1beta1", false, second)
    )
}

/// Class, version and field of losses that are new.
fn newly_lost(old: &str, new: &str) -> Vec<String> {
    let lost = changes(old, new).into_iter().filter(|change| change.code == "compat/conversion-loss");
    let shown = |change: Change| {
        let version = change.version.unwrap_or_default();
        format!(
            "{} {version} {} at `{}`",
            change.class.name(),
            change.object_path,
            &new[change.range.as_usize()]
        )
    };
    lost.map(shown).collect()
}

#[test]
fn new_losses_between_versions_are_reported() {
    let (a, ab) = ("a: {type: string}", "a: {type: string}, b: {type: string}");
    let webhook = "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.example.com'}}}";
    let none = "{strategy: None}";
    let (same, less, more) = ([ab, ab], [ab, a], [a, ab]);
    for (old, new, expected) in [
        // The field is new.
        ((none, [a, a]), (none, less), &["risky v1 .b at `b`"][..]),
        ((none, [a, a]), (none, more), &["risky v1beta1 .b at `b`"]),
        // It was converted.
        ((webhook, less), (none, less), &["breaking v1 .b at `b`"]),
        // It was lost before.
        ((none, less), (none, less), &[]),
        // The removed field is reported separately.
        ((none, same), (none, less), &[]),
        ((none, same), (webhook, less), &[]),
    ] {
        let (old, new) = (two_versions(old.0, old.1), two_versions(new.0, new.1));
        assert_eq!(newly_lost(&old, &new), expected, "{old}{new}");
    }
    // Another version stores: the field was kept, and is lost with the next write.
    let old = two_versions(none, less);
    let new = old.replace("storage: true", "storage: -").replace("storage: false", "storage: true");
    assert_eq!(newly_lost(&old, &new.replace("storage: -", "storage: false")), ["breaking v1 .b at `b`"]);
    // A new version that lacks a field.
    let (first, _) = old.split_once("  - name: v1beta1").unwrap();
    assert_eq!(newly_lost(first, &old), ["risky v1 .b at `b`"]);
}
