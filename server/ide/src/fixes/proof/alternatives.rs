//! Questions about many edits of which at most one is right.

use text::TextEdit;

use super::Proof;

impl Proof {
    /// The number of findings above remarks that `edits` leave, including those in parts that were not checked
    /// before; `None` if the edits cause findings there were none of before, or if fewer objects are validated.
    pub(in crate::fixes) fn all_remaining(&mut self, edits: &[TextEdit]) -> Option<usize> {
        let after = self.check_after(edits)?;
        let is_sound = after.objects >= self.original().objects && self.existed_before(&after, edits);
        is_sound.then_some(after.all)
    }

    /// The number of syntax errors of the text after `edits`.
    pub(in crate::fixes) fn syntax_errors_after(&self, edits: &[TextEdit]) -> usize {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let mut count = 0;
        for document in self.tree_after(&edits).documents() {
            document.syntax().for_each_error(&mut |_| count += 1);
        }
        count
    }
}
