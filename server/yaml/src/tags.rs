//! Full forms of tags: shorthands such as `!!str` and `!e!foo`, resolved through the handles of their document.

use crate::ast::Document;
use crate::scalar;
use crate::syntax::SyntaxKind;

/// The prefix of `!!` (YAML 1.1 and 1.2, section on tag handles).
const CORE: &str = "tag:yaml.org,2002:";

/// The tag handles of one document.
#[derive(Clone, Debug)]
pub struct TagHandles<'t> {
    /// Pairs of a handle with its `!`s and a prefix.
    declared: Vec<(&'t str, &'t str)>,
}

impl<'t> TagHandles<'t> {
    /// The handles that the `%TAG` directives of `document` declare. They apply to no other document.
    #[must_use]
    pub fn of(document: Document<'t>) -> Self {
        let directives = document.syntax().tokens().filter(|token| token.kind == SyntaxKind::Directive);
        let declared = directives.filter_map(|directive| {
            let mut words = directive.text.split([' ', '\t']).filter(|word| !word.is_empty());
            (words.next() == Some("%TAG")).then_some(())?;
            Some((words.next()?, words.next()?))
        });
        Self { declared: declared.collect() }
    }

    /// The full form of `tag`, which is the tag in the source text, with its escapes decoded; `None` if its
    /// handle is not declared.
    #[must_use]
    pub fn resolve(&self, tag: &str) -> Option<String> {
        if let Some(verbatim) = tag.strip_prefix("!<") {
            return Some(scalar::unescape_tag(verbatim.strip_suffix('>').unwrap_or(verbatim)).into_owned());
        }
        let inner = tag.get(1..).unwrap_or_default();
        let (handle, suffix) = match handle_len(tag) {
            Some(len) => tag.split_at(len),
            None => ("!", inner),
        };
        // A lone `!` is not a shorthand.
        if suffix.is_empty() && handle == "!" {
            return Some(tag.to_owned());
        }
        let suffix = scalar::unescape_tag(suffix);
        let declared = self.declared.iter().find(|(declared, _)| *declared == handle);
        let prefix = match (declared, handle) {
            (Some((_, prefix)), _) => *prefix,
            (None, "!") => "!",
            (None, "!!") => CORE,
            (None, _) => return None,
        };
        Some(format!("{prefix}{suffix}"))
    }
}

/// The length of the `!name!` or `!!` at the start of `tag`, in bytes. go-yaml reads any other `!` as a
/// character of the tag.
pub(crate) fn handle_len(tag: &str) -> Option<usize> {
    let inner = tag.strip_prefix('!')?;
    let word = inner.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let end = word.count();
    (inner.as_bytes().get(end) == Some(&b'!')).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::{TagHandles, Tree};

    #[test]
    fn a_handle_is_replaced_with_its_prefix() {
        let tree = Tree::parse("%TAG !e! tag:example.com,2000:\n---\na\n");
        let handles = TagHandles::of(tree.documents().next().unwrap());
        assert_eq!(handles.resolve("!e!b%21").unwrap(), "tag:example.com,2000:b!");
        assert_eq!(handles.resolve("!!str").unwrap(), "tag:yaml.org,2002:str");
        assert_eq!(handles.resolve("!local").unwrap(), "!local");
        assert_eq!(handles.resolve("!<tag:x>").unwrap(), "tag:x");
        assert_eq!(handles.resolve("!").unwrap(), "!");
        assert_eq!(handles.resolve("!f!b"), None);
        assert_eq!(handles.resolve("!e!b!c").unwrap(), "tag:example.com,2000:b!c");
        assert_eq!(handles.resolve("!b/c!d").unwrap(), "!b/c!d");
    }
}
