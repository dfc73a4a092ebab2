//! Any text as a rule: it is parsed, checked, priced and run within its limits, and an editor may ask anything in it.

use std::sync::Arc;

use cel::{Context, Environment, Program, Regex, RegexEngine, Type, TypeProvider, Value, Variable};
use ide::{File, Settings};
use text::TextRange;

use super::pieces;

const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: a.b\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          a: {type: string}\n          list: {type: array, items: {type: object, properties: {b: {type: integer}}}}\n        x-kubernetes-validations:\n        - rule: ";
/// In how many places of a text an editor asks.
const PLACES: usize = 12;
/// Texts are cut here: what is longer says no more.
const MOST_BYTES: usize = 512;
const COST_LIMIT: u64 = 100_000;

pub fn run(data: &[u8]) {
    let (text, _) = pieces(data);
    let text = text.get(..text::floor_char_boundary(&text, MOST_BYTES)).unwrap_or_default();
    alone(text);
    in_editor(&format!("{HEAD}{text}\n"));
    in_editor(&format!("{HEAD}|\n            {}\n", text.replace(['\n', '\r'], "\n            ")));
}

fn alone(text: &str) {
    let variables = ["self", "oldSelf"].map(|name| Variable { name: name.to_owned(), of: Type::Dyn });
    for env in [Environment::for_stored_rules(), Environment::for_new_rules(25)] {
        let (ast, issues) = cel::parse(text, env.parse_options());
        let context = Context { env, variables: &variables, provider: &Nothing, regex_is_valid: |_| true };
        let checked = cel::check(&ast, &context);
        for issue in issues.iter().chain(&checked.issues) {
            assert!(text.get(issue.range.as_usize()).is_some(), "{issue:?} in {text:?}");
        }
        let _ = cel::issue::render(text, &checked.issues);
        let _ = cel::env::requirement(&ast, &checked);
        if !issues.is_empty() || !checked.issues.is_empty() {
            continue;
        }
        let any = cel::DeclType::int_or_string(None);
        let estimate = cel::estimate(&ast, &checked, &any);
        assert!(estimate.min <= estimate.max, "{estimate:?} of {text:?}");
        if let Ok(program) = Program::new(&ast, &checked, &variables, &Nothing) {
            let values = [Some(Ok(Value::Int(1))), None];
            let _ = program.evaluate(&values, &Nothing, COST_LIMIT);
        }
    }
}

fn in_editor(text: &str) {
    let file = File::new(text, &Settings::default());
    let end = text.len() as u32;
    let all = TextRange::new(0, end);
    let is_within = |range: TextRange| text.get(range.as_usize()).is_some();
    for (range, class) in file.tokens(all) {
        assert!(is_within(range), "{class:?} at {range:?}");
    }
    assert!(file.hints(all).iter().all(|hint| hint.offset <= end));
    let step = ((end as usize - HEAD.len()) / PLACES).max(1);
    let offsets = (HEAD.len() as u32..=end).step_by(step).filter(|at| text.is_char_boundary(*at as usize));
    for offset in offsets {
        assert!(file.hover(offset).is_none_or(|hover| is_within(hover.range)), "hover at {offset}");
        assert!(file.completions(offset).iter().all(|one| is_within(one.range)), "completion at {offset}");
        let _ = file.signatures(offset);
        assert!(file.definition(offset).is_none_or(|found| is_within(found.name) && is_within(found.target)));
        assert!(file.references(offset).into_iter().all(is_within), "references at {offset}");
    }
}

/// Neither types nor patterns.
#[derive(Debug)]
struct Nothing;

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
