//! Feature gates on the fields of a definition, according to the proposal on versioning by field: the declared
//! gates, their states, and the effect of a disabled gate on a resource.

mod apply;
mod read;
mod state;

pub use apply::{Action, GatedField, Outcome, apply};
pub(crate) use read::GatePlace;
pub use read::{FeatureGates, Gate, Spanned, Stage};
pub use state::{GateReason, State};

/// The two fields of `spec` that may contain gates: the first form, and the form that also names the component.
pub const FORMS: [&str; 2] = ["featureGates", "customFeatureGates"];

/// The fields of a gate; `preRelease` is spelled `prerelease` in the older examples.
pub const GATE_FIELDS: [&str; 7] =
    ["name", "enabled", "default", "preRelease", "prerelease", "fieldPaths", "deprecatedWarning"];

/// The steps of a simple JSON path such as `.spec.replicas`. The error describes the problem of the path.
///
/// # Errors
/// If `path` does not consist of names joined by dots.
pub fn steps(path: &str) -> Result<Vec<&str>, &'static str> {
    let names = path.strip_prefix('.').ok_or("it must start with a dot, as in `.spec.replicas`")?;
    let steps: Vec<&str> = names.split('.').collect();
    match steps.first() {
        Some(&("metadata" | "apiVersion" | "kind")) => Err("fields that every object has cannot be gated"),
        _ if steps.iter().any(|step| step.is_empty()) => Err("a name is missing between or after its dots"),
        _ if names.contains(['[', ']', '*', '\'', '"', '{', '}', ' ']) => {
            Err("only field names and dots are allowed, no indices, wildcards or quotes")
        }
        _ => Ok(steps),
    }
}
