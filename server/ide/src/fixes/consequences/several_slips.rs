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

const LONE_WORD: Slip = ("              modes:\n", "              modes\n");
/// Each has one finding, whichever others are beside it.
const INDEPENDENT: [Slip; 10] = [
    ("  scope: Namespaced", "  scope: Namespced"),
    ("    - name: Size\n      type: integer", "    - name: Size\n      type: int"),
    ("openAPIV3Schema:\n        type:", "openAPIV3Schema:\n        typ:"),
    ("            required:\n", "            requred:\n"),
    (
        "              size:\n                type: integer",
        "              size:\n                type: intger",
    ),
    ("                items:\n", "                item:\n"),
    ("self.size > 1", "self.sise > 1"),
    ("          status:\n            type: object", "          status:\n            type: objct"),
    ("        statusReplicasPath: .status.replicas", "        statusReplicasPath: .status.replcas"),
    ("    served: true", "    servd: true"),
];

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

#[test]
fn every_slip_of_a_draft_has_its_finding_beside_all_others() {
    let assert_found = |slips: &[Slip]| {
        let text = with(slips);
        let (count, texts) = repaired(&text);
        assert_eq!(count, slips.len(), "{texts:#?}\n{text}");
        for index in 0..slips.len() {
            let others: Vec<Slip> = [&slips[..index], &slips[index + 1..]].concat();
            assert!(texts.contains(&with(&others)), "{index}: {texts:#?}\n{text}");
        }
    };
    for slip in INDEPENDENT {
        assert_found(&[slip]);
    }
    assert_found(&INDEPENDENT);
    // The blocks above and below the word, and the rule that reads them, have no other slip.
    let is_elsewhere =
        |(right, _): &Slip| !["items:", "size:", "self."].iter().any(|part| right.contains(part));
    let others: Vec<Slip> = INDEPENDENT.iter().copied().filter(is_elsewhere).collect();
    assert_found(&[&others[..], &[LONE_WORD]].concat());
}
