//! Fields of a resource that are one level too high: they belong to one object beside them.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use yaml::edit::{Comments, Editor, NewEntry, NewValue, Position};
use yaml::{Entry, Value};

use crate::analysis::resources::{Member, Shape};
use crate::analysis::values::own_entry;
use crate::fixes::repairs::misplaced::names;
use crate::fixes::resources::shapes::takes_text;

/// Fields that move into an object beside them.
pub(super) struct MisplacedFields<'t> {
    holder: Value<'t>,
    fields: Vec<Entry<'t>>,
    /// The field that they belong to.
    into: String,
}

impl<'t> MisplacedFields<'t> {
    /// The unknown fields of `holder`, which has the shape `shape`, that belong to the same object as `unknown`.
    pub(super) fn of(holder: Value<'t>, shape: Shape<'_>, unknown: &str) -> Option<Self> {
        let known: FxHashSet<String> =
            shape.members().into_iter().map(|member| member.name.into_owned()).collect();
        let wrong: Vec<String> = holder
            .as_mapping()?
            .entries()
            .filter_map(|entry| entry.key_text().map(Cow::into_owned))
            .filter(|key| !known.contains(key))
            .collect();
        let may_own = |member: &Member<'_>| {
            let value = own_entry(holder, &member.name).map(Entry::value);
            member.is_named
                && member.shape.members().iter().any(|field| field.is_named && field.name == unknown)
                && value
                    .is_none_or(|value| own_entry(value, unknown).is_none() && value.as_sequence().is_none())
        };
        let mut owners: Vec<Member<'_>> = shape.members().into_iter().filter(may_own).collect();
        if owners.is_empty() {
            return Self::of_map(holder, shape);
        }
        // Of several, the one that has all of the fields, and needs no others.
        if owners.len() > 1 {
            owners.retain(|owner| {
                let fields = owner.shape.members();
                let has = |key: &String| fields.iter().any(|field| field.is_named && field.name == *key);
                let is_set = |name: &str| wrong.iter().any(|key| key == name);
                wrong.iter().all(has)
                    && fields.iter().all(|field| !field.required || is_set(&field.name))
                    && own_entry(holder, &owner.name).is_none()
            });
        }
        let [owner] = owners.as_slice() else { return None };
        let inner: FxHashSet<String> =
            owner.shape.members().into_iter().map(|field| field.name.into_owned()).collect();
        let into = own_entry(holder, &owner.name).map(Entry::value);
        let belongs = |entry: &Entry<'t>| {
            entry.key_text().is_some_and(|key| {
                let is_there = into.is_some_and(|into| own_entry(into, &key).is_some());
                !known.contains(&*key) && inner.contains(&*key) && !is_there
            })
        };
        let fields: Vec<Entry<'t>> = holder.as_mapping()?.entries().filter(belongs).collect();
        Some(Self { holder, fields, into: owner.name.clone().into_owned() })
    }

    /// All fields of `holder`, if none is known and all are texts: they belong to the only map of texts.
    fn of_map(holder: Value<'t>, shape: Shape<'_>) -> Option<Self> {
        let fields: Vec<Entry<'t>> = holder.as_mapping()?.entries().collect();
        let members = shape.members();
        let is_known = |key: &str| members.iter().any(|member| member.is_named && member.name == key);
        let is_pair = |entry: &Entry<'t>| {
            entry.value().as_scalar().is_some_and(|value| value.as_str().is_some())
                && entry.key_text().is_some_and(|key| !is_known(&key))
        };
        let mut maps = members.iter().filter(|member| member.is_named && takes_text(member.shape));
        let (Some(map), None) = (maps.next(), maps.next()) else { return None };
        let into = map.name.clone().into_owned();
        fields.iter().all(is_pair).then_some(Self { holder, fields, into })
    }

    pub(super) fn title(&self) -> String {
        format!("Move {} into `{}`", names(&self.fields), self.into)
    }

    pub(super) fn apply(&self, editor: &mut Editor<'t>) {
        let copies: Vec<NewEntry<'t>> =
            self.fields.iter().filter_map(|entry| NewEntry::copy(*entry)).collect();
        match own_entry(self.holder, &self.into) {
            Some(owner) => {
                for copy in copies {
                    editor.insert(owner.value(), Position::End, copy);
                }
            }
            None => {
                let position = self.fields.first().map_or(Position::End, |first| Position::Before(*first));
                let object = NewValue::Mapping { entries: copies, flow: false };
                editor.insert(self.holder, position, NewEntry::new(self.into.clone(), object));
            }
        }
        for field in &self.fields {
            editor.remove(self.holder, *field, Comments::Keep);
        }
    }
}
