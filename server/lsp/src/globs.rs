//! Matchers of paths and patterns.

pub(crate) use answers::settings::bounded;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A matcher for `pattern`, in which `*` does not match `/`.
pub(crate) fn matcher(pattern: &str) -> Result<GlobSet, String> {
    let glob =
        GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| error.to_string())?;
    // The matcher of a single `Glob` panics if the expression becomes too large; a set returns an error.
    let mut set = GlobSetBuilder::new();
    set.add(glob);
    set.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_oversized_pattern_is_reported_and_none_panics() {
        for pattern in
            ["{".repeat(260) + &"}".repeat(260), "{".repeat(9), "[".to_owned() + &"a".repeat(1_000)]
        {
            let problem = bounded(&pattern).unwrap_err();
            assert!(
                problem.contains("longer than 1000 bytes") || problem.contains("deeper than 8"),
                "{problem}"
            );
        }
        for pattern in ["**/*.yaml", "{a,{b,{c,d}}}/*.yaml", "[a-z]*"] {
            bounded(pattern).unwrap();
            matcher(pattern).unwrap();
        }
        assert!(matcher(&("{".repeat(260) + "a" + &"}".repeat(260))).is_err(), "an error, and no panic");
        assert!(matcher("{a").is_err());
    }
}
