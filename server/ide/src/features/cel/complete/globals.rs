//! Proposals for the start of an operand.

use cel::ast::ExprKind;
use cel::env::{MACROS, MacroReceiver, library};
use crd::cel::InspectedExpression;

use crate::features::cel::complete::CompletionPlace;
use crate::features::cel::complete::item::{CompletionKind, ProposalDraft, ProposalList, call};
use crate::features::cel::field_text::InsertedPiece;
use crate::features::cel::hover::{all_signatures, binder_type, macro_section};
use crate::features::cel::wording::{declared_name, signature, type_name};

/// Variables, innermost first, then functions, then keywords.
const LOCAL: u8 = 1;
const VARIABLE: u8 = 2;
const FUNCTION: u8 = 3;
const KEYWORD: u8 = 4;

/// The placeholder for an operand that is not typed yet.
const PLACEHOLDER: &str = "''";

/// Proposes variables, functions and literals.
pub(super) fn complete(place: &CompletionPlace<'_>, items: &mut ProposalList<'_>) {
    let Some(inspected) = place.inspect(PLACEHOLDER) else { return };
    if names_variable(place) {
        return;
    }
    locals(place, &inspected, items);
    let of = place.view.itself().map_or_else(String::new, |itself| declared_name(itself.decl_type));
    for (name, doc) in
        [("self", "The value that the rule validates."), ("oldSelf", "The value before the update.")]
    {
        items.push(ProposalDraft {
            kind: CompletionKind::Variable,
            rank: VARIABLE,
            label: name,
            detail: of.clone(),
            documentation: doc.to_owned(),
            pieces: vec![InsertedPiece::Text(name.into())],
        });
    }
    // `has` expects a field of a variable.
    if place.open_call().is_some_and(|call| call.name == "has" && !call.is_member) {
        return;
    }
    functions(&inspected, items);
    for word in ["true", "false", "null"] {
        keyword(word, items);
    }
}

/// Proposes the operators that may follow an operand.
pub(super) fn operators(items: &mut ProposalList<'_>) {
    keyword("in", items);
}

fn keyword(word: &'static str, items: &mut ProposalList<'_>) {
    items.push(ProposalDraft {
        kind: CompletionKind::Keyword,
        rank: KEYWORD,
        label: word,
        detail: String::new(),
        documentation: String::new(),
        pieces: vec![InsertedPiece::Text(word.into())],
    });
}

/// Whether the cursor is where a macro names its first variable.
fn names_variable(place: &CompletionPlace<'_>) -> bool {
    let Some(call) = place.open_call() else { return false };
    let is_macro = MACROS.iter().any(|form| form.name == call.name && form.receiver != MacroReceiver::None);
    call.is_member
        && call.commas == 0
        && is_macro
        && place
            .text_before
            .get(call.paren as usize + 1..place.word_start)
            .is_some_and(|gap| gap.trim().is_empty())
}

/// The variables of the macros around the cursor.
fn locals(place: &CompletionPlace<'_>, inspected: &InspectedExpression, items: &mut ProposalList<'_>) {
    let ast = &inspected.ast;
    let mut seen: Vec<&str> = Vec::new();
    // Inner macros come before outer ones.
    for (index, call) in ast.macros().iter().enumerate() {
        let range = ast.expr(call.expansion).range;
        let is_around =
            (call.name_range.end as usize) < place.word_start && place.word_start < range.end as usize;
        let arguments = ast.list(call.args);
        if !is_around {
            continue;
        }
        for (at, argument) in arguments.iter().enumerate().take(arguments.len().saturating_sub(1)) {
            let ExprKind::Ident(name) = ast.kind(*argument) else { continue };
            let name = ast.name(*name);
            if seen.contains(&name) || ast.expr(*argument).range.end as usize >= place.word_start {
                continue;
            }
            let Some(of) = binder_type(inspected, index, at) else { continue };
            seen.push(name);
            items.push(ProposalDraft {
                kind: CompletionKind::Variable,
                rank: LOCAL,
                label: name,
                detail: type_name(&of),
                documentation: String::new(),
                pieces: vec![InsertedPiece::Text(name.to_owned().into())],
            });
        }
    }
}

fn functions(inspected: &InspectedExpression, items: &mut ProposalList<'_>) {
    for form in MACROS.iter().filter(|form| form.receiver == MacroReceiver::None) {
        items.push(ProposalDraft {
            kind: CompletionKind::Macro,
            rank: FUNCTION,
            label: form.name,
            detail: form.signature(),
            documentation: macro_section(form, None),
            pieces: call(form.name, &[""], items.is_called),
        });
    }
    for function in library().functions().filter(|function| is_name(function.name)) {
        let overloads = function.overloads();
        let mut overloads =
            overloads.filter(|overload| !overload.member && inspected.env.has_since(overload.since));
        let Some(first) = overloads.next() else { continue };
        let has_args = !first.params.is_empty() || overloads.next().is_some();
        items.push(ProposalDraft {
            kind: CompletionKind::Function,
            rank: FUNCTION,
            label: function.name,
            detail: signature(first),
            documentation: all_signatures(function),
            pieces: call(function.name, if has_args { &[""] } else { &[] }, items.is_called),
        });
    }
}

/// Whether `name` is that of a function rather than of an operator.
fn is_name(name: &str) -> bool {
    !name.contains(['_', '@', '!', '-']) && name != "in"
}
