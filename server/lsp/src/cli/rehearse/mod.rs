//! `crd-ls rehearse`: what happens to stored objects when new definitions are applied.

mod cluster_objects;
mod json;
mod objects;
mod runbook;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Stdout, Write};
use std::process::ExitCode;

use cases::rehearse::{Effects, effects, made_objects, repair};
use cases::{Definition, KubernetesVersion, Value};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::input::text_of;
use super::print::CommandOutput;
use super::walk::sources;
use crate::args::{CostFormat, RehearseArgs};
use crate::definitions::may_define;
use cluster_objects::Cluster;
use objects::DumpReader;
use runbook::Runbook;

/// The number of objects that are checked in parallel.
const BATCH: usize = 512;

/// Reports the effects on the objects.
pub(crate) fn run(args: &RehearseArgs) -> ExitCode {
    let mut shown = CommandOutput::default();
    let cluster = args.cluster.then(|| Cluster::connect(args.context.as_deref())).transpose();
    let mut cluster = cluster.unwrap_or_else(|problem| {
        shown.problems.push(format!("--cluster: {problem}"));
        None
    });
    let server = args.kubernetes_version.or_else(|| cluster.as_ref()?.release(&mut shown));
    let server = server.unwrap_or_default();
    let new = definitions(&args.new, server, &mut shown);
    let old = match (&args.old, &mut cluster) {
        (Some(path), _) => definitions(path, server, &mut shown),
        (None, Some(cluster)) => cluster.definitions(&new, server, &mut shown).unwrap_or_else(|problem| {
            shown.problems.push(format!("--cluster: cannot read its definitions: {problem}"));
            Vec::new()
        }),
        // The problem with the cluster was reported above.
        (None, None) => Vec::new(),
    };
    let is_human = args.output == CostFormat::Human;
    let json = (!is_human).then(|| BufWriter::new(io::stdout()));
    let mut rehearsal = Rehearsal { old, new, server, runbook: Runbook::default(), json };
    if shown.problems.is_empty() {
        rehearsal.runbook.compare(&rehearsal.old, &rehearsal.new);
        match (&mut cluster, args.objects.as_slice()) {
            (Some(cluster), _) => rehearsal.of_cluster(cluster, &mut shown),
            (None, []) => rehearsal.check_generated(&mut shown),
            (None, places) => rehearsal.all(places, &mut shown),
        }
    }
    shown.bad = rehearsal.runbook.is_bad();
    if is_human {
        shown.text = rehearsal.runbook.markdown();
    }
    rehearsal.flush(&mut shown);
    shown.write()
}

/// The definitions below a path.
fn definitions(path: &str, server: KubernetesVersion, shown: &mut CommandOutput) -> Vec<Definition> {
    let (sources, problems) = sources(std::slice::from_ref(&path.to_owned()));
    shown.problems.extend(problems);
    let mut all = Vec::new();
    for source in &sources {
        match text_of(source) {
            Ok(text) if may_define(text.as_bytes()) => all.extend(Definition::all(&text, server)),
            Ok(_) => {}
            Err(problem) => shown.problems.push(problem),
        }
    }
    if all.is_empty() && shown.problems.is_empty() {
        shown.problems.push(format!("{path}: no definition found"));
    }
    all
}

struct Rehearsal {
    old: Vec<Definition>,
    new: Vec<Definition>,
    server: KubernetesVersion,
    runbook: Runbook,
    /// The output for JSON, which is written as soon as it is known.
    json: Option<BufWriter<Stdout>>,
}

/// The result for one object.
enum ObjectResult {
    /// Its kind has no definition here.
    Foreign,
    /// Its kind, namespace and name, and its fate.
    Effects(Box<(String, Result<Effects, String>)>),
    /// It cannot be read.
    Broken(String),
}

impl Rehearsal {
    /// Checks generated objects that the old definitions accept.
    fn check_generated(&mut self, shown: &mut CommandOutput) {
        let objects: Vec<Value> =
            self.old.par_iter().flat_map_iter(|old| made_objects(old, self.server)).collect();
        shown.notes.push(format!(
            "no --objects: {} objects were generated that the old definitions accept",
            objects.len()
        ));
        for (number, object) in objects.iter().enumerate() {
            // All generated objects have the same name; numbers distinguish them.
            let finder = FateFinder { old: &self.old, new: &self.new, server: self.server };
            let result = match finder.of_object(object) {
                ObjectResult::Effects(mut of) => {
                    of.0 = format!("{} ({})", of.0, number + 1);
                    ObjectResult::Effects(of)
                }
                other => other,
            };
            self.record(&format!("generated object {}", number + 1), result, shown);
        }
    }

    /// Records the result for an object.
    fn record(&mut self, place: &str, result: ObjectResult, shown: &mut CommandOutput) {
        let (name, effects) = match result {
            ObjectResult::Foreign => return,
            ObjectResult::Broken(problem) => return shown.problems.push(format!("{place}: {problem}")),
            ObjectResult::Effects(of) => *of,
        };
        let effects = match effects {
            Ok(effects) => effects,
            Err(problem) => return shown.problems.push(format!("{place}: {problem}")),
        };
        if let Some(out) = &mut self.json {
            let line = json::line(place, &name, &effects).to_string();
            if let Err(error) = writeln!(out, "{line}")
                && error.kind() != io::ErrorKind::BrokenPipe
            {
                shown.problems.push(format!("cannot write: {error}"));
            }
        }
        let (new, server) = (&self.new, self.server);
        let read = effects.read.clone();
        let repair = || {
            let read = read.as_ref()?;
            let kind = read.get("kind").and_then(Value::as_str).unwrap_or_default();
            let api_version = read.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
            let is_of = |definition: &&Definition| {
                definition.versions.iter().any(|version| version.is_of(api_version, kind))
            };
            repair(new.iter().find(is_of)?, read, server)
        };
        self.runbook.add(name, effects, &repair);
    }

    fn flush(&mut self, shown: &mut CommandOutput) {
        if let Some(Err(error)) = self.json.as_mut().map(Write::flush)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            shown.problems.push(format!("cannot write: {error}"));
        }
    }

    /// Checks the objects of all places.
    fn all(&mut self, places: &[String], shown: &mut CommandOutput) {
        let (found, problems) = sources(places);
        shown.problems.extend(problems);
        for source in &found {
            let result = match source.is_stdin() {
                true => self.of_reader("-", io::stdin().lock(), shown),
                false => File::open(&source.path).and_then(|file| {
                    self.of_reader(&source.path.display().to_string(), BufReader::new(file), shown)
                }),
            };
            if let Err(error) = result {
                shown.problems.push(format!("{}: {error}", source.path.display()));
            }
        }
        if self.runbook.objects() == 0 && shown.problems.is_empty() {
            shown.notes.push(format!("--objects: no object of {} found", self.names()));
        }
    }

    /// Checks the objects of a cluster.
    fn of_cluster(&mut self, cluster: &mut Cluster, shown: &mut CommandOutput) {
        let kinds: Vec<_> = self.old.iter().filter_map(cluster_objects::Kind::of).collect();
        for kind in &kinds {
            if let Err(problem) = self.of_kind(kind, cluster, shown) {
                shown.problems.push(format!("{}: {problem}", kind.name));
            }
        }
        if !kinds.is_empty() && self.runbook.objects() == 0 && shown.problems.is_empty() {
            shown.notes.push(format!("--cluster: the cluster has no object of {}", self.names()));
        }
    }

    /// Checks the objects of one kind in a cluster.
    fn of_kind(
        &mut self,
        kind: &cluster_objects::Kind,
        cluster: &mut Cluster,
        shown: &mut CommandOutput,
    ) -> Result<(), String> {
        let mut pages = cluster.objects(kind);
        while let Some(items) = pages.next(cluster_objects::LIMIT)? {
            let placed: Vec<_> = items.into_iter().map(|text| (kind.name.clone(), text)).collect();
            self.record_all(&placed, shown);
        }
        if pages.has_changed {
            shown.notes.push(format!(
                "{}: the list has changed while it was read; objects that were created meanwhile may be missing",
                kind.name
            ));
        }
        Ok(())
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.old.iter().map(|definition| definition.name.as_str()).collect();
        names.join(", ")
    }

    /// Checks texts with objects, each with its place, in parallel.
    fn record_all(&mut self, texts: &[(String, String)], shown: &mut CommandOutput) {
        let finder = FateFinder { old: &self.old, new: &self.new, server: self.server };
        let result: Vec<Vec<ObjectResult>> = texts.par_iter().map(|(_, text)| finder.of_text(text)).collect();
        for ((place, _), result) in texts.iter().zip(result) {
            result.into_iter().for_each(|result| self.record(place, result, shown));
        }
    }

    fn of_reader(&mut self, name: &str, reader: impl BufRead, shown: &mut CommandOutput) -> io::Result<()> {
        let mut pieces = DumpReader::new(reader);
        loop {
            let mut batch = Vec::new();
            let mut failure = None;
            while batch.len() < BATCH {
                match pieces.next() {
                    Ok(Some((line, text))) => batch.push((format!("{name}:{line}"), text)),
                    Ok(None) => break,
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            self.record_all(&batch, shown);
            if let Some(error) = failure {
                return Err(error);
            }
            if batch.len() < BATCH {
                break;
            }
        }
        if pieces.is_cut() {
            let line = pieces.line();
            shown
                .problems
                .push(format!("{name}:{line}: the list is cut off: `kind: List` is missing at its end"));
        }
        Ok(())
    }
}

/// Determines the fates of objects, several at a time.
struct FateFinder<'r> {
    old: &'r [Definition],
    new: &'r [Definition],
    server: KubernetesVersion,
}

impl FateFinder<'_> {
    /// The results for an object, or for each object in a JSON list.
    fn of_text(&self, text: &str) -> Vec<ObjectResult> {
        let object = match cases::object_of_text(text) {
            Ok(object) => object,
            Err(problem) => return vec![ObjectResult::Broken(problem)],
        };
        match (self.of_object(&object), object.get("items").and_then(Value::as_list)) {
            (ObjectResult::Foreign, Some(items)) if text_in(&object, "kind").ends_with("List") => {
                items.iter().map(|item| self.of_object(item)).collect()
            }
            (result, _) => vec![result],
        }
    }

    fn of_object(&self, object: &Value) -> ObjectResult {
        let text = |name| text_in(object, name);
        let (group, _) = text("apiVersion").split_once('/').unwrap_or_default();
        let is_of = |definition: &&Definition| {
            definition.versions.iter().any(|version| version.group == group && version.kind == text("kind"))
        };
        let (Some(old), Some(new)) = (self.old.iter().find(is_of), self.new.iter().find(is_of)) else {
            return ObjectResult::Foreign;
        };
        let metadata = |name| {
            let metadata = object.get("metadata").and_then(|metadata| metadata.get(name));
            metadata.and_then(Value::as_str).unwrap_or_default()
        };
        let name = match metadata("namespace") {
            "" => format!("{} {}", text("kind"), metadata("name")),
            namespace => format!("{} {namespace}/{}", text("kind"), metadata("name")),
        };
        ObjectResult::Effects(Box::new((name, effects(old, new, object, self.server))))
    }
}

fn text_in<'o>(object: &'o Value, name: &str) -> &'o str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}
