//! The order of versions in discovery (`CompareKubeAwareVersionStrings`); kubectl uses the first version by default.

use std::cmp::Ordering;

/// The order in which the server lists versions: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10.
#[must_use]
pub fn by_precedence(one: &str, other: &str) -> Ordering {
    match (rank(one), rank(other)) {
        (Some(one), Some(other)) => other.cmp(&one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

/// Stability, major and minor of a name such as `v1beta2`; `None` if the name has another form, or if a number
/// exceeds Go's `int`.
fn rank(name: &str) -> Option<(u8, i64, i64)> {
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    let rest = name.strip_prefix('v')?;
    for (stability, word) in [(0, "alpha"), (1, "beta")] {
        if let Some((major, minor)) = rest.split_once(word) {
            return Some((stability, number(major)?, number(minor)?));
        }
    }
    Some((2, number(rest)?, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_versions_come_before_others_and_numbers_count_as_numbers() {
        let expected =
            ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
        let mut names = expected;
        names.sort_unstable();
        names.sort_by(|one, other| by_precedence(one, other));
        assert_eq!(names, expected);
    }

    /// The server's regular expression accepts any number of digits; a name with too many has no special precedence.
    #[test]
    fn zeros_in_front_do_not_count_and_huge_numbers_are_names() {
        let huge = "v99999999999999999999";
        let mut names = ["valpha1", huge, "v1alpha", "v1", "v02", "v3beta01", "v"];
        names.sort_by(|one, other| by_precedence(one, other));
        assert_eq!(names, ["v02", "v1", "v3beta01", "v", "v1alpha", huge, "valpha1"]);
        assert_eq!(by_precedence("v01", "v1"), Ordering::Equal);
    }
}
