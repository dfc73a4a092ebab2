//! The tree that Go builds while it parses a pattern, as far as its limits depend on it.
//!
//! Go counts the nodes that it allocates, and reuses dropped nodes together with the size that was computed
//! for them. Because this decides where a limit is exceeded, it is reproduced here.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::class::{Class, RuneRange};
use super::token::{Flags, RepeatOp, TokenKind};
use super::unicode::{least_fold, simple_fold};

/// Instructions of a program, of 40 bytes each, in 128 MiB.
pub(super) const MAX_SIZE: u64 = (128 << 20) / 40;
/// Bounds of character classes, of 4 bytes each, in 128 MiB.
const MAX_RUNES: usize = (128 << 20) / 4;
/// The maximum height of the tree; with fewer nodes than this, Go does not check the height.
pub(super) const MAX_HEIGHT: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitExceeded {
    Height,
    /// The size of the program or of the character classes: Go does not distinguish them.
    Size,
}

/// The operators in Go's order, by which Go determines the more complex of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Op {
    Empty,
    Literal,
    Class,
    AnyNotNewline,
    Any,
    Assertion,
    Capture,
    Star,
    Plus,
    Quest,
    Repeat,
    Concat,
    Alternate,
    LeftParen,
    Bar,
}

impl Op {
    fn is_pseudo(self) -> bool {
        self >= Op::LeftParen
    }
}

/// An index into `GoTree::nodes`; only `GoTree::alloc` creates one, so that each is valid.
pub(super) type Id = usize;

#[derive(Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) flags: Flags,
    pub(super) sub: VecDeque<Id>,
    /// The code points of a literal.
    pub(super) runes: VecDeque<u32>,
    /// The ranges of a class, shared until ranges are added.
    pub(super) class: Rc<Vec<RuneRange>>,
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    /// Whether a left parenthesis captures.
    captures: bool,
    /// Kept when the node is dropped and reused.
    size: Option<u64>,
    height: Option<usize>,
}

#[derive(Debug, Default)]
pub(super) struct GoTree {
    nodes: Vec<Node>,
    free: Vec<Id>,
    stack: Vec<Id>,
    flags: Flags,
    runes: usize,
    /// The product of all counts so far; 0 before the first.
    repeats: u64,
    tracks_size: bool,
    tracks_height: bool,
    /// The ranges of the classes so far, cached because a long pattern has few different classes.
    classes: HashMap<Class, Rc<Vec<RuneRange>>>,
}

type LimitResult<T = ()> = Result<T, LimitExceeded>;

impl GoTree {
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id]
    }

    pub(super) fn alloc(&mut self, op: Op) -> Id {
        let mut node = Node {
            op,
            flags: self.flags,
            sub: VecDeque::new(),
            runes: VecDeque::new(),
            class: Rc::default(),
            min: 0,
            max: None,
            captures: false,
            size: None,
            height: None,
        };
        match self.free.pop() {
            Some(id) => {
                node.size = self.nodes[id].size;
                self.nodes[id] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    pub(super) fn drop_node(&mut self, id: Id) {
        self.nodes[id].height = None;
        self.free.push(id);
    }

    /// Adds any token except `)`. `before` are the flags before it.
    pub(super) fn add(&mut self, kind: TokenKind, before: Flags, flags: Flags) -> LimitResult {
        self.flags = before;
        let op = match kind {
            TokenKind::Literal(rune) => {
                let id = self.alloc(Op::Literal);
                let rune = if flags.fold { least_fold(rune) } else { rune };
                self.node_mut(id).runes.push_back(rune);
                return self.push(id);
            }
            TokenKind::Class(class) => {
                let id = self.alloc(Op::Class);
                let ranges = self.classes.entry(class).or_insert_with_key(|class| Rc::new(class.ranges()));
                self.nodes[id].class = Rc::clone(ranges);
                return self.push(id);
            }
            TokenKind::Repeat(repeat) => {
                let op = match repeat.op {
                    RepeatOp::Star => Op::Star,
                    RepeatOp::Plus => Op::Plus,
                    RepeatOp::Quest => Op::Quest,
                    RepeatOp::Counted => Op::Repeat,
                };
                let id = self.alloc(op);
                let Some(sub) = self.stack.pop() else { return Ok(()) };
                let node = self.node_mut(id);
                (node.min, node.max) = (repeat.min, repeat.max);
                node.flags.swap_greed = !repeat.greedy;
                node.sub.push_back(sub);
                self.stack.push(id);
                return self.check(id);
            }
            TokenKind::Bar => {
                self.concat()?;
                if self.swap_bar() {
                    return Ok(());
                }
                Op::Bar
            }
            TokenKind::Capture(_) | TokenKind::Group => {
                let id = self.alloc(Op::LeftParen);
                self.node_mut(id).captures = matches!(kind, TokenKind::Capture(_));
                self.push(id)?;
                self.flags = flags;
                return Ok(());
            }
            TokenKind::Any if flags.dot_all => Op::Any,
            TokenKind::Any => Op::AnyNotNewline,
            _ => Op::Assertion,
        };
        let id = self.alloc(op);
        self.push(id)
    }

    /// Adds a `)`. `before` are the flags before it, `flags` those after it.
    pub(super) fn close(&mut self, before: Flags, flags: Flags) -> LimitResult {
        self.flags = before;
        self.end_alternatives()?;
        // Without a parenthesis to close, the parser reports the error.
        let [.., paren, inside] = *self.stack.as_slice() else { return Ok(()) };
        self.stack.truncate(self.stack.len() - 2);
        self.flags = flags;
        if !self.node(paren).captures {
            return self.push(inside);
        }
        let node = self.node_mut(paren);
        node.op = Op::Capture;
        node.sub.push_back(inside);
        self.push(paren)
    }

    /// Ends the pattern; `flags` are the flags at its end.
    pub(super) fn finish(&mut self, flags: Flags) -> LimitResult {
        self.flags = flags;
        self.end_alternatives()
    }

    fn end_alternatives(&mut self) -> LimitResult {
        self.concat()?;
        if self.swap_bar() {
            self.stack.pop();
        }
        let from = self.operands();
        let subs = self.stack.split_off(from);
        if let Some(&last) = subs.last() {
            self.clean(last);
        }
        let whole = self.collapse(subs, Op::Alternate, 0)?;
        self.push(whole)
    }

    fn concat(&mut self) -> LimitResult {
        self.join_literals(None);
        let from = self.operands();
        let subs = self.stack.split_off(from);
        let whole = match subs.is_empty() {
            true => self.alloc(Op::Empty),
            false => self.collapse(subs, Op::Concat, 0)?,
        };
        self.push(whole)
    }

    /// The index on the stack of the first operand after the last `|` or `(`.
    fn operands(&self) -> usize {
        self.stack.iter().rposition(|&id| self.node(id).op.is_pseudo()).map_or(0, |at| at + 1)
    }

    fn push(&mut self, id: Id) -> LimitResult {
        let node = self.node(id);
        let runes = node.runes.len() + 2 * node.class.len();
        // A class of one letter, or of one letter in both cases, is a literal.
        let literal = match (node.op, node.class.as_slice()) {
            (Op::Class, &[(lo, hi)]) if lo == hi => Some((lo, false)),
            (Op::Class, &[(lo, lo_end), (hi, hi_end)]) if lo == lo_end && hi == hi_end => {
                (simple_fold(lo) == hi && simple_fold(hi) == lo).then_some((lo, true))
            }
            (Op::Class, &[(lo, hi)]) if lo + 1 == hi => {
                (simple_fold(lo) == hi && simple_fold(hi) == lo).then_some((lo, true))
            }
            _ => None,
        };
        self.runes += runes;
        if let Some((rune, fold)) = literal {
            let flags = Flags { fold, ..self.flags };
            if self.join_literals(Some((rune, flags))) {
                return Ok(());
            }
            let node = self.node_mut(id);
            (node.op, node.flags) = (Op::Literal, flags);
            node.class = Rc::default();
            node.runes = VecDeque::from([rune]);
        } else {
            self.join_literals(None);
        }
        self.stack.push(id);
        self.check(id)
    }

    /// Joins the two literals on top of the stack. Puts `next` into the freed node, if there is one, and
    /// returns whether it did.
    fn join_literals(&mut self, next: Option<(u32, Flags)>) -> bool {
        let [.., below, top] = *self.stack.as_slice() else { return false };
        let (a, b) = (self.node(below), self.node(top));
        if a.op != Op::Literal || b.op != Op::Literal || a.flags.fold != b.flags.fold {
            return false;
        }
        let runes = std::mem::take(&mut self.node_mut(top).runes);
        self.node_mut(below).runes.extend(runes);
        match next {
            Some((rune, flags)) => {
                let node = self.node_mut(top);
                node.runes.push_back(rune);
                node.flags = flags;
                true
            }
            None => {
                self.stack.pop();
                self.drop_node(top);
                false
            }
        }
    }

    /// Swaps the alternative on top of the stack with the `|` below it. Two single characters become a class.
    fn swap_bar(&mut self) -> bool {
        let [rest @ .., bar, top] = self.stack.as_slice() else { return false };
        let (bar, top) = (*bar, *top);
        if self.node(bar).op != Op::Bar {
            return false;
        }
        let count = self.stack.len();
        if let Some(&before) = rest.last() {
            if self.is_char(top) && self.is_char(before) {
                let swap = self.node(top).op > self.node(before).op;
                let (complex, simple) = if swap { (top, before) } else { (before, top) };
                self.stack[count - 3] = complex;
                self.merge(complex, simple);
                self.drop_node(simple);
                self.stack.pop();
                return true;
            }
            self.clean(before);
        }
        self.stack.swap(count - 1, count - 2);
        true
    }

    pub(super) fn check(&mut self, id: Id) -> LimitResult {
        if self.runes > MAX_RUNES {
            return Err(LimitExceeded::Size);
        }
        self.check_size(id)?;
        self.check_height(id)
    }

    fn check_size(&mut self, id: Id) -> LimitResult {
        if !self.tracks_size {
            self.repeats = self.repeats.max(1);
            let node = self.node(id);
            if node.op == Op::Repeat {
                let count = u64::from(node.max.unwrap_or(node.min).max(1));
                let fits = count <= MAX_SIZE / self.repeats;
                self.repeats = if fits { self.repeats * count } else { MAX_SIZE };
            }
            if (self.nodes.len() as u64) < MAX_SIZE / self.repeats {
                return Ok(());
            }
            self.tracks_size = true;
            for below in self.stack.clone() {
                self.check_size(below)?;
            }
        }
        if self.size(id, true) > MAX_SIZE { Err(LimitExceeded::Size) } else { Ok(()) }
    }

    /// The size in instructions. The recursion is hardly deeper than `MAX_HEIGHT`, because heights are always
    /// checked.
    fn size(&mut self, id: Id, recompute: bool) -> u64 {
        if let Some(size) = self.node(id).size.filter(|_| !recompute) {
            return size;
        }
        let mut subs = 0u64;
        for at in 0..self.node(id).sub.len() {
            let sub = self.node(id).sub[at];
            subs = subs.saturating_add(self.size(sub, false));
        }
        let node = self.node(id);
        let size = match (node.op, node.max) {
            (Op::Literal, _) => node.runes.len() as u64,
            (Op::Capture | Op::Star, _) => subs.saturating_add(2),
            (Op::Plus | Op::Quest, _) => subs.saturating_add(1),
            (Op::Concat, _) => subs,
            (Op::Alternate, _) => subs.saturating_add(node.sub.len().saturating_sub(1) as u64),
            (Op::Repeat, None) if node.min == 0 => subs.saturating_add(2),
            (Op::Repeat, None) => subs.saturating_mul(u64::from(node.min)).saturating_add(1),
            (Op::Repeat, Some(max)) => {
                subs.saturating_mul(u64::from(max)).saturating_add(u64::from(max.saturating_sub(node.min)))
            }
            _ => 0,
        };
        let size = size.max(1);
        self.node_mut(id).size = Some(size);
        size
    }

    fn check_height(&mut self, id: Id) -> LimitResult {
        if self.nodes.len() < MAX_HEIGHT {
            return Ok(());
        }
        if !self.tracks_height {
            self.tracks_height = true;
            for below in self.stack.clone() {
                self.check_height(below)?;
            }
        }
        if self.height(id, true) > MAX_HEIGHT { Err(LimitExceeded::Height) } else { Ok(()) }
    }

    fn height(&mut self, id: Id, recompute: bool) -> usize {
        if let Some(height) = self.node(id).height.filter(|_| !recompute) {
            return height;
        }
        let mut height = 1;
        for at in 0..self.node(id).sub.len() {
            let sub = self.node(id).sub[at];
            height = height.max(1 + self.height(sub, false));
        }
        self.node_mut(id).height = Some(height);
        height
    }
}
