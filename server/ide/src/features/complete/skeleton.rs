//! The text to insert: a key with the required parts of its value, as pieces to fill in.

use std::borrow::Cow;

use api::{FieldType, OBJECT_META};
use yaml::edit::quoted;

use super::draft::Draft;
use super::proposal::{has_known_values, items_have_known_values};
use crate::analysis::resources::{Member, Shape};
use crate::features::cel::InsertedPiece;
use crate::features::indent::Layout;
use crate::features::resources::{default, flow};

/// The number of columns from a dash to its value.
const DASH: usize = 2;
/// The depth to which required fields are written.
const DEEPEST: usize = 5;
/// The maximum number of pieces of a proposal.
const MOST: usize = 60;

/// The position of an insertion.
#[derive(Clone, Copy)]
pub(super) struct InsertionPoint<'d> {
    /// The column of its key or dash, counted from the blanks at the start of the line, which clients add to each line.
    pub(super) column: usize,
    /// Whether it is within brackets or braces.
    pub(super) in_flow: bool,
    /// Whether it is in JSON, where keys and strings have quotes.
    pub(super) is_json: bool,
    /// The indentation of the lines below it.
    pub(super) layout: Layout,
    /// The values to fill in within a definition.
    pub(super) draft: Option<&'d Draft>,
}

/// A text to insert.
pub(super) struct Skeleton {
    pub(super) pieces: Vec<InsertedPiece>,
    /// Whether values are proposed at the first place to fill in.
    pub(super) suggests_again: bool,
}

/// A key of `holder`, its colon and the required parts of its value.
pub(super) fn entry(holder: Shape<'_>, member: &Member<'_>, point: InsertionPoint<'_>) -> Skeleton {
    let mut writer = Writer::new(point);
    writer.entry(holder, member, point.column, DEEPEST);
    writer.skeleton()
}

/// A dash and the required parts of the item of `list`; `None` if it is not a list.
pub(super) fn item(list: &Member<'_>, point: InsertionPoint<'_>) -> Option<Skeleton> {
    let shape = list.shape.item().filter(|_| list.shape.is_list())?;
    let mut writer = Writer::new(point);
    writer.item(list, shape, point.column, DEEPEST);
    Some(writer.skeleton())
}

/// An object or a list of `shape` with its required parts, on one line, and its label; `member` is the field
/// whose value it is. `None` if `shape` is neither.
pub(super) fn in_flow(
    shape: Shape<'_>,
    member: Option<&Member<'_>>,
    point: InsertionPoint<'_>,
) -> Option<(&'static str, Skeleton)> {
    let mut writer = Writer::new(point);
    if shape.is_list() {
        writer.list(member?, DEEPEST);
        return Some(("[]", writer.skeleton()));
    }
    let required = writer.required(shape, DEEPEST);
    writer.text("{");
    writer.members(shape, &required, 0, DEEPEST);
    writer.text("}");
    shape.is_object().then(|| ("{}", writer.skeleton()))
}

struct Writer<'d> {
    pieces: Vec<InsertedPiece>,
    in_flow: bool,
    is_json: bool,
    layout: Layout,
    draft: Option<&'d Draft>,
    /// Whether values are proposed at the first place to fill in; `None` before there is one.
    suggests_again: Option<bool>,
}

impl<'d> Writer<'d> {
    const fn new(point: InsertionPoint<'d>) -> Self {
        let InsertionPoint { in_flow, is_json, layout, draft, .. } = point;
        Self { pieces: Vec::new(), in_flow, is_json, layout, draft, suggests_again: None }
    }

    fn skeleton(self) -> Skeleton {
        Skeleton { pieces: self.pieces, suggests_again: self.suggests_again.unwrap_or_default() }
    }

    fn text(&mut self, text: impl Into<Cow<'static, str>>) {
        self.pieces.push(InsertedPiece::Text(text.into()));
    }

    fn line(&mut self, column: usize) {
        self.text(format!("\n{}", " ".repeat(column)));
    }

    fn stop(&mut self, text: impl Into<Cow<'static, str>>, suggests_again: bool) {
        self.suggests_again.get_or_insert(suggests_again);
        self.pieces.push(InsertedPiece::Stop(text.into()));
    }

    fn entry(&mut self, holder: Shape<'_>, member: &Member<'_>, column: usize, deepest: usize) {
        let name = match self.is_json {
            true => yaml::Json::String(member.name.to_string()).to_string(),
            false => quoted(&member.name, self.in_flow),
        };
        self.text(format!("{name}:"));
        match &*member.name {
            "openAPIV3Schema" if member.field.is_some() && !self.in_flow => self.root_schema(column),
            _ => self.value(holder, member, column, deepest),
        }
    }

    /// The schema of whole resources, which is always an object.
    fn root_schema(&mut self, column: usize) {
        let column = column + self.layout.step;
        self.line(column);
        self.text("type: object");
        self.line(column);
        self.text("properties:");
        self.line(column + self.layout.step);
        self.stop("", false);
    }

    /// Writes the value of a key of `holder` at `column`.
    fn value(&mut self, holder: Shape<'_>, member: &Member<'_>, column: usize, deepest: usize) {
        let shape = member.shape;
        if shape.is_list() {
            if self.in_flow {
                return self.flow_list(member, deepest);
            }
            let column = column + self.layout.dash;
            self.line(column);
            return self.item(member, shape.item().unwrap_or(Shape::Open), column, deepest);
        }
        if !shape.is_object() {
            self.text(" ");
            let drafted = self.draft.and_then(|draft| draft.value(holder.object_name()?, &member.name));
            let likely = drafted.map_or_else(|| likely(shape), ToOwned::to_owned);
            return self.scalar(shape, likely, has_known_values(holder, member));
        }
        let required = self.required(shape, deepest);
        if self.in_flow {
            self.text(" {");
            self.members(shape, &required, column, deepest);
            return self.text("}");
        }
        let column = column + self.layout.step;
        self.line(column);
        self.members(shape, &required, column, deepest);
    }

    /// A list within brackets, with an item if the item has required fields.
    fn flow_list(&mut self, list: &Member<'_>, deepest: usize) {
        self.text(" ");
        self.list(list, deepest);
    }

    fn list(&mut self, list: &Member<'_>, deepest: usize) {
        let shape = list.shape.item().unwrap_or(Shape::Open);
        let required = self.required(shape, deepest);
        self.text("[");
        if required.is_empty() {
            self.scalar(shape, likely(shape), items_have_known_values(list));
        } else {
            self.text("{");
            self.members(shape, &required, 0, deepest);
            self.text("}");
        }
        self.text("]");
    }

    /// A value that is neither a list nor an object, with the initial text `likely`.
    fn scalar(&mut self, shape: Shape<'_>, likely: String, suggests_again: bool) {
        let is_text = match shape {
            Shape::Schema(node) => &*node.schema.generic.type_name == "string",
            Shape::Api(ty) => matches!(ty, FieldType::String),
            Shape::Open => false,
        };
        if !self.is_json || !is_text {
            return self.stop(likely, suggests_again);
        }
        self.text("\"");
        self.stop(likely, suggests_again);
        self.text("\"");
    }

    fn item(&mut self, list: &Member<'_>, shape: Shape<'_>, column: usize, deepest: usize) {
        self.text("- ");
        if !shape.is_object() {
            return self.stop(likely(shape), items_have_known_values(list));
        }
        let required = self.required(shape, deepest);
        self.members(shape, &required, column + DASH, deepest);
    }

    fn required<'s>(&self, shape: Shape<'s>, deepest: usize) -> Vec<Member<'s>> {
        if deepest == 0 || self.pieces.len() > MOST {
            return Vec::new();
        }
        let members = shape.members().into_iter();
        let mut needed: Vec<_> =
            members.filter(|member| member.required || is_needed(shape, member)).collect();
        needed.sort_by_key(|member| !member.identifies);
        needed
    }

    /// Writes `members`; the first one follows the last piece directly.
    fn members(&mut self, holder: Shape<'_>, members: &[Member<'_>], column: usize, deepest: usize) {
        if members.is_empty() {
            return self.stop("", false);
        }
        for (at, member) in members.iter().enumerate() {
            match (at, self.in_flow) {
                (0, _) => {}
                (_, true) => self.text(", "),
                (_, false) => self.line(column),
            }
            self.entry(holder, member, column, deepest.saturating_sub(1));
        }
    }
}

/// Whether the server requires a field that its published API has as optional: the name of an object, the
/// schema of a version, and the address of a webhook.
fn is_needed(shape: Shape<'_>, member: &Member<'_>) -> bool {
    let Shape::Api(FieldType::Object(object)) = shape else { return false };
    match object.name {
        "CustomResourceDefinitionVersion" => member.name == "schema",
        "WebhookConversion" => member.name == "clientConfig",
        "CustomResourceValidation" => member.name == "openAPIV3Schema",
        _ => std::ptr::eq(object, &raw const OBJECT_META) && member.name == "name",
    }
}

/// The most likely value.
fn likely(shape: Shape<'_>) -> String {
    match shape {
        Shape::Schema(node) => {
            let first = default(node).or_else(|| node.schema.value_validation.enumeration.first());
            first.map(flow).unwrap_or_default()
        }
        Shape::Api(_) | Shape::Open => String::new(),
    }
}
