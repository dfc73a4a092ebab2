//! Messages for errors in the names and types of an expression.

use cel::ast::{Expr, ExprId, ExprKind, Function, Operator};
use cel::env::library;
use cel::{Issue, IssueCode, Type};
use text::TextRange;

use super::excerpt;
use crate::cel::compile::{Expression, InspectedExpression};
use crate::cel::corrections;
use crate::cel::wording::{issue_range, signature, type_name};
use crate::message::Message;

/// The maximum number of signatures that a message proposes.
const MOST_SIGNATURES: usize = 2;

/// The remedy for a value that is not a boolean.
pub(crate) const COMPARE: &str = "compare it with a value";

/// The message for `issue`; `None` if the server's message is clear.
pub(super) fn message(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    issue: &Issue,
) -> Option<Message> {
    let words = TypeMessages { expression, inspected, issue };
    match issue.code {
        IssueCode::NoOverload => words.no_overload(),
        IssueCode::UndefinedField => words.undefined_field(),
        IssueCode::Undeclared => Some(words.undeclared()),
        IssueCode::NoFieldSelection => words.no_fields(),
        IssueCode::TypeMismatch => words.mismatch(),
        IssueCode::NotIterable => words.not_iterable(),
        IssueCode::Argument => words.argument(),
        _ => None,
    }
}

/// The byte range of a property name that must be written differently in CEL, or of an undefined name with `-`.
pub(super) fn whole_name(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    issue: &Issue,
) -> Option<TextRange> {
    if issue.code != IssueCode::UndefinedField {
        return None;
    }
    let suggestion = corrections::suggestion(expression, inspected, issue)
        .filter(|suggestion| suggestion.property.is_some());
    suggestion
        .map(|suggestion| suggestion.range)
        .or_else(|| corrections::with_dashes(inspected, expression.text, issue))
}

struct TypeMessages<'e> {
    expression: &'e Expression<'e>,
    inspected: &'e InspectedExpression,
    issue: &'e Issue,
}

impl<'e> TypeMessages<'e> {
    fn slice(&self, range: TextRange) -> &'e str {
        self.expression.text.get(range.as_usize()).unwrap_or("")
    }

    fn excerpt(&self, id: ExprId) -> String {
        excerpt(self.slice(self.inspected.ast.expr(id).range))
    }

    fn type_of(&self, id: ExprId) -> &'e Type {
        self.inspected.checked.type_of(id)
    }

    /// An operand with its type: `` `self.size` (int) ``.
    fn typed(&self, id: ExprId) -> String {
        format!("{} ({})", self.excerpt(id), type_name(self.type_of(id)))
    }

    /// The node of the issue.
    fn node(&self, is_intended: impl Fn(&ExprKind) -> bool) -> Option<&'e Expr> {
        let at = self.inspected.ast.exprs().map(|(_, expr)| expr);
        let mut at = at.filter(|expr| Some(expr.anchor) == self.issue.anchor && is_intended(&expr.kind));
        at.find(|expr| expr.range == self.issue.range)
    }

    fn no_overload(&self) -> Option<Message> {
        let call = self.node(|kind| matches!(kind, ExprKind::Call { .. }))?;
        let ExprKind::Call { function, target, args } = &call.kind else { return None };
        let args = self.inspected.ast.list(*args);
        match function {
            Function::Operator(operator) => self.operator(*operator, args),
            Function::Named(name) => self.function(self.inspected.ast.name(*name), *target, args),
        }
    }

    fn operator(&self, operator: Operator, args: &[ExprId]) -> Option<Message> {
        match (operator, args) {
            (Operator::Not, [arg]) => Some(self.not(*arg)),
            (Operator::Negate, [arg]) => {
                let found = with_article(self.type_of(*arg));
                Some(Message::new(format!("`-` needs a number, but {} is {found}", self.excerpt(*arg))))
            }
            (Operator::In, [item, list]) => Some(self.membership(args, *item, *list)),
            (Operator::Index | Operator::OptIndex, [of, index]) => Some(self.index(*of, *index)),
            (Operator::Conditional, [condition, one, other]) => {
                Some(self.conditional(*condition, *one, *other))
            }
            (_, [one, other]) => Some(self.two_types(operator, args, *one, *other)),
            _ => None,
        }
    }

    /// The remedy that converts an operand.
    fn conversion(&self, operator: Operator, args: &[ExprId]) -> Option<String> {
        let call = (operator, args.try_into().ok()?);
        let new = corrections::converted_operand(self.inspected, self.expression.text, call)?;
        Some(format!("write `{new}`"))
    }

    fn not(&self, arg: ExprId) -> Message {
        let found = with_article(self.type_of(arg));
        let message = Message::new(format!("`!` needs a bool, but {} is {found}", self.excerpt(arg)));
        match corrections::negated(self.inspected, self.expression.text, self.issue.anchor) {
            Some(new) => message.advise(format!("write {}", excerpt(&new))),
            None => message.advise(COMPARE),
        }
    }

    /// The message for `item in list`.
    fn membership(&self, args: &[ExprId], item: ExprId, list: ExprId) -> Message {
        match self.type_of(list) {
            Type::List(_) | Type::Map(_) => {
                let (item, list) = (self.typed(item), self.typed(list));
                let message = Message::new(format!("`in` cannot look for {item} in {list}"));
                self.conversion(Operator::In, args).into_iter().fold(message, Message::advise)
            }
            found => {
                let message = Message::new(format!(
                    "`in` needs a list or a map, but {} is {}",
                    self.excerpt(list),
                    with_article(found)
                ));
                match found {
                    Type::String => message.advise("use `contains` for a part of a string"),
                    _ => message,
                }
            }
        }
    }

    fn index(&self, of: ExprId, index: ExprId) -> Message {
        match self.type_of(of) {
            Type::List(_) => Message::new(format!(
                "the index of a list is an int, but {} is {}",
                self.excerpt(index),
                with_article(self.type_of(index))
            )),
            Type::Map(entry) => Message::new(format!(
                "the keys of {} are of type {}, but {} is {}",
                self.excerpt(of),
                type_name(&entry.0),
                self.excerpt(index),
                with_article(self.type_of(index))
            )),
            Type::Object(_) => {
                Message::new(format!("{} is an object, whose fields have no index", self.excerpt(of)))
                    .advise("select a field with `.`")
            }
            found => {
                Message::new(format!("{} is {}, which has no index", self.excerpt(of), with_article(found)))
            }
        }
    }

    fn conditional(&self, condition: ExprId, one: ExprId, other: ExprId) -> Message {
        match self.type_of(condition) {
            Type::Bool | Type::Dyn => Message::new(format!(
                "the results of `?:` have different types: {} and {}",
                self.typed(one),
                self.typed(other)
            ))
            .advise("use values of one type"),
            found => Message::new(format!(
                "the condition of `?:` must be a bool, but {} is {}",
                self.excerpt(condition),
                with_article(found)
            ))
            .advise(COMPARE),
        }
    }

    /// The message for an operator that does not take these two types together.
    fn two_types(&self, operator: Operator, args: &[ExprId], one: ExprId, other: ExprId) -> Message {
        let sign = operator.function_name().trim_matches(['_', '@']);
        let (one, other) = (self.typed(one), self.typed(other));
        let (problem, remedy) = match operator.compares() {
            true => (format!("`{sign}` cannot compare {one} with {other}"), "compare values of one type"),
            false => (format!("`{sign}` does not take {one} and {other}"), "use values of one type"),
        };
        Message::new(problem).advise(self.conversion(operator, args).unwrap_or_else(|| remedy.to_owned()))
    }

    fn function(&self, name: &str, target: Option<ExprId>, args: &[ExprId]) -> Option<Message> {
        let types: Vec<String> = args.iter().map(|arg| type_name(self.type_of(*arg))).collect();
        let types = types.join(", ");
        let called = match target {
            Some(target) => format!("{}.{name}({types})", type_name(self.type_of(target))),
            None => format!("{name}({types})"),
        };
        let message = Message::new(format!("`{name}` cannot be called as `{called}`"));
        let overloads = library().function(name)?.overloads();
        let known: Vec<String> = overloads
            .filter(|overload| self.inspected.env.has_since(overload.since))
            .map(|overload| format!("`{}`", signature(overload)))
            .collect();
        Some(match known.as_slice() {
            [] => message,
            few if few.len() <= MOST_SIGNATURES => message.advise(format!("call it as {}", few.join(" or "))),
            [first, ..] => {
                let of_text = known.iter().find(|signature| signature.contains("(string"));
                message.advise(format!("call it as {}, for example", of_text.unwrap_or(first)))
            }
        })
    }

    fn undefined_field(&self) -> Option<Message> {
        let range = corrections::with_dashes(self.inspected, self.expression.text, self.issue);
        let range = range.unwrap_or_else(|| issue_range(self.expression.text, self.issue));
        let field = self.slice(range).trim_start_matches('?').trim();
        let node = self.node(|kind| matches!(kind, ExprKind::Select { .. } | ExprKind::Call { .. }))?;
        let operand = match &node.kind {
            ExprKind::Select { operand, .. } => *operand,
            ExprKind::Call { args, .. } => *self.inspected.ast.list(*args).first()?,
            _ => return None,
        };
        let of = self.excerpt(operand);
        let suggestion = corrections::suggestion(self.expression, self.inspected, self.issue);
        if let Some((property, name)) =
            suggestion.as_ref().and_then(|suggestion| Some((suggestion.property.as_ref()?, &suggestion.name)))
        {
            let message = Message::new(format!("{} is not a name in CEL", excerpt(property)));
            return Some(message.advise(format!("write `{name}`")));
        }
        let message = Message::new(format!("{of} has no field {}", excerpt(field))).of_missing(field);
        Some(message.advise(match suggestion {
            Some(suggestion) if suggestion.range.len() > field.len() as u32 + 1 => {
                format!("remove `{field}.`")
            }
            Some(suggestion) => format!("write `{}`", suggestion.name),
            None if of.ends_with("metadata`") => "use only `name` and `generateName` of metadata".to_owned(),
            None => "correct the name, or declare the field".to_owned(),
        }))
    }

    fn undeclared(&self) -> Message {
        let text = self.expression.text;
        let is_call = self.issue.anchor.is_some_and(|at| text.as_bytes().get(at as usize) == Some(&b'('));
        let name = self.issue.message.split('\'').nth(1).unwrap_or_default();
        let what = if is_call { "function" } else { "variable" };
        if is_call && corrections::LOOPS.contains(&name) {
            return Message::new(format!("{} takes a variable and an expression", excerpt(name)))
                .advise(format!("write it as in `{name}(x, …)`"));
        }
        let message = Message::new(format!("there is no {what} {}", excerpt(name)));
        match corrections::suggestion(self.expression, self.inspected, self.issue) {
            Some(suggestion) => message.advise(format!("write `{}`", suggestion.name)),
            None if is_call && corrections::asks_for_emptiness(name) => {
                message.advise("compare its `size()` with 0")
            }
            None if is_call => message.advise("use a function of CEL or of Kubernetes"),
            None => message.advise("use `self`, `oldSelf` or a variable of a macro"),
        }
    }

    fn no_fields(&self) -> Option<Message> {
        let node = self.node(|kind| matches!(kind, ExprKind::Select { .. }))?;
        let ExprKind::Select { operand, .. } = &node.kind else { return None };
        let of = self.type_of(*operand).unwrap_optional().0;
        let message =
            Message::new(format!("{} is {}, which has no fields", self.excerpt(*operand), with_article(of)));
        Some(match (corrections::suggestion(self.expression, self.inspected, self.issue), of) {
            (Some(suggestion), _) => message.advise(format!("call the function: `{}`", suggestion.name)),
            (None, Type::List(_)) => message.advise("use a macro such as `all`, or an index"),
            _ => message,
        })
    }

    fn mismatch(&self) -> Option<Message> {
        let [wanted, found] = self.issue.types.as_slice() else { return None };
        let part = excerpt(self.slice(self.issue.range));
        let (wanted_name, found_name) = (with_article(wanted), with_article(found));
        if wanted_name == found_name {
            let problem = format!(
                "{part} and an earlier value have different types, which are both {}",
                type_name(found)
            );
            return Some(Message::new(problem).advise("use values of one type"));
        }
        let message = Message::new(format!("{part} must be {wanted_name}, but it is {found_name}"));
        Some(match (wanted, found) {
            (Type::Bool, Type::Object(_)) => {
                message.advise("compare one of its fields, or check it with `has()`")
            }
            (Type::Bool, Type::List(_) | Type::Map(_)) => {
                message.advise("use a macro such as `all`, or compare its `size()`")
            }
            (Type::Bool, _) => message.advise(COMPARE),
            _ => message,
        })
    }

    fn not_iterable(&self) -> Option<Message> {
        let [found] = self.issue.types.as_slice() else { return None };
        let found = with_article(found);
        let rest = self.expression.text.get(self.issue.range.end as usize..)?;
        let name: String = rest
            .trim_start_matches(['.', ' ', '\n'])
            .chars()
            .take_while(|ch| ch.is_ascii_alphanumeric() || *ch == '_')
            .collect();
        let part = excerpt(self.slice(self.issue.range));
        (!name.is_empty())
            .then(|| Message::new(format!("`{name}` needs a list or a map, but {part} is {found}")))
    }

    fn argument(&self) -> Option<Message> {
        let function = self.issue.message.strip_prefix("invalid ")?.strip_suffix(" argument")?;
        let (what, example) = match function {
            "matches" => ("a regular expression of RE2", "^[a-z]+$"),
            "duration" => ("a duration", "1h30m"),
            "timestamp" => ("a time", "2024-01-01T00:00:00Z"),
            _ => return None,
        };
        let part = excerpt(self.slice(self.issue.range));
        let message = Message::new(format!("{part} is not {what}, which `{function}` needs"));
        if let Some(new) = corrections::argument(self.expression.text, self.inspected, self.issue.range) {
            return Some(message.advise(format!("write `{new}`")));
        }
        Some(message.advise(format!("use a value such as `'{example}'`")))
    }
}

/// A type with its article: `a string`, `an object`.
pub(crate) fn with_article(of: &Type) -> String {
    let name = type_name(of);
    let article = if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// A call of an unknown function that is probably a macro. An undeclared variable in its arguments is a consequence.
pub(super) struct UnknownMacro {
    arguments: TextRange,
    /// The variable, if there is one.
    variable: Option<TextRange>,
}

impl UnknownMacro {
    /// Whether the intended macro would declare the name in this range.
    pub(super) fn declares(&self, name: TextRange, text: &str) -> bool {
        let word = |range: TextRange| text.get(range.as_usize());
        self.arguments.contains_range(name)
            && self.variable.is_none_or(|variable| word(variable) == word(name))
    }
}

/// The calls of unknown methods with a plain name as the first of several arguments, or with one argument if the method
/// has the name of a macro.
pub(super) fn unknown_macros(inspected: &InspectedExpression, issues: &[Issue]) -> Vec<UnknownMacro> {
    let ast = &inspected.ast;
    let is_unknown = |expr: &cel::ast::Expr| {
        issues
            .iter()
            .any(|issue| issue.code == cel::IssueCode::Undeclared && issue.anchor == Some(expr.anchor))
    };
    let calls = ast.exprs().filter_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Named(name), target: Some(_), args, .. } if is_unknown(expr) => {
            let args = ast.list(*args);
            let (first, last) = (args.first()?, args.last()?);
            let arguments = TextRange::new(ast.expr(*first).range.start, ast.expr(*last).range.end);
            match (ast.kind(*first), args.len()) {
                (ExprKind::Ident(_), 2..) => {
                    Some(UnknownMacro { arguments, variable: Some(ast.expr(*first).range) })
                }
                (_, 1) if corrections::LOOPS.contains(&ast.name(*name)) => {
                    Some(UnknownMacro { arguments, variable: None })
                }
                _ => None,
            }
        }
        _ => None,
    });
    calls.collect()
}
