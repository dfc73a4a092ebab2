//! Tests with several slips in one text.
#![allow(clippy::unwrap_used)]

use crate::marked_texts::WIDGET;
use crate::{File, Settings, Severity};

/// The right and the written text.
type Slip = (&'static str, &'static str);

const DASH_BEFORE_LIST_KIND: Slip =
    ("    kind: Widget\n    listKind: WidgetList\n", "    kind: Widget\n  - listKind: WidgetList\n");
const MISSPELT_TYPE: Slip =
    ("              replicas:\n                type:", "              replicas:\n                tyep:");
const SIGN_BEFORE_PROPERTIES: Slip = (
    "          status:\n            type: object\n            properties:",
    "          status:\n            type: object\n>            properties:",
);
const DASH_BEFORE_REQUIRED: Slip =
    ("            required:\n            - size", "          - required:\n            - size");
const OTHER_SEPARATOR: Slip = ("    schema:\n", "    schema -\n");
const UNSUPPORTED_TYPE: Slip = ("                type: array\n", "                type: arry\n");
const OPEN_QUOTE: Slip = ("spec:\n  group", "\"spec:\n  group");

fn with(slips: &[Slip]) -> String {
    slips.iter().fold(WIDGET.to_owned(), |text, (right, written)| {
        assert!(text.contains(right), "{right}");
        text.replacen(right, written, 1)
    })
}

/// The findings above remarks, and the texts that their first fixes make.
fn repaired(text: &str) -> (usize, Vec<String>) {
    let file = File::new(text, &Settings::default());
    let mut found = file.grouped().findings;
    found.retain(|finding| finding.severity <= Severity::Warning);
    let first = found.iter().filter_map(|finding| {
        let is_of_it = |fix: &crate::Fix| fix.repairs.contains(&(finding.code, finding.range));
        let fix = file.fixes(finding.range).into_iter().find(is_of_it)?;
        Some(text::applied(text, 0, &fix.edits))
    });
    (found.len(), first.collect())
}

#[test]
fn each_of_several_slips_is_one_finding_whose_first_fix_leaves_the_others() {
    for slips in [
        [DASH_BEFORE_LIST_KIND, MISSPELT_TYPE],
        [DASH_BEFORE_REQUIRED, SIGN_BEFORE_PROPERTIES],
        [OTHER_SEPARATOR, UNSUPPORTED_TYPE],
        [OTHER_SEPARATOR, MISSPELT_TYPE],
    ] {
        let text = with(&slips);
        let (count, texts) = repaired(&text);
        assert_eq!(count, slips.len(), "{texts:#?}\n{text}");
        for (index, slip) in slips.iter().enumerate() {
            let others: Vec<Slip> = slips.iter().copied().filter(|other| other != slip).collect();
            assert!(texts.contains(&with(&others)), "{index}: {texts:#?}\n{text}");
        }
    }
}

/// Nothing in `spec` is checked before the quote is removed.
#[test]
fn a_fix_that_uncovers_other_slips_is_offered() {
    let (count, texts) = repaired(&with(&[OPEN_QUOTE, MISSPELT_TYPE, UNSUPPORTED_TYPE]));
    assert_eq!((count, texts), (1, vec![with(&[MISSPELT_TYPE, UNSUPPORTED_TYPE])]));
}
