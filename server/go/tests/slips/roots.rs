//! A kind or a list without the marker of objects.

use super::answers::{outcome_of, repaired};
use go::version::Version;

const ROOT: &str = "// +kubebuilder:object:root=true\n";

/// A kind and its list.
const PAIR: &str = "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
     // +kubebuilder:object:root=true\n// +kubebuilder:resource:scope=Cluster\n\n// Thing is a kind.\n\
     type Thing struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n\n\
     // +kubebuilder:object:root=true\n\n// ThingList is a list.\n\
     type ThingList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata,omitempty\"`\n\
     \tItems []Thing `json:\"items\"`\n}\n";

/// The problems with their tokens, and the text after the first fix of each.
fn found(text: &str) -> Vec<(String, String, Option<String>)> {
    let mistakes = outcome_of(text, Version::NEWEST).mistakes(false);
    let token = |span: go::syntax::Span| text[span.start as usize..span.end as usize].to_owned();
    let all = mistakes.into_iter().map(|one| {
        let fixed = one.repairs.first().map(|repair| repaired(text, repair));
        (token(one.place.span), one.problem, fixed)
    });
    all.collect()
}

#[test]
fn a_kind_without_the_marker_that_its_list_has_is_reported() {
    assert_eq!(found(PAIR), []);
    let text = PAIR.replacen(ROOT, "", 1);
    let problem =
        "no `DeepCopyObject` is generated for Thing, as it is for ThingList, so Thing is no `runtime.Object`";
    assert_eq!(found(&text), [("Thing".to_owned(), problem.to_owned(), Some(PAIR.to_owned()))]);
}

#[test]
fn a_list_without_the_marker_that_its_kind_has_is_reported() {
    let text = PAIR.replacen(&format!("{ROOT}\n// ThingList"), "// ThingList", 1);
    let reported = found(&text);
    let [(token, _, Some(fixed))] = &*reported else { panic!("{reported:?}") };
    assert_eq!(token, "ThingList");
    assert_eq!(found(fixed), []);
}

#[test]
fn a_disabled_marker_is_reported_at_its_value() {
    let text = PAIR.replacen("root=true", "root=false", 1);
    let reported = found(&text);
    let [(token, _, Some(fixed))] = &*reported else { panic!("{reported:?}") };
    assert_eq!((&**token, &**fixed), ("false", PAIR));
}

/// Other generators make the function as well, and without a marker on the list there may be no generator at all.
#[test]
fn types_with_other_generators_are_left_alone() {
    let of_kubernetes = "// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object\n";
    assert_eq!(found(&PAIR.replacen(ROOT, of_kubernetes, 1)), []);
    assert_eq!(found(&PAIR.replace(ROOT, "")), []);
    let method = "\nfunc (in *Thing) DeepCopyObject() runtime.Object { return in }\n";
    assert_eq!(found(&(PAIR.replacen(ROOT, "", 1) + method)), []);
}
