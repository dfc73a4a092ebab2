//! Mistakes in rules: a rule that is right at its place, and a wrong version of it.

use serde_json::{Value, json};

use crate::edits::Random;
use crate::kinds::{array, put};

/// Two forms of one definition: with the right rule, and with the mistake. `None` if there is no place for
/// it.
pub(crate) type Plant = fn(&Value, &mut Random) -> RightAndWrong;

/// The right form, and the wrong form.
type RightAndWrong = Option<(Value, Value)>;

/// The names of the kinds, each with its function.
pub(crate) const KINDS: &[(&str, Plant)] = &[
    ("rule: misspelt field", |crd, random| {
        of_text(crd, random, |field, random| {
            let (right, wrong) = (field.to_owned(), misspelt(field, random)?);
            let rule = |name: &str| json!({"rule": format!("!has(self.{right}) || self.{name} != 'a'")});
            Some((rule(&right), rule(&wrong)))
        })
    }),
    ("rule: misspelt test of presence", |crd, random| {
        of_text(crd, random, |field, random| {
            let wrong = misspelt(field, random)?;
            let rule = |name: &str| json!({"rule": format!("has(self.{name}) || !has(self.{name})")});
            Some((rule(field), rule(&wrong)))
        })
    }),
    ("rule: misspelt function", |crd, random| {
        const NAMES: [(&str, &str); 4] = [
            ("startsWith", "startWith"),
            ("endsWith", "endWith"),
            ("contains", "contain"),
            ("matches", "match"),
        ];
        let (right, wrong) = NAMES[random.below(NAMES.len())];
        of_bounded_text(crd, random, &|field| {
            let rule =
                |name: &str| json!({"rule": format!("!has(self.{field}) || self.{field}.{name}('a')")});
            (rule(right), rule(wrong))
        })
    }),
    ("rule: function of another language", |crd, random| {
        of_bounded_text(crd, random, &|field| {
            let rule = |call: &str| json!({"rule": format!("!has(self.{field}) || {call}")});
            (rule(&format!("size(self.{field}) > 0")), rule(&format!("len(self.{field}) > 0")))
        })
    }),
    ("rule: number for text", |crd, random| {
        of_text(crd, random, |field, _| {
            let rule =
                |value: &str| json!({"rule": format!("!has(self.{field}) || self.{field} != {value}")});
            Some((rule("'1'"), rule("1")))
        })
    }),
    ("rule: operator of another language", |crd, random| {
        of_text(crd, random, |field, _| {
            let rule = |or: &str| json!({"rule": format!("!has(self.{field}) {or} self.{field} != 'a'")});
            Some((rule("||"), rule("or")))
        })
    }),
    ("rule: unclosed", |crd, random| {
        of_text(crd, random, |field, _| {
            let rule =
                |end: &str| json!({"rule": format!("!(has(self.{field}) && self.{field} == 'a'{end}")});
            Some((rule(")"), rule("")))
        })
    }),
    ("rule: no truth value", |crd, random| {
        of_bounded_text(crd, random, &|field| {
            let size = format!("has(self.{field}) ? size(self.{field}) : 1");
            (json!({"rule": format!("({size}) > 0")}), json!({"rule": size}))
        })
    }),
    ("rule: message that is no text", |crd, random| {
        of_bounded_text(crd, random, &|field| {
            let size = format!("has(self.{field}) ? size(self.{field}) : 0");
            let rule = |message: String| json!({"rule": format!("!has(self.{field}) || self.{field} != 'a'"), "messageExpression": message});
            (rule(format!("string({size})")), rule(size))
        })
    }),
    ("rule: too expensive", |crd, random| {
        let wanted = |schema: &Value| {
            array(schema)
                && schema.get("maxItems").is_none()
                && schema.get("x-kubernetes-validations").is_none()
        };
        let plain = |schema: &mut Value| put(schema, "maxItems", json!(2));
        let list_of = |rule: &str| json!([{"rule": rule}]);
        on_node(crd, random, &wanted, &|schema, _| {
            let rules = list_of("self.all(a, self.all(b, a == b || a != b))");
            let mut right = schema.clone();
            plain(&mut right)?;
            put(&mut right, "x-kubernetes-validations", rules.clone())?;
            let mut wrong = schema.clone();
            put(&mut wrong, "x-kubernetes-validations", rules)?;
            Some((right, wrong))
        })
    }),
];

/// A rule on an object about one of its string fields.
fn of_text(
    crd: &Value,
    random: &mut Random,
    rules: impl Fn(&str, &mut Random) -> Option<(Value, Value)>,
) -> Option<(Value, Value)> {
    on_object(crd, random, &|_| true, &rules)
}

/// The same for a string that is not longer than a name.
fn of_bounded_text(
    crd: &Value,
    random: &mut Random,
    rules: &dyn Fn(&str) -> (Value, Value),
) -> Option<(Value, Value)> {
    let is_short = |schema: &Value| {
        schema.get("enum").is_some() || schema["maxLength"].as_u64().is_some_and(|length| length < 1_000)
    };
    on_object(crd, random, &is_short, &|field, _| Some(rules(field)))
}

fn on_object(
    crd: &Value,
    random: &mut Random,
    is_fit: &dyn Fn(&Value) -> bool,
    rules: &dyn Fn(&str, &mut Random) -> RightAndWrong,
) -> Option<(Value, Value)> {
    let fields = |schema: &Value| -> Vec<String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let fit = properties.into_iter().flatten().filter(|(name, schema)| {
            // Other names are escaped in rules.
            let is_name = name.len() > 3 && name.chars().all(|char| char.is_ascii_lowercase());
            let is_keyword =
                matches!(name.as_str(), "namespace" | "package" | "import" | "true" | "false" | "null");
            is_name
                && !is_keyword
                && schema["type"] == "string"
                && schema.get("format").is_none()
                && is_fit(schema)
        });
        fit.map(|(name, _)| name.clone()).collect()
    };
    let wanted = |schema: &Value| {
        schema.get("x-kubernetes-validations").is_none()
            && !fields(schema).is_empty()
            && schema["type"] == "object"
    };
    on_node(crd, random, &wanted, &|schema, random| {
        let fields = fields(schema);
        let (right, wrong) = rules(&fields[random.below(fields.len())], random)?;
        let with = |rule: Value| {
            let mut schema = schema.clone();
            put(&mut schema, "x-kubernetes-validations", json!([rule])).map(|()| schema)
        };
        Some((with(right)?, with(wrong)?))
    })
}

/// Changes one node of a schema in two ways.
fn on_node(
    crd: &Value,
    random: &mut Random,
    wanted: &dyn Fn(&Value) -> bool,
    change: &dyn Fn(&Value, &mut Random) -> RightAndWrong,
) -> Option<(Value, Value)> {
    let versions = crd.pointer("/spec/versions")?.as_array()?.len();
    let start = format!("/spec/versions/{}/schema/openAPIV3Schema", random.below(versions));
    let mut found = Vec::new();
    collect(crd.pointer(&start)?, start, wanted, &mut found);
    let at = found.get(random.below(found.len()))?;
    let (right, wrong) = change(crd.pointer(at)?, random)?;
    let with = |schema: Value| {
        let mut crd = crd.clone();
        *crd.pointer_mut(at)? = schema;
        Some(crd)
    };
    Some((with(right)?, with(wrong)?))
}

fn collect(schema: &Value, at: String, wanted: &dyn Fn(&Value) -> bool, found: &mut Vec<String>) {
    if wanted(schema) {
        found.push(at.clone());
    }
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        collect(property, format!("{at}/properties/{}", escaped(name)), wanted, found);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(keyword).filter(|below| below.is_object()) {
            collect(below, format!("{at}/{keyword}"), wanted, found);
        }
    }
}

/// The name with two letters in the wrong order.
fn misspelt(name: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let at = 1 + random.below(letters.len().checked_sub(2)?);
    letters.swap(at, at + 1);
    let wrong: String = letters.into_iter().collect();
    (wrong != name).then_some(wrong)
}
