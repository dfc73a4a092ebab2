//! Completion in a resource or in a definition: keys and values.

mod column;
mod declared_properties;
mod defaults;
mod draft;
mod fitting;
mod gates;
mod head;
mod idioms;
mod keys;
mod names;
mod next_item;
mod objects;
mod paths;
mod probe;
mod proposal;
mod site;
mod skeleton;
mod values;
mod versions;

use crd::FieldPath;
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Scalar, Value, ValueKind};

use crate::analysis::resources::{Resource, ResourcePlace, Shape, Target, View, find};
use crate::analysis::suite::{self, TestedKind};
use crate::analysis::text_at::{definition_at, document_at, text_of};
use crate::features::cel::{Completion, CompletionKind, InsertedPiece, plain_text, snippet};
use crate::features::indent::Layout;
use column::ColumnProposals;
use draft::Draft;
use keys::Key;
use probe::Probe;
use skeleton::InsertionPoint;

/// The maximum number of proposals.
const MOST: usize = 2_000;

/// Returns the proposals at `offset` (in bytes), best first. If nothing fits in the column of the line, it
/// returns those for the column where the line belongs.
pub(crate) fn complete(view: View<'_>, offset: TextSize) -> Vec<Completion> {
    let here = proposals(view, offset, None);
    match column::proposals(view, offset, here.is_empty()) {
        ColumnProposals::Instead(elsewhere) => elsewhere,
        ColumnProposals::Besides(elsewhere) => here.into_iter().chain(elsewhere).collect(),
    }
}

/// The proposals at `offset` (in bytes) of a suite of test cases, best first.
pub(crate) fn complete_in_suite(
    view: View<'_>,
    offset: TextSize,
    tested: &[Option<TestedKind>],
) -> Vec<Completion> {
    proposals(view, offset, Some(tested))
}

/// The proposals at `offset`, in its column; in a suite of test cases, with the kinds that it tests.
fn proposals(view: View<'_>, offset: TextSize, tested: Option<&[Option<TestedKind>]>) -> Vec<Completion> {
    let probe = Probe::new(view.tree, offset);
    let Some(document) = document_at(&probe.tree, probe.at) else { return Vec::new() };
    let reader = Reader::new(document);
    let mut items = ProposalList { probe: &probe, range: TextRange::empty(offset), list: Vec::new() };
    let request = Request { view, probe: &probe, document, reader: &reader };
    match tested {
        Some(tested) => request.complete_in_suite(tested, &mut items),
        None => request.complete(&mut items),
    };
    if tested.is_none() {
        next_item::propose(&request, &mut items);
    }
    // In an editor whose Tab accepts a proposal, a list with only the current value would interrupt the way
    // to the next place.
    if let [only] = items.list.as_slice()
        && changes_nothing(only, view)
    {
        return Vec::new();
    }
    items.list.sort_by(|one, other| one.sort.cmp(&other.sort));
    items.list.truncate(MOST);
    items.list
}

/// Whether a proposal is the current value.
fn changes_nothing(proposal: &Completion, view: View<'_>) -> bool {
    let has_more = proposal.snippet.is_some() || proposal.indent.is_some() || proposal.suggests_again;
    !has_more
        && proposal.kind == CompletionKind::Value
        && proposal.text == text_of(view.tree.root(), proposal.range)
}

/// A request, in the tree of the probe.
struct Request<'a, 's> {
    view: View<'s>,
    probe: &'a Probe,
    document: Document<'a>,
    reader: &'a Reader<'a>,
}

impl<'a> Request<'a, '_> {
    fn complete(&self, items: &mut ProposalList<'_>) -> Option<()> {
        let at = self.probe.at;
        if let Some(resource) = Resource::at(self.document, self.reader, self.view.surroundings, at) {
            let place = find(resource.value, resource.shape(), at)?;
            return match head::object_named(self, resource.value, &place) {
                Some(object) => head::values(self, object, &place, items),
                None => self.place(&place, items),
            };
        }
        if let Some(definition) = definition_at(self.document, self.reader, at) {
            if gates::complete(self, &definition, items).is_some() {
                return Some(());
            }
            let shape = Shape::Api(api::FieldType::Object(definition.object_type()));
            let place = find(definition.value(), shape, at)?;
            if defaults::complete(self, &place, items).is_none() {
                self.place(&place, items);
            }
            gates::forms(self, place, items);
            return Some(());
        }
        head::complete(self, items)
    }

    fn complete_in_suite(&self, tested: &[Option<TestedKind>], items: &mut ProposalList<'_>) -> Option<()> {
        let at = self.probe.at;
        let request = (tested, &self.probe.tree, at);
        if let Some(resource) =
            suite::resource_at(self.document, self.reader, self.view.surroundings, request)
        {
            self.place(&find(resource.value, resource.shape(), at)?, items);
        }
        // Beside the fields of an object, those that name a file with the object.
        self.place(&find(self.document.root()?, suite::SUITE, at)?, items)
    }

    fn place(&self, place: &ResourcePlace<'a, '_>, items: &mut ProposalList<'_>) -> Option<()> {
        match place.target {
            Target::Key(holder) => keys::at_key(self, place, holder, items),
            Target::Value(value) => self.value(place, value, items),
        }
    }

    fn value(
        &self,
        place: &ResourcePlace<'a, '_>,
        value: Value<'a>,
        items: &mut ProposalList<'_>,
    ) -> Option<()> {
        let range = self.probe.in_text(value.range());
        let scalar = match value.kind() {
            ValueKind::Scalar(scalar) if is_on_one_line(scalar) => scalar,
            // Nothing is typed between the brackets, as the probe would be there.
            _ => return None,
        };
        items.range = range;
        let is_list = place.shape.is_list();
        if !is_list && !place.shape.is_object() {
            values::propose(self, place, scalar, items);
            return Some(());
        }
        let before = self.line_before(range.start);
        let is_first = before.trim_start().bytes().all(|byte| matches!(byte, b'-' | b' '));
        let column = before.len().saturating_sub(self.probe.indent());
        let is_json = self.is_json(place);
        let layout = Layout::of(self.document, &self.probe.tree);
        let draft = Draft::at(self);
        let point = InsertionPoint { column, in_flow: place.in_flow, is_json, layout, draft: Some(&draft) };
        if is_list && is_first && !place.in_flow {
            let list = place.member.as_ref()?;
            values::item(list, point, String::new(), items);
        } else if !is_list && is_first && !place.in_flow {
            keys::propose(self, place, point, ("", scalar.style()), items);
            let key = Key { style: scalar.style(), has_value: false, insertion_point: point };
            declared_properties::propose(self, place, &[], (key, ""), items);
        } else if place.in_flow && self.probe.is_blank() {
            values::in_flow(place, point, items);
        } else if !place.in_flow && self.probe.is_blank() {
            // Behind the colon, the value begins on the next line.
            let entry = place.entry?;
            let key = self.probe.in_text(entry.key_range());
            let outer = self.line_before(key.start).len().saturating_sub(self.probe.indent());
            values::below(self, place, InsertionPoint { column: outer, ..point }, items);
        }
        Some(())
    }

    /// Whether the object at the cursor is cluster-scoped, as definitions are.
    fn is_cluster_scoped(&self) -> bool {
        let at = self.probe.at;
        let resource = Resource::at(self.document, self.reader, self.view.surroundings, at);
        match resource.as_ref().and_then(Resource::version) {
            Some(version) => !version.namespaced,
            None => definition_at(self.document, self.reader, at).is_some(),
        }
    }

    /// Whether the file is JSON by its name.
    fn is_json_file(&self) -> bool {
        self.view.surroundings.source.ends_with(".json")
    }

    /// Whether `place` is in JSON: within braces whose keys are in double quotes.
    fn is_json(&self, place: &ResourcePlace<'a, '_>) -> bool {
        let root = self.document.root().and_then(Value::as_mapping);
        place.in_flow && root.is_some_and(|root| root.is_flow() && root.entries().any(keys::is_json_key))
    }

    /// The line of the cursor up to `offset` of the text.
    fn line_before(&self, offset: TextSize) -> &str {
        let start = self.probe.offset as usize - self.probe.line.len();
        let end = (offset as usize).saturating_sub(start);
        self.probe.line.get(..end).unwrap_or(&self.probe.line)
    }
}

fn is_on_one_line(scalar: Scalar<'_>) -> bool {
    !scalar.token().text.contains(['\n', '\r'])
}

/// The proposals under construction.
struct ProposalList<'p> {
    probe: &'p Probe,
    /// The range that they replace, in bytes of the text.
    range: TextRange,
    list: Vec<Completion>,
}

/// A proposal without its edit.
struct ProposalDraft {
    label: String,
    kind: CompletionKind,
    /// Lower ranks come first.
    rank: u8,
    detail: String,
    documentation: String,
    pieces: Vec<InsertedPiece>,
}

impl ProposalList<'_> {
    fn push(&mut self, item: ProposalDraft) {
        self.add(item);
    }

    /// Adds a proposal, and returns it for further changes.
    fn add(&mut self, item: ProposalDraft) -> Option<&mut Completion> {
        let mut pieces = item.pieces;
        if !self.probe.gap().is_empty() && !starts_line(&pieces) {
            pieces.insert(0, InsertedPiece::Text(self.probe.gap().into()));
        }
        let has_stops = pieces.iter().any(InsertedPiece::is_stop);
        let order = self.list.len();
        let text = plain_text(&pieces);
        // Without places to fill in, only the first line is inserted.
        let is_below = text.starts_with('\n');
        let text = match text.find('\n') {
            Some(end) if !is_below => text.get(..end).unwrap_or_default().to_owned(),
            _ => text,
        };
        // A comment on the line remains there.
        let comment = self.probe.comment_behind().filter(|_| is_below).unwrap_or_default();
        let range = TextRange::new(self.range.start, self.range.end + comment.len() as TextSize);
        let comment = if self.probe.line.ends_with(' ') { comment.trim_start() } else { comment };
        let text = format!("{comment}{text}");
        pieces.insert(0, InsertedPiece::Text(comment.to_owned().into()));
        let comma = self.probe.comma();
        let text = if has_stops { text } else { text + comma };
        pieces.extend(
            Some(comma).filter(|comma| !comma.is_empty()).map(|comma| InsertedPiece::Text(comma.into())),
        );
        self.list.push(Completion {
            label: item.label,
            kind: item.kind,
            detail: item.detail,
            documentation: item.documentation,
            range,
            text,
            snippet: has_stops.then(|| snippet(&pieces)),
            sort: format!("{}{order:04}", item.rank),
            belongs_to: String::new(),
            filter: None,
            suggests_again: false,
            is_draft: false,
            indent: self.probe.comma_before(),
        });
        self.list.last_mut()
    }
}

fn starts_line(pieces: &[InsertedPiece]) -> bool {
    matches!(pieces.first(), Some(InsertedPiece::Text(text)) if text.starts_with('\n'))
}

/// Whether `path` is that of a field of the object itself.
fn is_field(path: &FieldPath, name: &str) -> bool {
    matches!(path.segments(), [only] if only.key() == Some(name))
}
