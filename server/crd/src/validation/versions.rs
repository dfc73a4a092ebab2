//! `spec.versions`, alone and in combination with the fields of v1beta1 in `spec`: checks 21, 22, 24 to 29
//! and 32 to 41.

use api::{Code, Difference, KubernetesVersion};
use rustc_hash::FxHashMap;

use super::columns;
use super::findings::{Findings, Problem};
use super::internal::{InternalDefinition, Version, all_equal};
use super::subresources;
use crate::go;
use crate::message::Message;
use crate::names::dns_1035_label;
use crate::object::Node;
use crate::printed::{self, json_string, version_of_name};
use crate::report::{ApiVersion, ErrorType};

/// The maximum length of a deprecation warning, in bytes.
const DEPRECATION_WARNING: usize = 256;

/// Checks that every version that needs a schema has one. `all` is false on update of a definition in which
/// some had none.
pub(super) fn check_schemas(
    internal: &InternalDefinition<'_, '_>,
    all: bool,
    server: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    if internal.top_level_schema().has_schema || !all && internal.preserves() {
        return;
    }
    for (index, version) in internal.versions.iter().enumerate() {
        let node = version.schema.child("openAPIV3Schema");
        if internal.own_schema(index).has_schema || !all && !version.served {
            continue;
        }
        let (code, detail) = match all {
            false => (Code::VersionsSchemaRequiredPruned, "because otherwise all fields are pruned"),
            true if server.has(Difference::DetailsWithoutField) => (Code::VersionsSchemaRequired, ""),
            true => (Code::VersionsSchemaRequired, "schemas are required"),
        };
        let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
        let advice = "add a schema to each version";
        let detail = detail.to_owned();
        let problem = Problem { code, error: ErrorType::Required, field: &field, detail, advice };
        findings.add_at_key(&node, problem);
        if code == Code::VersionsSchemaRequiredPruned {
            findings.reword(Message::new("without a schema, all fields of the version are pruned"));
        }
    }
}

/// Checks the fields of one version.
pub(super) fn check_version(index: usize, version: &Version<'_, '_>, findings: &mut Findings<'_>) {
    let [name, deprecated, warning] = version.node.children(["name", "deprecated", "deprecationWarning"]);
    let messages = dns_1035_label(&version.name);
    if !messages.is_empty() {
        let field = format!("spec.versions[{index}].name");
        let detail = messages.join(",");
        let code = Code::VersionsName;
        findings.add(&name, Problem { code, error: ErrorType::Invalid, field: &field, detail, advice: "" });
    }
    let Some(text) = warning.optional_text() else { return };
    let field = format!("spec.versions[{index}].deprecationWarning");
    for (code, detail) in deprecation_warning(deprecated.is_true(), &text) {
        let advice = match code {
            Code::VersionsDeprecationWarningNotDeprecated => "set `deprecated: true`, or remove it",
            Code::VersionsDeprecationWarningLength => "shorten it",
            Code::VersionsDeprecationWarningEmpty => "write a warning, or remove it",
            _ => "remove it",
        };
        let problem = Problem { code, error: ErrorType::Invalid, field: &field, detail, advice };
        findings.add(&warning, problem);
        if let Some(at) = unprintable(&text).filter(|_| code == Code::VersionsDeprecationWarningPrintable) {
            findings.reword(of_unprintable(&text, at));
        }
        // A pointer, which the server prints as JSON.
        findings.print_value(|| json_string(&text));
    }
}

/// The message for the invisible character at the byte `at`.
fn of_unprintable(text: &str, at: usize) -> Message {
    let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
    let code = rest.chars().next().map_or(0, u32::from);
    let word = before.split_whitespace().next_back();
    let place = word.map(|word| format!(" after {}", go::quoted(&text::start(word, 40)))).unwrap_or_default();
    Message::new(format!("`deprecationWarning` contains the non-printable character U+{code:04X}{place}"))
        .advise("remove it, or replace it with a space")
}

/// The position of the first non-printable character, in bytes.
fn unprintable(text: &str) -> Option<usize> {
    text.char_indices().find(|(_, character)| !yaml::scalar::is_printable(*character)).map(|(at, _)| at)
}

/// `validateDeprecationWarning`.
fn deprecation_warning(deprecated: bool, text: &str) -> Vec<(Code, String)> {
    if !deprecated {
        let detail = "can only be set for deprecated versions".to_owned();
        return vec![(Code::VersionsDeprecationWarningNotDeprecated, detail)];
    }
    let mut problems = Vec::new();
    if text.len() > DEPRECATION_WARNING {
        problems.push((Code::VersionsDeprecationWarningLength, "must be <= 256 characters long".to_owned()));
    }
    if text.is_empty() {
        problems.push((Code::VersionsDeprecationWarningEmpty, "must not be an empty string".to_owned()));
    }
    if let Some(at) = unprintable(text) {
        let detail = format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {at}"
        );
        problems.push((Code::VersionsDeprecationWarningPrintable, detail));
    }
    problems
}

/// Checks fields that v1beta1 allows only once: in `spec` or in the versions, and not the same in all of
/// them.
pub(super) fn check_exclusive(
    internal: &InternalDefinition<'_, '_>,
    has_same_schemas: bool,
    findings: &mut Findings<'_>,
) {
    if internal.api_version != ApiVersion::V1Beta1 {
        return;
    }
    let versions = &internal.versions;
    let is_written = !versions.is_empty() && internal.spec.child("versions").has_members();
    let subresources: Vec<_> =
        versions.iter().map(|version| subresources::read(&version.subresources)).collect();
    let columns: Vec<_> = versions.iter().map(|version| columns::read_beta(&version.columns)).collect();
    let facts = [
        SharedField {
            name: "validation",
            top: internal.spec.child("validation"),
            is_top: internal.spec.child("validation").is_set(),
            is_own: versions.iter().any(|version| version.schema.is_set()),
            is_same: is_written && has_same_schemas && versions.iter().all(|version| version.schema.is_set()),
            codes: [Code::VersionsExclusiveSchema, Code::VersionsIdenticalSchema],
            server_name: "schemas",
            version_field: "schema",
        },
        SharedField {
            name: "subresources",
            top: internal.spec.child("subresources"),
            is_top: internal.spec.child("subresources").is_set(),
            is_own: subresources.iter().any(Option::is_some),
            is_same: is_written && all_equal(&subresources) && subresources.iter().all(Option::is_some),
            codes: [Code::VersionsExclusiveSubresources, Code::VersionsIdenticalSubresources],
            server_name: "subresources",
            version_field: "subresources",
        },
        SharedField {
            name: "additionalPrinterColumns",
            top: internal.spec.child("additionalPrinterColumns"),
            is_top: internal.spec.child("additionalPrinterColumns").has_members(),
            is_own: columns.iter().any(|columns| !columns.is_empty()),
            is_same: is_written && all_equal(&columns) && columns.iter().all(|columns| !columns.is_empty()),
            codes: [Code::VersionsExclusiveColumns, Code::VersionsIdenticalColumns],
            server_name: "additionalPrinterColumns",
            version_field: "additionalPrinterColumns",
        },
    ];
    let list = internal.spec.child("versions");
    for fact in &facts {
        fact.check(internal, &list, findings);
    }
}

/// A field that `spec` or the versions may have.
struct SharedField<'r, 't> {
    name: &'static str,
    top: Node<'r, 't>,
    is_top: bool,
    is_own: bool,
    is_same: bool,
    /// The codes for both at once, and for the same value in all versions.
    codes: [Code; 2],
    /// The server's name for the values in the versions.
    server_name: &'static str,
    /// The field of a version.
    version_field: &'static str,
}

impl SharedField<'_, '_> {
    fn check(
        &self,
        internal: &InternalDefinition<'_, '_>,
        versions: &Node<'_, '_>,
        findings: &mut Findings<'_>,
    ) {
        let Self { name, server_name: what, version_field: own, codes: [exclusive, identical], .. } = self;
        if self.is_top && self.is_own {
            let detail = format!("top-level and per-version {what} are mutually exclusive");
            let field = format!("spec.{name}");
            let (code, error) = (*exclusive, ErrorType::Forbidden);
            findings.add_at_key(
                &self.top,
                Problem { code, error, field: &field, detail, advice: "remove one of them" },
            );
            findings
                .reword(Message::new(format!("`spec.{name}` and `{own}` of a version exclude each other")));
        }
        if self.is_same {
            let detail = format!(
                "per-version {what} may not all be set to identical values (top-level {name} should be used instead)"
            );
            let (code, error) = (*identical, ErrorType::Invalid);
            findings
                .add_at_key(versions, Problem { code, error, field: "spec.versions", detail, advice: "" });
            let problem = format!("all versions have the same `{own}`");
            findings.reword(Message::new(problem).advise(format!("move it to `spec.{name}`")));
            findings.print_value(|| printed_versions(internal));
        }
    }
}

/// Checks the list of versions: each name occurs once, one version is stored, and `spec.version` names the
/// first.
pub(super) fn check_list(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    let list = internal.spec.child("versions");
    let problem = |code, detail: &str, advice| Problem {
        code,
        error: ErrorType::Invalid,
        field: "spec.versions",
        detail: detail.to_owned(),
        advice,
    };
    let mut names: FxHashMap<&str, &Version<'_, '_>> = FxHashMap::default();
    let repeated = internal.versions.iter().find_map(|version| {
        let first = names.insert(version.name.as_ref(), version)?;
        Some((first, version))
    });
    if let Some((first, second)) = repeated {
        let node = second.node.child("name");
        findings.add_at(
            node.range(),
            &list,
            problem(Code::VersionsUniqueNames, "must contain unique version names", "rename or remove one"),
        );
        findings.reword(Message::new(format!("two versions have the name `{}`", second.name)));
        findings.print_value(|| printed_versions(internal));
        findings.follows_from(first.node.child("name").range(), "the same name");
    }
    check_storage(internal, &list, problem, findings);
    check_first(internal, findings);
}

fn check_storage<'a>(
    internal: &InternalDefinition<'_, '_>,
    list: &Node<'_, '_>,
    problem: impl Fn(Code, &str, &'a str) -> Problem<'a>,
    findings: &mut Findings<'_>,
) {
    let mut stored = internal.versions.iter().filter(|version| version.storage);
    let detail = "must have exactly one version marked as storage version";
    match (stored.next(), stored.next()) {
        (Some(_), None) => {}
        (None, _) => {
            let advice = "set it in one version";
            findings.add_at_key(list, problem(Code::VersionsOneStorage, detail, advice));
            findings.reword(Message::new("no version has `storage: true`"));
            findings.print_value(|| printed_versions(internal));
        }
        (Some(first), Some(second)) => {
            let advice = "set `storage: false` in the others";
            let range = second.node.child("storage").range();
            findings.add_at(range, list, problem(Code::VersionsOneStorage, detail, advice));
            findings.reword(Message::new("more than one version has `storage: true`"));
            findings.print_value(|| printed_versions(internal));
            findings.follows_from(first.node.child("storage").range(), "another storage version");
        }
    }
}

/// `spec.versions` as the server prints it: after the conversion, without the fields that are moved to
/// `spec`.
fn printed_versions(internal: &InternalDefinition<'_, '_>) -> String {
    let list = internal.spec.child("versions");
    let Some(value) = list.value().filter(|_| list.has_members() || internal.versions.is_empty()) else {
        return internal
            .versions
            .first()
            .map_or_else(|| "null".to_owned(), |only| version_of_name(&only.name));
    };
    let hoists = internal.hoists;
    let moved = [
        (hoists.schemas, "schema"),
        (hoists.subresources, "subresources"),
        (hoists.columns, "additionalPrinterColumns"),
        (hoists.selectable_fields, "selectableFields"),
    ];
    let moved: Vec<&str> =
        moved.into_iter().filter(|(is_moved, _)| *is_moved).map(|(_, name)| name).collect();
    printed::versions(value, &moved, list.reader())
}

/// Checks `spec.version`, which the server sets from the first version by default.
fn check_first(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    let name = internal.version.as_ref();
    if name.is_empty() {
        return;
    }
    let written = internal.spec.child("version");
    let own = internal.api_version == ApiVersion::V1Beta1 && written.is_set();
    let first = internal.versions.first();
    let node = first.filter(|_| !own).map_or(written, |first| first.node.child("name"));
    let mut add = |code, detail: String| {
        let problem = Problem { code, error: ErrorType::Invalid, field: "spec.version", detail, advice: "" };
        findings.add(&node, problem);
        if code == Code::VersionsVersionFirst {
            let first = first.map(|first| first.name.as_ref()).unwrap_or_default();
            let problem = format!("`version` is `{name}`, but the first version is `{first}`");
            findings.reword(Message::new(problem).advise(format!("remove `version`, or write `{first}`")));
        }
        findings.print_value(|| go::quoted(name));
        if !own {
            findings.follows_from(
                node.range(),
                "kube-apiserver copies the name of the first version to `spec.version`",
            );
        }
    };
    let messages = dns_1035_label(name);
    if !messages.is_empty() {
        add(Code::VersionsVersionName, messages.join(","));
    }
    if first.is_some_and(|first| first.name != name) {
        add(Code::VersionsVersionFirst, "must match the first version in spec.versions".to_owned());
    }
}
