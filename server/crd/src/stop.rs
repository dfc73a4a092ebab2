//! The end of a check whose result is no longer needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a check is to end before it is complete. Checks test this between their steps and then return at
/// once, with a meaningless answer: the caller that passed the signal tests [`StopSignal::is_reached`] and discards
/// the answer. Clones share the state.
///
/// Once the stop has come, it stays, and from then on a [`Cache`](crate::Cache) keeps nothing. Therefore a
/// cache contains only answers that were computed before, none of them meaningless.
#[derive(Clone, Default)]
pub struct StopSignal {
    /// `None` if it never comes.
    when: Option<Arc<StopCondition>>,
}

struct StopCondition {
    is_over: Box<dyn Fn() -> bool + Send + Sync>,
    is_reached: AtomicBool,
}

impl StopSignal {
    /// A stop that comes as soon as `is_over` returns `true`. `is_over` is called often and must be fast.
    #[must_use]
    pub fn when(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let when = StopCondition { is_over: Box::new(is_over), is_reached: AtomicBool::new(false) };
        Self { when: Some(Arc::new(when)) }
    }

    /// Tests whether to end here.
    #[must_use]
    pub fn is_due(&self) -> bool {
        let Some(when) = &self.when else { return false };
        if when.is_reached.load(Ordering::Relaxed) {
            return true;
        }
        let is_over = (when.is_over)();
        if is_over {
            when.is_reached.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether a test showed that the check had to end.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.when.as_ref().is_some_and(|when| when.is_reached.load(Ordering::Relaxed))
    }
}

impl std::fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stop").field("has_come", &self.is_reached()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_reached_stop_is_final_and_not_asked_again() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let stop = StopSignal::when(move || count.fetch_add(1, Ordering::Relaxed) == 1);
        let other = stop.clone();
        assert!(!stop.is_due() && !other.is_reached());
        assert!(other.is_due() && stop.is_reached());
        assert!(stop.is_due());
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn the_default_stop_is_never_reached() {
        let stop = StopSignal::default();
        assert!(!stop.is_due() && !stop.is_reached());
    }
}
