//! `cargo xtask site`: the pages of the rules and the documentation for users as a site with an address for each page.

use std::fs;
use std::path::Path;
use std::process::Command;

use api::{RULES, Rule};

use crate::place;

/// What makes the site of the Markdown.
const GENERATOR: &str = "zensical==0.0.73";

/// Documents for users, from `docs/`.
const DOCUMENTS: [&str; 5] = ["ci.md", "cli.md", "editors.md", "experiments.md", "testing-definitions.md"];

/// Where the documents link to pages of rules, which the site has in `rules/`.
const PAGES: &str = "](../server/api/rules/";

/// Addresses are those of `Rule::url`: `rules/GROUP/NAME.html`.
const SETTINGS: &str = "\
[project]
site_name = \"crd-ls\"
docs_dir = \"docs\"
site_dir = \"html\"
use_directory_urls = false
";

/// Writes the Markdown below `target/site/docs` and the site below `target/site/html`.
pub(crate) fn run() -> Result<(), String> {
    let site = place::target_directory()?.join("site");
    if site.exists() {
        fs::remove_dir_all(&site).map_err(|error| format!("{}: {error}", site.display()))?;
    }
    write(&site)?;
    let generator = generator()?;
    place::run(Command::new(generator).arg("build").current_dir(&site))?;
    println!("{} pages of rules: {}", RULES.len(), site.join("html/index.html").display());
    Ok(())
}

/// Writes the settings and the Markdown.
fn write(site: &Path) -> Result<(), String> {
    save(&site.join("zensical.toml"), SETTINGS)?;
    let docs = site.join("docs");
    for rule in &RULES {
        save(&docs.join(format!("rules/{}.md", rule.code)), &rule.page())?;
    }
    save(&docs.join("index.md"), &index())?;
    for name in DOCUMENTS {
        let path = place::repository().join("docs").join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        save(&docs.join(name), &text.replace(PAGES, "](rules/"))?;
    }
    Ok(())
}

/// All rules, group by group.
fn index() -> String {
    let mut index = "# Rules of crd-ls\n".to_owned();
    let mut group = "";
    for rule in &RULES {
        if rule.group() != group {
            group = rule.group();
            index.push_str(&format!("\n## {group}\n\n| rule | severity | problem |\n|---|---|---|\n"));
        }
        index.push_str(&row(rule));
    }
    index
}

fn row(rule: &Rule) -> String {
    let severity = if rule.is_optional { "off" } else { rule.severity.name() };
    // A `|` would end the cell.
    let title = rule.title.replace('|', "\\|");
    format!("| [{code}](rules/{code}.md) | {severity} | {title} |\n", code = rule.code)
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let saved = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    saved.map_err(|error| format!("{}: {error}", path.display()))
}

/// The generator, installed below `target/` from the registry of Python packages.
fn generator() -> Result<std::path::PathBuf, String> {
    let environment = place::target_directory()?.join("zensical");
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let program = programs.join(format!("zensical{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        place::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let pip = programs.join(format!("pip{}", std::env::consts::EXE_SUFFIX));
        place::run(Command::new(pip).args(["install", "--quiet", "--disable-pip-version-check", GENERATOR]))?;
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_has_each_rule_once() {
        let index = index();
        for rule in &RULES {
            let link = format!("| [{0}](rules/{0}.md) |", rule.code);
            assert_eq!(index.matches(&link).count(), 1, "{}", rule.code);
        }
    }
}
