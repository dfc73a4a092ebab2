//! Packages that a file uses but does not import.

use super::mistake::{Mistake, nearest};
use super::type_names::most_wrong_letters;
use crate::generate::Outcome;
use crate::load::Place;
use crate::syntax::{DeclarationKind, Span};

/// Packages that API types use, by their usual names.
const KNOWN: [(&str, &str); 18] = [
    ("admissionv1", "k8s.io/api/admission/v1"),
    ("apiextensions", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"),
    ("apiextensionsv1", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"),
    ("appsv1", "k8s.io/api/apps/v1"),
    ("autoscalingv2", "k8s.io/api/autoscaling/v2"),
    ("batchv1", "k8s.io/api/batch/v1"),
    ("corev1", "k8s.io/api/core/v1"),
    ("intstr", "k8s.io/apimachinery/pkg/util/intstr"),
    ("json", "encoding/json"),
    ("metav1", "k8s.io/apimachinery/pkg/apis/meta/v1"),
    ("networkingv1", "k8s.io/api/networking/v1"),
    ("policyv1", "k8s.io/api/policy/v1"),
    ("rbacv1", "k8s.io/api/rbac/v1"),
    ("resource", "k8s.io/apimachinery/pkg/api/resource"),
    ("runtime", "k8s.io/apimachinery/pkg/runtime"),
    ("storagev1", "k8s.io/api/storage/v1"),
    ("time", "time"),
    ("types", "k8s.io/apimachinery/pkg/types"),
];

impl Outcome {
    /// Adds the fix that imports the package with this name: as in other files, or the package that usually has
    /// this name.
    pub(super) fn with_import(&self, mistake: Mistake, name: &str) -> Mistake {
        if let Some((place, intended)) = self.imported(mistake.place, name) {
            let mistake = Mistake { remedy: Some(format!("write `{intended}`")), ..mistake };
            return mistake.repaired(
                format!("Change `{name}` to `{intended}`"),
                vec![(place, intended)],
                false,
            );
        }
        let Some(path) = self.path_of(name) else {
            let Some((place, intended)) = self.misspelt_import(mistake.place, name) else { return mistake };
            let mistake = Mistake { remedy: Some(format!("write `{intended}`")), ..mistake };
            let title = format!("Change `{name}` to `{intended}`");
            return mistake.repaired(title, vec![(place, intended)], false);
        };
        let Some((place, text)) = self.import(mistake.place, name, &path) else { return mistake };
        let mistake = Mistake { remedy: Some(format!("import `{path}`")), ..mistake };
        mistake.repaired(format!("Add the import of `{path}`"), vec![(place, text)], false)
    }

    /// The name under which the file imports a package if it differs from `name` by a version: `corev1` for `core`.
    fn imported(&self, place: Place, name: &str) -> Option<(Place, String)> {
        let file = self.source(place.file)?;
        let named = file.imports.iter().map(|import| match &import.name {
            Some(own) => own.as_str(),
            None => last(&import.path),
        });
        let is_intended = |known: &&str| {
            let version = known.strip_prefix(name).or_else(|| name.strip_prefix(known));
            version.is_some_and(|version| version.starts_with('v') && version.len() > 1)
                || known.eq_ignore_ascii_case(name)
                || has_version_in_front(name, known)
        };
        let mut intended = named.filter(is_intended);
        let (only, None) = (intended.next()?, intended.next()) else { return None };
        Some((self.package_in(place, name)?, only.to_owned()))
    }

    /// The imported package with the nearest name.
    fn misspelt_import(&self, place: Place, name: &str) -> Option<(Place, String)> {
        let file = self.source(place.file)?;
        let named =
            file.imports.iter().map(|import| import.name.as_deref().unwrap_or_else(|| last(&import.path)));
        let intended = nearest(name, named.collect::<Vec<_>>(), most_wrong_letters(name))?;
        Some((self.package_in(place, name)?, intended.to_owned()))
    }

    /// The place of the name of a package in a type.
    fn package_in(&self, place: Place, name: &str) -> Option<Place> {
        let at = self.source(place.file)?.slice(place.span).find(&format!("{name}."))? as u32;
        let start = place.span.start + at;
        Some(Place { file: place.file, span: Span { start, end: start + name.len() as u32 } })
    }

    fn path_of(&self, name: &str) -> Option<String> {
        let imports = self.sources().iter().flat_map(|file| &file.imports);
        let mut named = imports.filter(|import| match &import.name {
            Some(own) => own == name,
            None => last(&import.path) == name,
        });
        let known = || KNOWN.iter().find(|(known, _)| *known == name).map(|(_, path)| (*path).to_owned());
        named.next().map(|import| import.path.clone()).or_else(known)
    }

    /// The line that imports a package, beside the other imports.
    fn import(&self, place: Place, name: &str, path: &str) -> Option<(Place, String)> {
        let file = self.source(place.file)?;
        let spec = if last(path) == name { format!("\"{path}\"") } else { format!("{name} \"{path}\"") };
        let at = |start: u32| Place { file: place.file, span: Span { start, end: start } };
        let imports = file.declarations.iter().filter(|one| matches!(one.kind, DeclarationKind::Other(_)));
        let mut imports = imports.filter(|one| file.slice(one.span).starts_with("import"));
        let Some(first) = imports.next() else {
            let clause = file.text.get(file.package_start as usize..)?;
            let end = file.package_start + clause.lines().next()?.trim_end().len() as u32;
            return Some((at(end), format!("\n\nimport {spec}")));
        };
        match file.slice(first.span).find('(') {
            Some(open) => Some((at(first.span.start + open as u32 + 1), format!("\n\t{spec}"))),
            None => Some((at(first.span.start), format!("import {spec}\n"))),
        }
    }
}

/// Whether a name is `known` with the version at its start: `v1core` for `corev1`.
fn has_version_in_front(name: &str, known: &str) -> bool {
    let digits =
        name.strip_prefix('v').map_or(0, |rest| rest.chars().take_while(char::is_ascii_digit).count());
    let (version, word) = name.split_at_checked(1 + digits).unwrap_or_default();
    digits > 0 && !word.is_empty() && known.strip_prefix(word) == Some(version)
}

/// The last part of a path, which is the name of most packages.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
