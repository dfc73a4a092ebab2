//! Plain scalars that the decoder of the API server reads differently than they appear, if the server accepts
//! the result.
//!
//! go-yaml v2 knows the booleans and numbers of YAML 1.1 (`on`, `012`, `1_000`), and JSON has only strings
//! for keys, so a property `y` gets the name `true`. If the server rejects the result, as in a
//! `description: on`, its own error explains it.

mod plain;
mod walk;

use std::collections::{HashMap, HashSet};

use api::Code;
use crd::{FieldPath, ProblemClass};
use memo::table_of;
use yaml::syntax::ElementRef;
use yaml::{Document, Mapping, NodeRef, Reader, Value};

use crate::analysis::clean::CleanNodes;
use crate::{Finding, Severity};
use crd::Message;
use text::TextRange;
use walk::ReadingWalk;

/// The value that a scalar is read as, and the remedies.
#[derive(Clone, Debug)]
pub(crate) struct ScalarReading<'t> {
    pub(crate) code: Code,
    severity: Severity,
    message: Message,
    /// The scalar: a key or a value.
    pub(crate) value: Value<'t>,
    /// Its text.
    pub(crate) text: &'t str,
    field_path: FieldPath,
    pub(crate) remedies: Vec<Remedy>,
}

/// A change with which all readers agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Adds quotes: the value is a string.
    Quote,
    /// Writes this text, the value that the API server reads.
    Write(String),
}

impl ScalarReading<'_> {
    /// All codes of readings, sorted.
    pub(crate) const CODES: [Code; 3] = [KEY, STRING, VALUE];

    pub(crate) fn range(&self) -> TextRange {
        self.value.range()
    }

    pub(crate) fn into_finding(self) -> Finding {
        Finding {
            code: self.code,
            severity: self.severity,
            range: self.range(),
            message: self.message,
            field_path: self.field_path,
            api_server: None,
            related: Vec::new(),
        }
    }
}

/// Keeps only the error on a default that the server rejects as it reads it. If necessary, the error says how
/// the value is read.
pub(crate) fn merge_rejected_defaults(findings: &mut Vec<Finding>) {
    let is_refused = |finding: &Finding| finding.code == Code::DefaultsSchema;
    let refused: HashSet<TextRange> =
        findings.iter().filter(|found| is_refused(found)).map(|found| found.range).collect();
    let mut parsed: HashMap<TextRange, String> = HashMap::new();
    findings.retain(|finding| {
        let is_rejected = matches!(finding.code, STRING | VALUE) && refused.contains(&finding.range);
        if is_rejected && let Some(ProblemClass::Reading(words)) = &finding.message.class {
            parsed.insert(finding.range, words.clone());
        }
        !is_rejected
    });
    for refused in findings.iter_mut().filter(|finding| is_refused(finding)) {
        if let Some(words) = parsed.remove(&refused.range) {
            refused.message.note.push_str(&format!("; {words}"));
        }
    }
}

/// A key whose JSON text differs.
const KEY: Code = Code::YamlKeyReading;
/// A value for strings that is not a string.
const STRING: Code = Code::YamlStringReading;
/// A value that YAML 1.2 reads differently.
const VALUE: Code = Code::YamlValueReading;

/// The nodes without any scalar that could be read differently than it appears, in any position.
#[derive(Debug, Default)]
pub(crate) struct KnownReadings {
    clean: CleanNodes,
}

table_of!(KnownReadings, clean);

impl KnownReadings {
    /// The readings in the definitions of `document`, in the order of the text, up to one more than are listed.
    pub(crate) fn readings<'t>(&mut self, document: Document<'t>) -> Vec<ScalarReading<'t>> {
        if self.is_clean(document.syntax()) {
            return Vec::new();
        }
        let reader = Reader::new(document);
        let mut walk = ReadingWalk::new(&reader, &self.clean);
        for definition in crd::object::definitions(document, &reader) {
            walk.definition(&definition);
        }
        let mut readings = walk.finish();
        readings.sort_by_key(|reading| (reading.range(), reading.code));
        // A definition that an alias repeats is visited twice.
        readings.dedup_by_key(|reading| (reading.range(), reading.code));
        readings
    }

    /// Returns whether no scalar in `node` needs a closer check. It does not depend on the position of
    /// `node`, so that the result remains valid.
    fn is_clean(&mut self, node: NodeRef<'_>) -> bool {
        if self.clean.contains(node) {
            return true;
        }
        let mapping = Value::of_node(node).as_mapping();
        let mut clean = !mapping.is_some_and(has_values_for_strings);
        for element in node.elements() {
            clean &= match element {
                ElementRef::Token(token) => !plain::is_odd(token),
                ElementRef::Node(child) => self.is_clean(child),
            };
        }
        if clean {
            self.clean.insert(node);
        }
        clean
    }
}

/// Returns whether `mapping` may be a schema of strings, by itself or by the schema around it, with values
/// that are not strings.
fn has_values_for_strings(mapping: Mapping<'_>) -> bool {
    let mut values = mapping.entries().filter(|entry| {
        let key = entry.syntax().tokens().find(|token| token.kind.is_scalar());
        key.is_some_and(walk::is_sample)
    });
    let is_typed = |value: Value<'_>| plain::typed(value).is_some();
    let is_other = values.any(|entry| match entry.value().as_sequence() {
        Some(items) => items.items().any(|item| is_typed(item.value())),
        None => is_typed(entry.value()),
    });
    let names_other_type = || {
        let named = mapping.entries().rev().find(|entry| entry.key_text().as_deref() == Some("type"));
        let name = named.and_then(|entry| entry.value().as_scalar()?.as_str());
        name.is_some_and(|name| !name.is_empty() && name != "string")
    };
    is_other && !names_other_type()
}

#[cfg(test)]
mod tests;
