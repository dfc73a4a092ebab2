//! Values that a list of a schema has twice: in `enum` and `required`.

use api::Code;
use rustc_hash::FxHashMap;
use text::TextRange;
use yaml::Value;

use super::super::Stage;
use super::super::outcome::{Builder, NodeFinding, name};
use crate::field_path::Segment;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema};

const LISTS: [Keyword; 2] = [Keyword::Enum, Keyword::Required];

/// Checks the lists of `schema`.
pub(super) fn check(schema: &Schema<'_, '_>, out: &mut Builder) {
    if !schema.has_any(Keyword::Enum.bit() | Keyword::Required.bit()) {
        return;
    }
    for keyword in LISTS.into_iter().filter(|keyword| schema.items(*keyword).nth(1).is_some()) {
        let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
        for (index, item) in schema.items(keyword).enumerate() {
            let value = schema.reader().follow(item.value()).and_then(Value::as_scalar);
            // The type is a part of the value: `1` is not `"1"`.
            let Some(Ok(resolved)) = value.map(yaml::Scalar::resolve) else { continue };
            let written = yaml::scalar::to_json(&resolved);
            let range = item.value().range();
            let Some(first) = seen.get(&written).copied() else {
                seen.insert(written, range);
                continue;
            };
            let words = format!("`{}` occurs twice in `{}`", written.trim_matches('"'), keyword.as_str());
            let tail = vec![name(keyword), Segment::Index(index)];
            let place = out.place_of(range);
            let code = Code::LintRepeatedItem;
            let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Duplicate, place, tail, words);
            let first = Some(out.place_of(first));
            out.push(finding.advise("remove one, or write another value").relate(first, "it is here first"));
        }
    }
}
