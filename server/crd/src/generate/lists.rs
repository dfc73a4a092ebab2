//! Generates lists.

use super::node::Node;
use super::{Generator, Hints};
use crate::schema::structural::Structural;
use crate::value::{Kind, Map, Member, Place, Value};

/// The maximum number of items.
const MOST_ITEMS: usize = 64;
/// The maximum number of items that are combined in pairs.
const MOST_JOINED: usize = 7;

/// Lists of `items`: each alone, each twice, pairs, and the same item repeated as often as hints suggest. Keys
/// distinguish copies of an item.
pub(super) fn of_items(items: &[Value], schema: &Structural, hints: &Hints) -> Vec<Value> {
    let bound = |bound: Option<i64>| bound.and_then(|bound| usize::try_from(bound).ok());
    let least = bound(schema.value_validation.min_items).unwrap_or(0);
    let most = bound(schema.value_validation.max_items).unwrap_or(MOST_ITEMS).min(MOST_ITEMS);
    let keys = &schema.extensions.list_map_keys;
    let again = |item: &Value, count: usize| (0..count).map(|number| numbered(item, number, keys)).collect();
    let mut all: Vec<Vec<Value>> = items.iter().map(|item| vec![item.clone()]).collect();
    if schema.extensions.list_type.as_deref() != Some("set") {
        all.extend(items.iter().map(|item| again(item, 2)));
        let named = hints.ints.iter().filter_map(|size| usize::try_from(*size).ok());
        let sizes = named.flat_map(|size| [size, size.saturating_add(1)]).chain([least]);
        for size in sizes.filter(|size| (3..=most).contains(size)) {
            all.extend(items.iter().take(2).map(|item| again(item, size)));
        }
    }
    for (index, one) in items.iter().take(MOST_JOINED).enumerate() {
        for (_, other) in items.iter().take(MOST_JOINED).enumerate().filter(|(other, _)| *other != index) {
            all.push(vec![one.clone(), numbered(other, 1, keys)]);
        }
    }
    all.retain(|list| (least..=most).contains(&list.len()));
    all.into_iter().map(|list| Value::made(Kind::List(list))).collect()
}

/// The copy of `item` with this number: its keys differ from those of other copies.
fn numbered(item: &Value, number: usize, keys: &[Box<str>]) -> Value {
    let Kind::Map(map) = &item.kind else { return item.clone() };
    let members = map.iter().map(|(name, member)| {
        let kind = match &member.value.kind {
            Kind::String(text) if number > 0 && keys.contains(name) => {
                Kind::String(format!("{text}{number}").into())
            }
            Kind::Int(value) if keys.contains(name) => {
                Kind::Int(value.saturating_add(i64::try_from(number).unwrap_or(0)))
            }
            other => other.clone(),
        };
        (name.clone(), Member { key: Place::Nowhere, value: Value::made(kind) })
    });
    Value::made(Kind::Map(members.collect::<Map>()))
}

impl Generator<'_> {
    /// At most `most` lists: each value alone, the empty list, one value twice, several values, and lists with
    /// the lengths that bounds and hints suggest.
    pub(super) fn lists(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        let (least, longest) = node.bounds(|of| of.min_items, |of| of.max_items);
        let items = node.items();
        let wanted = if most == 1 { least.max(1) } else { most.max(least) };
        let values = self.values(&items, wanted.min(MOST_ITEMS));
        let list = |items: Vec<&Value>| Value::made(Kind::List(items.into_iter().cloned().collect()));
        let several = |count: usize| values.iter().take(count).collect::<Vec<_>>();
        let repeated = |count: usize| values.iter().cycle().take(count).collect::<Vec<_>>();
        let mut pool = Vec::new();
        if least <= 1 {
            pool.extend(values.iter().take(1).map(|item| list(vec![item])));
        }
        if least > 1 {
            pool.extend([list(several(least.min(MOST_ITEMS))), list(repeated(least.min(MOST_ITEMS)))]);
        }
        if most == 1 {
            pool.push(list(Vec::new()));
            return self.first_admitted(pool, node, most);
        }
        pool.push(list(Vec::new()));
        pool.extend(values.first().map(|item| list(vec![item, item])));
        pool.push(list(several(2)));
        let (near, far) = values.split_at(values.len().min(most / 2));
        pool.extend(near.iter().skip(1).map(|item| list(vec![item])));
        let sizes = self.hints.ints.iter().filter_map(|size| usize::try_from(*size).ok());
        let sizes = sizes.flat_map(|size| [size, size.saturating_add(1), size.saturating_sub(1)]);
        let sizes: Vec<usize> = sizes.chain([3, least, least + 1, longest]).collect();
        for size in sizes.into_iter().filter(|size| (2..=MOST_ITEMS).contains(size)) {
            pool.extend([list(several(size)), list(repeated(size))]);
        }
        // Pairs of adjacent values in both orders, and pairs of the first value with others.
        for pair in values.windows(2) {
            pool.extend([list(pair.iter().collect()), list(pair.iter().rev().collect())]);
        }
        let first = values.first();
        pool.extend(values.iter().skip(2).filter_map(|item| Some(list(vec![first?, item]))));
        pool.extend(values.iter().skip(1).map(|item| list(vec![item, item])));
        pool.extend(far.iter().map(|item| list(vec![item])));
        pool.extend(values.windows(3).map(|three| list(three.iter().collect())));
        self.first_admitted(pool, node, most)
    }
}
