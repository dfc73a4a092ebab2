//! Creates CustomResourceDefinitions from kinds.

mod json;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::Json;
use crate::load::{PackageId, Place};
use crate::marker::{Data, Marker, Meaning};
use crate::plural;
use crate::schema::{
    Cause, Crash, Generator, GroupVersion, MAX_SCHEMAS, PlacedMarker, Problem, ProblemKind, ProblemPlace,
    Schema, TypeId, TypeInfo, size_of,
};
use crate::syntax::File;

/// A definition, with its places in Go.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// The API group.
    pub group: String,
    /// The names.
    pub names: Names,
    /// `Namespaced`, `Cluster`, or another value as written.
    pub scope: String,
    /// The name of the object.
    pub name: String,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// The versions, by their names.
    pub versions: Vec<DefinedVersion>,
    /// The declarations of the kind, in each package that has it.
    pub places: Vec<Place>,
    /// The markers that set names, scope, group and metadata.
    pub causes: Vec<Cause>,
}

/// The names of a kind.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names are those of the fields")]
pub struct Names {
    pub kind: String,
    pub list_kind: String,
    pub plural: String,
    pub singular: String,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub struct DefinedVersion {
    /// Its name.
    pub name: String,
    /// Whether it is served.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The warning for clients.
    pub deprecation_warning: Option<String>,
    /// The schema.
    pub schema: Schema,
    /// The columns of tables, with their fields in the form of the API, each with its marker.
    pub columns: Vec<(BTreeMap<String, Json>, Place)>,
    /// The fields by which objects may be selected, each with its marker.
    pub selectable: Vec<(String, Place)>,
    /// The subresources, if there are any.
    pub subresources: Option<Subresources>,
    /// The declaration of the kind for this version.
    pub place: Place,
    /// The markers that set the other fields.
    pub causes: Vec<Cause>,
}

/// The subresources of a version.
#[derive(Clone, Debug, Default)]
pub struct Subresources {
    /// `status`.
    pub status: bool,
    /// `scale`: the paths for spec, status and, if there is one, the selector.
    pub scale: Option<(String, String, Option<String>)>,
}

/// The package of the types that a kind embeds.
const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// The name under which a file imports the package of `ObjectMeta`.
pub(crate) fn name_of_meta(file: &File) -> Option<&str> {
    let import = file.imports.iter().find(|import| import.path == META)?;
    Some(import.name.as_deref().unwrap_or("v1")).filter(|name| !matches!(*name, "_" | "."))
}

impl Generator<'_> {
    /// Whether a package imports the package of `ObjectMeta`.
    pub(crate) fn imports_meta(&self, id: PackageId) -> bool {
        let Some(package) = self.loader.package(id) else { return false };
        let mut files = package.files.iter().filter_map(|file| self.loader.file(*file));
        files.any(|file| file.imports.iter().any(|import| import.path == META))
    }

    /// The groups and kinds, in the order in which they are written.
    pub(crate) fn kinds(&mut self) -> Vec<(String, Arc<str>)> {
        let ids: Vec<TypeId> =
            self.types.iter().filter(|(_, at)| self.embeds(**at)).map(|(id, _)| id.clone()).collect();
        let mut kinds: Vec<(String, Arc<str>)> = Vec::new();
        for id in ids {
            let embedded = self.embedded_meta(&id);
            if !(embedded.0 && embedded.1) {
                continue;
            }
            let group = self.group_version(id.package).map_or_else(String::new, |found| found.0);
            let kind = (group, id.name);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        // An empty group has no dot.
        let shown = |(group, kind): &(String, Arc<str>)| {
            if group.is_empty() { kind.to_string() } else { format!("{kind}.{group}") }
        };
        kinds.sort_by_key(shown);
        kinds
    }

    fn group_version(&self, package: PackageId) -> Option<(String, String)> {
        let (_, found) = self.group_versions.iter().find(|(id, _)| *id == package)?;
        Some((found.group.clone(), found.version.clone()))
    }

    /// The types of a kind, in all packages of its group.
    pub(crate) fn types_of(&self, (group, kind): &(String, Arc<str>)) -> Vec<TypeId> {
        let packages = self.group_versions.iter().filter(|(_, found)| found.group == *group);
        let ids = packages.map(|(package, _)| TypeId { package: *package, name: Arc::clone(kind) });
        ids.filter(|id| self.types.contains_key(id)).collect()
    }

    /// Creates the definition of a kind from all packages of the group that have it; `None` if it is too large, which is
    /// reported.
    pub(crate) fn definition(
        &mut self,
        group: &str,
        kind: &str,
        max_description: Option<i64>,
    ) -> Result<Option<Definition>, Crash> {
        let plural = plural::of_kind(kind);
        let mut definition = Definition {
            group: group.to_owned(),
            names: Names {
                kind: kind.to_owned(),
                list_kind: format!("{kind}List"),
                plural: plural.clone(),
                singular: kind.to_lowercase(),
                ..Names::default()
            },
            scope: "Namespaced".to_owned(),
            ..Definition::default()
        };
        let packages: Vec<(PackageId, GroupVersion)> =
            self.group_versions.iter().filter(|(_, found)| found.group == group).cloned().collect();
        let mut infos = Vec::new();
        for (package, GroupVersion { version, places, .. }) in &packages {
            let id = TypeId { package: *package, name: kind.into() };
            let Some(info) = self.info(&id) else { continue };
            let mut schema = Schema::clone(&*self.need_flat_schema(&id)?);
            if size_of(&schema) > MAX_SCHEMAS {
                let message = format!(
                    "the schema of {kind} holds more than {MAX_SCHEMAS} schemas and is not written; nest fewer types"
                );
                self.error(info.place, ProblemKind::Other, message);
                return Ok(None);
            }
            if let Some(most) = max_description {
                self.truncate(&mut schema, most);
            }
            definition.places.push(info.place);
            definition.versions.push(new_version(version, schema, info.place, places.last()));
            definition.causes.extend(places.first().map(|place| Cause { keyword: "group", place: *place }));
            infos.push((*package, version.clone(), info));
        }
        for (_, version, info) in &infos {
            self.apply_markers(&mut definition, version, info)?;
        }
        definition.name = format!("{}.{group}", definition.names.plural);
        if definition.versions.is_empty() {
            return Ok(Some(Definition::default()));
        }
        definition.versions.sort_by(|a, b| a.name.cmp(&b.name));
        if let [only] = definition.versions.as_mut_slice() {
            only.storage = true;
        }
        let first = packages.first().map_or(PackageId(0), |(id, _)| *id);
        self.report_missing_versions(&definition, first);
        Ok(Some(definition))
    }

    /// Applies the markers of the type of a version to the definition.
    fn apply_markers(
        &mut self,
        definition: &mut Definition,
        version: &str,
        info: &TypeInfo,
    ) -> Result<(), Crash> {
        for marked in info.markers.iter() {
            if let Err(message) = self.apply_to_definition(definition, version, marked)? {
                let (token, kind) = match marked.marker.meaning() {
                    Meaning::Metadata => (marked.value("annotations"), ProblemKind::NoValue),
                    _ => (marked.name(), ProblemKind::Skipped),
                };
                let problem = Problem::new(ProblemPlace::Place(info.place), message, kind);
                self.report(problem.at(Some(token)));
            }
        }
        Ok(())
    }

    /// Reports a definition without a version that is stored, or without one that is served.
    fn report_missing_versions(&mut self, definition: &Definition, package: PackageId) {
        let (group, kind) = (&definition.group, &definition.names.kind);
        let shown = if group.is_empty() { kind.clone() } else { format!("{kind}.{group}") };
        let token = definition.places.first().copied();
        if !definition.versions.iter().any(|version| version.storage) {
            let message = format!("CRD for {shown} has no storage version");
            self.report(Problem::new(self.spot_of(package), message, ProblemKind::NoStorage).at(token));
        }
        if !definition.versions.iter().any(|version| version.served) {
            let names: Vec<&str> = definition.versions.iter().map(|version| &*version.name).collect();
            let message = format!("CRD for {shown} with version(s) {names:?} does not serve any version");
            let kind = ProblemKind::NotServed(kind.clone());
            let mut causes = definition.versions.iter().flat_map(|version| &version.causes);
            let marker = causes.find(|cause| cause.keyword == "served").map(|cause| cause.place);
            self.report(Problem::new(self.spot_of(package), message, kind).at(marker.or(token)));
        }
    }

    /// Applies a marker of a type to the definition. The inner error is the message of controller-gen.
    fn apply_to_definition(
        &self,
        definition: &mut Definition,
        version: &str,
        marked: &PlacedMarker,
    ) -> Result<Result<(), String>, Crash> {
        let marker = &marked.marker;
        if marker.definition.items {
            return Ok(Ok(()));
        }
        let mut target = definition.versions.iter_mut().find(|found| found.name == version);
        if let Some(keyword) = keyword_of(marker.meaning()) {
            let cause = Cause { keyword, place: marked.place };
            match &mut target {
                Some(target) if !matches!(keyword, "names" | "metadata") => target.causes.push(cause),
                _ => definition.causes.push(cause),
            }
        }
        let absent = |what: &str| Ok(Err(format!("{what} applied to version \"{version}\" not in CRD")));
        match marker.meaning() {
            Meaning::Status => {
                let Some(target) = target else { return absent("status subresource") };
                target.subresources.get_or_insert_default().status = true;
            }
            Meaning::Scale => {
                let Some(target) = target else { return absent("scale subresource") };
                let selector =
                    marker.argument("selectorpath").map(|_| marker.text("selectorpath").to_owned());
                target.subresources.get_or_insert_default().scale = Some((
                    marker.text("specpath").to_owned(),
                    marker.text("statuspath").to_owned(),
                    selector,
                ));
            }
            Meaning::PrintColumn => {
                let Some(target) = target else { return absent("printer columns") };
                target.subresources.get_or_insert_default();
                target.columns.push((column(marker), marked.place));
            }
            Meaning::SelectableField => {
                let Some(target) = target else { return absent("selectable field") };
                target.selectable.push((marker.text("JSONPath").to_owned(), marked.place));
            }
            Meaning::StorageVersion => {
                if let Some(target) = target.filter(|_| !version.is_empty()) {
                    target.storage = true;
                }
            }
            Meaning::UnservedVersion => {
                if let Some(target) = target {
                    target.served = false;
                }
            }
            Meaning::SkipVersion => {
                if version.is_empty() {
                    return Ok(Err("cannot skip a version if there is only a single version".to_owned()));
                }
                definition.versions.retain(|found| found.name != version);
            }
            Meaning::DeprecatedVersion => {
                if let Some(target) = target.filter(|_| !version.is_empty()) {
                    target.deprecated = true;
                    target.deprecation_warning =
                        marker.argument("warning").map(|_| marker.text("warning").to_owned());
                }
            }
            Meaning::Resource => set_names(definition, marker),
            Meaning::Metadata => return metadata(definition, marked),
            _ => {}
        }
        Ok(Ok(()))
    }
}

/// The keyword of a definition that a marker sets, as the cause of findings.
const fn keyword_of(meaning: Meaning) -> Option<&'static str> {
    Some(match meaning {
        Meaning::Status => "subresources",
        Meaning::Scale => "scale",
        Meaning::StorageVersion => "storage",
        Meaning::UnservedVersion => "served",
        Meaning::DeprecatedVersion => "deprecated",
        Meaning::Resource => "names",
        Meaning::Metadata => "metadata",
        _ => return None,
    })
}

/// A version without settings. `place` is that of the type, `name` that of the version's name.
fn new_version(version: &str, schema: Schema, place: Place, name: Option<&Place>) -> DefinedVersion {
    DefinedVersion {
        name: version.to_owned(),
        served: true,
        storage: false,
        deprecated: false,
        deprecation_warning: None,
        schema,
        columns: Vec::new(),
        selectable: Vec::new(),
        subresources: None,
        place,
        causes: name.map(|place| Cause { keyword: "name", place: *place }).into_iter().collect(),
    }
}

fn set_names(definition: &mut Definition, marker: &Marker) {
    for (text, name) in [("path", &mut definition.names.plural), ("singular", &mut definition.names.singular)]
    {
        if !marker.text(text).is_empty() {
            marker.text(text).clone_into(name);
        }
    }
    definition.names.short_names = marker.texts("shortName");
    definition.names.categories = marker.texts("categories");
    let scope = marker.text("scope");
    definition.scope = if scope.is_empty() { "Namespaced" } else { scope }.to_owned();
}

fn metadata(definition: &mut Definition, marked: &PlacedMarker) -> Result<Result<(), String>, Crash> {
    for annotation in marked.marker.texts("annotations") {
        let Some((key, value)) = annotation.split_once('=') else {
            return Ok(Err(format!("annotation {annotation} is not in 'xxx=xxx' format")));
        };
        definition.annotations.insert(key.to_owned(), value.to_owned());
    }
    for label in marked.marker.texts("labels") {
        let Some((key, value)) = label.split_once('=') else {
            return Err(Crash {
                place: Some(marked.value("labels")),
                message: format!("controller-gen panics at the label {label}; write it as name=value"),
            });
        };
        definition.labels.insert(key.to_owned(), value.to_owned());
    }
    Ok(Ok(()))
}

fn column(marker: &Marker) -> BTreeMap<String, Json> {
    let mut column = BTreeMap::new();
    for (argument, key) in [("name", "name"), ("type", "type"), ("JSONPath", "jsonPath")] {
        column.insert(key.to_owned(), Json::text(marker.text(argument)));
    }
    for key in ["description", "format"] {
        if !marker.text(key).is_empty() {
            column.insert(key.to_owned(), Json::text(marker.text(key)));
        }
    }
    if let Some(Data::Int(priority)) = marker.argument("priority").map(|value| &value.data)
        && *priority != 0
    {
        column.insert("priority".to_owned(), Json::Int(*priority));
    }
    column
}
