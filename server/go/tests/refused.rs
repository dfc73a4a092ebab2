//! Markers that controller-gen rejects: each has one explanation, and its fix makes a marker that
//! controller-gen accepts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "refused/arguments.rs"]
mod arguments;
#[path = "refused/values.rs"]
mod values;

use answers::{outcome_of, repaired};
use go::version::Version;
use go::{Mistake, MistakeKind};

/// The text of a package with a marker on a field of this type, or on a kind.
fn package(marker: &str, on: &str) -> String {
    let (kind, field) = match on {
        "kind" => (format!("// +{marker}\n"), "// +optional".to_owned()),
        _ => (String::new(), format!("// +{marker}")),
    };
    let of_field = if on == "kind" { "string" } else { on };
    format!(
        "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n{kind}type A \
         struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t{field}\n\tB \
         {of_field} `json:\"b,omitempty\"`\n}}\n"
    )
}

/// The explanations of the rejected markers in a text, and the messages of controller-gen.
fn explained(text: &str, version: Version) -> (Vec<Mistake>, Vec<String>) {
    let outcome = outcome_of(text, version);
    let problems = outcome.problems.iter().map(|problem| problem.message.clone());
    let mistakes = outcome.mistakes(false).into_iter();
    (mistakes.filter(|mistake| mistake.kind == MistakeKind::Refused).collect(), problems.collect())
}

/// The fix removes the marker.
const REMOVED: &str = "-";

/// The target of the marker, the marker with `«»` around the token, the message, and the marker after the fix: [`REMOVED`], or
/// empty if there is no fix.
type Case = (&'static str, &'static str, &'static str, &'static str);

#[test]
fn each_refusal_is_explained_at_its_token_and_repaired() {
    let mut wrong = Vec::new();
    for (on, marked, expected, after) in values::CASES.iter().chain(arguments::CASES) {
        let text = package(&marked.replace(['«', '»'], ""), on);
        let (mistakes, problems) = explained(&text, Version::NEWEST);
        let [mistake] = &*mistakes else {
            wrong.push(format!("{marked}: {} explanations of {problems:?}", mistakes.len()));
            continue;
        };
        let explanation = format!("{}; {}", mistake.problem, mistake.remedy.as_deref().unwrap_or_default());
        let mut shown = text.clone();
        shown.insert(mistake.place.span.end as usize, '»');
        shown.insert(mistake.place.span.start as usize, '«');
        if explanation != *expected || !shown.contains(&format!("// +{marked}\n")) {
            wrong.push(format!(
                "{marked}: {explanation} in {}",
                shown.lines().find(|line| line.contains('«')).unwrap()
            ));
        }
        let fixed = mistake.repairs.first().map(|repair| repaired(&text, repair));
        match &fixed {
            Some(fixed) if *after == REMOVED => {
                let name = marked.split('=').next().unwrap_or(marked).replace(['«', '»'], "");
                if fixed.contains(&name) {
                    wrong.push(format!("{marked}: repaired to {fixed}"));
                }
            }
            Some(fixed) if !after.is_empty() => {
                let line = fixed.lines().find(|line| line.trim_start() == format!("// +{after}"));
                let (_, left) = explained(fixed, Version::NEWEST);
                if line.is_none() || left.iter().any(|problem| problem.contains("<input>")) {
                    wrong.push(format!("{marked}: repaired to {fixed}, where {left:?}"));
                }
            }
            None if after.is_empty() => {}
            _ => wrong.push(format!("{marked}: repaired to {fixed:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_flag_that_is_false_is_removed() {
    let text = package("nullable=false", "string");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.remedy.as_deref(), Some("remove the marker"));
    assert!(!mistake.repairs[0].is_safe);
    assert_eq!(repaired(&text, &mistake.repairs[0]), text.replace("\t// +nullable=false\n", ""));
}

#[test]
fn an_argument_of_a_later_release_is_named() {
    let text = package("kubebuilder:validation:XValidation:rule=\"true\",optionalOldSelf=true", "string");
    let (mistakes, _) = explained(&text, Version::new(14, 0));
    let problems: Vec<&str> = mistakes.iter().map(|mistake| &*mistake.problem).collect();
    assert_eq!(
        problems,
        ["controller-gen v0.14.0 does not know `optionalOldSelf` of `kubebuilder:validation:XValidation`"]
    );
    assert_eq!(explained(&text, Version::NEWEST).0, []);
}

#[test]
fn a_value_that_continues_on_the_next_lines_is_joined_into_one() {
    let rule = "kubebuilder:validation:XValidation:rule=\"self != 'a' &&\n\t// self != 'b'\",message=\"m\"";
    let text = package(rule, "string");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.problem, "the marker ends with its line, but its value goes on in the next one");
    assert_eq!(mistake.repairs[0].title, "Merge the lines");
    assert_eq!(repaired(&text, &mistake.repairs[0]), text.replace("&&\n\t// self", "&& self"));
    // The next line is another marker, or there is no closing quote.
    for rule in [
        "kubebuilder:validation:XValidation:rule=\"true\n\t// +kubebuilder:title=\"a\"",
        "kubebuilder:validation:XValidation:rule=\"true\n\t// More.",
    ] {
        let (mistakes, _) = explained(&package(rule, "string"), Version::NEWEST);
        assert_eq!(mistakes[0].problem, "the closing `\"` is missing");
    }
}

#[test]
fn arguments_on_the_next_lines_are_joined_to_the_marker() {
    let column = "kubebuilder:printcolumn:name=\"A\",\n// type=string,\n// JSONPath=\".b\"";
    let text = package(column, "kind");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.problem, "no argument follows the last `,`");
    assert_eq!(mistake.repairs[0].title, "Merge the lines");
    let joined = text.replace(",\n// type=string,\n// JSONPath", ",type=string,JSONPath");
    assert_eq!(repaired(&text, &mistake.repairs[0]), joined);
}
