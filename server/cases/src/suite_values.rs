//! The values in the text of a suite, with their lines.

use std::borrow::Cow;

use crd::value::Value;
use text::{LineIndex, TextSize};
use yaml::{Document, Mapping, Reader, Sequence, Tree};

use crate::suite::{Object, Patch, Problem};

/// A document of a suite.
pub(crate) struct Page<'t> {
    pub(crate) reader: Reader<'t>,
    lines: &'t LineIndex<'t>,
    pub(crate) root: Mapping<'t>,
    /// Its first line, from 1.
    pub(crate) line: usize,
}

impl<'t> Page<'t> {
    /// The document, if it decodes and contains an object.
    pub(crate) fn new(document: Document<'t>, lines: &'t LineIndex<'t>) -> Result<Self, Problem> {
        let line = |offset| line_of(lines, offset);
        yaml::decode(document)
            .map_err(|error| Problem { line: line(error.range.start), text: error.message.clone() })?;
        let start = document.root().map_or(document.range().start, |root| root.range().start);
        let root = document.root().and_then(yaml::Value::as_mapping).ok_or_else(|| Problem {
            line: line(start),
            text: "a suite is an object; write its cases below a key".to_owned(),
        })?;
        Ok(Self { reader: Reader::new(document), lines, root, line: line(start) })
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: TextSize) -> usize {
        line_of(self.lines, offset)
    }

    /// A member that is present and not null.
    pub(crate) fn member(&self, of: Mapping<'t>, name: &str) -> Option<yaml::Value<'t>> {
        let value = self.reader.follow(self.reader.entry(of, name)?.value())?;
        (!self.value(value).is_null()).then_some(value)
    }

    /// A text member, if it is present. A value of another type is a problem.
    pub(crate) fn optional_text(
        &self,
        of: Mapping<'t>,
        name: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<Cow<'t, str>> {
        let value = self.member(of, name)?;
        let text = value.as_scalar().and_then(yaml::Scalar::as_str);
        if text.is_none() {
            self.report(value.range().start, format!("`{name}` is not text; quote it"), problems);
        }
        text
    }

    /// The list called `name`. A value of another type is a problem.
    fn list(&self, of: Mapping<'t>, name: &str, problems: &mut Vec<Problem>) -> Option<Sequence<'t>> {
        let value = self.member(of, name)?;
        let list = value.as_sequence();
        if list.is_none() {
            let text = format!("`{name}` is not a list; write its entries with `-`");
            self.report(value.range().start, text, problems);
        }
        list
    }

    /// The mappings in a list.
    pub(crate) fn objects(
        &self,
        of: Mapping<'t>,
        name: &str,
        problems: &mut Vec<Problem>,
    ) -> Vec<Mapping<'t>> {
        let Some(list) = self.list(of, name, problems) else { return Vec::new() };
        let mut objects = Vec::new();
        for item in list.items() {
            match self.reader.follow(item.value()).and_then(yaml::Value::as_mapping) {
                Some(object) => objects.push(object),
                None => {
                    let text =
                        format!("an entry of `{name}` is not an object; write its keys and their values");
                    self.report(item.range().start, text, problems);
                }
            }
        }
        objects
    }

    /// The texts in a list. Values of other types are problems.
    pub(crate) fn texts(&self, of: Mapping<'t>, name: &str, problems: &mut Vec<Problem>) -> Vec<String> {
        let Some(list) = self.list(of, name, problems) else { return Vec::new() };
        let mut texts = Vec::new();
        for item in list.items() {
            let value = self.reader.follow(item.value());
            match value.and_then(|value| Some(value.as_scalar()?.as_str()?.into_owned())) {
                Some(text) => texts.push(text),
                None => {
                    let text = format!("an entry of `{name}` is not text; quote it");
                    self.report(item.range().start, text, problems);
                }
            }
        }
        texts
    }

    /// A value as JSON.
    pub(crate) fn value(&self, value: yaml::Value<'t>) -> Value {
        Value::read(value, &self.reader)
    }

    /// The steps of a patch.
    pub(crate) fn patches(&self, of: Mapping<'t>, name: &str, problems: &mut Vec<Problem>) -> Vec<Patch> {
        let null = || Value::made(crd::value::Kind::Null);
        let steps = self.objects(of, name, problems);
        let mut patch = |step: Mapping<'t>| {
            let mut text = |name| self.optional_text(step, name, problems).unwrap_or_default().into_owned();
            let (op, path, from) = (text("op"), text("path"), text("from"));
            let value = self.member(step, "value").map_or_else(null, |value| self.value(value));
            Patch { op, path, from, value }
        };
        steps.into_iter().map(&mut patch).collect()
    }

    pub(crate) fn report(&self, at: TextSize, text: String, problems: &mut Vec<Problem>) {
        problems.push(Problem { line: self.line(at), text });
    }
}

fn line_of(lines: &LineIndex<'_>, offset: TextSize) -> usize {
    lines.line_at(offset) as usize + 1
}

/// The object in a text; the first if there are several documents.
///
/// # Errors
/// If there is no object.
pub fn object_of_text(text: &str) -> Object {
    let tree = Tree::parse(text);
    let documents = tree.documents().find(|document| document.root().is_some());
    let Some(document) = documents else { return Err("the object is missing".to_owned()) };
    object_of(document)
}

/// The object of a document.
pub(crate) fn object_of(document: Document<'_>) -> Object {
    yaml::decode(document).map_err(|error| error.to_string())?;
    let Some(root) = document.root() else { return Err("the object is missing".to_owned()) };
    let value = Value::read(root, &Reader::new(document));
    match value.as_map() {
        Some(_) => Ok(value),
        None => Err(format!("it is {}, not an object", value.type_name())),
    }
}
