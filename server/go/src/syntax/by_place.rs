//! Markers by the position of their target, in the order of the text.

use std::ops::Range;
use std::sync::Arc;

use super::MarkerComment;

/// The markers of types or of fields. A walk over the text finds them in order, so the list needs no hashing.
#[derive(Debug, Default)]
pub struct ByPlace(Vec<(u32, Arc<[MarkerComment]>)>);

impl ByPlace {
    /// The markers of the target that starts at `start`.
    #[must_use]
    pub fn get(&self, start: u32) -> Option<&[MarkerComment]> {
        let at = self.0.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.0.get(at).map(|(_, list)| &**list)
    }

    /// All markers, by the start of their target.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[MarkerComment])> {
        self.0.iter().map(|(start, list)| (*start, &**list))
    }

    /// The markers of targets that start in a part of the text, in bytes.
    pub fn markers_within(&self, part: super::Span) -> impl Iterator<Item = (u32, &[MarkerComment])> {
        let first = self.0.partition_point(|(start, _)| *start < part.start);
        let rest = self.0.get(first..).unwrap_or_default().iter();
        rest.take_while(move |(start, _)| *start < part.end).map(|(start, list)| (*start, &**list))
    }

    /// Adds markers. If markers for the same position exist, the new ones replace them.
    pub(super) fn insert(&mut self, start: u32, list: Arc<[MarkerComment]>) {
        if self.0.last().is_none_or(|(last, _)| *last < start) {
            self.0.push((start, list));
            return;
        }
        match self.0.binary_search_by_key(&start, |(start, _)| *start) {
            Ok(at) => {
                if let Some((_, known)) = self.0.get_mut(at) {
                    *known = list;
                }
            }
            Err(at) => self.0.insert(at, (start, list)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A range of the list.
    pub(super) fn slice(&self, numbers: Range<usize>) -> &[(u32, Arc<[MarkerComment]>)] {
        self.0.get(numbers).unwrap_or_default()
    }

    /// Appends markers after all existing positions.
    pub(super) fn extend(&mut self, rest: impl Iterator<Item = (u32, Arc<[MarkerComment]>)>) {
        self.0.extend(rest);
    }
}
