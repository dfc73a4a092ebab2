//! Types with rules that no kind reaches yet: they are written before the field that has them.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::Outcome;
use crate::definition::META;
use crate::marker::Meaning;
use crate::syntax::{Associated, ExprKind, File, TypeDeclaration};

/// How the names of the kinds begin that are declared for such types.
const ROOT: &str = "CrdLsRootOf";

/// So many types are looked at.
const MOST: usize = 64;

impl Outcome {
    /// The files of the packages that were named, each with kinds behind it that hold the types with rules that no kind reaches;
    /// only the files that get one. Whoever generates of them has definitions for these rules.
    #[must_use]
    pub fn with_roots(&self) -> Vec<(&File, String)> {
        let kinds: HashSet<&str> = self.files.iter().map(|file| &*file.definition.names.kind).collect();
        let named: Vec<&File> = self.named().collect();
        let mut texts: Vec<(&File, String)> = Vec::new();
        let mut count = 0;
        for file in &named {
            let associated = file.associated(self.version);
            for declared in file.types().map(|(_, declared)| declared) {
                if count == MOST
                    || !has_rules(declared, &associated)
                    || kinds.contains(&*declared.name.name)
                    || is_reached(&declared.name.name, &kinds, self)
                {
                    continue;
                }
                // The types of a kind are imported somewhere in its package.
                let beside =
                    |other: &&&File| other.path.parent() == file.path.parent() && meta(other).is_some();
                let Some((at, meta)) =
                    [file].into_iter().chain(&named).find(beside).and_then(|at| Some((*at, meta(at)?)))
                else {
                    continue;
                };
                count += 1;
                let root = root_of(&declared.name.name, meta);
                match texts.iter_mut().find(|(of, _)| of.path == at.path) {
                    Some((_, text)) => text.push_str(&root),
                    None => texts.push((at, format!("{}{root}", at.text))),
                }
            }
        }
        texts
    }

    /// Keeps only the definitions of the kinds that [`Self::with_roots`] declares.
    pub fn keep_roots(&mut self) {
        self.files.retain(|file| file.definition.names.kind.starts_with(ROOT));
    }
}

/// A kind that holds a type under its own name, which paths show then.
fn root_of(name: &str, meta: &str) -> String {
    format!(
        "\n\ntype {ROOT}{name} struct {{\n\t{meta}.TypeMeta `json:\",inline\"`\n\t{meta}.ObjectMeta `json:\"metadata,omitempty\"`\n\t{name} \
         {name} `json:\"{name}\"`\n}}\n"
    )
}

/// The name that a file has for the package of `TypeMeta`.
fn meta(file: &File) -> Option<&str> {
    let import = file.imports.iter().find(|import| import.path == META)?;
    Some(import.name.as_deref().unwrap_or("v1")).filter(|name| !matches!(*name, "_" | "."))
}

/// Whether a type, or one of its fields, has a rule.
fn has_rules(declared: &TypeDeclaration, associated: &Associated) -> bool {
    if declared.is_alias || !declared.parameters.is_empty() {
        return false;
    }
    let fields = match &declared.expr.kind {
        ExprKind::Struct(fields) => fields.as_slice(),
        _ => &[],
    };
    let of_fields = fields.iter().filter_map(|field| associated.fields.get(field.spec.span.start));
    let lists = associated.types.get(declared.name.span.start).into_iter().chain(of_fields);
    let mut read = lists.flatten().filter_map(|comment| comment.read.as_deref());
    read.any(|read| read.refusals.is_empty() && read.marker.meaning() == Meaning::Validation)
}

/// Whether a kind holds a type of the name, however deep. Types of the same name in several packages count as one.
fn is_reached(name: &Arc<str>, kinds: &HashSet<&str>, outcome: &Outcome) -> bool {
    let mut seen = HashSet::from([Arc::clone(name)]);
    let mut pending = vec![Arc::clone(name)];
    while let Some(name) = pending.pop() {
        for by in outcome.sources().iter().flat_map(|file| file.types_naming(&name)) {
            if kinds.contains(&**by) {
                return true;
            }
            if seen.insert(Arc::clone(by)) {
                pending.push(Arc::clone(by));
            }
        }
    }
    false
}
