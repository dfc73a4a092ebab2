#![allow(clippy::unwrap_used)]

use super::*;

// The script that generates the code of a rule from its page.
#[path = "../../../server/api/build/pages.rs"]
mod pages;
#[path = "../../../server/api/build/rules.rs"]
mod rules;

const CODE: &str = "names/plural-tested";

/// A checkout with only the table and the pages.
fn checkout() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let ours = place::repository().join("server/api");
    let theirs = root.path().join("server/api");
    fs::create_dir_all(&theirs).unwrap();
    for table in ["checks.tsv", "sources.tsv"] {
        fs::copy(ours.join(table), theirs.join(table)).unwrap();
    }
    for group in fs::read_dir(ours.join("rules")).unwrap() {
        let group = group.unwrap().path();
        let copy = theirs.join("rules").join(group.file_name().unwrap());
        fs::create_dir_all(&copy).unwrap();
        for page in fs::read_dir(&group).unwrap() {
            let page = page.unwrap().path();
            fs::copy(&page, copy.join(page.file_name().unwrap())).unwrap();
        }
    }
    root
}

fn check(code: &str, numbers: &[&str]) -> Check {
    Check { code: code.to_owned(), numbers: numbers.iter().map(|number| (*number).to_owned()).collect() }
}

/// Replaces the words in all files, as an author does.
fn fill_in(files: &[PathBuf], text: &str) {
    for path in files {
        let filled = fs::read_to_string(path).unwrap().replace(FILL_IN, text);
        fs::write(path, filled).unwrap();
    }
}

/// The only test that changes the working directory, because the script reads files relative to it.
#[test]
fn a_check_is_built_once_it_is_filled_in() {
    let root = checkout();
    std::env::set_current_dir(root.path().join("server/api")).unwrap();
    let out = root.path();
    rules::write(out).unwrap();

    let written = write(root.path(), &check(CODE, &["21", "W3"])).unwrap();
    let names: Vec<&str> = written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let fixtures = ["021", "W3"]
        .iter()
        .flat_map(|number| ["a", "b-ok"].map(|which| format!("{number}-names-plural-tested-{which}.yaml")));
    let expected: Vec<String> =
        ["plural-tested.md", "checks.tsv"].map(str::to_owned).into_iter().chain(fixtures).collect();
    assert_eq!(names, expected);

    let refused = rules::write(out).unwrap_err().to_string();
    assert!(refused.contains("plural-tested.md") && refused.contains(FILL_IN), "{refused}");
    fill_in(&written[..1], "Filled");
    let refused = rules::write(out).unwrap_err().to_string();
    assert!(refused.contains("checks.tsv") && refused.contains(FILL_IN), "{refused}");
    fill_in(&written, "Filled");
    rules::write(out).unwrap();
    let made = fs::read_to_string(out.join("rules.rs")).unwrap();
    assert!(made.contains("NamesPluralTested,"), "{made}");

    let rows = fs::read_to_string("checks.tsv").unwrap();
    let numbers: Vec<&str> = rows.lines().filter_map(|row| row.split('\t').next()).collect();
    let at = |number: &str| numbers.iter().rposition(|one| *one == number).unwrap();
    assert_eq!((at("21") + 1, at("W2") + 1, at("W3") + 1), (at("22"), at("W3"), at("C1")), "{numbers:?}");

    assert!(write(root.path(), &check(CODE, &[])).unwrap_err().contains("exists"));
}

#[test]
fn invalid_codes_and_numbers_are_rejected() {
    let root = Path::new("nowhere");
    for code in ["names", "Names/x", "names/", "names/a--b", "../x/y", "names/x/y"] {
        assert!(write(root, &check(code, &[])).unwrap_err().contains("GROUP/NAME"), "{code}");
    }
    for number in ["", "x", "E1", "W"] {
        assert!(with_row("", number, CODE).unwrap_err().contains("is not a number"), "{number}");
    }
}
