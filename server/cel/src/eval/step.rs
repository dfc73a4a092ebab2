//! The steps of a program.

use rustc_hash::FxHashSet;

use super::call::Call;
use crate::value::{EvalError, Key, Value};

/// A step of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StepId(pub(super) u32);

/// A path to a value: a variable or another value, with selections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AttributeId(pub(super) u32);

/// The slot of a loop variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SlotId(pub(super) u32);

/// The operation of a step.
#[derive(Debug)]
pub(super) enum Step {
    /// A constant; it costs nothing.
    Constant(Value<'static>),
    /// An error that occurs in every evaluation, and costs nothing.
    Failure(EvalError),
    /// A variable with selections.
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

/// A path to a value.
#[derive(Clone, Debug)]
pub(super) struct AttributePlan {
    pub(super) root: Root,
    pub(super) qualifiers: Vec<Qualifier>,
}

/// The start of a path.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A variable of the context, by its index.
    Variable(usize),
    /// A variable of a loop; for an accumulator, with the step for its initial value.
    Local(SlotId, Option<StepId>),
    /// The value of a step.
    Operand(StepId),
    /// `condition ? a : b`
    Conditional(StepId, AttributeId, AttributeId),
}

/// A selection.
#[derive(Clone, Debug)]
pub(super) struct Qualifier {
    pub(super) key: QualifierKey,
    /// Whether a missing value gives an empty optional.
    pub(super) optional: bool,
    /// Whether only the presence is tested.
    pub(super) presence: bool,
}

/// The key of a selection.
#[derive(Clone, Debug)]
pub(super) enum QualifierKey {
    /// A constant.
    Constant(Value<'static>),
    /// The value of a path, for which only its selections cost.
    Attribute(AttributeId),
    /// The value of a step.
    Step(StepId),
}
