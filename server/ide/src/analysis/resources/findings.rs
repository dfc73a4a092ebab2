//! Turns the server's response into findings with ranges.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use api::Code;
use crd::customresource::{
    Admission, DisplayedValue, Facts, ReadValue, StrictError, TypeMismatch, ValueError, message,
    message_of_finalizer, message_of_unchanged, plain_detail, type_mismatch,
};
use crd::gates;
use crd::gates::{Action, GatedField};
use crd::schema::Keyword;
use crd::value::Place;
use crd::{AnswerKind, ErrorType, FieldPath, Segment, ServerError, locate};
use text::TextRange;
use yaml::{Reader, Value, ValueKind};

use crate::analysis::catalog::FoundDefinition;
use crate::analysis::kinds::Kind;
use crate::analysis::resources::place::{Target, find};
use crate::analysis::resources::unset_fields::UnsetFields;
use crate::analysis::resources::{MOST, response_parts};
use crate::analysis::validation_coverage::placeholders::{PlaceholderForm, Placeholders};
use crate::{FieldValidation, Finding, RelatedInformation, Severity};
use crd::Message;

/// The maximum number of values of a rule that are shown.
const MOST_VALUES_READ: usize = 3;
/// The maximum number of unknown fields that are compared with the declared ones, and of fields beside such a field.
const MOST_COMPARED: usize = 50;
const MOST_BESIDE: usize = 500;

/// The resource that a response is about.
pub(super) struct Subject<'s, 't> {
    pub(super) root: Value<'t>,
    pub(super) reader: &'s Reader<'t>,
    pub(super) definition: &'s FoundDefinition<'s>,
    /// The version that it states.
    pub(super) version: &'s str,
    pub(super) field_validation: FieldValidation,
    pub(super) is_patch: bool,
    /// The ranges of syntax errors; nothing is known about values that contain them.
    pub(super) broken: Vec<TextRange>,
    /// Whether chainsaw evaluates text in parentheses.
    pub(super) has_bindings: bool,
    /// The placeholders of the object, once they are needed.
    pub(super) placeholders: OnceCell<Placeholders>,
    /// The first placeholder whose finding was omitted.
    pub(super) silenced: Cell<Option<SilencedPlaceholder>>,
}

/// A placeholder whose finding was omitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct SilencedPlaceholder {
    pub(super) range: TextRange,
    pub(super) form: PlaceholderForm,
}

impl Subject<'_, '_> {
    pub(super) fn findings(&self, admission: &Admission) -> Vec<Finding> {
        let mut findings: Vec<Finding> =
            admission.decode_error.iter().flat_map(|text| self.decode(text, admission)).collect();
        if let Some(behind) = &admission.after_decode_error {
            let unsaid = |finding| Finding { api_server: None, ..finding };
            findings.extend(self.findings(behind).into_iter().map(unsaid));
        }
        for (index, error) in admission.strict_errors.iter().take(MOST + 1).enumerate() {
            match self.placeholder_key(error) {
                Some(placeholder) => self.silence(placeholder),
                None => findings.extend(self.strict(error, index < MOST_COMPARED)),
            }
        }
        let finalizers = self.finalizers();
        let warnings = admission.warnings.iter().take(MOST + 1);
        findings.extend(warnings.map(|text| self.warning(text, &finalizers)));
        let errors = admission
            .errors
            .iter()
            .filter(|error| !(self.is_of_broken_part(error) || self.is_patch && is_gap(error)));
        let (broken, errors): (Vec<&ValueError>, Vec<_>) = errors.partition(|error| is_of_broken_rule(error));
        // The definition has a separate finding for each of them.
        findings.extend(broken.first().map(|error| self.broken_rule(error)));
        let mut is_silenced = false;
        // The range of each is looked up from the root.
        for error in errors.into_iter().take(MOST + 1) {
            match self.placeholder_of(error) {
                Some(placeholder) => {
                    is_silenced = true;
                    self.silence(placeholder);
                }
                // The error may depend on the value of the placeholder.
                None if is_silenced && response_parts::code(error) == response_parts::NOT_CHECKED => {}
                None => findings.push(self.error(error)),
            }
        }
        let off = admission.gated.iter().filter(|outcome| outcome.action == Action::Dropped);
        findings.extend(off.filter_map(|outcome| self.gated_off(&outcome.field)));
        findings.retain(|finding| !self.is_broken(finding.range));
        findings
    }

    /// The finding that a resource is validated as a new object, although an object with its name is stored.
    pub(super) fn not_compared(&self, why: &str) -> Finding {
        let message = format!("{why}; crd-ls validates the resource as a new object");
        let path = FieldPath::of_names(["apiVersion"]);
        self.finding(Code::ResourceNotCompared, Severity::Information, message, &path, None)
    }

    /// Returns whether the value of `error` has a syntax error, or the object in which that value is missing.
    fn is_of_broken_part(&self, error: &ValueError) -> bool {
        if self.broken.is_empty() {
            return false;
        }
        let mut path = error.path.clone();
        let mut value = crd::value_at(self.root, path.segments(), self.reader);
        while value.is_none() && path.pop().is_some() {
            value = crd::value_at(self.root, path.segments(), self.reader);
        }
        value.is_none_or(|value| self.is_broken(value.range()))
    }

    /// Returns whether a syntax error is in `range` or touches it.
    fn is_broken(&self, range: TextRange) -> bool {
        self.broken.iter().any(|error| error.start <= range.end && range.start <= error.end)
    }

    /// The finding on rules that do not compile. They say nothing about this resource, though the server
    /// would reject it.
    fn broken_rule(&self, error: &ValueError) -> Finding {
        let mut finding = self.error(error);
        finding.code = Code::ResourceBrokenRule;
        finding.severity = Severity::Hint;
        finding.message = "a rule of the definition does not compile and is not checked".into();
        finding.range = kind_range(self.root, self.reader);
        finding
    }

    /// The finding on a field that is set although its feature gate is off; `None` if the field only has a default.
    fn gated_off(&self, field: &GatedField) -> Option<Finding> {
        let GatedField { path, gate, reason: why, .. } = field;
        let steps = gates::steps(path).ok()?.into_iter();
        let field_path: FieldPath =
            steps.map(|step| Segment::Name(step.to_owned().into())).collect::<Vec<_>>().into();
        crd::value_at(self.root, field_path.segments(), self.reader)?;
        let message = format!(
            "`{path}` is set, but its feature gate `{gate}` is off ({why}): new objects lose the field, stored \
             objects keep it"
        );
        let mut finding = self.finding(Code::GatesOff, Severity::Warning, message, &field_path, None);
        finding.related.push(RelatedInformation {
            range: field.range,
            message: format!("the feature gate `{gate}`"),
            elsewhere: Some(self.definition.other_source()),
        });
        Some(finding)
    }

    /// The finding on an unknown field, which is compared with the declared ones if `is_compared` is set.
    fn strict(&self, error: &StrictError, is_compared: bool) -> Option<Finding> {
        // Duplicate keys have separate findings.
        let field = error.text.strip_prefix("unknown field \"")?.strip_suffix('"')?;
        let server = ServerError::text(AnswerKind::StrictError, error.text.clone());
        let problem = match self.field_validation {
            FieldValidation::Strict => format!("unknown field `{field}`"),
            FieldValidation::Warn | FieldValidation::Ignore => {
                format!("kube-apiserver prunes the unknown field `{field}`")
            }
        };
        // Looking up each of many fields from the root takes long.
        let (path, range) = match error.key {
            Place::Resource(range) => (response_parts::path(field), range),
            _ => {
                let path = response_parts::path_in(field, self.root, self.reader);
                let range = self.range(&path);
                (path, range)
            }
        };
        let meant = is_compared.then(|| self.meant_field(range)).flatten();
        let remedy = meant.map_or("remove it or correct its name".into(), |name| format!("write `{name}`"));
        let message = Message::new(problem).advise(remedy);
        let severity = self.field_validation.severity();
        Some(Finding {
            code: Code::ResourceUnknownField,
            severity,
            message,
            range,
            field_path: path.clone(),
            api_server: Some(server),
            related: vec![related_definition(self.definition)],
        })
    }

    /// The declared field that the unknown one with the key at `key` is meant to be.
    fn meant_field(&self, key: TextRange) -> Option<String> {
        let place = find(self.root, self.definition.shape(self.version), key.start)?;
        let Target::Key(holder) = place.target else { return None };
        let holder = holder.as_mapping().filter(|holder| holder.entries().nth(MOST_BESIDE).is_none())?;
        let unset = UnsetFields::of(holder, place.shape, self.reader);
        unset.meant(&place.entry?.key_text()?).map(str::to_owned)
    }

    /// The server warns about finalizers, about violated rules on unchanged values, and about the version.
    fn warning(&self, text: &str, finalizers: &HashMap<String, FieldPath>) -> Finding {
        let server = Some(ServerError::text(AnswerKind::Warning, text.to_owned()));
        let (code, path, message) = if let Some(rest) = text.strip_prefix("metadata.finalizers: ") {
            let name = rest.split_once(": prefer ").map_or(rest, |(name, _)| name);
            let path = finalizers.get(name).cloned();
            let path = path.unwrap_or_else(|| FieldPath::of_names(["metadata", "finalizers"]));
            (Code::ResourceMetadata, path, message_of_finalizer(text))
        } else if let Some((field, detail)) = violated_rule(text) {
            let path = response_parts::path(field);
            let message = message_of_unchanged(self.without_value(detail, &path), field);
            (Code::ResourceRule, path, message)
        } else {
            (Code::ResourceDeprecatedVersion, FieldPath::of_names(["apiVersion"]), Message::new(text))
        };
        self.finding(code, Severity::Warning, message, &path, server)
    }

    /// The paths of the finalizers, by their names as the server prints them.
    fn finalizers(&self) -> HashMap<String, FieldPath> {
        let list = FieldPath::of_names(["metadata", "finalizers"]);
        let items = crd::value_at(self.root, list.segments(), self.reader).and_then(Value::as_sequence);
        let items = items.into_iter().flat_map(yaml::Sequence::items).enumerate();
        let name = |item: yaml::Item<'_>| crd::value::Value::read(item.value(), self.reader).in_error();
        items.map(|(index, item)| (name(item), list.index(index))).collect()
    }

    fn error(&self, error: &ValueError) -> Finding {
        let code = response_parts::code(error);
        let severity =
            if code == response_parts::NOT_CHECKED { Severity::Information } else { Severity::Error };
        let mut message = message(error);
        if error.error == ErrorType::Required
            && error.rule.map_or(error.detail.is_empty(), |rule| rule.keyword == Keyword::Required)
            && let Some(name) = error.path.last().and_then(Segment::key)
            && let Some(value) = crd::value_at(self.root, error.path.segments(), self.reader)
        {
            message = self.required_but_dropped(name, value);
        }
        // A rule may compare a default with values of the resource.
        if matches!(error.place, Place::Definition(_))
            && error.rule.is_some_and(|rule| rule.keyword != Keyword::Validations)
        {
            message = message_of_invalid_default(message, &error.path);
        }
        // Nothing is written behind the colon or dash; the server reads null.
        if error.bad_value.as_deref().is_some_and(|value| value.trim_matches('"') == "null")
            && let Some(value) = crd::value_at(self.root, error.path.segments(), self.reader)
            && matches!(value.kind(), ValueKind::Absent)
        {
            message.problem = format!("{} is empty", error.path.ending());
        }
        if response_parts::code(error) == Code::ResourceType
            && let Some(TypeMismatch { expected: "string", actual: actual @ "boolean" }) =
                type_mismatch(plain_detail(&error.detail))
            && let Some(value) = crd::value_at(self.root, error.path.segments(), self.reader)
        {
            message = self.non_string_message(&error.path, &format!("a {actual}"), value);
        }
        let mut finding = self.finding(code, severity, message, &error.path, Some(error.server_error()));
        if let Place::Resource(range) = error.place
            && error.bad_value.is_some()
            && self.is_scalar_range(range)
        {
            finding.range = range;
        }
        let in_definition = match (error.place, &error.rule) {
            (Place::Definition(range), _) => Some((range, "the value comes from this default".to_owned())),
            (_, Some(rule)) => Some((rule.range, format!("required by this `{}`", rule.keyword.as_str()))),
            _ => None,
        };
        finding.related.extend(values_read(error));
        finding.related.extend(in_definition.map(|(range, message)| RelatedInformation {
            range,
            message,
            elsewhere: Some(self.definition.other_source()),
        }));
        finding
    }

    /// The message on a required field that is set: the server drops null, and fields that the schema does not declare,
    /// before it checks for missing fields.
    fn required_but_dropped(&self, name: &str, value: Value<'_>) -> Message {
        if crd::value::Value::read(value, self.reader).is_null() {
            return Message::new(format!("required field `{name}` has no value")).advise("add a value");
        }
        Message::new(format!(
            "the definition requires `{name}` but does not declare it, so kube-apiserver prunes it"
        ))
        .advise("declare it in the definition, or remove it from `required` there")
    }

    /// The rest of a warning that begins with a value, if it is the value at `path`.
    fn without_value<'w>(&self, detail: &'w str, path: &FieldPath) -> &'w str {
        let value = crd::value_at(self.root, path.segments(), self.reader);
        let shown = value.map(|value| crd::value::Value::read(value, self.reader).in_error());
        let rest = shown.and_then(|shown| detail.strip_prefix(&shown));
        match rest {
            Some("") => "",
            Some(rest) => rest.strip_prefix(": ").unwrap_or(detail),
            None => detail,
        }
    }

    /// Returns whether the range is that of a scalar or a key. Findings on longer values are shown at their keys.
    pub(super) fn is_scalar_range(&self, range: TextRange) -> bool {
        match found_at_range(self.root, range) {
            Some(FoundAtRange::Value(value)) => value.as_scalar().is_some(),
            found => matches!(found, Some(FoundAtRange::Key)),
        }
    }

    pub(super) fn finding(
        &self,
        code: Code,
        severity: Severity,
        message: impl Into<Message>,
        path: &FieldPath,
        api_server: Option<ServerError>,
    ) -> Finding {
        Finding {
            code,
            severity,
            message: message.into(),
            range: self.range(path),
            field_path: path.clone(),
            api_server,
            related: Vec::new(),
        }
    }

    /// The range for `path`; that of the kind for a field that is missing in the root.
    fn range(&self, path: &FieldPath) -> TextRange {
        let range = locate(self.root, path, self.reader).range;
        if range.is_empty() { kind_range(self.root, self.reader) } else { range }
    }
}

/// The values of a failed rule that are written in the resource.
fn values_read(error: &ValueError) -> Vec<RelatedInformation> {
    let Some(Facts::Rule(failed)) = &error.facts else { return Vec::new() };
    // Values from a default are not written here.
    if matches!(error.place, Place::Definition(_)) {
        return Vec::new();
    }
    let related = |read: &ReadValue| match (&read.now, read.place) {
        (DisplayedValue::Scalar(value) | DisplayedValue::Text(value), Place::Resource(range)) => {
            Some(RelatedInformation::here(range, format!("{} is {value}", read.name)))
        }
        _ => None,
    };
    failed.values.iter().filter_map(related).take(MOST_VALUES_READ).collect()
}

/// The message on the value at `path` that comes from a default of the definition, about which `message` is.
fn message_of_invalid_default(message: Message, path: &FieldPath) -> Message {
    let problem = format!("the default of `{path}` is invalid: {}", message.problem);
    Message::new(problem).advise("set the field, or correct the default in the definition")
}

fn is_of_broken_rule(error: &ValueError) -> bool {
    let is_of_rule = error.rule.as_ref().is_some_and(|rule| rule.keyword == Keyword::Validations);
    is_of_rule && error.detail.starts_with("rule compile error: ")
}

/// Returns whether the error is only about missing values.
fn is_gap(error: &ValueError) -> bool {
    // In a patch, null removes a field.
    if error.bad_value.as_deref() == Some("null") {
        return true;
    }
    let is_about_gaps = error.rule.as_ref().is_some_and(|rule| {
        matches!(rule.keyword, Keyword::Validations | Keyword::MinItems | Keyword::MinProperties)
            || rule.keyword.is_junctor()
    });
    error.error == ErrorType::Required
        || is_about_gaps
        || response_parts::code(error) == response_parts::NOT_CHECKED
}

/// The node at a range.
enum FoundAtRange<'t> {
    Key,
    Value(Value<'t>),
}

/// The node at exactly that range.
fn found_at_range(value: Value<'_>, range: TextRange) -> Option<FoundAtRange<'_>> {
    let mut value = value;
    loop {
        if value.range() == range {
            return Some(FoundAtRange::Value(value));
        }
        value = match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entry = mapping.entries().find(|entry| contains(entry.range(), range))?;
                if entry.key_range() == range {
                    return Some(FoundAtRange::Key);
                }
                entry.value()
            }
            ValueKind::Sequence(sequence) => {
                sequence.items().find(|item| contains(item.value().range(), range))?.value()
            }
            _ => return None,
        };
    }
}

/// The field and the rest of a warning in the format of an error; `None` for other warnings.
fn violated_rule(text: &str) -> Option<(&str, &str)> {
    let (field, rest) = text.split_once(": ")?;
    let types = [ErrorType::Invalid, ErrorType::Required, ErrorType::Forbidden, ErrorType::Duplicate];
    let detail = types.iter().find_map(|error| rest.strip_prefix(error.description())?.strip_prefix(": "))?;
    (!field.contains(' ')).then_some((field, detail))
}

fn contains(outer: TextRange, inner: TextRange) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The range of the kind of an object.
pub(super) fn kind_range<'t>(root: Value<'t>, reader: &Reader<'t>) -> TextRange {
    locate(root, &FieldPath::of_names(["kind"]), reader).range
}

/// The finding that the server has no endpoint for the version.
pub(super) fn not_served(
    root: Value<'_>,
    reader: &Reader<'_>,
    kind: &Kind,
    definition: &FoundDefinition<'_>,
) -> Finding {
    let versions = &definition.definition.versions;
    let is_defined = versions.iter().any(|version| version.name == kind.version);
    let served: Vec<String> = versions
        .iter()
        .filter(|version| version.served)
        .map(|version| format!("`{}/{}`", kind.group, version.name))
        .collect();
    let remedy = match served.as_slice() {
        [] => None,
        [one] => Some(format!("use {one}")),
        several => Some(format!("use one of {}", several.join(", "))),
    };
    let what = if is_defined { "is not served" } else { "is not defined" };
    let range = crd::value_at(root, FieldPath::of_names(["apiVersion"]).segments(), reader)
        .map_or_else(|| kind_range(root, reader), Value::range);
    Finding {
        code: if is_defined { Code::ResourceNotServed } else { Code::ResourceUnknownVersion },
        severity: if is_defined { Severity::Error } else { Severity::Warning },
        message: Message {
            remedy,
            ..Message::new(format!("version `{}/{}` of `{}` {what}", kind.group, kind.version, kind.kind))
        },
        range,
        field_path: FieldPath::of_names(["apiVersion"]),
        api_server: None,
        related: vec![related_definition(definition)],
    }
}

/// The definition that validates the resource, as a related place.
fn related_definition(definition: &FoundDefinition<'_>) -> RelatedInformation {
    RelatedInformation {
        range: definition.definition.kind_range,
        message: format!("`{}` is defined here", definition.definition.kind),
        elsewhere: Some(definition.other_source()),
    }
}
