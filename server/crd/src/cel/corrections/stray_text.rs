//! Corrections of one slip that keeps an expression from parsing: text that does not belong there, words and
//! signs for operators, a missing quote or a missing `:`. Each correction gives an expression that parses.

use cel::{ParseOptions, TokenKind as T};
use text::TextRange;

use super::tokens::Tokens;
use super::{Correction, CorrectionEffect, LOOPS, applied};
use crate::cel::compile::InspectedExpression;

/// The length limit for the search, in bytes: each candidate is parsed.
const LONGEST: usize = 4_000;

/// The maximum number of candidates that are parsed.
const MOST_CANDIDATES: usize = 64;

/// Words for operators between two values.
const WORDS: [(&str, &str); 14] = [
    ("eq", "=="),
    ("equals", "=="),
    ("is", "=="),
    ("ne", "!="),
    ("neq", "!="),
    ("xor", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("lte", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("gte", ">="),
    ("then", "?"),
    ("else", ":"),
];

/// Signs that are not operators of CEL.
const SIGNS: [(&str, &str); 7] =
    [(":=", "=="), ("=<", "<="), ("=>", ">="), ("=!", "!="), ("~=", "!="), ("^=", "!="), ("/=", "!=")];

/// Words before an expression that state its purpose.
const LEADING_WORDS: [&str; 4] = ["return", "if", "assert", "require"];

pub(super) fn corrected(text: &str, inspected: &InspectedExpression) -> Vec<Correction> {
    if inspected.syntax.is_empty() || text.len() > LONGEST {
        return Vec::new();
    }
    let expression = BrokenExpression { tokens: Tokens::of(text), options: inspected.env.parse_options() };
    let all = expression
        .words()
        .into_iter()
        .chain(expression.signs())
        .chain(expression.ends())
        .chain(expression.repeated())
        .chain(expression.no_tokens())
        .chain(expression.unbracketed())
        .chain(expression.parentheses())
        .chain(expression.macro_variables())
        .chain(expression.colons())
        .chain(expression.quotes())
        .chain(expression.operators())
        .chain(expression.commas());
    all.take(MOST_CANDIDATES).filter(|one| expression.parses_after(one)).collect()
}

struct BrokenExpression<'e> {
    tokens: Tokens<'e>,
    options: ParseOptions,
}

fn replaced(written: &str, new: &str, range: TextRange) -> Correction {
    let meaning = CorrectionEffect::Converted { written: written.to_owned(), new: new.to_owned() };
    Correction { meaning, changes: vec![(range, new.to_owned())] }
}

fn inserted(at: u32, new: &str) -> Correction {
    let meaning = CorrectionEffect::Inserted(new.trim().to_owned());
    Correction { meaning, changes: vec![(TextRange::empty(at), new.to_owned())] }
}

impl<'e> BrokenExpression<'e> {
    fn removed(&self, range: TextRange) -> Correction {
        let meaning = CorrectionEffect::Removed(self.tokens.slice(range).trim().to_owned());
        Correction { meaning, changes: vec![(range, String::new())] }
    }

    /// Whether the corrected expression has no syntax error.
    fn parses_after(&self, correction: &Correction) -> bool {
        cel::parse(&applied(self.tokens.text, &correction.changes), self.options).1.is_empty()
    }

    /// Whether a value ends before a token.
    fn follows_value(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.tokens.kind(before)).is_some_and(T::ends_operand)
    }

    /// Whether a value begins with a token.
    fn begins_value(&self, at: usize) -> bool {
        self.tokens
            .kind(at)
            .is_some_and(|kind| kind.is_operand() || matches!(kind, T::LeftParen | T::Exclamation))
    }

    /// The texts between tokens that no token begins with, without surrounding blanks, each with the index of the token after
    /// it.
    fn gaps(&self) -> impl Iterator<Item = (usize, TextRange)> + '_ {
        (0..=self.tokens.len()).filter_map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.tokens.range(before).end);
            let gap = self.tokens.slice(TextRange::new(start, self.tokens.range(at).start));
            let blanks = gap.len() - gap.trim_start().len();
            let range = TextRange::at(start + blanks as u32, gap.trim().len() as u32);
            (!gap.trim().is_empty()).then_some((at, range))
        })
    }

    /// Words for operators: `a eq b`, `c then a else b`.
    fn words(&self) -> Option<Correction> {
        let operator = |at: &usize| {
            let word = self.tokens.word(*at).to_lowercase();
            let (_, new) = WORDS.iter().find(|(other, _)| *other == word)?;
            (self.follows_value(*at) && self.begins_value(*at + 1)).then_some((*at, *new))
        };
        let found: Vec<(usize, &str)> = (0..self.tokens.len()).filter_map(|at| operator(&at)).collect();
        let (first, new) = found.first().copied()?;
        let changes = found.iter().map(|(at, new)| (self.tokens.range(*at), (*new).to_owned())).collect();
        let meaning =
            CorrectionEffect::Converted { written: self.tokens.word(first).to_owned(), new: new.to_owned() };
        Some(Correction { meaning, changes })
    }

    /// Signs of other languages, such as `=<`. The lexer takes some of them for two tokens.
    fn signs(&self) -> impl Iterator<Item = Correction> + '_ {
        let of_tokens = |at: usize| {
            let (start, end) = (self.tokens.range(at.checked_sub(1)?).start, self.tokens.range(at).end);
            (end - start == 2).then(|| TextRange::new(start, end))
        };
        let of_tokens = (0..self.tokens.len()).filter_map(of_tokens);
        // `:` is a token, and the `=` after it is not.
        let assigned = self.gaps().filter_map(|(at, range)| {
            let before = self.tokens.range(at.checked_sub(1)?);
            let is_assigned = self.tokens.word(at - 1) == ":"
                && self.tokens.slice(range) == "="
                && before.end == range.start;
            is_assigned.then(|| TextRange::new(before.start, range.end))
        });
        self.gaps().map(|(_, range)| range).chain(of_tokens).chain(assigned).filter_map(|range| {
            let written = self.tokens.slice(range);
            let (_, new) = SIGNS.iter().find(|(sign, _)| *sign == written)?;
            Some(replaced(written, new, range))
        })
    }

    /// One parenthesis too many, or an opening one that is missing after the name of a function.
    fn parentheses(&self) -> impl Iterator<Item = Correction> + '_ {
        let count = |kind: T| self.tokens.list.iter().filter(|token| token.kind == kind).count();
        let (open, close) = (count(T::LeftParen), count(T::RightParen));
        let surplus = match (open.saturating_sub(close), close.saturating_sub(open)) {
            (1, _) => Some(T::LeftParen),
            (_, 1) => Some(T::RightParen),
            _ => None,
        };
        let is_second = move |at: &usize| {
            surplus.is_some() && self.tokens.kind(*at) == surplus && self.tokens.kind(*at + 1) == surplus
        };
        let second =
            (0..self.tokens.len()).filter(is_second).map(|at| self.removed(self.tokens.range(at + 1)));
        let is_call = move |at: &usize| {
            surplus == Some(T::RightParen)
                && matches!(self.tokens.word(*at), "has" | "size")
                && self.tokens.kind(*at + 1) == Some(T::Identifier)
        };
        let missing = (0..self.tokens.len()).filter(is_call).map(|at| {
            let gap = TextRange::new(self.tokens.range(at).end, self.tokens.range(at + 1).start);
            let meaning = CorrectionEffect::Inserted("(".to_owned());
            Correction { meaning, changes: vec![(gap, "(".to_owned())] }
        });
        missing.chain(second)
    }

    /// Another sign than a comma after the variable of a macro: `all(x: x > 0)` and `all(x => x > 0)`.
    fn macro_variables(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_variable = |at: &usize| {
            at.checked_sub(2).is_some_and(|name| LOOPS.contains(&self.tokens.word(name)))
                && self.tokens.kind(*at - 1) == Some(T::LeftParen)
                && self.tokens.kind(*at) == Some(T::Identifier)
        };
        (0..self.tokens.len()).filter(is_variable).filter_map(|at| {
            let end = self.tokens.range(at).end;
            let rest = self.tokens.text.get(end as usize..)?;
            let body = rest.trim_start_matches([' ', ':', ';', '=', '>', '-']);
            let range = TextRange::new(end, end + (rest.len() - body.len()) as u32);
            let sign = self.tokens.slice(range).trim();
            if range.is_empty() || sign.starts_with("==") {
                return None;
            }
            let meaning = match sign {
                "" => CorrectionEffect::Inserted(",".to_owned()),
                sign => CorrectionEffect::Converted { written: sign.to_owned(), new: ",".to_owned() },
            };
            Some(Correction { meaning, changes: vec![(range, ", ".to_owned())] })
        })
    }

    /// A comma between two conditions.
    fn commas(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_comma = |at: &usize| {
            self.tokens.kind(*at) == Some(T::Comma) && self.follows_value(*at) && self.begins_value(*at + 1)
        };
        (0..self.tokens.len()).filter(is_comma).map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.tokens.range(before).end);
            replaced(",", " &&", TextRange::new(start, self.tokens.range(at).end))
        })
    }

    /// An operator, a comma or a word at the start or the end.
    fn ends(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_operator = |at: usize| {
            let kind = self.tokens.kind(at);
            matches!(kind, Some(T::And | T::Or | T::Comma | T::Dot | T::Question | T::Colon))
        };
        let is_word = self.begins_value(1) && LEADING_WORDS.contains(&self.tokens.word(0));
        let first = (is_operator(0) || is_word)
            .then(|| TextRange::new(self.tokens.range(0).start, self.tokens.range(1).start));
        let last = self.tokens.len().checked_sub(1).filter(|last| *last > 0 && is_operator(*last));
        let last =
            last.map(|last| TextRange::new(self.tokens.range(last - 1).end, self.tokens.range(last).end));
        first.into_iter().chain(last).map(|range| self.removed(range))
    }

    /// The second one of two operators or dots.
    fn repeated(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_repeated = |at: &usize| {
            let (one, other) = (self.tokens.kind(*at), self.tokens.kind(*at + 1));
            let is_joined = matches!(one, Some(T::And | T::Or));
            is_joined && matches!(other, Some(T::And | T::Or)) || one == Some(T::Dot) && other == one
        };
        let found = (0..self.tokens.len()).filter(is_repeated);
        found.map(|at| self.removed(TextRange::new(self.tokens.range(at).end, self.tokens.range(at + 1).end)))
    }

    /// Text that no token begins with, such as `;` or `$`.
    fn no_tokens(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_mark =
            |text: &str| text.chars().all(|ch| matches!(ch, ';' | '$' | '#' | '@' | '~' | '\\' | '&' | '|'));
        self.gaps()
            .filter(move |(_, range)| is_mark(self.tokens.slice(*range)))
            .map(|(_, range)| self.removed(range))
    }

    /// `has self.a` and `size self.a`.
    fn unbracketed(&self) -> impl Iterator<Item = Correction> + '_ {
        let call = |at: usize| {
            let is_call = matches!(self.tokens.word(at), "has" | "size")
                && self.tokens.kind(at + 1) == Some(T::Identifier);
            let mut end = at + 1;
            while self.tokens.kind(end + 1) == Some(T::Dot)
                && self.tokens.kind(end + 2) == Some(T::Identifier)
            {
                end += 2;
            }
            let range = TextRange::new(self.tokens.range(at).start, self.tokens.range(end).end);
            let path = self.tokens.slice(TextRange::new(self.tokens.range(at + 1).start, range.end));
            is_call.then(|| {
                replaced(self.tokens.slice(range), &format!("{}({path})", self.tokens.word(at)), range)
            })
        };
        (0..self.tokens.len()).filter_map(call)
    }

    /// The `:` of a condition: written as `;`, or missing between two values.
    fn colons(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_question = |at: &usize| {
            let before = at.checked_sub(1).and_then(|before| self.tokens.kind(before));
            self.tokens.kind(*at) == Some(T::Question) && !matches!(before, Some(T::Dot | T::LeftBracket))
        };
        let question = (0..self.tokens.len()).find(is_question);
        let question = question.filter(|_| !self.tokens.list.iter().any(|token| token.kind == T::Colon));
        let after = move |at: usize| question.is_some_and(|question| at > question + 1);
        let semicolons =
            self.gaps().filter(move |(at, range)| after(*at) && self.tokens.slice(*range) == ";");
        let semicolons = semicolons.map(|(_, range)| replaced(";", ":", range));
        let missing = (0..self.tokens.len())
            .filter(move |at| after(*at) && self.follows_value(*at) && self.begins_value(*at));
        semicolons.chain(missing.map(|at| inserted(self.tokens.range(at - 1).end, " :")))
    }

    /// A quote that is missing after or before a word.
    fn quotes(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_inside = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '.' | '/');
        let marks = self.tokens.text.char_indices().filter(|(_, ch)| matches!(ch, '\'' | '"'));
        marks.flat_map(move |(at, quote)| {
            let (before, after) =
                (self.tokens.text.get(..at).unwrap_or(""), self.tokens.text.get(at + 1..).unwrap_or(""));
            let word = after.len() - after.trim_start_matches(is_inside).len();
            let close = (word > 0).then_some(at + 1 + word);
            let start = before.trim_end_matches(is_inside).len();
            let open = (start < at).then_some(start);
            let quote = quote.to_string();
            close.into_iter().chain(open).map(move |at| inserted(at as u32, &quote))
        })
    }

    /// An operator that is missing between two values.
    fn operators(&self) -> impl Iterator<Item = Correction> + '_ {
        let is_missing = |at: &usize| {
            self.follows_value(*at)
                && self.begins_value(*at)
                && self.tokens.range(at - 1).end < self.tokens.range(*at).start
        };
        let found = (0..self.tokens.len()).filter(is_missing);
        found.flat_map(|at| [" &&", " ||"].map(|operator| inserted(self.tokens.range(at - 1).end, operator)))
    }
}
