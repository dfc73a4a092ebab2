//! Fields with any value, for which Go has types that a definition cannot describe.

use super::mistake::{CheckedFile, Mistake, MistakeText, advised};
use crate::edits::field_at;
use crate::generate::Outcome;
use crate::load::Place;
use crate::syntax::{File, Span};

/// The package of the type for any JSON, and its usual name.
const APIEXTENSIONS: &str = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
const ALIAS: &str = "apiextensionsv1";
/// The markers that allow any value for a field, regardless of its Go type.
const MARKERS: [&str; 2] = ["kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:Schemaless"];

/// The title of the fix that adds these markers.
pub const ANY_VALUE: &str = "Allow any value with `Schemaless` and `PreserveUnknownFields`";

/// Whether a type that is written like this holds any value.
pub(super) fn is_anything(written: &str) -> bool {
    matches!(written, "any" | "interface{}" | "json.RawMessage")
}

/// The problem and the remedy for such a type.
pub(super) fn mistake_text(written: &str) -> MistakeText {
    advised(
        format!("no schema describes the type `{written}`"),
        "use `apiextensionsv1.JSON`, or add `Schemaless` and `PreserveUnknownFields`",
    )
}

impl Outcome {
    /// Adds both fixes for a field with any value.
    pub(super) fn with_anything(&self, mistake: Mistake) -> Mistake {
        let place = mistake.place;
        let Some(file) = self.source(place.file) else { return mistake };
        let imported = file.imports.iter().find(|import| *import.path == *APIEXTENSIONS);
        let name = imported.map_or(ALIAS, |import| import.name.as_deref().unwrap_or("v1"));
        let mut edits = vec![(place, format!("{name}.JSON"))];
        if imported.is_none() {
            let (at, text) = import_of(file);
            edits.insert(0, (Place { file: place.file, span: Span { start: at, end: at } }, text));
        }
        let mistake = mistake.or_repaired(format!("Use `{name}.JSON`"), edits);
        let seen = CheckedFile::all(place.file, file, self.version);
        let Some((field, _)) = field_at(file, place.span.start) else { return mistake };
        let Some(indent) = seen.indent_of(field.spec.span) else { return mistake };
        let at = field.spec.span.start;
        let markers = MARKERS.map(|marker| format!("// +{marker}\n{indent}")).concat();
        let above = Place { file: place.file, span: Span { start: at, end: at } };
        mistake.or_repaired(ANY_VALUE.to_owned(), vec![(above, markers)])
    }
}

/// The place of a new import, in bytes, and its text.
fn import_of(file: &File) -> (u32, String) {
    let written = format!("{ALIAS} \"{APIEXTENSIONS}\"");
    let Some(last) = file.imports.iter().max_by_key(|import| import.span.end) else {
        return (file.package.span.end, format!("\n\nimport {written}"));
    };
    let line = file.text.get(..last.span.start as usize).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
    let keyword = if line.trim_start().starts_with("import ") { "import " } else { "" };
    (last.span.end, format!("\n{indent}{keyword}{written}"))
}
