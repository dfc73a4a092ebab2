//! Random edits have the result of a fresh generation.

use std::fs;
use std::path::Path;

use go::invocation::Options;
use go::syntax::Reader;
use go::version::Version;
use rand::{RngExt, SeedableRng};
use rand_xorshift::XorShiftRng;

use super::{EditedDisk, all, differences, generated_in, large};

/// Fragments of Go that edits insert anywhere.
const PIECES: [&str; 30] = [
    "",
    "x",
    "\n",
    " ",
    "}",
    "{",
    "`",
    "\"",
    "/*",
    "*/",
    "// ",
    "// +optional\n",
    "// No YAML has \u{7f}.\n",
    "// +kubebuilder:validation:Maximum=7\n",
    "// +kubebuilder:validation:Maximum=seven\n",
    "// +groupName=b.example.com\n",
    "\ntype New struct {\n\t// A is new.\n\tA string `json:\"a\"`\n}\n",
    "\n// +kubebuilder:validation:Enum=a;b\ntype Other string\n",
    "\tFurther *Shared `json:\"further\"`\n",
    "\nfunc (s *Shared) MarshalJSON() ([]byte, error) { return nil, nil }\n",
    "\nvar x = 1 +\n",
    "\nvar y = map[string]Shared{\n\t\"}\": {}, // one\n}\n",
    "\nvar (\n\tz = 1\n\tw Shared\n)\n",
    "\nvar v Shared = f(func() {\n}) // a value\n",
    " = `",
    "\nfunc f() {\n\t// +kubebuilder:validation:Minimum=1\n\ttype t string\n}\n",
    "\nconst A Shared = \"a\"\n",
    "; type T int; type U string",
    "\ntype (\n\t// V is one.\n\tV int\n\t// +optional\n\tW string\n)\n",
    "import \"fmt\"",
];

/// Replaces a few bytes of a text with a fragment, in half of the cases at the start of a line.
fn edited_at_random(text: &str, random: &mut XorShiftRng) -> String {
    let mut at = random.random_range(0..=text.len());
    // Most edits change a word in a comment.
    if random.random_range(0..2) == 0
        && let Some(comment) = text[text::floor_char_boundary(text, at)..].find("\t// ")
    {
        let at = text::floor_char_boundary(text, at) + comment + 4;
        return format!("{}more {}", &text[..at], &text[at..]);
    }
    if random.random_range(0..2) == 0 {
        at = text[..text::floor_char_boundary(text, at)].rfind('\n').map_or(0, |line| line + 1);
    }
    let len =
        if random.random_range(0..3) == 0 { random.random_range(0..200) } else { random.random_range(0..3) };
    let (start, end) =
        (text::floor_char_boundary(text, at), text::floor_char_boundary(text, (at + len).min(text.len())));
    let piece = PIECES[random.random_range(0..PIECES.len())];
    format!("{}{piece}{}", &text[..start], &text[end.max(start)..])
}

#[test]
fn a_reparsed_file_equals_the_parsed_file() {
    let mut random = XorShiftRng::seed_from_u64(environment::seed(1));
    let mut reader = Reader::new().unwrap();
    let original = large::text(320);
    let path = Path::new("/types.go");
    let mut file = reader.read(path, original.clone()).unwrap();
    for _ in 0..environment::made_up(400) {
        let mut text = edited_at_random(&file.text, &mut random);
        if file.errors.len() > 2 || text.len() > 2 * original.len() {
            text.clone_from(&original);
        }
        let again = reader.reparse(&file, text.clone()).unwrap();
        let _ = again.associated(Version::NEWEST);
        let fresh = reader.read(path, text.clone()).unwrap();
        let _ = fresh.associated(Version::NEWEST);
        assert_eq!(file_content(&again), file_content(&fresh), "{}\n=>\n{text}", file.text);
        file = again;
    }
}

/// The whole content of a file except lazily derived data.
fn file_content(file: &go::syntax::File) -> String {
    let associated = file.associated(Version::NEWEST);
    let mut markers: Vec<String> = associated.types.iter().map(|one| format!("{one:?}")).collect();
    markers.extend(associated.fields.iter().map(|one| format!("{one:?}")));
    markers.sort();
    format!(
        "{:#?}{:#?}{:?}{:?}{:?}{:?}{:?}{markers:#?}{:#?}",
        file.declarations,
        file.groups,
        (&file.comments, &file.unread),
        file.package,
        file.imports,
        file.marshalers,
        file.errors,
        associated.package
    )
}

#[test]
fn random_edits_have_the_result_of_a_fresh_generation() {
    for max_description in [None, Some(0), Some(9)] {
        check_random_edits(Options { max_description, ..Options::default() });
    }
}

fn check_random_edits(options: Options) {
    let mut random = XorShiftRng::seed_from_u64(environment::seed(1));
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    large::module(&root, 960);
    let path = root.join("v1/types.go");
    let original = fs::read_to_string(&path).unwrap();
    let mut disk = EditedDisk { options, ..EditedDisk::default() };
    let mut last = generated_in(&root, &disk, None);
    assert_eq!(last.files.len(), 3);
    let mut text = original.clone();
    for _ in 0..environment::made_up(30) {
        let before = text.clone();
        text = edited_at_random(&text, &mut random);
        disk.texts.insert(path.clone(), text.clone());
        let next = generated_in(&root, &disk, Some((&last, std::slice::from_ref(&path))));
        assert_eq!(all(&next), all(&generated_in(&root, &disk, None)), "{before}\n=>\n{text}");
        // Texts that are not valid Go are reverted.
        if next.sources().iter().any(|file| !file.errors.is_empty()) {
            text = before;
            disk.texts.insert(path.clone(), text.clone());
        } else {
            last = next;
        }
    }
}

#[test]
fn random_edits_of_recursive_types_and_of_other_packages_have_the_result_of_a_fresh_generation() {
    let mut random = XorShiftRng::seed_from_u64(environment::seed(1));
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let paths = large::woven::module(&root);
    let mut disk = EditedDisk::default();
    let mut last = generated_in(&root, &disk, None);
    assert_eq!((last.files.len(), last.problems.len()), (2, 0));
    let mut edits = 0;
    while edits < environment::made_up(300) {
        let path = &paths[random.random_range(0..paths.len())];
        let original = fs::read_to_string(path).unwrap();
        let before = disk.texts.get(path).unwrap_or(&original).clone();
        let text = match random.random_range(0..20) {
            0 => original,
            _ => edited_at_random(&before, &mut random),
        };
        disk.texts.insert(path.clone(), text.clone());
        let next = generated_in(&root, &disk, Some((&last, std::slice::from_ref(path))));
        let fresh = generated_in(&root, &disk, None);
        assert!(all(&next) == all(&fresh), "{:#?}\n{}", disk.texts, differences(&next, &fresh));
        // Texts that are not valid Go are reverted; texts without errors are edited more often.
        let is_left = !next.problems.is_empty() && random.random_range(0..4) > 0;
        if is_left || next.sources().iter().any(|file| !file.errors.is_empty()) {
            disk.texts.insert(path.clone(), before);
        } else {
            last = next;
            edits += 1;
        }
    }
}
