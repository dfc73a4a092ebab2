//! Lists: made by expressions, joined, or read from data with `x-kubernetes-list-type`.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Bound, DataSchema, EvalError, Json, JsonKind, Key, ListType, Outcome, Value};

/// A list.
#[derive(Clone, Debug)]
pub enum List<'a> {
    /// Elements.
    Values(Arc<Vec<Value<'a>>>),
    /// Two concatenated lists.
    Joined(Arc<ConcatenatedLists<'a>>),
    /// A list of the data.
    Data(DataList<'a>),
    /// The result of an addition to a set of the data.
    Set(Arc<Vec<Value<'a>>>),
    /// The result of an addition to a list of the data whose elements have keys, and the names of the keys.
    Keyed(Arc<Vec<Value<'a>>>, &'a [String]),
}

/// Two concatenated lists.
#[derive(Debug)]
pub struct ConcatenatedLists<'a> {
    pub(super) first: List<'a>,
    pub(super) second: List<'a>,
    len: usize,
}

/// A list of the data.
#[derive(Clone, Copy, Debug)]
pub struct DataList<'a> {
    pub(super) data: &'a dyn Json,
    pub(super) schema: &'a DataSchema,
}

impl<'a> DataList<'a> {
    fn len(self) -> usize {
        match self.data.kind() {
            JsonKind::List(len) => len,
            _ => 0,
        }
    }

    pub(super) const fn list_type(self) -> &'a ListType {
        match self.schema {
            DataSchema::List(_, list_type) => list_type,
            _ => &ListType::Atomic,
        }
    }

    pub(super) fn get(self, index: usize) -> Option<Outcome<Value<'a>>> {
        let DataSchema::List(Some(items), _) = self.schema else { return None };
        Some(Value::of_data(self.data.item(index)?, items))
    }
}

impl<'a> List<'a> {
    /// A list of values.
    #[must_use]
    pub fn of(elements: Vec<Value<'a>>) -> Self {
        Self::Values(Arc::new(elements))
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Values(elements) | Self::Set(elements) | Self::Keyed(elements, _) => elements.len(),
            Self::Joined(joined) => joined.len,
            Self::Data(list) => list.len(),
        }
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is an unchanged list of the data.
    #[must_use]
    pub const fn is_data(&self) -> bool {
        matches!(self, Self::Data(_))
    }

    /// An element; `None` after the end. Data that its schema does not allow is an error.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Outcome<Value<'a>>> {
        let (mut list, mut index) = (self, index);
        while let Self::Joined(joined) = list {
            let first = joined.first.len();
            (list, index) =
                if index < first { (&joined.first, index) } else { (&joined.second, index - first) };
        }
        match list {
            Self::Values(elements) | Self::Set(elements) | Self::Keyed(elements, _) => {
                elements.get(index).cloned().map(Ok)
            }
            Self::Data(list) => list.get(index),
            Self::Joined(_) => None,
        }
    }

    /// All elements one by one.
    pub fn iter(&self) -> impl Iterator<Item = Outcome<Value<'a>>> + '_ {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// All elements, or the first error among them.
    pub(crate) fn collect(&self, bound: &Bound) -> Outcome<Vec<Value<'a>>> {
        bound.elements(self.len())?;
        self.iter().collect()
    }

    /// `self + other`: sets of the data are united, lists with keys are merged.
    pub(crate) fn joined(&self, bound: &Bound, other: &Self) -> Outcome<Self> {
        match self {
            Self::Values(_) | Self::Joined(_) if self.is_empty() => Ok(other.clone()),
            Self::Values(_) | Self::Joined(_) if other.is_empty() => Ok(self.clone()),
            Self::Values(_) | Self::Joined(_) => {
                let len = self.len().saturating_add(other.len());
                bound.work(1)?;
                Ok(Self::Joined(Arc::new(ConcatenatedLists {
                    first: self.clone(),
                    second: other.clone(),
                    len,
                })))
            }
            Self::Set(_) => self.united(bound, other),
            Self::Keyed(_, keys) => self.merged(bound, other, keys),
            Self::Data(list) => match list.list_type() {
                ListType::Atomic => {
                    let mut elements = self.collect(bound)?;
                    elements.extend(other.collect(bound)?);
                    Ok(Self::of(elements))
                }
                ListType::Set => self.united(bound, other),
                ListType::Map(keys) => self.merged(bound, other, keys),
            },
        }
    }

    /// The same for the accumulator of a loop, which is extended in place.
    pub(crate) fn extended(&mut self, bound: &Bound, other: &Self) -> Outcome<Self> {
        let Self::Values(elements) = self else { return self.joined(bound, other) };
        bound.work(other.len() as u64 + 1)?;
        let more = other.iter().collect::<Outcome<Vec<_>>>()?;
        let mut elements = std::mem::take(elements);
        Arc::make_mut(&mut elements).extend(more);
        Ok(Self::Values(elements))
    }

    fn united(&self, bound: &Bound, other: &Self) -> Outcome<Self> {
        let mut elements = self.collect(bound)?;
        let mut seen = FxHashSet::default();
        for element in &elements {
            seen.insert(set_key(element)?);
        }
        for element in other.collect(bound)? {
            if seen.insert(set_key(&element)?) {
                elements.push(element);
            }
        }
        Ok(Self::Set(Arc::new(elements)))
    }

    fn merged(&self, bound: &Bound, other: &Self, keys: &'a [String]) -> Outcome<Self> {
        let mut elements = self.collect(bound)?;
        let places: FxHashMap<_, _> =
            elements.iter().enumerate().map(|(at, element)| (merge_key(element, keys), at)).collect();
        // Duplicates within `other` are kept: only elements of the first list are replaced.
        for element in other.collect(bound)? {
            match places.get(&merge_key(&element, keys)).and_then(|at| elements.get_mut(*at)) {
                Some(place) => *place = element,
                None => elements.push(element),
            }
        }
        Ok(Self::Keyed(Arc::new(elements), keys))
    }
}

/// The identity of an element in a set.
pub(super) fn set_key<'a>(element: &Value<'a>) -> Outcome<Key<'a>> {
    match element {
        Value::List(_) | Value::Map(_) => {
            Err(EvalError::new("listSet operations are only supported on lists of scalar values"))
        }
        Value::Bytes(bytes) => Ok(Key::Text(super::Text::from(format!("{bytes:?}")))),
        other => Ok(Key::of(other)),
    }
}

/// The identity of an element in a list with keys: the values of its keys; absent keys are null.
pub(super) fn merge_key<'a>(element: &Value<'a>, keys: &[String]) -> Vec<Key<'a>> {
    let key = |name: &String| match element {
        Value::Map(map) => match map.find(&Value::text(name.as_str())) {
            Some(Ok(value)) => Key::of(&value),
            _ => Key::Null,
        },
        _ => Key::Null,
    };
    keys.iter().map(key).collect()
}
