//! Conversion of paths to places and back.

use text::TextRange;
use yaml::{Reader, Tree};

use super::markers::definition;
use crate::{FieldPath, LocatedPart, Segment, locate, path_at};

const SCHEMA: &str = "\
type: object
properties:
  spec:
    type: object
    required: [size]
    anyOf:
    - required: [a.b]
    properties:
      a.b: {type: string}
";

fn parse(path: &str) -> FieldPath {
    let mut segments = FieldPath::root();
    for name in path.split('.') {
        match name.split_once('[') {
            None => segments.push_name(name.to_owned()),
            Some((name, key)) => {
                segments.push_name(name.to_owned());
                let key = key.trim_end_matches(']');
                match key.parse() {
                    Ok(index) => segments.push_index(index),
                    Err(_) => segments.push_key(key),
                }
            }
        }
    }
    segments
}

#[test]
fn a_path_leads_to_its_key_or_the_nearest_key_above() {
    let text = definition(SCHEMA);
    let tree = Tree::parse(&text);
    let document = tree.documents().next().expect("a document");
    let reader = Reader::new(document);
    let root = "spec.versions[0].schema.openAPIV3Schema";
    for (path, found, exact) in [
        (".properties[spec].type", "type", true),
        (".properties[spec].items", "spec", false),
        (".properties[spec].properties[x].type", "properties", false),
        (".properties[spec].anyOf[0]", "-", true),
        (".properties[spec].anyOf[3].type", "anyOf", false),
        (".properties[spec].required[0]", "size", true),
    ] {
        let full = parse(&format!("{root}{path}"));
        let located = locate(document.root().expect("a root"), &full, &reader);
        assert_eq!((&text[located.range.as_usize()], located.exact), (found, exact), "{path}");
    }
    let none = locate(document.root().expect("a root"), &parse("status"), &reader);
    assert_eq!((none.range, none.exact), (TextRange::empty(0), false));
}

#[test]
fn every_key_leads_back_to_itself() {
    let text = definition(SCHEMA);
    let tree = Tree::parse(&text);
    let document = tree.documents().next().expect("a document");
    let reader = Reader::new(document);
    let mut keys = 0;
    for (offset, _) in text.char_indices() {
        let at = path_at(document, offset as u32);
        if at.part == LocatedPart::Key {
            let located = locate(document.root().expect("a root"), &at.path, &reader);
            assert!(located.exact && located.range.touches(offset as u32), "{offset}: {}", at.path);
            keys += 1;
        }
    }
    assert!(keys > 150, "{keys}");
}

#[test]
fn members_of_maps_are_keys_and_fields_are_names() {
    let text = definition(SCHEMA);
    let tree = Tree::parse(&text);
    let document = tree.documents().next().expect("a document");
    let offset = text.find("a.b: {type").expect("the property") as u32;
    let at = path_at(document, offset);
    assert_eq!(
        at.path.to_string(),
        "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a.b]"
    );
    assert_eq!(at.path.last(), Some(&Segment::Key("a.b".into())));
    let value = path_at(document, text.find("string}").expect("the type") as u32);
    assert_eq!((value.path.last().and_then(Segment::key), value.part), (Some("type"), LocatedPart::Value));
}
