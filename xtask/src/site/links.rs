//! The links of documents, adapted to the site.

use api::rule;

use super::navigation;
use crate::place;

/// The path of the pages of the rules.
const RULES: &str = "server/api/rules";

/// The document `name` with links to pages of the site, or to the repository for everything else.
pub(super) fn of_site(name: &str, markdown: &str) -> Result<String, String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        lines.push(if is_code || line.starts_with("    ") {
            line.to_owned()
        } else {
            line_of_site(name, line)?
        });
    }
    Ok(lines.join("\n") + "\n")
}

fn line_of_site(name: &str, line: &str) -> Result<String, String> {
    let mut parts = line.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').ok_or(format!("docs/{name}: {line}"))?;
        out.push_str(&format!("]({}){rest}", target_on_site(name, target)?));
    }
    Ok(out)
}

fn target_on_site(name: &str, target: &str) -> Result<String, String> {
    if target.starts_with('#') || target.contains("://") {
        return Ok(target.to_owned());
    }
    let (path, anchor) = target.split_once('#').map_or((target, ""), |(path, anchor)| (path, anchor));
    let from = format!("docs/{name}");
    let path = resolve_link(&from, path);
    if !place::repository().join(&path).exists() {
        return Err(format!("{from}: {target} leads nowhere"));
    }
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    Ok(match on_site(&path) {
        Some(page) => relative(name, &page) + &anchor,
        None => format!("{}/blob/HEAD/{path}{anchor}", env!("CARGO_PKG_REPOSITORY")),
    })
}

/// The page of the site for a file or folder of the repository.
fn on_site(path: &str) -> Option<String> {
    if let Some(name) = path.strip_prefix("docs/") {
        let is_there =
            name.starts_with(super::PICTURES) || navigation::documents().any(|document| document == name);
        return is_there.then(|| name.to_owned());
    }
    let below = path.strip_prefix(RULES)?.trim_start_matches('/');
    if let Some(code) = below.strip_suffix(".md") {
        return rule(code).map(|rule| format!("rules/{}.md", rule.code));
    }
    Some(if below.is_empty() { "rules/index.md".to_owned() } else { format!("rules/index.md#{below}") })
}

/// The path from the root for a `path` that the file `from` refers to.
pub(super) fn resolve_link(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The link from the page `from` to the page `to`.
pub(super) fn relative(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}
