//! Lints of lists of objects: how server-side apply merges them, and whether a map would be better.

use super::super::outcome::Builder;
use super::lint;
use crate::options::{OptionalLint, OptionalLints};
use crate::schema::{Keyword, Schema};

/// Property names that usually identify the items of a list.
const KEYS: [&str; 4] = ["name", "type", "key", "id"];

/// Checks `schema`, whose type is `ty`.
pub(super) fn check(schema: &Schema<'_, '_>, ty: Option<&str>, wanted: OptionalLints, out: &mut Builder) {
    if ty != Some("array") {
        return;
    }
    let Some(items) = schema.schema(Keyword::Items).filter(is_object) else { return };
    let place = out.at_or_owner(schema.key_range(Keyword::Type));
    if wanted.contains(OptionalLint::ListType) && schema.get(Keyword::ListType).is_none() {
        let advice = match key_of(&items) {
            Some(key) => format!(
                "set `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys: [{key}]`, or set `atomic`"
            ),
            None => {
                "set `x-kubernetes-list-type: map` with the keys of the items, or set `atomic`".to_owned()
            }
        };
        let words = "server-side apply replaces this list as a whole".to_owned();
        out.push(lint(OptionalLint::ListType.code(), place, Keyword::Type, words).advise(advice));
    }
    if wanted.contains(OptionalLint::ListMap)
        && let Some(key) = only_key(schema, &items)
    {
        let place = out.at_or_owner(schema.key_range(Keyword::ListMapKeys));
        let words = format!("each item is a key `{key}` with one value, like a map entry");
        let advice = "use `additionalProperties`, so that rules can look up a value by its key";
        let code = OptionalLint::ListMap.code();
        out.push(lint(code, place, Keyword::ListMapKeys, words).advise(advice));
    }
}

fn is_object(items: &Schema<'_, '_>) -> bool {
    items.type_name().is("object")
}

/// A required property that usually identifies the items.
fn key_of(items: &Schema<'_, '_>) -> Option<&'static str> {
    let required: Vec<_> = items
        .items(Keyword::Required)
        .filter_map(|item| items.reader().follow(item.value())?.as_scalar()?.as_str())
        .collect();
    KEYS.into_iter().find(|key| required.iter().any(|name| name == key))
}

/// The key of a list map whose items have exactly one other property.
fn only_key<'t>(schema: &Schema<'_, 't>, items: &Schema<'_, 't>) -> Option<String> {
    let is_map = schema.string(Keyword::ListType).is_some_and(|ty| ty == "map");
    let properties = items.members(Keyword::Properties);
    if !is_map || properties.entries.len() != 2 || items.is_true(Keyword::PreserveUnknownFields) {
        return None;
    }
    let mut keys = schema.items(Keyword::ListMapKeys);
    let key = schema.reader().follow(keys.next()?.value())?.as_scalar()?.as_str()?;
    (keys.next().is_none() && properties.get(&key).is_some()).then(|| key.into_owned())
}
