//! The memory of an open file, by part, in bytes per byte of its text.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::fs;
use std::path::Path;

use counts::memory::by_kind;

/// The largest bundle of the corpus, of 87,514 lines.
const BUNDLE: &str =
    "../../../shared/corpus/prometheus-operator__prometheus-operator/crds/rebuilt/bundle.yaml";

/// The maximum number of bytes for each byte of the text; generated definitions, whose text does not repeat, take the most.
const MOST: f64 = 10.0;

#[test]
fn an_open_file_holds_no_more_than_ten_bytes_for_each_of_its_text() {
    let real = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(BUNDLE));
    let text = real.unwrap_or_else(|error| {
        println!("generated definitions in place of the bundle of the corpus: {error}");
        counts::bundle(75_000)
    });
    let all = counts::on_one_thread(|| by_kind(&text));
    let share = |bytes: i64| bytes as f64 / text.len() as f64;
    println!("a text of {} bytes", text.len());
    for held in &all {
        println!("{:>12} bytes, {:>5.2} a byte: {}", held.bytes, share(held.bytes), held.kind);
    }
    let of = |kind: &str| all.iter().find(|held| held.kind == kind).unwrap().bytes;
    assert!(share(of("text (rope)")) >= 1.0, "a rope holds the text");
    assert!(share(of("tree")) >= 0.5, "the tree holds the text, too, but repeated blocks only once");
    assert!(
        all.iter().filter(|held| held.kind.starts_with("table ")).count() >= 4,
        "tables are counted: {all:?}"
    );
    assert!(all.iter().all(|held| held.bytes >= 0), "nothing is counted twice: {all:?}");
    let whole = share(all.iter().map(|held| held.bytes).sum());
    println!("{whole:.2} in all");
    assert!(whole <= MOST, "{whole:.2} bytes for each byte of the text");
}
