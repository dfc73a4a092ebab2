//! Proposals behind a dot.

use cel::ast::{ExprId, ExprKind, Function, Operator};
use cel::env::{Feature, MACROS, MacroReceiver, library};
use cel::{DeclKind, DeclType, Token, Type};
use crd::cel::{InspectedExpression, SchemaNode};

use crate::features::cel::complete::CompletionPlace;
use crate::features::cel::complete::item::{CompletionKind, ProposalDraft, ProposalList, call};
use crate::features::cel::field_text::InsertedPiece;
use crate::features::cel::hover::{all_signatures, macro_section};
use crate::features::cel::wording::{declared_name, signature};
use crate::features::hover;

/// Fields, then functions, then macros.
const FIELD: u8 = 1;
const METHOD: u8 = 2;
const MACRO: u8 = 3;

/// Proposes the fields, functions and macros of the operand before `dot`; only fields if the dot is `.?`.
pub(super) fn complete(
    place: &CompletionPlace<'_>,
    dot: Option<&Token>,
    is_optional: bool,
    items: &mut ProposalList<'_>,
) {
    let Some(dot) = dot else { return };
    let Some(inspected) = place.inspect("") else { return };
    let Some(operand) = operand(&inspected, dot) else { return };
    if let ExprKind::Ident(name) = inspected.ast.kind(operand)
        && namespace(&inspected, operand, inspected.ast.name(*name), items)
    {
        return;
    }
    let of = inspected.checked.type_of(operand).clone();
    // An undeclared name has no value of any type.
    if of == Type::Error && matches!(inspected.ast.kind(operand), ExprKind::Ident(_)) {
        return;
    }
    fields(place, &inspected, &of, items);
    let is_in_has = place.open_call().is_some_and(|call| call.name == "has");
    if is_optional || is_in_has {
        return;
    }
    methods(&inspected, &of, items);
    macros(&inspected, &of, items);
}

fn operand(inspected: &InspectedExpression, dot: &Token) -> Option<ExprId> {
    CompletionPlace::node_at(inspected, dot.range.start, |kind| match kind {
        ExprKind::Select { operand, .. } => Some(*operand),
        ExprKind::Call { function: Function::Operator(Operator::OptSelect), args, .. } => {
            inspected.ast.list(*args).first().copied()
        }
        _ => None,
    })
}

/// Proposes the functions of a namespace, such as `sets`; returns whether `name` is one.
fn namespace(inspected: &InspectedExpression, id: ExprId, name: &str, items: &mut ProposalList<'_>) -> bool {
    if *inspected.checked.type_of(id) != Type::Error {
        return false;
    }
    let prefix = format!("{name}.");
    let env = inspected.env;
    let of_it = library().functions().filter(|function| function.name.starts_with(&prefix));
    let mut found = false;
    for function in of_it.filter(|function| env.function(function.name).is_some()) {
        let Some(short) = function.name.get(prefix.len()..).filter(|short| !short.starts_with('@')) else {
            continue;
        };
        found = true;
        let overload = function.overloads().next();
        let has_args = overload.is_some_and(|overload| !overload.params.is_empty());
        items.push(ProposalDraft {
            kind: CompletionKind::Function,
            rank: METHOD,
            label: short,
            detail: overload.map(signature).unwrap_or_default(),
            documentation: all_signatures(function),
            pieces: call(short, if has_args { &[""] } else { &[] }, items.is_called),
        });
    }
    found
}

fn fields(
    place: &CompletionPlace<'_>,
    inspected: &InspectedExpression,
    of: &Type,
    items: &mut ProposalList<'_>,
) {
    let Type::Object(name) = of.unwrap_optional().0 else { return };
    let Some(itself) = place.view.itself() else { return };
    let Some(declared) = place.view.declared(name) else { return };
    let node = node_named(itself, name);
    let DeclKind::Object(object) = &declared.kind else { return };
    let words = inspected.env.has(Feature::ReservedWordsAsFields);
    for escaped in &object.order {
        let Some(field) = object.fields.get(escaped) else { continue };
        let is_plain = words && cel::is_reserved(&field.property) && !cel::is_keyword(&field.property);
        let label = if is_plain { &field.property } else { escaped };
        let below = node.and_then(|node| node.field(escaped));
        items.push(ProposalDraft {
            kind: CompletionKind::Field,
            rank: FIELD,
            label,
            detail: detail(&field.field_type, field.required),
            documentation: below.and_then(|node| documentation(place, &node)).unwrap_or_default(),
            pieces: vec![InsertedPiece::Text(label.clone().into())],
        });
    }
}

pub(super) fn documentation(place: &CompletionPlace<'_>, node: &SchemaNode<'_>) -> Option<String> {
    hover::schema_text(place.tree, node.key?.start)
}

fn detail(of: &DeclType, required: bool) -> String {
    let name = declared_name(of);
    if required { format!("{name}, required") } else { name }
}

/// The schema node of the type `name`, whose steps lead there from the rule's own node.
fn node_named<'s>(itself: SchemaNode<'s>, name: &str) -> Option<SchemaNode<'s>> {
    name.split('.').skip(1).try_fold(itself, |node, step| match step {
        "@idx" | "@elem" => node.element(),
        field => node.field(field),
    })
}

fn methods(inspected: &InspectedExpression, of: &Type, items: &mut ProposalList<'_>) {
    for function in library().functions() {
        let overloads = function.overloads().filter(|overload| {
            inspected.env.has_since(overload.since)
                && !overload.signature.starts_with("(kubernetes.authorization.")
                && cel::takes_receiver(overload, of)
        });
        let overloads: Vec<_> = overloads.collect();
        let Some(first) = overloads.first().filter(|_| !function.name.starts_with('@')) else { continue };
        let has_args = overloads.iter().any(|overload| overload.params.len() > 1);
        items.push(ProposalDraft {
            kind: CompletionKind::Method,
            rank: METHOD,
            label: function.name,
            detail: signature(first),
            documentation: all_signatures(function),
            pieces: call(function.name, if has_args { &[""] } else { &[] }, items.is_called),
        });
    }
}

fn macros(inspected: &InspectedExpression, of: &Type, items: &mut ProposalList<'_>) {
    let mut last = "";
    for form in MACROS {
        let fits = form.receiver != MacroReceiver::None && form.receiver.takes(of);
        // The shortest of several forms is enough; signature help shows the others.
        if !fits || !form.is_in(inspected.env) || form.name == last {
            continue;
        }
        last = form.name;
        items.push(ProposalDraft {
            kind: CompletionKind::Macro,
            rank: MACRO,
            label: form.name,
            detail: form.signature(),
            documentation: macro_section(form, None),
            pieces: call(form.name, form.params, items.is_called),
        });
    }
}
