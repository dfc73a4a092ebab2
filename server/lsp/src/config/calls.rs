//! The calls of controller-gen in a project's settings.

use std::path::Path;

use go::discover::{Call, CallPlace};
use go::invocation::Invocation;
use go::version::Version;

use super::{FILE_NAME, Go};

/// The default packages of a call.
const ALL_PACKAGES: &str = "./...";

/// The calls of controller-gen in a project's settings.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// The calls, in their order.
    pub(crate) calls: Vec<Call>,
    /// The release of controller-gen.
    pub(crate) version: Option<Version>,
}

impl Calls {
    /// Reads the calls in the settings; they run in the directory `home`. The error is for the user.
    pub(super) fn new(go: &Go, home: &Path) -> Result<Self, String> {
        let version = go.controller_gen_version.as_deref().map(version).transpose();
        let version = version.map_err(|problem| format!("go.controllerGenVersion: {problem}"))?;
        let call = |(number, arguments): (usize, &String)| {
            let mut invocation =
                Invocation::read(arguments.split_whitespace(), version.unwrap_or(Version::NEWEST))?
                    .ok_or_else(|| {
                        format!("`{arguments}` has no generator `crd`; add `crd` or `crd:OPTIONS`")
                    })?;
            let place = CallPlace::Setting(number);
            if invocation.paths.is_empty() {
                invocation.paths.push(ALL_PACKAGES.to_owned());
            }
            let (folder, file) = (home.to_owned(), home.join(FILE_NAME));
            Ok(Call::known(invocation, folder, (file, place)))
        };
        let all = go.calls.iter().enumerate().map(call).collect::<Result<_, String>>();
        Ok(Self { calls: all.map_err(|problem| format!("go.calls: {problem}"))?, version })
    }
}

fn version(text: &str) -> Result<Version, String> {
    let version: Version = text.parse()?;
    if version < Version::OLDEST {
        return Err(format!("{version} is older than {}, the oldest supported release", Version::OLDEST));
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn read(calls: &[&str], version: Option<&str>) -> Result<Calls, String> {
        let calls = calls.iter().map(|&call| call.to_owned()).collect();
        let go = Go { calls, controller_gen_version: version.map(str::to_owned) };
        Calls::new(&go, Path::new("/project"))
    }

    #[test]
    fn a_call_without_packages_covers_all_packages() {
        let calls = read(&["crd:maxDescLen=0 output:crd:dir=deploy"], Some("v0.19.0")).unwrap();
        let [call] = &*calls.calls else { unreachable!("one call") };
        let covers = |folder: &str| call.covers(Path::new(folder), &go::load::FileSystem::default());
        assert!(covers("/project/api/v1") && !covers("/other"));
        assert_eq!(call.target().as_deref(), Some(Path::new("/project/deploy")));
        assert_eq!(calls.version, Some(Version::new(19, 0)));
    }

    #[test]
    fn errors_in_calls_are_named() {
        for (calls, version, problem) in [
            (
                &["object paths=./..."][..],
                None,
                "go.calls: `object paths=./...` has no generator `crd`; add `crd` or `crd:OPTIONS`",
            ),
            (
                &["crd", "crd:maxLen=0"],
                None,
                "go.calls: unable to parse option \"crd:maxLen=0\": [unknown argument \"maxLen\" (at <input>:1:7) extra \
                 arguments provided: \"0\" (at <input>:1:8)]",
            ),
            (
                &[],
                Some("v0.9.0"),
                "go.controllerGenVersion: v0.9.0 is older than v0.14.0, the oldest supported release",
            ),
            (
                &[],
                Some("latest"),
                "go.controllerGenVersion: `latest` is not a version of controller-gen such as v0.23.0",
            ),
        ] {
            assert_eq!(read(calls, version).err().as_deref(), Some(problem));
        }
    }
}
