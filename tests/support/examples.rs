//! The examples of documents: fenced blocks of YAML and Go with a comment above them that describes them.
//!
//! `<!-- example: right -->` or `wrong`, and then, after commas:
//!
//! | Option | Meaning |
//! |---|---|
//! | `named NAME` | other examples of the document refer to it |
//! | `of NAME` | it is a resource, and the example NAME is its definition |
//! | `replaces NAME` | it is a definition that replaces the example NAME |
//! | `updates NAME` | it is a resource that replaces the stored resource NAME |
//! | `generated from NAME` | it is the schema of `spec` that is generated from the Go types NAME |
//! | `with experiments` | it needs the settings `experimental`, which the playground does not have |
//!
//! A block `text` directly below has the findings. Fragments of definitions are completed ([`super::completed`]). A block that no
//! test can check has the comment `<!-- not checked: REASON -->`.

// xtask and the tests each use a part of it.
#![allow(dead_code)]

use super::completed;

/// A block of YAML or Go.
#[derive(Clone, Copy)]
pub(crate) struct Example<'t> {
    /// `yaml` or `go`.
    pub(crate) language: &'t str,
    pub(crate) text: &'t str,
    /// The line of its fence, from 0.
    pub(crate) line: usize,
    /// The line of the last fence, its own or that of the findings.
    pub(crate) end: usize,
    /// The text between `<!--` and `-->` above it.
    pub(crate) mark: Option<&'t str>,
    /// The block `text` below it.
    pub(crate) listed: &'t str,
}

/// The texts for the panes of the playground.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) definition: String,
    pub(crate) resource: String,
    pub(crate) old: String,
    /// The stored resource, for which the playground has no pane.
    pub(crate) stored: String,
}

impl<'t> Example<'t> {
    /// All examples of a document.
    pub(crate) fn all(markdown: &'t str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let (mut mark, mut is_below) = (None, false);
        let mut lines = lines(markdown).enumerate();
        while let Some((line, (start, text))) = lines.next() {
            if let Some(language) = text.strip_prefix("```") {
                let inner = start + text.len() + 1;
                let fence = lines.by_ref().find(|(_, (_, text))| *text == "```");
                let (end, outer) = fence.map_or((line, markdown.len()), |(end, (outer, _))| (end, outer));
                let text = markdown.get(inner..outer).unwrap_or_default();
                if ["yaml", "go"].contains(&language) {
                    all.push(Self { language, text, line, end, mark, listed: "" });
                } else if let (true, "text", Some(last)) = (is_below, language, all.last_mut()) {
                    (last.listed, last.end) = (text, end);
                }
                is_below = ["yaml", "go"].contains(&language);
            } else if !text.is_empty() {
                is_below = false;
            }
            mark = text.strip_prefix("<!-- ").and_then(|comment| comment.strip_suffix(" -->"));
        }
        all
    }

    /// Whether a test checks it.
    pub(crate) fn is_checked(&self) -> bool {
        self.words().is_some()
    }

    /// Whether it must have findings; false if no test checks it.
    pub(crate) fn is_wrong(&self) -> bool {
        self.words().and_then(|mut words| words.next()) == Some("wrong")
    }

    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&'t str> {
        self.words()?.find_map(|option| option.strip_prefix(name)?.strip_prefix(' '))
    }

    fn words(&self) -> Option<impl Iterator<Item = &'t str> + use<'t>> {
        Some(self.mark?.strip_prefix("example: ")?.split(',').map(str::trim))
    }

    /// The texts of the example for the playground; `all` has the other examples of its document.
    ///
    /// # Errors
    /// No example has the name in an option, or a fragment cannot be completed.
    pub(crate) fn texts(&self, all: &[Self]) -> Result<Texts, String> {
        let named = |option: &str| {
            let Some(name) = self.option(option) else { return Ok(None) };
            let found = all.iter().find(|other| other.option("named") == Some(name));
            found.map(|found| Some(found.text)).ok_or_else(|| format!("no example is named {name}"))
        };
        if let Some(definition) = named("of")? {
            let definition = completed::definition("", definition)?;
            let stored = named("updates")?.unwrap_or_default().to_owned();
            return Ok(Texts { definition, resource: self.text.to_owned(), stored, ..Texts::default() });
        }
        let old = named("replaces")?.map_or(Ok(String::new()), |old| completed::definition("", old))?;
        Ok(Texts { definition: completed::definition("", self.text)?, old, ..Texts::default() })
    }
}

/// The lines of a text, without their line breaks, each with its start.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let own = start;
        start += line.len() + 1;
        (own, line)
    })
}
