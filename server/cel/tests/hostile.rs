//! Expressions that are designed to hang, to exhaust the memory or to overflow the stack.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::time::Duration;

use cel::value::Value;
use cel::{Environment, EvalError, PER_CALL_LIMIT, Program};
use cpu_time::ThreadTime;
use support::engine::Engine;
use support::{compile, context, schemas};

/// The outcome of an expression, its cost, and its duration; `None` if it does not compile.
fn evaluate(text: &str) -> Option<(Result<(), EvalError>, u64, Duration)> {
    let schemas = schemas();
    let decl = support::decl(&schemas["types.yaml"], false).unwrap();
    let declarations = cel::Declarations::new(decl, "selfType");
    let variables = cel::checker::rule_variables(&declarations, false);
    let (issues, ast, checked) =
        compile(text, &context(Environment::for_stored_rules(), &variables, &declarations));
    if let Some(issue) = issues.first() {
        println!("refused: {}", issue.message);
        return None;
    }
    let started = ThreadTime::now();
    let program = match Program::new(&ast, &checked, &variables, &Engine) {
        Ok(program) => program,
        Err(error) => return Some((Err(error), 0, started.elapsed())),
    };
    let evaluation = program.evaluate(&[None, None], &Engine, PER_CALL_LIMIT);
    let result = evaluation.result.map(|_: Value<'_>| ());
    Some((result, evaluation.cost, started.elapsed()))
}

#[track_caller]
fn stops(text: &str) {
    let (result, cost, took) = evaluate(text).expect("it compiles");
    assert_eq!(result, Err(EvalError::CostLimit), "{}", text.get(..80).unwrap_or(text));
    assert!(cost > PER_CALL_LIMIT);
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn nested_loops_stop_at_the_limit() {
    let range = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let mut text = "true".to_owned();
    for depth in 0..12 {
        text = format!("{range}.all(x{depth}, {text})");
    }
    stops(&text);
}

#[test]
fn doubling_stops_at_the_limit() {
    let chain = |start: &str, step: &str| {
        let links: String = (0..60).map(|_| format!(".map(x, {step})")).collect();
        format!("[{start}]{links}")
    };
    for (start, step) in [
        ("'aaaaaaaaaaaaaaaa'", "x + x"),
        ("b'aaaaaaaaaaaaaaaa'", "x + x"),
        ("'aaaaaaaaaaaaaaaa'", "x.replace('a', 'aaaaaaaa')"),
        ("'aaaaaaaaaaaaaaaa'", "'%s%s'.format([x, x])"),
        ("['aaaaaaaaaaaaaaaa']", "[x, x].flatten()"),
        ("['aaaaaaaaaaaaaaaa']", "[[x, x].flatten().join()]"),
    ] {
        let text = chain(start, step);
        let (result, _, took) = evaluate(&text).expect("it compiles");
        println!("{step}: {result:?} in {took:?}");
        assert_eq!(result, Err(EvalError::CostLimit), "{step}");
        assert!(took < Duration::from_secs(20), "{step}: {took:?}");
    }
}

#[test]
fn shared_lists_are_not_written_out() {
    let links = ".map(x, x + x)".repeat(62);
    let (result, ..) = evaluate(&format!("[[1]]{links}[0].size() > 0")).expect("it compiles");
    assert_eq!(result, Ok(()));
    let links = ".map(x, [x, x])".repeat(40);
    let (result, _, took) = evaluate(&format!("[[1]]{links} == [[1]]{links}")).expect("it compiles");
    assert_eq!(result, Err(EvalError::CostLimit));
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for times in [50, 100, 200, 249] {
        for text in [
            nested("[", "1", "]", times),
            nested("!(", "true", ")", times),
            nested("[1].all(x, ", "true", ")", times),
            nested("true ? ", "1", " : 2", times),
            nested("optional.of(", "1", ")", times),
            nested("{'a': ", "1", "}", times),
            format!("dyn({{}}){}", ".?a".repeat(times)),
            format!("1{}", " + 1".repeat(times)),
        ] {
            evaluate(&text);
        }
    }
}

#[test]
fn quantities_with_huge_exponents_are_cheap() {
    for text in [
        "sign(quantity('1e2000000000').add(quantity('1'))) == 1",
        "quantity('1e2000000000').isGreaterThan(quantity('123456789012345678901234567890e-2000000000'))",
        "quantity('123456789012345678901234567890e2000000000') == quantity('1')",
        "quantity('0e2000000000').asInteger() == 0",
    ] {
        let (_, _, took) = evaluate(text).expect("it compiles");
        assert!(took < Duration::from_secs(2), "{text}: {took:?}");
    }
}
