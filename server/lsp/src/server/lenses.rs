//! What is shown above definitions and rules: how many resources there are, and that a rule can be evaluated.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use answers::lsp::convert::{Converter, source_of};
use answers::lsp::profile::SHOW_REFERENCES;
use dashmap::DashMap;
use ide::{Catalog, File, Settings, Surroundings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::{TextBuffer, TextRange};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command, Location, Range, Uri};

use super::requests::{Context, read};
use super::suites;
use super::texts::{MOST_FILES, closed_files_with, go_on, text_with};
use crate::definitions::source_name;

/// A command of clients that know what to do with our arguments.
const SHOW_EVALUATION: &str = "crd-ls.showEvaluation";

/// More places than a person looks through; all are counted.
const MOST_PLACES: usize = 2_000;

/// Of which definition a lens tells.
#[derive(Debug, Deserialize, Serialize)]
struct Of {
    /// The document that it stands in.
    uri: Uri,
    group: String,
    kind: String,
}

pub(super) fn lenses(context: &Context, _: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    let Some(file) = context.analysis.file() else { return Ok(None) };
    let converter = context.converter();
    let uri = &context.view.uri;
    let at = |range: TextRange| converter.range(TextRange::empty(range.start));
    let mut lenses = Vec::new();
    if file.settings().resource_lenses {
        lenses.extend(file.defined_kinds().into_iter().map(|defined| {
            let of = Of { uri: uri.clone(), group: defined.group, kind: defined.kind };
            CodeLens { range: at(defined.range), command: None, data: serde_json::to_value(of).ok() }
        }));
    }
    if file.settings().evaluation_lenses && context.profile.has_commands {
        // One for all rules of a definition; beside it only for those that cost much.
        let rules = file.rules(TextRange::new(0, u32::MAX));
        let kinds = file.defined_kinds();
        let behind = |start: u32| kinds.iter().map(|kind| kind.range.start).find(|next| *next > start);
        let has_rules = |start: u32| {
            let end = behind(start).unwrap_or(u32::MAX);
            rules.iter().any(|rule| (start..end).contains(&rule.range.start))
        };
        lenses.extend(kinds.iter().filter(|kind| has_rules(kind.range.start)).map(|kind| {
            let command = Command {
                title: "evaluate rules".to_owned(),
                command: SHOW_EVALUATION.to_owned(),
                arguments: Some(vec![json!(uri)]),
            };
            CodeLens { range: at(kind.range), command: Some(command), data: None }
        }));
        lenses.extend(rules.iter().filter(|rule| rule.is_costly).map(|rule| {
            let range = at(rule.range);
            let command = Command {
                title: "evaluate".to_owned(),
                command: SHOW_EVALUATION.to_owned(),
                arguments: Some(vec![json!(uri), json!(range.start)]),
            };
            CodeLens { range, command: Some(command), data: None }
        }));
    }
    lenses.extend(suites::lenses(context, &converter));
    Ok(Some(lenses))
}

/// Counts the resources.
pub(super) fn resolve(context: &Context, mut lens: CodeLens) -> Result<CodeLens> {
    let of: Of = read(lens.data.clone().unwrap_or(Value::Null))?;
    // The client will ask again once they are known.
    let is_known = context.snapshot.resources.is_complete || !context.profile.refreshes_lenses;
    let Some((places, bad)) = is_known.then(|| resources(context, &of)).transpose()?.flatten() else {
        let title = "counting resources".to_owned();
        lens.command = Some(Command { title, command: String::new(), arguments: None });
        return Ok(lens);
    };
    let resources = match places.len() {
        0 => "no resources".to_owned(),
        1 => "1 resource".to_owned(),
        count => format!("{count} resources"),
    };
    let title = if bad == 0 { resources } else { format!("{resources}, {bad} with findings") };
    // Without a command a client shows nothing; an empty one does nothing.
    let is_link = context.profile.has_commands && !places.is_empty();
    let (command, arguments) = if is_link {
        let shown: Vec<&Location> = places.iter().take(MOST_PLACES).collect();
        (SHOW_REFERENCES.to_owned(), Some(vec![json!(of.uri), json!(lens.range.start), json!(shown)]))
    } else {
        (String::new(), None)
    };
    lens.command = Some(Command { title, command, arguments });
    Ok(lens)
}

/// What is known of definitions, with this document as it is now: the catalog learns of it a little later, and not every
/// client asks again then.
fn catalog(context: &Context, of: &Of) -> Catalog {
    let known = &context.snapshot.catalog;
    let Some(file) = context.analysis.file() else { return known.clone() };
    let source = source_of(&context.view.uri);
    let own = file.definitions(&source, &context.analysis.buffer);
    let all = known.with([(source.into(), own)]);
    // It is another one each time.
    if all.state(&of.group, &of.kind) == known.state(&of.group, &of.kind) { known.clone() } else { all }
}

/// The resources of a kind, and how many of them have findings; none where there are too many files to look for them before
/// the index knows where they are.
fn resources(context: &Context, of: &Of) -> Result<Option<(Vec<Location>, usize)>> {
    let files = closed_files_with(context, &of.kind);
    if files.len() > MOST_FILES {
        return Ok(None);
    }
    let catalog = catalog(context, of);
    let (mut places, mut bad) = (Vec::new(), 0);
    let mut add = |uri: &Uri, found: &[(Range, bool)]| {
        places.extend(found.iter().map(|(range, _)| Location { uri: uri.clone(), range: *range }));
        bad += found.iter().filter(|(_, has_findings)| *has_findings).count();
    };
    for view in context.snapshot.documents.values() {
        let analysis = view.analysis.borrow().clone();
        let Some((analysis, file)) = analysis.as_ref().and_then(|one| Some((one, one.file()?))) else {
            continue;
        };
        let converter = Converter::new(&analysis.buffer, &view.uri, &context.profile);
        let surroundings = Surroundings { catalog: catalog.clone(), ..file.surroundings().clone() };
        let moved = file.is_touched_by(&surroundings).then(|| file.moved(surroundings));
        add(&view.uri, &in_file(moved.as_ref().unwrap_or(file), of, &converter));
    }
    for path in files {
        go_on(context)?;
        let found = context.snapshot.counts.of(&path, of, (context, &catalog));
        if let Some(uri) = Uri::from_file_path(&path).filter(|_| !found.is_empty()) {
            add(&uri, &found);
        }
    }
    Ok(Some((places, bad)))
}

fn in_file(file: &File, of: &Of, converter: &Converter<'_>) -> Vec<(Range, bool)> {
    let all = file.resources().into_iter().filter(|one| (&one.group, &one.kind) == (&of.group, &of.kind));
    all.map(|one| (converter.range(one.range), one.has_findings)).collect()
}

/// The resources in files, as long as neither these nor the definition changes: the question is asked at each key stroke.
#[derive(Debug, Default)]
pub(super) struct Counts {
    known: DashMap<PathBuf, CountedFile>,
}

#[derive(Debug)]
struct CountedFile {
    stamp: (SystemTime, u64),
    kinds: Kinds,
    /// Whether `kinds` are all that there are.
    is_whole: bool,
}

/// By group and kind.
type Kinds = HashMap<(String, String), CountedKind>;

#[derive(Clone, Debug, Default)]
struct CountedKind {
    /// Of the definitions.
    state: u64,
    resources: Vec<(Range, bool)>,
}

impl Counts {
    fn of(&self, path: &Path, of: &Of, within: (&Context, &Catalog)) -> Vec<(Range, bool)> {
        let Ok(metadata) = fs::metadata(path) else { return Vec::new() };
        let stamp = (metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len());
        let key = (of.group.clone(), of.kind.clone());
        let state = within.1.state(&of.group, &of.kind);
        if let Some(known) = self.known.get(path).filter(|known| known.stamp == stamp) {
            match known.kinds.get(&key) {
                None if known.is_whole => return Vec::new(),
                // What has no resources of a kind has none whatever the definition says.
                Some(found) if found.state == state || found.resources.is_empty() => {
                    return found.resources.clone();
                }
                _ => {}
            }
        }
        let counted = count(path, of, within);
        let mut known = self.known.entry(path.to_owned()).or_insert_with(|| CountedFile::new(stamp));
        if known.stamp != stamp {
            *known = CountedFile::new(stamp);
        }
        match counted {
            Some(kinds) => *known = CountedFile { stamp, kinds, is_whole: true },
            None => drop(known.kinds.insert(key.clone(), CountedKind::default())),
        }
        known.kinds.get(&key).map(|found| found.resources.clone()).unwrap_or_default()
    }
}

impl CountedFile {
    fn new(stamp: (SystemTime, u64)) -> Self {
        Self { stamp, kinds: Kinds::new(), is_whole: false }
    }
}

/// All resources in the file; none where it has not the words of such ones.
fn count(path: &Path, of: &Of, (context, catalog): (&Context, &Catalog)) -> Option<Kinds> {
    let mut kinds = Kinds::new();
    let (uri, text) = text_with(path, &[&of.kind, &of.group])?;
    let file = closed_file(path, &text, catalog.clone(), &context.snapshot.settings_of(path));
    let buffer = TextBuffer::new(&text);
    let converter = Converter::new(&buffer, &uri, &context.profile);
    for one in file.resources() {
        let state = catalog.state(&one.group, &one.kind);
        let found = kinds.entry((one.group, one.kind)).or_default();
        found.state = state;
        found.resources.push((converter.range(one.range), one.has_findings));
    }
    Some(kinds)
}

fn closed_file(path: &Path, text: &str, catalog: Catalog, settings: &Settings) -> File {
    let surroundings = Surroundings { catalog, source: source_name(path).into(), stored: None, base: None };
    File::within(text, settings, surroundings)
}
