//! The remarks of a run that may be shown, if only the first of each rule are. The others need no fixes,
//! which take time to find.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use api::Code;
use ide::{Finding, Message, Severity};

/// A rule; it may have findings of several severities.
type Rule = (Severity, Code);

/// The remarks of all files of a run: findings below errors and warnings. Files are checked in parallel, and
/// shown in their order. Of equal remarks in different files, only the first is shown.
#[derive(Debug)]
pub struct Remarks {
    /// The maximum number of remarks of a rule that are shown.
    limit: usize,
    /// The distinct messages of each rule, each with the first file that has it: those of the first files, at
    /// most `most`.
    first: Mutex<BTreeMap<Rule, Vec<(usize, Message)>>>,
}

impl Remarks {
    /// Shows the first `most` remarks of each rule.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { limit: most, first: Mutex::new(BTreeMap::new()) }
    }

    /// The remarks of the file with the index `file` in the order in which files are shown.
    #[must_use]
    pub const fn of_file(&self, file: usize) -> ShownFindings<'_> {
        ShownFindings { remarks: Some((self, file)), by_rule: BTreeMap::new() }
    }

    /// Records a remark. Returns the messages of its rule in earlier files, as far as they are known.
    fn note(&self, file: usize, rule: Rule, message: &Message) -> Vec<Message> {
        let mut all = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let first = all.entry(rule).or_default();
        let earlier = first.iter().filter(|(of, _)| *of < file).map(|(_, message)| message.clone()).collect();
        match first.iter_mut().find(|(_, other)| other == message) {
            Some((of, _)) => *of = file.min(*of),
            None => first.push((file, message.clone())),
        }
        first.sort_by_key(|(of, _)| *of);
        first.truncate(self.limit);
        earlier
    }
}

/// The findings of a file that may be shown.
#[derive(Clone, Debug)]
pub struct ShownFindings<'r> {
    /// `None` for all findings, otherwise the remarks of a run with the index of the file.
    remarks: Option<(&'r Remarks, usize)>,
    /// The distinct messages of each rule so far, at most as many as are shown, and the number of each.
    by_rule: BTreeMap<Rule, Vec<(Message, usize)>>,
}

impl ShownFindings<'_> {
    /// Accepts all findings.
    pub const ALL: Self = Self { remarks: None, by_rule: BTreeMap::new() };

    /// Whether the next finding of the file may be shown.
    pub fn admits(&mut self, finding: &Finding) -> bool {
        let Some((remarks, file)) = self.remarks.filter(|_| finding.severity > Severity::Warning) else {
            return true;
        };
        let rule = (finding.severity, finding.code);
        let here = self.by_rule.entry(rule).or_default();
        let earlier = remarks.note(file, rule, &finding.message);
        let is_new = |message: &&Message| here.iter().all(|(other, _)| other != *message);
        // Each of these messages is shown earlier.
        let shown = here.len() + earlier.iter().filter(is_new).count();
        let is_full = here.len() >= remarks.limit;
        let alike = match here.iter_mut().find(|(message, _)| *message == finding.message) {
            Some((_, count)) => {
                *count += 1;
                *count - 1
            }
            None => {
                here.extend((!is_full).then(|| (finding.message.clone(), 1)));
                0
            }
        };
        shown < remarks.limit && alike < remarks.limit
    }
}

#[cfg(test)]
mod tests {
    use ide::FieldPath;
    use text::TextRange;

    use super::*;

    fn finding(severity: Severity, message: &str) -> Finding {
        Finding {
            code: Code::LintSize,
            severity,
            message: Message::new(message),
            range: TextRange::default(),
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        }
    }

    fn taken(admitted: &mut ShownFindings<'_>, messages: &[&str]) -> Vec<bool> {
        messages.iter().map(|message| admitted.admits(&finding(Severity::Hint, message))).collect()
    }

    #[test]
    fn only_the_first_remarks_of_a_file_are_shown() {
        let remarks = Remarks::new(2);
        assert_eq!(
            taken(&mut remarks.of_file(0), &["a", "a", "a", "b", "c"]),
            [true, true, false, true, false]
        );
    }

    #[test]
    fn remarks_of_earlier_files_are_shown_first() {
        let remarks = Remarks::new(2);
        let (mut first, mut second, mut third) = (remarks.of_file(0), remarks.of_file(1), remarks.of_file(2));
        assert_eq!(taken(&mut third, &["a"]), [true]);
        assert_eq!(taken(&mut first, &["a"]), [true]);
        // It may be the second message, after the one of the first file.
        assert_eq!(taken(&mut second, &["a", "b"]), [true, true]);
        assert_eq!(taken(&mut third, &["c"]), [false]);
        assert_eq!(taken(&mut first, &["d", "e"]), [true, false]);
    }

    #[test]
    fn errors_and_warnings_are_always_shown() {
        let remarks = Remarks::new(0);
        let admitted = |severity| remarks.of_file(0).admits(&finding(severity, "a"));
        let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
        assert_eq!(all.map(admitted), [true, true, false, false]);
    }

    #[test]
    fn without_a_limit_all_remarks_are_shown() {
        assert_eq!(taken(&mut ShownFindings::ALL.clone(), &["a"; 100]), [true; 100]);
    }
}
