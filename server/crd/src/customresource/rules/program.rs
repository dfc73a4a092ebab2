//! One rule, ready to run (`compileRule`).

use cel::{Environment, Program};
use text::TextRange;

use crate::cel::{Expression, Purpose, SchemaType, detail};
use crate::field_path::FieldPath;
use crate::regexp::Engine;
use crate::report::ErrorType;
use crate::schema::path::{ArrayNotation, resolve};
use crate::schema::structural::{Structural, ValidationRule};

/// A rule that is ready to run.
#[derive(Debug)]
pub(super) struct RuleProgram {
    /// `None` if the rule is blank; the error is the server's message.
    pub(super) program: Option<Result<Program, Box<str>>>,
    /// Whether the result is unknown, because the rule has a pattern that is not run here.
    pub(super) is_unsure: bool,
    pub(super) uses_old_self: bool,
    pub(super) optional_old_self: bool,
    /// `messageExpression` and its program, if it is usable.
    pub(super) message: Option<(Box<str>, Program)>,
    /// The rule itself.
    pub(super) expression: Box<str>,
    /// The author's `message`, if there is one.
    pub(super) author: Option<Box<str>>,
    /// `reason`.
    pub(super) reason: ErrorType,
    /// `fieldPath`, if it is valid.
    pub(super) path: Option<FieldPath>,
    /// The range of the rule, relative to its node.
    pub(super) range: TextRange,
    /// The range of its text, relative to the node.
    pub(super) expression_range: TextRange,
}

impl RuleProgram {
    /// Compiles `rule`, of a node that declares `of`. Paths start at `schema`.
    pub(super) fn new(rule: &ValidationRule, of: &SchemaType, schema: &Structural) -> Self {
        let text = rule.rule.trim();
        let mut ready = Self {
            program: None,
            is_unsure: false,
            uses_old_self: false,
            optional_old_self: rule.optional_old_self == Some(true),
            message: None,
            expression: text.into(),
            author: (!rule.message.is_empty()).then(|| rule.message.trim().into()),
            reason: reason(rule.reason.as_deref()),
            path: field_path(&rule.field_path, schema),
            range: rule.range,
            expression_range: rule.rule_place.as_ref().map_or(rule.range, |place| place.range),
        };
        if !text.is_empty() {
            ready.compile(rule, of);
        }
        ready
    }

    /// The name of the rule in the server's texts about it: its message, or else its expression.
    pub(super) fn message(&self) -> &str {
        self.author.as_deref().unwrap_or(&self.expression)
    }

    /// The server's detail if the rule fails and has no other message.
    pub(super) fn detail(&self) -> String {
        match &self.author {
            Some(author) => author.to_string(),
            None => format!("failed rule: {}", self.expression),
        }
    }

    fn compile(&mut self, rule: &ValidationRule, of: &SchemaType) {
        let expression = |text, purpose| Expression {
            text,
            purpose,
            self_type: of,
            optional_old_self: self.optional_old_self,
            env: Environment::for_stored_rules(),
        };
        let own = expression(&*rule.rule, Purpose::Rule);
        let runnable = match own.program(&Engine::new()) {
            Ok(runnable) => runnable,
            Err(problem) => {
                self.program = Some(Err(detail(&own, &problem).into()));
                return;
            }
        };
        if !rule.message_expression.is_empty() {
            let message = expression(&*rule.message_expression, Purpose::Message);
            let runnable = message.program(&Engine::new()).ok().filter(|runnable| !runnable.is_unsure);
            self.message = runnable.map(|runnable| (rule.message_expression.clone(), runnable.program));
        }
        self.is_unsure = runnable.is_unsure;
        self.uses_old_self = runnable.uses_old_self;
        self.program = Some(Ok(runnable.program));
    }
}

fn reason(name: Option<&str>) -> ErrorType {
    match name {
        Some("FieldValueForbidden") => ErrorType::Forbidden,
        Some("FieldValueRequired") => ErrorType::Required,
        Some("FieldValueDuplicate") => ErrorType::Duplicate,
        _ => ErrorType::Invalid,
    }
}

fn field_path(path: &str, schema: &Structural) -> Option<FieldPath> {
    let found = resolve(path, &schema, ArrayNotation::Allowed).ok()?;
    Some(found.path).filter(|path| !path.is_empty())
}
