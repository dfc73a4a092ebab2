//! What an editor or a command line asks of CRD files, in plain terms: findings, fixes, hovers, symbols.
//!
//! Knows no LSP types, does no IO. A [`File`] is an immutable analysis of one text; an edit makes a new one
//! that shares what it did not touch.

mod brief;
mod caches;
mod catalog;
mod cel;
mod clean;
pub mod compat;
mod costs;
mod document;
mod duplicates;
mod experimental;
mod features;
mod file;
mod fix;
mod fixes;
mod grammar;
mod grouping;
mod hover;
mod ignore;
mod judged;
mod kinds;
mod kustomization;
mod migrate;
mod named;
mod objects;
mod parsed;
mod patch;
mod place;
pub mod preview;
mod readings;
mod refactor;
mod rename;
mod requests;
mod resources;
mod selection;
mod settings;
mod settled;
mod short;
mod shown;
mod source_text;
mod stored;
mod surroundings;
mod syntax;
mod test_files;
mod text_at;
mod written;

pub use api::{Code, RULES, Rule, rule};

pub use catalog::{Audience, Candidate, Catalog, Choice, ChosenBy, Definitions, Kept, Naming};
pub use cel::{Completion, CompletionKind, Definition, Hint, RuleAt, Signature, Signatures, TokenClass};
pub use costs::{DefinitionCost, DocumentCosts, RuleCost, Unbounded, VersionCost};
pub use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT, is_unbounded};
pub use crd::experimental::Experiments;
pub use crd::{
    AnswerKind, Elsewhere, ErrorType, FieldPath, Finding, KubernetesVersion, Related, ServerError, Severity,
    Stop,
};
pub use file::{Basis, File};
pub use fix::{Applicability, Fix};
pub use fixes::Budget;
pub use grouping::Grouped;
pub use judged::{Judged, NotJudged, Reason};
pub use kustomization::patches_named_in;
pub use migrate::{Migration, Refusal, UnknownFields};
pub use named::{Named, NamedKind, Query, named};
pub use parsed::{Load, Parsed};
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
