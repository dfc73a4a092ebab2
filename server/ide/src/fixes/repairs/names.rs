//! Repairs of `spec.scope`, and of the parts of `spec.names` outside of `metadata.name`: most of them follow
//! from the kind.

use api::Code;

use super::super::plan::Change;
use super::site::{Site, set};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::misspelt_name::MisspeltName;
use crate::analysis::values::text;

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::NamesKindRequired, missing_kind),
    (Code::NamesSingularRequired, missing_kind),
    (Code::NamesListKindRequired, missing_kind),
    (Code::NamesKind, kind),
    (Code::NamesKindListKindEqual, list_kind),
    (Code::NamesListKind, list_kind),
    (Code::NamesSingular, singular),
    (Code::LintMisspeltName, misspelt),
    (Code::NamesShortName, label_item),
    (Code::NamesCategory, label_item),
    (Code::SpecScopeRequired, scope),
    (Code::SpecScopeUnsupported, scope),
];

fn missing_kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    if site.string(&["spec", "names", "kind"]).is_some() {
        return Vec::new();
    }
    let list = site.string(&["spec", "names", "listKind"]);
    if let Some(kind) =
        list.as_deref().and_then(|list| list.strip_suffix("List")).filter(|kind| !kind.is_empty())
    {
        let title = format!("Add `kind: {kind}` (from `listKind`)");
        return vec![Repair::safe(title, vec![set(names, "kind", text(kind))])];
    }
    let singular = site.string(&["spec", "names", "singular"]);
    if let Some(kind) = list.filter(|list| singular.as_ref().is_none_or(|name| *name == list.to_lowercase()))
    {
        let title = format!("Set `kind: {kind}` and `listKind: {kind}List`");
        let list = set(names, "listKind", text(format!("{kind}List")));
        return vec![Repair::safe(title, vec![set(names, "kind", text(kind)), list])];
    }
    let Some(singular) = singular else { return Vec::new() };
    let kind = pascal(&singular);
    let title = format!("Add `kind: {kind}` (from `singular`)");
    vec![Repair::suggested(title, vec![set(names, "kind", text(kind))])]
}

fn kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(names), Some(kind)) =
        (site.definition.field(&["spec", "names"]), site.string(&["spec", "names", "kind"]))
    else {
        return Vec::new();
    };
    let better = kind_in_list_kind(site, &kind).unwrap_or_else(|| pascal(&kind));
    let is_better =
        !better.is_empty() && better != kind && !better.starts_with(|char: char| char.is_ascii_digit());
    let repair = || {
        Repair::suggested(
            format!("Change `kind` to `{better}`"),
            vec![set(names, "kind", text(better.as_str()))],
        )
    };
    is_better.then(repair).into_iter().collect()
}

/// The value of `listKind`, if it is the intended `kind`.
fn kind_in_list_kind(site: &Site<'_, '_, '_>, kind: &str) -> Option<String> {
    let list = site.string(&["spec", "names", "listKind"])?;
    let lower = list.to_lowercase();
    let is_named_so = site.string(&["spec", "names", "singular"]).is_some_and(|name| name == lower);
    let is_intended = is_label(&lower) && !list.ends_with("List") && (is_named_so || kind.starts_with(&list));
    is_intended.then_some(list)
}

fn list_kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    let Some(kind) = site.string(&["spec", "names", "kind"]) else { return missing_kind(site) };
    let list = |kind: &str| set(names, "listKind", text(format!("{kind}List")));
    let intended = kind_in_list_kind(site, &kind).filter(|_| !is_label(&kind.to_lowercase()));
    if let Some(intended) = intended {
        let title = format!("Set `kind: {intended}` and `listKind: {intended}List`");
        return vec![Repair::suggested(
            title,
            vec![set(names, "kind", text(intended.as_str())), list(&intended)],
        )];
    }
    vec![Repair::safe(format!("Set `listKind: {kind}List`"), vec![list(&kind)])]
}

fn singular<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    let Some(singular) = site.string(&["spec", "names", "singular"]) else { return Vec::new() };
    let lower = singular.to_lowercase();
    let repair = || {
        Repair::safe(format!("Set `singular: {lower}`"), vec![set(names, "singular", text(lower.as_str()))])
    };
    is_label(&lower).then(repair).into_iter().collect()
}

fn misspelt<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(slip) = MisspeltName::of(site.definition) else { return Vec::new() };
    let Some(intended) = &slip.intended else { return Vec::new() };
    let change = Change::Replace(slip.value, text(intended.as_str()));
    vec![Repair::suggested(format!("Change `{}` to `{intended}`", slip.key), vec![change])]
}

/// Repairs a short name or a category.
fn label_item<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((list, item)) = site.item() else { return Vec::new() };
    let Some(own) = item.value().as_scalar().and_then(yaml::Scalar::as_str) else { return Vec::new() };
    if own.is_empty() {
        return vec![Repair::safe(Title::removal("the empty name"), vec![Change::RemoveItem(list, item)])];
    }
    let lower = own.to_lowercase();
    let better = lower.replace(['_', '.', ' '], "-");
    if !is_label(&better) || *better == *own {
        return Vec::new();
    }
    let change = Change::Replace(item.value(), text(better.as_str()));
    vec![Repair::new(better == lower, format!("Change `{own}` to `{better}`"), vec![change])]
}

fn scope<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(spec) = site.definition.field(&["spec"]) else { return Vec::new() };
    let own = site.string(&["spec", "scope"]).unwrap_or_default();
    let write = |safe, scope: &str| {
        Repair::new(safe, format!("Set `scope: {scope}`"), vec![set(spec, "scope", text(scope))])
    };
    let scopes = ["Namespaced", "Cluster"];
    match scopes.iter().find(|scope| scope.eq_ignore_ascii_case(&own)) {
        Some(scope) => vec![write(true, scope)],
        None => scopes.iter().map(|scope| write(false, scope)).collect(),
    }
}

/// Whether `text` is a DNS-1035 label.
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= 63
        && text.starts_with(|char: char| char.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The words of `text` in Pascal case.
fn pascal(text: &str) -> String {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    };
    words.map(capital).collect()
}
