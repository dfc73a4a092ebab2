//! The selection of repairs that can be made together.

/// A selection of `all` that holds together, in order: all elements if they do, otherwise the selection from
/// the first half, extended by as much of the second half as holds with it. Calls `holds` at most `checks`
/// times, each time with the elements that held before and some more. Returns the elements of the last call
/// that returned `true`.
pub(super) fn largest_selection<T: Clone>(
    all: &[T],
    checks: usize,
    holds: &mut dyn FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut search = BatchSearch { held: Vec::new(), checks, holds };
    search.add(all);
    search.held
}

struct BatchSearch<'h, T> {
    held: Vec<T>,
    checks: usize,
    holds: &'h mut dyn FnMut(&[T]) -> bool,
}

impl<T: Clone> BatchSearch<'_, T> {
    fn add(&mut self, more: &[T]) {
        if more.is_empty() || self.checks == 0 {
            return;
        }
        self.checks -= 1;
        let together: Vec<T> = self.held.iter().chain(more).cloned().collect();
        if (self.holds)(&together) {
            self.held = together;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.add(first);
            self.add(second);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_that_do_not_hold_cost_few_checks() {
        let all: Vec<u32> = (0..1_000).collect();
        let mut checks = 0;
        let held = largest_selection(&all, 100, &mut |some| {
            checks += 1;
            !some.contains(&500) && !some.contains(&501)
        });
        assert_eq!(held.len(), 998);
        assert!(checks < 30, "{checks}");
    }

    #[test]
    fn the_first_of_two_exclusive_repairs_is_kept() {
        let held = largest_selection(&["a", "b", "c"], 100, &mut |some| {
            !(some.contains(&"a") && some.contains(&"c"))
        });
        assert_eq!(held, ["a", "b"]);
    }

    #[test]
    fn the_number_of_checks_is_bounded() {
        let mut checks = 0;
        let held = largest_selection(&[1; 100], 7, &mut |_| {
            checks += 1;
            false
        });
        assert_eq!((held.len(), checks), (0, 7));
    }
}
