//! `crd-ls docs` and `crd-ls cost --html`: HTML pages.

use std::process::ExitCode;

use ide::picture::Place;
use ide::{File, KubernetesVersion};
use text::{PositionEncoding, TextBuffer};

use super::input::{settings_of, text_of};
use super::print::CommandOutput as Printed;
use super::walk::{Source, sources};
use crate::args::DocsArgs;
use crate::config::Projects;
use crate::pages::{FileDefinitions, PageEnvironment, Subject, page};

/// Prints the fields of the definitions that the arguments name.
pub(crate) fn run(args: &DocsArgs) -> ExitCode {
    print(&args.paths, args.kubernetes_version, Subject::Schema)
}

/// Prints one page of all definitions below `paths`.
pub(super) fn print(paths: &[String], version: Option<KubernetesVersion>, subject: Subject) -> ExitCode {
    let projects = Projects::default();
    let (sources, problems) = sources(paths);
    let mut printed = Printed { problems, ..Printed::default() };
    let mut files = Vec::new();
    for source in &sources {
        match of_file(source, version, &projects) {
            Ok(file) if file.pictures.is_empty() => {}
            Ok(file) => files.push(file),
            Err(problem) => printed.problems.push(problem),
        }
    }
    printed.text = page(&files, subject, PageEnvironment::Alone);
    printed.write()
}

fn of_file(
    source: &Source,
    version: Option<KubernetesVersion>,
    projects: &Projects,
) -> Result<FileDefinitions, String> {
    let text = text_of(source)?;
    let settings = settings_of(source, version, projects)?;
    let buffer = TextBuffer::new(&text);
    let file = File::new(&text, &settings);
    let place = |offset| {
        let at = buffer.position(offset, PositionEncoding::Utf16);
        Place { line: at.line, character: at.character }
    };
    let pictures = file.pictures(&buffer, &place);
    Ok(FileDefinitions { name: source.path.display().to_string(), pictures })
}
