//! Validation of values by the keywords of a schema, with the texts of kube-apiserver's library
//! (`kube-openapi/validation/validate`), its quirks included.

mod facts;
mod junctor;
mod keywords;
mod node;
mod number;
mod outcome;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use api::KubernetesVersion;
use text::{TextRange, TextSize};

use self::node::SchemaNode;
use self::outcome::Outcome;
use super::correlation::{Correlation, Correlations};
use super::error::{Rule, ValueError};
use crate::field_path::{FieldPath, Segment};
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::{NestedValueValidation, Structural};
use crate::value::{Kind, Place, Value, quoted};

/// How many values are held against schemas at most, each against each branch. The server has no such limit but the
/// size of a request.
const MAX_STEPS: usize = 2_000_000;

/// Which form of the schema the server validates by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaForm {
    /// That of custom resources: formats that the version does not know are ignored, int-or-string has two types.
    Resource,
    /// The structural schema as it is, for defaults: all formats count, and int-or-string itself demands nothing.
    Default,
}

/// What the verdict on a value depends on beside the schema.
#[derive(Clone, Debug)]
pub struct ValidationOptions {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
    /// Which form of the schema counts.
    pub form: SchemaForm,
    /// What stands before the path of each field: `….default` for a default, nothing for a resource.
    pub prefix: FieldPath,
}

/// The errors of a validation.
#[derive(Debug, Default)]
pub struct Verdict {
    /// In the order of the server, but for members, which come alphabetically.
    pub errors: Vec<ValueError>,
    /// Whether it was too much work to look at all.
    pub incomplete: bool,
    /// Whether there are further errors, which are not kept.
    pub is_cut: bool,
}

/// Validates `value` by `schema`, which starts at `base`, in bytes of the definition.
#[must_use]
pub fn validate(value: &Value, schema: &Structural, base: TextSize, options: &ValidationOptions) -> Verdict {
    validate_changes(value, schema, base, options, None)
}

/// Validates a value like [`validate`]; what did not change may be wrong (`RatchetingSchemaValidator`).
pub(super) fn validate_changes<'v>(
    value: &'v Value,
    schema: &Structural,
    base: TextSize,
    options: &ValidationOptions,
    stored: Option<(Correlation<'v>, &Correlations<'v>)>,
) -> Verdict {
    let correlations = stored.map(|(_, correlations)| correlations);
    let mut validator = Validator::new(options, correlations, MAX_STEPS);
    let node = SchemaNode::spine(schema, base);
    let stored = stored.map(|(stored, _)| stored);
    let outcome = validator.value(Holder { value, owner: value.place, stored }, node);
    let (incomplete, is_cut) = (validator.is_exhausted(), outcome.is_cut());
    Verdict { errors: outcome.into_errors(), incomplete, is_cut }
}

/// Whether the server admits `value` where both `schema` and all of `also` hold; not where that takes more than `steps`
/// values held against a schema. What it takes is taken from `steps`.
pub(crate) fn admits(
    value: &Value,
    schema: Option<&Structural>,
    also: &[&NestedValueValidation],
    options: &ValidationOptions,
    steps: &mut usize,
) -> bool {
    let mut validator = Validator::new(options, None, *steps);
    let spine = schema.map(|schema| SchemaNode::spine(schema, 0));
    let mut nodes = spine.into_iter().chain(also.iter().map(|nested| SchemaNode::nested(nested, 0)));
    let holder = Holder::new(value, value.place);
    let is_admitted = nodes.all(|node| validator.value(holder, node).is_valid()) && !validator.is_exhausted();
    *steps = steps.saturating_sub(validator.steps);
    is_admitted
}

/// Where the validation is.
struct Validator<'o, 'v> {
    options: &'o ValidationOptions,
    /// What tells whether a value changed.
    correlations: Option<&'o Correlations<'v>>,
    /// The place as the library names it, such as `spec.list[0].key`.
    name: String,
    path: FieldPath,
    steps: usize,
    most_steps: usize,
    /// The server's words on the supported values of the schema whose list of them stands there: many values may be wrong.
    supported: RefCell<Option<(*const Value, Rc<str>)>>,
    /// Ours on them.
    allowed: RefCell<Option<(*const Value, Arc<str>)>>,
}

/// What an error says beside where it is.
struct Problem {
    error: ErrorType,
    keyword: Keyword,
    bad_value: Option<String>,
    /// The server's text.
    detail: String,
}

impl<'o, 'v> Validator<'o, 'v> {
    fn new(
        options: &'o ValidationOptions,
        correlations: Option<&'o Correlations<'v>>,
        most_steps: usize,
    ) -> Self {
        Self {
            options,
            correlations,
            name: String::new(),
            path: FieldPath::root(),
            steps: 0,
            most_steps,
            supported: RefCell::default(),
            allowed: RefCell::default(),
        }
    }

    /// Validates a value; what is wrong with one that did not change is forgiven.
    fn value(&mut self, holder: Holder<'v>, node: SchemaNode<'_>) -> Outcome {
        let mut outcome = self.value_as_new(&holder, node);
        if !outcome.is_valid()
            && let (Some(stored), Some(correlations)) = (holder.stored, self.correlations)
            && correlations.are_equal(stored)
        {
            outcome.forgive();
        }
        outcome
    }

    fn value_as_new(&mut self, holder: &Holder<'v>, node: SchemaNode<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let value = holder.value;
        self.steps += 1;
        if self.is_exhausted() {
            return outcome;
        }
        if value.is_null() {
            self.null_type(holder, node, &mut outcome);
            self.enumeration(holder, node, &mut outcome);
            return outcome;
        }
        self.type_and_format_kind(holder, node, &mut outcome);
        self.junctors(holder, node, &mut outcome);
        outcome.count();
        match &value.kind {
            Kind::String(text) => {
                self.string(holder, text, node, &mut outcome);
                self.format(holder, text, node, &mut outcome);
            }
            Kind::Int(_) | Kind::Float(_) => self.number(holder, node, &mut outcome),
            Kind::List(items) => self.list(holder, items, node, &mut outcome),
            _ => {}
        }
        self.enumeration(holder, node, &mut outcome);
        outcome.count();
        if let Kind::Map(map) = &value.kind {
            self.object(holder, map, node, &mut outcome);
            outcome.count();
        }
        outcome.count();
        outcome
    }

    /// Whether the limit is reached: what fits from then on may only look so.
    fn is_exhausted(&self) -> bool {
        self.steps >= self.most_steps
    }

    /// Validates a value below under its name.
    fn below(
        &mut self,
        segment: Segment,
        holder: Holder<'v>,
        node: SchemaNode<'_>,
        always_dotted: bool,
    ) -> Outcome {
        let length = self.name.len();
        match &segment {
            Segment::Index(index) => self.name.push_str(&format!("[{index}]")),
            Segment::Name(name) => self.push_name(name, always_dotted),
            Segment::Key(key) => self.push_name(key, always_dotted),
        }
        self.path.push(segment);
        let outcome = self.value(holder, node);
        self.path.pop();
        self.name.truncate(length);
        outcome
    }

    /// Names of properties have no dot before them at the root, other keys do.
    fn push_name(&mut self, name: &str, always_dotted: bool) {
        if always_dotted || !self.name.is_empty() {
            self.name.push('.');
        }
        self.name.push_str(name);
    }

    /// An error of the kind that names the field, here.
    fn named(&self, holder: &Holder<'_>, node: SchemaNode<'_>, problem: Problem) -> (String, ValueError) {
        let field = self.field(&self.name);
        let text = format!("{field} {}", problem.detail);
        (text, self.error(holder, node, field, problem))
    }

    /// An error of the kind that names no field.
    fn unnamed(
        &self,
        holder: &Holder<'_>,
        node: SchemaNode<'_>,
        keyword: Keyword,
        detail: String,
    ) -> (String, ValueError) {
        let bad_value = Some(quoted(""));
        let problem = Problem { error: ErrorType::Invalid, keyword, bad_value, detail: detail.clone() };
        (detail, self.error(holder, node, self.field(""), problem))
    }

    fn error(
        &self,
        holder: &Holder<'_>,
        node: SchemaNode<'_>,
        field: String,
        problem: Problem,
    ) -> ValueError {
        let Problem { error, keyword, bad_value, detail } = problem;
        let rule = node.range_of(keyword).map(|range: TextRange| Rule { keyword, range });
        let place = holder.value.place.or(holder.owner);
        let facts = self.facts(holder.value, node, keyword);
        ValueError { error, field, path: self.path.clone(), bad_value, detail, place, rule, facts }
    }

    /// The field that the server makes of the library's name.
    fn field(&self, name: &str) -> String {
        let prefix = self.options.prefix.to_string();
        let name = if name == "." { "" } else { name.strip_prefix('.').unwrap_or(name) };
        match (prefix.is_empty(), name.is_empty()) {
            (true, true) => "<nil>".to_owned(),
            (true, false) => name.to_owned(),
            (false, true) => prefix,
            (false, false) => format!("{prefix}.{name}"),
        }
    }
}

/// A value, and the key or item that holds it.
#[derive(Clone, Copy)]
struct Holder<'v> {
    value: &'v Value,
    owner: Place,
    /// The stored value in its place, if what did not change may be wrong.
    stored: Option<Correlation<'v>>,
}

impl<'v> Holder<'v> {
    fn new(value: &'v Value, owner: Place) -> Self {
        Self { value, owner, stored: None }
    }

    /// The same value in a junctor: there, nothing is forgiven.
    fn in_junctor(&self) -> Self {
        Self { stored: None, ..*self }
    }
}
