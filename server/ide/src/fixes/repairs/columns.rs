//! Repairs of paths into objects: printer columns, the scale subresource, selectable fields.

use api::{Code, FieldType, OBJECT_META};
use crd::jsonpath::PathStep;
use crd::schema::{Keyword, Schema, TypeName};
use yaml::{Item, Value};

use super::super::plan::Change;
use super::site::{ParentLink, Site, set};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, string, text};
use crd::{closest, closest_in_words, meta_field};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::ColumnsJsonPath, dot),
    (Code::ColumnsJsonPathRequired, spelling),
    (Code::ColumnsFormat, drop_line),
    (Code::ColumnsNameRequired, column_name),
    (Code::ColumnsType, column_type),
    (Code::ColumnsTypeRequired, type_of_path),
    (Code::LintColumnJsonPath, closed),
    (Code::LintColumnPath, near_path),
    (Code::LintColumnType, type_of_field),
    (Code::LintScalePath, near_path),
    (Code::ScaleLabelSelectorPath, scale_path),
    (Code::ScaleSpecReplicasPath, scale_path),
    (Code::ScaleSpecReplicasRequired, |site| usual_path(site, "specReplicasPath", ".spec.replicas")),
    (Code::ScaleStatusReplicasPath, scale_path),
    (Code::ScaleStatusReplicasRequired, |site| usual_path(site, "statusReplicasPath", ".status.replicas")),
    (Code::SelectableFieldsDuplicate, drop_item),
    (Code::SelectableFieldsMetadata, drop_item),
    (Code::SelectableFieldsPath, selectable),
    (Code::SelectableFieldsRequired, drop_item),
    (Code::SelectableFieldsType, scalar_below),
];

/// The maximum number of fields that are offered to choose from.
const MOST_CHOICES: usize = 5;

/// Adds the missing dot at the start of a path.
fn dot<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(path) = string(level.value).filter(|path| !path.starts_with('.')) else { return Vec::new() };
    let Some(better) = crd::jsonpath::intended_path(&path) else { return Vec::new() };
    let change = Change::Replace(level.value, text(better.as_str()));
    vec![Repair::safe(format!("Change `{path}` to `{better}`"), vec![change])]
}

/// Renames `JSONPath`, the name of the field in v1beta1.
fn spelling<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(old) = own_entry(level.value, "JSONPath") else { return Vec::new() };
    vec![Repair::safe(
        Title::rename("`JSONPath` to `jsonPath`"),
        vec![Change::Rename(old, "jsonPath".to_owned())],
    )]
}

fn drop_line<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((holder, entry)) = site.entry() else { return Vec::new() };
    let Some(key) = entry.key_text() else { return Vec::new() };
    vec![Repair::suggested(Title::removal(format_args!("`{key}`")), vec![Change::Remove(holder, entry)])]
}

/// The innermost item on the path, with its list.
fn item_around<'t>(site: &Site<'_, '_, 't>) -> Option<(Value<'t>, Item<'t>)> {
    (0..3).find_map(|up| match (site.level_above(up)?.via, site.level_above(up + 1)?.value) {
        (ParentLink::Item(item), list) => Some((list, item)),
        _ => None,
    })
}

fn drop_item<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let drop =
        |(list, item)| Repair::suggested(Title::removal("this entry"), vec![Change::RemoveItem(list, item)]);
    item_around(site).map(drop).into_iter().collect()
}

fn selectable<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let mut repairs = dot(site);
    repairs.extend(near_path(site));
    repairs.extend(drop_item(site));
    repairs
}

/// Names a column after the last step of its path.
fn column_name<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, column)) = item_around(site) else { return Vec::new() };
    let path = path_of(column.value());
    let last = path.rsplit(|char: char| !char.is_ascii_alphanumeric()).next().unwrap_or_default();
    if last.is_empty() {
        return Vec::new();
    }
    let name = text::capitalized(last);
    vec![Repair::suggested(
        format!("Set `name: {name}`"),
        vec![set(column.value(), "name", text(name.as_str()))],
    )]
}

/// Adds the missing type of a column: the type of its field, or a string.
fn type_of_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, column)) = item_around(site) else { return Vec::new() };
    let path = path_of(column.value());
    let suited = root(site).and_then(|root| crd::column_type(&path, &root));
    let name = suited.unwrap_or(if path.ends_with("Timestamp") { "date" } else { "string" });
    vec![Repair::suggested(format!("Set `type: {name}`"), vec![set(column.value(), "type", text(name))])]
}

/// Changes the type of a column to the type of its field.
fn type_of_field<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(level), Some((_, column)), Some(root)) = (site.last(), item_around(site), root(site)) else {
        return Vec::new();
    };
    let own = string(level.value).unwrap_or_default();
    let Some(found) = crd::column_mismatch(&path_of(column.value()), &own, &root) else { return Vec::new() };
    let change = Change::Replace(level.value, text(found.better));
    vec![Repair::new(found.is_certain, format!("Set `type: {}`", found.better), vec![change])]
}

/// The path of `column`, in the spelling of v1 or of v1beta1.
fn path_of(column: Value<'_>) -> String {
    let entry = own_entry(column, "jsonPath").or_else(|| own_entry(column, "JSONPath"));
    entry.and_then(|entry| string(entry.value())).unwrap_or_default()
}

/// Sets the path that nearly all scalable resources have.
fn usual_path<'t>(site: &Site<'_, '_, 't>, key: &'static str, path: &'static str) -> Vec<Repair<'t>> {
    let scale = (0..2).find_map(|up| {
        let value = site.level_above(up)?.value;
        let is_scale = matches!(site.level_above(up)?.via, ParentLink::Entry(entry) if entry.key_text().is_some_and(|key| key == "scale"));
        is_scale.then_some(value)
    });
    let write = |scale| Repair::suggested(format!("Set `{key}: {path}`"), vec![set(scale, key, text(path))]);
    scale.map(write).into_iter().collect()
}

fn column_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(level) = site.last() else { return Vec::new() };
    let Some(own) = string(level.value) else { return Vec::new() };
    let types = ["integer", "number", "string", "boolean", "date"];
    let write = |safe, name: &str| {
        Repair::new(safe, format!("Set `type: {name}`"), vec![Change::Replace(level.value, text(name))])
    };
    let synonym = match own.to_lowercase().as_str() {
        "int" | "int32" | "int64" => Some("integer"),
        "float" | "double" => Some("number"),
        "bool" => Some("boolean"),
        "str" | "text" => Some("string"),
        "time" | "datetime" | "date-time" | "timestamp" => Some("date"),
        other => types.into_iter().find(|name| *name == other),
    };
    match synonym.or_else(|| closest(&own, types.into_iter()).map(|(name, _)| name)) {
        Some(name) => vec![write(true, name)],
        None => types.into_iter().map(|name| write(false, name)).collect(),
    }
}

fn scale_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, entry)) = site.entry() else { return Vec::new() };
    let value = entry.value();
    let (Some(path), Some(key)) = (string(value), entry.key_text()) else { return Vec::new() };
    let root = if key == "specReplicasPath" { ".spec" } else { ".status" };
    let dotted = format!(".{}", path.trim_start_matches('.'));
    let write = |safe, path: String| {
        Repair::new(safe, format!("Set `{key}: {path}`"), vec![Change::Replace(value, text(path))])
    };
    if dotted != path && dotted.starts_with(&format!("{root}.")) {
        return vec![write(true, dotted)];
    }
    let other = if root == ".spec" { ".status." } else { ".spec." };
    let below = dotted.strip_prefix(other).unwrap_or_else(|| dotted.trim_start_matches('.'));
    let repair = || write(false, format!("{root}.{below}"));
    (!below.is_empty() && below != "spec" && below != "status").then(repair).into_iter().collect()
}

/// The schema of the version that contains the finding.
fn root<'r, 't>(site: &Site<'_, 'r, 't>) -> Option<Schema<'r, 't>> {
    let version = site.version()?;
    let within = |place: &&crd::object::SchemaPlace<'t>| version.range().contains_range(place.key);
    let places = site.definition.schemas();
    Schema::read(places.iter().find(within)?.value, site.reader)
}

/// Corrects a path with misspelt steps, or with a filter that cannot be evaluated.
fn near_path<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(level), Some(root)) = (site.last(), root(site)) else { return Vec::new() };
    let Some(path) = string(level.value) else { return Vec::new() };
    // Other programs separate the fields of a path with `/`.
    let is_separated = path.contains('/') && !path.starts_with(".metadata");
    let with_dots = || is_separated.then(|| path.replace('/', "."));
    let without_dot = || path.contains(".[").then(|| path.replace(".[", "["));
    let better = usable(&path)
        .or_else(|| declared(&path, &root))
        .or_else(|| in_other_part(&path, &root))
        .or_else(without_dot)
        .or_else(with_dots);
    let Some(better) = better else { return Vec::new() };
    vec![Repair::suggested(
        format!("Change `{path}` to `{better}`"),
        vec![Change::Replace(level.value, text(better.as_str()))],
    )]
}

/// Closes the filter or the index of a path.
fn closed<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((level, path)) = site.last().and_then(|level| Some((level, string(level.value)?))) else {
        return Vec::new();
    };
    // A filter ends after the text that it compares, an index before the next field.
    let after_text = path.rfind(['"', '\'']).map(|quote| quote + 1);
    let is_end = |at: &usize| match after_text {
        Some(end) => *at == end || *at == end + 1,
        None if path.contains("[?(") => *at == path.len(),
        None => path.get(*at..).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    };
    let insert = |at: usize, mark: &str| format!("{}{mark}{}", &path[..at], &path[at..]);
    let ends = (0..=path.len()).filter(|at| path.is_char_boundary(*at)).filter(is_end);
    let inserted = ends.flat_map(|at| [")]", "]", ")"].map(|mark| insert(at, mark)));
    let slips = [
        ("))", ")]"),
        ("]]", ")]"),
        ("[(", "[?("),
        ("[?@", "[?(@"),
        ("?(", "[?("),
        (".[?(", "[?("),
        ("[?(", "[?(@."),
        ("==", "==\""),
        ("==", "=='"),
    ];
    let exchanged = slips.map(|(from, to)| path.replacen(from, to, 1));
    let is_usable = |better: &String| {
        *better != path
            && matches!(crd::jsonpath::parse(better), Ok(Some(_)))
            && crd::jsonpath::unusable(better).is_none()
    };
    let better = exchanged.into_iter().chain(inserted).find(is_usable);
    let change = |better: String| {
        let title = format!("Change `{path}` to `{better}`");
        Repair::suggested(title, vec![Change::Replace(level.value, text(better.as_str()))])
    };
    better.map(change).into_iter().collect()
}

/// The path with filters that can be evaluated; `None` if it has no others.
fn usable(path: &str) -> Option<String> {
    let mut better = path.to_owned();
    // Each side of a filter and its operator may be wrong.
    for _ in 0..MOST_CHOICES {
        let Some(found) = crd::jsonpath::unusable(&better) else { break };
        better.replace_range(found.range, &found.better);
    }
    (better != path).then_some(better)
}

/// The path with the declared fields in place of undeclared ones; `None` if nothing changes or no similar
/// field is declared.
fn declared(path: &str, root: &Schema<'_, '_>) -> Option<String> {
    let steps = crd::jsonpath::parse(path).ok()??;
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut schema = Some(root.clone());
    let mut within_meta = None;
    for (number, located) in steps.iter().enumerate() {
        let PathStep::Field(name) = &located.step else {
            schema = schema.and_then(|list| list.schema(Keyword::Items));
            continue;
        };
        if let Some(FieldType::Object(object)) = within_meta {
            let known = match object.field(name) {
                Some(field) => field,
                None => {
                    let names = || object.fields.iter().map(|field| field.name);
                    let near = closest(name, names()).map(|(near, _)| near);
                    object.field(near.or_else(|| meta_field(name, names()))?)?
                }
            };
            within_meta = Some(known.ty);
            edits.push((located.range.clone(), known.name.to_owned()));
            continue;
        }
        // Names below `labels` and `annotations` are not fields.
        let Some(below) = schema.filter(|_| within_meta.is_none()) else { break };
        let fields = below.members(Keyword::Properties);
        let is_similar = |known: &str| name != known && closest(name, [known].into_iter()).is_some();
        let is_meta =
            number == 0 && (name == "metadata" || is_similar("metadata") && fields.get(name).is_none());
        if number > 0 && fields.entries.is_empty() {
            break; // The names in a map are unknown.
        }
        let known = match fields.get(name) {
            Some(_) => name.clone(),
            None if is_meta => "metadata".to_owned(),
            None if number == 0 && OBJECT_META.field(name).is_some() => format!("metadata.{name}"),
            None => closest_in_words(name, fields.entries.iter().map(|(name, _)| name.as_ref()))?.to_owned(),
        };
        let next = fields.get(&known).and_then(|entry| Schema::read(entry.value(), below.reader()));
        within_meta = is_meta.then_some(FieldType::Object(&OBJECT_META));
        schema = next;
        edits.push((located.range.clone(), known));
    }
    let mut better = path.to_owned();
    for (range, name) in edits.into_iter().rev() {
        let written = better.get(range.clone())?;
        // `['name']` does not change.
        if let Some(own) = written.strip_prefix('.').filter(|own| *own != name) {
            better.replace_range(range.end - own.len()..range.end, &name);
        }
    }
    (better != path).then_some(better)
}

/// The same path below `.status` or `.spec`, if it exists there.
fn in_other_part(path: &str, root: &Schema<'_, '_>) -> Option<String> {
    let parts = [".spec", ".status"];
    let own = parts.into_iter().find(|part| path.starts_with(&format!("{part}.")));
    let below = own.map_or(path, |own| path.get(own.len()..).unwrap_or_default());
    let others = parts.into_iter().filter(|part| Some(*part) != own);
    let mut existing = others.map(|part| format!("{part}{below}")).filter(|path| exists(path, root));
    let first = existing.next()?;
    existing.next().is_none().then_some(first)
}

/// Whether a schema declares each field of a path. Names within a map are unknown.
fn exists(path: &str, root: &Schema<'_, '_>) -> bool {
    let Ok(Some(steps)) = crd::jsonpath::parse(path) else { return false };
    let mut schema = Some(root.clone());
    for located in &steps {
        let Some(here) = schema else { return false };
        schema = match &located.step {
            PathStep::Field(name) => {
                let fields = here.members(Keyword::Properties);
                match fields.get(name) {
                    Some(entry) => Schema::read(entry.value(), here.reader()),
                    None => return false,
                }
            }
            _ => here.schema(Keyword::Items),
        };
    }
    schema.is_some()
}

/// Replaces the path of an object with the path of one of its scalar fields.
fn scalar_below<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some(level), Some(root)) = (site.last(), root(site)) else { return Vec::new() };
    let Some(path) = string(level.value) else { return Vec::new() };
    let Ok(found) = crd::schema::path::resolve(&path, &root, crd::schema::path::ArrayNotation::Refused)
    else {
        return Vec::new();
    };
    let Some(schema) = found.schema else { return Vec::new() };
    let fields = schema.members(Keyword::Properties).entries.into_iter().filter(|(_, entry)| {
        Schema::read(entry.value(), site.reader).is_some_and(|field| {
            matches!(field.type_name(), TypeName::Named(name) if matches!(name.as_ref(), "string" | "integer" | "boolean"))
        })
    });
    let write = |better: String| {
        Repair::suggested(
            format!("Change `{path}` to `{better}`"),
            vec![Change::Replace(level.value, text(better.as_str()))],
        )
    };
    fields.take(MOST_CHOICES).map(|(name, _)| write(format!("{path}.{name}"))).collect()
}
