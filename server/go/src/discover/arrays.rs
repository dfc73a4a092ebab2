//! Forms of the shell that take several lines: lists in brackets, and loops whose `do` stands alone.

/// A line with its number.
type Numbered = (usize, String);

/// A list has at most so many lines.
const MAX_LINES: usize = 64;

/// The lines with each such form in one line.
pub(super) fn in_one_line(lines: Vec<Numbered>) -> Vec<Numbered> {
    let mut out: Vec<Numbered> = Vec::with_capacity(lines.len());
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
