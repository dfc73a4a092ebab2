//! The first syntax error of a file, with the slip that causes it.

use std::ops::Range;

use super::broken_lines::{LineSlip, comment_sign, conflict, slip_in_line, without_edit};
use super::mistake::{Mistake, MistakeKind, advised, nearest};
use crate::generate::Outcome;
use crate::load::{FileId, Place};
use crate::syntax::{Expectation, File, FirstError, GoToken, Span, TokenKind, declaration_end, first_error};

/// The keywords of declarations that authors of types write.
const DECLARATIONS: [&str; 5] = ["type", "func", "const", "var", "import"];

/// The words that begin the type of a declaration with braces.
const WITH_BRACES: [&str; 2] = ["struct", "interface"];

/// The maximum number of wrong letters in a keyword.
const MOST_WRONG: usize = 2;

/// The maximum number of bytes of a token to show.
const SHOWN: usize = 40;

/// The words in a line from which on it is a sentence and not a field.
const SENTENCE: usize = 3;

/// The first syntax error of a file.
#[derive(Clone, Debug)]
pub struct SyntaxSlip {
    /// The error at its cause.
    pub mistake: Mistake,
    /// The text that Go does not read as its author means it.
    pub affected: Span,
}

impl Outcome {
    /// The first syntax error of a file, and the text for which other findings may follow from it. `None` if the file has no
    /// syntax errors.
    #[must_use]
    pub fn syntax_slip(&self, id: FileId) -> Option<SyntaxSlip> {
        let file = self.source(id)?;
        let at = file.errors.first()?.span;
        let error = first_error(&file.text);
        let slip = match &error {
            Some(error) => Slip { text: &file.text, error }.found(),
            None => slip_near(&file.text, at.start as usize),
        };
        let place = |range: Range<usize>| Place { file: id, span: span_of(range) };
        let mistake = match slip {
            Some(LineSlip { token, problem, remedy, edit, title }) => {
                let mistake = Mistake::new(MistakeKind::Refused, place(token), advised(problem, remedy));
                match edit {
                    Some((range, new)) => mistake.repaired(title, vec![(place(range), new)], false),
                    None => mistake,
                }
            }
            None => {
                let found = file.slice(at).split_whitespace().next().unwrap_or_default();
                let problem = format!("Go does not read {} here", shown(found));
                Mistake::new(
                    MistakeKind::Refused,
                    Place { file: id, span: at },
                    advised(problem, "correct the syntax"),
                )
            }
        };
        let start = error.map_or(at.start, |error| error.declaration);
        Some(SyntaxSlip { affected: affected(file, start, mistake.place.span), mistake: mistake.of_go() })
    }
}

/// The text from the declaration with an error to the end of the one with the last error.
fn affected(file: &File, start: u32, token: Span) -> Span {
    let last = file.errors.iter().map(|error| error.span.end).chain([token.end]).max().unwrap_or_default();
    Span { start: start.min(token.start), end: declaration_end(&file.text, last) }
}

const fn span_of(range: Range<usize>) -> Span {
    Span { start: range.start as u32, end: range.end as u32 }
}

/// A token in a message.
fn shown(token: &str) -> String {
    match token.lines().next().unwrap_or_default() {
        "" => "the end of the file".to_owned(),
        line if line.len() > SHOWN => "this text".to_owned(),
        line => format!("`{}`", line.replace('`', "")),
    }
}

/// The slip in the line at a place, or in one beside it.
fn slip_near(text: &str, at: usize) -> Option<LineSlip> {
    let start = line_start(text, at);
    let before = line_start(text, start.saturating_sub(1));
    let after = text.get(start..)?.find('\n').map_or(text.len(), |end| start + end + 1);
    [start, before, after].into_iter().find_map(|start| slip_at(text, start))
}

/// The known slip in the line that begins at a place.
fn slip_at(text: &str, start: usize) -> Option<LineSlip> {
    let line = text.get(start..)?.lines().next()?;
    slip_in_line(line).map(|slip| slip.moved(start))
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
}

/// The search for the slip that causes an error.
struct Slip<'t> {
    text: &'t str,
    error: &'t FirstError,
}

impl<'t> Slip<'t> {
    fn word(&self, token: GoToken) -> &'t str {
        token.text(self.text)
    }

    fn line_of(&self, token: GoToken) -> (usize, &'t str) {
        let start = line_start(self.text, token.span.start as usize);
        (start, self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default())
    }

    /// The number of the line of a place, from 1.
    fn line_number(&self, at: u32) -> usize {
        self.text.get(..at as usize).map_or(0, |before| before.matches('\n').count()) + 1
    }

    fn found(&self) -> Option<LineSlip> {
        let FirstError { expected, found, previous, long_tag, .. } = *self.error;
        if let Some(tag) = long_tag {
            return Some(self.open_tag(tag));
        }
        let (start, line) = self.line_of(found);
        if let Some(slip) = conflict(start, line).or_else(|| slip_at(self.text, start)) {
            return Some(slip);
        }
        if found.kind == TokenKind::Sign(b'#')
            || found.kind == TokenKind::Sign(b'+') && line.trim().starts_with('+')
        {
            return Some(comment_sign(line)?.moved(start));
        }
        let slip = match expected {
            Expectation::PackageClause => self.package_clause(),
            Expectation::Declaration => self.declaration(),
            Expectation::Body => inserted(previous, "the function has no body".to_owned(), "`{`", " {"),
            Expectation::Name => self.name(),
            Expectation::FieldName => self.field_name(),
            Expectation::Selector => self.sentence(previous).unwrap_or_else(|| self.unexpected()),
            Expectation::Type(start) => self.missing_type(start),
            Expectation::FieldEnd => {
                self.sentence(found).or_else(|| self.misspelt_struct()).unwrap_or_else(|| self.field_end())
            }
            Expectation::End => self.misspelt_struct().unwrap_or_else(|| self.unexpected()),
            Expectation::Opening(bracket) => self.opening(bracket),
            Expectation::Closing(bracket, opener) => self.closing(bracket, opener),
            Expectation::ImportPath => self.import_path(),
            Expectation::Equals => {
                let value = shown(self.word(found));
                inserted_at(
                    found.span.range(),
                    format!("`=` is missing before {value}"),
                    "it",
                    found.span.start,
                    "= ",
                )
            }
            Expectation::Quote(quote) => self.quote(quote),
            Expectation::CommentEnd => without_edit(
                found.span.range(),
                "the comment has no end".to_owned(),
                "add `*/` after it".to_owned(),
            ),
        };
        Some(slip)
    }

    fn unexpected(&self) -> LineSlip {
        let found = self.error.found;
        let (word, before) = (shown(self.word(found)), shown(self.word(self.error.previous)));
        without_edit(
            found.span.range(),
            format!("Go does not allow {word} after {before}"),
            "remove it, or write it on the next line".to_owned(),
        )
    }

    /// A tag whose last backtick is missing, so that it ends at the next one.
    fn open_tag(&self, tag: Span) -> LineSlip {
        let line = self.text.get(tag.range()).and_then(|tag| tag.lines().next()).unwrap_or_default();
        // A comment may follow the tag.
        let written = line.split(" //").next().unwrap_or(line).trim_end();
        let end = tag.start + written.len() as u32;
        inserted_at(
            tag.start as usize..end as usize,
            "the tag has no backtick at its end".to_owned(),
            "one",
            end,
            "`",
        )
    }

    fn package_clause(&self) -> LineSlip {
        let found = self.error.found;
        let word = self.word(found);
        match nearest(word, ["package"], MOST_WRONG) {
            Some(intended) => replaced(found, word, intended),
            None => without_edit(
                found.span.range(),
                "the file does not begin with the name of its package".to_owned(),
                "write `package` and the name above all declarations".to_owned(),
            ),
        }
    }

    fn declaration(&self) -> LineSlip {
        let FirstError { found, .. } = *self.error;
        let (word, (_, line)) = (self.word(found), self.line_of(found));
        let mut following = line.split_whitespace().skip(1);
        if found.kind == TokenKind::Word {
            if following.next().is_some_and(|second| WITH_BRACES.contains(&second.trim_end_matches('{'))) {
                let problem = format!("`type` is missing before `{word}`");
                return inserted_at(found.span.range(), problem, "it", found.span.start, "type ");
            }
            if let Some(intended) = nearest(word, DECLARATIONS, MOST_WRONG) {
                return replaced(found, word, intended);
            }
        }
        match word {
            "}" | ")" | "]" => removed(found, format!("`{word}` has no opening bracket")),
            _ => without_edit(
                found.span.range(),
                format!("{} cannot begin a declaration", shown(word)),
                "remove it, or write `type`, `const`, `var` or `func` before it".to_owned(),
            ),
        }
    }

    fn name(&self) -> LineSlip {
        let FirstError { found, previous, .. } = *self.error;
        let (word, before) = (self.word(found), self.word(previous));
        if found.begins_declaration(self.text) {
            // The brackets around the declarations before it have no end.
            return inserted(previous, format!("a bracket is not closed before `{word}`"), "`)`", "\n)");
        }
        let range = found.span.range();
        match before {
            "type" => without_edit(
                range,
                "the type has no name".to_owned(),
                format!("write one before {}", shown(word)),
            ),
            _ => without_edit(
                range,
                format!("{} is not a name", shown(word)),
                "write a name of letters and digits".to_owned(),
            ),
        }
    }

    fn field_name(&self) -> LineSlip {
        let found = self.error.found;
        let (word, range) = (self.word(found), found.span.range());
        if found.is_keyword(self.text) {
            let mut letters = word.chars();
            let name: String =
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            let problem = format!("`{word}` is a keyword of Go and cannot name a field");
            return replaced_with(found, problem, word, &name);
        }
        match found.kind {
            TokenKind::Word => without_edit(
                range,
                format!("the name {} begins with a digit", shown(word)),
                "begin it with a letter".to_owned(),
            ),
            TokenKind::Sign(b'{') => removed(found, "`{` cannot begin a field".to_owned()),
            _ => without_edit(
                range,
                format!("{} cannot begin a field", shown(word)),
                "remove it, or write `//` before it".to_owned(),
            ),
        }
    }

    /// A sentence without the signs of a comment.
    fn sentence(&self, token: GoToken) -> Option<LineSlip> {
        let (start, line) = self.line_of(token);
        let text = line.trim();
        let is_sentence = !text.contains(['`', '"', '{', '}', '[', ':'])
            && text.split_whitespace().count() >= if text.ends_with('.') { 1 } else { SENTENCE };
        is_sentence.then(|| {
            let at = start + line.len() - line.trim_start().len();
            let problem = "this line is not a field".to_owned();
            let mut slip = inserted_at(at..at + text.len(), problem, "`//`", at as u32, "// ");
            slip.remedy = "write `//` before it if it is a comment".to_owned();
            slip
        })
    }

    /// A misspelt `struct` before `{`.
    fn misspelt_struct(&self) -> Option<LineSlip> {
        let FirstError { found, previous, .. } = *self.error;
        if found.kind != TokenKind::Sign(b'{') || previous.kind != TokenKind::Word {
            return None;
        }
        let word = self.word(previous);
        Some(match nearest(word, WITH_BRACES, MOST_WRONG) {
            Some(intended) => replaced(previous, word, intended),
            None => inserted(
                previous,
                format!("`struct` is missing between `{word}` and `{{`"),
                "struct",
                " struct",
            ),
        })
    }

    fn field_end(&self) -> LineSlip {
        let FirstError { found, previous, .. } = *self.error;
        let word = self.word(found);
        if found.kind == TokenKind::Word && previous.kind == TokenKind::Word {
            return without_edit(
                found.span.range(),
                format!("`{word}` follows the type `{}`", self.word(previous)),
                "write one name and one type for each field".to_owned(),
            );
        }
        without_edit(
            found.span.range(),
            format!("Go does not allow {} after {}", shown(word), shown(self.word(previous))),
            "remove it".to_owned(),
        )
    }

    fn missing_type(&self, start: u32) -> LineSlip {
        let FirstError { found, previous, .. } = *self.error;
        if found.kind == TokenKind::Sign(b'{') {
            return inserted_at(
                found.span.range(),
                "`struct` is missing before `{`".to_owned(),
                "it",
                found.span.start,
                "struct ",
            );
        }
        let is_beside = !found.begins_line && previous.span.end == found.span.start;
        if matches!(found.kind, TokenKind::Sign(_)) && is_beside {
            let word = self.word(found);
            return match word {
                "]" | ")" | "}" => removed(found, format!("`{word}` has no opening bracket")),
                _ => removed(found, format!("`{word}` is not allowed in a name")),
            };
        }
        let begin = start.min(previous.span.start);
        let written = self.text.get(begin as usize..previous.span.end as usize).unwrap_or_default();
        without_edit(
            begin as usize..previous.span.end as usize,
            format!("a type is missing after {}", shown(written)),
            "add it".to_owned(),
        )
    }

    fn opening(&self, bracket: u8) -> LineSlip {
        let FirstError { found, previous, .. } = *self.error;
        let (sign, word) = (char::from(bracket), self.word(found));
        if bracket == b'[' {
            return without_edit(
                previous.span.range(),
                "`map` has no types of keys and values".to_owned(),
                "write them, as in `map[string]string`".to_owned(),
            );
        }
        let is_other =
            !found.begins_line && matches!(found.kind, TokenKind::Sign(b'(' | b'[' | b'{' | b'<' | b':'));
        if is_other {
            let problem = format!("`{word}` is not allowed after `{}`", self.word(previous));
            return replaced_with(found, problem, word, &sign.to_string());
        }
        let text = if bracket == b'{' { " {" } else { "(" };
        let problem = format!("`{sign}` is missing after `{}`", self.word(previous));
        inserted(previous, problem, "it", text)
    }

    fn closing(&self, bracket: u8, opener: Span) -> LineSlip {
        let FirstError { found, previous, .. } = *self.error;
        let range = opener.start as usize..previous.span.end as usize;
        if bracket == b'[' {
            let is_element = previous.span.start == opener.end && previous.kind == TokenKind::Word;
            let problem = "`[` is not closed".to_owned();
            let mut slip = inserted_at(range, problem, "`]`", opener.end, "]");
            // `[Item` means `[]Item`, but a key of a map may end anywhere.
            slip.edit = slip.edit.filter(|_| is_element && !self.follows_map(opener));
            return slip;
        }
        let (sign, what) = match bracket {
            b'{' => ('}', "{"),
            _ => (')', "("),
        };
        let before = match found.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.word(found)),
        };
        let problem =
            format!("`{what}` of line {} is not closed before {before}", self.line_number(opener.start));
        inserted(previous, problem, &format!("`{sign}`"), &format!("\n{sign}"))
    }

    fn follows_map(&self, opener: Span) -> bool {
        self.text.get(..opener.start as usize).is_some_and(|before| before.ends_with("map"))
    }

    fn import_path(&self) -> LineSlip {
        let found = self.error.found;
        let (start, line) = self.line_of(found);
        let path = found.span.start as usize..start + line.trim_end().len();
        match found.begins_line || path.is_empty() || found.kind != TokenKind::Word {
            true => without_edit(
                found.span.range(),
                "an import has no path".to_owned(),
                "write one in quotes".to_owned(),
            ),
            false => {
                let written = self.text.get(path.clone()).unwrap_or_default();
                let written = written.trim_matches(['"', '\'', '`']);
                LineSlip {
                    token: path.clone(),
                    problem: "the path of an import is written in quotes".to_owned(),
                    remedy: "put it between two `\"`".to_owned(),
                    title: "Quote the path".to_owned(),
                    edit: Some((path, format!("\"{written}\""))),
                }
            }
        }
    }

    fn quote(&self, quote: u8) -> LineSlip {
        let found = self.error.found;
        let written = self.word(found).lines().next().unwrap_or_default().trim_end();
        let end = found.span.start + written.len() as u32;
        let token = found.span.start as usize..end as usize;
        match quote {
            b'`' => self.open_tag(found.span),
            _ => {
                let quote = char::from(quote);
                let problem = format!("the text has no `{quote}` at its end");
                inserted_at(token, problem, "one", end, &quote.to_string())
            }
        }
    }
}

/// Text that is missing at a place.
fn inserted_at(token: Range<usize>, problem: String, what: &str, at: u32, text: &str) -> LineSlip {
    let remedy = format!("add {what}");
    let at = at as usize;
    let shown = text.trim();
    let title = if shown == "`" { "Add a backtick".to_owned() } else { format!("Add `{shown}`") };
    LineSlip { token, problem, remedy, title, edit: Some((at..at, text.to_owned())) }
}

/// Text that is missing after a token.
fn inserted(after: GoToken, problem: String, what: &str, text: &str) -> LineSlip {
    inserted_at(after.span.range(), problem, what, after.span.end, text)
}

fn replaced(token: GoToken, written: &str, intended: &str) -> LineSlip {
    replaced_with(token, format!("`{written}` is not a keyword of Go"), written, intended)
}

fn replaced_with(token: GoToken, problem: String, written: &str, intended: &str) -> LineSlip {
    LineSlip {
        token: token.span.range(),
        problem,
        remedy: format!("write `{intended}`"),
        title: format!("Change `{written}` to `{intended}`"),
        edit: Some((token.span.range(), intended.to_owned())),
    }
}

fn removed(token: GoToken, problem: String) -> LineSlip {
    LineSlip {
        token: token.span.range(),
        problem,
        remedy: "remove it".to_owned(),
        title: "Remove the bracket".to_owned(),
        edit: Some((token.span.range(), String::new())),
    }
}
