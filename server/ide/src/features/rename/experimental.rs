//! Names of properties in two proposals: unions of a schema, and the paths of feature gates.

use crd::gates::FORMS;
use crd::object::CustomResourceDefinition;
use crd::schema::Schema;
use text::TextEdit;
use yaml::edit::{Editor, NewValue};
use yaml::scalar::ScalarStyle;
use yaml::{Scalar, Sequence, Value};

use crate::features::rename::schema::member;
use crate::features::rename::steps::edit;

/// The keyword of unions.
const UNIONS: &str = "x-kubernetes-unions";

/// Renames the property of `schema` from `old` to `new` in its unions.
pub(super) fn rename_in_unions<'t>(
    schema: &Schema<'_, 't>,
    old: &str,
    new: &str,
    editor: &mut Editor<'t>,
    edits: &mut Vec<TextEdit>,
) {
    let reader = schema.reader();
    let unions = member(schema.value(), UNIONS, reader).and_then(Value::as_sequence);
    for union in unions.into_iter().flat_map(Sequence::items).map(|item| item.value()) {
        if let Some(name) = member(union, "discriminator", reader)
            && let Some(scalar) = name.as_scalar().filter(|scalar| scalar.text() == old)
        {
            match scalar.style() {
                ScalarStyle::Plain => editor.replace(name, NewValue::Text(new.to_owned())),
                _ => edits.push(edit(scalar, 0..old.len(), new)),
            }
        }
        let fields = member(union, "fields", reader).and_then(Value::as_mapping);
        let mut fields = fields.into_iter().flat_map(yaml::Mapping::entries);
        if let Some(field) = fields.find(|entry| entry.key_text().is_some_and(|key| key == old)) {
            editor.rename(field, new);
        }
    }
}

/// The paths of the feature gates of `definition`.
pub(super) fn gate_paths<'t>(definition: &CustomResourceDefinition<'_, 't>) -> Vec<Scalar<'t>> {
    let reader = definition.reader();
    let items = |list: Option<Value<'t>>| {
        let list = list.and_then(Value::as_sequence);
        list.into_iter().flat_map(Sequence::items).map(|item| item.value())
    };
    let lists = FORMS.into_iter().filter_map(|form| {
        let holder = definition.field(&["spec", form])?;
        if holder.as_sequence().is_some() { Some(holder) } else { member(holder, "featureGates", reader) }
    });
    let gates = lists.flat_map(|list| items(Some(list)));
    let paths = gates.flat_map(|gate| items(member(gate, "fieldPaths", reader)));
    paths.filter_map(|path| reader.follow(path)?.as_scalar()).collect()
}
