//! The additional checks of an update, and the checks that it relaxes
//! (`ValidateCustomResourceDefinitionUpdate`): checks 168 to 175, and ratcheting outside schemas.

use api::Code;

use super::conversion::{Conversion, RelaxedChecks};
use super::findings::{Findings, Problem};
use super::internal::InternalDefinition;
use super::names::Names;
use crate::go;
use crate::message::Message;
use crate::object::Node;
use crate::object::scope_of;
use crate::report::ErrorType;

/// The maximum number of selectable fields; an update may keep more, but not add them.
const MOST_SELECTABLE_FIELDS: usize = 8;

/// The stored definition.
pub(super) struct StoredDefinition<'r, 't> {
    pub(super) internal: InternalDefinition<'r, 't>,
    names: Names<'r, 't>,
}

impl<'r, 't> StoredDefinition<'r, 't> {
    pub(super) fn new(internal: InternalDefinition<'r, 't>) -> Self {
        let names = Names::read(internal.spec.child("names"));
        Self { internal, names }
    }

    /// Its metadata.
    pub(super) fn metadata(&self) -> Node<'r, 't> {
        self.internal.object.child("metadata")
    }

    /// Whether the definition is established. A file without a status is treated as established.
    fn is_established(&self) -> bool {
        let conditions = self.internal.object.child("status").child("conditions");
        let established = conditions.items().find(|item| item.child("type").text() == "Established");
        established.is_none_or(|condition| condition.child("status").text() == "True")
    }

    /// Whether all versions have a schema.
    pub(super) fn has_all_schemas(&self) -> bool {
        let internal = &self.internal;
        internal.top_level_schema().has_schema
            || (0..internal.versions.len()).all(|index| internal.own_schema(index).has_schema)
    }

    /// The checks of the conversion that the stored definition relaxes.
    pub(super) fn relaxed_conversion(&self) -> RelaxedChecks {
        let conversion = Conversion::read(&self.internal);
        RelaxedChecks {
            review_versions: !conversion.is_recognized_or_empty(),
            ca_bundle: !self.is_established() || conversion.ca_bundle_problem().is_some(),
        }
    }

    /// The versions in which objects may be stored: those in the status, otherwise the storage version.
    pub(super) fn stored_versions(&self) -> Vec<String> {
        let listed = self.internal.object.child("status").child("storedVersions");
        let listed: Vec<String> = listed.items().map(|item| item.text().into_owned()).collect();
        if !listed.is_empty() {
            return listed;
        }
        let storage = self.internal.versions.iter().find(|version| version.storage);
        storage.map(|version| version.name.clone().into_owned()).into_iter().collect()
    }

    /// Whether the server finds the same selectable fields in the stored definition, and too many of them (from
    /// 1.35 on, an update may keep them).
    pub(super) fn keeps_too_many(&self, internal: &InternalDefinition<'_, '_>, own: Option<usize>) -> bool {
        let before = match own {
            Some(index) => {
                let name = internal.versions.get(index).map(|version| version.name.as_ref());
                let hoisted = self.internal.hoists.selectable_fields;
                self.internal.versions.iter().find(|version| !hoisted && Some(version.name.as_ref()) == name)
            }
            None => self.internal.versions.first().filter(|_| self.internal.hoists.selectable_fields),
        };
        let after = internal.versions.get(own.unwrap_or(0));
        match (before, after) {
            (Some(before), Some(after)) => {
                let before = before.selectable_paths();
                before.len() > MOST_SELECTABLE_FIELDS && before == after.selectable_paths()
            }
            _ => false,
        }
    }

    /// Checks immutable fields.
    pub(super) fn check_immutable(
        &self,
        internal: &InternalDefinition<'_, '_>,
        names: &Names<'_, '_>,
        findings: &mut Findings<'_>,
    ) {
        let spec = &internal.spec;
        let mut add = |(node, value): (Node<'_, '_>, &str), code, field, advice: &str| {
            let detail = "field is immutable".to_owned();
            findings.add(&node, Problem { code, error: ErrorType::Invalid, field, detail, advice });
            let name = field.rsplit('.').next().unwrap_or(field);
            findings.reword(Message::new(format!("`{name}` is immutable")));
            findings.print_value(|| go::quoted(value));
        };
        let was = |value: &str| format!("restore `{value}`, or create another definition");
        if self.is_established() {
            let before = scope(&self.internal);
            let after = scope(internal);
            if after != before {
                add((spec.child("scope"), &after), Code::UpdateScopeImmutable, "spec.scope", &was(&before));
            }
            if names.kind != self.names.kind {
                let node = spec.child("names").child("kind");
                add(
                    (node, &names.kind),
                    Code::UpdateKindImmutable,
                    "spec.names.kind",
                    &was(&self.names.kind),
                );
            }
        }
        let before = self.internal.spec.child("group").text();
        let group = spec.child("group");
        let after = group.text();
        if after != before {
            add((group, &after), Code::UpdateGroupImmutable, "spec.group", &was(&before));
        }
        if names.plural != self.names.plural {
            let node = spec.child("names").child("plural");
            add(
                (node, &names.plural),
                Code::UpdatePluralImmutable,
                "spec.names.plural",
                &was(&self.names.plural),
            );
        }
    }
}

fn scope(internal: &InternalDefinition<'_, '_>) -> String {
    scope_of(&internal.spec.child("scope").text(), internal.api_version).to_owned()
}
