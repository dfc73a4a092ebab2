//! Questions about many edits of which at most one is right.

use text::TextEdit;

use super::Proof;
use crate::analysis::shifts::Shifts;

impl Proof {
    /// The number of findings above remarks that `edits` leave, including those in parts that were not checked
    /// before; `None` if the edits cause findings there were none of before, or if fewer objects are validated.
    pub(in crate::fixes) fn all_remaining(&mut self, edits: &[TextEdit]) -> Option<usize> {
        let after = self.check_after(edits)?;
        let is_sound = after.objects >= self.original().objects && self.existed_before(&after, edits);
        is_sound.then_some(after.all)
    }

    /// Whether `edits` remove findings and cause none. Those that they only uncover do not count, nor do new lints.
    pub(in crate::fixes) fn improves(&mut self, edits: &[TextEdit]) -> bool {
        let Some(after) = self.check_after(edits).filter(|after| self.existed_before(after, edits)) else {
            return false;
        };
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let (before, shifts) = (self.original(), Shifts::of(&edits));
        let count = before.faults.iter().filter(|fault| !fault.is_remark).count();
        let left = after.faults.iter().filter(|fault| !fault.is_remark && before.has(fault, &shifts));
        left.count() < count
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
