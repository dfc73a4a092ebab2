//! Messages for texts that do not parse.

use cel::env::library;
use cel::{Issue, IssueCode, Token, TokenKind as T, is_keyword};
use text::TextRange;

use super::excerpt;
use crate::message::Message;

/// Operators of other languages, and those of CEL.
const OPERATORS: [(&str, &str); 12] = [
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("is", "=="),
    ("eq", "=="),
    ("ne", "!="),
    ("lt", "<"),
    ("gt", ">"),
    ("then", "?"),
    ("else", ":"),
    ("mod", "%"),
    ("xor", "!="),
];

/// An expression with its tokens.
pub(super) struct Text<'e> {
    text: &'e str,
    tokens: Vec<Token>,
}

impl<'e> Text<'e> {
    pub(super) fn new(text: &'e str) -> Self {
        Self { text, tokens: cel::tokenize(text) }
    }

    /// The message for `issue`; `None` if the server's message is clear enough.
    pub(super) fn message(&self, issue: &Issue) -> Option<Message> {
        match issue.code {
            IssueCode::Lexical => self.no_token(issue.range),
            IssueCode::Syntax if issue.message.starts_with("Syntax error") => {
                // An error at the end of the text has an index after the last token.
                let at = self.tokens.partition_point(|token| token.range.start < issue.range.start);
                Some(self.misplaced(at))
            }
            IssueCode::ReservedWord => Some(reserved(self.slice(issue.range))),
            IssueCode::Macro => macro_words(issue),
            IssueCode::Literal => literal(self.slice(issue.range), issue),
            _ => None,
        }
    }

    /// The range of the error, if it is only a part of the range of `issue` or is before it: an operator of
    /// another language, or an unclosed bracket.
    pub(super) fn part(&self, issue: &Issue) -> Option<TextRange> {
        let start = issue.range.start;
        match issue.code {
            IssueCode::Lexical => {
                let before = self.text.get(..start as usize)?;
                let is_longer = self.text.get(start as usize..)?.starts_with('=')
                    && (before.ends_with("==") || before.ends_with("!="));
                is_longer.then(|| TextRange::new(start - 2, start + 1))
            }
            IssueCode::Syntax => {
                let at = self.tokens.partition_point(|token| token.range.start < start);
                if let Some(chain) = self.chain() {
                    return Some(chain);
                }
                if let Some((open, close)) = self.list_in_other_brackets(at) {
                    let end = self.tokens.get(close)?.range.end;
                    return Some(TextRange::new(self.tokens.get(open)?.range.start, end));
                }
                if let Some(cause) = self.unfinished(at) {
                    return self.tokens.get(cause).map(|token| token.range);
                }
                let before = self.tokens.get(at.checked_sub(1)?)?.range;
                let (word, kind) = (self.slice(before), self.kind(Some(at)));
                let is_mark = kind == Some(T::Greater) && matches!(word, "<" | "-") && before.end == start;
                let is_not = word.eq_ignore_ascii_case("not") && kind.is_some_and(begins_operand);
                match (is_mark, is_not) {
                    (true, _) => Some(TextRange::new(before.start, start + 1)),
                    (_, true) => Some(before),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The first `?.`.
    fn chain(&self) -> Option<TextRange> {
        self.tokens.windows(2).find_map(|pair| match pair {
            [one, other]
                if one.kind == T::Question && other.kind == T::Dot && one.range.end == other.range.start =>
            {
                Some(TextRange::new(one.range.start, other.range.end))
            }
            _ => None,
        })
    }

    /// The brackets around a token after `in` that are not brackets of lists.
    fn list_in_other_brackets(&self, at: usize) -> Option<(usize, usize)> {
        let open = self.open_before(at).filter(|_| self.kind(Some(at)) == Some(T::Comma))?;
        let is_other = matches!(self.kind(Some(open)), Some(T::LeftParen | T::LeftBrace));
        let is_list = is_other && self.kind(open.checked_sub(1)) == Some(T::In);
        let close = closing(self.word(open));
        let end = (at..self.tokens.len()).find(|next| self.word(*next) == close)?;
        is_list.then_some((open, end))
    }

    fn slice(&self, range: TextRange) -> &'e str {
        self.text.get(range.as_usize()).unwrap_or("")
    }

    fn word(&self, at: usize) -> &'e str {
        self.tokens.get(at).map_or("", |token| self.slice(token.range))
    }

    fn kind(&self, at: Option<usize>) -> Option<T> {
        self.tokens.get(at?).map(|token| token.kind)
    }

    /// Characters that no token begins with.
    fn no_token(&self, range: TextRange) -> Option<Message> {
        let rest = self.text.get(range.start as usize..)?;
        let first = rest.chars().next()?;
        let before = self.text.get(..range.start as usize)?;
        let operator = |written: &str, remedy: String| {
            Message::new(format!("`{written}` is not an operator of CEL")).advise(remedy)
        };
        Some(match first {
            '\'' | '"' => Message::new(format!("the string that begins with `{first}` is not closed"))
                .advise(format!("add `{first}` at its end")),
            '`' => Message::new("the name that begins with ` is not closed").advise("add ` at its end"),
            '=' if before.ends_with("==") => operator("===", "write `==`".to_owned()),
            '=' if before.ends_with("!=") => operator("!==", "write `!=`".to_owned()),
            '=' if rest.starts_with("=>") => {
                operator("=>", "write `>=` to compare, or `,` after the variable of a macro".to_owned())
            }
            '=' if rest.starts_with("=~") => operator("=~", "write `.matches(…)`".to_owned()),
            '=' if rest.starts_with("=<") => operator("=<", "write `<=`".to_owned()),
            '=' if rest.starts_with("=!") => operator("=!", "write `!=`".to_owned()),
            '=' => operator("=", "write `==` to compare".to_owned()),
            '~' if rest.starts_with("~=") => operator("~=", "write `!=`, or `.matches(…)`".to_owned()),
            '&' | '|' => operator(&first.to_string(), format!("write `{first}{first}`")),
            _ => Message::new(format!("`{first}` is not part of CEL")).advise("remove it"),
        })
    }

    /// A token in a wrong place, or the end of the text.
    fn misplaced(&self, at: usize) -> Message {
        if self.chain().is_some() {
            return Message::new("`?.` is not an operator of CEL").advise("check the field with `has(…)`");
        }
        let before = at.checked_sub(1);
        let after_dot = self.kind(before) == Some(T::Dot);
        if after_dot || self.kind(before) == Some(T::Question) && self.is_optional(at) {
            return after_dot_message(self.word(at));
        }
        let follows_operand = self.kind(before).is_some_and(T::ends_operand);
        if let Some(message) = self.foreign_notation(at, follows_operand) {
            return message;
        }
        if follows_operand { self.after_operand(at) } else { self.missing_value(at) }
    }

    /// The message for an operator or a list in the notation of another language.
    fn foreign_notation(&self, at: usize, follows_operand: bool) -> Option<Message> {
        let (word, last) = (self.word(at), self.word_before(at));
        let unknown = |operator: &str| Message::new(format!("`{operator}` is not an operator of CEL"));
        if follows_operand {
            let named = OPERATORS.iter().find(|(name, _)| *name == word.to_lowercase());
            if let Some((_, operator)) = named {
                return Some(unknown(word).advise(format!("write `{operator}`")));
            }
            if word.eq_ignore_ascii_case("implies") {
                return Some(unknown(word).advise("write `!a || b`"));
            }
            if last.eq_ignore_ascii_case("not") && self.kind(Some(at)).is_some_and(begins_operand) {
                return Some(unknown(last).advise("write `!`"));
            }
        }
        if self.list_in_other_brackets(at).is_some() {
            let message = Message::new("the list after `in` has other brackets than `[` and `]`");
            return Some(message.advise("write `[…]`"));
        }
        if self.kind(Some(at)) != Some(T::Greater) {
            return None;
        }
        match last {
            "-" => Some(unknown("->").advise("write `,` after the variable of a macro")),
            "<" => Some(unknown("<>").advise("write `!=`")),
            _ => None,
        }
    }

    /// The message for a token that cannot follow an operand, or for the end of the text.
    fn after_operand(&self, at: usize) -> Message {
        let word = self.word(at);
        match self.kind(Some(at)) {
            Some(T::RightParen | T::RightBracket | T::RightBrace) => {
                self.unopened(word, self.open_before(at))
            }
            None => match self.unclosed(at) {
                Some(open) => {
                    let open = self.word(open);
                    Message::new(format!("`{open}` is not closed")).advise(format!("add `{}`", closing(open)))
                }
                None => Message::new("`?` has no `:` with the value for the other case")
                    .advise("add `:` and the value"),
            },
            Some(T::Colon) => {
                Message::new("`:` has no `?` before it").advise("write `condition ? a : b`, or remove it")
            }
            Some(T::Comma) => Message::new("`,` is outside of a call, a list or a map")
                .advise("write an operator such as `&&`, or remove it"),
            Some(kind) if begins_operand(kind) => match is_method(word) {
                true => Message::new(format!("`{word}` is a function, not an operator"))
                    .advise(format!("write `.{word}(…)`")),
                false => Message::new(format!("an operator is missing before {}", excerpt(word)))
                    .advise("add one, such as `&&` or `==`"),
            },
            Some(_) => Message::new(format!("{} is not expected here", excerpt(word))).advise("remove it"),
        }
    }

    /// The message for a token, or the end of the text, where an operand must begin.
    fn missing_value(&self, at: usize) -> Message {
        let place = match (self.kind(Some(at)), at) {
            (None, 0) => "here".to_owned(),
            (Some(_), 0) => format!("before {}", excerpt(self.word(at))),
            _ => format!("after {}", excerpt(self.word_before(at))),
        };
        Message::new(format!("a value is missing {place}")).advise("add one")
    }

    /// The token before `at`; empty at the start of the text.
    fn word_before(&self, at: usize) -> &'e str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// Whether the `?` before a token belongs to `.?`.
    fn is_optional(&self, at: usize) -> bool {
        self.kind(at.checked_sub(2)) == Some(T::Dot)
    }

    /// The innermost bracket that is open before a token.
    fn open_before(&self, at: usize) -> Option<usize> {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().take(at).enumerate() {
            match token.kind {
                T::LeftParen | T::LeftBracket | T::LeftBrace => open.push(index),
                T::RightParen | T::RightBracket | T::RightBrace => _ = open.pop(),
                _ => {}
            }
        }
        open.pop()
    }

    /// The token that the missing text at the end belongs to: an open bracket, a `?` without `:`, or else the
    /// last token.
    fn unfinished(&self, at: usize) -> Option<usize> {
        let last = at.checked_sub(1).filter(|_| self.kind(Some(at)).is_none())?;
        if !self.kind(Some(last)).is_some_and(T::ends_operand) {
            return Some(last);
        }
        let question = || (0..at).rfind(|token| self.kind(Some(*token)) == Some(T::Question));
        self.unclosed(at).or_else(question)
    }

    /// The innermost open bracket, if the text ends after a value.
    fn unclosed(&self, at: usize) -> Option<usize> {
        let is_whole = self.kind(at.checked_sub(1)).is_some_and(T::ends_operand);
        self.open_before(at).filter(|_| is_whole && self.kind(Some(at)).is_none())
    }

    /// A closing bracket without an opening one, or of another kind than the open one.
    fn unopened(&self, word: &str, open: Option<usize>) -> Message {
        match open.map(|open| self.word(open)) {
            Some(open) if closing(open) != word => Message::new(format!("`{word}` does not close `{open}`"))
                .advise(format!("write `{}`", closing(open))),
            // A ternary without its second half, for example.
            Some(_) => Message::new(format!("a value is missing before `{word}`")).advise("add one"),
            None => Message::new(format!("`{word}` has no opening bracket"))
                .advise(format!("remove it, or add `{}`", opening(word))),
        }
    }
}

/// The message for `word` after a dot.
fn after_dot_message(word: &str) -> Message {
    match is_keyword(word) {
        true => Message::new(format!("`{word}` is a keyword of CEL, so it cannot name a field"))
            .advise(format!("write `__{word}__`")),
        false => {
            Message::new("a field or function is missing after `.`").advise("add its name, or remove the `.`")
        }
    }
}

/// Whether a token after a value may begin another value.
const fn begins_operand(kind: T) -> bool {
    kind.is_operand() || matches!(kind, T::LeftParen | T::LeftBrace | T::Exclamation)
}

fn closing(open: &str) -> &'static str {
    match open {
        "[" => "]",
        "{" => "}",
        _ => ")",
    }
}

fn opening(close: &str) -> &'static str {
    match close {
        "]" => "[",
        "}" => "{",
        _ => "(",
    }
}

/// Whether values have a function of that name.
fn is_method(word: &str) -> bool {
    library().function(word).is_some_and(|function| function.overloads().any(|overload| overload.member))
}

fn reserved(word: &str) -> Message {
    let message = Message::new(format!("{} is a reserved word, so it cannot be a name", excerpt(word)));
    match word {
        "if" => message.advise("write `condition ? a : b`"),
        "for" | "while" | "loop" => message.advise("use a macro such as `all` or `exists`"),
        "function" | "let" | "var" | "const" => message.advise("write the expression without a declaration"),
        "return" => message.advise("remove it"),
        _ => message.advise("rename it"),
    }
}

fn macro_words(issue: &Issue) -> Option<Message> {
    match &*issue.message {
        "invalid argument to has() macro" => Some(
            Message::new("`has` takes only the selection of a field")
                .advise("write it as in `has(self.name)`"),
        ),
        words
            if words == "argument must be a simple name"
                || words.ends_with("must be a simple identifier") =>
        {
            Some(
                Message::new("the variable of a macro must be a plain name")
                    .advise("write it as in `all(x, …)`"),
            )
        }
        _ => None,
    }
}

fn literal(written: &str, issue: &Issue) -> Option<Message> {
    let written = excerpt(written);
    match &*issue.message {
        "invalid int literal" | "invalid uint literal" => {
            Some(Message::new(format!("{written} does not fit into 64 bits")).advise("use a smaller number"))
        }
        "invalid double literal" => {
            Some(Message::new(format!("{written} is not a number")).advise("correct it"))
        }
        _ => None,
    }
}
