//! Data that objects lose between the versions of a definition if nothing converts them.
//!
//! The server stores objects in one version and prunes them by the schema of each version in which they are
//! read or written. A field of a served version that the storage version lacks is never stored. A field of
//! the storage version that a served version lacks is absent for clients that read that version. It is also
//! removed from the store once they write the object back, even with a patch, because the patch is applied to
//! the object as they read it.
//!
//! If `spec.conversion` is missing, the server uses `None`. But generated definitions get their webhook from
//! a kustomize patch, so fewer findings are reported, with lower severity.

use api::{Code, Severity};
use rustc_hash::FxHashMap;
use text::TextRange;

use crate::cache::Cache;
use crate::compat::{Direction, Loss, LossKind, losses_between};
use crate::field_path::FieldPath;
use crate::finding::{Finding, RelatedInformation};
use crate::message::Message;
use crate::object::CustomResourceDefinition;

const LOSS: Code = Code::LintConversionDataLoss;
const TYPE: Code = Code::LintConversionType;

/// The maximum number of fields of one definition with a separate finding; the last finding counts the
/// others.
const MOST: usize = 10;
/// The maximum if `spec.conversion.strategy` is not set.
const MOST_UNSAID: usize = 3;

/// Adds the fields that the versions of `definition` lose of each other's objects.
pub(crate) fn check(
    definition: &CustomResourceDefinition<'_, '_>,
    cache: &mut Cache,
    findings: &mut Vec<Finding>,
) {
    let (storage, pairs) = losses_between(definition, cache);
    let mut found: Vec<LostField> = Vec::new();
    let mut known: FxHashMap<(Direction, String), usize> = FxHashMap::default();
    for pair in pairs {
        for (direction, loss) in pair.losses {
            let own = LostField::new(direction, loss, &pair.version);
            let type_name = match &own.kind {
                LossKind::Type(type_name, _) => type_name.as_str(),
                _ => "",
            };
            // The opposite direction reports the same difference.
            if !type_name.is_empty() && direction == Direction::FromStorage {
                continue;
            }
            match known.entry((own.direction, format!("{} {type_name}", own.object_path))) {
                std::collections::hash_map::Entry::Occupied(at) => {
                    // Other versions lose the same field.
                    if let Some(first) = found.get_mut(*at.get())
                        && !first.versions.contains(&pair.version)
                    {
                        first.versions.push(pair.version.clone());
                    }
                }
                std::collections::hash_map::Entry::Vacant(at) => {
                    at.insert(found.len());
                    found.push(own);
                }
            }
        }
    }
    found.sort_by_key(|one| (one.range.start, one.direction));
    let has_strategy = definition.field(&["spec", "conversion", "strategy"]).is_some();
    let most = if has_strategy { MOST } else { MOST_UNSAID };
    let more = found.len().saturating_sub(most);
    found.truncate(most);
    let last = found.len();
    for (number, one) in found.into_iter().enumerate() {
        let mut finding = one.finding(&storage);
        if !has_strategy {
            finding.severity = Severity::Information;
        }
        if more > 0 && number + 1 == last {
            let fields = if more == 1 { "1 more field has" } else { &format!("{more} more fields have") };
            let more = format!("; {fields} the same problem (`crd-ls versions` lists all)");
            finding.message.note.push_str(&more);
        }
        findings.push(finding);
    }
}

/// A lost field, with the affected versions besides the storage version.
struct LostField {
    direction: Direction,
    kind: LossKind,
    object_path: String,
    range: TextRange,
    field_path: FieldPath,
    elsewhere: TextRange,
    versions: Vec<String>,
}

impl LostField {
    fn new(direction: Direction, loss: Loss, version: &str) -> Self {
        let Loss { kind, object_path, range, field_path, elsewhere } = loss;
        let direction = if matches!(kind, LossKind::Type(..)) { Direction::Both } else { direction };
        Self {
            direction,
            kind,
            object_path,
            range,
            field_path,
            elsewhere,
            versions: vec![version.to_owned()],
        }
    }

    fn finding(self, storage: &str) -> Finding {
        let (code, severity) = match (&self.kind, self.direction) {
            (LossKind::Type(..), _) => (TYPE, Severity::Warning),
            (_, Direction::ToStorage) => (LOSS, Severity::Warning),
            _ => (LOSS, Severity::Information),
        };
        let other = match self.direction {
            Direction::ToStorage => format!("the storage version `{storage}` does not have it here"),
            Direction::FromStorage => format!("`{}` does not have it here", self.versions.join("`, `")),
            Direction::Both => "the other version declares another type here".to_owned(),
        };
        Finding {
            code,
            severity,
            message: self.message(storage),
            range: self.range,
            field_path: self.field_path,
            api_server: None,
            related: vec![RelatedInformation::here(self.elsewhere, other)],
        }
    }

    fn message(&self, storage: &str) -> Message {
        let object = if self.object_path.is_empty() {
            "the root".to_owned()
        } else {
            format!("`{}`", self.object_path)
        };
        let names: Vec<String> = self.versions.iter().map(|name| format!("`{name}`")).collect();
        let others = text::listed(&names);
        if let LossKind::Type(own, other) = &self.kind {
            return Message::new(format!(
                "{object} has type `{own}` in {others} but `{other}` in storage version `{storage}`"
            ))
            .advise("use one type, or add a conversion webhook");
        }
        let (subject, it, are) = match &self.kind {
            LossKind::Keys => (format!("the keys of {object}"), "them", "are"),
            LossKind::Unknown => (format!("undeclared fields of {object}"), "them", "are"),
            LossKind::Field | LossKind::Type(..) => (object, "it", "is"),
        };
        let verb = if matches!(self.kind, LossKind::Unknown) { "keep" } else { "declare" };
        let remedy = match &self.kind {
            LossKind::Unknown => "declare the fields or keep unknown fields".to_owned(),
            _ => format!("declare {it}"),
        };
        if self.direction == Direction::ToStorage {
            return Message::new(format!(
                "{subject} in {others} {are} never stored, because storage version `{storage}` does not {verb} {it}"
            ))
            .advise(format!("{remedy} in `{storage}`, or add a conversion webhook"));
        }
        let one = self.versions.len() == 1;
        let (they, do_not) = if one { (others.as_str(), "does not") } else { ("they", "do not") };
        Message::new(format!("writes through {others} prune {subject}, which {they} {do_not} {verb}")).advise(
            format!(
                "{remedy}, stop serving {}, or add a conversion webhook",
                if one { others.as_str() } else { "them" }
            ),
        )
    }
}
