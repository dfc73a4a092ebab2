//! The server's errors on the defaults in a schema (checks 98 to 102, `pkg/apiserver/schema/defaulting`).

use std::sync::Arc;

use api::{Code, Difference, KubernetesVersion, Severity};
use memo::{ByNode, table_of};
use text::{TextRange, TextSize};

use super::correlation::Correlations;
use super::error::{ValueError, error_text};
use super::message::message_of_default;
use super::objectmeta::{coerce, validate_embedded};
use super::prune::{is_meta, prune};
use super::rules::{BUDGET, RulesOn, evaluate, uncompiled};
use super::validate::{SchemaForm, ValidationOptions, validate};
use crate::cache::Cache;
use crate::field_path::{FieldPath, Segment};
use crate::finding::{Finding, RelatedInformation};
use crate::message::Message;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::{Child, Structural};
use crate::stop::StopSignal;
use crate::value::{Kind, Map, Member, Place, Value};

/// The schema whose defaults are checked.
pub struct DefaultsOf<'s> {
    /// `openAPIV3Schema`.
    pub schema: &'s Structural,
    /// The start of the schema, in bytes.
    pub base: TextSize,
    /// Its path as the user wrote it.
    pub user: FieldPath,
    /// Its path as the server names it.
    pub server: FieldPath,
    /// Whether the server reaches these checks: it does not if the schema is not structural.
    pub reported: bool,
    /// Whether defaults must not have unknown fields: on create, and on update unless the old defaults had
    /// some (check 98).
    pub requires_pruned: bool,
    /// Whether only errors on types and formats are reported, so that no schema is recorded as valid.
    pub types_only: bool,
}

/// Schemas whose defaults, with all defaults below, are valid: they are not checked again after an edit. The
/// table is for one version of Kubernetes.
#[derive(Debug, Default)]
pub struct FineDefaults {
    /// The cost of their rules, in CEL cost units.
    rule_costs: ByNode<Structural, i64>,
    /// When the current check is to end.
    stop: StopSignal,
}

impl Cache {
    /// The schemas whose defaults are known to be valid.
    pub(crate) fn fine_defaults(&mut self) -> &mut FineDefaults {
        let stop = self.stop().clone();
        let fine: &mut FineDefaults = self.table();
        fine.stop = stop;
        fine
    }
}

impl FineDefaults {
    fn cost(&self, schema: &Arc<Structural>) -> Option<i64> {
        self.rule_costs.get(schema).copied()
    }

    fn keep(&mut self, schema: &Arc<Structural>, cost: i64) {
        if !self.stop.is_reached() {
            self.rule_costs.insert(schema, cost);
        }
    }
}

table_of!(FineDefaults, rule_costs);

/// Adds the errors on the defaults of a schema.
pub fn validate_defaults(
    defaults: &DefaultsOf<'_>,
    version: KubernetesVersion,
    fine: &mut FineDefaults,
    findings: &mut Vec<Finding>,
) {
    if !defaults.schema.has_defaults {
        return;
    }
    let mut walk =
        DefaultsWalk { defaults, version, path: FieldPath::root(), budget: BUDGET, fine, findings };
    let resource = Resource { schema: defaults.schema, steps: Vec::new() };
    walk.node(defaults.schema, defaults.base, &resource, true, false);
}

/// The resource around a node (an embedded one or the whole), and the path from there to the node.
#[derive(Clone)]
struct Resource<'s> {
    schema: &'s Structural,
    steps: Vec<PathStep<'s>>,
}

#[derive(Clone, Copy)]
enum PathStep<'s> {
    Item,
    Property(&'s str),
}

impl<'s> Resource<'s> {
    fn below(&self, step: PathStep<'s>) -> Self {
        let mut below = self.clone();
        below.steps.push(step);
        below
    }

    /// An object with `value` at the end of the path, and the type of the server's trial object.
    fn trial_object(&self, value: Value) -> Value {
        let member = |value| Member { key: Place::Nowhere, value };
        let object = self.steps.iter().rev().fold(value, |value, step| match step {
            PathStep::Item => Value::made(Kind::List(vec![value])),
            PathStep::Property(name) => {
                Value::made(Kind::Map(Map::from([(Box::from(*name), member(value))])))
            }
        });
        let Kind::Map(mut map) = object.kind else { return object };
        for (name, text) in [("apiVersion", "validation/v1"), ("kind", "Validation")] {
            map.entry(name.into()).or_insert_with(|| member(Value::text(text)));
        }
        Value::made(Kind::Map(map))
    }
}

/// A default with its position.
struct Default<'s> {
    schema: &'s Structural,
    base: TextSize,
    /// Whether the schema describes a whole resource.
    is_resource: bool,
    value: Value,
    /// The key `default`.
    key: TextRange,
}

struct DefaultsWalk<'w> {
    defaults: &'w DefaultsOf<'w>,
    version: KubernetesVersion,
    /// The path from `openAPIV3Schema` to the node.
    path: FieldPath,
    /// The remaining cost budget of rules; negative if the server stopped.
    budget: i64,
    fine: &'w mut FineDefaults,
    findings: &'w mut Vec<Finding>,
}

impl<'w> DefaultsWalk<'w> {
    fn node(
        &mut self,
        schema: &'w Structural,
        base: TextSize,
        around: &Resource<'w>,
        is_root: bool,
        inside_meta: bool,
    ) {
        let is_resource = is_root || schema.extensions.embedded_resource;
        let own = Resource { schema, steps: Vec::new() };
        let (around, inside_meta) = if is_resource { (&own, false) } else { (around, inside_meta) };
        if let (Some(value), Some(place)) =
            (&schema.generic.default, schema.places.place_of(Keyword::Default, base))
        {
            let value = value.shifted(base);
            let default = Default { schema, base, is_resource, value, key: place.key };
            self.path.push_name("default");
            match inside_meta {
                true => self.inside_meta(&default, around),
                false => self.outside_meta(&default),
            }
            self.path.pop();
        }
        if let Some(child) = schema.items.as_ref().filter(|child| child.node.has_defaults) {
            self.path.push_name("items");
            self.below(child, base, &around.below(PathStep::Item), inside_meta);
            self.path.pop();
        }
        for (name, child) in schema.properties.iter().filter(|(_, child)| child.node.has_defaults) {
            self.path.push_name("properties");
            self.path.push_key(name);
            let inside_meta = inside_meta || is_resource && is_meta(name);
            self.below(child, base, &around.below(PathStep::Property(name)), inside_meta);
            self.path.pop();
            self.path.pop();
        }
    }

    fn below(
        &mut self,
        child: &'w Child<Structural>,
        base: TextSize,
        around: &Resource<'w>,
        inside_meta: bool,
    ) {
        // Within metadata, the result also depends on the nodes around it.
        let known = if inside_meta { None } else { self.fine.cost(&child.node) };
        if self.fine.stop.is_due() {
            return;
        }
        if self.budget < 0 || known.is_some_and(|cost| cost <= self.budget) {
            self.budget -= known.unwrap_or_default();
            return;
        }
        let (before, budget) = (self.findings.len(), self.budget);
        self.node(&child.node, child.base(base), around, false, inside_meta);
        let is_complete = self.defaults.requires_pruned && !self.defaults.types_only;
        if !inside_meta && is_complete && self.findings.len() == before {
            self.fine.keep(&child.node, budget - self.budget);
        }
    }

    /// A default of `metadata`, `apiVersion` or `kind` must make an otherwise empty resource valid.
    fn inside_meta(&mut self, default: &Default<'_>, around: &Resource<'_>) {
        let mut object = around.trial_object(default.value.clone());
        let root = FieldPath::root();
        let errors = match coerce(&mut object, around.schema, true, &root, self.version) {
            Err(error) => vec![*error],
            Ok(_) => validate_embedded(&object, around.schema, true, &root, self.version),
        };
        match aggregate(errors.iter().map(ValueError::message).collect()) {
            Some(problem) => {
                let detail = format!("must result in valid metadata: {problem}");
                let message = errors.first().map(super::message).unwrap_or_default();
                self.add_own(default, Code::DefaultsMetadata, detail, message);
            }
            None => self.schema(default, &default.value),
        }
    }

    fn outside_meta(&mut self, default: &Default<'_>) {
        if self.defaults.requires_pruned {
            self.unknown_fields(default);
        }
        let prefix = self.server_path();
        let mut value = default.value.clone();
        if let Err(error) = coerce(&mut value, default.schema, default.is_resource, &prefix, self.version) {
            return self.embedded(default, &[*error], &value);
        }
        let errors = validate_embedded(&value, default.schema, default.is_resource, &prefix, self.version);
        if errors.is_empty() {
            return self.schema(default, &value);
        }
        self.embedded(default, &errors, &value);
    }

    /// Adds `errors` of a resource in a default, and the errors that the server reports after they are fixed.
    fn embedded(&mut self, default: &Default<'_>, errors: &[ValueError], value: &Value) {
        let first = self.findings.len();
        for error in errors {
            self.add(Code::DefaultsEmbedded, error, default);
        }
        let (count, budget) = (self.findings.len(), self.budget);
        self.schema(default, value);
        self.budget = budget;
        let found = self.findings.split_off(count);
        let named = self.findings.get(first..).unwrap_or_default();
        let is_known = |finding: &Finding| {
            let is_around =
                |one: &Finding| finding.field_path.segments().starts_with(one.field_path.segments());
            named.iter().any(is_around)
        };
        let found: Vec<Finding> = found.into_iter().filter(|finding| !is_known(finding)).collect();
        self.findings.extend(found);
        self.hide(count);
    }

    /// Marks the findings from index `first` on as not yet reported by the server.
    fn hide(&mut self, first: usize) {
        for finding in self.findings.iter_mut().skip(first) {
            if finding.api_server.take().is_some() {
                finding.message.is_later = true;
            }
        }
    }

    fn unknown_fields(&mut self, default: &Default<'_>) {
        let mut pruned = default.value.clone();
        let dropped = prune(&mut pruned, default.schema, default.is_resource);
        if pruned == default.value {
            return;
        }
        let names: Vec<String> =
            dropped.iter().take(5).map(|dropped| format!("`{}`", dropped.path)).collect();
        let problem = match names.as_slice() {
            [] => "the default has unknown fields".to_owned(),
            [one] => match one.rsplit_once("].") {
                // The field belongs to an item.
                Some((_, name)) => format!("the schema does not declare `{name} ({one})"),
                None => format!("the schema does not declare {one}"),
            },
            several => format!("the schema does not declare {}", several.join(", ")),
        };
        let them = if names.len() > 1 { "them" } else { "it" };
        let message =
            Message::new(problem).advise(format!("declare {them}, or remove {them} from the default"));
        self.add_own(
            default,
            Code::DefaultsUnknownFields,
            "must not have unknown fields".to_owned(),
            message,
        );
        if let (Some(finding), Some(Place::Definition(range))) =
            (self.findings.last_mut(), dropped.first().map(|dropped| dropped.key))
        {
            finding.range = range;
        }
    }

    fn schema(&mut self, default: &Default<'_>, value: &Value) {
        let options = ValidationOptions {
            kubernetes_version: self.version,
            form: SchemaForm::Default,
            prefix: self.server_path(),
        };
        let errors = validate(value, default.schema, default.base, &options).errors;
        for error in &errors {
            self.add(Code::DefaultsSchema, error, default);
        }
        match errors.is_empty() {
            true => self.rules(default, value),
            false => self.uncompiled(default, value),
        }
    }

    /// Adds the rules that always fail because they do not compile; the server reports them once the default
    /// is valid.
    fn uncompiled(&mut self, default: &Default<'_>, value: &Value) {
        if !default.schema.has_rules {
            return;
        }
        let value = &completed(value, default.schema);
        let errors = uncompiled(&self.rules_on(default, value));
        let first = self.findings.len();
        for error in &errors {
            self.add(Code::DefaultsCel, error, default);
        }
        self.hide(first);
    }

    /// Evaluates the rules as if the default replaced itself, and if there are no errors, as if it were new.
    fn rules(&mut self, default: &Default<'_>, value: &Value) {
        let mut rules = self.rules_on(default, value);
        let mut outcome = evaluate(&rules, &Correlations::default());
        if outcome.errors.is_empty() && self.version.has(Difference::DefaultsWithoutOldValue) {
            rules.old = None;
            let kept = outcome.budget;
            outcome = evaluate(&rules, &Correlations::default());
            outcome.budget = outcome.budget.min(kept);
        }
        self.budget = outcome.budget;
        for error in &outcome.errors {
            self.add(Code::DefaultsCel, error, default);
        }
    }

    fn rules_on<'v>(&self, default: &Default<'v>, value: &'v Value) -> RulesOn<'v> {
        RulesOn {
            schema: default.schema,
            base: default.base,
            is_resource: default.is_resource,
            value,
            old: Some(value),
            ratchets: false,
            prefix: self.server_path(),
            version: self.version,
            budget: self.budget,
        }
    }

    fn server_path(&self) -> FieldPath {
        self.defaults.server.join(self.path.segments())
    }

    /// An error on a default as a whole.
    fn add_own(&mut self, default: &Default<'_>, code: Code, detail: String, message: Message) {
        let error = ValueError {
            error: ErrorType::Invalid,
            field: self.server_path().to_string(),
            path: FieldPath::root(),
            bad_value: Some(error_text(&default.value)),
            detail,
            place: default.value.place,
            rule: None,
            facts: None,
        };
        let before = self.findings.len();
        self.add(code, &error, default);
        if let Some(finding) = self.findings.get_mut(before) {
            finding.message = message;
        }
    }

    fn add(&mut self, code: Code, error: &ValueError, default: &Default<'_>) {
        if self.defaults.types_only && !error.is_of_type() {
            return;
        }
        let server = error.server_error();
        let range = match error.place {
            Place::Definition(range) if !range.is_empty() => range,
            _ => default.key,
        };
        let user = self.defaults.user.join(self.path.segments()).join(error.path.segments());
        let rule = error.rule.map(|rule| {
            let words = match rule.keyword {
                Keyword::Validations => "this rule is not satisfied".to_owned(),
                keyword => format!("required by this `{}`", keyword.as_str()),
            };
            RelatedInformation::here(rule.range, words)
        });
        let mut message = message_of_default(error);
        if code == Code::DefaultsEmbedded
            && error.error == ErrorType::Required
            && let Some(name) = error.path.last().and_then(Segment::key)
        {
            message = Message::new(format!("the default of an embedded resource has no `{name}`"))
                .advise(format!("add `{name}`"));
        }
        self.findings.push(Finding {
            code,
            severity: Severity::Error,
            message,
            range,
            field_path: user,
            api_server: self.defaults.reported.then_some(server),
            related: rule.into_iter().collect(),
        });
    }
}

/// `value` with the fields that `schema` requires and `value` lacks. Missing scalars become empty strings:
/// only their presence matters.
fn completed(value: &Value, schema: &Structural) -> Value {
    let kind = match &value.kind {
        Kind::List(items) => match &schema.items {
            Some(child) => Kind::List(items.iter().map(|item| completed(item, &child.node)).collect()),
            None => return value.clone(),
        },
        Kind::Map(members) => {
            let mut members = members.clone();
            let required = &schema.value_validation.required;
            for (name, child) in &schema.properties {
                let is_required = required.iter().any(|(other, _)| other == name);
                let lacking = || is_required.then(|| empty(&child.node)).map(|value| (Place::Nowhere, value));
                let written = members.get(name).map(|member| (member.key, member.value.clone()));
                if let Some((key, value)) = written.or_else(lacking) {
                    let value = completed(&value, &child.node);
                    members.insert(name.clone(), Member { key, value });
                }
            }
            Kind::Map(members)
        }
        _ => return value.clone(),
    };
    Value { place: value.place, kind }
}

fn empty(schema: &Structural) -> Value {
    match &*schema.generic.type_name {
        "object" => Value::made(Kind::Map(Map::new())),
        "array" => Value::made(Kind::List(Vec::new())),
        _ => Value::text(""),
    }
}

/// Joins several errors as the server does: each text once.
fn aggregate(mut messages: Vec<String>) -> Option<String> {
    let mut seen = Vec::new();
    messages.retain(|message| {
        let is_new = !seen.contains(message);
        seen.push(message.clone());
        is_new
    });
    match messages.as_slice() {
        [] => None,
        [single] => Some(single.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}
