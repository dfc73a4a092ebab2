//! What a text is surrounded by, and what of it its documents rest on.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crd::object::definitions;
use rustc_hash::FxHasher;
use yaml::{Document, Reader};

use crate::analysis::catalog::name;
use crate::analysis::compat::Base;
use crate::analysis::kinds::Kind;
use crate::analysis::misnamed::misnamed;
use crate::analysis::nameless::{Clue, Evidence};
use crate::analysis::objects::{Object, objects};
use crate::{Catalog, Definitions, Stored};

/// Where a text stands, which definitions are known there, and what it replaces. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The definitions.
    pub catalog: Catalog,
    /// The name of the text's own source: its path or URI.
    pub source: Arc<str>,
    /// What the definitions and resources in the text are to replace.
    pub stored: Option<Stored>,
    /// What breaking changes are told against.
    pub base: Option<Base>,
}

impl Surroundings {
    /// Whether these are the very same ones.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.catalog.is(&other.catalog)
            && self.source == other.source
            && self.replaces_same(&other.stored)
            && self.is_based_on_same(&other.base)
    }

    /// The same with `own` as what the text itself defines.
    pub(crate) fn with_own(&self, own: Option<Definitions>) -> Self {
        let catalog = self.catalog.with([(Arc::clone(&self.source), own)]);
        Self { catalog, ..self.clone() }
    }

    /// Whether breaking changes are told against `base`.
    fn is_based_on_same(&self, base: &Option<Base>) -> bool {
        match (&self.base, base) {
            (Some(one), Some(other)) => one.is(other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether `stored` is what the text is to replace.
    fn replaces_same(&self, stored: &Option<Stored>) -> bool {
        match (&self.stored, stored) {
            (Some(one), Some(other)) => one.is(other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// What the findings of a document rest on beside its text and the settings.
#[derive(Debug, Default)]
pub(crate) struct Dependence {
    /// The kinds that it defines or has objects of.
    kinds: Vec<Rested>,
    /// Whether it defines them.
    defines: bool,
    /// What it is to replace.
    stored: Option<Stored>,
    /// What its breaking changes are told against.
    base: Option<Base>,
    /// What it may be although it does not say so; apart, as few documents have it and each has room for it.
    nameless: Option<Box<MayBe>>,
}

/// What an object may be that does not say what it is, with what was known of that.
#[derive(Debug)]
struct MayBe {
    evidence: Evidence,
    key: &'static str,
    answers: Vec<String>,
}

impl MayBe {
    fn of(document: Document<'_>, surroundings: &Surroundings) -> Option<Self> {
        let Clue { key, evidence, .. } = Clue::of(document)?;
        let answers = evidence.answers(&surroundings.catalog, &surroundings.source, key);
        Some(Self { evidence, key, answers })
    }

    fn holds_in(&self, surroundings: &Surroundings) -> bool {
        let Surroundings { catalog, source, .. } = surroundings;
        self.evidence.answers(catalog, source, self.key) == self.answers
    }
}

/// A kind, with what was known of its definitions.
#[derive(Debug)]
struct Rested {
    group: String,
    kind: String,
    /// Whether a document defines it, and has no objects of it.
    is_defined: bool,
    /// The version that an object names.
    version: String,
    state: u64,
}

impl Rested {
    /// A hash of what is known of it. A definition depends on others of its kind only.
    fn state(&self, surroundings: &Surroundings) -> u64 {
        let Self { group, kind, version, is_defined, .. } = self;
        let catalog = &surroundings.catalog;
        match () {
            () if *is_defined && !catalog.is_contested(group, kind) => 0,
            () if *is_defined || catalog.knows(group, kind) => catalog.state(group, kind),
            () => {
                let kind = Kind { group: group.clone(), version: version.clone(), kind: kind.clone() };
                let mut hasher = FxHasher::default();
                misnamed(catalog, &kind, &surroundings.source).hash(&mut hasher);
                hasher.finish()
            }
        }
    }

    /// Whether `own` defines it, or what it may be meant to name.
    fn may_mean(&self, own: &Definitions) -> bool {
        let Self { group, kind, version, is_defined, .. } = self;
        own.defines(group, kind)
            || !is_defined && own.names().any(|(of, name, _)| of == group || of == version || name == kind)
    }
}

impl Dependence {
    /// What `document` depends on in `surroundings`; reads the definitions that it needs.
    pub(crate) fn of(document: Document<'_>, surroundings: &Surroundings) -> Self {
        let reader = Reader::new(document);
        let defined = definitions(document, &reader);
        let defines = !defined.is_empty();
        let defined =
            defined.iter().filter_map(name).map(|(group, kind, _)| (group, kind, true, String::new()));
        // A list may hold both.
        let objects = objects(document, &reader).into_iter().filter(|object| !object.kind.is_definition());
        let judged = objects.map(|Object { kind, .. }| {
            // Read now, as the caches of the text are free: while a document is judged they are in use, and of no help.
            let _ = surroundings.catalog.judge(&kind, &surroundings.source);
            surroundings.catalog.read_rivals(&kind, &surroundings.source);
            (kind.group, kind.kind, false, kind.version)
        });
        let mut names: Vec<(String, String, bool, String)> = defined.chain(judged).collect();
        // Of a kind that it has both of, the objects rest on more.
        names.sort();
        names.dedup_by(|next, first| {
            (&next.0, &next.1) == (&first.0, &first.1) && (!next.0.is_empty() || next.3 == first.3)
        });
        let kinds = names.into_iter().map(|(group, kind, is_defined, version)| {
            let rested = Rested { group, kind, is_defined, version, state: 0 };
            Rested { state: rested.state(surroundings), ..rested }
        });
        let stored = surroundings.stored.clone().filter(|stored| defines || stored.has_objects());
        let base = surroundings.base.clone().filter(|_| defines);
        let kinds: Vec<Rested> = kinds.collect();
        let nameless = if defines { None } else { MayBe::of(document, surroundings).map(Box::new) };
        Self { kinds, defines, stored, base, nameless }
    }

    /// Whether the findings may rest on what `own`, definitions in the same text, say. A definition rests only on others of
    /// its kind.
    pub(crate) fn is_about(&self, own: &Definitions, catalog: &Catalog) -> bool {
        let is_asked = |one: &Rested| {
            !one.is_defined || own.repeats() || catalog.has_other(&one.group, &one.kind, own.source())
        };
        let may_be = |one: &MayBe| own.names().any(|(group, kind, _)| one.evidence.is_about(group, kind));
        self.kinds.iter().any(|one| one.may_mean(own) && is_asked(one))
            || self.nameless.as_deref().is_some_and(may_be)
    }

    /// Whether the same is known in `surroundings`.
    pub(crate) fn holds_in(&self, surroundings: &Surroundings) -> bool {
        let Self { kinds, defines, stored, base, nameless } = self;
        let compares = |stored: &Option<Stored>| stored.as_ref().is_some_and(Stored::has_objects);
        let is_compared = *defines || compares(stored) || compares(&surroundings.stored);
        let is_same = !is_compared || surroundings.replaces_same(stored);
        is_same
            && (!defines || surroundings.is_based_on_same(base))
            && kinds.iter().all(|one| one.state(surroundings) == one.state)
            && nameless.as_deref().is_none_or(|one| one.holds_in(surroundings))
    }
}
