//! Conversions of conditions from other kinds of schemas to `anyOf` and `not`, or to a rule.

use crd::schema::{Keyword, Schema};
use yaml::Entry;
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::Repair;
use super::site::{Site, set_keyword};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, raw, string, text};

/// Converts `if`, `then` and `else` to `anyOf`: the condition is false, or its consequence is true.
pub(super) fn if_then<'t>(schema: &Schema<'_, 't>) -> Option<Repair<'t>> {
    let at = schema.value();
    let condition = own_entry(at, "if")?;
    let (then, otherwise) = (own_entry(at, "then"), own_entry(at, "else"));
    let flow = at.as_mapping()?.is_flow();
    let copy = |entry: Entry<'t>| NewValue::Copy(entry.value());
    let not = |entry: Entry<'t>| NewValue::Mapping {
        entries: vec![NewEntry::new("not", copy(entry))],
        flow: false,
    };
    let choice = |items: Vec<NewValue<'t>>| NewValue::Sequence { items, flow };
    let mut choices = Vec::new();
    choices.extend(then.map(|then| choice(vec![not(condition), copy(then)])));
    choices.extend(otherwise.map(|otherwise| choice(vec![copy(condition), copy(otherwise)])));
    let mut changes: Vec<Change<'t>> = [Some(condition), then, otherwise]
        .into_iter()
        .flatten()
        .map(|entry| Change::Remove(at, entry))
        .collect();
    if choices.len() == 1 && schema.entry(Keyword::AnyOf).is_none() {
        changes.push(Change::Insert(at, NewEntry::new("anyOf", choices.remove(0))));
    } else {
        let any = |choice| NewValue::Mapping { entries: vec![NewEntry::new("anyOf", choice)], flow: false };
        match schema.entry(Keyword::AllOf) {
            Some(all) => {
                changes.extend(choices.into_iter().map(|choice| Change::Push(all.value(), any(choice))))
            }
            None if choices.is_empty() => {}
            None => {
                let items = choices.into_iter().map(any).collect();
                changes.push(Change::Insert(at, NewEntry::new("allOf", NewValue::Sequence { items, flow })));
            }
        }
    }
    let title = match (then, otherwise) {
        (Some(_), None) => "Convert `if` and `then` to `anyOf` with `not`".into(),
        (None, Some(_)) => "Convert `if` and `else` to `anyOf`".into(),
        (Some(_), Some(_)) => "Convert `if`, `then` and `else` to `allOf` with two `anyOf`".into(),
        (None, None) => Title::removal("`if` (no effect without `then` or `else`)"),
    };
    Some(Repair::safe(title, changes))
}

/// Converts `dependencies` or `dependentRequired`, fields that require others, to a rule.
pub(super) fn dependent<'t>(schema: &Schema<'_, 't>, entry: Entry<'t>) -> Option<Repair<'t>> {
    let fields = schema.members(Keyword::Properties);
    let known = |name: &str| fields.get(name).and_then(|_| cel::declarations::escape(name));
    let mut rules = Vec::new();
    for entry in entry.value().as_mapping()?.entries() {
        let name = entry.key_text()?;
        let mut needed = Vec::new();
        let mut names = Vec::new();
        for item in entry.value().as_sequence()?.items() {
            let other = string(item.value())?;
            needed.push(format!("has(self.{})", known(&other)?));
            names.push(other);
        }
        let all = needed.join(" && ");
        let all = if needed.len() == 1 { all } else { format!("({all})") };
        let rule = format!("!has(self.{}) || {all}", known(&name)?);
        rules.push((rule, format!("{name} requires {}", names.join(" and "))));
    }
    if rules.is_empty() || rules.iter().any(|(rule, _)| rule.ends_with("()")) {
        return None;
    }
    let mut changes = vec![Change::Remove(schema.value(), entry)];
    changes.extend(with_rules(schema, rules));
    Some(Repair::safe(format!("Convert `{}` to a CEL rule", entry.key_text()?), changes))
}

/// Adds rules with their messages to `schema`.
pub(super) fn with_rules<'t>(schema: &Schema<'_, 't>, rules: Vec<(String, String)>) -> Vec<Change<'t>> {
    let items = rules.into_iter().map(|(rule, message)| {
        let entries = vec![NewEntry::new("rule", text(rule)), NewEntry::new("message", text(message))];
        NewValue::Mapping { entries, flow: false }
    });
    match schema.entry(Keyword::Validations) {
        Some(entry) => items.map(|item| Change::Push(entry.value(), item)).collect(),
        None => {
            let list = NewValue::Sequence { items: items.collect(), flow: false };
            vec![Change::Insert(schema.value(), NewEntry::new(Keyword::Validations.as_str(), list))]
        }
    }
}

/// Moves a rule out of a branch that requires fields, with the condition that these fields are set.
pub(super) fn guarded<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    guarded_rules(site).into_iter().collect()
}

fn guarded_rules<'t>(site: &Site<'_, '_, 't>) -> Option<Repair<'t>> {
    let (host, _) = site.host().filter(|(_, direct)| *direct)?;
    let branch = site.schema_with(Keyword::Validations)?;
    let entry = branch.entry(Keyword::Validations)?;
    let mut fields = Vec::new();
    for item in branch.items(Keyword::Required) {
        fields.push(format!("has(self.{})", cel::declarations::escape(&string(item.value())?)?));
    }
    let guard = match fields.as_slice() {
        [] => return None,
        [one] => format!("!{one}"),
        several => format!("!({})", several.join(" && ")),
    };
    let mut changes = vec![Change::Remove(branch.value(), entry)];
    let mut rules = Vec::new();
    for item in branch.items(Keyword::Validations) {
        let mut entries = Vec::new();
        for entry in item.value().as_mapping()?.entries() {
            let key = entry.key_text()?.into_owned();
            let value = match key.as_str() {
                "rule" => text(format!("{guard} || ({})", string(entry.value())?.trim())),
                _ => NewValue::Copy(entry.value()),
            };
            entries.push(NewEntry::new(key, value));
        }
        rules.push(NewValue::Mapping { entries, flow: false });
    }
    match host.entry(Keyword::Validations) {
        Some(own) => changes.extend(rules.into_iter().map(|rule| Change::Push(own.value(), rule))),
        None => {
            let list = NewValue::Sequence { items: rules, flow: false };
            changes.push(Change::Insert(host.value(), NewEntry::new(Keyword::Validations.as_str(), list)));
        }
    }
    Some(Repair::suggested(
        "Move the rules out of the branch (they apply only if its required fields are set)",
        changes,
    ))
}

/// Converts a map whose keys follow a pattern. A bound keeps the rule within its cost limit.
pub(super) fn keys_by_pattern<'t>(schema: &Schema<'_, 't>) -> Option<Repair<'t>> {
    let entry = schema.entry(Keyword::PatternProperties)?;
    let patterns = schema.members(Keyword::PatternProperties).entries;
    let [(pattern, values)] = patterns.as_slice() else { return None };
    if schema.get(Keyword::Properties).is_some()
        || schema.get(Keyword::AdditionalProperties).is_some_and(|value| value.as_mapping().is_some())
    {
        return None;
    }
    let quoted = pattern.replace('\\', "\\\\").replace('\'', "\\'");
    let rule = (format!("self.all(key, key.matches('{quoted}'))"), format!("keys must match {pattern}"));
    let mut changes = vec![Change::Remove(schema.value(), entry)];
    changes.push(set_keyword(
        schema.value(),
        Keyword::AdditionalProperties.as_str(),
        NewValue::Copy(values.value()),
    ));
    let mut title = "Replace `patternProperties` with `additionalProperties` and a CEL rule".to_owned();
    if schema.get(Keyword::MaxProperties).is_none() {
        changes.push(set_keyword(schema.value(), Keyword::MaxProperties.as_str(), raw("64")));
        title.push_str("; add `maxProperties: 64`");
    }
    changes.extend(with_rules(schema, vec![rule]));
    Some(Repair::suggested(title, changes))
}

/// Converts a pattern that begins with a lookahead, which RE2 does not support.
pub(super) fn lookahead<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Pattern) else { return Vec::new() };
    let Some(pattern) = schema.string(Keyword::Pattern) else { return Vec::new() };
    let without = without_lookaround(&schema, &pattern);
    let other = || without.is_none().then(|| bracketed(&schema, &pattern)).flatten();
    let of_pattern = split(&schema, &pattern).or_else(|| spelled(&schema, &pattern)).or_else(other);
    of_pattern.into_iter().chain(without).collect()
}

/// Removes a group that looks ahead or behind, which RE2 does not support.
fn without_lookaround<'t>(schema: &Schema<'_, 't>, pattern: &str) -> Option<Repair<'t>> {
    let value = schema.get(Keyword::Pattern)?;
    let groups = ["(?=", "(?!", "(?<=", "(?<!"].into_iter();
    let (start, open) = groups.filter_map(|open| Some((pattern.find(open)?, open.len()))).min()?;
    let end = start + open + closing(pattern.get(start + open..)?)? + 1;
    let group = pattern.get(start..end)?;
    let without = format!("{}{}", pattern.get(..start)?, pattern.get(end..)?);
    let title = Title::removal(format_args!("`{group}` (the pattern then admits more values)"));
    Some(Repair::suggested(title, vec![Change::Replace(value, text(without))]))
}

/// Adds the missing bracket at the end of a pattern, or removes an unmatched one.
fn bracketed<'t>(schema: &Schema<'_, 't>, pattern: &str) -> Option<Repair<'t>> {
    let value = schema.get(Keyword::Pattern)?;
    let mut open = Vec::new();
    let mut is_escaped = false;
    for (at, char) in pattern.char_indices() {
        let in_class = open.last() == Some(&']');
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ']' if in_class => _ = open.pop(),
            '[' if !in_class => open.push(']'),
            '(' if !in_class => open.push(')'),
            ')' if !in_class && open.pop().is_none() => {
                let without = format!("{}{}", pattern.get(..at)?, pattern.get(at + 1..)?);
                return Some(Repair::suggested(
                    Title::removal("`)`"),
                    vec![Change::Replace(value, text(without))],
                ));
            }
            _ => {}
        }
    }
    let missing: String = open.iter().rev().collect();
    let (before, end) = match pattern.strip_suffix('$') {
        Some(before) => (before, "$"),
        None => (pattern, ""),
    };
    (!missing.is_empty()).then(|| {
        let changes = vec![Change::Replace(value, text(format!("{before}{missing}{end}")))];
        Repair::suggested(format!("Insert `{missing}`"), changes)
    })
}

fn split<'t>(schema: &Schema<'_, 't>, pattern: &str) -> Option<Repair<'t>> {
    let entry = schema.entry(Keyword::Pattern)?;
    let negative = pattern.starts_with("^(?!");
    let behind = pattern.strip_prefix("^(?!").or_else(|| pattern.strip_prefix("^(?="))?;
    let end = closing(behind)?;
    let (ahead, rest) = (behind.get(..end)?, behind.get(end + 1..)?);
    if has_alternatives(rest) {
        // Some of them need not begin with it.
        return None;
    }
    let ahead = if ahead.contains('|') { format!("^(?:{ahead})") } else { format!("^{ahead}") };
    let other = NewValue::Mapping { entries: vec![NewEntry::new("pattern", text(ahead))], flow: false };
    let mut changes = vec![match rest.trim_end_matches('$') {
        "" | ".*" => Change::Remove(schema.value(), entry),
        _ => Change::Replace(entry.value(), text(format!("^{rest}"))),
    }];
    if negative {
        if schema.entry(Keyword::Not).is_some() {
            return None;
        }
        changes.push(Change::Insert(schema.value(), NewEntry::new("not", other)));
        return Some(Repair::safe("Convert the negative lookahead to `not`", changes));
    }
    changes.push(match schema.entry(Keyword::AllOf) {
        Some(all) => Change::Push(all.value(), other),
        None => {
            let flow = schema.value().as_mapping()?.is_flow();
            Change::Insert(
                schema.value(),
                NewEntry::new("allOf", NewValue::Sequence { items: vec![other], flow }),
            )
        }
    });
    Some(Repair::safe("Convert the lookahead to a pattern in `allOf`", changes))
}

/// The end of the group that starts before `text`.
fn closing(text: &str) -> Option<usize> {
    outside(text).find(|(_, char)| *char == ')').map(|(at, _)| at)
}

/// Whether a `|` is outside of all groups.
fn has_alternatives(text: &str) -> bool {
    outside(text).any(|(_, char)| char == '|')
}

/// The characters of a pattern outside of its groups and classes, up to and including the first unmatched
/// bracket.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0usize;
    let mut in_class = false;
    let mut escaped = false;
    let mut ended = false;
    text.char_indices().filter(move |(_, char)| {
        if ended || std::mem::take(&mut escaped) {
            return false;
        }
        match char {
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class && depth == 0 => {
                ended = true;
                return true;
            }
            ')' if !in_class => depth -= 1,
            _ => return !in_class && depth == 0,
        }
        false
    })
}

/// Converts escapes of other languages.
fn spelled<'t>(schema: &Schema<'_, 't>, pattern: &str) -> Option<Repair<'t>> {
    let entry = schema.entry(Keyword::Pattern)?;
    let mut better = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        better.push(char);
        if char != '\\' {
            continue;
        }
        match chars.next() {
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return None;
                }
                better.push_str(&format!("x{{{digits}}}"));
            }
            Some('Z') => better.push('z'),
            other => better.extend(other),
        }
    }
    let repair = || {
        Repair::safe(
            format!("Change `pattern` to `{better}`"),
            vec![Change::Replace(entry.value(), text(better.as_str()))],
        )
    };
    (better != pattern).then(repair)
}

#[cfg(test)]
mod tests {
    #[test]
    fn groups_end_where_their_bracket_closes() {
        assert_eq!(super::closing("kube-)rest"), Some(5));
        assert_eq!(super::closing(r"a(b)[)]\))c"), Some(9));
        assert_eq!(super::closing("a(b"), None);
    }

    #[test]
    fn alternatives_in_groups_and_classes_do_not_count_for_the_pattern() {
        assert!(super::has_alternatives("a|b"));
        assert!(!super::has_alternatives(r"(a|b)[|]\|$"));
    }
}
