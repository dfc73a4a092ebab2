//! The authorizer of admission policies. Rules have no authorizer, but its functions are declared for them.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use crate::documentation::{Example, Origin};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "allowed",
        doc: "whether the authorizer allows the request",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "decision_allowed", text: "(kubernetes.authorization.Decision).allowed() -> bool",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "check",
        doc: "checks whether the authorizer allows the request; rules have no authorizer",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "pathcheck_check",
                text: "(kubernetes.authorization.PathCheck).check(string) -> kubernetes.authorization.Decision",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
            Signature { id: "resourcecheck_check",
                text: "(kubernetes.authorization.ResourceCheck).check(string) -> kubernetes.authorization.Decision",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "error",
        doc: "why the authorizer failed",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "decision_error", text: "(kubernetes.authorization.Decision).error() -> string",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "errored",
        doc: "whether the authorizer failed",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "decision_errored", text: "(kubernetes.authorization.Decision).errored() -> bool",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "fieldSelector",
        doc: "restricts the request with a field selector",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "authorizer_fieldselector",
                text: "(kubernetes.authorization.ResourceCheck).fieldSelector(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(31), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "group",
        doc: "the resource group to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "authorizer_group",
                text: "(kubernetes.authorization.Authorizer).group(string) -> kubernetes.authorization.GroupCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "labelSelector",
        doc: "restricts the request with a label selector",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "authorizer_labelselector",
                text: "(kubernetes.authorization.ResourceCheck).labelSelector(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(31), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "name",
        doc: "the name of the resource to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "resourcecheck_name",
                text: "(kubernetes.authorization.ResourceCheck).name(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "namespace",
        doc: "the namespace to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "resourcecheck_namespace",
                text: "(kubernetes.authorization.ResourceCheck).namespace(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "path",
        doc: "the path to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "authorizer_path",
                text: "(kubernetes.authorization.Authorizer).path(string) -> kubernetes.authorization.PathCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "reason",
        doc: "why the authorizer allowed or denied",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "decision_reason", text: "(kubernetes.authorization.Decision).reason() -> string",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "resource",
        doc: "the resource to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "groupcheck_resource",
                text: "(kubernetes.authorization.GroupCheck).resource(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "serviceAccount",
        doc: "an authorizer for a service account; rules have no authorizer",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "authorizer_serviceaccount",
                text: "(kubernetes.authorization.Authorizer).serviceAccount(string, string) -> kubernetes.authorization.Authorizer",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "subresource",
        doc: "the subresource to ask the authorizer about",
        example: Example::None("rules have no authorizer"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "resourcecheck_subresource",
                text: "(kubernetes.authorization.ResourceCheck).subresource(string) -> kubernetes.authorization.ResourceCheck",
                since: Availability::Release(27), run: Run::Never, estimate: Forecast::One, price: Price::One },
        ],
    },
];
