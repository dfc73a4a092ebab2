//! Fixes of rules that are too expensive: the cases of `fixtures/fixes/cost`, each with the code and the
//! title in its first line, and definitions of the corpus without their bounds.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use ide::{File, Finding, Fix, Settings};
use suites::Case;
use text::TextRange;

fn applied(text: &str, fix: &Fix) -> String {
    let mut text = text.to_owned();
    fix.edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
    text
}

fn of_code<'f>(file: &'f File, code: &str) -> Option<&'f Finding> {
    file.findings().iter().find(|finding| finding.code.as_str() == code)
}

#[test]
fn each_fixture_is_repaired_as_stated() {
    let updates = environment::updates();
    let folder = suites::fixtures().join("fixes/cost");
    if updates {
        suites::record(&folder, "yaml before", |case| Some(cheaper(case, true).0)).unwrap();
        suites::record(&folder, "yaml after", |case| Some(cheaper(case, true).1)).unwrap();
    }
    let cases = suites::cases(&folder).unwrap();
    for case in &cases {
        let (_, after) = cheaper(case, false);
        let expected = case.part("after").unwrap().as_utf8().unwrap();
        assert!(after == expected, "{}", case.failed(expected, &after));
    }
    assert!(cases.len() >= 16, "{}", cases.len());
}

/// `before` with the title of the fix in its first line, and the result of the fix. With `updates`, the first
/// fix is used if none has that title.
fn cheaper(case: &Case, updates: bool) -> (String, String) {
    let before = case.part("before").unwrap().as_utf8().unwrap();
    let (head, text) = before.split_once('\n').unwrap();
    let (code, title) = head.trim_start_matches("# ").split_once(": ").unwrap();
    let file = File::new(text, &Settings::default());
    let finding = of_code(&file, code);
    let finding =
        finding.unwrap_or_else(|| panic!("{}", case.failed(code, &format!("{:#?}", file.findings()))));
    let fixes = file.fixes(TextRange::empty(finding.range.start)).into_iter();
    let fixes: Vec<Fix> = fixes.filter(|fix| fix.repairs.contains(&(finding.code, finding.range))).collect();
    let titles: Vec<&str> = fixes.iter().map(|fix| fix.title.as_str()).collect();
    println!("{}: {titles:#?}", case.name);
    let fix = fixes.iter().find(|fix| fix.title == title);
    let fix = fix.or_else(|| fixes.first().filter(|_| updates));
    let fix = fix.unwrap_or_else(|| panic!("{}", case.failed(title, &format!("{titles:#?}"))));
    let after = applied(text, fix);
    let left = File::new(&after, &Settings::default());
    assert!(of_code(&left, code).is_none(), "{}", case.failed(&format!("no {code}"), &after));
    (format!("# {code}: {}\n{text}", fix.title), after)
}

/// A definition without the bounds of its lists, maps and strings.
fn unbounded(text: &str) -> String {
    let is_bound = |line: &&str| {
        let line = line.trim_start();
        ["maxLength: ", "maxItems: ", "maxProperties: "].iter().any(|key| line.starts_with(key))
    };
    text.lines().filter(|line| !is_bound(line)).fold(String::new(), |text, line| text + line + "\n")
}

fn costly(file: &File) -> Vec<&Finding> {
    let codes =
        ["cel/rule-cost", "cel/message-expression-cost", "cel/crd-cost-total", "cel/crd-cost-contributor"];
    file.findings().iter().filter(|finding| codes.contains(&finding.code.as_str())).collect()
}

/// The first fix of a finding.
fn fix_of(file: &File, finding: &Finding) -> Option<Fix> {
    let fixes = file.fixes(TextRange::empty(finding.range.start));
    fixes.into_iter().find(|fix| fix.repairs.contains(&(finding.code, finding.range)))
}

#[test]
fn bounds_removed_from_the_corpus_are_set_again() {
    // All of them take minutes: `CRD_LS_CASES=all`.
    let most = environment::at_most(1);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !corpus.is_dir() {
        // A clone of the repository has no corpus.
        return;
    }
    let (mut files, mut findings, mut fixed, mut clean) = (0, 0, 0, 0);
    let mut shares: Vec<f64> = Vec::new();
    for path in yaml_files(&corpus) {
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.contains("x-kubernetes-validations:") || files == most {
            continue;
        }
        let mut text = unbounded(&text);
        let file = File::new(&text, &Settings::default());
        let wrong = costly(&file);
        if wrong.is_empty() {
            continue;
        }
        files += 1;
        for finding in &wrong {
            findings += 1;
            match fix_of(&file, finding) {
                Some(_) => fixed += 1,
                None => {
                    println!("NO FIX {} {} in {}", finding.code.as_str(), finding.message, path.display())
                }
            }
        }
        for _ in 0..200 {
            let file = File::new(&text, &Settings::default());
            let Some(fix) = costly(&file).into_iter().find_map(|finding| fix_of(&file, finding)) else {
                break;
            };
            let share = fix.title.rsplit("cost ").next().and_then(|rest| rest.split(", ").last());
            shares.extend(share.and_then(|share| share.split(" %").next()?.parse::<f64>().ok()));
            text = applied(&text, &fix);
        }
        let file = File::new(&text, &Settings::default());
        let left = costly(&file);
        clean += usize::from(left.is_empty());
        if let Some(one) = left.first() {
            println!("LEFT {} of {} {} in {}", left.len(), one.code.as_str(), one.message, path.display());
        }
        if let Some(folder) = environment::keep() {
            std::fs::write(folder.join(format!("{files}.yaml")), &text).unwrap();
        }
    }
    shares.sort_by(f64::total_cmp);
    let median = shares.get(shares.len() / 2).copied().unwrap_or_default();
    println!(
        "definitions: {files}, findings: {findings}, with a fix: {fixed}, without findings in the end: {clean}"
    );
    println!("fixes: {}, median share of the limit: {median:.1} %", shares.len());
    assert!(files > 0);
    assert!(fixed * 100 >= findings * 95, "{fixed} of {findings}");
    assert!(clean * 100 >= files * 95, "{clean} of {files}");
}

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("yaml" | "yml") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
