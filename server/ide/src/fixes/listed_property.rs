//! The fix for the schema of a property among the names in `required`: moves it to `properties`.

use api::Code;
use crd::schema::Keyword;
use text::TextRange;
use yaml::edit::{Comments, NewEntry, Position};
use yaml::{Entry, Value};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::text_at::values_to;
use crate::analysis::values::own_entry;
use crate::{Finding, Fix};

const CODE: Code = Code::DecodeType;
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 4;
/// The maximum number of characters of a name that a title repeats.
const MOST_SHOWN: usize = 40;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fix = |finding: &Finding| {
        let at = finding.range.start + 1;
        let schema = values_to(document, at).find(|value| has_list_at(*value, finding.range))?;
        let list = own_entry(schema, Keyword::Required.as_str())?.value();
        let item = list.as_sequence()?.item_before(at)?;
        let mut entries = item.value().as_mapping()?.entries();
        let (property, None) = (entries.next()?, entries.next()) else { return None };
        property.value().as_mapping()?;
        let name = property.key_text()?;
        let properties = own_entry(schema, Keyword::Properties.as_str())?.value();
        if own_entry(properties, &name).is_some() {
            return None;
        }
        let mut editor = editor.fresh();
        editor.remove_item(list, item, Comments::Keep);
        editor.insert(properties, Position::End, NewEntry::copy(property)?);
        let edits = editor.finish().ok()?;
        let title = format!("Move `{}` to `properties`", text::start(&name, MOST_SHOWN));
        proof.reduces(CODE, &edits).then(|| Fix::suggested(title, edits, CODE, finding.range))
    };
    request.with_codes(&[CODE]).take(MOST).filter_map(&mut fix).collect()
}

/// Whether `value` is an object whose `required` contains `range`.
fn has_list_at(value: Value<'_>, range: TextRange) -> bool {
    let list = own_entry(value, Keyword::Required.as_str()).map(Entry::value);
    list.is_some_and(|list| list.as_sequence().is_some() && list.range().contains_range(range))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_property_among_required_names_moves_to_the_properties() {
        let property = "              count:\n                type: integer\n";
        let listed = "            - size\n            - count:\n                type: integer\n";
        let text = WIDGET.replacen("            - size\n", listed, 1);
        let file = File::new(&text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}");
        let fixes = file.fixes(found[0].range);
        let modes = "                items:\n                  type: string\n";
        let right = WIDGET.replacen(modes, &format!("{modes}{property}"), 1);
        let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
        assert_eq!(repaired, Some(right), "{fixes:#?}");
    }
}
