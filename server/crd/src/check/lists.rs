//! The requirements for `x-kubernetes-map-type`, `-list-type` and `-list-map-keys` (checks 113 to 118,
//! warning W2).

use std::borrow::Cow;

use api::{Code, Difference};
use text::TextRange;
use yaml::Value;

use super::outcome::{Builder, NodeFinding, Place, name};
use super::structural::quoted_type;
use super::{Position, Stage};
use crate::Options;
use crate::go;
use crate::printed::json_string;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema, TypeName, assumed, is_object_for_list};

/// The keywords that these checks apply to.
const INTERESTING: u64 = Keyword::MapType.bit() | Keyword::ListType.bit() | Keyword::ListMapKeys.bit();

/// Checks `schema`, whose type is `ty`.
pub(crate) fn check<'t>(
    schema: &Schema<'_, 't>,
    ty: &TypeName<'t>,
    position: Position,
    options: &Options,
    out: &mut Builder,
) {
    if !schema.has_any(INTERESTING) {
        return;
    }
    let list_type = KeywordValue::read(schema, Keyword::ListType);
    let items = schema.schema(Keyword::Items);
    let list = List { schema, ty, items, keys: keys(schema), list_type, in_junctor: position.is_junctor() };
    list.check_map_type(out);
    list.check_type(out);
    list.check_list_type(out);
    list.check_keys_type(out);
    if list.has_list_type("map") {
        list.check_map(out);
    }
    list.check_map_keys_set(out);
    if options.kubernetes_version.has(Difference::SetWarnings) {
        list.warn_of_set(out);
    }
}

/// The value of a keyword with a fixed set of values.
pub(super) struct KeywordValue<'t> {
    pub(super) text: Cow<'t, str>,
    range: TextRange,
}

impl<'t> KeywordValue<'t> {
    fn read(schema: &Schema<'_, 't>, keyword: Keyword) -> Option<Self> {
        Some(Self { text: schema.string(keyword)?, range: schema.get(keyword)?.range() })
    }
}

/// An item of `x-kubernetes-list-map-keys`.
pub(super) struct MapKey<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) range: TextRange,
}

/// The readable keys; null is read as the empty string, as in the decoder.
fn keys<'t>(schema: &Schema<'_, 't>) -> Vec<MapKey<'t>> {
    let reader = schema.reader();
    let read = |item: yaml::Item<'t>| {
        let value = reader.follow(item.value())?;
        let text = match crate::reading::is_null(value) {
            true => Cow::Borrowed(""),
            false => value.as_scalar()?.as_str()?,
        };
        Some(MapKey { text, range: item.value().range() })
    };
    schema.items(Keyword::ListMapKeys).filter_map(read).collect()
}

/// A node with one of the keywords for lists.
pub(super) struct List<'s, 'r, 't> {
    pub(super) schema: &'s Schema<'r, 't>,
    ty: &'s TypeName<'t>,
    /// Its `items`, if they are one schema.
    pub(super) items: Option<Schema<'r, 't>>,
    pub(super) keys: Vec<MapKey<'t>>,
    pub(super) list_type: Option<KeywordValue<'t>>,
    in_junctor: bool,
}

impl<'r, 't> List<'_, 'r, 't> {
    pub(super) fn has_list_type(&self, list_type: &str) -> bool {
        self.list_type.as_ref().is_some_and(|found| found.text == list_type)
    }

    pub(super) fn key_place(&self, keyword: Keyword, out: &Builder) -> Place {
        out.at_or_owner(self.schema.key_range(keyword))
    }

    /// The place of the value of `keyword` in `items`, or of the key `items`.
    pub(super) fn place_in_items(&self, items: &Schema<'_, 't>, keyword: Keyword, out: &Builder) -> Place {
        let written = items.get(keyword).map(Value::range).filter(|range| !range.is_empty());
        out.at_or_owner(written.or(self.schema.key_range(Keyword::Items)))
    }

    /// Adds `finding`, with the list's type as a related place.
    pub(super) fn push(&self, finding: NodeFinding, out: &mut Builder) {
        let related = self.schema.key_range(Keyword::ListType).map(|range| out.place_of(range));
        let related = related.filter(|related| *related != finding.place);
        out.push(finding.relate(related, "the list's type"));
    }

    /// Checks 113 and 114.
    fn check_map_type(&self, out: &mut Builder) {
        let Some(map_type) = KeywordValue::read(self.schema, Keyword::MapType) else { return };
        if !self.ty.is("object") {
            let detail = "must be object if x-kubernetes-map-type is specified";
            self.push_type(Code::SchemaMapTypeObject, "object", detail, Keyword::MapType, out);
        }
        if !matches!(map_type.text.as_ref(), "atomic" | "granular") {
            let finding = NodeFinding::new(
                Stage::Schema,
                Code::SchemaMapTypeUnsupported,
                ErrorType::NotSupported,
                out.place_of(map_type.range),
                vec![name(Keyword::MapType)],
                r#"supported values: "atomic", "granular""#,
            );
            let finding = finding.advise("use `granular` (the default) or `atomic`");
            out.push(finding.printing(go::quoted(&map_type.text)));
        }
    }

    /// A finding about `type`, which must be `wanted` because of the keyword `because`. Its place is the
    /// wrong type, or that keyword if `type` is missing.
    fn push_type(&self, code: Code, wanted: &str, detail: &'static str, because: Keyword, out: &mut Builder) {
        let because_at = self.schema.key_range(because).map(|range| out.place_of(range));
        let written = self.schema.get(Keyword::Type).map(|value| out.place_of(value.range()));
        let (stage, error, place, related) = match self.ty {
            // A list of types may contain the wanted one, which repair keeps.
            TypeName::Unreadable if assumed(self.schema).is_none_or(|intended| intended == wanted) => return,
            TypeName::Unreadable => (Stage::Skipped, ErrorType::Invalid, written, because_at),
            TypeName::Missing => (Stage::Schema, ErrorType::Required, because_at, None),
            TypeName::Named(_) => (Stage::Schema, ErrorType::Invalid, written, because_at),
        };
        let place = place.unwrap_or(Place::Owner);
        let finding = NodeFinding::new(stage, code, error, place, vec![name(Keyword::Type)], detail);
        let because = because.as_str();
        let advice = match self.in_junctor {
            true => format!("move `{because}` outside {{junctor}}"),
            false => format!("set `type: {wanted}` or remove `{because}`"),
        };
        let finding = finding.with_problem(match self.in_junctor {
            true => {
                format!("`{because}` is not allowed inside {{junctor}}")
            }
            false => format!("`{because}` requires `type: {wanted}`"),
        });
        let finding = finding.printing(quoted_type(self.ty));
        out.push(finding.advise(advice).relate(related, "set here"));
    }

    /// Checks 115 and 116.
    fn check_type(&self, out: &mut Builder) {
        if self.list_type.is_none() {
            return;
        }
        if !self.ty.is("array") {
            let detail = "must be array if x-kubernetes-list-type is specified";
            let code = Code::SchemaListTypeArray;
            self.push_type(code, "array", detail, Keyword::ListType, out);
        } else if self.has_list_type("set")
            && let Some(items) = &self.items
            && let Some((keyword, problem, advice)) = not_atomic(items)
        {
            let place = self.place_in_items(items, keyword, out);
            // If the items are objects declared as arrays, the server checks their map type only after that
            // is fixed.
            let stage = if items.type_name().is("array") && keyword == Keyword::MapType {
                Stage::Skipped
            } else {
                Stage::SetItems
            };
            let finding = NodeFinding::new(
                stage,
                Code::SchemaSetItemsAtomic,
                ErrorType::Invalid,
                place,
                vec![name(Keyword::Items), name(keyword)],
                "must be atomic as item of a list with x-kubernetes-list-type=set",
            );
            // For every keyword, the server prints the list type of the items, which is a pointer and printed
            // as JSON.
            let value =
                items.string(Keyword::ListType).map_or_else(|| "null".to_owned(), |text| json_string(&text));
            self.push(finding.with_problem(problem).advise(advice).printing(value), out);
        }
    }

    /// Check 117.
    fn check_list_type(&self, out: &mut Builder) {
        let Some(list_type) = &self.list_type else { return };
        if matches!(list_type.text.as_ref(), "atomic" | "set" | "map") {
            return;
        }
        let finding = NodeFinding::new(
            Stage::Schema,
            Code::SchemaListTypeUnsupported,
            ErrorType::NotSupported,
            out.place_of(list_type.range),
            vec![name(Keyword::ListType)],
            r#"supported values: "atomic", "set", "map""#,
        );
        let finding = finding.advise("use `atomic` (the default), `set` or `map`");
        out.push(finding.printing(go::quoted(&list_type.text)));
    }

    /// Check 118.
    fn check_keys_type(&self, out: &mut Builder) {
        if self.keys.is_empty() || self.has_list_type("map") {
            return;
        }
        let (error, place) = match &self.list_type {
            Some(list_type) => (ErrorType::Invalid, out.place_of(list_type.range)),
            // A list type that is not a string is reported elsewhere.
            None if self.schema.get(Keyword::ListType).is_some() => return,
            None => (ErrorType::Required, self.key_place(Keyword::ListMapKeys, out)),
        };
        let related = self.schema.key_range(Keyword::ListMapKeys).map(|range| out.place_of(range));
        let finding = NodeFinding::new(
            Stage::Schema,
            Code::SchemaListMapKeysType,
            error,
            place,
            vec![name(Keyword::ListType)],
            "must be map if x-kubernetes-list-map-keys is non-empty",
        );
        let finding = finding.with_problem(match self.in_junctor {
            true => "`x-kubernetes-list-map-keys` is not allowed inside {junctor}",
            false => "`x-kubernetes-list-map-keys` requires `x-kubernetes-list-type: map`",
        });
        let finding = finding.advise(match self.in_junctor {
            true => "move the keys outside {junctor}",
            false => "set it, or remove the keys",
        });
        let value = self.list_type.as_ref().map(|list_type| list_type.text.as_ref());
        let finding = finding.printing(go::quoted(value.unwrap_or_default()));
        out.push(finding.relate(related.filter(|related| *related != place), "the keys"));
    }

    /// Warning W2; the server returns it for lists at any position.
    fn warn_of_set(&self, out: &mut Builder) {
        let Some(items) = self.items.as_ref().filter(|_| self.has_list_type("set")) else { return };
        let TypeName::Named(ty) = items.type_name() else { return };
        if !matches!(ty.as_ref(), "object" | "array") {
            return;
        }
        let place = self.list_type.as_ref().map(|list_type| list_type.range);
        let detail = format!(
            "x-kubernetes-list-type: set for items of type \"{ty}\" is not supported by server-side apply or CEL validation rules"
        );
        let finding = NodeFinding::new(
            Stage::Warning,
            Code::WarnListSetNonScalar,
            ErrorType::Invalid,
            out.at_or_owner(place),
            vec![name(Keyword::ListType)],
            detail,
        );
        let advice = match ty.as_ref() {
            "object" => "use `map` with `x-kubernetes-list-map-keys`, or `atomic`",
            _ => "use `atomic`",
        };
        out.push(finding.advise(advice));
    }
}

/// Why `items` are not compared as a whole: the keyword, the problem and the remedy.
fn not_atomic(items: &Schema<'_, '_>) -> Option<(Keyword, &'static str, &'static str)> {
    let is_atomic = |keyword| items.string(keyword).map(|text| text == "atomic");
    match items.type_name() {
        TypeName::Named(ty) if ty == "array" && !is_object_for_list(items) => {
            (is_atomic(Keyword::ListType) == Some(false)).then_some((
                Keyword::ListType,
                "lists in a list of type `set` must be atomic",
                "write `x-kubernetes-list-type: atomic`",
            ))
        }
        TypeName::Named(ty) if ty == "object" || ty == "array" => (is_atomic(Keyword::MapType) != Some(true))
            .then_some((
                Keyword::MapType,
                "objects in a list of type `set` must be atomic",
                "use list type `map`, or set `x-kubernetes-map-type: atomic` in `items`",
            )),
        _ => None,
    }
}
