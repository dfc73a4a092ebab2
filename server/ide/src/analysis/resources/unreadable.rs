//! Values that the server's decoder cannot read, so that it does not check the rest.

use api::{Code, FieldType, OBJECT_META};
use crd::customresource::{Admission, message};
use crd::value::Place;
use crd::{AnswerKind, FieldPath, Message, ServerError};
use yaml::scalar::ResolvedScalar;
use yaml::{Value, ValueKind};

use crate::analysis::resources::findings::Subject;
use crate::analysis::resources::{MOST, Shape};
use crate::{Finding, Severity};

impl Subject<'_, '_> {
    /// Returns the findings on an error of the decoder. An error of the YAML decoder has a separate finding
    /// at its position. The decoder of metadata names a field, such as `labels`, but not the value that is
    /// not a string.
    pub(super) fn decode(&self, text: &str, admission: &Admission) -> Vec<Finding> {
        if text.starts_with("yaml: ") {
            return Vec::new();
        }
        let unreadable = admission.unreadable.as_deref();
        let path = unreadable.map_or_else(|| FieldPath::of_names(["metadata"]), |error| error.path.clone());
        let placeholder = self.placeholders().placeholder_at(&path).or_else(|| {
            let mut within = self.placeholders().placeholders_below(&path);
            within.find(|(one, _)| one.is_mapping).map(|(one, _)| one)
        });
        if let Some(placeholder) = placeholder {
            self.silence(placeholder);
            return Vec::new();
        }
        let mut server = Some(ServerError::text(AnswerKind::DecodeError, text.to_owned()));
        let finding_of = |value: NonString<'_>| {
            let message = self.non_string_message(&value.path, value.what, value.value);
            let server = server.take_if(|_| value.path.starts_with(&path));
            let finding = self.finding(Code::ResourceDecode, Severity::Error, message, &value.path, server);
            Finding { range: value.value.range(), ..finding }
        };
        let mut findings: Vec<Finding> = self.non_strings().into_iter().take(MOST).map(finding_of).collect();
        if server.is_some() {
            let message = match unreadable {
                Some(error) => message(error),
                None => Message::new(format!("kube-apiserver cannot read the object: {text}")),
            };
            let mut finding = self.finding(Code::ResourceDecode, Severity::Error, message, &path, server);
            if let Some(Place::Resource(range)) = unreadable.map(|error| error.place)
                && self.is_scalar_range(range)
            {
                finding.range = range;
            }
            findings.push(finding);
        }
        findings
    }

    /// The message on `value`, which should be a string but is `what`. YAML may read a value very differently
    /// than it appears.
    pub(super) fn non_string_message(&self, path: &FieldPath, what: &str, value: Value<'_>) -> Message {
        let subject = path.ending();
        let written = value.as_scalar().map(|scalar| scalar.text());
        let is_odd = |text: &str| what == "a boolean" && !matches!(text, "true" | "false");
        let problem = match written.filter(|text| is_odd(text)) {
            Some(text) => format!("{subject} must be a string, but YAML reads `{text}` as {what}"),
            None => format!("{subject} cannot be {what}"),
        };
        Message::new(problem).advise("put it in quotes")
    }

    /// The scalars in metadata that should be strings.
    fn non_strings(&self) -> Vec<NonString<'_>> {
        let path = FieldPath::of_names(["metadata"]);
        let mut found = Vec::new();
        let Some(metadata) = crd::value_at(self.root, path.segments(), self.reader) else { return found };
        let mut pending = vec![(metadata, path, Shape::Api(FieldType::Object(&OBJECT_META)))];
        while let Some((value, path, shape)) = pending.pop() {
            match value.kind() {
                ValueKind::Mapping(mapping) => {
                    for (key, entry) in self.reader.entries(mapping) {
                        let Some(member) = shape.member(&key) else { continue };
                        let mut path = path.clone();
                        match member.is_named {
                            true => path.push_name(key.into_owned()),
                            false => path.push_key(&key),
                        }
                        pending.push((entry.value(), path, member.shape));
                    }
                }
                ValueKind::Sequence(sequence) => {
                    let Some(shape) = shape.item() else { continue };
                    for (index, item) in sequence.items().enumerate() {
                        let mut path = path.clone();
                        path.push_index(index);
                        pending.push((item.value(), path, shape));
                    }
                }
                ValueKind::Scalar(scalar) if matches!(shape, Shape::Api(FieldType::String)) => {
                    let what = match scalar.resolve() {
                        Ok(ResolvedScalar::Bool(_)) => "a boolean",
                        Ok(ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => {
                            "a number"
                        }
                        _ => continue,
                    };
                    found.push(NonString { value, path, what });
                }
                _ => {}
            }
        }
        found.sort_by_key(|one| one.value.range().start);
        found
    }
}

/// A scalar that should be a string.
struct NonString<'t> {
    value: Value<'t>,
    path: FieldPath,
    what: &'static str,
}
