//! A case: its description, its texts, and the expected results.

use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;

/// The part of a suite below one heading, or a file and those that belong to it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its heading.
    pub name: String,
    /// The description of the case.
    pub story: String,
    /// The suite, or the file.
    pub path: PathBuf,
    /// The line of its heading, from 1.
    pub line: usize,
    /// The YAML or JSON, in the order of the suite.
    pub texts: Vec<Text>,
    /// The expected answer of the API server's code.
    pub server: Option<String>,
    /// The expected findings of crd-ls.
    pub findings: Option<String>,
    pub(crate) blocks: Vec<Block>,
}

/// A text, as if it were a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its role if a case has several texts: `old`, `new`, `crd`, `cr`; otherwise empty.
    pub part: String,
    /// The path of the file that it is, or would be.
    pub path: PathBuf,
    /// The content of that file.
    pub bytes: Vec<u8>,
}

/// A block between fences.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its language, and its role.
    pub(crate) kind: String,
    /// The file that holds its body, if that is a separate file.
    pub(crate) from: Option<PathBuf>,
    /// The range from the first fence to the line break after the last one.
    pub(crate) range: Range<usize>,
}

impl Text {
    /// The text, if it is UTF-8.
    #[must_use]
    pub fn as_utf8(&self) -> Option<&str> {
        str::from_utf8(&self.bytes).ok()
    }

    /// The name of the file.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(crate) fn is_yaml(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
    }

    pub(crate) fn into_utf8(self) -> Option<(PathBuf, String)> {
        Some((self.path, String::from_utf8(self.bytes).ok()?))
    }
}

impl Case {
    /// The text with the role `part`.
    #[must_use]
    pub fn part(&self, part: &str) -> Option<&Text> {
        self.texts.iter().find(|text| text.part == part)
    }

    /// The definition that is checked: the only one, or the one that replaces the stored one.
    #[must_use]
    pub fn checked(&self) -> Option<&Text> {
        self.part("").or_else(|| self.part("new"))
    }

    /// The message for a failed case: its place, its description, its texts, and the `expected` and `found` results.
    #[must_use]
    pub fn failed(&self, expected: &str, found: &str) -> String {
        let mut report = format!("{}:{}: {}\n\n{}\n", self.path.display(), self.line, self.name, self.story);
        for text in &self.texts {
            let shown = String::from_utf8_lossy(&text.bytes);
            let _ = write!(report, "\n{}:\n{}", text.file_name(), indented(&shown));
        }
        let _ = write!(report, "\nexpected:\n{}\nfound:\n{}", indented(expected), indented(found));
        report
    }

    /// Writes `body` into the block `kind` of the case in `suite`, the text of the suite, or into the file that holds the
    /// block.
    pub(crate) fn put(&self, kind: &str, body: &str, suite: &mut String) -> std::io::Result<()> {
        let block = block(kind, body);
        match self.blocks.iter().find(|block| block.kind == kind) {
            Some(Block { from: Some(file), .. }) => return std::fs::write(file, body),
            Some(old) => suite.replace_range(old.range.clone(), &block),
            None => {
                let end = self.blocks.last().map_or(suite.len(), |last| last.range.end);
                suite.insert_str(end, &format!("\n{block}"));
            }
        }
        Ok(())
    }
}

/// A block with `body`; its fences are longer than any in the body.
fn block(kind: &str, body: &str) -> String {
    let longest = body.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let (word, end) =
        if body.is_empty() || body.ends_with('\n') { ("", "") } else { (" unterminated", "\n") };
    format!("{fence}{kind}{word}\n{body}{end}{fence}\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}
