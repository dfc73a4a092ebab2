//! The text and the settings of a source.

use std::io::{self, Read};

use ide::compat::unreadable;
use ide::{KubernetesVersion, Settings};

use super::walk::Source;
use crate::config::{Choices, Projects};
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::paths::absolute;

/// The text of a source. The error is for the user, and names the source.
pub(super) fn text_of(source: &Source) -> Result<String, String> {
    let path = source.path.display();
    let bytes = read(source).map_err(|error| format!("{path}: {error}"))?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("{path}: the file is too large to read"));
    }
    String::from_utf8(bytes).map_err(|_| format!("{path}: the file is not UTF-8"))
}

/// The reason why nothing is shown of a source.
pub(super) struct UnreadableInput {
    /// The message for the user.
    pub(super) message: String,
    /// Whether the source is a template that a walk found, which is not an error.
    pub(super) is_template: bool,
}

impl From<String> for UnreadableInput {
    fn from(message: String) -> Self {
        Self { message, is_template: false }
    }
}

/// The message that the definitions in the text of a source cannot be decoded.
pub(super) fn undecoded(source: &Source, text: &str, error: &str) -> UnreadableInput {
    let path = source.path.display();
    match unreadable(text).into_iter().find(|one| one.is_template) {
        Some(one) => UnreadableInput {
            message: format!("{path}: {} is in a template and is not shown", one.name),
            is_template: !source.is_named,
        },
        None => {
            format!("{path}: kube-apiserver cannot decode this: {error}; `crd-ls check` shows where").into()
        }
    }
}

/// The bytes of a source, up to one more than are analysed.
pub(super) fn read(source: &Source) -> io::Result<Vec<u8>> {
    if !source.is_stdin() {
        let read = if source.is_named { guarded_files::read_named } else { guarded_files::read_found };
        return read(&source.path, MAX_BYTES);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The settings for a file: the command line takes precedence over its project.
pub(super) fn settings_of(
    source: &Source,
    kubernetes_version: Option<KubernetesVersion>,
    projects: &Projects,
) -> Result<Settings, String> {
    settings_with(source, Choices::of_version(kubernetes_version), projects)
}

/// The settings for a file: `chosen` takes precedence over its project.
pub(super) fn settings_with(
    source: &Source,
    chosen: Choices,
    projects: &Projects,
) -> Result<Settings, String> {
    // Without a name, the text from stdin belongs to the directory in which the command runs.
    let path = absolute(&source.path);
    let project = projects.project_of(&path);
    if let Some(problem) = project.problem {
        return Err(problem);
    }
    let mut settings = Settings::default();
    let mut choices = Choices::clone(&project.choices_of(&path));
    choices.override_with(chosen);
    choices.apply(&mut settings);
    Ok(projects.settings_of(&path, settings))
}
