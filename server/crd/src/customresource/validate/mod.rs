//! Validation of values by the keywords of a schema, with the texts and the quirks of kube-apiserver's
//! library (`kube-openapi/validation/validate`).

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

/// The maximum number of validation steps; each value counts once for each branch that validates it. The
/// server has no such limit, apart from the size of a request.
const MAX_STEPS: usize = 2_000_000;

/// The form of the schema that the server validates by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaForm {
    /// For custom resources: formats that the version does not support are ignored, int-or-string has two
    /// types.
    Resource,
    /// For defaults, the structural schema unchanged: all formats apply, and int-or-string itself requires
    /// nothing.
    Default,
}

/// The inputs besides the schema that the verdict on a value depends on.
#[derive(Clone, Debug)]
pub struct ValidationOptions {
    /// The version of the server that validates.
    pub kubernetes_version: KubernetesVersion,
    /// The form of the schema.
    pub form: SchemaForm,
    /// The prefix of the path of each field: `….default` for a default, empty for a resource.
    pub prefix: FieldPath,
}

/// The errors of a validation.
#[derive(Debug, Default)]
pub struct ValidationResult {
    /// The errors in the server's order, except that members are sorted alphabetically.
    pub errors: Vec<ValueError>,
    /// Whether the value was too large to validate completely.
    pub incomplete: bool,
    /// Whether there are further errors, which are not kept.
    pub is_cut: bool,
}

/// Validates `value` by `schema`, which starts at `base`, in bytes of the definition.
#[must_use]
pub fn validate(
    value: &Value,
    schema: &Structural,
    base: TextSize,
    options: &ValidationOptions,
) -> ValidationResult {
    validate_changes(value, schema, base, options, None)
}

/// Validates a value like [`validate`], but accepts errors of unchanged values (`RatchetingSchemaValidator`).
pub(super) fn validate_changes<'v>(
    value: &'v Value,
    schema: &Structural,
    base: TextSize,
    options: &ValidationOptions,
    stored: Option<(Correlation<'v>, &Correlations<'v>)>,
) -> ValidationResult {
    let correlations = stored.map(|(_, correlations)| correlations);
    let mut validator = Validator::new(options, correlations, MAX_STEPS);
    let node = SchemaNode::from_structural(schema, base);
    let stored = stored.map(|(stored, _)| stored);
    let outcome = validator.value(Holder { value, owner: value.place, stored }, node);
    let (incomplete, is_cut) = (validator.is_exhausted(), outcome.is_cut());
    ValidationResult { errors: outcome.into_errors(), incomplete, is_cut }
}

/// Whether the server accepts `value` by both `schema` and all of `also`; false if that takes more than
/// `steps` validation steps. The steps taken are subtracted from `steps`.
pub(crate) fn admits(
    value: &Value,
    schema: Option<&Structural>,
    also: &[&NestedValueValidation],
    options: &ValidationOptions,
    steps: &mut usize,
) -> bool {
    let mut validator = Validator::new(options, None, *steps);
    let spine = schema.map(|schema| SchemaNode::from_structural(schema, 0));
    let mut nodes = spine.into_iter().chain(also.iter().map(|nested| SchemaNode::from_nested(nested, 0)));
    let holder = Holder::new(value, value.place);
    let is_admitted = nodes.all(|node| validator.value(holder, node).is_valid()) && !validator.is_exhausted();
    *steps = steps.saturating_sub(validator.steps);
    is_admitted
}

/// The state of a validation.
struct Validator<'o, 'v> {
    options: &'o ValidationOptions,
    /// The correlations, which show whether a value has changed.
    correlations: Option<&'o Correlations<'v>>,
    /// The place as the library names it, such as `spec.list[0].key`.
    name: String,
    path: FieldPath,
    steps: usize,
    most_steps: usize,
    /// The server's text for the supported values of the schema whose list of them has that address; it is
    /// kept because many values may be wrong.
    supported: RefCell<Option<(*const Value, Rc<str>)>>,
    /// Our text for the allowed values.
    allowed: RefCell<Option<(*const Value, Arc<str>)>>,
}

/// An error without its place.
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

    /// Validates a value, and drops its errors if it has not changed.
    fn value(&mut self, holder: Holder<'v>, node: SchemaNode<'_>) -> Outcome {
        let mut outcome = self.value_as_new(&holder, node);
        if !outcome.is_valid()
            && let (Some(stored), Some(correlations)) = (holder.stored, self.correlations)
            && correlations.are_equal(stored)
        {
            outcome.clear_errors();
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

    /// Whether the limit is reached: later results may be wrongly valid.
    fn is_exhausted(&self) -> bool {
        self.steps >= self.most_steps
    }

    /// Validates a value below, with its name.
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

    /// At the root, names of properties have no leading dot; other keys have one.
    fn push_name(&mut self, name: &str, always_dotted: bool) {
        if always_dotted || !self.name.is_empty() {
            self.name.push('.');
        }
        self.name.push_str(name);
    }

    /// An error at this value whose text names the field.
    fn named_error(
        &self,
        holder: &Holder<'_>,
        node: SchemaNode<'_>,
        problem: Problem,
    ) -> (String, ValueError) {
        let field = self.field(&self.name);
        let text = format!("{field} {}", problem.detail);
        (text, self.error(holder, node, field, problem))
    }

    /// An error whose text does not name the field.
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

    /// The field in the server's error for the library's name.
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
    /// The stored value in its place, if errors of unchanged values are accepted.
    stored: Option<Correlation<'v>>,
}

impl<'v> Holder<'v> {
    fn new(value: &'v Value, owner: Place) -> Self {
        Self { value, owner, stored: None }
    }

    /// The same value in a junctor, where errors of unchanged values are reported.
    fn in_junctor(&self) -> Self {
        Self { stored: None, ..*self }
    }
}
