//! The value that go-yaml decodes into `interface{}`: keys of mappings may be any comparable value.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use text::{TextRange, TextSize};

use super::{DecodeError, Duplicate, Json};
use crate::ast::{Document, Entry, Item, Mapping, Sequence, Value, ValueKind};
use crate::reader::Reader;
use crate::scalar::{self, ResolvedScalar, ScalarStyle};
use crate::tags::TagHandles;

/// Deeper nesting is rejected; only aliases of aliases reach it.
const MAX_DEPTH: usize = 600;

/// A decoded value and its byte range.
#[derive(Clone, Debug)]
pub(super) struct Tree<'t> {
    pub(super) range: TextRange,
    pub(super) content: Content<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum Content<'t> {
    Scalar(ResolvedScalar<'t>),
    Sequence(Vec<Tree<'t>>),
    Mapping(Members<'t>),
}

/// The members of a mapping, each key once, in the order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub(super) struct Members<'t> {
    list: Vec<Member<'t>>,
    by_key: HashMap<String, usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Member<'t> {
    pub(super) key: ResolvedScalar<'t>,
    pub(super) key_range: TextRange,
    pub(super) value: Tree<'t>,
}

/// Decodes values of one document.
pub(super) struct Decoder<'t> {
    reader: Reader<'t>,
    handles: TagHandles<'t>,
    /// The byte offset at which the server stops reading.
    end: TextSize,
    pub(super) duplicates: Vec<Duplicate>,
}

impl<'t> Decoder<'t> {
    pub(super) fn new(document: Document<'t>) -> Self {
        Self {
            reader: Reader::new(document),
            handles: TagHandles::of(document),
            end: document.end_for_server(),
            duplicates: Vec::new(),
        }
    }

    /// The entries of `mapping` that the server reads.
    pub(super) fn entries(
        &self,
        mapping: Mapping<'t>,
    ) -> impl DoubleEndedIterator<Item = Entry<'t>> + use<'t> {
        let end = self.end;
        mapping.entries().filter(move |entry| !entry.is_unreadable() && entry.range().start < end)
    }

    /// The items of `sequence` that the server reads.
    pub(super) fn items(
        &self,
        sequence: Sequence<'t>,
    ) -> impl DoubleEndedIterator<Item = Item<'t>> + use<'t> {
        let end = self.end;
        sequence.items().filter(move |item| item.range().start < end)
    }

    /// Decodes `value`. Aliases must have been checked before.
    pub(super) fn value(&mut self, value: Value<'t>, depth: usize) -> Result<Tree<'t>, DecodeError> {
        let range = value.range();
        if depth > MAX_DEPTH {
            return Err(DecodeError { range, message: "yaml: exceeded max depth".to_owned() });
        }
        let tag = self.tag(value)?;
        let content = match value.kind() {
            ValueKind::Absent => Content::Scalar(resolve(Cow::Borrowed(""), ScalarStyle::Plain, tag, range)?),
            ValueKind::Scalar(scalar) => Content::Scalar(resolve(scalar.text(), scalar.style(), tag, range)?),
            ValueKind::Alias(_) => {
                let Some(target) = self.reader.follow(value) else { return Ok(Tree::null(range)) };
                return self.value(target, depth + 1);
            }
            ValueKind::Sequence(sequence) => {
                let items = self.items(sequence).map(|item| self.value(item.value(), depth + 1));
                Content::Sequence(items.collect::<Result<_, _>>()?)
            }
            ValueKind::Mapping(mapping) => {
                let mut members = Members::default();
                self.members(mapping, &mut members, depth)?;
                Content::Mapping(members)
            }
        };
        Ok(Tree { range, content })
    }

    /// The tag of `value` with its handle resolved.
    pub(super) fn tag(&self, value: Value<'t>) -> Result<Option<String>, DecodeError> {
        let Some(tag) = value.tag() else { return Ok(None) };
        let undefined =
            || DecodeError { range: tag.range(), message: "yaml: found undefined tag handle".to_owned() };
        self.handles.resolve(tag.text).map(Some).ok_or_else(undefined)
    }

    /// Decodes the entries of `mapping` into `members` in order: a merge key overrides earlier entries, as
    /// any other entry does.
    fn members(
        &mut self,
        mapping: Mapping<'t>,
        members: &mut Members<'t>,
        depth: usize,
    ) -> Result<(), DecodeError> {
        for entry in self.entries(mapping) {
            if self.is_merge(entry)? {
                self.merge(entry.value(), members, depth)?;
                continue;
            }
            let key = self.key(entry, depth)?;
            let value = self.value(entry.value(), depth + 1)?;
            let value_start = start_with_properties(entry.value());
            let member = Member { key, key_range: entry.key_range(), value };
            let duplicate =
                Duplicate { key: scalar::go_syntax(&member.key), range: entry.key_range(), value_start };
            if members.set(member) {
                self.duplicates.push(duplicate);
            }
        }
        Ok(())
    }

    pub(super) fn is_merge(&self, entry: Entry<'t>) -> Result<bool, DecodeError> {
        let ValueKind::Scalar(key) = entry.key().kind() else { return Ok(false) };
        if !key.token().text.contains("<<") {
            return Ok(false);
        }
        let tag = self.tag(entry.key())?;
        Ok(scalar::is_merge_key(&key.text(), key.style(), tag.as_deref()))
    }

    fn key(&mut self, entry: Entry<'t>, depth: usize) -> Result<ResolvedScalar<'t>, DecodeError> {
        let key = entry.key();
        let key = self.reader.follow(key).unwrap_or(key);
        let range = entry.key_range();
        let tag = self.tag(key)?;
        let failed = |error: scalar::ResolveError| DecodeError { range, message: error.to_string() };
        match key.kind() {
            ValueKind::Scalar(scalar) => {
                scalar::resolve_key(scalar.text(), scalar.style(), tag.as_deref()).map_err(failed)
            }
            ValueKind::Absent | ValueKind::Alias(_) => {
                scalar::resolve_key(Cow::Borrowed(""), ScalarStyle::Plain, tag.as_deref()).map_err(failed)
            }
            ValueKind::Mapping(_) | ValueKind::Sequence(_) => {
                let tree = self.value(key, depth + 1)?;
                let message = format!("yaml: invalid map key: {}", tree.go_syntax());
                Err(DecodeError { range, message })
            }
        }
    }

    fn merge(
        &mut self,
        value: Value<'t>,
        members: &mut Members<'t>,
        depth: usize,
    ) -> Result<(), DecodeError> {
        if let Some(range) = self.wrong_merge(value) {
            return Err(DecodeError { range, message: WRONG_MERGE.to_owned() });
        }
        match self.reader.follow(value).map(Value::kind) {
            Some(ValueKind::Mapping(mapping)) => self.members(mapping, members, depth + 1),
            // In a list, the earlier mapping wins.
            Some(ValueKind::Sequence(sequence)) => {
                for item in sequence.items().rev() {
                    if let Some(mapping) = self.reader.follow(item.value()).and_then(Value::as_mapping) {
                        self.members(mapping, members, depth + 1)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The range of a merge key's value that is neither a mapping nor a list of mappings. An alias of a list
    /// is not accepted.
    pub(super) fn wrong_merge(&self, value: Value<'t>) -> Option<TextRange> {
        let is_mapping =
            |value: Value<'t>| self.reader.follow(value).is_some_and(|value| value.as_mapping().is_some());
        match value.kind() {
            ValueKind::Sequence(sequence) => {
                let mut items = sequence.items().rev().map(|item| item.value());
                items.find(|item| !is_mapping(*item)).map(Value::range)
            }
            _ => (!is_mapping(value)).then(|| value.range()),
        }
    }

    pub(super) fn follow(&self, value: Value<'t>) -> Option<Value<'t>> {
        self.reader.follow(value)
    }
}

/// The server's text if a merge key has any other value.
pub(super) const WRONG_MERGE: &str = "yaml: map merge requires map or sequence of maps as the value";

fn resolve<'t>(
    text: Cow<'t, str>,
    style: ScalarStyle,
    tag: Option<String>,
    range: TextRange,
) -> Result<ResolvedScalar<'t>, DecodeError> {
    // Infinities are rejected only where they are printed.
    scalar::resolve_key(text, style, tag.as_deref())
        .map_err(|error| DecodeError { range, message: error.to_string() })
}

/// The start of `value` with its anchor and tag.
fn start_with_properties(value: Value<'_>) -> TextSize {
    let properties = [value.anchor(), value.tag()].into_iter().flatten().map(|token| token.start);
    properties.min().unwrap_or(value.range().start)
}

impl<'t> Members<'t> {
    /// Sets a member and returns whether its key already existed.
    fn set(&mut self, member: Member<'t>) -> bool {
        let identity = identity(&member.key);
        if let Some(old) = self.by_key.get(&identity).and_then(|index| self.list.get_mut(*index)) {
            *old = member;
            return true;
        }
        self.by_key.insert(identity, self.list.len());
        self.list.push(member);
        false
    }
}

/// The identity of a key in Go: type and value. NaN never equals itself, but nobody writes it twice.
fn identity(key: &ResolvedScalar<'_>) -> String {
    let kind = match key {
        ResolvedScalar::Null => 'n',
        ResolvedScalar::Bool(_) => 'b',
        ResolvedScalar::Int(_) => 'i',
        ResolvedScalar::Uint(_) => 'u',
        ResolvedScalar::Float(_) => 'f',
        ResolvedScalar::String(text) => return format!("s{text}"),
    };
    format!("{kind}{}", scalar::go_syntax(key))
}

impl<'t> Tree<'t> {
    pub(super) fn null(range: TextRange) -> Self {
        Self { range, content: Content::Scalar(ResolvedScalar::Null) }
    }

    /// The value as JSON: keys first become strings, then all is printed, in two passes.
    pub(super) fn into_json(self) -> Result<Json, DecodeError> {
        let range = self.range;
        match self.content {
            Content::Scalar(resolved) => scalar_json(resolved, range),
            Content::Sequence(items) => {
                items.into_iter().map(Self::into_json).collect::<Result<_, _>>().map(Json::Array)
            }
            Content::Mapping(members) => {
                // Invalid keys are rejected before invalid values.
                let mut keys = Vec::with_capacity(members.list.len());
                for member in &members.list {
                    let key = scalar::key_text(&member.key).map_err(|error| DecodeError {
                        range: member.key_range,
                        message: error.message(&member.value.go_syntax()),
                    })?;
                    keys.push(key.into_owned());
                }
                let mut object = BTreeMap::new();
                for (key, Member { value, .. }) in keys.into_iter().zip(members.list) {
                    object.insert(key, value.into_json()?);
                }
                Ok(Json::Object(object))
            }
        }
    }

    /// The value as Go's `%#v` prints it.
    pub(super) fn go_syntax(&self) -> String {
        match &self.content {
            Content::Scalar(resolved) => scalar::go_syntax(resolved),
            Content::Sequence(items) => {
                let items: Vec<String> = items.iter().map(Self::go_member).collect();
                format!("[]interface {{}}{{{}}}", items.join(", "))
            }
            Content::Mapping(members) => {
                let mut members: Vec<String> = members
                    .list
                    .iter()
                    .map(|member| {
                        let key = match &member.key {
                            ResolvedScalar::Null => "interface {}(nil)".to_owned(),
                            key => scalar::go_syntax(key),
                        };
                        format!("{key}:{}", member.value.go_member())
                    })
                    .collect();
                members.sort();
                format!("map[interface {{}}]interface {{}}{{{}}}", members.join(", "))
            }
        }
    }

    fn go_member(&self) -> String {
        match &self.content {
            Content::Scalar(ResolvedScalar::Null) => "interface {}(nil)".to_owned(),
            _ => self.go_syntax(),
        }
    }
}

fn scalar_json(resolved: ResolvedScalar<'_>, range: TextRange) -> Result<Json, DecodeError> {
    Ok(match resolved {
        ResolvedScalar::Null => Json::Null,
        ResolvedScalar::Bool(value) => Json::Bool(value),
        ResolvedScalar::Int(value) => Json::Int(value),
        ResolvedScalar::Uint(value) => Json::Uint(value),
        ResolvedScalar::Float(value) if !value.is_finite() => {
            let value = scalar::go_syntax(&ResolvedScalar::Float(value));
            return Err(DecodeError { range, message: format!("json: unsupported value: {value}") });
        }
        ResolvedScalar::Float(value) => Json::Float(value),
        ResolvedScalar::String(text) => Json::String(text.into_owned()),
    })
}
