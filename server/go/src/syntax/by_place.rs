//! Markers by the places of what they belong to, in the order of the text.

use super::MarkerComment;

/// The markers of types or of fields. A walk over the text finds them in order, so that the list needs no hashing.
#[derive(Debug, Default)]
pub struct ByPlace(Vec<(u32, Vec<MarkerComment>)>);

impl ByPlace {
    /// The markers of what begins at `start`.
    #[must_use]
    pub fn get(&self, start: u32) -> Option<&[MarkerComment]> {
        let at = self.0.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.0.get(at).map(|(_, list)| list.as_slice())
    }

    /// All of them, by where they begin.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[MarkerComment])> {
        self.0.iter().map(|(start, list)| (*start, list.as_slice()))
    }

    /// Those of what begins in a part of the text, in bytes.
    pub fn within(&self, part: super::Span) -> impl Iterator<Item = (u32, &[MarkerComment])> {
        let first = self.0.partition_point(|(start, _)| *start < part.start);
        let rest = self.0.get(first..).unwrap_or_default().iter();
        rest.take_while(move |(start, _)| *start < part.end).map(|(start, list)| (*start, list.as_slice()))
    }

    /// Adds markers; of the same place, those that come last count.
    pub(super) fn insert(&mut self, start: u32, list: Vec<MarkerComment>) {
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

    pub(super) fn lists_mut(&mut self) -> impl Iterator<Item = &mut Vec<MarkerComment>> {
        self.0.iter_mut().map(|(_, list)| list)
    }
}
