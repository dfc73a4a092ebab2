//! Whether all objects that the earlier schema accepted satisfy a rule.
//!
//! The earlier schema implies facts about the fields that the rule reads: a field is always present, or never
//! present, or never has a value that its `enum` lacked. Unknown facts are tried both ways, and the rest of
//! the rule is evaluated without an object: its result is known only if the facts alone decide it.

use std::collections::BTreeMap;

use cel::declarations::property;
use cel::{DeclType, Declarations, Environment, Program, Type, Value, Variable};

use super::schema::SchemaAt;
use crate::regexp::Engine;
use crate::schema::structural::ValidationRule;

/// The maximum number of unknown facts that are tried both ways.
const MOST_UNKNOWN: usize = 6;
/// The maximum cost of one evaluation, in CEL cost units.
const LIMIT: u64 = 100_000;

/// Whether all objects accepted before satisfy `rule`.
pub(super) fn always(rule: &ValidationRule, old: SchemaAt<'_>, new: SchemaAt<'_>) -> bool {
    if always_holds(&rule.rule, "self", old, new) {
        return true;
    }
    let (Some(of_items), Some(before), Some(now)) =
        (of_all_items(&rule.rule), &old.schema.items, &new.schema.items)
    else {
        return false;
    };
    // Conditions cannot read fields of a null item.
    !before.node.generic.nullable
        && always_holds(of_items.condition, of_items.name, old.below(before), new.below(now))
}

/// Whether all accepted values satisfy `condition`, in which `name` is the variable of the value.
fn always_holds(condition: &str, name: &str, old: SchemaAt<'_>, new: SchemaAt<'_>) -> bool {
    if holds_for_all_values(condition, name, old) {
        return true;
    }
    let Some(parts) = parts(condition, name) else { return false };
    let mut facts = Facts::default();
    for part in &parts {
        facts.add_facts(part, old, new);
    }
    let unknown = facts.unknown();
    if unknown.len() > MOST_UNKNOWN {
        return false;
    }
    (0..1_usize << unknown.len()).all(|tried| {
        for (at, fact) in unknown.iter().enumerate() {
            facts.facts.insert(fact.clone(), Some(tried >> at & 1 == 1));
        }
        if facts.contradict() {
            return true;
        }
        let text: String = parts.iter().map(|part| facts.in_place_of(part)).collect();
        result(&text, name, None) == Some(true)
    })
}

/// Whether the earlier schema lists all values of the string, and the condition is true of each.
fn holds_for_all_values(condition: &str, name: &str, old: SchemaAt<'_>) -> bool {
    let allowed = &old.schema.value_validation.enumeration;
    !allowed.is_empty()
        && !old.schema.generic.nullable
        && allowed
            .iter()
            .all(|value| value.as_str().is_some_and(|text| result(condition, name, Some(text)) == Some(true)))
}

/// A path of fields: `self.a.b` is `[a, b]`.
type Path<'r> = Vec<&'r str>;

/// A part of a rule.
enum RulePart<'r> {
    /// Text that is kept unchanged.
    Text(&'r str),
    /// `has(self.a.b)`: its text and the path.
    Has(&'r str, Path<'r>),
    /// `self.a == 'x'`, `self.a != 'x'` (negated) or `self.a in ['x', 'y']`: its text, the path, the literals
    /// and whether it is negated.
    Is(&'r str, Path<'r>, Vec<&'r str>, bool),
}

/// A statement that may be true of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact<'r> {
    /// The field at the end of the path is present, if the object around it is.
    Set(Path<'r>),
    /// The field has that value, if it is present.
    Equal(Path<'r>, &'r str),
}

/// The facts about objects, known or assumed.
#[derive(Default)]
struct Facts<'r> {
    facts: BTreeMap<Fact<'r>, Option<bool>>,
}

impl<'r> Facts<'r> {
    /// Adds the facts that `part` depends on.
    fn add_facts(&mut self, part: &RulePart<'r>, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let (RulePart::Has(_, path) | RulePart::Is(_, path, ..)) = part else { return };
        for length in 1..=path.len() {
            let prefix = path.get(..length).unwrap_or_default();
            self.facts.entry(Fact::Set(prefix.to_vec())).or_insert_with(|| is_set(prefix, old, new));
        }
        let RulePart::Is(_, _, literals, _) = part else { return };
        for literal in literals {
            let never = || is_never(path, literal, old, new).then_some(false);
            self.facts.entry(Fact::Equal(path.clone(), literal)).or_insert_with(never);
        }
    }

    fn unknown(&self) -> Vec<Fact<'r>> {
        self.facts.iter().filter(|(_, known)| known.is_none()).map(|(fact, _)| fact.clone()).collect()
    }

    fn is_known(&self, fact: &Fact<'r>) -> bool {
        self.facts.get(fact).copied().flatten().unwrap_or(false)
    }

    /// Whether one field has two values.
    fn contradict(&self) -> bool {
        let mut paths = self.facts.iter().filter_map(|(fact, known)| match fact {
            Fact::Equal(path, _) if *known == Some(true) => Some(path),
            _ => None,
        });
        let mut last = None;
        paths.any(|path| last.replace(path) == Some(path))
    }

    /// Whether all fields on the path are present.
    fn has_fields(&self, path: &[&'r str]) -> bool {
        (1..=path.len())
            .all(|length| self.is_known(&Fact::Set(path.get(..length).unwrap_or_default().to_vec())))
    }

    /// The text that replaces `part`. A part that would fail is kept unchanged, so that the evaluation fails
    /// there.
    fn in_place_of(&self, part: &RulePart<'r>) -> &'r str {
        let is = match part {
            RulePart::Text(text) => return text,
            RulePart::Has(text, path) => match path.split_last() {
                Some((_, around)) if self.has_fields(around) => self.has_fields(path),
                _ => return text,
            },
            RulePart::Is(text, path, ..) if !self.has_fields(path) => return text,
            RulePart::Is(_, path, literals, is_negated) => {
                literals.iter().any(|literal| self.is_known(&Fact::Equal(path.clone(), literal)))
                    != *is_negated
            }
        };
        if is { "true" } else { "false" }
    }
}

/// The tokens of a rule, without blanks.
struct Tokens<'r> {
    rule: &'r str,
    tokens: Vec<cel::Token>,
}

impl<'r> Tokens<'r> {
    /// The text of the token; empty after the last one.
    fn token_text(&self, index: usize) -> &'r str {
        let token = self.tokens.get(index);
        token.and_then(|token| self.rule.get(token.range.as_usize())).unwrap_or_default()
    }

    /// The text from the token `first` to the token before `end`.
    fn text_between(&self, first: usize, end: usize) -> &'r str {
        let range = || {
            let last = self.tokens.get(end.checked_sub(1)?)?;
            self.rule.get(self.tokens.get(first)?.range.as_usize().start..last.range.as_usize().end)
        };
        range().unwrap_or_default()
    }

    /// The fields after the name at `index`, and the index of the token after them. A function is not a
    /// field.
    fn path(&self, index: usize) -> (Path<'r>, usize) {
        let (mut path, mut index) = (Vec::new(), index + 1);
        while self.token_text(index) == "."
            && is_name(self.token_text(index + 1))
            && self.token_text(index + 2) != "("
        {
            path.push(self.token_text(index + 1));
            index += 2;
        }
        (path, index)
    }

    /// The literals of the list that begins at `index`, and the index of the token after it.
    fn list(&self, index: usize) -> Option<(Vec<&'r str>, usize)> {
        if self.token_text(index) != "[" {
            return None;
        }
        let (mut literals, mut index) = (Vec::new(), index + 1);
        loop {
            literals.push(Some(self.token_text(index)).filter(|text| is_literal(text))?);
            match self.token_text(index + 1) {
                "," => index += 2,
                "]" => return Some((literals, index + 2)),
                _ => return None,
            }
        }
    }

    /// The part that begins at `index` and reads fields of `name`, and the index of the token after it.
    fn part(&self, index: usize, name: &str) -> Option<(RulePart<'r>, usize)> {
        let before = index.checked_sub(1).map_or("", |before| self.token_text(before));
        if self.token_text(index) == "has"
            && self.token_text(index + 1) == "("
            && self.token_text(index + 2) == name
            && before != "."
        {
            let (path, end) = self.path(index + 2);
            let is_whole = !path.is_empty() && self.token_text(end) == ")";
            return is_whole.then(|| (RulePart::Has(self.text_between(index, end + 1), path), end + 1));
        }
        if self.token_text(index) != name || !["", "(", "[", "&&", "||", "?", ":", ","].contains(&before) {
            return None;
        }
        let (path, operator) = self.path(index);
        let (literals, end) = match self.token_text(operator) {
            "==" | "!=" if is_literal(self.token_text(operator + 1)) => {
                (vec![self.token_text(operator + 1)], operator + 2)
            }
            "in" => self.list(operator + 1)?,
            _ => return None,
        };
        let is_whole =
            ["", ")", "]", "&&", "||", "?", ":", ","].contains(&self.token_text(end)) && !path.is_empty();
        let is_negated = self.token_text(operator) == "!=";
        is_whole.then(|| (RulePart::Is(self.text_between(index, end), path, literals, is_negated), end))
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Whether the text is a string in single or double quotes, or a boolean.
fn is_literal(text: &str) -> bool {
    matches!(text, "true" | "false") || unquoted(text).is_some()
}

/// The text between quotes, unless it has escapes.
fn unquoted(literal: &str) -> Option<&str> {
    let quote = literal.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let text = literal.strip_prefix(quote)?.strip_suffix(quote)?;
    (!text.contains(['\\', quote])).then_some(text)
}

/// The parts of the rule; `None` if it tests no fields of `name`.
fn parts<'r>(rule: &'r str, name: &str) -> Option<Vec<RulePart<'r>>> {
    let tokens = Tokens { rule, tokens: cel::tokenize(rule) };
    let (mut parts, mut done, mut index) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.tokens.get(index) {
        let Some((part, end)) = tokens.part(index, name) else {
            index += 1;
            continue;
        };
        parts.push(RulePart::Text(rule.get(done..token.range.as_usize().start)?));
        parts.push(part);
        done = tokens.tokens.get(end.checked_sub(1)?)?.range.as_usize().end;
        index = end;
    }
    parts.push(RulePart::Text(rule.get(done..)?));
    Some(parts)
}

/// Whether objects accepted before have the field at the end of the path, if they have the object around it;
/// `None` if only some of them may have it.
fn is_set(path: &[&str], old: SchemaAt<'_>, new: SchemaAt<'_>) -> Option<bool> {
    let (last, around) = path.split_last()?;
    let (old, new) = (below(around, Some(old)), below(around, Some(new)));
    // Nothing is known about the fields of an undeclared object.
    let old = old?;
    let name = property(last);
    let has_default = new
        .and_then(|new| new.schema.properties.get(&*name))
        .is_some_and(|child| child.node.generic.default.is_some());
    match old.schema.properties.get(&*name) {
        None if old.keeps_unknown() || has_default => None,
        None => Some(false),
        Some(_) => is_required(&name, old).then_some(true),
    }
}

/// Whether no object accepted before has that value at the end of the path or gets it by default.
fn is_never(path: &[&str], literal: &str, old: SchemaAt<'_>, new: SchemaAt<'_>) -> bool {
    let Some(text) = unquoted(literal) else { return false };
    let Some(before) = below(path, Some(old)) else { return false };
    let allowed = &before.schema.value_validation.enumeration;
    let default = below(path, Some(new)).and_then(|now| now.schema.generic.default.as_ref());
    !allowed.is_empty()
        && !allowed.iter().any(|allowed| allowed.as_str() == Some(text))
        && default.is_none_or(|default| default.as_str() != Some(text))
}

/// The node at the end of the path.
fn below<'s>(path: &[&str], of: Option<SchemaAt<'s>>) -> Option<SchemaAt<'s>> {
    path.iter().fold(of, |of, name| {
        let of = of?;
        Some(of.below(of.schema.properties.get(&*property(name))?))
    })
}

fn is_required(name: &str, of: SchemaAt<'_>) -> bool {
    let is_nullable = of.schema.properties.get(name).is_some_and(|child| child.node.generic.nullable);
    !is_nullable && of.schema.value_validation.required.iter().any(|(other, _)| **other == *name)
}

/// The result of an expression, if it depends at most on the value of `name`.
pub(super) fn result(text: &str, name: &str, value: Option<&str>) -> Option<bool> {
    let nothing = Declarations::new(DeclType::object([]), "selfType");
    let env = Environment::for_stored_rules();
    let names = ["self", "oldSelf"].into_iter().filter(|other| *other != name).chain([name]);
    let variables: Vec<Variable> =
        names.map(|name| Variable { name: name.to_owned(), variable_type: Type::Dyn }).collect();
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

/// The condition that a rule requires of each item.
pub(super) struct OfAllItems<'r> {
    pub(super) name: &'r str,
    pub(super) condition: &'r str,
}

/// The parts of `self.all(name, condition)`, if the rule is only that call and no macro within it declares
/// the same variable.
pub(super) fn of_all_items(rule: &str) -> Option<OfAllItems<'_>> {
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
