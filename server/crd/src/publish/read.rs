//! Reads published documents: the kinds in a document of `/openapi/v3/apis/<group>/<version>`.

use std::collections::BTreeMap;

use text::TextRange;
use yaml::{Document, Mapping, Reader, Value};

use super::meta::model;
use crate::cache::Cache;
use crate::customresource::ResourceVersion;
use crate::schema::structural::published_structural;

/// The prefix of references, and the only type of the API that published kinds of definitions refer to.
const SCHEMAS: &str = "#/components/schemas/";
const OBJECT_META: &str = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const IDENTITY: &str = "x-kubernetes-group-version-kind";

/// A kind that a published document describes.
#[derive(Clone, Debug)]
pub struct DescribedKind<'t> {
    /// The group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The range of the kind's name, in bytes.
    pub kind_range: TextRange,
    schema: Value<'t>,
    requests: Requests,
}

/// The properties of a kind that the paths of a document show.
#[derive(Clone, Copy, Debug, Default)]
struct Requests {
    is_cluster_wide: bool,
    has_status: bool,
}

/// The kinds in `document` that were published from definitions. Excluded are lists, and the kinds of
/// Kubernetes itself and of other servers, whose schemas refer to named types.
#[must_use]
pub fn described_kinds<'t>(document: Document<'t>, reader: &Reader<'t>) -> Vec<DescribedKind<'t>> {
    let view = View { reader };
    let schemas = || {
        let root = document.root()?.as_mapping()?;
        view.text(root, "openapi").filter(|version| version.starts_with("3."))?;
        Some((root, view.map(view.map(root, "components")?, "schemas")?))
    };
    let Some((root, schemas)) = schemas() else { return Vec::new() };
    let kinds = schemas.entries().filter_map(|entry| {
        let schema = reader.follow(entry.value())?;
        let [group, version, kind] = view.identity(schema.as_mapping()?)?;
        let kind_range = kind.range();
        let [group, version, kind] = [group, version, kind].map(|value| value.as_scalar()?.as_str());
        let (group, version, kind) = (group?.into_owned(), version?.into_owned(), kind?.into_owned());
        let is_ours = entry.key_text()? == model(&group, &version, &kind) && !view.refers(schema);
        let requests = Requests::default();
        is_ours.then_some(DescribedKind { group, version, kind, kind_range, schema, requests })
    });
    let mut kinds: Vec<DescribedKind<'t>> = kinds.collect();
    if !kinds.is_empty() {
        let requests = view.requests(root);
        for kind in &mut kinds {
            kind.requests = requests.get(&kind.kind).copied().unwrap_or_default();
        }
    }
    kinds
}

impl<'t> DescribedKind<'t> {
    /// The version as far as the document describes it. The document does not contain the paths of the scale
    /// endpoint, whether a version is deprecated, which version is stored, and how objects are converted.
    #[must_use]
    pub fn resource_version(&self, reader: &Reader<'t>, cache: &mut Cache) -> ResourceVersion {
        // If the server does not publish a definition's schema, the definition may allow any fields.
        let is_complete =
            self.schema.as_mapping().is_some_and(|own| reader.entry(own, "properties").is_some());
        ResourceVersion {
            group: self.group.clone(),
            name: self.version.clone(),
            kind: self.kind.clone(),
            namespaced: !self.requests.is_cluster_wide,
            served: true,
            // The document contains neither.
            storage: false,
            has_webhook: false,
            prunes: is_complete,
            schema: published_structural(self.schema, reader, cache),
            has_status: self.requests.has_status,
            scale: None,
            warning: None,
            gated: Vec::new(),
        }
    }
}

struct View<'r, 't> {
    reader: &'r Reader<'t>,
}

impl<'t> View<'_, 't> {
    fn value(&self, holder: Mapping<'t>, name: &str) -> Option<Value<'t>> {
        self.reader.follow(self.reader.entry(holder, name)?.value())
    }

    fn map(&self, holder: Mapping<'t>, name: &str) -> Option<Mapping<'t>> {
        self.value(holder, name)?.as_mapping()
    }

    fn text(&self, holder: Mapping<'t>, name: &str) -> Option<String> {
        Some(self.value(holder, name)?.as_scalar()?.as_str()?.into_owned())
    }

    /// The group, version and kind of a schema of exactly one kind: operations have an object, schemas a list
    /// with one item.
    fn identity(&self, holder: Mapping<'t>) -> Option<[Value<'t>; 3]> {
        let value = self.value(holder, IDENTITY)?;
        let identity = match value.as_sequence() {
            Some(all) => {
                let mut all = all.items();
                all.next().filter(|_| all.next().is_none())?.value().as_mapping()?
            }
            None => value.as_mapping()?,
        };
        let [group, version, kind] = ["group", "version", "kind"].map(|name| self.value(identity, name));
        Some([group?, version?, kind?])
    }

    /// Whether the schema refers to other schemas, apart from the metadata of objects.
    fn refers(&self, schema: Value<'t>) -> bool {
        let mut pending = vec![schema];
        while let Some(value) = pending.pop() {
            if let Some(items) = value.as_sequence() {
                pending.extend(items.items().map(|item| item.value()));
            }
            for entry in value.as_mapping().into_iter().flat_map(Mapping::entries) {
                let text = || entry.value().as_scalar()?.as_str();
                if entry.key_text().is_some_and(|key| key == "$ref")
                    && text().is_some_and(|text| text.starts_with(SCHEMAS) && text != OBJECT_META)
                {
                    return true;
                }
                pending.push(entry.value());
            }
        }
        false
    }

    /// The properties that the paths show, by kind.
    fn requests(&self, root: Mapping<'t>) -> BTreeMap<String, Requests> {
        let mut all: BTreeMap<String, Requests> = BTreeMap::new();
        let paths = self.map(root, "paths");
        for entry in paths.into_iter().flat_map(Mapping::entries) {
            let (Some(path), Some(methods)) = (entry.key_text(), entry.value().as_mapping()) else {
                continue;
            };
            let kind = self.map(methods, "get").and_then(|operation| self.identity(operation));
            let kind = kind.and_then(|[.., kind]| Some(kind.as_scalar()?.as_str()?.into_owned()));
            let (Some(kind), Some((_, rest))) = (kind, path.split_once("/{name}")) else { continue };
            let requests = all.entry(kind).or_default();
            requests.is_cluster_wide |= !path.contains("/namespaces/{namespace}/");
            requests.has_status |= rest == "/status";
        }
        all
    }
}
