//! The plural of a kind's name.

/// The regular English plural, as tools that generate definitions form it.
pub(crate) fn plural_of(noun: &str) -> String {
    let vowel_before = |suffix: &str| {
        noun.strip_suffix(suffix).is_some_and(|stem| stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    };
    if ["s", "x", "z", "ch", "sh"].iter().any(|ending| noun.ends_with(ending)) {
        format!("{noun}es")
    } else if let Some(stem) = noun.strip_suffix('y').filter(|_| !vowel_before("y")) {
        format!("{stem}ies")
    } else {
        format!("{noun}s")
    }
}

/// The singular of `plural`, or `plural` itself if it is not a regular English plural.
pub(crate) fn singular_of(plural: &str) -> String {
    let nouns = [("ies", "y"), ("es", ""), ("s", "")];
    let stems = nouns
        .into_iter()
        .filter_map(|(end, of_noun)| Some(format!("{}{of_noun}", plural.strip_suffix(end)?)));
    stems.into_iter().find(|noun| plural_of(noun) == plural).unwrap_or_else(|| plural.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_english() {
        for (noun, plural) in
            [("widget", "widgets"), ("proxy", "proxies"), ("gateway", "gateways"), ("ingress", "ingresses")]
        {
            assert_eq!(plural_of(noun), plural);
            assert_eq!(singular_of(plural), noun);
        }
    }
}
