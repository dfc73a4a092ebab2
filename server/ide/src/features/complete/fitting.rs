//! Which keywords fit the type of a schema, and which of them authors write first.

use std::borrow::Cow;

use crd::Segment;
use crd::schema::Keyword;

use super::defaults;
use super::site::Site;
use crate::analysis::grammar;
use crate::analysis::resources::Shape;

/// Keywords that say something of values of some types alone.
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

/// What else says that a value is of a type of its own.
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// What authors write first, once the type is known.
const FIRST: [&str; 6] = ["properties", "items", "additionalProperties", "required", "format", "description"];

/// The keywords without which a schema of that type says little.
const OF_TYPE: [(&str, &str); 2] = [("object", "properties"), ("array", "items")];

/// What is known of a schema in which a keyword is being written.
pub(super) struct Around<'r, 't> {
    /// Where it stands; none of what is no schema.
    site: Option<Site<'r, 't>>,
    /// The type of its values, which may be declared elsewhere.
    ty: Option<String>,
    is_int_or_string: bool,
}

impl<'r, 't> Around<'r, 't> {
    /// Of a mapping of `shape`, which is at `site` if it is a schema.
    pub(super) fn of_schema<'p>(
        shape: Shape<'_>,
        site: impl FnOnce() -> Option<(Site<'r, 't>, &'p [Segment])>,
    ) -> Self {
        let is_schema = matches!(shape, Shape::Api(ty) if grammar::is_schema(ty));
        let site = is_schema.then(site).flatten().filter(|(_, rest)| rest.is_empty());
        Self::at(site.map(|(site, _)| site))
    }

    /// Of the schema at `site`.
    fn at(site: Option<Site<'r, 't>>) -> Self {
        let declared = site.as_ref().and_then(|site| site.declared.as_ref());
        let is_int_or_string =
            declared.is_some_and(|declared| declared.entry(Keyword::IntOrString).is_some());
        let written = declared.and_then(|declared| declared.string(Keyword::Type)).map(Cow::into_owned);
        let only =
            |site: &Site<'_, '_>| site.at.only_type(site.own.as_ref()).filter(|_| !site.at.is_in_junctor());
        let ty = written.or_else(|| Some(site.as_ref().and_then(only)?.to_owned()));
        Self { site, ty, is_int_or_string }
    }

    /// Whether `keyword` says something beside what is there, and may stand there.
    pub(super) fn fits(&self, keyword: &str) -> bool {
        let Some(Site { at, own, .. }) = &self.site else { return true };
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
            // The branches of int-or-string have types, itself has none.
            _ => keyword != "type" || !self.is_int_or_string || at.is_in_junctor(),
        }
    }

    /// Whether `keyword` comes before all others: the type, as all depends on it.
    pub(super) fn leads(&self, keyword: &str) -> bool {
        self.site.is_some() && keyword == "type"
    }

    /// Whether values are proposed behind `keyword`, as far as that depends on the schema.
    pub(super) fn leads_to_values(&self, keyword: &str, in_flow: bool) -> Option<bool> {
        let site = self.site.as_ref()?;
        Some(match Keyword::parse(keyword)? {
            keyword @ (Keyword::Default | Keyword::Example) => defaults::are_known(site, keyword, in_flow),
            Keyword::Required => !site.declared_properties().is_empty(),
            Keyword::ListMapKeys => !site.declared_properties_of_items().is_empty(),
            _ => return None,
        })
    }

    /// Whether `keyword` comes next: what the type asks for, or in a branch what mostly differs between branches.
    pub(super) fn follows(&self, keyword: &str) -> bool {
        let Some(ty) = self.ty.as_deref() else { return false };
        match self.site.as_ref().is_some_and(|site| site.at.is_in_junctor()) {
            true => ty == "object" && keyword == "required",
            false => OF_TYPE.contains(&(ty, keyword)),
        }
    }

    /// Whether `keyword` is one of those that authors write next.
    pub(super) fn is_likely(&self, keyword: &str) -> bool {
        let Some(ty) = self.ty.as_deref() else { return false };
        FIRST.contains(&keyword) || keyword == "enum" && !matches!(ty, "object" | "array" | "boolean")
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
