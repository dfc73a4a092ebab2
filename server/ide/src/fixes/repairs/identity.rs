//! Repairs of `metadata.name`, the plural and the group, which determine each other.
//!
//! The intended values follow from all three together and from the kind: the plural from its text in lower
//! case, a missing plural from the name. A repair of the plural or the group changes that one; it also
//! changes the name if the name followed from the old values. A repair of the name changes all values that it
//! follows from.

use api::Code;
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::names::is_label;
use super::site::{Site, set};
use super::{Repair, Repairer};
use crate::analysis::misspelt_name::MisspeltName;
use crate::analysis::plural::plural_of;
use crate::analysis::values::{own_entry, text};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::MetadataNameRequired, name),
    (Code::MetadataNameDns, name),
    (Code::NamesMetadataName, name),
    (Code::NamesPluralRequired, plural),
    (Code::NamesPlural, plural),
    (Code::SpecGroupRequired, group),
    (Code::SpecGroupDot, group),
    (Code::SpecGroupDns, group),
];

/// The placeholder for an unknown group.
const NO_GROUP: &str = "example.com";

/// The source of a plural or a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueSource {
    Written,
    /// The text, in lower case.
    Lowered,
    /// `metadata.name`, which agrees with the other values.
    Name,
    /// The kind only.
    Kind,
    /// None: the domain is made up.
    MadeUp,
}

struct DerivedText {
    text: String,
    origin: ValueSource,
}

impl DerivedText {
    fn new(text: impl Into<String>, origin: ValueSource) -> Self {
        Self { text: text.into(), origin }
    }

    fn is_new(&self) -> bool {
        self.origin != ValueSource::Written
    }
}

/// The three values as they are written, and as they are intended.
struct Identity {
    name: Option<String>,
    plural: Option<String>,
    group: Option<String>,
    intended_plural: DerivedText,
    intended_group: DerivedText,
}

impl Identity {
    /// `None` if nothing determines the plural.
    fn of(site: &Site<'_, '_, '_>) -> Option<Self> {
        let name = site.string(&["metadata", "name"]);
        let plural = site.string(&["spec", "names", "plural"]);
        let group = site.string(&["spec", "group"]);
        let of_kind = singular(site).map(|singular| plural_of(&singular));
        let in_name = name.as_deref().and_then(parts);
        let intended_plural =
            intended_plural(plural.as_deref(), group.as_deref(), of_kind, in_name.as_ref())?;
        let intended_group = intended_group(group.as_deref(), &intended_plural, in_name.as_ref());
        Some(Self { name, plural, group, intended_plural, intended_group })
    }

    fn intended_name(&self) -> String {
        format!("{}.{}", self.intended_plural.text, self.intended_group.text)
    }

    /// Whether the name consists of the plural and the group as they are written.
    fn name_follows(&self) -> bool {
        let written = |part: &Option<String>| part.clone().unwrap_or_default();
        let own = format!("{}.{}", written(&self.plural), written(&self.group));
        self.name.as_ref().is_some_and(|name| *name == own)
    }

    /// Whether the name equals the plural and the group, except for case.
    fn name_agrees(&self) -> bool {
        let lower = |written: &Option<String>, intended: &DerivedText| match written {
            Some(written) => written.to_lowercase(),
            None => intended.text.clone(),
        };
        let (plural, group) =
            (lower(&self.plural, &self.intended_plural), lower(&self.group, &self.intended_group));
        self.name.as_ref().is_some_and(|name| name.to_lowercase() == format!("{plural}.{group}"))
    }

    /// Whether the user must choose the group, so that the repair is not certain.
    fn is_made_up(&self) -> bool {
        self.intended_group.origin == ValueSource::MadeUp
    }

    /// Writes those of the wanted values that differ from their intended ones.
    fn write<'t>(
        &self,
        site: &Site<'_, '_, 't>,
        wanted: WritableValues,
        is_safe: bool,
    ) -> Option<Repair<'t>> {
        let (plural, group) = (&self.intended_plural, &self.intended_group);
        let follows = self.name_follows();
        let writes_plural = wanted.plural && plural.is_new();
        let writes_group = wanted.group && group.is_new();
        let then = |written: &Option<String>, intended: &DerivedText, uses_intended: bool| match written {
            Some(written) if !uses_intended => written.clone(),
            _ => intended.text.clone(),
        };
        let name = format!(
            "{}.{}",
            then(&self.plural, plural, writes_plural),
            then(&self.group, group, writes_group)
        );
        let writes_name = (wanted.name || follows) && self.name.as_deref() != Some(name.as_str());
        let mut changes: Vec<Change<'t>> = Vec::new();
        let mut written = Vec::new();
        if writes_plural {
            let names = site.definition.field(&["spec", "names"])?;
            changes.push(set(names, "plural", text(plural.text.as_str())));
            written.push(format!("`plural: {}`", plural.text));
        }
        if writes_group {
            changes.push(set(site.definition.field(&["spec"])?, "group", text(group.text.as_str())));
            written.push(format!("`group: {}`", group.text));
        }
        if writes_name {
            changes.push(with_name(site, &name));
            written.push(format!("`name: {name}`"));
        }
        // A title does not mention a name that follows.
        let title = match (writes_plural, writes_group, writes_name && !follows) {
            (false, false, true) => self.title_of_name(&name),
            (true, false, false) => self.title_of_plural(),
            (false, true, false) => self.title_of_group(),
            (true, true, false)
                if plural.origin == ValueSource::Lowered && group.origin == ValueSource::Lowered =>
            {
                format!("Change plural and group to `{}` and `{}`", plural.text, group.text)
            }
            _ => format!("Set {} together{}", text::listed(&written), self.condition(writes_group)),
        };
        (!changes.is_empty()).then(|| Repair::new(is_safe, title, changes))
    }

    fn title_of_name(&self, intended: &str) -> String {
        match &self.name {
            Some(name) => format!("Change `{name}` to `{intended}` (`<plural>.<group>`)"),
            None => format!("Set `name: {intended}` (`<plural>.<group>`)"),
        }
    }

    fn title_of_plural(&self) -> String {
        let DerivedText { text, origin } = &self.intended_plural;
        match origin {
            ValueSource::Lowered => format!("Change the plural to `{text}`"),
            ValueSource::Name => format!("Add `plural: {text}` (from `metadata.name`)"),
            _ => format!("Add `plural: {text}`"),
        }
    }

    fn title_of_group(&self) -> String {
        let DerivedText { text, origin } = &self.intended_group;
        match origin {
            ValueSource::Lowered => format!("Change the group to `{text}`"),
            ValueSource::Name => format!("Set `group: {text}` (from `metadata.name`)"),
            _ => format!("Set `group: {text}`{}", self.condition(true)),
        }
    }

    fn condition(&self, writes_group: bool) -> &'static str {
        match &self.group {
            _ if !writes_group || !self.is_made_up() => "",
            Some(_) => " (if you own that domain)",
            None => " (replace it with a domain that you own)",
        }
    }
}

/// The values that a repair may write. It also writes the name if that followed from the others.
#[derive(Clone, Copy)]
struct WritableValues {
    plural: bool,
    group: bool,
    name: bool,
}

/// The singular name of an object, in lower case. A kind that is not a valid name has the lowest priority.
fn singular(site: &Site<'_, '_, '_>) -> Option<String> {
    let of = |name| site.string(&["spec", "names", name]).filter(|text| !text.is_empty());
    let of_list = || Some(of("listKind")?.strip_suffix("List")?.to_owned());
    let is_name = |name: &String| is_label(&name.to_lowercase());
    let letters = |kind: String| -> String { kind.chars().filter(char::is_ascii_alphanumeric).collect() };
    let of_names = of("kind").filter(is_name).or_else(|| of("singular").filter(is_name));
    let name = of_names.or_else(|| of_list().filter(is_name)).or_else(|| of("kind").map(letters));
    name.filter(is_name).map(|name| name.to_lowercase())
}

/// The plural and the group in `name`, in lower case.
fn parts(name: &str) -> Option<(String, String)> {
    let name = name.to_lowercase();
    let (plural, group) = name.split_once('.')?;
    (is_label(plural) && group.contains('.')).then(|| (plural.to_owned(), group.to_owned()))
}

fn intended_plural(
    plural: Option<&str>,
    group: Option<&str>,
    of_kind: Option<String>,
    in_name: Option<&(String, String)>,
) -> Option<DerivedText> {
    if let Some(plural) = plural {
        let lower = plural.to_lowercase();
        let origin = match lower == plural {
            true => ValueSource::Written,
            false if is_label(&lower) => ValueSource::Lowered,
            false => return None,
        };
        return Some(DerivedText::new(lower, origin));
    }
    let agrees = |(plural, of_name): &&(String, String)| {
        group.is_some_and(|group| group.to_lowercase() == *of_name) || of_kind.as_ref() == Some(plural)
    };
    match in_name.filter(agrees) {
        Some((plural, _)) => Some(DerivedText::new(plural, ValueSource::Name)),
        None => of_kind.map(|plural| DerivedText::new(plural, ValueSource::Kind)),
    }
}

fn intended_group(
    group: Option<&str>,
    plural: &DerivedText,
    in_name: Option<&(String, String)>,
) -> DerivedText {
    // A version may follow the group, as in `apiVersion`.
    let lower = group.map(|group| group.split('/').next().unwrap_or_default().to_lowercase());
    if let Some(lower) = lower.clone().filter(|lower| lower.contains('.')) {
        let origin = if group == Some(lower.as_str()) { ValueSource::Written } else { ValueSource::Lowered };
        return DerivedText::new(lower, origin);
    }
    match (in_name.filter(|(of_name, _)| *of_name == plural.text), lower) {
        (Some((_, group)), _) => DerivedText::new(group, ValueSource::Name),
        (None, Some(lower)) => DerivedText::new(format!("{lower}.com"), ValueSource::MadeUp),
        (None, None) => DerivedText::new(NO_GROUP, ValueSource::MadeUp),
    }
}

fn plural<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(identity) = Identity::of(site) else { return Vec::new() };
    let is_safe = match identity.intended_plural.origin {
        ValueSource::Name => true,
        _ => identity.plural.is_some() && identity.name_agrees(),
    };
    // Capitals in both have the same cause.
    let group = identity.intended_plural.origin == ValueSource::Lowered
        && identity.intended_group.origin == ValueSource::Lowered;
    let wanted = WritableValues { plural: true, group, name: false };
    identity.write(site, wanted, is_safe).into_iter().collect()
}

fn group<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(identity) = Identity::of(site) else { return Vec::new() };
    let is_safe = match identity.intended_group.origin {
        ValueSource::Name => identity.intended_plural.origin != ValueSource::Kind,
        ValueSource::Lowered => identity.name_agrees(),
        _ => false,
    };
    let plural = identity.intended_plural.origin == ValueSource::Lowered
        && identity.intended_group.origin == ValueSource::Lowered;
    let wanted = WritableValues { plural, group: true, name: false };
    identity.write(site, wanted, is_safe).into_iter().collect()
}

/// Repairs the name together with all values that it follows from.
fn name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(identity) = Identity::of(site) else { return Vec::new() };
    let all = WritableValues { plural: true, group: true, name: true };
    let mut repairs: Vec<Repair<'t>> =
        identity.write(site, all, is_sure(site, &identity)).into_iter().collect();
    let adopted = adopt_parts_of_name(site, &identity);
    match MisspeltName::of_plural(site.definition) {
        Some(_) => repairs.splice(0..0, adopted).for_each(drop),
        None => repairs.extend(adopted),
    }
    repairs
}

/// Sets the name of the definition, in a `metadata` that may be missing.
fn with_name<'t>(site: &Site<'_, '_, 't>, name: &str) -> Change<'t> {
    let of = site.definition.value();
    let written = || own_entry(of, "metadata").map(yaml::Entry::value);
    match site.definition.field(&["metadata"]).or_else(written) {
        Some(metadata) => set(metadata, "name", text(name)),
        None => {
            let entries = vec![NewEntry::new("name", text(name))];
            let flow = of.as_mapping().is_some_and(yaml::Mapping::is_flow);
            Change::AddField(of, NewEntry::new("metadata", NewValue::Mapping { entries, flow }))
        }
    }
}

/// Whether the name is certainly wrong and the intended one is known.
fn is_sure(site: &Site<'_, '_, '_>, identity: &Identity) -> bool {
    let (plural, group) = (&identity.intended_plural, &identity.intended_group);
    if plural.origin == ValueSource::Kind || group.origin == ValueSource::MadeUp {
        return false;
    }
    if plural.is_new() || group.is_new() {
        return identity.name_agrees();
    }
    let Some(name) = identity.name.as_deref().map(str::to_lowercase) else { return true };
    !is_protected(&group.text)
        && (name.ends_with(&format!(".{}", group.text))
            || name.starts_with(&format!("{}.", plural.text))
            || is_of_kind(site, &plural.text))
}

/// Adopts the group or the plural of the name, if the other one is the same.
fn adopt_parts_of_name<'t>(site: &Site<'_, '_, 't>, identity: &Identity) -> Vec<Repair<'t>> {
    let Identity { name: Some(name), plural: Some(plural), group: Some(group), .. } = identity else {
        return Vec::new();
    };
    let (intended_plural, intended_group) = (&identity.intended_plural.text, &identity.intended_group.text);
    if *name != name.to_lowercase() || identity.intended_group.is_new() && identity.intended_plural.is_new() {
        return Vec::new();
    }
    let mut repairs = Vec::new();
    let (spec, names) = (site.definition.field(&["spec"]), site.definition.field(&["spec", "names"]));
    let (Some(spec), Some(names)) = (spec, names) else { return repairs };
    if let Some(other) =
        name.strip_prefix(&format!("{intended_plural}.")).filter(|other| other != intended_group)
    {
        let mut changes = vec![set(spec, "group", text(other))];
        if identity.intended_plural.is_new() {
            changes.push(set(names, "plural", text(intended_plural.as_str())));
        }
        let title = format!("Change group `{group}` to `{other}` to match `metadata.name`");
        repairs.push(Repair::suggested(title, changes));
    }
    let other = name.strip_suffix(&format!(".{intended_group}"));
    if let Some(other) = other.filter(|other| is_label(other) && other != intended_plural) {
        let mut changes = vec![set(names, "plural", text(other))];
        if identity.intended_group.is_new() {
            changes.push(set(spec, "group", text(intended_group.as_str())));
        }
        let title = format!("Change plural `{plural}` to `{other}` to match `metadata.name`");
        repairs.push(Repair::suggested(title, changes));
    }
    repairs
}

/// Whether `plural` is also the plural of the kind, so that a name with a different one is wrong.
fn is_of_kind(site: &Site<'_, '_, '_>, plural: &str) -> bool {
    singular(site).is_some_and(|singular| plural_of(&singular) == plural)
}

/// Whether a group belongs to Kubernetes, so that it is probably wrong if the name has a different one.
fn is_protected(group: &str) -> bool {
    [".k8s.io", ".kubernetes.io"].iter().any(|suffix| group.ends_with(suffix))
}

/// The intended name, and the changes that write it together with all values that it follows from.
pub(super) fn write_intended_name<'t>(site: &Site<'_, '_, 't>) -> Option<(String, Vec<Change<'t>>)> {
    let identity = Identity::of(site)?;
    let all = WritableValues { plural: true, group: true, name: true };
    Some((identity.intended_name(), identity.write(site, all, false)?.changes))
}
