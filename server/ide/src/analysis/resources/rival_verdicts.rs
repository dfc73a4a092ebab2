//! Errors that depend only on the choice among several definitions.

use api::Code;
use crd::schema::structural::{Structural, StructuralOrBool};
use crd::{FieldPath, Segment};
use yaml::{Reader, Value};

use crate::analysis::catalog::FoundDefinition;
use crate::analysis::kinds::Kind;
use crate::analysis::resources::findings::kind_range;
use crate::{Finding, RelatedInformation, Severity, Surroundings};
use crd::Message;

/// The code of these findings.
pub(crate) const OVERRULED: Code = Code::ResourceDefinitionsDisagree;

/// The maximum number of definitions with different meanings that are compared for one resource.
const MOST_COMPARED: usize = 4;

/// The resource that was validated.
pub(super) struct ValidatedResource<'s, 't> {
    pub(super) root: Value<'t>,
    pub(super) reader: &'s Reader<'t>,
    pub(super) kind: &'s Kind,
    /// Its index in a list.
    pub(super) index: Option<usize>,
    pub(super) definition: &'s FoundDefinition<'s>,
}

impl ValidatedResource<'_, '_> {
    /// Returns `own`, the findings by the chosen definition. If these are errors and a definition that may
    /// overrule the chosen one accepts the resource, it returns the findings by that definition and one
    /// finding on both. `validate` returns the findings by another definition.
    pub(super) fn resolve(
        &self,
        own: Vec<Finding>,
        surroundings: &Surroundings,
        validate: impl Fn(&FoundDefinition<'_>) -> Option<Vec<Finding>>,
    ) -> Vec<Finding> {
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        let Some(first) = own.iter().find(is_error) else { return own };
        let catalog = &surroundings.catalog;
        let mut compared = vec![catalog.meaning(self.definition.source, self.kind)];
        for rival in catalog.rivals(self.kind, &surroundings.source) {
            let meaning = catalog.meaning(rival.source(), self.kind);
            // Copies have the same result.
            if compared.contains(&meaning) {
                continue;
            }
            if compared.len() > MOST_COMPARED {
                break;
            }
            compared.push(meaning);
            let Some(rival) = catalog.in_source(rival, self.kind) else { continue };
            let is_declared = |finding: &Finding| self.declares(&rival, &finding.field_path);
            if !own.iter().filter(is_error).all(is_declared) {
                continue;
            }
            let Some(mut findings) = validate(&rival) else { continue };
            if findings.iter().find(is_error).is_none() {
                let errors = own.iter().filter(is_error).count();
                findings.push(self.disagreement(&rival, surroundings, (first, errors)));
                return findings;
            }
        }
        own
    }

    /// Returns whether `rival` declares the value at `path`. A definition that accepts any object where the
    /// chosen one declares its fields does not check the value.
    fn declares(&self, rival: &FoundDefinition<'_>, path: &FieldPath) -> bool {
        let (Some(mut of_judge), Some(mut of_rival)) = (self.schema(self.definition), self.schema(rival))
        else {
            return false;
        };
        // An item of a list is a separate resource.
        let steps = path.segments().iter().skip(if self.index.is_some() { 2 } else { 0 });
        for step in steps {
            if accepts_anything(of_rival) && !of_judge.properties.is_empty() {
                return false;
            }
            let Some(below) = below(of_judge, step).zip(below(of_rival, step)) else { break };
            (of_judge, of_rival) = below;
        }
        !accepts_anything(of_rival) || of_judge.properties.is_empty()
    }

    fn schema<'s>(&self, found: &FoundDefinition<'s>) -> Option<&'s Structural> {
        let version = found.definition.versions.iter().find(|version| version.name == self.kind.version)?;
        version.schema.as_ref().map(|(schema, _)| &**schema)
    }

    fn disagreement(
        &self,
        rival: &FoundDefinition<'_>,
        surroundings: &Surroundings,
        (first, errors): (&Finding, usize),
    ) -> Finding {
        let shown = |found: &FoundDefinition<'_>| surroundings.catalog.display_name(found.source).to_owned();
        let (kind, own) = (&self.kind.kind, self.definition);
        let errors = if errors == 1 { "one error".to_owned() } else { format!("{errors} errors") };
        let place = |found: &FoundDefinition<'_>, message: String| RelatedInformation {
            range: found.definition.kind_range,
            message,
            elsewhere: Some(found.other_source()),
        };
        let object =
            self.index.map_or_else(FieldPath::root, |index| FieldPath::of_names(["items"]).index(index));
        Finding {
            code: OVERRULED,
            severity: Severity::Information,
            message: Message::new(format!(
                "this resource has {errors} with the definition of `{kind}` in {} and none with the one in {}",
                shown(own),
                shown(rival)
            ))
            .advise("select the right one with `crds` in `.crd-ls.toml`, or make the two equal"),
            range: kind_range(self.root, self.reader),
            field_path: object.child("kind"),
            api_server: None,
            related: vec![
                place(
                    own,
                    format!("this definition rejects the resource; the first error: {}", first.message),
                ),
                place(rival, "this definition accepts the resource".to_owned()),
            ],
        }
    }
}

/// Whether a schema accepts an object without declaring its fields.
fn accepts_anything(schema: &Structural) -> bool {
    schema.extensions.preserve_unknown_fields
        && schema.properties.is_empty()
        && schema.additional_properties.is_none()
}

/// The schema below a step of a path: the name of a field, or an index.
fn below<'s>(schema: &'s Structural, step: &Segment) -> Option<&'s Structural> {
    let Some(name) = step.key() else { return schema.items.as_ref().map(|items| &*items.node) };
    let of_any = || match schema.additional_properties.as_ref()? {
        StructuralOrBool::Structural(child) => Some(&*child.node),
        StructuralOrBool::Bool(_) => None,
    };
    schema.properties.get(name).map(|child| &*child.node).or_else(of_any)
}
