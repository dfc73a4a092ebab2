//! Repairs of rules in CEL that change the schema: undeclared fields, `metadata`, uniqueness.

use api::Code;
use cel::TokenKind;
use cel::declarations::property;
use crd::CompileStep;
use crd::schema::{Keyword, Schema};
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::super::proof::KeptVerdicts;
use super::site::{Site, remove, set_keyword};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, string, text};
use crate::features::value_paths::ScalarText;

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::CelCrdCostContributor, unique),
    (Code::CelMessageExpressionCompile, sentence),
    (Code::CelMessageExpressionCost, plain_message),
    (Code::CelRuleCompile, undeclared),
    (Code::CelRuleCost, unique),
];

/// The tokens of an expression, including operators and brackets.
fn tokens(expression: &str) -> Vec<&str> {
    let tokens = cel::tokenize(expression);
    let words = tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Eof));
    words.filter_map(|token| expression.get(token.range.as_usize())).collect()
}

/// The rule with the finding: its text, its mapping and its schema.
struct RuleAt<'s, 'r, 't> {
    site: &'s Site<'s, 'r, 't>,
    expression: String,
    rule: yaml::Value<'t>,
    schema: Schema<'r, 't>,
}

impl<'s, 'r, 't> RuleAt<'s, 'r, 't> {
    fn of(site: &'s Site<'s, 'r, 't>) -> Option<Self> {
        let level = (0..3)
            .filter_map(|up| site.level_above(up))
            .find(|level| own_entry(level.value, "rule").is_some());
        let rule = level?.value;
        let expression = string(own_entry(rule, "rule")?.value())?;
        let schema = site.schema_with(Keyword::Validations)?;
        Some(Self { site, expression, rule, schema })
    }

    /// Removes the rule, and with the last one the keyword.
    fn remove(&self) -> Option<Change<'t>> {
        let list = self.schema.get(Keyword::Validations)?;
        let mut items = list.as_sequence()?.items();
        if items.clone().count() == 1 {
            return remove(self.schema.value(), Keyword::Validations.as_str());
        }
        let item = items.find(|item| item.value().range() == self.rule.range())?;
        Some(Change::RemoveItem(list, item))
    }

    /// The beginning of `fields`, each a property of the one before, up to the first field that a value of
    /// the rule may lack.
    fn first_optional<'f>(&self, fields: &'f [&'f str]) -> Option<&'f [&'f str]> {
        let is_always_there = |at: usize| {
            let (above, field) = (fields.get(..at).unwrap_or_default(), fields.get(at).copied());
            let (Some(above), Some(field)) = (self.below(above), field) else { return false };
            let is_it = |item: yaml::Item<'t>| string(item.value()).as_deref() == Some(field);
            let has_default = || {
                let entry = above.members(Keyword::Properties).get(field)?;
                Schema::read(entry.value(), self.site.reader)?.entry(Keyword::Default)
            };
            above.items(Keyword::Required).any(is_it) || has_default().is_some()
        };
        fields.get(..=(0..fields.len()).find(|at| !is_always_there(*at))?)
    }

    /// The schema at the end of `fields`, each a property of the one before.
    fn below(&self, fields: &[&str]) -> Option<Schema<'r, 't>> {
        fields.iter().try_fold(self.schema.clone(), |schema, field| {
            Schema::read(schema.members(Keyword::Properties).get(field)?.value(), self.site.reader)
        })
    }
}

/// Replaces a computed message with one that shows the rule.
fn plain_message<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(at) = RuleAt::of(site) else { return Vec::new() };
    let line = at.expression.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = "Replace `messageExpression` with a `message` that shows the rule";
    with_message(&at, title, format!("failed rule: {line}")).into_iter().collect()
}

/// Replaces `messageExpression` with the existing `message`, or with `new` if there is none.
fn with_message<'t>(at: &RuleAt<'_, '_, 't>, title: &str, new: String) -> Option<Repair<'t>> {
    let removal = remove(at.rule, "messageExpression")?;
    if own_entry(at.rule, "message").is_some() {
        let title = Title::removal("`messageExpression` and use `message`");
        return Some(Repair::suggested(title, vec![removal]));
    }
    let message = Change::AddField(at.rule, NewEntry::new("message", text(new)));
    Some(Repair::suggested(title, vec![removal, message]))
}

/// Moves prose from `messageExpression` to `message`.
fn sentence<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(at) = RuleAt::of(site) else { return Vec::new() };
    let written = own_entry(at.rule, "messageExpression").and_then(|entry| string(entry.value()));
    let Some(written) = written.filter(|written| crd::cel::is_prose(written)) else { return Vec::new() };
    with_message(&at, "Move the text to `message`", written).into_iter().collect()
}

/// Declares a field that a rule reads and no schema declares.
fn undeclared<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    if site.finding.message.step != Some(CompileStep::Types) {
        return Vec::new();
    }
    let Some(at) = RuleAt::of(site) else { return Vec::new() };
    let rule = own_entry(at.rule, "rule").and_then(|entry| entry.value().as_scalar()).map(ScalarText::of);
    let place = rule.map(|rule| rule.to_text(site.finding.range));
    let Some(field) = place.and_then(|place| at.expression.get(place)) else { return Vec::new() };
    let words = tokens(&at.expression);
    let chains = words.iter().enumerate().filter(|(_, word)| **word == "self").map(|(start, _)| {
        let rest = words.get(start + 1..).unwrap_or_default();
        let steps = rest.chunks_exact(2).take_while(|pair| pair.first() == Some(&"."));
        steps.filter_map(|pair| pair.last().copied()).collect::<Vec<&str>>()
    });
    let holder_path = chains.into_iter().find_map(|chain| {
        let end = chain.iter().position(|step| *step == field)?;
        Some(chain.get(..end)?.to_vec())
    });
    let Some(holder_path) = holder_path else { return Vec::new() };
    let is_root = at.site.owners().nth(1).is_none();
    if is_root && holder_path == ["metadata"] {
        let title = Title::removal("the rule (rules can read only `name` and `generateName` of `metadata`)");
        return at.remove().map(|removal| Repair::suggested(title, vec![removal])).into_iter().collect();
    }
    let Some(owner) = at.below(&holder_path) else { return Vec::new() };
    let is_object = owner.type_name().is("object");
    if !is_object || owner.get(Keyword::AdditionalProperties).is_some() {
        return Vec::new();
    }
    let entries = vec![NewEntry::new("type", text("string"))];
    let declared = NewEntry::new(field.to_owned(), NewValue::Mapping { entries, flow: false });
    let change = match owner.get(Keyword::Properties) {
        Some(properties) => Change::AddField(properties, declared),
        None => {
            let fields = NewValue::Mapping { entries: vec![declared], flow: false };
            Change::Insert(owner.value(), NewEntry::new("properties", fields))
        }
    };
    let of = holder_path.last().map_or("this object".to_owned(), |name| format!("`{name}`"));
    vec![Repair::suggested(Title::declaration(format_args!("`{field}` in {of} as a string")), vec![change])]
}

/// Replaces a uniqueness rule with a list type. `self.a.all(x, self.a.exists_one(y, x.k == y.k))` requires
/// that the items differ in `k`, like those of a map; without `k`, that they differ, like those of a set.
/// Generated objects prove it: strings of a format and numbers can be equal in a rule, but different items of
/// a set.
fn unique<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let repair = || {
        let at = RuleAt::of(site)?;
        let words = tokens(&at.expression);
        let (guarded, words) = guarded(&words);
        let all = words.iter().position(|word| *word == "all")?.checked_sub(1)?;
        let (list, rest) = words.split_at(all);
        let [".", "all", "(", one, ",", rest @ ..] = rest else { return None };
        let (other, condition) = counted_once(rest.strip_prefix(list)?)?;
        let (first, key, second) = match condition {
            [first, "==", second] => (first, None, second),
            [first, ".", key, "==", second, ".", same] if key == same => (first, Some(*key), second),
            _ => return None,
        };
        let compares_both = (first == one && *second == other) || (*first == other && second == one);
        let ["self", steps @ ..] = list else { return None };
        let steps: Vec<String> =
            steps.iter().filter(|word| **word != ".").map(|word| property(word)).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let needed = match guarded {
            Some(guarded) => steps.split_last().filter(|_| guarded == list)?.1,
            None => steps.as_slice(),
        };
        // Without the list, the rule fails, but the list type accepts the object.
        let optional = at.first_optional(needed).map(|fields| fields.join("."));
        let schema = at.below(&steps)?;
        let items = schema.schema(Keyword::Items)?;
        let is_required = |key: &str| {
            items.items(Keyword::Required).any(|item| string(item.value()).as_deref() == Some(key))
        };
        let is_open = schema.get(Keyword::ListType).is_none() && schema.get(Keyword::Items).is_some();
        if !compares_both || *one == other || !is_open {
            return None;
        }
        let name = steps.last().map_or_else(|| "this list".to_owned(), |name| format!("`{name}`"));
        let of_type = |of: &str| set_keyword(schema.value(), "x-kubernetes-list-type", text(of.to_owned()));
        let key = key.map(property);
        let (kind, changes) = match &key {
            Some(key) if is_required(key) => {
                let keys = NewValue::Sequence { items: vec![text(key.as_str())], flow: true };
                let keys = set_keyword(schema.value(), "x-kubernetes-list-map-keys", keys);
                (format!("`x-kubernetes-list-type: map` and the key `{key}`"), vec![of_type("map"), keys])
            }
            None if is_scalar(&items) => ("`x-kubernetes-list-type: set`".to_owned(), vec![of_type("set")]),
            _ => return None,
        };
        let changes = std::iter::once(at.remove()?).chain(changes).collect();
        let (effect, kept) = match optional {
            None => (String::new(), KeptVerdicts::All),
            Some(optional) => {
                (format!(" (accepts objects without `{optional}`)"), KeptVerdicts::WhereEvaluated)
            }
        };
        let title = format!("Replace the rule with {kind} on {name}{effect}");
        Some(Repair::suggested(title, changes).keeping_verdicts(kept))
    };
    repair().into_iter().collect()
}

/// The path in `!has(…)
///
/// ` at the beginning of an expression, and the rest of the expression.
fn guarded<'w, 'e>(words: &'w [&'e str]) -> (Option<&'w [&'e str]>, &'w [&'e str]) {
    let parts = || {
        let rest = words.strip_prefix(["!", "has", "("].as_slice())?;
        let end = rest.iter().position(|word| *word == ")")?;
        let (path, rest) = rest.split_at(end);
        Some((path, rest.strip_prefix([")", "||"].as_slice())?))
    };
    match parts() {
        Some((path, rest)) => (Some(path), rest),
        None => (None, words),
    }
}

/// The variable and the condition of `.exists_one(y, …))` or `.filter(y, …).size() == 1)`.
fn counted_once<'w, 'e>(words: &'w [&'e str]) -> Option<(&'e str, &'w [&'e str])> {
    let [".", name, "(", variable, ",", rest @ ..] = words else { return None };
    let condition = match (*name, rest) {
        ("exists_one", [condition @ .., ")", ")"]) => condition,
        ("filter", [condition @ .., ")", ".", "size", "(", ")", "==", "1", ")"]) => condition,
        _ => return None,
    };
    Some((*variable, condition))
}

fn is_scalar(items: &Schema<'_, '_>) -> bool {
    let is = |name: &str| items.type_name().is(name);
    ["string", "integer", "number", "boolean"].into_iter().any(is)
}
