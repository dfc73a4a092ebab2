//! Corrections of expressions that do not compile: of names, of operators and other syntax, and of types.
//!
//! Fixes offer the corrections; the check uses them to estimate the cost of the corrected expression and to
//! find its other problems.

mod conversions;
mod escapes;
mod foreign_syntax;
mod literals;
mod names;
mod stray_text;
mod tokens;
mod wording;

use text::TextRange;

use super::compile::{Expression, InspectedExpression};
pub(crate) use conversions::{converted_operand, negated};
pub(crate) use escapes::raw;
pub(crate) use foreign_syntax::asks_for_emptiness;
pub(crate) use literals::{argument, better, quoted_like};
pub use names::{Suggestion, nearest};
pub(crate) use names::{suggestion, suggestions, with_dashes};

/// The maximum number of corrections that are applied, one after another, until an expression compiles.
const MOST_CORRECTIONS: usize = 8;

/// The length limit for `corrected`, in bytes: the search takes several times as long as one compilation.
const LONGEST: usize = 2_000;

/// A correction that converts the syntax or the types of an expression to those of CEL.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The effect of the correction.
    pub meaning: CorrectionEffect,
    /// The replacements, with byte ranges in the expression, in order.
    pub changes: Vec<(TextRange, String)>,
}

/// The macros over lists and maps that have one variable.
pub(in crate::cel) const LOOPS: [&str; 5] = ["all", "exists", "exists_one", "filter", "map"];

/// The effect of a correction.
#[derive(Clone, Debug)]
pub enum CorrectionEffect {
    /// Writes these operators of CEL.
    Operators(Vec<&'static str>),
    /// Looks up a key of a map.
    Key {
        /// The key as written.
        key: String,
        /// The map as written.
        map: String,
    },
    /// Rewrites a part of the expression.
    Converted {
        /// The part as written.
        written: String,
        /// The replacement.
        new: String,
    },
    /// Compares a time as text.
    AsText {
        /// The time as written.
        written: String,
        /// The replacement.
        new: String,
    },
    /// Changes a text whose escapes CEL does not support: makes it a raw text or doubles its backslashes.
    Raw {
        /// The text as written, with its quotes.
        text: String,
        /// Whether it becomes a raw text.
        is_raw: bool,
    },
    /// Inserts missing text.
    Inserted(String),
    /// Removes superfluous text.
    Removed(String),
    /// Compares a number with 0; contains the new expression.
    Positive(String),
    /// Checks that a value is not empty; contains the new expression.
    NotEmpty(String),
    /// Converts the result of a message expression to text; contains the new expression.
    Text(String),
}

/// A corrected expression.
#[derive(Clone, Debug)]
pub(crate) struct CorrectedExpression {
    /// Its text.
    pub(crate) text: Box<str>,
    /// Whether it refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// The maximum cost of one evaluation, in CEL cost units.
    pub(crate) cost: u64,
}

/// The minimum number of words without an operator between them that make a sentence.
const WORDS_OF_PROSE: usize = 3;

/// Whether `text`, which does not parse, is a sentence for people.
#[must_use]
pub fn is_prose(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches([',', '.', ':', ';', '!']);
        !word.is_empty() && word.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '\''))
    };
    let words = text.split_whitespace();
    words.clone().count() >= WORDS_OF_PROSE
        && words.clone().all(is_word)
        && !words.clone().any(|word| word == "in")
}

/// The corrections of syntax and types. `holder` is the name of the field that `self` refers to: empty for the
/// resource, `None` if unknown.
pub(crate) fn corrections(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    holder: Option<&str>,
) -> Vec<Correction> {
    let mut corrections: Vec<Correction> = raw(expression.text).into_iter().collect();
    corrections.extend(wording::reworded(expression, holder));
    let of_other_languages = foreign_syntax::reworded(expression.text, inspected);
    let is_new = |one: &Correction| of_other_languages.iter().all(|other| other.changes != one.changes);
    let of_slips =
        stray_text::corrected(expression.text, inspected).into_iter().filter(is_new).collect::<Vec<_>>();
    corrections.extend(of_other_languages);
    corrections.extend(of_slips);
    corrections.extend(literals::corrected(expression, inspected));
    corrections.extend(conversions::converted(expression, inspected));
    corrections
}

/// The corrected form of `expression`, which does not compile: the first correction is applied repeatedly.
/// `None` if the result does not compile either.
pub(crate) fn corrected(expression: &Expression<'_>) -> Option<CorrectedExpression> {
    if expression.text.len() > LONGEST {
        return None;
    }
    let mut text = expression.text.to_owned();
    for _ in 0..MOST_CORRECTIONS {
        let changes = first_correction(&Expression { text: &text, ..*expression })?;
        text = applied(&text, &changes);
        if let Some((uses_old_self, cost)) = (Expression { text: &text, ..*expression }).priced() {
            return Some(CorrectedExpression { text: text.into(), uses_old_self, cost });
        }
    }
    None
}

fn first_correction(expression: &Expression<'_>) -> Option<Vec<(TextRange, String)>> {
    let inspected = expression.inspect();
    let name = suggestions(expression, &inspected, &|_| true).next();
    let of_name = name.map(|Suggestion { range, name, .. }| vec![(range, name)]);
    of_name.or_else(|| Some(corrections(expression, &inspected, None).into_iter().next()?.changes))
}

/// `text` with `changes`, which are in order.
fn applied(text: &str, changes: &[(TextRange, String)]) -> String {
    let mut out = text.to_owned();
    for (range, new) in changes.iter().rev() {
        out.replace_range(range.as_usize(), new);
    }
    out
}
