//! `--fix` and `migrate` on files of a user: interrupted at any moment, while another program saves, on files with other
//! names, modes and attributes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::program::{directory, run, status, stderr};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
const V1BETA1: &str = include_str!("../fixtures/migrate/kept.before.yaml");
const KILLS: u32 = 40;
const RACES: u32 = 40;

fn start(directory: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The file with `text` after the command, and the duration of the command.
fn fixed_text(text: &str, arguments: &[&str]) -> (String, Duration) {
    let directory = directory(&[("a.yaml", text.as_bytes())]);
    let start_of_it = Instant::now();
    start(directory.path(), arguments).wait().unwrap();
    let took = start_of_it.elapsed();
    let after = fs::read_to_string(directory.path().join("a.yaml")).unwrap();
    assert_ne!(after, text, "{arguments:?}");
    (after, took)
}

/// Moments within twice the duration of a run, the same in each run of the test.
fn moments(took: Duration, count: u32) -> impl Iterator<Item = Duration> {
    (0..count).map(move |at| took * 2 * ((at * 37) % count) / count)
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_killed_run_leaves_a_complete_text_and_the_next_run_no_other_files() {
    for (text, arguments) in [(WIDGETS, &["check", "--fix", "a.yaml"][..]), (V1BETA1, &["migrate", "a.yaml"])]
    {
        let (after, took) = fixed_text(text, arguments);
        for is_linked in [false, true] {
            for moment in moments(took, KILLS) {
                let directory = directory(&[("a.yaml", text.as_bytes())]);
                let file = directory.path().join("a.yaml");
                let mut expected = vec!["a.yaml"];
                if is_linked {
                    fs::hard_link(&file, directory.path().join("b.txt")).unwrap();
                    expected.push("b.txt");
                }
                let mut child = start(directory.path(), arguments);
                thread::sleep(moment);
                child.kill().unwrap();
                child.wait().unwrap();
                let now = fs::read_to_string(&file).unwrap();
                assert!(now == text || now == after || is_linked, "{moment:?}: {now}");
                run(directory.path(), arguments);
                assert_eq!(fs::read_to_string(&file).unwrap(), after, "{moment:?}");
                assert_eq!(names(directory.path()), expected, "{moment:?}");
            }
        }
    }
}

#[test]
fn a_concurrent_save_is_never_lost() {
    let arguments = ["check", "--fix", "a.yaml"];
    let (after, took) = fixed_text(WIDGETS, &arguments);
    let theirs = format!("# by hand\n{WIDGETS}");
    for saves_in_place in [false, true] {
        for moment in moments(took, RACES) {
            let directory = directory(&[("a.yaml", WIDGETS.as_bytes())]);
            let file = directory.path().join("a.yaml");
            let mut child = start(directory.path(), &arguments);
            thread::sleep(moment);
            if saves_in_place {
                fs::write(&file, &theirs).unwrap();
            } else {
                let saved = directory.path().join("a.yaml~");
                fs::write(&saved, &theirs).unwrap();
                fs::rename(&saved, &file).unwrap();
            }
            child.wait().unwrap();
            let now = fs::read_to_string(&file).unwrap();
            assert!(now.contains("# by hand"), "{moment:?}, in place: {saves_in_place}: {now}");
            assert_ne!(now, after);
            assert_eq!(names(directory.path()), ["a.yaml"]);
        }
    }
}

#[test]
fn a_read_only_file_is_refused_with_a_message() {
    for (text, arguments) in [(WIDGETS, &["check", "--fix", "a.yaml"][..]), (V1BETA1, &["migrate", "a.yaml"])]
    {
        let directory = directory(&[("a.yaml", text.as_bytes())]);
        let file = directory.path().join("a.yaml");
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        let output = run(directory.path(), arguments);
        assert_eq!(status(&output), 2);
        let errors = stderr(&output);
        assert!(errors.contains("the file is read-only; make it writable first"), "{errors}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert_eq!(names(directory.path()), ["a.yaml"]);
    }
}

#[test]
fn hard_links_and_modes_are_kept() {
    let directory = directory(&[("a.yaml", WIDGETS.as_bytes())]);
    let (file, other) = (directory.path().join("a.yaml"), directory.path().join("b.txt"));
    fs::hard_link(&file, &other).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o664)).unwrap();
    run(directory.path(), &["check", "--fix", "a.yaml"]);
    let [one, two] = [&file, &other].map(|path| fs::metadata(path).unwrap());
    assert_eq!((one.ino(), one.mode() & 0o7777), (two.ino(), 0o664));
    assert_eq!(fs::read_to_string(&other).unwrap(), fixed_text(WIDGETS, &["check", "--fix", "a.yaml"]).0);
}

#[test]
fn a_file_of_two_names_is_written_once() {
    let (after, _) = fixed_text(WIDGETS, &["check", "--fix", "a.yaml"]);
    for _ in 0..10 {
        let directory = directory(&[("a.yaml", WIDGETS.as_bytes())]);
        let [file, other] = ["a.yaml", "b.yaml"].map(|name| directory.path().join(name));
        fs::hard_link(&file, &other).unwrap();
        let output = run(directory.path(), &["check", "--fix", "."]);
        assert!(!stderr(&output).contains("cannot write"), "{}", stderr(&output));
        assert_eq!(fs::read_to_string(&other).unwrap(), after);
        assert_eq!(fs::metadata(&file).unwrap().nlink(), 2);
        assert_eq!(names(directory.path()), ["a.yaml", "b.yaml"]);

        fs::remove_file(&other).unwrap();
        fs::write(&file, WIDGETS).unwrap();
        symlink("a.yaml", &other).unwrap();
        let output = run(directory.path(), &["check", "--fix", "a.yaml", "b.yaml"]);
        assert!(!stderr(&output).contains("cannot write"), "{}", stderr(&output));
        assert_eq!(fs::read_to_string(&other).unwrap(), after);
        assert_eq!(names(directory.path()), ["a.yaml", "b.yaml"]);
    }
}
