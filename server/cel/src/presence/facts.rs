//! The known facts at a position of an expression: clauses of literals, and their consequences by unit propagation.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// With more clauses, nothing is reported.
pub(super) const MAX_CLAUSES: usize = 256;
/// Longer clauses are dropped.
const MAX_LITERALS: usize = 12;

/// A statement, interned in its [`Facts`].
pub(super) type AtomId = u32;

/// A statement that may be true or false.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Atom {
    /// The value with that canonical text is present.
    Present(String),
    /// The value with the first canonical text equals the literal with the second; a value equals at most one
    /// literal.
    Equals(String, String),
    /// Anything else.
    Other(String),
}

/// An atom that is true or false.
pub(super) type Literal = (AtomId, bool);
/// At least one of the literals holds.
pub(super) type Clause = Vec<Literal>;

/// The clauses that hold at the current position.
#[derive(Default)]
pub(super) struct Facts {
    atoms: IndexSet<Atom, FxBuildHasher>,
    clauses: Vec<Clause>,
    gave_up: bool,
}

impl Facts {
    /// Records that facts are missing, so that every value counts as present.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// Whether facts are missing; resets the flag.
    pub(super) fn take_gave_up(&mut self) -> bool {
        std::mem::take(&mut self.gave_up)
    }

    pub(super) fn atom(&mut self, atom: Atom) -> AtomId {
        let at = match self.atoms.get_index_of(&atom) {
            Some(at) => at,
            None => self.atoms.insert_full(atom).0,
        };
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// Adds clauses that hold from here on; pass the result to [`Self::forget`].
    pub(super) fn assume(&mut self, clauses: Vec<Clause>) -> usize {
        let before = self.clauses.len();
        self.gave_up |= before + clauses.len() > MAX_CLAUSES;
        self.clauses.extend(clauses.into_iter().take(MAX_CLAUSES.saturating_sub(before)));
        before
    }

    /// Drops all but the first `length` clauses.
    pub(super) fn forget(&mut self, length: usize) {
        self.clauses.truncate(length);
    }

    /// Whether the value with that canonical text is present, or facts are missing.
    pub(super) fn is_present(&self, path: &str) -> bool {
        let (Some(known), false) = (self.implied_literals(None), self.gave_up) else { return true };
        // A value with a present part is present as well.
        let proves = |present: &str| {
            present.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        (0..).zip(&self.atoms).any(|(atom, what)| match what {
            Atom::Present(present) if proves(present) => match known.get(&atom) {
                Some(holds) => *holds,
                // It is also present if its absence is a contradiction: `a || b` and `a == b`.
                None => self.implied_literals(Some((atom, false))).is_none(),
            },
            _ => false,
        })
    }

    /// All literals that follow from the clauses and `assumed`; `None` for a contradiction, which makes the
    /// position unreachable.
    fn implied_literals(&self, assumed: Option<Literal>) -> Option<FxHashMap<AtomId, bool>> {
        let mut known: FxHashMap<AtomId, bool> = assumed.into_iter().collect();
        let mut values: FxHashMap<&str, &str> = FxHashMap::default();
        loop {
            let before = known.len();
            for clause in &self.clauses {
                let mut open = None;
                let mut is_unit = true;
                for (atom, wanted) in clause {
                    match known.get(atom).copied().or_else(|| self.excluded(*atom, &values)) {
                        Some(holds) if holds == *wanted => is_unit = false,
                        Some(_) => {}
                        None if open.is_some_and(|open| open != (*atom, *wanted)) => is_unit = false,
                        None => open = Some((*atom, *wanted)),
                    }
                }
                match open {
                    _ if !is_unit => {}
                    None => return None,
                    Some((atom, holds)) => {
                        known.insert(atom, holds);
                        if let (Some(Atom::Equals(term, value)), true) =
                            (self.atoms.get_index(atom as usize), holds)
                        {
                            values.insert(term, value);
                        }
                    }
                }
            }
            if known.len() == before {
                return Some(known);
            }
        }
    }

    /// False for a comparison with another literal than the known value.
    fn excluded(&self, atom: AtomId, values: &FxHashMap<&str, &str>) -> Option<bool> {
        let Some(Atom::Equals(term, value)) = self.atoms.get_index(atom as usize) else { return None };
        let is = values.get(term.as_str())?;
        Some(is == value)
    }
}

/// The clauses that hold if one of the two holds.
pub(super) fn either(one: &[Clause], other: &[Clause]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for a in one {
        for b in other {
            let clause: FxHashSet<Literal> = a.iter().chain(b).copied().collect();
            let is_trivial = clause.iter().any(|(atom, holds)| clause.contains(&(*atom, !holds)));
            if !is_trivial && clause.len() <= MAX_LITERALS && clauses.len() < MAX_CLAUSES {
                clauses.push(clause.into_iter().collect());
            }
        }
    }
    clauses
}
