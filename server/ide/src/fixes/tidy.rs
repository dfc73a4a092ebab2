//! Removes branches and fields that changes leave empty, if the removal has no other effect.

use std::collections::{BTreeMap, BTreeSet};

use crd::reading::is_null;
use crd::schema::{Keyword, Schema};
use text::{TextRange, TextSize};
use yaml::{Entry, Item, Value};

use super::plan::Change;

/// For each branch that allows no other fields, by its start: the changes that replace
/// `additionalProperties: false`.
pub(super) type OpenedBranches<'t> = BTreeMap<TextSize, Vec<Change<'t>>>;

/// A junctor that changes would make unsatisfiable: an empty `not`, or a `oneOf` with several branches that
/// accept every value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpossibleJunctor<'t> {
    pub(super) host: Value<'t>,
    pub(super) entry: Entry<'t>,
    pub(super) junctor: Keyword,
}

/// Keywords that branches must not have.
const FORBIDDEN: [Keyword; 13] = [
    Keyword::Type,
    Keyword::AdditionalProperties,
    Keyword::Default,
    Keyword::Title,
    Keyword::Description,
    Keyword::Nullable,
    Keyword::PreserveUnknownFields,
    Keyword::EmbeddedResource,
    Keyword::IntOrString,
    Keyword::ListMapKeys,
    Keyword::ListType,
    Keyword::MapType,
    Keyword::Validations,
];

/// `changes`, and the removal of parts that they leave empty in the junctors of `hosts`, which are schemas
/// outside of all junctors. An `anyOf` or `allOf` of empty branches accepts every value. An empty branch
/// beside others has a meaning and stays, except in `allOf`.
pub(super) fn tidied<'r, 't>(
    hosts: &[Schema<'r, 't>],
    opened: &OpenedBranches<'t>,
    changes: Vec<Change<'t>>,
) -> Result<Vec<Change<'t>>, ImpossibleJunctor<'t>> {
    let mut tidy =
        JunctorCleanup { removed: BTreeSet::new(), added_to: BTreeSet::new(), opened, more: Vec::new() };
    changes.iter().for_each(|change| tidy.note(change));
    let (first, last) = (tidy.removed.first().copied(), tidy.removed.last().copied());
    let reach = first.zip(last).map(|(first, last)| TextRange::new(first, last));
    for host in hosts.iter().filter(|host| reach.is_some_and(|reach| reach.overlaps(host.value().range()))) {
        tidy.junctors(host)?;
    }
    Ok(changes.into_iter().chain(tidy.more).collect())
}

/// The removed entries and the places of insertions, by their start.
struct JunctorCleanup<'o, 't> {
    removed: BTreeSet<TextSize>,
    added_to: BTreeSet<TextSize>,
    opened: &'o OpenedBranches<'t>,
    more: Vec<Change<'t>>,
}

impl<'t> JunctorCleanup<'_, 't> {
    fn note(&mut self, change: &Change<'t>) {
        match change {
            Change::Remove(_, entry) | Change::Comment(_, entry, _) => {
                self.removed.insert(entry.range().start)
            }
            Change::RemoveItem(..) | Change::MoveToEnd(..) => false,
            Change::Rename(entry, _) => self.added_to.insert(entry.range().start),
            Change::Insert(value, _)
            | Change::AddField(value, _)
            | Change::Replace(value, _)
            | Change::Push(value, _)
            | Change::Quote(value) => self.added_to.insert(value.range().start),
        };
    }

    fn change(&mut self, change: Change<'t>) {
        self.note(&change);
        self.more.push(change);
    }

    fn touches(&self, range: TextRange) -> bool {
        self.removed.range(range.start..=range.end).next().is_some()
    }

    fn is_removed(&self, entry: Entry<'t>) -> bool {
        self.removed.contains(&entry.range().start)
    }

    /// Cleans up the branches of `schema`.
    fn junctors(&mut self, schema: &Schema<'_, 't>) -> Result<(), ImpossibleJunctor<'t>> {
        for junctor in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Not] {
            let entry = schema.entry(junctor).filter(|entry| self.touches(entry.range()));
            let Some(entry) = entry.filter(|entry| !self.is_removed(*entry)) else { continue };
            let impossible = ImpossibleJunctor { host: schema.value(), entry, junctor };
            if junctor == Keyword::Not {
                if self.branch(schema, entry.value())? {
                    return Err(impossible);
                }
                continue;
            }
            let items: Vec<Item<'t>> = schema.items(junctor).collect();
            let mut emptied = Vec::with_capacity(items.len());
            for item in &items {
                emptied.push(self.branch(schema, item.value())?);
            }
            if !emptied.contains(&true) {
                continue;
            }
            let is_empty_item = |(item, emptied): (&Item<'t>, &bool)| *emptied || is_empty(item.value());
            let empty = items.iter().zip(&emptied).filter(|pair| is_empty_item(*pair)).count();
            match junctor {
                Keyword::OneOf if empty > 1 => return Err(impossible),
                Keyword::OneOf if items.len() > 1 => {}
                _ if empty == items.len() => self.change(Change::Remove(schema.value(), entry)),
                Keyword::AllOf => self.drop_items(entry.value(), &items, &emptied, schema),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes the empty branches of an `allOf`. Branches before one that still has findings stay, because
    /// the path of the findings contains the index of the branch.
    fn drop_items(&mut self, list: Value<'t>, items: &[Item<'t>], emptied: &[bool], schema: &Schema<'_, 't>) {
        let last = items.iter().rposition(|item| self.is_forbidden(schema, item.value()));
        let kept = last.map_or(0, |last| last + 1);
        for (item, _) in items.iter().zip(emptied).skip(kept).filter(|(_, emptied)| **emptied) {
            self.change(Change::RemoveItem(list, *item));
        }
    }

    /// Cleans up the branch at `value`, or a field in one. Returns whether it is empty now.
    fn branch(&mut self, host: &Schema<'_, 't>, value: Value<'t>) -> Result<bool, ImpossibleJunctor<'t>> {
        if !self.touches(value.range()) {
            return Ok(false);
        }
        let Some(schema) = Schema::read(value, host.reader()).filter(|_| !is_null(value)) else {
            return Ok(false);
        };
        if schema.get(Keyword::Properties).is_some_and(|fields| self.touches(fields.range()))
            && let Some(changes) = self.opened.get(&schema.value().range().start)
        {
            changes.iter().for_each(|change| self.change(change.clone()));
        }
        self.junctors(&schema)?;
        self.fields(&schema)?;
        if let Some(entry) = schema.entry(Keyword::Items).filter(|entry| !self.is_removed(*entry))
            && schema.schema(Keyword::Items).is_some()
            && self.branch(&schema, entry.value())?
        {
            self.change(Change::Remove(schema.value(), entry));
        }
        let emptied = !self.added_to.contains(&schema.value().range().start)
            && schema.unknown().is_empty()
            && schema.entries().all(|(_, entry)| self.is_removed(entry));
        Ok(emptied)
    }

    /// Removes empty fields, unless the schema allows only the fields that it names.
    fn fields(&mut self, schema: &Schema<'_, 't>) -> Result<(), ImpossibleJunctor<'t>> {
        let holder = schema.get(Keyword::Properties).filter(|holder| self.touches(holder.range()));
        let entry = schema.entry(Keyword::Properties).filter(|entry| !self.is_removed(*entry));
        let (Some(holder), Some(entry)) = (holder, entry) else { return Ok(()) };
        let fields = schema.members(Keyword::Properties).entries;
        let count = fields.len();
        let mut emptied = Vec::new();
        for (_, field) in fields {
            if self.is_removed(field) || self.branch(schema, field.value())? {
                emptied.push(field);
            }
        }
        let closed = [Keyword::AdditionalProperties, Keyword::PatternProperties]
            .iter()
            .any(|keyword| schema.entry(*keyword).is_some_and(|entry| !self.is_removed(entry)));
        if closed {
            return Ok(());
        }
        if emptied.len() == count {
            self.change(Change::Remove(schema.value(), entry));
            return Ok(());
        }
        for field in emptied {
            if !self.is_removed(field) {
                self.change(Change::Remove(holder, field));
            }
        }
        Ok(())
    }

    /// Whether the branch at `value` still has forbidden keywords.
    fn is_forbidden(&self, host: &Schema<'_, 't>, value: Value<'t>) -> bool {
        let Some(schema) = Schema::read(value, host.reader()) else { return false };
        let mut below: Vec<Value<'t>> = Vec::new();
        for keyword in Keyword::BRANCHING {
            below.extend(schema.items(keyword).map(Item::value));
        }
        below.extend(schema.members(Keyword::Properties).entries.iter().map(|(_, field)| field.value()));
        below.extend([Keyword::Items, Keyword::Not].iter().filter_map(|keyword| schema.get(*keyword)));
        schema.entries().any(|(keyword, entry)| FORBIDDEN.contains(&keyword) && !self.is_removed(entry))
            || below.into_iter().any(|value| self.is_forbidden(&schema, value))
    }
}

fn is_empty(value: Value<'_>) -> bool {
    value.as_mapping().is_some_and(|mapping| mapping.entries().next().is_none())
}
