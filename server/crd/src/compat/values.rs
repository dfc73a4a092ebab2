//! The differences between the value validations of a node.

use api::{Code, KubernetesVersion};

use super::ChangeSeverity::{Breaking, Risky, Safe};
use super::schema::{NodeChange, REJECTED, SchemaAt, SchemaComparison};
use super::{AffectedParty, ChangeSeverity, same};
use crate::customresource::{SchemaForm, ValidationOptions, validate};
use crate::field_path::FieldPath;
use crate::formats::Format;
use crate::schema::Keyword;
use crate::schema::structural::ValueValidation;
use crate::value::float;

pub(super) fn compare(walk: &mut SchemaComparison<'_>, old: SchemaAt<'_>, new: SchemaAt<'_>) {
    let mut values = Values { walk, old, new };
    values.bounds();
    values.enumeration();
    values.texts();
    values.required();
    values.junctors();
}

struct Values<'v, 'w, 's> {
    walk: &'v mut SchemaComparison<'w>,
    old: SchemaAt<'s>,
    new: SchemaAt<'s>,
}

impl<'s> Values<'_, '_, 's> {
    fn old_validation(&self) -> &'s ValueValidation {
        &self.old.schema.value_validation
    }

    fn new_validation(&self) -> &'s ValueValidation {
        &self.new.schema.value_validation
    }

    /// Reports a change that may reject values. If the old schema lists all values, they are checked against
    /// the new schema.
    fn report(&mut self, code: Code, class: ChangeSeverity, keyword: Keyword, text: String) {
        let known = &self.old_validation().enumeration;
        let is_harmless = keyword != Keyword::Enum && !known.is_empty() && {
            let options = ValidationOptions {
                kubernetes_version: KubernetesVersion::default(),
                form: SchemaForm::Resource,
                prefix: FieldPath::root(),
            };
            known
                .iter()
                .all(|value| validate(value, self.new.schema, self.new.base, &options).errors.is_empty())
        };
        let class = if is_harmless || self.refused_empty(keyword) { Safe } else { class };
        let affects: &[AffectedParty] = match class {
            Safe => &[],
            _ => REJECTED,
        };
        let change =
            NodeChange { code, class, affects, text, keyword: Some(keyword), ratchets: class != Safe };
        self.walk.report(self.old, self.new, change);
    }

    /// Whether a minimum length of 1 is new, and the pattern already rejects the empty text.
    fn refused_empty(&self, keyword: Keyword) -> bool {
        let pattern = self.old_validation().pattern.as_ref();
        keyword == Keyword::MinLength
            && self.new_validation().min_length == Some(1)
            && pattern.is_some_and(|pattern| pattern.is_match("") == Ok(false))
    }

    fn bounds(&mut self) {
        let (before, now) = (self.old_validation(), self.new_validation());
        let count = |value: Option<i64>| value.map(|value| value as f64);
        // Objects always have the properties that are required or have defaults.
        let has_default = |name: &str| {
            let property = self.new.schema.properties.get(name);
            property.is_some_and(|child| child.node.generic.default.is_some())
        };
        let defaulted = self.new.schema.properties.keys().filter(|name| has_default(name)).count();
        let required = before.required.iter().filter(|(name, _)| !has_default(name)).count();
        let least = |of: &ValueValidation| {
            let required = (required + defaulted) as i64;
            count(of.min_properties.filter(|least| *least > required))
        };
        for (keyword, before, now, exclusive) in [
            (
                Keyword::Maximum,
                before.maximum,
                now.maximum,
                (before.exclusive_maximum, now.exclusive_maximum),
            ),
            (Keyword::MaxLength, count(before.max_length), count(now.max_length), (false, false)),
            (Keyword::MaxItems, count(before.max_items), count(now.max_items), (false, false)),
            (Keyword::MaxProperties, count(before.max_properties), count(now.max_properties), (false, false)),
        ] {
            self.bound(keyword, (before, now), exclusive, |before, now| now < before);
        }
        for (keyword, before, now, exclusive) in [
            (
                Keyword::Minimum,
                before.minimum,
                now.minimum,
                (before.exclusive_minimum, now.exclusive_minimum),
            ),
            (Keyword::MinLength, count(before.min_length), count(now.min_length), (false, false)),
            (Keyword::MinItems, count(before.min_items), count(now.min_items), (false, false)),
            (Keyword::MinProperties, least(before), least(now), (false, false)),
        ] {
            // A minimum length of 0 has no effect.
            let of = |value: Option<f64>| value.filter(|value| keyword == Keyword::Minimum || *value > 0.0);
            self.bound(keyword, (of(before), of(now)), exclusive, |before, now| now > before);
        }
        let keyword = Keyword::MultipleOf;
        match (before.multiple_of, now.multiple_of) {
            (before, Some(now)) if before != Some(now) => {
                let is_wider = before.is_some_and(|before| before % now == 0.0);
                let (class, what) = match is_wider {
                    true => (Safe, "every value that was valid still is"),
                    false => (Breaking, "other values are rejected"),
                };
                let text = format!("values must now be multiples of {}; {what}", float(now));
                self.report(Code::CompatBoundTightened, class, keyword, text);
            }
            (Some(before), None) => {
                let text = format!("values no longer need to be multiples of {}", float(before));
                self.report(Code::CompatLoosened, Safe, keyword, text);
            }
            _ => {}
        }
    }

    /// Compares the old and the new value of a bound, and whether each is exclusive.
    fn bound(
        &mut self,
        keyword: Keyword,
        (before, now): (Option<f64>, Option<f64>),
        (was_exclusive, is_exclusive): (bool, bool),
        is_tighter: impl Fn(f64, f64) -> bool,
    ) {
        let name = keyword.as_str();
        match (before, now) {
            (None, Some(now)) => {
                let text = format!("`{name}: {}` was added; values beyond it are rejected", float(now));
                self.report(Code::CompatBoundTightened, Breaking, keyword, text);
            }
            (Some(before), Some(now)) if is_tighter(before, now) => {
                let text = format!(
                    "`{name}` changed from {} to {}; values in between are rejected",
                    float(before),
                    float(now)
                );
                self.report(Code::CompatBoundTightened, Breaking, keyword, text);
            }
            (Some(before), Some(now)) if before == now && is_exclusive && !was_exclusive => {
                let text = format!("`{name}` now excludes {} itself", float(now));
                self.report(Code::CompatBoundTightened, Breaking, keyword, text);
            }
            (Some(before), Some(now)) if before != now || was_exclusive != is_exclusive => {
                let text = format!("`{name}` changed from {} to {}", float(before), float(now));
                self.report(Code::CompatLoosened, Safe, keyword, text);
            }
            (Some(before), None) => {
                let text = format!("`{name}: {}` was removed", float(before));
                self.report(Code::CompatLoosened, Safe, keyword, text);
            }
            _ => {}
        }
    }

    fn enumeration(&mut self) {
        let (before, now) = (&self.old_validation().enumeration, &self.new_validation().enumeration);
        let code = Code::CompatEnumRemoved;
        if before.is_empty() && !now.is_empty() {
            let text = "`enum` was added; all other values are rejected".to_owned();
            return self.report(code, Breaking, Keyword::Enum, text);
        }
        if !before.is_empty() && now.is_empty() {
            return self.report(Code::CompatLoosened, Safe, Keyword::Enum, "`enum` was removed".to_owned());
        }
        let without = |of: &'s [crate::value::Value], others: &[crate::value::Value]| {
            let missing: Vec<String> = of
                .iter()
                .filter(|value| !others.contains(value))
                .map(|value| value.to_json().to_string())
                .collect();
            missing.join(", ")
        };
        let (removed, added) = (without(before, now), without(now, before));
        if !removed.is_empty() {
            self.report(
                code,
                Breaking,
                Keyword::Enum,
                format!("`enum` no longer has {removed}; such values are rejected"),
            );
        }
        if !added.is_empty() {
            let change = NodeChange {
                code: Code::CompatEnumAdded,
                class: Risky,
                affects: &[AffectedParty::Readers],
                text: format!("`enum` now has {added}; clients may receive values that they do not know"),
                keyword: Some(Keyword::Enum),
                ratchets: false,
            };
            self.walk.report(self.old, self.new, change);
        }
    }

    fn texts(&mut self) {
        let pattern = |of: &'s ValueValidation| of.pattern.as_ref().map(|pattern| pattern.as_str());
        let (before, now) = (pattern(self.old_validation()), pattern(self.new_validation()));
        let (code, keyword) = (Code::CompatPatternChanged, Keyword::Pattern);
        match (before, now) {
            (None, Some(now)) => {
                let text = format!("`pattern: {now}` was added; values that do not match are rejected");
                self.report(code, Breaking, keyword, text);
            }
            (Some(before), Some(now)) if before != now => {
                let text = format!(
                    "`pattern` changed from `{before}` to `{now}`; values that matched may be rejected"
                );
                self.report(code, Risky, keyword, text);
            }
            (Some(before), None) => {
                self.report(Code::CompatLoosened, Safe, keyword, format!("`pattern: {before}` was removed"));
            }
            _ => {}
        }
        let heeded =
            |of: &'s ValueValidation| Some(&*of.format).filter(|format| Format::named(format).is_some());
        let keyword = Keyword::Format;
        match (heeded(self.old_validation()), heeded(self.new_validation())) {
            (None, Some(now)) => {
                let text = format!("`format: {now}` was added; values in another format are rejected");
                self.report(Code::CompatFormatChanged, Breaking, keyword, text);
            }
            (Some(before), Some(now)) if before != now => {
                let text = format!(
                    "`format` changed from `{before}` to `{now}`; values in the old format may be rejected"
                );
                self.report(Code::CompatFormatChanged, Risky, keyword, text);
            }
            (Some(before), None) => {
                self.report(Code::CompatLoosened, Safe, keyword, format!("`format: {before}` was removed"));
            }
            _ => {}
        }
    }

    fn required(&mut self) {
        let has = |of: &ValueValidation, name: &str| of.required.iter().any(|(other, _)| **other == *name);
        let (before, now) = (self.old_validation(), self.new_validation());
        for (name, _) in now.required.iter().filter(|(name, _)| !has(before, name)) {
            let property = self.new.schema.properties.get(name);
            let (class, what) = match property.is_some_and(|child| child.node.generic.default.is_some()) {
                true => (Safe, "it has a default"),
                false => (Breaking, "objects without it are rejected"),
            };
            let text = format!("`{name}` is now required; {what}");
            self.report(Code::CompatRequiredAdded, class, Keyword::Required, text);
        }
        for (name, _) in before.required.iter().filter(|(name, _)| !has(now, name)) {
            let change = NodeChange {
                code: Code::CompatRequiredRemoved,
                class: Risky,
                affects: &[AffectedParty::Readers],
                text: format!("`{name}` is no longer required; clients may receive objects without it"),
                keyword: Some(Keyword::Required),
                ratchets: false,
            };
            // If the field itself is removed, another change reports it.
            if self.new.schema.properties.contains_key(name) {
                self.walk.report(self.old, self.new, change);
            }
        }
    }

    fn junctors(&mut self) {
        let (before, now) = (self.old_validation(), self.new_validation());
        for (keyword, before, now) in [
            (Keyword::AllOf, &before.all_of[..], &now.all_of[..]),
            (Keyword::AnyOf, &before.any_of[..], &now.any_of[..]),
            (Keyword::OneOf, &before.one_of[..], &now.one_of[..]),
            (Keyword::Not, before.not.as_slice(), now.not.as_slice()),
        ] {
            let is_known =
                before.is_empty() && self.new.schema.extensions.int_or_string && same::names_both_types(now);
            if is_known || same::branches(before, now) {
                continue;
            }
            let name = keyword.as_str();
            let (class, text) = match (before.is_empty(), now.is_empty()) {
                (true, _) => {
                    (Breaking, format!("`{name}` was added; values that do not satisfy it are rejected"))
                }
                (_, true) => (Safe, format!("`{name}` was removed")),
                _ => (Risky, format!("`{name}` changed; values that satisfied it may be rejected")),
            };
            let code = if class == Safe { Code::CompatLoosened } else { Code::CompatConditionChanged };
            self.report(code, class, keyword, text);
        }
    }
}
