//! Definitions that are generated from Go, their analyses, and the mapping between both texts.

mod code_classes;
mod consequences;
mod dependent_findings;
mod earlier_findings;
mod finding_origins;
mod finding_tokens;
mod go_causes;
mod go_file_definitions;
mod go_messages;
mod later_definition;
mod locator;
mod provenance;
mod shift;
mod suppression;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::generate::Outcome;
use go::json::Json;
use go::load::Place;
use go::marker::QuotedValue;
use go::schema::Cause;
use go::source::{Origin, OriginKind, Source as _};
use ide::{Code, Finding, PlaceOf, Segment, Settings, StopSignal};
use text::{TextRange, TextSize};

use finding_tokens::DefinitionFindings;

pub(crate) use code_classes::is_of_rule;
pub(crate) use consequences::drop_consequences;
pub(crate) use dependent_findings::DependentFindings;
pub(crate) use finding_origins::FindingOrigins;
pub(crate) use go_file_definitions::{GoFileDefinitions, Product};
pub(crate) use go_messages::title_in_go;
pub(crate) use later_definition::LaterDefinition;
pub(crate) use locator::GoLocator;
pub(crate) use provenance::{
    Freshness, HEAD_BYTES, Provenance, add_stale, annotation_in, document_at, documents, has_all_versions,
    is_same_definition, is_written, with_surroundings,
};
pub(crate) use shift::Shift;
pub(crate) use suppression::drop_suppressed;

/// Whether a step after controller-gen adds the missing part: the annotation of an approval, the conversion.
pub(crate) const fn is_of_later_step(code: Code) -> bool {
    matches!(code, Code::ApprovalMissing | Code::LintConversionType | Code::LintConversionDataLoss)
}

/// The first document of a text, as the API server decodes it.
pub(crate) fn json_of(text: &str) -> Option<Json> {
    let tree = yaml::Tree::parse(text);
    let document = tree.documents().next()?;
    Some(as_go_reads(yaml::decode(document).ok()?.json))
}

/// The value that Go's decoder of JSON reads: all numbers go through 64-bit floating point.
fn as_go_reads(value: yaml::Json) -> Json {
    match value {
        yaml::Json::Null => Json::Null,
        yaml::Json::Bool(flag) => Json::Bool(flag),
        yaml::Json::Int(number) => Json::from_float(number as f64),
        yaml::Json::Uint(number) => Json::from_float(number as f64),
        yaml::Json::Float(number) => Json::from_float(number),
        yaml::Json::String(text) => Json::Text(text),
        yaml::Json::Array(items) => Json::List(items.into_iter().map(as_go_reads).collect()),
        yaml::Json::Object(members) => {
            Json::Map(members.into_iter().map(|(key, value)| (key, as_go_reads(value))).collect())
        }
    }
}

/// The definitions that are generated from some packages, and their findings. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct GeneratedDefinitions {
    pub(crate) outcome: Arc<Outcome>,
    /// By the Go file that declares the kinds.
    pub(crate) files: Vec<GoFileDefinitions>,
    /// The findings on the definitions, as Go has them.
    definition_findings: Vec<DefinitionFindings>,
}

/// A node of a generated text that originates from a place in Go.
#[derive(Clone, Debug)]
pub(crate) struct Node<'g> {
    pub(crate) file: &'g GoFileDefinitions,
    pub(crate) place: PlaceOf,
}

/// The input of the analyses of generated texts, besides the texts.
pub(crate) struct AnalysisInputs<'a> {
    /// The settings for a file.
    pub(crate) settings: &'a dyn Fn(&Path) -> Settings,
    /// The earlier version that a definition is compared with.
    pub(crate) base: &'a dyn Fn(&Path) -> Option<ide::compat::Base>,
    pub(crate) stop: &'a StopSignal,
}

impl GeneratedDefinitions {
    /// Analyses the generated definitions and reuses the results in `before`. `None` if the analysis was stopped.
    pub(crate) fn new(
        outcome: Arc<Outcome>,
        before: Option<&Self>,
        around: &AnalysisInputs<'_>,
    ) -> Option<Self> {
        Self::of(outcome, before, around, |_| true)
    }

    /// The generated definitions, none of which is analysed yet: all analyses together may take 100 MB.
    pub(crate) const fn unanalysed(outcome: Arc<Outcome>) -> Self {
        Self { outcome, files: Vec::new(), definition_findings: Vec::new() }
    }

    /// The same definitions, of which only `product` is analysed. `None` if the analysis was stopped.
    pub(crate) fn analysing(&self, product: &str, around: &AnalysisInputs<'_>) -> Option<Self> {
        Self::of(Arc::clone(&self.outcome), None, around, |name| name == product)
    }

    /// Analyses the selected definitions.
    fn of(
        outcome: Arc<Outcome>,
        before: Option<&Self>,
        around: &AnalysisInputs<'_>,
        is_selected: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut definitions: BTreeMap<&Path, Vec<(String, Arc<str>)>> = BTreeMap::new();
        for product in outcome.files.iter().filter(|product| is_selected(&product.name)) {
            let place = product.definition.places.first();
            let Some(source) = place.and_then(|place| outcome.source(place.file)) else { continue };
            let of_file = definitions.entry(&source.path).or_default();
            of_file.push((product.name.clone(), Arc::clone(&product.text)));
        }
        let known =
            |path: &Path| before.and_then(|before| before.files.iter().find(|made| made.path == path));
        let mut made = Vec::with_capacity(definitions.len());
        for (path, definitions) in definitions {
            made.push(GoFileDefinitions::analysed(path.to_owned(), definitions, known(path), around)?);
        }
        let mut generated = Self { outcome, files: made, definition_findings: Vec::new() };
        generated.definition_findings = generated.all_shown(before);
        Some(generated)
    }

    /// The definitions, each with the text that contains it.
    pub(crate) fn products(&self) -> impl Iterator<Item = (&Product, &GoFileDefinitions)> {
        self.files.iter().flat_map(|made| made.products().iter().map(move |product| (product, made)))
    }

    /// The text of a definition.
    pub(crate) fn text_of(&self, product: &str) -> Option<&str> {
        self.outcome.files.iter().find(|file| file.name == product).map(|file| &*file.text)
    }

    /// The Go token at which a finding on a definition is shown. The range of the finding refers to the text of that definition.
    pub(crate) fn origin(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let (known, _) = self.products().find(|(other, _)| other.name == product)?;
        self.origin_at(product, &finding.shifted(known.start))
    }

    /// The same for a finding whose range refers to the text of all definitions of its Go file.
    fn origin_at(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let (_, made) = self.products().find(|(other, _)| other.name == product)?;
        let cause = self.cause_of(made, finding)?;
        Some((cause.path, cause.range))
    }

    /// The Go token from which a node is generated.
    pub(crate) fn origin_of_node(&self, product: &str, steps: &[&str]) -> Option<(PathBuf, TextRange)> {
        let origin = self.known_origins(product, steps).into_iter().next()?;
        let range = range_of(&origin);
        Some((origin.path, range))
    }

    /// The origins of a node, the closest first; empty if a part of its source is missing.
    fn known_origins(&self, product: &str, steps: &[&str]) -> Vec<Origin> {
        if !self.outcome.are_types_known(product, steps) {
            return Vec::new();
        }
        self.outcome.origins(product, steps)
    }

    /// The origin of `range` in a generated text: the Go file, and the range in it.
    pub(crate) fn origin_of(
        &self,
        made: &GoFileDefinitions,
        range: TextRange,
    ) -> Option<(PathBuf, TextRange)> {
        let place = made.file.place_at(range.start)?;
        let product = made.product(range.start)?;
        let steps: Vec<&str> = place.steps.iter().map(String::as_str).collect();
        let origin = self.outcome.origins(&product.name, &steps).into_iter().next()?;
        let within = range_in_marker(&self.outcome, &origin, &place, range);
        Some((origin.path.clone(), within.unwrap_or_else(|| range_of(&origin))))
    }

    /// The nodes that are generated from the places for which `is_origin` returns true, the first of each definition.
    pub(crate) fn nodes(&self, is_origin: &dyn Fn(&Cause) -> bool) -> Vec<Node<'_>> {
        let mut found = Vec::new();
        for (of, made) in self.products() {
            let Some(product) = self.outcome.files.iter().find(|file| file.name == of.name) else {
                continue;
            };
            let is_it = |cause: &Cause| {
                let place = self.outcome.current_place(cause.place);
                is_origin(&Cause { place, ..cause.clone() })
            };
            let Some(steps) = product.definition.node_of(&is_it) else { continue };
            let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
            // A keyword without effect is not written.
            let place = (1..=steps.len())
                .rev()
                .find_map(|len| made.file.place_of(of.start, steps.get(..len).unwrap_or_default()));
            found.extend(place.map(|place| Node { file: made, place }));
        }
        found
    }

    /// The byte range of a place in Go, if it is in the file at `path`.
    pub(crate) fn range_in(&self, path: &Path, place: Place) -> Option<TextRange> {
        self.outcome.source(place.file).filter(|source| source.path == path)?;
        Some(TextRange::new(place.span.start, place.span.end))
    }

    /// Whether the generation read the file at `path`.
    pub(crate) fn reads(&self, path: &Path) -> bool {
        self.outcome.source_at(path).is_some()
    }
}

/// The bytes of a marker's value from which `range` of the text is generated.
pub(crate) fn range_in_marker(
    outcome: &Outcome,
    origin: &Origin,
    place: &PlaceOf,
    range: TextRange,
) -> Option<TextRange> {
    let scalar = place.scalar.as_ref().filter(|_| origin.token == OriginKind::Annotation)?;
    if !place.value.contains_range(range) {
        return None;
    }
    let quoted = QuotedValue::read(outcome.text_of(origin));
    if quoted.text != scalar.text {
        return None;
    }
    let written = quoted.range(scalar.to_text(range));
    // An empty string has no place to show.
    if written.is_empty() && !range.is_empty() {
        return None;
    }
    let at = |offset: usize| TextSize::try_from(origin.range.start + offset).unwrap_or(TextSize::MAX);
    Some(TextRange::new(at(written.start), at(written.end)))
}

/// A range relative to `start`.
pub(crate) const fn seen_from(start: TextSize, range: TextRange) -> TextRange {
    TextRange::new(range.start.saturating_sub(start), range.end.saturating_sub(start))
}

/// The range of the whole token.
pub(crate) fn range_of(origin: &Origin) -> TextRange {
    TextRange::from_usize(origin.range.clone())
}

/// A segment of a path as a key or an index of the definition.
pub(crate) fn step(segment: &Segment) -> String {
    match segment {
        Segment::Index(index) => index.to_string(),
        segment => segment.key().unwrap_or("").to_owned(),
    }
}
