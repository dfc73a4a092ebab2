//! Annotations and labels of a definition: pairs of names and values in markers.

use std::collections::BTreeMap;

use super::change::NodeChange;
use super::kind_of;
use super::owner::Owner;
use super::writer::{Writer, read};
use crate::generate::GeneratedFile;
use crate::json::Json;
use crate::load::Place;
use crate::marker::Data;
use crate::strings::quoted;

/// Names with their values.
type Pairs = BTreeMap<String, Json>;

/// The pairs of a value of a definition; empty if there is no value.
fn pairs(value: Option<&Json>) -> Result<Pairs, String> {
    match value {
        None => Ok(Pairs::new()),
        Some(Json::Map(pairs)) => Ok(pairs.clone()),
        Some(_) => Err("the names have no values".to_owned()),
    }
}

/// A pair as written in markers.
fn pair(name: &str, value: &Json) -> Result<String, String> {
    match value {
        Json::Text(value) => Ok(format!("{name}={value}")),
        _ => Err(format!("the value of `{name}` is not a string")),
    }
}

impl Writer<'_> {
    /// Changes, removes or adds pairs of `which`, the annotations or the labels. A removed pair and an added pair with the
    /// same value are treated as a rename.
    pub(super) fn metadata(
        &mut self,
        file: &GeneratedFile,
        which: &str,
        change: &NodeChange,
    ) -> Result<(), String> {
        let (before, after) = (pairs(change.before.as_ref())?, pairs(change.after.as_ref())?);
        let mut new: Pairs = after
            .iter()
            .filter(|(name, _)| !before.contains_key(*name))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        for (name, value) in &before {
            let old = pair(name, value)?;
            match after.get(name) {
                Some(same) if same == value => {}
                Some(other) => self.instead(file, which, &old, Some(&pair(name, other)?))?,
                None => {
                    let renamed = new.iter().find(|(_, other)| *other == value);
                    let renamed = renamed.map(|(name, _)| name.clone());
                    if let Some(name) = &renamed {
                        new.remove(name);
                    }
                    let better = renamed.map(|name| pair(&name, value)).transpose()?;
                    self.instead(file, which, &old, better.as_deref())?;
                }
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let owner = Owner::kind(self.outcome, kind_of(file)?)?;
        for (name, value) in &new {
            let pair = quoted(&pair(name, value)?);
            self.insert(&owner, &format!("kubebuilder:metadata:{which}={pair}"))?;
        }
        Ok(())
    }

    /// Replaces or removes a pair.
    fn instead(
        &mut self,
        file: &GeneratedFile,
        which: &str,
        old: &str,
        better: Option<&str>,
    ) -> Result<(), String> {
        let causes = file.definition.causes.iter().filter(|cause| cause.keyword == "metadata");
        let places: Vec<Place> = causes.map(|cause| cause.place).collect();
        // The last one applies.
        for place in places.into_iter().rev() {
            let Some(marker) = read(self.text(place)) else { continue };
            let Some(Data::List(items)) = marker.argument(which).map(|value| &value.data) else { continue };
            let is_it = |item: &&crate::marker::Value| matches!(&item.data, Data::Text(text) if text == old);
            let Some(item) = items.iter().find(is_it) else { continue };
            return match (better, items.len(), marker.arguments.len()) {
                (Some(better), ..) => self.replace(place, item.range.clone(), quoted(better)),
                (None, 1, 1) => self.remove(place),
                (None, 1, _) => self.argument(place, which, None),
                (None, ..) => {
                    let kept = items.iter().filter(|other| !std::ptr::eq(*other, item));
                    let kept: Option<Vec<Json>> = kept.map(crate::marker::Value::to_json).collect();
                    self.argument(place, which, kept.map(Json::List).as_ref())
                }
            };
        }
        Err("no marker sets it".to_owned())
    }
}
