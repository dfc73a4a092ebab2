//! Validation of types, strings, lists, objects and enums.

use api::Difference;
use std::rc::Rc;

use super::node::{Additional, SchemaNode, Types};
use super::number::{is_json_integer, truncated};
use super::outcome::Outcome;
use super::{Holder, Problem, Validator};
use crate::customresource::error::error_text;
use crate::field_path::Segment;
use crate::formats::{self, Format};
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::value::{Kind, Map, Value, quoted};

impl<'v> Validator<'_, 'v> {
    /// The format that applies; empty if there is none.
    fn format_of<'s>(&self, node: SchemaNode<'s>) -> &'s str {
        let format = &*node.validation().format;
        if format.is_empty() {
            return "";
        }
        let types = node.types(self.options.form);
        let heeded = match self.options.form {
            super::SchemaForm::Default => {
                !format.starts_with("k8s-")
                    || self.options.kubernetes_version.has(Difference::NameFormatsOfDefaults)
            }
            super::SchemaForm::Resource => {
                formats::is_heeded(format, types.single(), self.options.kubernetes_version)
            }
        };
        if heeded { format } else { "" }
    }

    pub(super) fn null_type(&self, holder: &Holder<'_>, node: SchemaNode<'_>, outcome: &mut Outcome) {
        let types = node.types(self.options.form);
        if types == Types::Any || types.contains("null") || node.generic().nullable {
            return outcome.count();
        }
        let detail = format!("{} in body must be of type {}: \"null\"", self.name, types.joined());
        outcome.add(self.named_error(holder, node, type_problem(types.keyword(), "null", detail)));
    }

    /// Checks the type. With a format, strings and lists are accepted for all types but `number` and `integer`.
    pub(super) fn type_and_format_kind(
        &self,
        holder: &Holder<'_>,
        node: SchemaNode<'_>,
        outcome: &mut Outcome,
    ) {
        let types = node.types(self.options.form);
        let format = self.format_of(node);
        if types == Types::Any && format.is_empty() {
            return;
        }
        outcome.count();
        let value = holder.value;
        let actual = value.type_name();
        let go_kind = match value.kind {
            Kind::Int(_) => "int64",
            Kind::Float(_) => "float64",
            _ => "",
        };
        let is_whole_float = matches!(value.kind, Kind::Float(float) if is_json_integer(float));
        let is_near =
            is_whole_float && types.contains("integer") || actual == "integer" && types.contains("number");
        let is_text = matches!(value.kind, Kind::String(_) | Kind::List(_));
        let of_format = |expected: &str, found: &str| {
            let detail = format!("{} in body must be of type {expected}: {}", self.name, quoted(found));
            type_problem(Keyword::Format, found, detail)
        };
        let has_kind = types.contains(actual) || go_kind == format || is_near;
        let problem = if !is_text && !format.is_empty() && !has_kind {
            of_format(format, go_kind)
        } else if is_text && !format.is_empty() && !types.contains("number") && !types.contains("integer") {
            outcome.count();
            return;
        } else if !(types.contains(actual) || is_near) {
            let detail =
                format!("{} in body must be of type {}: {}", self.name, types.joined(), quoted(actual));
            type_problem(types.keyword(), actual, detail)
        } else {
            outcome.count();
            return;
        };
        outcome.add(self.named_error(holder, node, problem));
    }

    /// Checks length and pattern, and reports only the first that fails.
    pub(super) fn string(
        &self,
        holder: &Holder<'_>,
        text: &str,
        node: SchemaNode<'_>,
        outcome: &mut Outcome,
    ) {
        outcome.count();
        let validation = node.validation();
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let invalid = |keyword, detail| Problem {
            error: ErrorType::Invalid,
            keyword,
            bad_value: Some(quoted(text)),
            detail,
        };
        let problem = if let Some(most) = validation.max_length.filter(|most| length > *most) {
            Problem {
                error: ErrorType::TooLong,
                keyword: Keyword::MaxLength,
                bad_value: None,
                detail: self.too_long(most),
            }
        } else if let Some(least) = validation.min_length.filter(|least| length < *least) {
            let detail = format!("{} in body should be at least {least} chars long", self.name);
            invalid(Keyword::MinLength, detail)
        } else if let Some(pattern) = &validation.pattern {
            use crate::schema::structural::PatternProblem;
            let about = match pattern.is_match(text) {
                // A pattern that is too complex for our engine may match.
                Ok(true) | Err(PatternProblem::TooComplex(_)) => return,
                Ok(false) => pattern.as_str().to_owned(),
                Err(problem) => format!("{}, but pattern is invalid: {problem}", pattern.as_str()),
            };
            invalid(Keyword::Pattern, format!("{} in body should match '{about}'", self.name))
        } else {
            return;
        };
        outcome.add(self.named_error(holder, node, problem));
    }

    fn too_long(&self, most: i64) -> String {
        let version = self.options.kubernetes_version;
        let unit = if most == 1 && version.has(Difference::SingularUnits) { "byte" } else { "bytes" };
        match most {
            ..0 => "value is too long".to_owned(),
            _ if version.has(Difference::TooLongWords) => format!("may not be more than {most} {unit}"),
            _ => format!("may not be longer than {most}"),
        }
    }

    fn too_many(&self, most: i64) -> String {
        let singular = most == 1 && self.options.kubernetes_version.has(Difference::SingularUnits);
        match most {
            ..0 => "has too many items".to_owned(),
            _ => format!("must have at most {most} {}", if singular { "item" } else { "items" }),
        }
    }

    pub(super) fn format(
        &self,
        holder: &Holder<'_>,
        text: &str,
        node: SchemaNode<'_>,
        outcome: &mut Outcome,
    ) {
        let name = self.format_of(node);
        let Some(format) = Format::named(name) else { return };
        outcome.count();
        if !format.validates(text) {
            let detail = format!("{} in body must be of type {name}: {}", self.name, quoted(text));
            outcome.add(self.named_error(holder, node, type_problem(Keyword::Format, text, detail)));
        }
    }

    pub(super) fn list(
        &mut self,
        holder: &Holder<'v>,
        items: &'v [Value],
        node: SchemaNode<'_>,
        outcome: &mut Outcome,
    ) {
        if let Some(schema) = node.items() {
            for (index, item) in items.iter().enumerate() {
                let stored = holder.stored.zip(self.correlations);
                let stored = stored.and_then(|(stored, correlations)| correlations.index(stored, index));
                let item = Holder { value: item, owner: item.place, stored };
                outcome.merge(self.below(Segment::Index(index), item, schema, false));
            }
        }
        let validation = node.validation();
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        if let Some(least) = validation.min_items.filter(|least| length < *least) {
            let detail = format!("{} in body should have at least {least} items", self.name);
            outcome.add(self.named_error(holder, node, too_few_problem(Keyword::MinItems, length, detail)));
        }
        if let Some(most) = validation.max_items.filter(|most| length > *most) {
            let problem = too_many_problem(Keyword::MaxItems, length, self.too_many(most));
            outcome.add(self.named_error(holder, node, problem));
        }
        outcome.count();
        outcome.count();
    }

    pub(super) fn object(
        &mut self,
        holder: &Holder<'v>,
        map: &'v Map,
        node: SchemaNode<'_>,
        outcome: &mut Outcome,
    ) {
        let validation = node.validation();
        let length = i64::try_from(map.len()).unwrap_or(i64::MAX);
        if let Some(least) = validation.min_properties.filter(|least| length < *least) {
            let detail = format!("{} in body should have at least {least} properties", self.name);
            outcome.add(self.named_error(
                holder,
                node,
                too_few_problem(Keyword::MinProperties, length, detail),
            ));
        }
        if let Some(most) = validation.max_properties.filter(|most| length > *most) {
            let problem = too_many_problem(Keyword::MaxProperties, length, self.too_many(most));
            outcome.add(self.named_error(holder, node, problem));
        }
        self.members(holder, map, node, outcome);
        for (name, _) in validation.required.iter().filter(|(name, _)| !map.contains_key(name)) {
            let length = self.name.len();
            self.push_name(name, true);
            self.path.push(Segment::Name(name.to_string().into()));
            let problem = Problem {
                error: ErrorType::Required,
                keyword: Keyword::Required,
                bad_value: None,
                detail: String::new(),
            };
            let nothing = Value::made(Kind::Null);
            outcome.add(self.named_error(&Holder::new(&nothing, holder.owner), node, problem));
            self.path.pop();
            self.name.truncate(length);
        }
    }

    fn members(&mut self, holder: &Holder<'v>, map: &'v Map, node: SchemaNode<'_>, outcome: &mut Outcome) {
        let additional = node.additional(self.options.form);
        if matches!(additional, Additional::Any) && !node.has_properties() {
            return;
        }
        for (key, member) in map {
            let segment = Segment::Name(key.to_string().into());
            // The type of a resource is never ratcheted.
            let is_type = self.name.is_empty() && matches!(&**key, "kind" | "apiVersion");
            let stored = holder.stored.filter(|_| !is_type).and_then(|stored| stored.key(key));
            let below = Holder { value: &member.value, owner: member.key, stored };
            match (node.property(key), &additional) {
                (Some(schema), _) => {
                    outcome.merge(self.below(segment, below, schema, false));
                }
                (None, Additional::Any) => {}
                (None, Additional::Schema(schema)) => {
                    outcome.merge(self.below(segment, below, *schema, true));
                }
                (None, Additional::Nothing) => {
                    let problem = Problem {
                        error: ErrorType::Invalid,
                        keyword: Keyword::AdditionalProperties,
                        bad_value: Some(quoted(key)),
                        detail: format!("{}.{key} in body is a forbidden property", self.name),
                    };
                    let of_key = Value { place: member.key, kind: Kind::Null };
                    let at_key = Holder::new(&of_key, holder.owner);
                    outcome.add(self.named_error(&at_key, node, problem));
                }
            }
        }
    }

    pub(super) fn enumeration(&self, holder: &Holder<'_>, node: SchemaNode<'_>, outcome: &mut Outcome) {
        let allowed = &node.validation().enumeration;
        if allowed.is_empty() || allowed.iter().any(|allowed| converts_to(holder.value, allowed)) {
            return;
        }
        let problem = Problem {
            error: ErrorType::NotSupported,
            keyword: Keyword::Enum,
            bad_value: Some(error_text(holder.value)),
            detail: self.supported(allowed).to_string(),
        };
        outcome.add(self.named_error(holder, node, problem));
    }

    fn supported(&self, allowed: &[Value]) -> Rc<str> {
        let mut known = self.supported.borrow_mut();
        if let Some((_, words)) = known.as_ref().filter(|(of, _)| *of == allowed.as_ptr()) {
            return Rc::clone(words);
        }
        let names = allowed.iter().map(|value| match value.as_str() {
            Some(text) => quoted(text),
            None => quoted(&value.to_json().to_string()),
        });
        let names: Vec<String> = names.collect();
        let words: Rc<str> = format!("supported values: {}", names.join(", ")).into();
        *known = Some((allowed.as_ptr(), Rc::clone(&words)));
        words
    }
}

/// Whether Go converts `value` to the type of `allowed` and then finds both equal: 1.5 becomes the integer 1,
/// and 97 becomes the string `a`.
fn converts_to(value: &Value, allowed: &Value) -> bool {
    match (&value.kind, &allowed.kind) {
        (_, Kind::Null) => false,
        (Kind::Int(value), Kind::Float(allowed)) => *value as f64 == *allowed,
        (Kind::Float(value), Kind::Int(allowed)) => truncated(*value) == *allowed,
        (Kind::Int(value), Kind::String(allowed)) => {
            let rune = u32::try_from(*value).ok().and_then(char::from_u32);
            let mut chars = allowed.chars();
            chars.next() == Some(rune.unwrap_or(char::REPLACEMENT_CHARACTER)) && chars.next().is_none()
        }
        (value, allowed) => value == allowed,
    }
}

fn type_problem(keyword: Keyword, value: &str, detail: String) -> Problem {
    Problem { error: ErrorType::TypeInvalid, keyword, bad_value: Some(quoted(value)), detail }
}

fn too_few_problem(keyword: Keyword, length: i64, detail: String) -> Problem {
    Problem { error: ErrorType::Invalid, keyword, bad_value: Some(length.to_string()), detail }
}

fn too_many_problem(keyword: Keyword, length: i64, detail: String) -> Problem {
    Problem { error: ErrorType::TooMany, keyword, bad_value: Some(length.to_string()), detail }
}
