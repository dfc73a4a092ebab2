//! The requirements for the rules of `x-kubernetes-validations` that can be checked without compiling them
//! (checks 129 to 137).

use std::borrow::Cow;

use api::{Code, Difference};
use text::TextRange;
use yaml::{Item, Reader, Value};

use super::Stage;
use super::field_paths::path_message;
use super::outcome::{Builder, NodeFinding, Place, name};
use crate::field_path::Segment;
use crate::go;
use crate::message::Message;
use crate::reading::item_range;
use crate::reading::members;
use crate::report::ErrorType;
use crate::schema::Flags;
use crate::schema::path::{ArrayNotation, PathError, resolve};
use crate::schema::{Keyword, Schema};
use crate::{KubernetesVersion, Options};

/// The valid reasons, sorted as in the server's message.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const REASONS_DETAIL: &str = r#"supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired""#;

/// Checks the rules of `schema`.
pub(crate) fn check(schema: &Schema<'_, '_>, options: &Options, out: &mut Builder) {
    if !schema.has_any(Keyword::Validations.bit()) {
        return;
    }
    out.flags |= Flags::RULES;
    for (index, item) in schema.items(Keyword::Validations).enumerate() {
        let Some(rule) = Rule::read(index, item, schema.reader()) else { continue };
        rule.check_message(options.kubernetes_version, out);
        if options.kubernetes_version.has(Difference::MessageExpressions) {
            rule.check_message_expression(out);
        }
        if options.kubernetes_version.has(Difference::ReasonsAndFieldPaths) {
            rule.check_reason(out);
            rule.check_field_path(schema, options.kubernetes_version, out);
        }
    }
}

/// One of the rules, with the fields that are strings.
struct Rule<'t> {
    index: usize,
    /// The range of the list item.
    range: TextRange,
    rule: Text<'t>,
    message: Text<'t>,
    message_expression: Text<'t>,
    reason: Text<'t>,
    field_path: Text<'t>,
}

/// A field of a rule.
#[derive(Default)]
struct Text<'t> {
    /// Empty where the field is absent.
    text: Cow<'t, str>,
    key: Option<TextRange>,
    value: Option<TextRange>,
}

impl Text<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The value, else the key, else `other`.
    fn range_or(&self, other: TextRange) -> TextRange {
        let value = self.value.filter(|value| !value.is_empty());
        value.or(self.key).unwrap_or(other)
    }
}

impl<'t> Rule<'t> {
    /// Reads the rule in `item`, if the decoder accepts it.
    fn read(index: usize, item: Item<'t>, reader: &Reader<'t>) -> Option<Self> {
        let value = reader.follow(item.value())?;
        let members = match value.as_mapping() {
            Some(mapping) => members(mapping, reader),
            None if crate::reading::is_null(value) => Default::default(),
            None => return None,
        };
        let text = |name: &str| -> Option<Text<'t>> {
            let Some(entry) = members.get(name) else { return Some(Text::default()) };
            let value = reader.follow(entry.value())?;
            let key = Some(entry.key_range());
            if crate::reading::is_null(value) {
                return Some(Text { key, ..Text::default() });
            }
            let text = value.as_scalar().and_then(yaml::Scalar::as_str)?;
            Some(Text { text, key, value: Some(Value::range(entry.value())) })
        };
        Some(Self {
            index,
            range: item_range(item),
            rule: text("rule")?,
            message: text("message")?,
            message_expression: text("messageExpression")?,
            reason: text("reason")?,
            field_path: text("fieldPath")?,
        })
    }

    /// Checks 129 to 132, of which the server reports the first that fails.
    fn check_message(&self, version: KubernetesVersion, out: &mut Builder) {
        let is_blank = self.rule.is_blank();
        if is_blank {
            let place = out.place_of(self.rule.range_or(self.range));
            let finding = self.finding(
                "rule",
                place,
                Code::CelRuleRequired,
                ErrorType::Required,
                "rule is not specified",
            );
            const EXPRESSION: &str =
                "a CEL expression that is true for valid values, such as `self.size > 0`";
            let (is, verb) = match self.rule.value {
                Some(_) if self.rule.text.is_empty() => ("empty", "write"),
                Some(_) => ("blank", "write"),
                None => ("missing", "add"),
            };
            out.push(finding.with_problem(format!("`rule` is {is}")).advise(format!("{verb} {EXPRESSION}")));
        }
        let message = out.place_of(self.message.range_or(self.range));
        let finding = if !self.message.text.is_empty() && self.message.is_blank() {
            let detail = since_34(version, "message must be non-empty if specified");
            self.finding("message", message, Code::CelMessageBlank, ErrorType::Invalid, detail)
                .with_problem("`message` is blank")
                .advise("write a message, or remove the key")
        } else if has_newlines(self.message.text.trim()) {
            let detail = since_34(version, "message must not contain line breaks");
            self.finding("message", message, Code::CelMessageNewline, ErrorType::Invalid, detail)
                .advise("write it on one line or fold it with `>-`")
        } else if !is_blank && has_newlines(self.rule.text.trim()) && self.message.is_blank() {
            let place = out.place_of(self.message.key.or(self.rule.key).unwrap_or(self.range));
            let detail = "message must be specified if rule contains line breaks";
            self.finding("message", place, Code::CelMessageRequired, ErrorType::Required, detail)
                .with_problem("a rule with line breaks needs a `message`")
                .advise("add `message`, or fold the rule with `>-`")
        } else {
            return;
        };
        let finding = finding.printing(go::quoted(&self.message.text));
        let stage = if is_blank { Stage::Skipped } else { finding.stage };
        out.push(NodeFinding { stage, ..finding });
    }

    /// Check 133.
    fn check_message_expression(&self, out: &mut Builder) {
        if self.message_expression.text.is_empty() || !self.message_expression.is_blank() {
            return;
        }
        let place = out.place_of(self.message_expression.range_or(self.range));
        let detail = "messageExpression must be non-empty if specified";
        let code = Code::CelMessageExpressionBlank;
        let finding = self.finding("messageExpression", place, code, ErrorType::Required, detail);
        let finding = finding.with_problem("`messageExpression` is blank");
        out.push(finding.advise("remove it, or write an expression"));
    }

    /// Check 134.
    fn check_reason(&self, out: &mut Builder) {
        if self.reason.value.is_none() || REASONS.contains(&self.reason.text.as_ref()) {
            return;
        }
        let place = out.place_of(self.reason.range_or(self.range));
        let code = Code::CelReasonUnsupported;
        let finding = self.finding("reason", place, code, ErrorType::NotSupported, REASONS_DETAIL);
        let finding = finding.printing(go::quoted(&self.reason.text));
        let finding = match self.reason.text.is_empty() {
            true => finding.with_problem("`reason` is empty").advise(format!("remove it, or use {A_REASON}")),
            false => finding.advise(format!("use {A_REASON}")),
        };
        out.push(finding);
    }

    /// Checks 135 to 137.
    fn check_field_path(&self, schema: &Schema<'_, '_>, version: KubernetesVersion, out: &mut Builder) {
        let path = self.field_path.text.as_ref();
        if path.is_empty() {
            return;
        }
        let place = out.place_of(self.field_path.range_or(self.range));
        let invalid = |code, detail| {
            self.finding("fieldPath", place, code, ErrorType::Invalid, detail).printing(go::quoted(path))
        };
        if self.field_path.is_blank() {
            let detail = since_34(version, "fieldPath must be non-empty if specified");
            let finding = invalid(Code::CelFieldPathBlank, detail).with_problem("`fieldPath` is blank");
            out.push(finding.advise("write a path such as `.size`, or remove the key"));
        }
        if has_newlines(path) {
            let detail = since_34(version, "fieldPath must not contain line breaks");
            out.push(invalid(Code::CelFieldPathNewline, detail).advise("write it on one line"));
        }
        let Err(error) = resolve(path, schema, ArrayNotation::Allowed) else { return };
        let code = Code::CelFieldPathInvalid;
        let Message { problem, remedy, .. } = path_message(path, &error, schema);
        let remedy = remedy.unwrap_or_default();
        // The server cannot resolve a path in a schema that it cannot convert, and accepts the path until the
        // schema is fixed.
        if out.flags.contains(Flags::UNCONVERTIBLE) {
            let is_elsewhere =
                schema.get(Keyword::Ref).is_some() && schema.members(Keyword::Properties).entries.is_empty();
            let is_wrong = match error {
                PathError::NoSuchField => !is_elsewhere,
                PathError::ServerFails => false,
                // No schema has such a path.
                _ => true,
            };
            if is_wrong {
                let detail = since_34(version, "fieldPath must be a valid path");
                let finding = invalid(code, detail).with_problem(problem).advise(remedy);
                out.push(NodeFinding { stage: Stage::Skipped, ..finding });
            }
            return;
        }
        if error == PathError::ServerFails {
            let finding = invalid(code, "kube-apiserver fails with an internal error");
            let finding =
                finding.with_problem(format!("{problem}, where kube-apiserver fails with an internal error"));
            let finding = finding.advise(remedy);
            return out.push(NodeFinding { stage: Stage::Lint, ..finding });
        }
        let detail = since_34(version, "fieldPath must be a valid path");
        out.push(invalid(code, detail).with_problem(problem).advise(remedy));
    }

    fn finding(
        &self,
        field: &'static str,
        place: Place,
        code: Code,
        error: ErrorType,
        detail: &'static str,
    ) -> NodeFinding {
        let rule = [name(Keyword::Validations), Segment::Index(self.index)];
        let tail = rule.into_iter().chain([Segment::Name(Cow::Borrowed(field))]).collect();
        NodeFinding::new(Stage::Schema, code, error, place, tail, detail)
    }
}

/// The reasons as a message lists them, the default first.
const A_REASON: &str =
    "`FieldValueInvalid` (the default), `FieldValueDuplicate`, `FieldValueForbidden` or `FieldValueRequired`";

/// The messages of older versions begin with the name of the field.
fn since_34(version: KubernetesVersion, words: &'static str) -> &'static str {
    match words.split_once(' ') {
        Some((_, newer)) if version.has(Difference::DetailsWithoutField) => newer,
        _ => words,
    }
}

fn has_newlines(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
