//! Findings on custom resources: the responses of kube-apiserver according to the definitions of the catalog.

mod admission;
mod affected_placeholders;
mod findings;
mod item;
mod misspelt_kinds;
pub(crate) mod place;
mod placeholder_values;
mod reads;
pub(crate) mod response_parts;
mod rival_verdicts;
mod rivals;
pub(crate) mod shape;
mod unreadable;
mod unset_fields;
mod validation;

use crd::StopSignal;
use crd::reading::holds_action;
use yaml::{Document, Reader};

use crate::analysis::objects::objects;
use crate::analysis::validation_coverage::{self, UnvalidatedReason, ValidationCoverage};
use crate::{Finding, Settings, Surroundings};
use validation::Validation;

pub(crate) use admission::AdmissionResult;
pub(crate) use place::{Resource, ResourcePlace, Target, View, descend, find};
pub(crate) use rivals::{DefinitionSummary, RIVALS, rivals};
pub(crate) use shape::{Member, SchemaNode, Shape};
pub(crate) use unset_fields::UnsetFields;

/// The maximum number of findings on the resources of one document; more do not help anybody.
pub(crate) const MOST: usize = 1_000;

/// Findings on the custom resources of a document.
#[derive(Default)]
pub(crate) struct ResourceFindings {
    pub(crate) findings: Vec<Finding>,
    /// Whether there are further findings, which are not listed.
    pub(crate) is_cut: bool,
}

/// Returns the findings on the custom resources in `document`, and the coverage of their validation. A document without a
/// known kind and a template have no findings, but only objects that are not validated.
pub(crate) fn findings(
    document: Document<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
    stop: &StopSignal,
) -> Result<(ResourceFindings, ValidationCoverage), ValidationCoverage> {
    let reader = Reader::new(document);
    let mut objects = objects(document, &reader);
    if objects.is_empty() {
        return Err(validation_coverage::unread(document, UnvalidatedReason::Unreadable));
    }
    // A list may also have definitions, which are validated elsewhere.
    objects.retain(|object| !object.kind.is_definition());
    if holds_action(document) {
        return Err(validation_coverage::all_not_judged(document, UnvalidatedReason::Template));
    }
    let mut validation = Validation::new(document, &reader, surroundings, settings);
    for object in objects {
        if stop.is_due() {
            break;
        }
        validation.add(&object);
    }
    validation.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::sync::Arc;

    use text::{TextEdit, TextRange};

    use crate::{Catalog, Definitions, File, Settings, Severity, Surroundings};

    const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
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
            required: [size]
            properties:
              size: {type: integer}
              sizes: {type: array, items: {type: integer}}
";

    fn surroundings(definition: &str, source: &str) -> Surroundings {
        let definitions = Definitions::read("crd.yaml", definition, Definitions::load_kept(definition));
        let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
        Surroundings { catalog, source: source.into(), stored: None, base: None }
    }

    /// The code, the marked text and the message of each finding.
    fn findings(file: &File, text: &str) -> Vec<(&'static str, String, String)> {
        let marked = |range: TextRange| text[range.as_usize()].to_owned();
        let all = file.findings().iter();
        all.map(|finding| (finding.code.as_str(), marked(finding.range), finding.message.to_string()))
            .collect()
    }

    fn findings_in(text: &str) -> Vec<(&'static str, String, String)> {
        let around = surroundings(DEFINITION, "cr.yaml");
        findings(&File::with_surroundings(text, &Settings::default(), around), text)
    }

    fn widget(rest: &str) -> String {
        format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\n{rest}")
    }

    #[test]
    fn a_finding_is_at_the_value_or_at_the_key_of_the_incomplete_object() {
        for (rest, code, marked, message) in [
            ("spec: {size: x}", "resource/type", "x", "`size` cannot be a string; write an integer"),
            ("spec: {size: [1]}", "resource/type", "size", "`size` cannot be an array; write an integer"),
            ("spec: {}", "resource/required", "spec", "missing required field `size`; add `size`"),
            (
                "spec: {size: 1, sizes: [1, a]}",
                "resource/type",
                "a",
                "`sizes[1]` cannot be a string; write an integer",
            ),
            (
                "spec: {size: 1, seiz: 2}",
                "resource/unknown-field",
                "seiz",
                "unknown field `spec.seiz`; remove it or correct its name",
            ),
        ] {
            assert_eq!(findings_in(&widget(rest)), [(code, marked.to_owned(), message.to_owned())], "{rest}");
        }
    }

    #[test]
    fn objects_of_other_kinds_have_no_findings() {
        for text in [
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: One}\n",
            "apiVersion: other.example.com/v1\nkind: Widget\nspec: [\n",
            "apiVersion: example.com/v1\nkind: Gadget\na: 1\na: 2\n",
            "kind: Widget\nspec: {size: x}\n",
            "- apiVersion: example.com/v1\n  kind: Widget\n",
            "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: {{ .Values.size }}\n",
            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, spec: 1}\n",
            "",
        ] {
            assert_eq!(findings_in(text), [], "{text}");
        }
    }

    #[test]
    fn an_object_without_its_group_is_validated_as_the_only_such_kind() {
        let text = "apiVersion: v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: x}\n";
        let group = "the core group has no kind `Widget`; write `example.com/v1`";
        let size = "`size` cannot be a string; write an integer";
        let expected = [("resource/unknown-kind", "v1", group), ("resource/type", "x", size)];
        let found = findings_in(text);
        let found: Vec<_> = found.iter().map(|(code, at, message)| (*code, &**at, &**message)).collect();
        assert_eq!(found, expected);
        assert_eq!(findings_in("apiVersion: v1\nkind: Gadget\nmetadata: {name: one}\n"), []);
    }

    #[test]
    fn an_object_of_a_misspelt_kind_is_validated_as_the_intended_kind() {
        let text =
            "apiVersion: example.com/v1\nkind: Wigdet\nmetadata: {name: one}\nspec: {size: '1', sizs: [1]}\n";
        let file = File::with_surroundings(text, &Settings::default(), surroundings(DEFINITION, "cr.yaml"));
        let found = findings(&file, text);
        let codes: Vec<(&str, &str)> = found.iter().map(|one| (one.0, &*one.1)).collect();
        assert_eq!(
            codes,
            [
                ("resource/unknown-kind", "Wigdet"),
                ("resource/type", "'1'"),
                ("resource/unknown-field", "sizs")
            ]
        );
        for (at, title) in [("'1'", "Remove the quotes around `1`"), ("sizs", "Rename `sizs` to `sizes`")] {
            let at = text.find(at).unwrap() as u32;
            let fixes = file.fixes(TextRange::new(at, at));
            assert!(fixes.iter().any(|fix| fix.title == title), "{title} {fixes:?}");
        }
        // The findings follow the definition of the intended kind.
        let changed = DEFINITION.replace("size: {type: integer}", "size: {type: string}");
        let file = file.in_surroundings(surroundings(&changed, "cr.yaml"));
        let codes: Vec<&str> = findings(&file, text).iter().map(|one| one.0).collect();
        assert_eq!(codes, ["resource/unknown-kind", "resource/unknown-field"]);
    }

    #[test]
    fn slips_in_an_object_of_a_misspelt_kind_are_independent() {
        let text = "apiVersion: example.com/v1\nkind: Wigdet\nmetadata:\n  name: one\nspec:\n  size: '1'\n  sizs:\n  - 1\n  extra: 1\n";
        let file = File::with_surroundings(text, &Settings::default(), surroundings(DEFINITION, "cr.yaml"));
        let codes: Vec<&str> = file.grouped().findings.iter().map(|finding| finding.code.as_str()).collect();
        let expected =
            ["resource/unknown-kind", "resource/type", "resource/unknown-field", "resource/unknown-field"];
        assert_eq!(codes, expected);
        let moves = |fix: &crate::Fix| fix.title.starts_with("Move ");
        assert!(!file.fixes(TextRange::new(0, text.len() as u32)).iter().any(moves));
    }

    #[test]
    fn a_slip_in_the_kind_or_the_group_is_reported_with_its_fix() {
        let definition = DEFINITION.replace("example.com", "widgets.example.com");
        let around = || surroundings(&definition, "cr.yaml");
        for (version, kind, at, fixed) in [
            ("widgets.example.com/v1", "Wigdet", "Wigdet", "widgets.example.com/v1\nkind: Widget\n"),
            ("widgets.example.com/v1", "widget", "widget", "widgets.example.com/v1\nkind: Widget\n"),
            (
                "wigdets.example.com/v1",
                "Widget",
                "wigdets.example.com/v1",
                "widgets.example.com/v1\nkind: Widget\n",
            ),
            (
                "widgets.example.com",
                "Widget",
                "widgets.example.com",
                "widgets.example.com/v1\nkind: Widget\n",
            ),
        ] {
            let text =
                format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: one}}\nspec: {{size: 1}}\n");
            let file = File::with_surroundings(&text, &Settings::default(), around());
            let found = findings(&file, &text);
            assert_eq!(
                found.iter().map(|one| (one.0, &*one.1)).collect::<Vec<_>>(),
                [("resource/unknown-kind", at)]
            );
            let fixes = file.fixes(TextRange::new(0, text.len() as u32));
            let after: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert_eq!(after, [format!("apiVersion: {fixed}metadata: {{name: one}}\nspec: {{size: 1}}\n")]);
            // Once its kind is defined, the object has no finding.
            let (group, _) = version.split_once('/').unwrap_or((version, ""));
            if version.contains('/') {
                let own = definition
                    .replace("widgets.example.com", group)
                    .replace("kind: Widget}", &format!("kind: {kind}}}"));
                let read = Definitions::read("own.yaml", &own, Definitions::load_kept(&own));
                let catalog = around().catalog.with([(Arc::from("own.yaml"), read)]);
                let more = Surroundings { catalog, ..around() };
                assert!(file.is_affected_by(&more));
                assert_eq!(findings(&file.in_surroundings(more), &text), []);
            }
        }
        for text in ["apiVersion: other.example.com/v1\nkind: Gizmo\n", "apiVersion: v1\nkind: Gizmo\n"] {
            assert_eq!(File::with_surroundings(text, &Settings::default(), around()).findings(), []);
        }
    }

    #[test]
    fn a_slip_in_the_kind_is_reported_beside_a_syntax_error() {
        let broken = "spec:\n  size: 3\n - a\n";
        for (text, at) in [
            (
                format!("apiVersion: example.com/v1\nkind: Wdiget\nmetadata: {{name: one}}\n{broken}"),
                "Wdiget",
            ),
            (
                DEFINITION.replacen("k8s.io/v1", "k8s.io/v1 /* x */", 1) + "    - a\n",
                "apiextensions.k8s.io/v1 /* x */",
            ),
        ] {
            let found: Vec<_> = findings_in(&text).into_iter().map(|one| (one.0, one.1)).collect();
            assert_eq!(found.first(), Some(&("resource/unknown-kind", at.to_owned())), "{found:?}");
            assert!(found.len() > 1, "{found:?}");
        }
    }

    #[test]
    fn a_slip_in_the_head_of_a_definition_is_reported() {
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition";
        for (slip, at) in [
            (head.replace("Definition", "Defintion"), "CustomResourceDefintion"),
            (head.replace("extensions", "extension"), "apiextension.k8s.io/v1"),
        ] {
            let text = DEFINITION.replace(head, &slip);
            let file = File::new(&text, &Settings::default());
            let found: Vec<_> = findings(&file, &text).into_iter().map(|one| (one.0, one.1)).collect();
            assert_eq!(found, [("resource/unknown-kind", at.to_owned())]);
            let [fix] = &*file.fixes(TextRange::new(0, text.len() as u32)) else { panic!("no fix for {at}") };
            assert_eq!(text::applied(&text, 0, &fix.edits), DEFINITION);
        }
    }

    #[test]
    fn broken_text_of_a_known_kind_is_reported() {
        let codes: Vec<_> =
            findings_in(&widget("spec: {size: 1\n")).into_iter().map(|(code, ..)| code).collect();
        assert_eq!(codes, ["yaml/unclosed"]);
        let codes: Vec<_> =
            findings_in(&widget("spec: {size: 1, size: 2}\n")).into_iter().map(|(code, ..)| code).collect();
        assert_eq!(codes, ["yaml/duplicate-key"]);
    }

    #[test]
    fn readable_parts_of_broken_text_are_validated() {
        // Each text has one incomplete entry, and one error elsewhere.
        for typed in ["  si", "  size: [1", "  size: \"1", "  size: 1: 2", "  size: @", "\tsize: 1"] {
            let text = widget(&format!("spec:\n{typed}\n  sizes:\n    - 1\n    - a\n  seiz: 2\n"));
            let found = findings_in(&text);
            let has = |code: &str, marked: &str| found.iter().any(|(of, on, _)| *of == code && on == marked);
            assert!(has("resource/type", "a") && has("resource/unknown-field", "seiz"), "{typed}: {found:?}");
            // Whether `size` is missing is unknown.
            assert!(!found.iter().any(|(code, ..)| *code == "resource/required"), "{typed}: {found:?}");
            let file =
                File::with_surroundings(&text, &Settings::default(), surroundings(DEFINITION, "cr.yaml"));
            let unsaid =
                file.findings().iter().filter(|finding| finding.code.as_str().starts_with("resource/"));
            assert!(unsaid.clone().all(|finding| finding.api_server.is_none()), "{typed}");
        }
    }

    #[test]
    fn a_value_that_is_neither_an_integer_nor_a_string_has_one_finding() {
        let quantity = "size: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: '^[0-9.]+m?$'}";
        let definition = DEFINITION.replace("size: {type: integer}", quantity);
        for (value, problem, fix) in [
            ("0.5", "`size` is 0.5, which is neither an integer nor a string", Some("Quote `0.5`")),
            ("true", "`size` cannot be a boolean", None),
            ("[1]", "`size` cannot be an array", Some("Replace the list with `1`")),
        ] {
            let text = widget(&format!("spec: {{size: {value}}}\n"));
            let around = surroundings(&definition, "cr.yaml");
            let file = File::with_surroundings(&text, &Settings::default(), around);
            let found = file.grouped().findings;
            let [one] = &*found else { panic!("{value}: {found:#?}") };
            assert_eq!((one.code.as_str(), &*one.message.problem), ("resource/type", problem));
            let title = file.fixes(one.range).first().map(|fix| fix.title.to_string());
            assert_eq!(title.as_deref(), fix, "{value}");
        }
    }

    #[test]
    fn items_in_braces_are_read_as_written() {
        let text = r#"{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"},
   "spec": {"size": "x"}}]}"#;
        assert_eq!(findings_in(text).into_iter().map(|(_, marked, _)| marked).collect::<Vec<_>>(), ["\"x\""]);
    }

    #[test]
    fn comments_silence_findings_on_resources() {
        assert_eq!(findings_in(&widget("spec: {size: x} # crd-ls: ignore[resource/type]\n")), []);
    }

    #[test]
    fn other_definitions_affect_only_dependent_documents() {
        let text = format!("{}---\na: b\n", widget("spec: {size: x}\n"));
        let one = surroundings(DEFINITION, "cr.yaml");
        let other = surroundings(&DEFINITION.replace("integer", "string"), "cr.yaml");
        let file = File::with_surroundings(&text, &Settings::default(), one.clone());
        let same = surroundings(DEFINITION, "cr.yaml");
        assert_eq!((file.is_affected_by(&one), file.is_affected_by(&same)), (false, false));
        assert!(file.is_affected_by(&other));
        assert_eq!(findings(&file.in_surroundings(other.clone()), &text), []);
        assert_eq!(file.in_surroundings(other).in_surroundings(one).findings(), file.findings());
        let unrelated = File::with_surroundings("a: b\n", &Settings::default(), Surroundings::default());
        assert!(!unrelated.is_affected_by(&same));
    }

    /// The definition of a test validates the resource, and the shipped one accepts it: a change of the
    /// latter matters, too.
    #[test]
    fn a_definition_that_may_overrule_another_affects_its_resources() {
        let text = widget("spec: {size: x}\n");
        let shipped = |definition: &str| {
            let read = |source: &str, text: &str| {
                (Arc::from(source), Definitions::read(source, text, Definitions::load_kept(text)))
            };
            let all = [read("tests/a/crd.yaml", DEFINITION), read("crds/widgets.yaml", definition)];
            let catalog = Catalog::default().with(all);
            Surroundings { catalog, source: "tests/a/cr.yaml".into(), stored: None, base: None }
        };
        let accepts = shipped(&DEFINITION.replace("size: {type: integer}", "size: {type: string}"));
        let rejects = shipped(&DEFINITION.replace("size: {type: integer}", "size: {type: boolean}"));
        let copy = shipped(DEFINITION);
        let of = |around: &Surroundings| {
            let file = File::with_surroundings(&text, &Settings::default(), around.clone());
            let found: Vec<_> = findings(&file, &text).into_iter().map(|(code, at, _)| (code, at)).collect();
            (file, found)
        };
        let ((file, quiet), (_, wrong), (_, same)) = (of(&accepts), of(&rejects), of(&copy));
        assert_eq!(quiet, [("resource/definitions-disagree", "kind".to_owned())]);
        assert_eq!(wrong, [("resource/type", "x".to_owned())]);
        assert_eq!(same, wrong);
        let [finding] = file.findings() else { panic!("{:?}", file.findings()) };
        let places: Vec<_> =
            finding.related.iter().filter_map(|one| Some(&*one.elsewhere.as_ref()?.source)).collect();
        assert_eq!(places, ["tests/a/crd.yaml", "crds/widgets.yaml"]);
        assert_eq!((finding.severity, &finding.api_server), (Severity::Information, &None));
        assert!(file.is_affected_by(&rejects));
        assert_eq!(file.in_surroundings(rejects.clone()).findings(), of(&rejects).0.findings());
        assert_eq!(of(&rejects).0.in_surroundings(accepts).findings(), file.findings());
    }

    #[test]
    fn an_edited_analysis_equals_a_new_one() {
        let before = widget("spec: {size: x}\n");
        let file =
            File::with_surroundings(&before, &Settings::default(), surroundings(DEFINITION, "cr.yaml"));
        let at = before.find('x').unwrap() as u32;
        for kind in ["1", "[", "yy"] {
            // The first `x` is in `example.com`.
            let edit = TextEdit::replace(TextRange::at(at, 1), kind);
            let mut after = before.clone();
            after.replace_range(edit.range.as_usize(), kind);
            let edited = file.edited(&edit, &|range| after[range.as_usize()].to_owned());
            assert_eq!(findings(&edited, &after), findings_in(&after), "{after}");
        }
    }

    #[test]
    fn placeholders_of_other_tools_have_no_findings() {
        let definition =
            DEFINITION.replace("size: {type: integer}", "size: {type: integer, minimum: 1}").replace(
                "            required: [size]\n",
                "            required: [size]\n            maxProperties: 1\n",
            );
        let codes = |rest: &str| -> Vec<(&str, Severity)> {
            let file = File::with_surroundings(
                &widget(rest),
                &Settings::default(),
                surroundings(&definition, "cr.yaml"),
            );
            file.findings().iter().map(|finding| (finding.code.as_str(), finding.severity)).collect()
        };
        assert_eq!(codes("spec:\n  size: ${SIZE}\n"), []);
        assert_eq!(codes("spec:\n  size: \"${SIZE:=1}0\"\n"), []);
        assert_eq!(codes("spec:\n  size: SIZE\n"), [("resource/type", Severity::Error)]);
        // The number of fields does not depend on the placeholder.
        let of_all = "spec:\n  size: ${SIZE}\n  sizes: []\n";
        assert_eq!(codes(of_all), [("resource/bounds", Severity::Error)]);
        assert_eq!(codes("spec:\n  sizes: [\"${SIZE}\"]\n"), [("resource/required", Severity::Error)]);
    }

    #[test]
    fn a_rule_that_does_not_compile_is_reported_once_and_as_a_hint() {
        let rules = "size: {type: integer, x-kubernetes-validations: [{rule: self <}, {rule: nothing}]}";
        let definition = DEFINITION.replace("size: {type: integer}", rules);
        let text = widget("spec: {size: 1}\n");
        let file = File::with_surroundings(&text, &Settings::default(), surroundings(&definition, "cr.yaml"));
        let [finding] = file.findings() else { panic!("{:?}", file.findings()) };
        assert_eq!((finding.code.as_str(), finding.severity), ("resource/broken-rule", Severity::Hint));
        assert_eq!(&text[finding.range.as_usize()], "kind");
        assert!(finding.api_server.is_some() && finding.related.len() == 1);
    }

    #[test]
    fn too_many_errors_are_cut_with_a_finding() {
        let text = widget(&format!("spec:\n  size: 1\n  sizes:\n{}", "  - x\n".repeat(20_000)));
        let all = findings_in(&text);
        assert_eq!(all.len(), super::MOST + 1);
        assert!(all.iter().any(|(code, ..)| *code == "file/too-many"));
    }
}
