//! Patterns for paths, as in `.gitignore`, and of limited size: a pattern becomes a regular expression, and
//! the author of a repository may be untrusted.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::Deserialize;

/// The longest pattern, in bytes.
const MOST_BYTES: usize = 1_000;
/// The deepest nesting of braces.
const MOST_NESTED: usize = 8;

/// Checks that a pattern is small enough to be used.
///
/// # Errors
///
/// Describes why it is too large.
pub fn bounded(pattern: &str) -> Result<(), String> {
    if pattern.len() > MOST_BYTES {
        let shown: String = pattern.chars().take(40).collect();
        return Err(format!("the pattern '{shown}…' is longer than {MOST_BYTES} bytes; shorten it"));
    }
    let mut open = 0_usize;
    for char in pattern.chars() {
        match char {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MOST_NESTED {
            let shown: String = pattern.chars().take(40).collect();
            return Err(format!(
                "the pattern '{shown}…' nests braces deeper than {MOST_NESTED} levels; write several patterns"
            ));
        }
    }
    Ok(())
}

/// A valid pattern in its original form.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern(String);

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        bounded(&text)?;
        let mut builder = GitignoreBuilder::new("");
        builder
            .add_line(None, &text)
            .map_err(|problem| format!("'{text}' is not a .gitignore pattern: {problem}"))?;
        // A line without a pattern is empty or a comment. Errors of all patterns together are reported later.
        if text.starts_with('#') || text.trim_end().is_empty() {
            return Err(format!("'{text}' matches no file; use a .gitignore pattern such as 'charts/**'"));
        }
        Ok(Self(text))
    }
}

impl std::str::FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.to_owned().try_into()
    }
}

/// Patterns relative to a directory.
#[derive(Clone, Debug)]
pub struct Patterns {
    home: PathBuf,
    lines: Gitignore,
}

impl Patterns {
    /// The patterns, relative to the directory `home`.
    ///
    /// # Errors
    ///
    /// Describes why these patterns cannot be used together.
    pub fn new(home: &Path, patterns: &[Pattern]) -> Result<Self, String> {
        let mut builder = GitignoreBuilder::new("");
        for Pattern(line) in patterns {
            // Errors were reported when the pattern was read.
            let _ = builder.add_line(None, line);
        }
        let lines = builder
            .build()
            .map_err(|problem| format!("the list of {} patterns is invalid: {problem}", patterns.len()))?;
        Ok(Self { home: home.to_owned(), lines })
    }

    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether the patterns match the absolute `path` itself.
    #[must_use]
    pub fn name(&self, path: &Path, is_directory: bool) -> bool {
        self.lines.matched(self.relative(path), is_directory).is_ignore()
    }

    /// Whether the patterns match the file at the absolute `path`, or a directory that contains it.
    #[must_use]
    pub fn hold(&self, path: &Path) -> bool {
        let path = self.relative(path);
        !self.is_empty() && self.lines.matched_path_or_any_parents(path, false).is_ignore()
    }

    /// The path relative to `home`. A path outside `home` only loses its root, so that patterns without a
    /// slash match it, too.
    fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.home).unwrap_or_else(|_| {
            let mut components = path.components();
            while let Some(Component::Prefix(_) | Component::RootDir) = components.clone().next() {
                components.next();
            }
            components.as_path()
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn patterns(lines: &[&str]) -> Patterns {
        let lines: Vec<Pattern> = lines.iter().map(|line| line.parse().unwrap()).collect();
        Patterns::new(Path::new("/home"), &lines).unwrap()
    }

    #[test]
    fn patterns_match_as_in_gitignore() {
        for (lines, path, expected) in [
            (&["charts"][..], "/home/charts/a.yaml", true),
            (&["charts/"], "/home/deep/charts/x/a.yaml", true),
            (&["/charts"], "/home/deep/charts/a.yaml", false),
            (&["config/**/bases"], "/home/config/crd/bases/a.yaml", true),
            (&["*.yaml", "!keep.yaml"], "/home/keep.yaml", false),
            (&["*.yaml", "!keep.yaml"], "/home/a.yaml", true),
            (&["*.gen.yaml"], "/elsewhere/a.gen.yaml", true),
            (&["/elsewhere/a.yaml"], "/home/b.yaml", false),
            (&[], "/home/a.yaml", false),
        ] {
            assert_eq!(patterns(lines).hold(Path::new(path)), expected, "{lines:?} {path}");
        }
        assert!(!patterns(&["charts"]).name(Path::new("/home/charts/a.yaml"), false), "it is the parent");
        assert!(patterns(&["charts"]).name(Path::new("/home/charts"), true));
    }

    #[test]
    fn a_pattern_that_names_nothing_is_an_error() {
        for (line, expected) in [
            ("", "matches no file"),
            ("# none", "matches no file"),
            ("a[z-a]", "is not a .gitignore pattern"),
        ] {
            let problem = line.parse::<Pattern>().unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
