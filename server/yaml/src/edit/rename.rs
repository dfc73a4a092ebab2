//! New keys for entries.

use text::TextEdit;

use super::{EditError, Editor, new};
use crate::ast::Entry;
use crate::scalar::ScalarStyle;
use crate::syntax::SyntaxKind;

impl<'t> Editor<'t> {
    /// Gives `entry` the key `key`, quoted as the old one is, or where the server would read it otherwise. The value stays
    /// as it is.
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
        if matches!(scalar.style(), ScalarStyle::Literal | ScalarStyle::Folded) {
            return Err(EditError::Place);
        }
        let text = new::key(key, entry.syntax().kind() == SyntaxKind::FlowEntry)?;
        let text = match scalar.style() {
            ScalarStyle::SingleQuoted => new::in_quotes(key, false),
            ScalarStyle::DoubleQuoted => new::in_quotes(key, true),
            _ => text,
        };
        Ok(TextEdit::replace(scalar.token().range(), text))
    }
}
