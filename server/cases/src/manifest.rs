//! The manifests of a definition that a suite is run against: those whose feature gates match the suite's.
//!
//! Manifests are generated for each cluster profile and feature set, which their annotations name. Objects of
//! kind `FeatureGate` list the gates that a profile and a feature set enable.

use std::collections::{BTreeMap, BTreeSet};

use crd::value::Value;

use crate::definition::Definition;
use crate::suite::Suite;
use crate::suite_values::object_of_text;

const PROFILE: &str = "include.release.openshift.io/";
const FEATURE_SET: &str = "release.openshift.io/feature-set";
const MAJOR_VERSION: &str = "release.openshift.io/major-version";

/// The gates of profiles and feature sets.
#[derive(Debug, Default)]
pub struct Gates {
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    annotations: BTreeMap<String, String>,
    is_enabled: BTreeMap<String, bool>,
}

impl Gates {
    /// Reads the lists, in the order of their files. Other texts are ignored.
    pub fn read<'s>(texts: impl IntoIterator<Item = &'s str>) -> Self {
        Self { lists: texts.into_iter().filter_map(list).collect() }
    }

    /// The gates of the first list for the profile, one of the feature sets and one of the major versions.
    fn of(
        &self,
        profile: &str,
        sets: &BTreeSet<&str>,
        versions: &BTreeSet<u64>,
    ) -> Option<&BTreeMap<String, bool>> {
        let is_of = |list: &&List| {
            let set = list.annotations.get(FEATURE_SET).map_or("", String::as_str);
            let own = list.annotations.iter().find(|(key, _)| key.starts_with(MAJOR_VERSION));
            let own = own.map(|(_, value)| majors(value)).unwrap_or_default();
            list.annotations.contains_key(profile)
                && sets.contains(set)
                && (versions.is_empty() || !own.is_disjoint(versions))
        };
        self.lists.iter().find(is_of).map(|list| &list.is_enabled)
    }
}

fn list(text: &str) -> Option<List> {
    let object = object_of_text(text).ok()?;
    let annotations = object.get("metadata")?.get("annotations").and_then(Value::as_map);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let annotations = annotations.into_iter().flatten();
    let annotations =
        annotations.filter_map(|(key, member)| Some((key.to_string(), text(&member.value)?))).collect();
    let gates = object.get("status").and_then(|status| status.get("featureGates"));
    let gates = gates.and_then(Value::as_list).and_then(<[Value]>::first);
    let mut is_enabled = BTreeMap::new();
    for (list, enabled) in [("enabled", true), ("disabled", false)] {
        let names = gates.and_then(|gates| gates.get(list)).and_then(Value::as_list).unwrap_or_default();
        let names = names.iter().filter_map(|gate| text(gate.get("name")?));
        is_enabled.extend(names.map(|name| (name, enabled)));
    }
    Some(List { annotations, is_enabled })
}

fn majors(text: &str) -> BTreeSet<u64> {
    text.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

/// Whether the suite is run against that manifest.
///
/// # Errors
/// If no list contains a gate of the suite.
pub fn is_wanted(definition: &Definition, suite: &Suite, gates: &Gates) -> Result<bool, String> {
    let sets = definition.annotation(FEATURE_SET).unwrap_or_default();
    let mut sets: BTreeSet<&str> = sets.split(',').filter(|set| !set.is_empty()).collect();
    let wanted_sets = &suite.feature_sets;
    if !wanted_sets.is_empty() && !sets.is_empty() && !wanted_sets.iter().any(|set| sets.contains(&**set)) {
        return Ok(false);
    }
    if suite.feature_gates.is_empty() {
        return Ok(true);
    }
    // This feature set enables every field.
    if sets.contains("CustomNoUpgrade") {
        return Ok(!suite.feature_gates.iter().any(|gate| gate.starts_with('-')));
    }
    let profiles =
        definition.annotations.iter().filter(|(key, value)| key.starts_with(PROFILE) && value == "true");
    let Some(profile) = profiles.map(|(key, _)| key).min() else { return Ok(true) };
    if sets.is_empty() {
        sets.insert("Default");
    }
    let versions = definition.annotations.iter().find(|(key, _)| key.starts_with(MAJOR_VERSION));
    let versions = versions.map(|(_, value)| majors(value)).unwrap_or_default();
    let sets_in_words = || sets.iter().copied().collect::<Vec<_>>().join(",");
    let known = gates.of(profile, &sets, &versions).ok_or_else(|| {
        format!(
            "no list of feature gates matches the profile {profile} and the feature set {}",
            sets_in_words()
        )
    })?;
    let mut is_wanted = true;
    for gate in &suite.feature_gates {
        let (name, wanted) = gate.strip_prefix('-').map_or((gate.as_str(), true), |name| (name, false));
        let enabled = known.get(name).ok_or_else(|| {
            format!("the feature gate {name} is not in the list for {profile}, {}", sets_in_words())
        })?;
        is_wanted &= *enabled == wanted;
    }
    Ok(is_wanted)
}
