//! The message of a finding, in parts: each front end decides how to show them.

use std::borrow::Cow;
use std::fmt;

/// The note for a finding that the server does not reach yet.
const LATER: &str = "kube-apiserver reports it after you fix the other errors";

/// The message of a finding. [`Display`](fmt::Display) writes it as one line for editors and terminals:
/// `problem; remedy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Message {
    /// The problem, with the field, the offending value and the consequence.
    pub problem: String,
    /// The remedy, as an imperative; `None` if the problem suffices, or if no remedy is certain to help.
    pub remedy: Option<String>,
    /// Whether kube-apiserver reports it only after other errors are fixed.
    pub is_later: bool,
    /// The step of the compilation at which a rule fails; `None` for other findings.
    pub step: Option<CompileStep>,
    /// The name of the field that the finding is about because it does not exist; `None` for other findings.
    pub missing_field: Option<String>,
    /// The class of the problem, if the treatment of the finding depends on it; `None` for other findings.
    pub class: Option<ProblemClass>,
    /// An additional note with its separator, such as ` (2 more findings with the same cause)`.
    pub note: String,
}

/// A class of problems that findings of one code do not share. Code that treats some of these findings in another way
/// reads the class and not the text of the message, which is for people.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProblemClass {
    /// None of several values or schemas accepts a value. The message lists them and does not state what is wrong
    /// with the value.
    NoAlternative,
    /// An object among the values of an `enum` whose type excludes objects.
    ObjectInEnum,
    /// A list among the values of an `enum` whose type excludes lists.
    ListInEnum,
    /// A scalar that kube-apiserver reads differently than it appears, in words such as
    /// ``kube-apiserver parses `on` as the boolean `true` ``.
    Reading(String),
}

/// The steps in which an expression is compiled. The first failing step hides errors of later steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompileStep {
    /// The text is parsed.
    Syntax,
    /// The variables and functions are looked up.
    Names,
    /// The types of operands and arguments are compared.
    Types,
    /// The type of the whole expression is compared with the required type.
    Output,
}

/// The first `most` characters of a value in a message; a quoted value keeps its closing quote.
pub(crate) fn shortened(value: &str, most: usize) -> Cow<'_, str> {
    match text::start(value, most) {
        Cow::Owned(start) if value.starts_with('"') => Cow::Owned(start + "\""),
        start => start,
    }
}

impl Message {
    /// A message about `problem`, without a remedy.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), ..Self::default() }
    }

    /// Sets the remedy, an imperative.
    #[must_use]
    pub fn advise(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// Sets the name of the field that does not exist.
    #[must_use]
    pub(crate) fn of_missing(self, field: &str) -> Self {
        Self { missing_field: Some(field.to_owned()), ..self }
    }

    /// Sets the class of the problem.
    #[must_use]
    pub fn of_class(self, class: ProblemClass) -> Self {
        Self { class: Some(class), ..self }
    }

    /// Adds a consequence to the problem, unless `consequence` is empty.
    #[must_use]
    pub fn explain(mut self, consequence: &str) -> Self {
        if !consequence.is_empty() {
            self.problem.push_str("; ");
            self.problem.push_str(consequence);
        }
        self
    }

    /// The message as the reason of `effect`.
    #[must_use]
    pub fn about(self, effect: &str) -> Self {
        Self { problem: format!("{effect}: {}", self.problem), ..self }
    }

    /// The message without its notes: the problem and the remedy.
    #[must_use]
    pub fn without_notes(&self) -> Self {
        Self { problem: self.problem.clone(), remedy: self.remedy.clone(), ..Self::default() }
    }

    /// Shortens a long list in the message, like [`text::cut`] shortens the line.
    pub(crate) fn cut(&mut self) {
        let line = self.to_string();
        let Cow::Owned(short) = text::cut(&line) else { return };
        let without = Self { remedy: None, ..self.clone() };
        let end = without.to_string().split_off(self.problem.len());
        let short = match short.strip_suffix(end.as_str()) {
            Some(short) => short.to_owned(),
            None => {
                // The notes are cut as well.
                (self.is_later, self.note) = (false, String::new());
                short
            }
        };
        let remedy = self.remedy.take();
        let parts = remedy.as_deref().and_then(|remedy| {
            let whole_remedy = short.strip_suffix(remedy).and_then(|problem| problem.strip_suffix("; "));
            let whole_problem = short.strip_prefix(&self.problem).and_then(|rest| rest.strip_prefix("; "));
            whole_remedy
                .map(|problem| (problem, remedy))
                .or_else(|| whole_problem.map(|remedy| (self.problem.as_str(), remedy)))
        });
        let parts = parts.map(|(problem, remedy)| (problem.to_owned(), remedy.to_owned()));
        match parts {
            Some((problem, remedy)) => (self.problem, self.remedy) = (problem, Some(remedy)),
            None => self.problem = short,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        if let Some(remedy) = &self.remedy {
            write!(f, "; {remedy}")?;
        }
        if self.is_later {
            write!(f, "; {LATER}")?;
        }
        f.write_str(&self.note)
    }
}

impl From<String> for Message {
    fn from(problem: String) -> Self {
        Self::new(problem)
    }
}

impl From<&str> for Message {
    fn from(problem: &str) -> Self {
        Self::new(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_its_parts() {
        let mut message =
            Message::new("missing `type`").explain("rules cannot read it").advise("add `type: object`");
        assert_eq!(message.to_string(), "missing `type`; rules cannot read it; add `type: object`");
        message.is_later = true;
        message.note = " (2 more findings with the same cause)".to_owned();
        assert_eq!(
            message.to_string(),
            "missing `type`; rules cannot read it; add `type: object`; kube-apiserver reports it after you fix the other \
             errors (2 more findings with the same cause)"
        );
        assert_eq!(
            message.without_notes().to_string(),
            "missing `type`; rules cannot read it; add `type: object`"
        );
    }

    /// Lists in the problem or in the remedy, and a message whose cut line no longer has both parts.
    #[test]
    fn a_shortened_message_keeps_its_parts() {
        let list: Vec<String> = (0..300).map(|at| format!("\"value-{at}\"")).collect();
        let list = list.join(", ");
        for (problem, remedy, has_remedy) in [
            (format!("supported values: {list}"), "remove it".to_owned(), true),
            ("unsupported value \"x\"".to_owned(), format!("use {list}"), true),
            (list.clone(), list.clone(), false),
            ("short".to_owned(), "remove it".to_owned(), true),
        ] {
            for is_later in [false, true] {
                let whole = Message { is_later, ..Message::new(problem.clone()).advise(remedy.clone()) };
                let mut message = whole.clone();
                message.cut();
                assert_eq!(message.to_string(), text::cut(&whole.to_string()));
                assert_eq!(message.remedy.is_some(), has_remedy, "{message}");
                assert_eq!(message.is_later, is_later);
            }
        }
    }
}
