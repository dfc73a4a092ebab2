//! `crd-ls sample`.

use std::process::ExitCode;

use answers::forms::SampleOutput;
use ide::preview::{Sample, samples};

use super::input::{UnreadableInput, settings_of, text_of, undecoded};
use super::print::CommandOutput;
use super::walk::sources;
use crate::args::{PreviewFormat, SampleArgs};
use crate::config::Projects;
use crate::definitions::DefinitionPlace;

/// Shows samples of the kinds that the arguments name.
pub(crate) fn run(args: &SampleArgs) -> ExitCode {
    // An argument that is not a file is the name of a kind, for which the files are searched.
    let names_kind = |name: &str| name != "-" && !std::path::Path::new(name).exists();
    let (kinds, mut paths): (Vec<&String>, Vec<&String>) =
        args.names.iter().partition(|name| names_kind(name));
    paths.extend(&args.crds);
    let here = ".".to_owned();
    if paths.is_empty() {
        paths.push(&here);
    }
    let mut shown = CommandOutput::default();
    let mut files = Vec::new();
    for path in paths {
        match DefinitionPlace::new(std::path::Path::new(""), path) {
            Ok(place) if path == "-" || place.exists() => {
                let named = if path == "-" || place.path.is_dir() {
                    vec![path.clone()]
                } else {
                    place.files().0.iter().map(|file| file.display().to_string()).collect()
                };
                files.extend(named);
            }
            Ok(_) => shown.problems.push(format!("--crd: {path}: no such file or directory")),
            Err(problem) => shown.problems.push(format!("--crd: {problem}")),
        }
    }
    let (sources, problems) = sources(&files);
    shown.problems.extend(problems);
    let projects = Projects::default();
    let mut found: Vec<Sample> = Vec::new();
    for source in &sources {
        let made = text_of(source).map_err(UnreadableInput::from).and_then(|text| {
            let settings = settings_of(source, args.kubernetes_version, &projects)?;
            samples(&text, &settings).map_err(|error| undecoded(source, &text, &error))
        });
        match made {
            Ok(made) => found.extend(made),
            // Other files in a directory do not matter here.
            Err(unshown) if source.named => shown.problems.push(unshown.message),
            Err(_) => {}
        }
    }
    let is_wanted = |sample: &&Sample| {
        let version = sample.api_version.rsplit('/').next().unwrap_or_default();
        (kinds.is_empty() || kinds.iter().any(|kind| is_of(sample, kind)))
            && args.version.as_deref().is_none_or(|wanted| wanted == version)
    };
    for kind in &kinds {
        if !found.iter().any(|sample| is_of(sample, kind)) {
            let problem = format!(
                "{kind}: neither a file nor a known kind; name the definition's file or use --crd PATH"
            );
            shown.problems.push(problem);
        }
    }
    found.iter().filter(is_wanted).for_each(|sample| show(sample, args.output, &mut shown));
    if shown.text.is_empty() && shown.problems.is_empty() {
        shown.problems.push("no definition serves that version".to_owned());
    }
    shown.write()
}

/// Whether `name` names the kind of a sample, as it does for kubectl: `Widget`, `widgets` or `widgets.example.com`.
fn is_of(sample: &Sample, name: &str) -> bool {
    let plural = sample.definition.split('.').next().unwrap_or_default();
    [&*sample.kind, plural, &*sample.definition].iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn show(sample: &Sample, format: PreviewFormat, shown: &mut CommandOutput) {
    let of = format!("{} {}", sample.api_version, sample.kind);
    let unmet = sample.unmet.iter().map(|error| format!("{of}: no valid sample was found: {error}"));
    shown.notes.extend(unmet);
    match format {
        PreviewFormat::Json => shown.json_line(&SampleOutput::from(sample)),
        PreviewFormat::Yaml => {
            let separator = if shown.text.is_empty() { "" } else { "---\n" };
            shown.text.extend([separator, &sample.yaml]);
        }
    }
}
