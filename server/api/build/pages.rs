//! Pages of rules, `rules/GROUP/NAME.md`, and the documents that they cite, `sources.tsv`.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The sections of a page, in their order, and whether every page must have them. CONTRIBUTING.md describes
/// each section.
const SECTIONS: [(&str, bool); 10] = [
    ("Summary", true),
    ("What kube-apiserver does", true),
    ("Wrong", false),
    ("Right", false),
    ("Old", false),
    ("New", false),
    ("Example", false),
    ("How to fix", true),
    ("When to ignore", true),
    ("kubebuilder marker", true),
];

/// The placeholder that `cargo xtask new-check` writes for the author.
pub(crate) const UNWRITTEN: &str = "FILL IN";

#[derive(Default)]
pub(crate) struct Page {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) since: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) is_off: bool,
    /// Codes of other rules that report the example.
    pub(crate) beside: Vec<String>,
    /// Titles and addresses.
    pub(crate) sources: Vec<(String, String)>,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) server: String,
    pub(crate) example: Example,
    pub(crate) fix: String,
    pub(crate) ignore: String,
    pub(crate) marker: String,
}

pub(crate) enum Example {
    None(String),
    Transcript(String),
    Correction { wrong: String, right: String },
    Change { old: String, new: String },
}

impl Default for Example {
    fn default() -> Self {
        Self::None(String::new())
    }
}

/// Reads the pages, sorted by code.
pub(crate) fn read(folder: &Path, sources: &str) -> io::Result<Vec<Page>> {
    let sources = known_sources(sources).map_err(io::Error::other)?;
    let mut pages = Vec::new();
    for group in sorted(folder)? {
        // cargo checks only the modification times of a folder's direct entries.
        println!("cargo::rerun-if-changed={}", group.display());
        for path in sorted(&group)? {
            let place = path.display().to_string();
            let page = page(&fs::read_to_string(&path)?, &path, &sources);
            pages.push(page.map_err(|problem| io::Error::other(format!("{place}: {problem}")))?);
        }
    }
    pages.sort_by(|one: &Page, other| one.code.cmp(&other.code));
    for page in &pages {
        if let Some(unknown) = page.beside.iter().find(|code| pages.iter().all(|page| page.code != **code)) {
            let code = &page.code;
            return Err(io::Error::other(format!("rules/{code}.md: `beside: {unknown}` names no page")));
        }
    }
    Ok(pages)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// Key, title and address of each row.
fn known_sources(table: &str) -> Result<Vec<[&str; 3]>, String> {
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| match row.split('\t').collect::<Vec<_>>()[..] {
        [word, title, url] if url.starts_with("https://") => Ok([word, title, url]),
        _ => Err(format!("sources.tsv: a row has a word, a title and an address with https: {row}")),
    })
    .collect()
}

fn page(text: &str, path: &Path, sources: &[[&str; 3]]) -> Result<Page, String> {
    if let Some(line) = text.lines().find(|line| line.contains(UNWRITTEN)) {
        return Err(format!("nobody has written this yet: `{line}`"));
    }
    let (head, body) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .ok_or("the page does not begin with `key: value` lines between two `---`")?;
    let body = body.strip_prefix("# ").ok_or("no title (`# …`) follows the head")?;
    let (title, body) = body.split_once("\n\n").ok_or("nothing follows the title")?;
    let mut page = Page { title: title.to_owned(), ..Page::default() };
    let mut no_example = None;
    for line in head.lines() {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("`{line}` is not `key: value`"))?;
        match (key, value) {
            ("code", _) => page.code = value.to_owned(),
            ("severity", "error" | "warning" | "information" | "hint") => page.severity = value.to_owned(),
            ("since", _) => page.since = Some(minor(value)?),
            ("until", _) => page.until = Some(minor(value)?),
            ("default", "off") => page.is_off = true,
            ("beside", _) => page.beside.push(value.to_owned()),
            ("source", _) => {
                let known = sources.iter().find(|[word, ..]| *word == value);
                let [_, title, url] = known.ok_or_else(|| format!("sources.tsv has no row `{value}`"))?;
                page.sources.push(((*title).to_owned(), (*url).to_owned()));
            }
            ("function", _) => page.sources.push(function(value)?),
            ("no-example", _) => no_example = Some(value.to_owned()),
            _ => return Err(format!("`{line}` says nothing that a rule has")),
        }
    }
    if path != Path::new("rules").join(format!("{}.md", page.code)) {
        return Err(format!("`code: {}` is not the path of the page", page.code));
    }
    if page.severity.is_empty() {
        return Err("`severity` is missing".to_owned());
    }
    let [summary, server, wrong, right, old, new, transcript, fix, ignore, marker] = sections(body)?;
    page.example = example(no_example, [wrong, right, old, new, transcript])?;
    Ok(Page { summary, server, fix, ignore, marker, ..page })
}

/// The `N` of `1.N`.
fn minor(version: &str) -> Result<String, String> {
    let minor = version.strip_prefix("1.").filter(|minor| minor.parse::<u8>().is_ok());
    minor.map(str::to_owned).ok_or_else(|| format!("`{version}` is not a release such as 1.30"))
}

/// A function of kube-apiserver, written `NAME MODULE/PATH.go`.
fn function(value: &str) -> Result<(String, String), String> {
    match value.split_once(' ') {
        Some((name, file)) if Path::new(file).extension().is_some_and(|is| is == "go") => {
            Ok((format!("`{name}` of kube-apiserver"), address_of(file)))
        }
        _ => Err(format!("`function: {value}` is not a function and its file below k8s.io")),
    }
}

/// The address of a file below `k8s.io`.
pub(crate) fn address_of(file: &str) -> String {
    match file.strip_prefix("kube-openapi/") {
        Some(path) => format!("https://github.com/kubernetes/kube-openapi/blob/master/{path}"),
        None => format!("https://github.com/kubernetes/kubernetes/blob/v1.37.2/staging/src/k8s.io/{file}"),
    }
}

fn sections(body: &str) -> Result<[String; SECTIONS.len()], String> {
    let mut parts = body.split("## ");
    if parts.next().is_some_and(|before| !before.trim().is_empty()) {
        return Err("there is text between the title and the first part".to_owned());
    }
    let mut sections: [String; SECTIONS.len()] = Default::default();
    let mut last = None;
    for part in parts {
        let (name, text) = part.split_once("\n\n").ok_or_else(|| format!("`## {part}` has no text"))?;
        let at = SECTIONS.iter().position(|(section, _)| *section == name);
        let at = at.ok_or_else(|| format!("`## {name}` is not a part of a page"))?;
        if last.is_some_and(|last| last >= at) {
            return Err(format!("`## {name}` is not in its place"));
        }
        last = Some(at);
        sections[at] = match name {
            "Wrong" | "Right" | "Old" | "New" => yaml(text)?,
            _ => text.trim_end().to_owned(),
        };
    }
    for ((name, is_required), text) in SECTIONS.iter().zip(&sections) {
        if *is_required && text.is_empty() {
            return Err(format!("`## {name}` is missing"));
        }
    }
    Ok(sections)
}

/// The YAML between the fences.
fn yaml(text: &str) -> Result<String, String> {
    let yaml = text.trim_end().strip_prefix("```yaml\n").and_then(|rest| rest.strip_suffix("\n```"));
    yaml.map(str::to_owned).ok_or_else(|| "an example is one block fenced by ```yaml and ```".to_owned())
}

fn example(
    no_example: Option<String>,
    [wrong, right, old, new, transcript]: [String; 5],
) -> Result<Example, String> {
    let is_there = [&wrong, &right, &old, &new, &transcript].map(|text| !text.is_empty());
    match (no_example, is_there) {
        (Some(reason), [false, false, false, false, false]) => Ok(Example::None(reason)),
        (None, [true, true, false, false, false]) => Ok(Example::Correction { wrong, right }),
        (None, [false, false, true, true, false]) => Ok(Example::Change { old, new }),
        (None, [false, false, false, false, true]) => Ok(Example::Transcript(transcript)),
        _ => Err("a page has `## Wrong` and `## Right`, or `## Old` and `## New`, or `## Example`, or \
                  `no-example: REASON`"
            .to_owned()),
    }
}
