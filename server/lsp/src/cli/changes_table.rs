//! Changes of definitions as Markdown, for job summaries and comments on pull requests.

use std::fmt::Write as _;

use ide::compat::Difference;

use super::causes::{Texts, counts};

/// The maximum number of changes that are listed for a file; forges truncate long summaries.
const MOST_LISTED: usize = 200;

/// Adds a heading and a table of the changes of one file to `out`, the most severe first. Changes of alpha versions are only
/// counted.
pub(super) fn write(counted: &[&Difference], alpha: usize, texts: &Texts<'_>, out: &mut String) {
    let mut sorted = counted.to_vec();
    // Changes of the same class stay in the order of the text.
    sorted.sort_by_key(|difference| difference.class);
    // Writing to a string does not fail.
    let _ = writeln!(out, "### `{}`: {}\n", code(texts.new.0), counts(counted.iter().copied()));
    if !sorted.is_empty() {
        out.push_str("| | Change | Definition | Line | Affects |\n|---|---|---|---|---|\n");
    }
    for difference in sorted.iter().take(MOST_LISTED) {
        let (_, line, _) = texts.place(difference);
        let _ = writeln!(
            out,
            "| {} | {} | `{}` | {line} | {} |",
            difference.class.name(),
            cell(&difference.message),
            code(&difference.definition),
            difference.affects.join(", ")
        );
    }
    if !sorted.is_empty() {
        out.push('\n');
    }
    if let Some(more @ 1..) = sorted.len().checked_sub(MOST_LISTED) {
        let _ = writeln!(out, "{more} more changes are not listed.\n");
    }
    if alpha > 0 {
        let _ = writeln!(out, "Changes of alpha versions, not counted: {alpha}.\n");
    }
}

/// A text in a cell: on one line, and nothing in it is Markdown or HTML.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => cell.push(' '),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' | '@' => cell.extend(['\\', letter]),
            '<' => cell.push_str("&lt;"),
            '&' => cell.push_str("&amp;"),
            _ => cell.push(letter),
        }
    }
    cell
}

/// A text between backquotes.
fn code(text: &str) -> String {
    text.replace(['`', '|', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_cells_is_escaped() {
        assert_eq!(cell("a|b\n*c* <img> `d` &amp; @e"), "a\\|b \\*c\\* &lt;img> \\`d\\` &amp;amp; \\@e");
        assert_eq!(code("a`|b"), "a  b");
    }
}
