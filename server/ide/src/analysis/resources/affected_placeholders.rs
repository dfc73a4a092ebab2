//! The placeholders of a resource that a response of the server is about: what replaces them decides whether the
//! response applies.

use crd::customresource::{Admission, StrictError, ValueError, plain_detail, type_mismatch};
use crd::schema::Keyword;
use crd::value::Place;
use crd::{ErrorType, OtherText as _};
use text::TextRange;

use crate::analysis::resources::findings::{SilencedPlaceholder, Subject};
use crate::analysis::resources::reads::RuleReads;
use crate::analysis::resources::{MOST, response_parts};
use crate::analysis::validation_coverage::placeholders::{self, Placeholder, Placeholders};

impl Subject<'_, '_> {
    /// Notes that a finding on `placeholder` was omitted.
    pub(super) fn silence(&self, placeholder: &Placeholder) {
        let Placeholder { range, form, .. } = *placeholder;
        let known = self.silenced.get().filter(|known| known.range <= range);
        self.silenced.set(known.or(Some(SilencedPlaceholder { range, form })));
    }

    /// The placeholder that `error` is about, or that the value of `error` depends on.
    pub(super) fn placeholder_of<'s>(&'s self, error: &ValueError) -> Option<&'s Placeholder> {
        let all = self.placeholders();
        let path = &error.path;
        if let Some(own) =
            all.placeholder_at(path).filter(|own| !own.is_key || error.error != ErrorType::Required)
        {
            return Some(own);
        }
        // For metadata, the server names the map rather than the key.
        let is_quoted = error.bad_value.as_deref().filter(|value| value.starts_with('"'));
        if is_quoted.is_some_and(|value| placeholders::form_of(value, self.has_bindings).is_some()) {
            return all.placeholders.first();
        }
        if let Place::Resource(range) = error.place
            && let Some(own) = all.placeholders.iter().find(|one| one.range == range)
        {
            return Some(own);
        }
        let mut within = all.placeholders_below(path);
        let keyword = error.rule.as_ref().map(|rule| rule.keyword);
        match (error.error, keyword) {
            // The missing field may be the one that a key is a placeholder for.
            (ErrorType::Required, _) => {
                let parent = path.parent()?;
                all.placeholders_below(&parent)
                    .find(|(one, steps)| one.is_key && steps.len() == 1)
                    .map(|(one, _)| one)
            }
            (ErrorType::Duplicate, _) => {
                let value = error.bad_value.as_deref().unwrap_or_default();
                let is_of_key = placeholders::form_of(value, self.has_bindings).is_some();
                within.next().filter(|_| is_of_key).map(|(one, _)| one)
            }
            // One item may be a placeholder for several.
            (_, Some(Keyword::MinItems | Keyword::MaxItems)) => {
                within.find(|(one, steps)| !one.is_key && steps.len() == 1).map(|(one, _)| one)
            }
            (_, Some(Keyword::MinProperties | Keyword::MaxProperties)) => {
                within.find(|(one, steps)| one.is_key && steps.len() == 1).map(|(one, _)| one)
            }
            (_, Some(Keyword::Enum)) => within.next().map(|(one, _)| one),
            (_, Some(keyword)) if keyword.is_junctor() => within.next().map(|(one, _)| one),
            (_, Some(Keyword::Validations)) => {
                let rule = error.rule.as_ref()?;
                let reads = RuleReads::of_rule(self.definition.loaded.text.buffer(), rule.range);
                let mut own = path.clone();
                own.truncate(path.len().saturating_sub(reads.depth));
                all.placeholders_below(&own).find(|(_, steps)| reads.reads(steps)).map(|(one, _)| one)
            }
            _ => None,
        }
    }

    /// Values of the right type, and not longer, for placeholders of a wrong type. The server evaluates no
    /// rules after a type error, but rules that do not read the placeholders should be reported.
    pub(super) fn substitutes(&self, admission: &Admission) -> Vec<(TextRange, &'static str)> {
        let is_hiding = |error: &ValueError| response_parts::code(error) == response_parts::NOT_CHECKED;
        if !admission.errors.iter().any(is_hiding) {
            return Vec::new();
        }
        let of_type = admission
            .errors
            .iter()
            .take(MOST)
            .filter(|error| error.rule.as_ref().is_some_and(|rule| rule.keyword == Keyword::Type));
        let stand_in = |error: &ValueError| {
            let placeholder = self.placeholder_of(error).filter(|own| !own.is_key)?;
            let value = match type_mismatch(plain_detail(&error.detail))?.expected {
                "integer" | "number" => "1",
                "boolean" => "true",
                "object" => "{}",
                "array" => "[]",
                "string" => "\"\"",
                _ => return None,
            };
            (value.len() <= placeholder.range.len() as usize).then_some((placeholder.range, value))
        };
        of_type.filter_map(stand_in).collect()
    }

    /// The placeholder that is the key of an unknown field, or has the key within its braces.
    pub(super) fn placeholder_key(&self, error: &StrictError) -> Option<&Placeholder> {
        let all = &self.placeholders().placeholders;
        let is_it = |one: &&Placeholder| match error.key {
            Place::Resource(range) => {
                one.is_key && one.range == range || one.is_mapping && one.range.contains_range(range)
            }
            _ => false,
        };
        all.iter().find(is_it)
    }

    pub(super) fn placeholders(&self) -> &Placeholders {
        self.placeholders.get_or_init(|| Placeholders::of(self.root, self.reader, self.has_bindings))
    }
}
