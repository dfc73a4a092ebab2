//! Values that a keyword rejects.

use crd::generate::Hints;
use crd::schema::Keyword;
use crd::schema::structural::{Structural, StructuralOrBool};
use crd::value::{Kind, Member, Place, Value};

/// The maximum length of a generated list or text.
const LONGEST: usize = 100_000;

/// The maximum number of keys from a rule that are tried in a map.
const MOST_KEYS: usize = 12;
/// The maximum number of values that are tried for one field.
const MOST_OF_FIELD: usize = 3;

/// Texts that patterns and formats may reject.
const TEXTS: [&str; 10] = ["", "!", " ", "A", "0", "-", "a b", "UPPER lower", "://", "\u{e9}"];

/// Values that violate `keyword`, close to its bound if it has one.
pub(super) fn violating(
    keyword: Keyword,
    schema: &Structural,
    present: Option<&Value>,
    generated: &[Value],
) -> Vec<Value> {
    let of = &schema.value_validation;
    let is_whole = &*schema.generic.type_name == "integer";
    let number = |bound: Option<f64>, step: f64| {
        let Some(bound) = bound else { return Vec::new() };
        let fine = if is_whole { step } else { step / 2.0 };
        [bound + fine, bound + step, bound].map(of_number).to_vec()
    };
    match keyword {
        Keyword::Maximum => number(of.maximum, 1.0),
        Keyword::Minimum => number(of.minimum, -1.0),
        Keyword::MultipleOf => number(of.multiple_of, 1.0),
        Keyword::MaxLength => of.max_length.map(|most| long(most, present, generated)).unwrap_or_default(),
        Keyword::MinLength => {
            of.min_length.map(|least| shortened_texts(least, present, generated)).unwrap_or_default()
        }
        Keyword::Format if &*schema.generic.type_name == "integer" => {
            let outside = i64::from(i32::MAX) + 1;
            [outside, -outside - 1].map(|number| Value::made(Kind::Int(number))).to_vec()
        }
        Keyword::Format if &*schema.generic.type_name == "number" => {
            [1e300, -1e300].map(|number| Value::made(Kind::Float(number))).to_vec()
        }
        Keyword::Pattern | Keyword::Format => TEXTS.map(Value::text).to_vec(),
        Keyword::Enum => [Value::text("other"), Value::made(Kind::Int(-12_345)), Value::text("")].to_vec(),
        Keyword::MaxItems => {
            of.max_items.map(|most| lengthened_lists(most, present, generated)).unwrap_or_default()
        }
        Keyword::MinItems => of.min_items.map(|least| shortened_lists(least, present)).unwrap_or_default(),
        Keyword::UniqueItems | Keyword::ListType => {
            present.into_iter().chain(generated).filter_map(doubled).take(3).collect()
        }
        Keyword::MaxProperties => of.max_properties.map(|most| wide(most, generated)).unwrap_or_default(),
        Keyword::MinProperties => vec![Value::made(Kind::Map(Default::default()))],
        _ => Vec::new(),
    }
}

fn of_number(number: f64) -> Value {
    let whole = number as i64;
    Value::made(if whole as f64 == number { Kind::Int(whole) } else { Kind::Float(number) })
}

/// Values that a rule may distinguish: empty ones, lists with a duplicate item, maps with a key that the rule
/// names, and the present object with a change of one field that the rule reads. `generate` creates values of
/// a schema.
pub(super) fn for_rule(
    schema: &Structural,
    hints: &Hints,
    present: Option<&Value>,
    generated: &[Value],
    generate: &dyn Fn(&Structural) -> Vec<Value>,
) -> Vec<Value> {
    let mut all = Vec::new();
    match &*schema.generic.type_name {
        "array" => {
            all.push(Value::made(Kind::List(Vec::new())));
            all.extend(present.into_iter().chain(generated).filter_map(doubled).take(3));
        }
        "string" => all.push(Value::text("")),
        _ => {}
    }
    if let Some(StructuralOrBool::Structural(child)) = &schema.additional_properties {
        for value in generate(&child.node).iter().take(1) {
            let of_key = |key: &str| Value::made(Kind::Map([(key.into(), member(value.clone()))].into()));
            all.extend(hints.texts().take(MOST_KEYS).map(of_key));
        }
    }
    let Some(object) = present.filter(|present| present.as_map().is_some()) else { return all };
    for (name, child) in schema.properties.iter().filter(|(name, _)| hints.reads(name)) {
        if object.get(name).is_some() {
            all.push(without_member(object, name));
        }
        for value in generate(&child.node).into_iter().take(MOST_OF_FIELD) {
            let mut object = object.clone();
            if let Kind::Map(map) = &mut object.kind {
                map.insert(name.clone(), member(value));
            }
            all.push(object);
        }
    }
    all
}

fn member(value: Value) -> Member {
    Member { key: Place::Nowhere, value }
}

/// Values of a type other than the schema's.
pub(super) fn of_other_types(schema: &Structural) -> Vec<Value> {
    let text = || Value::text("text");
    let number = || Value::made(Kind::Int(1));
    let list = || Value::made(Kind::List(Vec::new()));
    match &*schema.generic.type_name {
        "string" => vec![number()],
        "object" => vec![text(), list()],
        _ => vec![text(), Value::made(Kind::Map(Default::default())), list()],
    }
}

/// The object without a member.
pub(super) fn without_member(object: &Value, name: &str) -> Value {
    let mut object = object.clone();
    if let Kind::Map(map) = &mut object.kind {
        map.remove(name);
    }
    object
}

/// Texts that are one character too long.
fn long(most: i64, present: Option<&Value>, generated: &[Value]) -> Vec<Value> {
    let Some(length) = usize::try_from(most).ok().map(|most| most + 1).filter(|it| *it <= LONGEST) else {
        return Vec::new();
    };
    let texts = present.into_iter().chain(generated).filter_map(Value::as_str).chain(["a"]);
    let longer = |text: &str| {
        let end = text.chars().last().unwrap_or('a');
        let missing = length.checked_sub(text.chars().count())?;
        let end: String = std::iter::repeat_n(end, missing).collect();
        Some(Value::text(&format!("{text}{end}")))
    };
    texts.filter_map(longer).take(8).collect()
}

/// Texts that are one character too short.
fn shortened_texts(least: i64, present: Option<&Value>, generated: &[Value]) -> Vec<Value> {
    let Some(length) = usize::try_from(least).ok().and_then(|least| least.checked_sub(1)) else {
        return Vec::new();
    };
    let texts = present.into_iter().chain(generated).filter_map(Value::as_str);
    texts.map(|text| Value::text(&text.chars().take(length).collect::<String>())).take(8).collect()
}

/// Lists with one item too many.
fn lengthened_lists(most: i64, present: Option<&Value>, generated: &[Value]) -> Vec<Value> {
    let Some(length) = usize::try_from(most).ok().map(|most| most + 1).filter(|it| *it <= LONGEST) else {
        return Vec::new();
    };
    let lists = || present.into_iter().chain(generated).filter_map(Value::as_list);
    let mut different: Vec<Value> = Vec::new();
    for item in lists().flatten() {
        if different.len() < length && !different.contains(item) {
            different.push(item.clone());
        }
    }
    let repeated = lists().filter_map(<[Value]>::first).take(3);
    let repeated = repeated.map(|item| vec![item.clone(); length]);
    let numbered = lists().filter_map(<[Value]>::first).take(3).map(|item| numbered(item, length));
    let all =
        std::iter::once(different).filter(|items| items.len() == length).chain(numbered).chain(repeated);
    all.map(|items| Value::made(Kind::List(items))).collect()
}

/// Items with different texts and numbers.
fn numbered(item: &Value, count: usize) -> Vec<Value> {
    fn numbered_item(item: &Value, number: usize) -> Value {
        Value::made(match &item.kind {
            Kind::String(text) => Kind::String(format!("{text}{number}").into()),
            Kind::Int(value) => Kind::Int(value.saturating_add(i64::try_from(number).unwrap_or(0))),
            Kind::Map(map) => Kind::Map(
                map.iter()
                    .map(|(key, member)| {
                        (
                            key.clone(),
                            Member { key: Place::Nowhere, value: numbered_item(&member.value, number) },
                        )
                    })
                    .collect(),
            ),
            other => other.clone(),
        })
    }
    (0..count).map(|number| numbered_item(item, number)).collect()
}

/// Lists with one item too few.
fn shortened_lists(least: i64, present: Option<&Value>) -> Vec<Value> {
    let length = usize::try_from(least).ok().and_then(|least| least.checked_sub(1)).unwrap_or_default();
    let items = present.and_then(Value::as_list).unwrap_or_default();
    let fewer = items.iter().take(length).cloned().collect();
    vec![Value::made(Kind::List(fewer)), Value::made(Kind::List(Vec::new()))]
}

/// A list with its first item twice.
fn doubled(list: &Value) -> Option<Value> {
    let items = list.as_list()?;
    let first = items.first()?;
    Some(Value::made(Kind::List([items, std::slice::from_ref(first)].concat())))
}

/// Maps with one entry too many.
fn wide(most: i64, generated: &[Value]) -> Vec<Value> {
    let Some(count) = usize::try_from(most).ok().map(|most| most + 1).filter(|it| *it <= LONGEST) else {
        return Vec::new();
    };
    let values = generated.iter().filter_map(Value::as_map).filter_map(|map| map.values().next());
    let wide = values.take(3).map(|member| {
        let entry = |number: usize| (format!("key{number}").into(), member.clone());
        Value::made(Kind::Map((0..count).map(entry).collect()))
    });
    wide.collect()
}
