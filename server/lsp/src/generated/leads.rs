//! The Go tokens that the findings on a file come from which has a generated definition.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ide::{Code, FieldPath, Finding, Message};
use text::TextRange;

use super::{Generated, Located, is_of_later_step};

/// What the Go token is to a finding on a definition that is generated of it.
const SOURCE_OF_FINDING: &str = "the Go source of this";

/// A Go file, and the bytes in it.
type GoRange = (PathBuf, TextRange);

/// Finds the Go token of a finding that the definition does not have as it is generated now: none for a copy, which may be older and
/// leads to Go only if the Go types cause the finding.
type Otherwise<'a> = &'a dyn Fn(&Finding) -> Option<GoRange>;

/// The findings on a definition as it is generated now, with their Go tokens. Those on a file that has it are compared with them.
#[derive(Debug, Default)]
pub(crate) struct Leads {
    known: HashMap<(Code, FieldPath), Vec<Known>>,
}

/// What a finding says, and its Go token.
type Known = (Message, Option<GoRange>);

impl Leads {
    /// Those of the definition `product`, which is analysed.
    pub(crate) fn of(generated: &Generated, product: &str) -> Self {
        let mut known: HashMap<_, Vec<_>> = HashMap::new();
        for made in &generated.made {
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
        Self { known }
    }

    /// The Go token of a finding on the file, and whether the Go types cause the finding. What an older file has beside is true of the
    /// file.
    fn found(&self, finding: &Finding, otherwise: Otherwise<'_>) -> Option<(GoRange, bool)> {
        let same = self.known.get(&(finding.code, finding.field_path.clone())).and_then(|same| {
            // The size of the object, for one, depends on the annotations that a later step adds.
            same.iter().find(|(message, _)| *message == finding.message).or(same.first())
        });
        match same {
            Some((_, origin)) => Some((origin.clone()?, true)),
            None => Some((otherwise(finding)?, false)),
        }
    }

    /// The Go token of a finding on the file.
    pub(crate) fn origin(&self, finding: &Finding, otherwise: Otherwise<'_>) -> Option<GoRange> {
        self.found(finding, otherwise).map(|(origin, _)| origin)
    }

    /// Adds to the findings on the definition the Go tokens that they come from, and drops those that Go files tell; `is_told` says
    /// which files do.
    pub(crate) fn lead(
        &self,
        findings: &mut Vec<Finding>,
        is_on_it: &dyn Fn(&Finding) -> bool,
        is_told: &dyn Fn(&Path) -> bool,
        located: &Located<'_>,
        otherwise: Otherwise<'_>,
    ) {
        findings.retain_mut(|finding| {
            let found = if is_on_it(finding) { self.found(finding, otherwise) } else { None };
            let Some(((path, range), is_caused)) = found else { return true };
            if is_caused && is_told(&path) {
                return is_of_later_step(finding.code);
            }
            finding.related.extend(located.related(&path, range, SOURCE_OF_FINDING));
            true
        });
    }
}
