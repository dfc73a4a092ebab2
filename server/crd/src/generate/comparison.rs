//! Compares the verdicts of two texts of a definition on generated objects, where their rules differ.

use api::KubernetesVersion;
use yaml::{Document, Reader};

use super::agree::{Agreement, Comparison, MOST_VALUES, STEPS, ValueCounts, agree};
use super::{Hints, Settings, generate};
use crate::cache::Cache;
use crate::cel::declared;
use crate::customresource::objectmeta::validate_embedded;
use crate::customresource::{
    CompiledRule, RuleResult, SchemaForm, ValidationOptions, admits, validate_list_types,
};
use crate::field_path::FieldPath;
use crate::object::definitions;
use crate::options::Options;
use crate::schema::Keyword;
use crate::schema::structural::{Structural, StructuralOrBool, ValidationRule, repaired};
use crate::value::Value;

/// The maximum number of steps for the validation of one value.
const STEPS_OF_VALUE: usize = 100_000;

/// A schema node whose rules differ in two texts.
#[derive(Clone, Debug)]
pub struct RuleComparison {
    /// The node, from the root of the document.
    pub path: FieldPath,
    /// The result of trying both nodes on values. If both have the same number of rules, it compares the
    /// rules that changed. Otherwise it compares the verdicts of the nodes on new objects, without the rules
    /// that both have.
    pub agreement: Agreement,
}

/// Compares the definitions in `before` and `after` at each schema node whose rules differ; `None` if they
/// are not the same definitions with the same versions.
#[must_use]
pub fn compared(before: Document<'_>, after: Document<'_>, options: &Options) -> Option<Vec<RuleComparison>> {
    let readers = (Reader::new(before), Reader::new(after));
    let (old, new) = (definitions(before, &readers.0), definitions(after, &readers.1));
    if old.len() != new.len() {
        return None;
    }
    let mut cache = Cache::default();
    cache.prepare(options);
    let mut comparing = RuleComparer { version: options.kubernetes_version, comparisons: Vec::new() };
    for (old, new) in old.iter().zip(&new) {
        let (old, new) = (old.schemas(), new.schemas());
        if old.len() != new.len() {
            return None;
        }
        for (old, new) in old.into_iter().zip(new) {
            let schema_before = repaired(old.value, &readers.0, &mut cache);
            let schema_after = repaired(new.value, &readers.1, &mut cache);
            match (schema_before, schema_after) {
                (Some((before, _)), Some((after, _))) if old.path == new.path => {
                    comparing.node(&before, &after, old.path.clone(), true);
                }
                (None, None) => {}
                _ => return None,
            }
        }
    }
    Some(comparing.comparisons)
}

struct RuleComparer {
    version: KubernetesVersion,
    comparisons: Vec<RuleComparison>,
}

impl RuleComparer {
    fn node(&mut self, before: &Structural, after: &Structural, path: FieldPath, is_resource: bool) {
        if before.admits() == after.admits() {
            return;
        }
        let (old, new) = (&before.validations, &after.validations);
        if old.len() != new.len() {
            let agreement = schemas_agree(before, after, is_resource, self.version);
            self.comparisons.push(RuleComparison { path, agreement });
            return;
        }
        let pairs = old.iter().zip(new).filter(|(old, new)| !are_same(old, new));
        let agreements = pairs.map(|(old, new)| match old.optional_old_self == new.optional_old_self {
            true => agree(before, is_resource, &old.rule, &new.rule, self.version),
            false => Agreement::Unknown,
        });
        if let Some(agreement) = agreements.reduce(Agreement::and) {
            self.comparisons.push(RuleComparison { path: path.clone(), agreement });
        }
        self.below(before, after, &path);
    }

    fn below(&mut self, before: &Structural, after: &Structural, path: &FieldPath) {
        if let (Some(old), Some(new)) = (&before.items, &after.items) {
            self.node(&old.node, &new.node, path.child(Keyword::Items.as_str()), false);
        }
        let (old, new) = (&before.additional_properties, &after.additional_properties);
        if let (Some(StructuralOrBool::Structural(old)), Some(StructuralOrBool::Structural(new))) = (old, new)
        {
            self.node(&old.node, &new.node, path.child(Keyword::AdditionalProperties.as_str()), false);
        }
        for (name, old) in &before.properties {
            if let Some(new) = after.properties.get(name) {
                let path = path.child(Keyword::Properties.as_str()).key(name);
                self.node(&old.node, &new.node, path, false);
            }
        }
    }
}

fn are_same(one: &ValidationRule, other: &ValidationRule) -> bool {
    one.rule == other.rule && one.optional_old_self == other.optional_old_self
}

/// Tries two schemas (of whole resources if `is_resource`) on values that one of them accepts apart from its
/// rules. Rules that both have are skipped, so that they hide no difference. The result is unknown unless
/// some values are accepted and some are rejected.
fn schemas_agree(
    before: &Structural,
    after: &Structural,
    is_resource: bool,
    version: KubernetesVersion,
) -> Agreement {
    let (Some(first), Some(second)) = (
        NodeValidator::new(before, after, is_resource, version),
        NodeValidator::new(after, before, is_resource, version),
    ) else {
        return Agreement::Unknown;
    };
    if !have_same_rules_below(before, after) {
        return Agreement::Unknown;
    }
    let rules = only_in(before, after).chain(only_in(after, before));
    let mut hints = Hints::of(rules.map(|rule| &*rule.rule));
    for schema in [before, after] {
        let pattern = schema.value_validation.pattern.as_ref();
        hints.add_pattern(pattern.map(|pattern| pattern.as_str()).unwrap_or_default());
    }
    let settings = Settings { is_resource, limit: MOST_VALUES, steps: STEPS, ..Settings::new(version) };
    let mut values = generate(before, &hints, &settings);
    values.extend(generate(after, &hints, &settings));
    let mut comparison = Comparison::default();
    let found = values
        .iter()
        .find_map(|value| comparison.add((first.validate(value), second.validate(value)), value, None));
    match found.unwrap_or_else(|| comparison.end()) {
        Agreement::Same(ValueCounts { accepted: 0, .. } | ValueCounts { refused: 0, .. }) => {
            Agreement::Unknown
        }
        agreement => agreement,
    }
}

/// The rules of `schema` that `other` does not have.
fn only_in<'s>(schema: &'s Structural, other: &Structural) -> impl Iterator<Item = &'s ValidationRule> {
    schema.validations.iter().filter(|rule| !other.validations.iter().any(|other| are_same(rule, other)))
}

/// Whether the rules of all nodes below are the same.
fn have_same_rules_below(one: &Structural, other: &Structural) -> bool {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    rules_below(one, &mut ones);
    rules_below(other, &mut others);
    ones.len() == others.len() && ones.iter().zip(&others).all(|(one, other)| are_same(one, other))
}

fn rules_below<'s>(schema: &'s Structural, found: &mut Vec<&'s ValidationRule>) {
    for child in schema.items.iter().chain(schema.additional_schema()).chain(schema.properties.values()) {
        found.extend(&child.node.validations);
        rules_below(&child.node, found);
    }
}

/// A schema node that validates new values by its structure, validations and list types, and by the rules that
/// only it has.
struct NodeValidator<'s> {
    schema: &'s Structural,
    rules: Vec<CompiledRule<'s>>,
    options: ValidationOptions,
}

impl<'s> NodeValidator<'s> {
    /// A validator with the rules that `other` does not have; `None` if one of them cannot be tried.
    fn new(
        schema: &'s Structural,
        other: &Structural,
        is_resource: bool,
        version: KubernetesVersion,
    ) -> Option<Self> {
        let of = declared(schema, is_resource, version)?;
        let ready = |rule: &ValidationRule| {
            let optional = rule.optional_old_self == Some(true);
            CompiledRule::new(schema, is_resource, &of, &rule.rule, optional)
        };
        let rules = only_in(schema, other).map(ready).collect::<Option<Vec<_>>>()?;
        let options = ValidationOptions {
            kubernetes_version: version,
            form: SchemaForm::Resource,
            prefix: FieldPath::root(),
        };
        Some(Self { schema, rules, options })
    }

    /// The verdict on `value`. A rule that cannot be evaluated matters only if nothing else rejects the
    /// value.
    fn validate(&self, value: &Value) -> RuleResult {
        let (schema, version) = (self.schema, self.options.kubernetes_version);
        let root = FieldPath::root();
        let mut steps = STEPS_OF_VALUE;
        let is_valid = admits(value, Some(schema), &[], &self.options, &mut steps)
            && validate_list_types(value, schema, 0, &root).is_empty()
            && validate_embedded(value, schema, false, &root, version).is_empty();
        if steps == 0 {
            return RuleResult::Unknown;
        }
        if !is_valid {
            return RuleResult::Breaks;
        }
        let answers: Vec<RuleResult> = self.rules.iter().map(|rule| rule.result_for(value, None)).collect();
        if answers.contains(&RuleResult::Breaks) {
            return RuleResult::Breaks;
        }
        let is_doubtful =
            |answer: &RuleResult| matches!(answer, RuleResult::Unknown | RuleResult::Fails { .. });
        answers.into_iter().find(is_doubtful).unwrap_or(RuleResult::Holds)
    }
}
