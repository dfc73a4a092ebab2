//! Repairs of `spec.conversion`.

use api::Code;
use yaml::Value;
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::site::{Site, remove, set};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, raw, string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::ConversionClientConfigRequired, webhook),
    (Code::ConversionReviewVersionDuplicate, duplicate),
    (Code::ConversionReviewVersionsForbidden, beside_none),
    (Code::ConversionReviewVersionsRecognized, recognized),
    (Code::ConversionReviewVersionsRequired, review_versions),
    (Code::ConversionServicePath, service_path),
    (Code::ConversionServicePort, service_port),
    (Code::ConversionStrategyRequired, strategy),
    (Code::ConversionStrategyUnsupported, strategy),
    (Code::ConversionUrl, url),
    (Code::ConversionUrlXorService, one_of_two),
    (Code::ConversionWebhookForbidden, beside_none),
    (Code::LintWebhookLocalhost, service_to_fill_in),
    (Code::LintWebhookService, service_of_url),
];

fn conversion<'t>(site: &Site<'_, '_, 't>) -> Option<Value<'t>> {
    site.definition.field(&["spec", "conversion"])
}

fn strategy<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(conversion) = conversion(site) else { return Vec::new() };
    let own = string_of(conversion, "strategy").unwrap_or_default();
    let write = |safe, name: &str| {
        Repair::new(safe, format!("Set `strategy: {name}`"), vec![set(conversion, "strategy", text(name))])
    };
    let strategies = ["None", "Webhook"];
    match strategies.iter().find(|strategy| strategy.eq_ignore_ascii_case(&own)) {
        Some(&"Webhook") if own_entry(conversion, "webhook").is_none() => {
            // Without a webhook, the strategy would cause the next error.
            let title = "Set `strategy: Webhook` with a placeholder service";
            let changes = vec![set(conversion, "strategy", text("Webhook")), set_placeholder(conversion)];
            vec![Repair::suggested(title, changes)]
        }
        Some(strategy) => vec![write(true, strategy)],
        None if own_entry(conversion, "webhook").is_some() => vec![write(own.is_empty(), "Webhook")],
        None => strategies.iter().map(|strategy| write(false, strategy)).collect(),
    }
}

fn string_of(of: Value<'_>, key: &str) -> Option<String> {
    string(own_entry(of, key)?.value())
}

/// Adds missing parts of a webhook, or moves them from their place in v1beta1.
fn webhook<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(conversion) = conversion(site) else { return Vec::new() };
    if let Some(moved) = moved(conversion) {
        return vec![moved];
    }
    let own = own_entry(conversion, "webhook").map(|entry| entry.value());
    let fill = match own {
        Some(webhook) if webhook.as_mapping().is_some() => set(webhook, "clientConfig", placeholder()),
        _ => set_placeholder(conversion),
    };
    vec![
        Repair::suggested("Add a webhook with a placeholder service", vec![fill]),
        Repair::suggested("Set `strategy: None` (only `apiVersion` changes)", {
            let off = set(conversion, "strategy", text("None"));
            std::iter::once(off).chain(remove(conversion, "webhook")).collect()
        }),
    ]
}

/// A client configuration with a placeholder service.
fn placeholder<'t>() -> NewValue<'t> {
    NewValue::Mapping { entries: vec![service()], flow: false }
}

/// Adds a webhook with a placeholder service.
fn set_placeholder<'t>(conversion: Value<'t>) -> Change<'t> {
    let entries =
        vec![NewEntry::new("clientConfig", placeholder()), NewEntry::new("conversionReviewVersions", v1())];
    set(conversion, "webhook", NewValue::Mapping { entries, flow: false })
}

/// Moves the fields that v1beta1 has in `conversion` to their place in v1.
pub(super) fn moved<'t>(conversion: Value<'t>) -> Option<Repair<'t>> {
    let fields =
        [("webhookClientConfig", "clientConfig"), ("conversionReviewVersions", "conversionReviewVersions")];
    let found: Vec<_> =
        fields.iter().filter_map(|(old, new)| Some((own_entry(conversion, old)?, *old, *new))).collect();
    if found.is_empty() || own_entry(conversion, "webhook").is_some() {
        return None;
    }
    let entries =
        found.iter().map(|(entry, _, new)| NewEntry::new(*new, NewValue::Copy(entry.value()))).collect();
    let mut changes: Vec<Change<'t>> =
        found.iter().map(|(entry, ..)| Change::Remove(conversion, *entry)).collect();
    changes.push(Change::AddField(
        conversion,
        NewEntry::new("webhook", NewValue::Mapping { entries, flow: false }),
    ));
    let names: Vec<String> = found.iter().map(|(_, old, _)| format!("`{old}`")).collect();
    Some(Repair::safe(format!("Move {} to `webhook`", names.join(" and ")), changes))
}

fn service<'t>() -> NewEntry<'t> {
    let entries = [("namespace", "default"), ("name", "conversion-webhook"), ("path", "/convert")];
    let entries = entries.into_iter().map(|(key, value)| NewEntry::new(key, text(value))).collect();
    NewEntry::new("service", NewValue::Mapping { entries, flow: false })
}

fn v1<'t>() -> NewValue<'t> {
    NewValue::Sequence { items: vec![raw("v1")], flow: true }
}

fn review_versions<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(conversion) = conversion(site) else { return Vec::new() };
    if let Some(moved) = moved(conversion) {
        return vec![moved];
    }
    let webhook = own_entry(conversion, "webhook").map(|entry| entry.value());
    let Some(webhook) = webhook.filter(|webhook| webhook.as_mapping().is_some()) else { return Vec::new() };
    let change = set(webhook, "conversionReviewVersions", v1());
    vec![Repair::suggested(
        "Set `conversionReviewVersions: [v1]` (the webhook must support it)",
        vec![change],
    )]
}

fn recognized<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.definition.field(&["spec", "conversion", "webhook", "conversionReviewVersions"])
    else {
        return Vec::new();
    };
    let change = Change::Push(list, raw("v1"));
    vec![Repair::suggested(
        "Add `v1` to `conversionReviewVersions` (the webhook must support it)",
        vec![change],
    )]
}

fn duplicate<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let remove = |(list, item)| {
        Repair::safe(Title::removal("this duplicate version"), vec![Change::RemoveItem(list, item)])
    };
    site.item().map(remove).into_iter().collect()
}

fn beside_none<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(conversion) = conversion(site) else { return Vec::new() };
    let mut repairs = vec![Repair::suggested(
        "Set `strategy: Webhook` (required by `webhook`)",
        vec![set(conversion, "strategy", text("Webhook"))],
    )];
    let removal: Vec<Change<'t>> = ["webhook", "webhookClientConfig", "conversionReviewVersions"]
        .iter()
        .filter_map(|key| remove(conversion, key))
        .collect();
    repairs.push(Repair::suggested(Title::removal("`webhook` (unused)"), removal));
    repairs
}

/// Corrects an address, so that it uses https and ends with its path.
fn url<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let rest = own.split_once("://").map_or(own.as_str(), |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = path.find('/').map_or((path, ""), |at| path.split_at(at));
    let host = host.rsplit('@').next().unwrap_or_default();
    let better = format!("https://{host}{path}");
    let repair = || {
        Repair::suggested(
            format!("Change `url` to `{better}`"),
            vec![Change::Replace(level.value, text(better.as_str()))],
        )
    };
    (!host.is_empty() && better != own).then(repair).into_iter().collect()
}

/// Replaces the URL of a service in the cluster with a reference to that service.
fn service_of_url<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((config, entry)) = site.entry() else { return Vec::new() };
    let Some(found) = string(entry.value()).and_then(|url| crd::service_of_url(&url)) else {
        return service_to_fill_in(site);
    };
    let mut entries = vec![
        NewEntry::new("namespace", text(found.namespace.as_str())),
        NewEntry::new("name", text(found.name.as_str())),
    ];
    entries.extend(found.port.map(|port| NewEntry::new("port", raw(port.to_string()))));
    entries.extend(found.path.map(|path| NewEntry::new("path", text(path))));
    let title = format!("Replace `url` with service `{}` in namespace `{}`", found.name, found.namespace);
    let service = NewEntry::new("service", NewValue::Mapping { entries, flow: false });
    vec![Repair::suggested(title, in_place_of(config, entry, service))]
}

/// Replaces a URL with a reference to a placeholder service.
fn service_to_fill_in<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((config, entry)) = site.entry() else { return Vec::new() };
    let changes = in_place_of(config, entry, service());
    vec![Repair::suggested("Replace `url` with a placeholder service", changes)]
}

fn in_place_of<'t>(config: Value<'t>, old: yaml::Entry<'t>, new: NewEntry<'t>) -> Vec<Change<'t>> {
    vec![Change::Remove(config, old), Change::AddField(config, new)]
}

/// Corrects the path, so that it begins with a slash and has no empty steps.
fn service_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let steps: Vec<&str> = own.split('/').filter(|step| !step.is_empty()).collect();
    let better = format!("/{}", steps.join("/"));
    let change = Change::Replace(level.value, text(better.as_str()));
    if better == own {
        Vec::new()
    } else {
        vec![Repair::suggested(format!("Change `path` to `{better}`"), vec![change])]
    }
}

fn service_port<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let remove = |(service, entry)| {
        Repair::suggested(Title::removal("`port` (the default is 443)"), vec![Change::Remove(service, entry)])
    };
    site.entry().map(remove).into_iter().collect()
}

fn one_of_two<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(config) = site.definition.field(&["spec", "conversion", "webhook", "clientConfig"]) else {
        return Vec::new();
    };
    let has = |key| own_entry(config, key).is_some();
    if !has("url") && !has("service") {
        let entry = service();
        let change = Change::AddField(config, entry);
        return vec![Repair::suggested("Add a placeholder service", vec![change])];
    }
    let drop = |key: &str| {
        remove(config, key)
            .map(|change| Repair::suggested(Title::removal(format_args!("`{key}`")), vec![change]))
    };
    ["url", "service"].into_iter().filter_map(drop).collect()
}
