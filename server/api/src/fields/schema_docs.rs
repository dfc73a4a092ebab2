//! Hover texts for the keywords of JSONSchemaProps, at most two sentences each.
//!
//! Each text says what kube-apiserver 1.37 does with the keyword, measured against its validation code.

pub(super) const ID: &str = "\
JSON Schema identifier, which kube-apiserver rejects (`id is not supported`). Remove it: schemas of a definition cannot be referenced.";

pub(super) const SCHEMA: &str = "\
JSON Schema dialect, which kube-apiserver rejects (`OpenAPIV3Schema 'schema' is not supported`). Remove it: all definitions use the same dialect.";

pub(super) const REF: &str = "\
Reference to another schema, which kube-apiserver rejects (`$ref is not supported`). Write the referenced schema in its place.";

pub(super) const DESCRIPTION: &str = "\
Text for readers, which `kubectl explain` and the published OpenAPI document show. Allowed only outside `allOf`, `anyOf`, `oneOf` and `not`.";

pub(super) const TYPE: &str = "\
JSON type of the value. Required on every field, on `items` and on `additionalProperties`, except with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`.";

pub(super) const FORMAT: &str = "\
Format that the value must have. kube-apiserver ignores formats that it does not know; Kubernetes 1.34 and newer warn about them.";

pub(super) const TITLE: &str = "\
Short heading for generated documentation, which `kubectl explain` does not show. Allowed only outside `allOf`, `anyOf`, `oneOf` and `not`.";

pub(super) const DEFAULT: &str = "\
Value of the field if it is absent, or if it is null and not `nullable: true`, in requests and stored objects. It applies only if the parent object is present: give an optional parent `default: {}`.";

pub(super) const MAXIMUM: &str = "\
Largest number that is allowed; `exclusiveMaximum: true` excludes the number itself. Values of other types are not checked.";

pub(super) const EXCLUSIVE_MAXIMUM: &str = "\
Whether the value of `maximum` itself is excluded. It is a boolean as in OpenAPI 3.0, not a number as in newer JSON Schema.";

pub(super) const MINIMUM: &str = "\
Smallest number that is allowed; `exclusiveMinimum: true` excludes the number itself. Values of other types are not checked.";

pub(super) const EXCLUSIVE_MINIMUM: &str = "\
Whether the value of `minimum` itself is excluded. It is a boolean as in OpenAPI 3.0, not a number as in newer JSON Schema.";

pub(super) const MAX_LENGTH: &str = "\
Largest number of characters of a string. Without it, the estimated cost of CEL rules that read the string is high.";

pub(super) const MIN_LENGTH: &str = "\
Smallest number of characters of a string; `1` excludes the empty string. An absent field is not checked: use `required` to require it.";

pub(super) const PATTERN: &str = "\
Go regular expression that must match a part of the string; write `^…$` to match all of it. Lookaround and backreferences are unsupported.";

pub(super) const MAX_ITEMS: &str = "\
Largest number of items of a list. Without it, the estimated cost of CEL rules on the list and its items is high.";

pub(super) const MIN_ITEMS: &str = "\
Smallest number of items of a list; `1` excludes the empty list. An absent list is not checked.";

pub(super) const UNIQUE_ITEMS: &str = "\
kube-apiserver rejects `true`, because the check takes quadratic time. Use `x-kubernetes-list-type: set` for scalars, or `map` with keys for objects.";

pub(super) const MULTIPLE_OF: &str = "\
The value must be a multiple of this number. The number must be positive, and an integer for `type: integer`.";

pub(super) const ENUM: &str = "\
List of the allowed values. Quote strings such as `on`, `no` and `1.10`, which YAML 1.1 reads as booleans or numbers.";

pub(super) const MAX_PROPERTIES: &str = "\
Largest number of keys of an object. Without it, the estimated cost of CEL rules on a map is high.";

pub(super) const MIN_PROPERTIES: &str = "\
Smallest number of keys of an object; `1` excludes `{}`. Pruned keys do not count; keys that defaults add do.";

pub(super) const REQUIRED: &str = "\
Fields that must be present after pruning and defaulting; a default is enough. Name only fields that `properties` declares: others are pruned and always missing.";

pub(super) const ITEMS: &str = "\
Schema of the items of a list, required for `type: array`. It is one schema: a list of schemas is unsupported.";

pub(super) const ALL_OF: &str = "\
Schemas, all of which the value must match. They can only add conditions: declare the fields, their types and defaults outside.";

pub(super) const ONE_OF: &str = "\
Schemas of which the value must match exactly one. They can only add conditions: declare the fields, their types and defaults outside.";

pub(super) const ANY_OF: &str = "\
Schemas of which the value must match at least one. They can only add conditions: declare the fields, their types and defaults outside.";

pub(super) const NOT: &str = "\
Schema that the value must not match. It can only add conditions: declare the fields, their types and defaults outside.";

pub(super) const PROPERTIES: &str = "\
Fields of the object, each with its schema. kube-apiserver prunes other fields, except below `x-kubernetes-preserve-unknown-fields`.";

pub(super) const ADDITIONAL_PROPERTIES: &str = "\
Makes the object a map with any keys, whose values follow this schema. Not allowed beside `properties` or at the root.";

pub(super) const PATTERN_PROPERTIES: &str = "\
Schemas for keys that match a pattern, which kube-apiserver rejects (`patternProperties is not supported`). Use `additionalProperties` for the values and a CEL rule for the keys.";

pub(super) const DEPENDENCIES: &str = "\
Fields that require other fields, which kube-apiserver rejects (`dependencies is not supported`). Use a CEL rule such as `!has(self.a) || has(self.b)`.";

pub(super) const ADDITIONAL_ITEMS: &str = "\
Schema of items after a tuple, which kube-apiserver rejects (`additionalItems is not supported`). All items of a list share the schema in `items`.";

pub(super) const DEFINITIONS: &str = "\
Schemas for `$ref`, which kube-apiserver rejects (`definitions is not supported`). Write each schema where it is used.";

pub(super) const EXTERNAL_DOCS: &str = "\
Link to more documentation, for readers of the published schema. It has no effect on validation.";

pub(super) const EXAMPLE: &str = "\
Example value for readers of the published schema. kube-apiserver does not validate it.";

pub(super) const NULLABLE: &str = "\
Whether null is a valid value, which is then stored. Without it, kube-apiserver prunes null or replaces it with the default, and rejects null in lists.";
