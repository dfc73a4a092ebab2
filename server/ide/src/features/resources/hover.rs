//! The hover of a key or value of a resource, according to its definition.

use crd::schema::structural::ValidationRule;
use text::TextSize;
use yaml::Reader;

use crate::analysis::resources::place::{Resource, ResourcePlace, Target, View, find};
use crate::analysis::resources::shape::Shape;
use crate::analysis::short::code;
use crate::analysis::suite::{self, TestedKind};
use crate::analysis::text_at::document_at;
use crate::features::resources::explain::{self, body, facts};
use crate::{Hover, Surroundings};

/// The maximum number of characters of a path.
const LONGEST: usize = 200;

/// The hover at `offset` (in bytes); `None` outside of resources whose definition is known.
pub(crate) fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let document = document_at(view.tree, offset)?;
    let reader = Reader::new(document);
    let resource = Resource::at(document, &reader, view.surroundings, offset)?;
    of_resource(&resource, view, offset)
}

/// The hover at `offset` (in bytes) of a suite of test cases.
pub(crate) fn hover_in_suite(
    view: View<'_>,
    offset: TextSize,
    tested: &[Option<TestedKind>],
) -> Option<Hover> {
    let document = document_at(view.tree, offset)?;
    let reader = Reader::new(document);
    let in_suite = (tested, view.tree, offset);
    let resource = suite::resource_at(document, &reader, view.surroundings, in_suite);
    let of_object = resource.and_then(|resource| of_resource(&resource, view, offset));
    of_object.or_else(|| {
        let place = find(document.root()?, suite::SUITE, offset)?;
        let is_known = place.member.as_ref().is_some_and(|member| member.field.is_some());
        of_place(&place, suite::SUITE).filter(|_| is_known)
    })
}

fn of_resource(resource: &Resource<'_, '_>, view: View<'_>, offset: TextSize) -> Option<Hover> {
    let shape = resource.shape();
    let place = find(resource.value, shape, offset)?;
    if place.is_head("kind") || place.is_head("apiVersion") {
        return Some(Hover { range: place.range(), markdown: definition(resource, view.surroundings) });
    }
    of_place(&place, shape)
}

/// The description of a field in an object of that `shape`.
fn of_place(place: &ResourcePlace<'_, '_>, shape: Shape<'_>) -> Option<Hover> {
    let range = place.range();
    // Unknown fields and values of unknown type have no hover.
    let member = place.member.as_ref()?;
    if matches!((place.target, member.shape), (Target::Value(_), Shape::Open)) {
        return None;
    }
    let rules = rules_above(place, shape);
    let mut markdown =
        format!("**{}**: {}", code(&place.path.to_string(), LONGEST), facts(member).join(" · "));
    let text = match member.field {
        Some(field) => explain::of_any_object(field),
        None if place.is_head("metadata") => {
            "Name, namespace, labels and annotations of the object.".to_owned()
        }
        None => body(member, &rules),
    };
    if !text.is_empty() {
        markdown.push_str("\n\n");
        markdown.push_str(&text);
    }
    Some(Hover { range, markdown })
}

/// The rules of the outer objects of a field that mention it.
fn rules_above<'s>(place: &ResourcePlace<'_, 's>, root: Shape<'s>) -> Vec<&'s ValidationRule> {
    let steps = place.path.segments();
    let mut around = Some(root);
    let mut rules = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let Some(shape) = around else { break };
        let names: Vec<&str> = steps.iter().skip(at).map_while(|step| step.key()).collect();
        if let Some(node) = shape.schema() {
            let path = format!("self.{}", names.join("."));
            rules.extend(node.schema.validations.iter().filter(|rule| mentions(&rule.rule, &path)));
        }
        around = match step.key() {
            Some(key) => member_shape(shape, key),
            None => shape.item(),
        };
    }
    rules
}

fn member_shape<'s>(shape: Shape<'s>, key: &str) -> Option<Shape<'s>> {
    shape.member(key).map(|member| member.shape)
}

/// Whether `rule` has `path`, other than as the beginning of another name.
fn mentions(rule: &str, path: &str) -> bool {
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    rule.match_indices(path).any(|(at, _)| {
        let behind = rule.get(at + path.len()..).unwrap_or_default();
        let before = rule.get(..at).unwrap_or_default();
        !behind.starts_with(is_name) && !before.ends_with(|char| is_name(char) || char == '.')
    })
}

/// The description of the definition of a resource.
fn definition(resource: &Resource<'_, '_>, surroundings: &Surroundings) -> String {
    let kind = &resource.kind;
    let mut facts = vec![code(&format!("{}/{}", kind.group, kind.version), LONGEST)];
    let version = resource.version();
    if let Some(version) = version {
        facts.push(if version.namespaced { "namespaced" } else { "cluster-scoped" }.to_owned());
        if !version.served {
            facts.push("not served".to_owned());
        }
    }
    let mut markdown = format!("**{}**: {}", code(&kind.kind, LONGEST), facts.join(" · "));
    if let Some(warning) = version.and_then(|version| version.warning.as_ref()) {
        markdown.push_str(&format!("\n\n⚠ {warning}"));
    }
    if let Some(text) = resource.shape().schema().and_then(explain::description) {
        markdown.push_str(&format!("\n\n{text}"));
    }
    let all = resource.definition.known.versions.iter();
    let served: Vec<String> =
        all.filter(|version| version.served).map(|version| code(&version.name, LONGEST)).collect();
    if !served.is_empty() {
        markdown.push_str(&format!("\n\nServed versions: {}", served.join(", ")));
    }
    let (catalog, source) = (&surroundings.catalog, resource.definition.source);
    markdown.push_str(&format!("\n\nDefined in {}", code(catalog.display_name(source), LONGEST)));
    let others = catalog.count_others(kind, &surroundings.source);
    if let Some(choice) = catalog.choice(kind, &surroundings.source).filter(|_| others > 0) {
        let others = if others == 1 {
            "one other definition".to_owned()
        } else {
            format!("{others} other definitions")
        };
        markdown.push_str(&format!(", which takes precedence over {others} ({})", choice.reason.text()));
    }
    markdown
}
