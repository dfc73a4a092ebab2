//! What an object of a kind without a definition is meant to name, where `kind` or the group is a slip of the pen.

use crate::analysis::catalog::Catalog;
use crate::analysis::judged::may_be_defined;
use crate::analysis::kinds::Kind;

/// What definitions themselves are.
const DEFINITION: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");
/// Shorter names have neighbours by chance.
const SHORTEST: usize = 5;
/// Names of that length may differ in two letters.
const LONG: usize = 9;

/// What an object names in place of what is defined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misnamed {
    /// The group has a kind that is spelled like it.
    Kind { kind: String },
    /// The kind is defined in a group that is spelled like the one of the object, or `apiVersion` names no version.
    ApiVersion { api_version: String },
}

impl Misnamed {
    /// The key whose value is to be changed.
    pub(crate) const fn key(&self) -> &'static str {
        match self {
            Self::Kind { .. } => "kind",
            Self::ApiVersion { .. } => "apiVersion",
        }
    }

    /// The value that is meant.
    pub(crate) fn meant(&self) -> &str {
        match self {
            Self::Kind { kind } => kind,
            Self::ApiVersion { api_version } => api_version,
        }
    }
}

/// What an object of `kind` in the source `from` is meant to name, where exactly one definition is near enough.
pub(crate) fn misnamed(catalog: &Catalog, kind: &Kind, from: &str) -> Option<Misnamed> {
    let Kind { group, version, kind } = kind;
    if group.is_empty() {
        let is_group = version.contains('.') && catalog.counts(version, kind, from);
        let api_version = format!("{version}/{}", catalog.served_version(version, kind, from, "")?);
        return is_group.then_some(Misnamed::ApiVersion { api_version });
    }
    let (of_definitions, definition) = DEFINITION;
    if group == of_definitions && is_slip(kind, definition) {
        return Some(Misnamed::Kind { kind: definition.to_owned() });
    }
    if kind == definition && is_slip_of_group(group, of_definitions) {
        return Some(Misnamed::ApiVersion { api_version: format!("{of_definitions}/v1") });
    }
    if !may_be_defined(group) {
        return None;
    }
    let mut near = catalog.kinds_of(group, from).filter(|other| is_slip(kind, other));
    if let Some(one) = near.next() {
        return near.next().is_none().then(|| Misnamed::Kind { kind: one.to_owned() });
    }
    if catalog.kinds_of(group, from).next().is_some() {
        return None;
    }
    let mut near = catalog.groups_of(kind, from).filter(|other| is_slip_of_group(group, other));
    let (one, None) = (near.next()?, near.next()) else { return None };
    let version = catalog.served_version(one, kind, from, version)?;
    Some(Misnamed::ApiVersion { api_version: format!("{one}/{version}") })
}

/// Whether `written` is a slip of the pen of `meant`. Kinds of one group are often alike (`TCPRoute` and `TLSRoute`,
/// `VLSingle` and `VMSingle`), so only small letters may differ, and few of them; or nothing but the case.
fn is_slip(written: &str, meant: &str) -> bool {
    if written.eq_ignore_ascii_case(meant) {
        return written != meant;
    }
    let capitals = |name: &str| name.chars().filter(|letter| !letter.is_lowercase()).collect::<String>();
    let least = written.len().min(meant.len());
    let most = if least >= LONG { 2 } else { 1 };
    least >= SHORTEST
        && capitals(written) == capitals(meant)
        && crd::suggest::slips(written, meant).is_some_and(|slips| slips <= most)
}

/// The same of groups, which are often those of one vendor: only one letter may differ, and no digit and no dot.
fn is_slip_of_group(written: &str, meant: &str) -> bool {
    let others = |name: &str| name.chars().filter(|letter| !letter.is_alphabetic()).collect::<String>();
    let least = written.len().min(meant.len());
    least > LONG && others(written) == others(meant) && crd::suggest::slips(written, meant) == Some(1)
}

#[cfg(test)]
mod tests {
    use crate::analysis::misnamed::*;

    #[test]
    fn slips_are_told_from_other_kinds() {
        for (written, meant) in [
            ("Certficate", "Certificate"),
            ("Certifcaite", "Certificate"),
            ("widget", "Widget"),
            ("Wiget", "Widget"),
            ("Helmrelease", "HelmRelease"),
            ("Widgets", "Widget"),
        ] {
            assert!(is_slip(written, meant), "{written}");
        }
        for (written, meant) in [
            ("TCPRoute", "TLSRoute"),
            ("VLSingle", "VMSingle"),
            ("ClusterIssuer", "Issuer"),
            ("Gateway", "GatewayClass"),
            ("TaskRun", "Task"),
            ("Pool", "Poll"),
            ("Widget", "Widget"),
        ] {
            assert!(!is_slip(written, meant), "{written}");
        }
    }

    #[test]
    fn groups_of_one_vendor_are_no_slips() {
        assert!(is_slip_of_group("cert-manger.io", "cert-manager.io"));
        assert!(!is_slip_of_group("s3.aws.m.upbound.io", "s3.aws.upbound.io"));
        assert!(!is_slip_of_group("v1.example.com", "v2.example.com"));
    }
}
