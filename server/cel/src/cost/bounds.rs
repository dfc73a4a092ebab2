//! Minimum and maximum of sizes and costs. All operations saturate.

/// A range of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The minimum.
    pub min: u64,
    /// The maximum.
    pub max: u64,
}

impl Bounds {
    /// An unknown value.
    pub const UNKNOWN: Self = Self { min: 0, max: u64::MAX };

    /// From `min` to `max`.
    #[must_use]
    pub const fn new(min: u64, max: u64) -> Self {
        Self { min, max }
    }

    /// Exactly `value`.
    #[must_use]
    pub const fn exactly(value: u64) -> Self {
        Self { min: value, max: value }
    }

    /// The sum.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    /// The product.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// The product with a fraction, rounded up, in the floating-point numbers of the API server.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { min: scale(self.min, factor), max: scale(self.max, factor) }
    }

    /// The smallest range that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

fn scale(value: u64, factor: f64) -> u64 {
    // Casts from floating point to integers saturate.
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let value = value as f64;
    if value > 0.0 && factor > 0.0 && value > TWO_TO_64 / factor {
        return u64::MAX;
    }
    let scaled = (value * factor).ceil();
    if scaled >= TWO_TO_64 { u64::MAX } else { scaled as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_rounded_up_and_nothing_overflows() {
        assert_eq!(Bounds::exactly(11).scaled(0.1), Bounds::exactly(2));
        assert_eq!(Bounds::UNKNOWN.scaled(0.1).max, 1_844_674_407_370_955_264);
        assert_eq!(Bounds::UNKNOWN.scaled(2.0).max, u64::MAX);
        assert_eq!(Bounds::UNKNOWN.plus(Bounds::exactly(1)), Bounds::new(1, u64::MAX));
    }
}
