#![allow(clippy::unwrap_used, clippy::panic)]

use crate::marked_texts::WIDGET;
use crate::{Catalog, Definitions, File, Settings, Surroundings};

/// The first fix for the only finding of a resource whose `spec` has these fields.
#[track_caller]
fn fixed(properties: &str, spec: &str) -> (String, String) {
    let definition =
        WIDGET.replacen("              modes:\n", &format!("{properties}              modes:\n"), 1);
    let definitions = Definitions::read("crd.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
    let around = Surroundings { catalog, source: "a.yaml".into(), ..Default::default() };
    let text =
        format!("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n{spec}");
    let file = File::with_surroundings(&text, &Settings::default(), around);
    let found = file.grouped().findings;
    assert_eq!(found.len(), 1, "{found:#?}\n{text}");
    let fixes = file.fixes(found[0].range);
    let fix = fixes.into_iter().next().unwrap_or_else(|| panic!("{found:#?}\n{definition}\n{text}"));
    let after = text::applied(&text, 0, &fix.edits);
    (fix.title, after.split_once("  size: 3\n").unwrap().1.to_owned())
}

#[test]
fn a_duration_without_its_unit_gets_seconds() {
    for schema in [
        "{type: string}",
        "{type: string, format: duration}",
        "{type: string, pattern: '^[0-9]+(ms|s|m|h)$'}",
    ] {
        let (title, spec) = fixed(&format!("              readTimeout: {schema}\n"), "  readTimeout: 5\n");
        assert_eq!((&*title, &*spec), ("Replace `5` with `5s`", "  readTimeout: 5s\n"), "{schema}");
    }
    let (title, spec) = fixed("              version: {type: string}\n", "  version: 5\n");
    assert_eq!((&*title, &*spec), ("Quote `5`", "  version: '5'\n"));
}

#[test]
fn a_misspelt_boolean_and_a_number_with_a_unit_are_corrected() {
    let (_, spec) = fixed("              debug: {type: boolean}\n", "  debug: flase\n");
    assert_eq!(spec, "  debug: false\n");
    let (_, spec) = fixed("              port: {type: integer}\n", "  port: 80s\n");
    assert_eq!(spec, "  port: 80\n");
}

#[test]
fn a_dash_before_an_object_is_removed() {
    let source =
        "              source: {type: object, properties: {url: {type: string}, tag: {type: string}}}\n";
    let (title, spec) = fixed(source, "  source:\n  - url: b\n    tag: c\n");
    assert_eq!((&*title, &*spec), ("Replace `- url` with `url`", "  source:\n    url: b\n    tag: c\n"));
}

#[test]
fn fields_that_are_one_level_too_high_are_one_finding_and_are_moved() {
    let definitions = Definitions::read("crd.yaml", WIDGET, Definitions::load_kept(WIDGET));
    let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
    for (text, title, moved) in [
        (
            "apiVersion: example.com/v1\nkind: Widget\nname: a\nmetadata:\nspec:\n  size: 3\n",
            "Move `name` into `metadata`",
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n",
        ),
        (
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nsize: 3\nmodes:\n- a\n",
            "Move `size` and `modes` into `spec`",
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n  modes:\n  - a\n",
        ),
    ] {
        let around = Surroundings { catalog: catalog.clone(), source: "a.yaml".into(), ..Default::default() };
        let file = File::with_surroundings(text, &Settings::default(), around);
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        let fix = fixes.iter().find(|fix| fix.title == title).unwrap_or_else(|| panic!("{fixes:#?}"));
        assert_eq!(text::applied(text, 0, &fix.edits), moved);
    }
}
