//! The signatures of the call around an offset.

use std::ops::Range;

use cel::Type;
use cel::ast::{ExprId, ExprKind};
use cel::env::{MACROS, MacroReceiver, Overload, library};
use crd::cel::InspectedExpression;
use text::TextSize;

use crate::analysis::caches::Caches;
use crate::features::cel::complete::{OpenCall, with_place};
use crate::features::cel::site::Source;
use crate::features::cel::wording::{signature, since_release};

/// The signatures of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// All signatures that fit the receiver.
    pub list: Vec<Signature>,
    /// The index of the first signature with a parameter for the argument at the offset.
    pub active: usize,
    /// The index of the argument, from 0.
    pub argument: usize,
}

/// One signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `string.matches(string) -> bool`
    pub label: String,
    /// The byte range of each parameter in the label.
    pub parameters: Vec<Range<usize>>,
    /// The documentation of the function or macro.
    pub documentation: String,
}

/// The signatures at `offset` (in bytes); `None` outside of calls.
pub(crate) fn signatures(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Option<Signatures> {
    with_place(source, offset, caches, |place| {
        let call = place.open_call()?;
        let inspected = place.inspect_call(&call)?;
        let list = of_call(&inspected, &call);
        let active = list.iter().position(|one| one.parameters.len() > call.commas).unwrap_or(0);
        (!list.is_empty()).then_some(Signatures { list, active, argument: call.commas })
    })
}

fn of_call(inspected: &InspectedExpression, call: &OpenCall<'_>) -> Vec<Signature> {
    let env = inspected.env;
    let target = target(inspected, call.paren);
    let of = target.map(|target| inspected.checked.type_of(target).clone());
    let mut list: Vec<Signature> = Vec::new();
    for form in MACROS.iter().filter(|form| form.name == call.name && form.is_in(env)) {
        let fits = match &of {
            None => form.receiver == MacroReceiver::None && !call.is_member,
            Some(of) => form.receiver.takes(of),
        };
        if fits {
            list.push(Signature::new(form.signature(), call.name, form.doc.to_owned()));
        }
    }
    let namespaced = target.and_then(|target| match inspected.ast.kind(target) {
        ExprKind::Ident(name) => library().function(&format!("{}.{}", inspected.ast.name(*name), call.name)),
        _ => None,
    });
    let is_namespaced = namespaced.is_some();
    let Some(function) = namespaced.or_else(|| library().function(call.name)) else { return list };
    let fits = |overload: &&Overload| {
        env.has_since(overload.since)
            && match &of {
                Some(of) if !is_namespaced => {
                    *of == Type::Error && overload.member || cel::takes_receiver(overload, of)
                }
                _ => !overload.member,
            }
    };
    for overload in function.overloads().filter(fits) {
        let documentation = match since_release(overload.since) {
            Some(since) => format!("{}\n\n{since}", function.doc),
            None => function.doc.to_owned(),
        };
        list.push(Signature::new(signature(overload), function.name, documentation));
    }
    list
}

/// The receiver of the call with that parenthesis.
fn target(inspected: &InspectedExpression, paren: TextSize) -> Option<ExprId> {
    let ast = &inspected.ast;
    let of_macro = ast.macros().iter().find(|call| ast.expr(call.expansion).anchor == paren);
    if let Some(call) = of_macro {
        return call.target;
    }
    let calls = ast.exprs().filter(|(_, expr)| expr.anchor == paren);
    calls
        .filter_map(|(_, expr)| match &expr.kind {
            ExprKind::Call { target, .. } => *target,
            _ => None,
        })
        .next()
}

impl Signature {
    fn new(label: String, name: &str, documentation: String) -> Self {
        let start = label.find(&format!("{name}(")).map_or(0, |at| at + name.len() + 1);
        let mut parameters = Vec::new();
        let mut depth = 0_usize;
        let mut from = start;
        for (at, byte) in label.bytes().enumerate().skip(start) {
            match byte {
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b',' | b')' if depth == 0 => {
                    if from < at {
                        parameters.push(from..at);
                    }
                    from = at + 2;
                    if byte == b')' {
                        break;
                    }
                }
                _ => {}
            }
        }
        Self { label, parameters, documentation }
    }
}
