//! Changes outside of schemas: names, versions, columns, subresources.

use super::change::NodeChange;
use super::writer::Writer;
use crate::definition::DefinedVersion;
use crate::generate::GeneratedFile;
use crate::json::Json;
use crate::load::Place;

impl Writer<'_> {
    pub(super) fn version(
        &mut self,
        version: &DefinedVersion,
        path: &[&str],
        change: &NodeChange,
    ) -> Result<(), String> {
        let cause = |keyword: &str| {
            version.causes.iter().rev().find(|cause| cause.keyword == keyword).map(|cause| cause.place)
        };
        let flag = |change: &NodeChange| change.after == Some(Json::Bool(true));
        match path {
            ["name"] => {
                let place = cause("name")
                    .ok_or_else(|| "the package names the version; rename the package".to_owned())?;
                self.argument(place, "", change.after.as_ref())
            }
            ["storage"] => {
                self.switch(cause("storage"), version.place, "kubebuilder:storageversion", flag(change))
            }
            ["served"] => {
                self.switch(cause("served"), version.place, "kubebuilder:unservedversion", !flag(change))
            }
            ["deprecated"] => {
                self.switch(cause("deprecated"), version.place, "kubebuilder:deprecatedversion", flag(change))
            }
            ["deprecationWarning"] => self.argument_or_marker(
                cause("deprecated"),
                version.place,
                "kubebuilder:deprecatedversion",
                "warning",
                change.after.as_ref(),
            ),
            ["subresources"] | ["subresources", "status"] => {
                let has_status = match (&change.after, path) {
                    (Some(Json::Map(subresources)), ["subresources"]) => {
                        subresources.len() == 1 && subresources.contains_key("status")
                    }
                    (after, _) => after.is_some(),
                };
                if !has_status {
                    return Err("several markers determine `subresources`".to_owned());
                }
                self.switch(None, version.place, "kubebuilder:subresource:status", true)
            }
            ["subresources", "scale", key] => {
                let name = match *key {
                    "specReplicasPath" => "specpath",
                    "statusReplicasPath" => "statuspath",
                    _ => "selectorpath",
                };
                let places =
                    version.causes.iter().filter(|cause| cause.keyword == "scale").map(|cause| cause.place);
                let place = places
                    .into_iter()
                    .find(|place| self.text(*place).starts_with("+kubebuilder:subresource:scale"));
                let place = place.ok_or_else(|| "no marker sets the subresource".to_owned())?;
                self.argument(place, name, change.after.as_ref())
            }
            ["additionalPrinterColumns", at, key] => {
                let column = at.parse().ok().and_then(|at: usize| version.columns.get(at));
                let (_, place) = column.ok_or_else(|| "no marker sets the column".to_owned())?;
                let name = if *key == "jsonPath" { "JSONPath" } else { *key };
                self.argument(*place, name, change.after.as_ref())
            }
            ["selectableFields", at, "jsonPath"] => {
                let field = at.parse().ok().and_then(|at: usize| version.selectable.get(at));
                let (_, place) = field.ok_or_else(|| "no marker sets the field".to_owned())?;
                self.argument(*place, "JSONPath", change.after.as_ref())
            }
            ["additionalPrinterColumns" | "selectableFields"] => {
                let (Some(Json::List(before)), after) = (&change.before, &change.after) else {
                    return Err("no marker sets this value".to_owned());
                };
                let after = match after {
                    Some(Json::List(after)) => after.as_slice(),
                    _ => &[],
                };
                let places: Vec<Place> = if path == ["selectableFields"] {
                    version.selectable.iter().map(|(_, place)| *place).collect()
                } else {
                    version.columns.iter().map(|(_, place)| *place).collect()
                };
                self.removed(before, after, &places)
            }
            _ => Err("no marker sets this value".to_owned()),
        }
    }
}

/// The list that contains a changed element.
pub(super) fn whole_list(
    file: &GeneratedFile,
    change: &NodeChange,
    path: &[&str],
) -> Result<Option<Json>, String> {
    let [name, at] = path else { return Ok(change.after.clone()) };
    let names = &file.definition.names;
    let mut list = if *name == "categories" { names.categories.clone() } else { names.short_names.clone() };
    let element = at
        .parse()
        .ok()
        .and_then(|at: usize| list.get_mut(at))
        .ok_or_else(|| "no Go code sets this name".to_owned())?;
    let Some(Json::Text(after)) = &change.after else { return Err("the name is not a string".to_owned()) };
    element.clone_from(after);
    Ok(Some(Json::List(list.iter().map(|name| Json::text(name)).collect())))
}
