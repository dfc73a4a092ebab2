//! Open definitions that controller-gen wrote: what they are generated of, and where their findings come from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use go::discover::Call;
use go::invocation::Options;
use go::version::Version;
use ide::{File, Finding};
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use super::analysis::{self, line_edits, located};
use super::packages::{OpenTexts, Packages};
use super::unit::BaseRevision;
use crate::generated::{Around, Generated, Located, Written, add_stale, annotation_in, with_header};
use crate::go_package::{GoPackage, Offers, calls_for};

/// What a definition in an open file is generated of.
#[derive(Clone, Debug)]
pub(in crate::server) struct GoSource {
    generated: Arc<Generated>,
    product: String,
    /// A Go file beside the one that declares the kind.
    beside: PathBuf,
    /// The text of the file.
    text: Arc<str>,
    /// The findings on the definition, which lead to Go, and that it is older than its types.
    pub(in crate::server) findings: Vec<Finding>,
    /// That it is older than its types.
    stale: Option<Finding>,
    /// Whether the text was compared with what is generated, and not only the one before the last edits.
    pub(in crate::server) is_compared: bool,
}

/// How a definition is generated.
#[derive(Clone, Debug)]
pub(in crate::server) struct Origin {
    folder: PathBuf,
    options: Options,
    written: Written,
}

/// A definition in an open file.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct OpenDefinition<'a> {
    pub(in crate::server) path: &'a Path,
    pub(in crate::server) text: &'a str,
    pub(in crate::server) findings: &'a [Finding],
    /// While somebody types in it: what was known of the text before. To compare takes longer than an edit may.
    pub(in crate::server) before: Option<&'a GoSource>,
}

impl GoSource {
    /// What a definition is generated of; none where its Go types are gone.
    pub(in crate::server) fn of(
        open: OpenDefinition<'_>,
        origin: &Origin,
        (packages, texts): (&Packages, &OpenTexts),
        revision: &dyn Fn(&Path) -> Option<BaseRevision>,
        around: &Around<'_>,
    ) -> Option<Self> {
        let Written { product, version } = &origin.written;
        let beside = origin.folder.join("types.go");
        let (generated, is_called_so) =
            packages.units_of(&beside, texts).into_iter().find_map(|(group, unit)| {
                let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
                let generated = unit.of(&group, texts, revision(&beside).as_ref(), around)?.generated?;
                generated.text_of(product)?;
                Some((generated, unit.is_called_by(&origin.options, *version)))
            })?;
        let go = packages.texts();
        let (text_of, shown) = (|path: &Path| analysis::open(&go, path), analysis::shown);
        let located = Located::new(&generated, &text_of, &shown);
        let mut findings = generated.leading(product, open.findings, &located);
        let stale = match open.before {
            None => generated.stale(product, open.text, &located),
            Some(before) => before
                .stale
                .clone()
                .and_then(|stale| Some(Finding { range: annotation_in(open.text)?, ..stale })),
        };
        let is_compared = open.before.is_none();
        // With other options or another release it would differ in any case.
        let told = stale.clone().filter(|_| is_called_so);
        add_stale(&mut findings, told, &(around.settings)(open.path).rules);
        let (product, text) = (product.clone(), open.text.into());
        Some(Self { generated, product, beside, text, findings, stale, is_compared })
    }

    /// Where the node at a place of the definition comes from: the name of the file, its text, and the bytes.
    pub(in crate::server) fn origin(
        &self,
        file: &File,
        offset: TextSize,
        packages: &Packages,
    ) -> Option<(Arc<str>, TextBuffer, TextRange)> {
        let place = file.place_at(offset)?;
        let steps: Vec<&str> = place.steps.iter().map(String::as_str).collect();
        let (path, range) = self.generated.origin_of_node(&self.product, &steps)?;
        located(&self.generated, packages, &path, range)
    }

    /// What repairs findings at a place, as edits of Go. None of a file that is not as it is generated.
    pub(in crate::server) fn offers(
        &self,
        asked: TextRange,
        packages: &Packages,
        around: &Around<'_>,
    ) -> Option<Offers> {
        if !self.is_compared || self.stale.is_some() {
            return None;
        }
        let here = self.findings.iter().filter(|finding| finding.range.overlaps(asked));
        let tokens: Vec<(PathBuf, TextRange)> =
            here.filter_map(|finding| self.generated.origin(&self.product, finding)).collect();
        let is_meant =
            |path: &Path, range: TextRange| tokens.iter().any(|(token, at)| token == path && *at == range);
        let texts = packages.texts();
        let mut offers = Offers::default();
        for (_, unit) in packages.units_of(&self.beside, &texts) {
            let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            let found = unit.offered(&texts, around, &is_meant);
            offers.fixes.extend(found.fixes);
            offers.refused.extend(found.refused);
        }
        Some(offers)
    }

    /// The edits of the file that write the definition as it is among others that were generated; none where it is not there.
    pub(in crate::server) fn rewritten(&self, definitions: &[(String, Arc<str>)]) -> Vec<TextEdit> {
        let changed = definitions.iter().find(|(name, _)| *name == self.product);
        changed.map_or_else(Vec::new, |(_, text)| line_edits(&self.text, &with_header(&self.text, text)))
    }

    /// The edits of the file that write what is generated now.
    pub(in crate::server) fn generated_again(&self) -> Vec<TextEdit> {
        let text = self.generated.text_of(&self.product).unwrap_or_default();
        line_edits(&self.text, &with_header(&self.text, text))
    }

    /// Whether a Go file is one of those that it is generated of.
    pub(in crate::server) fn reads(&self, path: &Path) -> bool {
        self.generated.reads(path)
    }

    /// The text of a Go file that it is generated of.
    pub(in crate::server) fn source(&self, path: &Path) -> Option<&str> {
        self.generated.outcome.source_at(path).map(|source| &*source.text)
    }
}

impl Packages {
    /// How the definition in the file at `path` is generated; none where controller-gen did not write it, or where its Go types
    /// are not there.
    pub(in crate::server) fn origin_of(
        &self,
        path: &Path,
        buffer: &TextBuffer,
        texts: &OpenTexts,
    ) -> Option<Origin> {
        let folder = path.parent()?;
        let calls = calls_for(folder, &self.projects());
        // Most projects call nothing, and a text may be large.
        let written = (!calls.is_empty()).then(|| Written::read(&buffer.to_string())).flatten()?;
        calls.into_iter().filter(|call| written.may_be_of(path, call)).find_map(|call| {
            let options = call.invocation.options.clone();
            let folder = self.folder_of(call, &written, texts)?;
            Some(Origin { folder, options, written: written.clone() })
        })
    }

    /// The folder of the package that declares the kind of a definition, if a call generates it.
    fn folder_of(&self, call: Call, written: &Written, texts: &OpenTexts) -> Option<PathBuf> {
        let key = (call.file.clone(), call.place, written.version);
        let known = self.with_folders(|folders| folders.get(&key).cloned());
        let folders = known.unwrap_or_else(|| {
            let found = Arc::new(folders_of(call, written.version, texts));
            self.with_folders(|folders| folders.insert(key, Arc::clone(&found)));
            found
        });
        folders.get(&written.product).cloned()
    }
}

/// The folders of the kinds that a call generates, by the names of their definitions.
fn folders_of(call: Call, version: Version, texts: &OpenTexts) -> super::packages::Folders {
    let Ok(outcome) = GoPackage::of_call(call, version).generate(texts, None) else {
        return Default::default();
    };
    let files = outcome.files.iter().filter_map(|file| {
        let place = file.definition.places.first()?;
        Some((file.name.clone(), outcome.source(place.file)?.path.parent()?.to_owned()))
    });
    files.collect()
}
