//! Any text as a rule in a definition, with requests of an editor at several places.

use ide::{File, Settings};
use text::TextRange;

use super::pieces;

const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: a.b\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          a: {type: string}\n          list: {type: array, items: {type: object, properties: {b: {type: integer}}}}\n        x-kubernetes-validations:\n        - rule: ";
/// The number of places at which an editor sends requests.
const PLACES: usize = 6;
/// The maximum length of a text; longer texts are truncated because they test nothing new.
const MOST_BYTES: usize = 512;

pub fn run(data: &[u8]) {
    let (text, _) = pieces(data);
    let text = text.get(..text::floor_char_boundary(&text, MOST_BYTES)).unwrap_or_default();
    in_editor(&format!("{HEAD}{text}\n"));
    in_editor(&format!("{HEAD}|\n            {}\n", text.replace(['\n', '\r'], "\n            ")));
}

fn in_editor(text: &str) {
    let file = File::new(text, &Settings::default());
    let end = text.len() as u32;
    let all = TextRange::new(0, end);
    let is_within = |range: TextRange| text.get(range.as_usize()).is_some();
    for (range, class) in file.tokens(all) {
        assert!(is_within(range), "{class:?} at {range:?}");
    }
    assert!(file.hints(all).iter().all(|hint| hint.offset <= end));
    let step = ((end as usize - HEAD.len()) / PLACES).max(1);
    let offsets = (HEAD.len() as u32..=end).step_by(step).filter(|at| text.is_char_boundary(*at as usize));
    for offset in offsets {
        assert!(file.hover(offset).is_none_or(|hover| is_within(hover.range)), "hover at {offset}");
        assert!(file.completions(offset).iter().all(|one| is_within(one.range)), "completion at {offset}");
        let _ = file.signatures(offset);
        assert!(file.definition(offset).is_none_or(|found| is_within(found.name) && is_within(found.target)));
        assert!(file.references(offset).into_iter().all(is_within), "references at {offset}");
    }
}
