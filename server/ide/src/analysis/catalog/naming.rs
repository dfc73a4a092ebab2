//! The files for which the user names a source of definitions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Files for which a setting names definitions, such as the files of an override.
#[derive(Clone)]
pub struct Audience {
    key: Arc<str>,
    holds: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Audience {
    /// The files whose source names satisfy `holds`. Audiences with the same `key` are equal.
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

/// The files for which the user names a source of definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceScope {
    is_for_all: bool,
    /// `None` for most sources. Shared, because definitions are cloned often.
    audiences: Option<Arc<[Audience]>>,
    is_exclusive: bool,
}

impl SourceScope {
    /// The settings name it for all files.
    #[must_use]
    pub fn for_all() -> Self {
        Self { is_for_all: true, ..Self::default() }
    }

    /// Named for these files. For other files, the source may be one that was found.
    #[must_use]
    pub fn for_some(audience: Audience) -> Self {
        Self { audiences: Some(Arc::new([audience])), ..Self::default() }
    }

    /// The union of this naming and `other`.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut all: Vec<Audience> = self.audiences().to_vec();
        all.extend(other.audiences().iter().filter(|one| !self.audiences().contains(one)).cloned());
        Self {
            is_for_all: self.is_for_all || other.is_for_all,
            audiences: (!all.is_empty()).then(|| all.into()),
            is_exclusive: false,
        }
    }

    /// The same for a source that was not found otherwise: its definitions count in no other file.
    #[must_use]
    pub fn exclusive(self) -> Self {
        Self { is_exclusive: !self.is_for_all && self.audiences.is_some(), ..self }
    }

    fn audiences(&self) -> &[Audience] {
        self.audiences.as_deref().unwrap_or_default()
    }

    /// Whether the user names the source for all files.
    pub(super) const fn is_for_all(&self) -> bool {
        self.is_for_all
    }

    /// Whether the user names the source for some files, but not for all.
    pub(super) const fn is_only_for_some(&self) -> bool {
        self.audiences.is_some() && !self.is_for_all
    }

    /// Whether the user names the source for the file `from` in particular.
    pub(super) fn is_for(&self, from: &str) -> bool {
        self.audiences().iter().any(|audience| (audience.holds)(from))
    }

    /// Whether the source counts only in the files for which it is named.
    pub(super) const fn is_exclusive(&self) -> bool {
        self.is_exclusive
    }
}
