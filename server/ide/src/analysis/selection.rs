//! The rules that are reported: those that the user selects, without those that the user ignores.

use std::str::FromStr;

use api::Code;

use crate::RULES;

/// Rules as a user names them: a code, a group, or a pattern with `*`, such as `lint/cel-*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

impl Selector {
    /// Returns whether it selects the rule `code`.
    #[must_use]
    pub fn selects(&self, code: Code) -> bool {
        match self.0.contains('*') {
            true => matches(&self.0, code.as_str()),
            false => code == self.0.as_str() || code.group() == self.0,
        }
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let selector = Self(name.to_owned());
        if RULES.iter().any(|rule| selector.selects(rule.code)) { Ok(selector) } else { Err(unknown(name)) }
    }
}

/// The error message for a name that no rule has.
pub(crate) fn unknown(name: &str) -> String {
    let codes = RULES.iter().flat_map(|rule| [rule.group(), rule.code.as_str()]);
    // A user may know a code without its group.
    let bare =
        RULES.iter().find(|rule| rule.code.as_str().split_once('/').is_some_and(|(_, bare)| bare == name));
    let suggestion = bare.map(|rule| rule.code.as_str()).or_else(|| crd::cel::nearest(name, codes));
    let hint = suggestion.map_or(String::new(), |code| format!(" did you mean '{code}'?"));
    format!("unknown rule or group of rules '{name}';{hint} `crd-ls rules` lists them")
}

/// Returns whether `text` matches `pattern`, in which `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.is_empty()
}

/// The rules that are reported. Ignored rules take precedence over selected ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The rules that are reported; `None` means all.
    pub select: Option<Vec<Selector>>,
    /// The rules that are not reported.
    pub ignore: Vec<Selector>,
}

impl Selection {
    /// Whether findings of the rule `code` are reported.
    #[must_use]
    pub fn admits(&self, code: Code) -> bool {
        let selected = self.select.as_ref().is_none_or(|select| select.iter().any(|one| one.selects(code)));
        selected && !self.ignore.iter().any(|one| one.selects(code))
    }

    /// Whether the rule is selected by its own code, or a convention by its group. This enables rules that
    /// are off by default.
    pub(crate) fn names(&self, code: Code) -> bool {
        let is_group = |one: &Selector| one.0.strip_suffix("/*").unwrap_or(&one.0) == code.group();
        let names = |one: &Selector| code == one.0.as_str() || code.rule().is_convention() && is_group(one);
        self.select.iter().flatten().any(names) && self.admits(code)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::analysis::selection::*;

    fn code(name: &str) -> Code {
        crate::rule(name).unwrap().code
    }

    fn selectors(names: &[&str]) -> Vec<Selector> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn rules_are_named_by_code_group_or_pattern() {
        for (name, held, other) in [
            ("yaml/syntax", "yaml/syntax", "yaml/duplicate-key"),
            ("yaml", "yaml/syntax", "structural/type-required"),
            ("yaml/*", "yaml/syntax", "structural/type-required"),
            ("*/type-required", "structural/type-required", "structural/junctor-type"),
            ("str*/*type*", "structural/type-required", "yaml/syntax"),
            ("*", "structural/type-required", ""),
        ] {
            let selector: Selector = name.parse().unwrap();
            assert!(selector.selects(code(held)), "{name} {held}");
            assert!(other.is_empty() || !selector.selects(code(other)), "{name} {other}");
        }
    }

    #[test]
    fn an_unknown_rule_name_is_an_error_with_a_suggestion() {
        for (name, suggestion) in [
            ("structural/junctor-typ", " did you mean 'structural/junctor-type'?"),
            ("strctural", " did you mean 'structural'?"),
            ("junctor-type", " did you mean 'structural/junctor-type'?"),
            ("none/*", ""),
            ("", ""),
        ] {
            let expected =
                format!("unknown rule or group of rules '{name}';{suggestion} `crd-ls rules` lists them");
            assert_eq!(name.parse::<Selector>(), Err(expected));
        }
    }

    #[test]
    fn ignored_rules_take_precedence_over_selected_ones() {
        let selection = Selection {
            select: Some(selectors(&["structural", "yaml/syntax"])),
            ignore: selectors(&["structural/junctor-*"]),
        };
        let admitted =
            ["structural/type-required", "structural/junctor-type", "yaml/syntax", "yaml/duplicate-key"]
                .map(|name| selection.admits(code(name)));
        assert_eq!(admitted, [true, false, true, false]);
        assert!(Selection::default().admits(code("structural/junctor-type")));
    }
}
