//! Generates `rules.rs` and `checks.rs` from `rules/GROUP/NAME.md` and `checks.tsv`: an enum of all codes,
//! and a row for each rule and each check of the server. The build fails if a page has a missing section or a
//! check names a rule without a page.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::pages::{Example, Page, UNWRITTEN, address_of};

struct Check {
    number: String,
    /// The code of the rule that reports it; `None` if no request reaches the check.
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
    println!("cargo::rerun-if-changed=sources.tsv");
    let pages = super::pages::read(Path::new("rules"), &fs::read_to_string("sources.tsv")?)?;
    let checks = checks(&fs::read_to_string("checks.tsv")?, &pages).map_err(io::Error::other)?;
    let mut source = String::new();
    write_codes(&pages, &mut source).map_err(io::Error::other)?;
    write_rules(&pages, &mut source).map_err(io::Error::other)?;
    fs::write(directory.join("rules.rs"), source)?;
    let mut source = String::new();
    write_checks(&checks, &mut source).map_err(io::Error::other)?;
    fs::write(directory.join("checks.rs"), source)
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
        writeln!(source, "    Rule {{")?;
        writeln!(source, "        code: Code::{},", variant(&page.code))?;
        writeln!(source, "        name: {:?},", page.code)?;
        writeln!(source, "        variant: {:?},", variant(&page.code))?;
        writeln!(source, "        severity: Severity::{},", variant(&page.severity))?;
        writeln!(source, "        since: {},", release(page.since.as_deref()))?;
        writeln!(source, "        until: {},", release(page.until.as_deref()))?;
        writeln!(source, "        is_optional: {},", page.is_off)?;
        for (field, text) in [
            ("title", &page.title),
            ("summary", &page.summary),
            ("server", &page.server),
            ("fix", &page.fix),
            ("ignore", &page.ignore),
            ("marker", &page.marker),
        ] {
            writeln!(source, "        {field}: {text:?},")?;
        }
        let example = match &page.example {
            Example::None(reason) => format!("None({reason:?})"),
            Example::Transcript(text) => format!("Transcript({text:?})"),
            Example::Correction { wrong, right } => {
                format!("Correction {{ wrong: {wrong:?}, right: {right:?} }}")
            }
            Example::Change { old, new } => format!("Change {{ old: {old:?}, new: {new:?} }}"),
        };
        writeln!(source, "        example: Example::{example},")?;
        let beside: Vec<String> = page.beside.iter().map(|code| format!("Code::{}", variant(code))).collect();
        writeln!(source, "        beside: &[{}],", beside.join(", "))?;
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
            "    Check {{ number: {:?}, rule: {rule}, function: {:?}, file: {:?}, url: {:?}, since: {}, what: {:?} }},",
            check.number,
            check.function,
            check.file,
            address_of(&check.file),
            release(check.since.as_deref()),
            check.what
        )?;
    }
    writeln!(source, "];")
}

fn release(minor: Option<&str>) -> String {
    minor.map_or("None".to_owned(), |minor| format!("Some(KubernetesVersion {{ minor: {minor} }})"))
}
