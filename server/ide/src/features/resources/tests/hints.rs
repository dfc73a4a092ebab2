use text::TextRange;

use crate::features::resources::tests::{DEFINITION, surroundings, widget, with_definition};
use crate::{File, Settings};

/// The text with all hints in it.
fn hinted(text: &str, settings: &Settings) -> String {
    let file = File::with_surroundings(text, settings, surroundings());
    let mut text = text.to_owned();
    for hint in file.hints(TextRange::new(0, text.len() as u32)).iter().rev() {
        text.insert_str(hint.offset as usize, &format!(" «{}»", hint.label));
    }
    text
}

#[test]
fn defaults_are_shown_beside_the_object_that_gets_them() {
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

#[test]
fn a_status_that_is_dropped_gets_no_defaults() {
    let with_default = DEFINITION.replacen(
        "          status:\n            type: object\n",
        "          status:\n            type: object\n            default: {}\n",
        1,
    );
    let subresource =
        with_default.replacen("    schema:\n", "    subresources: {status: {}}\n    schema:\n", 1);
    let text = widget("spec: {limit: 1, replicas: 1}\n");
    let labels = |definition: &str| -> Vec<String> {
        let file = File::with_surroundings(&text, &Settings::default(), with_definition(definition));
        file.hints(TextRange::new(0, text.len() as u32)).into_iter().map(|hint| hint.label).collect()
    };
    assert_eq!(labels(&with_default), ["by default status: {}"]);
    assert_eq!(labels(&subresource), [] as [String; 0]);
}
