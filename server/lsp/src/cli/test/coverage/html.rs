//! Coverage as a page: the definitions, with lines coloured by their coverage.

use std::collections::BTreeMap;
use std::fmt::Write;

use text::LineIndex;

use super::{Coverages, by_file, line, share};

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>Coverage of definitions</title>
<style>
body { font-family: sans-serif; margin: 2em; }
pre { line-height: 1.4; }
pre span { display: block; padding-left: 0.5em; border-left: 0.4em solid transparent; }
pre .all { background: #e6f4e6; border-color: #2e7d32; }
pre .some { background: #fff6d9; border-color: #b26a00; }
pre .none { background: #fdeaea; border-color: #b71c1c; }
pre i { color: #555; margin-left: 2em; }
</style>
</head>
<body>
<h1>Coverage of definitions</h1>
<p>Green: cases show both sides. Yellow: one of them. Red: none.</p>
";

pub(super) fn text(all: &Coverages) -> String {
    let mut out = HEAD.to_owned();
    // Writing to a text cannot fail.
    let _ = writeln!(out, "<p>Total: {}</p>", share(all.share()).trim());
    for (file, (text, coverages)) in by_file(all) {
        let lines = LineIndex::new(text);
        let mut of_lines: BTreeMap<u32, (usize, usize, Vec<String>)> = BTreeMap::new();
        for item in coverages.iter().flat_map(|coverage| &coverage.items) {
            let (covered, count, missing) = of_lines.entry(line(&lines, item)).or_default();
            *covered += item.sides.iter().filter(|side| **side == Some(true)).count();
            *count += item.sides.iter().flatten().count();
            let sides = item.missing();
            if !sides.is_empty() {
                let text = item.text.lines().next().unwrap_or_default();
                missing.push(format!("{text}: never {}", sides.join(" or ")));
            }
        }
        let _ = writeln!(out, "<h2>{}</h2>\n<pre>", escaped(&file.display().to_string()));
        for (number, written) in (1..).zip(text.lines()) {
            let Some((covered, count, missing)) = of_lines.get(&number) else {
                let _ = write!(out, "<span>{}</span>", escaped(written));
                continue;
            };
            let class = match (*covered, *count) {
                (0, _) => "none",
                (covered, count) if covered == count => "all",
                _ => "some",
            };
            let title = match missing.is_empty() {
                true => String::new(),
                false => format!("<i>{}</i>", escaped(&missing.join("; "))),
            };
            let _ = write!(out, "<span class=\"{class}\">{}{title}</span>", escaped(written));
        }
        out.push_str("</pre>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            char => escaped.push(char),
        }
    }
    // A line without text would have no height.
    if escaped.is_empty() { "&nbsp;".to_owned() } else { escaped }
}
