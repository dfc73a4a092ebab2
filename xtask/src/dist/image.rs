//! The context of the container image: a static program for each processor, licences, and a Dockerfile.

use std::fs;
use std::path::Path;

use super::programs::Programs;
use super::targets::Linker;
use crate::place;

/// Writes the context of the image if there are static programs for it.
pub(crate) fn write(programs: &Programs, common: &Path, out: &Path) -> Result<(), String> {
    let is_static = |linking: Linker| linking == Linker::Musl;
    let mut processors = Vec::new();
    for program in programs.built.iter().filter(|program| is_static(program.target.linking)) {
        // The name of the processor for container tools.
        let processor = if program.target.triple.starts_with("x86_64") { "amd64" } else { "arm64" };
        let folder = out.join(processor);
        super::make(&folder)?;
        fs::copy(&program.path, folder.join("crd-ls"))
            .map_err(|error| format!("{}: {error}", program.path.display()))?;
        processors.push(processor);
    }
    if processors.is_empty() {
        println!("skipped: the context of the container image, as no static program (musl) was built here");
        return Ok(());
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", super::licences::FILE] {
        super::write(&out.join("licenses").join(name), super::read(&common.join(name))?)?;
    }
    super::write(
        &out.join("Dockerfile"),
        super::read(&place::repository().join("packaging/image/Dockerfile"))?,
    )
}
