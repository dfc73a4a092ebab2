//! The surroundings of a text, and the parts of them that its documents depend on.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crd::object::definitions;
use rustc_hash::FxHasher;
use yaml::{Document, Reader};

use crate::analysis::catalog::name;
use crate::analysis::compat::Base;
use crate::analysis::kind_corrections::misnamed;
use crate::analysis::kinds::Kind;
use crate::analysis::objects::{Object, objects};
use crate::analysis::unidentified::{Clue, Evidence};
use crate::{Catalog, Definitions, StoredObjects};

/// The source of a text, the definitions that are known there, and the objects that it replaces. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The definitions.
    pub catalog: Catalog,
    /// The name of the text's own source: its path or URI.
    pub source: Arc<str>,
    /// The objects that the definitions and resources in the text replace.
    pub stored: Option<StoredObjects>,
    /// The earlier text for reports on breaking changes.
    pub base: Option<Base>,
}

impl Surroundings {
    /// Whether both are identical, not merely equal.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.catalog.is_identical(&other.catalog)
            && self.source == other.source
            && self.replaces_same(&other.stored)
            && self.is_based_on_same(&other.base)
    }

    /// The same with `own` as the definitions of the text itself.
    pub(crate) fn with_own(&self, own: Option<Definitions>) -> Self {
        let catalog = self.catalog.with([(Arc::clone(&self.source), own)]);
        Self { catalog, ..self.clone() }
    }

    /// Whether `base` is the earlier text for breaking changes.
    fn is_based_on_same(&self, base: &Option<Base>) -> bool {
        match (&self.base, base) {
            (Some(one), Some(other)) => one.is_identical(other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether `stored` has the objects that the text replaces.
    fn replaces_same(&self, stored: &Option<StoredObjects>) -> bool {
        match (&self.stored, stored) {
            (Some(one), Some(other)) => one.is_identical(other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// The inputs that the findings of a document depend on, besides its text and the settings.
#[derive(Debug, Default)]
pub(crate) struct Dependence {
    /// The kinds that it defines or has objects of.
    kinds: Vec<KindState>,
    /// Whether the document defines them.
    defines: bool,
    /// The objects that it replaces.
    stored: Option<StoredObjects>,
    /// The earlier text for its breaking changes.
    base: Option<Base>,
    /// The possible kinds of an object without one. Boxed, because few documents need it.
    unidentified: Option<Box<PossibleKinds>>,
}

/// The possible kinds of an object that lacks `apiVersion` or `kind`, as the catalog had them.
#[derive(Debug)]
struct PossibleKinds {
    evidence: Evidence,
    key: &'static str,
    possible_values: Vec<String>,
}

impl PossibleKinds {
    fn of(document: Document<'_>, surroundings: &Surroundings) -> Option<Self> {
        let Clue { key, evidence, .. } = Clue::of(document)?;
        let possible_values = evidence.possible_values(&surroundings.catalog, &surroundings.source, key);
        Some(Self { evidence, key, possible_values })
    }

    fn holds_in(&self, surroundings: &Surroundings) -> bool {
        let Surroundings { catalog, source, .. } = surroundings;
        self.evidence.possible_values(catalog, source, self.key) == self.possible_values
    }
}

/// A kind, with the state of its definitions.
#[derive(Debug)]
struct KindState {
    group: String,
    kind: String,
    /// Whether a document defines it and has no objects of it.
    is_defined: bool,
    /// The version that an object names.
    version: String,
    state: u64,
}

impl KindState {
    /// A hash of all that is known about the kind. A definition depends only on others of its kind.
    fn state(&self, surroundings: &Surroundings) -> u64 {
        self.state_with(surroundings, |_| {})
    }

    /// The same. Calls `see` with the intended kind if this one is misspelt.
    fn state_with(&self, surroundings: &Surroundings, see: impl FnOnce(&Kind)) -> u64 {
        let Self { group, kind, version, is_defined, .. } = self;
        let catalog = &surroundings.catalog;
        match () {
            () if *is_defined && !catalog.is_contested(group, kind) => 0,
            () if *is_defined || catalog.knows(group, kind) => catalog.state(group, kind),
            () => {
                let kind = Kind { group: group.clone(), version: version.clone(), kind: kind.clone() };
                let mut hasher = FxHasher::default();
                let correction = misnamed(catalog, &kind, &surroundings.source);
                correction.hash(&mut hasher);
                if let Some(intended) = correction.and_then(|correction| correction.intended_kind(&kind)) {
                    see(&intended);
                    catalog.state(&intended.group, &intended.kind).hash(&mut hasher);
                }
                hasher.finish()
            }
        }
    }

    /// Whether `own` defines the kind, or one that it may be a misspelling of.
    fn may_mean(&self, own: &Definitions) -> bool {
        let Self { group, kind, version, is_defined, .. } = self;
        own.defines(group, kind)
            || !is_defined && own.names().any(|(of, name, _)| of == group || of == version || name == kind)
    }
}

impl Dependence {
    /// Returns what `document` depends on in `surroundings`, and reads the definitions that it needs.
    pub(crate) fn of(document: Document<'_>, surroundings: &Surroundings) -> Self {
        let reader = Reader::new(document);
        let defined = definitions(document, &reader);
        let defines = !defined.is_empty();
        let defined =
            defined.iter().filter_map(name).map(|name| (name.group, name.kind, true, String::new()));
        // Definitions are read now, while the caches of the text are free. During the check of a document the caches are
        // locked.
        let read = |kind: &Kind| {
            let _ = surroundings.catalog.validating_definition(kind, &surroundings.source);
            surroundings.catalog.read_rivals(kind, &surroundings.source);
        };
        // A list may have both definitions and other objects.
        let objects = objects(document, &reader).into_iter().filter(|object| !object.kind.is_definition());
        let used = objects.map(|Object { kind, .. }| {
            read(&kind);
            (kind.group, kind.kind, false, kind.version)
        });
        let mut names: Vec<(String, String, bool, String)> = defined.chain(used).collect();
        // If a kind is both defined and used, the entry of its objects remains, which depends on more.
        names.sort();
        names.dedup_by(|next, first| {
            (&next.0, &next.1) == (&first.0, &first.1) && (!next.0.is_empty() || next.3 == first.3)
        });
        let kinds = names.into_iter().map(|(group, kind, is_defined, version)| {
            let kind_state = KindState { group, kind, is_defined, version, state: 0 };
            KindState { state: kind_state.state_with(surroundings, read), ..kind_state }
        });
        let stored = surroundings.stored.clone().filter(|stored| defines || stored.has_objects());
        let base = surroundings.base.clone().filter(|_| defines);
        let kinds: Vec<KindState> = kinds.collect();
        let unidentified =
            if defines { None } else { PossibleKinds::of(document, surroundings).map(Box::new) };
        Self { kinds, defines, stored, base, unidentified }
    }

    /// Whether the findings may depend on `own`, the definitions in the same text. A definition depends only
    /// on others of its kind.
    pub(crate) fn is_about(&self, own: &Definitions, catalog: &Catalog) -> bool {
        let may_depend = |one: &KindState| {
            !one.is_defined || own.repeats_kinds() || catalog.has_other(&one.group, &one.kind, own.source())
        };
        let may_be =
            |one: &PossibleKinds| own.names().any(|(group, kind, _)| one.evidence.is_about(group, kind));
        self.kinds.iter().any(|one| one.may_mean(own) && may_depend(one))
            || self.unidentified.as_deref().is_some_and(may_be)
    }

    /// Whether the inputs are the same in `surroundings`.
    pub(crate) fn holds_in(&self, surroundings: &Surroundings) -> bool {
        let Self { kinds, defines, stored, base, unidentified } = self;
        let compares =
            |stored: &Option<StoredObjects>| stored.as_ref().is_some_and(StoredObjects::has_objects);
        let is_compared = *defines || compares(stored) || compares(&surroundings.stored);
        let is_same = !is_compared || surroundings.replaces_same(stored);
        is_same
            && (!defines || surroundings.is_based_on_same(base))
            && kinds.iter().all(|one| one.state(surroundings) == one.state)
            && unidentified.as_deref().is_none_or(|one| one.holds_in(surroundings))
    }
}
