//! The size of a definition for `kubectl apply`, which stores a copy of it in an annotation.

use api::{Code, Severity};
use yaml::scalar::to_json;
use yaml::{Value, ValueKind};

use crate::cache::Cache;
use crate::field_path::FieldPath;
use crate::finding::Finding;
use crate::locate::locate;
use crate::message::Message;
use crate::object::CustomResourceDefinition;

const CODE: Code = Code::LintSize;
/// The maximum total size of the annotations of an object, keys and values, in bytes
/// (`ValidateAnnotationsSize`).
const LIMIT: usize = 256 * 1024;
/// The size from which a definition is near the limit, in bytes.
const NEAR: usize = LIMIT / 10 * 9;
/// The length of a text, in bytes, below which it is never near the limit: JSON has quotes and braces in
/// place of indentation.
const SMALL_TEXT: usize = LIMIT / 2;
/// The length of a node's text, in bytes, below which its size is not cached.
const SMALL_NODE: u32 = 512;
/// The annotation's key, and the `annotations` that kubectl adds.
const FRAME: usize = "kubectl.kubernetes.io/last-applied-configuration".len() + r#""annotations":{},"#.len();

/// Adds a finding if `definition` is too large for client-side apply, or nearly so.
pub(crate) fn check(
    definition: &CustomResourceDefinition<'_, '_>,
    cache: &mut Cache,
    findings: &mut Vec<Finding>,
) {
    let value = definition.value();
    let Some(node) = value.node().map(|node| node.node()) else { return };
    // Repetitions by aliases are not worth following.
    if (node.len() as usize) < SMALL_TEXT || node.flags().aliases {
        return;
    }
    let mut sizes = SizeEstimator { cache };
    let annotations =
        definition.field(&["metadata", "annotations"]).map_or(0, |value| sizes.json_length(value));
    let total = sizes.json_length(value).saturating_add(annotations).saturating_add(FRAME);
    if total < NEAR {
        return;
    }
    let is_over = total > LIMIT;
    let (severity, almost) = if is_over { (Severity::Warning, "") } else { (Severity::Hint, "almost ") };
    let remedy = "use `kubectl apply --server-side`, or `kubectl create` and `kubectl replace`";
    let message = Message::new(format!(
        "the definition is {almost}too large for the annotation of `kubectl apply`: about {total} bytes (limit {LIMIT})"
    ));
    let kind = locate(definition.value(), &FieldPath::of_names(["kind"]), definition.reader());
    findings.push(Finding {
        code: CODE,
        severity,
        message: if is_over { message.advise(remedy) } else { message },
        range: kind.range,
        field_path: definition.path().clone(),
        api_server: None,
        related: Vec::new(),
    });
}

/// The length of a string's JSON as Go writes it, in bytes, without the quotes. The escapes of U+2028 and
/// U+2029, which are rare, are not counted.
fn string_size(text: &str) -> usize {
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | 8 | b'\t' | b'\n' | 12 | b'\r' => 1,
        ..=0x1F | b'<' | b'>' | b'&' => 5,
        _ => 0_u8,
    };
    // The sum for 32 bytes fits into a byte, so that the compiler can process many at once.
    let more = text.as_bytes().chunks(32).map(|chunk| usize::from(chunk.iter().map(more).sum::<u8>()));
    text.len() + more.sum::<usize>()
}

struct SizeEstimator<'c> {
    cache: &'c mut Cache,
}

impl SizeEstimator<'_> {
    /// The length of the compact JSON of `value`, in bytes.
    fn json_length(&mut self, value: Value<'_>) -> usize {
        let node = value.node().map(|node| node.node()).filter(|node| node.len() >= SMALL_NODE);
        if let Some(size) = node.and_then(|node| self.cache.json_size(node)) {
            return size;
        }
        let size = self.measure(value);
        if let Some(node) = node {
            self.cache.keep_json_size(node, size);
        }
        size
    }

    fn measure(&mut self, value: Value<'_>) -> usize {
        match value.kind() {
            ValueKind::Mapping(mapping) => mapping
                .entries()
                .fold(1, |size, entry| {
                    let key = entry.key_text().map_or(0, |key| key.len());
                    // Two quotes, a colon, and a comma or the closing brace.
                    size + key + 4 + self.json_length(entry.value())
                })
                .max(2),
            ValueKind::Sequence(sequence) => {
                sequence.items().fold(1, |size, item| size + 1 + self.json_length(item.value())).max(2)
            }
            ValueKind::Scalar(scalar) if value.tag().is_none() && scalar.is_string() => {
                let mut size = r#""""#.len();
                scalar.for_each_piece(&mut |piece| size += string_size(piece));
                size
            }
            ValueKind::Scalar(scalar) => scalar.resolve().map_or(0, |resolved| to_json(&resolved).len()),
            ValueKind::Alias(_) | ValueKind::Absent => "null".len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use yaml::scalar::ResolvedScalar;

    use super::*;

    #[test]
    fn a_string_has_its_encoded_size() {
        let longest = "&".repeat(100);
        for text in ["", "a", "\"\\\t\n\r\u{8}\u{c}\u{0}\u{1f}<>&\u{7f}", "\u{e4}\u{1f980}", &longest] {
            assert_eq!(
                string_size(text) + 2,
                to_json(&ResolvedScalar::String(text.into())).len(),
                "{text:?}"
            );
        }
    }
}
