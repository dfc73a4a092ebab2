//! Fields that have another JSON name than their author means, or none, because of their tag.

use crate::edits::field_at;
use crate::generate::Outcome;
use crate::load::Place;
use crate::schema::ProblemKind;

impl Outcome {
    /// The places of mistakes in the tags of fields, or of missing tags, whose Go name is `name` except for capitals.
    pub(crate) fn misnamed_fields(&self, name: &str) -> impl Iterator<Item = Place> {
        let untagged = self.problems.iter().filter(|problem| problem.kind == ProblemKind::Untagged);
        let untagged = untagged.filter_map(|problem| self.place_of(problem));
        let tags = self.ineffective().iter().filter(|one| one.is_tag).map(|one| one.place);
        untagged.chain(tags).filter(move |place| self.is_of_field(*place, name))
    }

    /// Whether a place is within a field with a name.
    fn is_of_field(&self, place: Place, name: &str) -> bool {
        let field = self.source(place.file).and_then(|file| field_at(file, place.span.start));
        field.is_some_and(|(field, _)| field.names.iter().any(|own| own.name.eq_ignore_ascii_case(name)))
    }
}
