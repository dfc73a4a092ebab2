#![allow(clippy::unwrap_used, clippy::panic)]

use text::{PositionEncoding, TextBuffer};

use super::{MOST_FIELDS, Picture, PictureCell, PictureDeclaration, Place};
use crate::{File, Settings};

fn pictures(text: &str) -> Vec<Picture> {
    let buffer = TextBuffer::new(text);
    let file = File::new(text, &Settings::default());
    file.pictures(&buffer, &|offset| {
        let position = buffer.position(offset, PositionEncoding::Utf8);
        Place { line: position.line, character: position.character }
    })
}

fn definition(versions: &[(&str, &str)]) -> String {
    let mut text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: \
                    widgets.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: \
                    widgets, kind: Widget}\n  versions:\n"
        .to_owned();
    for (name, spec) in versions {
        let storage = *name == "v1";
        text.push_str(&format!(
            "  - name: {name}\n    served: true\n    storage: {storage}\n    schema:\n      openAPIV3Schema:\n        \
             type: object\n        properties:\n          spec:\n            type: object\n            {spec}\n"
        ));
    }
    text
}

fn declaration<'p>(picture: &'p Picture, path: &str, version: usize) -> &'p PictureDeclaration {
    let field = picture.fields.iter().find(|field| field.path == path).unwrap();
    match &field.versions[version] {
        PictureCell::Declared(declaration) => declaration,
        other => panic!("{other:?}"),
    }
}

#[test]
fn versions_are_side_by_side() {
    let text = definition(&[
        ("v1alpha1", "properties: {size: {type: string}, old: {type: string}}"),
        (
            "v1",
            "required: [size]\n            properties: {size: {type: string, maxLength: 5, default: a, enum: [a, b]}}",
        ),
    ]);
    let [picture] = pictures(&text).try_into().unwrap();
    let names: Vec<&str> = picture.versions.iter().map(|version| version.name.as_str()).collect();
    assert_eq!(names, ["v1", "v1alpha1"], "as discovery lists them");
    let paths: Vec<(&str, bool)> =
        picture.fields.iter().map(|field| (field.path.as_str(), field.is_same)).collect();
    assert_eq!(paths, [("", true), (".spec", true), (".spec.old", false), (".spec.size", false)]);
    let size = declaration(&picture, ".spec.size", 0);
    assert_eq!((size.type_name.as_str(), size.required), ("string", true));
    assert_eq!(
        (size.default.as_deref(), size.allowed.as_slice()),
        (Some("\"a\""), &["\"a\"".to_owned(), "\"b\"".to_owned()][..])
    );
    assert_eq!(size.bounds, ["maxLength 5"]);
    assert!(matches!(picture.fields[2].versions[0], PictureCell::Dropped));
    let line = text.lines().nth(size.place.line as usize).unwrap();
    assert!(line[size.place.character as usize..].starts_with("size:"), "{line}");
}

#[test]
fn a_rule_has_its_cost_and_the_bounds_that_are_missing() {
    let text = definition(&[(
        "v1",
        "properties: {names: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: \"self.all(x, \
         self.all(y, x != y))\", message: none}]}}",
    )]);
    let [picture] = pictures(&text).try_into().unwrap();
    let [rule] = declaration(&picture, ".spec.names", 0).rules.as_slice() else { panic!() };
    let cost = rule.cost.as_ref().unwrap();
    assert!(cost.total > picture.rule_limit, "{cost:?}");
    let causes: Vec<(&str, &str)> =
        cost.causes.iter().map(|cause| (cause.keyword.as_str(), cause.field.as_str())).collect();
    assert_eq!(causes, [("maxLength", "spec.names[*]"), ("maxItems", "spec.names")]);
    assert!(picture.versions[0].cost >= cost.total);
}

#[test]
fn the_expression_of_a_message_has_its_own_cost() {
    let text = definition(&[(
        "v1",
        "properties: {name: {type: string, x-kubernetes-validations: [{rule: \"self != ''\", messageExpression: \"self + \
         self\"}]}}",
    )]);
    let [picture] = pictures(&text).try_into().unwrap();
    let [rule] = declaration(&picture, ".spec.name", 0).rules.as_slice() else { panic!() };
    let message = rule.message_expression.as_ref().unwrap();
    let cost = message.cost.as_ref().unwrap();
    assert_eq!((message.expression.as_str(), cost.times), ("self + self", 1));
    assert!(cost.total > rule.cost.as_ref().unwrap().total);
    let place = message.place.unwrap();
    let line = text.lines().nth(place.line as usize).unwrap();
    assert!(line[place.character as usize..].starts_with("\"self + self"), "{line}");
}

#[test]
fn further_fields_of_a_huge_schema_are_counted() {
    let fields: Vec<String> = (0..MOST_FIELDS + 10).map(|at| format!("f{at}: {{type: string}}")).collect();
    let text = definition(&[("v1", &format!("properties: {{{}}}", fields.join(", ")))]);
    let [picture] = pictures(&text).try_into().unwrap();
    assert_eq!((picture.fields.len(), picture.left_out), (MOST_FIELDS, 12));
}

#[test]
fn other_objects_than_definitions_have_no_picture() {
    assert_eq!(pictures("apiVersion: v1\nkind: ConfigMap\n"), []);
    assert_eq!(pictures("a: [\n"), []);
}
