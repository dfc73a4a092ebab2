//! The options of a run, and where its output belongs.

use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace};
use go::invocation::Options;
use go::version::Version;

use super::context::GenerateContext;
use crate::args::GenerateArgs;
use crate::cli::destination::Destination;
use crate::golang::top_of;
use crate::guarded_files::{self, RepositoryRoot};
use crate::limits::MAX_BYTES;
use crate::paths::absolute;

/// The plan of a run: with the options of the command line, or otherwise with those of the project.
pub(super) struct Plan {
    pub(super) options: Options,
    pub(super) header: Option<Header>,
    pub(super) tags: Option<Vec<String>>,
    pub(super) destination: Destination,
}

/// The file whose text each definition begins with.
pub(super) enum Header {
    Given(PathBuf),
    /// A file that the project names, and that must be inside the repository.
    Found(PathBuf),
}

impl Header {
    pub(super) fn text(&self, folder: &Path) -> Result<String, String> {
        let (file, read) = match self {
            Self::Given(file) => (file, guarded_files::named_text(file, MAX_BYTES)),
            Self::Found(file) => (file, RepositoryRoot::of(&top_of(folder)).text(file, MAX_BYTES)),
        };
        read.map_err(|error| format!("{}: {error}", file.display()))
    }
}

/// The options of the command line.
fn options(args: &GenerateArgs) -> Options {
    Options {
        max_description: args.max_desc_len,
        allow_dangerous_types: args.allow_dangerous_types,
        embedded_object_meta: args.generate_embedded_object_meta,
        ignore_unexported_fields: args.ignore_unexported_fields,
        preserve_unknown_fields: args.preserve_unknown_fields,
        header_file: None,
        year: args.year.clone().unwrap_or_default(),
        omit_tool_version: args.omit_tool_version,
        crd_versions: Vec::new(),
    }
}

/// Whether the command line says how to generate, so that the project's calls do not count.
pub(super) fn has_options(args: &GenerateArgs) -> bool {
    options(args) != Options::default() || args.header_file.is_some() || args.build_tags.is_some()
}

impl Plan {
    /// The plan of a run with `call`; adds to `notes` where its options are from.
    pub(super) fn of(context: &GenerateContext<'_>, call: Option<Call>, notes: &mut Vec<String>) -> Self {
        let GenerateContext { args, cwd, .. } = *context;
        let given_directory = args.output_dir.as_ref().map(|directory| absolute(directory));
        let destination = Destination::of(call.as_ref(), given_directory, cwd);
        match call {
            Some(call) if !has_options(args) => {
                let place = context.place_of(&call);
                let note = match (call.place, &destination) {
                    (CallPlace::Definitions, _) => format!(
                        "using the options that {place} shows, and its directory; `go.calls` in .crd-ls.toml replaces \
                         them"
                    ),
                    (_, Destination::Directory(_)) => {
                        format!("using the options and the output directory of the call in {place}")
                    }
                    (_, Destination::File(to)) => {
                        let file = context.shown(&to.file);
                        format!("using the options of the call in {place}, whose output is written to {file}")
                    }
                    (_, Destination::Default(_) | Destination::Unknown { .. }) => {
                        format!("using the options of the call in {place}")
                    }
                };
                notes.push(note);
                let header = call.invocation.options.header_file.as_ref();
                let header = header.map(|file| Header::Found(call.folder.join(file)));
                Self { options: call.invocation.options, header, tags: call.invocation.tags, destination }
            }
            _ => Self {
                options: options(args),
                header: args.header_file.as_ref().map(|file| Header::Given(absolute(file))),
                tags: args.build_tags.as_ref().map(|tags| tags.split(',').map(str::to_owned).collect()),
                destination,
            },
        }
    }
}

/// The release of controller-gen to imitate, if it is supported.
pub(super) fn supported(version: Option<Version>, notes: &mut Vec<String>) -> Result<Version, String> {
    let version = version.unwrap_or(Version::NEWEST);
    if version < Version::OLDEST {
        return Err(format!(
            "controller-gen {version} is older than {}, the oldest supported release; name another one with \
             --controller-gen-version",
            Version::OLDEST
        ));
    }
    if version > Version::NEWEST {
        notes.push(format!(
            "controller-gen {version} is newer than {}, the newest supported release, whose output is written instead",
            Version::NEWEST
        ));
    }
    Ok(version)
}
