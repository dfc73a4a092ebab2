//! Kinds and lists without the marker for which controller-gen generates `DeepCopyObject`, although their list or kind has it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kinds::{ROOT, embedded};
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::load::Place;
use crate::syntax::{DeclarationKind, FileMarkers, MarkerComment, Span, TypeDeclaration};

/// The end of the names of lists.
const LIST: &str = "List";

/// The start of the names of generated files. They are from an earlier text, so their methods prove nothing.
const GENERATED: &str = "zz_generated";

/// The value that disables the marker.
const DISABLED: &str = "false";

/// Whether a type has the marker.
enum Root<'f> {
    Present,
    Absent,
    Disabled(&'f MarkerComment),
    /// Another generator makes the function, or the marker is misspelt, which is reported already.
    Other,
}

/// A kind or a list.
struct Object<'f> {
    seen: CheckedFile<'f>,
    declared: &'f TypeDeclaration,
    markers: &'f [MarkerComment],
}

/// Checks the kinds of a package and their lists.
pub(super) fn check(files: &[(CheckedFile<'_>, Arc<FileMarkers>)], found: &mut Vec<Mistake>) {
    let objects: BTreeMap<&str, Object<'_>> = files.iter().flat_map(objects).collect();
    for (name, object) in &objects {
        let partner = name.strip_suffix(LIST).map_or_else(|| format!("{name}{LIST}"), str::to_owned);
        let has_marker = |partner: &Object<'_>| matches!(partner.root(), Root::Present);
        if !objects.get(&*partner).is_some_and(has_marker) {
            continue;
        }
        let disabled = match object.root() {
            Root::Present | Root::Other => continue,
            Root::Absent => None,
            Root::Disabled(comment) => Some(comment),
        };
        let method = format!("*{name}) DeepCopyObject()");
        if !files.iter().any(|(seen, _)| !is_generated(*seen) && seen.file.text.contains(&method)) {
            found.push(object.mistake((name, &partner), disabled));
        }
    }
}

fn is_generated(seen: CheckedFile<'_>) -> bool {
    let name = seen.file.path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(GENERATED))
}

/// The kinds and lists of a file by their names.
fn objects<'f>(
    (seen, associated): &'f (CheckedFile<'f>, Arc<FileMarkers>),
) -> impl Iterator<Item = (&'f str, Object<'f>)> {
    let is_object = |declared: &&TypeDeclaration| {
        let meta = if declared.name.name.ends_with(LIST) { "ListMeta" } else { "ObjectMeta" };
        ["TypeMeta", meta].into_iter().all(|part| embedded(&declared.expr, part).is_some())
    };
    let declared = seen.file.types().map(|(_, declared)| declared).filter(is_object);
    declared.map(|declared| {
        let markers = associated.types.get(declared.name.span.start).unwrap_or_default();
        (&*declared.name.name, Object { seen: *seen, declared, markers })
    })
}

impl<'f> Object<'f> {
    fn root(&self) -> Root<'f> {
        let mut other = false;
        for comment in self.markers {
            let text = self.seen.text(comment).trim_end();
            if text == ROOT {
                return Root::Present;
            }
            let name = ROOT.trim_end_matches("true");
            if text.strip_prefix(name) == Some(DISABLED) {
                return Root::Disabled(comment);
            }
            let is_similar = text.contains("object") || text.contains("root") || text.contains("deepcopy");
            other |= is_similar && comment.read.is_none();
        }
        if other { Root::Other } else { Root::Absent }
    }

    fn mistake(&self, (name, partner): (&str, &str), disabled: Option<&MarkerComment>) -> Mistake {
        let problem = format!(
            "no `DeepCopyObject` is generated for {name}, as it is for {partner}, so {name} is no `runtime.Object`"
        );
        if let Some(comment) = disabled {
            let start = ROOT.len() - "true".len();
            let place = self.seen.place_in_marker(comment, start..start + DISABLED.len());
            return Mistake::replaced_word(MistakeKind::Value, place, problem, (DISABLED, "true"));
        }
        let marker = ROOT.trim_start_matches('+');
        let place = self.seen.place(self.declared.name.span);
        let mistake = Mistake::new(MistakeKind::Value, place, advised(problem, format!("add `{marker}`")));
        match self.insertion() {
            Some(edit) => mistake.repaired(format!("Add `{marker}`"), vec![edit], false),
            None => mistake,
        }
    }

    /// The edit that inserts the marker before the other markers of the type, in their form, or directly above the type.
    fn insertion(&self) -> Option<(Place, String)> {
        let first = self.markers.iter().find(|comment| self.seen.text(comment).starts_with("+kubebuilder:"));
        let (start, slashes) = match first {
            Some(first) => {
                let start = first.comment.start;
                (start, self.seen.file.slice(Span { start, end: first.span.start }))
            }
            None => {
                let at = self.declared.name.span.start;
                let (declaration, _) =
                    self.seen.file.types().find(|(_, other)| other.name.span.start == at)?;
                let is_alone = matches!(declaration.kind, DeclarationKind::Type(_, false));
                (is_alone.then_some(declaration.span.start)?, "// ")
            }
        };
        let span = Span { start, end: start };
        let indent = self.seen.indent_of(span)?;
        Some((self.seen.place(span), format!("{slashes}{ROOT}\n{indent}")))
    }
}
