//! What an editor or a command line asks of CRD files, in plain terms: findings, fixes, hovers, symbols.
//!
//! Knows no LSP types, does no IO. A [`File`] is an immutable analysis of one text; an edit makes a new one
//! that shares what it did not touch.

mod basis;
mod brief;
mod by_node;
mod catalog;
mod cel;
pub mod compat;
mod costs;
mod cut;
mod document;
mod duplicates;
mod experimental;
mod features;
mod file;
mod finding;
mod fixes;
mod grouping;
mod ignore;
mod judged;
mod kustomization;
mod migrate;
mod named;
mod parsed;
mod patch;
pub mod preview;
mod readings;
mod refactor;
mod rename;
mod resources;
mod selection;
mod settings;
mod settled;
mod shown;
mod stored;
mod surroundings;
mod syntax;
mod test_files;

pub use api::{Code, RULES, Rule, rule};
pub use basis::Basis;
pub use catalog::{Audience, Candidate, Catalog, Choice, ChosenBy, Definitions, Kept, Load, Naming};
pub use cel::{Completion, CompletionKind, Definition, Hint, RuleAt, Signature, Signatures, TokenClass};
pub use costs::{DefinitionCost, DocumentCosts, RuleCost, Unbounded, VersionCost};
pub use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT, is_unbounded};
pub use crd::experimental::Experiments;
pub use crd::{KubernetesVersion, Stop};
pub use cut::cut;
pub use file::File;
pub use finding::{
    AnswerKind, Applicability, Elsewhere, ErrorType, Finding, Fix, Related, ServerError, Severity,
};
pub use fixes::Budget;
pub use grouping::Grouped;
pub use judged::{Judged, NotJudged, Reason};
pub use kustomization::patches_named_in;
pub use migrate::{Migration, Refusal, UnknownFields};
pub use named::{Named, NamedKind, Query, named};
pub use parsed::Parsed;
pub use refactor::{Refactoring, RefactoringKind};
pub use rename::{Rename, RenameTarget};
pub use resources::{DefinedKind, Link, LinkTarget, Property, ResourceOfKind};
pub use selection::{Selection, Selector};
pub use settings::{FieldValidation, Level, RuleLevels, Settings};
pub use settled::{Comparisons, Settled};
pub use shown::{Fold, FoldKind, Hover, Symbol, SymbolKind};
pub use stored::Stored;
pub use surroundings::Surroundings;
pub use test_files::{
    InTest, ObjectName, TestFiles, TestSettings, TestTool, files_named_by_tests, is_assertion, object_names,
    test_settings,
};
