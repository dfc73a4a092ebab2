//! Any text as an expression: parsing, checking, cost estimation, formatting and evaluation stay within their limits.

use std::sync::Arc;

use cel::{Context, Environment, Program, Regex, RegexEngine, Type, TypeProvider, Value, Variable};

use super::pieces;

/// The maximum length of a text; longer texts are truncated because they test nothing new.
const MOST_BYTES: usize = 2_048;
const COST_LIMIT: u64 = 100_000;

pub fn run(data: &[u8]) {
    let (text, _) = pieces(data);
    let text = text.get(..text::floor_char_boundary(&text, MOST_BYTES)).unwrap_or_default();
    let variables =
        ["self", "oldSelf"].map(|name| Variable { name: name.to_owned(), variable_type: Type::Dyn });
    for env in [Environment::for_stored_rules(), Environment::for_new_rules(25)] {
        analyse(text, env, &variables);
    }
    let options = Environment::for_stored_rules().parse_options();
    if cel::parse(text, options).1.is_empty() {
        let formatted = cel::format::format(text, Some(40));
        assert!(cel::parse(&formatted, options).1.is_empty(), "{formatted:?} of {text:?}");
        assert_eq!(cel::format::format(&formatted, Some(40)), formatted, "{text:?}");
    }
}

fn analyse(text: &str, env: Environment, variables: &[Variable]) {
    let (ast, issues) = cel::parse(text, env.parse_options());
    let context = Context { env, variables, provider: &Nothing, regex_is_valid: |_| true };
    let checked = cel::check(&ast, &context);
    for issue in issues.iter().chain(&checked.issues) {
        assert!(text.get(issue.range.as_usize()).is_some(), "{issue:?} in {text:?}");
    }
    let _ = cel::issue::render(text, &issues);
    let _ = cel::issue::render(text, &checked.issues);
    let _ = cel::requirement::requirement(&ast, &checked);
    if !issues.is_empty() || !checked.issues.is_empty() {
        return;
    }
    let any = cel::DeclType::int_or_string(None);
    let estimate = cel::estimate(&ast, &checked, &any);
    assert!(estimate.min <= estimate.max, "{estimate:?} of {text:?}");
    if let Ok(program) = Program::new(&ast, &checked, variables, &Nothing) {
        let values = [Some(Ok(Value::Int(1))), None];
        let _ = program.evaluate(&values, &Nothing, COST_LIMIT);
    }
}

/// No types and no patterns.
#[derive(Debug)]
pub(crate) struct Nothing;

impl TypeProvider for Nothing {
    fn has_object(&self, _: &str) -> bool {
        false
    }

    fn field_type(&self, _: &str, _: &str) -> Option<Type> {
        None
    }

    fn field_names(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

impl RegexEngine for Nothing {
    fn compile(&self, _: &str) -> Result<Arc<dyn Regex>, String> {
        Ok(Arc::new(Self))
    }
}

impl Regex for Nothing {
    fn find_at(&self, _: &str, _: usize) -> Option<(usize, usize)> {
        None
    }
}
