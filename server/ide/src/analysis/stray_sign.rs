//! Values with a quote or a comma at their end, or in typographic quotes: YAML reads these signs as parts of the
//! text.

use std::collections::HashSet;

use api::Code;
use crd::Message;
use text::TextRange;
use yaml::syntax::ElementRef;
use yaml::{NodeRef, SyntaxKind, TokenRef, Value};

use crate::{Finding, Severity};

/// The longest value that is examined, in bytes.
const MOST: usize = 200;
/// Quotes that word processors write before and behind a text.
const OPENING: [char; 4] = ['“', '”', '„', '‟'];
const CLOSING: [char; 2] = ['”', '“'];

/// A sign that YAML reads as a part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StraySign {
    /// A quote at the end of a value that begins with none.
    Quote(char),
    /// Typographic quotes around the value.
    Typographic,
    /// A comma behind the value.
    Comma,
}

impl StraySign {
    /// The sign of the plain scalar `text`.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if text.len() > MOST || text.contains('\n') {
            return None;
        }
        let last = text.chars().next_back()?;
        let inner = text.get(..text.len() - last.len_utf8()).filter(|inner| !inner.is_empty())?;
        let is_word = !inner.contains(char::is_whitespace);
        match last {
            '"' | '\'' if is_word && !inner.contains(['"', '\'']) => {
                // Feet and inches.
                let is_length = inner.bytes().all(|byte| byte.is_ascii_digit());
                (!is_length).then_some(Self::Quote(last))
            }
            last if CLOSING.contains(&last) => {
                let within = inner.strip_prefix(OPENING)?;
                (!within.contains(CLOSING)).then_some(Self::Typographic)
            }
            ',' if is_word
                && inner.ends_with(|char: char| char.is_alphanumeric())
                && !inner.contains(',') =>
            {
                Some(Self::Comma)
            }
            _ => None,
        }
    }

    fn message(self) -> Message {
        match self {
            Self::Quote(quote) => {
                Message::new(format!("`{quote}` does not close a quote and becomes a part of the value"))
                    .advise("add the opening quote, or remove this one")
            }
            Self::Typographic => {
                Message::new("typographic quotes are a part of the value").advise("write `\"` or `'`")
            }
            Self::Comma => Message::new("the comma is a part of the value").advise("remove it"),
        }
    }
}

/// Adds findings on such values in and below `node`.
pub(crate) fn findings(node: NodeRef<'_>, into: &mut Vec<Finding>) {
    if !node.node().flags().ends_in_sign {
        return;
    }
    // In brackets, a comma separates values.
    let is_flow = Value::of_node(node).is_flow();
    for element in node.elements() {
        match element {
            ElementRef::Token(token) => into.extend(finding(token, is_flow)),
            ElementRef::Node(child) => findings(child, into),
        }
    }
}

/// Removes the findings on such values that have a finding for another reason: its fixes remove the sign, too.
pub(crate) fn remove_repeated(findings: &mut Vec<Finding>) {
    let is_sign = |finding: &Finding| finding.code == Code::YamlStraySign;
    if !findings.iter().any(is_sign) {
        return;
    }
    let others: HashSet<TextRange> =
        findings.iter().filter(|finding| !is_sign(finding)).map(|finding| finding.range).collect();
    findings.retain(|finding| !is_sign(finding) || !others.contains(&finding.range));
}

fn finding(token: TokenRef<'_>, is_flow: bool) -> Option<Finding> {
    let sign = (token.kind == SyntaxKind::Plain).then(|| StraySign::of(token.text)).flatten()?;
    (!is_flow).then(|| {
        Finding::of_text(
            Code::YamlStraySign,
            Severity::Warning,
            TextRange::at(token.range().start, token.text.len() as text::TextSize),
            sign.message(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::StraySign;
    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    #[test]
    fn a_value_with_a_sign_has_one_finding() {
        let with_sign = WIDGET.replacen("type: string", "type: string\"", 1);
        let found = File::new(&with_sign, &Settings::default()).grouped().findings;
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["schema/type-unsupported"], "{with_sign}");
    }

    #[test]
    fn signs_that_belong_to_a_value_are_accepted() {
        for (text, expected) in [
            ("True\"", Some(StraySign::Quote('"'))),
            ("key.path'", Some(StraySign::Quote('\''))),
            ("“a b”", Some(StraySign::Typographic)),
            ("Workflow,", Some(StraySign::Comma)),
            ("the users'", None),
            ("6\"", None),
            ("say \"hello\"", None),
            ("a=\"b\"", None),
            ("the “word”", None),
            ("“one” and “two”", None),
            ("a,b,", None),
            ("one, two,", None),
            (",", None),
            ("\"", None),
        ] {
            assert_eq!(StraySign::of(text), expected, "{text}");
        }
    }
}
