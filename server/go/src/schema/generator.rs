//! The state of schema generation: packages, their types, the schemas so far, and the problems.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::collect::{PlacedMarker, TypeInfo};
use super::known_types::KnownPackage;
use super::merge::{Conflict, Merger};
use super::model::{Cause, Schema, TypeId};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::schema_cache::{KeptTypes, TypeInProgress};
use crate::load::{FileId, Loader, Package, PackageId, Place, TypeAt};
use crate::marker::Meaning;
use crate::syntax::Span;
use crate::version::{Change, Version};

/// An error at which controller-gen ends without a helpful message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crash {
    pub(crate) place: Option<Place>,
    pub(crate) message: String,
}

/// Options on which schemas depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaOptions {
    pub(crate) allow_dangerous_types: bool,
    pub(crate) ignore_unexported_fields: bool,
    pub(crate) embedded_object_meta: bool,
    /// Whether a rejected marker counts as absent. controller-gen ignores all types of its package.
    pub(crate) skips_rejected: bool,
    pub(crate) version: Version,
}

/// The group and the version of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupVersion {
    pub(crate) group: String,
    pub(crate) version: String,
    /// The markers that set them.
    pub(crate) places: Vec<Place>,
}

pub(crate) struct Generator<'d> {
    pub(crate) loader: Loader<'d>,
    pub(crate) options: SchemaOptions,
    /// The types of the packages that have been added.
    pub(crate) types: BTreeMap<TypeId, TypeAt>,
    /// The information on types that have been requested.
    pub(super) infos: HashMap<TypeId, Arc<TypeInfo>>,
    /// The groups and versions, in the order in which packages were added.
    pub(crate) group_versions: Vec<(PackageId, GroupVersion)>,
    needed: HashSet<PackageId>,
    /// The imports of each package that were type-checked before it.
    pub(super) visible: HashMap<PackageId, HashSet<PackageId>>,
    pub(super) schemas: HashMap<TypeId, Arc<Schema>>,
    pub(super) flat: HashMap<TypeId, Arc<Schema>>,
    merged: HashMap<TypeId, Arc<Schema>>,
    pub(super) merger: Merger,
    /// The results for types that were not edited since the last generation, and the new results.
    pub(super) kept_types: KeptTypes,
    /// The types whose schemas are being generated, the innermost last.
    pub(super) in_progress: Vec<TypeInProgress>,
    /// The types whose references are being resolved.
    pub(super) flattening: Vec<TypeId>,
    /// The types whose flattened schemas are not kept.
    pub(super) unsettled: HashSet<TypeId>,
    /// The number of schemas that were copied for references to types.
    pub(super) copied: usize,
    pub(super) package_markers: HashMap<PackageId, Arc<Vec<PlacedMarker>>>,
    pub(crate) problems: Vec<Problem>,
}

impl<'d> Generator<'d> {
    /// `kept` contains types that have not changed since an earlier generation with the same options.
    pub(crate) fn new(loader: Loader<'d>, options: SchemaOptions, mut kept: KeptTypes) -> Self {
        let merger = Merger::new(options.version, kept.take_merged());
        Self {
            loader,
            options,
            types: BTreeMap::new(),
            infos: HashMap::new(),
            group_versions: Vec::new(),
            needed: HashSet::new(),
            visible: HashMap::new(),
            schemas: HashMap::new(),
            flat: HashMap::new(),
            merged: HashMap::new(),
            merger,
            kept_types: kept,
            in_progress: Vec::new(),
            flattening: Vec::new(),
            unsettled: HashSet::new(),
            copied: 0,
            package_markers: HashMap::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn has(&self, change: Change) -> bool {
        self.options.version.has(change)
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        if let Some(in_progress) = self.in_progress.last_mut() {
            in_progress.problems += 1;
        }
        // An identical error adds no information.
        if !self.problems.iter().any(|known| known.repeats(&problem)) {
            self.problems.push(problem);
        }
    }

    /// Reports an error at a token.
    pub(crate) fn error(&mut self, place: Place, kind: ProblemKind, message: String) {
        self.report(Problem::new(ProblemPlace::Place(place), message, kind));
    }

    /// The package as the spot of a problem.
    pub(crate) fn spot_of(&self, package: PackageId) -> ProblemPlace {
        ProblemPlace::Package(
            self.loader.package(package).map_or_else(String::new, |package| package.path.clone()),
        )
    }

    /// Adds a package: its group and version, its types, and the packages that it refers to.
    pub(crate) fn need_package(&mut self, id: PackageId) {
        if !self.needed.insert(id) {
            return;
        }
        let Some(package) = self.loader.package(id) else { return };
        let protocol = !self.has(Change::NoProtocolDefault);
        match KnownPackage::of(&package.path) {
            Some(known) => {
                for (name, schema) in known.schemas(self.options.embedded_object_meta, protocol) {
                    let id = TypeId { package: id, name: name.into() };
                    let schema = self.kept_types.insert_known(id.clone(), schema);
                    self.schemas.insert(id, schema);
                }
                if known.has_others() {
                    self.add_package(id, &package);
                }
            }
            None => self.add_package(id, &package),
        }
    }

    fn add_package(&mut self, id: PackageId, package: &Package) {
        if !package.is_sound {
            self.report_syntax(package);
        }
        self.index(id, package);
        self.check(id);
    }

    fn report_syntax(&mut self, package: &Package) {
        for file_id in &package.files {
            let Some(file) = self.loader.file(*file_id) else { continue };
            for error in &file.errors {
                self.error(
                    Place { file: *file_id, span: error.span },
                    ProblemKind::Other,
                    format!("syntax error: {}", error.message),
                );
            }
        }
    }

    /// Notes the group, the version and the types of a package, unless a marker has an error.
    fn index(&mut self, id: PackageId, package: &Package) {
        if !package.is_sound {
            self.group_versions.push((id, GroupVersion::default()));
            return;
        }
        let Some(collected) = self.collect(package) else { return };
        let has = |meaning| collected.package.iter().find(|marked| marked.marker.meaning() == meaning);
        if has(Meaning::Skip).is_some() {
            return;
        }
        let mut group_version = GroupVersion::default();
        if let Some(group) = has(Meaning::GroupName) {
            group_version.group = group.marker.text("").to_owned();
            group_version.version.clone_from(&package.name);
            group_version.places.push(group.place);
            if let Some(version) = has(Meaning::VersionName) {
                group_version.version = version.marker.text("").to_owned();
                group_version.places.push(version.place);
            }
        }
        self.group_versions.push((id, group_version));
        self.package_markers.insert(id, Arc::new(collected.package));
        let types = collected.types.into_iter();
        self.types.extend(types.map(|(name, at)| (TypeId { package: id, name }, at)));
    }

    /// Whether a package was type-checked, so that importing packages see its declarations.
    pub(super) fn is_checked(&self, id: PackageId) -> bool {
        self.visible.contains_key(&id)
    }

    /// The schema of a type, with unresolved references.
    pub(super) fn need_schema(&mut self, id: &TypeId) -> Result<Option<Arc<Schema>>, Crash> {
        self.need_package(id.package);
        if let Some(in_progress) = self.in_progress.last_mut() {
            in_progress.needs.push(id.clone());
        }
        if let Some(schema) = self.schemas.get(id) {
            return Ok(Some(schema.clone()));
        }
        if let Some(schema) = self.kept_schema(id)? {
            return Ok(Some(schema));
        }
        let Some(info) = self.info(id) else {
            let name = self.type_text(id);
            let (spot, message) = (self.spot_of(id.package), format!("unknown type {name}"));
            self.report(Problem::new(spot, message, ProblemKind::UnknownType(name)));
            return Ok(None);
        };
        self.schemas.insert(id.clone(), Arc::default());
        self.in_progress.push(TypeInProgress::default());
        let schema = Arc::new(self.info_schema(id, &info)?);
        let in_progress = self.in_progress.pop().unwrap_or_default();
        self.keep_schema(id, &schema, in_progress, info.at.file);
        self.schemas.insert(id.clone(), schema.clone());
        Ok(Some(schema))
    }

    /// The name of a type in messages of controller-gen.
    pub(super) fn type_text(&self, id: &TypeId) -> String {
        let path = self.loader.package(id.package).map_or_else(String::new, |package| package.path.clone());
        format!("\"{path}\".{}", id.name)
    }

    /// The schema of a type in the form of a definition.
    pub(crate) fn need_flat_schema(&mut self, id: &TypeId) -> Result<Arc<Schema>, Crash> {
        if let Some(schema) = self.merged.get(id) {
            return Ok(schema.clone());
        }
        let mut schema = match self.flat_type(id)? {
            Some(schema) => Schema::clone(&schema),
            None => Schema::default(),
        };
        let mut conflicts = Vec::new();
        self.merger.merge_all(&mut schema, &mut conflicts);
        if self.merger.is_exhausted() {
            return Err(self.too_large(schema.causes.first().map(|cause| cause.place)));
        }
        if !conflicts.is_empty() {
            self.kept_types.discard(id);
        }
        for Conflict { kept, dropped, causes } in conflicts {
            let message = format!("conflicting types in allOf branches in schema: {kept} vs {dropped}");
            // Prefers causes in the package itself, which its author can change: first of all a marker.
            let package = self.loader.package(id.package);
            let files = package.as_ref().map_or(&[][..], |package| &package.files);
            let own: Vec<_> = causes.iter().filter(|cause| files.contains(&cause.place.file)).collect();
            let holds = |outer: Place, inner: Place| outer != inner && outer.contains(inner);
            let holds_other = |cause: &Cause| own.iter().any(|other| holds(cause.place, other.place));
            let first = own.iter().min_by_key(|cause| (cause.keyword != "type", holds_other(cause)));
            let cause = first.copied().or(causes.first());
            let token = cause.map(|cause| cause.place);
            let places = causes.iter().map(|cause| cause.place).collect();
            let spot = self.spot_of(id.package);
            self.report(
                Problem::new(spot, message, ProblemKind::Conflict { kept, dropped, places }).at(token),
            );
        }
        let schema = Arc::new(schema);
        self.merged.insert(id.clone(), schema.clone());
        Ok(schema)
    }

    /// A place in a file.
    pub(super) const fn place(file: FileId, span: Span) -> Place {
        Place { file, span }
    }
}
