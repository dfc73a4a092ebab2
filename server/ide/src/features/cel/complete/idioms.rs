//! Complete rules for the validated value: it is immutable, exactly one of its fields is set, items are
//! unique, or one number is at most another.

use crd::cel::Purpose;
use crd::schema::structural::Structural;

use crate::features::cel::complete::CompletionPlace;
use crate::features::cel::complete::item::{CompletionKind, ProposalDraft, ProposalList};
use crate::features::cel::field_text::InsertedPiece;

/// Sorted before variables.
const RANK: u8 = 0;
/// The maximum number of fields in a rule. Longer rules are hard to read.
const MOST_FIELDS: usize = 4;

struct Idiom {
    label: &'static str,
    rule: String,
    documentation: String,
}

/// Proposes rules for the validated value if the text has at most one word.
pub(super) fn complete(place: &CompletionPlace<'_>, items: &mut ProposalList<'_>) {
    let is_rule = place.purpose == Purpose::Rule;
    if !is_rule || !place.tokens.is_empty() || !place.after.trim().is_empty() {
        return;
    }
    let Some(itself) = place.view.itself() else { return };
    for Idiom { label, rule, documentation } in idioms(itself.schema) {
        items.push(ProposalDraft {
            kind: CompletionKind::Expression,
            rank: RANK,
            label,
            detail: rule.clone(),
            documentation,
            pieces: vec![InsertedPiece::Text(rule.into())],
        });
    }
}

fn idioms(schema: &Structural) -> Vec<Idiom> {
    let mut all = vec![Idiom {
        label: "immutable",
        rule: "self == oldSelf".to_owned(),
        documentation:
            "The value cannot change once it is set. The rule runs only on updates of an existing value."
                .to_owned(),
    }];
    match &*schema.generic.type_name {
        "array" => all.extend(unique(schema)),
        "object" => {
            all.extend(one_of(schema));
            all.extend(bounds(schema));
        }
        _ => {}
    }
    all
}

/// Whether the name needs no escape in a rule.
fn is_plain(name: &str) -> bool {
    const WORDS: [&str; 4] = ["in", "true", "false", "null"];
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic());
    starts && name.chars().all(|letter| letter.is_ascii_alphanumeric()) && !WORDS.contains(&name)
}

fn one_of(schema: &Structural) -> Option<Idiom> {
    let required = &schema.value_validation.required;
    let is_optional = |name: &&str| !required.iter().any(|(other, _)| &**other == *name);
    let is_object = |name: &str| {
        schema.properties.get(name).is_some_and(|child| &*child.node.generic.type_name == "object")
    };
    let names: Vec<&str> = schema
        .properties
        .keys()
        .map(|name| &**name)
        .filter(|name| is_plain(name))
        .filter(is_optional)
        .collect();
    // Alternatives are mostly objects.
    let objects: Vec<&str> = names.iter().copied().filter(|name| is_object(name)).collect();
    let names = if objects.len() > 1 { objects } else { names };
    if !(2..=MOST_FIELDS).contains(&names.len()) {
        return None;
    }
    let has: Vec<String> = names.iter().map(|name| format!("has(self.{name})")).collect();
    let rule = match &*has {
        [one, other] => format!("{one} != {other}"),
        all => format!("[{}].exists_one(x, x)", all.join(", ")),
    };
    let documentation = format!("Exactly one of {} is set.", quoted(&names));
    Some(Idiom { label: "exactly one of", rule, documentation })
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The rule that a minimum is at most the maximum.
fn bounds(schema: &Structural) -> Option<Idiom> {
    let is_number = |name: &str| {
        let child = schema.properties.get(name);
        child.is_some_and(|child| matches!(&*child.node.generic.type_name, "integer" | "number"))
    };
    let (least, most) = schema.properties.keys().find_map(|name| {
        let rest = name.strip_prefix("min")?;
        let most = format!("max{rest}");
        let same = schema.properties.get(&**name).zip(schema.properties.get(&*most));
        let same =
            same.is_some_and(|(one, other)| one.node.generic.type_name == other.node.generic.type_name);
        (same && is_number(name) && is_plain(name)).then(|| (name.to_string(), most))
    })?;
    let required = &schema.value_validation.required;
    let guards =
        [&least, &most].into_iter().filter(|name| !required.iter().any(|(other, _)| **other == ***name));
    let mut rule: String = guards.map(|name| format!("!has(self.{name}) || ")).collect();
    rule.push_str(&format!("self.{least} <= self.{most}"));
    let documentation = format!("`{least}` is at most `{most}` if both are set.");
    Some(Idiom { label: "bounds between fields", rule, documentation })
}

/// The rule that no two items are equal.
fn unique(schema: &Structural) -> Option<Idiom> {
    let item = &schema.items.as_ref()?.node;
    let names = ["name", "key", "id", "type"];
    let required = &item.value_validation.required;
    let key = names.iter().find(|name| required.iter().any(|(other, _)| &**other == **name));
    let (of, what) = match (&*item.generic.type_name, key) {
        ("object", Some(key)) => (format!(".{key}"), format!("no two items have the same `{key}`")),
        ("object", None) => return None,
        _ => (String::new(), "no two items are equal".to_owned()),
    };
    Some(Idiom {
        label: "unique items",
        rule: format!("self.all(x, self.exists_one(y, x{of} == y{of}))"),
        documentation: format!(
            "Checks that {what}. Its cost grows with the square of the number of items; \
             `x-kubernetes-list-type: map` or `set` checks the same at no cost."
        ),
    })
}
