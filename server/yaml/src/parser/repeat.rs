//! Blocks whose text occurs more than once. Definitions repeat schemas: in each version, and for each field of
//! the same type. A repeated block is parsed once, and all its places have the same node.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::reuse::{OldNode, fits};
use super::{OpenNode, Parser, Sig};
use crate::syntax::{Content, Node, SyntaxKind};

/// The bytes at the start of a block that select the block to compare it with. Shorter blocks are parsed again.
const START: usize = 64;

/// The blocks that were parsed so far, by their start; of several with the same start, the last.
#[derive(Default)]
pub(super) struct KnownBlocks {
    blocks: FxHashMap<BlockStart, KnownBlock>,
}

struct KnownBlock {
    node: Arc<Node>,
    /// The text of its look-ahead.
    after: Box<[u8]>,
}

/// A hash of the kind, the context and the first bytes of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BlockStart(u64);

impl Parser<'_> {
    /// Puts the entry or item at `sig` into `parent`: a known block if it has the same text. Returns its end.
    pub(super) fn entry_or_item(
        &mut self,
        parent: &OpenNode,
        sig: Sig,
        on_top: bool,
        old: Option<OldNode<'_>>,
    ) -> usize {
        let is_item = parent.kind == SyntaxKind::BlockSequence;
        let start = if on_top { None } else { self.block_start(is_item, sig) };
        if let Some(end) = start.and_then(|start| self.repeat(parent, start, sig)) {
            return end;
        }
        let end = if is_item { self.item(parent, sig, old) } else { self.entry(parent, sig, on_top, old) };
        if let Some(start) = start {
            self.remember(start, sig.pos, end);
        }
        end
    }

    /// The start of the entry or item at `sig`. None if no block is remembered, or if the text is too short.
    fn block_start(&self, is_item: bool, sig: Sig) -> Option<BlockStart> {
        self.known.as_ref()?;
        let text = self.bytes.get(sig.pos..sig.pos + START)?;
        let mut hasher = FxHasher::default();
        (is_item, sig.column, text).hash(&mut hasher);
        Some(BlockStart(hasher.finish()))
    }

    /// If the known block of that start has the text at `sig`, puts it into `parent` and returns its end.
    fn repeat(&mut self, parent: &OpenNode, start: BlockStart, sig: Sig) -> Option<usize> {
        let KnownBlock { node, after } = self.known.as_ref()?.blocks.get(&start)?;
        let end = sig.pos + node.len as usize;
        let looked = end + after.len();
        // At the end of the content, the same text can be parsed differently.
        let is_same = looked < self.limit
            && fits(node, sig, false)
            && (node.kind == SyntaxKind::BlockItem) == (parent.kind == SyntaxKind::BlockSequence)
            && self.bytes.get(end..looked) == Some(after)
            && is_text_of(node, self.bytes.get(sig.pos..end)?);
        let node = is_same.then(|| Arc::clone(node))?;
        self.push_node(parent, sig.pos, node);
        self.touch(looked);
        Some(end)
    }

    /// Remembers the block from `pos` to `end`, the last one that was put into its parent.
    fn remember(&mut self, start: BlockStart, pos: usize, end: usize) {
        let Some(Content::Node(node)) = self.elements.last().map(|last| last.content()) else { return };
        let looked = end + node.lookahead as usize;
        let is_known = end - pos >= START && looked < self.limit;
        let after = self.bytes.get(end..looked).filter(|_| is_known);
        if let (Some(known), Some(after)) = (&mut self.known, after) {
            known.blocks.insert(start, KnownBlock { node: Arc::clone(node), after: after.into() });
        }
    }
}

/// Whether `node` has this text, which has its length.
fn is_text_of(node: &Node, text: &[u8]) -> bool {
    node.elements.iter().all(|element| {
        let Some(part) = text.get(element.start as usize..element.end() as usize) else { return false };
        match element.content() {
            Content::Node(node) => is_text_of(node, part),
            Content::Token(at) => {
                let token = at as usize..(at + element.len) as usize;
                node.text.as_bytes().get(token) == Some(part)
            }
        }
    })
}
