//! What an editor or a command line asks of CRD files, in plain terms: findings, fixes, hovers, symbols.
//!
//! Knows no LSP types, does no IO. A [`File`] is an immutable analysis of one text; an edit makes a new one
//! that shares what it did not touch.

mod cel;
mod clean;
mod costs;
mod document;
mod duplicates;
mod features;
mod file;
mod finding;
mod fixes;
mod ignore;
mod readings;
mod rules;
mod settings;
mod syntax;

pub use cel::{Completion, CompletionKind, Definition, Hint, Signature, Signatures, TokenClass};
pub use costs::{DefinitionCost, DocumentCosts, RuleCost, Unbounded, VersionCost};
pub use crd::KubernetesVersion;
pub use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT};
pub use file::{File, Fold, FoldKind, Hover, Symbol, SymbolKind};
pub use finding::{AnswerKind, Applicability, Finding, Fix, Related, ServerError, Severity};
pub use rules::{RULES, Rule, rule};
pub use settings::{Level, RuleLevels, Settings};
