//! `metadata.name`, `spec.group`, `spec.scope` and `spec.names`: most of them follow from the others.

use yaml::Value;

use super::super::plan::Change;
use super::site::{Site, set, text};
use super::{Repair, Repairer};

pub(super) const REPAIRS: &[(&str, Repairer)] = &[
    ("metadata/name-required", metadata_name),
    ("metadata/name-dns", metadata_name),
    ("names/metadata-name", metadata_name),
    ("names/plural-required", missing_plural),
    ("names/plural", plural),
    ("names/kind-required", missing_kind),
    ("names/singular-required", missing_kind),
    ("names/list-kind-required", missing_kind),
    ("names/kind", kind),
    ("names/kind-list-kind-equal", list_kind),
    ("names/list-kind", list_kind),
    ("names/singular", singular),
    ("names/short-name", label_item),
    ("names/category", label_item),
    ("spec/group-required", missing_group),
    ("spec/group-dot", group_without_dot),
    ("spec/group-dns", group),
    ("spec/scope-required", scope),
    ("spec/scope-unsupported", scope),
];

/// The three that belong together, as they are written.
struct Named {
    name: Option<String>,
    plural: Option<String>,
    group: Option<String>,
}

fn named(site: &Site<'_, '_, '_>) -> Named {
    Named {
        name: site.string(&["metadata", "name"]),
        plural: site.string(&["spec", "names", "plural"]),
        group: site.string(&["spec", "group"]),
    }
}

/// Writes plural and group, and the name that follows from them where it is the old one's.
fn rename<'t>(site: &Site<'_, '_, 't>, plural: &str, group: &str) -> Option<Vec<Change<'t>>> {
    let old = named(site);
    let mut changes = Vec::new();
    if old.plural.as_deref() != Some(plural) {
        changes.push(set(site.definition.field(&["spec", "names"])?, "plural", text(plural)));
    }
    if old.group.as_deref() != Some(group) {
        changes.push(set(site.definition.field(&["spec"])?, "group", text(group)));
    }
    let follows = format!("{}.{}", old.plural.unwrap_or_default(), old.group.unwrap_or_default());
    let wanted = format!("{plural}.{group}");
    if old.name.as_deref().is_some_and(|name| name != wanted && name == follows) {
        changes.push(set(site.definition.field(&["metadata"])?, "name", text(wanted)));
    }
    Some(changes)
}

fn metadata_name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Named { name, plural: Some(plural), group: Some(group) } = named(site) else { return Vec::new() };
    let Some(metadata) = site.definition.field(&["metadata"]) else { return Vec::new() };
    if !group.contains('.') {
        // The group is wrong, and the name may tell it.
        return Vec::new();
    }
    let wanted = format!("{plural}.{group}");
    let is_lower = wanted == wanted.to_lowercase();
    let Some(name) = name.filter(|_| is_lower) else {
        if !is_lower {
            return lower(site, &plural, &group);
        }
        let change = set(metadata, "name", text(wanted.as_str()));
        return vec![Repair::safe(
            format!("Write `name: {wanted}`, from the plural and the group"),
            vec![change],
        )];
    };
    let own = name.to_lowercase();
    let is_safe = !is_protected(&group)
        && (own.ends_with(&format!(".{group}"))
            || own.starts_with(&format!("{plural}."))
            || is_of_kind(site, &plural));
    let change = set(metadata, "name", text(wanted.as_str()));
    let title = format!("Change `{name}` to `{wanted}`, from the plural and the group");
    let mut repairs = vec![Repair::new(is_safe, title, vec![change])];
    if let (true, Some(spec), Some(other)) =
        (name == own, site.definition.field(&["spec"]), own.strip_prefix(&format!("{plural}.")))
    {
        let title = format!("Change the group `{group}` to `{other}`, as the name has it");
        repairs.push(Repair::suggested(title, vec![set(spec, "group", text(other))]));
    }
    if let (true, Some(names), Some(other)) = (
        name == own,
        site.definition.field(&["spec", "names"]),
        own.strip_suffix(&format!(".{group}")).filter(|other| is_label(other)),
    ) {
        let title = format!("Change the plural `{plural}` to `{other}`, as the name has it");
        repairs.push(Repair::suggested(title, vec![set(names, "plural", text(other))]));
    }
    repairs
}

/// Whether `plural` is told by the kind as well: a name that has another one is wrong.
fn is_of_kind(site: &Site<'_, '_, '_>, plural: &str) -> bool {
    site.string(&["spec", "names", "kind"]).is_some_and(|kind| plural_of(&kind.to_lowercase()) == plural)
}

/// Whether a group belongs to Kubernetes, so that it is hardly meant where the name has another one.
fn is_protected(group: &str) -> bool {
    [".k8s.io", ".kubernetes.io"].iter().any(|suffix| group.ends_with(suffix))
}

/// Plural and group in lower case.
fn lower<'t>(site: &Site<'_, '_, 't>, plural: &str, group: &str) -> Vec<Repair<'t>> {
    let (new_plural, new_group) = (plural.to_lowercase(), group.to_lowercase());
    let agrees = site
        .string(&["metadata", "name"])
        .is_some_and(|name| name.to_lowercase() == format!("{new_plural}.{new_group}"));
    let title = match (plural == new_plural, group == new_group) {
        (false, true) => format!("Write the plural as `{new_plural}`"),
        (true, false) => format!("Write the group as `{new_group}`"),
        _ => format!("Write plural and group as `{new_plural}` and `{new_group}`"),
    };
    rename(site, &new_plural, &new_group)
        .map(|changes| Repair::new(agrees, title, changes))
        .into_iter()
        .collect()
}

fn plural<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Named { plural: Some(plural), group: Some(group), .. } = named(site) else { return Vec::new() };
    if is_label(&plural.to_lowercase()) { lower(site, &plural, &group) } else { Vec::new() }
}

fn group<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Named { plural: Some(plural), group: Some(group), .. } = named(site) else { return Vec::new() };
    if group.to_lowercase() == group { Vec::new() } else { lower(site, &plural, &group) }
}

fn missing_plural<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    let Named { name, group, .. } = named(site);
    let of_name =
        name.zip(group).and_then(|(name, group)| Some(name.strip_suffix(&format!(".{group}"))?.to_owned()));
    if let Some(plural) = of_name.filter(|plural| is_label(plural)) {
        let title = format!("Add `plural: {plural}`, from `metadata.name`");
        return vec![Repair::safe(title, vec![set(names, "plural", text(plural))])];
    }
    let Some(kind) = site.string(&["spec", "names", "kind"]) else { return Vec::new() };
    let plural = plural_of(&kind.to_lowercase());
    vec![Repair::suggested(format!("Add `plural: {plural}`"), vec![set(names, "plural", text(plural))])]
}

fn missing_kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    if site.string(&["spec", "names", "kind"]).is_some() {
        return Vec::new();
    }
    let list = site.string(&["spec", "names", "listKind"]);
    if let Some(kind) =
        list.as_deref().and_then(|list| list.strip_suffix("List")).filter(|kind| !kind.is_empty())
    {
        let title = format!("Add `kind: {kind}`, from `listKind`");
        return vec![Repair::safe(title, vec![set(names, "kind", text(kind))])];
    }
    let Some(singular) = site.string(&["spec", "names", "singular"]) else { return Vec::new() };
    let kind = pascal(&singular);
    let title = format!("Add `kind: {kind}`, from `singular`");
    vec![Repair::suggested(title, vec![set(names, "kind", text(kind))])]
}

fn kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(names), Some(kind)) =
        (site.definition.field(&["spec", "names"]), site.string(&["spec", "names", "kind"]))
    else {
        return Vec::new();
    };
    let better = pascal(&kind);
    let is_better =
        !better.is_empty() && better != kind && !better.starts_with(|char: char| char.is_ascii_digit());
    let repair = || {
        Repair::suggested(
            format!("Change `kind: {kind}` to `{better}`"),
            vec![set(names, "kind", text(better.as_str()))],
        )
    };
    is_better.then(repair).into_iter().collect()
}

fn list_kind<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(names), Some(kind)) =
        (site.definition.field(&["spec", "names"]), site.string(&["spec", "names", "kind"]))
    else {
        return Vec::new();
    };
    let change = set(names, "listKind", text(format!("{kind}List")));
    vec![Repair::safe(format!("Write `listKind: {kind}List`"), vec![change])]
}

fn singular<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(names) = site.definition.field(&["spec", "names"]) else { return Vec::new() };
    let Some(singular) = site.string(&["spec", "names", "singular"]) else { return Vec::new() };
    let lower = singular.to_lowercase();
    let repair = || {
        Repair::safe(format!("Write `singular: {lower}`"), vec![set(names, "singular", text(lower.as_str()))])
    };
    is_label(&lower).then(repair).into_iter().collect()
}

/// A short name or a category.
fn label_item<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((list, item)) = site.item() else { return Vec::new() };
    let Some(own) = item.value().as_scalar().and_then(yaml::Scalar::as_str) else { return Vec::new() };
    if own.is_empty() {
        return vec![Repair::safe("Remove the empty name", vec![Change::RemoveItem(list, item)])];
    }
    let lower = own.to_lowercase();
    let better = lower.replace(['_', '.', ' '], "-");
    if !is_label(&better) || *better == *own {
        return Vec::new();
    }
    let change = Change::Replace(item.value(), text(better.as_str()));
    vec![Repair::new(better == lower, format!("Write `{better}`"), vec![change])]
}

fn missing_group<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    group_of_name(site).map(|(repair, _)| repair).into_iter().collect()
}

/// The group that `metadata.name` has behind the plural.
fn group_of_name<'t>(site: &Site<'_, '_, 't>) -> Option<(Repair<'t>, Value<'t>)> {
    let spec = site.definition.field(&["spec"])?;
    let Named { name: Some(name), plural: Some(plural), .. } = named(site) else { return None };
    let group = name.strip_prefix(&format!("{plural}.")).filter(|group| group.contains('.'))?;
    let title = format!("Write `group: {group}`, from `metadata.name`");
    Some((Repair::safe(title, vec![set(spec, "group", text(group))]), spec))
}

fn group_without_dot<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    if let Some((repair, _)) = group_of_name(site) {
        return vec![repair];
    }
    let Named { plural: Some(plural), group: Some(group), .. } = named(site) else { return Vec::new() };
    let domain = format!("{}.com", group.to_lowercase());
    let title = format!("Write `group: {domain}`, if that domain is yours");
    rename(site, &plural, &domain).map(|changes| Repair::suggested(title, changes)).into_iter().collect()
}

fn scope<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(spec) = site.definition.field(&["spec"]) else { return Vec::new() };
    let own = site.string(&["spec", "scope"]).unwrap_or_default();
    let write = |safe, scope: &str| {
        Repair::new(safe, format!("Write `scope: {scope}`"), vec![set(spec, "scope", text(scope))])
    };
    let scopes = ["Namespaced", "Cluster"];
    match scopes.iter().find(|scope| scope.eq_ignore_ascii_case(&own)) {
        Some(scope) => vec![write(true, scope)],
        None => scopes.iter().map(|scope| write(false, scope)).collect(),
    }
}

/// Whether `text` is a DNS-1035 label.
fn is_label(text: &str) -> bool {
    text.len() <= 63
        && text.starts_with(|char: char| char.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The words of `text` in a row, each with a capital.
fn pascal(text: &str) -> String {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    };
    words.map(capital).collect()
}

/// What English makes of most nouns, as the tools for definitions do.
fn plural_of(noun: &str) -> String {
    let vowel_before = |suffix: &str| {
        noun.strip_suffix(suffix).is_some_and(|stem| stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    };
    if ["s", "x", "z", "ch", "sh"].iter().any(|ending| noun.ends_with(ending)) {
        format!("{noun}es")
    } else if let Some(stem) = noun.strip_suffix('y').filter(|_| !vowel_before("y")) {
        format!("{stem}ies")
    } else {
        format!("{noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_english() {
        for (noun, plural) in
            [("widget", "widgets"), ("proxy", "proxies"), ("gateway", "gateways"), ("ingress", "ingresses")]
        {
            assert_eq!(plural_of(noun), plural);
        }
    }
}
