//! Starts `crd-ls server` for YAML files in Zed: the program in PATH, or otherwise that of the latest release, which is
//! downloaded.

use std::fs;

use zed_extension_api::{
    self as zed, Architecture, Command, DownloadedFileType, GithubReleaseOptions, LanguageServerId,
    LanguageServerInstallationStatus as Status, Os, Result, Worktree,
};

/// The repository of the releases. `cargo xtask address` keeps it equal to the address in the `Cargo.toml` at the root.
const REPOSITORY: &str = "OWNER/crd-ls";

#[derive(Default)]
struct CrdLs {
    /// The path of the downloaded program.
    downloaded: Option<String>,
}

/// The name and the type of the release file for a platform.
fn archive(os: Os, architecture: Architecture) -> Result<(String, DownloadedFileType)> {
    let architecture = match architecture {
        Architecture::Aarch64 => "aarch64",
        Architecture::X8664 => "x86_64",
        Architecture::X86 => return Err("crd-ls has no program for 32-bit processors".to_owned()),
    };
    Ok(match os {
        Os::Mac => (format!("crd-ls-{architecture}-apple-darwin.tar.gz"), DownloadedFileType::GzipTar),
        // The program is static, so it runs with any C library.
        Os::Linux => (format!("crd-ls-{architecture}-unknown-linux-musl.tar.gz"), DownloadedFileType::GzipTar),
        Os::Windows => (format!("crd-ls-{architecture}-pc-windows-msvc.zip"), DownloadedFileType::Zip),
    })
}

impl CrdLs {
    /// The path of the program of the latest release. Downloads the program if necessary.
    fn download(&mut self, id: &LanguageServerId) -> Result<String> {
        if let Some(program) = self.downloaded.as_ref().filter(|program| fs::metadata(program).is_ok()) {
            return Ok(program.clone());
        }
        zed::set_language_server_installation_status(id, &Status::CheckingForUpdate);
        let options = GithubReleaseOptions { require_assets: true, pre_release: false };
        let release = zed::latest_github_release(REPOSITORY, options)?;
        let (os, architecture) = zed::current_platform();
        let (name, kind) = archive(os, architecture)?;
        let asset = release.assets.iter().find(|asset| asset.name == name);
        let asset = asset.ok_or_else(|| format!("release {} of {REPOSITORY} has no {name}", release.version))?;
        let folder = format!("crd-ls-{}", release.version);
        let program = format!("{folder}/{}", if matches!(os, Os::Windows) { "crd-ls.exe" } else { "crd-ls" });
        if fs::metadata(&program).is_err() {
            zed::set_language_server_installation_status(id, &Status::Downloading);
            zed::download_file(&asset.download_url, &folder, kind)?;
            zed::make_file_executable(&program)?;
            remove_others(&folder)?;
        }
        self.downloaded = Some(program.clone());
        Ok(program)
    }
}

/// Removes the downloads of earlier releases.
fn remove_others(folder: &str) -> Result<()> {
    let entries = fs::read_dir(".").map_err(|error| format!("the extension's directory: {error}"))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("the extension's directory: {error}"))?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with("crd-ls-") && name != folder) {
            fs::remove_dir_all(entry.path()).map_err(|error| format!("{}: {error}", entry.path().display()))?;
        }
    }
    Ok(())
}

impl zed::Extension for CrdLs {
    fn new() -> Self {
        Self::default()
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = match worktree.which("crd-ls") {
            Some(command) => command,
            None => self.download(id)?,
        };
        Ok(Command { command, args: vec!["server".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(CrdLs);
