//! Placeholders for values that only the author knows.

use yaml::edit::{NewEntry, NewValue};

use crate::analysis::resources::shape::{SchemaNode, Shape};
use crate::features::resources::explain::{default, flow};

/// The greatest depth of required fields that are filled in.
const DEEPEST: usize = 6;
/// The maximum number of required fields of one object that are filled in.
const MOST: usize = 50;

/// A value of the shape `shape`: its default, the first allowed value, or the smallest value of its type.
pub(super) fn placeholder<'t>(shape: Shape<'_>) -> Option<NewValue<'t>> {
    of_shape(shape, DEEPEST)
}

fn of_shape<'t>(shape: Shape<'_>, deepest: usize) -> Option<NewValue<'t>> {
    let node = shape.schema()?;
    let rules = &node.schema.value_validation;
    if let Some(value) = default(node).or_else(|| rules.enumeration.first()) {
        return Some(match value.as_str() {
            Some(text) => NewValue::Text(text.to_owned()),
            None => NewValue::Raw(flow(value)),
        });
    }
    Some(match &*node.schema.generic.type_name {
        "string" => NewValue::Text(least_text(node)),
        "integer" | "number" => NewValue::Raw(least_number(node)),
        "boolean" => NewValue::Raw("false".to_owned()),
        "array" => {
            let count = usize::try_from(rules.min_items.unwrap_or(0)).ok()?;
            let item = shape.item().filter(|_| count > 0 && deepest > 0);
            let item = item.and_then(|item| of_shape(item, deepest - 1));
            NewValue::Sequence { flow: item.is_none(), items: item.into_iter().collect() }
        }
        "object" => {
            let required = shape.members().into_iter().filter(|member| member.required).take(MOST);
            let required = required.filter(|_| deepest > 0);
            let entries = required.filter_map(|member| {
                Some(NewEntry::new(member.name.to_string(), of_shape(member.shape, deepest - 1)?))
            });
            let entries: Vec<_> = entries.collect();
            NewValue::Mapping { flow: entries.is_empty(), entries }
        }
        _ if node.schema.extensions.int_or_string => NewValue::Raw("0".to_owned()),
        _ => return None,
    })
}

fn least_text(node: SchemaNode<'_>) -> String {
    let length = usize::try_from(node.schema.value_validation.min_length.unwrap_or(0)).unwrap_or(0);
    "x".repeat(length.min(100))
}

fn least_number(node: SchemaNode<'_>) -> String {
    let rules = &node.schema.value_validation;
    let above = rules.minimum.map(|least| if rules.exclusive_minimum { least + 1.0 } else { least });
    let below = rules.maximum.map(|most| if rules.exclusive_maximum { most - 1.0 } else { most });
    let mut number = 0.0;
    if let Some(below) = below {
        number = below.min(number);
    }
    if let Some(above) = above {
        number = above.max(number);
    }
    number.to_string()
}
