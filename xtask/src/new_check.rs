//! `cargo xtask new-check`: the files of a check, to be filled in.

use std::fs;
use std::path::{Path, PathBuf};

use crate::place;

/// The placeholder for unwritten text. `server/api/build/rules.rs` rejects pages and rows that contain it.
const FILL_IN: &str = "FILL IN";

#[derive(clap::Args)]
pub(crate) struct Check {
    /// The code, GROUP/NAME in lower case, such as names/plural-dns.
    code: String,
    /// The number of a check of kube-apiserver that the rule reports. May be given several times; without it, the rule
    /// is a warning of crd-ls.
    #[arg(long = "number", value_name = "N")]
    numbers: Vec<String>,
}

pub(crate) fn run(check: &Check) -> Result<(), String> {
    let root = place::repository();
    let written = write(&root, check)?;
    for path in &written {
        println!("wrote {}", path.strip_prefix(&root).unwrap_or(path).display());
    }
    println!("{}", next_steps(check));
    Ok(())
}

/// Writes all files of the check below `root`, or nothing if the check exists.
fn write(root: &Path, check: &Check) -> Result<Vec<PathBuf>, String> {
    let code = &check.code;
    if !is_code(code) {
        return Err(format!("`{code}` is not GROUP/NAME: lower-case words, joined by hyphens"));
    }
    let page = root.join(format!("server/api/rules/{code}.md"));
    if page.exists() {
        return Err(format!("{} exists", page.display()));
    }
    let table = root.join("server/api/checks.tsv");
    let rows = fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    let rows = check.numbers.iter().try_fold(rows, |rows, number| with_row(&rows, number, code))?;
    let mut files = vec![(page, page_of(code, check.numbers.is_empty()))];
    if !check.numbers.is_empty() {
        files.push((table, rows));
    }
    files.extend(fixtures(root, check));
    for (path, text) in &files {
        save(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

fn save(path: &Path, text: &str) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn is_code(code: &str) -> bool {
    let is_name = |name: &str| {
        let is_word = |word: &str| {
            !word.is_empty()
                && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        name.split('-').all(is_word)
    };
    code.split_once('/').is_some_and(|(group, name)| is_name(group) && is_name(name))
}

/// The page with all its parts.
fn page_of(code: &str, is_ours: bool) -> String {
    // The server's checks need no other source: their functions are the source.
    let (severity, source) = match is_ours {
        true => ("warning", format!("source: {FILL_IN}: a word of server/api/sources.tsv\n")),
        false => ("error", String::new()),
    };
    format!(
        "---
code: {code}
severity: {severity}
{source}---
# {FILL_IN}: what is wrong, in one sentence of at most 100 bytes.

## Summary

{FILL_IN}: what is wrong and where it is reported.

## What kube-apiserver does

{FILL_IN}: what it does with this and what follows for the author and for users, with its message indented by four spaces.

## Wrong

```yaml
# {FILL_IN}: documents, the `metadata` or `spec` of a definition, or a schema, with this finding and no other
```

## Right

```yaml
# {FILL_IN}: the same, corrected, without findings
```

## How to fix

{FILL_IN}: what to do, then what the quick-fix does.

## When to ignore

{FILL_IN}: when the finding does not matter and how to silence it.

## kubebuilder marker

{FILL_IN}: how it is written in Go, or why no marker affects it.
"
    )
}

/// The table with a row for the check, before the first row with a higher number.
fn with_row(table: &str, number: &str, code: &str) -> Result<String, String> {
    let order = |number: &str| {
        let digits = number.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        let series = &number[..number.len() - digits.len()];
        // The order of the table: decoding, validation, warnings, conditions.
        let place = ["D", "", "W", "C"].iter().position(|known| *known == series)?;
        Some((place, digits.parse::<u32>().ok()?))
    };
    let own = order(number).ok_or(format!("`{number}` is not a number such as 12, D3 or W1"))?;
    let row = format!("{number}\t{code}\t{FILL_IN}\t{FILL_IN}\t\t{FILL_IN}");
    let mut lines: Vec<&str> = table.lines().collect();
    let is_higher = |line: &&str| {
        let first = line.split('\t').next().and_then(order);
        first.is_some_and(|first| first > own)
    };
    let at = lines.iter().position(is_higher).unwrap_or(lines.len());
    lines.insert(at, &row);
    Ok(lines.join("\n") + "\n")
}

/// For each check, a definition with the error and one without. The API server's code writes their goldens.
fn fixtures(root: &Path, check: &Check) -> Vec<(PathBuf, String)> {
    let name = check.code.replace('/', "-");
    let of_number = |number: &String| {
        let is_plain = number.chars().all(|letter| letter.is_ascii_digit());
        let number = if is_plain { format!("{number:0>3}") } else { number.clone() };
        let folder = root.join("fixtures/crd/cases");
        ["a", "b-ok"].map(|which| {
            (folder.join(format!("{number}-{name}-{which}.yaml")), fixture(which.ends_with("ok")))
        })
    };
    check.numbers.iter().flat_map(of_number).collect()
}

fn fixture(is_right: bool) -> String {
    let what = if is_right { "what is close to it and accepted" } else { "what has the error" };
    format!(
        "# {FILL_IN}: {what}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    singular: widget
    kind: Widget
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
"
    )
}

fn next_steps(check: &Check) -> String {
    let words: String = check.code.split(['/', '-']).map(capitalised).collect();
    let logic = if check.numbers.is_empty() {
        "a lint in server/crd/src/lints"
    } else {
        "a function in server/crd, where the server has it, with the server's words in the `server` part"
    };
    let goldens = if check.numbers.is_empty() { "" } else { "; goldens: cargo xtask goldens" };
    format!(
        "next:
  1. Replace each `{FILL_IN}` of these files; until then nothing builds.
  2. Write the logic: {logic}. It reports Code::{words}.
  3. Tests: cargo test --workspace --test pages --test traceability{goldens}
  4. The fix, if a machine can make it: CONTRIBUTING.md, \"A fix\"."
    )
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(usize::from(!word.is_empty()));
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests;
