//! The effects of a changed definition on clusters that run the earlier one: on stored objects, on clients
//! that write as before, and on clients that read.
//!
//! kube-apiserver accepts all of these changes. A change is breaking if an object or a request that was
//! accepted before no longer is; it is risky if that depends on facts that the definitions do not show; it is
//! safe otherwise.

mod between;
mod conversion;
mod declarations;
mod definition;
mod fulfilment;
mod gates;
mod loss;
mod node_paths;
mod rules;
mod same;
mod schema;
mod unchanged_nodes;
mod values;
mod versions;

#[cfg(test)]
mod tests;

use api::Code;
use text::TextRange;

pub(crate) use between::losses_between;
pub use declarations::FieldDeclaration;
pub(crate) use loss::{Direction, Loss, LossKind};
pub use versions::{FieldCell, FieldRow, VersionColumn, VersionTable, versions};

use crate::cache::Cache;
use crate::field_path::FieldPath;
use crate::object::CustomResourceDefinition;

/// The severity of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeSeverity {
    /// Objects or requests that were accepted before are rejected or lose data.
    Breaking,
    /// The effect depends on the existing objects and clients.
    Risky,
    /// Nothing that was accepted before is affected.
    Safe,
}

impl ChangeSeverity {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Risky => "risky",
            Self::Safe => "safe",
        }
    }
}

/// The objects or clients that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AffectedParty {
    /// Objects that are stored become invalid or lose data.
    StoredObjects,
    /// Clients and manifests that write as before.
    Writers,
    /// Clients that read and know the earlier definition.
    Readers,
}

impl AffectedParty {
    /// The objects or clients, as a part of a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StoredObjects => "stored objects",
            Self::Writers => "clients that write",
            Self::Readers => "clients that read",
        }
    }
}

/// A difference between two definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rule, such as `compat/field-removed`.
    pub code: Code,
    /// The severity.
    pub class: ChangeSeverity,
    /// The affected objects and clients.
    pub affects: &'static [AffectedParty],
    /// The message, which names the field and both values.
    pub message: String,
    /// The message without the field: equal for changes with the same cause.
    pub cause: String,
    /// The version that it is in; `None` if it applies to all versions.
    pub version: Option<String>,
    /// The field of objects that it is about, such as `.spec.size`; empty outside of schemas.
    pub object_path: String,
    /// The range of the change in the new definition, or of the node nearest to a removed one, in bytes.
    pub range: TextRange,
    /// The path to that range from the root of the document.
    pub field_path: FieldPath,
    /// The range of the changed node in the old definition, in bytes; `None` if it did not exist there.
    pub before: Option<TextRange>,
    /// Whether the server continues to accept stored objects whose value does not change (validation
    /// ratcheting, on since Kubernetes 1.30).
    pub ratchets: bool,
}

impl Change {
    /// Whether it is in a version without guarantees, such as `v1alpha1`.
    #[must_use]
    pub fn is_alpha(&self) -> bool {
        self.version.as_deref().is_some_and(|version| version.contains("alpha"))
    }
}

/// The changes from `old` to `new`, in the order of the new text; at the same position, the most severe
/// first. The `cache` has the nodes of both texts.
#[must_use]
pub fn compare<'o, 'n>(
    old: &CustomResourceDefinition<'_, 'o>,
    new: &CustomResourceDefinition<'_, 'n>,
    cache: &mut Cache,
) -> Vec<Change> {
    let mut changes = definition::compare(old, new, cache);
    changes.extend(gates::compare(old, new, cache));
    changes.extend(conversion::compare(old, new, cache));
    changes.sort_by(|one, other| {
        (one.range.start, one.class, one.code, &one.message).cmp(&(
            other.range.start,
            other.class,
            other.code,
            &other.message,
        ))
    });
    changes
}
