//! The clauses of a literal `format` string against the types of its arguments.

use super::CheckedExpr;
use crate::ast::{Ast, EntryKey, ExprId, ExprKind};
use crate::types::{Primitive, Type};

/// The problem, and the argument that causes it.
pub(super) struct FormatError {
    pub(super) argument: Option<ExprId>,
    pub(super) message: String,
}

fn fail<T>(message: impl Into<String>) -> Result<T, FormatError> {
    Err(FormatError { argument: None, message: message.into() })
}

pub(super) fn check(
    ast: &Ast,
    checked: &CheckedExpr,
    text: &str,
    args: &[ExprId],
) -> Result<(), FormatError> {
    let mut rest = text;
    let mut used = 0;
    while let Some(at) = rest.find('%') {
        let clause = rest.get(at + 1..).unwrap_or_default();
        if let Some(following) = clause.strip_prefix('%') {
            rest = following;
            continue;
        }
        if clause.is_empty() {
            return fail("unexpected end of string");
        }
        let Some(&argument) = args.get(used) else { return fail(format!("index {used} out of range")) };
        let (letter, following) = letter(clause)?;
        clause_fits(ast, checked, letter, argument)?;
        rest = following;
        used += 1;
    }
    if args.len() > used {
        let given = args.len();
        return fail(format!("too many arguments supplied to string.format (expected {used}, got {given})"));
    }
    Ok(())
}

/// The letter of a clause after its precision, and the rest of the text.
fn letter(clause: &str) -> Result<(char, &str), FormatError> {
    let parse = "could not parse formatting clause";
    let following = match clause.strip_prefix('.') {
        None => clause,
        Some(precision) => {
            let digits = precision.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, following) = precision.split_at(digits);
            if following.is_empty() {
                return fail(format!(
                    "{parse}: error while parsing precision: could not find end of precision specifier"
                ));
            }
            let number: Result<i64, _> = digits.parse();
            match number {
                Ok(_) => following,
                Err(_) => {
                    let why = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
                    return fail(format!(
                        "{parse}: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing \"{digits}\": {why}"
                    ));
                }
            }
        }
    };
    // cel-go reads one byte; a byte that is not ASCII is never the letter of a clause.
    let byte = following.bytes().next().unwrap_or_default();
    match char::from(byte) {
        letter @ ('s' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o') => {
            Ok((letter, following.get(1..).unwrap_or_default()))
        }
        other => fail(format!("{parse}: unrecognized formatting clause \"{other}\"")),
    }
}

fn clause_fits(ast: &Ast, checked: &CheckedExpr, letter: char, argument: ExprId) -> Result<(), FormatError> {
    let of = unwrapped(checked.type_of(argument));
    let (fits, wants) = match letter {
        's' => match unprintable(ast, checked, argument) {
            None => return Ok(()),
            Some(culprit) => {
                let wants = "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
                return wrong(checked, culprit, wants);
            }
        },
        'd' => (matches!(of, Type::Int | Type::Uint), "decimal clause can only be used on integers"),
        'f' => (matches!(of, Type::Double | Type::String), "fixed-point clause can only be used on doubles"),
        'e' => (matches!(of, Type::Double | Type::String), "scientific clause can only be used on doubles"),
        'b' => {
            let fits = matches!(of, Type::Int | Type::Uint | Type::Bool);
            (fits, "only integers and bools can be formatted as binary")
        }
        'o' => (matches!(of, Type::Int | Type::Uint), "octal clause can only be used on integers"),
        _ => {
            let fits = matches!(of, Type::Int | Type::Uint | Type::String | Type::Bytes);
            (fits, "only integers, byte buffers, and strings can be formatted as hex")
        }
    };
    if fits || of == Type::Dyn { Ok(()) } else { wrong(checked, argument, wants) }
}

fn wrong(checked: &CheckedExpr, argument: ExprId, wants: &str) -> Result<(), FormatError> {
    let given = super::literals::erased(&unwrapped(checked.type_of(argument)));
    Err(FormatError {
        argument: Some(argument),
        message: format!("error during formatting: {wants}, was given {given}"),
    })
}

fn unwrapped(of: &Type) -> Type {
    match of {
        Type::Wrapper(primitive) => Primitive::unwrapped(*primitive),
        other => other.clone(),
    }
}

/// The first part of an argument that `%s` cannot print.
fn unprintable(ast: &Ast, checked: &CheckedExpr, id: ExprId) -> Option<ExprId> {
    let prints = !matches!(
        checked.type_of(id),
        Type::Optional(_) | Type::Opaque(_) | Type::Object(_) | Type::Any | Type::Error | Type::Param(_)
    );
    if !prints {
        return Some(id);
    }
    match ast.kind(id) {
        ExprKind::List { elements, .. } => {
            ast.list(*elements).iter().find_map(|element| unprintable(ast, checked, *element))
        }
        ExprKind::Map(entries) => ast.entries(*entries).iter().find_map(|entry| {
            let EntryKey::Expr(key) = entry.key else { return None };
            unprintable(ast, checked, key).or_else(|| unprintable(ast, checked, entry.value))
        }),
        _ => None,
    }
}
