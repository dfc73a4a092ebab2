//! The values of the variables of a script, and lines as words with these values in place.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use super::script_words::{Dialect, ERRORS_TO, HERE, MAX_LINE, SCRIPT, UNKNOWN, is_program};

/// The maximum depth of variables within variables.
pub(super) const MAX_DEPTH: usize = 6;

/// The maximum length of a reference after `$`, in bytes.
const MAX_REFERENCE: usize = 1 << 10;

/// The maximum number of characters to examine in a file, because nested variables can expand to a very long text.
const STEPS: usize = 1 << 22;

/// The assignments `NAME = value`, `NAME := value`, `NAME += value`, `NAME ?= value`, `NAME=value` and
/// `: "${NAME:=value}"`.
pub(super) fn variables(lines: &[(usize, String)]) -> Variables {
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    for (_, line) in lines {
        // A recipe sets variables only for its own commands, and a condition may not hold.
        let is_inner = line.starts_with([' ', '\t']);
        let line = line.trim_start().trim_start_matches("export ").trim_start_matches("readonly ");
        let (line, is_default) = unset(line).map_or((line, is_inner), |line| (line, true));
        let Some((name, value)) = line.split_once('=') else { continue };
        let (is_default, adds) = (is_default || name.ends_with('?'), name.ends_with('+'));
        let name = name.trim_end_matches(['?', ':', '+', ' ', '\t']);
        // Other targets of a Makefile usually do not have a value that is set for one target.
        let of_target = name.rsplit_once(": ").filter(|_| !is_inner).map(|(_, name)| name.trim());
        let (name, is_default) = of_target.map_or((name, is_default), |name| (name, true));
        let value = value.trim();
        // `NAME=(a b)`.
        let value = value.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or(value).trim();
        // The arguments of a script are unknown, except for their defaults.
        let argument = argument(value);
        let is_argument = matches!(argument, Some(None));
        let (value, is_default) = argument.flatten().map_or((value, is_default), |default| (default, true));
        // `NAME=value program`.
        let is_prefix = is_inner && value.contains(' ') && !value.starts_with(['"', '\'', '$']);
        if is_argument || is_prefix || !is_name(name) {
            continue;
        }
        match variables.get_mut(name) {
            Some(known) if adds && known.len() < MAX_LINE => {
                known.push(' ');
                known.push_str(value);
            }
            Some(_) if is_default || adds => {}
            _ => {
                variables.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    Variables { values: variables, steps: Cell::new(STEPS), dialect: Dialect::Shell }
}

/// `Some` if a value is an argument of the script, such as `$1` or `"${1:-out}"`, with its default.
fn argument(value: &str) -> Option<Option<&str>> {
    let name = value.trim_matches('"').strip_prefix('$')?;
    let inner = name.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
    let name = inner.unwrap_or(name);
    name.starts_with(|ch: char| ch.is_ascii_digit()).then(|| Some(name.split_once(":-")?.1))
}

/// The known values of variables.
pub(super) struct Variables {
    values: BTreeMap<String, String>,
    /// The number of characters that may still be examined.
    steps: Cell<usize>,
    dialect: Dialect,
}

/// The assignment in `: "${NAME:=value}"`, which the shell executes if the variable has no value.
fn unset(line: &str) -> Option<&str> {
    let line = line.strip_prefix(": ")?.trim().trim_matches('"');
    line.strip_prefix("${")?.strip_suffix('}')
}

impl Variables {
    /// The same variables for a script in another language.
    pub(super) fn in_dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// The references to the variables whose values contain a text.
    pub(super) fn references_containing(&self, text: &str) -> Vec<String> {
        let names = self.values.iter().filter(|(_, value)| value.contains(text)).map(|(name, _)| name);
        names.flat_map(|name| [format!("$({name})"), format!("${{{name}}}")]).collect()
    }

    /// The value of a variable.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Splits a line within the quotes `outer` into words: quotes keep blanks together, and each operator of the shell is a
    /// separate word.
    pub(super) fn split_words(&self, line: &str, depth: usize, outer: Option<char>) -> Vec<String> {
        let mut words = LineWords::default();
        let mut quote = outer;
        let mut chars = line.char_indices().peekable();
        while let Some((at, ch)) = chars.next() {
            match (quote, ch) {
                (Some(open), ch) if ch == open => quote = None,
                (None, '"' | '\'') => {
                    quote = Some(ch);
                    words.has_word = true;
                }
                (quote, '$') if quote != Some('\'') || self.is_of_make(line, at) => {
                    let (reference, len) = reference(line.get(at + 1..).unwrap_or(""));
                    for _ in 0..len {
                        chars.next();
                    }
                    self.add_reference(reference, depth, quote, &mut words);
                }
                (None, ' ' | '\t') => words.end_word(),
                (None, '>') if words.word == "2" => words.replace_word(ERRORS_TO),
                (None, ';' | '&' | '|' | '>' | '<') if !(ch == ';' && words.word.starts_with("paths=")) => {
                    words.end_word();
                    words.all.push(ch.to_string());
                }
                (_, ch) => {
                    words.word.push(ch);
                    words.has_word = true;
                }
            }
            if words.all.len() > MAX_LINE || words.word.len() > MAX_LINE || !self.take_step() {
                break;
            }
        }
        words.finish()
    }

    /// Adds the value of a reference within the quotes `quote`; without quotes, it may be several words.
    fn add_reference(
        &self,
        reference: Reference<'_>,
        depth: usize,
        quote: Option<char>,
        words: &mut LineWords,
    ) {
        match (self.reference_value(reference, depth), reference) {
            (Some(value), _) => {
                // A list remains a list of words in double quotes.
                let quote = quote.filter(|_| !matches!(reference, Reference::List(_)));
                let value = if quote.is_some() { unquoted(&value) } else { &value };
                let mut inner = self.split_words(value, depth + 1, quote);
                if let ([word], Reference::Variable(name, _)) = (&*inner, reference)
                    && word.strip_prefix(UNKNOWN) == Some("")
                    && is_program(name)
                {
                    inner = vec![format!("{UNKNOWN}{name}")];
                }
                words.append(inner);
            }
            // The name of an unknown program stays recognizable.
            (None, Reference::Variable("CURDIR" | "PWD", _)) => words.word.push(HERE),
            (None, Reference::Variable(name, _)) => words.word.extend([&*UNKNOWN.to_string(), name]),
            (None, _) => words.word.push(UNKNOWN),
        }
        words.has_word |= !words.word.is_empty();
    }

    /// The value of a reference, in which further references may occur; `None` if it is unknown.
    fn reference_value<'v>(&'v self, reference: Reference<'v>, depth: usize) -> Option<Cow<'v, str>> {
        match reference {
            Reference::Here => Some(Cow::Owned(HERE.to_string())),
            Reference::Script => Some(Cow::Owned(SCRIPT.to_string())),
            Reference::Variable(name, default) => {
                let known = self.value(name).or(default);
                known.filter(|_| depth < MAX_DEPTH).map(Cow::Borrowed)
            }
            Reference::List(name) => self.value(name).filter(|_| depth < MAX_DEPTH).map(Cow::Borrowed),
            Reference::Call(call) => self.function_result(call, depth + 1).map(Cow::Owned),
            Reference::Text(text) => Some(text).filter(|_| depth < MAX_DEPTH).map(Cow::Borrowed),
            Reference::Program => Some(Cow::Borrowed("controller-gen")),
            Reference::Unknown => None,
        }
    }

    /// Whether `$` starts a variable of make, in which quotes have no effect.
    fn is_of_make(&self, line: &str, at: usize) -> bool {
        let after = line.get(at + 1..).unwrap_or("");
        self.dialect == Dialect::Make && after.starts_with(['(', '{'])
    }

    /// Whether another character may be examined.
    pub(super) fn take_step(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.saturating_sub(1));
        steps > 0
    }
}

/// The words of a line, of which the last one may be incomplete.
#[derive(Default)]
struct LineWords {
    all: Vec<String>,
    word: String,
    /// Whether `word` is a word, which may be empty in quotes.
    has_word: bool,
}

impl LineWords {
    fn end_word(&mut self) {
        if self.has_word {
            self.all.push(std::mem::take(&mut self.word));
        }
        self.has_word = false;
    }

    /// Puts a complete word in the place of the incomplete one.
    fn replace_word(&mut self, complete: &str) {
        self.word.clear();
        self.has_word = false;
        self.all.push(complete.to_owned());
    }

    /// Continues the incomplete word with the first of `others`; the last one may be incomplete.
    fn append(&mut self, others: Vec<String>) {
        let mut others = others.into_iter();
        self.word.push_str(&others.next().unwrap_or_default());
        for next in others {
            self.all.push(std::mem::replace(&mut self.word, next));
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.has_word {
            self.all.push(self.word);
        }
        self.all
    }
}

/// A reference after `$`.
#[derive(Clone, Copy)]
enum Reference<'l> {
    /// A variable, and its default.
    Variable(&'l str, Option<&'l str>),
    /// The folder that the script is called in.
    Here,
    /// The folder of the script's file.
    Script,
    /// All elements of a list of the shell.
    List(&'l str),
    /// The result of a make function.
    Call(&'l str),
    /// Text that may contain further references.
    Text(&'l str),
    /// A program whose path is looked up at run time.
    Program,
    /// A value that is known only at run time.
    Unknown,
}

/// The reference after a `$`, and its length in characters.
fn reference(text: &str) -> (Reference<'_>, usize) {
    let close = match text.chars().next() {
        Some('(') => ')',
        Some('{') => '}',
        Some('$') => {
            let after = text.trim_start_matches('$');
            let (found, len) = reference(after);
            return (found, text.len() - after.len() + len);
        }
        _ => {
            let end = text.find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_')).unwrap_or(text.len());
            let name = text.get(..end).filter(|name| !name.is_empty());
            return (name.map_or(Reference::Unknown, |name| Reference::Variable(name, None)), end);
        }
    };
    let Some(end) = closed(text, close) else { return (Reference::Unknown, 1) };
    let inner = text.get(1..end).unwrap_or("").trim();
    // A line break within a recipe.
    if inner.is_empty() {
        return (Reference::Text(""), end + 1);
    }
    let len = text.get(..=end).map_or(0, |taken| taken.chars().count());
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) if close == '}' => (name, Some(default)),
        _ => (inner, None),
    };
    let command = inner.strip_prefix("shell ").unwrap_or(inner).trim();
    let entered = entered(command);
    // Scripts are in a folder below the one that they are called in, and change to it with `..`.
    let goes_up = entered.is_some_and(|folder| folder.contains("/..") && !names_script(folder));
    let is_here = goes_up || command == "pwd" && close == ')' || command == "git rev-parse --show-toplevel";
    let list = name.strip_suffix("[@]").or_else(|| name.strip_suffix("[*]")).filter(|name| is_name(name));
    let reference = match (list, entered.filter(|folder| names_script(folder))) {
        _ if is_here => Reference::Here,
        (_, Some(folder)) => Reference::Text(folder),
        _ if is_folder_of_script(command) => Reference::Script,
        _ if is_name(name) => Reference::Variable(name, default),
        (Some(list), None) => Reference::List(list),
        (None, None) => function(inner),
    };
    (reference, len)
}

/// The folder whose path a command of the shell prints: `cd FOLDER && pwd`.
fn entered(command: &str) -> Option<&str> {
    let command = command.strip_prefix("unset CDPATH && ").unwrap_or(command);
    let rest =
        command.strip_prefix("cd ").filter(|rest| rest.ends_with("pwd") || rest.ends_with("pwd -P"))?;
    let (folder, _) = rest.split_once(['&', ';'])?;
    let folder = folder.split_once(" >").map_or(folder, |(folder, _)| folder).trim();
    Some(folder.strip_prefix("-- ").unwrap_or(folder))
}

/// Whether a text refers to the script's own file.
fn names_script(text: &str) -> bool {
    ["$0", "${0}", "BASH_SOURCE"].iter().any(|name| text.contains(name))
}

/// Whether a command of the shell prints the folder of the script's file: `dirname "$0"`.
fn is_folder_of_script(command: &str) -> bool {
    let file = command.strip_prefix("dirname ");
    file.is_some_and(|file| names_script(file) && !file.contains("dirname "))
}

/// The result of a call of a make function or of a program.
fn function(call: &str) -> Reference<'_> {
    let (name, arguments) = call.split_once([' ', '\t']).unwrap_or((call, ""));
    match name {
        "abspath" | "realpath" => Reference::Text(arguments.trim()),
        "readlink" => match arguments.trim().strip_prefix("-f ") {
            Some(path) => Reference::Text(path.trim()),
            None => Reference::Unknown,
        },
        // The first argument that is not empty: a variable, and its default.
        "or" => match arguments.split_once(',') {
            Some((first, default)) => match first.trim().strip_prefix('$').map(reference) {
                Some((Reference::Variable(name, None), _)) => Reference::Variable(name, Some(default.trim())),
                _ => Reference::Unknown,
            },
            None => Reference::Text(arguments.trim()),
        },
        _ if call.contains("controller-gen") => Reference::Program,
        _ => Reference::Call(call),
    }
}

/// The byte offset of the bracket that closes the one at the start of `text`.
pub(super) fn closed(text: &str, close: char) -> Option<usize> {
    let open = text.chars().next()?;
    let mut depth = 0_usize;
    text.char_indices().take_while(|(at, _)| *at < MAX_REFERENCE).find_map(|(at, ch)| {
        depth += usize::from(ch == open);
        depth -= usize::from(ch == close);
        (depth == 0).then_some(at)
    })
}

/// Whether a text may be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'))
}

/// `value` without quotes around it.
fn unquoted(value: &str) -> &str {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}
