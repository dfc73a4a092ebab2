//! The answers to requests of editors and of the command line about CRD files: findings, fixes, hovers,
//! symbols.
//!
//! This crate knows no LSP types and does no IO. A [`File`] is an immutable analysis of one text. An edit
//! makes a new one that shares the parts that it does not touch.

mod analysis;
mod features;
mod fixes;
#[cfg(test)]
mod marked_texts;
mod migrate;
mod refactor;
mod requests;

pub use api::{Code, Example, RULES, Rule, rule};

pub use analysis::catalog::{
    Audience, Candidate, Catalog, Choice, ChosenBy, Definitions, SourceRole, SourceScope,
};
pub use analysis::costs::{DefinitionCost, DocumentCosts, RuleCost, UnboundedValue, VersionCost};
pub use analysis::definitions_only::{Comparisons, DefinitionsOnly};
pub use analysis::feature_results::{Fold, FoldKind, Hover, Symbol, SymbolKind};
pub use analysis::file::{AnalysisBasis, File};
pub use analysis::fix::{Applicability, Fix, FixKind, FixPattern};
pub use analysis::grouping::{GroupedFindings, RepeatedFindings, group_severity};
pub use analysis::ignore::silenced_by;
pub use analysis::kustomization::{KUSTOMIZATIONS, patches_named_in};
pub use analysis::parsed_text::{Load, ParsedText};
pub use analysis::selection::{Selection, Selector};
pub use analysis::settings::{FieldValidation, Level, RuleLevels, Settings};
pub use analysis::stored_objects::StoredObjects;
pub use analysis::suite::{TestSuite, TestedKind};
pub use analysis::surroundings::Surroundings;
pub use analysis::test_files::{
    ObjectName, TestFiles, TestSettings, TestTool, TestUse, files_named_by_tests, is_assertion, object_names,
    test_settings,
};
pub use analysis::validation_coverage::{NotJudged, UnvalidatedReason, ValidationCoverage, may_be_defined};
pub use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT, cost_words, is_unbounded};
pub use crd::experimental::Experiments;
pub use crd::{
    AnswerKind, ErrorType, FieldPath, Finding, KubernetesVersion, Message, OtherSource, OtherText,
    RelatedInformation, Segment, ServerError, Severity, SourcePlace, StopSignal,
};
pub use features::cel::{
    Completion, CompletionKind, Definition, Hint, RuleAt, Signature, Signatures, TokenClass,
};
pub use features::named_objects::{NamedKind, NamedObject, Query, find_named};
pub use features::rename::{Rename, RenameTarget};
pub use features::resources::{DefinedKind, Link, LinkTarget, Property, ResourceOfKind};
pub use features::value_paths::{PlaceOf, ScalarText};
pub use features::{DocumentPart, MOST_LEVELS};
pub use fixes::rewrite::FormattedExpression;
pub use fixes::{Budget, FixSource, similar};
pub use migrate::{Migration, Refusal, UnknownFields};
pub use refactor::{Refactoring, RefactoringKind};

pub use analysis::compat;
pub use features::{picture, preview};
