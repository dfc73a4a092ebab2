//! Hovers on the parts of an expression, and on the cost of its rule.

use cel::ast::{ExprId, ExprKind, Function};
use cel::env::{Example, FunctionDecl, MACROS, MacroDecl, library};
use cel::{Reference, TokenKind, Type};
use crd::cel::{EXPRESSION_LIMIT, InspectedExpression, Purpose, SchemaNode, cost_words, sum_words};
use crd::rules::RuleView;
use text::{TextRange, TextSize};
use yaml::Tree;

use crate::Hover;
use crate::analysis::caches::Caches;
use crate::analysis::cel::rule_field::{self, RuleFieldPosition};
use crate::features::cel::field_text::FieldText;
use crate::features::cel::origin::Origins;
use crate::features::cel::part::{ExpressionPart, PartKind, part_at, parts};
use crate::features::cel::site::{Site, Source, with_rule};
use crate::features::cel::wording::{declared_name, share, signature, since_release, type_name};
use crate::features::hover;
use crate::features::hover::{bold_code, push_paragraph};

/// The maximum number of signatures in a list.
const MOST_SIGNATURES: usize = 8;
/// The maximum number of functions of a namespace in a list.
const MOST_FUNCTIONS: usize = 12;
/// The documentation of the functions.
const FUNCTIONS: &str = "https://kubernetes.io/docs/reference/using-api/cel/";
/// The documentation of the macros.
const MACROS_PAGE: &str = "https://github.com/google/cel-spec/blob/master/doc/langdef.md#macros";
/// The maximum number of missing bounds in a list.
const MOST_BOUNDS: usize = 5;

/// The hover at `offset` (in bytes) in or on a rule; `None` elsewhere, and if there is nothing to show.
pub(crate) fn hover(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Option<Hover> {
    let position = rule_field::find(source.tree, offset)?;
    let purpose = super::site::purpose(position.field)?;
    if position.on_key {
        return on_key(source, &position, offset, caches);
    }
    let written = FieldText::of(&position);
    let cursor = written.cursor(offset, |_| false);
    with_rule(source, &position, caches, |view| {
        let Some(cursor) = &cursor else {
            return Some(Hover { range: written.scalar_range(), markdown: cost_section(view, purpose)? });
        };
        let inspected = view.inspect(purpose, &written.text)?;
        let site = Site { view, purpose, field_text: &written, inspected };
        in_expression(source, &site, cursor.at as TextSize)
    })
}

/// The hover on the key of a rule: the field of the API, with the cost of the rule.
fn on_key(
    source: Source<'_>,
    position: &RuleFieldPosition<'_>,
    offset: TextSize,
    caches: &mut Caches,
) -> Option<Hover> {
    let mut hover = crate::features::hover::hover(source.tree, offset)?;
    let purpose = super::site::purpose(position.field)?;
    let cost = with_rule(source, position, caches, |view| cost_section(view, purpose))?;
    hover.markdown = format!("{cost}\n\n---\n\n{}", hover.markdown);
    Some(hover)
}

fn in_expression(source: Source<'_>, site: &Site<'_>, at: TextSize) -> Option<Hover> {
    let ast = &site.inspected.ast;
    if let Some((range, markdown)) = namespace(&site.field_text.text, at) {
        return Some(Hover { range: site.field_text.range(range), markdown });
    }
    let part = part_at(&parts(&site.field_text.text, ast), at)?;
    let mut sections = describe(source, site, part);
    if part.range.start == 0 {
        sections.extend(cost_section(site.view, site.purpose));
    }
    let markdown = sections.join("\n\n---\n\n");
    (!markdown.is_empty()).then(|| Hover { range: site.field_text.range(part.range), markdown })
}

/// The namespace at byte `at`, such as `sets` in `sets.contains(a, b)`.
fn namespace(text: &str, at: TextSize) -> Option<(TextRange, String)> {
    let tokens = cel::tokenize(text);
    let index =
        tokens.iter().position(|token| token.kind == TokenKind::Identifier && token.range.touches(at))?;
    let [name, dot, member, ..] = tokens.get(index..)? else { return None };
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    let is_member = before.is_some_and(|token| token.kind == TokenKind::Dot);
    let written = text.get(name.range.start as usize..member.range.end as usize)?;
    if is_member || dot.kind != TokenKind::Dot || library().function(written).is_none() {
        return None;
    }
    let namespace = text.get(name.range.as_usize())?;
    let names = library().in_namespace(namespace).take(MOST_FUNCTIONS);
    let names: Vec<String> = names.map(|function| format!("`{}`", function.name)).collect();
    let mut section = format!("{}: namespace", bold_code(namespace));
    push_paragraph(&mut section, &format!("Functions: {}.", names.join(", ")));
    push_paragraph(&mut section, &link(FUNCTIONS));
    Some((name.range, section))
}

fn link(page: &str) -> String {
    format!("[Documentation]({page})")
}

/// `Example: ...`; empty if no rule can call the function.
fn example_line(example: Example) -> String {
    match example {
        Example::Gives(call, result) => format!("Example: `{call}` is `{result}`"),
        Example::None(_) => String::new(),
    }
}

/// `doc` as a sentence, with a capital letter and a full stop.
fn sentence(doc: &str) -> String {
    if doc.is_empty() { String::new() } else { format!("{}.", text::capitalized(doc)) }
}

fn describe(source: Source<'_>, site: &Site<'_>, part: ExpressionPart) -> Vec<String> {
    let ast = &site.inspected.ast;
    let checked = &site.inspected.checked;
    let origins = site.view.itself().map(|itself| Origins::of(ast, checked, itself));
    let origin = |id: ExprId| origins.as_ref().and_then(|origins| origins.node(id));
    match part.kind {
        PartKind::Variable(id) | PartKind::Field(id) => {
            let value = value_section(site, id, part, origin(id));
            let schema = origin(id).and_then(|node| schema_section(source.tree, site.view, &node));
            [Some(value), schema].into_iter().flatten().collect()
        }
        PartKind::Binder(index, argument) => binder_section(site, index, argument).into_iter().collect(),
        PartKind::Macro(index) => {
            let Some(call) = ast.macros().get(index) else { return Vec::new() };
            let name = ast.name(call.name);
            let forms: Vec<&MacroDecl> = MACROS.iter().filter(|form| form.name == name).collect();
            let exact = forms.iter().filter(|form| form.params.len() == call.args.len()).copied();
            let of = checked.type_of(call.expansion);
            exact.take(1).map(|form| macro_section(form, Some(of))).collect()
        }
        PartKind::Function(id) => {
            let ExprKind::Call { function, .. } = ast.kind(id) else { return Vec::new() };
            function_section(site, id, ast.function_name(*function)).into_iter().collect()
        }
        PartKind::Operator(id) => {
            let ExprKind::Call { function: Function::Operator(operator), .. } = ast.kind(id) else {
                return Vec::new();
            };
            let doc = library().function(operator.function_name()).map_or("", |function| function.doc);
            let mut section = name_with_type(&text_of_node(site, id), checked.type_of(id));
            push_paragraph(&mut section, &sentence(doc));
            vec![section]
        }
        PartKind::Literal(id) => vec![name_with_type(&text_of_node(site, id), checked.type_of(id))],
    }
}

/// A variable or a field: its name, its type, and facts that an author may not know.
fn value_section(
    site: &Site<'_>,
    id: ExprId,
    part: ExpressionPart,
    origin: Option<SchemaNode<'_>>,
) -> String {
    let checked = &site.inspected.checked;
    let ast = &site.inspected.ast;
    let name = match part.kind {
        PartKind::Field(_) => text_of_node(site, id),
        _ => site.field_text.text.get(part.range.as_usize()).unwrap_or_default().to_owned(),
    };
    if let Reference::Type(of) = checked.reference(id) {
        return format!("{}: the type `{}`", bold_code(&name), type_name(of));
    }
    let is_in_has = matches!(ast.kind(id), ExprKind::Select { test_only: true, .. });
    let mut section = match (checked.type_of(id), origin) {
        (Type::Error, Some(node)) => format!("{}: `{}`", bold_code(&name), declared_name(node.decl_type)),
        (_, Some(node)) if is_in_has => format!("{}: `{}`", bold_code(&name), declared_name(node.decl_type)),
        (of, _) => name_with_type(&name, of),
    };
    if let (PartKind::Variable(_), Reference::Variable(_)) = (part.kind, checked.reference(id)) {
        push_paragraph(
            &mut section,
            match (name.trim_start_matches('.'), site.view.rule.optional_old_self) {
                ("self", _) => "The value that the rule validates.",
                (_, Some(true)) => "The value before the update, if there is one.",
                _ => "The value before the update. Rules that use it run only on updates.",
            },
        );
    }
    section
}

/// The schema of a node.
fn schema_section(tree: &Tree, view: &RuleView<'_>, node: &SchemaNode<'_>) -> Option<String> {
    let offset = node.key.map_or(view.range().start, |key| key.start);
    hover::schema_text(tree, offset)
}

/// The variable that a macro declares.
fn binder_section(site: &Site<'_>, index: usize, argument: usize) -> Option<String> {
    let ast = &site.inspected.ast;
    let ExprKind::Ident(name) = ast.kind(*ast.list(ast.macros().get(index)?.args).get(argument)?) else {
        return None;
    };
    Some(name_with_type(ast.name(*name), &binder_type(&site.inspected, index, argument)?))
}

/// The type of the variable that a macro declares in that argument; `index` is that of the macro in the tree.
pub(super) fn binder_type(inspected: &InspectedExpression, index: usize, argument: usize) -> Option<Type> {
    let ast = &inspected.ast;
    let call = ast.macros().get(index)?;
    let range = match (ast.kind(call.expansion), call.target) {
        (ExprKind::Comprehension(it), _) => inspected.checked.type_of(it.range),
        (_, Some(target)) => inspected.checked.type_of(target),
        _ => return None,
    };
    let has_two = call.args.len() > 2 && !matches!(ast.name(call.name), "map");
    Some(match (range, has_two, argument) {
        (Type::List(_), true, 0) => Type::Int,
        (Type::Map(entry), true, 1) => entry.1.clone(),
        (Type::Optional(of), _, _) => (**of).clone(),
        (range, _, _) => range.element()?.clone(),
    })
}

/// A macro with its signature.
pub(super) fn macro_section(form: &MacroDecl, of: Option<&Type>) -> String {
    let mut facts = vec![format!("`{}`", form.signature())];
    facts.push("macro".to_owned());
    facts.extend(since_release(form.first_release()));
    let mut section = format!("{}: {}", bold_code(form.name), facts.join(" · "));
    push_paragraph(&mut section, &sentence(form.doc));
    push_paragraph(&mut section, &example_line(form.example));
    if let Some(of) = of.filter(|of| !matches!(of, Type::Error | Type::Bool)) {
        push_paragraph(&mut section, &format!("Type here: `{}`", type_name(of)));
    }
    push_paragraph(&mut section, &link(MACROS_PAGE));
    section
}

/// A function: the signatures that fit the call, or all signatures if none fits.
fn function_section(site: &Site<'_>, id: ExprId, name: &str) -> Option<String> {
    let checked = &site.inspected.checked;
    let overloads: Vec<_> = checked.overloads(id).iter().filter_map(|id| id.overload()).collect();
    if let Some(first) = overloads.first() {
        let function = library().function(first.function)?;
        let mut facts: Vec<String> =
            overloads.iter().take(2).map(|one| format!("`{}`", signature(one))).collect();
        facts.extend(overloads.iter().filter_map(|one| since_release(one.since)).next_back());
        let mut section = format!("{}: {}", bold_code(function.name), facts.join(" · "));
        push_paragraph(&mut section, &sentence(function.doc));
        push_paragraph(&mut section, &example_line(function.example));
        push_paragraph(&mut section, &format!("Cost: {}", first.cost()));
        push_paragraph(&mut section, &link(FUNCTIONS));
        return Some(section);
    }
    library().function(name).map(all_signatures)
}

/// A function with all its signatures.
pub(super) fn all_signatures(function: &FunctionDecl) -> String {
    let mut section = bold_code(function.name);
    push_paragraph(&mut section, &sentence(function.doc));
    push_paragraph(&mut section, &example_line(function.example));
    let lines: Vec<String> = function
        .overloads()
        .take(MOST_SIGNATURES)
        .map(|one| match since_release(one.since) {
            Some(since) => format!("- `{}`, {since}", signature(one)),
            None => format!("- `{}`", signature(one)),
        })
        .collect();
    push_paragraph(&mut section, &lines.join("\n"));
    push_paragraph(&mut section, &link(FUNCTIONS));
    section
}

/// The cost of the expression, and the reasons for a high cost; `None` if the expression does not compile.
pub(super) fn cost_section(view: &RuleView<'_>, purpose: Purpose) -> Option<String> {
    let figures = view.figures?;
    let (sum, cost) = match purpose {
        Purpose::Rule => (sum_words(figures.per_call, figures.times), figures.total),
        Purpose::Message => (cost_words(figures.message), figures.message),
    };
    let mut section = format!("**Cost**: {sum}, {}", share(cost, EXPRESSION_LIMIT));
    let bounds: Vec<String> = view
        .unbounded()
        .iter()
        .filter(|_| purpose == Purpose::Rule)
        .take(MOST_BOUNDS)
        .map(|one| format!("- {}", one.problem()))
        .collect();
    push_paragraph(&mut section, &bounds.join("\n"));
    Some(section)
}

fn name_with_type(name: &str, of: &Type) -> String {
    format!("{}: `{}`", bold_code(name), type_name(of))
}

/// The text of a node, on one line.
fn text_of_node(site: &Site<'_>, id: ExprId) -> String {
    let ast = &site.inspected.ast;
    let mut range = ast.expr(id).range;
    // The argument of `has` has the range of the whole macro.
    if let ExprKind::Select { operand, field_range, test_only: true, .. } = ast.kind(id) {
        range = TextRange::new(ast.expr(*operand).range.start, field_range.end);
    }
    let text = site.field_text.text.get(range.as_usize()).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
