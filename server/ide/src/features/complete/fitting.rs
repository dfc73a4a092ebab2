//! The keywords that fit the type of a schema, and those that authors write first.

use std::borrow::Cow;

use crd::Segment;
use crd::schema::Keyword;

use super::defaults;
use super::site::Site;
use crate::analysis::resources::Shape;

/// Keywords that apply only to values of some types.
const OF_TYPES: [(&str, &[&str]); 23] = [
    ("maxLength", &["string"]),
    ("minLength", &["string"]),
    ("pattern", &["string"]),
    ("format", &["string", "integer", "number"]),
    ("maximum", &["integer", "number"]),
    ("minimum", &["integer", "number"]),
    ("exclusiveMaximum", &["integer", "number"]),
    ("exclusiveMinimum", &["integer", "number"]),
    ("multipleOf", &["integer", "number"]),
    ("items", &["array"]),
    ("additionalItems", &["array"]),
    ("maxItems", &["array"]),
    ("minItems", &["array"]),
    ("uniqueItems", &["array"]),
    ("x-kubernetes-list-type", &["array"]),
    ("x-kubernetes-list-map-keys", &["array"]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
    ("maxProperties", &["object"]),
    ("minProperties", &["object"]),
    ("x-kubernetes-map-type", &["object"]),
    ("x-kubernetes-embedded-resource", &["object"]),
];

/// The keyword for a type that `type` cannot express.
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The keywords that definitions use most, in the order in which they are proposed after the type. Other keywords follow.
const BY_USE: [&str; 29] = [
    "properties",
    "items",
    "additionalProperties",
    "required",
    "description",
    "enum",
    "default",
    "format",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "minItems",
    "maxItems",
    "x-kubernetes-validations",
    "nullable",
    "x-kubernetes-map-type",
    "minProperties",
    "maxProperties",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
];

/// The keywords that almost every schema of that type needs.
const OF_TYPE: [(&str, &str); 2] = [("object", "properties"), ("array", "items")];

/// The schema in which a keyword is being written, as far as it is known.
pub(super) struct SchemaContext<'r, 't> {
    /// Its position; `None` if it is not a schema.
    site: Option<Site<'r, 't>>,
    /// The type of its values, which may be declared elsewhere.
    ty: Option<String>,
    is_int_or_string: bool,
}

impl<'r, 't> SchemaContext<'r, 't> {
    /// For a mapping of `shape`, which is at `site` if it is a schema.
    pub(super) fn of_schema<'p>(
        shape: Shape<'_>,
        site: impl FnOnce() -> Option<(Site<'r, 't>, &'p [Segment])>,
    ) -> Self {
        let is_schema = matches!(shape, Shape::Api(ty) if ty.is_schema());
        let site = is_schema.then(site).flatten().filter(|(_, rest)| rest.is_empty());
        Self::at(site.map(|(site, _)| site))
    }

    /// For the schema at `site`.
    fn at(site: Option<Site<'r, 't>>) -> Self {
        let declared = site.as_ref().and_then(|site| site.declared.as_ref());
        let is_int_or_string =
            declared.is_some_and(|declared| declared.entry(Keyword::IntOrString).is_some());
        let written = declared.and_then(|declared| declared.string(Keyword::Type)).map(Cow::into_owned);
        let only = |site: &Site<'_, '_>| {
            site.schema_site.only_type(site.schema.as_ref()).filter(|_| !site.schema_site.is_in_junctor())
        };
        let ty = written.or_else(|| Some(site.as_ref().and_then(only)?.to_owned()));
        Self { site, ty, is_int_or_string }
    }

    /// Whether `keyword` is allowed there and adds something to the other keywords.
    pub(super) fn fits(&self, keyword: &str) -> bool {
        let Some(Site { schema_site: at, schema: own, .. }) = &self.site else { return true };
        if Keyword::parse(keyword).is_some_and(|keyword| !at.allows(keyword, own.as_ref())) {
            return false;
        }
        let types = OF_TYPES.iter().find(|(name, _)| *name == keyword).map(|(_, types)| *types);
        match (types, &self.ty) {
            (Some(types), Some(ty)) => types.contains(&ty.as_str()),
            (Some(types), None) if self.is_int_or_string => {
                types.iter().any(|ty| matches!(*ty, "string" | "integer"))
            }
            (None, Some(_)) => keyword != INT_OR_STRING,
            // The branches of int-or-string have types, but the schema itself has none.
            _ => keyword != "type" || !self.is_int_or_string || at.is_in_junctor(),
        }
    }

    /// Whether `keyword` comes before all others: the type, on which the others depend.
    pub(super) fn comes_first(&self, keyword: &str) -> bool {
        self.site.is_some() && keyword == "type"
    }

    /// Whether values are proposed for `keyword`; `None` if that does not depend on the schema.
    pub(super) fn has_values_for(&self, keyword: &str, in_flow: bool) -> Option<bool> {
        let site = self.site.as_ref()?;
        Some(match Keyword::parse(keyword)? {
            keyword @ (Keyword::Default | Keyword::Example) => {
                defaults::has_known_values(site, keyword, in_flow)
            }
            Keyword::Required => !site.declared_properties().is_empty(),
            Keyword::ListMapKeys => !site.declared_properties_of_items().is_empty(),
            _ => return None,
        })
    }

    /// Whether `keyword` comes next: one that the type needs, or in a branch the one that usually differs
    /// between branches.
    pub(super) fn comes_next(&self, keyword: &str) -> bool {
        let Some(ty) = self.ty.as_deref() else { return false };
        match self.site.as_ref().is_some_and(|site| site.schema_site.is_in_junctor()) {
            true => ty == "object" && keyword == "required",
            false => OF_TYPE.contains(&(ty, keyword)),
        }
    }

    /// The position of `keyword` among the proposals of the same rank; 0 if this is not a schema.
    pub(super) fn position(&self, keyword: &str) -> usize {
        // Few of these types have an `enum`.
        let is_rare = keyword == "enum" && matches!(self.ty.as_deref(), Some("object" | "array" | "boolean"));
        match self.site {
            Some(_) if is_rare => BY_USE.len(),
            Some(_) => BY_USE.iter().position(|used| *used == keyword).unwrap_or(BY_USE.len()),
            None => 0,
        }
    }
}

/// Whether the values of the schema at `site` may have that `format`.
pub(super) fn takes_format(site: &Site<'_, '_>, format: &str) -> bool {
    let ty = site.declared.as_ref().and_then(|declared| declared.string(Keyword::Type));
    ty.is_none_or(|ty| match format {
        "int32" | "int64" => ty == "integer",
        "float" | "double" => ty == "number",
        _ => ty == "string",
    })
}
