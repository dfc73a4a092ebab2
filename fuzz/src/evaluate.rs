//! Any text as an expression on a value with all kinds of data: evaluation ends within its limit, and gives the same
//! result twice.

use std::sync::Arc;

use cel::{Context, Environment, EvalError, Program, Regex, RegexEngine, Type, Value, Variable};

use super::expression::Nothing;
use super::pieces;

/// The value of `self`: values that macros iterate over, and arguments of library functions.
const DATA: &str = r#"{
  'list': dyn([3, 1, 2, 1]), 'texts': dyn(['b', 'a', '', 'äöü']), 'nested': dyn([[1, 2], [], [3]]),
  'mixed': dyn([dyn(1), dyn(1u), dyn(1.5), dyn('a'), dyn(null)]),
  'objects': dyn([{'name': dyn('a'), 'n': dyn(1)}, {'name': dyn('b')}]), 'map': dyn({'a': 1, 'b': 2}),
  'text': dyn('some.text-9'), 'n': dyn(42), 'double': dyn(1.5), 'bytes': dyn(b'\xff\x00'), 'duration': dyn(duration('1h3.5s')),
  'time': dyn(timestamp('2024-02-29T23:59:59.5Z')), 'url': dyn(url('https://[::1]:80/a?b=c')), 'ip': dyn(ip('192.0.2.1')),
  'cidr': dyn(cidr('10.0.0.0/8')), 'quantity': dyn(quantity('1.5Gi')), 'semver': dyn(semver('1.2.3-a')),
  'some': dyn(optional.of('x')), 'none': dyn(optional.none()), 'uint': dyn(7u), 'yes': dyn(true)
}"#;
/// The maximum length of a text; longer texts are truncated because they test nothing new.
const MOST_BYTES: usize = 512;
const COST_LIMIT: u64 = 100_000;

pub fn run(data: &[u8]) {
    let (text, _) = pieces(data);
    let text = text.get(..text::floor_char_boundary(&text, MOST_BYTES)).unwrap_or_default();
    let Some(program) = compiled(text) else { return };
    let data = compiled(DATA);
    let data = data.as_ref().map(|data| data.evaluate(&[None], &Patterns, u64::MAX).result);
    assert!(matches!(data, Some(Ok(_))), "{data:?}");
    let evaluate = || program.evaluate(std::slice::from_ref(&data), &Patterns, COST_LIMIT);
    let (once, again) = (evaluate(), evaluate());
    assert_eq!(once.cost, again.cost, "{text:?}");
    let shown = |result: Result<Value<'_>, EvalError>| {
        result.map(|value| value.display_text()).map_err(|e| e.to_string())
    };
    let (once, again) = (shown(once.result), shown(again.result));
    assert_eq!(once, again, "{text:?}");
}

fn compiled(text: &str) -> Option<Program> {
    let env = Environment::for_stored_rules();
    let variables = [Variable { name: "self".to_owned(), of: Type::Dyn }];
    let (ast, issues) = cel::parse(text, env.parse_options());
    if !issues.is_empty() {
        return None;
    }
    let context = Context { env, variables: &variables, provider: &Nothing, regex_is_valid: |_| true };
    let checked = cel::check(&ast, &context);
    if !checked.issues.is_empty() {
        return None;
    }
    Program::new(&ast, &checked, &variables, &Patterns).ok()
}

/// Patterns are plain texts to search for. This produces matches, including empty ones.
struct Patterns;

#[derive(Debug)]
struct Pattern(String);

impl RegexEngine for Patterns {
    fn compile(&self, pattern: &str) -> Result<Arc<dyn Regex>, String> {
        Ok(Arc::new(Pattern(pattern.to_owned())))
    }
}

impl Regex for Pattern {
    fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let start = from + text.get(from..)?.find(&self.0)?;
        Some((start, start + self.0.len()))
    }
}
