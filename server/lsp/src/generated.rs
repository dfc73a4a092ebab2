//! Definitions that are generated of Go, analysed, and the ways between both texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::generate::Outcome;
use go::json::Json;
use go::load::Place;
use go::marker::Quoted;
use go::schema::Cause;
use go::source::{Origin, Source as _, Token};
use ide::{Code, File, Finding, PlaceOf, Related, Segment, Settings, Stop, Surroundings};
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use crate::golang::is_of_version;

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

/// What is generated of some packages, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) outcome: Arc<Outcome>,
    /// By the Go file that declares the kinds.
    pub(crate) made: Vec<Made>,
}

/// The definitions of the kinds that one Go file declares.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The Go file.
    pub(crate) path: PathBuf,
    /// All of them, as one text.
    pub(crate) buffer: TextBuffer,
    pub(crate) file: File,
    /// Where each definition begins, and the name of the file that it would be written to.
    products: Vec<(TextSize, String)>,
}

/// A place in a generated text that a place in Go is the origin of.
#[derive(Clone, Debug)]
pub(crate) struct Node<'g> {
    pub(crate) made: &'g Made,
    pub(crate) place: PlaceOf,
}

impl Made {
    /// The file that the definition at `offset` would be written to, and where that definition begins.
    pub(crate) fn product(&self, offset: TextSize) -> Option<(TextSize, &str)> {
        let at = self.products.iter().rfind(|(start, _)| *start <= offset)?;
        Some((at.0, &at.1))
    }

    /// The text of the definition that begins at `start`.
    pub(crate) fn text_of(&self, start: TextSize) -> String {
        let ends = self.products.iter().map(|(start, _)| *start).find(|other| *other > start);
        self.buffer.slice(TextRange::new(start, ends.unwrap_or(self.buffer.len()))).into_owned()
    }

    /// The definitions: where each begins, and the file that it would be written to.
    pub(crate) fn products(&self) -> &[(TextSize, String)] {
        &self.products
    }
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
        let mut texts: BTreeMap<PathBuf, (String, Vec<(TextSize, String)>)> = BTreeMap::new();
        for product in &outcome.files {
            let place = product.definition.places.first();
            let Some(source) = place.and_then(|place| outcome.source(place.file)) else { continue };
            let (text, products) = texts.entry(source.path.clone()).or_default();
            products.push((TextSize::try_from(text.len()).unwrap_or(TextSize::MAX), product.name.clone()));
            text.push_str(&product.text);
        }
        let known = |path: &Path| before.and_then(|before| before.made.iter().find(|made| made.path == path));
        let mut made = Vec::with_capacity(texts.len());
        for (path, (text, products)) in texts {
            made.push(Made::analysed(path.clone(), &text, products, known(&path), around)?);
        }
        Some(Self { outcome, made })
    }

    /// The definitions: the name of each, the text that has it, and where it begins there.
    pub(crate) fn products(&self) -> impl Iterator<Item = (&str, &Made, TextSize)> {
        self.made
            .iter()
            .flat_map(|made| made.products.iter().map(move |(start, name)| (name.as_str(), made, *start)))
    }

    /// The text of a definition.
    pub(crate) fn text_of(&self, product: &str) -> Option<&str> {
        self.outcome.files.iter().find(|file| file.name == product).map(|file| &*file.text)
    }

    /// The findings on all definitions, by the Go file that causes them, each once.
    pub(crate) fn findings(&self) -> BTreeMap<PathBuf, Vec<Finding>> {
        let mut found: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for made in &self.made {
            let findings = made.file.findings();
            // Without a group, names and versions lack a part, too.
            let has_group = findings.iter().all(|finding| finding.code != Code::SpecGroupRequired);
            let is_told = |finding: &&Finding| {
                !is_of_later_step(finding.code)
                    && (finding.code != Code::SpecGroupRequired || self.is_of_version(made))
                    && (has_group || !matches!(finding.code, Code::MetadataNameDns | Code::VersionsName))
            };
            for finding in findings.iter().filter(is_told) {
                let Some((path, shown)) = self.shown(made, finding) else { continue };
                if seen.insert((path.clone(), shown.range, shown.code, shown.message.to_string())) {
                    found.entry(path).or_default().push(shown);
                }
            }
        }
        for findings in found.values_mut() {
            findings.sort_by_key(|finding| (finding.range, finding.code));
        }
        found
    }

    /// A finding on a generated definition at the Go token that causes it; none where something is missing on which it rests.
    fn shown(&self, made: &Made, finding: &Finding) -> Option<(PathBuf, Finding)> {
        let (start, product) = made.product(finding.range.start)?;
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let (path, range) = match other_cause(finding.code, &steps) {
            _ if finding.code == Code::SpecGroupRequired => self.clause(made)?,
            Some(steps) if self.outcome.is_whole(product, &steps) => self.origin_of_node(product, &steps)?,
            _ => self.token(made, start, product, &steps, finding.range)?,
        };
        let key = (finding.code == Code::DefaultsUnknownFields)
            .then(|| self.key_within(&path, range, &made.buffer.slice(finding.range)))
            .flatten();
        let range = key.unwrap_or(range);
        let related = finding.related.iter().filter_map(|related| {
            if related.elsewhere.is_some() {
                return Some(related.clone());
            }
            let (other, range) = self.origin_of(made, related.range)?;
            (other == path).then(|| Related::here(range, related.message.clone()))
        });
        let related = related.collect();
        Some((path, Finding { range, related, ..finding.clone() }))
    }

    /// The key of a value in Go, where the value has it as a word once.
    fn key_within(&self, path: &Path, range: TextRange, key: &str) -> Option<TextRange> {
        let source = self.outcome.sources().iter().find(|source| source.path == path)?;
        let written = source.text.get(range.start as usize..range.end as usize)?;
        let key = key.trim_matches(['"', '\'']);
        let is_inner = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.');
        let is_word = |at: &usize| {
            let (before, rest) = written.split_at(*at);
            !before.ends_with(is_inner)
                && !rest.get(key.len()..).is_some_and(|rest| rest.starts_with(is_inner))
        };
        let mut found = written.match_indices(key).map(|(at, _)| at).filter(is_word);
        let at = found.next().filter(|_| found.next().is_none() && !key.is_empty())?;
        let start = range.start + TextSize::try_from(at).ok()?;
        Some(TextRange::new(start, start + TextSize::try_from(key.len()).ok()?))
    }

    /// Whether a package is named like a version. Others may declare kinds of no group, as those of conversions do: no
    /// definition is meant.
    fn is_of_version(&self, made: &Made) -> bool {
        self.outcome.sources().iter().any(|source| source.path == made.path && is_of_version(source))
    }

    /// The name of the package of a file.
    fn clause(&self, made: &Made) -> Option<(PathBuf, TextRange)> {
        let source = self.outcome.sources().iter().find(|source| source.path == made.path)?;
        let span = source.package.span;
        Some((made.path.clone(), TextRange::new(span.start, span.end)))
    }

    /// The Go token that a finding on a definition comes from, or the part of it; its place is one in the text of that definition.
    pub(crate) fn origin(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let (_, made, start) = self.products().find(|(name, ..)| *name == product)?;
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        self.token(made, start, product, &steps, finding.range.shifted(start))
    }

    /// The Go token that a node comes from.
    pub(crate) fn origin_of_node(&self, product: &str, steps: &[&str]) -> Option<(PathBuf, TextRange)> {
        let origin = self.known_origin(product, steps)?;
        let range = range_of(&origin);
        Some((origin.path, range))
    }

    fn token(
        &self,
        made: &Made,
        start: TextSize,
        product: &str,
        steps: &[&str],
        range: TextRange,
    ) -> Option<(PathBuf, TextRange)> {
        let origin = self.known_origin(product, steps)?;
        let place = made.file.place_of(start, steps);
        let part = place.and_then(|place| within(&self.outcome, &origin, &place, range));
        let range = part.unwrap_or_else(|| range_of(&origin));
        Some((origin.path, range))
    }

    /// The first origin of a node of which all is known.
    fn known_origin(&self, product: &str, steps: &[&str]) -> Option<Origin> {
        if !self.outcome.is_whole(product, steps) {
            return None;
        }
        self.outcome.origins(product, steps).into_iter().next()
    }

    /// What stands at `range` of a generated text comes from: the Go file, and the bytes in it.
    pub(crate) fn origin_of(&self, made: &Made, range: TextRange) -> Option<(PathBuf, TextRange)> {
        let place = made.file.place_at(range.start)?;
        let (_, product) = made.product(range.start)?;
        let steps: Vec<&str> = place.steps.iter().map(String::as_str).collect();
        let origin = self.outcome.origins(product, &steps).into_iter().next()?;
        let within = within(&self.outcome, &origin, &place, range);
        Some((origin.path.clone(), within.unwrap_or_else(|| range_of(&origin))))
    }

    /// The nodes of the definitions that what `is_origin` says of places comes into, the first of each definition.
    pub(crate) fn nodes(&self, is_origin: &dyn Fn(&Cause) -> bool) -> Vec<Node<'_>> {
        let mut found = Vec::new();
        for made in &self.made {
            for (start, name) in &made.products {
                let Some(product) = self.outcome.files.iter().find(|file| file.name == *name) else {
                    continue;
                };
                let is_it = |cause: &Cause| {
                    let place = self.outcome.now(product, cause.place);
                    is_origin(&Cause { place, ..cause.clone() })
                };
                let Some(steps) = product.definition.node_of(&is_it) else { continue };
                let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
                // A keyword that means nothing in the end is not written.
                let place = (1..=steps.len())
                    .rev()
                    .find_map(|len| made.file.place_of(*start, steps.get(..len).unwrap_or_default()));
                found.extend(place.map(|place| Node { made, place }));
            }
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
        self.outcome.sources().iter().any(|source| source.path == path)
    }
}

impl Made {
    fn analysed(
        path: PathBuf,
        text: &str,
        products: Vec<(TextSize, String)>,
        before: Option<&Self>,
        around: &Around<'_>,
    ) -> Option<Self> {
        let settings = (around.settings)(&path);
        let base = (around.base)(&path);
        let source: Arc<str> = path.display().to_string().into();
        let surroundings = Surroundings { source, base, ..Surroundings::default() };
        let known = before.filter(|before| *before.file.settings() == settings);
        let (basis, buffer) = match known {
            None => (ide::Basis::new(text, &settings), TextBuffer::new(text)),
            Some(known) => match known.buffer.difference(text) {
                None => (known.file.basis(), known.buffer.clone()),
                Some(edit) => {
                    let buffer = edited(&known.buffer, &edit, text);
                    let slice = |range| buffer.slice(range).into_owned();
                    (known.file.basis().edited(&edit, &slice), buffer)
                }
            },
        };
        let file = basis.analyse(surroundings, around.stop).ok()?;
        Some(Self { path, buffer, file, products })
    }
}

/// The text after an edit; `text` is what comes out.
fn edited(buffer: &TextBuffer, edit: &TextEdit, text: &str) -> TextBuffer {
    let mut after = buffer.clone();
    match after.apply(edit) {
        Ok(()) => after,
        Err(_) => TextBuffer::new(text),
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
    let at = |offset: usize| TextSize::try_from(origin.range.start + offset).unwrap_or(TextSize::MAX);
    Some(TextRange::new(at(written.start), at(written.end)))
}

/// The node whose token causes a finding, where it is another one than the server names.
fn other_cause<'s>(code: Code, steps: &[&'s str]) -> Option<Vec<&'s str>> {
    let node = |up: usize, below: &[&'s str]| {
        let above = steps.get(..steps.len().checked_sub(up)?)?;
        Some([above, below].concat())
    };
    match code {
        Code::StructuralEmbeddedType | Code::StructuralEmbeddedProperties => {
            node(1, &["x-kubernetes-embedded-resource"])
        }
        // The path ends with `items` and the keyword that the items lack.
        Code::SchemaListMapItemsObject | Code::SchemaSetItemsAtomic => node(2, &["x-kubernetes-list-type"]),
        Code::LintStatusSubresource => {
            let version = steps.get(..3).filter(|steps| steps.starts_with(&["spec", "versions"]))?;
            Some([version, &["schema", "openAPIV3Schema", "properties", "status"]].concat())
        }
        _ => None,
    }
}

/// A range as it is from `start` on.
pub(crate) const fn seen_from(start: TextSize, range: TextRange) -> TextRange {
    TextRange::new(range.start.saturating_sub(start), range.end.saturating_sub(start))
}

/// All of a token.
pub(crate) fn range_of(origin: &Origin) -> TextRange {
    let at = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::MAX);
    TextRange::new(at(origin.range.start), at(origin.range.end))
}

/// A step of a path as the keys and indexes of the definition have it.
pub(crate) fn step(segment: &Segment) -> String {
    match segment {
        Segment::Index(index) => index.to_string(),
        segment => segment.key().unwrap_or("").to_owned(),
    }
}
