#![allow(clippy::unwrap_used, clippy::panic)]

use text::TextRange;

use crate::marked_texts::WIDGET;
use crate::{Catalog, Definitions, File, Settings, Surroundings};

#[test]
fn a_deleted_line_is_restored() {
    assert_eq!(File::new(WIDGET, &Settings::default()).findings(), []);
    for newline in ["\n", "\r\n"] {
        let definition = WIDGET.replace('\n', newline);
        for (line, title) in [
            ("        properties:\n", "Add `properties:` above this line"),
            ("            properties:\n              replicas", "Add `properties:` above this line"),
            ("            properties:\n              size", "Add `properties:` above this line"),
            ("                items:\n", "Add `items:` above this line"),
            ("      scale:\n", "Add `scale:` above this line"),
            ("    additionalPrinterColumns:\n", "Add `additionalPrinterColumns:` above this line"),
            ("  names:\n", "Add `names:` above this line"),
            ("  versions:\n", "Add `versions:` above this line"),
            ("            required:\n", "Add `required:` above this line"),
            ("spec:\n", "Add `spec:` above this line"),
            ("    schema:\n", "Add `schema:` above this line"),
            ("      openAPIV3Schema:\n", "Add `openAPIV3Schema:` above this line"),
            ("  - name: v1\n", "Add `- name: v1` above this line"),
        ] {
            let line = line.replace('\n', newline);
            let (deleted, rest) = line.split_once('\n').unwrap();
            let text = definition.replacen(&format!("\n{deleted}\n{rest}"), &format!("\n{rest}"), 1);
            let file = File::new(&text, &Settings::default());
            let fixes = file.fixes(TextRange::new(0, text.len() as u32));
            let fix = fixes.iter().find(|fix| fix.title == title);
            let fix = fix.unwrap_or_else(|| panic!("{title}: {fixes:#?}\n{text}"));
            assert_eq!(text::applied(&text, 0, &fix.edits), definition);
        }
    }
}

/// A move of all lines would be much larger than the insertion of one.
#[test]
fn a_missing_line_above_a_large_block_is_one_finding_and_is_restored() {
    let field = |number: usize| {
        format!("              field{number}: {{type: string, description: number {number:040}}}\n")
    };
    let fields: String = (0..800).map(field).collect();
    // As in the output of controller-gen, the schema follows the name.
    let flags = "    served: true\n    storage: true\n";
    let columns = WIDGET.find("    additionalPrinterColumns:").unwrap()..WIDGET.find("    schema:").unwrap();
    let definition = WIDGET
        .replacen(&WIDGET[columns], "", 1)
        .replacen(flags, "", 1)
        .replacen("    subresources:\n", &format!("{flags}    subresources:\n"), 1)
        .replacen("              size:\n", &format!("{fields}              size:\n"), 1);
    for line in [
        "    schema:\n",
        "      openAPIV3Schema:\n",
        "            properties:\n              field0",
        "spec:\n",
    ] {
        let (deleted, rest) = line.split_once('\n').unwrap();
        let text = definition.replacen(&format!("\n{deleted}\n{rest}"), &format!("\n{rest}"), 1);
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{deleted}: {found:#?}");
        let fixes = file.fixes(found[0].range);
        let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
        assert!(
            repaired.contains(&definition),
            "{deleted}: {:?}",
            fixes.iter().map(|fix| &fix.title).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_first_line_of_a_first_item_is_restored() {
    let second = "    - name: Age\n      type: date\n      jsonPath: .metadata.creationTimestamp\n";
    let columns = WIDGET.find("    additionalPrinterColumns:\n").unwrap();
    let end = WIDGET[columns..].find("    schema:\n").unwrap() + columns;
    let list =
        "    additionalPrinterColumns:\n    - name: Size\n      type: integer\n      jsonPath: .spec.size\n";
    let definition = format!("{}{list}{second}{}", &WIDGET[..columns], &WIDGET[end..]);
    for (line, written, title) in [
        ("    - name: Size\n", "", "Add `- name: Size` above this line"),
        ("    - name: Size\n", "      name: Size\n", "Add `-` before `name`"),
    ] {
        let text = definition.replacen(line, written, 1);
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        assert_eq!(fixes.first().map(|fix| fix.title.as_str()), Some(title), "{fixes:#?}\n{text}");
        assert_eq!(text::applied(&text, 0, &fixes[0].edits), definition);
    }
}

#[test]
fn an_item_without_the_line_of_its_required_field_gets_its_dash() {
    let rules = WIDGET.find("            x-kubernetes-validations:\n").unwrap();
    let first = "            - rule: self.size > 0\n              message: size must be positive\n";
    let at = rules + WIDGET[rules..].find('\n').unwrap() + 1;
    let definition = format!("{}{first}{}", &WIDGET[..at], &WIDGET[at..]);
    assert_eq!(File::new(&definition, &Settings::default()).findings(), []);
    let text = definition.replacen("            - rule: self.size > 0\n", "", 1);
    let file = File::new(&text, &Settings::default());
    let found = file.grouped().findings;
    assert_eq!(found.len(), 1, "{found:#?}\n{text}");
    let fixes = file.fixes(found[0].range);
    let fix = fixes.first().unwrap();
    assert_eq!(fix.title, "Add `-` before `message`", "{fixes:#?}");
    let repaired = definition.replacen("- rule: self.size > 0\n              message", "- message", 1);
    assert_eq!(text::applied(&text, 0, &fix.edits), repaired);
}

#[test]
fn a_deleted_key_is_restored() {
    for (line, value) in [
        ("  scope: Namespaced\n", "  : Namespaced\n"),
        ("  scope: Namespaced\n", "  Namespaced\n"),
        ("                type: integer\n", "                : integer\n"),
        ("    plural: widgets\n", "    widgets\n"),
        ("        type: object\n", "        object\n"),
    ] {
        let text = WIDGET.replacen(line, value, 1);
        let file = File::new(&text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= crate::Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
        assert_eq!(repaired.as_deref(), Some(WIDGET), "{fixes:#?}\n{text}");
    }
}

#[test]
fn a_deleted_line_of_a_resource_is_restored() {
    let definition = WIDGET.replacen(
        "              modes:\n",
        "              source: {type: object, properties: {url: {type: string}}}\n              modes:\n",
        1,
    );
    let resource = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n  source:\n    url: b\n  modes:\n  - a\n";
    let definitions = Definitions::read("crd.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
    let around = || Surroundings { catalog: catalog.clone(), source: "a.yaml".into(), ..Default::default() };
    for (line, title) in [
        ("spec:\n", "Add `spec:` above this line"),
        ("  source:\n", "Add `source:` above this line"),
        ("  modes:\n", "Add `modes:` above this line"),
    ] {
        let text = resource.replacen(line, "", 1);
        let file = File::with_surroundings(&text, &Settings::default(), around());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        assert_eq!(fixes.first().map(|fix| fix.title.as_str()), Some(title), "{fixes:#?}\n{text}");
        assert_eq!(text::applied(&text, 0, &fixes[0].edits), resource);
    }
}
