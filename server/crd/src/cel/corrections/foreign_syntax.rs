//! Expressions with syntax of other languages: `=~`, `|`, `not in`, `x => …`, `implies`, lists in other
//! brackets, typographic quotes, and unclosed brackets.

use cel::ast::{ExprKind, Function};
use cel::{IssueCode, TokenKind as T, Type};
use text::TextRange;

use super::tokens::Tokens;
use super::{Correction, CorrectionEffect};
use crate::cel::compile::InspectedExpression;

/// Typographic quotes, as word processors insert them.
const TYPOGRAPHIC: [char; 7] = ['‘', '’', '‚', '“', '”', '„', '‟'];

/// Marks that are not tokens of CEL, and the CEL operators.
const MARKS: [(&str, &str); 2] = [("|", "||"), ("&", "&&")];

/// Corrections of the text of an expression to CEL; for an expression that parses, operators instead of
/// functions.
pub(super) fn reworded(text: &str, inspected: &InspectedExpression) -> Vec<Correction> {
    if inspected.syntax.is_empty() {
        return functions_as_operators(text, inspected);
    }
    let words = ForeignExpression { tokens: Tokens::of(text) };
    let all = [
        words.matches(),
        words.quotes(),
        words.marks(),
        words.arrow().or_else(|| words.implication()),
        words.not_in(),
        words.presence(),
        words.list(),
        words.chain(),
        words.otherwise(),
        words.unclosed(),
        words.unopened(),
    ];
    all.into_iter().flatten().collect()
}

struct ForeignExpression<'e> {
    tokens: Tokens<'e>,
}

/// The ranges to replace, each with its replacement.
type Changes = Vec<(TextRange, String)>;

fn replaced(written: &str, new: &str, changes: Changes) -> Correction {
    Correction {
        meaning: CorrectionEffect::Converted { written: written.to_owned(), new: new.to_owned() },
        changes,
    }
}

impl<'e> ForeignExpression<'e> {
    /// The text between a token and the previous one, without surrounding blanks.
    fn gap_before(&self, at: usize) -> Option<(TextRange, &'e str)> {
        let before = at.checked_sub(1).map_or(0, |before| self.tokens.range(before).end);
        let range = TextRange::new(before, self.tokens.range(at).start);
        let gap = self.tokens.slice(range);
        let start = range.start + (gap.len() - gap.trim_start().len()) as u32;
        let gap = gap.trim();
        (!gap.is_empty()).then(|| (TextRange::at(start, gap.len() as u32), gap))
    }

    fn gaps(&self) -> impl Iterator<Item = (usize, TextRange, &'e str)> + '_ {
        (0..=self.tokens.len()).filter_map(|at| self.gap_before(at).map(|(range, gap)| (at, range, gap)))
    }

    /// `a =~ 'b'` is `a.matches('b')`.
    fn matches(&self) -> Option<Correction> {
        let found =
            self.gaps().filter(|(at, _, gap)| *gap == "=~" && self.tokens.kind(*at) == Some(T::String));
        let changes = found.flat_map(|(at, range, _)| {
            let before = self.tokens.range(at.saturating_sub(1)).end;
            let whole = TextRange::new(before, self.tokens.range(at).start.max(range.end));
            [(whole, ".matches(".to_owned()), (TextRange::empty(self.tokens.range(at).end), ")".to_owned())]
        });
        let changes: Changes = changes.collect();
        (!changes.is_empty()).then(|| replaced("=~", ".matches(…)", changes))
    }

    /// Replaces typographic quotes and backticks with the quotes of CEL.
    fn quotes(&self) -> Option<Correction> {
        let marks = self.tokens.text.char_indices().filter(|(_, ch)| TYPOGRAPHIC.contains(ch));
        let mut changes: Changes =
            marks.map(|(at, ch)| (TextRange::at(at as u32, ch.len_utf8() as u32), "'".to_owned())).collect();
        let is_text = |at: &usize| {
            let is_field = at.checked_sub(1).is_some_and(|before| self.tokens.kind(before) == Some(T::Dot));
            self.tokens.kind(*at) == Some(T::EscapedIdentifier) && !is_field
        };
        changes.extend(
            (0..self.tokens.len())
                .filter(is_text)
                .map(|at| (self.tokens.range(at), format!("'{}'", self.tokens.word(at).trim_matches('`')))),
        );
        changes.sort_by_key(|(range, _)| *range);
        let written = self.tokens.slice(changes.first()?.0).chars().next()?.to_string();
        Some(replaced(&written, "'", changes))
    }

    /// `|`, `&`, `===`, `!==` and `<>`.
    fn marks(&self) -> Option<Correction> {
        let mut changes = Changes::new();
        let mut first = None;
        for (at, range, gap) in self.gaps() {
            let before = at.checked_sub(1).map_or("", |before| self.tokens.word(before));
            if let Some((mark, new)) = MARKS.iter().find(|(mark, _)| *mark == gap) {
                first.get_or_insert((*mark, *new));
                changes.push((range, (*new).to_owned()));
            } else if gap == "=" && before == "==" {
                first.get_or_insert(("===", "=="));
                changes.push((range, String::new()));
            } else if gap == "=" && before == "!=" {
                first.get_or_insert(("!==", "!="));
                changes.push((range, String::new()));
            }
        }
        for at in 0..self.tokens.len() {
            let (one, other) = (self.tokens.range(at), self.tokens.range(at + 1));
            if self.tokens.kind(at) == Some(T::Less)
                && self.tokens.kind(at + 1) == Some(T::Greater)
                && one.end == other.start
            {
                first.get_or_insert(("<>", "!="));
                changes.push((TextRange::new(one.start, other.end), "!=".to_owned()));
            }
        }
        changes.sort_by_key(|(range, _)| *range);
        let (written, new) = first?;
        Some(replaced(written, new, changes))
    }

    /// `all(x => …)`, `all(x -> …)` and `all(x: …)`.
    fn arrow(&self) -> Option<Correction> {
        let of_macro = (2..self.tokens.len()).find_map(|at| {
            let is_variable = self.tokens.kind(at - 2) == Some(T::LeftParen)
                && self.tokens.kind(at - 1) == Some(T::Identifier);
            let start = self.tokens.range(at - 1).end;
            let end = match (self.tokens.kind(at)?, self.gap_before(at)) {
                (_, Some((range, "=>"))) => range.end,
                (T::Minus, None) if self.tokens.kind(at + 1) == Some(T::Greater) => {
                    self.tokens.range(at + 1).end
                }
                (T::Colon, None) => self.tokens.range(at).end,
                _ => return None,
            };
            is_variable.then(|| TextRange::new(start, end))
        })?;
        Some(replaced(self.tokens.slice(of_macro).trim(), ",", vec![(of_macro, ",".to_owned())]))
    }

    /// `a implies b`, and `a => b`, are `!(a) || (b)`.
    fn implication(&self) -> Option<Correction> {
        let (at, range) = (1..self.tokens.len()).find_map(|at| match self.gap_before(at) {
            Some((range, "=>")) => Some((at, range)),
            None if self.tokens.word(at).eq_ignore_ascii_case("implies") => Some((at, self.tokens.range(at))),
            _ => None,
        })?;
        let (start, end) = (self.start_of_side(at), self.end_of_side(at));
        let whole = TextRange::new(start, end);
        let (one, other) = (
            self.tokens.slice(TextRange::new(start, range.start)).trim(),
            self.tokens.slice(TextRange::new(range.end, end)).trim(),
        );
        if one.is_empty() || other.is_empty() {
            return None;
        }
        let new = format!("!({one}) || ({other})");
        Some(replaced(self.tokens.slice(range), "!(…) || (…)", vec![(whole, new)]))
    }

    /// `a not in b` is `!(a in b)`.
    fn not_in(&self) -> Option<Correction> {
        let is_it = |at: &usize| {
            self.tokens.word(*at).eq_ignore_ascii_case("not") && self.tokens.kind(*at + 1) == Some(T::In)
        };
        let at = (1..self.tokens.len()).find(is_it)?;
        let (start, end) = (self.start_of_operand(at), self.end_of_side_at(at + 2, true));
        let removed = TextRange::new(self.tokens.range(at).start, self.tokens.range(at + 1).start);
        let changes = vec![
            (TextRange::empty(start), "!(".to_owned()),
            (removed, String::new()),
            (TextRange::empty(end), ")".to_owned()),
        ];
        Some(replaced("not in", "!(… in …)", changes))
    }

    /// Corrects `has` with a string that contains a path, and removes `has` of a variable next to another condition: the
    /// variable always exists.
    fn presence(&self) -> Option<Correction> {
        let is_it = |at: &usize| {
            self.tokens.word(*at) == "has"
                && self.tokens.kind(*at + 1) == Some(T::LeftParen)
                && self.closing(*at + 1) == Some(*at + 3)
        };
        let at = (0..self.tokens.len()).find(is_it)?;
        let (inner, written) = (self.tokens.range(at + 2), self.tokens.word(at + 2));
        if self.tokens.kind(at + 2) == Some(T::String) {
            let path = written.trim_matches(['\'', '"']);
            let is_path = path.starts_with("self.")
                && path.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '.' | '_'));
            return is_path.then(|| replaced(written, path, vec![(inner, path.to_owned())]));
        }
        if self.tokens.kind(at + 2) != Some(T::Identifier) {
            return None;
        }
        let (is_negated, sign) = match at.checked_sub(1).map(|before| self.tokens.word(before)) {
            Some("!") => (true, "||"),
            _ => (false, "&&"),
        };
        let first = at - usize::from(is_negated);
        let before = first.checked_sub(1).filter(|before| self.tokens.word(*before) == sign);
        let removed = match before {
            _ if self.tokens.word(at + 4) == sign => {
                TextRange::new(self.tokens.range(first).start, self.tokens.range(at + 5).start)
            }
            Some(before) => {
                TextRange::new(self.tokens.range(before.checked_sub(1)?).end, self.tokens.range(at + 3).end)
            }
            None => return None,
        };
        let meaning = CorrectionEffect::Removed(self.tokens.slice(removed).trim().to_owned());
        Some(Correction { meaning, changes: vec![(removed, String::new())] })
    }

    /// A list in other brackets after `in`.
    fn list(&self) -> Option<Correction> {
        let is_other = |at: &usize| {
            self.tokens.kind(*at) == Some(T::In)
                && matches!(self.tokens.kind(*at + 1), Some(T::LeftParen | T::LeftBrace))
        };
        let open = (0..self.tokens.len()).find(is_other)? + 1;
        let close = self.closing(open)?;
        let changes =
            vec![(self.tokens.range(open), "[".to_owned()), (self.tokens.range(close), "]".to_owned())];
        let whole =
            self.tokens.slice(TextRange::new(self.tokens.range(open).start, self.tokens.range(close).end));
        let inner = whole.get(1..whole.len() - 1)?;
        Some(replaced(whole, &format!("[{inner}]"), changes))
    }

    /// `a?.b` reads the field if it is present; in CEL, the rule tests for the field first.
    fn chain(&self) -> Option<Correction> {
        let at = (0..self.tokens.len()).find(|at| self.is_chain(*at))?;
        let range = TextRange::new(self.tokens.range(at).start, self.tokens.range(at + 1).end);
        Some(replaced("?.", ".", vec![(range, ".".to_owned())]))
    }

    /// Whether a token is the `?` of `?.`.
    fn is_chain(&self, at: usize) -> bool {
        self.tokens.kind(at) == Some(T::Question)
            && self.tokens.kind(at + 1) == Some(T::Dot)
            && self.tokens.range(at).end == self.tokens.range(at + 1).start
    }

    /// `a ? b` without `:`.
    fn otherwise(&self) -> Option<Correction> {
        let is_it = |at: &usize| {
            let before = at.checked_sub(1).and_then(|before| self.tokens.kind(before));
            self.tokens.kind(*at) == Some(T::Question)
                && !matches!(before, Some(T::Dot | T::LeftBracket))
                && !self.is_chain(*at)
        };
        let questions: Vec<usize> = (0..self.tokens.len()).filter(is_it).collect();
        let colons = self.tokens.list.iter().filter(|token| token.kind == T::Colon).count();
        let [question] = questions.as_slice() else { return None };
        let end = self.end_of_side(*question + 1);
        (colons == 0).then(|| Correction {
            meaning: CorrectionEffect::Inserted(" : true".to_owned()),
            changes: vec![(TextRange::empty(end), " : true".to_owned())],
        })
    }

    /// Brackets and a quote that are still open at the end.
    fn unclosed(&self) -> Option<Correction> {
        let mut open = Vec::new();
        for token in &self.tokens.list {
            match token.kind {
                T::LeftParen => open.push(')'),
                T::LeftBracket => open.push(']'),
                T::LeftBrace => open.push('}'),
                T::RightParen | T::RightBracket | T::RightBrace => _ = open.pop(),
                _ => {}
            }
        }
        let end = self.tokens.text.trim_end().len() as u32;
        let rest = self.gap_before(self.tokens.len()).map_or("", |(_, gap)| gap);
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        // The argument of `has` is a path, so its end is known.
        let of_has = self.unclosed_has().zip(open.iter().rposition(|close| *close == ')'));
        if let Some((_, at)) = of_has {
            open.remove(at);
        }
        let rest: String = quote.into_iter().chain(open.into_iter().rev()).collect();
        let inserted = |(at, text): (u32, String)| (TextRange::empty(at), text);
        let changes = of_has.map(|(end, _)| (end, ")".to_owned())).into_iter();
        let changes = changes.chain((!rest.is_empty()).then(|| (end, rest.clone())));
        let changes: Changes = changes.map(inserted).collect();
        let missing: String = changes.iter().map(|(_, text)| text.as_str()).collect();
        (!missing.is_empty()).then_some(Correction { meaning: CorrectionEffect::Inserted(missing), changes })
    }

    /// The end of the path after `has(` to which another token than `)` belongs.
    fn unclosed_has(&self) -> Option<u32> {
        let is_has =
            |at: &usize| self.tokens.word(*at) == "has" && self.tokens.kind(at + 1) == Some(T::LeftParen);
        let ends = (0..self.tokens.len()).filter(is_has).map(|at| self.path_end(at + 2));
        let mut unclosed = ends.flatten().filter(|at| {
            !matches!(self.tokens.kind(*at), Some(T::RightParen | T::LeftBracket | T::LeftParen | T::Dot))
        });
        unclosed.next().map(|at| self.tokens.range(at - 1).end)
    }

    /// The token after a path such as `self.a.b` that starts at a token.
    fn path_end(&self, start: usize) -> Option<usize> {
        let is_name = |at: usize| matches!(self.tokens.kind(at), Some(T::Identifier | T::EscapedIdentifier));
        let mut at = start;
        while is_name(at) && self.tokens.kind(at + 1) == Some(T::Dot) {
            at += 2;
        }
        is_name(at).then_some(at + 1)
    }

    /// A closing bracket without an opening one.
    fn unopened(&self) -> Option<Correction> {
        let mut depth = 0_usize;
        let at = (0..self.tokens.len()).find(|at| match self.tokens.kind(*at) {
            Some(T::LeftParen | T::LeftBracket | T::LeftBrace) => {
                depth += 1;
                false
            }
            Some(T::RightParen | T::RightBracket | T::RightBrace) => match depth.checked_sub(1) {
                Some(less) => {
                    depth = less;
                    false
                }
                None => true,
            },
            _ => false,
        })?;
        let range = self.tokens.range(at);
        let written = self.tokens.slice(range).to_owned();
        Some(Correction {
            meaning: CorrectionEffect::Removed(written),
            changes: vec![(range, String::new())],
        })
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.tokens.len()).find(|at| {
            match self.tokens.kind(*at) {
                Some(T::LeftParen | T::LeftBracket | T::LeftBrace) => depth += 1,
                Some(T::RightParen | T::RightBracket | T::RightBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The start of the operand before a token: after the innermost open bracket, or the last comma, `?` or
    /// `:` in it.
    fn start_of_side(&self, at: usize) -> u32 {
        self.start_of(at, &[T::Comma, T::Question, T::Colon])
    }

    fn start_of_operand(&self, at: usize) -> u32 {
        self.start_of(at, &[T::Comma, T::Question, T::Colon, T::And, T::Or, T::Exclamation])
    }

    fn start_of(&self, at: usize, ends: &[T]) -> u32 {
        let mut depth = 0_usize;
        for before in (0..at).rev() {
            let kind = self.tokens.kind(before);
            match kind {
                Some(T::RightParen | T::RightBracket | T::RightBrace) => depth += 1,
                Some(T::LeftParen | T::LeftBracket | T::LeftBrace) => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return self.tokens.range(before + 1).start,
                },
                Some(kind) if depth == 0 && ends.contains(&kind) => {
                    return self.tokens.range(before + 1).start;
                }
                _ => {}
            }
        }
        self.tokens.range(0).start
    }

    fn end_of_side(&self, at: usize) -> u32 {
        self.end_of_side_at(at, false)
    }

    fn end_of_side_at(&self, at: usize, is_operand: bool) -> u32 {
        let mut depth = 0_usize;
        for next in at..self.tokens.len() {
            let before = self.tokens.range(next.saturating_sub(1)).end;
            match self.tokens.kind(next) {
                Some(T::LeftParen | T::LeftBracket | T::LeftBrace) => depth += 1,
                Some(T::RightParen | T::RightBracket | T::RightBrace) => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return before,
                },
                Some(T::Comma | T::Colon) if depth == 0 => return before,
                Some(T::And | T::Or | T::Question) if depth == 0 && is_operand => return before,
                _ => {}
            }
        }
        self.tokens.text.trim_end().len() as u32
    }
}

/// Functions of other languages that test whether a value is empty, in lower case.
const EMPTY: [&str; 4] = ["empty", "isblank", "isempty", "is_empty"];

/// Whether a name is one of those functions.
pub(crate) fn asks_for_emptiness(name: &str) -> bool {
    EMPTY.contains(&name.to_lowercase().as_str())
}

/// `list.contains(item)` is `item in list`, and `list.isEmpty()` is `list.size() == 0`.
fn functions_as_operators(text: &str, inspected: &InspectedExpression) -> Vec<Correction> {
    let ast = &inspected.ast;
    let issues = inspected.checked.issues.iter();
    let issues = issues.filter(|issue| matches!(issue.code, IssueCode::NoOverload | IssueCode::Undeclared));
    let corrected = issues.filter_map(|issue| {
        let (_, expr) = ast.exprs().find(|(_, expr)| {
            Some(expr.anchor) == issue.anchor && matches!(expr.kind, ExprKind::Call { .. })
        })?;
        let ExprKind::Call { function: Function::Named(name), target: Some(of), args } = &expr.kind else {
            return None;
        };
        let part = |id| text.get(ast.expr(id).range.as_usize());
        let is_list = matches!(inspected.checked.type_of(*of), Type::List(_) | Type::Map(_));
        let new = match (ast.name(*name), ast.list(*args)) {
            ("contains", [item]) if is_list => format!("({} in {})", part(*item)?, part(*of)?),
            (name, [other]) if name.eq_ignore_ascii_case("equals") => {
                let is_call =
                    |id| matches!(ast.kind(id), ExprKind::Call { function: Function::Operator(_), .. });
                let other_text = part(*other)?;
                match is_call(*other) {
                    true => format!("({} == ({other_text}))", part(*of)?),
                    false => format!("({} == {other_text})", part(*of)?),
                }
            }
            (name, []) if asks_for_emptiness(name) => {
                format!("({}.size() == 0)", part(*of)?)
            }
            _ => return None,
        };
        let written = text.get(expr.range.as_usize())?;
        Some(replaced(written, &new, vec![(expr.range, new.clone())]))
    });
    corrected.collect()
}
