//! The keywords that markers set, by the kind of values that a keyword restricts.

use super::checks::{
    MarkerRefusal, at_least_one, bound, external_docs, flag, int, list, numeric, object, one_of, one_word,
    rule, simple_rule, text,
};
use super::collect::PlacedMarker;
use super::model::Schema;
use super::problem::ProblemKind;
use crate::json::Json;
use crate::marker::{Data, Meaning};
use crate::version::{Change, Version};

/// The name of the keyword that a function has set; `None` if the marker belongs to another function, or sets nothing.
type SetKeyword = Result<Option<&'static str>, MarkerRefusal>;

const SETTERS: [fn(&mut Schema, &PlacedMarker, Version) -> SetKeyword; 8] = [
    set_number_keyword,
    set_string_keyword,
    set_list_keyword,
    set_object_keyword,
    set_value,
    set_annotation,
    add_rules,
    add_required_bound,
];

/// Sets the keyword of a marker as controller-gen `version` does.
pub(super) fn set(schema: &mut Schema, marked: &PlacedMarker, version: Version) -> SetKeyword {
    for set in SETTERS {
        if let Some(keyword) = set(schema, marked, version)? {
            return Ok(Some(keyword));
        }
    }
    Ok(None)
}

/// Markers for numbers.
fn set_number_keyword(schema: &mut Schema, marked: &PlacedMarker, _: Version) -> SetKeyword {
    let marker = &marked.marker;
    let keyword = match marker.meaning() {
        Meaning::Maximum => {
            schema.maximum = Some(bound(schema, marker, "maximum")?);
            "maximum"
        }
        Meaning::Minimum => {
            schema.minimum = Some(bound(schema, marker, "minimum")?);
            "minimum"
        }
        Meaning::MultipleOf => {
            schema.multiple_of = Some(bound(schema, marker, "multipleof")?);
            "multipleOf"
        }
        Meaning::ExclusiveMaximum => {
            numeric(schema, "exclusivemaximum")?;
            schema.exclusive_maximum = flag(marker);
            "exclusiveMaximum"
        }
        Meaning::ExclusiveMinimum => {
            numeric(schema, "exclusiveminimum")?;
            schema.exclusive_minimum = flag(marker);
            "exclusiveMinimum"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers for strings.
fn set_string_keyword(schema: &mut Schema, marked: &PlacedMarker, version: Version) -> SetKeyword {
    let marker = &marked.marker;
    let textual = version.has(Change::TextualValue);
    let keyword = match marker.meaning() {
        Meaning::MaxLength => {
            text(schema, "maxlength", textual)?;
            schema.max_length = int(marker);
            "maxLength"
        }
        Meaning::MinLength => {
            text(schema, "minlength", textual)?;
            schema.min_length = int(marker);
            "minLength"
        }
        Meaning::Pattern => {
            text(schema, "pattern", textual)?;
            marker.text("").clone_into(&mut schema.pattern);
            "pattern"
        }
        Meaning::Format => {
            marker.text("").clone_into(&mut schema.format);
            "format"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers for lists.
fn set_list_keyword(schema: &mut Schema, marked: &PlacedMarker, version: Version) -> SetKeyword {
    let marker = &marked.marker;
    let keyword = match marker.meaning() {
        Meaning::MaxItems => {
            list(schema, "must apply maxitem to an array")?;
            schema.max_items = int(marker);
            "maxItems"
        }
        Meaning::MinItems => {
            list(schema, "must apply minitems to an array")?;
            schema.min_items = int(marker);
            "minItems"
        }
        Meaning::UniqueItems => {
            list(schema, "must apply uniqueitems to an array")?;
            schema.unique_items = flag(marker);
            "uniqueItems"
        }
        Meaning::ListType => {
            list(schema, format!("must apply listType to an array, found {}", schema.kind))?;
            schema.list_type = Some(one_word(
                marker,
                &["map", "set", "atomic"],
                "ListType must be either \"map\", \"set\" or \"atomic\"",
            )?);
            "x-kubernetes-list-type"
        }
        Meaning::ListMapKey => {
            list(schema, format!("must apply listMapKey to an array, found {}", schema.kind))?;
            if schema.list_type.as_deref() != Some("map") {
                let message = "must apply listMapKey to an associative-list";
                return Err(MarkerRefusal::marker(ProblemKind::NoListMap, message));
            }
            let key = marker.text("").to_owned();
            if !version.has(Change::K8sListType) || !schema.list_map_keys.contains(&key) {
                schema.list_map_keys.push(key);
            }
            "x-kubernetes-list-map-keys"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers for objects.
fn set_object_keyword(schema: &mut Schema, marked: &PlacedMarker, _: Version) -> SetKeyword {
    let marker = &marked.marker;
    let keyword = match marker.meaning() {
        Meaning::MinProperties => {
            object(schema, "must apply minproperties to an object")?;
            schema.min_properties = int(marker);
            "minProperties"
        }
        Meaning::MaxProperties => {
            object(schema, "must apply maxproperties to an object")?;
            schema.max_properties = int(marker);
            "maxProperties"
        }
        Meaning::MapType => {
            object(schema, "must apply mapType to an object")?;
            let message = "MapType must be either \"granular\" or \"atomic\"";
            schema.map_type = Some(one_word(marker, &["granular", "atomic"], message)?);
            "x-kubernetes-map-type"
        }
        Meaning::StructType => {
            if !schema.kind.is_empty() {
                let message = "must apply structType to an object; either explicitly set or defaulted through an empty schema type";
                object(schema, message)?;
            }
            let message = "StructType must be either \"granular\" or \"atomic\"";
            schema.map_type = Some(one_word(marker, &["granular", "atomic"], message)?);
            "x-kubernetes-map-type"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers for values of any type.
fn set_value(schema: &mut Schema, marked: &PlacedMarker, _: Version) -> SetKeyword {
    let marker = &marked.marker;
    let keyword = match marker.meaning() {
        Meaning::Enum => {
            schema.enumeration = match marker.argument("").map(|value| &value.data) {
                Some(Data::List(items)) => items.iter().filter_map(crate::marker::Value::to_json).collect(),
                _ => Vec::new(),
            };
            "enum"
        }
        Meaning::Type => {
            marker.text("").clone_into(&mut schema.kind);
            "type"
        }
        Meaning::Nullable => {
            schema.nullable = true;
            "nullable"
        }
        Meaning::Default => {
            let value = marker.argument("").and_then(crate::marker::Value::to_json);
            let is_empty = matches!(&value, Some(Json::Map(entries)) if entries.is_empty());
            schema.default =
                if is_empty && schema.kind == "array" { Some(Json::List(Vec::new())) } else { value };
            "default"
        }
        Meaning::JsonDefault => {
            match marker.argument("").and_then(|value| value.to_json()) {
                None | Some(Json::Null) => return Ok(None),
                value => schema.default = value,
            }
            "default"
        }
        Meaning::Example => {
            schema.example = marker.argument("").and_then(crate::marker::Value::to_json);
            "example"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers that describe the schema, or relax how kube-apiserver reads its values.
fn set_annotation(schema: &mut Schema, marked: &PlacedMarker, _: Version) -> SetKeyword {
    let marker = &marked.marker;
    let keyword = match marker.meaning() {
        Meaning::Title => {
            if let Some(value) = marker.argument("") {
                let Data::Text(title) = &value.data else {
                    let message = format!("expected string, got {}", value.go_type());
                    return Err(MarkerRefusal::value("", ProblemKind::Other, message));
                };
                schema.title.clone_from(title);
            }
            "title"
        }
        Meaning::ExternalDocs => {
            external_docs(schema, marker)?;
            "externalDocs"
        }
        Meaning::PreserveUnknownFields => {
            schema.preserve_unknown = true;
            "x-kubernetes-preserve-unknown-fields"
        }
        Meaning::EmbeddedResource => {
            schema.embedded_resource = true;
            "x-kubernetes-embedded-resource"
        }
        Meaning::IntOrString => {
            schema.int_or_string = true;
            "x-kubernetes-int-or-string"
        }
        _ => return Ok(None),
    };
    Ok(Some(keyword))
}

/// Markers that add rules.
fn add_rules(schema: &mut Schema, marked: &PlacedMarker, version: Version) -> SetKeyword {
    match marked.marker.meaning() {
        Meaning::Validation => schema.rules.push(rule(marked)?),
        Meaning::Immutable => {
            let (rule, message) = ("self == oldSelf".to_owned(), "field is immutable".to_owned());
            schema.rules.push(simple_rule(marked, rule, message));
        }
        Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf => {
            schema.rules.extend(one_of(marked, version.has(Change::OneOfSum)));
        }
        _ => return Ok(None),
    }
    Ok(Some("x-kubernetes-validations"))
}

/// `k8s:required` makes some releases forbid empty values. It is not the cause of that keyword.
fn add_required_bound(schema: &mut Schema, marked: &PlacedMarker, version: Version) -> SetKeyword {
    if marked.marker.meaning() == Meaning::K8sRequired && version.has(Change::K8sRequiredBounds) {
        at_least_one(schema);
    }
    Ok(None)
}
