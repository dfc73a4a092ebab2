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

#[test]
fn values_in_another_shape_are_converted() {
    for (schema, written, title, repaired) in [
        (
            "env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}",
            "  env:\n    LEVEL: debug\n    MODE: fast\n",
            "Convert the keys of `env` to a list",
            "  env:\n  - name: LEVEL\n    value: debug\n  - name: MODE\n    value: fast\n",
        ),
        (
            "ports: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}",
            "  ports:\n    web:\n      port: 80\n",
            "Convert the keys of `ports` to a list",
            "  ports:\n  - name: web\n    port: 80\n",
        ),
        (
            "flags: {type: object, additionalProperties: {type: string}}",
            "  flags:\n  - name: level\n    value: debug\n",
            "Convert the items of `flags` to keys",
            "  flags:\n    level: debug\n",
        ),
        (
            "source: {type: object, properties: {url: {type: string}, tag: {type: string}}}",
            "  source:\n  - url: b\n  - tag: c\n",
            "Convert the items of `source` to keys",
            "  source:\n    url: b\n    tag: c\n",
        ),
        ("host: {type: string}", "  host: [a]\n", "Replace the list with `a`", "  host: a\n"),
        (
            "secret: {type: object, properties: {name: {type: string}, optional: {type: boolean}}}",
            "  secret: keys\n",
            "Add `name:` before `keys`",
            "  secret:\n    name: keys\n",
        ),
        (
            "target: {type: object, properties: {policy: {type: string, enum: [Owner, None]}, size: {type: integer}}}",
            "  target: Owner\n",
            "Add `policy:` before `Owner`",
            "  target:\n    policy: Owner\n",
        ),
        (
            "debug: {type: object, properties: {enabled: {type: boolean}, path: {type: string}}}",
            "  debug: true\n",
            "Add `enabled:` before `true`",
            "  debug:\n    enabled: true\n",
        ),
        (
            "wait: {type: array, items: {type: object, properties: {until: {type: string}, for: {type: string}}}}",
            "  wait:\n  until: noon\n",
            "Add `-` before `until`",
            "  wait:\n  - until: noon\n",
        ),
    ] {
        let (done, spec) = fixed(&format!("              {schema}\n"), written);
        assert_eq!((&*done, &*spec), (title, repaired), "{schema}");
    }
}

#[test]
fn a_text_that_does_not_match_its_pattern_is_corrected() {
    let size = "              storage: {type: string, pattern: '^[0-9]+([KMGT]i|[kMGT])?$'}\n";
    for (written, repaired) in [("1 Gi", "1Gi"), ("1gi", "1Gi"), ("1GB", "1G")] {
        let (_, spec) = fixed(size, &format!("  storage: {written}\n"));
        assert_eq!(spec, format!("  storage: {repaired}\n"), "{written}");
    }
    let (_, spec) = fixed("              enabled: {type: boolean}\n", "  enabled: disabled\n");
    assert_eq!(spec, "  enabled: false\n");
}

#[test]
fn a_field_without_one_of_its_words_is_renamed() {
    let fields = "              certificateRefs: {type: array, items: {type: string}}\n              entityOperator: {type: object, properties: {topic: {type: string}}}\n";
    for (written, intended) in
        [("refs:\n  - a", "certificateRefs:\n  - a"), ("entity: {}", "entityOperator: {}")]
    {
        let (_, spec) = fixed(fields, &format!("  {written}\n"));
        assert_eq!(spec, format!("  {intended}\n"), "{written}");
    }
}

/// The texts of the only finding and of its first fix, for a resource of `WIDGET`.
#[track_caller]
fn repaired(text: &str) -> (String, String) {
    let definitions = Definitions::read("crd.yaml", WIDGET, Definitions::load_kept(WIDGET));
    let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
    let around = Surroundings { catalog, source: "a.yaml".into(), ..Default::default() };
    let file = File::with_surroundings(text, &Settings::default(), around);
    let found = file.grouped().findings;
    assert_eq!(found.len(), 1, "{found:#?}\n{text}");
    let fixes = file.fixes(found[0].range);
    let fix = fixes.first().unwrap_or_else(|| panic!("{found:#?}\n{text}"));
    (text[found[0].range.as_usize()].to_owned(), text::applied(text, 0, &fix.edits))
}

#[test]
fn a_slip_in_metadata_is_one_finding_with_its_repair() {
    let right = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\n  labels:\n    example.com/part: web\nspec:\n  size: 3\n";
    for (part, written, at) in [
        ("    example.com/part: web\n", "  example.com/part: web\n", "example.com/part"),
        ("    example.com/part: web\n", "    example.com/part=web\n", "example.com/part=web"),
        ("    example.com/part: web\n", "    - example.com/part: web\n", "labels"),
        ("    example.com/part: web\n", "    example.com/part: [web]\n", "example.com/part"),
        ("    example.com/part: web\n", "    Example.com/part: web\n", "Example.com/part"),
        ("  name: a\n", "  name: a!\n", "a!"),
        ("spec:\n  size: 3\n", "specs:\n  size: 3\n", "specs"),
        ("metadata:", "meta:", "meta"),
        ("kind: Widget", "type: Widget", "type"),
        ("kind: Widget", "kind: idget", "idget"),
        ("apiVersion: example.com/v1", "version: example.com/v1", "version"),
        ("apiVersion: example.com/v1", "apiVersion: example/v1", "example/v1"),
        ("  size: 3\n", "  size: 3\n  size: three\n", "size"),
    ] {
        let text = right.replacen(part, written, 1);
        assert_ne!(text, right, "{written}");
        let (found, after) = repaired(&text);
        assert_eq!(found, at, "{text}");
        assert_eq!(yaml_without_quotes(&after), right, "{written}");
    }
}

/// `text` without the quotes and brackets that a repair may keep.
fn yaml_without_quotes(text: &str) -> String {
    text.replace(['"', '\''], "")
}

#[test]
fn the_dash_of_an_item_is_added_where_its_other_lines_show_it() {
    let ports = "              ports: {type: array, items: {type: object, properties: {from: {type: object, properties: {a: {type: string}}}, to: {type: string}}}}\n";
    let right = "  ports:\n    - from:\n        a: b\n      to: c\n";
    for written in ["    from:\n        a: b\n      to: c\n", "      from:\n        a: b\n      to: c\n"] {
        let (title, spec) = fixed(ports, &format!("  ports:\n{written}"));
        assert_eq!(spec, right, "{title}: {written}");
    }
}

#[test]
fn a_wrong_prefix_of_a_name_is_one_finding() {
    let text =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  generateName: A_b-\nspec:\n  size: 3\n";
    assert_eq!(repaired(text), ("A_b-".to_owned(), text.replace("A_b-", "a-b-")));
}

#[test]
fn a_text_under_the_singular_of_a_list_is_renamed_and_converted() {
    let hosts = "              hostNames: {type: array, items: {type: string}}\n";
    for (written, repaired) in
        [("a.example", "[a.example]"), ("a.example, b.example", "[a.example, b.example]")]
    {
        let (title, spec) = fixed(hosts, &format!("  hostName: {written}\n"));
        assert_eq!(title, "Rename `hostName` to `hostNames` and convert its value to a list");
        assert_eq!(spec, format!("  hostNames: {repaired}\n"));
    }
}

#[test]
fn a_name_in_place_of_a_list_of_objects_is_an_item() {
    let refs = "              refs: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, kind: {type: string}}}}\n";
    let (title, spec) = fixed(refs, "  refs: web-tls\n");
    assert_eq!((&*title, &*spec), ("Convert `web-tls` to a list", "  refs:\n  - name: web-tls\n"));
}

#[test]
fn a_pair_without_its_colon_is_separated() {
    let labels = "              tags: {type: object, additionalProperties: {type: string}}\n";
    let (title, spec) = fixed(labels, "  tags:\n    severity page\n");
    assert_eq!((&*title, &*spec), ("Add `:` after `severity`", "  tags:\n    severity: page\n"));
}

#[test]
fn pairs_beside_the_only_map_are_moved_into_it() {
    let selector = "              selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}, matchNames: {type: array, items: {type: string}}}}\n";
    let (title, spec) = fixed(selector, "  selector:\n    app: api\n");
    assert_eq!(
        (&*title, &*spec),
        ("Move `app` into `matchLabels`", "  selector:\n    matchLabels:\n      app: api\n")
    );
}

#[test]
fn a_part_of_one_allowed_value_is_completed() {
    let path = "              matching: {type: string, enum: [Exact, PathPrefix, RegularExpression]}\n";
    let (title, spec) = fixed(path, "  matching: Prefix\n");
    assert_eq!((&*title, &*spec), ("Replace `Prefix` with `PathPrefix`", "  matching: PathPrefix\n"));
}

/// The findings on `spec` for a definition whose `spec` has the keywords `schema`.
fn messages(schema: &str, spec: &str) -> Vec<String> {
    let crd = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n{schema}"
    );
    let text = format!("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n{spec}");
    let definitions = Definitions::read("crd.yaml", &crd, Definitions::load_kept(&crd));
    let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
    let around = Surroundings { catalog, source: "a.yaml".into(), ..Default::default() };
    let file = File::with_surroundings(&text, &Settings::default(), around);
    let found = file.grouped().findings;
    found.iter().map(|one| format!("{}: {}", &text[one.range.as_usize()], one.message)).collect()
}

#[test]
fn mistakes_in_the_definition_are_explained_at_the_resource() {
    assert_eq!(
        messages(
            "            required: [depot]\n            properties:\n              size: {type: integer}\n",
            "  depot: s3\n"
        ),
        [
            "depot: the definition requires `depot` but does not declare it, so kube-apiserver prunes it; declare it in the definition, or remove it from `required` there (1 more finding with the same cause)"
        ]
    );
    assert_eq!(
        messages("            properties:\n              size: {type: integer, default: \"1\"}\n", "  {}\n"),
        [
            "spec: the default of `spec.size` is invalid: `size` cannot be a string; set the field, or correct the default in the definition"
        ]
    );
}
