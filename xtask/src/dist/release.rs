//! The version, the address and the time of a release.

use std::process::Command;

use crate::place;

/// The owner in an address that does not exist yet.
const PLACEHOLDER: &str = "/OWNER/";

/// A release.
pub(crate) struct Release {
    /// The version in `Cargo.toml`.
    pub(crate) version: String,
    /// The repository's address, without a trailing slash.
    pub(crate) repository: String,
    /// The commit's time, in seconds since 1970. All files in all packages have this time, so that one commit gives the same
    /// bytes.
    pub(crate) time: u64,
    pub(crate) commit: String,
}

impl Release {
    pub(crate) fn of_checkout() -> Result<Self, String> {
        let show_commit = |format: &str| {
            let mut git = Command::new("git");
            git.args(["log", "-1", format]).current_dir(place::repository());
            place::stdout_of(&mut git).map(|text| text.trim().to_owned())
        };
        let time = show_commit("--format=%ct")?;
        Ok(Self {
            // Cargo builds this program again if these values change.
            version: env!("CARGO_PKG_VERSION").to_owned(),
            repository: env!("CARGO_PKG_REPOSITORY").trim_end_matches('/').to_owned(),
            time: time.parse().map_err(|error| format!("the time of the commit, {time}: {error}"))?,
            commit: show_commit("--format=%H")?,
        })
    }

    /// `owner/name`.
    pub(crate) fn repository_name(&self) -> &str {
        self.repository
            .split_once("://")
            .map_or("", |(_, rest)| rest.split_once('/').map_or("", |(_, name)| name))
    }

    /// Fails if the address in `Cargo.toml` still has a placeholder as its owner.
    pub(crate) fn refuse_placeholder(&self) -> Result<(), String> {
        if !self.repository.contains(PLACEHOLDER) {
            return Ok(());
        }
        Err(format!(
            "the repository has no address yet: `repository` in Cargo.toml is {}. Name it with `cargo xtask address URL`",
            self.repository
        ))
    }

    /// The address of the files of this release.
    pub(crate) fn downloads(&self) -> String {
        format!("{}/releases/download/v{}", self.repository, self.version)
    }
}
