//! Hover texts for the `x-kubernetes-*` keywords and the fields of ValidationRule.
//!
//! Each text says what kube-apiserver 1.37 does with the keyword, measured against its validation code.

pub(super) const PRESERVE_UNKNOWN_FIELDS: &str = "\
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
- Resources must then give `apiVersion` and `kind`.
- `properties` is needed unless `x-kubernetes-preserve-unknown-fields: true`.
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
- A `type` beside it is ignored.
- The order of the `anyOf` matters, and nothing else may stand in it; in an `allOf` it must be the first.
- `pattern` and `maxLength` check the string, `minimum` and `maximum` the integer.
- In CEL the value is dynamic: test `type(self) == int` before comparing.
- Not allowed inside junctors, nor beside `x-kubernetes-preserve-unknown-fields` or `x-kubernetes-embedded-resource`.

```yaml
port:
  x-kubernetes-int-or-string: true
```

Quantities such as `500m` are written this way, with a `pattern`.";

pub(super) const LIST_MAP_KEYS: &str = "\
- No name twice, and no nullable property.
- Two items with the same keys are refused when a resource is written.

```yaml
x-kubernetes-list-type: map
x-kubernetes-list-map-keys: [name]
```

Changing the keys later changes how stored objects merge.";

pub(super) const LIST_TYPE: &str = "\
Server-side apply merges lists by it.

- `atomic`: whoever applies the list replaces all of it.
- `set`: each item is owned on its own. From 1.37 on the server warns of items that are objects or lists.
- `map`: the keys are `x-kubernetes-list-map-keys`. `oldSelf` works below such lists only.

Needs `type: array` and items that are not nullable (`set`, `map`); not allowed inside junctors. CEL compares `set` and `map` lists without regard to order.";

pub(super) const MAP_TYPE: &str = "\
Server-side apply merges objects by it. `atomic` is for those whose keys only make sense together, such as a selector.

Not allowed inside junctors, nor at the root when the status subresource is on.";

pub(super) const VALIDATIONS: &str = "\
They call the value at this node `self`.

```yaml
x-kubernetes-validations:
- rule: self.minReplicas <= self.replicas
  message: replicas must not be below minReplicas
```

- Evaluated on create and update, after pruning and defaulting, when the node is present. Rules with `oldSelf` run on updates only.
- Estimated before use: 10 million cost units for each rule times the items it may run for, 100 million for the whole schema. `maxItems`, `maxLength` and `maxProperties` lower the estimate.
- Not allowed inside junctors. Rules are not compiled while their node has other errors.";

pub(super) const RULE: &str = "\
It must give a boolean, `true` for a valid value.

- Reading an optional field that is absent fails the object: guard it, `!has(self.a) || self.a > 0`.
- Quote it in YAML when it begins with `!` or `[`, or contains `: ` or ` #`.

A new rule may use CEL libraries of the release before the server's.";

pub(super) const MESSAGE: &str = "\
Not blank. A rule that spans several lines needs it even beside `messageExpression`.";

pub(super) const MESSAGE_EXPRESSION: &str = "\
It has a cost budget of its own: `'%d'.format([self.n])` is cheap, `string(self.n)` may exceed it.

```yaml
messageExpression: \"'at most %d replicas'.format([self.max])\"
```

It is not compiled while the rule has an error.";

pub(super) const REASON: &str = "\
It does not change what is refused.";

pub(super) const FIELD_PATH: &str = "\
- It must begin with `.` or `[`.
- No list items.
- A path that goes through `additionalProperties: true` crashes the server's check, which answers with an internal error.

The value shown in the error stays that of the rule's node.";

pub(super) const OPTIONAL_OLD_SELF: &str = "\
```yaml
- rule: '!oldSelf.hasValue() || self == oldSelf.value()'
  optionalOldSelf: true
```

Refused, even as `false`, when the rule does not use `oldSelf`. On by default from 1.30 on; in 1.29 it needs the feature gate CRDValidationRatcheting.";
