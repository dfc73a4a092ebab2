use crate::features::resources::tests::{DEFINITION, at_cursor, surroundings, widget};
use crate::{File, LinkTarget, Settings};

/// The line of the definition of the name at the cursor, from the name on.
fn target(text: &str) -> Option<String> {
    let (_, file, offset) = at_cursor(text);
    let found = file.definition(offset)?;
    let elsewhere = found.elsewhere.unwrap();
    assert_eq!(&*elsewhere.source, "crds/widget.yaml");
    let rest = &DEFINITION[found.target.start as usize..];
    Some(rest.lines().next().unwrap().to_owned())
}

#[test]
fn a_field_leads_to_its_property() {
    assert_eq!(target(&widget("spec:\n  repl$0icas: 1\n")).unwrap(), "replicas:");
    assert_eq!(
        target(&widget("spec:\n  ports:\n  - target: {num$0ber: 1}\n")).unwrap(),
        DEFINITION.lines().find(|line| line.contains("number: {")).unwrap().trim()
    );
    assert_eq!(target(&widget("spec:\n  labels: {a$0: b}\n")).unwrap(), "{type: string}");
    assert_eq!(target(&widget("spec:\n  unkn$0own: 1\n")), None);
}

/// If a declaration leads to itself, editors show the references to it.
#[test]
fn a_declaration_leads_to_itself() {
    let text = DEFINITION.replacen("replicas:", "repl$0icas:", 1);
    let (text, file, offset) = at_cursor(&text);
    let found = file.definition(offset).unwrap();
    assert_eq!((&text[found.target.as_usize()], found.elsewhere), ("replicas", None));
    let (_, file, offset) = at_cursor("a:\n  b$0: 1\n");
    assert_eq!(file.definition(offset), None);
}

#[test]
fn the_kind_leads_to_the_definition() {
    let names = "Widget, plural: widgets, singular: widget, listKind: WidgetList}";
    assert_eq!(target("apiVersion: example.com/v1\nkind: Wid$0get\n").unwrap(), names);
    assert_eq!(target("apiVersion: exam$0ple.com/v1\nkind: Widget\n").unwrap(), names);
}

/// The lines in `resources` that set the property at the cursor.
fn uses(text: &str, resources: &str) -> Vec<String> {
    let (_, file, offset) = at_cursor(text);
    let Some(property) = file.property(offset) else { return Vec::new() };
    let line = |at: u32| {
        let at = at as usize;
        let start = resources[..at].rfind('\n').map_or(0, |end| end + 1);
        resources[start..].lines().next().unwrap().trim().to_owned()
    };
    let in_text = property.uses(resources);
    let of_file = File::with_surroundings(resources, &Settings::default(), surroundings()).uses(&property);
    assert_eq!(in_text, of_file);
    in_text.into_iter().map(|range| line(range.start)).collect()
}

#[test]
fn a_property_leads_to_the_resources_that_set_it() {
    let resources = widget("spec:\n  ports:\n  - target: {number: 1}\n  - target:\n      number: 2\n")
        + "---\n"
        + &widget("spec: {number: 3}\n")
        + "---\napiVersion: other.example.com/v1\nkind: Widget\nspec:\n  ports:\n  - target: {number: 4}\n";
    let property = DEFINITION.replace("number: {", "num$0ber: {");
    assert_eq!(uses(&property, &resources), ["- target: {number: 1}", "number: 2"]);
    let field = widget("spec:\n  ports:\n  - target: {num$0ber: 1}\n");
    assert_eq!(uses(&field, &resources), ["- target: {number: 1}", "number: 2"]);
    assert_eq!(uses(&DEFINITION.replace("required: [mode", "requ$0ired: [mode"), &resources), [""; 0]);
}

#[test]
fn kinds_and_addresses_are_links() {
    let text = widget("spec: {}\n");
    let file = File::with_surroundings(&text, &Settings::default(), surroundings());
    let [link] = &file.links()[..] else { panic!("one link") };
    assert_eq!(&text[link.range.as_usize()], "Widget");
    let LinkTarget::Text(elsewhere, target) = &link.target else { panic!("a text") };
    assert_eq!((&*elsewhere.source, &DEFINITION[target.as_usize()]), ("crds/widget.yaml", "Widget"));

    let described = DEFINITION.replace(
        "A thing with ports.",
        "'See https://example.com/a, (http://example.com/b) or httpd.'\n        externalDocs: {url: https://example.com/c}",
    );
    let address = |link: crate::Link| match link.target {
        LinkTarget::Address(address) => {
            assert_eq!(described[link.range.as_usize()], address);
            address
        }
        LinkTarget::Text(..) => panic!("an address"),
    };
    let links = File::new(&described, &Settings::default()).links();
    let links: Vec<_> = links.into_iter().map(address).collect();
    assert_eq!(links, ["https://example.com/a", "http://example.com/b", "https://example.com/c"]);
}

/// A definition whose property `size` is named in each way.
const NAMED: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: '.spec.parts[?(@.name==\"a\")].size'}
    subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: self.spec.size > 0
          fieldPath: .spec.size
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    size: {type: integer}
";

/// The line and the column, from 1, of each place that names the property at the cursor, which is in the
/// `at`-th `word`; then the place of its declaration.
fn places_of_name(word: &str, at: usize) -> (Vec<String>, Option<String>) {
    let offset = NAMED.match_indices(word).nth(at).unwrap().0 as u32 + 1;
    let file = File::new(NAMED, &Settings::default());
    let shown = |range: text::TextRange| {
        let before = &NAMED[..range.start as usize];
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        format!("{}:{column} {}", before.matches('\n').count() + 1, &NAMED[range.as_usize()])
    };
    let target = file.definition(offset).map(|found| shown(found.target));
    (file.references(offset).into_iter().map(shown).collect(), target)
}

#[test]
fn lists_of_names_and_paths_name_properties() {
    let of_spec = ["26:15 size", "14:52 size", "19:27 size", "20:28 size", "24:24 size"];
    let (_, key) = (0, Some("26:15 size".to_owned()));
    let places = ["size, s", "size > 0", "size\n        properties", "size]"];
    for place in places {
        let (all, target) = places_of_name(place, 0);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!((all, target), (of_spec.to_vec(), key.clone()), "{place}");
    }
    assert_eq!(places_of_name("size: {", 0).0, of_spec);
    // The status has no such property.
    assert_eq!(places_of_name("size}}", 0), (Vec::new(), None));
    let of_item = ["35:21 name", "13:62 name", "30:46 name", "33:30 name"];
    for place in ["name==", "name]\n                items", "name: {type"] {
        assert_eq!(places_of_name(place, 0).0, of_item, "{place}");
    }
    assert_eq!(places_of_name("size'", 0).0, ["36:21 size", "13:74 size"]);
}

#[test]
fn where_a_property_is_named_it_is_explained() {
    let file = File::new(NAMED, &Settings::default());
    let hover = |word: &str| file.hover(NAMED.find(word).unwrap() as u32 + 1).unwrap();
    let of_property = hover("size: {").markdown;
    assert!(of_property.starts_with("**`spec.size`**: `integer`"), "{of_property}");
    for place in ["size, s", "size\n        properties", "size]"] {
        let found = hover(place);
        assert_eq!((&NAMED[found.range.as_usize()], &found.markdown), ("size", &of_property), "{place}");
    }
    // If the property is unknown, the hover explains the keyword.
    assert!(hover("size}}").markdown.contains("statusReplicasPath"));
}

#[test]
fn the_required_fields_of_a_branch_are_those_declared_outside() {
    let branches = "            required: [size]\n            not: {required: [parts]}\n            anyOf:\n            - required: [size, none]\n              properties: {size: {minimum: 1}}\n";
    let text = NAMED.replacen("            required: [size]\n", branches, 1);
    let file = File::new(&text, &Settings::default());
    let target = |word: &str| {
        let found = file.definition(text.find(word).unwrap() as u32 + 1)?;
        Some(text[found.target.start as usize..].lines().next().unwrap_or_default().to_owned())
    };
    assert_eq!(target("size, none").as_deref(), Some("size: {type: integer}"));
    assert_eq!(target("parts]").as_deref(), Some("parts:"));
    assert_eq!(target("none]"), None);
    let hover = file.hover(text.find("size, none").unwrap() as u32 + 1).unwrap();
    assert!(hover.markdown.starts_with("**`spec.size`**: `integer`"), "{}", hover.markdown);
}
