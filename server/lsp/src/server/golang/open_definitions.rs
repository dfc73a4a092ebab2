//! Open definitions that controller-gen wrote: their Go sources, and the Go tokens of their findings.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use go::discover::Call;
use go::invocation::Options;
use ide::{File, Finding, SourcePlace};
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use super::analysis::{self, line_edits, located};
use super::packages::{OpenTexts, Packages, key_of};
use super::unit::BaseRevision;
use crate::generated_definitions::{
    AnalysisInputs, FindingOrigins, GeneratedDefinitions, GoLocator, Provenance, add_stale, annotation_in,
    document_at, documents, with_surroundings,
};
use crate::go_package::{GoPackage, Offers, calls_for};

/// The Go source of the definitions in an open file.
#[derive(Clone, Debug)]
pub(in crate::server) struct GoSource {
    definitions: Vec<Definition>,
    /// The text of the file, and the byte ranges of its documents.
    text: Arc<str>,
    documents: Vec<Range<usize>>,
    /// The findings on the file, which point to Go, and the finding that it is older than its types.
    pub(in crate::server) findings: Vec<Finding>,
    /// The finding that it is older than its types.
    stale: Option<Finding>,
    /// Whether the current text was compared with the generated definitions, and not only the text before the last edits.
    pub(in crate::server) is_compared: bool,
}

/// A definition in an open file, and its Go source.
#[derive(Clone, Debug)]
struct Definition {
    generated: Arc<GeneratedDefinitions>,
    product: String,
    /// A Go file beside the one that declares the kind.
    go_file: PathBuf,
    /// The index of its document in the file.
    document: usize,
    /// Whether the file is a copy of what controller-gen writes.
    is_copy: bool,
    /// Whether the project calls controller-gen in the same way as the call that wrote the definition.
    is_called_so: bool,
}

/// The package and the call that generate a definition.
#[derive(Clone, Debug)]
pub(in crate::server) struct DefinitionOrigin {
    folder: PathBuf,
    options: Options,
    provenance: Provenance,
    is_copy: bool,
}

impl DefinitionOrigin {
    /// The definition in a file with this number of documents; `None` if its Go types no longer exist, or if the number has
    /// changed.
    fn definition(
        &self,
        documents: usize,
        (packages, texts): (&Packages, &OpenTexts),
        revision: &dyn Fn(&Path) -> Option<BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Option<Definition> {
        let Provenance { product, version, document, .. } = &self.provenance;
        let go_file = self.folder.join("types.go");
        let units = packages.units_of(&go_file, texts).into_iter();
        let (generated, is_called_so) =
            units.filter(|_| documents == self.provenance.documents).find_map(|(group, unit)| {
                let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
                let generated = unit.update(&group, texts, revision(&go_file).as_ref(), around)?.generated?;
                generated.text_of(product)?;
                Some((generated, unit.is_called_by(&self.options, *version)))
            })?;
        let (product, document, is_copy) = (product.clone(), *document, self.is_copy);
        Some(Definition { generated, product, go_file, document, is_copy, is_called_so })
    }
}

/// An open file with definitions that controller-gen wrote.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct OpenDefinitions<'a> {
    pub(in crate::server) path: &'a Path,
    pub(in crate::server) text: &'a str,
    pub(in crate::server) findings: &'a [Finding],
    /// The source of the text before the edits, while the user types: comparing takes too long for each key stroke.
    pub(in crate::server) source_before: Option<&'a GoSource>,
}

impl GoSource {
    /// The Go source of the definitions in a file; `None` if their Go types no longer exist.
    pub(in crate::server) fn of(
        open: OpenDefinitions<'_>,
        origins: &[DefinitionOrigin],
        known: (&Packages, &OpenTexts),
        revision: &dyn Fn(&Path) -> Option<BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Option<Self> {
        let documents = documents(open.text);
        let definition =
            |origin: &DefinitionOrigin| origin.definition(documents.len(), known, revision, around);
        let definitions: Vec<Definition> = origins.iter().filter_map(definition).collect();
        if definitions.is_empty() {
            return None;
        }
        let go = known.0.texts();
        let (text_of, shown) = (|path: &Path| analysis::open_text(&go, path), analysis::display_name);
        let (mut findings, mut stale) = (open.findings.to_vec(), None);
        for definition in &definitions {
            let Definition { generated, product, is_copy, .. } = definition;
            let located = GoLocator::new(generated, &text_of, &shown);
            let is_on_it =
                |finding: &Finding| document_at(&documents, finding.range.start) == definition.document;
            // In an open file, all findings are reported, even those that Go reports as well.
            let fallback =
                |finding: &Finding| if *is_copy { None } else { generated.origin(product, finding) };
            FindingOrigins::of(generated, product).add_origins(
                &mut findings,
                &is_on_it,
                &|_| false,
                &located,
                &fallback,
            );
            if *is_copy {
                continue;
            }
            stale = match open.source_before {
                None => generated.stale(product, open.text, &located),
                Some(before) => before
                    .stale
                    .clone()
                    .and_then(|stale| Some(Finding { range: annotation_in(open.text)?, ..stale })),
            };
            // With other options or another release, the definition would differ in any case.
            let reported_stale = stale.clone().filter(|_| definition.is_called_so);
            add_stale(&mut findings, reported_stale, &(around.settings)(open.path).rules);
        }
        let (text, is_compared) = (open.text.into(), open.source_before.is_none());
        Some(Self { definitions, text, documents, findings, stale, is_compared })
    }

    /// The definitions at a range of the file.
    fn definitions_at(&self, range: TextRange) -> impl Iterator<Item = &Definition> {
        let first = document_at(&self.documents, range.start);
        let last = document_at(&self.documents, range.end);
        self.definitions.iter().filter(move |one| (first..=last).contains(&one.document))
    }

    /// Whether a definition is at a range of the file.
    pub(in crate::server) fn is_at(&self, range: TextRange) -> bool {
        self.definitions_at(range).next().is_some()
    }

    /// The place in Go from which the node at a place of the definition is generated.
    pub(in crate::server) fn origin(
        &self,
        file: &File,
        offset: TextSize,
        packages: &Packages,
    ) -> Option<SourcePlace> {
        let place = file.place_at(offset)?;
        let steps: Vec<&str> = place.steps.iter().map(String::as_str).collect();
        let Definition { generated, product, .. } = self.definitions_at(TextRange::empty(offset)).next()?;
        let (path, range) = generated.origin_of_node(product, &steps)?;
        located(generated, packages, &path, range)
    }

    /// The fixes of findings at a place, as edits of Go. `None` if the file differs from the generated definitions.
    pub(in crate::server) fn offers(
        &self,
        requested: TextRange,
        packages: &Packages,
        around: &AnalysisInputs<'_>,
    ) -> Option<Offers> {
        if !self.is_compared || self.stale.is_some() {
            return None;
        }
        let texts = packages.texts();
        let mut offers = Offers::default();
        for Definition { generated, product, go_file, document, is_copy, .. } in
            self.definitions_at(requested)
        {
            let finding_origins = FindingOrigins::of(generated, product);
            let fallback =
                |finding: &Finding| if *is_copy { None } else { generated.origin(product, finding) };
            let is_here = |finding: &&Finding| {
                finding.range.overlaps(requested)
                    && document_at(&self.documents, finding.range.start) == *document
            };
            let here = self.findings.iter().filter(is_here);
            let tokens: Vec<(PathBuf, TextRange)> =
                here.filter_map(|finding| finding_origins.origin(finding, &fallback)).collect();
            let is_selected = |path: &Path, range: TextRange| {
                tokens.iter().any(|(token, at)| token == path && *at == range)
            };
            for (_, unit) in packages.units_of(go_file, &texts) {
                let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
                let found = unit.offered(&texts, around, &is_selected);
                offers.fixes.extend(found.fixes);
                offers.refused.extend(found.refused);
            }
        }
        Some(offers)
    }

    /// The definition that controller-gen writes to the file, if the file is not a copy.
    fn written_definition(&self) -> Option<&Definition> {
        self.definitions.iter().find(|definition| !definition.is_copy)
    }

    /// The edits of the file that replace its definition by the one among `definitions`; empty if there is none.
    pub(in crate::server) fn rewritten(&self, definitions: &[(String, Arc<str>)]) -> Vec<TextEdit> {
        let of = self.written_definition().map(|definition| &definition.product);
        let changed = definitions.iter().find(|(name, _)| Some(name) == of);
        changed
            .map_or_else(Vec::new, |(_, text)| line_edits(&self.text, &with_surroundings(&self.text, text)))
    }

    /// The edits of the file that write the currently generated definition.
    pub(in crate::server) fn generated_again(&self) -> Vec<TextEdit> {
        let text = self
            .written_definition()
            .and_then(|definition| definition.generated.text_of(&definition.product));
        line_edits(&self.text, &with_surroundings(&self.text, text.unwrap_or_default()))
    }

    /// Whether it is generated from a Go file.
    pub(in crate::server) fn reads(&self, path: &Path) -> bool {
        self.definitions.iter().any(|definition| definition.generated.reads(path))
    }

    /// The text of a Go file from which the definition is generated.
    pub(in crate::server) fn source(&self, path: &Path) -> Option<&str> {
        let sources = self.definitions.iter().filter_map(|one| one.generated.outcome.source_at(path));
        sources.map(|source| &*source.text).next()
    }
}

impl Packages {
    /// The origins of the definitions in the file at `path` that controller-gen wrote and whose Go types exist.
    pub(in crate::server) fn origins_of(
        &self,
        path: &Path,
        buffer: &TextBuffer,
        texts: &OpenTexts,
    ) -> Vec<DefinitionOrigin> {
        let Some(folder) = path.parent() else { return Vec::new() };
        let (projects, declared) = (self.projects(), self.declared());
        let calls = calls_for(folder, &projects);
        // Most projects have no calls, and reading a large text would take time.
        if calls.is_empty() && !declared.has_any(folder) {
            return Vec::new();
        }
        let origin = |written: Provenance| {
            let declared = || declared.calls(folder, &written.group, &projects);
            let makes = |call: &Call| {
                let options = call.invocation.options.clone();
                Some((self.folder_of(call.clone(), &written, texts)?, options))
            };
            let ((folder, options), is_copy) = written.regenerate(path, &calls, declared, makes)?;
            Some(DefinitionOrigin { folder, options, provenance: written, is_copy })
        };
        Provenance::all(&buffer.to_string()).into_iter().filter_map(origin).collect()
    }

    /// The folder of the package that declares the kind of a definition, if a call generates it.
    fn folder_of(&self, call: Call, written: &Provenance, texts: &OpenTexts) -> Option<PathBuf> {
        let key = key_of(&call, written.version);
        let known = self.with_folders(|folders| folders.get(&key).cloned());
        let folders = known.unwrap_or_else(|| {
            let package = GoPackage::of_call(call, written.version, &self.projects());
            let found = Arc::new(folders_of(&package, texts));
            self.with_folders(|folders| folders.insert(key, Arc::clone(&found)));
            found
        });
        folders.get(&written.product).cloned()
    }
}

/// The folders of the kinds in packages, by the names of their definitions.
fn folders_of(package: &GoPackage, texts: &OpenTexts) -> super::packages::Folders {
    let Ok(outcome) = package.generate(texts, None) else { return Default::default() };
    let files = outcome.files.iter().filter_map(|file| {
        let place = file.definition.places.first()?;
        Some((file.name.clone(), outcome.source(place.file)?.path.parent()?.to_owned()))
    });
    files.collect()
}
