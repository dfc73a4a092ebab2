//! Large workspaces, made from the corpus if it exists, otherwise from generated definitions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::beside;
use crate::support::generated;

/// The share of files with definitions, so that a file has 30 KB on average.
const DEFINITIONS: f64 = 0.164;

struct Sample {
    name: String,
    text: String,
    /// The groups that it names.
    groups: Vec<String>,
}

impl Sample {
    fn new(name: &str, text: String) -> Self {
        Self { name: name.to_owned(), text, groups: Vec::new() }
    }

    fn with_own_groups(&self, round: usize) -> String {
        if round == 0 {
            return self.text.clone();
        }
        let (mut done, mut rest) = (String::with_capacity(self.text.len() + 100), self.text.as_str());
        let next = |rest: &str| {
            let found = self.groups.iter().filter_map(|group| Some((rest.find(group.as_str())?, group)));
            // Of two groups at the same place, the longer one comes first.
            found.min_by_key(|(at, _)| *at)
        };
        while let Some((at, group)) = next(rest) {
            done.push_str(&format!("{}r{round}.{group}", &rest[..at]));
            rest = &rest[at + group.len()..];
        }
        done + rest
    }
}

/// Writes `files` files below `directory`, and returns a description of their samples. Each round over the samples has
/// separate groups, so that no kind is defined twice.
pub(crate) fn write(directory: &Path, files: usize) -> &'static str {
    let (definitions, others, what) = samples();
    let defining = (DEFINITIONS * files as f64).round() as usize;
    let all = take(&definitions, defining).chain(take(&others, files - defining));
    for (index, (round, sample)) in all.enumerate() {
        // Several files in each folder, as in projects.
        let folder = directory.join(format!("d{:03}", index / 40));
        fs::create_dir_all(&folder).unwrap();
        let text = sample.with_own_groups(round);
        fs::write(folder.join(format!("{index:05}-{}", sample.name)), text).unwrap();
    }
    what
}

fn take(samples: &[Sample], count: usize) -> impl Iterator<Item = (usize, &Sample)> {
    samples
        .iter()
        .enumerate()
        .cycle()
        .take(count)
        .enumerate()
        .map(|(at, (_, sample))| (at / samples.len(), sample))
}

fn samples() -> (Vec<Sample>, Vec<Sample>, &'static str) {
    let corpus = beside::shared("corpus", "makes up its definitions");
    let mut all: Vec<Sample> = corpus.as_deref().map_or_else(made_up, of_corpus);
    let what =
        if corpus.is_some() { "the corpus" } else { "made-up definitions, as the corpus is not there" };
    let groups = groups(&all);
    for sample in &mut all {
        sample.groups = groups.iter().filter(|group| sample.text.contains(group.as_str())).cloned().collect();
    }
    let (definitions, others) =
        all.into_iter().partition(|sample| sample.text.contains("kind: CustomResourceDefinition"));
    (definitions, others, what)
}

fn of_corpus(corpus: &Path) -> Vec<Sample> {
    let mut paths = BTreeSet::new();
    let mut pending = vec![corpus.to_owned()];
    while let Some(directory) = pending.pop() {
        for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                pending.push(path);
            } else if ["yaml", "yml", "json"]
                .iter()
                .any(|ending| path.extension().is_some_and(|it| it == *ending))
            {
                paths.insert(path);
            }
        }
    }
    let sample = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(Sample::new(&name, fs::read_to_string(path).ok()?))
    };
    paths.into_iter().filter_map(sample).collect()
}

fn made_up() -> Vec<Sample> {
    let definition = Sample::new("things.yaml", generated::single());
    let resource = |number: usize| Sample::new(&format!("thing{number}.yaml"), generated::resource(number));
    std::iter::once(definition).chain((0..50).map(resource)).collect()
}

/// The groups that are defined, the longest first.
fn groups(samples: &[Sample]) -> Vec<String> {
    let lines = samples.iter().flat_map(|sample| sample.text.lines());
    let named = lines.filter_map(|line| line.strip_prefix("  group: "));
    let all: BTreeSet<&str> =
        named.map(|group| group.trim_matches(['"', '\'', ' '])).filter(|it| it.contains('.')).collect();
    let mut all: Vec<String> = all.into_iter().map(ToOwned::to_owned).collect();
    all.sort_by_key(|group| std::cmp::Reverse(group.len()));
    all
}
