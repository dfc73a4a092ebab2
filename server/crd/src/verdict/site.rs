//! The keywords and types that a node of a schema may have at its position, for code that proposes them: it
//! predicts the answers of the checks.

use crate::check::{Context, MetaRole, Position, keywords, structural};
use crate::schema::{Keyword, Schema};
use crate::verdict::status_root;

/// The types that the branches of `anyOf` may have beside `x-kubernetes-int-or-string`, in this order.
const INT_OR_STRING: [&str; 2] = ["integer", "string"];

/// The position of a node in a schema.
#[derive(Clone, Copy, Debug)]
pub struct SchemaSite {
    context: Context,
    /// Whether the node is a root beside the status subresource.
    has_status: bool,
    /// The only type that the node may have: the type of a field of every object, or of a branch for
    /// int-or-string.
    only_type: Option<&'static str>,
    /// Whether the node describes the whole `metadata` of a resource.
    is_metadata: bool,
}

impl SchemaSite {
    /// The position of `openAPIV3Schema`; `has_status` is `true` if the status subresource is enabled.
    #[must_use]
    pub fn root(has_status: bool) -> Self {
        Self { context: Context::ROOT, has_status, only_type: Some("object"), is_metadata: false }
    }

    /// The position of the schema under `keyword` of `own`, or of its item `index` if it is a list.
    #[must_use]
    pub fn below(self, keyword: Keyword, index: Option<usize>, own: Option<&Schema<'_, '_>>) -> Self {
        let position = self.context.position;
        let is_spine = position.is_spine();
        let is_int_or_string = is_spine && own.is_some_and(|own| own.is_true(Keyword::IntOrString));
        let below = self.context.below(keyword);
        let (context, only_type) = match (keyword, index) {
            (Keyword::AllOf, Some(0)) if is_int_or_string => (below.at(Position::IntOrStringJunctor), None),
            (Keyword::AnyOf, Some(at)) if is_int_or_string || position == Position::IntOrStringJunctor => {
                (below, INT_OR_STRING.get(at).copied())
            }
            _ => (below, None),
        };
        Self { context, has_status: false, only_type, is_metadata: false }
    }

    /// The position of the property `name` of `own`.
    #[must_use]
    pub fn property(self, name: &str, own: Option<&Schema<'_, '_>>) -> Self {
        let is_embedded = own.is_some_and(|own| own.is_true(Keyword::EmbeddedResource));
        let is_root = self.context.position == Position::Root;
        let only_type = (is_root || is_embedded).then(|| structural::type_of_object_field(name)).flatten();
        Self {
            context: self.context.property(name, is_embedded),
            has_status: false,
            only_type,
            is_metadata: is_root && name == "metadata",
        }
    }

    /// Whether the node is a value validation: within `allOf`, `anyOf`, `oneOf` or `not`.
    #[must_use]
    pub fn is_in_junctor(self) -> bool {
        self.context.position.is_junctor()
    }

    /// Whether the node may have `keyword` beside the keywords of `own`, with a value other than its zero
    /// value.
    #[must_use]
    pub fn allows(self, keyword: Keyword, own: Option<&Schema<'_, '_>>) -> bool {
        let forbids_default = keyword == Keyword::Default && self.context.meta.forbids_defaults().is_some();
        let is_embedded_meta = keyword == Keyword::EmbeddedResource && self.context.meta != MetaRole::Outside;
        if keywords::is_forbidden(keyword) || forbids_default || is_embedded_meta {
            return false;
        }
        let is_here = match self.context.position {
            Position::Root => {
                let is_structural = !matches!(keyword, Keyword::AdditionalProperties | Keyword::Nullable);
                is_structural && (!self.has_status || status_root::is_allowed(keyword))
            }
            Position::Junctor | Position::IntOrStringJunctor => self.allows_in_junctor(keyword, own),
            _ => !self.is_metadata || structural::may_describe_metadata(keyword),
        };
        is_here && own.is_none_or(|own| goes_with(keyword, own))
    }

    fn allows_in_junctor(self, keyword: Keyword, own: Option<&Schema<'_, '_>>) -> bool {
        let has_other = |keyword| own.is_some_and(|own| own.entries().any(|(other, _)| other != keyword));
        let has_type = || own.is_some_and(|own| own.entry(Keyword::Type).is_some());
        match keyword {
            // A branch of int-or-string has its type and no other keyword.
            Keyword::Type => self.only_type.is_some() && !has_other(keyword),
            _ if self.only_type.is_some() && has_type() => false,
            Keyword::Properties | Keyword::Items => true,
            _ => keyword.bit() & Keyword::OF_VALUES != 0,
        }
    }

    /// Whether `keyword` may be the boolean `value`.
    #[must_use]
    pub fn accepts(self, keyword: Keyword, value: bool) -> bool {
        match keyword {
            Keyword::PreserveUnknownFields => value && self.allows(keyword, None),
            _ => !value || self.allows(keyword, None),
        }
    }

    /// The only type that the node may have; `None` if there is a choice.
    #[must_use]
    pub fn only_type(self, own: Option<&Schema<'_, '_>>) -> Option<&'static str> {
        let is_embedded = own.is_some_and(|own| own.is_true(Keyword::EmbeddedResource));
        self.only_type.or(is_embedded.then_some("object"))
    }

    /// The only properties that the node may declare; `None` if there is a choice.
    #[must_use]
    pub fn only_properties(self) -> Option<&'static [&'static str]> {
        self.is_metadata.then_some(structural::METADATA_FIELDS)
    }
}

/// Whether `keyword` is allowed beside the keywords of `own`.
fn goes_with(keyword: Keyword, own: &Schema<'_, '_>) -> bool {
    let is_any_true = |keywords: [Keyword; 2]| keywords.iter().any(|keyword| own.is_true(*keyword));
    match keyword {
        Keyword::IntOrString => !is_any_true([Keyword::PreserveUnknownFields, Keyword::EmbeddedResource]),
        Keyword::PreserveUnknownFields | Keyword::EmbeddedResource => !own.is_true(Keyword::IntOrString),
        Keyword::AdditionalProperties => {
            !own.is_true(Keyword::EmbeddedResource) && own.members(Keyword::Properties).entries.is_empty()
        }
        Keyword::Properties => own.schema(Keyword::AdditionalProperties).is_none(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use yaml::Tree;

    use super::*;
    use crate::tests::markers::definition;
    use crate::{Cache, Options, Severity};

    /// Each keyword with a type, and a value that a schema of that type accepts.
    const SAMPLES: [(Keyword, &str, &str); 36] = [
        (Keyword::Id, "object", "a"),
        (Keyword::SchemaUrl, "object", "a"),
        (Keyword::Ref, "object", "a"),
        (Keyword::Description, "object", "a"),
        (Keyword::Type, "object", "object"),
        (Keyword::Format, "string", "date"),
        (Keyword::Title, "object", "a"),
        (Keyword::Default, "object", "{}"),
        (Keyword::Maximum, "integer", "1"),
        (Keyword::Minimum, "integer", "1"),
        (Keyword::MaxLength, "string", "1"),
        (Keyword::MinLength, "string", "1"),
        (Keyword::Pattern, "string", "a"),
        (Keyword::MaxItems, "array", "1"),
        (Keyword::MinItems, "array", "1"),
        (Keyword::UniqueItems, "array", "true"),
        (Keyword::MultipleOf, "integer", "1"),
        (Keyword::Enum, "object", "[{}]"),
        (Keyword::MaxProperties, "object", "1"),
        (Keyword::MinProperties, "object", "1"),
        (Keyword::Required, "object", "[a]"),
        (Keyword::AllOf, "object", "[{maxProperties: 1}]"),
        (Keyword::OneOf, "object", "[{maxProperties: 1}]"),
        (Keyword::AnyOf, "object", "[{maxProperties: 1}]"),
        (Keyword::Not, "object", "{maxProperties: 1}"),
        (Keyword::Properties, "object", "{}"),
        (Keyword::AdditionalProperties, "object", "{type: string}"),
        (Keyword::PatternProperties, "object", "{a: {type: string}}"),
        (Keyword::Dependencies, "object", "{a: [b]}"),
        (Keyword::AdditionalItems, "object", "{type: string}"),
        (Keyword::Definitions, "object", "{a: {type: string}}"),
        (Keyword::Nullable, "object", "true"),
        (Keyword::PreserveUnknownFields, "object", "true"),
        (Keyword::EmbeddedResource, "object", "true, x-kubernetes-preserve-unknown-fields: true"),
        (Keyword::MapType, "object", "atomic"),
        (Keyword::Validations, "object", "[{rule: 'true'}]"),
    ];

    fn errors(schema: &str, has_status: bool) -> Vec<String> {
        let text = definition(schema);
        let text = match has_status {
            true => text.replace("    schema:\n", "    subresources: {status: {}}\n    schema:\n"),
            false => text,
        };
        let tree = Tree::parse(&text);
        let document = tree.documents().next().expect("a document");
        let findings = crate::check(document, &Options::default(), &mut Cache::default()).findings;
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| format!("{}: {}", finding.code.as_str(), finding.message)).collect()
    }

    /// At each position, a site allows exactly the keywords that the checks accept.
    #[test]
    fn a_site_allows_what_the_checks_accept() {
        let root = SchemaSite::root(false);
        let property = root.property("a", None);
        let branch = property.below(Keyword::AnyOf, Some(0), None);
        let mut wrong = Vec::new();
        for (keyword, ty, value) in SAMPLES {
            let own = match keyword {
                Keyword::Type => format!("type: {value}"),
                _ if ty == "array" => {
                    format!("type: array, items: {{type: string}}, {}: {value}", keyword.as_str())
                }
                _ => format!("type: {ty}, {}: {value}", keyword.as_str()),
            };
            let spine =
                if ty == "array" { "type: array, items: {type: string}" } else { &format!("type: {ty}") };
            let in_branch = format!("anyOf: [{{{}: {value}}}]", keyword.as_str());
            let places = [
                ("root", root, format!("{{{own}}}"), false),
                ("root with status", SchemaSite::root(true), format!("{{{own}}}"), true),
                ("property", property, format!("{{type: object, properties: {{a: {{{own}}}}}}}"), false),
                (
                    "metadata",
                    root.property("metadata", None),
                    format!("{{type: object, properties: {{metadata: {{{own}}}}}}}"),
                    false,
                ),
                (
                    "name",
                    root.property("metadata", None).property("name", None),
                    format!(
                        "{{type: object, properties: {{metadata: {{type: object, properties: {{name: {{{own}}}}}}}}}}}"
                    ),
                    false,
                ),
                (
                    "branch",
                    branch,
                    format!("{{type: object, properties: {{a: {{{spine}, {in_branch}}}}}}}"),
                    false,
                ),
            ];
            for (place, site, schema, has_status) in places {
                // The root is always an object.
                let is_of_other_type = place.starts_with("root") || place == "metadata";
                // A default of a whole resource would have to name its kind.
                let is_root_default = place == "root" && keyword == Keyword::Default;
                if is_of_other_type && ty != "object" || is_root_default {
                    continue;
                }
                let errors = errors(&schema, has_status);
                if site.allows(keyword, None) != errors.is_empty() {
                    wrong.push(format!("{place}: {schema}: {errors:?}"));
                }
            }
        }
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn booleans_are_accepted_as_the_checks_accept_them() {
        let root = SchemaSite::root(false);
        let property = root.property("a", None);
        for keyword in [
            Keyword::Nullable,
            Keyword::UniqueItems,
            Keyword::PreserveUnknownFields,
            Keyword::ExclusiveMaximum,
        ] {
            for value in [true, false] {
                let own = format!("type: object, {}: {value}", keyword.as_str());
                let below = format!("{{type: object, properties: {{a: {{{own}}}}}}}");
                assert_eq!(
                    root.accepts(keyword, value),
                    errors(&format!("{{{own}}}"), false).is_empty(),
                    "{own}"
                );
                assert_eq!(property.accepts(keyword, value), errors(&below, false).is_empty(), "{below}");
            }
        }
    }

    #[test]
    fn the_branches_of_int_or_string_have_their_types() {
        let text = "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}";
        let tree = Tree::parse(text);
        let document = tree.documents().next().expect("a document");
        let reader = yaml::Reader::new(document);
        let own = Schema::read(document.root().expect("a value"), &reader).expect("a schema");
        let node = SchemaSite::root(false).property("a", None);
        let types = |site: SchemaSite, own: Option<&Schema<'_, '_>>| {
            let of = |at| {
                Some(site.below(Keyword::AnyOf, Some(at), own))
                    .filter(|site| site.allows(Keyword::Type, None))
            };
            [0, 1, 2].map(|at| of(at).and_then(|site| site.only_type(None)))
        };
        assert_eq!(types(node, Some(&own)), [Some("integer"), Some("string"), None]);
        assert_eq!(types(node, None), [None; 3]);
        let first = node.below(Keyword::AllOf, Some(0), Some(&own));
        assert_eq!(types(first, None), [Some("integer"), Some("string"), None]);
        let second = node.below(Keyword::AllOf, Some(1), Some(&own));
        assert_eq!(types(second, None), [None; 3]);
    }
}
