use crate::features::resources::tests::{at_cursor, widget};

/// The text that the hover covers, and its Markdown.
fn hover(text: &str) -> Option<(String, String)> {
    let (text, file, offset) = at_cursor(text);
    let hover = file.hover(offset)?;
    Some((text[hover.range.as_usize()].to_owned(), hover.markdown))
}

#[test]
fn a_field_is_explained_by_the_schema() {
    let (marked, text) = hover(&widget("spec:\n  repli$0cas: 3\n")).unwrap();
    assert_eq!(marked, "replicas");
    assert_eq!(
        text,
        "**`spec.replicas`**: `integer ≥ 0 and ≤ 9`\n\nDefault: `1`\n\nHow many it's to be.\n\n\
         Rules:\n- too many (`self.replicas <= self.limit`)"
    );
    let (_, text) = hover(&widget("spec:\n  m$0ode: Fast\n")).unwrap();
    assert_eq!(
        text,
        "**`spec.mode`**: `string` · required\n\nValues: `Fast`, `Slow`, `'yes'`\n\nHow it works."
    );
}

#[test]
fn a_value_is_explained_by_its_field_in_every_style() {
    for spec in ["spec:\n  mode: Fa$0st\n", "spec: {mode: Fa$0st}\n", "spec:\n  mode: \"Fa$0st\"\n"] {
        let (marked, text) = hover(&widget(spec)).unwrap();
        assert!(marked.contains("Fast") && text.starts_with("**`spec.mode`**"), "{spec}: {text}");
    }
    let (_, text) = hover(&widget("spec:\n  ports:\n  - target:\n      number: 8$00\n")).unwrap();
    assert_eq!(text, "**`spec.ports[0].target.number`**: `integer` · required\n\nWhere it listens.");
    let (_, text) = hover(&widget("spec:\n  labels:\n    a.b/c: $0d\n")).unwrap();
    assert_eq!(text, "**`spec.labels[a.b/c]`**: `string`");
}

#[test]
fn the_hover_of_a_list_shows_its_keys() {
    let (_, text) = hover(&widget("spec:\n  por$0ts: []\n")).unwrap();
    assert_eq!(text, "**`spec.ports`**: `[]object` · required · list type `map`, keys `name`");
}

#[test]
fn the_hover_of_the_kind_shows_its_definition() {
    let (marked, text) = hover("apiVersion: example.com/v1\nkind: Wid$0get\n").unwrap();
    assert_eq!(marked, "Widget");
    assert_eq!(
        text,
        "**`Widget`**: `example.com/v1` · namespaced\n\nA thing with ports.\n\n\
         Served versions: `v1`, `v1alpha1`\n\nDefined in `crds/widget.yaml`"
    );
    let (_, text) = hover("apiVersion: example.com/v1alp$0ha1\nkind: Widget\n").unwrap();
    assert!(
        text.contains("⚠ example.com/v1alpha1 Widget is deprecated; use example.com/v1 Widget"),
        "{text}"
    );
}

#[test]
fn metadata_is_that_of_any_object() {
    let (_, text) = hover("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  na$0me: one\n").unwrap();
    assert!(text.starts_with("**`metadata.name`**: `string`\n\nName of the object."), "{text}");
    assert!(!text.contains("CustomResourceDefinition"), "{text}");
}

#[test]
fn half_typed_text_is_explained_too() {
    let (_, text) = hover(&widget("spec:\n  replicas: [1\n  mo$0de:\n  paused\n")).unwrap();
    assert!(text.starts_with("**`spec.mode`**"), "{text}");
    let (_, text) = hover(&widget("spec:\n  mode: \"Fa$0st\n  paused: true\n")).unwrap();
    assert!(text.starts_with("**`spec.mode`**"), "{text}");
}

#[test]
fn unknown_kinds_and_fields_have_no_hover() {
    for text in [
        "apiVersion: example.com/v1\nkind: Gadget\nspec:\n  mo$0de: x\n",
        "apiVersion: apps/v1\nkind: Deployment\nspec:\n  mo$0de: x\n",
        "apiVersion: example.com/v1\nkind: Widget\nspec:\n  a: 1 # mo$0de\n",
        "apiVersion: example.com/v1\nkind: Widget\nspec:\n  unkn$0own: 1\n",
    ] {
        assert_eq!(hover(text), None, "{text}");
    }
    // A field without a schema has no schema below it.
    assert_eq!(hover(&widget("spec:\n  free:\n    any:\n      a: $01\n")), None);
}
