//! The lines of a sample: its fields, and further optional fields as comments.

use crd::FieldPath;
use crd::generate::{Solver, put};
use crd::value::{Kind, Value};
use yaml::Json;
use yaml::edit::scalar;

use crate::features::preview::json_as_yaml;
use crate::features::preview::sample::minimal::minimal;
use crate::features::preview::sample::view::View;

/// The number of levels of optional fields; only required fields are shown below.
const OPTIONAL_LEVELS: usize = 2;
/// The maximum length of a description in characters; longer ones are cut.
const LONGEST: usize = 110;
/// The maximum length in characters of a list in one line of a comment; longer lists use several lines.
const LONGEST_INLINE: usize = 80;

/// A line, and the blocks of comments that contain it, from the outside to the inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) blocks: Vec<Block>,
    /// The line after all comments are removed.
    pub(super) text: String,
}

/// An optional field, which is written as a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) number: usize,
    /// The column of its `# `, in bytes from the start of the line.
    column: usize,
}

impl Line {
    /// The line with its comments.
    pub(super) fn with_comments(&self) -> String {
        let mut text = self.text.clone();
        for block in self.blocks.iter().rev() {
            text.insert_str(block.column.min(text.len()), "# ");
        }
        text
    }

    fn indent(&mut self) {
        self.text.insert_str(0, "  ");
        self.blocks.iter_mut().for_each(|block| block.column += 2);
    }
}

/// Writes a sample.
pub(super) struct Writer<'v> {
    /// `None` if the response of the server is unknown.
    solver: Option<Solver<'v>>,
    object: Value,
    blocks: usize,
}

impl<'v> Writer<'v> {
    pub(super) fn new(solver: Option<Solver<'v>>, object: Value) -> Self {
        Self { solver, object, blocks: 0 }
    }

    pub(super) fn lines(&mut self, root: &View<'_>) -> Vec<Line> {
        let object = self.object.clone();
        let mut lines = comment_of(root);
        for name in ["apiVersion", "kind", "metadata"] {
            lines.extend(object.get(name).iter().flat_map(|value| entry(name, &value.to_json())));
        }
        // The status is written by controllers.
        let is_left_out = |name: &str| {
            matches!(name, "apiVersion" | "kind" | "metadata")
                || name == "status" && object.get(name).is_none()
        };
        let names = root.names();
        for name in names.iter().filter(|name| !is_left_out(name)) {
            lines.extend(self.field(name, root, &FieldPath::root(), &object, 0));
        }
        // A schema that is not structural is published without its fields.
        let is_head = |name: &str| matches!(name, "apiVersion" | "kind" | "metadata");
        let others = object.as_map().into_iter().flatten();
        for (name, member) in others.filter(|(name, _)| !is_head(name) && !root.declares(name)) {
            lines.extend(entry(name, &member.value.to_json()));
        }
        lines
    }

    /// The lines of a field; as a comment if the sample does not have it.
    fn field(
        &mut self,
        name: &str,
        holder: &View<'_>,
        path: &FieldPath,
        object: &Value,
        optional: usize,
    ) -> Vec<Line> {
        let of = holder.property(name);
        let path = path.child(name.to_owned());
        let mut lines = comment_of(&of);
        if let Some(value) = crd::generate::value_at(object, path.segments()) {
            lines.extend(self.present(name, &of, &path, value, object, optional));
            return lines;
        }
        let first = Value::from(&minimal(&of));
        let value = match &mut self.solver {
            Some(solver) => solver.optional(object, &path, first.clone()).unwrap_or(first),
            None => first,
        };
        let with = put(object, path.segments(), &value).unwrap_or_else(|| object.clone());
        self.blocks += 1;
        let block = Block { number: self.blocks, column: 0 };
        let text = inline(&value);
        match text.filter(|text| text.len() <= LONGEST_INLINE) {
            Some(text) => lines.push(line(format!("{}: {text}", scalar(name)))),
            None => lines.extend(self.present(name, &of, &path, &value, &with, optional + 1)),
        }
        lines.iter_mut().for_each(|line| line.blocks.insert(0, block));
        lines
    }

    /// The lines of a field that the sample has.
    fn present(
        &mut self,
        name: &str,
        of: &View<'_>,
        path: &FieldPath,
        value: &Value,
        object: &Value,
        optional: usize,
    ) -> Vec<Line> {
        let is_open = of.has_properties() && !of.has_fixed_value() && optional < OPTIONAL_LEVELS;
        let Some(map) = value.as_map().filter(|_| is_open) else { return entry(name, &value.to_json()) };
        let names = of.names();
        let (first, rest): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| map.contains_key(*name));
        let mut below = Vec::new();
        for name in first {
            below.extend(self.field(name, of, path, object, optional));
        }
        for (name, member) in map.iter().filter(|(name, _)| !of.declares(name)) {
            below.extend(entry(name, &member.value.to_json()));
        }
        if below.is_empty() {
            // Nothing can be uncommented below `{}`, so one of its fields is shown, if one is allowed.
            let Some((shown, value)) = self.one_of(&rest, of, path, object) else {
                return entry(name, &value.to_json());
            };
            let Some(object) = put(object, path.child(shown.clone()).segments(), &value) else {
                return entry(name, &value.to_json());
            };
            let value = crd::generate::value_at(&object, path.segments()).cloned().unwrap_or(value);
            return self.present(name, of, path, &value, &object, optional);
        }
        for name in rest {
            below.extend(self.field(name, of, path, object, optional));
        }
        below.iter_mut().for_each(Line::indent);
        std::iter::once(line(format!("{}:", scalar(name)))).chain(below).collect()
    }

    /// The first of the fields `names` that is allowed, with its value. Fields without further fields come first.
    fn one_of(
        &mut self,
        names: &[&str],
        of: &View<'_>,
        path: &FieldPath,
        object: &Value,
    ) -> Option<(String, Value)> {
        let solver = self.solver.as_mut()?;
        let mut names = names.to_vec();
        names.sort_by_key(|name| of.property(name).has_properties());
        names.into_iter().take(OF_EMPTY).find_map(|name| {
            let first = Value::from(&minimal(&of.property(name)));
            let value = solver.optional(object, &path.child(name.to_owned()), first)?;
            let is_something = !matches!(&value.kind, Kind::Map(map) if map.is_empty());
            is_something.then(|| (name.to_owned(), value))
        })
    }
}

/// The maximum number of fields that are tried for an object that would be empty.
const OF_EMPTY: usize = 12;

fn line(text: String) -> Line {
    Line { blocks: Vec::new(), text }
}

/// A list of scalars on one line, which can be uncommented as a whole.
fn inline(value: &Value) -> Option<String> {
    let items = value.as_list()?;
    let is_scalar = |item: &Value| !matches!(item.kind, Kind::List(_) | Kind::Map(_));
    items.iter().all(is_scalar).then(|| value.to_json().to_string())
}

/// A key with its value.
fn entry(key: &str, value: &Json) -> Vec<Line> {
    let text = json_as_yaml(value);
    let key = scalar(key);
    let is_block = match value {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if !is_block {
        return vec![line(format!("{key}: {}", text.trim_end()))];
    }
    let below = text.lines().map(|text| line(format!("  {text}")));
    std::iter::once(line(format!("{key}:"))).chain(below).collect()
}

/// The comment on a field: its description and its possible values.
fn comment_of(of: &View<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(Json::String(text)) = of.keyword("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
        lines
            .extend(Some(crate::analysis::short::shorten(&words, LONGEST)).filter(|words| !words.is_empty()));
    }
    lines.extend(of.facts().map(|facts| crate::analysis::short::shorten(&facts, LONGEST)));
    lines.into_iter().map(|text| line(format!("# {text}"))).collect()
}
