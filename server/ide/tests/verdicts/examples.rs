//! Nodes that offer each kind of action that changes an expression.

use serde_json::Value as Json;
use yaml::Tree;

/// Schemas of `spec`, as YAML.
const NODES: &[&str] = &[
    // Guards, separately and for several places; the finding on the rule is a hint or a warning.
    r"
type: object
properties:
  mode: {type: string, enum: [a, b]}
  size: {type: integer}
  least: {type: integer}
x-kubernetes-validations:
- rule: self.size > 3
- rule: '!has(self.mode) || self.size > self.least'
- rule: self.mode == 'a' || self.size == 5
",
    // Types.
    r"
type: object
required: [port, other]
properties:
  port: {x-kubernetes-int-or-string: true}
  other: {x-kubernetes-int-or-string: true}
x-kubernetes-validations:
- rule: self.port > 1024
- rule: self.other < 5 || self.port == 7
",
    // Cheaper expressions.
    r"
type: object
required: [list]
properties:
  list:
    type: array
    items:
      type: object
      required: [name, kind]
      properties: {name: {type: string}, kind: {type: string}}
x-kubernetes-validations:
- rule: self.list.filter(e, e.kind == 'a').all(e, e.name.contains('b') || self.list.exists(o, o.name == e.kind))
- rule: self.list.all(x, self.list.map(e, e.name).all(n, n != x.kind))
- rule: self.list.all(x, self.list.filter(e, e.kind == x.name).size() == 0)
- rule: self.list.all(x, self.list.exists(e, e.name == x.kind))
",
    r"
type: object
required: [list, other]
properties:
  list: {type: array, items: {type: string}}
  other: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.list.all(x, self.other.exists(y, y == x))
- rule: self.list.all(x, self.other.all(y, y != x))
",
    r"
type: object
required: [from, to]
properties:
  from: {type: array, items: {type: integer}}
  to: {type: array, items: {type: string, enum: [n-1, b]}}
x-kubernetes-validations:
- rule: self.from.all(x, self.to.all(y, y != 'n-' + string(x)))
",
    // List types.
    r"
type: object
required: [tags]
properties:
  tags: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.tags.all(x, self.tags.exists_one(y, x == y))
",
    r"
type: object
properties:
  tags: {type: array, items: {type: string}}
x-kubernetes-validations:
- rule: self.tags.all(x, self.tags.filter(y, x == y).size() == 1)
",
    r"
type: object
required: [tags]
properties:
  tags:
    type: array
    items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string}}}
x-kubernetes-validations:
- rule: self.tags.all(x, self.tags.exists_one(y, x.k == y.k))
",
    r"
type: object
properties:
  namespace:
    type: object
    properties:
      tags:
        type: array
        items: {type: object, required: [k], properties: {k: {type: integer}, v: {type: string}}}
x-kubernetes-validations:
- rule: self.__namespace__.tags.all(x, self.__namespace__.tags.exists_one(y, x.k == y.k))
",
    r"
type: object
properties:
  tags:
    type: array
    items: {type: object, required: [k], properties: {k: {type: integer}, v: {type: string}}}
x-kubernetes-validations:
- rule: self.tags.all(x, self.tags.exists_one(y, x.k == y.k))
",
    r"
type: array
items: {type: string}
x-kubernetes-validations:
- rule: self.all(x, self.exists_one(y, x == y))
",
    // Refactorings, in both directions.
    "{type: string, maxLength: 20, pattern: '^a+$'}",
    r#"
type: string
maxLength: 20
x-kubernetes-validations:
- rule: "self.matches('^a+$')"
"#,
    r#"
type: string
maxLength: 20
x-kubernetes-validations:
- rule: "self.matches('^a+$')"
  message: must be an a
"#,
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
oneOf: [{required: [a]}, {required: [b]}, {required: [c]}]
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
anyOf: [{required: [a]}, {required: [b, c]}]
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
not: {required: [a, b]}
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
x-kubernetes-validations:
- rule: has(self.a) != has(self.b)
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
x-kubernetes-validations:
- rule: has(self.a) || has(self.b) && has(self.c)
- rule: '!(has(self.a) && has(self.c))'
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
allOf: [{not: {required: [a]}}, {anyOf: [{required: [b]}, {required: [c]}]}]
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
x-kubernetes-validations:
- rule: '!has(self.a) && (has(self.b) || has(self.c))'
",
    r"
type: object
properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}}
x-kubernetes-validations:
- rule: has(self.a) && has(self.b)
",
    // Messages.
    r#"
type: array
items: {type: string}
x-kubernetes-validations:
- rule: self.size() < 3
  messageExpression: "self.map(x, self.filter(y, y == x).join(',')).join(',')"
"#,
    r#"
type: array
items: {type: string}
x-kubernetes-validations:
- rule: self.size() < 3
  message: at most two
  messageExpression: "self.map(x, self.filter(y, y == x).join(',')).join(',')"
"#,
    // Layout.
    r"
type: object
required: [a]
properties: {a: {type: integer}}
x-kubernetes-validations:
- rule: self.a>1&&( self.a<9 )
",
];

/// The examples.
pub(crate) fn nodes() -> Vec<Json> {
    let json = |text: &&str| {
        let tree = Tree::parse(text);
        let decoded = yaml::decode(tree.documents().next().unwrap()).unwrap();
        serde_json::from_str(&decoded.json.to_string()).unwrap()
    };
    NODES.iter().map(json).collect()
}
