//! The parts of the server's code that report findings. The findings of one part may hide those of another.

use rustc_hash::FxHashSet;

use super::Outcome;
use super::outcome::Findings;
use crate::field_path::FieldPath;
use crate::schema::Flags;

/// The part of `validateCustomResourceDefinitionValidation` that reports a finding, or another source of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// Checks of the root besides its structure (checks 79 to 81).
    Root,
    /// `ValidateStructural` (checks 82 to 97); not reached if the schema cannot be converted.
    Structural,
    /// The recursion over the schema (checks 104 to 137).
    Schema,
    /// Like [`Self::Schema`], but updates keep errors that the stored definition has: check 104.
    Types,
    /// Like [`Self::Types`]: check 116.
    SetItems,
    /// Like [`Self::Types`]: checks 126 to 128.
    MapKeys,
    /// `NewStructural` (check 148); reported only if there are no other errors.
    Convert,
    /// A check that the server skips because another check at the same place fails.
    Skipped,
    /// A warning, which the server returns beside its answer.
    Warning,
    /// A check of crd-ls alone.
    Lint,
}

/// The stages of the recursion over the schema.
const SCHEMA_STAGES: [Stage; 4] = [Stage::Schema, Stage::Types, Stage::SetItems, Stage::MapKeys];

impl Stage {
    /// The flag of a schema with such a finding.
    pub(crate) fn flag(self) -> Flags {
        match self {
            Self::Structural => Flags::NON_STRUCTURAL,
            Self::Schema => Flags::SCHEMA_ERRORS,
            Self::Types => Flags::UNKNOWN_TYPES,
            Self::SetItems => Flags::SET_ITEMS,
            Self::MapKeys => Flags::MAP_KEYS,
            Self::Root | Self::Convert | Self::Skipped | Self::Warning | Self::Lint => Flags::NONE,
        }
    }
}

/// The checks that the server relaxes on update because the stored definition already fails them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ratchets {
    /// The flags of the stored definition's schemas; none on create.
    stored: Flags,
    /// The warnings for the stored definition.
    warnings: FxHashSet<String>,
}

impl Ratchets {
    /// Records that a default of the stored definition has unknown fields.
    pub(crate) fn note_unpruned_defaults(&mut self) {
        self.stored |= Flags::UNPRUNED_DEFAULTS;
    }

    /// Records the flags and warnings of a schema of the stored definition.
    pub(crate) fn note(&mut self, outcome: &Outcome) {
        self.stored |= outcome.flags;
        let mut pending: Vec<&Findings> = outcome.findings.as_deref().into_iter().collect();
        while let Some(findings) = pending.pop() {
            let warnings = findings.own.iter().filter(|finding| finding.stage == Stage::Warning);
            // The text of a warning contains no path.
            self.warnings.extend(warnings.map(|finding| finding.server_message(&FieldPath::root(), &[])));
            pending.extend(findings.below.iter().map(|below| below.findings.as_ref()));
        }
    }
}

/// How the server treats a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Treatment {
    /// It reports it.
    Reported,
    /// It reports it after the errors that hide it are fixed.
    Hidden,
    /// It accepts it, because the stored definition has the same error.
    Tolerated,
    /// It has no such check.
    NotChecked,
}

/// The conditions that decide which findings about a schema the server reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportingConditions<'c> {
    /// Whether the document has YAML syntax errors.
    pub(crate) has_syntax_errors: bool,
    /// Whether the server can decode the definition.
    pub(crate) decodes: bool,
    /// The flags of the schema.
    pub(crate) flags: Flags,
    /// The flags of all schemas of the definition.
    pub(crate) all_flags: Flags,
    /// Whether the root has a finding of [`Stage::Root`].
    pub(crate) has_root_errors: bool,
    /// Whether the server prunes undeclared fields.
    pub(crate) prunes: bool,
    /// Whether it prunes them once the definition is fixed: a new definition of v1 must not preserve all
    /// unknown fields.
    pub(crate) must_prune: bool,
    pub(crate) ratchets: &'c Ratchets,
}

impl ReportingConditions<'_> {
    /// How the server treats a finding of `stage`.
    pub(crate) fn treatment(&self, stage: Stage) -> Treatment {
        if stage == Stage::Lint {
            return Treatment::NotChecked;
        }
        if self.relaxes(stage) {
            return Treatment::Tolerated;
        }
        let hidden = !self.decodes
            || stage == Stage::Skipped
            || stage == Stage::Structural && self.flags.contains(Flags::UNCONVERTIBLE)
            || stage == Stage::Convert && (self.has_root_errors || self.has_schema_errors());
        if hidden { Treatment::Hidden } else { Treatment::Reported }
    }

    /// Whether an update relaxes the checks of `stage`.
    fn relaxes(&self, stage: Stage) -> bool {
        match stage {
            Stage::Structural | Stage::Convert => self.need_not_be_structural(),
            Stage::Types | Stage::SetItems | Stage::MapKeys => self.ratchets.stored.contains(stage.flag()),
            Stage::Root | Stage::Schema | Stage::Skipped | Stage::Warning | Stage::Lint => false,
        }
    }

    /// Schemas that prune, or that have defaults or extensions, must be structural in any case.
    fn need_not_be_structural(&self) -> bool {
        self.ratchets.stored.contains(Flags::NON_STRUCTURAL | Flags::UNCONVERTIBLE)
            && !self.prunes
            && !self.all_flags.contains(Flags::DEFAULTS | Flags::EXTENSIONS)
    }

    /// Whether a check of the recursion over the schema fails; CEL rules are then not compiled.
    pub(crate) fn has_schema_errors(&self) -> bool {
        SCHEMA_STAGES.into_iter().any(|stage| self.flags.contains(stage.flag()) && !self.relaxes(stage))
    }

    /// Whether a finding of `stage` prevents the compilation of the rules of its node and of the nodes around
    /// it.
    pub(crate) fn hides_rules(&self, stage: Stage) -> bool {
        SCHEMA_STAGES.contains(&stage) && !self.relaxes(stage)
    }

    /// Whether defaults must not have unknown fields; an update may keep those of the stored definition
    /// (check 98).
    pub(crate) fn requires_pruned_defaults(&self) -> bool {
        !self.ratchets.stored.contains(Flags::UNPRUNED_DEFAULTS)
    }

    /// Whether the server continues from the structure to default values (checks 98 to 102) and rules.
    pub(crate) fn reaches_defaults(&self) -> bool {
        self.decodes
            && !self.flags.contains(Flags::NON_STRUCTURAL | Flags::UNCONVERTIBLE)
            && !self.need_not_be_structural()
    }

    /// Whether the stored definition also gets the warning `words`; the server does not repeat it.
    pub(crate) fn was_warned(&self, words: &str) -> bool {
        self.ratchets.warnings.contains(words)
    }
}
