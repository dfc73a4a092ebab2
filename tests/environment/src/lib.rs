//! The environment variables of the tests: all of them, and nobody else reads one.
//!
//! `docs/testing.md` has a row for each. A variable whose value is not one that it can have ends the test with a message, as
//! a run that silently takes the default would be taken for the one that was asked for.
#![allow(clippy::panic, reason = "whoever runs the tests has set a variable wrong")]

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

/// How many cases are tried: `CRD_LS_CASES`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cases {
    /// As many as each test tries by itself.
    Usual,
    /// `N`: so many.
    Count(usize),
    /// `Nx`: so many times the usual number.
    Times(usize),
    /// `all`: all that there are.
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

fn asked() -> Cases {
    parsed("CRD_LS_CASES", "a number, a factor such as `10x`, or `all`").unwrap_or(Cases::Usual)
}

/// How many cases a test makes up that usually makes up `usual`. There is no end to these, so `all` changes nothing.
#[must_use]
pub fn made_up(usual: usize) -> usize {
    match asked() {
        Cases::Usual | Cases::All => usual,
        Cases::Count(count) => count,
        Cases::Times(times) => usual.saturating_mul(times),
    }
}

/// How many cases a test takes at most, of those that there are, if it usually takes `usual`.
#[must_use]
pub fn at_most(usual: usize) -> usize {
    if takes_all() { usize::MAX } else { made_up(usual) }
}

/// Whether a test takes all cases that there are, if it usually takes a sample.
#[must_use]
pub fn takes_all() -> bool {
    asked() == Cases::All
}

/// How many times as large as usual the texts are whose cost is measured.
#[must_use]
pub fn times() -> usize {
    match asked() {
        Cases::Times(times) => times,
        _ => 1,
    }
}

/// Where a generator of random numbers starts that usually starts at `usual`: `CRD_LS_SEED`.
#[must_use]
pub fn seed(usual: u64) -> u64 {
    parsed("CRD_LS_SEED", "a number").unwrap_or(usual)
}

/// Whether expected results are written anew: `CRD_LS_UPDATE`, with any value.
#[must_use]
pub fn updates() -> bool {
    is_set("CRD_LS_UPDATE")
}

/// Whether what is otherwise only counted is printed: `CRD_LS_SHOW`, with any value.
#[must_use]
pub fn shows() -> bool {
    is_set("CRD_LS_SHOW")
}

/// The name of the one case that is tried: `CRD_LS_ONLY`.
#[must_use]
pub fn only() -> Option<String> {
    parsed("CRD_LS_ONLY", "a name")
}

/// The folder for texts that a test makes and usually throws away: `CRD_LS_KEEP`.
#[must_use]
pub fn keep() -> Option<PathBuf> {
    env::var_os("CRD_LS_KEEP").map(PathBuf::from)
}

/// The folder with cases from elsewhere, which is laid out as `fixtures/`: `CRD_LS_FIXTURES`. What lies at `path` in it,
/// if there is something.
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

/// The URL of an API server that has definitions and resources alone, without encryption: `CRD_LS_API_SERVER`.
#[must_use]
pub fn api_server() -> Option<String> {
    env::var("CRD_LS_API_SERVER").ok()
}

/// controller-gen v0.23.0, which runs Go: `CRD_LS_CONTROLLER_GEN`.
#[must_use]
pub fn controller_gen() -> Option<PathBuf> {
    env::var_os("CRD_LS_CONTROLLER_GEN").map(PathBuf::from)
}

/// The program that is tested in place of the one that cargo has built: `CRD_LS_PROGRAM`.
#[must_use]
pub fn program() -> Option<OsString> {
    env::var_os("CRD_LS_PROGRAM")
}

/// What the tests may do with real editors: `CRD_LS_EDITORS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Editors {
    /// `none`: start none.
    None,
    /// `installed`, the default: start those that are installed, without a window.
    Installed,
    /// `all`: download VS Code and a browser as well.
    All,
    /// `required`: the same, and fail where these cannot be had.
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

/// What the tests may do with real editors.
#[must_use]
pub fn editors() -> Editors {
    let allowed = "`none`, `installed` (the default), `all` or `required`";
    parsed("CRD_LS_EDITORS", allowed).unwrap_or(Editors::Installed)
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some()
}

/// The value of the variable, which is one of `allowed`, if it is set.
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
