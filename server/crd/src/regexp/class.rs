//! Character classes: their items, and sets of code points as sorted ranges.

use super::unicode::{UnicodeClass, folded};

/// The greatest code point. Go's `\x{D800}` may also name surrogates, so that code points are `u32`.
pub(super) const MAX_RUNE: u32 = 0x10_FFFF;

/// First and last code point.
pub(super) type RuneRange = (u32, u32);

/// A class of code points: `[a-z]`, `\d`, `\p{Greek}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// Whether the class is negated (`[^...]`).
    pub negated: bool,
    /// Whether the flag `i` is set.
    pub fold: bool,
    /// The items between the brackets, in order.
    pub items: Vec<ClassItem>,
}

/// An item of a class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClassItem {
    /// `a`, `a-z`: first and last code point.
    Range(u32, u32),
    /// `\d`, `[:alpha:]`: an ASCII class.
    Ascii {
        /// Its ranges.
        ranges: &'static [(u32, u32)],
        /// `\D`, `[:^alpha:]`.
        negated: bool,
    },
    /// `\p{Greek}`.
    Unicode {
        /// The class with that name.
        class: UnicodeClass,
        /// `\P{Greek}`, `\p{^Greek}`.
        negated: bool,
    },
}

impl Class {
    /// The code points as ascending ranges that neither overlap nor touch, as in Go.
    pub fn ranges(&self) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for item in &self.items {
            let (ranges, negated, folds) = match item {
                ClassItem::Range(lo, hi) => (vec![(*lo, *hi)], false, false),
                ClassItem::Ascii { ranges, negated } => (ranges.to_vec(), *negated, self.fold),
                ClassItem::Unicode { class, negated } => {
                    (class.ranges(), *negated, self.fold && class.is_folded())
                }
            };
            // A negated class is folded before it is negated.
            let ranges = if folds { folded(ranges) } else { ranges };
            if negated { all.extend(complement(&ranges)) } else { all.extend(ranges) }
        }
        let mut all = canonical(all);
        if self.fold && self.items.iter().any(|item| matches!(item, ClassItem::Range(..))) {
            all = canonical(self.with_folded_ranges(all));
        }
        if self.negated { complement(&all) } else { all }
    }

    /// Adds the code points that differ only in case from the plain ranges of the class.
    fn with_folded_ranges(&self, mut all: Vec<RuneRange>) -> Vec<RuneRange> {
        let plain = self.items.iter().filter_map(|item| match item {
            ClassItem::Range(lo, hi) => Some((*lo, *hi)),
            _ => None,
        });
        all.extend(folded(canonical(plain.collect())));
        all
    }
}

/// Sorts ranges and joins those that overlap or touch.
pub(super) fn canonical(mut ranges: Vec<RuneRange>) -> Vec<RuneRange> {
    ranges.sort_unstable();
    let mut joined: Vec<RuneRange> = Vec::with_capacity(ranges.len());
    for (lo, hi) in ranges {
        match joined.last_mut() {
            Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
            _ => joined.push((lo, hi)),
        }
    }
    joined
}

/// All code points that are not in `ranges`, which are canonical.
pub(super) fn complement(ranges: &[RuneRange]) -> Vec<RuneRange> {
    let mut rest = Vec::with_capacity(ranges.len() + 1);
    let mut next = 0;
    for &(lo, hi) in ranges {
        if next < lo {
            rest.push((next, lo - 1));
        }
        next = hi + 1;
    }
    if next <= MAX_RUNE {
        rest.push((next, MAX_RUNE));
    }
    rest
}

/// `\d`, `\W` and similar classes, by their letter.
pub(super) fn perl_class(letter: u8) -> Option<ClassItem> {
    let name = match letter.to_ascii_lowercase() {
        b'd' => "digit",
        b'w' => "word",
        // Unlike [:space:], without the vertical tab.
        b's' => {
            let ranges = &[(9, 10), (12, 13), (32, 32)];
            return Some(ClassItem::Ascii { ranges, negated: letter == b'S' });
        }
        _ => return None,
    };
    let ranges = posix_ranges(name)?;
    Some(ClassItem::Ascii { ranges, negated: letter.is_ascii_uppercase() })
}

/// `alpha` or `^alpha` of `[:alpha:]`.
pub(super) fn posix_class(name: &str) -> Option<ClassItem> {
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, true),
        None => (name, false),
    };
    posix_ranges(name).map(|ranges| ClassItem::Ascii { ranges, negated })
}

fn posix_ranges(name: &str) -> Option<&'static [RuneRange]> {
    Some(match name {
        "alnum" => &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)],
        "alpha" => &[(0x41, 0x5A), (0x61, 0x7A)],
        "ascii" => &[(0, 0x7F)],
        "blank" => &[(9, 9), (32, 32)],
        "cntrl" => &[(0, 0x1F), (0x7F, 0x7F)],
        "digit" => &[(0x30, 0x39)],
        "graph" => &[(0x21, 0x7E)],
        "lower" => &[(0x61, 0x7A)],
        "print" => &[(0x20, 0x7E)],
        "punct" => &[(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)],
        "space" => &[(9, 13), (32, 32)],
        "upper" => &[(0x41, 0x5A)],
        "word" => &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
        "xdigit" => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
        _ => return None,
    })
}
