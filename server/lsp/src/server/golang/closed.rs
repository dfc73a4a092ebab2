//! Definitions in files that are not open: what the calls generate that write them.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use go::discover::Call;
use go::version::Version;
use ide::Finding;

use super::analysis;
use super::packages::{CallKey, OpenTexts};
use crate::config::Projects;
use crate::generated::{Around, Generated, Located, Written, add_stale};
use crate::go_package::{GoPackage, calls_for};

/// So many calls are remembered: files come folder by folder, and what one call generates may take 100 MB.
const MOST_CALLS: usize = 2;

/// What calls generate, each once for the files that it writes.
#[derive(Debug)]
pub(in crate::server) struct Calls {
    projects: Projects,
    texts: OpenTexts,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The calls that may write what is in a folder.
    calls: BTreeMap<PathBuf, Arc<[Call]>>,
    /// The last call first; nothing where it generates nothing.
    generated: VecDeque<(CallKey, Option<Generated>)>,
}

impl Calls {
    /// Those of projects with these settings, with open Go files as they are in the editor.
    pub(in crate::server) fn new(projects: Projects, texts: OpenTexts) -> Self {
        Self { projects, texts, known: Mutex::default() }
    }

    /// The findings on the file at `path` with the Go tokens that they come from, and that it is older than its types; none where
    /// no call writes it.
    pub(in crate::server) fn leading(
        &self,
        (path, text): (&Path, &str),
        findings: &[Finding],
        around: &Around<'_>,
    ) -> Option<Vec<Finding>> {
        let calls = self.calls_for(path.parent()?);
        let written = (!calls.is_empty()).then(|| Written::read(text)).flatten()?;
        let Written { product, version } = &written;
        let may_write = calls.iter().filter(|call| written.may_be_of(path, call));
        let generated = may_write
            .filter_map(|call| self.generated(call, *version, around))
            .find(|generated| generated.text_of(product).is_some())?;
        let (open, shown) = (|path: &Path| analysis::open(&self.texts, path), analysis::shown);
        let located = Located::new(&generated, &open, &shown);
        let mut all = generated.leading(product, findings, &located);
        add_stale(&mut all, generated.stale(product, text, &located), &(around.settings)(path).rules);
        Some(all)
    }

    fn calls_for(&self, folder: &Path) -> Arc<[Call]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = known.calls.entry(folder.to_owned());
        Arc::clone(calls.or_insert_with(|| calls_for(folder, &self.projects).into()))
    }

    /// What a call generates. Others wait meanwhile: they mostly ask for the same.
    fn generated(&self, call: &Call, version: Version, around: &Around<'_>) -> Option<Generated> {
        let key = (call.file.clone(), call.place, version);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, generated)) = known.generated.iter().find(|(of, _)| *of == key) {
            return generated.clone();
        }
        known.generated.truncate(MOST_CALLS - 1);
        let outcome = GoPackage::of_call(call.clone(), version).generate(&self.texts, None).ok();
        let generated = outcome.and_then(|outcome| Generated::new(Arc::new(outcome), None, around));
        known.generated.push_front((key, generated.clone()));
        generated
    }
}
