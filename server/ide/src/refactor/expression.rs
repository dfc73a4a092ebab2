//! Conditions on the presence of fields: as value validations and as CEL.

use std::fmt;

use cel::ast::{Ast, ExprId, ExprKind, Function, Operator};
use cel::declarations::{escape, property};
use crd::schema::{Keyword, Schema};
use yaml::edit::{NewEntry, NewValue};

use crate::analysis::values::{string, text};

/// A condition on an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    /// The field of that name is set.
    Has(String),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Exactly one of them holds.
    One(Vec<Condition>),
    Not(Box<Condition>),
}

/// The keywords that express conditions.
const KEYWORDS: [Keyword; 5] =
    [Keyword::Required, Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Not];

impl Condition {
    /// The condition that `keyword` of `schema` expresses; `None` if it is about more than the presence of
    /// fields.
    pub(super) fn of_keyword(schema: &Schema<'_, '_>, keyword: Keyword) -> Option<Self> {
        let branches = || -> Option<Vec<Self>> {
            let items = schema
                .items(keyword)
                .map(|item| Self::of_branch(&Schema::read(item.value(), schema.reader())?));
            items.collect::<Option<Vec<_>>>().filter(|branches| !branches.is_empty())
        };
        Some(match keyword {
            Keyword::Required => {
                let names: Option<Vec<Self>> =
                    schema.items(keyword).map(|item| Some(Self::Has(string(item.value())?))).collect();
                Self::all(names?)
            }
            Keyword::AllOf => Self::all(branches()?),
            Keyword::AnyOf => Self::single(branches()?, Self::Any),
            Keyword::OneOf => Self::single(branches()?, Self::One),
            Keyword::Not => Self::Not(Box::new(Self::of_branch(&schema.schema(keyword)?)?)),
            _ => return None,
        })
    }

    fn of_branch(branch: &Schema<'_, '_>) -> Option<Self> {
        if !branch.unknown().is_empty() || branch.value().as_mapping().is_none() {
            return None;
        }
        let parts = branch.entries().map(|(keyword, _)| {
            KEYWORDS.contains(&keyword).then(|| Self::of_keyword(branch, keyword)).flatten()
        });
        Some(Self::all(parts.collect::<Option<Vec<_>>>()?))
    }

    fn all(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::Always,
            1 => parts.remove(0),
            _ => Self::All(parts),
        }
    }

    fn single(mut parts: Vec<Self>, of: impl FnOnce(Vec<Self>) -> Self) -> Self {
        if parts.len() == 1 { parts.remove(0) } else { of(parts) }
    }

    /// The condition that the rule `ast` expresses about `self`; `None` if it is about more than the presence
    /// of fields.
    pub(super) fn of_rule(ast: &Ast) -> Option<Self> {
        Self::of_expression(ast, ast.root())
    }

    fn of_expression(ast: &Ast, id: ExprId) -> Option<Self> {
        if let Some(call) = ast.macro_of(id).filter(|call| ast.name(call.name) == "exists_one") {
            return Self::of_exists_one(ast, call.target?, ast.list(call.args));
        }
        match ast.kind(id) {
            ExprKind::Select { operand, field, test_only: true, .. } if is_self(ast, *operand) => {
                Some(Self::Has(property(ast.name(*field))))
            }
            ExprKind::Call { function: Function::Operator(operator), target: None, args } => {
                let parts: Option<Vec<Self>> =
                    ast.list(*args).iter().map(|part| Self::of_expression(ast, *part)).collect();
                let mut parts = parts?;
                Some(match operator {
                    Operator::And => Self::All(flattened(parts, |part| match part {
                        Self::All(inner) => Ok(inner),
                        other => Err(other),
                    })),
                    Operator::Or => Self::Any(flattened(parts, |part| match part {
                        Self::Any(inner) => Ok(inner),
                        other => Err(other),
                    })),
                    Operator::NotEquals => Self::One(parts),
                    Operator::Equals => Self::Not(Box::new(Self::One(parts))),
                    Operator::Not => Self::Not(Box::new(parts.pop()?)),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// `[a, b, c].exists_one(x, x)`
    fn of_exists_one(ast: &Ast, list: ExprId, args: &[ExprId]) -> Option<Self> {
        let ExprKind::List { elements, optional } = ast.kind(list) else { return None };
        let [variable, body] = args else { return None };
        let (ExprKind::Ident(variable), ExprKind::Ident(body)) = (ast.kind(*variable), ast.kind(*body))
        else {
            return None;
        };
        if variable != body || !ast.indices(*optional).is_empty() || elements.is_empty() {
            return None;
        }
        let parts: Option<Vec<Self>> =
            ast.list(*elements).iter().map(|part| Self::of_expression(ast, *part)).collect();
        Some(Self::single(parts?, Self::One))
    }

    /// The fields in the condition.
    pub(super) fn fields(&self) -> Vec<&str> {
        match self {
            Self::Always => Vec::new(),
            Self::Has(name) => vec![name],
            Self::All(parts) | Self::Any(parts) | Self::One(parts) => {
                parts.iter().flat_map(|part| part.fields()).collect()
            }
            Self::Not(part) => part.fields(),
        }
    }

    /// The fields, if the parts are only a list of fields.
    pub(super) fn plain_fields(parts: &[Self]) -> Option<Vec<&str>> {
        parts.iter().map(|part| if let Self::Has(name) = part { Some(name.as_str()) } else { None }).collect()
    }

    /// The keyword that expresses the condition, with its value; `None` for a condition that always holds.
    pub(super) fn validation<'t>(&self) -> Option<NewEntry<'t>> {
        let list = |parts: &[Self]| -> Option<NewValue<'t>> {
            let items: Option<Vec<NewValue<'t>>> = parts.iter().map(Self::branch).collect();
            Some(NewValue::Sequence { items: items?, flow: false })
        };
        let required = |names: &[&str]| {
            let items = names.iter().map(|name| text(*name)).collect();
            NewEntry::new("required", NewValue::Sequence { items, flow: true })
        };
        Some(match self {
            Self::Always => return None,
            Self::Has(name) => required(&[name]),
            Self::All(parts) => match Self::plain_fields(parts) {
                Some(names) => required(&names),
                None => NewEntry::new("allOf", list(parts)?),
            },
            Self::Any(parts) => NewEntry::new("anyOf", list(parts)?),
            Self::One(parts) => NewEntry::new("oneOf", list(parts)?),
            Self::Not(part) => NewEntry::new("not", part.branch()?),
        })
    }

    fn branch<'t>(&self) -> Option<NewValue<'t>> {
        Some(NewValue::Mapping { entries: vec![self.validation()?], flow: false })
    }
}

impl fmt::Display for Condition {
    /// As CEL. Field names that are not possible in expressions result in text that does not compile.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[Self], by: &str| -> String {
            parts.iter().map(Self::operand).collect::<Vec<_>>().join(by)
        };
        match self {
            Self::Always => f.write_str("true"),
            Self::Has(name) => write!(f, "has(self.{})", escape(name).unwrap_or_default()),
            Self::All(parts) => f.write_str(&joined(parts, " && ")),
            Self::Any(parts) => f.write_str(&joined(parts, " || ")),
            Self::One(parts) if parts.len() == 2 => f.write_str(&joined(parts, " != ")),
            Self::One(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
                write!(f, "[{}].exists_one(x, x)", parts.join(", "))
            }
            Self::Not(part) => write!(f, "!{}", part.operand()),
        }
    }
}

impl Condition {
    /// As CEL, in parentheses if necessary beside an operator.
    fn operand(&self) -> String {
        match self {
            Self::All(_) | Self::Any(_) => format!("({self})"),
            Self::One(parts) if parts.len() == 2 => format!("({self})"),
            _ => self.to_string(),
        }
    }
}

fn is_self(ast: &Ast, id: ExprId) -> bool {
    matches!(ast.kind(id), ExprKind::Ident(name) if ast.name(*name) == "self")
}

/// The pattern in `self.matches('…')`.
pub(super) fn pattern_of(ast: &Ast) -> Option<&str> {
    let ExprKind::Call { function: Function::Named(name), target: Some(target), args } = ast.kind(ast.root())
    else {
        return None;
    };
    if ast.name(*name) != "matches" || !is_self(ast, *target) {
        return None;
    }
    match ast.list(*args) {
        [only] => match ast.kind(*only) {
            ExprKind::Literal(cel::ast::Literal::String(text)) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn flattened<T>(parts: Vec<T>, open: impl Fn(T) -> Result<Vec<T>, T>) -> Vec<T> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match open(part) {
            Ok(inner) => flat.extend(inner),
            Err(other) => flat.push(other),
        }
    }
    flat
}
