//! `metadata` (`ValidateObjectMeta`): checks 1 to 15, and 168 to 171 of updates.

use api::{Code, Difference, KubernetesVersion};
use rustc_hash::FxHashSet;

use super::findings::{Findings, Problem};
use crate::cel::wording::grouped;
use crate::go;
use crate::message::Message;
use crate::names::{add_to_owner, dns_1123_subdomain, label_key, label_value, path_segment};
use crate::object::Node;
use crate::printed::{json_string, json_strings, list, shortened};
use crate::report::ErrorType;

/// The maximum total size of annotations, in bytes.
const ANNOTATIONS_SIZE: usize = 256 * 1024;
const MUST_NOT_BE_EMPTY: &str = "must not be empty";

/// Checks the metadata of a new definition.
pub(super) fn check_create(
    metadata: &Node<'_, '_>,
    required_name: &str,
    version: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    let messages = |name: &str, masked: &str| {
        let mut messages: Vec<(Code, String)> =
            dns_1123_subdomain(masked).into_iter().map(|text| (Code::MetadataNameDns, text)).collect();
        if name != required_name {
            messages
                .push((Code::NamesMetadataName, r#"must be spec.names.plural+"."+spec.group"#.to_owned()));
        }
        messages
    };
    let generate_name = metadata.child("generateName");
    let prefix = generate_name.text();
    if !prefix.is_empty() {
        for (_, detail) in messages(&prefix, &mask_trailing_dash(&prefix)) {
            findings.add(
                &generate_name,
                Problem {
                    code: Code::MetadataGenerateName,
                    error: ErrorType::Invalid,
                    field: "metadata.generateName",
                    detail,
                    advice: "",
                },
            );
            findings.reword(
                Message::new("a definition cannot get its name from `generateName`")
                    .advise(format!("remove it and {}", naming(required_name))),
            );
        }
    }
    let node = metadata.child("name");
    let name = node.text();
    if name.is_empty() {
        findings.add(
            &node,
            Problem {
                code: Code::MetadataNameRequired,
                error: ErrorType::Required,
                field: "metadata.name",
                detail: "name or generateName is required".to_owned(),
                advice: "",
            },
        );
        findings.reword(Message::new("`metadata.name` is required").advise(naming(required_name)));
    } else {
        for (code, detail) in messages(&name, &name) {
            findings.add(
                &node,
                Problem { code, error: ErrorType::Invalid, field: "metadata.name", detail, advice: "" },
            );
            if code == Code::NamesMetadataName {
                let remedy = match is_complete(required_name) {
                    true => format!("set it to `{required_name}`"),
                    false => COMPLETE.to_owned(),
                };
                findings.reword(Message::new("`metadata.name` must be `<plural>.<group>`").advise(remedy));
            }
        }
    }
    check_common(metadata, version, findings);
}

/// The remedy if the required name is not known yet.
const COMPLETE: &str = "write `spec.group` and `spec.names.plural` first";

/// Whether both parts of the required name of a definition are known.
fn is_complete(required_name: &str) -> bool {
    required_name.split_once('.').is_some_and(|(plural, group)| !plural.is_empty() && !group.is_empty())
}

/// The remedy if the name is missing.
fn naming(required_name: &str) -> String {
    match is_complete(required_name) {
        true => format!("set `name: {required_name}`"),
        false => "set it to `<plural>.<group>`".to_owned(),
    }
}

/// Checks the metadata of a definition that replaces the stored `old`.
pub(super) fn check_update(
    metadata: &Node<'_, '_>,
    old: &Node<'_, '_>,
    version: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    let segments = [("generateName", "metadata.generateName", true), ("name", "metadata.name", false)];
    for (name, field, is_prefix) in segments {
        let node = metadata.child(name);
        for detail in path_segment(&node.text(), is_prefix) {
            findings.add(
                &node,
                Problem { code: Code::MetadataNameDns, error: ErrorType::Invalid, field, detail, advice: "" },
            );
        }
    }
    if old.child("deletionTimestamp").is_set() {
        no_new_finalizers(metadata, old, findings);
    }
    immutable(metadata, old, findings);
    check_common(metadata, version, findings);
}

/// Checks only fields that clients can change: the server rejects another name or uid before it validates,
/// and overwrites the times.
fn immutable(metadata: &Node<'_, '_>, old: &Node<'_, '_>, findings: &mut Findings<'_>) {
    let problem = |field| Problem {
        code: Code::UpdateImmutable,
        error: ErrorType::Invalid,
        field,
        detail: "field is immutable".to_owned(),
        advice: "",
    };
    let reword = |node: &Node<'_, '_>, name: &'static str, findings: &mut Findings<'_>| {
        let remedy = match (old.child(name).is_set(), node.is_set()) {
            (false, _) => "remove it",
            (_, false) => "add the stored value",
            _ => "restore the stored value",
        };
        findings.reword(Message::new(format!("`{name}` is immutable")).advise(remedy));
    };
    for (name, field) in [("name", "metadata.name"), ("namespace", "metadata.namespace")] {
        let node = metadata.child(name);
        if node.text() != old.child(name).text() {
            findings.add(&node, problem(field));
            reword(&node, name, findings);
        }
    }
    let texts = [
        ("uid", "metadata.uid"),
        ("creationTimestamp", "metadata.creationTimestamp"),
        ("deletionTimestamp", "metadata.deletionTimestamp"),
    ];
    for (name, field) in texts {
        let node = metadata.child(name);
        // Fields that a file omits are set from the stored object.
        let is_filled_in = name != "deletionTimestamp" && !node.is_set();
        if !is_filled_in && node.text() != old.child(name).text() {
            findings.add(&node, problem(field));
            reword(&node, name, findings);
            // Separate Go types, which the server prints as JSON.
            findings.print_value(|| node.optional_text().map_or_else(null, |text| json_string(&text)));
        }
    }
    let seconds = metadata.child("deletionGracePeriodSeconds");
    if seconds.integer() != old.child("deletionGracePeriodSeconds").integer() {
        findings.add(&seconds, problem("metadata.deletionGracePeriodSeconds"));
        reword(&seconds, "deletionGracePeriodSeconds", findings);
        findings.print_value(|| seconds.integer().map_or_else(null, |value| value.to_string()));
    }
}

fn no_new_finalizers(metadata: &Node<'_, '_>, old: &Node<'_, '_>, findings: &mut Findings<'_>) {
    let before: FxHashSet<_> = old.child("finalizers").items().map(|item| item.text()).collect();
    let node = metadata.child("finalizers");
    let mut added: Vec<_> =
        node.items().map(|item| item.text()).filter(|name| !before.contains(name)).collect();
    added.sort();
    added.dedup();
    if added.is_empty() {
        return;
    }
    let list: Vec<String> = added.iter().map(|name| yaml::scalar::go_quote(name)).collect();
    findings.add_at_key(
        &node,
        Problem {
            code: Code::UpdateFinalizers,
            error: ErrorType::Forbidden,
            field: "metadata.finalizers",
            detail: format!(
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
                list.join(", ")
            ),
            advice: "",
        },
    );
}

/// The checks that apply to every object.
fn check_common(metadata: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let namespace = metadata.child("namespace");
    if !namespace.text().is_empty() {
        findings.add_at_key(
            &namespace,
            Problem {
                code: Code::MetadataNamespaceForbidden,
                error: ErrorType::Forbidden,
                field: "metadata.namespace",
                detail: "not allowed on this type".to_owned(),
                advice: "",
            },
        );
        findings.reword(
            Message::new("a CustomResourceDefinition is cluster-scoped and cannot have a `namespace`")
                .advise("remove it"),
        );
    }
    labels(&metadata.child("labels"), version, findings);
    annotations(&metadata.child("annotations"), version, findings);
    owner_references(&metadata.child("ownerReferences"), version, findings);
    finalizers(&metadata.child("finalizers"), version, findings);
}

fn labels(labels: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let problem = |code, detail| Problem {
        code,
        error: ErrorType::Invalid,
        field: "metadata.labels",
        detail,
        advice: "",
    };
    for (key, node) in labels.entries() {
        for detail in label_key(&key, version) {
            findings.add_at_key(&node, problem(Code::MetadataLabelKey, detail));
            findings.print_value(|| go::quoted(&key));
        }
        for detail in label_value(&node.text(), version) {
            findings.add(&node, problem(Code::MetadataLabelValue, detail));
        }
    }
}

fn annotations(annotations: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let mut size = 0;
    for (key, node) in annotations.entries() {
        size += key.len() + node.text().len();
        for detail in label_key(&key.to_lowercase(), version) {
            findings.add_at_key(
                &node,
                Problem {
                    code: Code::MetadataAnnotationKey,
                    error: ErrorType::Invalid,
                    field: "metadata.annotations",
                    detail,
                    advice: "",
                },
            );
            findings.print_value(|| go::quoted(&key));
        }
    }
    if size > ANNOTATIONS_SIZE {
        let detail = match version.has(Difference::TooLongWords) {
            true => format!("may not be more than {ANNOTATIONS_SIZE} bytes"),
            false => format!("must have at most {ANNOTATIONS_SIZE} bytes"),
        };
        findings.add_at_key(
            annotations,
            Problem {
                code: Code::MetadataAnnotationsSize,
                error: ErrorType::TooLong,
                field: "metadata.annotations",
                detail,
                advice: "shorten or remove annotations",
            },
        );
        let (size, most) = (grouped(size as u64), grouped(ANNOTATIONS_SIZE as u64));
        findings.reword(Message::new(format!("`annotations` has {size} bytes, more than {most}")));
    }
}

fn owner_references(references: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let mut controller: Option<String> = None;
    for (index, reference) in references.items().enumerate() {
        let base = match version.has(Difference::OwnerReferenceFields) {
            true => format!("metadata.ownerReferences[{index}]"),
            false => "metadata.ownerReferences".to_owned(),
        };
        owner_reference(&reference, &base, version, findings);
        if !reference.child("controller").is_true() {
            continue;
        }
        let name = format!("{}/{}", reference.child("kind").text(), reference.child("name").text());
        match &controller {
            None => controller = Some(name),
            Some(first) => {
                findings.add(
                    &reference.child("controller"),
                    Problem {
                        code: Code::MetadataOwnerReferenceController,
                        error: ErrorType::Invalid,
                        field: "metadata.ownerReferences",
                        detail: format!("Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"),
                        advice: "",
                    },
                );
                findings.print_value(|| printed_owners(references));
            }
        }
    }
}

fn owner_reference(
    reference: &Node<'_, '_>,
    base: &str,
    version: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    let api_version = reference.child("apiVersion");
    let text = api_version.text();
    let (group, version_name) = match text.split_once('/') {
        Some((group, version)) => (group, version),
        None => ("", text.as_ref()),
    };
    let parses = !version_name.contains('/');
    let old_text = !version.has(Difference::OwnerReferenceFields);
    if text.is_empty() && !old_text {
        required(&api_version, &format!("{base}.apiVersion"), version, findings);
    } else if !parses || version_name.is_empty() {
        let detail =
            if old_text { "version must not be empty" } else { "must be <group>/<version> or <version>" };
        findings.add(
            &api_version,
            Problem {
                code: Code::MetadataOwnerReferenceVersion,
                error: ErrorType::Invalid,
                field: &format!("{base}.apiVersion"),
                detail: detail.to_owned(),
                advice: "",
            },
        );
    }
    for name in ["kind", "name", "uid"] {
        let node = reference.child(name);
        if node.text().is_empty() {
            required(&node, &format!("{base}.{name}"), version, findings);
        }
    }
    let kind = reference.child("kind");
    if (group, version_name, kind.text().as_ref()) == ("", "v1", "Event") {
        findings.add(
            &kind,
            Problem {
                code: Code::MetadataOwnerReferenceVersion,
                error: ErrorType::Invalid,
                field: base,
                detail: "/v1, Kind=Event is disallowed from being an owner".to_owned(),
                advice: "",
            },
        );
        findings.print_value(|| shortened(printed_owner(reference)));
    }
}

fn required(node: &Node<'_, '_>, field: &str, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let own = field.rsplit('.').next().unwrap_or_default();
    let has_name = !version.has(Difference::DetailsWithoutField) && own != "apiVersion";
    findings.add(
        node,
        Problem {
            code: Code::MetadataOwnerReference,
            error: if version.has(Difference::OwnerReferenceFields) {
                ErrorType::Required
            } else {
                ErrorType::Invalid
            },
            field,
            detail: if has_name {
                format!("{own} {MUST_NOT_BE_EMPTY}")
            } else {
                MUST_NOT_BE_EMPTY.to_owned()
            },
            advice: "",
        },
    );
    let what = if node.is_set() { "empty" } else { "missing" };
    findings.reword(Message::new(format!("`{own}` of the owner is {what}")).advise(add_to_owner(own)));
}

fn finalizers(finalizers: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let problem = |code, detail| Problem {
        code,
        error: ErrorType::Invalid,
        field: "metadata.finalizers",
        detail,
        advice: "",
    };
    let mut has = [false, false];
    for finalizer in finalizers.items() {
        let name = finalizer.text();
        for detail in label_key(&name, version) {
            findings.add(&finalizer, problem(Code::MetadataFinalizer, detail));
        }
        has = [has[0] || name == "orphan", has[1] || name == "foregroundDeletion"];
    }
    if has == [true, true] {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set".to_owned();
        findings.add_at_key(finalizers, problem(Code::MetadataFinalizersConflict, detail));
        findings.print_value(|| json_strings(finalizers.items().map(|item| item.text())));
    }
}

/// All references as the server prints them.
fn printed_owners(references: &Node<'_, '_>) -> String {
    list(references.items().map(|reference| printed_owner(&reference)))
}

/// A reference as the server prints it: its fields in the order of the Go type, of which the last two are
/// optional.
fn printed_owner(reference: &Node<'_, '_>) -> String {
    let texts = ["apiVersion", "kind", "name", "uid"]
        .map(|name| format!("\"{name}\":{}", json_string(&reference.child(name).text())));
    let flags = ["controller", "blockOwnerDeletion"].into_iter().filter_map(|name| {
        let flag = reference.child(name).boolean()?;
        Some(format!("\"{name}\":{flag}"))
    });
    format!("{{{}}}", texts.into_iter().chain(flags).collect::<Vec<_>>().join(","))
}

/// A nil pointer.
fn null() -> String {
    "null".to_owned()
}

/// A prefix may end with a dash: the appended text does not.
fn mask_trailing_dash(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        // The server also replaces the byte before the dash, which breaks characters outside ASCII.
        Some(rest) if !rest.is_empty() => {
            let kept = rest.strip_suffix(|last: char| last.is_ascii()).unwrap_or(rest);
            format!("{kept}a")
        }
        _ => prefix.to_owned(),
    }
}
