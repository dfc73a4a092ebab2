//! Definitions that are generated of Go, analysed, and the ways between both texts.

mod consequences;
mod later;
mod leads;
mod located;
mod made;
mod shift;
mod shown;
mod silenced;
#[cfg(test)]
mod tests;
mod words;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::generate::Outcome;
use go::json::Json;
use go::load::Place;
use go::marker::Quoted;
use go::schema::Cause;
use go::source::{Origin, Source as _, Token};
use ide::{Code, Finding, PlaceOf, Segment, Settings, Stop};
use text::{TextRange, TextSize};

use shown::Shown;

pub(crate) use consequences::drop_consequences;
pub(crate) use later::Later;
pub(crate) use leads::Leads;
pub(crate) use located::Located;
pub(crate) use made::{Made, Product};
pub(crate) use shift::Shift;
pub(crate) use shown::is_of_rule;
pub(crate) use silenced::drop_silenced;
pub(crate) use words::title_in_go;
pub(crate) use written::{
    HEAD_BYTES, Written, add_stale, annotation_in, document_at, documents, is_written, with_header,
};

/// Whether what a finding misses is added behind controller-gen: the annotation of an approval, the conversion.
pub(crate) const fn is_of_later_step(code: Code) -> bool {
    matches!(code, Code::ApprovalMissing | Code::LintConversionType | Code::LintConversionDataLoss)
}

/// The first document of a text, as the API server decodes it.
pub(crate) fn json_of(text: &str) -> Option<Json> {
    let tree = yaml::Tree::parse(text);
    let document = tree.documents().next()?;
    Json::decoded(&yaml::decode(document).ok()?.json.to_string()).ok()
}

/// What is generated of some packages, and what is wrong with it. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) outcome: Arc<Outcome>,
    /// By the Go file that declares the kinds.
    pub(crate) made: Vec<Made>,
    /// The findings on the definitions, as Go has them.
    shown: Vec<Shown>,
}

/// A place in a generated text that a place in Go is the origin of.
#[derive(Clone, Debug)]
pub(crate) struct Node<'g> {
    pub(crate) made: &'g Made,
    pub(crate) place: PlaceOf,
}

/// What the analyses of generated texts depend on beside these.
pub(crate) struct Around<'a> {
    /// The settings for a file.
    pub(crate) settings: &'a dyn Fn(&Path) -> Settings,
    /// What a definition is compared with.
    pub(crate) base: &'a dyn Fn(&Path) -> Option<ide::compat::Base>,
    pub(crate) stop: &'a Stop,
}

impl Generated {
    /// Analyses what is generated; what `before` knows of it is used again. None where nobody waits any more.
    pub(crate) fn new(outcome: Arc<Outcome>, before: Option<&Self>, around: &Around<'_>) -> Option<Self> {
        Self::of(outcome, before, around, |_| true)
    }

    /// What is generated, of which no definition is analysed yet: all of them may take 100 MB.
    pub(crate) const fn unanalysed(outcome: Arc<Outcome>) -> Self {
        Self { outcome, made: Vec::new(), shown: Vec::new() }
    }

    /// The same with the definition `product` analysed, and no other. None where nobody waits any more.
    pub(crate) fn analysing(&self, product: &str, around: &Around<'_>) -> Option<Self> {
        Self::of(Arc::clone(&self.outcome), None, around, |name| name == product)
    }

    /// Analyses the definitions that are meant.
    fn of(
        outcome: Arc<Outcome>,
        before: Option<&Self>,
        around: &Around<'_>,
        is_meant: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut definitions: BTreeMap<&Path, Vec<(String, Arc<str>)>> = BTreeMap::new();
        for product in outcome.files.iter().filter(|product| is_meant(&product.name)) {
            let place = product.definition.places.first();
            let Some(source) = place.and_then(|place| outcome.source(place.file)) else { continue };
            let of_file = definitions.entry(&source.path).or_default();
            of_file.push((product.name.clone(), Arc::clone(&product.text)));
        }
        let known = |path: &Path| before.and_then(|before| before.made.iter().find(|made| made.path == path));
        let mut made = Vec::with_capacity(definitions.len());
        for (path, definitions) in definitions {
            made.push(Made::analysed(path.to_owned(), definitions, known(path), around)?);
        }
        let mut generated = Self { outcome, made, shown: Vec::new() };
        generated.shown = generated.all_shown(before);
        Some(generated)
    }

    /// The definitions, each with the text that has it.
    pub(crate) fn products(&self) -> impl Iterator<Item = (&Product, &Made)> {
        self.made.iter().flat_map(|made| made.products().iter().map(move |product| (product, made)))
    }

    /// The text of a definition.
    pub(crate) fn text_of(&self, product: &str) -> Option<&str> {
        self.outcome.files.iter().find(|file| file.name == product).map(|file| &*file.text)
    }

    /// The Go token at which a finding on a definition is shown; its place is one in the text of that definition.
    pub(crate) fn origin(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let (known, _) = self.products().find(|(other, _)| other.name == product)?;
        self.origin_at(product, &finding.shifted(known.start))
    }

    /// The same for a finding whose place is one in the text of all definitions of its Go file.
    fn origin_at(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let (_, made) = self.products().find(|(other, _)| other.name == product)?;
        let cause = self.cause_of(made, finding)?;
        Some((cause.path, cause.range))
    }

    /// The Go token that a node comes from.
    pub(crate) fn origin_of_node(&self, product: &str, steps: &[&str]) -> Option<(PathBuf, TextRange)> {
        let origin = self.known_origins(product, steps).into_iter().next()?;
        let range = range_of(&origin);
        Some((origin.path, range))
    }

    /// The origins of a node, the closest first; none where something is missing that it is made of.
    fn known_origins(&self, product: &str, steps: &[&str]) -> Vec<Origin> {
        if !self.outcome.is_whole(product, steps) {
            return Vec::new();
        }
        self.outcome.origins(product, steps)
    }

    /// What stands at `range` of a generated text comes from: the Go file, and the bytes in it.
    pub(crate) fn origin_of(&self, made: &Made, range: TextRange) -> Option<(PathBuf, TextRange)> {
        let place = made.file.place_at(range.start)?;
        let product = made.product(range.start)?;
        let steps: Vec<&str> = place.steps.iter().map(String::as_str).collect();
        let origin = self.outcome.origins(&product.name, &steps).into_iter().next()?;
        let within = within(&self.outcome, &origin, &place, range);
        Some((origin.path.clone(), within.unwrap_or_else(|| range_of(&origin))))
    }

    /// The nodes of the definitions that what `is_origin` says of places comes into, the first of each definition.
    pub(crate) fn nodes(&self, is_origin: &dyn Fn(&Cause) -> bool) -> Vec<Node<'_>> {
        let mut found = Vec::new();
        for (of, made) in self.products() {
            let Some(product) = self.outcome.files.iter().find(|file| file.name == of.name) else {
                continue;
            };
            let is_it = |cause: &Cause| {
                let place = self.outcome.now(cause.place);
                is_origin(&Cause { place, ..cause.clone() })
            };
            let Some(steps) = product.definition.node_of(&is_it) else { continue };
            let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
            // A keyword that means nothing in the end is not written.
            let place = (1..=steps.len())
                .rev()
                .find_map(|len| made.file.place_of(of.start, steps.get(..len).unwrap_or_default()));
            found.extend(place.map(|place| Node { made, place }));
        }
        found
    }

    /// A place of Go in bytes, where it is one of the file at `path`.
    pub(crate) fn range_in(&self, path: &Path, place: Place) -> Option<TextRange> {
        self.outcome.source(place.file).filter(|source| source.path == path)?;
        Some(TextRange::new(place.span.start, place.span.end))
    }

    /// Whether a file is one of those that were read.
    pub(crate) fn reads(&self, path: &Path) -> bool {
        self.outcome.source_at(path).is_some()
    }
}

/// The bytes of a marker's value that make `range` of the text that is generated of it.
pub(crate) fn within(
    outcome: &Outcome,
    origin: &Origin,
    place: &PlaceOf,
    range: TextRange,
) -> Option<TextRange> {
    let scalar = place.scalar.as_ref().filter(|_| origin.token == Token::Annotation)?;
    if !place.value.contains_range(range) {
        return None;
    }
    let quoted = Quoted::read(outcome.text_of(origin));
    if quoted.text != scalar.text {
        return None;
    }
    let written = quoted.range(scalar.to_text(range));
    // Between quotes with nothing in them is no place to show.
    if written.is_empty() && !range.is_empty() {
        return None;
    }
    let at = |offset: usize| TextSize::try_from(origin.range.start + offset).unwrap_or(TextSize::MAX);
    Some(TextRange::new(at(written.start), at(written.end)))
}

/// A range as it is from `start` on.
pub(crate) const fn seen_from(start: TextSize, range: TextRange) -> TextRange {
    TextRange::new(range.start.saturating_sub(start), range.end.saturating_sub(start))
}

/// All of a token.
pub(crate) fn range_of(origin: &Origin) -> TextRange {
    TextRange::from_usize(origin.range.clone())
}

/// A step of a path as the keys and indexes of the definition have it.
pub(crate) fn step(segment: &Segment) -> String {
    match segment {
        Segment::Index(index) => index.to_string(),
        segment => segment.key().unwrap_or("").to_owned(),
    }
}
