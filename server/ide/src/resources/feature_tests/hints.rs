use text::TextRange;

use super::{surroundings, widget};
use crate::{File, Settings};

/// The text with all hints in it.
fn hinted(text: &str, settings: &Settings) -> String {
    let file = File::within(text, settings, surroundings());
    let mut text = text.to_owned();
    for hint in file.hints(TextRange::new(0, text.len() as u32)).iter().rev() {
        text.insert_str(hint.offset as usize, &format!(" «{}»", hint.label));
    }
    text
}

#[test]
fn defaults_stand_beside_the_object_that_gets_them() {
    let text = widget(
        "spec: # what\n  limit: 3\n  ports:\n  - name: a\n  - {name: b, protocol: UDP}\n  - {name: c}\n",
    );
    let expected = widget(
        "spec: # what «by default replicas: 1»\n  limit: 3\n  ports:\n  - name: a «by default protocol: TCP»\n  \
         - {name: b, protocol: UDP}\n  - {name: c} «by default protocol: TCP»\n",
    );
    assert_eq!(hinted(&text, &Settings::default()), expected);
    assert_eq!(
        hinted(&widget("spec: {}\n"), &Settings::default()),
        widget("spec: {} «by default limit: 5, replicas: 1»\n")
    );
    let silent = Settings { default_hints: false, ..Settings::default() };
    assert_eq!(hinted(&text, &silent), text);
}
