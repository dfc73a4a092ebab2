//! Our own packages (`fixtures/go`), with the output of controller-gen for them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod answers;

use std::path::{Path, PathBuf};
use std::{env, fs};

use answers::{args, differences, ours, ours_alone, theirs};
use go::schema::ProblemPlace;
use go::version::Version;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/go").join(name).canonicalize().unwrap()
}

#[test]
fn files_and_errors_are_those_of_controller_gen() {
    for name in ["library", "mistakes", "dead", "slips", "conventions", "kubernetes"] {
        let case = fixture(name);
        let (ours, _) = ours(&case, &args(&case), Version::NEWEST);
        let differences = differences(&ours, &theirs(&case), name);
        assert!(differences.is_empty(), "{name}:\n{}", differences.join("\n"));
    }
}

/// The token at fault is the marker, although controller-gen names the field.
#[test]
fn errors_of_markers_have_the_marker_as_their_token() {
    let case = fixture("mistakes");
    let (_, outcome) = ours(&case, &args(&case), Version::NEWEST);
    let outcome = outcome.unwrap();
    let mut tokens: Vec<&str> = outcome
        .problems
        .iter()
        .filter_map(|problem| problem.token)
        .map(|place| outcome.source(place.file).unwrap().slice(place.span))
        .collect();
    tokens.sort_unstable();
    // The value if it is incorrect, the name if the marker does not apply there.
    assert_eq!(tokens, ["Because", "bag", "kubebuilder:validation:MaxLength"]);
}

#[test]
fn each_part_of_a_schema_has_the_token_that_it_comes_from() {
    let case = fixture("library");
    let (_, outcome) = ours(&case, &args(&case), Version::NEWEST);
    let outcome = outcome.unwrap();
    let version = outcome.files[0].definition.versions.iter().find(|version| version.name == "v1").unwrap();
    let spec = &version.schema.properties["spec"];
    let pages = &spec.properties["pages"];
    let token_of = |keyword: &str| {
        let cause = pages.causes.iter().find(|cause| cause.keyword == keyword).unwrap();
        outcome.source(cause.place.file).unwrap().slice(cause.place.span)
    };
    assert_eq!(token_of("maximum"), "+kubebuilder:validation:Maximum=100000");
    assert_eq!(token_of("default"), "+kubebuilder:default:=1");
    assert_eq!(token_of("properties"), "pages");
    assert_eq!(token_of(""), "int32");
    let rule = spec.rules.iter().find(|rule| rule.field_path == ".pages").unwrap().place.unwrap();
    assert!(
        outcome
            .source(rule.file)
            .unwrap()
            .slice(rule.span)
            .starts_with("+kubebuilder:validation:XValidation:rule=")
    );
}

/// controller-gen had the modules, which are missing in the test.
#[test]
fn types_of_kubernetes_are_built_in() {
    let case = fixture("kubernetes");
    let built_in = |version: &str| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let module = fs::read_to_string(case.join("go.mod")).unwrap().replace("v0.37.2", version);
        fs::write(root.join("go.mod"), module).unwrap();
        fs::create_dir(root.join("v1")).unwrap();
        fs::copy(case.join("v1/types.go"), root.join("v1/types.go")).unwrap();
        let outcome = ours_alone(&root, &args(&case), Version::NEWEST).1.unwrap();
        assert!(outcome.missing.is_empty(), "{:?}", outcome.missing);
        outcome.approximate().map(go::load::MissingModule::message).collect::<Vec<_>>()
    };
    assert_eq!(built_in("v0.37.0"), Vec::<String>::new());
    let message = "package k8s.io/api/core/v1 is in module k8s.io/api v0.30.1, which is not in the module cache; run \
                   `go mod download k8s.io/api`";
    assert_eq!(built_in("v0.30.1"), [message]);
}

/// A missing module affects only the types that need it.
#[test]
fn a_missing_module_is_reported_with_the_command_that_downloads_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let library = fs::read_to_string(fixture("library/go.mod")).unwrap();
    let library = library.replace("../apimachinery", fixture("apimachinery").to_str().unwrap());
    fs::write(root.join("go.mod"), library.replace("require ", "require example.org/far v1.2.3\nrequire "))
        .unwrap();
    fs::create_dir(root.join("v1")).unwrap();
    let types = "// +groupName=a.example.com\npackage v1\n\nimport (\n\t\"example.org/far\"\n\tmetav1 \
                 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n)\n\ntype Near struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\
                 \tmetav1.ObjectMeta `json:\"metadata\"`\n\tA far.Thing `json:\"a\"`\n\tB string `json:\"b\"`\n}\n";
    fs::write(root.join("v1/types.go"), types).unwrap();
    let (answer, outcome) = ours(&root, "crd paths=./...", Version::NEWEST);
    let outcome = outcome.unwrap();
    let [missing] = outcome.missing.as_slice() else { panic!("{:?}", outcome.missing) };
    assert!(missing.message().contains("run `go mod download example.org/far`"), "{}", missing.message());
    assert!(
        outcome.problems.iter().all(|problem| matches!(problem.spot, ProblemPlace::Package(_))),
        "{:?}",
        outcome.problems
    );
    let text = &answer.files["a.example.com_nears.yaml"];
    assert!(text.contains("          a: {}\n          apiVersion"), "{text}");
    assert!(text.contains("          b:\n            type: string\n"), "{text}");
}

/// The token at which a finding on a generated node is shown.
#[test]
fn each_node_of_a_definition_leads_back_to_its_token() {
    use go::source::{OriginKind, Source};
    let case = fixture("library");
    let (_, outcome) = ours(&case, &args(&case), Version::NEWEST);
    let outcome = outcome.unwrap();
    let first = |path: &str| {
        let path: Vec<&str> = path.split('/').collect();
        let origins = outcome.origins("library.example.com_books.yaml", &path);
        let origin = origins.first().unwrap_or_else(|| panic!("{path:?}"));
        (origin.token, outcome.text_of(origin).to_owned())
    };
    let schema = "spec/versions/0/schema/openAPIV3Schema/properties/spec";
    let of = |token, text: &str| (token, text.to_owned());
    assert_eq!(first(&format!("{schema}/properties/pages/maximum")), of(OriginKind::Annotation, "100000"));
    assert_eq!(first(&format!("{schema}/properties/pages/type")), of(OriginKind::Type, "int32"));
    assert_eq!(first(&format!("{schema}/properties/genre/enum/1")), of(OriginKind::Annotation, "poem"));
    assert_eq!(
        first(&format!("{schema}/properties/authors/items/minLength")),
        of(OriginKind::Annotation, "2")
    );
    let rule = "\"!has(self.pages) || self.pages > 0\"";
    assert_eq!(first(&format!("{schema}/x-kubernetes-validations/0/rule")), of(OriginKind::Annotation, rule));
    assert_eq!(first(&format!("{schema}/x-kubernetes-validations/1")).0, OriginKind::Annotation);
    assert_eq!(first(&format!("{schema}/required/0")), of(OriginKind::Name, "title"));
    assert_eq!(first("spec/group"), of(OriginKind::Annotation, "library.example.com"));
    assert_eq!(first("spec/names/shortNames/0"), of(OriginKind::Annotation, "bk"));
    assert_eq!(first("spec/names/kind"), of(OriginKind::Kind, "Book"));
    assert_eq!(
        first("spec/versions/0/additionalPrinterColumns/0/jsonPath"),
        of(OriginKind::Annotation, "`.spec.title`")
    );
    assert_eq!(first("spec/versions/1/deprecationWarning"), of(OriginKind::Annotation, "\"use v1\""));
    assert_eq!(first("metadata/annotations"), of(OriginKind::Kind, "Book"));
    // A pattern of the field and one of its type are two markers.
    let owner = format!("{schema}/properties/owner/pattern");
    assert_eq!(first(&owner), of(OriginKind::Annotation, "`^[a-z]+$`"));
}

/// Markers that other tools and generators read cause no findings.
#[test]
fn sound_packages_have_no_markers_without_effect() {
    for name in ["library", "mistakes"] {
        let case = fixture(name);
        let (_, outcome) = ours(&case, &args(&case), Version::NEWEST);
        assert_eq!(outcome.unwrap().mistakes(false), [], "{name}");
    }
}
