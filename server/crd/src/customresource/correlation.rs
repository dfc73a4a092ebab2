//! The correlation of new values with stored ones (`pkg/cel/common`, `CorrelatedObject`).

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::schema::structural::{Structural, StructuralOrBool};
use crate::value::{Kind, Value, quoted};

/// A new value, the correlated stored value, and their schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Correlation<'v> {
    new: &'v Value,
    old: &'v Value,
    schema: &'v Structural,
}

impl<'v> Correlation<'v> {
    /// The whole resource.
    pub(super) fn of_root(new: &'v Value, old: &'v Value, schema: &'v Structural) -> Self {
        Self { new, old, schema }
    }

    /// The member `key`; `None` if one of the two values or the schema does not have it.
    pub(super) fn key(self, key: &str) -> Option<Self> {
        let (new, old) = (self.new.get(key)?, self.old.get(key)?);
        let schema = match (self.schema.properties.get(key), &self.schema.additional_properties) {
            (Some(child), _) | (None, Some(StructuralOrBool::Structural(child))) => &*child.node,
            _ => return None,
        };
        Some(Self { new, old, schema })
    }
}

/// Compares new values with stored ones and caches the results. It belongs to one update.
#[derive(Debug, Default)]
pub(super) struct Correlations<'v> {
    /// By the address of the new value.
    equal: RefCell<FxHashMap<usize, bool>>,
    /// By the address of the stored list.
    lists: RefCell<FxHashMap<usize, Rc<ItemsByKey<'v>>>>,
}

/// The items of a list by their keys; of items with equal keys, the first.
type ItemsByKey<'v> = FxHashMap<String, &'v Value>;

impl<'v> Correlations<'v> {
    /// The item at `index` and the stored item with the same keys; `None` if the type of the list is not `map`.
    pub(super) fn index(&self, of: Correlation<'v>, index: usize) -> Option<Correlation<'v>> {
        let new = of.new.as_list()?.get(index)?;
        let items = of.schema.items.as_ref()?;
        if of.schema.extensions.list_type.as_deref() != Some("map") {
            return None;
        }
        let old = self.stored_item(of.schema, of.old, new)?;
        Some(Correlation { new, old, schema: &items.node })
    }

    /// The item of the stored list `old` with the keys of `item`; `None` if `schema` does not describe a list
    /// of type `map`.
    pub(super) fn stored_item(&self, schema: &Structural, old: &'v Value, item: &Value) -> Option<&'v Value> {
        let is_map = &*schema.generic.type_name == "array"
            && schema.extensions.list_type.as_deref() == Some("map")
            && !schema.extensions.list_map_keys.is_empty();
        let items = old.as_list().filter(|_| is_map)?;
        let key = key_of(item, &schema.extensions.list_map_keys)?;
        let keyed = Rc::clone(self.lists.borrow_mut().entry(address(old)).or_insert_with(|| {
            let mut keyed = ItemsByKey::default();
            for item in items {
                if let Some(key) = key_of(item, &schema.extensions.list_map_keys) {
                    keyed.entry(key).or_insert(item);
                }
            }
            Rc::new(keyed)
        }));
        keyed.get(&key).copied()
    }

    /// Whether the value is unchanged (`CachedDeepEqual`): lists of type `map` may have another order, and an
    /// object with members that the schema does not declare is never equal.
    pub(super) fn are_equal(&self, of: Correlation<'v>) -> bool {
        let address = address(of.new);
        if let Some(known) = self.equal.borrow().get(&address) {
            return *known;
        }
        let equal = self.compare(of);
        self.equal.borrow_mut().insert(address, equal);
        equal
    }

    fn compare(&self, of: Correlation<'v>) -> bool {
        match (&of.new.kind, &of.old.kind) {
            (Kind::List(new), Kind::List(old)) if new.len() != old.len() => false,
            (Kind::List(new), Kind::List(_)) if of.schema.extensions.list_type.as_deref() == Some("map") => {
                (0..new.len()).all(|index| self.index(of, index).is_some_and(|item| self.are_equal(item)))
            }
            (Kind::Map(new), Kind::Map(old)) => {
                new.len() == old.len()
                    && new.keys().all(|key| of.key(key).is_some_and(|member| self.are_equal(member)))
            }
            (new, old) => new == old,
        }
    }
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

/// The keys of an item as one text; `None` if one is missing or not a scalar.
fn key_of(item: &Value, keys: &[Box<str>]) -> Option<String> {
    item.as_map()?;
    let mut text = String::new();
    for key in keys {
        text.push('\0');
        match &item.get(key)?.kind {
            Kind::Bool(value) => text.push_str(&value.to_string()),
            // With several keys, Go prints six decimals; a single key is compared exactly.
            Kind::Float(value) if keys.len() > 1 => text.push_str(&format!("{value:.6}")),
            Kind::Float(value) => text.push_str(&format!("{value:?}f")),
            Kind::Int(value) => text.push_str(&value.to_string()),
            Kind::String(value) => text.push_str(&quoted(value)),
            Kind::Null | Kind::List(_) | Kind::Map(_) => return None,
        }
    }
    Some(text)
}
