//! What a change of a definition does to clusters that run the earlier one: to objects that are stored, to clients that
//! write them as before, and to those that read them.
//!
//! kube-apiserver accepts all of these changes. A change is breaking where an object or a request that was fine before is
//! not fine any more; it is risky where that depends on what cannot be seen in the definitions; it is safe otherwise.

mod between;
mod conversion;
mod declared;
mod definition;
mod fulfilled;
mod gates;
mod loss;
mod rules;
mod same;
mod schema;
mod unchanged;
mod values;
mod versions;

#[cfg(test)]
mod tests;

use api::Code;
use text::TextRange;

pub(crate) use between::losses_between;
pub use declared::Declared;
pub(crate) use loss::{Loss, Way, What};
pub use versions::{FieldCell, FieldRow, VersionColumn, VersionTable, versions};

use crate::cache::Cache;
use crate::field_path::FieldPath;
use crate::object::CustomResourceDefinition;

/// How much a change harms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Something that was fine before is refused or lost.
    Breaking,
    /// It depends on the objects and clients that there are.
    Risky,
    /// Nothing that was fine before is touched.
    Safe,
}

impl Class {
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

/// Who feels a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Affected {
    /// Objects that are stored become invalid or lose data.
    StoredObjects,
    /// Clients and manifests that write as before.
    Writers,
    /// Clients that read and know the earlier definition.
    Readers,
}

impl Affected {
    /// Who that is, as a part of a sentence.
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
    /// How much it harms.
    pub class: Class,
    /// Who feels it.
    pub affects: &'static [Affected],
    /// What changed, naming the field and both values.
    pub message: String,
    /// The same without the field: what is alike in changes of one cause.
    pub cause: String,
    /// The version that it is in; none where it is in all.
    pub version: Option<String>,
    /// The field of objects that it is about, such as `.spec.size`; empty outside of schemas.
    pub object_path: String,
    /// Where it stands in the new definition, or what is nearest to where it stood, in bytes.
    pub range: TextRange,
    /// The path to that place from the root of the document.
    pub field_path: FieldPath,
    /// Where it stands, or stood, in the old definition, in bytes; none where that has nothing of it.
    pub before: Option<TextRange>,
    /// Whether the server goes on accepting stored objects whose value stays as it is (validation ratcheting, on since
    /// Kubernetes 1.30).
    pub ratchets: bool,
}

impl Change {
    /// Whether it is in a version that promises nothing, such as `v1alpha1`.
    #[must_use]
    pub fn is_alpha(&self) -> bool {
        self.version.as_deref().is_some_and(|version| version.contains("alpha"))
    }
}

/// What is different in `new`, in the order of its text, the worst first where several stand at one place. The `cache`
/// knows nodes of both texts.
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
