//! Wheels: `pip install crd-ls` puts the program into the environment's PATH. A wheel is a zip with a list of its files
//! (<https://packaging.python.org/en/latest/specifications/binary-distribution-format/>).

use std::path::Path;

use super::archive::{Entry, zip};
use super::checksums;
use super::programs::Program;
use super::release::Release;
use super::targets::Linker;
use super::{read_text, write};
use crate::place;

/// Writes the wheel for the program's platform into `out`.
pub(crate) fn pack(release: &Release, program: &Program, common: &Path, out: &Path) -> Result<(), String> {
    let version = &release.version;
    let data = format!("crd_ls-{version}.data");
    let dist_info = format!("crd_ls-{version}.dist-info");
    let script = Entry::program(format!("{data}/scripts/{}", program.target.program()), program)?;
    let tag = format!("py3-none-{}", platform(program, &script.bytes)?);
    let mut entries = vec![script];
    for (from, to) in [("completions", "crd-ls/completions"), ("man", "man")] {
        entries.extend(Entry::all(&common.join(from), &format!("{data}/data/share/{to}/"))?);
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", super::licences::FILE] {
        entries.push(Entry::text(format!("{dist_info}/licenses/{name}"), read_text(&common.join(name))?));
    }
    let wheel =
        format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\nTag: {tag}\n");
    entries.push(Entry::text(format!("{dist_info}/METADATA"), metadata(release)?));
    entries.push(Entry::text(format!("{dist_info}/WHEEL"), wheel));
    entries.push(record(&entries, &format!("{dist_info}/RECORD")));
    write(&out.join(format!("crd_ls-{version}-{tag}.whl")), zip(&entries)?)
}

fn metadata(release: &Release) -> Result<String, String> {
    let Release { version, repository, .. } = release;
    let description = read_text(&place::repository().join("packaging/description.md"))?;
    Ok(format!(
        "Metadata-Version: 2.4\nName: crd-ls\nVersion: {version}\n\
         Summary: Language server and checker for Kubernetes CustomResourceDefinitions\n\
         License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n\
         License-File: {}\nKeywords: kubernetes,crd,customresourcedefinition,cel,yaml,lsp\n\
         Classifier: Environment :: Console\nClassifier: Topic :: Software Development :: Quality Assurance\n\
         Requires-Python: >=3.7\nProject-URL: Repository, {repository}\n\
         Project-URL: Changelog, {repository}/blob/v{version}/CHANGELOG.md\n\
         Description-Content-Type: text/markdown\n\n{description}",
        super::licences::FILE
    ))
}

/// The list of all files with their checksums, which names itself without one.
fn record(entries: &[Entry], path: &str) -> Entry {
    let line = |Entry { path, bytes, .. }: &Entry| {
        format!("{path},sha256={},{}\n", checksums::url_safe(bytes), bytes.len())
    };
    let list: String = entries.iter().map(line).collect();
    Entry::text(path, format!("{list}{path},,\n"))
}

/// The platform tag. For glibc programs, it has the newest version that one of the program's symbols needs.
fn platform(program: &Program, bytes: &[u8]) -> Result<String, String> {
    let tag = program.target.wheel;
    if !matches!(program.target.linking, Linker::Glibc(_)) {
        return Ok(tag.to_owned());
    }
    let minor = newest_glibc(bytes).ok_or_else(|| format!("{} names no glibc", program.path.display()))?;
    // Installers support no tags before 2.5, and Rust's standard library needs at least 2.17.
    Ok(format!("manylinux_2_{}_{tag}", minor.max(17)))
}

/// The highest N of the names `GLIBC_2.N` in a program.
fn newest_glibc(bytes: &[u8]) -> Option<u32> {
    const NAME: &[u8] = b"GLIBC_2.";
    let following = bytes.windows(NAME.len()).enumerate().filter(|(_, window)| *window == NAME);
    let minor = following.filter_map(|(at, _)| {
        let digits = bytes.get(at + NAME.len()..)?.iter().take_while(|byte| byte.is_ascii_digit());
        String::from_utf8(digits.copied().collect()).ok()?.parse::<u32>().ok()
    });
    minor.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_required_glibc_decides() {
        assert_eq!(newest_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.28\0GLIBC_2.4\0GLIBC_PRIVATE"), Some(28));
        assert_eq!(newest_glibc(b"no such name"), None);
    }

    #[test]
    fn the_record_lists_each_file_with_its_checksum() {
        let record = record(&[Entry::text("a/b", "")], "x.dist-info/RECORD").bytes;
        let list = "a/b,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nx.dist-info/RECORD,,\n";
        assert_eq!(record, list.as_bytes());
    }
}
