//! Fixes for keys at a wrong level, such as after a paste: beside the key whose fields they are, or to the
//! left of the keys among which they are.

use api::{Code, FieldType};
use crd::schema::Keyword;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Entry, Mapping, Reader, Value, ValueKind};

use super::columns::moved;
use super::is_repaired_by;
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::resources::place::{Resource, ResourcePlace, Target, find};
use crate::analysis::resources::{Member, Shape};
use crate::analysis::text_at::{definition_at, text_of, values_to};
use crate::analysis::unnamed_schema::is_keyword_as_property;
use crate::analysis::values::entry_at;
use crate::{Finding, Fix, Surroundings};

const UNKNOWN: [Code; 2] = [Code::DecodeUnknownField, Code::ResourceUnknownField];
const WRONG: [Code; 3] = [Code::DecodeType, Code::ResourceType, Code::StructuralTypeRequired];
/// The findings on `additionalProperties` outside of the map that it belongs to.
const OF_MAPS: [Code; 2] = [Code::LintMisplacedKeyword, Code::SchemaPropertiesAndAdditional];
/// The maximum number of findings with fixes in one answer, and of places that are tried for each.
const MOST: usize = 10;
const MOST_TRIED: usize = 3;
/// The maximum number of required fields that are compared with declared ones.
const MOST_REQUIRED: usize = 20;
/// The columns of a dash with its space.
const DASH: isize = 2;

/// A document with its context.
pub(super) struct Context<'a, 't> {
    document: Document<'t>,
    reader: &'a Reader<'t>,
    surroundings: &'a Surroundings,
}

impl<'a, 't> Context<'a, 't> {
    pub(super) const fn of(request: &FixRequest<'a, 't>) -> Self {
        Self { document: request.document, reader: request.reader, surroundings: request.surroundings() }
    }

    /// The fixes that increase the indentation, for the touched findings of `request`.
    pub(super) fn indenting_fixes(&self, request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
        let codes = || UNKNOWN.iter().chain(&WRONG).chain(&OF_MAPS);
        let is_wanted = |finding: &&Finding| codes().any(|code| *code == finding.code);
        let fix = |finding: &Finding| {
            let below = self.below(finding, request.editor.step()).into_iter();
            let within = self.indented_fixes(finding).into_iter().take(MOST_TRIED);
            let held = self.without_dash(finding).into_iter();
            let held: Vec<Fix> = held.filter(|fix| proof.reduces(finding.code, &fix.edits)).collect();
            let left = |fix: &Fix, proof: &mut Proof| proof.remaining(&fix.edits).unwrap_or(usize::MAX);
            let item = held.into_iter().min_by_key(|fix| left(fix, proof));
            below.chain(item).chain(within).find(|fix| proof.reduces(finding.code, &fix.edits))
        };
        request.touched().filter(is_wanted).take(MOST).filter_map(fix).collect()
    }

    /// The fixes that decrease the indentation, for touched findings that none of `others` repairs without a removal.
    pub(super) fn outdenting_fixes(
        &self,
        request: &FixRequest<'_, '_>,
        others: &[Fix],
        proof: &mut Proof,
    ) -> Vec<Fix> {
        let fix = |finding: &Finding| {
            let outside = self.outside(finding).into_iter().take(MOST_TRIED);
            outside.into_iter().find(|fix| proof.reduces(finding.code, &fix.edits))
        };
        let wanted = request.with_codes(&UNKNOWN).filter(|finding| !is_repaired_by(others, finding));
        wanted.take(MOST).filter_map(fix).collect()
    }

    fn place(&self, at: TextSize) -> Option<ResourcePlace<'t, 'a>> {
        if let Some(resource) = Resource::at(self.document, self.reader, self.surroundings, at) {
            return find(resource.value, resource.shape(), at);
        }
        let definition = definition_at(self.document, self.reader, at)?;
        find(definition.value(), Shape::Api(FieldType::Object(definition.object_type())), at)
    }

    /// The shape of the mapping with the key of `entry`; `None` if it is not known.
    fn shape_around(&self, entry: Entry<'t>) -> Option<Shape<'a>> {
        let place = self.place(entry.key_range().start)?;
        let is_known = matches!(place.target, Target::Key(_)) && !matches!(place.shape, Shape::Open);
        is_known.then_some(place.shape)
    }

    /// Indents the key of `finding`, and the keys after it that belong to the same object, below a key
    /// without a value.
    fn below(&self, finding: &Finding, step: usize) -> Option<Fix> {
        let found = self.place(finding.range.start)?.entry?;
        let (holder, found) = entry_at(self.document, found.key_range())?;
        let mapping = holder.as_mapping().filter(|mapping| !mapping.is_flow())?;
        let outer = self.shape_around(found)?;
        // If the finding is about a missing value, its key may be the key without a value itself.
        let before = |entry: &Entry<'t>| mapping.entry_before(entry.range().start.checked_sub(1)?);
        let mut back = std::iter::successors(Some(found), before).take(MOST);
        let empty = back.find(|entry| is_empty(*entry))?;
        let inner = outer.member(&empty.key_text()?)?.shape;
        let belongs = |entry: &Entry<'t>| {
            let key = entry.key_text();
            let member = |shape: Shape<'a>| key.as_deref().and_then(|key| shape.member(key));
            let is_key_of_map = !matches!(inner, Shape::Open)
                && entry.value().as_scalar().is_some()
                && member(inner).is_some_and(|member| !member.is_named)
                && member(outer).is_none();
            entry.colon().is_some() && (is_key_of_map || is_named(member(inner)) && !is_named(member(outer)))
        };
        let behind = TextRange::new(empty.range().end, mapping.range().end);
        let run = mapping.entries_touching(behind).filter(|entry| entry.range().start > empty.range().start);
        let run: Vec<Entry<'t>> = run.take_while(belongs).collect();
        // The lines of the last key may go on with other fields of the object.
        let last = *run.last()?;
        let column = mapping.column()? + step;
        let own = last.value().as_mapping().filter(|value| value.column() == Some(column));
        let is_own = |line: &Entry<'t>| {
            let key = line.key_text();
            !key.as_deref().is_some_and(|key| is_named(inner.member(key)))
        };
        let kept = own.and_then(|value| value.entries().take_while(is_own).last());
        let end = kept.map_or(last.range().end, |kept| kept.range().end);
        let lines = TextRange::new(run.first()?.range().start, end);
        let names: Vec<String> =
            run.iter().filter_map(|entry| Some(format!("`{}`", entry.key_text()?))).collect();
        let title = format!("Indent {} below `{}`", text::listed(&names), empty.key_text()?);
        Some(Fix::suggested(title, moved(self.document, lines, step as isize)?, finding.code, finding.range))
    }

    /// The ways to make the key of `finding` the first one of an item.
    fn without_dash(&self, finding: &Finding) -> Vec<Fix> {
        let of_object = self.dash_of_object(finding).unwrap_or_default().into_iter();
        of_object.chain(self.dash_below_key(finding)).collect()
    }

    /// Adds the dash before an object in place of a list whose other lines are in the columns of an item, or two
    /// columns to the right of it. Without a syntax error, another fix makes the whole object an item.
    fn dash_of_object(&self, finding: &Finding) -> Option<Vec<Fix>> {
        let (holder, found) = entry_at(self.document, finding.range)?;
        let mapping = holder.as_mapping().filter(|mapping| !mapping.is_flow())?;
        let outer = self.shape_around(found)?;
        let is_broken = self.document.syntax().node().flags().errors;
        if !is_broken || !outer.is_list() || !is_named(outer.item()?.member(&found.key_text()?)) {
            return None;
        }
        let first = mapping.entries().next()?;
        let start = first.range().start;
        let before = TextRange::new(start.checked_sub(DASH as TextSize)?, start);
        let title = format!("Add `-` before `{}`", first.key_text()?);
        let fix = |edit: TextEdit| Fix::suggested(title.clone(), vec![edit], finding.code, finding.range);
        let has_room = text_of(self.document.syntax(), before) == "  ";
        let replaced = has_room.then(|| fix(TextEdit::replace(before, "- ")));
        Some(replaced.into_iter().chain([fix(TextEdit::insert(start, "- "))]).collect())
    }

    /// Makes the key of `finding`, and the keys after it that belong to the same object, an item of the list below a
    /// key without a value.
    fn dash_below_key(&self, finding: &Finding) -> Option<Fix> {
        let found = self.place(finding.range.start)?.entry?;
        let (holder, found) = entry_at(self.document, found.key_range())?;
        let mapping = holder.as_mapping().filter(|mapping| !mapping.is_flow())?;
        let outer = self.shape_around(found)?;
        let empty = mapping.entry_before(found.range().start.checked_sub(1)?).filter(|one| is_empty(*one))?;
        let item = outer.member(&empty.key_text()?)?.shape.item()?;
        let belongs = |entry: &Entry<'t>| {
            let named = |shape: Shape<'a>| entry.key_text().is_some_and(|key| is_named(shape.member(&key)));
            entry.colon().is_some() && named(item) && !named(outer)
        };
        let behind = TextRange::new(empty.range().end, mapping.range().end);
        let run = mapping.entries_touching(behind).filter(|entry| entry.range().start > empty.range().start);
        let run: Vec<Entry<'t>> = run.take_while(belongs).collect();
        let (first, rest) = run.split_first()?;
        let mut edits = vec![TextEdit::insert(first.range().start, "- ")];
        if let (Some(second), Some(last)) = (rest.first(), rest.last()) {
            let lines = TextRange::new(second.range().start, last.range().end);
            edits.extend(moved(self.document, lines, DASH)?);
        }
        let title = format!("Add `-` before `{}`", first.key_text()?);
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    }

    /// Ways to indent the key of `finding` like the keys of a mapping that ends before it, the innermost
    /// first; for a keyword among the names of properties, the schema of the property above first.
    fn indented_fixes(&self, finding: &Finding) -> Vec<Fix> {
        let entry = match finding.code {
            code if UNKNOWN.contains(&code) || OF_MAPS.contains(&code) => {
                entry_at(self.document, finding.range)
            }
            // A keyword among the names of properties belongs to the property above.
            Code::DecodeType if is_keyword_as_property(finding) => entry_with(self.document, finding.range),
            _ => None,
        };
        let Some((holder, entry)) = entry else { return Vec::new() };
        let Some(own) = holder.as_mapping().and_then(Mapping::column) else { return Vec::new() };
        let Some(before) = entry.range().start.checked_sub(1) else { return Vec::new() };
        let mappings: Vec<Mapping<'t>> =
            values_to(self.document, before).filter_map(Value::as_mapping).collect();
        let deeper = mappings.into_iter().rev().filter(|mapping| !mapping.is_flow());
        let fix = |mapping: Mapping<'t>| {
            let column = mapping.column().filter(|column| *column > own)?;
            let last = mapping.entry_before(before)?;
            if finding.code == Code::DecodeType && !fits_schema(entry, mapping) {
                return None;
            }
            if OF_MAPS.contains(&finding.code) && !is_object_alone(mapping) {
                return None;
            }
            let outer = self.shape_around(last)?;
            let member = outer.member(&entry.key_text()?)?;
            let lines = self.lines(entry, column, &member, outer)?;
            let title = format!("Indent `{}` like `{}`", entry.key_text()?, last.key_text()?);
            let edits = moved(self.document, lines, (column - own) as isize)?;
            Some(Fix::suggested(title, edits, finding.code, finding.range))
        };
        let mut fixes: Vec<Fix> = deeper.filter_map(fix).collect();
        if finding.code == Code::DecodeType {
            fixes.reverse();
        }
        fixes
    }

    /// Ways to indent the key of `finding` like the keys of an enclosing mapping, the innermost first. The
    /// key must be the last one of its mapping, or have no value, in which case the keys after it become its
    /// value.
    fn outside(&self, finding: &Finding) -> Vec<Fix> {
        let entry = UNKNOWN.contains(&finding.code).then(|| entry_at(self.document, finding.range)).flatten();
        let Some((holder, entry)) = entry else { return Vec::new() };
        let Some(mapping) = holder.as_mapping().filter(|mapping| !mapping.is_flow()) else {
            return Vec::new();
        };
        let behind = TextRange::new(entry.range().end, mapping.range().end);
        let is_last =
            mapping.entries_touching(behind).all(|other| other.range().start <= entry.range().start);
        let Some(own) = mapping.column().filter(|_| is_last || is_empty(entry)) else { return Vec::new() };
        let start = entry.range().start;
        let mappings: Vec<Mapping<'t>> =
            values_to(self.document, start).filter_map(Value::as_mapping).collect();
        let fix = |mapping: Mapping<'t>| {
            let column = mapping.column().filter(|column| *column < own && !mapping.is_flow())?;
            let around = mapping.entry_before(start)?;
            self.shape_around(around)?.member(&entry.key_text()?)?;
            let title = format!("Indent `{}` like `{}`", entry.key_text()?, around.key_text()?);
            let edits = moved(self.document, entry.range(), column as isize - own as isize)?;
            Some(Fix::suggested(title, edits, finding.code, finding.range))
        };
        mappings.into_iter().rev().filter_map(fix).collect()
    }

    /// The lines of `entry` that become `member` of a mapping at `column` with the shape `outer`, up to the first
    /// line that belongs to that mapping itself. `None` if the value does not fit.
    fn lines(
        &self,
        entry: Entry<'t>,
        column: usize,
        member: &Member<'a>,
        outer: Shape<'a>,
    ) -> Option<TextRange> {
        let value = entry.value().as_mapping().filter(|value| !value.is_flow());
        let Some(value) = value else {
            let fits = member.shape.is_object() == entry.value().as_mapping().is_some();
            return fits.then(|| entry.range());
        };
        // Values that are already deeper than the key's new column need no move.
        if value.column().is_some_and(|below| below > column) {
            return member
                .shape
                .is_object()
                .then(|| TextRange::new(entry.range().start, entry.key_range().end));
        }
        // Any key may be in a map, unless the mapping around it has a field of that name.
        let is_own_key = |key: &str| {
            let own = member.shape.member(key);
            own.as_ref().is_some_and(|own| own.is_named || !is_named(outer.member(key)))
        };
        let is_own = |line: &Entry<'t>| line.key_text().is_some_and(|key| is_own_key(&key));
        let kept = value.entries().take_while(is_own).last()?;
        let whole = TextRange::new(entry.range().start, kept.range().end);
        // The entry may also contain lines of the outer mapping.
        let text = text_of(self.document.syntax(), whole);
        let mut end = whole.start;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let indent = text::indentation(line);
            let is_beside = || {
                let key = line.trim_start().split(':').next().unwrap_or_default();
                indent == column && !is_own_key(key)
            };
            if at > 0 && !line.trim().is_empty() && is_beside() {
                break;
            }
            end += line.len() as TextSize;
        }
        Some(TextRange::new(whole.start, end))
    }
}

/// The innermost entry whose key or value is at `range`, and its mapping.
fn entry_with(document: Document<'_>, range: TextRange) -> Option<(Value<'_>, Entry<'_>)> {
    let is_it = |entry: &Entry<'_>| entry.key_range() == range || entry.value().range() == range;
    let entries = values_to(document, range.start + 1)
        .filter_map(|value| Some((value, value.as_mapping()?.entry_before(range.start + 1)?)));
    entries.filter(|(_, entry)| is_it(entry)).last()
}

/// Whether the keyword of `entry` applies to values of the type of `schema`, and requires no other fields than it declares.
fn fits_schema(entry: Entry<'_>, schema: Mapping<'_>) -> bool {
    let Some(keyword) = entry.key_text().and_then(|key| Keyword::parse(&key)) else { return true };
    let value = |keyword: Keyword| {
        schema.entries().find(|entry| entry.key_text().is_some_and(|key| key == keyword.as_str()))
    };
    let ty = value(Keyword::Type).and_then(|entry| Some(entry.value().as_scalar()?.text().into_owned()));
    let is_of_type = ty.is_none_or(|ty| keyword.applies_to(&ty));
    let properties = value(Keyword::Properties).and_then(|entry| entry.value().as_mapping());
    let is_declared = |name: &str| {
        let mut names = properties.into_iter().flat_map(Mapping::entries).filter_map(Entry::key_text);
        names.any(|key| key == name)
    };
    let required = entry.value().as_sequence().filter(|_| keyword == Keyword::Required);
    let mut required = required.into_iter().flat_map(|list| list.items()).take(MOST_REQUIRED);
    is_of_type && required.all(|item| item.value().as_scalar().is_some_and(|name| is_declared(&name.text())))
}

/// Whether `schema` is an object without other keywords than `type` and `description`.
fn is_object_alone(schema: Mapping<'_>) -> bool {
    let is_object = |entry: Entry<'_>| entry.value().as_scalar().is_some_and(|ty| ty.text() == "object");
    let mut entries = schema.entries();
    let states_object =
        entries.any(|entry| entry.key_text().is_some_and(|key| key == "type") && is_object(entry));
    let is_other =
        |entry: Entry<'_>| entry.key_text().is_none_or(|key| key != "type" && key != "description");
    states_object && !schema.entries().any(is_other)
}

fn is_empty(entry: Entry<'_>) -> bool {
    entry.colon().is_some() && matches!(entry.value().kind(), ValueKind::Absent)
}

/// Whether it is a named field of an object, not a key of a map.
fn is_named(member: Option<Member<'_>>) -> bool {
    member.is_some_and(|member| member.is_named)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    const RULES: &str =
        "x-kubernetes-validations:\n            - rule: '!has(self.modes) || self.size > 1'\n";
    const REQUIRED: &str = "            required:\n            - size\n";
    const NAMES: &str = "            properties:\n              size:\n";

    /// The texts after each fix of the only finding of `text`.
    #[track_caller]
    fn repaired(text: &str) -> Vec<String> {
        let file = File::new(text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        fixes.iter().map(|fix| text::applied(text, 0, &fix.edits)).collect()
    }

    #[test]
    fn a_keyword_among_names_of_properties_moves_to_the_schema_that_it_fits() {
        let rules = WIDGET.replace(&format!("            {RULES}"), &format!("              {RULES}"));
        assert_eq!(repaired(&rules).first().unwrap(), WIDGET);
        // The property above is a list, which cannot require fields.
        let without = WIDGET.replace(REQUIRED, "");
        let indented = "              required:\n              - size\n";
        let right = without.replace(RULES, &format!("{RULES}{REQUIRED}"));
        let last =
            without.replace(&format!("            {RULES}"), &format!("{indented}            {RULES}"));
        let first =
            without.replace(NAMES, &format!("            properties:\n{indented}              size:\n"));
        for written in [last, first] {
            assert_eq!(repaired(&written).first().unwrap(), &right);
        }
    }

    #[test]
    fn a_keyword_in_the_column_of_a_name_belongs_to_the_property_above() {
        let nullable =
            "                items:\n                  type: string\n                nullable: true\n";
        let right = WIDGET.replace("                items:\n                  type: string\n", nullable);
        let written = right.replace("  nullable", "nullable");
        assert_eq!(repaired(&written).first().unwrap(), &right);
        let outer = right
            .replace("                nullable: true\n", "")
            .replace("          status:\n", "            nullable: true\n          status:\n");
        let written = outer.replace("  nullable", "nullable");
        assert_eq!(repaired(&written).first().unwrap(), &outer);
    }
}
