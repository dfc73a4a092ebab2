//! What is declared of functions and macros is true, and what repeats their names elsewhere is complete.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use cel::ast::Ast;
use cel::env::{Example, library};
use cel::{Checked, DeclType, Declarations, Environment, PER_CALL_LIMIT, Program, Value};
use support::engine::Engine;
use support::{compile, context};

/// The tree of an expression of the newest environment, which must be true.
fn assert_holds(text: &str) -> (Ast, Checked) {
    let declarations = Declarations::new(DeclType::boolean(), "selfType");
    let context = context(Environment::for_stored_rules(), &[], &declarations);
    let (issues, ast, checked) = compile(text, &context);
    assert!(issues.is_empty(), "{text}: {issues:?}");
    let program = Program::new(&ast, &checked, &[], &Engine).unwrap();
    let result = program.evaluate(&[], &Engine, PER_CALL_LIMIT).result;
    assert!(matches!(result, Ok(Value::Bool(true))), "{text} gives {result:?}");
    drop(program);
    (ast, checked)
}

#[test]
fn every_example_of_a_function_calls_it_and_gives_what_it_says() {
    let mut examples = 0;
    for function in library().functions() {
        let Example::Gives(expression, value) = function.example else { continue };
        let (ast, checked) = assert_holds(&format!("({expression}) == ({value})"));
        let is_called = ast.exprs().any(|(id, _)| {
            checked
                .overloads(id)
                .iter()
                .any(|id| id.overload().is_some_and(|one| one.function == function.name))
        });
        assert!(is_called, "{expression} does not call {}", function.name);
        examples += 1;
    }
    assert!(examples > 140, "only {examples} examples");
}

#[test]
fn functions_without_an_example_cannot_be_called() {
    for function in library().functions() {
        if let Example::None(why) = function.example {
            let of_authorizer =
                function.overloads().all(|one| one.signature.starts_with("(kubernetes.authorization."));
            assert!(of_authorizer || function.name == "in", "{}: {why}", function.name);
        }
    }
}
