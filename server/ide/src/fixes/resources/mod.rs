//! Edits that repair findings on custom resources. All are suggestions: only the author knows the intention.

mod kind_name;
mod misplaced_fields;
mod placeholder;
mod shapes;
pub(super) mod texts;
mod types;

use api::Code;
use crd::value_at;
use text::{TextEdit, TextRange};
use yaml::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};
use yaml::scalar::ScalarStyle;
use yaml::{Document, Item, Reader, Scalar, Value};

use crate::analysis::fix::Title;
use crate::analysis::resources::UnsetFields;
use crate::analysis::resources::place::{Resource, ResourcePlace, Target, find};
use crate::features::resources::explain::flow;
use crate::fixes::repairs::Candidate;
use crate::fixes::request::FixRequest;
use crate::fixes::rewrite::in_style_of;
use crate::{Finding, Fix};
use misplaced_fields::MisplacedFields;
use placeholder::placeholder;
use types::is_of_time;

/// The maximum number of findings with fixes in one answer.
const MOST: usize = 100;
/// The maximum number of values or versions that are offered for one finding.
const MOST_CHOICES: usize = 5;
/// The minimum number of letters of a part of an allowed value.
const LEAST_LETTERS: usize = 3;
/// A fix before it is proven.
struct Draft {
    title: Title,
    edits: Result<Vec<TextEdit>, EditError>,
}

/// The fixes for the touched findings of `request` that are about resources, each
/// with its rank among the fixes for the same finding. They are not proven.
pub(crate) fn fixes<'t>(request: &FixRequest<'_, 't>) -> Vec<Candidate> {
    let FixRequest { document, reader, editor, .. } = *request;
    let surroundings = request.surroundings();
    let wanted = request.touched().filter(|finding| finding.code.group() == "resource");
    let mut fixes = Vec::new();
    for finding in wanted.take(MOST) {
        if finding.code == Code::ResourceUnknownKind {
            fixes.extend(kind_name::corrected_name(document, reader, surroundings, finding, editor));
        }
        let Some(resource) = Resource::at(document, reader, surroundings, finding.range.start) else {
            continue;
        };
        let site = Site { document, reader, resource, finding, editor };
        for (rank, draft) in site.drafts().unwrap_or_default().into_iter().enumerate() {
            let Some(edits) = draft.edits.ok().filter(|edits| !edits.is_empty()) else { continue };
            let fix = Fix::suggested(draft.title, edits, finding.code, finding.range);
            fixes.push(Candidate { rank, fix, is_fallback: false, kept_verdicts: None });
        }
    }
    fixes
}

/// A finding with its context.
struct Site<'a, 't> {
    document: Document<'t>,
    reader: &'a Reader<'t>,
    resource: Resource<'t, 'a>,
    finding: &'a Finding,
    editor: &'a Editor<'t>,
}

impl<'t> Site<'_, 't> {
    fn drafts(&self) -> Option<Vec<Draft>> {
        match self.finding.code {
            Code::ResourceUnknownField => self.unknown(),
            Code::ResourceRequired => self.missing(),
            Code::ResourceEnum => self.choice(),
            Code::ResourceType | Code::ResourceDecode | Code::ResourceFormat => self.other_type(),
            Code::ResourceBounds => self.bound(),
            Code::ResourcePattern => self.matching(),
            Code::ResourceMetadata => self.label_key().or_else(|| self.valid_name()).or_else(|| self.name()),
            Code::ResourceListType => self.duplicate_item(),
            Code::ResourceNotServed | Code::ResourceUnknownVersion | Code::ResourceDeprecatedVersion => {
                self.version()
            }
            _ => None,
        }
    }

    /// The draft of the edits that `change` makes.
    fn draft(
        &self,
        title: impl Into<Title>,
        change: impl FnOnce(&mut Editor<'t>) -> Result<(), EditError>,
    ) -> Draft {
        let mut editor = self.editor.fresh();
        let edits = change(&mut editor).and_then(|()| editor.finish());
        Draft { title: title.into(), edits }
    }

    /// The draft that replaces `value` with `new`.
    fn replacing(&self, value: Value<'t>, title: impl Into<Title>, new: NewValue<'t>) -> Draft {
        self.draft(title, |editor| {
            editor.replace(value, new);
            Ok(())
        })
    }

    fn place(&self) -> Option<ResourcePlace<'t, '_>> {
        find(self.resource.value, self.resource.shape(), self.finding.range.start)
    }

    fn scalar(&self) -> Option<(ResourcePlace<'t, '_>, Value<'t>, Scalar<'t>)> {
        let place = self.place()?;
        let Target::Value(value) = place.target else { return None };
        let scalar = value.as_scalar()?;
        Some((place, value, scalar))
    }

    /// Replaces an undeclared field with a declared one, or removes it.
    fn unknown(&self) -> Option<Vec<Draft>> {
        let place = self.place()?;
        let Target::Key(holder) = place.target else { return None };
        let entry = place.entry?;
        let written = entry.key_text()?;
        let mut drafts = Vec::new();
        // YAML reads `on` as `true`.
        let plain = entry.key().as_scalar().filter(|key| key.style() == ScalarStyle::Plain);
        let plain = plain.map(|key| key.text()).filter(|plain| **plain != *written);
        if let Some(plain) = plain.filter(|plain| place.shape.member(plain).is_some_and(|one| one.is_named)) {
            let edits = vec![TextEdit::replace(entry.key_range(), format!("\"{plain}\""))];
            drafts.push(Draft { title: format!("Quote `{plain}`").into(), edits: Ok(edits) });
        }
        let unset = UnsetFields::of(holder.as_mapping()?, place.shape, self.reader);
        let with_words = || unset.with_words(&written).filter(|_| drafts.is_empty());
        if let Some(name) = unset.similar(&written).or_else(with_words) {
            let list =
                place.shape.member(name).and_then(|member| shapes::list_of(entry.value(), member.shape));
            let title = Title::rename(format_args!("`{written}` to `{name}`"));
            let title =
                if list.is_some() { title.with_end(" and convert its value to a list") } else { title };
            drafts.push(self.draft(title, |editor| {
                editor.rename(entry, name);
                if let Some(list) = list {
                    editor.replace(entry.value(), list);
                }
                Ok(())
            }));
        }
        if let Some(fields) = MisplacedFields::of(holder, place.shape, &written) {
            drafts.push(self.draft(fields.title(), |editor| {
                fields.apply(editor);
                Ok(())
            }));
        }
        drafts.push(self.draft(Title::removal(format_args!("`{written}` (not in the schema)")), |editor| {
            editor.remove(holder, entry, Comments::Keep);
            Ok(())
        }));
        Some(drafts)
    }

    /// Adds a required field, with a value of its type.
    fn missing(&self) -> Option<Vec<Draft>> {
        let (last, above) = self.finding.field_path.segments().split_last()?;
        let name = last.key()?;
        let holder = value_at(self.document.root()?, above, self.reader)?;
        // Each item of a list is a separate resource.
        let is_item = self.document.root().is_some_and(|root| root.range() != self.resource.value.range());
        let mut shape = self.resource.shape();
        for step in above.iter().skip(if is_item { 2 } else { 0 }) {
            shape = match step.key() {
                Some(key) => shape.member(key)?.shape,
                None => shape.item()?,
            };
        }
        let value = placeholder(shape.member(name)?.shape)?;
        let draft = self.draft(format!("Add `{name}`"), |editor| {
            editor.insert(holder, Position::End, NewEntry::new(name.to_owned(), value));
            Ok(())
        });
        Some(vec![draft])
    }

    /// Replaces a value with an allowed one: the most similar one, or else each of them.
    fn choice(&self) -> Option<Vec<Draft>> {
        let (place, value, scalar) = self.scalar()?;
        let written = scalar.text();
        let allowed = &place.shape.schema()?.schema.value_validation.enumeration;
        let names = allowed.iter().filter_map(|value| value.as_str());
        let containing = || {
            let names = allowed.iter().filter_map(|value| value.as_str());
            let mut containing = names.filter(|name| name.len() > written.len() && name.contains(&*written));
            let is_word = written.len() >= LEAST_LETTERS;
            containing.next().filter(|_| is_word && containing.next().is_none())
        };
        let best = crd::cel::nearest(&written, names).or_else(containing);
        let is_offered = |one: &&crd::value::Value| best.is_none() || one.as_str() == best;
        let offered = allowed.iter().filter(is_offered).take(MOST_CHOICES);
        let drafts = offered.map(|one| {
            let new = match one.as_str() {
                Some(text) => in_style_of(scalar, text),
                None => NewValue::Raw(flow(one)),
            };
            self.draft(format!("Replace `{written}` with `{}`", flow(one)), |editor| {
                editor.replace(value, new);
                Ok(())
            })
        });
        Some(drafts.collect())
    }

    /// Replaces a number with the nearest allowed one.
    fn bound(&self) -> Option<Vec<Draft>> {
        let (place, value, scalar) = self.scalar()?;
        let written = scalar.text();
        let number: f64 = written.parse().ok()?;
        let validation = &place.shape.schema()?.schema.value_validation;
        let (bound, name) = match (validation.minimum, validation.maximum) {
            (Some(least), _) if number < least && !validation.exclusive_minimum => (least, "minimum"),
            (_, Some(most)) if number > most && !validation.exclusive_maximum => (most, "maximum"),
            _ => return None,
        };
        let draft = self.replacing(
            value,
            format!("Replace `{written}` with `{bound}`, the {name}"),
            NewValue::Raw(bound.to_string()),
        );
        Some(vec![draft])
    }

    /// Adds the missing name of an object, derived from its kind.
    fn name(&self) -> Option<Vec<Draft>> {
        let root = self.resource.value.as_mapping()?;
        let metadata = self.reader.entry(root, "metadata").map(yaml::Entry::value);
        let is_named = |name: &str| {
            metadata.and_then(|metadata| self.reader.entry(metadata.as_mapping()?, name)).is_some()
        };
        if is_named("name") || is_named("generateName") {
            return None;
        }
        let name = self.resource.kind.kind.to_lowercase();
        let title = format!("Add `metadata.name: {name}`");
        let entry = NewEntry::new("name", NewValue::Text(name));
        let draft = self.draft(title, |editor| {
            match metadata.filter(|metadata| metadata.as_mapping().is_some()) {
                Some(metadata) => editor.insert(metadata, Position::Start, entry),
                None if metadata.is_none() => {
                    let entry =
                        NewEntry::new("metadata", NewValue::Mapping { entries: vec![entry], flow: false });
                    let kind = self.reader.entry(root, "kind");
                    editor.insert(self.resource.value, kind.map_or(Position::End, Position::After), entry);
                }
                None => {}
            }
            Ok(())
        });
        Some(vec![draft])
    }

    /// Replaces a text with the nearest one that matches the pattern.
    fn matching(&self) -> Option<Vec<Draft>> {
        let (place, value, scalar) = self.scalar()?;
        let pattern = place.shape.schema()?.schema.value_validation.pattern.as_ref()?;
        let is_valid = |text: &str| pattern.is_match(text) == Ok(true);
        let written = scalar.text();
        let in_seconds = || Some(format!("{written}s")).filter(|text| is_of_time(&place) && is_valid(text));
        let new = texts::corrected(&written, &is_valid).or_else(in_seconds)?;
        let draft =
            self.replacing(value, format!("Replace `{written}` with `{new}`"), in_style_of(scalar, &new));
        Some(vec![draft])
    }

    /// Replaces the letters of the key of a label or annotation that are not valid.
    fn label_key(&self) -> Option<Vec<Draft>> {
        let entry = self.place()?.entry.filter(|entry| entry.key_range() == self.finding.range)?;
        let key = entry.key_text()?;
        let name = texts::label_key(&key);
        if name.is_empty() || name == key {
            return None;
        }
        let title = Title::rename(format_args!("`{key}` to `{name}`"));
        Some(vec![self.draft(title, |editor| {
            editor.rename(entry, &name);
            Ok(())
        })])
    }

    /// Replaces the letters of a name that are not valid; the proof shows whether it is valid then.
    fn valid_name(&self) -> Option<Vec<Draft>> {
        let (_, value, scalar) = self.scalar()?;
        let text = scalar.text();
        let last = self.finding.field_path.segments().last().and_then(|last| last.key());
        let name = texts::object_name(&text, last == Some("generateName"));
        let draft = self.replacing(value, format!("Change `{text}` to `{name}`"), in_style_of(scalar, &name));
        (name != text && !name.is_empty()).then(|| vec![draft])
    }

    /// Removes a duplicate item of a set or map.
    fn duplicate_item(&self) -> Option<Vec<Draft>> {
        let (list, item) = item_at(self.document, self.finding.range)?;
        let draft = self.draft(Title::removal("this duplicate item"), |editor| {
            editor.remove_item(list, item, Comments::Keep);
            Ok(())
        });
        Some(vec![draft])
    }

    /// Changes the version to one that is served and, if necessary, not deprecated.
    fn version(&self) -> Option<Vec<Draft>> {
        let mapping = self.resource.value.as_mapping()?;
        let value = self.reader.entry(mapping, "apiVersion")?.value();
        let versions = self.resource.definition.definition.versions.iter().filter(|version| version.served);
        let versions = versions.filter(|version| !self.is_deprecated() || version.warning.is_none());
        let why = if self.is_deprecated() { "not deprecated" } else { "served" };
        let drafts = versions.take(MOST_CHOICES).map(|version| {
            let name = format!("{}/{}", version.group, version.name);
            self.draft(format!("Change `apiVersion` to `{name}` ({why})"), |editor| {
                editor.replace(value, NewValue::Text(name));
                Ok(())
            })
        });
        Some(drafts.collect())
    }

    fn is_deprecated(&self) -> bool {
        self.finding.code == Code::ResourceDeprecatedVersion
    }
}

/// The item at `range`, or the item whose dash is there, with its list.
fn item_at(document: Document<'_>, range: TextRange) -> Option<(Value<'_>, Item<'_>)> {
    let mut node = document.syntax();
    loop {
        let value = Value::of_node(node);
        let mut items = value.as_sequence().into_iter().flat_map(yaml::Sequence::items);
        let is_it = |item: &Item<'_>| item.range().start == range.start || item.value().range() == range;
        if let Some(item) = items.find(is_it) {
            return Some((value, item));
        }
        node = node.nodes().find(|child| child.range().contains_range(range))?;
    }
}

#[cfg(test)]
mod tests;
