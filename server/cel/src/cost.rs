//! The maximum cost of an expression before it runs: the estimate that the API server compares with its limits.
//!
//! The estimate is that of release 1.37, except for earlier costs of Kubernetes' own functions
//! ([`PARSES_COST`], [`OWN_EQUALITY`], [`SCALAR_OPTIONALS`]). Releases before 1.33 have another estimator,
//! whose results differ for nested loops.

mod bounds;
mod calls;
mod paths;

pub use bounds::Bounds;

use crate::ast::{
    Ast, Comprehension, EntryKey, EntryList, ExprId, ExprKind, ExprList, Function, Literal, Name,
};
use crate::checker::{CheckedExpr, Reference};
use crate::declarations::DeclType;
use crate::types::Type;
use calls::Node;
use paths::{Path, PathStep, Paths, step_into};

/// The limit of the estimated cost of an expression: one evaluation times the number of evaluations.
pub const EXPRESSION_LIMIT: u64 = 10_000_000;
/// The limit of the estimated cost of all expressions of a schema.
pub const SCHEMA_LIMIT: u64 = 100_000_000;

/// The release from which on functions that parse a text, such as `quantity()`, cost more than one.
const PARSES_COST: u8 = 34;
/// The release from which on an optional of a scalar has size 1.
const SCALAR_OPTIONALS: u8 = 33;
/// The release from which on equality of Kubernetes' own types has its own cost; before, the cost is unbounded.
const OWN_EQUALITY: u8 = 32;

const LIST: u64 = 10;
const MAP: u64 = 30;
const MESSAGE: u64 = 40;

/// The cost of an expression, and the sizes of the schema that it depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The cost of one evaluation; only the maximum counts.
    pub cost: Bounds,
    /// The parts of the schema whose sizes the estimate uses.
    pub sizes: Vec<SizeUse>,
}

/// A size of the schema that an estimate depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeUse {
    /// The expression that has the size.
    pub expr: ExprId,
    /// The path in the schema: escaped names of fields, `@items`, `@keys` and `@values`.
    pub path: Vec<String>,
    /// The maximum size: elements of a list or map, bytes of a string.
    pub max: u64,
}

/// The cost of one evaluation of a well-typed expression whose `self` is of type `root`.
#[must_use]
pub fn estimate(ast: &Ast, checked: &CheckedExpr, root: &DeclType) -> Bounds {
    Coster::new(ast, checked, root, false).cost(ast.root())
}

/// The same with the sizes that the estimate depends on, to explain a high cost.
#[must_use]
pub fn explain(ast: &Ast, checked: &CheckedExpr, root: &DeclType) -> Estimate {
    let mut coster = Coster::new(ast, checked, root, true);
    let cost = coster.cost(ast.root());
    Estimate { cost, sizes: coster.uses }
}

/// The sizes of the keys and values of a list or map.
#[derive(Clone, Copy, Debug)]
struct Entries {
    is_list: bool,
    key: Bounds,
    value: Bounds,
}

impl Entries {
    fn union(this: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (this, other) = (this?, other?);
        let (key, value) = (this.key.union(other.key), this.value.union(other.value));
        Some(Self { is_list: this.is_list, key, value })
    }
}

/// A variable of a macro.
struct MacroVariable {
    name: Name,
    path: Path,
    size: Option<Bounds>,
    entries: Option<Entries>,
}

struct Coster<'a> {
    ast: &'a Ast,
    checked: &'a CheckedExpr,
    root: &'a DeclType,
    paths: Paths,
    path_of: Vec<Path>,
    sizes: Vec<Option<Bounds>>,
    entries: Vec<Option<Entries>>,
    locals: Vec<MacroVariable>,
    explains: bool,
    uses: Vec<SizeUse>,
}

impl<'a> Coster<'a> {
    fn new(ast: &'a Ast, checked: &'a CheckedExpr, root: &'a DeclType, explains: bool) -> Self {
        Self {
            ast,
            checked,
            root,
            paths: Paths::default(),
            path_of: vec![Path::default(); ast.len()],
            sizes: vec![None; ast.len()],
            entries: vec![None; ast.len()],
            locals: Vec::new(),
            explains,
            uses: Vec::new(),
        }
    }

    // ---- tables

    fn local(&self, name: Name) -> Option<&MacroVariable> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn local_of(&self, id: ExprId) -> Option<&MacroVariable> {
        match self.ast.kind(id) {
            ExprKind::Ident(name) => self.local(*name),
            _ => None,
        }
    }

    fn path(&self, id: ExprId) -> Path {
        match self.local_of(id) {
            Some(local) => local.path,
            None => self.path_of.get(id.index()).copied().unwrap_or_default(),
        }
    }

    fn set_path(&mut self, id: ExprId, path: Path) {
        if let Some(slot) = self.path_of.get_mut(id.index()) {
            *slot = path;
        }
    }

    fn set_size(&mut self, id: ExprId, size: Option<Bounds>) {
        if let (Some(slot), Some(size)) = (self.sizes.get_mut(id.index()), size) {
            *slot = Some(size);
        }
    }

    fn set_entries(&mut self, id: ExprId, entries: Option<Entries>) {
        if let (Some(slot), Some(entries)) = (self.entries.get_mut(id.index()), entries) {
            *slot = Some(entries);
        }
    }

    /// The declared type at the end of a path. The variable is ignored: all paths begin at `self`.
    fn declared(&self, path: Path) -> Option<&'a DeclType> {
        let ast = self.ast;
        let (_, steps) = self.paths.steps(path).split_first()?;
        steps.iter().try_fold(self.root, |of, step| step_into(of, *step, |name| ast.name(name)))
    }

    fn declared_size(&self, path: Path) -> Option<Bounds> {
        self.declared(path).map(|of| Bounds::new(0, of.max_elements))
    }

    fn size(&mut self, id: ExprId) -> Option<Bounds> {
        if let Some(size) = self.sizes.get(id.index()).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = self.literal_size(id) {
            return Some(Bounds::exactly(size));
        }
        let path = self.path(id);
        if let Some(size) = self.declared_size(path) {
            self.set_size(id, Some(size));
            self.note_use(id, path, size.max);
            return Some(size);
        }
        let of = match self.checked.type_of(id) {
            Type::Optional(inner) if self.checked.env.server() >= SCALAR_OPTIONALS => inner,
            of => of,
        };
        if is_scalar(of) {
            return Some(Bounds::exactly(1));
        }
        self.local_of(id).and_then(|local| local.size)
    }

    fn size_or_unknown(&mut self, id: ExprId) -> Bounds {
        self.size(id).unwrap_or(Bounds::UNKNOWN)
    }

    fn literal_size(&self, id: ExprId) -> Option<u64> {
        match self.ast.kind(id) {
            ExprKind::Literal(Literal::String(text)) => Some(text.chars().count() as u64),
            ExprKind::Literal(Literal::Bytes(bytes)) => Some(bytes.len() as u64),
            ExprKind::Literal(_) => Some(1),
            ExprKind::List { elements, .. } => Some(elements.len() as u64),
            ExprKind::Map(entries) => Some(entries.len() as u64),
            _ => None,
        }
    }

    fn entries_of(&self, id: ExprId) -> Option<Entries> {
        let known = self.entries.get(id.index()).copied().flatten();
        known.or_else(|| self.local_of(id).and_then(|local| local.entries))
    }

    fn note_use(&mut self, expr: ExprId, path: Path, max: u64) {
        if !self.explains || max == 0 {
            return;
        }
        let ast = self.ast;
        let name = |step: &PathStep| match step {
            PathStep::Variable | PathStep::Indices => String::new(),
            PathStep::Items => "@items".to_owned(),
            PathStep::Keys => "@keys".to_owned(),
            PathStep::Values => "@values".to_owned(),
            PathStep::Field(field) => ast.name(*field).to_owned(),
        };
        let path = self.paths.steps(path).iter().skip(1).map(name).collect();
        self.uses.push(SizeUse { expr, path, max });
    }

    // ---- nodes

    fn cost(&mut self, id: ExprId) -> Bounds {
        let ast = self.ast;
        // A selection that is a qualified name, such as `net.IP`, is an identifier.
        if !matches!(self.checked.reference(id), Reference::None)
            && matches!(ast.kind(id), ExprKind::Select { .. })
        {
            let path = self.paths.variable();
            self.set_path(id, path);
            return Bounds::exactly(1);
        }
        match ast.kind(id) {
            ExprKind::Error | ExprKind::Literal(_) => Bounds::default(),
            ExprKind::Ident(name) => {
                let path = match self.local(*name) {
                    Some(local) => local.path,
                    None => self.paths.variable(),
                };
                self.set_path(id, path);
                Bounds::exactly(1)
            }
            ExprKind::Select { operand, field, test_only, .. } => {
                self.select_cost(id, *operand, *field, *test_only)
            }
            ExprKind::Call { function, target, args } => self.call_cost(id, *function, *target, *args),
            ExprKind::List { elements, .. } => self.list_cost(id, *elements),
            ExprKind::Map(entries) => self.map_cost(id, *entries),
            ExprKind::Struct { fields, .. } => {
                let fields = ast.entries(*fields);
                let sum =
                    fields.iter().fold(Bounds::default(), |sum, field| sum.plus(self.cost(field.value)));
                sum.plus(Bounds::exactly(MESSAGE))
            }
            ExprKind::Comprehension(comprehension) if self.is_bind(comprehension) => {
                self.bind_cost(id, comprehension)
            }
            ExprKind::Comprehension(comprehension) => self.loop_cost(id, comprehension),
        }
    }

    fn select_cost(&mut self, id: ExprId, operand: ExprId, field: Name, test_only: bool) -> Bounds {
        let cost = self.cost(operand);
        if test_only {
            return cost;
        }
        let path = self.path(operand);
        let path = self.paths.extended(path, PathStep::Field(field));
        self.set_path(id, path);
        match self.checked.type_of(operand) {
            Type::Map(_) | Type::Object(_) | Type::Param(_) => cost.plus(Bounds::exactly(1)),
            _ => cost,
        }
    }

    fn list_cost(&mut self, id: ExprId, elements: ExprList) -> Bounds {
        let mut sum = Bounds::exactly(LIST);
        let mut value = if elements.is_empty() { Bounds::default() } else { NOTHING_YET };
        for element in self.ast.list(elements) {
            sum = sum.plus(self.cost(*element));
            value = value.union(self.size_or_unknown(*element));
        }
        self.set_entries(id, Some(Entries { is_list: true, key: Bounds::exactly(1), value }));
        sum
    }

    fn map_cost(&mut self, id: ExprId, entries: EntryList) -> Bounds {
        let mut sum = Bounds::exactly(MAP);
        let mut key_size = if entries.is_empty() { Bounds::default() } else { NOTHING_YET };
        let mut value_size = key_size;
        for entry in self.ast.entries(entries) {
            let EntryKey::Expr(key) = entry.key else { continue };
            sum = sum.plus(self.cost(key)).plus(self.cost(entry.value));
            key_size = key_size.union(self.size_or_unknown(key));
            value_size = value_size.union(self.size_or_unknown(entry.value));
        }
        self.set_entries(id, Some(Entries { is_list: false, key: key_size, value: value_size }));
        sum
    }

    // ---- loops

    /// A loop that only binds a variable.
    fn is_bind(&self, comprehension: &Comprehension) -> bool {
        let empty = matches!(self.ast.kind(comprehension.range), ExprKind::List { elements, .. } if elements.is_empty());
        empty && matches!(self.ast.kind(comprehension.condition), ExprKind::Literal(Literal::Bool(false)))
    }

    fn bind_cost(&mut self, id: ExprId, bind: &Comprehension) -> Bounds {
        let sum = self.cost(bind.range).plus(self.cost(bind.accu_init));
        let outer = self.locals.len();
        self.push_local(bind.accu_var, bind.accu_init);
        let sum = sum.plus(self.cost(bind.result));
        self.locals.truncate(outer);
        self.copy_sizes(id, bind.result);
        sum
    }

    fn loop_cost(&mut self, id: ExprId, it: &Comprehension) -> Bounds {
        let sum = self.cost(it.range).plus(self.cost(it.accu_init));
        let outer = self.locals.len();
        self.push_local(it.accu_var, it.accu_init);
        let inner = self.locals.len();
        let over_list = self.is_over_list(it.range);
        let entries = self.entries_of(it.range);
        let (key, value) = (entries.map(|entries| entries.key), entries.map(|entries| entries.value));
        let (key_step, value_step) =
            if over_list { (PathStep::Indices, PathStep::Items) } else { (PathStep::Keys, PathStep::Values) };
        match it.iter_var2 {
            Some(second) => {
                self.push_element(it.iter_var, it.range, key_step, key);
                self.push_element(second, it.range, value_step, value);
            }
            None if over_list => self.push_element(it.iter_var, it.range, PathStep::Items, value),
            None => self.push_element(it.iter_var, it.range, PathStep::Keys, key),
        }
        let condition = self.cost(it.condition);
        let step = self.cost(it.step);
        self.locals.truncate(inner);
        let sum = sum.plus(self.cost(it.result));
        self.locals.truncate(outer);
        let turns = self.size_or_unknown(it.range);
        match self.ast.kind(it.accu_init) {
            ExprKind::Literal(_) => {
                let size = self.size(it.accu_init);
                self.set_size(id, size);
            }
            ExprKind::List { .. } | ExprKind::Map(_) => {
                self.set_size(id, Some(turns));
                let entries = self.entries_of(it.step);
                self.set_entries(id, entries);
            }
            _ => {}
        }
        sum.plus(turns.times(step.plus(condition)))
    }

    fn is_over_list(&self, range: ExprId) -> bool {
        match self.entries_of(range) {
            Some(entries) => entries.is_list,
            None => matches!(self.checked.type_of(range), Type::List(_)),
        }
    }

    fn push_local(&mut self, name: Name, value: ExprId) {
        let (path, size, entries) = (self.path(value), self.size(value), self.entries_of(value));
        self.locals.push(MacroVariable { name, path, size, entries });
    }

    fn push_element(&mut self, name: Name, range: ExprId, step: PathStep, size: Option<Bounds>) {
        let path = self.path(range);
        let path = self.paths.extended(path, step);
        self.locals.push(MacroVariable { name, path, size, entries: None });
    }

    fn copy_sizes(&mut self, to: ExprId, from: ExprId) {
        let (size, entries) = (self.size(from), self.entries_of(from));
        self.set_size(to, size);
        self.set_entries(to, entries);
    }

    // ---- calls

    fn call_cost(
        &mut self,
        id: ExprId,
        function: Function,
        target: Option<ExprId>,
        args: ExprList,
    ) -> Bounds {
        let ast = self.ast;
        let args = ast.list(args);
        let name = ast.function_name(function);
        if let ("dyn", &[arg, ..]) = (name, args) {
            let cost = self.cost(arg);
            self.copy_sizes(id, arg);
            return cost.plus(Bounds::exactly(1));
        }
        let mut arg_nodes = Vec::with_capacity(args.len());
        let mut arg_costs = Vec::with_capacity(args.len());
        for arg in args {
            arg_costs.push(self.cost(*arg));
            arg_nodes.push(self.node(*arg));
        }
        let checked = self.checked;
        let overloads = checked.overloads(id);
        if overloads.is_empty() {
            return Bounds::default();
        }
        let target = target.filter(|_| !checked.is_namespaced(id));
        let mut sum = Bounds::default();
        let target = target.map(|target| {
            sum = self.cost(target);
            self.node(target)
        });
        let call = calls::Call { id, target, args: &arg_nodes, arg_costs: &arg_costs };
        let mut cost = NOTHING_YET;
        let mut result: Option<Bounds> = None;
        for overload in overloads.iter().filter_map(|id| id.overload()) {
            let (overload_cost, size) = self.overload_cost(&call, overload.declared.estimate);
            cost = cost.union(overload_cost);
            if let Some(size) = size {
                result = Some(result.map_or(size, |result| result.union(size)));
            }
            let step = match overload.id {
                "index_list" => Some(PathStep::Items),
                "index_map" => Some(PathStep::Values),
                _ => None,
            };
            if let (Some(step), Some(&container)) = (step, args.first()) {
                result = self.entries_of(container).map(|entries| entries.value);
                let path = self.path(container);
                let path = self.paths.extended(path, step);
                self.set_path(id, path);
            }
            if result.is_none() {
                result = self.size(id);
            }
        }
        self.set_size(id, result);
        sum.plus(cost)
    }

    /// The properties of a receiver or argument that a call uses.
    fn node(&mut self, id: ExprId) -> Node {
        Node { id, path: self.path(id), size: self.size(id) }
    }
}

/// The neutral element of [`Bounds::union`].
const NOTHING_YET: Bounds = Bounds::new(u64::MAX, 0);

/// Whether all values have size 1.
fn is_scalar(of: &Type) -> bool {
    use crate::types::Primitive as P;
    matches!(
        of,
        Type::Bool
            | Type::Double
            | Type::Duration
            | Type::Int
            | Type::Timestamp
            | Type::Uint
            | Type::Wrapper(P::Bool | P::Double | P::Int | P::Uint)
    )
}
