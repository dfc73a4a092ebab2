//! Which rules are new or other ones, and whether objects of before can break them.

use cel::{DeclType, Declarations, Environment, Program, Type, Value, Variable};

use super::Affected;
use super::Class::{Breaking, Risky, Safe};
use super::schema::{At, REFUSED, Said, Walk};
use crate::regexp::Engine;
use crate::schema::Keyword;
use crate::schema::structural::ValidationRule;

/// So many fields of which nothing is known are tried with and without.
const MOST_UNKNOWN: usize = 6;
/// What a rule about presence may cost, in the server's units.
const LIMIT: u64 = 100_000;

pub(super) fn compare(walk: &mut Walk<'_>, old: At<'_>, new: At<'_>) {
    let is_among = |rule: &ValidationRule, all: &[ValidationRule]| {
        all.iter().any(|other| other.rule.trim() == rule.rule.trim())
    };
    let (before, now) = (&old.schema.validations, &new.schema.validations);
    let replaces = before.iter().any(|rule| !is_among(rule, now));
    for rule in now.iter().filter(|rule| !is_among(rule, before)) {
        let (class, what) = match replaces {
            _ if always_holds(rule, old, new) => (Safe, "is new; objects that were taken before fulfil it"),
            true => (Risky, "is another one; values that do not fulfil it are refused"),
            false if may_hold(rule, old) => (
                Risky,
                "is new; values that do not fulfil it are refused, if what was said before lets any be",
            ),
            false => (Breaking, "is new; values that do not fulfil it are refused"),
        };
        let affects: &[Affected] = if class == Safe { &[] } else { REFUSED };
        // A rule on transitions compares values that change in any case.
        let ratchets = class != Safe && !rule.rule.contains("oldSelf");
        let text = format!("the rule `{}` {what}", rule.rule.trim());
        let keyword = Some(Keyword::Validations);
        walk.say(old, new, Said { code: "compat/rule-added", class, affects, text, keyword, ratchets });
        if let Some(change) = walk.changes.last_mut() {
            change.range = crate::customresource::shifted(rule.range, new.base);
        }
    }
}

/// Whether what is known of the fields that objects of before have decides that they fulfil the rule, whatever else it
/// reads.
fn always_holds(rule: &ValidationRule, old: At<'_>, new: At<'_>) -> bool {
    if holds(&rule.rule, "self", old, new) {
        return true;
    }
    let (Some(of_items), Some(before), Some(now)) =
        (of_all_items(&rule.rule), &old.schema.items, &new.schema.items)
    else {
        return false;
    };
    // Of a null nothing can be asked.
    !before.node.generic.nullable
        && holds(of_items.condition, of_items.name, old.below(before), new.below(now))
}

/// The same of a condition of what `name` stands for.
fn holds(condition: &str, name: &str, old: At<'_>, new: At<'_>) -> bool {
    let Some(parts) = parts(condition, name, old) else { return false };
    let mut unknown: Vec<&str> = Vec::new();
    for part in &parts {
        if let Part::Has(field) = part
            && is_set(field, old, new).is_none()
            && !unknown.contains(field)
        {
            unknown.push(field);
        }
    }
    if unknown.len() > MOST_UNKNOWN {
        return false;
    }
    (0..1_usize << unknown.len()).all(|set| {
        let text: String = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text,
                Part::Known(true) => "true",
                Part::Known(false) => "false",
                Part::Has(field) => {
                    let tried = || {
                        unknown.iter().position(|other| other == field).is_some_and(|at| set >> at & 1 == 1)
                    };
                    if is_set(field, old, new).unwrap_or_else(tried) { "true" } else { "false" }
                }
            })
            .collect();
        is_true(&text, name)
    })
}

/// A part of a rule.
enum Part<'r> {
    Text(&'r str),
    /// `has(self.field)`, or of another name that is asked for
    Has(&'r str),
    /// What is the same for all objects of before.
    Known(bool),
}

/// The rule in parts.
fn parts<'r>(rule: &'r str, name: &str, old: At<'_>) -> Option<Vec<Part<'r>>> {
    let tokens = cel::tokenize(rule);
    let text = |index: usize| tokens.get(index).and_then(|token| rule.get(token.range.as_usize()));
    let (mut parts, mut done, mut index) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.get(index) {
        let [one, two, three, four, five, six] = [0, 1, 2, 3, 4, 5].map(|ahead| text(index + ahead));
        let found = match (one, two, three, four, five, six) {
            (Some("has"), Some("("), Some(of), Some("."), Some(field), Some(")")) if of == name => {
                Some((Part::Has(field), 5))
            }
            (Some(of), Some("."), Some(field), Some("=="), Some(value), _)
                if of == name && never_is(field, value, old) =>
            {
                Some((Part::Known(false), 4))
            }
            (Some(of), Some("."), Some(field), Some("!="), Some(value), _)
                if of == name && never_is(field, value, old) =>
            {
                Some((Part::Known(true), 4))
            }
            _ => None,
        };
        // What comes behind a dot is a field of something else.
        let is_whole = index.checked_sub(1).is_none_or(|before| text(before) != Some("."));
        if let Some((part, last)) = found.filter(|_| is_whole) {
            parts.push(Part::Text(rule.get(done..token.range.as_usize().start)?));
            parts.push(part);
            index += last;
            done = tokens.get(index)?.range.as_usize().end;
        }
        index += 1;
    }
    parts.push(Part::Text(rule.get(done..)?));
    Some(parts)
}

/// Whether no object of before has that value, a literal, in a field that all of them have.
fn never_is(field: &str, literal: &str, old: At<'_>) -> bool {
    let quote = literal.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let value = quote.and_then(|quote| literal.strip_prefix(quote)?.strip_suffix(quote));
    let Some(value) = value.filter(|value| !value.contains('\\')) else { return false };
    let Some(child) = old.schema.properties.get(field) else { return false };
    let allowed = &child.node.value_validation.enumeration;
    is_required(field, old)
        && !allowed.is_empty()
        && !allowed.iter().any(|allowed| allowed.as_str() == Some(value))
}

fn is_required(name: &str, of: At<'_>) -> bool {
    let is_nullable = of.schema.properties.get(name).is_some_and(|child| child.node.generic.nullable);
    !is_nullable && of.schema.value_validation.required.iter().any(|(other, _)| **other == *name)
}

/// Whether objects that were taken before have the field; none where some have it and others do not.
fn is_set(field: &str, old: At<'_>, new: At<'_>) -> Option<bool> {
    let name = cel::declarations::unescape(field).unwrap_or_else(|| field.to_owned());
    let has_default =
        new.schema.properties.get(&*name).is_some_and(|child| child.node.generic.default.is_some());
    match old.schema.properties.get(&*name) {
        None if old.keeps_unknown() || has_default => None,
        None => Some(false),
        Some(_) => is_required(&name, old).then_some(true),
    }
}

/// Whether an expression is true, though nothing is known of the object, nor of what `name` stands for.
fn is_true(text: &str, name: &str) -> bool {
    result(text, name, None) == Some(true)
}

/// What an expression is, where it is decided by the value of `name`, or without one.
fn result(text: &str, name: &str, value: Option<&str>) -> Option<bool> {
    let nothing = Declarations::new(DeclType::object([]), "selfType");
    let env = Environment::for_stored_rules();
    let names = ["self", "oldSelf"].into_iter().filter(|other| *other != name).chain([name]);
    let variables: Vec<Variable> =
        names.map(|name| Variable { name: name.to_owned(), of: Type::Dyn }).collect();
    let context = cel::Context { env, variables: &variables, provider: &nothing, regex_is_valid: |_| true };
    let (ast, issues) = cel::parse(text, env.parse_options());
    if !issues.is_empty() {
        return None;
    }
    let checked = cel::check(&ast, &context);
    let engine = Engine::new();
    let program = Program::new(&ast, &checked, &variables, &engine).ok()?;
    let mut values: Vec<_> = variables.iter().map(|_| None).collect();
    if let Some(last) = values.last_mut() {
        *last = value.map(|value| Ok(Value::String(value.to_owned().into())));
    }
    match program.evaluate(&values, &engine, LIMIT).result {
        Ok(Value::Bool(result)) if checked.issues.is_empty() => Some(result),
        _ => None,
    }
}

/// What a rule asks of each item.
struct OfAllItems<'r> {
    name: &'r str,
    condition: &'r str,
}

/// The parts of `self.all(name, condition)`, if the rule is nothing else and nothing else has that name.
fn of_all_items(rule: &str) -> Option<OfAllItems<'_>> {
    let tokens = cel::tokenize(rule);
    let text = |index: usize| tokens.get(index).and_then(|token| rule.get(token.range.as_usize()));
    let name = match [0, 1, 2, 3, 4, 5].map(text) {
        [Some("self"), Some("."), Some("all"), Some("("), Some(name), Some(",")] => name,
        _ => return None,
    };
    let mut depth = 1_usize;
    for index in 6..tokens.len() {
        match text(index)? {
            "(" => depth += 1,
            ")" => depth -= 1,
            of if of == name && text(index - 1) == Some("(") && text(index + 1) == Some(",") => return None,
            _ => {}
        }
        if depth == 0 {
            let condition =
                rule.get(tokens.get(5)?.range.as_usize().end..tokens.get(index)?.range.as_usize().start)?;
            return text(index + 1).is_none_or(str::is_empty).then_some(OfAllItems { name, condition });
        }
    }
    None
}

/// Texts of many forms, of which rules on texts refuse one or another.
const TEXTS: [&str; 20] = [
    "a",
    "A",
    "1",
    "abc",
    "a-b",
    "a.b",
    "a_b",
    "a/b",
    "/a",
    "a:b",
    "*",
    "*.a.b",
    "a*",
    "10.0.0.1",
    "10.0.0.0/8",
    "::1",
    "http://a.b/c",
    "1h",
    "-",
    "a b",
];

/// Whether a rule on texts asks what their pattern may say already: none that the pattern allows is known to fail it.
fn may_hold(rule: &ValidationRule, old: At<'_>) -> bool {
    let of_items = of_all_items(&rule.rule).zip(old.schema.items.as_ref());
    let (condition, name, schema) = match of_items {
        Some((of_items, items)) => (of_items.condition, of_items.name, &items.node),
        None => (&*rule.rule, "self", old.schema),
    };
    let Some(pattern) = &schema.value_validation.pattern else { return false };
    let is_text = &*schema.generic.type_name == "string";
    let allowed = TEXTS.iter().filter(|text| pattern.is_match(text).unwrap_or(false));
    let mut results = allowed.map(|text| result(condition, name, Some(text))).peekable();
    is_text && results.peek().is_some() && results.all(|result| result == Some(true))
}
