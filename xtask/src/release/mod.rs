//! `cargo xtask release VERSION`: sets one version in all files that contain it, and cuts the changelog.
//! `cargo xtask address URL`: sets one address in all files that contain it.

mod changelog;
mod versions;

use std::fs;
use std::process::Command;

use crate::dist::Release;
use crate::place;

/// Sets `version` everywhere and cuts the changelogs; commits nothing.
pub(crate) fn run(version: &str) -> Result<(), String> {
    let release = Release::of_checkout()?;
    release.refuse_placeholder()?;
    refuse_changes()?;
    let (old, new) = (numbers(&release.version)?, numbers(version)?);
    if new < old {
        return Err(format!("{version} is older than {}, the version of Cargo.toml", release.version));
    }
    edit("CHANGELOG.md", |text| changelog::cut(text, version, &today()))?;
    edit("vscode-extension/CHANGELOG.md", |text| Ok(changelog::cut_of_extension(text, version)))?;
    for (path, template) in versions::MENTIONS {
        edit(path, |text| versions::replaced(text, template, &release.version, version))?;
    }
    for path in versions::LOCKS {
        edit(path, |text| Ok(versions::replaced_in_lock(text, &release.version, version)))?;
    }
    println!("Read `git diff`, then:");
    println!("  git commit --all --message 'Release {version}'");
    println!("  git tag --annotate v{version} --message v{version}");
    println!("  git push origin main v{version}");
    println!("The tag starts .github/workflows/release.yml, whose last jobs wait for an approval.");
    Ok(())
}

/// Replaces the repository's address with `address` in all files of the repository.
pub(crate) fn set_address(address: &str) -> Result<(), String> {
    let release = Release::of_checkout()?;
    let address = address.trim_end_matches('/').trim_end_matches(".git");
    let parts: Vec<&str> = address.split('/').collect();
    let ["https:", "", host, owner, name] = parts[..] else {
        return Err(format!("{address} is not of the form https://HOST/OWNER/NAME"));
    };
    if host.is_empty() || owner.is_empty() || name != "crd-ls" {
        return Err(format!(
            "{address}: the repository is to be named crd-ls, as the programs and packages are"
        ));
    }
    let old = release.repository_name().to_owned();
    let listed = place::stdout_of(
        Command::new("git")
            .args(["grep", "-l", "-F", &old, "--", ".", ":!xtask"])
            .current_dir(place::repository()),
    )?;
    for path in listed.lines() {
        let new = format!("{owner}/{name}");
        edit(path, |text| Ok(text.replace(&release.repository, address).replace(&old, &new)))?;
        println!("{path}");
    }
    Ok(())
}

/// Fails if there are uncommitted changes.
fn refuse_changes() -> Result<(), String> {
    let mut git = Command::new("git");
    let changed = place::stdout_of(git.args(["status", "--porcelain"]).current_dir(place::repository()))?;
    match changed.lines().next() {
        None => Ok(()),
        Some(first) => {
            Err(format!("there are changes that are not committed, such as `{first}`: commit them first"))
        }
    }
}

fn edit(path: &str, change: impl FnOnce(&str) -> Result<String, String>) -> Result<(), String> {
    let file = place::repository().join(path);
    let text = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
    let changed = change(&text).map_err(|problem| format!("{path}: {problem}"))?;
    if changed == text {
        Ok(())
    } else {
        fs::write(&file, changed).map_err(|error| format!("{path}: {error}"))
    }
}

/// The three numbers of a version.
fn numbers(version: &str) -> Result<[u32; 3], String> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    parts
        .and_then(|parts| <[u32; 3]>::try_from(parts).ok())
        .ok_or_else(|| format!("{version} is not a version of three numbers, such as 1.2.3"))
}

/// The date in the format of changelogs: 2026-01-31.
fn today() -> String {
    jiff::Timestamp::now().strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn versions_have_three_numbers() {
        assert_eq!(numbers("1.2.10"), Ok([1, 2, 10]));
        assert!(numbers("1.2.10") > numbers("1.2.9"));
        for wrong in ["1.2", "v1.2.3", "1.2.3-rc1", ""] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_release_needs_an_address() {
        let release = Release {
            version: "0.1.0".to_owned(),
            repository: "https://forge.example/OWNER/crd-ls".to_owned(),
            time: 0,
            commit: String::new(),
        };
        assert!(release.refuse_placeholder().unwrap_err().contains("cargo xtask address URL"));
        let release = Release { repository: "https://forge.example/someone/crd-ls".to_owned(), ..release };
        assert_eq!(release.refuse_placeholder(), Ok(()));
    }

    #[test]
    fn all_files_name_the_address_of_cargo_toml() {
        let release = Release::of_checkout().unwrap();
        let host = release.repository.split('/').nth(2).unwrap();
        let known = format!("{host}/{}", release.repository_name());
        let mut git = Command::new("git");
        git.args([
            "grep",
            "-I",
            "-n",
            "-E",
            &format!("{host}/[A-Za-z0-9_-]+/crd-ls\\b"),
            "--",
            ".",
            ":!xtask",
        ]);
        let mentions = place::stdout_of(git.current_dir(place::repository())).unwrap();
        assert!(mentions.lines().count() > 3, "{mentions}");
        for line in mentions.lines() {
            assert!(line.contains(&known), "not {known}: {line}");
        }
    }
}
