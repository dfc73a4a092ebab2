//! The walk in the order of Go's decoder: sorted by key, because the YAML is first converted to JSON.

use std::borrow::Cow;

use api::{FieldType, JSON_SCHEMA_PROPS, KubernetesVersion, ObjectType};
use text::TextRange;
use yaml::scalar::{ResolvedScalar, go_quote, to_json};
use yaml::{Entry, Mapping, Reader, Scalar, Value, ValueKind};

use super::go_types;
use super::misfit_messages::{self, Owner};
use super::unknown::{self, Holder};
use crate::cache::Cache;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::object::CustomResourceDefinition;
use crate::reading::Budget;
use crate::reading::is_byte;
use crate::reading::item_range;
use crate::reading::{is_null, members};
use crate::report::ApiVersion;
use crate::schema::Flags;
use crate::schema::decode::{Misfit, misfit};

/// The maximum number of problems that are listed.
const MOST: usize = 1_000;

static SCHEMA: FieldType = FieldType::Object(&JSON_SCHEMA_PROPS);
static STRING: FieldType = FieldType::String;

/// A problem at one place.
pub(super) struct Problem {
    pub(super) range: TextRange,
    /// The path as the user wrote it.
    pub(super) path: FieldPath,
    pub(super) kind: ProblemKind,
}

pub(super) enum ProblemKind {
    /// The decoder rejects the value.
    WrongType { text: String, message: Message },
    /// The type has no such field. `noticed` says whether strict decoding reports the field.
    UnknownField { text: String, noticed: bool, message: Message },
    /// The server drops the field, because its feature gate is off.
    Dropped { field: &'static str, kept_since: u8 },
}

/// All problems, in the server's order.
pub(crate) struct DecodingProblems {
    pub(super) problems: Vec<Problem>,
    /// The index of the wrong type that the server reports.
    pub(super) reported_index: Option<usize>,
}

/// The problems of types and fields in `definition`. Schemas that are known to have none are skipped.
pub(crate) fn find<'t>(
    definition: &CustomResourceDefinition<'_, 't>,
    reader: &Reader<'t>,
    cache: &Cache,
    budget: &mut Budget,
    server: KubernetesVersion,
) -> DecodingProblems {
    let mut walk = DecodingWalk {
        reader,
        cache,
        budget,
        version: definition.api_version(),
        server,
        problems: Vec::new(),
        prefix: definition.path().len(),
        path: definition.path().clone(),
        context: Context::default(),
        level: Level::default(),
        holders: Vec::new(),
        nested: 0,
    };
    let ty = FieldType::Object(definition.object_type());
    walk.value(definition.value(), ty, None, definition.value().range());
    DecodingProblems { reported_index: walk.level.error(), problems: walk.problems }
}

/// The errors of one decoder; schemas in `items` and similar fields have a separate decoder.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The first error that stops the decoder.
    fatal: Option<usize>,
    /// The first error that it keeps while it continues.
    saved: Option<usize>,
}

impl Level {
    fn error(self) -> Option<usize> {
        self.fatal.or(self.saved)
    }
}

/// The place in Go's error.
#[derive(Clone, Default)]
struct Context {
    /// The struct that has the field; in nested decoders, that of the outermost one.
    object: Option<&'static str>,
    /// The fields on the path, without indices and keys of maps.
    fields: Vec<&'static str>,
}

struct DecodingWalk<'c, 't> {
    /// The objects around the current value.
    holders: Vec<Holder<'t>>,
    reader: &'c Reader<'t>,
    cache: &'c Cache,
    budget: &'c mut Budget,
    version: ApiVersion,
    server: KubernetesVersion,
    problems: Vec<Problem>,
    /// The number of steps to the definition.
    prefix: usize,
    path: FieldPath,
    context: Context,
    level: Level,
    /// The number of nested decoders.
    nested: u32,
}

impl<'t> DecodingWalk<'_, 't> {
    /// Decodes `value` as `ty`. `owner` is the field of that type; `key` is the range of its key or item.
    fn value(&mut self, value: Value<'t>, ty: FieldType, owner: Owner, key: TextRange) {
        let Some(value) = self.reader.follow(value) else { return };
        let is_known = value.node().is_some_and(|node| {
            let flags = self.cache.flags(node.node());
            flags.is_some_and(|flags| {
                !flags.contains(Flags::UNDECODABLE) && !flags.contains(Flags::UNKNOWN_FIELDS)
            })
        });
        if is_null(value) || is_known || self.problems.len() >= MOST || !self.budget.enter() {
            return;
        }
        match (ty, value.kind()) {
            (FieldType::Json, _) => {}
            (FieldType::Object(object), ValueKind::Mapping(mapping)) => self.object(mapping, object),
            (FieldType::Map(member), ValueKind::Mapping(mapping)) => self.map(mapping, *member),
            (FieldType::List(item), ValueKind::Sequence(_)) => self.list(value, *item),
            (
                FieldType::SchemaOrBool | FieldType::SchemaOrArray | FieldType::SchemaOrStringArray,
                ValueKind::Mapping(mapping),
            ) => self.decode_nested(|walk| walk.object(mapping, &JSON_SCHEMA_PROPS)),
            (FieldType::SchemaOrArray, ValueKind::Sequence(_)) => {
                self.decode_nested(|walk| walk.list(value, SCHEMA));
            }
            (FieldType::SchemaOrStringArray, ValueKind::Sequence(_)) => {
                self.decode_nested(|walk| walk.list(value, STRING));
            }
            (FieldType::Bytes, ValueKind::Sequence(_)) => self.bytes(value),
            // Other values are decoded to nothing.
            (FieldType::SchemaOrArray | FieldType::SchemaOrStringArray, _) => {}
            (_, ValueKind::Scalar(scalar)) => {
                self.scalar(scalar, Place { ty, owner, value, range: value.range() })
            }
            (FieldType::SchemaOrBool, _) => {
                self.stop(
                    "boolean or JSON schema expected".to_owned(),
                    Place { ty, owner, value, range: key },
                );
            }
            (_, kind) => self.wrong(json_kind(kind), Place { ty, owner, value, range: key }),
        }
        self.budget.leave();
    }

    fn object(&mut self, mapping: Mapping<'t>, object: &'static ObjectType) {
        self.holders.push(Holder { mapping, object, depth: self.path.len() });
        for (key, entry) in self.sorted(mapping) {
            let Some(field) = object.field(&key).filter(|field| field.is_known_to(self.server)) else {
                self.unknown(&key, entry);
                continue;
            };
            let outer = self.context.object;
            if self.nested == 0 {
                self.context.object = Some(object.name);
            }
            self.context.fields.push(field.name);
            self.path.push(Segment::Name(Cow::Borrowed(field.name)));
            if let Some(kept_since) = field.dropped_until(self.server) {
                let kind = ProblemKind::Dropped { field: field.name, kept_since };
                self.problems.push(Problem { range: entry.key_range(), path: self.path.clone(), kind });
            }
            self.value(entry.value(), field.ty, Some((object.name, field.name)), entry.key_range());
            self.path.pop();
            self.context.fields.pop();
            self.context.object = outer;
        }
        self.holders.pop();
    }

    fn map(&mut self, mapping: Mapping<'t>, member: FieldType) {
        for (key, entry) in self.sorted(mapping) {
            self.path.push(Segment::Key(key.as_ref().into()));
            self.value(entry.value(), member, None, entry.key_range());
            self.path.pop();
        }
    }

    fn list(&mut self, value: Value<'t>, item: FieldType) {
        let Some(sequence) = value.as_sequence() else { return };
        for (index, element) in sequence.items().enumerate() {
            self.path.push(Segment::Index(index));
            self.value(element.value(), item, None, item_range(element));
            self.path.pop();
        }
    }

    /// Go accepts a list of numbers in place of base64.
    fn bytes(&mut self, value: Value<'t>) {
        for (index, item) in value.as_sequence().into_iter().flat_map(yaml::Sequence::items).enumerate() {
            let Some(value) = self.reader.follow(item.value()) else { continue };
            if is_null(value) || is_byte(value) {
                continue;
            }
            let kind = match value.as_scalar().map(Scalar::resolve) {
                Some(Ok(ResolvedScalar::String(_))) => Cow::Borrowed("string"),
                Some(Ok(ResolvedScalar::Bool(_))) => Cow::Borrowed("bool"),
                Some(Ok(number)) => Cow::Owned(format!("number {}", to_json(&number))),
                _ => Cow::Borrowed(json_kind(value.kind())),
            };
            let text = self.text(&kind, "uint8");
            self.path.push(Segment::Index(index));
            self.save(text, Place { ty: FieldType::Bytes, owner: None, value, range: item_range(item) });
            self.path.pop();
        }
    }

    fn sorted(&mut self, mapping: Mapping<'t>) -> Vec<(Cow<'t, str>, Entry<'t>)> {
        let mut entries = members(mapping, self.reader).entries;
        self.budget.spend(entries.len());
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        entries
    }

    /// Decodes with a nested decoder, whose error stops the outer one.
    fn decode_nested(&mut self, decode: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.level);
        self.nested += 1;
        decode(self);
        self.nested -= 1;
        let error = self.level.error();
        self.level = Level { fatal: outer.fatal.or(error), ..outer };
    }

    fn scalar(&mut self, scalar: Scalar<'t>, place: Place<'t>) {
        let ty = place.ty;
        if (matches!(ty, FieldType::String) && scalar.is_string()) || scalar.is_broken() {
            return;
        }
        let Ok(resolved) = scalar.resolve() else { return };
        let kind = match &resolved {
            ResolvedScalar::Null => "null",
            ResolvedScalar::String(_) => "string",
            ResolvedScalar::Bool(_) => "bool",
            ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_) => "number",
        };
        match misfit(&resolved, ty) {
            None => {}
            Some(Misfit::Kind) if matches!(ty, FieldType::SchemaOrBool) => {
                self.stop("boolean or JSON schema expected".to_owned(), place);
            }
            Some(Misfit::Kind) if matches!(ty, FieldType::Time) => {
                self.stop(format!("json: cannot unmarshal {kind} into Go value of type string"), place);
            }
            Some(Misfit::Kind) => self.wrong(kind, place),
            Some(Misfit::Number) => {
                self.wrong(&format!("number {}", to_json(&resolved)), place);
            }
            Some(Misfit::Time(words)) => self.stop(words, place),
            Some(Misfit::Base64(words)) => self.save(words, place),
        }
    }

    /// Reports a value of JSON type `kind` where another type is expected.
    fn wrong(&mut self, kind: &str, place: Place<'t>) {
        let package = go_types::package(self.version);
        let go = match place.owner {
            Some((object, field)) => go_types::of_field(object, field, place.ty, package),
            None => go_types::go_type(place.ty, package),
        };
        self.save(self.text(kind, &go), place);
    }

    /// Go's error for a value of JSON type `kind` where the Go type `go` is expected.
    fn text(&self, kind: &str, go: &str) -> String {
        match self.context.object {
            Some(object) => {
                let fields = self.context.fields.join(".");
                format!("json: cannot unmarshal {kind} into Go struct field {object}.{fields} of type {go}")
            }
            None => format!("json: cannot unmarshal {kind} into Go value of type {go}"),
        }
    }

    fn save(&mut self, text: String, place: Place<'t>) {
        self.level.saved = self.level.saved.or(Some(self.problems.len()));
        self.push(text, place);
    }

    fn stop(&mut self, text: String, place: Place<'t>) {
        self.level.fatal = self.level.fatal.or(Some(self.problems.len()));
        self.push(text, place);
    }

    fn push(&mut self, text: String, Place { ty, owner, value, range }: Place<'t>) {
        let mut message =
            misfit_messages::message(&self.path.ending(), (ty, owner), value, &text, self.reader);
        let is_root = matches!(
            self.path.segments(),
            [.., Segment::Name(root), Segment::Name(ty)] if root == "openAPIV3Schema" && ty == "type"
        );
        // The root is always an object; even `nullable` is not allowed there.
        if is_root && matches!(value.kind(), ValueKind::Sequence(_)) {
            message = message.advise("use `type: object`, the only type of a root");
        }
        self.problems.push(Problem {
            range,
            path: self.path.clone(),
            kind: ProblemKind::WrongType { text, message },
        });
    }

    fn unknown(&mut self, key: &str, entry: Entry<'t>) {
        // A key that is still being typed has no colon: the syntax error is sufficient.
        if self.problems.len() >= MOST || entry.colon().is_none() && !entry.is_flow() {
            return;
        }
        let noticed = self.nested == 0;
        let position = (&self.path, self.prefix);
        let message = unknown::message(key, &self.holders, position, noticed, self.version, self.reader);
        let path = self.path.child(key.to_owned());
        let text = format!("unknown field {}", go_quote(&dotted(path.segments().get(self.prefix..))));
        let kind = ProblemKind::UnknownField { text, noticed, message };
        self.problems.push(Problem { range: entry.key_range(), path, kind });
    }
}

/// A value, and its expected type.
#[derive(Clone, Copy)]
struct Place<'t> {
    ty: FieldType,
    owner: Owner,
    value: Value<'t>,
    /// The range of the finding.
    range: TextRange,
}

/// A path as strict errors print it: keys of maps also follow a dot.
fn dotted(segments: Option<&[Segment]>) -> String {
    let mut text = String::new();
    for segment in segments.unwrap_or_default() {
        match segment {
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
            Segment::Name(_) | Segment::Key(_) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(segment.key().unwrap_or_default());
            }
        }
    }
    text
}

fn json_kind(kind: ValueKind<'_>) -> &'static str {
    match kind {
        ValueKind::Mapping(_) => "object",
        ValueKind::Sequence(_) => "array",
        ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => "string",
    }
}
