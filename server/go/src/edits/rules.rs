//! Keywords that several markers set: rules, required fields, keys of lists.

use super::change::NodeChange;
use super::marker_values;
use super::owner::Owner;
use super::writer::Writer;
use crate::json::Json;
use crate::load::Place;
use crate::marker::{Meaning, Shape};
use crate::schema::Schema;
use crate::version::Change;

/// The items of a list; empty if the value is not a list.
fn items(value: Option<&Json>) -> &[Json] {
    match value {
        Some(Json::List(items)) => items,
        _ => &[],
    }
}

impl Writer<'_> {
    pub(super) fn rules(
        &mut self,
        schema: &Schema,
        owner: &Owner,
        path: &[&str],
        change: &NodeChange,
    ) -> Result<(), String> {
        match path {
            [at, name] => {
                let rule = at.parse().ok().and_then(|at: usize| schema.rules.get(at));
                let place =
                    rule.and_then(|rule| rule.place).ok_or_else(|| "no marker sets the rule".to_owned())?;
                // The value of the marker is a list of names, from which controller-gen generates the rule.
                if self.renamed_in_list(place)? {
                    return Ok(());
                }
                self.argument(place, name, change.after.as_ref())
            }
            [] => {
                let (before, after) = (items(change.before.as_ref()), items(change.after.as_ref()));
                if after.len() > before.len() && after.starts_with(before) {
                    return after.iter().skip(before.len()).try_for_each(|rule| self.new_rule(owner, rule));
                }
                let places: Option<Vec<Place>> = schema.rules.iter().map(|rule| rule.place).collect();
                self.removed(before, after, &places.ok_or_else(|| "no marker sets the rules".to_owned())?)
            }
            _ => Err("no marker sets this value".to_owned()),
        }
    }

    pub(super) fn new_rule(&mut self, owner: &Owner, rule: &Json) -> Result<(), String> {
        let Json::Map(rule) = rule else { return Err("the rule is not an object".to_owned()) };
        let known = owner.marker(self.outcome, "x-kubernetes-validations");
        let known = known.ok_or_else(|| "no marker adds a rule there".to_owned())?;
        let Shape::Arguments(arguments) = known.definition.shape else {
            return Err("no marker adds a rule".to_owned());
        };
        let mut parts = Vec::new();
        for argument in arguments {
            if let Some(value) = rule.get(argument.name) {
                let value = marker_values::argument(argument.kind, value, Some("\""));
                parts.push(format!(
                    "{}={}",
                    argument.name,
                    value.ok_or_else(|| {
                        let (marker, argument) = (known.name(), argument.name);
                        format!(
                            "`{marker}` cannot hold the new value of `{argument}`; change the marker by hand"
                        )
                    })?
                ));
            }
        }
        self.insert(owner, &format!("{}:{}", known.name(), parts.join(",")))
    }

    /// Makes properties required or optional.
    pub(super) fn required(
        &mut self,
        schema: &Schema,
        owner: &Owner,
        change: &NodeChange,
    ) -> Result<(), String> {
        let (before, after) = (items(change.before.as_ref()), items(change.after.as_ref()));
        let added = after.iter().filter(|name| !before.contains(name)).map(|name| (name, true));
        let gone = before.iter().filter(|name| !after.contains(name)).map(|name| (name, false));
        for (name, is_required) in added.chain(gone) {
            let Json::Text(name) = name else { return Err("`required` is not a list of names".to_owned()) };
            let inner = schema.property(name).ok_or_else(|| format!("Go has no field `{name}`"))?;
            let field = owner.clone().field(self.outcome, inner)?;
            self.presence(&field, is_required)?;
        }
        Ok(())
    }

    pub(super) fn presence(&mut self, field: &Owner, is_required: bool) -> Result<(), String> {
        let contrary: Vec<Place> = field
            .markers(self.outcome)
            .into_iter()
            .filter(|(marker, _)| match marker.meaning() {
                Meaning::Optional => is_required,
                Meaning::Required | Meaning::K8sRequired => !is_required,
                _ => false,
            })
            .map(|(_, place)| place)
            .collect();
        let wanted = match (is_required, self.outcome.version.has(Change::RequiredAndDefault)) {
            (true, true) => "required",
            (true, false) => "kubebuilder:validation:Required",
            (false, _) => "optional",
        };
        // Go would omit an empty value, but the field is required.
        if let Some(omitted) = field.omitempty(self.outcome).filter(|_| is_required) {
            self.push(omitted, omitted.span.range(), String::new())?;
        }
        match contrary.as_slice() {
            [] => self.insert(field, wanted),
            [first, others @ ..] => {
                let name = self.text(*first).len();
                self.replace(*first, 1..name, wanted.to_owned())?;
                others.iter().try_for_each(|place| self.remove(*place))
            }
        }
    }

    pub(super) fn list_map_keys(
        &mut self,
        schema: &Schema,
        owner: &Owner,
        change: &NodeChange,
    ) -> Result<(), String> {
        let (before, after) = (items(change.before.as_ref()), items(change.after.as_ref()));
        let places: Vec<Place> = schema
            .causes
            .iter()
            .filter(|cause| cause.keyword == "x-kubernetes-list-map-keys")
            .map(|cause| cause.place)
            .collect();
        let of =
            |key: &Json| before.iter().position(|other| other == key).and_then(|at| places.get(at)).copied();
        let mut gone: Vec<Place> = before.iter().filter(|key| !after.contains(key)).filter_map(of).collect();
        for key in after.iter().filter(|key| !before.contains(key)) {
            let Json::Text(name) = key else { return Err("the keys are not names".to_owned()) };
            match gone.pop() {
                Some(place) => self.argument(place, "", Some(key))?,
                None => self.insert(owner, &format!("listMapKey={name}"))?,
            }
        }
        gone.into_iter().try_for_each(|place| self.remove(place))
    }
}
