//! `crd-ls diff`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use answers::forms::diff::ChangeOutput;
use answers::summary::counted;
use ide::StoredObjects;
use ide::compat::{ChangeSeverity, DEFINITION_REMOVED, Difference, diff, unreadable};
use text::TextBuffer;

use super::causes::{self, Texts, counts};
use super::changes_table;
use super::input::text_of;
use super::print::CommandOutput;
use super::walk::{Source, sources};
use crate::args::{DiffArgs, DiffFailOn, DiffFormat};
use crate::definitions::may_define;
use crate::git;

/// Shows the changes of the definitions that the arguments name.
pub(crate) fn run(args: &DiffArgs) -> ExitCode {
    let mut shown = CommandOutput::default();
    match compared(args, &mut shown.problems) {
        Ok(all) => {
            let present: BTreeSet<String> = all.iter().flat_map(|one| names(&one.new)).collect();
            let (same, changed): (Vec<&ComparedFile>, Vec<&ComparedFile>) =
                all.iter().partition(|one| args.base.is_some() && one.old == one.new);
            changed.iter().for_each(|compared| show(compared, &present, args, &mut shown));
            let same = same.iter().filter(|one| !one.new.is_empty()).count();
            if let Some(same) = counted(same, "file").filter(|_| args.output == DiffFormat::Human) {
                shown.text.extend([&*same, " with definitions: unchanged\n"]);
            }
        }
        Err(problem) => shown.problems.push(problem),
    }
    shown.write()
}

/// A file and its earlier version.
struct ComparedFile {
    /// The names of the new and the old text.
    path: String,
    old_path: String,
    new: String,
    old: String,
    /// Whether the old text is from a different file, so that only definitions in both texts are compared.
    moved: bool,
}

/// The names of the definitions in `text`.
fn names(text: &str) -> Vec<String> {
    match may_define(text.as_bytes()) {
        true => StoredObjects::in_cluster(text).names().map(str::to_owned).collect(),
        false => Vec::new(),
    }
}

fn compared(args: &DiffArgs, problems: &mut Vec<String>) -> Result<Vec<ComparedFile>, String> {
    let Some(base) = &args.base else {
        let [old, new] = &args.paths[..] else {
            return Err("name an old and a new file, or a git revision with --base".to_owned());
        };
        let text = |path: &str| text_of(&Source::from_user(path));
        let (old_path, path) = (old.clone(), new.clone());
        return Ok(vec![ComparedFile { old: text(old)?, new: text(new)?, path, old_path, moved: false }]);
    };
    let here = [".".to_owned()];
    let paths = if args.paths.is_empty() { &here } else { &args.paths[..] };
    let (sources, unwalked) = sources(paths);
    problems.extend(unwalked);
    let mut all = Vec::new();
    for source in sources.iter().filter(|source| !source.is_stdin()) {
        match at_base(source, base) {
            Ok(compared) => all.push(compared),
            Err(problem) => problems.push(problem),
        }
    }
    for directory in paths.iter().map(Path::new).filter(|path| path.is_dir()) {
        match git::deleted_files(directory, base) {
            Ok(gone) => all.extend(gone.into_iter().map(|(path, old)| {
                let old_path = format!("{base}:{}", path.display());
                ComparedFile { new: String::new(), old, path: old_path.clone(), old_path, moved: false }
            })),
            Err(problem) => problems.push(format!("{}: --base: {problem}", directory.display())),
        }
    }
    Ok(all)
}

/// The file and its version in `base`, which is empty if there is none.
fn at_base(source: &Source, base: &str) -> Result<ComparedFile, String> {
    let path = source.path.display().to_string();
    git::check(Path::new(&path), base).map_err(|problem| format!("{path}: --base: {problem}"))?;
    let old = git::earlier(&source.path, base).map_err(|problem| format!("{path}: --base: {problem}"))?;
    let (old, elsewhere) = old.unwrap_or_default();
    let old_path = format!("{base}:{}", elsewhere.as_deref().unwrap_or(&source.path).display());
    Ok(ComparedFile { new: text_of(source)?, old, path, old_path, moved: elsewhere.is_some() })
}

fn show(compared: &ComparedFile, present: &BTreeSet<String>, args: &DiffArgs, shown: &mut CommandOutput) {
    if args.base.is_some() && compared.old.is_empty() {
        return;
    }
    let unread = [(&compared.old_path, &compared.old), (&compared.path, &compared.new)]
        .map(|(path, text)| note_unreadable(path, text, shown));
    let (new, old) = (TextBuffer::new(&compared.new), TextBuffer::new(&compared.old));
    let mut differences = diff(&compared.old, &compared.new);
    differences.retain(|difference| {
        let is_elsewhere = compared.moved || present.contains(&difference.definition);
        !(is_elsewhere && difference.code == DEFINITION_REMOVED)
    });
    // Without a difference, a text that was not compared would be mistaken for unchanged.
    if differences.is_empty() && (compared.new.is_empty() || unread.contains(&true)) {
        return;
    }
    let (counted, alpha): (Vec<&Difference>, Vec<&Difference>) =
        differences.iter().partition(|difference| args.alpha || !difference.alpha);
    shown.bad |= counted.iter().any(|difference| args.fail_on.fails(difference.class));
    let texts = Texts { new: (&compared.path, &new), old: (&compared.old_path, &old) };
    if args.output == DiffFormat::Markdown {
        changes_table::write(&counted, alpha.len(), &texts, &mut shown.text);
        return;
    }
    if args.output == DiffFormat::Human {
        causes::write(&counted, &texts, args.each, &mut shown.text);
        shown.text.extend([&*compared.path, ": ", &counts(counted.iter().copied())]);
        if !alpha.is_empty() {
            let alpha = counts(alpha.iter().copied());
            shown.text.extend([
                "; not counted, in alpha versions: ",
                &alpha,
                " (--alpha counts and lists them)",
            ]);
        }
        shown.text.push('\n');
        return;
    }
    for difference in &differences {
        let (new, old) = ((compared.path.as_str(), &new), (compared.old_path.as_str(), &old));
        shown.json_line(&ChangeOutput::new(difference, new, old));
    }
}

/// Reports the definitions in `text` that are not compared, and returns whether there are any. Templates are not errors:
/// nothing else reads them as YAML either.
fn note_unreadable(path: &str, text: &str, shown: &mut CommandOutput) -> bool {
    let all = unreadable(text);
    for unreadable in &all {
        let problem = format!("{path}: {unreadable}");
        match unreadable.is_template {
            true => shown.notes.push(problem),
            false => shown.problems.push(problem),
        }
    }
    !all.is_empty()
}

impl DiffFailOn {
    fn fails(self, class: ChangeSeverity) -> bool {
        match self {
            Self::Breaking => class == ChangeSeverity::Breaking,
            Self::Risky => class <= ChangeSeverity::Risky,
            Self::Never => false,
        }
    }
}
