//! `crd-ls gates`.

use std::path::Path;
use std::process::ExitCode;

use ide::preview::{DefinitionGates, GateState, gates};
use serde::Serialize;

use super::input::text_of;
use super::print::CommandOutput;
use super::walk::sources;
use crate::args::{CostFormat, GatesArgs};

/// Lists the feature gates of the definitions that the arguments name.
pub(crate) fn run(args: &GatesArgs) -> ExitCode {
    let (sources, problems) = sources(&args.paths);
    let mut shown = CommandOutput { problems, ..CommandOutput::default() };
    for source in &sources {
        match text_of(source) {
            Ok(text) => {
                gates(&text).iter().for_each(|of| show(&source.path, of, args.output, &mut shown));
            }
            Err(problem) => shown.problems.push(problem),
        }
    }
    if shown.text.is_empty() && shown.problems.is_empty() {
        shown.notes.push("no definition has feature gates on fields".to_owned());
    }
    shown.write()
}

fn show(path: &Path, of: &DefinitionGates, format: CostFormat, shown: &mut CommandOutput) {
    let file = path.display().to_string();
    if format == CostFormat::Json {
        let gates = of.gates.iter().map(Gate::of).collect();
        let (name, component) = (&*of.name, of.component.as_deref());
        return shown.json_line(&Output { file: &file, definition: name, component, gates });
    }
    let component = of.component.iter().map(|component| format!(" of {component}")).collect::<String>();
    let separator = if shown.text.is_empty() { "" } else { "\n" };
    shown.text.push_str(&format!("{separator}{file}: {}{component}\n", of.name));
    let rows: Vec<[String; 5]> = of.gates.iter().map(table_row).collect();
    let head = ["GATE", "STAGE", "STATE", "WHY", "FIELDS"].map(str::to_owned);
    let mut widths = [0; 5];
    for row in rows.iter().chain([&head]) {
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
    }
    for row in [&head].into_iter().chain(&rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        shown.text.extend([cells.collect::<Vec<_>>().join("  ").trim_end(), "\n"]);
    }
}

fn table_row(gate: &GateState) -> [String; 5] {
    let word = if gate.on { "on" } else { "off" };
    [gate.name.clone(), gate.stage.to_owned(), word.to_owned(), gate.why.clone(), gate.paths.join(" ")]
}

#[derive(Serialize)]
struct Output<'a> {
    file: &'a str,
    definition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<&'a str>,
    gates: Vec<Gate<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gate<'a> {
    name: &'a str,
    pre_release: &'a str,
    enabled: Option<bool>,
    default: Option<bool>,
    on: bool,
    why: &'a str,
    field_paths: &'a [String],
}

impl<'a> Gate<'a> {
    fn of(gate: &'a GateState) -> Self {
        Self {
            name: &gate.name,
            pre_release: gate.stage,
            enabled: gate.enabled,
            default: gate.default,
            on: gate.on,
            why: &gate.why,
            field_paths: &gate.paths,
        }
    }
}
