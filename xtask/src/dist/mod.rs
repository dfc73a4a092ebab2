//! `cargo xtask dist`: all files of a release, from one commit, into one directory; and the rehearsal of a release.

mod archive;
mod checksums;
mod graph;
mod image;
mod licences;
mod npm;
mod pages;
mod programs;
mod rehearse;
mod release;
mod sbom;
mod targets;
mod templates;
mod vscode;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use crate::place;
use programs::Programs;
pub(crate) use release::Release;

/// Make all files of a release: archives, wheels, npm packages, checksums, manifests for package managers.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only this target; default: all that this machine can build.
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
    /// Programs that other machines have built, as DIRECTORY/TRIPLE/crd-ls, instead of building.
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["build_only", "target"])]
    programs: Option<PathBuf>,
    /// Build only the programs, into programs/TRIPLE of the output directory, for `--programs` on another machine.
    #[arg(long)]
    build_only: bool,
    /// Fail if a platform is missing or the address is a placeholder.
    #[arg(long)]
    complete: bool,
    /// Then install the results in each way that users have, and run them; only for this machine's platform, with the
    /// release program that `cargo xtask counts` uses.
    #[arg(long, conflicts_with_all = ["build_only", "target", "complete"])]
    rehearse: bool,
    /// The output directory, which is emptied first; default: release-files in the target directory.
    #[arg(long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

/// Builds, packs, and rehearses on request.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let release = Release::of_checkout()?;
    if options.complete {
        release.refuse_placeholder()?;
    }
    let out = match &options.out {
        Some(out) => std::path::absolute(out).map_err(|error| format!("{}: {error}", out.display()))?,
        // Not "dist", which Cargo uses for the profile of that name.
        None => place::target_directory()?.join("release-files"),
    };
    empty(&out)?;
    let programs = match &options.programs {
        Some(directory) => Programs::built_elsewhere(directory)?,
        None if options.rehearse => Programs::of_this_machine()?,
        None => Programs::build(&options.target)?,
    };
    programs.print();
    if options.complete {
        programs.refuse_gaps()?;
    }
    if options.build_only {
        return programs.copy_to(&out.join("programs"));
    }
    // Tests of the extension pack it and start it.
    pack(&release, &programs, !options.rehearse, &out)?;
    if options.rehearse { rehearse::run(&release, &out) } else { Ok(()) }
}

/// Makes all files from the programs; the slow ones for editors only on request.
fn pack(release: &Release, programs: &Programs, with_editors: bool, out: &Path) -> Result<(), String> {
    let graph = graph::Graph::read()?;
    let common = pages::write(programs, &out.join("common"))?;
    write(&common.join(licences::FILE), &licences::text(&graph)?)?;
    for program in &programs.built {
        archive::pack(release, program, &common, out)?;
        wheel::pack(release, program, &common, &out.join("wheels"))?;
        npm::pack_platform(release, program, &common, &out.join("npm"))?;
    }
    npm::pack_main(release, &programs.built, &common, &out.join("npm"))?;
    npm::pack_module(release, &common, &out.join("npm"))?;
    if with_editors {
        vscode::pack(release, &programs.built, &out.join("vscode"))?;
    }
    image::write(programs, &common, &out.join("image"))?;
    write(&out.join(sbom::file(release)), sbom::text(release, &graph))?;
    checksums::write_list(out)?;
    templates::fill(release, out)?;
    println!("made in {}:", out.display());
    for path in files(out)? {
        let bytes = fs::metadata(out.join(&path)).map_or(0, |metadata| metadata.len());
        println!("  {:>9} KiB  {}", bytes.div_ceil(1024), path.display());
    }
    Ok(())
}

/// Empties or creates `directory`.
fn empty(directory: &Path) -> Result<(), String> {
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    make(directory)
}

fn make(directory: &Path) -> Result<(), String> {
    fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))
}

/// Writes a file, and creates its parent directories.
fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    path.parent().map_or(Ok(()), make)?;
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The files below `directory`, as relative paths, sorted.
fn files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() {
                pending.push(path);
            } else if let Ok(path) = path.strip_prefix(directory) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A path below one of our directories in the notation of archives.
fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
