//! The costs of functions, by the sizes of their operands.

use super::bounds::Bounds;
use super::paths::{Path, PathStep, step_into};
use super::{Coster, Entries, LIST, OWN_EQUALITY, PARSES_COST};
use crate::ast::{ExprId, ExprKind, Literal};
use crate::library::{Forecast, REGEX, STRING};
use crate::types::Type;

/// The length in characters of the longest regular expression of a named format.
const FORMAT_REGEX: f64 = 128.0;
/// The length in bytes of the longest name of a format.
const FORMAT_NAME: u64 = 64;

const ONE: Bounds = Bounds::exactly(1);
/// The length in bytes of an address.
const ADDRESS: Bounds = Bounds::new(4, 16);

/// The known properties of a receiver or an argument.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) id: ExprId,
    pub(super) path: Path,
    pub(super) size: Option<Bounds>,
}

/// A call whose receiver and arguments have a cost.
pub(super) struct Call<'a> {
    pub(super) id: ExprId,
    pub(super) target: Option<Node>,
    pub(super) args: &'a [Node],
    pub(super) arg_costs: &'a [Bounds],
}

impl Call<'_> {
    /// An operand; the first is the receiver, if any.
    fn operand(&self, at: usize) -> Option<Node> {
        self.target.iter().chain(self.args).nth(at).copied()
    }
}

/// The cost of a call, and the size of its result if known.
type CallCost = (Bounds, Option<Bounds>);

const fn unsized_result(cost: Bounds) -> Option<CallCost> {
    Some((cost, None))
}

impl Coster<'_> {
    /// The cost of one overload of a call, arguments included.
    pub(super) fn overload_cost(&mut self, call: &Call<'_>, forecast: Forecast) -> CallCost {
        let args = call.arg_costs.iter().fold(Bounds::default(), |sum, cost| sum.plus(*cost));
        match (forecast, call.arg_costs) {
            (Forecast::Logic, [left, right]) => (Bounds::new(left.min, left.plus(*right).max), None),
            (Forecast::Conditional, [condition, yes, no]) => {
                let size = self.conditional_size(call);
                (condition.plus(yes.union(*no)), size)
            }
            _ => {
                // A declaration that uses an operand that its signature does not have is unbounded.
                let (cost, size) = self.own_cost(call, forecast).unwrap_or((Bounds::UNKNOWN, None));
                (cost.plus(args), size)
            }
        }
    }

    /// The cost of a call without its arguments; `None` if an operand that the forecast requires is missing.
    fn own_cost(&mut self, call: &Call<'_>, forecast: Forecast) -> Option<CallCost> {
        // The language itself does not use the sizes of the schema again; cel-go's extensions and Kubernetes do.
        let size = |at: usize| Some(call.operand(at)?.size.unwrap_or(Bounds::UNKNOWN));
        let declared = |at: usize| Some(self.size_of(call.operand(at)?));
        let parses = self.checked.env.server() >= PARSES_COST;
        match forecast {
            Forecast::One => unsized_result(ONE),
            Forecast::Logic | Forecast::Conditional => None,
            Forecast::Scan(at) => unsized_result(size(at)?.scaled(STRING)),
            Forecast::Elements => unsized_result(size(1)?.scaled(1.0)),
            Forecast::Smaller => unsized_result(smaller(size(0)?, size(1)?)),
            Forecast::Equality => self.equality(call).or(unsized_result(smaller(size(0)?, size(1)?))),
            Forecast::Regex => unsized_result(matching(size(0)?, size(1)?)),
            Forecast::Contains => unsized_result(size(0)?.scaled(STRING).times(size(1)?.scaled(STRING))),
            Forecast::Concat => {
                let result = self.concatenated(call)?;
                Some((result.scaled(STRING), Some(result)))
            }
            Forecast::ConcatLists => Some((ONE, Some(self.concatenated(call)?))),
            Forecast::Encode => Some(encoded(size(0)?)),
            Forecast::Decode => Some(decoded(size(0)?)),
            Forecast::Quote => Some(quoted(size(0)?)),
            Forecast::Find => {
                let text = declared(0)?;
                Some((matching(text, declared(1)?), Some(Bounds::new(0, text.max))))
            }
            Forecast::SameText => Some((declared(0)?.scaled(STRING), Some(declared(0)?))),
            Forecast::Replace => {
                let result = replaced(declared(0)?, declared(1)?, declared(2)?);
                Some((declared(0)?.scaled(2.0 * STRING), Some(result)))
            }
            Forecast::Split => self.split(call),
            Forecast::Join => {
                let result = self.joined_length(call.operand(0)?, call.operand(1));
                Some((result.scaled(STRING), Some(result)))
            }
            Forecast::Traversal => unsized_result(self.traversal(call.operand(0)?, STRING)),
            Forecast::Includes => unsized_result(self.traversal(call.operand(0)?, 1.0)),
            Forecast::Parse(factor) if parses => unsized_result(declared(0)?.scaled(factor)),
            Forecast::Parse(_) => unsized_result(ONE),
            Forecast::Url => {
                let has_size = self.checked.env.server() >= OWN_EQUALITY;
                Some((declared(0)?.scaled(STRING), has_size.then_some(declared(0)?)))
            }
            Forecast::ContainsIp { reads } => {
                let read = if reads { declared(1)?.scaled(STRING) } else { Bounds::default() };
                unsized_result(ADDRESS.plus(ADDRESS).scaled(STRING).plus(read))
            }
            Forecast::ContainsCidr { reads } => {
                let read = if reads { declared(1)?.scaled(STRING) } else { Bounds::default() };
                let compared = ADDRESS.plus(ADDRESS).scaled(STRING).plus(ADDRESS.scaled(STRING)).plus(ONE);
                unsized_result(compared.plus(read))
            }
            Forecast::Validate => unsized_result(declared(1)?.scaled(STRING).scaled(FORMAT_REGEX * REGEX)),
            Forecast::SameList => Some(listing(1.0, declared(0)?)),
            Forecast::Slice => {
                let end = self.literal(call.operand(2)?, declared(0)?.max);
                Some(listing(1.0, Bounds::exactly(end.wrapping_sub(self.literal(call.operand(1)?, 0)))))
            }
            Forecast::Range => Some(listing(1.0, Bounds::exactly(self.literal(call.operand(0)?, u64::MAX)))),
            Forecast::Flatten => Some(listing(self.literal(call.operand(1)?, u64::MAX) as f64, declared(0)?)),
            Forecast::Sort(at, factor) => Some(listing(factor, declared(at)?.times(declared(at)?))),
            Forecast::Sets(factor) => {
                unsized_result(declared(0)?.times(declared(1)?).scaled(factor).plus(ONE))
            }
        }
    }

    fn size_of(&self, node: Node) -> Bounds {
        node.size.or_else(|| self.declared_size(node.path)).unwrap_or(Bounds::UNKNOWN)
    }

    /// The value of an operand that is an integer literal; `otherwise` for other operands.
    fn literal(&self, node: Node, otherwise: u64) -> u64 {
        match self.ast.kind(node.id) {
            ExprKind::Literal(Literal::Int(value)) => u64::try_from(*value).unwrap_or(0),
            _ => otherwise,
        }
    }

    fn conditional_size(&mut self, call: &Call<'_>) -> Option<Bounds> {
        let &[_, yes, no] = call.args else { return None };
        let entries = Entries::union(self.entries_of(yes.id), self.entries_of(no.id));
        self.set_entries(call.id, entries);
        Some(yes.size.unwrap_or(Bounds::UNKNOWN).union(no.size.unwrap_or(Bounds::UNKNOWN)))
    }

    /// The size of two concatenated texts or lists, and its contents.
    fn concatenated(&mut self, call: &Call<'_>) -> Option<Bounds> {
        let (left, right) = (call.operand(0)?, call.operand(1)?);
        let entries = Entries::union(self.entries_of(left.id), self.entries_of(right.id));
        self.set_entries(call.id, entries);
        Some(left.size.unwrap_or(Bounds::UNKNOWN).plus(right.size.unwrap_or(Bounds::UNKNOWN)))
    }

    fn split(&self, call: &Call<'_>) -> Option<CallCost> {
        let size = self.size_of(call.operand(0)?);
        let limit = call.operand(2).and_then(|limit| match self.ast.kind(limit.id) {
            ExprKind::Literal(Literal::Int(limit)) => Some(limit.cast_unsigned()),
            _ => None,
        });
        Some((size.scaled(2.0 * STRING), Some(Bounds::new(0, limit.unwrap_or(size.max)))))
    }

    /// Equality of the types that Kubernetes adds.
    fn equality(&self, call: &Call<'_>) -> Option<CallCost> {
        let (left, right) = (call.operand(0)?, call.operand(1)?);
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

    /// One comparison for each element, plus the cost of reading strings and bytes. For other types than
    /// lists, `otherwise` times the size.
    fn traversal(&self, target: Node, otherwise: f64) -> Bounds {
        let size = self.size_of(target);
        match self.element(target) {
            Some((of, element)) => {
                let text = matches!(of, Type::String | Type::Bytes);
                size.times(if text { ONE.plus(element.scaled(STRING)) } else { ONE })
            }
            None => size.scaled(otherwise),
        }
    }

    /// The type and size of the elements of a list, map or optional. For maps, the type of the key with the
    /// size of the elements.
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

    fn joined_length(&self, list: Node, separator: Option<Node>) -> Bounds {
        let count = self.size_of(list);
        let texts = self.element(list).map_or(Bounds::default(), |(_, element)| count.times(element));
        let Some(separator) = separator else { return texts };
        let between = Bounds::new(count.min.saturating_sub(1), count.max.saturating_sub(1));
        texts.plus(self.size_of(separator).times(between))
    }
}

fn smaller(left: Bounds, right: Bounds) -> Bounds {
    let max = left.max.min(right.max);
    Bounds::new(max.min(1), max).scaled(STRING)
}

/// A character may take four bytes.
fn encoded(text: Bounds) -> CallCost {
    (text.scaled(STRING), Some(Bounds::new(text.min, text.max.wrapping_mul(4))))
}

fn decoded(bytes: Bounds) -> CallCost {
    (bytes.scaled(STRING), Some(Bounds::new(bytes.min / 4, bytes.max)))
}

/// Any character may be escaped, and the quotes count as well.
fn quoted(text: Bounds) -> CallCost {
    let result = Bounds::new(text.min.wrapping_add(2), text.max.wrapping_mul(2).wrapping_add(2));
    (text.scaled(STRING), Some(result))
}

fn matching(text: Bounds, pattern: Bounds) -> Bounds {
    // An empty text must not make an expensive pattern cheap.
    text.plus(ONE).scaled(STRING).times(pattern.scaled(REGEX))
}

/// A call that creates a list of that size.
fn listing(factor: f64, size: Bounds) -> CallCost {
    (size.scaled(factor).plus(ONE).plus(Bounds::exactly(LIST)), Some(size))
}

/// The size of a text after replacements: as many of the smallest parts as fit, replaced by the greatest
/// text, and the reverse. An empty part occurs around every character.
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
