#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use text::{TextEdit, TextRange};
use yaml::{Reader, Tree};

use super::{Structural, StructuralOrBool, structural};
use crate::Cache;
use crate::schema::Keyword;
use crate::value::{Kind, Place};

const SCHEMA: &str = "\
type: object
required: [size]
properties:
  size: {type: integer, default: 3, maximum: 1e1}
  list:
    type: array
    items:
      type: object
      properties:
        name:
          type: string
          pattern: '^a+$'
          default: aa
  map:
    type: object
    additionalProperties: {x-kubernetes-int-or-string: true}
    anyOf:
    - required: [a]
    - properties: {b: {enum: [1, b, ~]}}
  free:
    type: object
    description: anything goes
    x-kubernetes-preserve-unknown-fields: true
";

fn build(tree: &Tree, cache: &mut Cache) -> (Arc<Structural>, u32) {
    let document = tree.documents().next().unwrap();
    let reader = Reader::new(document);
    structural(document.root().unwrap(), &reader, cache).unwrap()
}

#[test]
fn all_keywords_of_a_schema_are_read() {
    let (root, _) = build(&Tree::parse(SCHEMA), &mut Cache::default());
    assert_eq!(&*root.generic.type_name, "object");
    assert_eq!(&*root.value_validation.required[0].0, "size");
    let size = &root.properties["size"].node;
    assert_eq!(size.value_validation.maximum, Some(10.0));
    assert_eq!(size.generic.default.as_ref().unwrap().kind, Kind::Int(3));
    let map = &root.properties["map"].node;
    let Some(StructuralOrBool::Structural(values)) = &map.additional_properties else { panic!() };
    assert!(values.node.extensions.int_or_string);
    assert_eq!(map.value_validation.any_of.len(), 2);
    let nested = &map.value_validation.any_of[1].node.properties["b"].node;
    assert_eq!(nested.value_validation.enumeration.len(), 3);
    let name = &root.properties["list"].node.items.as_ref().unwrap().node.properties["name"].node;
    let pattern = name.value_validation.pattern.as_ref().unwrap();
    assert_eq!(pattern.is_match("baa"), Ok(false));
    assert_eq!(pattern.is_match("aa"), Ok(true));
    assert!(root.has_defaults && root.properties["list"].node.has_defaults);
    assert!(!map.has_defaults);
}

/// Each place is the range of the text that was read.
#[test]
fn places_lead_to_the_text() {
    let text = format!("# before\n{SCHEMA}");
    let (root, base) = build(&Tree::parse(&text), &mut Cache::default());
    let list = &root.properties["list"];
    assert_eq!(at(&text, list.key.wrapping_shifted(base)), "list");
    let items = list.node.items.as_ref().unwrap();
    let name = &items.node.properties["name"];
    let base = name.base(items.base(list.base(base)));
    let place = name.node.places.place_of(Keyword::Pattern, base).unwrap();
    assert_eq!((at(&text, place.key), at(&text, place.value)), ("pattern", "'^a+$'"));
    let default = name.node.generic.default.as_ref().unwrap().shifted(base);
    let Place::Definition(range) = default.place else { panic!() };
    assert_eq!(at(&text, range), "aa");
}

#[test]
fn an_edit_rebuilds_only_the_nodes_above_it() {
    let mut cache = Cache::default();
    let tree = Tree::parse(SCHEMA);
    let (before, _) = build(&tree, &mut cache);
    let built = cache.built();
    let at = SCHEMA.find("anything").unwrap() as u32;
    let edited = SCHEMA.replace("anything", "nothing");
    let edit = TextEdit::replace(TextRange::at(at, 8), "nothing");
    let tree = tree.edited(&edit, &|range| edited[range.as_usize()].to_owned());
    let (after, _) = build(&tree, &mut cache);
    assert_eq!(cache.built() - built, 2, "the root and `free`");
    assert!(Arc::ptr_eq(&before.properties["list"].node, &after.properties["list"].node));
}

#[test]
fn faulty_parts_are_omitted() {
    let text =
        "type: object\nmaximum: x\nitems: [a]\nproperties: {a: 1, b: ~, c: {type: [x], maxLength: 1.0}}\n";
    let (root, _) = build(&Tree::parse(text), &mut Cache::default());
    assert!(root.items.is_none() && root.value_validation.maximum.is_none());
    // A property is declared even if its schema is invalid.
    assert_eq!(root.properties.keys().map(|key| &**key).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert!(root.properties["a"].node.is_open && !root.properties["b"].node.is_open);
    assert_eq!(root.properties["c"].node.value_validation.max_length, Some(1));
}

#[test]
fn alias_bombs_terminate() {
    let mut text = String::from("properties:\n  a: &a {type: string}\n");
    for level in 1..40 {
        let (name, below) =
            (format!("x{level}"), if level == 1 { "a".into() } else { format!("x{}", level - 1) });
        text += &format!("  {name}: &{name} {{properties: {{p: *{below}, q: *{below}, r: *{below}}}}}\n");
    }
    let started = cpu_time::ThreadTime::now();
    let _ = build(&Tree::parse(&text), &mut Cache::default());
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

fn at(text: &str, range: TextRange) -> &str {
    &text[range.as_usize()]
}

fn admits(schema: &str) -> u64 {
    let (root, _) = build(&Tree::parse(schema), &mut Cache::default());
    root.admits()
}

#[test]
fn places_and_descriptions_do_not_change_the_admitted_values() {
    let spaced = format!("title: Free\n\n{}", SCHEMA.replace("anything goes", "all"));
    assert_eq!(admits(SCHEMA), admits(&spaced));
}

#[test]
fn each_keyword_changes_the_admitted_values() {
    for (before, after) in [
        ("required: [size]", "required: [list]"),
        ("default: 3", "default: 4"),
        ("maximum: 1e1", "maximum: 11"),
        ("maximum: 1e1", "maximum: 1e1, exclusiveMaximum: true"),
        ("maximum: 1e1", "minimum: 1e1"),
        ("maximum: 1e1", "multipleOf: 2"),
        ("type: integer", "type: number"),
        ("type: integer", "type: integer, nullable: true"),
        ("type: integer", "type: integer, format: int32"),
        ("'^a+$'", "'^a*$'"),
        ("default: aa", "maxLength: 2"),
        ("default: aa", "minLength: 2"),
        ("type: array", "type: array\n    maxItems: 2"),
        ("type: array", "type: array\n    minItems: 2"),
        ("type: array", "type: array\n    uniqueItems: true"),
        ("type: array", "type: array\n    x-kubernetes-list-type: set"),
        ("type: array", "type: array\n    x-kubernetes-list-map-keys: [name]"),
        ("name:", "nome:"),
        ("x-kubernetes-int-or-string: true", "type: string"),
        ("additionalProperties: {x-kubernetes-int-or-string: true}", "additionalProperties: true"),
        ("additionalProperties: {x-kubernetes-int-or-string: true}", "maxProperties: 2"),
        ("anyOf:", "allOf:"),
        ("required: [a]", "required: [b]"),
        ("required: [a]", "not: {required: [a]}"),
        ("enum: [1, b, ~]", "enum: [1, c, ~]"),
        ("enum: [1, b, ~]", "enum: [[1], b, ~]"),
        ("x-kubernetes-preserve-unknown-fields: true", "nullable: false"),
        ("x-kubernetes-preserve-unknown-fields: true", "x-kubernetes-embedded-resource: true"),
        ("x-kubernetes-preserve-unknown-fields: true", "x-kubernetes-map-type: atomic"),
        ("type: object\nrequired", "x-kubernetes-validations: [{rule: 'true'}]\ntype: object\nrequired"),
    ] {
        assert!(SCHEMA.contains(before), "{before}");
        assert_ne!(admits(SCHEMA), admits(&SCHEMA.replacen(before, after, 1)), "{before} → {after}");
    }
}
