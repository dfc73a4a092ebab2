//! The packages that a package's types refer to, which are therefore type-checked before it.

use std::collections::HashSet;
use std::sync::Arc;

use super::generator::Generator;
use super::problem::{Problem, ProblemKind};
use super::resolve::{Scope, looks_like};
use crate::load::{FileId, PackageId, Place};
use crate::syntax::{Expr, ExprKind, File, Import, Span, json_tag};

impl Generator<'_> {
    /// Type-checks a package as controller-gen does, after the packages that its types refer to.
    pub(super) fn check(&mut self, id: PackageId) {
        self.check_below(id, &mut HashSet::new());
    }

    fn check_below(&mut self, id: PackageId, running: &mut HashSet<PackageId>) {
        if self.is_checked(id) || !running.insert(id) {
            return;
        }
        for package in self.referred(id) {
            self.check_below(package, running);
        }
        let imports = self.all_imports(id);
        let visible = imports.into_iter().filter(|import| self.is_checked(*import)).collect();
        self.visible.insert(id, visible);
    }

    /// The packages that a package imports and that have been type-checked.
    fn all_imports(&mut self, id: PackageId) -> Vec<PackageId> {
        let Some(package) = self.loader.package(id) else { return Vec::new() };
        let mut found = Vec::new();
        let checked: HashSet<String> = self
            .visible
            .keys()
            .filter_map(|checked| Some(self.loader.package(*checked)?.path.clone()))
            .collect();
        for file_id in &package.files {
            let Some(file) = self.loader.file(*file_id) else { continue };
            for import in file.imports.iter().filter(|import| checked.contains(&import.path)) {
                found.extend(self.loader.import(
                    &package,
                    &import.path,
                    Place { file: *file_id, span: import.span },
                ));
            }
        }
        found
    }

    /// The packages that the types of a package name in tagged fields, outside of interfaces.
    fn referred(&mut self, id: PackageId) -> Vec<PackageId> {
        let Some(package) = self.loader.package(id) else { return Vec::new() };
        if !package.is_sound {
            return Vec::new();
        }
        let files: Vec<(FileId, Arc<File>)> =
            package.files.iter().filter_map(|id| Some((*id, self.loader.file(*id)?))).collect();
        let named: Vec<_> = files.iter().map(|(_, file)| references(file)).collect();
        let likely = files.iter().zip(&named).flat_map(|((_, file), names)| {
            let is_named = |import: &&Import| names.iter().any(|(name, _)| may_be(import, name));
            file.imports.iter().filter(is_named).map(|import| import.path.as_str())
        });
        self.loader.read_ahead(&package, &likely.collect());
        let mut found = Vec::new();
        for ((file_id, file), names) in files.iter().zip(&named) {
            let scope = Scope { package: id, id: *file_id, file, parameters: &[] };
            for import in file.imports.iter().filter(|import| import.name.as_deref() == Some(".")) {
                found.extend(self.imported(scope, &import.path, import.span));
            }
            for (name, span) in names {
                match self.import_named(scope, name) {
                    Some((path, span)) => found.extend(self.imported(scope, &path, span)),
                    None => {
                        let token = Some(Self::place(*file_id, *span));
                        let message = format!("use of unimported package \"{name}\"");
                        let problem = Problem::new(self.spot_of(id), message, ProblemKind::Unimported);
                        self.report(problem.at(token).of_go(true));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The names of packages in the types of a file, each with its first occurrence.
fn references(file: &File) -> Vec<(&str, Span)> {
    let mut names = Vec::new();
    for (_, declared) in file.types() {
        references_in(&declared.expr, &mut names);
    }
    let mut seen = HashSet::new();
    names.retain(|(name, _)| seen.insert(*name));
    names
}

/// Whether a name probably refers to an import.
fn may_be(import: &Import, name: &str) -> bool {
    import.name.as_deref().map_or_else(|| looks_like(&import.path, name), |given| given == name)
}

/// The names of packages in a type expression.
fn references_in<'e>(expr: &'e Expr, names: &mut Vec<(&'e str, Span)>) {
    match &expr.kind {
        ExprKind::Qualified(package, _) => names.push((package, expr.span)),
        ExprKind::Pointer(inner)
        | ExprKind::Slice(inner)
        | ExprKind::Array(inner)
        | ExprKind::Paren(inner) => {
            references_in(inner, names);
        }
        ExprKind::Map(key, value) => {
            references_in(key, names);
            references_in(value, names);
        }
        ExprKind::Instance(inner, arguments) => {
            references_in(inner, names);
            arguments.iter().for_each(|argument| references_in(argument, names));
        }
        ExprKind::Struct(fields) => {
            for field in fields {
                let before = names.len();
                references_in(&field.expr, names);
                // Most types name no package, and parsing a tag takes longer.
                let is_tagged = || field.tag.as_ref().is_some_and(|tag| json_tag(&tag.text).is_some());
                if names.len() > before && !is_tagged() {
                    names.truncate(before);
                }
            }
        }
        _ => {}
    }
}
