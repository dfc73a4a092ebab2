//! Definitions that controller-gen wrote, of Go packages that are there: their findings lead to Go, their fixes change Go, and
//! one that is older than its types is one finding.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crd::OtherText;
use go::discover::Call;
use go::edits::changes;
use go::generate::Status;
use go::json::Json;
use go::version::Version;
use ide::{Code, Elsewhere, FieldPath, Finding, Message, Related};
use text::{TextBuffer, TextRange, TextSize};

use super::check_go::{self, Checked};
use super::walk::Source;
use crate::args::CheckArgs;
use crate::config::Projects;
use crate::generated::{Generated, is_of_later_step, json_of};
use crate::go_package::{GoPackage, calls_for};
use crate::guarded;
use crate::limits::MAX_BYTES;
use crate::paths::absolute;
use crate::replace::replace;
use crate::report::Report;

/// What controller-gen writes into each definition.
const ANNOTATION: &str = "controller-gen.kubebuilder.io/version";

/// The annotation is among so many bytes at the beginning, behind a header.
const HEAD_BYTES: usize = 4096;

/// The files that are generated, and of what.
#[derive(Debug, Default)]
pub(super) struct Origins {
    packages: Vec<(GoPackage, Generated)>,
    /// For each file its package and the name of the definition.
    files: BTreeMap<PathBuf, (usize, String)>,
}

impl Origins {
    /// Looks for the Go packages of the sources that controller-gen wrote.
    pub(super) fn find(sources: &[Source], args: &CheckArgs, projects: &Projects) -> Self {
        let mut origins = Self::default();
        let mut calls: BTreeMap<PathBuf, Vec<Call>> = BTreeMap::new();
        let mut known: BTreeMap<(PathBuf, Option<usize>, String), Option<usize>> = BTreeMap::new();
        for source in sources.iter().filter(|source| !source.is_stdin() && is_written(&source.path)) {
            let text = text_of(&source.path).filter(|text| text.matches("\n---").count() <= 1);
            let Some(definition) = text.as_deref().and_then(json_of) else { continue };
            let (Some(product), Some(version)) = (product_of(&definition), version_of(&definition)) else {
                continue;
            };
            let file = absolute(&source.path);
            let Some(folder) = file.parent() else { continue };
            let calls = calls.entry(folder.to_owned()).or_insert_with(|| calls_for(folder, projects));
            let is_named = file.file_name().is_some_and(|name| name.to_str() == Some(&product));
            let found = calls.iter().find_map(|call| {
                // Under another name and in another folder it is what a later step made.
                if !is_named && call.target().as_deref() != Some(folder) {
                    return None;
                }
                let key = (call.file.clone(), call.line, version.to_string());
                let at = *known.entry(key).or_insert_with(|| origins.add(call, version, args, projects));
                let (_, generated) = origins.packages.get(at?)?;
                generated.outcome.files.iter().any(|file| file.name == product).then_some(at?)
            });
            if let Some(at) = found {
                origins.files.insert(source.path.clone(), (at, product));
            }
        }
        origins
    }

    fn add(&mut self, call: &Call, version: Version, args: &CheckArgs, projects: &Projects) -> Option<usize> {
        let settings = check_go::settings(&call.folder, args, projects).ok()?;
        let package = GoPackage::of_call(call.clone(), version);
        let generated = check_go::generated(&package, &settings, None).ok()?;
        self.packages.push((package, generated));
        Some(self.packages.len() - 1)
    }

    /// Whether a file is generated of Go that is there.
    pub(super) fn owns(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// The names of the definitions in these files.
    pub(super) fn products(&self) -> HashSet<String> {
        self.files.values().map(|(_, product)| product.clone()).collect()
    }

    /// Applies the safe fixes to the Go files, and writes the definitions that change with them.
    pub(super) fn fix(
        &mut self,
        told_in_go: &HashSet<PathBuf>,
        args: &CheckArgs,
        projects: &Projects,
        checked: &mut Checked,
    ) -> Result<(), String> {
        for (at, (package, generated)) in self.packages.iter_mut().enumerate() {
            let files: Vec<(&PathBuf, &String)> = self
                .files
                .iter()
                .filter(|(_, (of, _))| *of == at)
                .map(|(path, (_, product))| (path, product))
                .collect();
            let Some((first, _)) = files.first() else { continue };
            let settings = check_go::settings(first.parent().unwrap_or(first), args, projects)?;
            let before = check_go::generated(package, &settings, Some(&*generated))?;
            let shown = |path: &Path| from_here(path).display().to_string();
            let (after, texts) =
                check_go::fixed(package, before, &settings, args, checked, &|_| true, &shown)?;
            // What is checked in this run is reported there.
            for (path, text) in texts.into_iter().filter(|(path, _)| !told_in_go.contains(path)) {
                let new = after
                    .outcome
                    .sources()
                    .iter()
                    .find(|file| file.path == path)
                    .map(|file| file.text.clone());
                let report = Report::of_source(shown(&path), &new.unwrap_or_default(), Vec::new());
                checked.reports.push(report.fixed_from(TextBuffer::new(&text), !args.diff));
            }
            for (path, product) in files {
                let (old, new) = (generated.text_of(product), after.text_of(product));
                let (Some(old), Some(new), Some(written)) = (old, new, text_of(path)) else { continue };
                if old == new || args.diff {
                    continue;
                }
                if comparable_text(old) != comparable_text(&written) {
                    let path = path.display();
                    checked.told.push(format!(
                        "{path}: not written because it was older than its Go types; run `make manifests`"
                    ));
                    continue;
                }
                // What precedes the document is a header.
                let header = written.find("---\n").and_then(|at| written.get(..at)).unwrap_or("");
                replace(path, &written, &format!("{header}{new}"))
                    .map_err(|error| format!("{}: cannot write the definition: {error}", path.display()))?;
            }
            *generated = after;
        }
        Ok(())
    }

    /// Leads the findings of generated files to Go, unless they are told there, and reports those that are older than their
    /// types.
    pub(super) fn relate(
        &self,
        reports: &mut [Report],
        told_in_go: &HashSet<PathBuf>,
        args: &CheckArgs,
        projects: &Projects,
    ) {
        for report in reports {
            let path = PathBuf::from(&report.path);
            let Some((at, product)) = self.files.get(&path) else { continue };
            let Some((_, generated)) = self.packages.get(*at) else { continue };
            report.findings.retain_mut(|finding| match generated.origin(product, finding) {
                Some((file, _)) if told_in_go.contains(&file) => is_of_later_step(finding.code),
                Some(origin) => {
                    finding.related.extend(related(generated, origin, "the Go source of this"));
                    true
                }
                None => true,
            });
            let Ok(settings) = check_go::settings(path.parent().unwrap_or(&path), args, projects) else {
                continue;
            };
            let Some(text) = text_of(&path) else { continue };
            if let Some(mut stale) = stale(generated, product, &text).filter(|_| report.analysed)
                && settings.rules.admit(&mut stale)
            {
                report.buffer = TextBuffer::new(&text);
                report.findings.push(stale);
                report.findings.sort_by_key(|finding| (finding.range, finding.code));
            }
        }
    }
}

/// Whether controller-gen wrote a file.
fn is_written(path: &Path) -> bool {
    // Not a pipe, which can be read once only.
    let head = guarded::found(path, HEAD_BYTES);
    head.is_ok_and(|head| String::from_utf8_lossy(&head).contains(ANNOTATION))
}

fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(guarded::found(path, MAX_BYTES).ok()?).ok()
}

fn text_at<'j>(json: &'j Json, path: &[&str]) -> Option<&'j str> {
    match (json, path) {
        (Json::Text(text), []) => Some(text),
        (Json::Map(entries), [first, rest @ ..]) => text_at(entries.get(*first)?, rest),
        _ => None,
    }
}

/// The file that controller-gen writes a definition to.
fn product_of(definition: &Json) -> Option<String> {
    (text_at(definition, &["kind"])? == "CustomResourceDefinition").then_some(())?;
    let (group, plural) =
        (text_at(definition, &["spec", "group"])?, text_at(definition, &["spec", "names", "plural"])?);
    Some(format!("{group}_{plural}.yaml"))
}

/// The release that wrote it; none where it is older than those that are imitated, or no release.
fn version_of(definition: &Json) -> Option<Version> {
    let version: Version = text_at(definition, &["metadata", "annotations", ANNOTATION])?.parse().ok()?;
    (version >= Version::OLDEST).then(|| version.min(Version::NEWEST))
}

/// A path as it is from the current directory, where it is below it.
fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path)
}

/// A token of Go beside a finding.
fn related(generated: &Generated, (path, range): (PathBuf, TextRange), what: &str) -> Option<Related> {
    let source = generated.outcome.sources().iter().find(|file| file.path == path)?;
    let text = Arc::new(GoText(TextBuffer::new(&source.text)));
    let elsewhere = Some(Elsewhere::new(from_here(&path).display().to_string().into(), text));
    Some(Related { range, message: what.to_owned(), elsewhere })
}

/// The text of a Go file.
struct GoText(TextBuffer);

impl OtherText for GoText {
    fn buffer(&self) -> &TextBuffer {
        &self.0
    }
}

/// The finding on a file that is older than its types; none where it is not, or where that is not known.
fn stale(generated: &Generated, product: &str, text: &str) -> Option<Finding> {
    if generated.outcome.status() != Status::Sound {
        return None;
    }
    let new = comparable(json_of(generated.text_of(product)?)?);
    let old = comparable(json_of(text)?);
    let differences = changes(&old, &new);
    let first = differences.first()?;
    let start = text.find(ANNOTATION)?;
    let at = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::MAX);
    let steps: Vec<&str> = first.path.iter().map(String::as_str).collect();
    let message = Message::new(format!(
        "the file is older than its Go types, which differ at `{}`",
        text::cut(&steps.join("."))
    ))
    .advise("run `make manifests` or `crd-ls generate`");
    let origin = generated.origin_of_node(product, &steps);
    let related = origin.and_then(|origin| related(generated, origin, "the first difference"));
    Some(Finding {
        code: Code::GoStale,
        severity: Code::GoStale.rule().severity,
        message,
        range: TextRange::new(at(start), at(start + ANNOTATION.len())),
        field_path: FieldPath::root(),
        api_server: None,
        related: related.into_iter().collect(),
    })
}

fn comparable_text(text: &str) -> Option<Json> {
    Some(comparable(json_of(text)?))
}

/// A definition without descriptions, which projects shorten and remove, and without what others than controller-gen write into it.
fn comparable(definition: Json) -> Json {
    let Json::Map(mut entries) = definition else { return definition };
    entries.retain(|key, _| key == "spec");
    if let Some(Json::Map(spec)) = entries.get_mut("spec") {
        spec.retain(|key, _| !matches!(&**key, "conversion" | "preserveUnknownFields"));
    }
    without_descriptions(Json::Map(entries))
}

fn without_descriptions(json: Json) -> Json {
    match json {
        Json::Map(entries) => {
            let is_kept = |key: &str, value: &Json| key != "description" || !matches!(value, Json::Text(_));
            let entries = entries.into_iter().filter(|(key, value)| is_kept(key, value));
            Json::Map(entries.map(|(key, value)| (key, without_descriptions(value))).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(without_descriptions).collect()),
        other => other,
    }
}
