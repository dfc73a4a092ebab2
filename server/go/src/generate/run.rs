//! A run of the generator, kind by kind.

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use super::outcome::GeneratedFile;
use super::{ANNOTATION, Request};
use crate::changes::Moves;
use crate::definition::Definition;
use crate::json::Json;
use crate::load::{Place, Roots};
use crate::schema::{Generator, Problem, ProblemKind, ProblemPlace, Schema, TypeId};
use crate::version::Change;
use crate::yaml;

/// A run of the generator.
pub(super) struct Run<'d, 'r> {
    pub(super) generator: Generator<'d>,
    pub(super) request: &'r Request<'r>,
    pub(super) moves: &'r Moves,
    /// Definitions that are reused because no edit affects their types.
    pub(super) same: Vec<GeneratedFile>,
    /// All definitions of the previous generation.
    pub(super) before: &'r [GeneratedFile],
    pub(super) files: Vec<GeneratedFile>,
    /// The indexes of the files that are not written yet, and the number of problems after each.
    pub(super) unwritten: Vec<(usize, usize)>,
    pub(super) panic: Option<Problem>,
    /// The declarations of the kinds whose definitions are not generated because of the panic.
    pub(super) ungenerated: Vec<Place>,
}

impl Run<'_, '_> {
    pub(super) fn all(&mut self, roots: &Roots) {
        for folder in &roots.empty {
            let message = format!("no Go files in {}", folder.display());
            let spot = ProblemPlace::Package("".to_owned());
            self.generator.report(Problem::new(spot, message, ProblemKind::Other));
        }
        for root in &roots.packages {
            self.generator.need_package(*root);
        }
        if !roots.packages.iter().any(|root| self.generator.imports_meta(*root)) {
            return;
        }
        let kinds = self.generator.kinds();
        // The kind with which a problem is reported depends on the set of kinds.
        if !self.same.iter().all(|file| kinds.contains(&file.kind)) {
            self.same.clear();
        }
        for (number, kind) in kinds.iter().enumerate() {
            match self.same.iter().position(|file| file.kind == *kind) {
                Some(at) => self.reuse(at),
                None => {
                    if self.kind(kind.clone()).is_break() {
                        self.give_up(kinds.get(number..).unwrap_or_default());
                        break;
                    }
                }
            }
        }
        self.write();
    }

    /// Notes the declarations of `kinds`, for which controller-gen generates no definitions.
    fn give_up(&mut self, kinds: &[(String, Arc<str>)]) {
        let types: Vec<TypeId> = kinds.iter().flat_map(|kind| self.generator.types_of(kind)).collect();
        self.ungenerated = types.iter().filter_map(|id| Some(self.generator.info(id)?.place)).collect();
    }

    fn reuse(&mut self, at: usize) {
        let file = self.same.swap_remove(at);
        for problem in &file.problems {
            let spot = match &problem.spot {
                ProblemPlace::Place(place) => ProblemPlace::Place(self.moves.current_place(*place)),
                other => other.clone(),
            };
            let token = problem.token.map(|token| self.moves.current_place(token));
            self.generator.report(Problem { spot, token, ..problem.clone() });
        }
        self.files.push(file);
    }

    /// Generates the definition of a kind. Breaks if controller-gen ends.
    fn kind(&mut self, kind: (String, Arc<str>)) -> ControlFlow<()> {
        let (request, generator) = (self.request, &mut self.generator);
        let problem_count = generator.problems.len();
        let mut definition = match generator.definition(&kind.0, &kind.1, request.options.max_description) {
            Ok(Some(definition)) => definition,
            Ok(None) => return ControlFlow::Continue(()),
            Err(crash) => {
                let spot = crash.place.map_or(ProblemPlace::Nowhere, ProblemPlace::Place);
                self.panic = Some(Problem::new(spot, crash.message, ProblemKind::Other));
                return ControlFlow::Break(());
            }
        };
        if !request.options.omit_tool_version {
            let key = ANNOTATION.to_owned();
            definition.annotations.insert(key, request.version.to_string());
        }
        for version in &mut definition.versions {
            if let Some(metadata) = version.schema.properties.get_mut("metadata") {
                let causes = metadata.causes.clone();
                *metadata = Arc::new(Schema { causes, ..Schema::of("object") });
            }
        }
        if let Some(refused) = request.options.crd_versions.iter().find(|version| *version != "v1") {
            let message = format!("apiVersion \"apiextensions.k8s.io/{refused}\" is not supported");
            generator.report(Problem::new(ProblemPlace::Nowhere, message, ProblemKind::Other));
            return ControlFlow::Break(());
        }
        if kind.0.is_empty() && !request.version.has(Change::EmptyGroup) {
            definition = Definition { annotations: definition.annotations, ..Definition::default() };
        }
        let problems = generator.problems.get(problem_count..).unwrap_or_default().to_vec();
        self.unwritten.push((self.files.len(), generator.problems.len()));
        self.files.push(GeneratedFile {
            name: format!("{}_{}.yaml", definition.group, definition.names.plural),
            text: Arc::default(),
            types: generator.types_of(&kind).into(),
            texts: definition.texts().into(),
            definition: Arc::new(definition),
            has_missing_type: Arc::default(),
            kind,
            problems,
            parts: yaml::SharedYaml::default(),
        });
        ControlFlow::Continue(())
    }

    /// Writes the files in parallel. controller-gen ends at the first file that it cannot write.
    fn write(&mut self) {
        let (request, before, files) = (self.request, self.before, &self.files);
        let write = |(at, problem_count): &(usize, usize)| {
            let file = files.get(*at)?;
            let before = before.iter().find(|before| before.kind == file.kind);
            Some((*at, *problem_count, definition_text(&file.definition, request, before)))
        };
        let texts: Vec<_> = self.unwritten.par_iter().filter_map(write).collect();
        for (at, problem_count, written) in texts {
            match (self.files.get_mut(at), written) {
                (Some(file), Ok((text, parts))) => (file.text, file.parts) = (text.into(), parts),
                _ => {
                    self.files.truncate(at);
                    self.generator.problems.truncate(problem_count);
                    self.panic = None;
                    self.ungenerated.clear();
                    let message = "yaml: control characters are not allowed".to_owned();
                    self.generator.report(Problem::new(ProblemPlace::Nowhere, message, ProblemKind::Other));
                    return;
                }
            }
        }
    }
}

/// The text of a definition. Parts that are shared with `before` are not written again.
fn definition_text(
    definition: &Definition,
    request: &Request<'_>,
    before: Option<&GeneratedFile>,
) -> Result<(String, yaml::SharedYaml), yaml::ControlCharacter> {
    let header = request.header.replace(" YEAR", &format!(" {}", request.options.year));
    let json: Json = definition.to_json(request.options.preserve_unknown_fields);
    yaml::written_after(format!("{header}---\n"), &json, before.map(|before| (&*before.text, &before.parts)))
}
