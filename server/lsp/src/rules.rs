//! Where the rules are explained.

/// The page that explains the rule `code`; none until the pages have an address.
pub(crate) const fn rule_url(_code: &str) -> Option<String> {
    None
}
