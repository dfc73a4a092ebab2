//! Changes of a definition outside its schemas.

use api::Code;
use text::TextRange;
use yaml::Value;

use super::AffectedParty::{Readers, StoredObjects, Writers};
use super::ChangeSeverity::{Breaking, Risky, Safe};
use super::node_paths::NodePaths;
use super::schema::{SchemaAt, SchemaComparison};
use super::unchanged_nodes::UnchangedNodes;
use super::{AffectedParty, Change, ChangeSeverity};
use crate::cache::Cache;
use crate::customresource::ResourceVersion;
use crate::field_path::FieldPath;
use crate::locate::locate;
use crate::object::{CustomResourceDefinition, SchemaPlace, Version, scope_of};

pub(super) fn compare<'o, 'n>(
    old: &CustomResourceDefinition<'_, 'o>,
    new: &CustomResourceDefinition<'_, 'n>,
    cache: &mut Cache,
) -> Vec<Change> {
    let before = ComparedDefinition::of(old, cache);
    let now = ComparedDefinition::of(new, cache);
    let mut comparison = Comparison { old, new, unchanged: cache.table(), changes: Vec::new() };
    comparison.fields();
    for version in &before.versions {
        match now.version(&version.resource.name) {
            Some(other) => {
                comparison.version(version, other);
                // No objects exist of a version that was neither served nor stored.
                if version.resource.served || version.is_storage {
                    comparison.schemas(version, other);
                }
            }
            None => comparison.removed(version),
        }
    }
    for version in &now.versions {
        if before.version(&version.resource.name).is_none() {
            let text = format!("version `{}` was added", version.resource.name);
            comparison.report(
                Some(version),
                Code::CompatVersionAdded,
                Safe,
                &[],
                text,
                (None, &version.path),
            );
        }
    }
    comparison.storage(&before, &now);
    comparison.changes
}

/// One of the two definitions.
struct ComparedDefinition<'t> {
    versions: Vec<OneVersion<'t>>,
}

struct OneVersion<'t> {
    resource: ResourceVersion,
    is_storage: bool,
    is_deprecated: bool,
    /// The paths of `selectableFields`.
    selectable: Vec<String>,
    /// The path to the version in its document.
    path: FieldPath,
    schema: Option<SchemaPlace<'t>>,
}

impl<'t> ComparedDefinition<'t> {
    fn of(definition: &CustomResourceDefinition<'_, 't>, cache: &mut Cache) -> Self {
        let resources = ResourceVersion::all(definition, definition.reader(), cache);
        let schemas = definition.schemas();
        let path = definition.path().child("spec").child("versions");
        let one = |version: Version<'_, 't>| {
            let name = version.name()?;
            let resource = resources.iter().find(|resource| resource.name == name)?.clone();
            let of_version = schemas.iter().find(|place| place.version == Some(version.index));
            let schema = of_version.or_else(|| schemas.iter().find(|place| place.version.is_none()));
            let selectable = version.member("selectableFields").and_then(Value::as_sequence);
            let selectable = selectable.into_iter().flat_map(yaml::Sequence::items);
            let paths = selectable.filter_map(|item| {
                let reader = definition.reader();
                let entry = reader.entry(reader.follow(item.value())?.as_mapping()?, "jsonPath")?;
                Some(reader.follow(entry.value())?.as_scalar()?.as_str()?.into_owned())
            });
            Some(OneVersion {
                is_storage: version.is_true("storage"),
                is_deprecated: version.is_true("deprecated"),
                selectable: paths.collect(),
                path: path.index(version.index),
                schema: schema.cloned(),
                resource,
            })
        };
        Self { versions: definition.versions().filter_map(one).collect() }
    }

    fn version(&self, name: &str) -> Option<&OneVersion<'t>> {
        self.versions.iter().find(|version| version.resource.name == name)
    }
}

struct Comparison<'c, 'o, 'n> {
    old: &'c CustomResourceDefinition<'c, 'o>,
    new: &'c CustomResourceDefinition<'c, 'n>,
    unchanged: &'c mut UnchangedNodes,
    changes: Vec<Change>,
}

impl<'o, 'n> Comparison<'_, 'o, 'n> {
    /// Adds a change at `now`, a path in the new definition, and `before`, a path in the old one.
    fn report(
        &mut self,
        version: Option<&OneVersion<'_>>,
        code: Code,
        class: ChangeSeverity,
        affects: &'static [AffectedParty],
        message: String,
        (before, now): (Option<&FieldPath>, &FieldPath),
    ) {
        self.changes.push(Change {
            code,
            class,
            affects,
            cause: message.clone(),
            message,
            version: version.map(|version| version.resource.name.clone()),
            object_path: String::new(),
            range: place(self.new, now),
            field_path: now.clone(),
            before: before.map(|path| place(self.old, path)),
            ratchets: false,
        });
    }

    /// Compares the fields that apply to all versions.
    fn fields(&mut self) {
        let text = |of: Option<Value<'_>>| Some(of?.as_scalar()?.as_str()?.into_owned());
        for (names, code, class, what) in [
            (
                &["spec", "group"][..],
                Code::CompatIdentityChanged,
                Breaking,
                "this becomes a different resource; existing objects stay in the old one",
            ),
            (
                &["spec", "scope"][..],
                Code::CompatIdentityChanged,
                Breaking,
                "objects move to another storage path and existing ones are no longer found",
            ),
            (
                &["spec", "names", "kind"][..],
                Code::CompatIdentityChanged,
                Breaking,
                "stored objects and manifests still have the old kind",
            ),
            (
                &["spec", "names", "plural"][..],
                Code::CompatIdentityChanged,
                Breaking,
                "this becomes a different resource; clients still use the old name",
            ),
            (
                &["spec", "conversion", "strategy"][..],
                Code::CompatConversionChanged,
                Risky,
                "objects are now converted differently between versions",
            ),
        ] {
            let (before, now) = (text(self.old.field(names)), text(self.new.field(names)));
            let fallback = |of: &CustomResourceDefinition<'_, '_>| match names.last() {
                Some(&"strategy") => Some("None".to_owned()),
                Some(&"scope") => {
                    Some(scope_of("", of.api_version()).to_owned()).filter(|scope| !scope.is_empty())
                }
                _ => None,
            };
            let before = before.or_else(|| fallback(self.old));
            let Some((before, now)) = before.zip(now.or_else(|| fallback(self.new))) else { continue };
            if before != now {
                let path = |of: &CustomResourceDefinition<'_, '_>| {
                    names.iter().fold(of.path().clone(), |path, name| path.child(*name))
                };
                let message = format!("`{}` changes from {before:?} to {now:?}; {what}", names.join("."));
                let affects: &[AffectedParty] = &[StoredObjects, Writers, Readers];
                let (before, now) = (path(self.old), path(self.new));
                self.report(None, code, class, affects, message, (Some(&before), &now));
            }
        }
        if !self.old.prunes() && self.new.prunes() {
            let path = self.new.path().child("spec");
            let message = "undeclared fields are now pruned".to_owned();
            let affects: &[AffectedParty] = &[StoredObjects, Writers, Readers];
            let before = self.old.path().child("spec").child("preserveUnknownFields");
            self.report(None, Code::CompatFieldRemoved, Breaking, affects, message, (Some(&before), &path));
        }
    }

    fn removed(&mut self, version: &OneVersion<'_>) {
        let name = &version.resource.name;
        let path = self.new.path().child("spec").child("versions");
        let (class, affects, text): (_, &[AffectedParty], _) = match (
            version.resource.served,
            version.is_storage,
        ) {
            (_, true) => (
                Breaking,
                &[StoredObjects, Writers, Readers],
                "objects are stored in it. Make another version the storage version, keep this one with `served: false`, rewrite all objects, remove it from `status.storedVersions`, then remove the version",
            ),
            (true, false) => (
                Breaking,
                &[Writers, Readers],
                "requests for it return 404. Keep it with `served: false` until no client uses it",
            ),
            (false, false) => (
                Risky,
                &[StoredObjects],
                "kube-apiserver rejects the update while `status.storedVersions` lists the version",
            ),
        };
        let message = format!("version `{name}` was removed; {text}");
        self.report(
            Some(version),
            Code::CompatVersionRemoved,
            class,
            affects,
            message,
            (Some(&version.path), &path),
        );
    }

    fn version(&mut self, old: &OneVersion<'_>, new: &OneVersion<'_>) {
        let name = &new.resource.name;
        let places = (Some(&old.path.child("served")), &new.path.child("served"));
        if old.resource.served && !new.resource.served {
            let message = format!(
                "version `{name}` is no longer served; requests for it return 404{}",
                if old.is_deprecated { "" } else { ". Mark it as deprecated for some releases first" }
            );
            self.report(
                Some(new),
                Code::CompatVersionUnserved,
                Breaking,
                &[Writers, Readers],
                message,
                places,
            );
        }
        if !old.is_deprecated && new.is_deprecated {
            let message = format!("version `{name}` is now deprecated; clients receive a warning");
            let path = new.path.child("deprecated");
            self.report(Some(new), Code::CompatVersionDeprecated, Safe, &[], message, (None, &path));
        }
        let subresources = (Some(&old.path.child("subresources")), &new.path.child("subresources"));
        let code = Code::CompatSubresourceChanged;
        match (old.resource.has_status, new.resource.has_status) {
            (true, false) => {
                let message =
                    format!("`{name}` no longer has a status subresource; requests for it return 404");
                self.report(Some(new), code, Breaking, &[Writers], message, subresources);
            }
            (false, true) => {
                let message = format!(
                    "`{name}` now has a status subresource; writes of `status` through the main resource are ignored"
                );
                self.report(Some(new), code, Breaking, &[Writers], message, subresources);
            }
            _ => {}
        }
        match (&old.resource.scale, &new.resource.scale) {
            (Some(_), None) => {
                let message = format!(
                    "`{name}` no longer has a scale subresource; `kubectl scale` and autoscalers fail"
                );
                self.report(Some(new), code, Breaking, &[Writers, Readers], message, subresources);
            }
            (Some(before), Some(now)) if before != now => {
                let message = format!("the paths of the scale subresource of `{name}` changed");
                self.report(Some(new), code, Risky, &[Writers, Readers], message, subresources);
            }
            _ => {}
        }
        for path in old.selectable.iter().filter(|path| !new.selectable.contains(path)) {
            let message = format!(
                "`{path}` is no longer a selectable field of `{name}`; requests that use it are rejected"
            );
            let places = (Some(&old.path.child("selectableFields")), &new.path.child("selectableFields"));
            self.report(Some(new), Code::CompatSelectableFieldRemoved, Breaking, &[Readers], message, places);
        }
    }

    fn storage(&mut self, before: &ComparedDefinition<'_>, now: &ComparedDefinition<'_>) {
        let storage = |side: &ComparedDefinition<'_>| {
            side.versions.iter().find(|version| version.is_storage).map(|v| v.resource.name.clone())
        };
        let (Some(was), Some(is)) = (storage(before), storage(now)) else { return };
        // A removed version is reported separately.
        let (Some(old), Some(new)) = (before.version(&was), now.version(&is)) else { return };
        if was != is && now.version(&was).is_some() {
            let message = format!(
                "objects are now stored as `{is}`; existing ones stay `{was}` until they are rewritten, and `status.storedVersions` keeps `{was}`"
            );
            let places = (Some(&old.path.child("storage")), &new.path.child("storage"));
            self.report(Some(new), Code::CompatStorageMoved, Risky, &[StoredObjects], message, places);
        }
    }

    fn schemas(&mut self, old: &OneVersion<'o>, new: &OneVersion<'n>) {
        let (Some(before), Some(now)) = (&old.schema, &new.schema) else { return };
        let (Some((old_schema, old_base)), Some((new_schema, new_base))) =
            (&old.resource.schema, &new.resource.schema)
        else {
            return;
        };
        let mut walk = SchemaComparison {
            version: &new.resource.name,
            unchanged: self.unchanged,
            changes: &mut self.changes,
            paths: NodePaths::of_root(now.path.clone()),
        };
        let before = SchemaAt { schema: old_schema, base: *old_base, key: before.key, drops_null: false };
        walk.node(before, SchemaAt { schema: new_schema, base: *new_base, key: now.key, drops_null: false });
    }
}

/// The range of `path`, a path from the document's root, in the text of `definition`, or of the nearest node.
fn place(definition: &CustomResourceDefinition<'_, '_>, path: &FieldPath) -> TextRange {
    let within = path.strip_prefix(definition.path()).unwrap_or_default();
    let mut relative = FieldPath::root();
    relative.extend(within);
    locate(definition.value(), &relative, definition.reader()).range
}
