//! The scenarios of `counts.tsv`.

use std::sync::Arc;

use ide::{AnalysisBasis, Catalog, Definitions, File, Settings, Surroundings};
use text::{PositionEncoding, TextBuffer, TextEdit, TextRange, TextSize};

use crate::expressions;
use crate::inputs;
use crate::measure::{Counts, measured};

/// A piece of work that is counted, and its name.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// The name, as in `counts.tsv`.
    pub name: &'static str,
    /// Prepares and runs the scenario, and returns its costs.
    pub run: fn() -> Counts,
}

/// All scenarios.
pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "parse", run: parse },
    Scenario { name: "open", run: count_open },
    Scenario { name: "open-compared", run: open_compared },
    Scenario { name: "edit-description", run: || edit(DESCRIPTION, Version::None) },
    Scenario { name: "edit-description-compared", run: || edit(DESCRIPTION, Version::InGit) },
    Scenario { name: "edit-rule", run: || edit(RULE, Version::None) },
    Scenario { name: "edit-property", run: || edit(PROPERTY, Version::None) },
    Scenario {
        name: "outline-after-edit",
        run: || after_edit(|file, _| file.outline(ENCODING, 10_000).0.len()),
    },
    Scenario { name: "folding-after-edit", run: || after_edit(|file, _| file.folds(ENCODING).len()) },
    Scenario { name: "code-actions-after-edit", run: || after_edit(code_actions) },
    Scenario { name: "completion-in-schema", run: || completion(&typed_type(), "type: ob") },
    Scenario { name: "completion-in-rule", run: || completion(&text(), "rule: self.po") },
    Scenario { name: "resource", run: resource },
    Scenario { name: "rules", run: rules },
];

/// The number of lines of the text that most scenarios use.
const LINES: usize = 8_000;

/// The position encoding of most clients.
const ENCODING: PositionEncoding = PositionEncoding::Utf16;

/// The text after which a letter is typed.
const DESCRIPTION: &str = "description: A listener of a";
const RULE: &str = "rule: self.port < 10";
const PROPERTY: &str = "              listener30";

/// Definitions without rules, and one with rules.
fn text() -> String {
    inputs::bundle(LINES) + &inputs::with_rules(60)
}

/// Whether the text is compared with a version in git, which has another description in the middle.
#[derive(Clone, Copy)]
enum Version {
    None,
    InGit,
}

/// A file as the server keeps it: the text, its analysis, and its definitions.
struct OpenedFile {
    buffer: TextBuffer,
    file: File,
    own: Option<Definitions>,
}

const SOURCE: &str = "file:///a.yaml";

impl OpenedFile {
    fn new(text: &str, version: Version) -> Self {
        let buffer = TextBuffer::new(text);
        let surroundings = Surroundings { source: SOURCE.into(), ..Surroundings::default() };
        let mut file = AnalysisBasis::new(text, &Settings::default()).complete(surroundings);
        if let Version::InGit = version {
            let earlier = text.replace("number 30.", "number thirty.");
            let stored = Some(file.earlier_version(&earlier, "HEAD"));
            file = file.in_surroundings(Surroundings { stored, ..file.surroundings().clone() });
        }
        Self::with_own_definitions(buffer, file)
    }

    /// A file that is also validated by its own definitions.
    fn with_own_definitions(buffer: TextBuffer, file: File) -> Self {
        let own = file.definitions(SOURCE, &buffer);
        let surroundings = file.surroundings_with(file.surroundings().clone(), own.clone());
        Self { file: file.in_surroundings(surroundings), buffer, own }
    }

    fn edited(&self, edit: &TextEdit) -> Self {
        let mut buffer = self.buffer.clone();
        buffer.apply(edit).expect("an edit within the text");
        let file = self.file.edited(edit, &|range| buffer.slice(range).into_owned());
        Self::with_own_definitions(buffer, file)
    }

    /// The number of findings for a client, and whether there are definitions.
    fn finding_count(&self) -> usize {
        self.file.grouped().findings.len() + usize::from(self.own.is_some())
    }
}

fn parse() -> Counts {
    let text = text();
    measured(|| yaml::Tree::parse(&text)).0
}

fn count_open() -> Counts {
    opened(Version::None)
}

fn open_compared() -> Counts {
    opened(Version::InGit)
}

fn opened(version: Version) -> Counts {
    let text = text();
    let (counts, opened) = measured(|| {
        let opened = OpenedFile::new(&text, version);
        opened.finding_count();
        opened
    });
    assert!(opened.own.is_some(), "the text defines something");
    counts
}

/// The costs of typing a letter after `place`. Another letter was typed before, so that all results that survive an edit are
/// known.
fn edit(place: &str, version: Version) -> Counts {
    let (before, at) = typed(place, version);
    let edit = TextEdit::insert(at, "1");
    measured(|| {
        let after = before.edited(&edit);
        after.finding_count();
        after
    })
    .0
}

/// The text with a letter after `place`, and the offset of the next letter.
fn typed(place: &str, version: Version) -> (OpenedFile, TextSize) {
    let text = text();
    let at = offset(&text, place);
    (OpenedFile::new(&text, version).edited(&TextEdit::insert(at, "1")), at + 1)
}

/// The end of `place` in `text`.
fn offset(text: &str, place: &str) -> TextSize {
    let start = text.find(place).expect("the text has the place");
    TextSize::try_from(start + place.len()).expect("a small text")
}

/// The costs of the request `request` after a letter was typed in a description. `request` returns the size of the answer, which
/// must not be 0.
fn after_edit(request: impl Fn(&File, TextSize) -> usize) -> Counts {
    let (before, at) = typed(DESCRIPTION, Version::None);
    // The request was also sent before the edit, as clients do.
    request(&before.file, at);
    let after = before.edited(&TextEdit::insert(at, "1"));
    let (counts, answers) = measured(|| request(&after.file, at));
    assert!(answers > 0, "an answer");
    counts
}

/// The code actions that the server computes for a cursor.
fn code_actions(file: &File, at: TextSize) -> usize {
    let (range, budget) = (TextRange::new(at, at), file.budget());
    let line = TextRange::new(at - 40, at + 40);
    let fixes = file.fixes_within(line, &budget);
    let alike = file.similar_fixes(&fixes, &budget).len();
    let written = file.write_defaults(range).len() + usize::from(file.format_rule(at).is_some());
    let refactorings = file.refactorings(range).len();
    // 1 is added because the answer may be empty.
    1 + fixes.len() + alike + written + refactorings + file.fix_all_within(&budget).len()
}

/// A text in which a type is half typed.
fn typed_type() -> String {
    text().replacen("type: object", "type: ob", 1)
}

/// The costs of completion after `place` in `text`.
fn completion(text: &str, place: &str) -> Counts {
    let at = offset(text, place);
    let opened = OpenedFile::new(text, Version::None);
    let (counts, completions) = measured(|| opened.file.completions(at));
    assert!(!completions.is_empty(), "{place}: something is proposed");
    counts
}

/// The costs of a resource whose definition is already known.
fn resource() -> Counts {
    let (definition, resource) = (inputs::single(), inputs::resource());
    let source: Arc<str> = "crd.yaml".into();
    let definitions = Definitions::read(&source, &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([(source, definitions)]);
    let surroundings = Surroundings { catalog, source: SOURCE.into(), ..Surroundings::default() };
    let check = || File::with_surroundings(&resource, &Settings::default(), surroundings.clone());
    assert_eq!(check().coverage().resources.len(), 1, "the resource is validated");
    measured(check).0
}

/// Parses and checks all recorded expressions that the API server accepts, and estimates their costs.
fn rules() -> Counts {
    let schemas = expressions::schemas();
    let is_accepted =
        |case: &expressions::Case| !case.json["cost"].is_null() && !case.json["issues"].is_array();
    let cases = expressions::cases().into_iter().filter(is_accepted);
    let prepared: Vec<_> = cases
        .map(|case| {
            let declarations = case.declarations(&schemas);
            let variables = case.variables(&declarations);
            (case.env(), case.text, declarations, variables)
        })
        .collect();
    let price = |(env, text, declarations, variables): &(_, String, cel::Declarations, Vec<_>)| {
        let context = expressions::context(*env, variables, declarations);
        let (_, ast, checked) = expressions::compile(text, &context);
        cel::estimate(&ast, &checked, declarations.root()).max
    };
    measured(|| prepared.iter().map(price).fold(0, u64::wrapping_add)).0
}
