//! The declarations of functions and macros are correct, and all other lists of their names are complete.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::collections::BTreeSet;

use cel::ast::Ast;
use cel::env::{Example, MACROS, library};
use cel::{CheckedExpr, DeclType, Declarations, Environment, PER_CALL_LIMIT, Program, Value};
use support::engine::Engine;
use support::{compile, context};

/// The tree of an expression of the newest environment, which must evaluate to true.
fn assert_holds(text: &str) -> (Ast, CheckedExpr) {
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
fn examples_of_functions_call_them_and_have_the_stated_result() {
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

#[test]
fn examples_of_macros_call_them_and_have_the_stated_result() {
    for form in MACROS {
        let Example::Gives(expression, value) = form.example else { panic!("{} has no example", form.name) };
        let (ast, _) = assert_holds(&format!("({expression}) == ({value})"));
        let is_called = ast
            .macros()
            .iter()
            .any(|call| ast.name(call.name) == form.name && call.args.len() == form.params.len());
        assert!(is_called, "{expression} does not call {}", form.signature());
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The names of functions that rules can call, without their namespaces, and of macros.
fn called_names() -> BTreeSet<&'static str> {
    let is_called = |example: Example| matches!(example, Example::Gives(..));
    let functions = library().functions().filter(|function| is_called(function.example));
    let names = functions.map(|function| function.name.rsplit('.').next().unwrap());
    names.filter(|name| !name.contains(['_', '@'])).chain(MACROS.iter().map(|form| form.name)).collect()
}

/// The words that are followed by a parenthesis, or by a closing quote.
fn words_called(text: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split_inclusive(|c| !is_word(c)).filter_map(|word| word.strip_suffix(['(', '\''])).collect()
}

#[test]
fn the_grammar_of_the_extension_names_the_macros() {
    let grammar: serde_json::Value =
        serde_json::from_str(&read("vscode-extension/syntaxes/cel.tmLanguage.json")).unwrap();
    let words = grammar["repository"]["word"]["patterns"].as_array().unwrap();
    let macros = words.iter().find(|word| word["name"] == "keyword.control.cel").unwrap();
    let pattern = macros["match"].as_str().unwrap();
    let names = pattern.strip_prefix(r"\b(?:").unwrap().strip_suffix(r")(?=\()").unwrap();
    let named: BTreeSet<_> = names.split('|').collect();
    let declared: BTreeSet<_> = MACROS.iter().map(|form| form.name).collect();
    assert_eq!(named, declared);
}

/// The script must generate or list each new function, so that nobody forgets to compare it with the API server.
#[test]
fn the_script_of_random_expressions_makes_each_function_or_lists_it() {
    let script = read("fixtures/cel/random_expressions.py");
    let (before, rest) = script.split_once("UNMADE = \"\"\"\n").unwrap();
    let (list, following) = rest.split_once("\"\"\"\n").unwrap();
    let unmade: BTreeSet<_> = list.split_whitespace().collect();
    let made = &words_called(before) | &words_called(following);
    let declared = called_names();
    let forgotten: Vec<_> = declared.difference(&made).filter(|name| !unmade.contains(**name)).collect();
    assert!(forgotten.is_empty(), "neither made nor listed: {forgotten:?}");
    let unknown: Vec<_> = unmade.difference(&declared).collect();
    assert!(unknown.is_empty(), "listed, but not declared: {unknown:?}");
    let both: Vec<_> = unmade.intersection(&made).collect();
    assert!(both.is_empty(), "listed, but made: {both:?}");
}
