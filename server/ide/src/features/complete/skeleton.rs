//! What is inserted: a key with what its value needs, as pieces to fill in.

use std::borrow::Cow;

use api::{FieldType, OBJECT_META};
use yaml::edit::quoted;

use crate::analysis::grammar;
use crate::analysis::resources::{Member, Shape};
use crate::features::cel::Piece;
use crate::features::indent::Layout;
use crate::features::resources::{default, flow};

/// Columns from a dash to what stands behind it.
const DASH: usize = 2;
/// How deep required fields are spelled out.
const DEEPEST: usize = 5;
/// How many pieces one proposal has.
const MOST: usize = 60;

/// Where something is inserted.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// The column of its key or dash, counted from the blanks at the start of the line, which clients add to each line.
    pub(super) column: usize,
    /// Whether it stands within brackets or braces.
    pub(super) in_flow: bool,
    /// How the lines below it are indented.
    pub(super) layout: Layout,
}

/// A key, its colon and what its value needs.
pub(super) fn entry(member: &Member<'_>, spot: Spot) -> Vec<Piece> {
    let mut writer = Writer { pieces: Vec::new(), in_flow: spot.in_flow, layout: spot.layout };
    writer.entry(member, spot.column, DEEPEST);
    writer.pieces
}

/// A dash and what the item needs.
pub(super) fn item(shape: Shape<'_>, spot: Spot) -> Vec<Piece> {
    let mut writer = Writer { pieces: Vec::new(), in_flow: spot.in_flow, layout: spot.layout };
    writer.item(shape, spot.column, DEEPEST);
    writer.pieces
}

struct Writer {
    pieces: Vec<Piece>,
    in_flow: bool,
    layout: Layout,
}

impl Writer {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    fn line(&mut self, column: usize) {
        self.text(format!("\n{}", " ".repeat(column)));
    }

    fn stop(&mut self, text: impl Into<Cow<'static, str>>) {
        self.pieces.push(Piece::Stop(text.into()));
    }

    fn entry(&mut self, member: &Member<'_>, column: usize, deepest: usize) {
        self.text(format!("{}:", quoted(&member.name, self.in_flow)));
        match &*member.name {
            "openAPIV3Schema" if member.field.is_some() && !self.in_flow => self.root_schema(column),
            // A new version is one that clients are to use.
            "served" if member.field.is_some() => {
                self.text(" ");
                self.stop("true");
            }
            _ => self.value(member.shape, column, deepest),
        }
    }

    /// The schema of whole resources, which is that of an object.
    fn root_schema(&mut self, column: usize) {
        let column = column + self.layout.step;
        self.line(column);
        self.text("type: object");
        self.line(column);
        self.text("properties:");
        self.line(column + self.layout.step);
        self.stop("");
    }

    /// What stands behind the colon of a key at `column`.
    fn value(&mut self, shape: Shape<'_>, column: usize, deepest: usize) {
        if shape.is_list() {
            if self.in_flow {
                self.text(" [");
                self.stop("");
                return self.text("]");
            }
            let column = column + self.layout.dash;
            self.line(column);
            return self.item(shape.item().unwrap_or(Shape::Open), column, deepest);
        }
        if !shape.is_object() {
            self.text(" ");
            return self.stop(likely(shape));
        }
        let required = self.required(shape, deepest);
        if self.in_flow {
            self.text(" {");
            self.members(&required, column, deepest);
            return self.text("}");
        }
        let column = column + self.layout.step;
        self.line(column);
        self.members(&required, column, deepest);
    }

    fn item(&mut self, shape: Shape<'_>, column: usize, deepest: usize) {
        self.text("- ");
        if !shape.is_object() {
            return self.stop(likely(shape));
        }
        let required = self.required(shape, deepest);
        self.members(&required, column + DASH, deepest);
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

    /// The first one goes where the last piece ends.
    fn members(&mut self, members: &[Member<'_>], column: usize, deepest: usize) {
        if members.is_empty() {
            return self.stop("");
        }
        for (at, member) in members.iter().enumerate() {
            match (at, self.in_flow) {
                (0, _) => {}
                (_, true) => self.text(", "),
                (_, false) => self.line(column),
            }
            self.entry(member, column, deepest.saturating_sub(1));
        }
    }
}

/// What the server asks for although its published API does not say so: the name of an object, and the schema of a version.
fn is_needed(shape: Shape<'_>, member: &Member<'_>) -> bool {
    let Shape::Api(FieldType::Object(object)) = shape else { return false };
    match object.name {
        "CustomResourceDefinitionVersion" => member.name == "schema",
        "CustomResourceValidation" => member.name == "openAPIV3Schema",
        _ => std::ptr::eq(object, &raw const OBJECT_META) && member.name == "name",
    }
}

/// What most likely stands there.
fn likely(shape: Shape<'_>) -> String {
    match shape {
        Shape::Schema(node) => {
            let first = default(node).or_else(|| node.schema.value_validation.enumeration.first());
            first.map(flow).unwrap_or_default()
        }
        Shape::Api(ty) if grammar::is_schema(ty) => String::new(),
        _ => String::new(),
    }
}
