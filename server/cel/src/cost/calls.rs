//! What the functions cost, by the sizes of what they work on.

use super::bounds::Bounds;
use super::paths::{Path, PathStep, step_into};
use super::{Coster, Entries, LIST, OWN_EQUALITY, PARSES_COST};
use crate::ast::{ExprId, ExprKind, Literal};
use crate::types::Type;

/// The cost of a byte that is looked at.
const STRING: f64 = 0.1;
/// The cost of a character of a regular expression.
const REGEX: f64 = 0.25;
/// The longest regular expression behind a named format (characters).
const FORMAT_REGEX: f64 = 128.0;
/// The longest name of a format (bytes).
const FORMAT_NAME: u64 = 64;

const ONE: Bounds = Bounds::exactly(1);

/// What is known of a receiver or an argument.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) id: ExprId,
    pub(super) path: Path,
    pub(super) size: Option<Bounds>,
}

/// A call whose receiver and arguments are priced.
pub(super) struct Call<'a> {
    pub(super) id: ExprId,
    pub(super) function: &'a str,
    pub(super) target: Option<Node>,
    pub(super) args: &'a [Node],
    pub(super) arg_costs: &'a [Bounds],
}

/// The cost of a call, and the size of its result where it is known.
type Priced = (Bounds, Option<Bounds>);

const fn unsized_result(cost: Bounds) -> Option<Priced> {
    Some((cost, None))
}

impl Coster<'_> {
    /// The cost of one overload of a call, arguments included.
    pub(super) fn overload_cost(&mut self, call: &Call<'_>, overload: &str) -> Priced {
        let args = call.arg_costs.iter().fold(Bounds::default(), |sum, cost| sum.plus(*cost));
        let library = self.extension(call, overload).or_else(|| self.kubernetes(call, overload));
        if let Some((cost, size)) = library {
            return (cost.plus(args), size);
        }
        match (overload, call.arg_costs) {
            ("logical_and" | "logical_or", [left, right]) => {
                (Bounds::new(left.min, left.plus(*right).max), None)
            }
            ("conditional", [condition, yes, no]) => {
                let size = self.conditional_size(call);
                (condition.plus(yes.union(*no)), size)
            }
            _ => {
                let (cost, size) = self.standard(call, overload).unwrap_or((ONE, None));
                (cost.plus(args), size)
            }
        }
    }

    fn size_of(&self, node: Node) -> Bounds {
        node.size.or_else(|| self.declared_size(node.path)).unwrap_or(Bounds::UNKNOWN)
    }

    // ---- the language

    fn standard(&mut self, call: &Call<'_>, overload: &str) -> Option<Priced> {
        // The language itself does not look at the schema again.
        let size = |node: Node| node.size.unwrap_or(Bounds::UNKNOWN);
        let scan = |node: Node| size(node).scaled(STRING);
        match (overload, call.target, call.args) {
            ("string_format", Some(target), _) => unsized_result(scan(target)),
            ("string_to_bytes", _, &[arg]) => {
                let bytes = size(arg);
                Some((scan(arg), Some(Bounds::new(bytes.min, bytes.max.wrapping_mul(4)))))
            }
            ("bytes_to_string", _, &[arg]) => {
                let bytes = size(arg);
                Some((scan(arg), Some(Bounds::new(bytes.min / 4, bytes.max))))
            }
            ("strings_quote", _, &[arg]) => {
                let text = size(arg);
                let result = Bounds::new(text.min.wrapping_add(2), text.max.wrapping_mul(2).wrapping_add(2));
                Some((scan(arg), Some(result)))
            }
            ("starts_with_string" | "ends_with_string", _, &[arg]) => unsized_result(scan(arg)),
            ("in_list", _, &[_, list]) => unsized_result(size(list).scaled(1.0)),
            ("matches_string", Some(text), &[pattern]) | ("matches", None, &[text, pattern]) => {
                unsized_result(matching(size(text), size(pattern)))
            }
            ("contains_string", Some(text), &[part]) => unsized_result(scan(text).times(scan(part))),
            ("add_string" | "add_bytes" | "add_list", _, &[left, right]) => {
                let result = size(left).plus(size(right));
                let entries = Entries::union(self.entries_of(left.id), self.entries_of(right.id));
                self.set_entries(call.id, entries);
                let cost = if overload == "add_list" { ONE } else { result.scaled(STRING) };
                Some((cost, Some(result)))
            }
            (
                "less_string"
                | "greater_string"
                | "less_equals_string"
                | "greater_equals_string"
                | "less_bytes"
                | "greater_bytes"
                | "less_equals_bytes"
                | "greater_equals_bytes"
                | "equals"
                | "not_equals",
                _,
                &[left, right],
            ) => {
                let max = size(left).max.min(size(right).max);
                unsized_result(Bounds::new(max.min(1), max).scaled(STRING))
            }
            _ => None,
        }
    }

    fn conditional_size(&mut self, call: &Call<'_>) -> Option<Bounds> {
        let &[_, yes, no] = call.args else { return None };
        let entries = Entries::union(self.entries_of(yes.id), self.entries_of(no.id));
        self.set_entries(call.id, entries);
        Some(yes.size.unwrap_or(Bounds::UNKNOWN).union(no.size.unwrap_or(Bounds::UNKNOWN)))
    }

    // ---- cel-go's extensions

    fn extension(&self, call: &Call<'_>, overload: &str) -> Option<Priced> {
        let literal = |node: Node, otherwise: u64| match self.ast.kind(node.id) {
            ExprKind::Literal(Literal::Int(value)) => u64::try_from(*value).unwrap_or(0),
            _ => otherwise,
        };
        let squared = |node: Node| {
            let size = self.size_of(node);
            size.times(size)
        };
        match (overload, call.target, call.args) {
            ("list_sets_contains_list" | "list_sets_intersects_list", _, &[a, b]) => {
                unsized_result(self.size_of(a).times(self.size_of(b)).scaled(1.0).plus(ONE))
            }
            ("list_sets_equivalent_list", _, &[a, b]) => {
                unsized_result(self.size_of(a).times(self.size_of(b)).scaled(2.0).plus(ONE))
            }
            ("list_slice", Some(target), &[start, end]) => {
                let end = literal(end, self.size_of(target).max);
                Some(listing(1.0, Bounds::exactly(end.wrapping_sub(literal(start, 0)))))
            }
            ("lists_range", None, &[count]) => Some(listing(1.0, Bounds::exactly(literal(count, u64::MAX)))),
            ("list_reverse", Some(target), _) => Some(listing(1.0, self.size_of(target))),
            ("list_flatten", Some(target), _) => Some(listing(1.0, self.size_of(target))),
            ("list_flatten_int", Some(target), &[depth]) => {
                Some(listing(literal(depth, u64::MAX) as f64, self.size_of(target)))
            }
            ("list_distinct", Some(target), _) => Some(listing(2.0, squared(target))),
            ("list_string_sort" | "list_bytes_sort", Some(target), _) => {
                Some(listing(2.0 + STRING, squared(target)))
            }
            ("list_string_sortByAssociatedKeys" | "list_bytes_sortByAssociatedKeys", Some(_), &[keys]) => {
                Some(listing(2.0 + STRING, squared(keys)))
            }
            (id, Some(target), _) if id.starts_with("list_") && id.ends_with("_sort") => {
                Some(listing(2.0, squared(target)))
            }
            (id, Some(_), &[keys]) if id.ends_with("_sortByAssociatedKeys") => {
                Some(listing(2.0, squared(keys)))
            }
            _ => None,
        }
    }

    // ---- Kubernetes

    fn kubernetes(&self, call: &Call<'_>, overload: &str) -> Option<Priced> {
        let scan = |node: Node| self.size_of(node).scaled(STRING);
        match (call.function, call.target, call.args) {
            (
                "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes",
                Some(target),
                _,
            ) => unsized_result(self.traversal(call.function, target)),
            ("url", _, &[text]) => {
                let has_size = self.checked.env.server() >= OWN_EQUALITY;
                Some((scan(text), has_size.then(|| self.size_of(text))))
            }
            ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(text), _) => {
                Some((scan(text), Some(self.size_of(text))))
            }
            ("replace", Some(text), &[from, to, ..]) => {
                let result = replaced(self.size_of(text), self.size_of(from), self.size_of(to));
                Some((self.size_of(text).scaled(2.0 * STRING), Some(result)))
            }
            ("split", Some(text), args) => {
                let size = self.size_of(text);
                let limit = args.get(1).and_then(|limit| match self.ast.kind(limit.id) {
                    ExprKind::Literal(Literal::Int(limit)) => Some(limit.cast_unsigned()),
                    _ => None,
                });
                Some((size.scaled(2.0 * STRING), Some(Bounds::new(0, limit.unwrap_or(size.max)))))
            }
            ("join", Some(list), args) => {
                let result = self.joined(list, args.first().copied());
                Some((result.scaled(STRING), Some(result)))
            }
            ("find" | "findAll", Some(text), &[pattern, ..]) => {
                let size = self.size_of(text);
                let cost = matching(size, self.size_of(pattern));
                Some((cost, Some(Bounds::new(0, size.max))))
            }
            ("ip", _, _) if overload == "cidr_ip" => unsized_result(ONE),
            (
                "cidr" | "isIP" | "isCIDR" | "ip" | "ip.isCanonical" | "quantity" | "isQuantity" | "semver"
                | "isSemver",
                None,
                _,
            ) if self.checked.env.server() < PARSES_COST => None,
            (
                "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver",
                _,
                &[text, ..],
            ) => unsized_result(scan(text)),
            ("ip.isCanonical", _, &[text, ..]) => unsized_result(self.size_of(text).scaled(2.0 * STRING)),
            ("containsIP" | "containsCIDR", _, &[other, ..]) => {
                // An address has 4 or 16 bytes.
                let address = Bounds::new(4, 16);
                let mut cost = address.plus(address).scaled(STRING);
                if call.function == "containsCIDR" {
                    cost = cost.plus(address.scaled(STRING)).plus(ONE);
                }
                if matches!(overload, "cidr_contains_ip_string" | "cidr_contains_cidr_string") {
                    cost = cost.plus(scan(other));
                }
                unsized_result(cost)
            }
            ("validate", _, &[text, ..]) => unsized_result(scan(text).scaled(FORMAT_REGEX * REGEX)),
            (function, ..) if costs_one(function) => unsized_result(ONE),
            ("_==_", _, &[left, right]) => self.equality(left, right),
            _ => None,
        }
    }

    /// Equality of the types that Kubernetes adds.
    fn equality(&self, left: Node, right: Node) -> Option<Priced> {
        let of = self.checked.type_of(left.id);
        if of != self.checked.type_of(right.id) || self.checked.env.server() < OWN_EQUALITY {
            return None;
        }
        if matches!(*of, Type::IP | Type::CIDR) || *of == Type::QUANTITY || *of == Type::SEMVER {
            return unsized_result(ONE);
        }
        if *of == Type::NAMED_FORMAT {
            return unsized_result(Bounds::new(1, FORMAT_NAME).scaled(STRING));
        }
        if *of == Type::URL {
            let max = right.size.map_or(1, |size| size.max);
            return unsized_result(Bounds::new(1, max).scaled(STRING));
        }
        None
    }

    /// One comparison for each element, and for strings and bytes a look at all they hold.
    fn traversal(&self, function: &str, target: Node) -> Bounds {
        let size = self.size_of(target);
        match self.element(target) {
            Some((of, element)) => {
                let text = matches!(of, Type::String | Type::Bytes);
                size.times(if text { ONE.plus(element.scaled(STRING)) } else { ONE })
            }
            None if function == "includes" => size.times(ONE),
            None => size.scaled(STRING),
        }
    }

    /// The type and size of what a list, map or optional holds; of maps it is the key, but with the path of elements.
    fn element(&self, container: Node) -> Option<(&Type, Bounds)> {
        let of = match self.checked.type_of(container.id) {
            Type::List(of) | Type::Optional(of) | Type::Type(Some(of)) => of,
            Type::Map(entry) => &entry.0,
            _ => return None,
        };
        let ast = self.ast;
        let declared = self
            .declared(container.path)
            .and_then(|list| step_into(list, PathStep::Items, |name| ast.name(name)));
        let size = declared.map_or(Bounds::UNKNOWN, |element| Bounds::new(0, element.max_elements));
        Some((of, size))
    }

    fn joined(&self, list: Node, separator: Option<Node>) -> Bounds {
        let count = self.size_of(list);
        let texts = self.element(list).map_or(Bounds::default(), |(_, element)| count.times(element));
        let Some(separator) = separator else { return texts };
        let between = Bounds::new(count.min.saturating_sub(1), count.max.saturating_sub(1));
        texts.plus(self.size_of(separator).times(between))
    }
}

fn matching(text: Bounds, pattern: Bounds) -> Bounds {
    // An empty text must not make an expensive pattern cheap.
    text.plus(ONE).scaled(STRING).times(pattern.scaled(REGEX))
}

/// A call that makes a list of that size.
fn listing(factor: f64, size: Bounds) -> Priced {
    (size.scaled(factor).plus(ONE).plus(Bounds::exactly(LIST)), Some(size))
}

/// The size of a text with parts replaced: as many of the smallest parts by the greatest as fit, and the other way
/// round; an empty part stands around every character.
fn replaced(text: Bounds, from: Bounds, to: Bounds) -> Bounds {
    let parts = |text: u64, part: u64| (text as f64 / part as f64).ceil() as u64;
    let (most, kept_at_most) = if from.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if to.max <= from.min {
        (0, text.max)
    } else {
        (parts(text.max, from.min), 0)
    };
    let (least, kept_at_least) = if from.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if from.max <= to.min {
        (0, text.min)
    } else {
        (parts(text.min, from.max), 0)
    };
    Bounds::new(least, most).times(to).plus(Bounds::new(kept_at_least, kept_at_most))
}

/// Whether a call of a function of Kubernetes' libraries costs one, whatever it is called with.
pub(crate) fn costs_one(function: &str) -> bool {
    matches!(
        function,
        "masked"
            | "prefixLength"
            | "family"
            | "isUnspecified"
            | "isLoopback"
            | "isLinkLocalMulticast"
            | "isLinkLocalUnicast"
            | "isGlobalUnicast"
            | "format.named"
            | "sign"
            | "asInteger"
            | "isInteger"
            | "asApproximateFloat"
            | "isGreaterThan"
            | "isLessThan"
            | "compareTo"
            | "add"
            | "sub"
            | "major"
            | "minor"
            | "patch"
            | "getScheme"
            | "getHostname"
            | "getHost"
            | "getPort"
            | "getEscapedPath"
            | "getQuery"
    )
}
