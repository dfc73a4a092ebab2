//! Expressions in canonical form: the same tokens and comments, with canonical blanks, and line breaks where
//! a line is too long.

use text::TextRange;

use crate::lexer::tokenize;
use crate::token::{Token, TokenKind as T};

/// The additional indentation within brackets or below an operator.
const STEP: usize = 2;
/// Deeper nesting stays on its line.
const MAX_DEPTH: usize = 32;

/// `text` in canonical form. Lines have at most `width` characters, if breaks at operators and within
/// brackets make that possible; without a width, there is one line. A text with comments keeps its lines.
#[must_use]
pub fn format(text: &str, width: Option<usize>) -> String {
    let tokens = tokenize(text);
    let parts = parts(text, &tokens);
    if has_comment(text, &tokens) {
        return with_lines(text, &tokens, &parts);
    }
    let mut writer = Writer { parts: &parts, width: width.unwrap_or(usize::MAX), out: String::new() };
    writer.lines(0, parts.len(), Level::default());
    writer.out
}

/// A token, and whether a blank precedes it.
struct FormatToken<'t> {
    text: &'t str,
    kind: T,
    /// Whether a blank precedes it within a line.
    spaced: bool,
    /// Whether it is the `?` or `:` of a conditional.
    chooses: bool,
    /// The index of the part that closes this bracket.
    closed_by: Option<usize>,
}

fn parts<'t>(text: &'t str, tokens: &[Token]) -> Vec<FormatToken<'t>> {
    let mut parts: Vec<FormatToken<'t>> = Vec::with_capacity(tokens.len());
    // The enclosing brackets, each with the number of conditionals in it that have no `:` yet.
    let mut open: Vec<(usize, usize)> = vec![(usize::MAX, 0)];
    // Whether the previous token is a prefix operator, or there is no previous token.
    let mut sticks = true;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| parts.get(at)).map(|part| part.kind);
        let ends_operand = before.is_some_and(T::ends_operand);
        let mut chooses = false;
        match token.kind {
            T::Question if ends_operand && before != Some(T::Dot) => {
                chooses = true;
                open.last_mut().into_iter().for_each(|around| around.1 += 1);
            }
            T::Colon => {
                let around = open.last_mut().filter(|around| around.1 > 0);
                chooses = around.is_some();
                around.into_iter().for_each(|around| around.1 -= 1);
            }
            _ => {}
        }
        let is_prefix = match token.kind {
            T::Minus => !ends_operand,
            T::Question => !chooses,
            kind => kind == T::Exclamation,
        };
        let spaced = match token.kind {
            T::Dot | T::Comma | T::RightParen | T::RightBracket | T::RightBrace => false,
            T::LeftParen | T::LeftBracket | T::LeftBrace => !ends_operand,
            T::Colon => chooses,
            T::Question => chooses || before == Some(T::Comma),
            _ => true,
        };
        parts.push(FormatToken {
            text: text.get(token.range.as_usize()).unwrap_or_default(),
            kind: token.kind,
            spaced: spaced && !sticks,
            chooses,
            closed_by: None,
        });
        sticks = is_prefix || matches!(token.kind, T::Dot | T::LeftParen | T::LeftBracket | T::LeftBrace);
        if matches!(token.kind, T::LeftParen | T::LeftBracket | T::LeftBrace) {
            open.push((index, 0));
        } else if matches!(token.kind, T::RightParen | T::RightBracket | T::RightBrace) && open.len() > 1 {
            let opened = open.pop().and_then(|(at, _)| parts.get_mut(at));
            opened.into_iter().for_each(|part| part.closed_by = Some(index));
        }
    }
    parts
}

fn gap<'t>(text: &'t str, tokens: &[Token], before: usize) -> &'t str {
    let start = before.checked_sub(1).and_then(|at| tokens.get(at)).map_or(0, |token| token.range.end);
    let end = tokens.get(before).map_or(text.len() as u32, |token| token.range.start);
    text.get(TextRange { start, end: end.max(start) }.as_usize()).unwrap_or_default()
}

fn has_comment(text: &str, tokens: &[Token]) -> bool {
    (0..=tokens.len()).any(|before| gap(text, tokens, before).contains("//"))
}

/// The existing lines, with canonical blanks in them.
fn with_lines(text: &str, tokens: &[Token], parts: &[FormatToken<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    for before in 0..=tokens.len() {
        let mut lines = gap(text, tokens, before).split('\n');
        let part = parts.get(before);
        if let Some(comment) = lines.next().map(str::trim).filter(|line| !line.is_empty()) {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(comment);
        }
        let mut breaks = false;
        for line in lines {
            breaks = true;
            out.push('\n');
            let comment = line.trim();
            if !comment.is_empty() || part.is_some() {
                let indent = line.len() - line.trim_start().len();
                out.push_str(line.get(..indent).unwrap_or_default());
            }
            out.push_str(comment);
        }
        if let Some(part) = part {
            if !breaks && part.spaced {
                out.push(' ');
            }
            out.push_str(part.text);
        }
    }
    let lines: Vec<&str> = out.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The position in the expression for which lines are written.
#[derive(Clone, Copy, Default)]
struct Level {
    indent: usize,
    depth: usize,
    /// Whether the line is part of an operation that is already broken.
    in_operation: bool,
}

struct Writer<'p, 't> {
    parts: &'p [FormatToken<'t>],
    width: usize,
    out: String,
}

impl Writer<'_, '_> {
    /// The parts from `start` up to `end` on one line.
    fn flat(&self, start: usize, end: usize) -> String {
        let mut line = String::new();
        for part in self.parts.get(start..end).unwrap_or_default() {
            if part.spaced && !line.is_empty() {
                line.push(' ');
            }
            line.push_str(part.text);
        }
        line
    }

    fn column(&self) -> usize {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        self.out.get(line..).map_or(0, |line| line.chars().count())
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes the parts from `start` up to `end`, on several lines if they are too long for one.
    fn lines(&mut self, start: usize, end: usize, level: Level) {
        let flat = self.flat(start, end);
        if level.depth >= MAX_DEPTH || self.column() + flat.chars().count() <= self.width {
            self.out.push_str(&flat);
            return;
        }
        let breaks = self.breaks(start, end);
        if breaks.is_empty() {
            return self.within_brackets(start, end, level);
        }
        let mut from = start;
        for (number, at) in breaks.iter().chain([&end]).enumerate() {
            let chooses = self.parts.get(from).is_some_and(|part| part.chooses);
            let indent = if chooses || level.in_operation { level.indent + STEP } else { level.indent };
            if number > 0 {
                self.new_line(indent);
            }
            let indent = if number > 0 { indent } else { level.indent };
            self.lines(from, *at, Level { indent, depth: level.depth + 1, in_operation: true });
            from = *at;
        }
    }

    /// The breaks at the operators with the lowest precedence: after `||` and `&&`, before `?` and `:`.
    fn breaks(&self, start: usize, end: usize) -> Vec<usize> {
        let outer = self.outer(start, end);
        let choices: Vec<usize> = outer
            .iter()
            .copied()
            .filter(|at| *at > start && self.parts.get(*at).is_some_and(|part| part.chooses))
            .collect();
        if !choices.is_empty() {
            return choices;
        }
        let following = |kind: T| -> Vec<usize> {
            let of = outer.iter().filter(|at| self.parts.get(**at).is_some_and(|part| part.kind == kind));
            of.map(|at| at + 1).filter(|at| *at < end).collect()
        };
        let or = following(T::Or);
        if or.is_empty() { following(T::And) } else { or }
    }

    /// The parts between `start` and `end` that are outside inner brackets.
    fn outer(&self, start: usize, end: usize) -> Vec<usize> {
        let mut outer = Vec::new();
        let mut at = start;
        while at < end {
            outer.push(at);
            at =
                self.parts.get(at).and_then(|part| part.closed_by).filter(|close| *close < end).unwrap_or(at)
                    + 1;
        }
        outer
    }

    /// Breaks within the longest bracket at its commas: arguments before the last stay on the line of the bracket.
    fn within_brackets(&mut self, start: usize, end: usize, level: Level) {
        let Level { indent, depth, .. } = level;
        let inner = Level { indent: indent + STEP, depth: depth + 1, in_operation: false };
        let brackets = self.outer(start, end).into_iter().filter_map(|at| {
            let close = self.parts.get(at)?.closed_by.filter(|close| *close < end && *close > at + 1)?;
            Some((at, close))
        });
        let Some((open, close)) = brackets.max_by_key(|(open, close)| self.flat(*open, *close).len()) else {
            let flat = self.flat(start, end);
            return self.out.push_str(&flat);
        };
        let head = self.flat(start, open + 1);
        self.out.push_str(&head);
        let commas: Vec<usize> =
            self.outer(open + 1, close).into_iter().filter(|at| self.is(*at, T::Comma)).collect();
        let is_call = self.is(open, T::LeftParen);
        let mut from = open + 1;
        // `self.items.all(i,` stays together.
        if let (true, Some(last)) = (is_call, commas.last()) {
            let first = self.flat(from, last + 1);
            self.out.push_str(&first);
            from = last + 1;
        }
        let rest: Vec<usize> =
            commas.iter().map(|at| at + 1).filter(|at| *at > from).chain([close]).collect();
        for at in rest {
            self.new_line(inner.indent);
            self.lines(from, at, inner);
            from = at;
        }
        self.new_line(indent);
        let rest = self.flat(close, end);
        match depth < MAX_DEPTH && rest.chars().count() + indent > self.width {
            true => self.within_brackets(close, end, Level { depth: depth + 1, ..level }),
            false => self.out.push_str(&rest),
        }
    }

    fn is(&self, at: usize, kind: T) -> bool {
        self.parts.get(at).is_some_and(|part| part.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn operators_have_spaces_around_them_and_commas_one_after_them() {
        for (text, expected) in [
            ("self.a>0&&! has( self . b )", "self.a > 0 && !has(self.b)"),
            ("self.a-1==- 1", "self.a - 1 == -1"),
            ("a?b:c", "a ? b : c"),
            ("{ 'a' :1,?'b':c?d:e }", "{'a': 1, ?'b': c ? d : e}"),
            ("[1,2 ,?x][ 0 ]", "[1, 2, ?x][0]"),
            ("self . ? a . orValue( 'x  y' )", "self.?a.orValue('x  y')"),
            ("self[? 'a']", "self[?'a']"),
            ("(a||b)&&x in[1]", "(a || b) && x in [1]"),
            ("self.all( x,x>-1 )", "self.all(x, x > -1)"),
            ("!(a) && !!b", "!(a) && !!b"),
            ("a\n  && b\n", "a && b"),
        ] {
            assert_eq!(format(text, None), expected);
        }
    }

    #[test]
    fn long_lines_are_broken_at_the_weakest_operator() {
        let text = "has(self.a) && self.a > 10 || has(self.b) && self.items.all(i, i.x > 0 && i.y > 0)";
        assert_eq!(
            format(text, Some(36)),
            "has(self.a) && self.a > 10 ||\nhas(self.b) &&\n  self.items.all(i,\n    i.x > 0 && i.y > 0\n  )"
        );
        let text = "self.type == 'A' ? has(self.first) : has(self.second)";
        assert_eq!(format(text, Some(30)), "self.type == 'A'\n  ? has(self.first)\n  : has(self.second)");
        let text = "self.mode in ['alpha', 'beta', 'gamma', 'delta']";
        assert_eq!(format(text, Some(30)), "self.mode in [\n  'alpha',\n  'beta',\n  'gamma',\n  'delta'\n]");
    }

    #[test]
    fn comments_keep_their_lines() {
        let text = "// first\nself.a>0&&   // why\n  self.b<1\n// last\n";
        assert_eq!(format(text, Some(40)), "// first\nself.a > 0 && // why\n  self.b < 1\n// last");
        assert_eq!(format("'// none' == a", None), "'// none' == a");
    }
}
