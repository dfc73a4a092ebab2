//! Repairs of the fields beside `rule` in `x-kubernetes-validations`.

use api::Code;
use yaml::Value;
use yaml::edit::NewEntry;

use super::super::plan::Change;
use super::site::Site;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, string, text};
use crd::closest;
use crd::schema::{Keyword, Schema};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::CelFieldPathBlank, drop),
    (Code::CelFieldPathInvalid, field_path),
    (Code::CelFieldPathNewline, one_line),
    (Code::CelMessageBlank, drop),
    (Code::CelMessageExpressionBlank, drop),
    (Code::CelMessageNewline, one_line),
    (Code::CelMessageRequired, message),
    (Code::CelOptionalOldSelfUnused, unused_old_self),
    (Code::CelReasonUnsupported, reason),
    (Code::CelRuleRequired, no_rule),
];

const REASONS: [&str; 4] =
    ["FieldValueInvalid", "FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate"];

/// Removes the field, unless the rule uses `oldSelf`: it may not compile yet.
fn unused_old_self<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let rule = site.entry().and_then(|(rule, _)| own_entry(rule, "rule"));
    let text = rule.and_then(|rule| string(rule.value())).unwrap_or_default();
    if text.contains("oldSelf") { Vec::new() } else { drop(site) }
}

/// Removes the field.
fn drop<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((rule, entry)) = site.entry() else { return Vec::new() };
    let Some(key) = entry.key_text() else { return Vec::new() };
    // If the server accepted the field, it would behave as it does without the field.
    vec![Repair::safe(Title::removal(format_args!("`{key}`")), vec![Change::Remove(rule, entry)])]
}

/// The text without line breaks.
fn one_line<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return drop(site);
    }
    vec![Repair::safe("Convert the text to one line", vec![Change::Replace(level.value, text(line))])]
}

fn message<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let rule = [site.last(), site.level_above(1)]
        .into_iter()
        .flatten()
        .find(|level| own_entry(level.value, "rule").is_some());
    let Some(rule) = rule.map(|level| level.value) else { return Vec::new() };
    let Some(own) = own_entry(rule, "rule").and_then(|entry| string(entry.value())) else {
        return Vec::new();
    };
    let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
    let change = match own_entry(rule, "message") {
        Some(entry) => Change::Replace(entry.value(), text(format!("failed rule: {line}"))),
        None => Change::AddField(rule, NewEntry::new("message", text(format!("failed rule: {line}")))),
    };
    vec![Repair::suggested("Add a `message` that shows the rule", vec![change])]
}

fn reason<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let own = string(level.value).unwrap_or_default();
    let write = |name: &str| {
        Repair::suggested(format!("Set `reason: {name}`"), vec![Change::Replace(level.value, text(name))])
    };
    let near = closest(&own, REASONS.into_iter()).map(|(name, _)| name);
    let near = near
        .or_else(|| REASONS.into_iter().find(|name| name.eq_ignore_ascii_case(&format!("FieldValue{own}"))));
    match near {
        Some(name) => vec![write(name)],
        None => REASONS.into_iter().map(write).collect(),
    }
}

/// Repairs a path: adds its dot, removes its base, such as `self`, or corrects misspelt names.
fn field_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let without = own.trim_start_matches("self").trim_start_matches('.');
    let mut paths = vec![format!(".{without}")];
    // The path may be relative to the root of the object instead of the rule's own node.
    paths.extend(without.split_once('.').map(|(_, rest)| format!(".{rest}")));
    let write = |path: &String| {
        Repair::suggested(
            format!("Set `fieldPath: {path}`"),
            vec![Change::Replace(level.value, text(path.as_str()))],
        )
    };
    paths.extend(spelled(site, &own));
    paths.dedup();
    paths.iter().filter(|path| **path != own).map(write).chain(drop_path(site.entry())).collect()
}

/// `path` with the most similar declared name in place of each undeclared one.
fn spelled(site: &Site<'_, '_, '_>, path: &str) -> Option<String> {
    let mut schema = site.owner()?;
    let mut better = String::new();
    for name in path.trim_start_matches('.').split('.') {
        let fields = schema.members(Keyword::Properties);
        let known = match fields.get(name) {
            Some(_) => name,
            None => closest(name, fields.entries.iter().map(|(name, _)| name.as_ref()))?.0,
        };
        better.push_str(&format!(".{known}"));
        schema = Schema::read(fields.get(known)?.value(), site.reader)?;
    }
    Some(better)
}

fn drop_path<'t>(entry: Option<(Value<'t>, yaml::Entry<'t>)>) -> Option<Repair<'t>> {
    let (rule, entry) = entry?;
    Some(Repair::suggested(Title::removal("`fieldPath`"), vec![Change::Remove(rule, entry)]))
}

/// Removes an entry without a rule.
fn no_rule<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let found = (0..3).find_map(|up| match (site.level_above(up)?.via, site.level_above(up + 1)?.value) {
        (super::site::ParentLink::Item(item), list) => Some((list, item)),
        _ => None,
    });
    let Some((list, item)) = found else { return Vec::new() };
    // An entry whose rule YAML reads as a tag is not empty.
    let is_tag = own_entry(item.value(), "rule").is_some_and(|entry| entry.value().tag().is_some());
    if is_tag {
        return Vec::new();
    }
    vec![Repair::suggested(Title::removal("the empty entry"), vec![Change::RemoveItem(list, item)])]
}
