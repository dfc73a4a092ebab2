//! Checks 79 to 137: places, texts by version, errors that hide others, and errors that an update may keep.

use yaml::Tree;

use super::markers::{check_schema, definition};
use crate::{Cache, Finding, KubernetesVersion, Options, Severity, check, check_update};

fn with_options(text: &str, options: &Options) -> Vec<Finding> {
    let tree = Tree::parse(text);
    let document = tree.documents().next().expect("a document");
    check(document, options, &mut Cache::default()).findings
}

fn at_minor(schema: &str, minor: u8) -> Vec<Finding> {
    with_options(
        &definition(schema),
        &Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() },
    )
}

fn findings_now(schema: &str) -> Vec<Finding> {
    with_options(&definition(schema), &Options::default())
}

fn update(old: &str, new: &str) -> Vec<Finding> {
    let (old, new) = (Tree::parse(old), Tree::parse(new));
    let [old, new] = [&old, &new].map(|tree| tree.documents().next().expect("a document"));
    check_update(new, old, &Options::default(), &mut Cache::default()).findings
}

fn details(findings: &[Finding]) -> Vec<&str> {
    findings.iter().filter_map(|finding| Some(finding.api_server.as_ref()?.detail.as_str())).collect()
}

fn codes_and_reported(findings: &[Finding]) -> Vec<(&str, bool)> {
    findings.iter().map(|finding| (finding.code.as_str(), finding.api_server.is_some())).collect()
}

#[test]
fn the_range_is_the_wrong_word() {
    check_schema(
        "\
type: object
properties:
  a:
    type: int
          ^^^ error[schema/type-unsupported]: unsupported `type` \"int\"; write `type: integer`
    uniqueItems: true
    ^^^^^^^^^^^ error[schema/unique-items]: `uniqueItems: true` is not supported
  b:
    type: object
    properties:
      c:
        type: string
    additionalProperties: false
    ^^^^^^^^^^^^^^^^^^^^ error[schema/properties-and-additional]: `additionalProperties` is not allowed beside `properties`
  metadata:
    type: object
    properties:
      name:
        type: string
        default: x
        ^^^^^^^ error[defaults/forbidden]: `metadata` at the root cannot have a default
",
    );
}

#[test]
fn an_unfinished_list_map_key_is_empty() {
    check_schema(
        "\
type: object
properties:
  a:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: ['']
                                 ^^ error[schema/list-map-key-unknown]: an item of `x-kubernetes-list-map-keys` is empty; write the name of a property of the items
    items: {type: object}
",
    );
}

#[test]
fn the_range_is_the_list_map_key() {
    check_schema(
        "\
type: object
properties:
  a:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [k, l, k, m]
                                    ^ error[schema/list-map-key-unknown]: the list map key `l` is not a property of the items
                                       ^ error[schema/list-map-key-duplicate]: `x-kubernetes-list-map-keys` contains `k` twice; remove one
    items:
      type: object
      required: [m]
      nullable: true
      ^^^^^^^^ error[schema/list-items-nullable]: the items of a list of type `map` cannot be nullable; remove `nullable`
      properties:
        k:
        ^ error[schema/list-map-key-default]: the list map key `k` is not required and has no default
        ^ error[schema/list-map-key-default]: the list map key `k` is not required and has no default
          type: string
        m:
          type: object
                ^^^^^^ error[schema/list-map-key-scalar]: the list map key `m` must be a scalar; use a string, a number, an integer or a boolean as the key
",
    );
}

#[test]
fn rules_are_read_without_compiling_them() {
    check_schema(
        "\
type: object
x-kubernetes-validations:
- rule: ' '
        ^^^ error[cel/rule-required]: `rule` is blank; write a CEL expression that is true for valid values
- rule: 'true'
  message: ' '
           ^^^ error[cel/message-blank]: `message` is blank; write a message, or remove the key
  fieldPath: .spec.size
             ^^^^^^^^^^ error[cel/field-path-invalid]: `.spec.size` is not a declared field; write the path of a field in the same schema, such as `.spec`
  reason: Wrong
          ^^^^^ error[cel/reason-unsupported]: unsupported `reason` \"Wrong\"; use `FieldValueInvalid` (the default), `FieldValueDuplicate`, `FieldValueForbidden` or `FieldValueRequired`
properties:
  spec:
    type: object
",
    );
}

#[test]
fn texts_are_those_of_the_version() {
    let schema = "\
type: object
x-kubernetes-validations:
- {rule: 'true', message: ' ', fieldPath: .x, reason: Wrong}
";
    let unknown = |field| {
        format!(
            "unknown field \"spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].{field}\""
        )
    };
    let oldest = details_of(&at_minor(schema, 27));
    let expected = ["message must be non-empty if specified", &unknown("fieldPath"), &unknown("reason")];
    assert_eq!(oldest, expected);
    let old = details_of(&at_minor(schema, 33));
    assert!(old.contains(&"message must be non-empty if specified".to_owned()), "{old:?}");
    assert!(old.contains(&"fieldPath must be a valid path".to_owned()), "{old:?}");
    let new = details_of(&at_minor(schema, 34));
    assert!(new.contains(&"must be non-empty if specified".to_owned()), "{new:?}");
    assert!(new.contains(&"must be a valid path".to_owned()), "{new:?}");
}

fn details_of(findings: &[Finding]) -> Vec<String> {
    details(findings).into_iter().map(str::to_owned).collect()
}

#[test]
fn format_warnings_depend_on_the_version() {
    let schema = |ty: &str, format: &str| {
        format!("type: object\nproperties:\n  a:\n    type: {ty}\n    format: {format}\n")
    };
    for (ty, format, first, last) in [
        ("string", "nonsense", 34, 37),
        ("string", "k8s-short-name", 34, 34),
        ("string", "int32", 34, 37),
        ("integer", "uint32", 36, 37),
        ("boolean", "yesno", 36, 37),
    ] {
        for minor in KubernetesVersion::OLDEST.minor..=KubernetesVersion::NEWEST.minor {
            let found = at_minor(&schema(ty, format), minor);
            let expected = usize::from((first..=last).contains(&minor));
            assert_eq!(found.len(), expected, "{ty} {format} in 1.{minor}: {found:?}");
        }
    }
    for (ty, format) in
        [("string", "date-time"), ("string", "ip-v4"), ("integer", "int64"), ("number", "double")]
    {
        assert_eq!(findings_now(&schema(ty, format)), [], "{ty} {format}");
    }
}

#[test]
fn a_conversion_error_hides_only_structural_errors() {
    let found = findings_now(
        "type: object\nid: x\nproperties:\n  a: {}\n  b:\n    type: string\n    uniqueItems: true\n",
    );
    let expected =
        [("schema/forbidden-id", true), ("structural/type-required", false), ("schema/unique-items", true)];
    assert_eq!(codes_and_reported(&found), expected);
    assert!(found[1].message.is_later, "{}", found[1].message);
}

#[test]
fn a_conversion_error_is_reported_alone_and_once() {
    let schema = "type: object\n$schema: x\nproperties:\n  a:\n    type: string\n    $schema: z\n";
    let found = findings_now(schema);
    assert_eq!(codes_and_reported(&found), [("schema/convert", true), ("schema/convert", false)]);
    let server = found[0].api_server.as_ref().expect("reported");
    assert_eq!(server.field, "spec.validation.openAPIV3Schema");
    assert_eq!(found[0].field_path.to_string(), "spec.versions[0].schema.openAPIV3Schema.$schema");
    for line in ["nullable: true\n", "uniqueItems: true\n"] {
        let reported: Vec<bool> = findings_now(&format!("{schema}{line}"))
            .iter()
            .filter(|finding| finding.code == "schema/convert")
            .map(|finding| finding.api_server.is_some())
            .collect();
        assert_eq!(reported, [false, false], "{line}");
    }
}

#[test]
fn a_path_through_an_untyped_node_is_a_lint() {
    let found = findings_now(
        "\
type: object
x-kubernetes-validations: [{rule: 'true', fieldPath: .m.a.b}]
properties:
  m:
    type: object
    additionalProperties: true
",
    );
    assert_eq!(codes_and_reported(&found), [("cel/field-path-invalid", false)]);
}

#[test]
fn the_status_subresource_restricts_the_root() {
    let with_status = |schema: &str| {
        definition(schema)
            .replace("    storage: true\n", "    storage: true\n    subresources: {status: {}}\n")
    };
    let found = |schema: &str| {
        let found = with_options(&with_status(schema), &Options::default());
        found.into_iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(found("type: object\nrequired: []\nenum: []\n"), ["subresources/status-root-fields"]);
    assert_eq!(found("type: object\nrequired: []\nnullable: false\n"), [""; 0]);
    assert_eq!(findings_now("type: object\nenum: []\n"), []);
}

#[test]
fn an_update_tolerates_stored_errors() {
    let old = definition("type: object\nproperties:\n  a:\n    type: int\n");
    let new = definition("type: object\nproperties:\n  a:\n    type: int\n    uniqueItems: true\n");
    let found = update(&old, &new);
    let expected = [("schema/type-unsupported", false), ("schema/unique-items", true)];
    assert_eq!(codes_and_reported(&found), expected);
    assert_eq!(found[0].severity, Severity::Warning);
    let other = old.replace("name: widgets.example.com", "name: gadgets.example.com");
    assert_eq!(codes_and_reported(&update(&other, &new))[0], ("schema/type-unsupported", true));
}

#[test]
fn an_update_may_stay_without_structure_if_it_preserves_unknown_fields() {
    let preserving =
        |schema: &str| definition(schema).replace("  group:", "  preserveUnknownFields: true\n  group:");
    let untyped = "type: object\nproperties:\n  a: {}\n";
    let reported = |old: &str, new: &str| {
        let found = update(old, new);
        let untyped = found.iter().filter(|finding| finding.code == "structural/type-required");
        untyped.map(|finding| finding.api_server.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(reported(&preserving(untyped), &preserving(untyped)), [false]);
    assert_eq!(reported(&preserving(untyped), &definition(untyped)), [true]);
    assert_eq!(reported(&preserving("type: object"), &preserving(untyped)), [true]);
    let with_default = format!("{untyped}  b:\n    type: string\n    default: x\n");
    assert_eq!(reported(&preserving(untyped), &preserving(&with_default)), [true]);
}

#[test]
fn defaults_require_pruning() {
    let text = definition("type: object\nproperties:\n  a:\n    type: string\n    default: x\n")
        .replace("  group:", "  preserveUnknownFields: true\n  group:");
    let found = with_options(&text, &Options::default());
    let found = found.iter().find(|finding| finding.code == "defaults/preserve-unknown-fields");
    let found = found.expect("the finding");
    assert_eq!(text.get(found.range.as_usize()), Some("true"));
    let server = found.api_server.as_ref().expect("reported");
    assert_eq!(server.field, "spec.preserveUnknownFields");
}

#[test]
fn defaults_are_reported_after_the_structure() {
    let schema = "type: object\nproperties:\n  a:\n    type: string\n    default: 5\n";
    assert_eq!(codes_and_reported(&findings_now(schema)), [("defaults/schema", true)]);
    let found = findings_now(&format!("{schema}  b: {{}}\n"));
    let expected = [("defaults/schema", false), ("structural/type-required", true)];
    assert_eq!(codes_and_reported(&found), expected);
    assert!(found[0].message.is_later, "{}", found[0].message);
}

#[test]
fn an_update_may_keep_defaults_with_unknown_fields() {
    let unpruned = definition(
        "type: object\nproperties:\n  a:\n    type: object\n    default: {x: 1}\n    properties:\n      b: {type: string}\n",
    );
    let unknown = |found: Vec<Finding>| {
        found.iter().filter(|finding| finding.code == "defaults/unknown-fields").count()
    };
    assert_eq!(unknown(with_options(&unpruned, &Options::default())), 1);
    assert_eq!(unknown(update(&unpruned, &unpruned)), 0);
    assert_eq!(unknown(update(&unpruned.replace("x: 1", "b: z"), &unpruned)), 1);
}
