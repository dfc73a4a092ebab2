//! Keys that are misspelt or incomplete, and findings on keys that are missing because of them.

use std::collections::{HashMap, HashSet};

use api::Code;
use crd::Segment;
use text::{TextRange, TextSize};
use yaml::{Document, SyntaxErrorKind, Value, ValueKind};

use crate::Finding;
use crate::analysis::syntax::MOST;
use crate::analysis::text_at::values_to;

/// The key that may be misspelt in a definition without a storage version.
const STORAGE: &str = "storage";

/// Whether `code` reports a missing key.
pub(crate) fn is_of_missing_key(code: Code) -> bool {
    let is_named_so = |code: &str| code.ends_with("-required") || code.ends_with("/required");
    let is_of_fixed_type = matches!(
        code,
        Code::StructuralKindType | Code::StructuralApiVersionType | Code::StructuralMetadataType
    );
    is_of_storage(code)
        || is_of_fixed_type
        || matches!(code, Code::DefinitionPartial | Code::VersionsName)
        || is_named_so(code.as_str())
}

/// Whether `code` reports that no version is stored, or more than one.
pub(crate) fn is_of_storage(code: Code) -> bool {
    code == Code::VersionsOneStorage || code == Code::StoredVersionsEmpty
}

/// Whether the error is a missing comma. A plain scalar then continues up to the next colon.
pub(crate) fn is_of_comma(kind: SyntaxErrorKind) -> bool {
    matches!(kind, SyntaxErrorKind::MissingComma | SyntaxErrorKind::MissingBraceComma)
}

/// Whether `code` reports a path of the definition that leads to an undeclared field.
pub(crate) const fn is_of_undeclared_path(code: Code) -> bool {
    matches!(code, Code::LintColumnPath | Code::LintScalePath)
}

/// Whether `code` reports an undeclared field.
const fn is_of_undeclared_field(code: Code) -> bool {
    is_of_undeclared_path(code) || matches!(code, Code::LintRequiredUndefined | Code::CelRuleCompile)
}

/// Unknown fields, by the path of their mapping.
#[derive(Default)]
pub(crate) struct UnknownKeys<'f> {
    within: HashMap<&'f [Segment], Vec<(&'f str, usize)>>,
    /// The misspelt `properties` keys, with their schemas.
    properties: Vec<(&'f [Segment], usize)>,
    /// The first value of `storage` with a wrong type, or the first key with a similar name.
    storage: Option<usize>,
}

impl<'f> UnknownKeys<'f> {
    /// Notes an error among the findings.
    pub(crate) fn note(&mut self, index: usize, finding: &'f Finding) {
        let Some((Segment::Name(name), above)) = finding.field_path.segments().split_last() else { return };
        let is_unknown = matches!(finding.code, Code::DecodeUnknownField | Code::ResourceUnknownField);
        if is_unknown {
            self.within.entry(above).or_default().push((name, index));
            if may_mean(name, "properties") {
                self.properties.push((above, index));
            }
        }
        if (is_unknown && may_mean(name, STORAGE)) || (finding.code == Code::DecodeType && name == STORAGE) {
            self.storage.get_or_insert(index);
        }
    }

    /// The unknown key or the wrong value that causes the missing key that `finding` reports. `is_set` returns whether the
    /// document has a value at a path.
    pub(crate) fn cause(&self, finding: &Finding, is_set: &dyn Fn(&[Segment]) -> bool) -> Option<usize> {
        let path = finding.field_path.segments();
        if is_of_undeclared_field(finding.code) {
            let is_near =
                |schema: &[Segment]| is_of_undeclared_path(finding.code) || path.starts_with(schema);
            return self.properties.iter().find(|(schema, _)| is_near(schema)).map(|(_, index)| *index);
        }
        if !is_of_missing_key(finding.code) {
            return None;
        }
        // A key that the whole definition lacks is reported on the definition.
        let whole = [Segment::Name("spec".into())];
        let path = if finding.code == Code::DefinitionPartial { &whole[..] } else { path };
        let misspelt = (0..path.len()).find_map(|length| {
            let missing = path.get(length)?.key()?;
            let beside = self.within.get(path.get(..length)?)?;
            let (_, index) = beside.iter().find(|(name, _)| may_mean(name, missing))?;
            // A missing key below a key that is set has another cause.
            (!is_set(path.get(..=length)?)).then_some(*index)
        });
        misspelt.or(self.storage.filter(|_| finding.code == Code::VersionsOneStorage))
    }
}

fn may_mean(written: &str, name: &str) -> bool {
    written != name && crd::suggest::nearest_field(written, std::iter::once(name)).is_some()
}

/// Removes the findings on missing keys in a mapping with an incomplete key, which is most likely the missing
/// one. The server's responses remain.
pub(crate) fn remove_missing_keys(document: Document<'_>, findings: &mut Vec<Finding>) {
    let is_missing = |finding: &Finding| is_of_missing_key(finding.code) && finding.api_server.is_none();
    if !findings.iter().any(is_missing) {
        return;
    }
    let (mut beside, mut around) = (HashSet::new(), HashSet::new());
    document.syntax().for_each_error(&mut |error| {
        let is_key = error.kind == SyntaxErrorKind::MissingColon;
        if (is_key || is_of_comma(error.kind)) && around.len() < MOST * MOST {
            let owners = owners(document, error.range.start);
            // A comma is missing within the last entry, whose text includes the next key.
            beside.extend(owners.iter().rev().take(if is_key { 1 } else { 2 }));
            around.extend(owners);
        }
    });
    findings.retain(|finding| {
        let places = if is_of_storage(finding.code) { &around } else { &beside };
        !(is_missing(finding) && places.contains(&finding.range))
    });
}

/// The keys and dashes of the entries and items that contain `offset`, outermost first. The last one owns the
/// mapping there.
pub(crate) fn owners(document: Document<'_>, offset: TextSize) -> Vec<TextRange> {
    let owner = |value: Value<'_>| match value.kind() {
        ValueKind::Mapping(mapping) => {
            let key = mapping.entry_before(offset)?.key_range();
            (key.start != offset).then_some(key)
        }
        ValueKind::Sequence(list) => {
            let item = list.item_before(offset)?;
            // Items in brackets have no dash.
            let is_in_brackets = list.is_flow();
            Some(if is_in_brackets { item.value().range() } else { TextRange::at(item.range().start, 1) })
        }
        _ => None,
    };
    values_to(document, offset).filter_map(owner).collect()
}

#[cfg(test)]
mod tests {
    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    /// The codes of the findings that editors show for `text`, with the texts at their ranges.
    fn shown_findings(text: &str) -> Vec<(String, String)> {
        let file = File::new(text, &Settings::default());
        let grouped = file.grouped().findings.into_iter();
        grouped
            .map(|one| (one.code.to_string(), text.get(one.range.as_usize()).unwrap_or_default().to_owned()))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, code: &str, at: &str) {
        assert_eq!(shown_findings(text), [(code.to_owned(), at.to_owned())], "{text}");
    }

    #[test]
    fn a_misspelt_key_is_one_finding_at_the_key() {
        assert_eq!(shown_findings(WIDGET), []);
        for (key, misspelt) in [
            ("\nspec:", "spce"),
            ("metadata:", "metdata"),
            ("group:", "goup"),
            ("scope:", "scop"),
            ("names:", "nams"),
            ("plural:", "plurl"),
            ("  kind: W", "kin"),
            ("versions:", "version"),
            ("served:", "serve"),
            ("storage:", "storag"),
            ("schema:", "schem"),
            ("openAPIV3Schema:", "openAPIv3Schema"),
            ("jsonPath:", "JSONPath"),
            ("properties:\n          spec:", "propertis"),
            ("properties:\n              size:", "propertis"),
            ("type: integer\n              modes", "tpye"),
            ("items:", "item"),
            ("rule:", "rul"),
        ] {
            let written = key.trim_start().split(':').next().unwrap_or_default();
            let text = WIDGET.replacen(key, &key.replacen(written, misspelt, 1), 1);
            check(&text, "decode/unknown-field", misspelt);
        }
    }

    #[test]
    fn an_unknown_key_beside_the_key_that_it_resembles_causes_nothing_below_that_key() {
        let with_version = WIDGET.replacen("  versions:", "  version: v1\n  versions:", 1);
        let text = with_version.replacen(
            "items:\n                  type: string",
            "items:\n                  title: Mode",
            1,
        );
        let found = shown_findings(&text);
        let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        assert_eq!(codes, ["decode/unknown-field", "structural/type-required"], "{text}");
    }

    #[test]
    fn a_version_whose_storage_is_being_typed_is_one_finding() {
        for (typed, code, at) in [
            ("s", "yaml/syntax", "s"),
            ("storage", "yaml/syntax", "storage"),
            ("storage:", "versions/one-storage", "versions"),
            ("storage: t", "decode/type", "t"),
            ("storage: tru", "decode/type", "tru"),
        ] {
            check(&WIDGET.replace("storage: true", typed), code, at);
        }
    }

    #[test]
    fn a_column_that_is_being_typed_is_one_finding() {
        let lines =
            "\n    - name: Name\n      type: string\n      description: a\n      jsonPath: .spec.size";
        for (length, last) in lines.char_indices() {
            let typed = lines.get(..length).unwrap_or_default();
            let text = WIDGET.replacen(".spec.size\n", &format!(".spec.size{typed}\n"), 1);
            assert!(
                shown_findings(&text).len() <= 1,
                "{typed:?} before {last:?}: {:?}",
                shown_findings(&text)
            );
        }
    }

    #[test]
    fn a_missing_comma_is_one_finding_after_any_value() {
        let json = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.example.com"},
  "spec": {
    "group": "example.com",
    "scope": "Namespaced",
    "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
    "versions": [{
      "name": "v1",
      "served": true,
      "storage": true,
      "schema": {
        "openAPIV3Schema": {"type": "object", "minProperties": 1,
          "properties": {"size": {"type": "integer"}}}}}]}}
"#;
        assert_eq!(shown_findings(json), []);
        for (at, _) in json.match_indices(',') {
            let mut text = json.to_owned();
            text.replace_range(at..=at, "");
            let found = shown_findings(&text);
            assert!(matches!(&*found, [(code, _)] if code == "yaml/syntax"), "{at}: {found:?}\n{text}");
        }
    }
}
