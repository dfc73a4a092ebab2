//! Files of the shared corpus, if it is available.
#![allow(dead_code, clippy::print_stdout)]

#[path = "../../../../tests/support/beside.rs"]
pub(crate) mod beside;

use std::path::{Path, PathBuf};

/// The corpus next to the checkout; if it is missing, prints what the test does `without` it and returns `None`.
pub(crate) fn corpus(without: &str) -> Option<PathBuf> {
    beside::shared("corpus", without)
}

/// All YAML files of the corpus that are UTF-8, in order. Without the corpus, prints what the test does
/// `without` it and returns the files of the fixtures.
pub(crate) fn files(without: &str) -> Vec<(PathBuf, String)> {
    match corpus(without) {
        Some(corpus) => yaml_files(&corpus),
        None => suites::texts_below(&suites::fixtures()).unwrap(),
    }
}

/// All YAML files below `folder` that are UTF-8, in order.
pub(crate) fn yaml_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_yaml = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
            // Some are not UTF-8 on purpose.
            if let Some(text) = is_yaml.then(|| std::fs::read_to_string(&path).ok()).flatten() {
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// The events of a parse, one line for each.
pub(crate) fn our_events(tree: &yaml::Tree) -> Vec<String> {
    let mut events = Vec::new();
    for document in tree.documents() {
        events.push("document".to_owned());
        match document.root() {
            Some(root) => value_events(root, &mut events),
            None => events.push("scalar ~".to_owned()),
        }
    }
    events
}

fn value_events(value: yaml::Value<'_>, events: &mut Vec<String>) {
    let name = value.anchor().map_or(String::new(), |_| " &".to_owned());
    match value.kind() {
        yaml::ValueKind::Mapping(mapping) => {
            events.push(format!("mapping{name}"));
            for entry in mapping.entries() {
                value_events(entry.key(), events);
                value_events(entry.value(), events);
            }
            events.push("end".to_owned());
        }
        yaml::ValueKind::Sequence(sequence) => {
            events.push(format!("sequence{name}"));
            for item in sequence.items() {
                value_events(item.value(), events);
            }
            events.push("end".to_owned());
        }
        yaml::ValueKind::Scalar(scalar) => {
            events.push(format!("scalar{name} {:?} {:?}", scalar.style(), scalar.text()))
        }
        yaml::ValueKind::Alias(_) => events.push("alias".to_owned()),
        yaml::ValueKind::Absent => events.push(format!("scalar{name} ~")),
    }
}

/// The same from yaml-rust2, or its error.
pub(crate) fn their_events(text: &str) -> Result<Vec<String>, String> {
    use yaml_rust2::Event;
    use yaml_rust2::parser::{MarkedEventReceiver, Parser};
    use yaml_rust2::scanner::{Marker, TScalarStyle};
    struct Receiver(Vec<String>);
    impl MarkedEventReceiver for Receiver {
        fn on_event(&mut self, event: Event, _: Marker) {
            let name = |id: usize| if id > 0 { " &" } else { "" };
            self.0.push(match event {
                Event::DocumentStart => "document".to_owned(),
                Event::MappingStart(id, _) => format!("mapping{}", name(id)),
                Event::SequenceStart(id, _) => format!("sequence{}", name(id)),
                Event::MappingEnd | Event::SequenceEnd => "end".to_owned(),
                Event::Alias(_) => "alias".to_owned(),
                Event::Scalar(text, TScalarStyle::Plain, id, _) if text == "~" || text.is_empty() => {
                    format!("scalar{} ~", name(id))
                }
                Event::Scalar(text, style, id, _) => format!("scalar{} {style:?} {text:?}", name(id)),
                _ => return,
            });
        }
    }
    let mut receiver = Receiver(Vec::new());
    // The parser expects characters without a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Parser::new(text.chars()).load(&mut receiver, true).map_err(|error| error.to_string())?;
    Ok(receiver.0)
}

/// Whether two events are equal, except for known differences of go-yaml: it adds no line break at the end of
/// a file, `\/` is not an escape, and a written `~` is a scalar.
pub(crate) fn same_event(ours: &str, theirs: &str) -> bool {
    let plain =
        |event: &str| event.strip_suffix('"').unwrap_or(event).trim_end_matches("\\n").replace("\\\\/", "/");
    ours == theirs || plain(ours) == plain(theirs) || (theirs == "scalar ~" && ours == "scalar Plain \"~\"")
}
