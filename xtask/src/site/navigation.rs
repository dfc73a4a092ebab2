//! The order of the pages on the site, and the settings of the generator.

use api::RULES;

use super::read;

/// The documents of the sections, below `docs/`. The section with the pages of rules is between the two.
const GUIDE: [&str; 6] = [
    "guide/structural.md",
    "guide/first-definition.md",
    "guide/cel.md",
    "guide/evolving.md",
    "ci.md",
    "guide/go.md",
];
const REFERENCE: [&str; 7] = [
    "settings.md",
    "editors.md",
    "cli.md",
    "testing-definitions.md",
    "browser.md",
    "experiments.md",
    "architecture.md",
];
const START: &str = "index.md";

/// Pages load nothing from other hosts: no fonts, no scripts, and no `repo_url`, with which pages request releases from
/// the host.
const SETTINGS: &str = r#"[project]
site_name = "crd-ls"
site_description = "Checks CustomResourceDefinitions and custom resources as kube-apiserver does"
docs_dir = "docs"
site_dir = "html"
use_directory_urls = false
extra_css = ["assets/site.css"]
validation = true

[project.theme]
language = "en"
font = false
features = [
  "content.code.copy",
  "navigation.footer",
  "navigation.indexes",
  "navigation.prune",
  "navigation.tabs",
  "navigation.top",
  "navigation.tracking",
  "search.highlight",
  "toc.follow",
]

[[project.theme.palette]]
media = "(prefers-color-scheme)"
toggle.icon = "lucide/sun-moon"
toggle.name = "Switch to light mode"

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle.icon = "lucide/sun"
toggle.name = "Switch to dark mode"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle.icon = "lucide/moon"
toggle.name = "Switch to the mode of the system"

[project.markdown_extensions]
tables = {}
toc.permalink = true
pymdownx.highlight.pygments_lang_class = true
pymdownx.superfences = {}
"#;

/// The documents of the site, below `docs/` and with the same path on the site.
pub(super) fn documents() -> impl Iterator<Item = &'static str> {
    [START].into_iter().chain(GUIDE).chain(REFERENCE)
}

/// The settings of the generator.
pub(super) fn settings(has_playground: bool) -> Result<String, String> {
    let mut settings = SETTINGS.to_owned();
    let mut insert = |line: &str| settings = settings.replacen("\n\n", &format!("\n{line}\n\n"), 1);
    insert(&format!("nav = [{}]", navigation(has_playground)?.join(", ")));
    if has_playground {
        insert(r#"extra_javascript = [{ path = "assets/examples.js", type = "module" }]"#);
    }
    Ok(settings)
}

fn navigation(has_playground: bool) -> Result<Vec<String>, String> {
    let pages = |documents: &[&str]| documents.iter().map(|name| page(name)).collect::<Result<Vec<_>, _>>();
    let mut sections = vec![
        format!("{{ \"Start\" = {START:?} }}"),
        section("Guide", &pages(&GUIDE)?),
        section("Rules", &rules()),
        section("Reference", &pages(&REFERENCE)?),
    ];
    if has_playground {
        sections.push(r#"{ "Playground" = "playground/index.html" }"#.to_owned());
    }
    Ok(sections)
}

fn section(title: &str, pages: &[String]) -> String {
    format!("{{ {title:?} = [{}] }}", pages.join(", "))
}

/// A document with its title.
fn page(name: &str) -> Result<String, String> {
    let text = read(&format!("docs/{name}"))?;
    let title =
        text.lines().find_map(|line| line.strip_prefix("# ")).ok_or(format!("docs/{name} has no title"))?;
    Ok(format!("{{ {title:?} = {name:?} }}"))
}

/// The list of all rules, and a section for each group.
fn rules() -> Vec<String> {
    let mut pages = vec![r#""rules/index.md""#.to_owned()];
    for group in RULES.chunk_by(|one, other| one.group() == other.group()) {
        let name = group.first().map_or("", |rule| rule.group());
        let rules: Vec<String> = group.iter().map(|rule| format!("\"rules/{}.md\"", rule.code)).collect();
        pages.push(section(name, &rules));
    }
    pages
}
