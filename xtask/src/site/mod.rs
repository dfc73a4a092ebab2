//! `cargo xtask site`: the guide, the pages of the rules and the documentation for users as a site with an address for each
//! page. If the playground is built, each example has a link to it.

#[path = "../../../tests/support/completed.rs"]
mod completed;
mod examples;
mod links;
mod navigation;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::{RULES, Rule};

use crate::place;

/// The generator that builds the site from the Markdown.
const GENERATOR: &str = "zensical==0.0.73";

/// Additional files: their paths in the repository and on the site.
const FILES: [(&str, &str); 3] = [
    ("xtask/site/site.css", "assets/site.css"),
    ("xtask/site/examples.js", "assets/examples.js"),
    // The links have the format of the playground.
    ("web/playground/src/share.js", "assets/share.js"),
];

/// The pictures of documents, relative to `docs` and to the site.
const PICTURES: &str = "images/session";

/// Writes the Markdown below `target/site/docs` and the site below `target/site/html`.
pub(crate) fn run() -> Result<(), String> {
    let site = place::target_directory()?.join("site");
    if site.exists() {
        fs::remove_dir_all(&site).map_err(|error| format!("{}: {error}", site.display()))?;
    }
    write(&site)?;
    let generator = place::python_tools("zensical", &[GENERATOR])?.join("zensical");
    // With `--strict`, a broken link is an error.
    place::run(Command::new(generator).args(["build", "--strict"]).current_dir(&site))?;
    println!("{} pages of rules: {}", RULES.len(), site.join("html/index.html").display());
    Ok(())
}

/// Writes the settings, the Markdown and the additional files.
fn write(site: &Path) -> Result<(), String> {
    let docs = site.join("docs");
    for (path, text) in pages()? {
        save(&docs.join(path), &text)?;
    }
    for (from, to) in FILES {
        save(&docs.join(to), &read(from)?)?;
    }
    copy_files(&place::repository().join("docs").join(PICTURES), &docs.join(PICTURES))?;
    let playground = place::repository().join("web/playground/dist");
    let has_playground = playground.join("index.html").is_file();
    if has_playground {
        copy_files(&playground, &docs.join("playground"))?;
    } else {
        println!("without the playground and links to it, because `cargo xtask web` did not build it");
    }
    save(&site.join("zensical.toml"), &navigation::settings(has_playground)?)
}

/// The Markdown of each page, by its path on the site. Addresses of rules are those of `Rule::url`.
fn pages() -> Result<BTreeMap<String, String>, String> {
    let mut pages = BTreeMap::new();
    for rule in &RULES {
        pages.insert(format!("rules/{}.md", rule.code), examples::of_rule(rule, &rule.page())?);
    }
    pages.insert("rules/index.md".to_owned(), index());
    for name in navigation::documents() {
        let text = read(&format!("docs/{name}"))?;
        pages.insert(name.to_owned(), examples::of_document(name, &links::of_site(name, &text)?)?);
    }
    Ok(pages)
}

/// All rules, group by group.
fn index() -> String {
    let mut index =
        "# Rules\n\nEach finding of crd-ls has the code of a rule. `crd-ls explain CODE` prints its page.\n"
            .to_owned();
    let mut group = "";
    for rule in &RULES {
        if rule.group() != group {
            group = rule.group();
            index.push_str(&format!("\n## {group}\n\n| rule | severity | problem |\n|---|---|---|\n"));
        }
        index.push_str(&table_row(rule));
    }
    index
}

fn table_row(rule: &Rule) -> String {
    let severity = if rule.is_optional { "off" } else { rule.severity.name() };
    // A `|` would end the cell.
    let title = rule.title.replace('|', "\\|");
    format!("| [{code}]({code}.md) | {severity} | {title} |\n", code = rule.code)
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(place::repository().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let saved = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    saved.map_err(|error| format!("{}: {error}", path.display()))
}

fn copy_files(from: &Path, to: &Path) -> Result<(), String> {
    let copied = fs::create_dir_all(to).and_then(|()| {
        let files: Vec<PathBuf> =
            fs::read_dir(from)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        for file in files.iter().filter(|path| path.is_file()) {
            fs::copy(file, to.join(file.file_name().unwrap_or_default()))?;
        }
        Ok(())
    });
    copied.map_err(|error: std::io::Error| format!("{}: {error}", from.display()))
}
