//! The steps of a program.

use rustc_hash::FxHashSet;

use super::call::Call;
use crate::value::{EvalError, Key, Value};

/// A step of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StepId(pub(super) u32);

/// A way to a value: a variable or another value, and what is selected of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AttributeId(pub(super) u32);

/// The place of a variable of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SlotId(pub(super) u32);

/// What a step does.
#[derive(Debug)]
pub(super) enum Step {
    /// A constant; it costs nothing.
    Constant(Value<'static>),
    /// What fails whenever it is evaluated, and costs nothing.
    Failure(EvalError),
    /// A variable with what is selected of it.
    Attribute(AttributeId),
    /// `has(…)`
    Presence(AttributeId),
    /// `a && b`
    And(StepId, StepId),
    /// `a || b`
    Or(StepId, StepId),
    /// `a == b`
    Equals(StepId, StepId),
    /// `a != b`
    NotEquals(StepId, StepId),
    /// `a in […]` with constants, which costs nothing.
    Member(StepId, FxHashSet<Key<'static>>),
    /// `a.or(b)`
    OptionalOr(StepId, StepId),
    /// `a.orValue(b)`
    OptionalOrValue(StepId, StepId),
    /// A call.
    Call(Box<Call>),
    /// `[a, ?b]`, and whether each is optional.
    List(Box<[(StepId, bool)]>),
    /// `{a: b, ?c: d}`, and whether each is optional.
    Map(Box<[(StepId, StepId, bool)]>),
    /// `google.protobuf.Int64Value{value: 1}`: the name, and the fields with whether each is optional.
    Message(Box<str>, Box<[(Box<str>, StepId, bool)]>),
    /// A loop.
    Fold(Box<Fold>),
}

/// A loop.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) range: StepId,
    pub(super) iter: SlotId,
    pub(super) iter2: Option<SlotId>,
    pub(super) accu: SlotId,
    pub(super) condition: StepId,
    pub(super) step: StepId,
    pub(super) result: StepId,
}

/// A way to a value.
#[derive(Clone, Debug)]
pub(super) struct AttributePlan {
    pub(super) root: Root,
    pub(super) qualifiers: Vec<Qualifier>,
}

/// Where a way begins.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A variable of the context, by its place there.
    Variable(usize),
    /// A variable of a loop; what makes the first value of an accumulator.
    Local(SlotId, Option<StepId>),
    /// The value of a step.
    Operand(StepId),
    /// `condition ? a : b`
    Conditional(StepId, AttributeId, AttributeId),
}

/// What is selected.
#[derive(Clone, Debug)]
pub(super) struct Qualifier {
    pub(super) key: QualifierKey,
    /// Whether nothing is selected of nothing.
    pub(super) optional: bool,
    /// Whether only the presence counts.
    pub(super) presence: bool,
}

/// The key that is selected.
#[derive(Clone, Debug)]
pub(super) enum QualifierKey {
    /// A constant.
    Constant(Value<'static>),
    /// The value of a way, which costs nothing but what is selected on it.
    Attribute(AttributeId),
    /// The value of a step.
    Step(StepId),
}
