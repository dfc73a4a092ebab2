//! Parts of a definition that name a field that no property declares: required fields, rules, and the paths of
//! columns, selectable fields and the scale subresource.

use api::Code;
use crd::{Segment, value_at};
use text::TextRange;
use yaml::{Document, Entry, Reader};

use crate::Finding;
use crate::analysis::text_at::text_of;
use crate::analysis::values::own_entry;

/// An undeclared field, and the properties beside which it should be declared.
pub(crate) struct UndeclaredField<'t> {
    pub(crate) name: String,
    /// The path of the schema that has the properties.
    pub(crate) object: Vec<Segment>,
    pub(crate) properties: Vec<Entry<'t>>,
}

/// Whether a finding with `code` is about an undeclared field.
pub(crate) const fn is_of_name(code: Code) -> bool {
    matches!(
        code,
        Code::LintRequiredUndefined
            | Code::CelRuleCompile
            | Code::LintColumnPath
            | Code::LintScalePath
            | Code::SelectableFieldsPath
    )
}

impl<'t> UndeclaredField<'t> {
    /// The field that `finding` is about; `None` if the properties of its object are unknown, or declare it.
    pub(crate) fn of(document: Document<'t>, reader: &Reader<'t>, finding: &Finding) -> Option<Self> {
        let root = document.root()?;
        let text = |range| text_of(document.syntax(), range);
        let path = finding.field_path.segments();
        let start = finding.range.start;
        let properties_of = |object: &[Segment]| -> Option<Vec<Entry<'t>>> {
            let properties = own_entry(value_at(root, object, reader)?, "properties")?.value();
            Some(properties.as_mapping()?.entries().collect())
        };
        let is_declared = |entries: &[Entry<'t>], name: &str| {
            entries.iter().any(|entry| entry.key_text().is_some_and(|key| key == name))
        };
        let (name, object) = match (finding.code, path) {
            (Code::LintRequiredUndefined, [object @ .., _, _]) => (text(finding.range), object.to_vec()),
            (Code::CelRuleCompile, [object @ .., _, _, _]) => {
                let before = text(TextRange::new(start.checked_sub(5)?, start));
                (before == "self.").then_some(())?;
                (text(finding.range), object.to_vec())
            }
            (code, [spec, versions, index, ..]) if is_of_name(code) => {
                let step = |name: &'static str| Segment::Name(name.into());
                let mut object = vec![spec.clone(), versions.clone(), index.clone()];
                object.extend(["schema", "openAPIV3Schema"].map(step));
                let whole = text(value_at(root, path, reader)?.range());
                let mut steps = whole.trim_matches(['"', '\'']).split('.').filter(|step| !step.is_empty());
                let undeclared = steps.find(|step| {
                    let is_last = !properties_of(&object).is_some_and(|entries| is_declared(&entries, step));
                    if !is_last {
                        object.extend([Segment::Name("properties".into()), Segment::Key((*step).into())]);
                    }
                    is_last
                });
                (undeclared?.to_owned(), object)
            }
            _ => return None,
        };
        let is_of_name = |char: char| char.is_alphanumeric() || char == '_' || char == '-';
        let name = name.trim_matches(['"', '\'']).to_owned();
        let properties = properties_of(&object)?;
        let is_name = !name.is_empty() && name.chars().all(is_of_name);
        (is_name && !is_declared(&properties, &name)).then_some(Self { name, object, properties })
    }
}
