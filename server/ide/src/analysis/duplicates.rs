//! Keys that occur twice in one mapping. The API server silently keeps the last value, unless the request
//! asks for strict validation: then it rejects the object.

use crd::{FieldPath, Message};
use std::borrow::Cow;

use api::Code;
use memo::table_of;
use rustc_hash::FxHashMap;
use yaml::{Entry, Mapping, NodeRef, Scalar, Value};

use crate::analysis::clean::CleanNodes;
use crate::{Finding, RelatedInformation, Severity};

/// Up to this number of keys, comparing each pair is faster than hashing.
const FEW: usize = 12;

/// The nodes that are known to have no duplicate keys.
#[derive(Debug, Default)]
pub(crate) struct DuplicateKeys {
    clean: CleanNodes,
}

table_of!(DuplicateKeys, clean);

impl DuplicateKeys {
    /// Adds findings on the duplicate keys in and below `node`.
    pub(crate) fn findings(&mut self, node: NodeRef<'_>, into: &mut Vec<Finding>) {
        let before = into.len();
        if self.clean.contains(node) {
            return;
        }
        if let Some(mapping) = Value::of_node(node).as_mapping() {
            duplicates(mapping, into);
        }
        node.nodes().for_each(|child| self.findings(child, into));
        if into.len() == before {
            self.clean.insert(node);
        }
    }
}

fn duplicates<'t>(mapping: Mapping<'t>, into: &mut Vec<Finding>) {
    let keyed = mapping.entries().filter_map(|entry| Some((entry.key_text()?, entry)));
    let entries: Vec<(Cow<'t, str>, Entry<'t>)> = keyed.collect();
    let is_new = |(index, (key, _)): (usize, &(Cow<'t, str>, _))| {
        entries.iter().take(index).all(|(other, _)| other != key)
    };
    if entries.len() <= FEW && entries.iter().enumerate().all(is_new) {
        return;
    }
    let mut first: FxHashMap<Cow<'_, str>, Entry<'t>> = FxHashMap::default();
    for (key, entry) in entries {
        match first.get(&key) {
            Some(first) => into.push(finding(&key, *first, entry)),
            None => {
                first.insert(key, entry);
            }
        }
    }
}

/// The key of `entry` as written, without quotes: kube-apiserver reads a plain `on` as `true`.
fn key_text<'t>(entry: Entry<'t>) -> Cow<'t, str> {
    entry.key().as_scalar().map(Scalar::text).unwrap_or_default()
}

fn finding(key: &str, first: Entry<'_>, entry: Entry<'_>) -> Finding {
    let related = format!("`{key}` is set here first; this value is lost");
    let text = key_text(entry);
    let message = match text == key || text == key_text(first) {
        true => Message::new(format!("duplicate key {text:?}"))
            .advise("remove one, because kube-apiserver rejects the request or uses the last value"),
        false => {
            let problem =
                format!("`{text}` repeats the key `{key}`, because kube-apiserver reads it as `{key}`");
            Message::new(problem).advise("quote it, or remove one")
        }
    };
    Finding {
        code: Code::YamlDuplicateKey,
        severity: Severity::Warning,
        message,
        range: entry.key_range(),
        field_path: FieldPath::root(),
        api_server: None,
        related: vec![RelatedInformation::here(first.key_range(), related)],
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::duplicates::*;

    fn messages(text: &str) -> Vec<String> {
        let tree = yaml::Tree::parse(text);
        let mut found = Vec::new();
        for document in tree.documents() {
            DuplicateKeys::default().findings(document.syntax(), &mut found);
        }
        found.into_iter().map(|finding| finding.message.to_string()).collect()
    }

    /// The message has the key as written, even if YAML reads it as a different key.
    #[test]
    fn the_message_on_a_duplicate_quotes_the_key_as_written() {
        let remove = "remove one, because kube-apiserver rejects the request or uses the last value";
        assert_eq!(messages("a: 1\na: 2\n"), [format!("duplicate key \"a\"; {remove}")]);
        assert_eq!(messages("on: 1\non: 2\n"), [format!("duplicate key \"on\"; {remove}")]);
        assert_eq!(
            messages("yes: 1\non: 2\n"),
            [
                "`on` repeats the key `true`, because kube-apiserver reads it as `true`; quote it, or remove one"
            ]
        );
    }
}
