//! Go's factoring of patterns: alternatives with the same prefix share it.

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::class::{MAX_RUNE, RuneRange, canonical};
use super::go_tree::{GoTree, Id, LimitExceeded, MAX_HEIGHT, Op};
use super::unicode::simple_fold;

const NEWLINE: u32 = 10;

impl GoTree {
    /// Joins several nodes to one; nodes of the same kind are flattened first.
    pub(super) fn collapse(&mut self, subs: Vec<Id>, op: Op, depth: usize) -> Result<Id, LimitExceeded> {
        if let [single] = subs.as_slice() {
            return Ok(*single);
        }
        let whole = self.alloc(op);
        let mut flat = Vec::with_capacity(subs.len());
        for sub in subs {
            if self.node(sub).op == op {
                flat.extend(std::mem::take(&mut self.node_mut(sub).sub));
                self.drop_node(sub);
            } else {
                flat.push(sub);
            }
        }
        if op == Op::Alternate {
            flat = self.factor(flat, depth)?;
            if let [single] = flat.as_slice() {
                self.drop_node(whole);
                return Ok(*single);
            }
        }
        self.node_mut(whole).sub = flat.into();
        Ok(whole)
    }

    fn factor(&mut self, subs: Vec<Id>, depth: usize) -> Result<Vec<Id>, LimitExceeded> {
        // Each recursion makes the tree at least one level higher.
        if depth > MAX_HEIGHT {
            return Err(LimitExceeded::Height);
        }
        let subs = self.share_strings(subs, depth)?;
        let subs = self.share_nodes(subs, depth)?;
        let subs = self.merge_chars(subs);
        Ok(self.merge_empties(subs))
    }

    /// `abc|abd` is `ab(c|d)`.
    fn share_strings(&mut self, mut subs: Vec<Id>, depth: usize) -> Result<Vec<Id>, LimitExceeded> {
        let mut out = Vec::with_capacity(subs.len());
        let mut start = 0;
        let (mut shared, mut fold): (VecDeque<u32>, bool) = (VecDeque::new(), false);
        for i in 0..=subs.len() {
            let next = subs.get(i).and_then(|&sub| self.leading_string(sub));
            let next_fold = next.is_some_and(|id| self.node(id).flags.fold);
            if i < subs.len() && next_fold == fold {
                let common = next.map_or(0, |id| {
                    shared.iter().zip(&self.node(id).runes).take_while(|(a, b)| a == b).count()
                });
                if common > 0 {
                    shared.truncate(common);
                    continue;
                }
            }
            if i == start + 1 {
                out.push(subs[start]);
            } else if i > start {
                let prefix = self.alloc(Op::Literal);
                let length = shared.len();
                let node = self.node_mut(prefix);
                node.runes = std::mem::take(&mut shared);
                node.flags = super::token::Flags { fold, ..Default::default() };
                for sub in &mut subs[start..i] {
                    *sub = self.without_string(*sub, length);
                    self.check(*sub)?;
                }
                out.push(self.shared(prefix, &subs, start..i, depth)?);
            }
            start = i;
            shared = next.map_or_else(VecDeque::new, |id| self.node(id).runes.clone());
            fold = next_fold;
        }
        Ok(out)
    }

    /// `[ab]c|[ab]d` is `[ab](c|d)`.
    fn share_nodes(&mut self, mut subs: Vec<Id>, depth: usize) -> Result<Vec<Id>, LimitExceeded> {
        let mut out = Vec::with_capacity(subs.len());
        let mut start = 0;
        let mut first = None;
        for i in 0..=subs.len() {
            let next = subs.get(i).and_then(|&sub| self.leading_node(sub));
            if let (Some(a), Some(b)) = (first, next)
                && self.is_same_simple(a, b)
            {
                continue;
            }
            match first {
                Some(prefix) if i > start + 1 => {
                    for (at, sub) in subs.iter_mut().enumerate().take(i).skip(start) {
                        *sub = self.without_node(*sub, at != start);
                        self.check(*sub)?;
                    }
                    out.push(self.shared(prefix, &subs, start..i, depth)?);
                }
                _ => out.extend_from_slice(&subs[start..i]),
            }
            start = i;
            first = next;
        }
        Ok(out)
    }

    /// A concatenation of the prefix and the remaining alternatives.
    fn shared(
        &mut self,
        prefix: Id,
        subs: &[Id],
        run: Range<usize>,
        depth: usize,
    ) -> Result<Id, LimitExceeded> {
        let suffix = self.collapse(subs[run].to_vec(), Op::Alternate, depth + 1)?;
        let whole = self.alloc(Op::Concat);
        self.node_mut(whole).sub = VecDeque::from([prefix, suffix]);
        Ok(whole)
    }

    /// `a|[bc]` is `[abc]`.
    fn merge_chars(&mut self, mut subs: Vec<Id>) -> Vec<Id> {
        let mut out = Vec::with_capacity(subs.len());
        let mut start = 0;
        for i in 0..=subs.len() {
            if subs.get(i).is_some_and(|&sub| self.is_char(sub)) {
                continue;
            }
            if i > start + 1 {
                let mut most = start;
                for at in start + 1..i {
                    if self.complexity(subs[most]) < self.complexity(subs[at]) {
                        most = at;
                    }
                }
                subs.swap(start, most);
                for at in start + 1..i {
                    self.merge(subs[start], subs[at]);
                    self.drop_node(subs[at]);
                }
                self.clean(subs[start]);
            }
            out.extend(subs.get(start).filter(|_| i > start));
            out.extend(subs.get(i));
            start = i + 1;
        }
        out
    }

    fn merge_empties(&mut self, subs: Vec<Id>) -> Vec<Id> {
        let is_empty = |id: Option<&Id>| id.is_some_and(|&id| self.node(id).op == Op::Empty);
        let kept = (0..subs.len()).filter(|&i| !(is_empty(subs.get(i)) && is_empty(subs.get(i + 1))));
        kept.map(|i| subs[i]).collect()
    }

    fn leading_string(&self, id: Id) -> Option<Id> {
        let id = self.first_of_concat(id);
        (self.node(id).op == Op::Literal).then_some(id)
    }

    fn leading_node(&self, id: Id) -> Option<Id> {
        let id = self.first_of_concat(id);
        (self.node(id).op != Op::Empty).then_some(id)
    }

    fn first_of_concat(&self, id: Id) -> Id {
        let node = self.node(id);
        if node.op == Op::Concat { node.sub.front().copied().unwrap_or(id) } else { id }
    }

    fn without_string(&mut self, id: Id, length: usize) -> Id {
        let first = self.first_of_concat(id);
        let node = self.node_mut(first);
        if node.op == Op::Literal {
            node.runes.drain(..length.min(node.runes.len()));
            if node.runes.is_empty() {
                node.op = Op::Empty;
            }
        }
        if first == id || self.node(first).op != Op::Empty {
            return id;
        }
        self.drop_node(first);
        self.node_mut(id).sub.pop_front();
        self.unwrap_single(id)
    }

    fn without_node(&mut self, id: Id, drops: bool) -> Id {
        let first = self.first_of_concat(id);
        if drops {
            self.drop_node(first);
        }
        if first == id {
            return self.alloc(Op::Empty);
        }
        self.node_mut(id).sub.pop_front();
        self.unwrap_single(id)
    }

    fn unwrap_single(&mut self, id: Id) -> Id {
        match self.node(id).sub.front() {
            Some(&only) if self.node(id).sub.len() == 1 => {
                self.drop_node(id);
                only
            }
            _ => id,
        }
    }

    /// Whether a node is a character or a character with a fixed repeat count, and the other node is the same.
    fn is_same_simple(&self, a: Id, b: Id) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        if x.op != y.op {
            return false;
        }
        match (x.op, x.sub.front(), y.sub.front()) {
            (Op::Repeat, Some(&x_sub), Some(&y_sub)) => {
                x.max == Some(x.min)
                    && (x.min, x.max, x.flags.swap_greed) == (y.min, y.max, y.flags.swap_greed)
                    && self.is_char(x_sub)
                    && self.is_same_simple(x_sub, y_sub)
            }
            (Op::Literal, ..) => self.is_char(a) && x.flags.fold == y.flags.fold && x.runes == y.runes,
            (Op::Class, ..) => {
                let is_same = Rc::ptr_eq(&x.class, &y.class) || x.class == y.class;
                x.flags.fold == y.flags.fold && is_same
            }
            _ => self.is_char(a),
        }
    }

    pub(super) fn is_char(&self, id: Id) -> bool {
        let node = self.node(id);
        match node.op {
            Op::Literal => node.runes.len() == 1,
            Op::Class | Op::AnyNotNewline | Op::Any => true,
            _ => false,
        }
    }

    fn complexity(&self, id: Id) -> (Op, usize) {
        let node = self.node(id);
        (node.op, node.runes.len() + 2 * node.class.len())
    }

    /// Adds the characters of `from`, the simpler of the two nodes, to `into`.
    pub(super) fn merge(&mut self, into: Id, from: Id) {
        let source = self.node(from);
        let (op, flags, class) = (source.op, source.flags, Rc::clone(&source.class));
        let rune = source.runes.front().copied().filter(|_| op == Op::Literal);
        let target = self.node_mut(into);
        match target.op {
            Op::AnyNotNewline => {
                let has_newline =
                    rune == Some(NEWLINE) || class.iter().any(|&(lo, hi)| (lo..=hi).contains(&NEWLINE));
                if has_newline {
                    target.op = Op::Any;
                }
            }
            Op::Class => {
                let ranges = Rc::make_mut(&mut target.class);
                match rune {
                    Some(rune) => add_literal(ranges, rune, flags.fold),
                    None => class.iter().for_each(|&range| add_range(ranges, range)),
                }
            }
            Op::Literal => {
                let own = target.runes.front().copied();
                let (Some(own), Some(rune)) = (own, rune) else { return };
                if own == rune && target.flags == flags {
                    return;
                }
                let mut ranges = Vec::new();
                add_literal(&mut ranges, own, target.flags.fold);
                add_literal(&mut ranges, rune, flags.fold);
                target.op = Op::Class;
                target.runes.clear();
                target.class = Rc::new(ranges);
            }
            _ => {}
        }
    }

    /// Sorts the ranges of an extended class.
    pub(super) fn clean(&mut self, id: Id) {
        let node = self.node_mut(id);
        if node.op != Op::Class {
            return;
        }
        if !node.class.is_sorted_by(|a, b| a.1.saturating_add(1) < b.0) {
            node.class = Rc::new(canonical(node.class.to_vec()));
        }
        node.op = match node.class.as_slice() {
            [(0, MAX_RUNE)] => Op::Any,
            [(0, 9), (11, MAX_RUNE)] => Op::AnyNotNewline,
            _ => return,
        };
        node.class = Rc::default();
    }
}

fn add_literal(ranges: &mut Vec<RuneRange>, rune: u32, fold: bool) {
    add_range(ranges, (rune, rune));
    let mut next = simple_fold(rune);
    while fold && next != rune {
        add_range(ranges, (next, next));
        next = simple_fold(next);
    }
}

/// Extends one of the last two ranges if it overlaps or touches the new one; otherwise appends the new range.
fn add_range(ranges: &mut Vec<RuneRange>, (lo, hi): RuneRange) {
    match ranges.iter_mut().rev().take(2).find(|last| lo <= last.1 + 1 && last.0 <= hi + 1) {
        Some(last) => *last = (last.0.min(lo), last.1.max(hi)),
        None => ranges.push((lo, hi)),
    }
}
