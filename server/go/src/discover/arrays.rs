//! Shell constructs that span several lines: lists in parentheses, and loops whose `do` is on a separate line.

/// A line with its number.
type NumberedLine = (usize, String);

/// The maximum number of lines of a list.
const MAX_LINES: usize = 64;

/// Joins the lines of each such construct.
pub(super) fn in_one_line(lines: Vec<NumberedLine>) -> Vec<NumberedLine> {
    let mut out: Vec<NumberedLine> = Vec::with_capacity(lines.len());
    let mut lines = lines.into_iter().peekable();
    while let Some((number, mut line)) = lines.next() {
        let is_open = |line: &str| line.contains("=(") && !line.contains(')') && !line.contains('$');
        if is_open(&line) {
            for _ in 0..MAX_LINES {
                let Some((_, next)) = lines.next_if(|(_, next)| !next.contains(['=', '$'])) else { break };
                let next = next.split('#').next().unwrap_or_default().trim();
                line = format!("{line} {next}");
                if next.ends_with(')') {
                    break;
                }
            }
        } else if line.trim_start().starts_with("for ")
            && line.contains(" in ")
            && lines.next_if(|(_, next)| next.trim() == "do").is_some()
        {
            line.push_str("; do");
        }
        out.push((number, line));
    }
    out
}
