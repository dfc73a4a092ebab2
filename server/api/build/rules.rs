//! Makes `rules.rs` and `checks.rs` of `rules/GROUP/NAME.md` and `checks.tsv`: an enum of all codes,
//! and a row for each rule and each check of the server. A page that lacks a part, and a check of a rule without a page,
//! do not build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The parts of a page, in their order, and whether each page has them.
const SECTIONS: [(&str, bool); 5] =
    [("What it checks", true), ("Why it matters", true), ("Wrong", false), ("Right", false), ("Fix", true)];

/// What `cargo xtask new-check` leaves to its author.
const UNWRITTEN: &str = "FILL IN";

struct Page {
    code: String,
    severity: String,
    since: Option<String>,
    is_off: bool,
    sources: Vec<String>,
    title: String,
    sections: [String; SECTIONS.len()],
}

struct Check {
    number: String,
    /// The code of the rule that reports it, none for one that no request reaches.
    rule: Option<String>,
    function: String,
    file: String,
    since: Option<String>,
    what: String,
}

/// Writes the two tables into `directory`.
pub(crate) fn write(directory: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=checks.tsv");
    println!("cargo::rerun-if-changed=rules");
    let pages = pages(Path::new("rules"))?;
    let checks = checks(&fs::read_to_string("checks.tsv")?, &pages).map_err(io::Error::other)?;
    let mut source = String::new();
    write_codes(&pages, &mut source).map_err(io::Error::other)?;
    write_rules(&pages, &mut source).map_err(io::Error::other)?;
    fs::write(directory.join("rules.rs"), source)?;
    let mut source = String::new();
    write_checks(&checks, &mut source).map_err(io::Error::other)?;
    fs::write(directory.join("checks.rs"), source)
}

/// By code.
fn pages(folder: &Path) -> io::Result<Vec<Page>> {
    let mut pages = Vec::new();
    for group in sorted(folder)? {
        // cargo looks at the times of a folder's own entries alone.
        println!("cargo::rerun-if-changed={}", group.display());
        for path in sorted(&group)? {
            let place = path.display().to_string();
            let page = page(&fs::read_to_string(&path)?, &path);
            pages.push(page.map_err(|problem| io::Error::other(format!("{place}: {problem}")))?);
        }
    }
    pages.sort_by(|one, other| one.code.cmp(&other.code));
    Ok(pages)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn page(text: &str, path: &Path) -> Result<Page, String> {
    if let Some(line) = text.lines().find(|line| line.contains(UNWRITTEN)) {
        return Err(format!("nobody has written this yet: `{line}`"));
    }
    let (head, body) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .ok_or("the page does not begin with `key: value` lines between two `---`")?;
    let body = body.strip_prefix("# ").ok_or("no title (`# …`) follows the head")?;
    let (title, body) = body.split_once("\n\n").ok_or("nothing follows the title")?;
    let mut page = Page {
        code: String::new(),
        severity: String::new(),
        since: None,
        is_off: false,
        sources: Vec::new(),
        title: title.to_owned(),
        sections: sections(body)?,
    };
    for line in head.lines() {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("`{line}` is not `key: value`"))?;
        match (key, value) {
            ("code", _) => page.code = value.to_owned(),
            ("severity", "error" | "warning" | "information" | "hint") => page.severity = value.to_owned(),
            ("since", _) => page.since = Some(minor(value)?),
            ("default", "off") => page.is_off = true,
            ("source", _) => page.sources.push(value.to_owned()),
            _ => return Err(format!("`{line}` says nothing that a rule has")),
        }
    }
    if path != Path::new("rules").join(format!("{}.md", page.code)) {
        return Err(format!("`code: {}` is not the path of the page", page.code));
    }
    if page.severity.is_empty() {
        return Err("`severity` is missing".to_owned());
    }
    Ok(page)
}

/// The `N` of `1.N`.
fn minor(version: &str) -> Result<String, String> {
    let minor = version.strip_prefix("1.").filter(|minor| minor.parse::<u8>().is_ok());
    minor.map(str::to_owned).ok_or_else(|| format!("`since: {version}` is not a release such as 1.30"))
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
            "Wrong" | "Right" => example(text)?,
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
fn example(text: &str) -> Result<String, String> {
    let yaml = text.trim_end().strip_prefix("```yaml\n").and_then(|rest| rest.strip_suffix("\n```"));
    yaml.map(str::to_owned).ok_or_else(|| "an example is one block fenced by ```yaml and ```".to_owned())
}

fn checks(table: &str, pages: &[Page]) -> Result<Vec<Check>, String> {
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| check(row, pages).map_err(|problem| format!("checks.tsv: {problem}: {row}"))).collect()
}

fn check(row: &str, pages: &[Page]) -> Result<Check, String> {
    let [number, rule, function, file, since, what] = row.split('\t').collect::<Vec<_>>()[..] else {
        return Err("a row has six columns".to_owned());
    };
    if row.contains(UNWRITTEN) {
        return Err("nobody has written all columns yet".to_owned());
    }
    if rule != "-" && !pages.iter().any(|page| page.code == rule) {
        return Err(format!("no page has the code {rule}"));
    }
    if since.parse::<u8>().is_err() && !since.is_empty() {
        return Err(format!("{since} is not the number of a minor release"));
    }
    Ok(Check {
        number: number.to_owned(),
        rule: Some(rule.to_owned()).filter(|rule| rule != "-"),
        function: function.to_owned(),
        file: file.to_owned(),
        since: Some(since.to_owned()).filter(|since| !since.is_empty()),
        what: what.to_owned(),
    })
}

/// `names/plural-required` as `NamesPluralRequired`.
fn variant(code: &str) -> String {
    let words = code.split(['/', '-']);
    let capital = |word: &str| {
        let (first, rest) = word.split_at(usize::from(!word.is_empty()));
        first.to_uppercase() + rest
    };
    words.map(capital).collect()
}

fn write_codes(pages: &[Page], source: &mut String) -> std::fmt::Result {
    writeln!(
        source,
        "/// The code of a rule: what is found, by a name that is never used again for something else."
    )?;
    writeln!(source, "///\n/// They are ordered as their texts are.")?;
    writeln!(
        source,
        "#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[repr(u16)]\npub enum Code {{"
    )?;
    for page in pages {
        writeln!(source, "    /// `{}`: {}\n    {},", page.code, page.title, variant(&page.code))?;
    }
    writeln!(source, "}}")
}

fn write_rules(pages: &[Page], source: &mut String) -> std::fmt::Result {
    writeln!(source, "/// All rules, by code.\npub static RULES: [Rule; {}] = [", pages.len())?;
    for page in pages {
        let [checks, why, wrong, right, fix] = &page.sections;
        writeln!(source, "    Rule {{")?;
        writeln!(source, "        code: Code::{},", variant(&page.code))?;
        writeln!(source, "        name: {:?},", page.code)?;
        writeln!(source, "        variant: {:?},", variant(&page.code))?;
        writeln!(source, "        severity: Severity::{},", variant(&page.severity))?;
        writeln!(source, "        since: {},", release(page.since.as_deref()))?;
        writeln!(source, "        is_optional: {},", page.is_off)?;
        for (field, text) in [
            ("title", &page.title),
            ("checks", checks),
            ("why", why),
            ("wrong", wrong),
            ("right", right),
            ("fix", fix),
        ] {
            writeln!(source, "        {field}: {text:?},")?;
        }
        writeln!(source, "        sources: &{:?},\n    }},", page.sources)?;
    }
    writeln!(source, "];")
}

fn write_checks(checks: &[Check], source: &mut String) -> std::fmt::Result {
    writeln!(
        source,
        "/// All checks, in the order of the server.\npub static CHECKS: [Check; {}] = [",
        checks.len()
    )?;
    for check in checks {
        let rule =
            check.rule.as_deref().map_or("None".to_owned(), |rule| format!("Some(Code::{})", variant(rule)));
        writeln!(
            source,
            "    Check {{ number: {:?}, rule: {rule}, function: {:?}, file: {:?}, since: {}, what: {:?} }},",
            check.number,
            check.function,
            check.file,
            release(check.since.as_deref()),
            check.what
        )?;
    }
    writeln!(source, "];")
}

fn release(minor: Option<&str>) -> String {
    minor.map_or("None".to_owned(), |minor| format!("Some(KubernetesVersion {{ minor: {minor} }})"))
}
