//! The fixes that were already found in the last generation of a unit. Editors request them again with each movement of the
//! cursor, and each of them takes a generation.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use ide::Fix;
use text::TextRange;

use crate::go_package::Offer;

/// The maximum number of answers of each kind that are kept.
const KEPT: usize = 64;

/// Answers by the file and the question about it, the oldest first.
type Answers<Q, A> = VecDeque<((PathBuf, Q), A)>;

/// The answers for one generation.
#[derive(Debug, Default)]
pub(super) struct KnownFixes {
    /// The fixes of definitions, by the file and the requested range.
    offers: Answers<TextRange, Vec<Offer>>,
    /// The fixes at all places of a file, by the file and the fixes at one place.
    similar: Answers<Vec<Fix>, Vec<Fix>>,
}

impl KnownFixes {
    pub(super) fn offers(&self, path: &Path, requested: TextRange) -> Option<Vec<Offer>> {
        let known = self.offers.iter().find(|((file, range), _)| file == path && *range == requested);
        known.map(|(_, offers)| offers.clone())
    }

    pub(super) fn keep_offers(&mut self, path: &Path, requested: TextRange, offers: Vec<Offer>) {
        push(&mut self.offers, ((path.to_owned(), requested), offers));
    }

    pub(super) fn similar(&self, path: &Path, fixes: &[Fix]) -> Option<Vec<Fix>> {
        let known = self.similar.iter().find(|((file, of), _)| file == path && of == fixes);
        known.map(|(_, similar)| similar.clone())
    }

    pub(super) fn keep_similar(&mut self, path: &Path, fixes: &[Fix], similar: Vec<Fix>) {
        push(&mut self.similar, ((path.to_owned(), fixes.to_vec()), similar));
    }
}

/// Adds an answer in place of the oldest one.
fn push<T>(answers: &mut VecDeque<T>, answer: T) {
    if answers.len() == KEPT {
        answers.pop_front();
    }
    answers.push_back(answer);
}
