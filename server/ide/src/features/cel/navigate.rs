//! Navigation from the fields of an expression to the properties that they name, and back.

use cel::Reference;
use cel::ast::{Ast, ExprId, ExprKind};
use crd::cel::{InspectedExpression, Purpose};
use crd::rules::RuleView;
use text::{TextRange, TextSize};

use crate::OtherSource;
use crate::analysis::caches::Caches;
use crate::features::cel::origin::Origins;
use crate::features::cel::part::{ExpressionPart, PartKind, part_at, parts};
use crate::features::cel::site::{Site, Source, for_each_rule, with_site};

const PURPOSES: [Purpose; 2] = [Purpose::Rule, Purpose::Message];

/// A name in an expression, and its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name, in bytes.
    pub name: TextRange,
    /// The key of the property, or the name of the variable in its macro; in bytes of the same text, or of
    /// `elsewhere`.
    pub target: TextRange,
    /// The text that contains the target, if it may differ from the text of the name.
    pub elsewhere: Option<OtherSource>,
}

/// The declaration of the name at `offset` (in bytes).
pub(crate) fn definition(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Option<Definition> {
    with_part(source, offset, caches, |site, part| {
        let binder = || binder_of(&site.inspected.ast, &parts_of(site), part);
        let target = property(site.view, &site.inspected, part)
            .or_else(|| Some(site.field_text.range(binder()?.range)))?;
        Some(Definition { name: site.field_text.range(part.range), target, elsewhere: None })
    })
}

/// All places that name the property at `offset` (in bytes), its key first; or all places that name the
/// macro's variable at `offset`.
pub(crate) fn references(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Vec<TextRange> {
    let local = with_part(source, offset, caches, |site, part| {
        let all = parts_of(site);
        let binder = binder_of(&site.inspected.ast, &all, part)?;
        let same = |one: &&ExpressionPart| binder_of(&site.inspected.ast, &all, **one) == Some(binder);
        Some(all.iter().filter(same).map(|one| site.field_text.range(one.range)).collect::<Vec<_>>())
    });
    if let Some(local) = local {
        return local;
    }
    let named = with_part(source, offset, caches, |site, part| property(site.view, &site.inspected, part));
    let mut found = Vec::new();
    let mut key = named;
    let document = crate::analysis::text_at::document_at(source.tree, offset);
    let Some(within) = document.map(yaml::Document::range) else { return found };
    for_each_name(source, within, caches, |name, target| {
        // If `offset` is on the key, the property is found by the first expression that names it.
        if key.is_none() && target.touches(offset) {
            key = Some(target);
        }
        if key == Some(target) {
            found.push(name);
        }
    });
    found.extend(key);
    found.sort();
    found.dedup();
    if let Some(at) = key.and_then(|key| found.iter().position(|one| *one == key)) {
        let key = found.remove(at);
        found.insert(0, key);
    }
    found
}

/// The ranges of the names in expressions in `within` that name properties with these `keys`.
pub(crate) fn names_of(
    source: Source<'_>,
    within: TextRange,
    keys: &[TextRange],
    caches: &mut Caches,
) -> Vec<TextRange> {
    let mut found = Vec::new();
    for_each_name(source, within, caches, |name, key| {
        if keys.contains(&key) {
            found.push(name);
        }
    });
    found.sort();
    found.dedup();
    found
}

/// Calls `visit` for each name of a property in expressions in `within`, with the range of the name and of the property's
/// key.
fn for_each_name(
    source: Source<'_>,
    within: TextRange,
    caches: &mut Caches,
    mut visit: impl FnMut(TextRange, TextRange),
) {
    for_each_rule(source, within, caches, |view| {
        for purpose in PURPOSES {
            let Some((text, place)) = view.expression(purpose) else { continue };
            let Some(inspected) = view.inspect(purpose, text) else { continue };
            for part in parts(text, &inspected.ast) {
                if let Some(key) = property(view, &inspected, part) {
                    visit(place.range_of(part.range, view.base()), key);
                }
            }
        }
    });
}

fn with_part<T>(
    source: Source<'_>,
    offset: TextSize,
    caches: &mut Caches,
    ask: impl Fn(&Site<'_>, ExpressionPart) -> Option<T>,
) -> Option<T> {
    with_site(source, offset, caches, |site, position| {
        let cursor = site.field_text.cursor(offset, |_| false).filter(|_| !position.on_key)?;
        ask(site, part_at(&parts_of(site), cursor.at as TextSize)?)
    })
}

fn parts_of(site: &Site<'_>) -> Vec<ExpressionPart> {
    parts(&site.field_text.text, &site.inspected.ast)
}

/// The key of the property that a field names.
fn property(view: &RuleView<'_>, inspected: &InspectedExpression, part: ExpressionPart) -> Option<TextRange> {
    let PartKind::Field(id) = part.kind else { return None };
    let origins = Origins::of(&inspected.ast, &inspected.checked, view.itself()?);
    origins.node(id)?.key
}

/// The declaration of the variable that `part` uses or declares.
fn binder_of(ast: &Ast, parts: &[ExpressionPart], part: ExpressionPart) -> Option<ExpressionPart> {
    let id = match part.kind {
        PartKind::Binder(..) => return Some(part),
        PartKind::Variable(id) => id,
        _ => return None,
    };
    let ExprKind::Ident(name) = ast.kind(id) else { return None };
    // The innermost macro around the variable that declares its name.
    let mut binders = parts.iter().rev().filter(|one| {
        let PartKind::Binder(index, at) = one.kind else { return false };
        let Some(call) = ast.macros().get(index) else { return false };
        let binder = ast.list(call.args).get(at);
        let is_same = matches!(binder.map(|id| ast.kind(*id)), Some(ExprKind::Ident(other)) if other == name);
        is_same && one.range.end < part.range.start && ast.expr(call.expansion).range.end >= part.range.end
    });
    binders.next().copied()
}

/// Whether `id` is a variable of a macro.
pub(super) fn is_local(inspected: &InspectedExpression, id: ExprId) -> bool {
    matches!(inspected.checked.reference(id), Reference::Local)
}
