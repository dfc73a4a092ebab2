//! The possible outcomes of an expression on all values that a schema admits: true, false, an error, and
//! bounds of numbers and sizes.
//!
//! The answer is never too small: an outcome that it does not contain cannot occur. It may be too large, as
//! most functions are not modelled and only simple comparisons narrow the outcomes of later expressions.

mod assume;
mod excluded_texts;
pub(crate) mod loops;
mod value;

use std::cell::Cell;

use rustc_hash::FxHashMap;

use crate::ast::{Ast, ExprId, ExprKind, Function, Literal, Name, Operator};
use crate::checker::{CheckedExpr, Reference};
use crate::types::Type;
use assume::Assumption;
pub use excluded_texts::ExcludedText;
pub use value::{Text, Value};

/// After this number of nodes, the rest may have any outcome.
const MAX_VISITS: u32 = 20_000;
/// Deeper nesting may have any outcome.
const MAX_DEPTH: u32 = 200;

/// A step from `self` to a value below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueStep {
    /// The field of that name, as written in expressions.
    Field(String),
    /// An element: the list item or map value bound to the variable of the given loop; `None` for any element.
    Element(Option<ExprId>),
}

/// The path from `self` to a value.
pub type Path = Vec<ValueStep>;

/// The statements of a schema about a value.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownValue {
    /// Whether the value is present whenever its parent is.
    pub is_present: bool,
    /// The values that it may have.
    pub value: Value,
}

impl KnownValue {
    /// No statement.
    pub const NOTHING: Self = Self { is_present: false, value: Value::Any };
}

/// Returns the known properties of values below `self`, which has the empty path.
pub type FactSource<'a> = dyn Fn(&[ValueStep]) -> KnownValue + 'a;

/// The possible outcomes of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The possible values.
    pub value: Value,
    /// Whether the expression may fail.
    pub fails: bool,
}

impl Outcome {
    /// The expression always fails.
    pub const FAILS: Self = Self { value: Value::None, fails: true };

    const fn new(value: Value, fails: bool) -> Self {
        Self { value, fails }
    }

    /// Whether the value may be true.
    #[must_use]
    pub fn may_be_true(&self) -> bool {
        self.value.truth().yes
    }

    /// Whether the value may be false.
    #[must_use]
    pub fn may_be_false(&self) -> bool {
        self.value.truth().no
    }

    /// Whether there is no value, so that every evaluation fails.
    #[must_use]
    pub fn must_fail(&self) -> bool {
        self.value == Value::None && self.fails
    }

    /// The outcomes of both.
    #[must_use]
    fn join(self, other: Self) -> Self {
        Self { value: self.value.join(other.value), fails: self.fails || other.fails }
    }
}

/// An expression, and the known properties of the values that it reads.
pub struct OutcomeAnalysis<'a> {
    ast: &'a Ast,
    checked: &'a CheckedExpr,
    source: &'a FactSource<'a>,
    /// The nodes with a given outcome.
    fixed: FxHashMap<ExprId, Outcome>,
    /// The variables of the loops around the current node.
    scopes: Vec<(Name, Option<Path>)>,
    assumptions: Vec<Assumption>,
    excluded_texts: Vec<ExcludedText>,
    visits: Cell<u32>,
    depth: u32,
}

impl<'a> OutcomeAnalysis<'a> {
    /// The outcomes of the nodes of `ast`; those in `fixed` are given.
    #[must_use]
    pub fn new(
        (ast, checked): (&'a Ast, &'a CheckedExpr),
        source: &'a FactSource<'a>,
        fixed: impl IntoIterator<Item = (ExprId, Outcome)>,
    ) -> Self {
        Self {
            ast,
            checked,
            source,
            fixed: fixed.into_iter().collect(),
            scopes: Vec::new(),
            assumptions: Vec::new(),
            excluded_texts: Vec::new(),
            visits: Cell::new(0),
            depth: 0,
        }
    }

    /// The possible outcomes of `id`. Variables of surrounding loops that were not entered are unknown.
    #[must_use]
    pub fn outcome_of(&mut self, id: ExprId) -> Outcome {
        self.visits.set(0);
        self.eval(id)
    }

    fn eval(&mut self, id: ExprId) -> Outcome {
        if let Some(fixed) = self.fixed.get(&id) {
            return fixed.clone();
        }
        self.visits.set(self.visits.get() + 1);
        if self.visits.get() > MAX_VISITS || self.depth >= MAX_DEPTH {
            return Outcome::new(Value::Any, true);
        }
        self.depth += 1;
        let outcome = self.eval_below(id);
        self.depth -= 1;
        outcome
    }

    fn eval_below(&mut self, id: ExprId) -> Outcome {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Literal(literal) => Outcome::new(Value::of_literal(literal), false),
            ExprKind::Ident(_) => self.read(id, false),
            ExprKind::Select { operand, test_only: true, .. } => self.presence(id, *operand),
            ExprKind::Select { operand, .. } => match self.checked.reference(id) {
                Reference::Type(_) | Reference::Constant(_) => Outcome::new(Value::Any, false),
                _ => {
                    let of = self.eval(*operand);
                    self.member(id, of)
                }
            },
            ExprKind::Call { function: Function::Operator(operator), args, .. } => {
                self.operation(id, *operator, ast.list(*args))
            }
            ExprKind::Call { function: Function::Named(name), target, args } => {
                self.outcome_of_call(id, ast.name(*name), *target, ast.list(*args))
            }
            ExprKind::Comprehension(it) => self.comprehension(id, it),
            ExprKind::List { elements, optional } if optional_is_empty(ast, *optional) => {
                let count = elements.len() as u64;
                self.strict(ast.list(*elements), Value::Sized(count, count), false)
            }
            _ => {
                let mut children = Vec::new();
                ast.for_each_child(id, |child| children.push(child));
                self.strict(&children, Value::Any, true)
            }
        }
    }

    /// The outcome of an expression that fails if a part does, and is `value` otherwise.
    fn strict(&mut self, parts: &[ExprId], value: Value, may_fail: bool) -> Outcome {
        let mut fails = may_fail;
        let mut value = value;
        for part in parts {
            let part = self.eval(*part);
            fails |= part.fails;
            if part.value == Value::None {
                value = Value::None;
            }
        }
        Outcome { value, fails }
    }

    // ---- reads

    /// The path of the value that `id` reads; `None` if the value is not below `self`.
    fn path(&self, id: ExprId) -> Option<Path> {
        let is_test = matches!(self.ast.kind(id), ExprKind::Select { test_only: true, .. });
        if is_test { None } else { self.path_from(id, "self") }
    }

    /// The path of the value that `id` reads, from the variable `root`; `None` if the value is not below
    /// `root`. The operand of `has` counts as read.
    #[must_use]
    pub fn path_from(&self, id: ExprId, root: &str) -> Option<Path> {
        let mut steps = Vec::new();
        let mut at = id;
        loop {
            match self.ast.kind(at) {
                ExprKind::Select { operand, field, .. } => {
                    let of = self.checked.type_of(*operand);
                    steps.push(match of {
                        Type::Object(_) => ValueStep::Field(self.ast.name(*field).to_owned()),
                        _ => return None,
                    });
                    at = *operand;
                }
                ExprKind::Call { function: Function::Operator(Operator::Index), args, .. } => {
                    steps.push(ValueStep::Element(None));
                    at = *self.ast.list(*args).first()?;
                }
                ExprKind::Ident(name) => {
                    let local = self.scopes.iter().rev().find(|(local, _)| local == name);
                    let mut path = match local {
                        Some((_, path)) => path.clone()?,
                        None if self.ast.name(*name) == root => Path::new(),
                        None => return None,
                    };
                    steps.reverse();
                    path.extend(steps);
                    return Some(path);
                }
                _ => return None,
            }
        }
    }

    /// The value of a name, a field or an element.
    fn read(&self, id: ExprId, may_fail: bool) -> Outcome {
        let typed = Value::of_type(self.checked.type_of(id));
        let Some(path) = self.path(id) else { return Outcome::new(typed, may_fail) };
        let assumed = self.assumed(&path);
        let known = (self.source)(&path);
        let is_present = assumed.is_present || known.is_present;
        let value = [known.value, assumed.value].into_iter().fold(typed, Value::intersect);
        Outcome::new(value, may_fail && !is_present)
    }

    /// A field of the value `of`.
    fn member(&self, id: ExprId, of: Outcome) -> Outcome {
        match of.value {
            Value::None => Outcome::new(Value::None, of.fails),
            Value::Empty => Outcome::new(Value::zero(self.checked.type_of(id)), of.fails),
            _ => {
                let read = self.read(id, true);
                Outcome { fails: of.fails || read.fails, ..read }
            }
        }
    }

    fn presence(&mut self, id: ExprId, operand: ExprId) -> Outcome {
        let of = self.eval(operand);
        let value = match (&of.value, self.tested(id)) {
            (Value::None, _) => Value::None,
            (Value::Empty, _) => Value::Bool { yes: false, no: true },
            (_, Some(path)) if self.assumed(&path).is_present || (self.source)(&path).is_present => {
                Value::Bool { yes: true, no: false }
            }
            (_, Some(path)) if self.assumed(&path).is_absent => Value::Bool { yes: false, no: true },
            _ => Value::BOOL,
        };
        Outcome::new(value, of.fails)
    }

    /// The path of the operand of `has`.
    fn tested(&self, id: ExprId) -> Option<Path> {
        let ExprKind::Select { operand, field, test_only: true, .. } = self.ast.kind(id) else { return None };
        let Type::Object(_) = self.checked.type_of(*operand) else { return None };
        let mut path = self.path(*operand)?;
        path.push(ValueStep::Field(self.ast.name(*field).to_owned()));
        Some(path)
    }

    // ---- operators

    fn operation(&mut self, id: ExprId, operator: Operator, args: &[ExprId]) -> Outcome {
        use Operator as O;
        match (operator, args) {
            (O::And | O::Or, [one, other]) => self.junction(*one, *other, operator == O::And),
            (O::Not, [of]) => {
                let of = self.eval(*of);
                Outcome { value: of.value.negated(), ..of }
            }
            (O::Conditional, [condition, one, other]) => self.choice(*condition, *one, *other),
            (O::Equals | O::NotEquals, [one, other]) => {
                let of = self.equality(*one, *other);
                match operator {
                    O::NotEquals => Outcome { value: of.value.negated(), ..of },
                    _ => of,
                }
            }
            (O::Less | O::LessEquals | O::Greater | O::GreaterEquals, [one, other]) => {
                self.comparison(operator, *one, *other)
            }
            (O::In, [key, within]) => self.membership(*key, *within),
            (O::Add | O::Subtract | O::Multiply, [one, other]) => {
                let (one, other) = (self.eval(*one), self.eval(*other));
                let fails = one.fails || other.fails;
                let typed = || Value::of_type(self.checked.type_of(id));
                let (value, overflows) = value::arithmetic(operator, &one.value, &other.value, typed);
                Outcome::new(value, fails || overflows)
            }
            (O::Index, [of, index]) => {
                let (of, index) = (self.eval(*of), self.eval(*index));
                match (&of.value, &index.value) {
                    (Value::None, _) | (_, Value::None) | (Value::Empty | Value::Sized(_, 0), _) => {
                        Outcome::FAILS
                    }
                    _ => self.read(id, true),
                }
            }
            _ => self.strict(args, Value::of_type(self.checked.type_of(id)), true),
        }
    }

    /// `a && b`, or `a || b`: the decisive value wins over errors on either side.
    fn junction(&mut self, one: ExprId, other: ExprId, is_and: bool) -> Outcome {
        let first = self.eval(one);
        let before = self.assumptions.len();
        // If the first operand may fail, the second matters even if the value of the first would decide.
        if !first.fails {
            self.assume(one, is_and);
        }
        let second = self.eval(other);
        self.assumptions.truncate(before);
        let (one, other) = (first.value.truth(), second.value.truth());
        let (value, continues, also_continues) = match is_and {
            true => (Value::of_bits(one.yes && other.yes, one.no || other.no), one.yes, other.yes),
            false => (Value::of_bits(one.yes || other.yes, one.no && other.no), one.no, other.no),
        };
        let fails = first.fails && (second.fails || also_continues) || second.fails && continues;
        Outcome::new(value, fails)
    }

    fn choice(&mut self, condition: ExprId, one: ExprId, other: ExprId) -> Outcome {
        let is = self.eval(condition);
        let truth = is.value.truth();
        let mut outcome = Outcome::new(Value::None, is.fails);
        for (holds, may_be, branch) in [(true, truth.yes, one), (false, truth.no, other)] {
            if may_be {
                let before = self.assumptions.len();
                self.assume(condition, holds);
                outcome = outcome.join(self.eval(branch));
                self.assumptions.truncate(before);
            }
        }
        outcome
    }

    fn equality(&mut self, one: ExprId, other: ExprId) -> Outcome {
        let (a, b) = (self.eval(one), self.eval(other));
        self.note(one, other);
        self.note(other, one);
        let fails = a.fails || b.fails;
        if a.value == Value::None || b.value == Value::None {
            return Outcome::new(Value::None, fails);
        }
        let is_same = self.is_exact(one).is_some_and(|path| self.is_exact(other) == Some(path));
        let value = if is_same { Value::Bool { yes: true, no: false } } else { a.value.equals(&b.value) };
        Outcome::new(value, fails)
    }

    /// The path of `id`, if it leads to exactly one value.
    fn is_exact(&self, id: ExprId) -> Option<Path> {
        self.path(id).filter(|path| !path.contains(&ValueStep::Element(None)))
    }

    fn comparison(&mut self, operator: Operator, one: ExprId, other: ExprId) -> Outcome {
        let is_dynamic = self.checked.type_of(one).is_dyn() || self.checked.type_of(other).is_dyn();
        let (one, other) = (self.eval(one), self.eval(other));
        Outcome::new(one.value.compared(operator, &other.value), one.fails || other.fails || is_dynamic)
    }

    fn membership(&mut self, key: ExprId, within: ExprId) -> Outcome {
        let ast = self.ast;
        let of = self.eval(key);
        let list = self.eval(within);
        let fails = of.fails || list.fails;
        if of.value == Value::None || list.value == Value::None {
            return Outcome::new(Value::None, fails);
        }
        let value = match ast.kind(within) {
            ExprKind::List { elements, optional } if optional_is_empty(ast, *optional) => {
                let elements = ast.list(*elements).to_vec();
                elements.iter().for_each(|element| self.note(key, *element));
                let elements: Vec<Outcome> = elements.into_iter().map(|element| self.eval(element)).collect();
                of.value.is_in(elements.iter().map(|element| &element.value))
            }
            _ if matches!(list.value, Value::Sized(_, 0) | Value::Empty) => {
                Value::Bool { yes: false, no: true }
            }
            _ => Value::BOOL,
        };
        Outcome::new(value, fails)
    }

    // ---- functions

    fn outcome_of_call(
        &mut self,
        id: ExprId,
        name: &str,
        target: Option<ExprId>,
        args: &[ExprId],
    ) -> Outcome {
        let receiver = target.filter(|_| !self.checked.is_namespaced(id));
        let typed = Value::of_type(self.checked.type_of(id));
        // The other value is evaluated only if the optional is empty.
        if let (Some(receiver), "or" | "orValue") = (receiver, name) {
            return self.strict(&[receiver], typed, true);
        }
        let parts: Vec<ExprId> = receiver.iter().chain(args).copied().collect();
        let is_dynamic = parts.iter().any(|part| self.checked.type_of(*part).is_dyn());
        let (value, may_fail) = match (name, parts.as_slice()) {
            ("size", [of]) => (self.eval(*of).value.size(), is_dynamic),
            ("startsWith" | "endsWith" | "contains", [text, part]) => {
                (self.eval(*text).value.text_test(name, &self.eval(*part).value), is_dynamic)
            }
            ("lowerAscii" | "upperAscii" | "trim" | "type" | "dyn", _) => {
                (typed, is_dynamic && name != "type")
            }
            _ => (typed, true),
        };
        self.strict(&parts, value, may_fail)
    }
}

fn optional_is_empty(ast: &Ast, optional: crate::ast::IndexList) -> bool {
    ast.indices(optional).is_empty()
}

/// The text of a literal.
fn text_of(ast: &Ast, id: ExprId) -> Option<&str> {
    match ast.kind(id) {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}
