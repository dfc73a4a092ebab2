//! Hover texts for the `x-kubernetes-*` keywords and the fields of ValidationRule, at most two sentences each.
//!
//! Each text says what kube-apiserver 1.37 does with the keyword, measured against its validation code.

pub(super) const PRESERVE_UNKNOWN_FIELDS: &str = "\
Keeps fields that the schema does not declare instead of pruning them. Set it as deep as possible: misspelt fields below it are accepted.";

pub(super) const EMBEDDED_RESOURCE: &str = "\
Marks the value as a complete Kubernetes object, whose `apiVersion`, `kind` and `metadata` are validated. Declare its other fields, or set `x-kubernetes-preserve-unknown-fields: true`.";

pub(super) const INT_OR_STRING: &str = "\
Allows an integer or a string, such as `80` or `http`; `type` beside it is ignored. In CEL, test `type(self) == int` before you compare the value.";

pub(super) const LIST_MAP_KEYS: &str = "\
Fields that together identify an item of a list of type `map`. Each must be a scalar that is required or has a default.";

pub(super) const LIST_TYPE: &str = "\
How server-side apply merges the list: `atomic`, `set` or `map`. `set` and `map` also reject duplicate items.";

pub(super) const MAP_TYPE: &str = "\
How server-side apply merges the object: `granular` by field, `atomic` as a whole. Use `atomic` if the fields make sense only together, as in a selector.";

pub(super) const VALIDATIONS: &str = "\
CEL rules that the value, called `self`, must satisfy on create and update. The estimated cost of each must not exceed 10 million, and that of all rules of the schema 100 million.";

pub(super) const RULE: &str = "\
CEL expression that must be `true`; `self` is the value. Guard optional fields: `!has(self.a) || self.a > 0`.";

pub(super) const MESSAGE: &str = "\
Text that users see if the rule fails: one line, not blank. Required if the rule has line breaks.";

pub(super) const MESSAGE_EXPRESSION: &str = "\
CEL expression for the text that users see if the rule fails. It has a separate cost limit: `'%d'.format([self.n])` is cheap, `string(self.n)` is not.";

pub(super) const REASON: &str = "\
Machine-readable reason that clients get if the rule fails. It does not change which values are rejected.";

pub(super) const FIELD_PATH: &str = "\
Path of the field to report if the rule fails, relative to this node, such as `.size`. It must name declared fields and cannot enter lists.";

pub(super) const OPTIONAL_OLD_SELF: &str = "\
Makes `oldSelf` an optional, so that the rule also runs on create. Use it as in `!oldSelf.hasValue() || self == oldSelf.value()`.";
