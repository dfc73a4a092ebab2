//! `crd-ls versions`.

use std::process::ExitCode;

use ide::compat::{FieldCell, VersionTable, versions};
use serde::Serialize;

use super::input::text_of;
use super::print::CommandOutput;
use super::walk::sources;
use crate::args::{CostFormat, VersionsArgs, VersionsFailOn};
use crate::previews::versions_text;

/// Shows the versions of the definitions that the arguments name side by side.
pub(crate) fn run(args: &VersionsArgs) -> ExitCode {
    let (sources, problems) = sources(&args.paths);
    let mut shown = CommandOutput { problems, ..CommandOutput::default() };
    for source in &sources {
        match text_of(source) {
            Ok(text) => {
                let tables = versions(&text);
                tables.iter().for_each(|(name, table)| show(name, table, args, &mut shown));
            }
            Err(problem) => shown.problems.push(problem),
        }
    }
    shown.write()
}

fn show(name: &str, table: &VersionTable, args: &VersionsArgs, shown: &mut CommandOutput) {
    shown.bad |= match args.fail_on {
        VersionsFailOn::Lost => table.losses > 0,
        VersionsFailOn::Different => table.rows.iter().any(|row| !row.is_same()),
        VersionsFailOn::Never => false,
    };
    if args.output == CostFormat::Human {
        return shown.text.push_str(&versions_text(name, table, args.all));
    }
    let rows = table.rows.iter().filter(|row| args.all || !row.is_same());
    shown.json_line(&Output {
        definition: name,
        strategy: &table.strategy,
        versions: table.versions.iter().map(|version| version.name.as_str()).collect(),
        preferred: table.preferred(),
        storage: table.versions.iter().find(|version| version.storage).map(|version| version.name.as_str()),
        losses: table.losses,
        fields: rows
            .map(|row| Field {
                path: &row.path,
                lost: row.is_lost(),
                versions: row
                    .cells
                    .iter()
                    .map(|cell| match cell {
                        FieldCell::Dropped => None,
                        FieldCell::Kept => Some("kept unchecked".to_owned()),
                        FieldCell::Declared(declared) => Some(declared.to_string()),
                    })
                    .collect(),
            })
            .collect(),
        truncated: table.truncated,
    });
}

/// The versions of a definition.
#[derive(Serialize)]
struct Output<'a> {
    definition: &'a str,
    strategy: &'a str,
    /// The versions, in the order in which discovery lists them.
    versions: Vec<&'a str>,
    /// The version that kubectl uses by default.
    preferred: Option<&'a str>,
    storage: Option<&'a str>,
    /// The number of fields that objects lose between versions, because nothing converts them.
    losses: usize,
    fields: Vec<Field<'a>>,
    truncated: bool,
}

/// A field, with its schema in each version, in their order; null for a version that drops it.
#[derive(Serialize)]
struct Field<'a> {
    path: &'a str,
    lost: bool,
    versions: Vec<Option<String>>,
}
