//! The examples of the rule pages: the wrong ones fire, the right ones are clean.

use std::fs;

use super::markers::definition;
use super::{reports, repository};

/// The first YAML block below `heading`.
fn example(page: &str, heading: &str) -> Option<String> {
    let (_, below) = page.split_once(&format!("\n## {heading}\n"))?;
    let (_, block) = below.split_once("```yaml\n")?;
    Some(block.split_once("```")?.0.to_owned())
}

fn codes(schema: &str) -> Vec<&'static str> {
    let violations = reports(&definition(schema)).into_iter().flat_map(|report| report.violations);
    violations.map(|violation| violation.code).collect()
}

#[test]
fn examples_of_rule_pages_fire_and_are_clean() {
    let folder = repository().join("docs/rules/structural");
    let mut pages = 0;
    for entry in fs::read_dir(folder).expect("rule pages") {
        let path = entry.expect("a page").path();
        let page = fs::read_to_string(&path).expect("a page");
        let code = format!("structural/{}", path.file_stem().expect("a name").to_string_lossy());
        let wrong = codes(&example(&page, "Wrong").expect("a wrong example"));
        let right = codes(&example(&page, "Right").expect("a right example"));
        assert!(wrong.contains(&code.as_str()), "{code}: the wrong example gives {wrong:?}");
        assert!(right.is_empty(), "{code}: the right example gives {right:?}");
        pages += 1;
    }
    assert_eq!(pages, 30, "a page for each code");
}
