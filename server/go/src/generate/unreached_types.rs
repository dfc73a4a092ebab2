//! Types with rules that no kind refers to yet: users write a type before the field that has it.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::Outcome;
use crate::definition::name_of_meta;
use crate::marker::Meaning;
use crate::syntax::{ExprKind, File, FileMarkers, TypeDeclaration};

/// The prefix of the names of kinds that are declared for such types.
const ROOT: &str = "CrdLsRootOf";

/// The maximum number of such types.
const MOST: usize = 64;

impl Outcome {
    /// The files of the named packages with additional kinds at their end, which hold the types with rules that no kind
    /// refers to. Omits files without such types. A generation from these texts contains the definitions of these rules.
    #[must_use]
    pub fn with_roots(&self) -> Vec<(&File, String)> {
        let kinds: HashSet<&str> = self.files.iter().map(|file| &*file.definition.names.kind).collect();
        let named: Vec<&File> = self.files_of_named_packages().collect();
        let mut texts: Vec<(&File, String)> = Vec::new();
        // Other modules do not refer to these types.
        let own: Vec<_> = self.sources().iter().filter(|file| self.loaded.is_own(&file.path)).collect();
        let mut reached = HashSet::new();
        let mut count = 0;
        for file in &named {
            let associated = file.associated(self.version);
            for declared in file.types().map(|(_, declared)| declared) {
                if count == MOST
                    || !has_rules(declared, &associated)
                    || kinds.contains(&*declared.name.name)
                    || is_reached(&declared.name.name, &kinds, &own, &mut reached)
                {
                    continue;
                }
                // Some file of the package imports the types of a kind.
                let beside = named.iter().filter(|other| other.path.parent() == file.path.parent());
                let mut with_meta =
                    [file].into_iter().chain(beside).filter_map(|at| Some((*at, name_of_meta(at)?)));
                let Some((at, meta)) = with_meta.next() else { continue };
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

/// A kind that holds a type in a field of the same name, so that paths show the name.
fn root_of(name: &str, meta: &str) -> String {
    format!(
        "\n\ntype {ROOT}{name} struct {{\n\t{meta}.TypeMeta `json:\",inline\"`\n\t{meta}.ObjectMeta `json:\"metadata,omitempty\"`\n\t{name} \
         {name} `json:\"{name}\"`\n}}\n"
    )
}

/// Whether a type, or one of its fields, has a rule.
fn has_rules(declared: &TypeDeclaration, associated: &FileMarkers) -> bool {
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

/// Whether a kind refers to a type of this name, at any depth. `files` are the files that may name it, and `reached` are the
/// names for which this is known. Types with the same name in different packages count as one.
fn is_reached(
    name: &Arc<str>,
    kinds: &HashSet<&str>,
    files: &[&Arc<File>],
    reached: &mut HashSet<Arc<str>>,
) -> bool {
    let mut seen = HashSet::from([Arc::clone(name)]);
    let mut pending = vec![Arc::clone(name)];
    while let Some(current) = pending.pop() {
        for by in files.iter().flat_map(|file| file.types_naming(&current)) {
            if kinds.contains(&**by) || reached.contains(by) {
                reached.insert(Arc::clone(name));
                return true;
            }
            if seen.insert(Arc::clone(by)) {
                pending.push(Arc::clone(by));
            }
        }
    }
    false
}
