//! npm packages: `crd-ls` starts the program of the package for the platform, which is one of its optional dependencies.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::archive::{Entry, tar_gz};
use super::programs::Program;
use super::release::Release;
use super::{read_text, write};
use crate::place;

/// Writes the package with the program for one platform into `out`.
pub(crate) fn pack_platform(
    release: &Release,
    program: &Program,
    common: &Path,
    out: &Path,
) -> Result<(), String> {
    let target = program.target;
    let (system, processor, library) = target.npm;
    let name = target.npm_package();
    let mut manifest = manifest(release, &name, &format!("The program of crd-ls for {}", target.triple));
    manifest.insert("os".to_owned(), json!([system]));
    manifest.insert("cpu".to_owned(), json!([processor]));
    if let Some(library) = library {
        manifest.insert("libc".to_owned(), json!([library]));
    }
    let readme = format!(
        "# {name}\n\nThe program of [crd-ls](https://www.npmjs.com/package/crd-ls) for {}.\n",
        target.triple
    );
    let mut entries = vec![
        Entry::text("package/package.json", format!("{:#}\n", Value::Object(manifest))),
        Entry::program(format!("package/bin/{}", target.program()), program)?,
        Entry::text("package/README.md", readme),
    ];
    entries.extend(licences(common)?);
    write(&out.join(file(&name, release)), tar_gz(&entries, release.time)?)
}

/// Writes the package that users install into `out`.
pub(crate) fn pack_main(
    release: &Release,
    programs: &[Program],
    common: &Path,
    out: &Path,
) -> Result<(), String> {
    let packaging = place::repository().join("packaging");
    let description = "Language server and checker for Kubernetes CustomResourceDefinitions";
    let mut manifest = manifest(release, "crd-ls", description);
    let platforms = programs.iter().map(|program| (program.target.npm_package(), json!(release.version)));
    manifest.insert("bin".to_owned(), json!({ "crd-ls": "bin/crd-ls.js" }));
    manifest.insert("optionalDependencies".to_owned(), Value::Object(platforms.collect()));
    manifest.insert(
        "keywords".to_owned(),
        json!(["kubernetes", "crd", "customresourcedefinition", "cel", "yaml", "lsp"]),
    );
    let starter = Entry {
        is_program: true,
        ..Entry::text("package/bin/crd-ls.js", read_text(&packaging.join("npm/crd-ls.js"))?)
    };
    let mut entries = vec![
        Entry::text("package/package.json", format!("{:#}\n", Value::Object(manifest))),
        starter,
        Entry::text("package/README.md", read_text(&packaging.join("description.md"))?),
    ];
    entries.extend(licences(common)?);
    write(&out.join(file("crd-ls", release)), tar_gz(&entries, release.time)?)
}

/// Writes the package for browsers into `out` if `cargo xtask web` has made its module; otherwise prints that
/// it is missing.
pub(crate) fn pack_module(release: &Release, common: &Path, out: &Path) -> Result<(), String> {
    let package = place::repository().join("web/package");
    if !package.join("crd-ls.wasm").exists() {
        println!("skipped: the npm package for browsers, as `cargo xtask web` was not run");
        return Ok(());
    }
    let mut entries = Entry::all(&package, "package/")?;
    entries.extend(licences(common)?);
    write(&out.join(file("crd-ls-wasm", release)), tar_gz(&entries, release.time)?)
}

fn manifest(release: &Release, name: &str, description: &str) -> Map<String, Value> {
    let manifest = json!({
        "name": name,
        "version": release.version,
        "description": description,
        "license": "MIT OR Apache-2.0",
        "repository": { "type": "git", "url": format!("git+{}.git", release.repository) },
        "engines": { "node": ">=18" },
        "preferUnplugged": true,
    });
    manifest.as_object().cloned().unwrap_or_default()
}

fn licences(common: &Path) -> Result<Vec<Entry>, String> {
    let names = ["LICENSE-APACHE", "LICENSE-MIT", super::licences::FILE];
    names
        .iter()
        .map(|name| Ok(Entry::text(format!("package/{name}"), read_text(&common.join(name))?)))
        .collect()
}

/// The file name that `npm pack` uses.
pub(crate) fn file(name: &str, release: &Release) -> String {
    format!("{}-{}.tgz", name.trim_start_matches('@').replace('/', "-"), release.version)
}
