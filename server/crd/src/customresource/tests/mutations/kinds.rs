//! Kinds of mistakes, and the functions that plant them in a resource.

use serde_json::{Value, json};

use super::edits::Random;
use super::generate::{generated, properties_below};

/// Plants a mistake in a resource with this schema; `None` if the resource has no place for it.
type Insertion = fn(&mut Value, &Value, &mut Random) -> Option<()>;

/// The name of each kind, and its function.
pub(super) const KINDS: &[(&str, Insertion)] = &[
    ("member removed", |of, _, random| {
        let (holder, key) = a_member(of, random)?;
        of.pointer_mut(&holder)?.as_object_mut()?.remove(&key).map(|_| ())
    }),
    ("member renamed", |of, _, random| {
        let (holder, key) = a_member(of, random)?;
        let holder = of.pointer_mut(&holder)?.as_object_mut()?;
        let value = holder.remove(&key)?;
        holder.insert(format!("{key}x"), value).map_or(Some(()), |_| None)
    }),
    ("key in another case", |of, _, random| {
        let (holder, key) = a_member(of, random)?;
        let holder = of.pointer_mut(&holder)?.as_object_mut()?;
        let value = holder.remove(&key)?;
        holder.insert(key.to_uppercase(), value);
        Some(())
    }),
    ("unknown member", |of, _, random| {
        let at = a_place(of, random, Value::is_object)?;
        set(of, &at, "bogus", json!({"a": [1]}))
    }),
    ("odd key", |of, _, random| {
        let at = a_place(of, random, Value::is_object)?;
        set(of, &at, "a b/c.d[0]", json!("x"))
    }),
    ("text for anything", |of, _, random| put(of, random, |_| true, json!("text"))),
    ("number for anything", |of, _, random| put(of, random, |_| true, json!(7))),
    ("bool for anything", |of, _, random| put(of, random, |_| true, json!(true))),
    ("null for anything", |of, _, random| put(of, random, |_| true, Value::Null)),
    ("list for anything", |of, _, random| put(of, random, |_| true, json!([1, "a", null, {"b": 2.5}]))),
    ("object for anything", |of, _, random| put(of, random, |_| true, json!({"a": {"b": null}}))),
    ("fraction", |of, _, random| put(of, random, Value::is_number, json!(1.5))),
    ("negative number", |of, _, random| put(of, random, Value::is_number, json!(-1))),
    ("zero", |of, _, random| put(of, random, Value::is_number, json!(0))),
    ("number beyond 32 bits", |of, _, random| put(of, random, Value::is_number, json!(2_147_483_648_u64))),
    ("number beyond 64 bits", |of, _, random| put(of, random, Value::is_number, json!(1e19))),
    ("number as text", |of, _, random| {
        let at = a_place(of, random, Value::is_number)?;
        let place = of.pointer_mut(&at)?;
        *place = json!(place.to_string());
        Some(())
    }),
    ("empty text", |of, _, random| put(of, random, Value::is_string, json!(""))),
    ("long text", |of, _, random| put(of, random, Value::is_string, json!("abc-".repeat(90)))),
    ("text with odd characters", |of, _, random| put(of, random, Value::is_string, json!("É \"x\"\n\\😀"))),
    ("text in capitals", |of, _, random| change(of, random, |text| text.to_uppercase())),
    ("text with more", |of, _, random| change(of, random, |text| format!("{text}-x"))),
    ("text with slash", |of, _, random| change(of, random, |text| format!("/{text}//"))),
    ("text of another place", |of, _, random| {
        let from = a_place(of, random, Value::is_string)?;
        let text = of.pointer(&from)?.clone();
        put(of, random, Value::is_string, text)
    }),
    ("empty list", |of, _, random| put(of, random, Value::is_array, json!([]))),
    ("item twice", |of, _, random| {
        let items = a_list(of, random)?;
        items.push(items.first()?.clone());
        Some(())
    }),
    ("item removed", |of, _, random| {
        let items = a_list(of, random)?;
        let index = random.below(items.len());
        items.remove(index);
        Some(())
    }),
    ("item is null", |of, _, random| {
        a_list(of, random)?.push(Value::Null);
        Some(())
    }),
    ("many items", |of, _, random| {
        let items = a_list(of, random)?;
        let first = items.first()?.clone();
        items.extend(std::iter::repeat_n(first, 70));
        Some(())
    }),
    ("items in another order", |of, _, random| {
        let items = a_list(of, random)?;
        (items.len() > 1).then(|| items.reverse())
    }),
    ("empty object", |of, _, random| put(of, random, Value::is_object, json!({}))),
    ("part of another place", |of, _, random| {
        let from = a_place(of, random, |_| true)?;
        let value = of.pointer(&from)?.clone();
        put(of, random, |_| true, value)
    }),
    ("bad label", |of, _, _| set(of, "/metadata", "labels", json!({"a b": "c d", "ok": "ok"}))),
    ("label is a number", |of, _, _| set(of, "/metadata", "labels", json!({"a": 1}))),
    ("bad annotation", |of, _, _| set(of, "/metadata", "annotations", json!({"a/b/c": ""}))),
    ("name in capitals", |of, _, _| set(of, "/metadata", "name", json!("Name_X"))),
    ("no name", |of, _, _| of.pointer_mut("/metadata")?.as_object_mut()?.remove("name").map(|_| ())),
    ("generated name", |of, _, _| set(of, "/metadata", "generateName", json!("a.b-"))),
    ("bad namespace", |of, _, _| set(of, "/metadata", "namespace", json!("a.b"))),
    ("finalizers", |of, _, _| set(of, "/metadata", "finalizers", json!(["foo", "a/b", "a b", "c.d"]))),
    ("plain finalizer", |of, _, _| set(of, "/metadata", "finalizers", json!(["foo", "c.d"]))),
    ("bad owner", |of, _, _| {
        set(of, "/metadata", "ownerReferences", json!([{"apiVersion": "a/b/c", "kind": "X"}]))
    }),
    ("unknown metadata", |of, _, _| set(of, "/metadata", "bogus", json!(1))),
    ("status", |of, schema, random| {
        let status = generated(&schema["properties"]["status"], random, 4);
        set(of, "", "status", status)
    }),
    ("property of the schema", |of, schema, random| {
        let all = properties_below(of, schema);
        let (holder, key, schema) = all.get(random.below(all.len().max(1)))?;
        let value = generated(schema, random, 3);
        set(of, holder, key, value)
    }),
    ("several properties of the schema", |of, schema, random| {
        for _ in 0..4 {
            let all = properties_below(of, schema);
            let Some((holder, key, schema)) = all.get(random.below(all.len().max(1))) else { continue };
            let value = generated(schema, random, 2);
            set(of, holder, key, value);
        }
        Some(())
    }),
    ("spec by the schema", |of, schema, random| {
        let spec = schema["properties"].get("spec")?;
        let value = generated(spec, random, 6);
        set(of, "", "spec", value)
    }),
];

/// The places of all values that `wanted` accepts, except the type and the name of the resource.
fn places(of: &Value, wanted: fn(&Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), of)];
    while let Some((at, value)) = pending.pop() {
        let is_kept = ["", "/apiVersion", "/kind", "/metadata", "/metadata/name"].contains(&&*at);
        if !is_kept && wanted(value) {
            found.push(at.clone());
        }
        match value {
            Value::Object(map) => pending.extend(map.iter().map(|(key, value)| (below(&at, key), value))),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                pending.extend(items.map(|(index, item)| (format!("{at}/{index}"), item)));
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// A JSON pointer to a member.
pub(super) fn below(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn a_place(of: &Value, random: &mut Random, wanted: fn(&Value) -> bool) -> Option<String> {
    let places = places(of, wanted);
    places.get(random.below(places.len().max(1))).cloned()
}

fn a_member(of: &Value, random: &mut Random) -> Option<(String, String)> {
    let holder = a_place(of, random, |value| value.as_object().is_some_and(|map| !map.is_empty()))?;
    let keys: Vec<&String> = of.pointer(&holder)?.as_object()?.keys().collect();
    let key = keys.get(random.below(keys.len()))?.to_string();
    Some((holder, key))
}

fn a_list<'v>(of: &'v mut Value, random: &mut Random) -> Option<&'v mut Vec<Value>> {
    let at = a_place(of, random, |value| value.as_array().is_some_and(|items| !items.is_empty()))?;
    of.pointer_mut(&at)?.as_array_mut()
}

fn put(of: &mut Value, random: &mut Random, wanted: fn(&Value) -> bool, value: Value) -> Option<()> {
    let at = a_place(of, random, wanted)?;
    *of.pointer_mut(&at)? = value;
    Some(())
}

fn change(of: &mut Value, random: &mut Random, how: fn(&str) -> String) -> Option<()> {
    let at = a_place(of, random, Value::is_string)?;
    let place = of.pointer_mut(&at)?;
    *place = json!(how(place.as_str()?));
    Some(())
}

fn set(of: &mut Value, holder: &str, key: &str, value: Value) -> Option<()> {
    of.pointer_mut(holder)?.as_object_mut()?.insert(key.to_owned(), value);
    Some(())
}
