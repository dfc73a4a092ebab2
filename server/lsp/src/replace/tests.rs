#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;

use rustix::fs::{XattrFlags, getxattr, setxattr};
use tempfile::TempDir;

use super::side::SidePath;
use super::*;

/// A directory with the file `a.yaml`.
fn file() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.yaml");
    fs::write(&file, "old").unwrap();
    (directory, file)
}

fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn mode_links_and_attributes_are_kept_and_no_other_file_is_left() {
    let (directory, file) = file();
    let link = directory.path().join("link.yaml");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    symlink("a.yaml", &link).unwrap();
    // Some file systems have no extended attributes.
    let has_attributes = setxattr(&file, "user.origin", b"here", XattrFlags::empty()).is_ok();
    replace(&link, "old", "new\r\n").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new\r\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let mut value = Vec::with_capacity(100);
    let read = getxattr(&file, "user.origin", rustix::buffer::spare_capacity(&mut value));
    assert_eq!((read.is_ok(), &*value), (has_attributes, if has_attributes { b"here" } else { &b""[..] }));
    assert_eq!(names(&directory), ["a.yaml", "link.yaml"]);
}

#[test]
fn hard_links_are_kept() {
    for (before, after) in
        [("old", "longer than before"), ("longer than after", "new"), ("", "new"), ("old", "")]
    {
        let (directory, file) = file();
        let other = directory.path().join("b.yaml");
        fs::write(&file, before).unwrap();
        fs::hard_link(&file, &other).unwrap();
        let inode = fs::metadata(&file).unwrap().ino();
        replace(&file, before, after).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), after);
        assert_eq!(fs::metadata(&file).unwrap().ino(), inode);
        assert_eq!(names(&directory), ["a.yaml", "b.yaml"]);
    }
}

#[test]
fn the_owner_is_kept() {
    let (_directory, file) = file();
    // Only root can give a file away.
    if std::os::unix::fs::chown(&file, Some(12345), Some(23456)).is_err() {
        return;
    }
    replace(&file, "old", "new").unwrap();
    let metadata = fs::metadata(&file).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (12345, 23456));
}

#[test]
fn a_concurrent_save_is_not_overwritten() {
    for is_linked in [false, true] {
        let (directory, file) = file();
        if is_linked {
            fs::hard_link(&file, directory.path().join("b.yaml")).unwrap();
        }
        fs::write(&file, "a person's").unwrap();
        let error = replace(&file, "old", "new").unwrap_err();
        assert_eq!(error.to_string(), "the file has changed since it was read; run the command again");
        assert_eq!(fs::read_to_string(&file).unwrap(), "a person's");
        assert_eq!(names(&directory).len(), 1 + usize::from(is_linked));
    }
}

#[test]
fn a_read_only_file_is_refused() {
    let (directory, file) = file();
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let error = replace(&file, "old", "new").unwrap_err();
    assert_eq!(error.to_string(), "the file is read-only; make it writable first");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(&directory), ["a.yaml"]);
}

#[test]
fn files_of_an_interrupted_run_are_deleted() {
    let (directory, file) = file();
    let place = |role| SidePath::next_to(&dunce::canonicalize(&file).unwrap(), role).path;
    fs::write(place("new"), "half").unwrap();
    fs::write(place("record"), "no record").unwrap();
    recover(&file).unwrap();
    assert_eq!(names(&directory), ["a.yaml"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    // The next replacement can use the paths of the temporary files at once.
    fs::write(place("new"), "half").unwrap();
    replace(&file, "old", "new").unwrap();
    assert_eq!(names(&directory), ["a.yaml"]);
}

#[test]
fn an_interrupted_write_is_completed_and_a_later_save_is_kept() {
    let (before, after) = ("a: old text\n", "a: the new text, which is longer\n");
    for (now, expected) in [
        ("a: old text\n", "a: old text\n"),
        ("a: the text\n", after),
        ("a: the new text, wh", after),
        (after, after),
        ("a: a person's\n", "a: a person's\n"),
        ("", ""),
    ] {
        let (directory, file) = file();
        let record = SidePath::next_to(&dunce::canonicalize(&file).unwrap(), "record").path;
        fs::write(&record, serde_json::to_vec(&(before.as_bytes(), after.as_bytes())).unwrap()).unwrap();
        fs::write(&file, now).unwrap();
        recover(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), expected, "{now:?}");
        assert_eq!(names(&directory), ["a.yaml"], "{now:?}");
    }
}

#[test]
fn a_link_in_place_of_a_record_is_not_followed() {
    let (directory, file) = file();
    symlink("/dev/zero", SidePath::next_to(&dunce::canonicalize(&file).unwrap(), "record").path).unwrap();
    recover(&file).unwrap();
    assert_eq!(names(&directory), ["a.yaml"]);
}
