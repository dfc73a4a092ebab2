//! Steps after controller-gen that complete its output, such as kustomize, yq or sed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use go::discover::{definitions, files_in};
use go::generate::ANNOTATION;
use go::load::Disk;

use crate::generated_definitions::{AnalysisInputs, LaterDefinition, Provenance, documents};
use crate::golang::top_of;

/// The definitions that such steps made, each searched for once.
#[derive(Debug, Default)]
pub(super) struct LaterSteps {
    folder: PathBuf,
    /// The directory to which controller-gen writes, according to a call.
    target: Option<PathBuf>,
    definitions: Mutex<BTreeMap<String, Option<Arc<LaterDefinition>>>>,
    /// The folders for which `schemapatch` is called.
    manifests: Vec<PathBuf>,
    /// The names of the definitions there and beside the package of which only the schemas come from Go.
    patched: OnceLock<BTreeSet<String>>,
}

impl LaterSteps {
    pub(super) fn of(folder: &Path, target: Option<PathBuf>, manifests: Vec<PathBuf>) -> Self {
        Self { folder: folder.to_owned(), target, manifests, ..Self::default() }
    }

    /// The definition that the project keeps beside the output of controller-gen, or instead of it: without the annotation,
    /// in a file of the same name in another folder, or with the annotation and the same names in another file.
    pub(super) fn definition(
        &self,
        product: &str,
        disk: &dyn Disk,
        around: &AnalysisInputs<'_>,
    ) -> Option<Arc<LaterDefinition>> {
        let mut known = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(product) {
            return known.clone();
        }
        let found = self.find(product, disk, around).map(Arc::new);
        if !around.stop.is_due() {
            known.insert(product.to_owned(), found.clone());
        }
        found
    }

    /// Whether no call writes a product, and the project keeps its definition without the annotation beside the package or in
    /// a folder for which `schemapatch` is called. Then only its schemas come from Go, and people write the rest.
    pub(super) fn is_patched(&self, product: &str, disk: &dyn Disk) -> bool {
        let name = product.strip_suffix(".yaml").and_then(|name| name.split_once('_'));
        let Some((group, plural)) = name.filter(|_| self.target.is_none()) else { return false };
        let patched = self.patched.get_or_init(|| patched_in(&self.folder, &self.manifests, disk));
        patched.contains(&format!("{plural}.{group}"))
    }

    fn find(&self, product: &str, disk: &dyn Disk, around: &AnalysisInputs<'_>) -> Option<LaterDefinition> {
        let target = self.target.as_ref()?;
        let analysed =
            |file: &Path, text: &str| LaterDefinition::new(file, text, &(around.settings)(file), around.stop);
        let own = target.join(product);
        let written = disk.read(&own);
        // controller-gen always writes its annotation, so a step changed this file in place.
        if let Some(text) = written.as_ref().filter(|text| !has_annotation(text)) {
            return analysed(&own, text);
        }
        let before = written.and_then(|text| analysed(&own, &text));
        // Charts may have older copies of the output of controller-gen.
        let is_wanted = |file: &Path| before.is_none() || !is_of_chart(file);
        let (file, text) = definition_beside(product, (&self.folder, target), disk, &is_wanted)?;
        Some(analysed(&file, &text)?.made_of(before))
    }
}

/// The definition `product` of a package in `folder` that the project keeps in another file than the one in `target`: the
/// file, and the text of the definition. Only files that `is_wanted` admits count.
pub(crate) fn definition_beside(
    product: &str,
    (folder, target): (&Path, &Path),
    disk: &dyn Disk,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Option<(PathBuf, String)> {
    let (own, top) = (target.join(product), top_of(folder));
    // A step may move the file to a directory beside the one of the call.
    let is_moved = !files_in(disk, target).any(|file| file == own);
    let beside = target.parent().filter(|_| is_moved).map(|above| folders_in(disk, above));
    let beside = beside.into_iter().flatten().flat_map(|folder| files_in(disk, &folder).collect::<Vec<_>>());
    let files = files_in(disk, target).chain(definitions(disk, folder, &top)).chain(beside);
    let mut files = files.filter(|file| *file != own && is_wanted(file));
    files.find_map(|file| {
        let is_named = file.file_name().is_some_and(|name| name.to_str() == Some(product));
        let text = disk.read(&file).filter(|text| is_named || has_annotation(text))?;
        let written = Provenance::all(&text).into_iter().find(|written| written.product == product);
        let document = match written {
            Some(written) => documents(&text).get(written.document).cloned()?,
            // The step may remove the annotation.
            None if is_named => 0..text.len(),
            None => return None,
        };
        Some((file, text.get(document)?.to_owned()))
    })
}

/// The directories in a directory.
fn folders_in(disk: &dyn Disk, above: &Path) -> Vec<PathBuf> {
    let entries = disk.list(above).into_iter().filter(|entry| entry.is_directory);
    entries.map(|entry| above.join(entry.name)).collect()
}

/// The names of the definitions without the annotation of controller-gen in a folder, in folders of definitions directly below
/// it, and in `others`.
fn patched_in(folder: &Path, others: &[PathBuf], disk: &dyn Disk) -> BTreeSet<String> {
    let entries = disk.list(folder).into_iter();
    let below = entries.filter(|entry| entry.is_directory && entry.name.contains("crd"));
    let below: Vec<PathBuf> = below.map(|entry| folder.join(entry.name)).collect();
    let folders = std::iter::once(folder).chain(below.iter().chain(others).map(PathBuf::as_path));
    let texts = folders.flat_map(|folder| files_in(disk, folder)).filter_map(|file| disk.read(&file));
    let definitions = texts.filter(|text| {
        text.lines().any(|line| line == "kind: CustomResourceDefinition") && !has_annotation(text)
    });
    let names = definitions.filter_map(|text| {
        text.lines().find_map(|line| Some(line.strip_prefix("  name: ")?.trim().to_owned()))
    });
    names.collect()
}

/// Whether a definition has the annotation of controller-gen, which a step may leave as a comment.
fn has_annotation(text: &str) -> bool {
    text.contains(ANNOTATION) && text.lines().any(|line| line.trim_start().starts_with(ANNOTATION))
}

/// Whether a file belongs to a chart.
fn is_of_chart(file: &Path) -> bool {
    file.ancestors().any(|folder| folder.ends_with("charts") || folder.join("Chart.yaml").is_file())
}
