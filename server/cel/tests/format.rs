//! Formatting does not change the expression, and formatting again does not change the text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use cel::ast::{Ast, ExprId, ExprKind};
use cel::format::format;
use cel::{Environment, tokenize};
use support::cases;

/// The tree without positions.
fn shape(ast: &Ast, id: ExprId) -> String {
    let mut children = Vec::new();
    ast.for_each_child(id, |child| children.push(shape(ast, child)));
    let head = match ast.kind(id) {
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Ident(name) => ast.name(*name).to_owned(),
        ExprKind::Select { field, test_only, .. } => format!(".{}{test_only}", ast.name(*field)),
        ExprKind::Call { function, target, .. } => {
            format!("{}{}", ast.function_name(*function), target.is_some())
        }
        ExprKind::List { optional, .. } => format!("{:?}", ast.indices(*optional)),
        ExprKind::Map(entries) => {
            format!("{:?}", ast.entries(*entries).iter().map(|entry| entry.optional).collect::<Vec<_>>())
        }
        ExprKind::Struct { type_name, .. } => ast.name(*type_name).to_owned(),
        ExprKind::Comprehension(it) => format!("for {}", ast.name(it.iter_var)),
        ExprKind::Error => "?".to_owned(),
    };
    format!("({head} {})", children.join(" "))
}

#[test]
fn the_expression_stays_the_same() {
    let options = Environment::for_stored_rules().parse_options();
    let parsed = |text: &str| {
        let (ast, issues) = cel::parse(text, options);
        issues.is_empty().then(|| shape(&ast, ast.root()))
    };
    let mut texts: Vec<String> = cases().into_iter().map(|case| case.text).collect();
    // Rules from elsewhere, one JSON string for each line.
    if let Some(path) = environment::fixtures("cel/texts.jsonl") {
        let lines = std::fs::read_to_string(path).unwrap();
        texts.extend(lines.lines().map(|line| serde_json::from_str::<String>(line).unwrap()));
    }
    let mut formatted = 0;
    for text in texts.iter().filter(|text| text.len() < 20_000) {
        let Some(before) = parsed(text) else { continue };
        for width in [None, Some(80), Some(20)] {
            let after = format(text, width);
            let kinds = |text: &str| tokenize(text).iter().map(|token| token.kind).collect::<Vec<_>>();
            assert_eq!(kinds(text), kinds(&after), "{text}\n{after}");
            assert_eq!(parsed(&after).as_ref(), Some(&before), "{text}\n{after}");
            assert_eq!(format(&after, width), after, "{text}");
            assert!(
                width.is_some() || text.contains("//") || text.contains('\n') || !after.contains('\n'),
                "{after}"
            );
        }
        formatted += 1;
    }
    println!("{formatted} expressions were formatted");
    assert!(formatted > 3_000, "{formatted}");
}
