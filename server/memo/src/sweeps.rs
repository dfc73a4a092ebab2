//! The schedule of sweeps.

/// The rule for all tables: a sweep is due at twice the entries that the last sweep left, but not below a floor.
#[derive(Clone, Copy, Debug)]
pub struct Sweeps {
    floor: usize,
    left: usize,
}

impl Sweeps {
    /// No sweep is due below `floor` entries.
    #[must_use]
    pub const fn new(floor: usize) -> Self {
        Self { floor, left: 0 }
    }

    /// Whether a table with this number of entries must be swept now.
    #[must_use]
    pub fn is_due(&self, entries: usize) -> bool {
        entries >= self.floor.max(2 * self.left)
    }

    /// Records the number of entries after a sweep.
    pub fn record_sweep(&mut self, entries: usize) {
        self.left = entries;
    }
}

impl Default for Sweeps {
    /// A floor that the definitions of an ordinary file do not reach.
    fn default() -> Self {
        Self::new(4_096)
    }
}

#[cfg(test)]
mod tests {
    use super::Sweeps;

    #[test]
    fn a_table_at_most_doubles_between_two_sweeps() {
        let mut sweeps = Sweeps::new(10);
        assert!(!sweeps.is_due(9));
        assert!(sweeps.is_due(10));
        sweeps.record_sweep(8);
        assert!(!sweeps.is_due(15));
        assert!(sweeps.is_due(16));
        sweeps.record_sweep(2);
        assert!(sweeps.is_due(10));
    }
}
