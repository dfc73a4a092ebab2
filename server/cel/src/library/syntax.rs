//! Functions that the grammar has operators for and the planner converts to steps, and functions that macros
//! use in loops.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, INTERNAL, Precomputation, Run, Signature};
use super::{Trait, convert};
use crate::documentation::{Example, Origin};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "@not_strictly_false",
        doc: INTERNAL,
        example: Example::Gives("[1, 2].all(x, x > 0)", "true"),
        origin: Origin::Computed,
        body: Body::All(convert::identity, Trait::Any), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "not_strictly_false", text: "@not_strictly_false(bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_&&_",
        doc: "logical and; if one side is false, the result is false even if the other fails",
        example: Example::Gives("true && false", "false"),
        origin: Origin::Computed,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "logical_and", text: "_&&_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Logic, price: Price::One },
        ],
    },
    Function {
        name: "_?._",
        doc: "the field as an optional, or none if it is absent",
        example: Example::Gives("{'a': 1}.?b.hasValue()", "false"),
        origin: Origin::Operator,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "select_optional_field", text: "_?._(dyn, string) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_?_:_",
        doc: "the first value if the condition is true, otherwise the second",
        example: Example::Gives("1 < 2 ? 'a' : 'b'", "'a'"),
        origin: Origin::Operator,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "conditional", text: "_?_:_(bool, A, A) -> A",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Conditional, price: Price::One },
        ],
    },
    Function {
        name: "_[?_]",
        doc: "the element or value as an optional, or none if it is absent",
        example: Example::Gives("['a', 'b'][?5].hasValue()", "false"),
        origin: Origin::Operator,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_optindex_optional_int", text: "_[?_](list(V), int) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "optional_list_optindex_optional_int",
                text: "_[?_](optional_type(list(V)), int) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "map_optindex_optional_value", text: "_[?_](map(K, V), K) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "optional_map_optindex_optional_value",
                text: "_[?_](optional_type(map(K, V)), K) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_[_]",
        doc: "the element at an index (from 0), or the value of a key; fails if there is none",
        example: Example::Gives("['a', 'b'][1]", "'b'"),
        origin: Origin::Operator,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "index_list", text: "_[_](list(A), int) -> A",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "index_map", text: "_[_](map(A, B), A) -> B",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "optional_list_index_int",
                text: "_[_](optional_type(list(V)), int) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "optional_map_index_value",
                text: "_[_](optional_type(map(K, V)), K) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "__not_strictly_false__",
        doc: INTERNAL,
        example: Example::Gives("__not_strictly_false__(true)", "true"),
        origin: Origin::Computed,
        body: Body::All(convert::identity, Trait::Any), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "__not_strictly_false__", text: "__not_strictly_false__(bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_||_",
        doc: "logical or; if one side is true, the result is true even if the other fails",
        example: Example::Gives("false || true", "true"),
        origin: Origin::Computed,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "logical_or", text: "_||_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Logic, price: Price::One },
        ],
    },
];
