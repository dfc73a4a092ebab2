//! The analysis of a text: its contents, the definitions around it, and the findings.
//!
//! A [`File`](file::File) is the analysis of one text. Its documents are checked one by one (`document`): by
//! themselves (`crd`), for readings and duplicates, and in their surroundings: the catalog of definitions,
//! the stored version, the settings.

pub(crate) mod brief;
pub(crate) mod caches;
pub(crate) mod catalog;
pub(crate) mod cel;
pub(crate) mod clean;
pub mod compat;
pub(crate) mod conflict;
pub(crate) mod consequences;
pub(crate) mod costs;
pub(crate) mod definitions_only;
pub(crate) mod divided_definition;
pub(crate) mod document;
pub(crate) mod duplicates;
pub(crate) mod feature_results;
pub(crate) mod file;
pub(crate) mod fix;
pub(crate) mod foreign_line;
pub(crate) mod grammar;
pub(crate) mod grouping;
pub(crate) mod head_slip;
pub(crate) mod headless_list;
pub(crate) mod ignore;
pub(crate) mod inputs;
pub(crate) mod joined_objects;
pub(crate) mod json;
pub(crate) mod kind_corrections;
pub(crate) mod kinds;
pub(crate) mod kustomization;
pub(crate) mod missing_key;
pub(crate) mod misspelt_name;
pub(crate) mod misspelt_property;
pub(crate) mod objects;
pub(crate) mod parsed_text;
pub(crate) mod patch;
pub(crate) mod place;
pub(crate) mod plural;
pub(crate) mod readings;
pub(crate) mod repaired_object;
pub(crate) mod repaired_text;
pub(crate) mod resources;
pub(crate) mod second_item;
pub(crate) mod selection;
pub(crate) mod separated;
pub(crate) mod separator;
pub(crate) mod settings;
pub(crate) mod shifts;
pub(crate) mod short;
pub(crate) mod source_text;
pub(crate) mod stored_objects;
pub(crate) mod stray_sign;
pub(crate) mod suite;
pub(crate) mod surroundings;
pub(crate) mod syntax;
pub(crate) mod test_files;
pub(crate) mod text_at;
#[cfg(test)]
mod typing_tests;
pub(crate) mod undeclared;
pub(crate) mod unfinished;
pub(crate) mod unidentified;
pub(crate) mod unindented;
pub(crate) mod unnamed_schema;
pub(crate) mod validation_coverage;
pub(crate) mod values;
pub(crate) mod version_name;
