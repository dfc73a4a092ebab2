//! The requirements of `docs/style.md` that a program can check.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod literals;
mod words;

use std::collections::BTreeSet;
use std::fs;

use ide::{Example, File, Finding, RULES, Settings};
use serde_json::Value;
use words::{
    BANNED_IN_COMMENTS, BANNED_IN_NAMES, NO_MODULE_NAMES, NO_TYPE_NAMES, TERMS_OF_MODULES, banned,
    glued_remedy, is_imperative, prose, repository, sentences, without_code,
};

/// The maximum number of characters of a message, so that it fits into a list of problems, and of a sentence
/// on a setting or an option.
const LONGEST_MESSAGE: usize = 160;
/// The number of characters after which lists of problems cut messages off.
const EARLY: usize = 60;
/// The maximum number of characters of a message without a separate remedy, which is read at a glance.
const LONGEST_TITLE: usize = 100;
/// The maximum number of characters of a sentence in documents for users, without its code.
const LONGEST_SENTENCE: usize = 280;
const MOST_WORDS_OF_README: usize = 700;

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The banned phrases in a text called `name`.
fn complaints<'a>(name: &'a str, text: &str) -> impl Iterator<Item = String> + use<'a> {
    banned(&without_code(text)).into_iter().map(move |phrase| format!("{name}: `{phrase}`"))
}

/// The sentences of a text called `name` that are longer than `limit`.
fn long<'a>(name: &'a str, text: &str, limit: usize) -> impl Iterator<Item = String> + use<'a> {
    let long = sentences(text).into_iter().filter(move |sentence| sentence.chars().count() > limit);
    long.map(move |sentence| format!("{name}: {} characters: {sentence}", sentence.chars().count()))
}

#[test]
fn a_phrase_is_found_as_words() {
    assert_eq!(banned("The rule is too dear."), ["dear"]);
    assert_eq!(banned("A dearth of endearing words."), Vec::<&str>::new());
}

#[test]
fn a_remedy_is_found_in_a_problem() {
    assert_eq!(glued_remedy("`a` is missing; add it"), Some("add it"));
    assert_eq!(glued_remedy("unknown field; kube-apiserver prunes it"), None);
    assert_eq!(glued_remedy("`a` was added; useful values are rejected"), None);
}

#[test]
fn pages_have_short_titles_and_plain_words() {
    let mut wrong = Vec::new();
    for rule in &RULES {
        if rule.title.len() > LONGEST_TITLE {
            wrong.push(format!("{}: the title has {} bytes", rule.code, rule.title.len()));
        }
        let page = prose(&rule.page());
        wrong.extend(complaints(rule.code.as_str(), &page));
        wrong.extend(long(rule.code.as_str(), &page, LONGEST_SENTENCE));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each page has all parts in order, and each of its sources has a title and an `https` address.
#[test]
fn pages_have_all_parts_and_sources_that_lead_somewhere() {
    const PARTS: [&str; 8] = [
        "Summary",
        "What kube-apiserver does",
        "Example",
        "How to fix",
        "When to ignore",
        "kubebuilder marker",
        "Since",
        "Sources",
    ];
    for rule in &RULES {
        let page = rule.page();
        let parts: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(parts, PARTS, "{}", rule.code);
        assert!(rule.sources().next().is_some(), "{} has no source", rule.code);
        for (title, url) in rule.sources() {
            assert!(url.starts_with("https://") && !title.is_empty(), "{}: {title}: {url}", rule.code);
        }
    }
}

#[test]
fn documents_have_plain_words() {
    let for_users = [
        "README.md",
        "docs/ci.md",
        "docs/cli.md",
        "docs/editors.md",
        "docs/experiments.md",
        "docs/guide/cel.md",
        "docs/guide/evolving.md",
        "docs/guide/first-definition.md",
        "docs/guide/go.md",
        "docs/guide/structural.md",
        "docs/index.md",
        "docs/settings.md",
        "docs/testing-definitions.md",
        "packaging/description.md",
        "vscode-extension/README.md",
    ];
    let mut wrong: Vec<String> = Vec::new();
    for name in for_users {
        wrong.extend(long(name, &prose(&read(name)), LONGEST_SENTENCE));
    }
    let mut paths = vec![
        "CONTRIBUTING.md".to_owned(),
        "SECURITY.md".to_owned(),
        "fuzz/README.md".to_owned(),
        "tests/oracle/README.md".to_owned(),
    ];
    paths.extend(for_users.map(str::to_owned));
    for folder in ["docs", "vscode-extension/walkthrough"] {
        let documents = literals::sources(&repository().join(folder), "md");
        let names = documents.iter().filter_map(|path| path.file_name()?.to_str());
        // The page on style contains the banned phrases.
        paths.extend(names.filter(|name| *name != "style.md").map(|name| format!("{folder}/{name}")));
    }
    paths.retain(|path| repository().join(path).is_file());
    for path in &paths {
        wrong.extend(complaints(path, &prose(&read(path))));
    }
    let changelog = read("CHANGELOG.md");
    let unreleased = changelog.split("\n## ").nth(1).unwrap();
    wrong.extend(complaints("CHANGELOG.md", &prose(unreleased)));
    assert!(paths.len() > 20, "{paths:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readme_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words < MOST_WORDS_OF_README, "README.md has {words} words");
}

#[test]
fn the_program_has_plain_words() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in literals::sources(&repository().join("server"), "rs") {
        let name = path.strip_prefix(repository()).unwrap().display().to_string();
        let code = fs::read_to_string(&path).unwrap();
        for literal in literals::of_rust(&code) {
            count += 1;
            wrong.extend(complaints(&name, &literal).map(|what| format!("{what}: {literal}")));
        }
    }
    assert!(count > 10_000, "only {count} literals");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Comments have readers, too.
#[test]
fn comments_have_plain_words() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in ["server", "tests", "xtask", "fuzz"] {
        for path in literals::sources(&repository().join(folder), "rs") {
            let name = path.strip_prefix(repository()).unwrap().display().to_string();
            for comment in literals::comments(&fs::read_to_string(&path).unwrap()) {
                count += 1;
                wrong.extend(complaints(&name, &comment).map(|what| format!("{what}: {comment}")));
                let text = without_code(&comment).to_lowercase();
                let is_banned = |phrase: &&&str| {
                    text.split(|char: char| !char.is_alphabetic()).any(|word| word == **phrase)
                };
                wrong.extend(
                    BANNED_IN_COMMENTS
                        .iter()
                        .find(is_banned)
                        .map(|word| format!("{name}: `{word}`: {comment}")),
                );
            }
        }
    }
    assert!(count > 10_000, "only {count} comments");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names have readers, too. A word in upper camel case is compared in lower case.
#[test]
fn names_have_plain_words() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in ["server", "tests", "xtask", "fuzz", "benches"] {
        for path in literals::all_files(&repository().join(folder), "rs") {
            for name in literals::declared_names(&fs::read_to_string(&path).unwrap()) {
                count += 1;
                let words = literals::words_of_name(&name);
                if words.iter().any(|word| BANNED_IN_NAMES.contains(&word.as_str())) {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(count > 10_000, "only {count} names");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `Made` or `Known` mean something else in each module. Go in texts of tests also declares types, so only code counts.
#[test]
fn types_are_named_by_nouns() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in ["server", "tests", "xtask", "fuzz", "benches"] {
        for path in literals::all_files(&repository().join(folder), "rs") {
            for name in literals::declared_types(&fs::read_to_string(&path).unwrap()) {
                count += 1;
                if NO_TYPE_NAMES.contains(&name.as_str()) {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(count > 1_500, "only {count} types");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The name of a module is a noun of the field, too: `made` means something else in each crate.
#[test]
fn modules_are_named_by_nouns() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in literals::all_files(&repository().join("server"), "rs") {
        if !path.iter().any(|part| part == "src") {
            continue;
        }
        for name in literals::declared_modules(&fs::read_to_string(&path).unwrap()) {
            count += 1;
            let is_type_name = NO_TYPE_NAMES.iter().any(|other| other.eq_ignore_ascii_case(&name));
            if NO_MODULE_NAMES.contains(&name.as_str())
                || is_type_name && !TERMS_OF_MODULES.contains(&name.as_str())
            {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(count > 1_000, "only {count} modules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// In the code that makes findings, the remedy is a separate part of the message.
#[test]
fn remedies_are_separate_in_code() {
    const FOLDERS: [&str; 12] = [
        "server/crd/src/check",
        "server/crd/src/compat",
        "server/crd/src/decoding",
        "server/crd/src/experimental",
        "server/crd/src/gates",
        "server/crd/src/lints",
        "server/crd/src/rules",
        "server/crd/src/validation",
        "server/crd/src/verdict",
        "server/go/src/mistakes",
        "server/ide/src/analysis",
        "server/yaml/src/syntax",
    ];
    let mut wrong = Vec::new();
    for path in FOLDERS.iter().flat_map(|folder| literals::sources(&repository().join(folder), "rs")) {
        let literals = literals::of_rust(&fs::read_to_string(&path).unwrap()).into_iter();
        let glued = literals.filter(|literal| !is_imperative(literal) && glued_remedy(literal).is_some());
        wrong.extend(glued.map(|literal| format!("{}: {literal}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether `code` searches the text of a message, on which nothing may depend: `ProblemClass` says what differs.
fn searches_message(code: &str) -> bool {
    let code: String = code.split_whitespace().collect();
    let mut uses = code.split("message.problem.").skip(1);
    uses.any(|rest| {
        let rest = rest.strip_prefix("as_str().").unwrap_or(rest);
        ["contains(", "ends_with(", "find(", "split", "starts_with(", "strip_"]
            .iter()
            .any(|method| rest.starts_with(method))
    })
}

#[test]
fn code_searches_no_text_of_messages() {
    assert!(searches_message("found.message\n    .problem\n    .starts_with(\"missing\")"));
    assert!(!searches_message("found.message.problem.clone()"));
    let mut wrong = Vec::new();
    for krate in ["answers", "cases", "crd", "ide", "lsp"] {
        for path in literals::sources(&repository().join("server").join(krate).join("src"), "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            if searches_message(code) {
                wrong.push(path.display().to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn options_of_the_command_line_have_plain_words() {
    let mut wrong = Vec::new();
    for name in [
        "server/lsp/src/args/mod.rs",
        "server/lsp/src/args/shared.rs",
        "server/lsp/src/args/values.rs",
        "server/lsp/src/log.rs",
    ] {
        for paragraph in literals::doc_comments(&read(name)) {
            wrong.extend(complaints(name, &paragraph).map(|what| format!("{what}: {paragraph}")));
            wrong.extend(long(name, &paragraph, LONGEST_MESSAGE));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All texts in `value`.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(entries) => entries.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn settings_and_the_extension_have_plain_words() {
    let mut wrong = Vec::new();
    let manifests = [
        "vscode-extension/package.json",
        "editors/schemastore/crd-ls.json",
        "editors/schemastore/crd-ls-test.json",
    ];
    for name in manifests {
        let manifest: Value = serde_json::from_str(&read(name)).unwrap();
        for text in texts(&manifest) {
            wrong.extend(complaints(name, text).map(|what| format!("{what}: {text}")));
            wrong.extend(long(name, &without_code(text), LONGEST_MESSAGE));
        }
    }
    for path in literals::sources(&repository().join("vscode-extension/src"), "ts") {
        let name = path.strip_prefix(repository()).unwrap().display().to_string();
        for literal in literals::of_typescript(&fs::read_to_string(&path).unwrap()) {
            wrong.extend(complaints(&name, &literal).map(|what| format!("{what}: {literal}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `fixtures/fixes/titles.tsv` has an example of each.
#[test]
fn titles_of_fixes_are_short_and_plain() {
    const VERBS: [&str; 24] = [
        "Accept", "Add", "Build", "Change", "Compare", "Convert", "Copy", "Declare", "Expand", "Format",
        "Indent", "Inline", "Insert", "Mark", "Merge", "Migrate", "Move", "Quote", "Remove", "Rename",
        "Replace", "Restore", "Set", "Sort",
    ];
    let mut wrong = Vec::new();
    for row in read("fixtures/fixes/titles.tsv").lines() {
        let title = row.split('\t').nth(3).unwrap();
        wrong.extend(complaints(title, title));
        if without_code(title).chars().count() > LONGEST_MESSAGE {
            wrong.push(format!("too long: {title}"));
        }
        if !VERBS.contains(&title.split(' ').next().unwrap_or_default()) {
            wrong.push(format!("begins with no verb: {title}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The findings in all fixtures and in the examples of all pages.
fn findings() -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in ["fixtures/crd/cases", "fixtures/crd/structural"] {
        for case in suites::cases(&repository().join(folder)).unwrap() {
            let Some(text) = case.checked().and_then(|text| text.as_utf8()) else { continue };
            findings.extend_from_slice(File::new(text, &Settings::default()).findings());
        }
    }
    for rule in &RULES {
        if let Example::Correction { wrong, .. } = rule.example {
            findings.extend_from_slice(File::new(wrong, &Settings::default()).findings());
        }
    }
    findings
}

/// Codes whose messages have no remedy, with the reason.
const WITHOUT_REMEDY: [(&str, &str); 5] = [
    ("cel/message-expression-compile", "the compiler's words at the character"),
    ("cel/rule-compile", "the compiler's words at the character"),
    ("defaults/cel", "the words of the rule's author"),
    ("resource/deprecated-version", "the words of the definition's author"),
    ("resource/rule", "the words of the rule's author"),
];

/// All messages of the fixtures, each with its code in front.
#[test]
fn messages_state_the_remedy_early() {
    let (mut all, mut early, mut wrong) = (0, 0, BTreeSet::new());
    for folder in ["cr", "crd", "fixes"] {
        for path in literals::sources(&repository().join("fixtures").join(folder), "md") {
            for line in fs::read_to_string(&path).unwrap().lines() {
                let marked = line.split_once("^ ").and_then(|(_, finding)| finding.split_once("]: "));
                let Some((code, message)) = marked else { continue };
                let Some((_, code)) = code.split_once('[') else { continue };
                if WITHOUT_REMEDY.iter().any(|(other, _)| *other == code) {
                    continue;
                }
                all += 1;
                if glued_remedy(message).is_none() {
                    wrong.insert(format!("{code}: {message}"));
                }
                let start = message.chars().take(EARLY).collect::<String>();
                let remedy =
                    glued_remedy(message).map_or(0, |remedy| message.find(remedy).unwrap_or_default());
                early += usize::from(remedy <= start.len());
            }
        }
    }
    println!("{early} of {all} messages say within {EARLY} characters what to do");
    assert!(all > 2_500, "only {all} messages");
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(early * 100 >= all * 70, "only {early} of {all}");
}

/// The messages of the server stay unchanged, however long they are.
#[test]
fn messages_are_short_and_plain() {
    let findings = findings();
    let mut wrong = BTreeSet::new();
    for finding in &findings {
        let server = finding.api_server.as_ref().map(|server| server.detail.as_str()).unwrap_or_default();
        // A syntax error in CEL has the text of the server, too.
        let message = finding.message.to_string();
        if server.contains(&message) {
            continue;
        }
        let own = if server.is_empty() { message } else { message.replace(server, "") };
        let length = own.chars().count();
        if length > LONGEST_MESSAGE && !finding.message.is_later {
            wrong.insert(format!("{}: {length} characters: {own}", finding.code));
        }
        let problem = finding.message.problem.replace(server, "");
        if let Some(remedy) = glued_remedy(&problem) {
            wrong.insert(format!("{}: the remedy `{remedy}` is a part of the problem", finding.code));
        }
        if let Some(remedy) = finding.message.remedy.as_deref().filter(|remedy| !is_imperative(remedy)) {
            wrong.insert(format!("{}: not an imperative: {remedy}", finding.code));
        }
        wrong.extend(banned(&own).into_iter().map(|phrase| format!("{}: `{phrase}`: {own}", finding.code)));
    }
    println!("{} messages", findings.len());
    assert!(findings.len() > 1_000, "only {} messages", findings.len());
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}
