//! Where the shell writes the output of a command: `> file`, also behind other programs.

use super::script_words::{ERRORS_TO, ends_command};

/// The file to which the shell writes the output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RedirectedOutput {
    pub(super) file: String,
    pub(super) passed: OutputFilter,
}

/// The programs that read the output of a command before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFilter {
    /// A number of programs that only remove this number of lines at the start; 0 if there is no program.
    WithoutLines(usize),
    /// A program with another effect, or a file that has other text before it.
    Changed,
}

/// A file that is not one of the project.
const NOWHERE: &str = "/dev/";

/// The file that has the output of a command, according to the words behind its arguments; `None` if there is no such file.
pub(super) fn redirected(words: &[String]) -> Option<RedirectedOutput> {
    let mut passed = OutputFilter::WithoutLines(0);
    let mut file = None;
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        if !ends_command(word) {
            continue;
        }
        match word {
            ">" => {
                let is_added = words.next_if_eq(&">").is_some();
                // `>&2` and `>|`.
                let is_stream = words.next_if_eq(&"&").is_some();
                words.next_if_eq(&"|");
                let target = words.next()?;
                if is_stream || target.starts_with(NOWHERE) {
                    continue;
                }
                passed = if is_added { OutputFilter::Changed } else { passed };
                file = Some(target.to_owned());
            }
            ERRORS_TO => {
                while words.next_if(|word| matches!(*word, ">" | "&")).is_some() {}
                words.next();
            }
            "<" => drop(words.next()),
            "|" if words.peek().is_some_and(|next| *next != "|") => {
                // The next program does not read the content of a file.
                if file.is_some() {
                    break;
                }
                passed = passed.followed_by(of_program(&programs_words(words.clone())));
            }
            _ => break,
        }
    }
    Some(RedirectedOutput { file: file?, passed })
}

/// The words of the next program.
fn programs_words<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    words.take_while(|word| !ends_command(word)).collect()
}

/// The effect of a program on its input.
fn of_program(words: &[&str]) -> OutputFilter {
    let lines = match words {
        ["cat"] => Some(0),
        ["tail", "-n", from] => from.strip_prefix('+').and_then(lines_before),
        ["tail", from] => from.strip_prefix("-n+").and_then(lines_before),
        ["sed", "1d"] | ["sed", "-e", "1d"] => Some(1),
        _ => None,
    };
    lines.map_or(OutputFilter::Changed, OutputFilter::WithoutLines)
}

/// The number of lines before the line `from`, which counts from 1.
fn lines_before(from: &str) -> Option<usize> {
    from.parse::<usize>().ok()?.checked_sub(1)
}

impl OutputFilter {
    const fn followed_by(self, next: Self) -> Self {
        match (self, next) {
            (Self::WithoutLines(one), Self::WithoutLines(other)) => {
                Self::WithoutLines(one.saturating_add(other))
            }
            _ => Self::Changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script_words::lines;
    use super::*;

    fn redirection(behind: &str) -> Option<(String, OutputFilter)> {
        let line = lines(&format!("controller-gen crd paths=./... {behind}\n")).into_iter().next()?;
        let redirected = line.calls().into_iter().next()?.redirected?;
        Some((redirected.file, redirected.passed))
    }

    #[test]
    fn the_file_is_the_one_that_has_the_output() {
        let exact = |lines| Some(("f".to_owned(), OutputFilter::WithoutLines(lines)));
        let changed = Some(("f".to_owned(), OutputFilter::Changed));
        for (behind, expected) in [
            ("> f", exact(0)),
            (">f", exact(0)),
            ("1> f", exact(0)),
            ("2> e > f", exact(0)),
            ("2>&1 > f", exact(0)),
            ("> f 2>&1", exact(0)),
            (">| f && other > g", exact(0)),
            ("> f; other > g", exact(0)),
            ("> \"f\"", exact(0)),
            ("< e > f", exact(0)),
            ("| cat > f", exact(0)),
            ("| tail -n +3 > f", exact(2)),
            ("| tail -n+2 | sed '1d' > f", exact(2)),
            ("| tail -n +18446744073709551615 | tail -n +3 > f", exact(usize::MAX)),
            ("| yq e 'select(.a)' - > f", changed.clone()),
            ("| tail -n 2 > f", changed.clone()),
            (">> f", changed),
            ("", None),
            ("> /dev/null", None),
            ("2> f", None),
            (">&2", None),
            ("| other", None),
            ("|| echo a > f", None),
            ("&& other > f", None),
            ("; other > f", None),
            (">", None),
            ("|", None),
        ] {
            assert_eq!(redirection(behind), expected, "{behind}");
        }
    }
}
