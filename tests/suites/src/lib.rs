//! The cases below `fixtures/`, in Markdown files with one topic each. `docs/testing.md` describes their form.
//!
//! Functions that return texts present each text of a suite as a separate file beside the suite: `NAME.yaml` or
//! `NAME.PART.yaml`. Real files of that form may be there as well, and are read in the same way.

mod case;
mod folder;
mod suite;

#[cfg(test)]
mod tests;

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

pub use case::{Case, Text};
pub use folder::cases;

/// The ending of the name of a golden beside its text.
pub const GOLDEN: &str = ".expect.json";

/// The folder of all fixtures.
#[must_use]
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// The YAML texts in `folder` that are UTF-8, in the order of their names.
///
/// # Errors
///
/// A file cannot be read, or a suite has an invalid form.
pub fn texts(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let texts = cases(folder)?.into_iter().flat_map(|case| case.texts);
    let mut texts: Vec<(PathBuf, String)> = texts.filter(Text::is_yaml).filter_map(Text::into_utf8).collect();
    texts.sort();
    Ok(texts)
}

/// The same texts in `folder` and all folders below, in the order of their paths.
///
/// # Errors
///
/// As for [`texts`].
pub fn texts_below(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let texts = all_below(folder)?.into_iter().filter(Text::is_yaml);
    Ok(texts.filter_map(Text::into_utf8).collect())
}

/// All texts in `folder` and the folders below, of any encoding, in the order of their paths.
///
/// # Errors
///
/// As for [`texts`].
pub fn all_below(folder: &Path) -> Result<Vec<Text>> {
    let mut folders = vec![folder.to_path_buf()];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        all.extend(cases(&folder)?.into_iter().flat_map(|case| case.texts));
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    all.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(all)
}

/// The text at `path`, or the text with that name in a suite beside it.
///
/// # Errors
///
/// There is none, or it is not UTF-8.
pub fn read(path: &Path) -> Result<String> {
    if path.is_file() {
        return std::fs::read_to_string(path);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let texts = folder::remembered(folder)?;
    let text = texts.iter().flat_map(|case| &case.texts).find(|text| text.path == path);
    let text = text.and_then(|text| text.as_utf8()).map(str::to_owned);
    text.ok_or_else(|| Error::other(format!("{}: no file, and no suite has it", path.display())))
}

/// Writes the texts in `folder` as files to the directory `into`, for programs that read files.
///
/// # Errors
///
/// As for [`texts`], or a file cannot be written.
pub fn unpack(folder: &Path, into: &Path) -> Result<()> {
    std::fs::create_dir_all(into)?;
    for case in cases(folder)? {
        for text in &case.texts {
            std::fs::write(into.join(text.file_name()), &text.bytes)?;
        }
    }
    Ok(())
}

/// Writes the result of `answer` into the block `kind`, such as `findings` or `yaml after`, of each case in a suite of
/// `folder`, and returns the number of changed suites. A missing block is added at the end of the case; a case without an
/// answer is not changed.
///
/// # Errors
///
/// As for [`texts`], or a suite cannot be written.
pub fn record(folder: &Path, kind: &str, mut answer: impl FnMut(&Case) -> Option<String>) -> Result<usize> {
    let mut changed = 0;
    for path in folder::suites_in(folder)? {
        let text = std::fs::read_to_string(&path)?;
        let mut written = text.clone();
        // From the end backwards, so that the places of earlier cases stay valid.
        for case in suite::cases(&path, &text)?.iter().rev() {
            if let Some(answer) = answer(case) {
                case.put(kind, &answer, &mut written)?;
            }
        }
        if written != text {
            std::fs::write(&path, written)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// Decodes a field of a table with the escapes `\\`, `\n`, `\r`, `\t` and `\uXXXX`; `None` if it has another one.
#[must_use]
pub fn unescape(field: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = field.chars();
    while let Some(character) = rest.next() {
        let escaped = if character == '\\' { rest.next()? } else { '\0' };
        text.push(match escaped {
            '\0' => character,
            '\\' => '\\',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits: String = rest.by_ref().take(4).collect();
                char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
    Some(text)
}
