//! Lists.

use super::Generator;
use super::node::Node;
use crate::value::{Kind, Value};

/// More items are not made.
const MOST_ITEMS: usize = 64;

impl Generator<'_> {
    /// At most `most` lists: one item of each value, none, one twice, several, and as many as bounds name.
    pub(super) fn lists(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        let (least, longest) = node.bounds(|of| of.min_items, |of| of.max_items);
        let items = node.items();
        let wanted = if most == 1 { least.max(1) } else { most.max(least) };
        let values = self.values(&items, wanted.min(MOST_ITEMS));
        let list = |items: Vec<&Value>| Value::made(Kind::List(items.into_iter().cloned().collect()));
        let several = |count: usize| values.iter().take(count).collect::<Vec<_>>();
        let repeated = |count: usize| values.iter().cycle().take(count).collect::<Vec<_>>();
        let mut pool = Vec::new();
        if least <= 1 {
            pool.extend(values.iter().take(1).map(|item| list(vec![item])));
        }
        if least > 1 {
            pool.extend([list(several(least.min(MOST_ITEMS))), list(repeated(least.min(MOST_ITEMS)))]);
        }
        if most == 1 {
            pool.push(list(Vec::new()));
            return self.first_admitted(pool, node, most);
        }
        pool.push(list(Vec::new()));
        pool.extend(values.first().map(|item| list(vec![item, item])));
        pool.push(list(several(2)));
        let (near, far) = values.split_at(values.len().min(most / 2));
        pool.extend(near.iter().skip(1).map(|item| list(vec![item])));
        let sizes = self.hints.ints.iter().filter_map(|size| usize::try_from(*size).ok());
        let sizes = sizes.flat_map(|size| [size, size.saturating_add(1), size.saturating_sub(1)]);
        let sizes: Vec<usize> = sizes.chain([3, least, least + 1, longest]).collect();
        for size in sizes.into_iter().filter(|size| (2..=MOST_ITEMS).contains(size)) {
            pool.extend([list(several(size)), list(repeated(size))]);
        }
        // Pairs of neighbours, both ways round, and of the first with others.
        for pair in values.windows(2) {
            pool.extend([list(pair.iter().collect()), list(pair.iter().rev().collect())]);
        }
        let first = values.first();
        pool.extend(values.iter().skip(2).filter_map(|item| Some(list(vec![first?, item]))));
        pool.extend(values.iter().skip(1).map(|item| list(vec![item, item])));
        pool.extend(far.iter().map(|item| list(vec![item])));
        pool.extend(values.windows(3).map(|three| list(three.iter().collect())));
        self.first_admitted(pool, node, most)
    }
}
