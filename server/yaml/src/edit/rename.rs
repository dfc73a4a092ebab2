//! New keys for entries.

use text::TextEdit;

use super::{EditError, Editor, new_values};
use crate::ast::Entry;
use crate::scalar::ScalarStyle;
use crate::syntax::SyntaxKind;

impl<'t> Editor<'t> {
    /// Changes the key of `entry` to `key`, quoted like the old key, or quoted if the server would otherwise
    /// read another key. The value does not change.
    pub fn rename(&mut self, entry: Entry<'t>, key: &str) {
        self.renamed.insert(entry.range().start, (entry, key.to_owned()));
    }

    pub(super) fn rename_edit(&self, entry: Entry<'t>, key: &str) -> Result<TextEdit, EditError> {
        let old = entry.key();
        let scalar = old.as_scalar().ok_or(EditError::Place)?;
        if old.tag().is_some() || old.anchor().is_some() {
            return Err(EditError::Anchor);
        }
        if entry.syntax().node().flags().errors {
            return Err(EditError::Broken);
        }
        if scalar.style().is_block() {
            return Err(EditError::Place);
        }
        let text = new_values::key(key, entry.syntax().kind() == SyntaxKind::FlowEntry)?;
        let text = match scalar.style() {
            ScalarStyle::SingleQuoted => new_values::in_quotes(key, false),
            ScalarStyle::DoubleQuoted => new_values::in_quotes(key, true),
            _ => text,
        };
        Ok(TextEdit::replace(scalar.token().range(), text))
    }
}
