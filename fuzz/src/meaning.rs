//! The meaning of a document, before a change and as expected after it.

use std::collections::{BTreeMap, BTreeSet};

use text::{TextRange, TextSize};
use yaml::edit::{NewEntry, NewValue};
use yaml::scalar::{ResolvedScalar, to_json};
use yaml::{Entry, Item, Value, ValueKind};

/// The meaning of a document; numbers and texts as their JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Leaf(String),
    Object(BTreeMap<String, Json>),
    Array(Vec<Json>),
}

/// Why a value has no meaning to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// The model does not cover aliases, merge keys, repeated keys and scalars that the server rejects.
    Unread,
    /// The changes do not fit the kind of the value.
    Impossible,
}

/// Changes by the place that they affect.
#[derive(Default)]
pub struct Plan<'t> {
    /// Starts of mappings and of entries in them, and of sequences and items in them: a pair in brackets starts
    /// where its item starts.
    pub removed: BTreeSet<(TextSize, TextSize)>,
    pub replaced: BTreeMap<TextSize, NewValue<'t>>,
    /// By the start of the entry.
    pub renamed: BTreeMap<TextSize, String>,
    /// By the start of the mapping.
    pub inserted: BTreeMap<TextSize, Vec<NewEntry<'t>>>,
    /// By the start of the sequence.
    pub pushed: BTreeMap<TextSize, Vec<NewValue<'t>>>,
}

impl<'t> Plan<'t> {
    /// The meaning of `value` after the changes.
    pub fn apply(&self, value: Value<'t>) -> Result<Json, Unclear> {
        let start = value.range().start;
        if let Some(new) = self.replaced.get(&start) {
            return of_new(new);
        }
        let inserted = self.inserted.get(&start).map(Vec::as_slice).unwrap_or_default();
        let pushed = self.pushed.get(&start).map(Vec::as_slice).unwrap_or_default();
        match value.kind() {
            ValueKind::Mapping(_) if !pushed.is_empty() => Err(Unclear::Impossible),
            ValueKind::Mapping(mapping) => {
                let mut object = BTreeMap::new();
                for entry in mapping.entries() {
                    let merge = entry.key().as_scalar().is_some_and(|scalar| scalar.is_merge_key());
                    let key = entry.key_text().filter(|_| !merge).ok_or(Unclear::Unread)?;
                    let within = entry.range().start;
                    if !self.removed.contains(&(start, within)) {
                        let key = self.renamed.get(&within).cloned().unwrap_or(key.into_owned());
                        add(&mut object, key, self.apply(entry.value())?)?;
                    }
                }
                for entry in inserted {
                    add(&mut object, entry.key.clone().into_owned(), of_new(&entry.value)?)?;
                }
                Ok(Json::Object(object))
            }
            ValueKind::Sequence(_) if !inserted.is_empty() => Err(Unclear::Impossible),
            ValueKind::Sequence(sequence) => {
                let kept =
                    sequence.items().filter(|item| !self.removed.contains(&(start, item.range().start)));
                let kept = kept.map(|item| self.apply(item.value()));
                kept.chain(pushed.iter().map(of_new)).collect::<Result<_, _>>().map(Json::Array)
            }
            ValueKind::Alias(_) => Err(Unclear::Unread),
            ValueKind::Absent | ValueKind::Scalar(_) => self.apply_to_leaf(value, inserted, pushed),
        }
    }

    fn apply_to_leaf(
        &self,
        value: Value<'t>,
        inserted: &[NewEntry<'t>],
        pushed: &[NewValue<'t>],
    ) -> Result<Json, Unclear> {
        let leaf = match value.kind() {
            ValueKind::Scalar(scalar) => to_json(&scalar.resolve().map_err(|_| Unclear::Unread)?),
            _ => to_json(&ResolvedScalar::Null),
        };
        match (inserted, pushed) {
            ([], []) => Ok(Json::Leaf(leaf)),
            _ if leaf != "null" => Err(Unclear::Impossible),
            (entries, []) => entries_of(entries),
            ([], items) => items.iter().map(of_new).collect::<Result<_, _>>().map(Json::Array),
            _ => Err(Unclear::Impossible),
        }
    }

    /// The places of the scalars that the changes do not affect.
    pub fn untouched(&self, value: Value<'t>, into: &mut Vec<TextRange>) {
        let start = value.range().start;
        if self.replaced.contains_key(&start) {
            return;
        }
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let kept = |entry: &Entry<'_>| !self.removed.contains(&(start, entry.range().start));
                for entry in mapping.entries().filter(kept) {
                    if !self.renamed.contains_key(&entry.range().start) {
                        into.push(entry.key_range());
                    }
                    self.untouched(entry.value(), into);
                }
            }
            ValueKind::Sequence(sequence) => {
                let kept = |item: &Item<'_>| !self.removed.contains(&(start, item.range().start));
                for item in sequence.items().filter(kept) {
                    self.untouched(item.value(), into);
                }
            }
            ValueKind::Scalar(_)
                if self.inserted.contains_key(&start) || self.pushed.contains_key(&start) => {}
            // White space at the end of a block scalar is not always part of it.
            ValueKind::Scalar(scalar) => {
                let token = scalar.token();
                into.push(TextRange::at(token.start, token.text.trim_end().len() as TextSize));
            }
            ValueKind::Alias(_) | ValueKind::Absent => {}
        }
    }
}

/// Adds an entry; fails if the key exists, because it is unclear which of two entries applies.
fn add(object: &mut BTreeMap<String, Json>, key: String, value: Json) -> Result<(), Unclear> {
    object.insert(key, value).is_none().then_some(()).ok_or(Unclear::Unread)
}

fn entries_of(entries: &[NewEntry<'_>]) -> Result<Json, Unclear> {
    let mut object = BTreeMap::new();
    for entry in entries {
        add(&mut object, entry.key.clone().into_owned(), of_new(&entry.value)?)?;
    }
    Ok(Json::Object(object))
}

fn of_new(new: &NewValue<'_>) -> Result<Json, Unclear> {
    match new {
        NewValue::Raw(raw) => Ok(Json::Leaf(raw.clone())),
        NewValue::Text(text) => Ok(Json::Leaf(to_json(&ResolvedScalar::String(text.into())))),
        NewValue::Mapping { entries, .. } => entries_of(entries),
        NewValue::Sequence { items, .. } => {
            items.iter().map(of_new).collect::<Result<_, _>>().map(Json::Array)
        }
        NewValue::Copy(value) => Plan::default().apply(*value),
    }
}
