//! What kube-apiserver's `ValidateCustomResourceDefinition` says of everything in a definition but its schemas, in the
//! server's order.

use yaml::Reader;

use crate::Options;
use crate::object::CustomResourceDefinition;
use crate::report::Violation;

/// Adds what is wrong with `definition` outside its schemas.
pub(crate) fn check<'t>(
    _definition: &CustomResourceDefinition<'_, 't>,
    _options: &Options,
    _reader: &Reader<'t>,
    _violations: &mut Vec<Violation>,
) {
}
