//! For which files the user names definitions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Files for which settings name definitions, such as those of an override.
#[derive(Clone)]
pub struct Audience {
    key: Arc<str>,
    holds: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Audience {
    /// The sources of which `holds` is true, which it decides by their names. Audiences with the same `key` are the same.
    pub fn new(key: impl Into<Arc<str>>, holds: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { key: key.into(), holds: Arc::new(holds) }
    }
}

impl PartialEq for Audience {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Audience {}

impl Hash for Audience {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Audience").field(&self.key).finish()
    }
}

/// How the user names a source of definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Naming {
    is_for_all: bool,
    /// None for most; shared, as definitions are cloned often.
    audiences: Option<Arc<[Audience]>>,
    is_for_nobody_else: bool,
}

impl Naming {
    /// For all files.
    #[must_use]
    pub fn for_all() -> Self {
        Self { is_for_all: true, ..Self::default() }
    }

    /// For these files; others may know the source as one that was found.
    #[must_use]
    pub fn for_some(audience: Audience) -> Self {
        Self { audiences: Some(Arc::new([audience])), ..Self::default() }
    }

    /// Both this one and `other`.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut all: Vec<Audience> = self.audiences().to_vec();
        all.extend(other.audiences().iter().filter(|one| !self.audiences().contains(one)).cloned());
        Self {
            is_for_all: self.is_for_all || other.is_for_all,
            audiences: (!all.is_empty()).then(|| all.into()),
            is_for_nobody_else: false,
        }
    }

    /// The same for a source that nobody would know otherwise: it counts for no other file.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { is_for_nobody_else: !self.is_for_all && self.audiences.is_some(), ..self }
    }

    fn audiences(&self) -> &[Audience] {
        self.audiences.as_deref().unwrap_or_default()
    }

    /// Whether the user names the source for all files.
    pub(super) const fn is_for_all(&self) -> bool {
        self.is_for_all
    }

    /// Whether the user names the source for some files, and not for all.
    pub(super) const fn is_only_for_some(&self) -> bool {
        self.audiences.is_some() && !self.is_for_all
    }

    /// Whether the user names the source for the file `from` in particular.
    pub(super) fn is_for(&self, from: &str) -> bool {
        self.audiences().iter().any(|audience| (audience.holds)(from))
    }

    /// Whether only the files that it is named for know the source.
    pub(super) const fn is_for_nobody_else(&self) -> bool {
        self.is_for_nobody_else
    }
}
