//! Lines that Go does not parse because of one slip: a tag without backticks, a sign of another language beside a field.

use std::ops::Range;

/// The start of the message of a syntax error.
pub const SYNTAX_ERROR: &str = "syntax error";

/// The marks of version control around two versions of a text.
const CONFLICTS: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// A slip: the bytes of the token, the problem, the remedy, and a change if there is a fix.
pub(super) struct LineSlip {
    pub(super) token: Range<usize>,
    pub(super) problem: String,
    pub(super) remedy: String,
    pub(super) title: String,
    pub(super) edit: Option<(Range<usize>, String)>,
}

impl LineSlip {
    /// The slip of a line in a text where the line begins at `start`.
    pub(super) fn moved(self, start: usize) -> Self {
        let moved = |range: Range<usize>| range.start + start..range.end + start;
        let edit = self.edit.map(|(range, new)| (moved(range), new));
        Self { token: moved(self.token), edit, ..self }
    }
}

/// The slip in a line, if it has one that Go does not parse.
pub(super) fn slip_in_line(line: &str) -> Option<LineSlip> {
    comment(line)
        .or_else(|| keyword(line))
        .or_else(|| sign_after_name(line))
        .or_else(|| tag(line))
        .or_else(|| list(line))
}

/// A comment or a marker without the signs of a comment, or with a sign of another language.
pub(super) fn comment_sign(line: &str) -> Option<LineSlip> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..)?;
    let sign = rest.len() - rest.trim_start_matches(['#', '/']).len();
    let end = start + sign.max(1);
    let (problem, title) = match line.get(start..start + sign)? {
        "" => ("a marker is written in a comment".to_owned(), "Write `//` before the marker".to_owned()),
        written => (
            format!("a comment begins with `//`, not with `{written}`"),
            format!("Change `{written}` to `//`"),
        ),
    };
    let blank = if rest.get(sign..)?.starts_with([' ', '\t']) { "" } else { " " };
    Some(LineSlip {
        token: start..end,
        problem,
        remedy: if sign == 0 { "write `//` before it".to_owned() } else { "write `//`".to_owned() },
        title,
        edit: Some((start..start + sign, format!("//{blank}"))),
    })
}

/// A comment after one `/`.
fn comment(line: &str) -> Option<LineSlip> {
    let rest = line.trim_start().strip_prefix('/')?;
    if rest.starts_with(['/', '*']) { None } else { comment_sign(line) }
}

/// A keyword of a declaration before a field.
fn keyword(line: &str) -> Option<LineSlip> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..)?;
    let word = ["var", "let", "public", "private", "const"].into_iter().find(|word| {
        rest.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')) && line.contains("json:")
    })?;
    let name = rest.get(word.len()..)?;
    let end = line.len() - name.trim_start().len();
    Some(LineSlip {
        token: start..start + word.len(),
        problem: format!("`{word}` is not allowed before a field"),
        remedy: "remove it".to_owned(),
        title: format!("Remove `{word}`"),
        edit: Some((start..end, String::new())),
    })
}

/// `:` or `=` between the name of a field and its type.
fn sign_after_name(line: &str) -> Option<LineSlip> {
    let start = line.len() - line.trim_start().len();
    let is_name = |ch: char| ch.is_alphanumeric() || ch == '_';
    let name = line.get(start..)?.find(|ch: char| !is_name(ch))?;
    let rest = line.get(start + name..)?;
    let sign = rest.trim_start();
    let at = line.len() - sign.len();
    let len = sign.len() - sign.trim_start_matches([':', '=']).len();
    if name == 0 || !(1..=2).contains(&len) || !line.contains("json:") || sign.starts_with("==") {
        return None;
    }
    let written = sign.get(..len)?;
    let end = line.len() - sign.get(len..)?.trim_start().len();
    Some(LineSlip {
        token: at..at + len,
        problem: format!("`{written}` is not allowed between a field and its type"),
        remedy: "remove it".to_owned(),
        title: format!("Remove `{written}`"),
        edit: Some((start + name..end, " ".to_owned())),
    })
}

/// A tag without its backticks, or with text after them.
fn tag(line: &str) -> Option<LineSlip> {
    const KEY: &str = "json:\"";
    let key = line.find(KEY)?;
    let value = line.get(key + KEY.len()..)?;
    let end = key + KEY.len() + value.find('"')? + 1;
    let inner = line.get(key..end)?;
    let is_quote = |ch: &char| matches!(ch, '`' | '\'' | '"' | '´' | '‘' | '’');
    let open = line.get(..key)?.chars().next_back().filter(is_quote);
    let close = line.get(end..)?.chars().next().filter(is_quote);
    let more = close
        .and_then(|close| line.get(end + close.len_utf8()..)?.chars().next())
        .filter(|more| Some(*more) == close);
    let end_of_tag = end + close.map_or(0, char::len_utf8) + more.map_or(0, char::len_utf8);
    let range = key - open.map_or(0, char::len_utf8)..end_of_tag;
    if (open, close) != (Some('`'), Some('`')) {
        // Other keys may follow within the backticks.
        if line.get(range.end..)?.trim_start().starts_with(|ch: char| ch.is_alphabetic()) {
            return None;
        }
        return Some(LineSlip {
            token: range.clone(),
            problem: "a tag is written in backticks".to_owned(),
            remedy: format!("put {inner} between two of them"),
            title: "Quote the tag with backticks".to_owned(),
            edit: Some((range, format!("`{inner}`"))),
        });
    }
    let rest = line.get(range.end..)?.trim_end();
    let is_mark = !rest.is_empty() && rest.chars().all(|ch| matches!(ch, ',' | ';' | '.' | ':'));
    is_mark.then(|| LineSlip {
        token: range.end..range.end + rest.len(),
        problem: format!("`{rest}` is not allowed after a field"),
        remedy: "remove it".to_owned(),
        title: format!("Remove `{rest}`"),
        edit: Some((range.end..range.end + rest.len(), String::new())),
    })
}

/// A list as other languages write it: `List<T>` and `T[]`.
fn list(line: &str) -> Option<LineSlip> {
    if !line.contains("json:") {
        return None;
    }
    let words = line.split_whitespace();
    let mut written = words.filter_map(|word| {
        let of_list = ["List<", "list[", "Array<", "array<", "list<"];
        let inner = of_list.into_iter().find_map(|open| word.strip_prefix(open)?.strip_suffix(['>', ']']));
        let inner = inner.or_else(|| word.strip_suffix("[]")).or_else(|| word.strip_suffix("..."));
        inner.filter(|inner| !inner.is_empty()).map(|inner| (word, inner))
    });
    let (word, inner) = written.next()?;
    let at = line.find(word)?;
    let element = inner.trim_start_matches("[]");
    Some(LineSlip {
        token: at..at + word.len(),
        problem: format!("`{word}` is not a list in Go"),
        remedy: format!("write `[]{element}`"),
        title: format!("Change `{word}` to `[]{element}`"),
        edit: Some((at..at + word.len(), format!("[]{element}"))),
    })
}

/// A mark of version control.
pub(super) fn conflict(start: usize, line: &str) -> Option<LineSlip> {
    let mark = CONFLICTS.into_iter().find(|mark| line.starts_with(mark))?;
    Some(without_edit(
        start..start + mark.len(),
        "the file has an unresolved merge conflict".to_owned(),
        "keep one version, and remove the marks".to_owned(),
    ))
}

/// A slip without a fix.
pub(super) fn without_edit(token: Range<usize>, problem: String, remedy: String) -> LineSlip {
    LineSlip { token, problem, remedy, title: String::new(), edit: None }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::slip_in_line;

    #[test]
    fn a_slip_is_found_in_its_line() {
        for (line, after) in [
            ("\tA string json:\"a\"", "\tA string `json:\"a\"`"),
            ("\tA string 'json:\"a\"'", "\tA string `json:\"a\"`"),
            ("\tA string `json:\"a\"", "\tA string `json:\"a\"`"),
            ("\tA string `json:\"a\"`,", "\tA string `json:\"a\"`"),
            ("\tA: string `json:\"a\"`", "\tA string `json:\"a\"`"),
            ("\tA = string `json:\"a\"`", "\tA string `json:\"a\"`"),
            ("\tvar A string `json:\"a\"`", "\tA string `json:\"a\"`"),
            ("\tA List<string> `json:\"a\"`", "\tA []string `json:\"a\"`"),
            ("\tA string[] `json:\"a\"`", "\tA []string `json:\"a\"`"),
            ("\t/ +optional", "\t// +optional"),
        ] {
            let (range, new) = slip_in_line(line).unwrap().edit.unwrap();
            let mut fixed = line.to_owned();
            fixed.replace_range(range, &new);
            assert_eq!(fixed, after, "{line}");
        }
        for right in [
            "\tA string `json:\"a\"`",
            "\tA []string `json:\"a\" yaml:\"a\"`",
            "type A struct {",
            "\t// +optional",
        ] {
            assert!(slip_in_line(right).is_none(), "{right}");
        }
    }
}
