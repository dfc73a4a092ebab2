//! The arguments of a call of controller-gen: packages, options and target.

use crate::marker::options;
use crate::version::{Change, Version};

/// Options of the generator `crd`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The maximum length of descriptions, in bytes; 0: no descriptions, negative: unlimited.
    pub max_description: Option<i64>,
    /// Whether floating point numbers are allowed.
    pub allow_dangerous_types: bool,
    /// Whether an `ObjectMeta` within an object has properties.
    pub embedded_object_meta: bool,
    /// Whether unexported fields are omitted.
    pub ignore_unexported_fields: bool,
    /// `spec.preserveUnknownFields`, if set.
    pub preserve_unknown_fields: Option<bool>,
    /// The file with the text at the start of each generated file.
    pub header_file: Option<String>,
    /// The replacement for ` YEAR` in that text.
    pub year: String,
    /// Whether to omit the annotation with the version of controller-gen.
    pub omit_tool_version: bool,
    /// The versions of apiextensions.k8s.io, if given.
    pub crd_versions: Vec<String>,
}

/// Where the generated files go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a folder.
    Folder(String),
    /// To stdout.
    Stdout,
    /// Nowhere.
    Nowhere,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The patterns of packages.
    pub paths: Vec<String>,
    /// The options.
    pub options: Options,
    /// The target.
    pub target: Target,
    /// The build tags, if given.
    pub tags: Option<Vec<String>>,
}

impl Invocation {
    /// Parses the words after `controller-gen`; `None` if they do not generate definitions.
    ///
    /// # Errors
    ///
    /// The error that controller-gen reports for a word.
    pub fn read<'w>(
        words: impl IntoIterator<Item = &'w str>,
        version: Version,
    ) -> Result<Option<Self>, String> {
        let mut paths = Vec::new();
        let mut found: Option<Options> = None;
        let (mut all, mut own) = (None, None);
        let mut tags = None;
        for word in words {
            let refused =
                |reasons: Vec<String>| format!("unable to parse option \"{word}\": [{}]", reasons.join(" "));
            if let Some(list) = word.strip_prefix("--load-build-tags=") {
                if !version.has(Change::LoadBuildTags) {
                    return Err("unknown flag: --load-build-tags".to_owned());
                }
                tags = Some(list.split(',').map(str::to_owned).collect());
            } else if word.starts_with("paths=") {
                paths.extend(options::paths(word, version).map_err(refused)?);
            } else if word == "crd" || word.starts_with("crd:") {
                let marker = options::crd(word, version).map_err(refused)?;
                let flag = |name| options::flag(&marker, name);
                found = Some(Options {
                    max_description: options::int(&marker, "maxDescLen"),
                    allow_dangerous_types: flag("allowDangerousTypes") == Some(true),
                    embedded_object_meta: flag("generateEmbeddedObjectMeta") == Some(true),
                    ignore_unexported_fields: flag("ignoreUnexportedFields") == Some(true),
                    preserve_unknown_fields: flag("deprecatedV1beta1CompatibilityPreserveUnknownFields"),
                    header_file: marker.argument("headerFile").map(|_| marker.text("headerFile").to_owned()),
                    year: marker.text("year").to_owned(),
                    omit_tool_version: flag("omitToolVersion") == Some(true),
                    crd_versions: marker.texts("crdVersions"),
                });
            } else if let Some(rule) = word.strip_prefix("output:crd:") {
                own = target(rule).or(own);
            } else if let Some(rule) = word.strip_prefix("output:") {
                all = target(rule).or(all);
            }
        }
        let target = own.or(all).unwrap_or_else(|| Target::Folder("config/crd".to_owned()));
        Ok(found.map(|options| Self { paths, options, target, tags }))
    }
}

/// The rule after `output:` or `output:crd:`.
fn target(rule: &str) -> Option<Target> {
    if rule == "stdout" {
        return Some(Target::Stdout);
    }
    if rule == "none" {
        return Some(Target::Nowhere);
    }
    if let Some(folder) = rule.strip_prefix("dir=") {
        return Some(Target::Folder(unquoted(folder)));
    }
    let arguments = rule.strip_prefix("artifacts:")?;
    let config = arguments.split(',').find_map(|argument| argument.strip_prefix("config="))?;
    Some(Target::Folder(unquoted(config)))
}

fn unquoted(text: &str) -> String {
    text.trim_matches(['"', '`']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_kubebuilder_is_read() {
        let words = "rbac:roleName=manager-role crd:maxDescLen=0 webhook paths=./... output:crd:artifacts:config=config/crd/bases";
        let call = Invocation::read(words.split(' '), Version::NEWEST);
        let expected = Invocation {
            paths: vec!["./...".to_owned()],
            options: Options { max_description: Some(0), ..Options::default() },
            target: Target::Folder("config/crd/bases".to_owned()),
            tags: None,
        };
        assert_eq!(call, Ok(Some(expected)));
    }

    #[test]
    fn unknown_options_are_rejected_with_the_message_of_controller_gen() {
        let error = Invocation::read(["crd:trivialVersions=true"], Version::NEWEST);
        assert_eq!(
            error,
            Err("unable to parse option \"crd:trivialVersions=true\": [unknown argument \"trivialVersions\" (at <input>:1:16) \
                 extra arguments provided: \"true\" (at <input>:1:17)]"
                .to_owned())
        );
    }

    #[test]
    fn a_command_without_the_generator_is_not_a_call() {
        assert_eq!(Invocation::read(["object", "paths=./..."], Version::NEWEST), Ok(None));
    }
}
