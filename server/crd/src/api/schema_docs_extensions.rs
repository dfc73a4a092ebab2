//! Hover texts for the `x-kubernetes-*` keywords and the fields of ValidationRule.
//!
//! Each text says what kube-apiserver 1.37 does with the keyword, measured against its validation code.

pub(super) const PRESERVE_UNKNOWN_FIELDS: &str = "\
`true` keeps fields that the schema does not declare, at this node and below, instead of pruning them. `false` is refused: leave the line out.

- Inside a declared property or `additionalProperties`, pruning starts again.
- Without `type` the node takes any JSON value; with `type: object`, any object.
- CEL rules cannot read what is not declared.
- Not allowed inside junctors, nor beside `x-kubernetes-int-or-string`.

```yaml
config:
  type: object
  x-kubernetes-preserve-unknown-fields: true
```

Typing mistakes below such a node go unnoticed, so keep it as deep in the schema as possible.";

pub(super) const EMBEDDED_RESOURCE: &str = "\
The value is a whole Kubernetes object: `apiVersion`, `kind` and `metadata` are implied, checked and not pruned, and the first two are required.

- `type: object` is needed, and `properties` unless `x-kubernetes-preserve-unknown-fields: true`.
- Not allowed beside `additionalProperties` or `x-kubernetes-int-or-string`, inside junctors, nor inside the metadata of another resource.
- CEL reads `apiVersion`, `kind`, `metadata.name` and `metadata.generateName` of it.

```yaml
template:
  type: object
  x-kubernetes-embedded-resource: true
  x-kubernetes-preserve-unknown-fields: true
```

The server does not check that the embedded kind exists.";

pub(super) const INT_OR_STRING: &str = "\
The value is an integer or a string, like a port by number or name. No `type` is needed, and one that is there is ignored.

- Beside it, and only in exactly this form, `type` is allowed in a junctor: `anyOf: [{type: integer}, {type: string}]`, or the same as first branch of `allOf`.
- `pattern` and `maxLength` check the string, `minimum` and `maximum` the integer.
- In CEL the value is dynamic: test `type(self) == int` before comparing.
- Not allowed inside junctors, nor beside `x-kubernetes-preserve-unknown-fields` or `x-kubernetes-embedded-resource`.

```yaml
port:
  x-kubernetes-int-or-string: true
```

Quantities such as `500m` are written this way, with a `pattern`.";

pub(super) const LIST_MAP_KEYS: &str = "\
The item properties that together identify an item of a `map` list.

- Each must be a declared scalar property of the items, either `required` or with a `default`, and not nullable.
- Needs `x-kubernetes-list-type: map`, without which it is refused. No name twice.
- Two items with the same keys are refused when a resource is written.

```yaml
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [name]
```

Changing the keys later changes how stored objects merge.";

pub(super) const LIST_TYPE: &str = "\
How an array merges in server-side apply, and what makes its items unique.

- `atomic`: one value, replaced as a whole by whoever applies it; the default.
- `set`: no item twice, each owned on its own. For scalars; from 1.37 on the server warns of object or array items, and those must be atomic themselves.
- `map`: objects identified by `x-kubernetes-list-map-keys`. `oldSelf` works below such lists only.

Needs `type: array` and items that are not nullable (`set`, `map`); not allowed inside junctors. CEL compares `set` and `map` lists without regard to order.";

pub(super) const MAP_TYPE: &str = "\
How an object merges in server-side apply.

- `granular`: each key has its own owner; the default.
- `atomic`: one value, replaced as a whole by whoever applies it. For objects whose keys only make sense together, such as a selector.

Needs `type: object`. Not allowed inside junctors, nor at the root when the status subresource is on.";

pub(super) const VALIDATIONS: &str = "\
Rules in CEL on the value at this node, which they call `self`.

```yaml
x-kubernetes-validations:
- rule: self.minReplicas <= self.replicas
  message: replicas must not be below minReplicas
```

- Evaluated on create and update, after pruning and defaulting, when the node is present. Rules with `oldSelf` run on updates only.
- Estimated before use: 10 million cost units for each rule times the items it may run for, 100 million for the whole schema. `maxItems`, `maxLength` and `maxProperties` lower the estimate.
- Not allowed inside junctors. Rules are not compiled while their node has other errors.";

pub(super) const RULE: &str = "\
The CEL expression; it must give a boolean, `true` for a valid value. `self` is the value of this node.

- Reading an optional field that is absent fails the object: guard it, `!has(self.a) || self.a > 0`.
- `oldSelf` is the stored value; the rule then runs on updates only, unless `optionalOldSelf` is set.
- Names that are no CEL identifiers are escaped: `-` is `__dash__`, `.` is `__dot__`, `/` is `__slash__`, `__` is `__underscores__`.
- At the root and in embedded resources only `apiVersion`, `kind`, `metadata.name` and `metadata.generateName` can be read beside declared fields.
- Quote it in YAML when it begins with `!` or `[`, or contains `: ` or ` #`.

A new rule may use CEL libraries of the release before the server's.";

pub(super) const MESSAGE: &str = "\
What the user reads when the rule fails; without it, `failed rule: ` and the rule's text.

One line, not blank. Required when the rule spans several lines, even beside `messageExpression`.";

pub(super) const MESSAGE_EXPRESSION: &str = "\
A CEL expression for the message; it must give a string, and sees the same variables as the rule.

- Wins over `message`, which is used when the expression fails or gives a blank or multi-line text.
- Has a cost budget of its own: `'%d'.format([self.n])` is cheap, `string(self.n)` may exceed it.

```yaml
messageExpression: \"'at most %d replicas'.format([self.max])\"
```

It is not compiled while the rule has an error.";

pub(super) const REASON: &str = "\
The machine-readable reason in the server's answer, for clients that tell errors apart. It does not change what is refused.

`FieldValueInvalid` when absent.";

pub(super) const FIELD_PATH: &str = "\
The field that the error names instead of the node of the rule, e.g. `.spec.replicas`. It must begin with `.` or `[` and lead to a declared field below this node.

- Keys with special characters: `.labels['app.kubernetes.io/name']`.
- No list indices and no items.
- A path that goes through `additionalProperties: true` crashes the server's check, which answers with an internal error.

The value shown in the error stays that of the rule's node.";

pub(super) const OPTIONAL_OLD_SELF: &str = "\
`true` makes a rule with `oldSelf` run on create too, and when the old object lacked the value. `oldSelf` is then an optional: ask `oldSelf.hasValue()`, read `oldSelf.value()`.

```yaml
- rule: '!oldSelf.hasValue() || self == oldSelf.value()'
  optionalOldSelf: true
```

Refused, even as `false`, when the rule does not use `oldSelf`. On by default from 1.30 on; in 1.29 it needs the feature gate CRDValidationRatcheting.";
