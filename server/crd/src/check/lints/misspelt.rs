//! Properties of the root whose names are almost those of the fields that objects have there.

use api::Code;

use super::super::Position;
use super::super::Stage;
use super::super::outcome::{Builder, NodeFinding, name};
use crate::field_path::Segment;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::suggest::root_field;

/// Checks the names of `properties`, if they are those of the root.
pub(super) fn check(properties: &Members<'_>, position: Position, out: &mut Builder) {
    if position != Position::Root {
        return;
    }
    for (key, entry) in &properties.entries {
        let Some(field) = root_field(key).filter(|field| properties.get(field).is_none()) else { continue };
        let place = out.place_of(entry.key_range());
        let tail = vec![name(Keyword::Properties), Segment::Key(key.as_ref().into())];
        let words = format!("`{key}` is probably a misspelling of `{field}`, a field at the root of objects");
        let code = Code::LintMisspeltProperty;
        let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, tail, words);
        out.push(finding.advise(format!("rename it to `{field}`")));
    }
}
