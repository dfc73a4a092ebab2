//! Large, deeply nested and adversarial input takes little time and does not overflow the stack.

use std::fmt::Write;
use std::time::Duration;

use api::KubernetesVersion;
use cpu_time::ThreadTime;
use yaml::{Reader, Tree};

use crate::Cache;
use crate::customresource::{Admission, ResourceVersion, admit};
use crate::object::definitions;

/// The admission of `resource` with a definition whose `spec` has this schema, and the time that we need.
fn admitted(schema: &str, resource: &str) -> (Admission, Duration) {
    let definition = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
         names: {{kind: Thing}}\n  versions:\n  - name: v1\n    served: true\n    schema:\n      \
         openAPIV3Schema: {{type: object, properties: {{spec: {schema}}}}}\n"
    );
    let tree = Tree::parse(&definition);
    let document = tree.documents().next().unwrap();
    let reader = Reader::new(document);
    let definition = definitions(document, &reader).remove(0);
    let mut cache = Cache::default();
    let version = ResourceVersion::all(&definition, &reader, &mut cache).remove(0);
    let resource =
        format!("apiVersion: example.com/v1\nkind: Thing\nmetadata: {{name: a}}\nspec: {resource}\n");
    let tree = Tree::parse(&resource);
    let started = ThreadTime::now();
    let admission = admit(tree.documents().next().unwrap(), &version, KubernetesVersion::NEWEST);
    (admission, started.elapsed())
}

const SOON: Duration = Duration::from_secs(20);

#[test]
fn many_errors_are_cut() {
    let list = format!("[{}]", "a,".repeat(100_000));
    let (admission, took) = admitted("{type: array, items: {type: integer}}", &list);
    assert_eq!(admission.errors.len(), 10_000);
    assert!(took < SOON, "{took:?}");
}

#[test]
fn large_objects_take_linear_time() {
    let mut object = String::from("\n");
    for key in 0..20_000 {
        writeln!(object, "  key{key}: {{a: 1, a{key}: 2}}").unwrap();
    }
    let schema =
        "{type: object, additionalProperties: {type: object, properties: {a: {type: integer, default: 1}}}}";
    let (admission, took) = admitted(schema, &object);
    assert_eq!(admission.strict_errors.len(), 20_000);
    assert!(admission.errors.is_empty() && took < SOON, "{took:?}");
}

#[test]
fn sets_are_compared_in_linear_time() {
    let mut list = String::from("[");
    for item in 0..50_000 {
        write!(list, "{item},").unwrap();
    }
    let (admission, took) =
        admitted("{type: array, x-kubernetes-list-type: set, items: {type: integer}}", &(list + "]"));
    assert!(admission.errors.is_empty() && took < SOON, "{took:?}");
}

#[test]
fn branches_times_values_is_bounded() {
    let branches = "{maximum: -1},".repeat(2_000);
    let schema = format!("{{type: array, items: {{type: integer, anyOf: [{branches}]}}}}");
    let (admission, took) = admitted(&schema, &format!("[{}]", "1,".repeat(10_000)));
    assert!(admission.incomplete && took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn deep_values_do_not_use_up_the_stack() {
    let deep = format!("{}1{}", "{a: ".repeat(190), "}".repeat(190));
    let schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}";
    let (admission, _) = admitted(schema, &deep);
    assert!(admission.object.is_some());
    let bomb = "&a [x]".to_owned();
    let levels = (1..40).fold(bomb, |inner, level| format!("[{inner}, &l{level} [*a, *a, *a]]"));
    let (admission, took) = admitted(schema, &format!("{{k: {levels}}}"));
    assert!(admission.decode_error.is_some() || admission.object.is_some());
    assert!(took < SOON, "{took:?}");
}
