//! `crd-ls migrate`.

use std::path::Path;
use std::process::ExitCode;

use ide::{File, Migration, Surroundings, UnknownFields};
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use super::check::recover;
use super::input::{settings_of, text_of};
use super::print::CommandOutput;
use super::unified_diff;
use super::walk::{Source, sources};
use crate::args::MigrateArgs;
use crate::config::Projects;
use crate::definitions::source_name;
use crate::replace::replace;

/// Migrates the v1beta1 definitions in the files that the arguments name.
pub(crate) fn run(args: &MigrateArgs) -> ExitCode {
    let projects = Projects::default();
    let (sources, problems) = sources(&args.paths);
    let mut shown = CommandOutput { problems, ..CommandOutput::default() };
    if !args.diff {
        recover(&sources, &mut shown.problems);
    }
    for source in &sources {
        if let Err(problem) = migrate(source, args, &projects, &mut shown) {
            shown.problems.push(problem);
        }
    }
    shown.write()
}

fn migrate(
    source: &Source,
    args: &MigrateArgs,
    projects: &Projects,
    shown: &mut CommandOutput,
) -> Result<(), String> {
    let text = match text_of(source) {
        // A walk also finds unrelated files.
        Err(_) if !source.is_named => return Ok(()),
        text => text?,
    };
    let settings = settings_of(source, args.kubernetes_version, projects)?;
    let surroundings = Surroundings { source: source_name(&source.path).into(), ..Surroundings::default() };
    let file = File::with_surroundings(&text, &settings, surroundings);
    let unknown = if args.drop_unknown_fields { UnknownFields::Drop } else { UnknownFields::Keep };
    let path = source.path.display();
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut notes = Vec::new();
    for migration in file.migrations(TextRange::new(0, text.len() as TextSize), unknown) {
        match migration {
            Ok(migration) => {
                shown.bad |= migration.remaining_errors > 0;
                notes.extend(lines(&source.path, &migration));
                edits.extend(migration.edits);
            }
            Err(refusal) => {
                shown.bad = true;
                notes.push(format!("{path}: not migrated: {refusal}"));
            }
        }
    }
    let mut buffer = TextBuffer::new(&text);
    for edit in edits.iter().rev() {
        buffer.apply(edit).map_err(|error| format!("{path}: {error}"))?;
    }
    let after = buffer.to_string();
    if args.diff {
        let diff = unified_diff::diff(&source.path, &text, &after);
        shown.text.push_str(&diff.map_err(|error| format!("{path}: {error}"))?);
    } else if source.is_stdin() {
        shown.text.push_str(&after);
    } else if after != text {
        replace(&source.path, &text, &after).map_err(|error| format!("{path}: cannot write: {error}"))?;
    }
    shown.notes.extend(notes);
    Ok(())
}

/// The messages on a migration, for people.
fn lines(path: &Path, migration: &Migration) -> Vec<String> {
    let path = path.display();
    let mut lines =
        vec![format!("{path}: {}: migrated to apiextensions.k8s.io/v1", migration.names.join(", "))];
    lines.extend(migration.notes.iter().map(|note| format!("{path}: note: {note}")));
    if migration.remaining_errors > 0 {
        let errors = if migration.remaining_errors == 1 { "error is" } else { "errors are" };
        lines.push(format!(
            "{path}: {} {errors} from before remain; see `crd-ls check`",
            migration.remaining_errors
        ));
    }
    lines
}
