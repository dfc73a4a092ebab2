//! The syntax tree of an expression, with its macros expanded as cel-go expands them.
//!
//! An [`Ast`] is an arena: nodes refer to each other by [`ExprId`]; names and child lists are in separate
//! pools. Every node has the byte range of its source text and the byte offset at which cel-go reports its
//! errors.

mod operator;

pub use operator::Operator;

use std::num::NonZeroU32;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use text::{TextRange, TextSize};

/// A node of an [`Ast`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    /// The index of the node in tables of length [`Ast::len`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn from_index(index: usize) -> Self {
        let number = u32::try_from(index).unwrap_or(u32::MAX - 1);
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

/// An identifier, interned in its [`Ast`]: equal names have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Name(u32);

/// A list of nodes in the pool of an [`Ast`]; see [`Ast::list`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprList {
    start: u32,
    len: u32,
}

impl ExprList {
    /// The number of nodes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A list of entries in the pool of an [`Ast`]; see [`Ast::entries`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EntryList {
    start: u32,
    len: u32,
}

impl EntryList {
    /// The number of entries.
    #[must_use]
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One node.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of node.
    pub kind: ExprKind,
    /// The byte range from its first to its last token. A node that a macro created has the range of the
    /// macro call.
    pub range: TextRange,
    /// The byte offset that cel-go reports for the node: the operator, the `(` of a call, the `.` of a
    /// selection, the bracket of an index or literal, else the first byte.
    pub anchor: TextSize,
}

/// The kind of a node.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A missing or invalid expression.
    Error,
    /// A literal.
    Literal(Literal),
    /// An identifier; a leading dot is part of its name.
    Ident(Name),
    /// `operand.field`, or `has(operand.field)` when `test_only`. An unfinished selection (`self.`) has an
    /// empty field name.
    Select {
        /// The expression before the dot.
        operand: ExprId,
        /// The field.
        field: Name,
        /// The byte range of the field name.
        field_range: TextRange,
        /// Whether only the presence is tested.
        test_only: bool,
    },
    /// A call of a function or an operator, `a.?b` and `a[?b]` included.
    Call {
        /// The called function or operator.
        function: Function,
        /// The receiver of `target.f(…)`, which may be the namespace of the function instead.
        target: Option<ExprId>,
        /// The arguments.
        args: ExprList,
    },
    /// `[a, ?b]`
    List {
        /// The elements.
        elements: ExprList,
        /// The ascending indices of the optional elements; see [`Ast::indices`].
        optional: IndexList,
    },
    /// `{k: v, ?k: v}`
    Map(EntryList),
    /// `Type{field: value}`
    Struct {
        /// The message type as written, with dots.
        type_name: Name,
        /// The fields.
        fields: EntryList,
    },
    /// A loop that a macro expands to.
    Comprehension(Box<Comprehension>),
}

/// The indices of the optional elements of a list literal, in the pool of an [`Ast`]; see [`Ast::indices`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IndexList {
    start: u32,
    len: u32,
}

/// A literal.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `1`, `-1`, `0x1F`
    Int(i64),
    /// `1u`
    Uint(u64),
    /// `1.5`
    Double(f64),
    /// `'text'`, unescaped.
    String(Box<str>),
    /// `b'text'`, unescaped.
    Bytes(Box<[u8]>),
}

/// The function of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// An operator of the language.
    Operator(Operator),
    /// A function by its name.
    Named(Name),
}

/// An entry of a map or message literal.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Key of a map, field of a message.
    pub key: EntryKey,
    /// The value.
    pub value: ExprId,
    /// Whether the entry is skipped when its optional value is `optional.none()`.
    pub optional: bool,
    /// The byte offset of the `:`, where cel-go reports errors of the entry.
    pub anchor: TextSize,
}

/// The text before the `:` of an entry.
#[derive(Clone, Copy, Debug)]
pub enum EntryKey {
    /// The key of a map.
    Expr(ExprId),
    /// The field of a message.
    Field(Name),
}

/// A loop over a list or a map: `accu_init`, then for each element while `condition` holds `accu = step`, then `result`.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// The list or map of the loop.
    pub range: ExprId,
    /// The variable of the element or key; in the form with `iter_var2`, of the index or key.
    pub iter_var: Name,
    /// The variable of the element or value in the form with two variables.
    pub iter_var2: Option<Name>,
    /// The accumulator; `@result` in all macros but `optMap` and `optFlatMap`, where it is the user's variable.
    pub accu_var: Name,
    /// The first value of the accumulator.
    pub accu_init: ExprId,
    /// Evaluated before each step.
    pub condition: ExprId,
    /// The next value of the accumulator.
    pub step: ExprId,
    /// The value of the whole loop.
    pub result: ExprId,
}

/// A macro call as written.
#[derive(Clone, Copy, Debug)]
pub struct MacroCall {
    /// The node that the macro expands to.
    pub expansion: ExprId,
    /// `all`, `has`, …
    pub name: Name,
    /// The byte range of the name.
    pub name_range: TextRange,
    /// The receiver; `None` for `has`.
    pub target: Option<ExprId>,
    /// The arguments as written; the expansion does not use the nodes of variables.
    pub args: ExprList,
}

/// The tree of one expression.
#[derive(Clone, Debug)]
pub struct Ast {
    pub(crate) nodes: Vec<Expr>,
    pub(crate) lists: Vec<ExprId>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) indices: Vec<u32>,
    pub(crate) names: IndexSet<Box<str>, FxBuildHasher>,
    pub(crate) macros: Vec<MacroCall>,
    pub(crate) root: ExprId,
    pub(crate) rest: Vec<ExprId>,
}

impl Ast {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            lists: Vec::new(),
            entries: Vec::new(),
            indices: Vec::new(),
            names: IndexSet::default(),
            macros: Vec::new(),
            root: ExprId::FIRST,
            rest: Vec::new(),
        }
    }

    /// The root node of the expression.
    #[must_use]
    pub const fn root(&self) -> ExprId {
        self.root
    }

    /// Expressions in text that the API server's parser skips after an error. They are not part of the tree,
    /// but editors use them.
    #[must_use]
    pub fn skipped(&self) -> &[ExprId] {
        &self.rest
    }

    /// The number of nodes, used or not; one more than the greatest [`ExprId::index`].
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node. No parse returns such a tree.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of an id. An id of another tree gives an error node.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        static NOWHERE: Expr = Expr { kind: ExprKind::Error, range: TextRange::empty(0), anchor: 0 };
        self.nodes.get(id.index()).unwrap_or(&NOWHERE)
    }

    /// The kind of a node.
    #[must_use]
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.expr(id).kind
    }

    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.names.get_index(name.0 as usize).map_or("", |text| text)
    }

    /// The number of a name, if the expression uses it.
    #[must_use]
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.get_index_of(text).and_then(|at| u32::try_from(at).ok()).map(Name)
    }

    /// The name of a function, as cel-go writes it in messages.
    #[must_use]
    pub fn function_name(&self, function: Function) -> &str {
        match function {
            Function::Operator(operator) => operator.function_name(),
            Function::Named(name) => self.name(name),
        }
    }

    /// The nodes of a list.
    #[must_use]
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        slice(&self.lists, list.start, list.len)
    }

    /// The entries of a map or message literal.
    #[must_use]
    pub fn entries(&self, list: EntryList) -> &[Entry] {
        slice(&self.entries, list.start, list.len)
    }

    /// The ascending indices of the optional elements of a list literal.
    #[must_use]
    pub fn indices(&self, list: IndexList) -> &[u32] {
        slice(&self.indices, list.start, list.len)
    }

    /// The macro calls as written, inner calls before outer ones.
    #[must_use]
    pub fn macros(&self) -> &[MacroCall] {
        &self.macros
    }

    /// The macro call that expands to the node `id`.
    #[must_use]
    pub fn macro_of(&self, id: ExprId) -> Option<&MacroCall> {
        self.macros.iter().find(|call| call.expansion == id)
    }

    /// All nodes with their ids, in the order of their creation.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.nodes.iter().enumerate().map(|(index, expr)| (ExprId::from_index(index), expr))
    }

    /// Calls `visit` with each direct child of `id`.
    pub fn for_each_child(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.kind(id) {
            ExprKind::Error | ExprKind::Literal(_) | ExprKind::Ident(_) => {}
            ExprKind::Select { operand, .. } => visit(*operand),
            ExprKind::Call { target, args, .. } => {
                target.iter().chain(self.list(*args)).for_each(|child| visit(*child));
            }
            ExprKind::List { elements, .. } => self.list(*elements).iter().for_each(|child| visit(*child)),
            ExprKind::Map(entries) | ExprKind::Struct { fields: entries, .. } => {
                for entry in self.entries(*entries) {
                    if let EntryKey::Expr(key) = entry.key {
                        visit(key);
                    }
                    visit(entry.value);
                }
            }
            ExprKind::Comprehension(it) => {
                [it.range, it.accu_init, it.condition, it.step, it.result].into_iter().for_each(visit);
            }
        }
    }

    pub(crate) fn intern(&mut self, text: &str) -> Name {
        let at = match self.names.get_index_of(text) {
            Some(at) => at,
            None => self.names.insert_full(text.into()).0,
        };
        Name(u32::try_from(at).unwrap_or(u32::MAX))
    }

    pub(crate) fn push(&mut self, kind: ExprKind, range: TextRange, anchor: TextSize) -> ExprId {
        self.nodes.push(Expr { kind, range, anchor });
        ExprId::from_index(self.nodes.len() - 1)
    }

    pub(crate) fn push_list(&mut self, items: &[ExprId]) -> ExprList {
        let start = self.lists.len();
        self.lists.extend_from_slice(items);
        ExprList { start: start as u32, len: items.len() as u32 }
    }

    pub(crate) fn push_entries(&mut self, items: &[Entry]) -> EntryList {
        let start = self.entries.len();
        self.entries.extend_from_slice(items);
        EntryList { start: start as u32, len: items.len() as u32 }
    }

    pub(crate) fn push_indices(&mut self, items: &[u32]) -> IndexList {
        let start = self.indices.len();
        self.indices.extend_from_slice(items);
        IndexList { start: start as u32, len: items.len() as u32 }
    }
}

fn slice<T>(pool: &[T], start: u32, len: u32) -> &[T] {
    pool.get(start as usize..start as usize + len as usize).unwrap_or_default()
}
