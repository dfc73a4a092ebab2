//! The Go tokens that cause the findings on a file with a generated definition.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ide::{Code, FieldPath, Finding, Message};
use text::TextRange;

use super::{GeneratedDefinitions, GoLocator, is_of_later_step};

/// The message of the related Go token of a finding on a generated definition.
const SOURCE_OF_FINDING: &str = "the Go source of this";

/// A Go file, and a range in it.
type GoRange = (PathBuf, TextRange);

/// Finds the Go token of a finding that the currently generated definition does not have. `None` for a copy, which may be
/// older, and points to Go only if the Go types cause the finding.
type FallbackOrigin<'a> = &'a dyn Fn(&Finding) -> Option<GoRange>;

/// The findings on a currently generated definition, with their Go tokens. Findings on a file with this definition are
/// compared with them.
#[derive(Debug, Default)]
pub(crate) struct FindingOrigins {
    origins: HashMap<(Code, FieldPath), Vec<KnownOrigin>>,
}

/// The message of a finding, and its Go token.
type KnownOrigin = (Message, Option<GoRange>);

impl FindingOrigins {
    /// The findings on the definition `product`, which must be analysed.
    pub(crate) fn of(generated: &GeneratedDefinitions, product: &str) -> Self {
        let mut known: HashMap<_, Vec<_>> = HashMap::new();
        for made in &generated.files {
            for (start, findings) in made.file.findings_by_document() {
                if made.product(start).is_none_or(|of| of.name != product) {
                    continue;
                }
                for finding in findings.iter() {
                    let origin = generated.origin_at(product, &finding.shifted(start));
                    let same = known.entry((finding.code, finding.field_path.clone())).or_default();
                    same.push((finding.message.clone(), origin));
                }
            }
        }
        Self { origins: known }
    }

    /// The Go token of a finding on the file, and whether the Go types cause the finding. Further findings on an older file
    /// are caused by the file.
    fn origin_of(&self, finding: &Finding, fallback: FallbackOrigin<'_>) -> Option<(GoRange, bool)> {
        let same = self.origins.get(&(finding.code, finding.field_path.clone())).and_then(|same| {
            // Messages may differ: for example, the size of the object depends on annotations that a later step adds.
            same.iter().find(|(message, _)| *message == finding.message).or(same.first())
        });
        match same {
            Some((_, origin)) => Some((origin.clone()?, true)),
            None => Some((fallback(finding)?, false)),
        }
    }

    /// The Go token of a finding on the file.
    pub(crate) fn origin(&self, finding: &Finding, fallback: FallbackOrigin<'_>) -> Option<GoRange> {
        self.origin_of(finding, fallback).map(|(origin, _)| origin)
    }

    /// Adds the Go tokens that cause the findings on the definition to these findings, and drops those that are reported in
    /// Go files: the files for which `is_reported` returns true.
    pub(crate) fn add_origins(
        &self,
        findings: &mut Vec<Finding>,
        is_on_it: &dyn Fn(&Finding) -> bool,
        is_reported: &dyn Fn(&Path) -> bool,
        located: &GoLocator<'_>,
        fallback: FallbackOrigin<'_>,
    ) {
        findings.retain_mut(|finding| {
            let found = if is_on_it(finding) { self.origin_of(finding, fallback) } else { None };
            let Some(((path, range), is_caused)) = found else { return true };
            if is_caused && is_reported(&path) {
                return is_of_later_step(finding.code);
            }
            finding.related.extend(located.related(&path, range, SOURCE_OF_FINDING));
            true
        });
    }
}
