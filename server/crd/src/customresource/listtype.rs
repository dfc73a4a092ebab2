//! Lists that are sets or maps (`pkg/apiserver/schema/listtype`): items and keys must be unique.

use rustc_hash::FxHashMap;

use super::error::{Facts, Rule, ValueError, error_text, field_of};
use super::failed_rule::scalar;
use super::objectmeta::member_schema;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::printed::shortened;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::Structural;
use crate::value::{Kind, Map, Member, Place, Value};

/// The server's errors for the sets and maps in `value`. `base` is the start of `schema`, in bytes of the definition.
#[must_use]
pub fn validate_list_types(
    value: &Value,
    schema: &Structural,
    base: text::TextSize,
    prefix: &FieldPath,
) -> Vec<ValueError> {
    let mut walk = ListTypeWalk { prefix, path: FieldPath::root(), errors: Vec::new() };
    walk.value(value, schema, base);
    walk.errors
}

struct ListTypeWalk<'p> {
    prefix: &'p FieldPath,
    path: FieldPath,
    errors: Vec<ValueError>,
}

impl ListTypeWalk<'_> {
    fn value(&mut self, value: &Value, schema: &Structural, base: text::TextSize) {
        match &value.kind {
            Kind::Map(map) => {
                for (key, member) in map {
                    if let (Some(child), segment) = member_schema(schema, key) {
                        self.below(segment, &member.value, &child.node, child.base(base));
                    }
                }
            }
            Kind::List(items) => {
                let rule = schema.places.place_of(Keyword::ListType, base);
                let rule = rule.map(|place| Rule { keyword: Keyword::ListType, range: place.key });
                match schema.extensions.list_type.as_deref() {
                    Some("set") => {
                        self.duplicates(items, items.iter().cloned().map(Some).collect(), rule, None);
                    }
                    Some("map") => self.map(items, &schema.extensions.list_map_keys, rule),
                    _ => {}
                }
                let Some(child) = &schema.items else { return };
                for (index, item) in items.iter().enumerate() {
                    self.below(Segment::Index(index), item, &child.node, child.base(base));
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, segment: Segment, value: &Value, schema: &Structural, base: text::TextSize) {
        self.path.push(segment);
        self.value(value, schema, base);
        self.path.pop();
    }

    fn map(&mut self, items: &[Value], keys: &[Box<str>], rule: Option<Rule>) {
        let other = items.iter().position(|item| !matches!(item.kind, Kind::Map(_) | Kind::Null));
        if let Some(index) = other {
            let detail = "must be an object for an array of list-type map";
            let item = items.get(index);
            let facts = self.no_object(index, keys);
            self.add(index, (item, item), (ErrorType::Invalid, detail), rule, facts);
            return;
        }
        let tuple = |item: &Value| {
            let mut tuple = Map::new();
            for key in keys {
                if let Some(value) = item.get(key) {
                    tuple.insert(key.clone(), Member { key: Place::Nowhere, value: value.clone() });
                }
            }
            Some(Value { place: item.place, kind: Kind::Map(tuple) })
        };
        self.duplicates(items, items.iter().map(tuple).collect(), rule, Some(keys));
    }

    /// The message for an item of a map that is not an object.
    fn no_object(&self, index: usize, keys: &[Box<str>]) -> Option<Facts> {
        let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let noun = if names.len() == 1 { "the key" } else { "the keys" };
        let (item, list) = (self.path.index(index).ending(), self.path.ending());
        Facts::message(
            Message::new(format!(
                "{item} is not an object, but items of {list} are identified by {}",
                names.join(", ")
            ))
            .advise(format!("write an object with {noun} {}", names.join(", "))),
        )
    }

    /// Reports the second of several equal values, not the third. For a map, `keys` are the names of the keys
    /// in the values.
    fn duplicates(
        &mut self,
        items: &[Value],
        values: Vec<Option<Value>>,
        rule: Option<Rule>,
        keys: Option<&[Box<str>]>,
    ) {
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        for (index, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let times = seen.entry(identity(value)).or_default();
            *times += 1;
            if *times == 2 {
                let facts = keys.and_then(|keys| Facts::message(same_keys(value, keys)));
                self.add(index, (items.get(index), Some(value)), (ErrorType::Duplicate, ""), rule, facts);
            }
        }
    }

    fn add(
        &mut self,
        index: usize,
        (item, shows): (Option<&Value>, Option<&Value>),
        (error, detail): (ErrorType, &str),
        rule: Option<Rule>,
        facts: Option<Facts>,
    ) {
        let path = self.path.index(index);
        self.errors.push(ValueError {
            error,
            field: field_of(self.prefix, &path),
            path,
            bad_value: shows.map(error_text),
            detail: detail.to_owned(),
            place: item.map(|item| item.place).unwrap_or_default(),
            rule,
            facts,
        });
    }
}

/// The message for two items of a map that have the keys in `tuple`.
fn same_keys(tuple: &Value, keys: &[Box<str>]) -> Message {
    let written: Vec<(&str, &Value)> =
        keys.iter().filter_map(|key| Some((&**key, tuple.get(key)?))).collect();
    if written.is_empty() {
        let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let (missing, names) = (names.join(" and no "), names.join(" and "));
        return Message::new(format!("two items have no {missing}, by which they are identified"))
            .advise(format!("add a different {names} to each item"));
    }
    let shown = |(key, value): &(&str, &Value)| {
        let value = scalar(value).unwrap_or_else(|| value.in_error());
        format!("{key}: {}", shortened(value))
    };
    let pairs: Vec<String> = written.iter().map(shown).collect();
    let is_default = |(_, value): &(&str, &Value)| matches!(value.place, Place::Definition(_));
    let defaults = if written.iter().any(is_default) { " (with defaults)" } else { "" };
    let (noun, remedy) = match keys.len() {
        1 => ("the same key", "remove this item, or change its key"),
        _ => ("the same keys", "remove this item, or change one of its keys"),
    };
    Message::new(format!("another item has {noun} `{}`{defaults}", pairs.join(", "))).advise(remedy)
}

/// A text that is equal for equal values; integers and floats differ because they have different types in Go.
fn identity(value: &Value) -> String {
    match &value.kind {
        Kind::Float(_) => format!("f{}", value.to_json()),
        _ => value.to_json().to_string(),
    }
}
