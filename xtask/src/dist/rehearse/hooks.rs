//! The hooks of `.pre-commit-hooks.yaml`, as `pre-commit try-repo` runs them on a project.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::{Outcome, Stage, ci, output_with_status};
use crate::dist::write;
use crate::place;

const TOOLS: [&str; 1] = ["pre-commit==4.7.0"];

/// A resource that the definition [`DEFINITION`] rejects.
const SAMPLE: &str =
    "apiVersion: example.com/v1\nkind: Gadget\nmetadata:\n  name: one\nspec:\n  size: many\n";

/// A valid definition.
const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
";

/// Runs all three hooks, installed from the new wheel.
pub(super) fn try_repository(stage: &Stage<'_>) -> Result<Outcome, String> {
    let tools = match place::python_tools("pre-commit", &TOOLS) {
        Ok(tools) => tools,
        Err(problem) => return Ok(Outcome::Skipped(format!("pre-commit cannot be installed: {problem}"))),
    };
    let project = stage.empty("hooks")?;
    write(&project.join("crds/gadgets.yaml"), DEFINITION)?;
    ci::commit(&project)?;
    // Only a sample is changed; the hook must still find its definition.
    write(&project.join("samples/one.yaml"), SAMPLE)?;
    place::stdout_of(Command::new("git").args(["add", "."]).current_dir(&project))?;
    let begun = Instant::now();
    let output = hook(stage, &tools, &project, "crd-ls", 1)?;
    let time = begun.elapsed();
    if !output.contains("resource/type") && !output.contains("spec.size") {
        return Err(format!("the hook does not report the sample's size:\n{output}"));
    }
    // A definition with a breaking change, and one that can be fixed.
    write(&project.join("crds/gadgets.yaml"), DEFINITION.replace("type: integer", "type: string"))?;
    place::stdout_of(Command::new("git").args(["add", "."]).current_dir(&project))?;
    let output = hook(stage, &tools, &project, "crd-ls-diff", 1)?;
    if !output.contains("breaking") {
        return Err(format!("the hook reports nothing that breaks:\n{output}"));
    }
    write(
        &project.join("crds/gadgets.yaml"),
        DEFINITION.replace("plural: gadgets, ", "plural: gadgets, categories: null, "),
    )?;
    write(&project.join("crds/widgets.yaml"), crate::dist::read(&place::repository().join(super::FIXTURE))?)?;
    place::stdout_of(Command::new("git").args(["add", "."]).current_dir(&project))?;
    let output = hook(stage, &tools, &project, "crd-ls-fix", 1)?;
    if !output.contains("files were modified by this hook") {
        return Err(format!("the hook repairs nothing:\n{output}"));
    }
    Ok(Outcome::Gone(time))
}

/// Runs a hook on the staged files.
fn hook(stage: &Stage<'_>, tools: &Path, project: &Path, name: &str, status: i32) -> Result<String, String> {
    let mut hook = Command::new(tools.join("pre-commit"));
    hook.args(["try-repo", "--color", "never"]).arg(place::repository()).arg(name).current_dir(project);
    // The environments are deleted with the rehearsal, and the program comes from the wheel.
    hook.env("PRE_COMMIT_HOME", stage.place.path().join("pre-commit"))
        .env("PIP_FIND_LINKS", stage.out.join("wheels"));
    output_with_status(&mut hook, status)
}
