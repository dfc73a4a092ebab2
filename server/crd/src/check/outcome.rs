//! The result of checking one schema node, independent of the node's position, so that it can be cached.

use std::borrow::Cow;
use std::sync::Arc;

use api::Code;
use text::{TextRange, TextSize};

use super::Stage;
use crate::field_path::{FieldPath, Segment};
use crate::message::ProblemClass;
use crate::report::ErrorType;
use crate::schema::Flags;
use crate::schema::Keyword;

/// A range relative to the start of its node. The target of an alias may be outside the node: the distance
/// then wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RelativeRange {
    distance: TextSize,
    len: TextSize,
}

impl RelativeRange {
    pub(crate) fn of(range: TextRange, base: TextSize) -> Self {
        Self { distance: range.start.wrapping_sub(base), len: range.len() }
    }

    pub(crate) fn absolute(self, base: TextSize) -> TextRange {
        TextRange::at(base.wrapping_add(self.distance), self.len)
    }
}

/// The place of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the key that holds the node.
    Owner,
    /// This range.
    At(RelativeRange),
}

/// The server's message for a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ServerDetail {
    /// This text.
    Text(Cow<'static, str>),
    /// `because it is defined in` the path with this tail.
    DefinedIn(Vec<Segment>),
}

/// A problem of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeFinding {
    pub(crate) stage: Stage,
    pub(crate) code: Code,
    pub(crate) error: ErrorType,
    pub(crate) place: Place,
    /// The path of the field, relative to the node.
    pub(crate) tail: Vec<Segment>,
    pub(crate) detail: ServerDetail,
    /// The wrong value as the server prints it; `None` if it prints none.
    pub(crate) value: Option<Box<str>>,
    /// The problem, if the server's message is not clear; `{junctor}` in it represents the junctor around the
    /// node. Empty otherwise.
    pub(crate) problem: Cow<'static, str>,
    /// The consequence or the cause; empty if the server's message is sufficient.
    pub(crate) reason: Cow<'static, str>,
    /// The remedy, as an imperative; empty if no remedy is certain.
    pub(crate) advice: Cow<'static, str>,
    /// The class of the problem, if the treatment of the finding depends on it.
    pub(crate) class: Option<ProblemClass>,
    pub(crate) related: Vec<(Place, Cow<'static, str>)>,
}

impl NodeFinding {
    /// A finding without advice and related places. `tail` is the path of the field, relative to the node.
    pub(crate) fn new(
        stage: Stage,
        code: Code,
        error: ErrorType,
        place: Place,
        tail: Vec<Segment>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            stage,
            code,
            error,
            place,
            tail,
            detail: ServerDetail::Text(detail.into()),
            value: None,
            problem: Cow::Borrowed(""),
            reason: Cow::Borrowed(""),
            advice: Cow::Borrowed(""),
            class: None,
            related: Vec::new(),
        }
    }

    /// The server's message; `path` leads to the node from the schema whose path is `root`.
    pub(crate) fn server_message(&self, root: &FieldPath, path: &[Segment]) -> String {
        match &self.detail {
            ServerDetail::Text(text) => text.to_string(),
            ServerDetail::DefinedIn(tail) => {
                let mut place = root.join(path);
                place.extend(tail);
                format!("because it is defined in {place}")
            }
        }
    }

    /// Sets the problem.
    pub(crate) fn with_problem(mut self, problem: impl Into<Cow<'static, str>>) -> Self {
        self.problem = problem.into();
        self
    }

    /// Sets the consequence or the cause.
    pub(crate) fn explain(mut self, reason: impl Into<Cow<'static, str>>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Sets the remedy.
    pub(crate) fn advise(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.advice = advice.into();
        self
    }

    /// Sets the class of the problem.
    pub(crate) fn of_class(mut self, class: Option<ProblemClass>) -> Self {
        self.class = class;
        self
    }

    /// Sets the wrong value as the server prints it.
    pub(crate) fn printing(mut self, value: impl Into<Box<str>>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Adds a related place with an explanation, if there is one.
    pub(crate) fn relate(mut self, place: Option<Place>, text: impl Into<Cow<'static, str>>) -> Self {
        self.related.extend(place.map(|place| (place, text.into())));
        self
    }
}

/// The step from a schema node to a node below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `keyword[name]`, as in `properties[spec]`.
    Member(Keyword, Box<str>),
    /// `keyword`, as in `items` or `not`.
    Only(Keyword),
    /// `keyword[index]`, as in `anyOf[0]`.
    Branch(Keyword, usize),
}

impl Step {
    pub(crate) fn keyword(&self) -> Keyword {
        match self {
            Self::Member(keyword, _) | Self::Only(keyword) | Self::Branch(keyword, _) => *keyword,
        }
    }

    /// Adds the segments of the step to a path.
    pub(crate) fn push_to(&self, path: &mut Vec<Segment>) {
        path.push(name(self.keyword()));
        match self {
            Self::Member(_, key) => path.push(Segment::Key(key.clone())),
            Self::Only(_) => {}
            Self::Branch(_, index) => path.push(Segment::Index(*index)),
        }
    }
}

pub(crate) fn name(keyword: Keyword) -> Segment {
    Segment::Name(Cow::Borrowed(keyword.as_str()))
}

/// A node below that has findings.
#[derive(Debug)]
pub(crate) struct DescendantOutcome {
    pub(crate) step: Step,
    /// The distance from this node's start to the start of that node; wraps around if an alias leads outside
    /// the node.
    pub(crate) distance: TextSize,
    /// The key that holds it.
    pub(crate) key: RelativeRange,
    pub(crate) findings: Arc<Findings>,
}

/// The findings of a node and of the nodes below.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) own: Vec<NodeFinding>,
    pub(crate) below: Vec<DescendantOutcome>,
}

/// The result of checking a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) flags: Flags,
    /// `None` if neither the node nor the nodes below have findings.
    pub(crate) findings: Option<Arc<Findings>>,
}

/// An outcome under construction.
#[derive(Debug)]
pub(crate) struct Builder {
    /// The start of the node.
    pub(crate) base: TextSize,
    pub(crate) flags: Flags,
    pub(crate) findings: Findings,
}

impl Builder {
    pub(crate) fn new(base: TextSize) -> Self {
        Self { base, flags: Flags::NONE, findings: Findings::default() }
    }

    pub(crate) fn place_of(&self, range: TextRange) -> Place {
        Place::At(RelativeRange::of(range, self.base))
    }

    /// The place of `range`, or the key that holds the node.
    pub(crate) fn at_or_owner(&self, range: Option<TextRange>) -> Place {
        range.map_or(Place::Owner, |range| self.place_of(range))
    }

    pub(crate) fn push(&mut self, finding: NodeFinding) {
        self.flags |= finding.stage.flag();
        self.findings.own.push(finding);
    }

    /// Sets the wrong value of the last finding, as the server prints it.
    pub(crate) fn print_value(&mut self, value: String) {
        if let Some(last) = self.findings.own.last_mut() {
            last.value = Some(value.into());
        }
    }

    pub(crate) fn finish(self) -> Outcome {
        let clean = self.findings.own.is_empty() && self.findings.below.is_empty();
        Outcome { flags: self.flags, findings: (!clean).then(|| Arc::new(self.findings)) }
    }
}
