//! Corrections for objects without a definition whose `kind` or group is misspelt.

use crate::analysis::catalog::{Catalog, FoundDefinition};
use crate::analysis::kinds::Kind;
use crate::analysis::validation_coverage::may_be_defined;

/// The group and the kind of definitions.
pub(crate) const DEFINITION: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");
/// The minimum length of a name. Shorter names are similar to others by chance.
const SHORTEST: usize = 5;
/// Names of at least this length may differ in two letters.
const LONG: usize = 9;

/// With more groups, or more kinds in the group, no correction is sought: there may be as many objects.
const MOST: usize = 500;

/// The kinds that `apiVersion: v1` has, in Kubernetes and in the files of its tools.
const CORE_KINDS: [&str; 21] = [
    "Binding",
    "ComponentStatus",
    "Config",
    "ConfigMap",
    "DeleteOptions",
    "Endpoints",
    "Event",
    "LimitRange",
    "List",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Pod",
    "PodTemplate",
    "ReplicationController",
    "ResourceQuota",
    "Secret",
    "Service",
    "ServiceAccount",
    "Status",
];

/// The correct value of a misspelt field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NameCorrection {
    /// A kind of the group with a similar name.
    Kind { kind: String },
    /// The kind is defined in a group with a similar name, or `apiVersion` lacks a group or a valid version.
    ApiVersion { api_version: String },
}

impl NameCorrection {
    /// The key of the misspelt value.
    pub(crate) const fn key(&self) -> &'static str {
        match self {
            Self::Kind { .. } => "kind",
            Self::ApiVersion { .. } => "apiVersion",
        }
    }

    /// The kind of custom resources that `kind` is after the correction.
    pub(crate) fn intended_kind(&self, kind: &Kind) -> Option<Kind> {
        let intended = match self {
            Self::Kind { kind: intended } => Kind { kind: intended.clone(), ..kind.clone() },
            Self::ApiVersion { api_version } => {
                let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
                Kind { group: group.to_owned(), version: version.to_owned(), kind: kind.kind.clone() }
            }
        };
        (!intended.is_definition()).then_some(intended)
    }

    /// The correct value.
    pub(crate) fn intended_value(&self) -> &str {
        match self {
            Self::Kind { kind } => kind,
            Self::ApiVersion { api_version } => api_version,
        }
    }
}

/// The correction for an object of `kind` in the source `from`, if exactly one definition has a similar name.
pub(crate) fn misnamed(catalog: &Catalog, kind: &Kind, from: &str) -> Option<NameCorrection> {
    let Kind { group, version, kind } = kind;
    let (of_definitions, definition) = DEFINITION;
    if is_definition_of_no_version(group, version, kind)
        || kind == definition && !(group == of_definitions || catalog.is_defined_in(group, kind, from))
    {
        return Some(NameCorrection::ApiVersion { api_version: format!("{of_definitions}/v1") });
    }
    if let Some(kind) = without_signs(catalog, group, kind, from) {
        return Some(NameCorrection::Kind { kind });
    }
    if let Some(api_version) = with_other_signs(catalog, (group, version), kind, from) {
        return Some(NameCorrection::ApiVersion { api_version });
    }
    if group.is_empty() && is_version(version) {
        if CORE_KINDS.contains(&&**kind) || catalog.group_count() > MOST {
            return None;
        }
        let groups = catalog.groups_of(kind, from).filter(|group| !group.is_empty());
        return in_only_group(catalog, groups, version, kind, from);
    }
    if group.is_empty() {
        let is_group = version.contains('.') && catalog.is_defined_in(version, kind, from);
        let api_version = format!("{version}/{}", catalog.served_version(version, kind, from, "")?);
        return is_group.then_some(NameCorrection::ApiVersion { api_version });
    }
    if group == of_definitions && is_other_than_kinds(kind) {
        return Some(NameCorrection::Kind { kind: definition.to_owned() });
    }
    if !may_be_defined(group) {
        return None;
    }
    let kinds: Vec<&str> = catalog.kinds_of(group, from).take(MOST + 1).collect();
    if kinds.len().max(catalog.group_count()) > MOST {
        return None;
    }
    if !kinds.is_empty() {
        let mut near = kinds.iter().filter(|other| is_slip(kind, other));
        let (one, None) = (near.next()?, near.next()) else { return None };
        return Some(NameCorrection::Kind { kind: (*one).to_owned() });
    }
    let near = catalog.groups_of(kind, from).filter(|other| is_slip_of_group(group, other));
    in_only_group(catalog, near, version, kind, from)
}

/// Whether `text` begins as the name of a version.
pub(crate) fn is_version(text: &str) -> bool {
    let number = text.strip_prefix('v').unwrap_or_default();
    number.starts_with(|first: char| first.is_ascii_digit()) && !text.contains('.')
}

/// The correction that writes the only one of `groups`.
fn in_only_group<'g>(
    catalog: &Catalog,
    mut groups: impl Iterator<Item = &'g str>,
    version: &str,
    kind: &str,
    from: &str,
) -> Option<NameCorrection> {
    let (group, None) = (groups.next()?, groups.next()) else { return None };
    let version = catalog.served_version(group, kind, from, version)?;
    Some(NameCorrection::ApiVersion { api_version: format!("{group}/{version}") })
}

/// The kind of custom resources that is meant by a misspelt `kind`, with its definition.
pub(crate) fn intended_definition<'c>(
    catalog: &'c Catalog,
    kind: &Kind,
    from: &str,
) -> Option<(Kind, FoundDefinition<'c>)> {
    if kind.is_definition() {
        return None;
    }
    let intended = misnamed(catalog, kind, from)?.intended_kind(kind)?;
    let definition = catalog.validating_definition(&intended, from)?;
    Some((intended, definition))
}

/// Whether the group of definitions has no kind with the name `kind`.
fn is_other_than_kinds(kind: &str) -> bool {
    // The kinds of requests and answers belong to each group.
    let is_of_requests =
        ["List", "Options", "Review", "Status", "WatchEvent"].iter().any(|end| kind.ends_with(end));
    kind != DEFINITION.1 && !kind.is_empty() && !is_of_requests
}

/// The kind that `kind` is without quotes, blanks and other signs.
fn without_signs(catalog: &Catalog, group: &str, kind: &str, from: &str) -> Option<String> {
    let is_sign = |letter: char| !letter.is_alphanumeric();
    let bare: String = kind.chars().filter(|letter| !is_sign(*letter)).collect();
    let is_known = (group, bare.as_str()) == DEFINITION || catalog.is_defined_in(group, &bare, from);
    // In definitions, another finding is about signs that only look like those of YAML.
    let is_sole = kind.is_ascii() || bare != DEFINITION.1;
    (is_sole && kind.contains(is_sign) && is_known).then_some(bare)
}

/// The `apiVersion` that has the letters and digits of the written one, with other signs or capitals.
fn with_other_signs(
    catalog: &Catalog,
    (group, version): (&str, &str),
    kind: &str,
    from: &str,
) -> Option<String> {
    if catalog.group_count() > MOST || catalog.is_defined_in(group, kind, from) {
        return None;
    }
    let squashed = |name: &str| {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let written = squashed(group) + &squashed(version);
    let matching = |group: &str| {
        let version = written.strip_prefix(&squashed(group))?.to_owned();
        let served = catalog.served_version(group, kind, from, &version)?;
        (served == version).then(|| format!("{group}/{version}"))
    };
    let mut found = catalog.groups_of(kind, from).filter_map(matching);
    found.next().filter(|_| found.next().is_none())
}

/// Whether an object is meant to be a definition, but its `apiVersion` has no group, a group similar to that
/// of definitions, or a version that never existed.
fn is_definition_of_no_version(group: &str, version: &str, kind: &str) -> bool {
    let (of_definitions, definition) = DEFINITION;
    let is_like = |group: &str| {
        let most = of_definitions.len() / 4;
        crd::suggest::slips(group, of_definitions).is_some_and(|slips| slips <= most)
    };
    kind == definition
        && match group {
            "" => version == "v1" || is_like(version),
            group if group == of_definitions => !["v1", "v1beta1"].contains(&version),
            group => is_like(group),
        }
}

/// Whether `written` is a misspelling of `intended`. Kinds of one group are often similar (`TCPRoute` and
/// `TLSRoute`, `VLSingle` and `VMSingle`), so only a few lowercase letters may differ, or only the case.
fn is_slip(written: &str, intended: &str) -> bool {
    if written.eq_ignore_ascii_case(intended) {
        return written != intended;
    }
    // Without its first letter, a kind also begins with a capital less.
    let mut rest = intended.chars();
    if rest.next().is_some() && rest.as_str() == written {
        return written.len() >= SHORTEST;
    }
    let capitals = |name: &str| name.chars().filter(|letter| !letter.is_lowercase()).collect::<String>();
    let least = written.len().min(intended.len());
    let most = if least >= LONG { 2 } else { 1 };
    least >= SHORTEST
        && capitals(written) == capitals(intended)
        && crd::suggest::slips(written, intended).is_some_and(|slips| slips <= most)
}

/// Whether the group `written` is a misspelling of `intended`. Groups of one vendor are often similar, so
/// only one letter may differ, and no digit and no dot.
fn is_slip_of_group(written: &str, intended: &str) -> bool {
    // No group lacks only the last part of the name of another one by intention.
    let rest = intended.strip_prefix(written).and_then(|rest| rest.strip_prefix('.'));
    if rest.is_some_and(|last| !last.contains('.')) {
        return true;
    }
    let others = |name: &str| name.chars().filter(|letter| !letter.is_alphabetic()).collect::<String>();
    let least = written.len().min(intended.len());
    least > LONG && others(written) == others(intended) && crd::suggest::slips(written, intended) == Some(1)
}

#[cfg(test)]
mod tests {
    use crate::Definitions;
    use crate::analysis::kind_corrections::*;

    #[test]
    fn slips_are_distinguished_from_other_kinds() {
        for (written, intended) in [
            ("Certficate", "Certificate"),
            ("Certifcaite", "Certificate"),
            ("widget", "Widget"),
            ("Wiget", "Widget"),
            ("Helmrelease", "HelmRelease"),
            ("Widgets", "Widget"),
            ("idget", "Widget"),
        ] {
            assert!(is_slip(written, intended), "{written}");
        }
        for (written, intended) in [
            ("TCPRoute", "TLSRoute"),
            ("VLSingle", "VMSingle"),
            ("ClusterIssuer", "Issuer"),
            ("Gateway", "GatewayClass"),
            ("TaskRun", "Task"),
            ("Pool", "Poll"),
            ("Widget", "Widget"),
        ] {
            assert!(!is_slip(written, intended), "{written}");
        }
    }

    #[test]
    fn signs_and_capitals_are_corrected() {
        let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.io}\n\
                    spec: {group: widgets.example.com, names: {plural: a, kind: Widget}, \
                    versions: [{name: v1, served: true, storage: true}]}\n";
        let definitions = Definitions::read("crds.yaml", text, Definitions::load_kept(text));
        let catalog = Catalog::default().with([("crds.yaml".into(), definitions)]);
        let correction = |api_version: &str, kind: &str| {
            let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
            let [group, version, kind] = [group, version, kind].map(str::to_owned);
            misnamed(&catalog, &Kind { group, version, kind }, "cr.yaml")
                .map(|correction| correction.intended_value().to_owned())
        };
        for kind in ["Widget\"", "Widget\"\"", "Widget,", "'Widget", "Wid get"] {
            assert_eq!(correction("widgets.example.com/v1", kind).as_deref(), Some("Widget"), "{kind}");
        }
        for api_version in ["widgets.example.com.v1", "Widgets.Example.com/V1", "v1"] {
            let corrected = correction(api_version, "Widget");
            assert_eq!(corrected.as_deref(), Some("widgets.example.com/v1"), "{api_version}");
        }
        for kind in ["CRD", "Customresourcedefinition", "CustomResource Definition", "Custom"] {
            let corrected = correction("apiextensions.k8s.io/v1", kind);
            assert_eq!(corrected.as_deref(), Some("CustomResourceDefinition"), "{kind}");
        }
        for api_version in ["k8s.io/v1", "apps/v1", "apiextensions/v1"] {
            let corrected = correction(api_version, "CustomResourceDefinition");
            assert_eq!(corrected.as_deref(), Some("apiextensions.k8s.io/v1"), "{api_version}");
        }
        for (api_version, kind) in [
            ("widgets.example.com/v1", "Widget"),
            ("widgets.example.com/v2", "Widget"),
            ("apiextensions.k8s.io/v1", "CustomResourceDefinitionList"),
            ("apiextensions.k8s.io/v1", "ConversionReview"),
            ("v1", "Service"),
            ("other.com/v1", "Widget"),
        ] {
            assert_eq!(correction(api_version, kind), None, "{api_version} {kind}");
        }
    }

    #[test]
    fn no_correction_is_sought_in_a_group_with_too_many_kinds() {
        let catalog = |count: usize| {
            let definition = |number: usize| {
                let kind = if number == 0 { "Widget".to_owned() } else { format!("Kind{number}") };
                format!(
                    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a{number}.b.io}}\n\
                     spec: {{group: widgets.example.com, names: {{plural: a{number}, kind: {kind}}}}}\n"
                )
            };
            let text = (0..count).map(definition).collect::<Vec<_>>().join("---\n");
            let definitions = Definitions::read("crds.yaml", &text, Definitions::load_kept(&text));
            Catalog::default().with([("crds.yaml".into(), definitions)])
        };
        let [group, version, kind] = ["widgets.example.com", "v1", "Wigdet"].map(str::to_owned);
        let kind = Kind { group, version, kind };
        assert!(misnamed(&catalog(MOST), &kind, "cr.yaml").is_some());
        assert_eq!(misnamed(&catalog(MOST + 1), &kind, "cr.yaml"), None);
    }

    #[test]
    fn groups_of_one_vendor_are_no_slips() {
        assert!(is_slip_of_group("cert-manger.io", "cert-manager.io"));
        assert!(is_slip_of_group("cert-manager", "cert-manager.io"));
        assert!(!is_slip_of_group("example", "example.com.io"));
        assert!(!is_slip_of_group("s3.aws.m.upbound.io", "s3.aws.upbound.io"));
        assert!(!is_slip_of_group("v1.example.com", "v2.example.com"));
    }
}
