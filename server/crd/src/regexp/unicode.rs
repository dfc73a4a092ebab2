//! The classes of `\p{...}` and case folding, in Go's Unicode version.

use super::class::{MAX_RUNE, RuneRange, canonical, complement};
use super::unicode_tables::{ALIASES, CATEGORIES, FOLDING, FOLDS, SCRIPTS, UNIONS};

/// First and last code point, and the step between them.
pub(super) type Stride = (u32, u32, u32);
/// First and last code point, the step, and the difference to the next code point of the orbit.
pub(super) type Fold = (u32, u32, u32, i32);

/// A class of code points that `\p{...}` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnicodeClass(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Any,
    Ascii,
    Assigned,
    Category(usize),
    Union(usize),
    Script(usize),
}

impl UnicodeClass {
    /// Looks up a name like Go: letter case, `_`, `-` and spaces are ignored. Therefore names that Go's tables
    /// spell with an underscore, such as the script `Old_Italic`, are not found.
    pub fn named(name: &str) -> Option<UnicodeClass> {
        let name = canonical_name(name);
        let kind = match name.as_str() {
            "Any" => Some(Kind::Any),
            "Ascii" => Some(Kind::Ascii),
            "Assigned" => Some(Kind::Assigned),
            _ => category(&name)
                .or_else(|| position(SCRIPTS, &name).map(Kind::Script))
                .or_else(|| position(ALIASES, &name).and_then(|at| category(ALIASES.get(at)?.1))),
        };
        kind.map(UnicodeClass)
    }

    /// Whether the flag `i` adds code points that differ in case only. It does so for few classes: not for `\p{LC}`.
    pub fn is_folded(self) -> bool {
        let name = match self.0 {
            Kind::Any | Kind::Ascii => return true,
            Kind::Assigned => return false,
            Kind::Category(at) => CATEGORIES.get(at).map(|entry| entry.0),
            Kind::Union(at) => UNIONS.get(at).map(|entry| entry.0),
            Kind::Script(at) => SCRIPTS.get(at).map(|entry| entry.0),
        };
        name.is_some_and(|name| FOLDING.contains(&name))
    }

    /// The code points of the class, ascending, neither overlapping nor touching.
    pub fn ranges(self) -> Vec<(u32, u32)> {
        let mut ranges = Vec::new();
        match self.0 {
            Kind::Any => ranges.push((0, MAX_RUNE)),
            Kind::Ascii => ranges.push((0, 0x7F)),
            Kind::Assigned => {
                if let Some(Kind::Category(at)) = category("Cn") {
                    extend(&mut ranges, CATEGORIES, at);
                }
                return complement(&canonical(ranges));
            }
            Kind::Category(at) => extend(&mut ranges, CATEGORIES, at),
            Kind::Script(at) => extend(&mut ranges, SCRIPTS, at),
            Kind::Union(at) => {
                let members = UNIONS.get(at).map_or(&[][..], |(_, members)| members);
                for member in members.iter().filter_map(|name| position(CATEGORIES, name)) {
                    extend(&mut ranges, CATEGORIES, member);
                }
            }
        }
        canonical(ranges)
    }
}

fn category(name: &str) -> Option<Kind> {
    position(CATEGORIES, name).map(Kind::Category).or_else(|| position(UNIONS, name).map(Kind::Union))
}

fn position<T>(table: &[(&str, T)], name: &str) -> Option<usize> {
    table.binary_search_by(|(entry, _)| (*entry).cmp(name)).ok()
}

fn extend(ranges: &mut Vec<RuneRange>, table: &[(&str, &[Stride])], at: usize) {
    let strides = table.get(at).map_or(&[][..], |(_, strides)| strides);
    for &(lo, hi, step) in strides {
        match step {
            1 => ranges.push((lo, hi)),
            _ => ranges.extend((lo..=hi).step_by(step as usize).map(|c| (c, c))),
        }
    }
}

fn canonical_name(name: &str) -> String {
    let mut canonical = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')) {
        canonical.push(match canonical.is_empty() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        });
    }
    canonical
}

/// The next code point of the cycle of those that differ from `c` in case only; `c` itself if there is no other.
pub(super) fn simple_fold(c: u32) -> u32 {
    let after = FOLDS.partition_point(|&(lo, ..)| lo <= c);
    // Runs of pairs, such as those of Āā, interleave two by two.
    let near = FOLDS.get(after.saturating_sub(2)..after).unwrap_or_default();
    let run = near.iter().find(|&&(lo, hi, step, _)| c <= hi && (c - lo).is_multiple_of(step));
    run.map_or(c, |&(.., delta)| c.saturating_add_signed(delta))
}

/// The least code point that differs from `c` in case only.
pub(super) fn least_fold(c: u32) -> u32 {
    let mut least = c;
    let mut next = simple_fold(c);
    while next != c {
        least = least.min(next);
        next = simple_fold(next);
    }
    least
}

/// The canonical ranges with all code points that differ from them in case only.
pub(super) fn folded(ranges: Vec<RuneRange>) -> Vec<RuneRange> {
    let mut all = ranges.clone();
    let mut step = ranges;
    // No orbit has more than four members, so that three steps reach all of them.
    for _ in 0..3 {
        step = canonical(stepped(&step));
        all.extend_from_slice(&step);
    }
    canonical(all)
}

/// The result of one step of folding for canonical ranges.
fn stepped(ranges: &[RuneRange]) -> Vec<RuneRange> {
    let mut out = Vec::new();
    let greatest = ranges.last().map_or(0, |&(_, hi)| hi);
    for &(run_lo, run_hi, step, delta) in FOLDS.iter().take_while(|&&(lo, ..)| lo <= greatest) {
        let first = ranges.partition_point(|&(_, hi)| hi < run_lo);
        for &(lo, hi) in ranges.iter().skip(first).take_while(|&&(lo, _)| lo <= run_hi) {
            // The first member of the run at or after the start of the range.
            let lo = run_lo + lo.saturating_sub(run_lo).div_ceil(step) * step;
            let hi = hi.min(run_hi);
            if lo > hi {
                continue;
            }
            match step {
                1 => out.push((lo.saturating_add_signed(delta), hi.saturating_add_signed(delta))),
                _ => out.extend((lo..=hi).step_by(step as usize).map(|c| {
                    let next = c.saturating_add_signed(delta);
                    (next, next)
                })),
            }
        }
    }
    out
}
