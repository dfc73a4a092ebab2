//! Corrections of types: numbers, durations and texts that need a conversion, and rules whose result is not a
//! boolean.

use cel::ast::{Ast, Expr, ExprId, ExprKind, Function, Literal, Operator};
use cel::{IssueCode, Type};
use text::{TextRange, TextSize};

use super::{Correction, CorrectionEffect, applied};
use crate::cel::compile::{Expression, InspectedExpression, Purpose};
use crate::cel::wording::is_unbounded;

/// The corrections that give the parts of `text` the required types.
pub(crate) fn converted(expression: &Expression<'_>, inspected: &InspectedExpression) -> Vec<Correction> {
    let text = expression.text;
    if !inspected.syntax.is_empty() {
        return Vec::new();
    }
    let issues = inspected.checked.issues.iter().filter(|issue| issue.code == IssueCode::NoOverload);
    let mut rewrites = Vec::new();
    for issue in issues {
        let call = operands(&inspected.ast, issue.anchor);
        rewrites.extend(call.and_then(|call| operand(inspected, text, call)));
        rewrites.extend(call.and_then(|call| absent(inspected, text, call)));
        rewrites.extend(call.and_then(|call| never_null(inspected, text, call)));
        rewrites.extend(call.and_then(|call| selected(inspected, text, call)));
        rewrites.extend(not_in(inspected, text, issue.anchor));
        rewrites.extend(as_text(expression, inspected, issue.anchor));
    }
    rewrites.extend(result(inspected, expression.purpose, text));
    rewrites
}

/// A binary operator and its operands.
pub(crate) type Call = (Operator, [ExprId; 2]);

fn operands(ast: &Ast, anchor: Option<u32>) -> Option<Call> {
    ast.exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Operator(operator), args, .. }
            if Some(expr.anchor) == anchor =>
        {
            Some((*operator, ast.list(*args).try_into().ok()?))
        }
        _ => None,
    })
}

/// Converts a time to text in a call that requires a text: in CEL, a string with the format of a time is not a
/// string.
fn as_text(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    anchor: Option<u32>,
) -> Option<Correction> {
    let parts = inspected.ast.exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { target, args, .. } if Some(expr.anchor) == anchor => {
            Some(target.iter().chain(inspected.ast.list(*args)).copied().collect::<Vec<ExprId>>())
        }
        _ => None,
    })?;
    let is_time = |part: &ExprId| {
        let has_field = matches!(inspected.ast.kind(*part), ExprKind::Select { .. } | ExprKind::Ident(_));
        has_field && matches!(inspected.checked.type_of(*part), Type::Timestamp | Type::Duration)
    };
    let part = parts.into_iter().find(is_time)?;
    let range = inspected.ast.expr(part).range;
    let written = expression.text.get(range.as_usize())?;
    let new = format!("string({written})");
    let with = |new: &str| vec![(range, new.to_owned())];
    // The text of a time has no bound: where its length counts, the server rejects the rule for its cost.
    let price = |new: &str| expression.price_of(&applied(expression.text, &with(new)));
    if price(&new).is_some_and(is_unbounded) && !price("''").is_some_and(is_unbounded) {
        return None;
    }
    let changes = with(&new);
    Some(Correction { meaning: CorrectionEffect::AsText { written: written.to_owned(), new }, changes })
}

/// The replacement of the operand that can be converted to the type of the other operand.
pub(crate) fn converted_operand(inspected: &InspectedExpression, text: &str, call: Call) -> Option<String> {
    match operand(inspected, text, call)?.meaning {
        CorrectionEffect::Converted { new, .. } => Some(new),
        _ => None,
    }
}

/// Replaces a comparison of a field with `null`, which only nullable fields allow, with a check of the field's
/// presence.
fn absent(inspected: &InspectedExpression, text: &str, (operator, operands): Call) -> Option<Correction> {
    let is_null = |id: ExprId| matches!(inspected.ast.kind(id), ExprKind::Literal(Literal::Null));
    let is_field = |id: ExprId| matches!(inspected.ast.kind(id), ExprKind::Select { test_only: false, .. });
    let [one, other] = operands;
    let field = match (is_null(one), is_null(other)) {
        (false, true) => one,
        (true, false) => other,
        _ => return None,
    };
    let sign = match operator {
        Operator::Equals => "!",
        Operator::NotEquals => "",
        _ => return None,
    };
    let (one, other) = (inspected.ast.expr(one).range, inspected.ast.expr(other).range);
    let range = TextRange::new(one.start.min(other.start), one.end.max(other.end));
    let new = format!("{sign}has({})", text.get(inspected.ast.expr(field).range.as_usize())?);
    is_field(field).then(|| rewritten(text, range, new)).flatten()
}

/// The text `!(a in b)` for an expression `!a in b`, in which `!` applies only to `a`.
pub(crate) fn negated(inspected: &InspectedExpression, text: &str, anchor: Option<u32>) -> Option<String> {
    match not_in(inspected, text, anchor)?.meaning {
        CorrectionEffect::Converted { new, .. } => Some(new),
        _ => None,
    }
}

/// The correction of `!a in b` to `!(a in b)`.
fn not_in(inspected: &InspectedExpression, text: &str, anchor: Option<u32>) -> Option<Correction> {
    let ast = &inspected.ast;
    let call = |wanted: Operator, is_it: &dyn Fn(&Expr, &[ExprId]) -> bool| {
        ast.exprs().find_map(|(id, expr)| match &expr.kind {
            ExprKind::Call { function: Function::Operator(operator), args, .. } if *operator == wanted => {
                let args = ast.list(*args);
                is_it(expr, args).then_some((id, args))
            }
            _ => None,
        })
    };
    let (not, args) = call(Operator::Not, &|expr, _| Some(expr.anchor) == anchor)?;
    let (_, sides) = call(Operator::In, &|_, sides| sides.first() == Some(&not))?;
    let [item] = args else { return None };
    let [_, list] = sides else { return None };
    let (not, item, list) = (ast.expr(not).range, ast.expr(*item).range, ast.expr(*list).range);
    let range = TextRange::new(not.start, list.end);
    rewritten(text, range, format!("!({})", text.get(item.start as usize..list.end as usize)?))
}

/// The correction that removes a comparison of a variable with `null` next to another condition: a rule runs only on
/// existing values.
fn never_null(inspected: &InspectedExpression, text: &str, (operator, operands): Call) -> Option<Correction> {
    let ast = &inspected.ast;
    let is_null = |id: &&ExprId| matches!(ast.kind(**id), ExprKind::Literal(Literal::Null));
    let is_variable = |id: &&ExprId| matches!(ast.kind(**id), ExprKind::Ident(_));
    operands.iter().find(is_null)?;
    operands.iter().find(is_variable)?;
    let outer = match operator {
        Operator::Equals => Operator::Or,
        Operator::NotEquals => Operator::And,
        _ => return None,
    };
    let [one, other] = operands.map(|id| ast.expr(id).range);
    let whole = TextRange::new(one.start.min(other.start), one.end.max(other.end));
    let superfluous = ast.exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Operator(found), args, .. } if *found == outer => {
            let [left, right] = ast.list(*args) else { return None };
            let (left, right) = (ast.expr(*left).range, ast.expr(*right).range);
            match () {
                () if left == whole => Some(TextRange::new(left.start, right.start)),
                () if right == whole => Some(TextRange::new(left.end, right.end)),
                () => None,
            }
        }
        _ => None,
    })?;
    let written = text.get(superfluous.as_usize())?.trim().to_owned();
    Some(Correction {
        meaning: CorrectionEffect::Removed(written),
        changes: vec![(superfluous, String::new())],
    })
}

/// Converts a literal to another type, or gives an optional value the zero value that programs use for an unset
/// field.
fn as_other(
    inspected: &InspectedExpression,
    text: &str,
    from: ExprId,
    to: ExprId,
) -> Option<(ExprId, String)> {
    let written = text.get(inspected.ast.expr(from).range.as_usize())?;
    let new = match (inspected.ast.kind(from), inspected.checked.type_of(to)) {
        (ExprKind::Literal(Literal::String(text)), Type::Bool) if matches!(&**text, "true" | "false") => {
            text.to_string()
        }
        (ExprKind::Literal(Literal::String(text)), Type::Double) if text.parse::<f64>().is_ok() => {
            if text.contains('.') { text.to_string() } else { format!("{text}.0") }
        }
        (ExprKind::Literal(Literal::String(text)), Type::Int) if text.parse::<i64>().is_ok() => {
            text.to_string()
        }
        (ExprKind::Literal(Literal::Int(number @ (0 | 1))), Type::Bool) => (*number == 1).to_string(),
        (ExprKind::Literal(Literal::Int(_) | Literal::Bool(_) | Literal::Double(_)), Type::String) => {
            format!("'{written}'")
        }
        (_, to) => {
            let (of, is_optional) = inspected.checked.type_of(from).unwrap_optional();
            let zero = match of {
                Type::String => "''",
                Type::Int => "0",
                Type::Double => "0.0",
                Type::Bool => "false",
                _ => return None,
            };
            if !is_optional || of != to {
                return None;
            }
            format!("{written}.orValue({zero})")
        }
    };
    Some((from, new))
}

/// Converts a list of literals to the type of the item that `in` looks up.
fn items(inspected: &InspectedExpression, text: &str, item: ExprId, list: ExprId) -> Option<Correction> {
    let ExprKind::List { elements, .. } = inspected.ast.kind(list) else { return None };
    let literals = inspected.ast.list(*elements).iter();
    let converted = literals.map(|literal| {
        let (_, new) = as_other(inspected, text, *literal, item)?;
        Some((inspected.ast.expr(*literal).range, new))
    });
    let changes = converted.collect::<Option<Vec<_>>>().filter(|changes| !changes.is_empty())?;
    let range = inspected.ast.expr(list).range;
    let written = text.get(range.as_usize())?.to_owned();
    let within = |at: TextSize| at.checked_sub(range.start);
    let within =
        changes.into_iter().map(|(of, new)| Some((TextRange::new(within(of.start)?, within(of.end)?), new)));
    rewritten(text, range, applied(&written, &within.collect::<Option<Vec<_>>>()?))
}

/// Makes a list of the text in parentheses that `in` looks up.
fn item_in_parentheses(
    inspected: &InspectedExpression,
    text: &str,
    item: ExprId,
    list: ExprId,
) -> Option<Correction> {
    let is_text = |id: ExprId| *inspected.checked.type_of(id) == Type::String;
    let of = inspected.ast.expr(list).range;
    let (before, after) = (text.get(..of.start as usize)?, text.get(of.end as usize..)?);
    let (open, close) = (before.trim_end().strip_suffix('(')?, after.trim_start().strip_prefix(')')?);
    if !is_text(item) || !is_text(list) {
        return None;
    }
    let range = TextRange::new(open.len() as TextSize, (text.len() - close.len()) as TextSize);
    rewritten(text, range, format!("[{}]", text.get(of.as_usize())?))
}

/// The correction that writes `new` in place of the part of `text` at `range`.
fn rewritten(text: &str, range: TextRange, new: String) -> Option<Correction> {
    let written = text.get(range.as_usize())?.to_owned();
    let changes = vec![(range, new.clone())];
    Some(Correction { meaning: CorrectionEffect::Converted { written, new }, changes })
}

/// Selects the field of an object whose name is written as an index.
fn selected(
    inspected: &InspectedExpression,
    text: &str,
    (operator, [of, index]): Call,
) -> Option<Correction> {
    let ExprKind::Literal(Literal::String(name)) = inspected.ast.kind(index) else { return None };
    let is_object = matches!(inspected.checked.type_of(of), Type::Object(_));
    let field = cel::escape(name).filter(|_| operator == Operator::Index && is_object)?;
    let (of, index) = (inspected.ast.expr(of).range, inspected.ast.expr(index).range);
    let rest = text.get(index.end as usize..)?;
    let end = text.len() - rest.trim_start().strip_prefix(']')?.len();
    let range = TextRange::new(of.start, end as TextSize);
    let new = format!("{}.{field}", text.get(of.as_usize())?);
    let written = text.get(range.as_usize())?.to_owned();
    let changes = vec![(TextRange::new(of.end, range.end), format!(".{field}"))];
    Some(Correction { meaning: CorrectionEffect::Converted { written, new }, changes })
}

/// The size of the list or map that is compared with a number.
fn size_of_operand(inspected: &InspectedExpression, one: ExprId, other: ExprId) -> Option<ExprId> {
    let is_number = |id: ExprId| *inspected.checked.type_of(id) == Type::Int;
    let has_size = |id: ExprId| {
        let is_variable = !matches!(inspected.ast.kind(id), ExprKind::List { .. } | ExprKind::Map { .. });
        is_variable && matches!(inspected.checked.type_of(id), Type::List(_) | Type::Map(_))
    };
    match () {
        () if has_size(one) && is_number(other) => Some(one),
        () if is_number(one) && has_size(other) => Some(other),
        () => None,
    }
}

/// Converts the operand that can have the type of the other operand.
fn operand(
    inspected: &InspectedExpression,
    text: &str,
    (operator, [one, other]): Call,
) -> Option<Correction> {
    if operator == Operator::In {
        return items(inspected, text, one, other)
            .or_else(|| item_in_parentheses(inspected, text, one, other));
    }
    if operator.compares()
        && let Some(part) = size_of_operand(inspected, one, other)
    {
        let range = inspected.ast.expr(part).range;
        return rewritten(text, range, format!("{}.size()", text.get(range.as_usize())?));
    }
    if operator != Operator::Add
        && let Some((part, new)) =
            as_other(inspected, text, one, other).or_else(|| as_other(inspected, text, other, one))
    {
        return rewritten(text, inspected.ast.expr(part).range, new);
    }
    let to = |from: ExprId, to: ExprId| {
        let function = match (inspected.checked.type_of(from), inspected.checked.type_of(to)) {
            (Type::Int, Type::Double) => "double",
            (Type::String, Type::Duration) => "duration",
            (Type::String, Type::Timestamp) => "timestamp",
            (Type::Int | Type::Double | Type::Bool, Type::String) if operator == Operator::Add => "string",
            _ => return None,
        };
        Some((from, function))
    };
    let (part, function) = to(one, other).or_else(|| to(other, one))?;
    let expr: &Expr = inspected.ast.expr(part);
    let written = text.get(expr.range.as_usize())?;
    let new = match expr.kind {
        ExprKind::Literal(Literal::Int(_))
            if function == "double" && written.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            format!("{written}.0")
        }
        _ => format!("{function}({written})"),
    };
    rewritten(text, expr.range, new)
}

/// Makes the result of a rule a boolean, and that of a message expression a text.
fn result(inspected: &InspectedExpression, purpose: Purpose, text: &str) -> Option<Correction> {
    if !inspected.checked.issues.is_empty() {
        return None;
    }
    let root = inspected.ast.root();
    let range = inspected.ast.expr(root).range;
    let written = text.get(range.as_usize())?;
    let chooses = matches!(
        inspected.ast.kind(root),
        ExprKind::Call { function: Function::Operator(Operator::Conditional), .. }
    );
    let operand = if chooses { format!("({written})") } else { written.to_owned() };
    let (meaning, new): (fn(String) -> CorrectionEffect, String) =
        match (purpose, inspected.checked.type_of(root)) {
            (Purpose::Rule, Type::Int) => (CorrectionEffect::Positive, format!("{operand} > 0")),
            (Purpose::Rule, Type::String) => (CorrectionEffect::NotEmpty, format!("{operand} != ''")),
            (Purpose::Rule, Type::List(_) | Type::Map(_)) => {
                (CorrectionEffect::NotEmpty, format!("size({written}) > 0"))
            }
            (Purpose::Message, Type::Int | Type::Double | Type::Bool | Type::Duration | Type::Timestamp) => {
                (CorrectionEffect::Text, format!("string({written})"))
            }
            _ => return None,
        };
    Some(Correction { meaning: meaning(new.clone()), changes: vec![(range, new)] })
}
