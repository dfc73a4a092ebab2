//! Changelogs: the section of unreleased changes gets a version and a date.

const UNRELEASED: &str = "## [Unreleased]\n";

/// The changelog with a section for `version` in place of the unreleased section.
pub(super) fn cut(text: &str, version: &str, date: &str) -> Result<String, String> {
    let (before, rest) = text.split_once(UNRELEASED).ok_or("there is no section `## [Unreleased]`")?;
    if text.contains(&format!("## [{version}]")) {
        return Err(format!("{version} has a section already"));
    }
    let changes = rest.split("\n## ").next().unwrap_or_default();
    if changes.trim().is_empty() {
        return Err("the section `## [Unreleased]` is empty".to_owned());
    }
    Ok(format!("{before}{UNRELEASED}\n## [{version}] - {date}\n{rest}"))
}

/// The changelog of the extension, which has no unreleased section, with a section for `version` if it is missing.
pub(super) fn cut_of_extension(text: &str, version: &str) -> String {
    if text.contains(&format!("## {version}\n")) {
        return text.to_owned();
    }
    text.replacen("\n## ", &format!("\n## {version}\n\n- The server is crd-ls {version}.\n\n## "), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreleased_changes_get_a_version_and_a_date() {
        let text = "# Changelog\n\n## [Unreleased]\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\n- Zero.\n";
        let expected = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\n- Zero.\n";
        assert_eq!(cut(text, "0.2.0", "2026-02-03"), Ok(expected.to_owned()));
        assert!(cut(text, "0.1.0", "2026-02-03").is_err());
        assert!(cut("## [Unreleased]\n\n## [0.1.0]\n", "0.2.0", "2026-02-03").is_err());
    }

    #[test]
    fn the_extension_has_a_section_for_each_version() {
        let text = "# Changelog\n\n## 0.1.0\n\n- One.\n";
        let expected = "# Changelog\n\n## 0.2.0\n\n- The server is crd-ls 0.2.0.\n\n## 0.1.0\n\n- One.\n";
        assert_eq!(cut_of_extension(text, "0.2.0"), expected);
        assert_eq!(cut_of_extension(text, "0.1.0"), text);
    }
}
