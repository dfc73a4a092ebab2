//! The declared fields that a mapping does not set: one of them is the intended one if a key is unknown.

use rustc_hash::FxHashSet;
use yaml::{Mapping, Reader};

use crate::analysis::resources::shape::{Member, Shape};

/// The minimum length of a name, in characters, that shows which field is meant. Shorter names are similar to others by
/// chance.
const SHORTEST: usize = 4;

/// The fields of a shape that a mapping does not set.
pub(crate) struct UnsetFields<'s>(Vec<Member<'s>>);

impl<'s> UnsetFields<'s> {
    /// The fields of `shape` that `holder` does not set.
    pub(crate) fn of<'t>(holder: Mapping<'t>, shape: Shape<'s>, reader: &Reader<'t>) -> Self {
        let set = reader.entries(holder);
        let set: FxHashSet<&str> = set.iter().map(|(key, _)| &**key).collect();
        let mut members = shape.members();
        members.retain(|member| !set.contains(&*member.name));
        Self(members)
    }

    /// The field whose name is closest to `written`, if one is close enough.
    pub(crate) fn similar(&self, written: &str) -> Option<&str> {
        crd::cel::nearest(written, self.names())
    }

    /// The field that `written` is meant to be: a similar one, or for short names one that differs only in the case of
    /// letters.
    pub(crate) fn meant(&self, written: &str) -> Option<&str> {
        let is_long = written.chars().count() >= SHORTEST;
        self.similar(written).filter(|name| is_long || name.eq_ignore_ascii_case(written))
    }

    /// The field that shares words with `written`.
    pub(crate) fn with_words(&self, written: &str) -> Option<&str> {
        crd::suggest::with_words(written, self.names())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|member| &*member.name)
    }
}
