//! Hover texts for the keywords of JSONSchemaProps.
//!
//! Each text says what kube-apiserver 1.37 does with the keyword, measured against its validation code.
//! "Junctors" are the schemas below `allOf`, `anyOf`, `oneOf` and `not`.

pub(super) const ID: &str = "\
Schema identifier of JSON Schema. **Refused**: `id is not supported`. An empty string does not count.

There is no replacement: a CRD schema cannot be referred to.";

pub(super) const SCHEMA: &str = "\
Dialect marker of JSON Schema. **Refused**: `OpenAPIV3Schema 'schema' is not supported`.

The server reports it only when nothing else is wrong with the CRD. Delete the line.";

pub(super) const REF: &str = "\
Reference to another schema. **Refused**: `$ref is not supported`, even when empty.

Write the referenced schema out in place; YAML anchors and aliases can save the repetition within one document.";

pub(super) const DESCRIPTION: &str = "\
Text for readers: `kubectl explain` and the published OpenAPI document show it. It does not affect validation.

- Not allowed inside junctors: `must be empty to be structural`.
- Not allowed on the root's `metadata` property.
- Long texts make CRDs large: above 262144 bytes of JSON a client-side `kubectl apply` fails, because it keeps a copy in an annotation.";

pub(super) const TYPE: &str = "\
The JSON type of the value: `array`, `boolean`, `integer`, `number`, `object` or `string`.

- Required at the root (`object`), for every property, for `additionalProperties` and for `items`, unless the node sets `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`.
- Not allowed inside junctors, where all branches share one structure. The only exception is the pair `integer`, `string` of an int-or-string.
- `null` is no type; use `nullable: true`. A list of types is not possible.
- Beside `x-kubernetes-int-or-string` the type is ignored.";

pub(super) const FORMAT: &str = "\
What a string or a number must look like beyond its `type`, such as `date-time` or `int32`. Allowed inside junctors.

- An unknown format is never an error; from 1.34 on the server answers with a warning.
- `int32` and `int64` (type integer), `float` and `double` (type number) are enforced from 1.36 on, before that ignored.
- `k8s-short-name` and `k8s-long-name` are enforced from 1.35 on.
- In CEL, `date` and `date-time` become a timestamp, `duration` a duration, `byte` bytes.
- Dashes do not count (`uuid-4` is `uuid4`); letter case does.";

pub(super) const TITLE: &str = "\
A short heading for readers and generators. It does not affect validation, and `kubectl explain` does not show it; prefer `description`.

Not allowed inside junctors: `must be empty to be structural`.";

pub(super) const DEFAULT: &str = "\
Also takes the place of a null without `nullable: true`. Applied to requests and to objects read from storage, after pruning and before validation.

- **Never applied when the parent object is absent**: give each optional parent `default: {}`.
- Must satisfy its own schema and rules as written, and contain no field that would be pruned; defaults inside it are not filled in first.
- Not allowed inside junctors, at `apiVersion`, `kind` and `metadata` of the root, nor with `spec.preserveUnknownFields: true`.
- `default: null` counts as no default.

```yaml
spec:
  type: object
  default: {}
  properties:
    replicas: {type: integer, default: 1}
```

A default on the way out changes stored objects when they are next written.";

pub(super) const MAXIMUM: &str = "\
The largest allowed number; with `exclusiveMaximum: true` the number itself is not allowed either. Checked on integers and numbers, ignored on other types.

Allowed inside junctors. The server accepts a `maximum` below the `minimum`; then no value passes.";

pub(super) const EXCLUSIVE_MAXIMUM: &str = "\
A boolean here, as in OpenAPI 3.0, not a number as in later JSON Schema: `true` excludes the value of `maximum` itself.

Has no effect without `maximum`. Allowed inside junctors.";

pub(super) const MINIMUM: &str = "\
The smallest allowed number; with `exclusiveMinimum: true` the number itself is not allowed either. Checked on integers and numbers, ignored on other types.

Allowed inside junctors.";

pub(super) const EXCLUSIVE_MINIMUM: &str = "\
A boolean here, as in OpenAPI 3.0, not a number as in later JSON Schema: `true` excludes the value of `minimum` itself.

Has no effect without `minimum`. Allowed inside junctors.";

pub(super) const MAX_LENGTH: &str = "\
The largest number of characters (Unicode code points) of a string. Allowed inside junctors.

It also bounds the cost of CEL rules: without it a string counts as large as a request may be, and rules that read it soon exceed their budget. A `maxLength` inside a junctor does not lower that estimate.";

pub(super) const MIN_LENGTH: &str = "\
The smallest number of characters (Unicode code points) of a string; `1` refuses the empty string. Allowed inside junctors.

An absent field is not checked: `required` is what asks for presence.";

pub(super) const PATTERN: &str = "\
A regular expression (Go RE2) that must match somewhere in the string; write `^…$` to match all of it. Allowed inside junctors.

- Refused when Go cannot compile it: no lookaround, no backreferences, no possessive `a++`, no repeat count above 1000, no `\\u0041`.
- Quote it with single quotes: double quotes need every backslash doubled.
- Ignored on anything but a string.

```yaml
pattern: '^[a-z][a-z0-9-]*$'
```

The server's own message repeats the pattern; a CEL rule with `message` reads better.";

pub(super) const MAX_ITEMS: &str = "\
The largest number of items of an array. Allowed inside junctors.

It also bounds the cost of CEL rules on the array and on everything below its `items`: such a rule is priced as if it ran once per item. Without it the estimate takes as many items as fit in a request. Only the bound on the array's own node counts, not one in a junctor.";

pub(super) const MIN_ITEMS: &str = "\
The smallest number of items of an array; `1` refuses the empty list. An absent array is not checked. Allowed inside junctors.";

pub(super) const UNIQUE_ITEMS: &str = "\
**Refused when `true`**: the check would take quadratic time. `false` says nothing.

For a list of scalars use `x-kubernetes-list-type: set`; for a list of objects, `x-kubernetes-list-type: map` with keys.";

pub(super) const MULTIPLE_OF: &str = "\
The number must be a whole multiple of this one. Allowed inside junctors.

The server accepts any factor in the CRD, but refuses every value later when the factor is 0 or negative, or a fraction on an integer.";

pub(super) const ENUM: &str = "\
The list of allowed values. Allowed inside junctors.

- The server does not compare them with `type`: a value of the wrong type is accepted and can never match.
- `null` never passes, even with `nullable: true` and `null` in the list.
- YAML reads `yes`, `no`, `on`, `off`, `y`, `n` as booleans and `1.10` as a number; quote such strings.
- The longest string bounds the cost of CEL rules, from 1.29 on.

```yaml
enum: [Always, IfNotPresent, Never]
```

Adding a value later is safe for stored objects, removing one is not.";

pub(super) const MAX_PROPERTIES: &str = "\
The largest number of keys of an object. Allowed inside junctors, but with a status subresource not at the root.

On a map (`additionalProperties`) it also bounds the cost of CEL rules: without it the estimate takes as many entries as fit in a request.";

pub(super) const MIN_PROPERTIES: &str = "\
The smallest number of keys of an object; `1` refuses `{}`. Keys that are pruned do not count, keys that a default adds do. Allowed inside junctors, but with a status subresource not at the root.";

pub(super) const REQUIRED: &str = "\
The properties that must be present whenever this object is. Allowed inside junctors.

- Checked after pruning and defaulting: a default satisfies it, and a name without a schema under `properties` fails for every resource, because the field is pruned first. The server accepts such a CRD.
- An empty string, list or object counts as present; a null does not, unless `nullable: true`.
- A CEL rule may read a required field without `has()`.";

pub(super) const ITEMS: &str = "\
The schema of an array's items. Required for `type: array`, with a `type` of its own.

- One schema only: a list of schemas is refused.
- Allowed inside junctors, for value checks, if the array is declared outside of them too.
- Below `items` the server does not notice misspelled keywords, not even in strict decoding; they are dropped.

```yaml
type: array
items:
  type: string
```

See `x-kubernetes-list-type` for how lists merge.";

pub(super) const ALL_OF: &str = "\
A list of schemas that must all match. Branches may hold value checks only (`required`, `enum`, `pattern`, bounds, `properties`, `items`, further junctors): no `type`, `default`, `nullable`, `description`, `additionalProperties` or `x-kubernetes-*`.

- Fields named in a branch must be declared outside too. The server checks that for junctors at the root only; elsewhere the field is silently pruned.
- With a status subresource, not allowed at the root.
- Bounds given here do not lower the cost estimate of CEL rules.";

pub(super) const ONE_OF: &str = "\
A list of schemas of which exactly one must match. Branches may hold value checks only: no `type`, `default`, `nullable`, `description`, `additionalProperties` or `x-kubernetes-*`.

```yaml
properties:
  git: {type: object}
  oci: {type: object}
oneOf:
- required: [git]
- required: [oci]
```

Fields named in a branch must be declared outside too. With a status subresource, not allowed at the root. The server's message hardly tells which branch was meant; a CEL rule can.";

pub(super) const ANY_OF: &str = "\
A list of schemas of which at least one must match. Branches may hold value checks only: no `default`, `nullable`, `description`, `additionalProperties` or `x-kubernetes-*`, and `type` only in the int-or-string form:

```yaml
x-kubernetes-int-or-string: true
anyOf:
- type: integer
- type: string
```

The order and the absence of anything else matter there. Fields named in a branch must be declared outside too. With a status subresource, not allowed at the root.";

pub(super) const NOT: &str = "\
A schema that must not match. It may hold value checks only, as the branches of `allOf`.

```yaml
not:
  required: [image, build]
```

Fields named in it must be declared outside too. With a status subresource, not allowed at the root. The message to the user says only that the value must not validate the schema.";

pub(super) const PROPERTIES: &str = "\
The fields of an object, each with its schema. A field without one is **pruned**: removed without an error before the object is stored (strict clients such as kubectl report it).

- Excludes `additionalProperties`, except a bare `true`.
- Allowed inside junctors, for fields that are declared outside too; they are value checks there.
- At the root, `apiVersion`, `kind` and `metadata` are implied; `metadata` may restrict `name` and `generateName` only.
- A nested `metadata` is an ordinary field: declare `labels`, `annotations` and so on, or they are pruned.";

pub(super) const ADDITIONAL_PROPERTIES: &str = "\
Makes the object a map: free keys, each value following this schema. `true` allows any value.

- Not allowed at the root, inside junctors (`false` is dropped there), on embedded resources, nor beside `properties` (a bare `true` is).
- `false` without `properties` means that the object must stay empty; it is not needed to refuse unknown fields, as those are pruned.
- A `default` in it adds no key: it only replaces nulls, and works inside values that exist.
- CEL sees a map: `self['key']`, `'key' in self`.

```yaml
type: object
additionalProperties: {type: string}
```

`maxProperties` bounds the cost of rules below it.";

pub(super) const PATTERN_PROPERTIES: &str = "\
Schemas for keys by regular expression. **Refused**: `patternProperties is not supported`. An empty mapping does not count.

Use `additionalProperties` for the values and a CEL rule for the keys: `self.all(k, k.matches('^[a-z]+$'))`.";

pub(super) const DEPENDENCIES: &str = "\
Properties that ask for others. **Refused**: `dependencies is not supported`, even when empty.

Say it with a CEL rule, `!has(self.a) || has(self.b)`, or with `anyOf`.";

pub(super) const ADDITIONAL_ITEMS: &str = "\
Items beyond a list of schemas. **Refused**: `additionalItems is not supported`, even when `false`.

Tuples do not exist here: all items of an array share the one schema of `items`.";

pub(super) const DEFINITIONS: &str = "\
Named schemas for `$ref`. **Refused**: `definitions is not supported`. An empty mapping does not count.

As `$ref` is refused too, write each schema out where it is used.";

pub(super) const EXTERNAL_DOCS: &str = "\
A link to documentation elsewhere, for readers of the published schema. It does not affect validation. Allowed inside junctors, but not on the root's `metadata` property.";

pub(super) const EXAMPLE: &str = "\
A sample value for readers of the published schema. The server does not check it against the schema, and takes `null` for absent. Allowed inside junctors.

One value only: the plural `examples` is an unknown field.";

pub(super) const NULLABLE: &str = "\
Lets the value be `null`, and keeps the null when the object is stored.

- Without it a null in an object counts as absent: the key is dropped, and a `default` takes its place. A null in a list is refused.
- With it, a null is not replaced by the default.
- Not allowed at the root, inside junctors, on items of `set` and `map` lists, nor on list map keys.
- `enum` refuses null nevertheless.
- CEL takes a null field for an absent one: `has(self.x)` is false.";
