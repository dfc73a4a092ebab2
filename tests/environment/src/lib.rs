//! All environment variables of the tests; no other code reads one.
//!
//! `docs/testing.md` has a row for each. A variable with an invalid value ends the test with a message, because a run that
//! silently took the default would be mistaken for the requested one.
#![allow(
    clippy::panic,
    reason = "a variable with an invalid value is a mistake of the person who runs the tests"
)]

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

/// Their names.
pub const VARIABLES: [&str; 14] = [
    "CRD_LS_API_SERVER",
    "CRD_LS_CASES",
    "CRD_LS_CONTROLLER_GEN",
    "CRD_LS_CR_ORACLE",
    "CRD_LS_EDITORS",
    "CRD_LS_FIXTURES",
    "CRD_LS_KEEP",
    "CRD_LS_MINOR",
    "CRD_LS_ONLY",
    "CRD_LS_ORACLE",
    "CRD_LS_PROGRAM",
    "CRD_LS_SEED",
    "CRD_LS_SHOW",
    "CRD_LS_UPDATE",
];

/// The number of cases to try: `CRD_LS_CASES`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cases {
    /// The usual number of each test.
    Usual,
    /// `N`: this number.
    Count(usize),
    /// `Nx`: `N` times the usual number.
    Times(usize),
    /// `all`: all existing cases.
    All,
}

impl FromStr for Cases {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.strip_suffix('x') {
            _ if text == "all" => Ok(Self::All),
            Some(times) => times.parse().map(Self::Times).map_err(drop),
            None => text.parse().map(Self::Count).map_err(drop),
        }
    }
}

fn requested_cases() -> Cases {
    parsed("CRD_LS_CASES", "a number, a factor such as `10x`, or `all`").unwrap_or(Cases::Usual)
}

/// The number of cases that a test generates, if it usually generates `usual`. Generated cases are endless, so `all` changes
/// nothing.
#[must_use]
pub fn made_up(usual: usize) -> usize {
    match requested_cases() {
        Cases::Usual | Cases::All => usual,
        Cases::Count(count) => count,
        Cases::Times(times) => usual.saturating_mul(times),
    }
}

/// The maximum number of existing cases that a test takes, if it usually takes `usual`.
#[must_use]
pub fn at_most(usual: usize) -> usize {
    if takes_all() { usize::MAX } else { made_up(usual) }
}

/// Whether a test takes all existing cases, if it usually takes a sample.
#[must_use]
pub fn takes_all() -> bool {
    requested_cases() == Cases::All
}

/// The factor by which the texts whose cost is measured are larger than usual.
#[must_use]
pub fn times() -> usize {
    match requested_cases() {
        Cases::Times(times) => times,
        _ => 1,
    }
}

/// The seed of a generator of random numbers, which is usually `usual`: `CRD_LS_SEED`.
#[must_use]
pub fn seed(usual: u64) -> u64 {
    parsed("CRD_LS_SEED", "a number").unwrap_or(usual)
}

/// Whether expected results are rewritten: `CRD_LS_UPDATE`, with any value.
#[must_use]
pub fn updates() -> bool {
    is_set("CRD_LS_UPDATE")
}

/// Whether results that are usually only counted are printed: `CRD_LS_SHOW`, with any value.
#[must_use]
pub fn shows() -> bool {
    is_set("CRD_LS_SHOW")
}

/// The name of the only case to try: `CRD_LS_ONLY`.
#[must_use]
pub fn only() -> Option<String> {
    parsed("CRD_LS_ONLY", "a name")
}

/// The folder for texts that a test writes and usually deletes: `CRD_LS_KEEP`.
#[must_use]
pub fn keep() -> Option<PathBuf> {
    env::var_os("CRD_LS_KEEP").map(PathBuf::from)
}

/// The file or folder at `path` in a folder with further cases, if it exists. That folder, `CRD_LS_FIXTURES`, has the layout
/// of `fixtures/`.
#[must_use]
pub fn fixtures(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os("CRD_LS_FIXTURES")?).join(path);
    path.exists().then_some(path)
}

/// The release of Kubernetes that answers are compared with, if not the newest: `CRD_LS_MINOR`.
#[must_use]
pub fn minor() -> Option<u8> {
    parsed("CRD_LS_MINOR", "the number of a minor release, such as `30`")
}

/// The program of `tests/oracle`, with the API server's code for definitions: `CRD_LS_ORACLE`.
#[must_use]
pub fn oracle() -> Option<PathBuf> {
    env::var_os("CRD_LS_ORACLE").map(PathBuf::from)
}

/// The program of `tests/oracle/rules`, with the API server's code for rules, which is beside that for definitions.
#[must_use]
pub fn rules_oracle() -> Option<PathBuf> {
    let program = oracle()?.with_file_name(format!("rules{}", env::consts::EXE_SUFFIX));
    program.is_file().then_some(program)
}

/// The program with the API server's code for resources, which is not part of this repository: `CRD_LS_CR_ORACLE`.
#[must_use]
pub fn resource_oracle() -> Option<PathBuf> {
    env::var_os("CRD_LS_CR_ORACLE").map(PathBuf::from)
}

/// The URL of an API server without encryption that has only definitions and resources: `CRD_LS_API_SERVER`.
#[must_use]
pub fn api_server() -> Option<String> {
    env::var("CRD_LS_API_SERVER").ok()
}

/// controller-gen v0.23.0, which runs Go: `CRD_LS_CONTROLLER_GEN`.
#[must_use]
pub fn controller_gen() -> Option<PathBuf> {
    env::var_os("CRD_LS_CONTROLLER_GEN").map(PathBuf::from)
}

/// The program that is tested instead of the one that cargo has built: `CRD_LS_PROGRAM`.
#[must_use]
pub fn program() -> Option<OsString> {
    env::var_os("CRD_LS_PROGRAM")
}

/// The use of real editors by tests: `CRD_LS_EDITORS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Editors {
    /// `none`: start none.
    None,
    /// `installed`, the default: start those that are installed, without a window.
    Installed,
    /// `all`: download VS Code and a browser as well.
    All,
    /// `required`: the same, and fail if these are not available.
    Required,
}

impl FromStr for Editors {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "none" => Ok(Self::None),
            "installed" => Ok(Self::Installed),
            "all" => Ok(Self::All),
            "required" => Ok(Self::Required),
            _ => Err(()),
        }
    }
}

/// The permitted use of real editors.
#[must_use]
pub fn editors() -> Editors {
    let allowed = "`none`, `installed` (the default), `all` or `required`";
    parsed("CRD_LS_EDITORS", allowed).unwrap_or(Editors::Installed)
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some()
}

/// The value of the variable, if it is set; `allowed` describes the valid values.
fn parsed<T: FromStr>(variable: &str, allowed: &str) -> Option<T> {
    let value = env::var_os(variable)?;
    let text = value.to_str().and_then(|text| text.parse().ok());
    Some(text.unwrap_or_else(|| panic!("{variable} is {allowed}, not {value:?}")))
}

#[cfg(test)]
mod tests {
    use super::{Cases, Editors};

    #[test]
    fn values_are_read() {
        assert!("12".parse() == Ok(Cases::Count(12)));
        assert!("10x".parse() == Ok(Cases::Times(10)));
        assert!("all".parse() == Ok(Cases::All));
        for wrong in ["", "x", "many", "-1", "1 x"] {
            assert!(wrong.parse::<Cases>().is_err(), "{wrong}");
        }
        assert_eq!("required".parse(), Ok(Editors::Required));
        assert!("everything".parse::<Editors>().is_err());
    }
}
