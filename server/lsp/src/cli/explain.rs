//! `crd-ls check --explain-definitions`: which definition of each kind validates which resources, and why.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ide::{Candidate, Catalog, Choice};
use serde::Serialize;

use crate::args::OutputFormat;

/// The version of the output. Raised when a change other than a new key could affect a script.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    schema_version: u32,
    kinds: Vec<Kind<'a>>,
}

/// A kind and all its definitions, in order of precedence.
#[derive(Serialize)]
struct Kind<'a> {
    group: &'a str,
    kind: &'a str,
    definitions: Vec<Definition>,
}

#[derive(Serialize)]
struct Definition {
    path: String,
    #[serde(skip)]
    shown: String,
    /// The versions that it serves.
    versions: Vec<String>,
    /// The kind of its source, for people.
    reason: &'static str,
    /// The number of resources that it validates.
    resources: usize,
    /// The number of these resources, by the reason for which it takes precedence.
    choices: BTreeMap<&'static str, usize>,
    #[serde(skip)]
    texts: Vec<(usize, &'static str)>,
}

/// Writes the choice of definitions in `catalog` for resources that have `choices`.
pub(super) fn write(
    format: OutputFormat,
    catalog: &Catalog,
    choices: Vec<Choice>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut counts: BTreeMap<Choice, usize> = BTreeMap::new();
    choices.into_iter().for_each(|choice| *counts.entry(choice).or_default() += 1);
    let mut names: Vec<(&str, &str)> = catalog.kinds().collect();
    names.sort_unstable();
    names.dedup();
    let kinds = names.into_iter().map(|(group, kind)| {
        let of_kind: Vec<(&Choice, usize)> = counts
            .iter()
            .filter(|(choice, _)| (choice.group.as_str(), choice.kind.as_str()) == (group, kind))
            .map(|(choice, count)| (choice, *count))
            .collect();
        let candidates = catalog.candidates(group, kind).into_iter();
        Kind { group, kind, definitions: candidates.map(|one| definition(one, catalog, &of_kind)).collect() }
    });
    let kinds: Vec<Kind<'_>> = kinds.filter(|kind| !kind.definitions.is_empty()).collect();
    if format == OutputFormat::Json {
        serde_json::to_writer(&mut *out, &Output { schema_version: SCHEMA_VERSION, kinds })?;
        return writeln!(out);
    }
    kinds.iter().try_for_each(|kind| human(kind, out))
}

fn definition(candidate: Candidate, catalog: &Catalog, of_kind: &[(&Choice, usize)]) -> Definition {
    let own = of_kind.iter().filter(|(choice, _)| choice.source == candidate.source);
    Definition {
        path: candidate.source.to_string(),
        shown: catalog.display_name(&candidate.source).to_owned(),
        reason: match () {
            () if candidate.is_named => "named by `crds` or `--crd`",
            () if candidate.is_for_some => "named by `crds` in `[[overrides]]`",
            () if candidate.is_broken => "with syntax errors",
            () => candidate.role.reason(),
        },
        versions: candidate.versions,
        resources: own.clone().map(|(_, count)| count).sum(),
        choices: own.clone().map(|(choice, count)| (choice.reason.as_str(), *count)).collect(),
        texts: own.map(|(choice, count)| (*count, choice.reason.text())).collect(),
    }
}

fn human(kind: &Kind<'_>, out: &mut dyn Write) -> io::Result<()> {
    let count = kind.definitions.len();
    let s = if count == 1 { "" } else { "s" };
    writeln!(out, "{} of {}: {count} definition{s}", kind.kind, kind.group)?;
    for (at, definition) in kind.definitions.iter().enumerate() {
        let versions = match &*definition.versions.join(", ") {
            "" => "serves no version".to_owned(),
            versions => format!("serves {versions}"),
        };
        writeln!(out, "  {}. {}: {versions}; {}", at + 1, definition.shown, definition.reason)?;
        let whys: Vec<String> =
            definition.texts.iter().map(|(count, text)| format!("{count} × {text}")).collect();
        match definition.resources {
            0 => writeln!(out, "     validates no resource")?,
            1 => writeln!(out, "     validates 1 resource: {}", whys.join(", "))?,
            count => writeln!(out, "     validates {count} resources: {}", whys.join(", "))?,
        }
    }
    Ok(())
}
