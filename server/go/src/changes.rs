//! What an edit of a Go file may change: which types, and so which kinds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::load::{FileId, Place};
use crate::syntax::{DeclarationKind, Expr, ExprKind, File, Span};
use crate::version::Version;

/// From places in an earlier text of a file to those in a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// What both texts have in common: so many bytes at the beginning, and all from these on.
    start: u32,
    before: u32,
    after: u32,
    /// The types that are written alike in both: where each was, and where it begins now.
    types: Vec<(Span, u32)>,
}

impl Move {
    pub(crate) fn between(before: &File, after: &File) -> Self {
        let (old, new) = (&before.text, &after.text);
        let same = |(one, other): &(u8, u8)| one == other;
        let start = old.bytes().zip(new.bytes()).take_while(same).count();
        let rest = old.len().min(new.len()) - start;
        let end = old.bytes().rev().zip(new.bytes().rev()).take(rest).take_while(same).count();
        let now: HashMap<&str, Span> = regions(after).into_iter().collect();
        let types = regions(before).into_iter().filter_map(|(name, span)| {
            let found = now.get(name).filter(|found| after.slice(**found) == before.slice(span))?;
            Some((span, found.start))
        });
        Self {
            start: start as u32,
            before: (old.len() - end) as u32,
            after: (new.len() - end) as u32,
            types: types.collect(),
        }
    }

    /// The same bytes in the later text; they did not change.
    pub(crate) fn moved(&self, span: Span) -> Span {
        let is_in = |(of, _): &&(Span, u32)| of.start <= span.start && span.end <= of.end;
        if let Some((of, start)) = self.types.iter().find(is_in) {
            return Span { start: span.start - of.start + start, end: span.end - of.start + start };
        }
        let at = |at: u32| {
            if at < self.before || at <= self.start { at } else { at - self.before + self.after }
        };
        Span { start: at(span.start), end: at(span.end) }
    }
}

/// The places of what was generated earlier, in the texts of now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    all: Vec<(FileId, Move)>,
}

impl Moves {
    pub(crate) fn push(&mut self, file: FileId, by: Move) {
        self.all.push((file, by));
    }

    pub(crate) fn now(&self, place: Place) -> Place {
        let found = self.all.iter().find(|(file, _)| *file == place.file);
        found.map_or(place, |(_, by)| Place { span: by.moved(place.span), ..place })
    }
}

/// The names of the types that may be other ones after an edit of a file; none where anything may be.
pub(crate) fn changed_types(before: &File, after: &File, version: Version) -> Option<HashSet<String>> {
    if !before.errors.is_empty()
        || !after.errors.is_empty()
        || shared(before, version) != shared(after, version)
    {
        return None;
    }
    let texts = |file: &'_ File| -> HashMap<String, String> {
        let all = regions(file).into_iter();
        all.map(|(name, span)| (name.to_owned(), file.slice(span).to_owned())).collect()
    };
    let (before, after) = (texts(before), texts(after));
    let differs = |one: &HashMap<String, String>, other: &HashMap<String, String>| {
        let changed = one.iter().filter(|(name, text)| other.get(*name) != Some(*text));
        changed.map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    Some(differs(&before, &after).into_iter().chain(differs(&after, &before)).collect())
}

/// What of a file matters to types that stand elsewhere.
fn shared(file: &File, version: Version) -> Vec<String> {
    let markers = file.associated(version).package.into_iter();
    let markers = markers.map(|comment| file.slice(comment.span).to_owned());
    let imports = file.imports.iter().map(|import| format!("{:?} {}", import.name, import.path));
    let constants = file.declarations.iter().filter(|one| matches!(one.kind, DeclarationKind::Const(_)));
    let constants = constants.map(|one| file.slice(one.span).to_owned());
    let methods = file.marshalers.iter().map(|one| format!("{} {:?}", one.receiver, one.encoding));
    markers.chain(imports).chain(constants).chain(methods).collect()
}

/// The types, each with the comments before it.
fn regions(file: &File) -> Vec<(&str, Span)> {
    let mut regions = Vec::new();
    let mut start = 0;
    for declaration in &file.declarations {
        let rest = file.text.get(declaration.span.end as usize..).unwrap_or("");
        let end = declaration.span.end + rest.find('\n').unwrap_or(rest.len()) as u32;
        if let DeclarationKind::Type(types, _) = &declaration.kind {
            regions.extend(types.iter().map(|declared| (&*declared.name.name, Span { start, end })));
        }
        start = end;
    }
    regions
}

/// The names in `changed`, with those of the types in `files` that name one of them, however indirectly.
pub(crate) fn affected(changed: HashSet<String>, files: &[Arc<File>]) -> HashSet<String> {
    let mut named_by: HashMap<&str, Vec<&str>> = HashMap::new();
    for file in files {
        for (_, declared) in file.types() {
            for_each_name(&declared.expr, &mut |name| {
                named_by.entry(name).or_default().push(&declared.name.name);
            });
        }
    }
    let mut pending: Vec<String> = changed.iter().cloned().collect();
    let mut affected = changed;
    while let Some(name) = pending.pop() {
        for by in named_by.get(name.as_str()).map(Vec::as_slice).unwrap_or_default() {
            if affected.insert((*by).to_owned()) {
                pending.push((*by).to_owned());
            }
        }
    }
    affected
}

fn for_each_name<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e str)) {
    match &expr.kind {
        ExprKind::Ident(name) | ExprKind::Qualified(_, name) => visit(name),
        ExprKind::Pointer(inner)
        | ExprKind::Slice(inner)
        | ExprKind::Array(inner)
        | ExprKind::Paren(inner) => for_each_name(inner, visit),
        ExprKind::Map(key, value) => {
            for_each_name(key, visit);
            for_each_name(value, visit);
        }
        ExprKind::Struct(fields) => fields.iter().for_each(|field| for_each_name(&field.expr, visit)),
        ExprKind::Interface(_, embedded) => embedded.iter().for_each(|inner| for_each_name(inner, visit)),
        ExprKind::Instance(inner, arguments) => {
            for_each_name(inner, visit);
            arguments.iter().for_each(|argument| for_each_name(argument, visit));
        }
        ExprKind::Func | ExprKind::Chan | ExprKind::Other => {}
    }
}
