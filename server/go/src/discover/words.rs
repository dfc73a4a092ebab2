//! Lines of scripts as words, with the variables of the same file in place.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use super::templates::in_shell;

/// A line with its continuations.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where it begins, from 1.
    pub(super) number: usize,
    pub(super) words: Vec<String>,
    /// The folder that lines before it lead a script to.
    pub(super) folder: Option<String>,
}

/// Variables in variables are followed so far.
const MAX_DEPTH: usize = 6;

/// Stands in a word for the folder that a script is called in.
pub(super) const HERE: char = '\u{1}';
/// Stands in a word before the name of a variable that is not known.
pub(super) const UNKNOWN: char = '\u{2}';

/// A line does not become longer than this, in bytes; longer ones are not read.
const MAX_LINE: usize = 1 << 16;

/// What stands behind a `$` is not longer than this, in bytes.
const MAX_REFERENCE: usize = 1 << 10;

/// So many characters are looked at in a file: variables that hold each other may be many.
const STEPS: usize = 1 << 22;

/// The lines of a script that call controller-gen.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut joined = with_prerequisites(joined(&in_shell(text)));
    joined.retain(|(_, line)| line.len() <= MAX_LINE && !line.trim_start().starts_with('#'));
    let variables = variables(&joined);
    let mut folder = None;
    let mut lines = Vec::new();
    for (number, line) in &joined {
        if is_step(line) {
            folder = step(&variables.words(line, 0, None), folder);
        }
        let calls = line.contains("controller-gen")
            || line.to_uppercase().contains("CONTROLLER_GEN")
            || line.contains("CONTROLLERGEN");
        if calls {
            let words = variables.words(line, 0, None);
            // Each line of a recipe begins in the folder of its Makefile.
            let folder = folder.clone().filter(|_| !line.starts_with('\t'));
            lines.push(Line { number: *number, words, folder });
        }
    }
    lines
}

/// Whether a line does nothing but lead a script to another folder.
fn is_step(line: &str) -> bool {
    ["cd ", "pushd ", "popd"].iter().any(|command| line.starts_with(command))
        && !line.contains("controller-gen")
}

/// The folder that such a line leads to.
fn step(words: &[String], folder: Option<String>) -> Option<String> {
    match words {
        [command, target, ..] if command != "popd" => Some(entered(folder.as_deref(), target)),
        _ => None,
    }
}

/// The folder that `cd` leads to: the one that the script is called in, where it goes up from its file or to a root that is
/// found when it runs.
fn entered(folder: Option<&str>, target: &str) -> String {
    let (first, rest) = target.split_once('/').unwrap_or((target, ""));
    let goes_up = !rest.is_empty() && rest.split('/').all(|part| part == "..");
    if first.starts_with(UNKNOWN) && (goes_up || first.to_uppercase().contains("ROOT")) {
        let rest = if goes_up { "" } else { rest };
        return format!("{HERE}/{rest}").trim_end_matches('/').to_owned();
    }
    match folder {
        Some(folder) if !target.starts_with(['/', HERE]) => format!("{folder}/{target}"),
        _ => target.to_owned(),
    }
}

/// Lines with those that a `\` continues.
fn joined(text: &str) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in text.lines().enumerate() {
        let (line, more) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        match out.last_mut().filter(|_| continues) {
            Some((_, last)) if last.len() < MAX_LINE => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => out.push((number + 1, line.to_owned())),
        }
        continues = more;
    }
    out
}

/// The lines of a Makefile with the first prerequisite of their rule in place of `$<`, which may be the program.
fn with_prerequisites(lines: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut first = String::new();
    let in_place = |(number, line): (usize, String)| {
        if let Some(recipe) = line.strip_prefix('\t') {
            let recipe = recipe.replace("$(abspath $<)", "$<").replace("$<", &first);
            return (number, format!("\t{recipe}"));
        }
        if let Some((_, prerequisites)) =
            line.split_once(':').filter(|(_, rest)| !rest.starts_with(['=', ':']))
        {
            first = prerequisites.split_whitespace().next().unwrap_or_default().to_owned();
        }
        (number, line)
    };
    lines.into_iter().map(in_place).collect()
}

/// What `NAME = value`, `NAME := value`, `NAME += value`, `NAME ?= value`, `NAME=value` and `: "${NAME:=value}"` say.
fn variables(lines: &[(usize, String)]) -> Variables {
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    for (_, line) in lines {
        // What a recipe sets is for its commands, and what a condition sets may not be.
        let is_inner = line.starts_with([' ', '\t']);
        let line = line.trim_start().trim_start_matches("export ").trim_start_matches("readonly ");
        let (line, is_default) = unset(line).map_or((line, is_inner), |line| (line, true));
        let Some((name, value)) = line.split_once('=') else { continue };
        let (is_default, adds) = (is_default || name.ends_with('?'), name.ends_with('+'));
        let name = name.trim_end_matches(['?', ':', '+', ' ', '\t']);
        // What is set for one target of a Makefile is what the others mostly lack.
        let of_target = name.rsplit_once(": ").filter(|_| !is_inner).map(|(_, name)| name.trim());
        let (name, is_default) = of_target.map_or((name, is_default), |name| (name, true));
        let value = value.trim();
        // Nobody knows what a script is called with, other than by default.
        let argument = argument(value);
        let is_argument = matches!(argument, Some(None));
        let (value, is_default) = argument.flatten().map_or((value, is_default), |default| (default, true));
        // `NAME=value program`.
        let is_prefix = is_inner && value.contains(' ') && !value.starts_with(['"', '\'', '$']);
        let is_name =
            !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'));
        if is_argument || is_prefix || !is_name {
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
    Variables { known: variables, steps: Cell::new(STEPS) }
}

/// Whether a value is an argument of the script, and what it is by default: `$1`, `"${1:-out}"`.
fn argument(value: &str) -> Option<Option<&str>> {
    let name = value.trim_matches('"').strip_prefix('$')?;
    let inner = name.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
    let name = inner.unwrap_or(name);
    name.starts_with(|ch: char| ch.is_ascii_digit()).then(|| Some(name.split_once(":-")?.1))
}

/// What variables hold, as far as it is known.
struct Variables {
    known: BTreeMap<String, String>,
    /// How many characters may still be looked at.
    steps: Cell<usize>,
}

/// The assignment in `: "${NAME:=value}"`, which the shell carries out where the variable has no value.
fn unset(line: &str) -> Option<&str> {
    let line = line.strip_prefix(": ")?.trim().trim_matches('"');
    line.strip_prefix("${")?.strip_suffix('}')
}

impl Variables {
    /// Cuts a line, which stands in the quotes `outer`, into words: quotes keep blanks together, and each mark of the shell is
    /// a word.
    fn words(&self, line: &str, depth: usize, outer: Option<char>) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut word = String::new();
        let mut quote = outer;
        let mut has_word = false;
        let mut chars = line.char_indices().peekable();
        while let Some((at, ch)) = chars.next() {
            match (quote, ch) {
                (Some(open), ch) if ch == open => quote = None,
                (None, '"' | '\'') => {
                    quote = Some(ch);
                    has_word = true;
                }
                (quote, '$') if quote != Some('\'') => {
                    let (reference, len) = reference(line.get(at + 1..).unwrap_or(""));
                    for _ in 0..len {
                        chars.next();
                    }
                    let value = match reference {
                        Reference::Here => Some(Cow::Owned(HERE.to_string())),
                        Reference::Variable(name, default) => {
                            let known = self.known.get(name).map(String::as_str).or(default);
                            known.filter(|_| depth < MAX_DEPTH).map(Cow::Borrowed)
                        }
                        Reference::Text(text) => Some(text).filter(|_| depth < MAX_DEPTH).map(Cow::Borrowed),
                        Reference::Program => Some(Cow::Borrowed("controller-gen")),
                        Reference::Unknown => None,
                    };
                    match (value, reference) {
                        (Some(value), _) => {
                            let value = if quote.is_some() { unquoted(&value) } else { &value };
                            let mut inner = self.words(value, depth + 1, quote).into_iter();
                            word.push_str(&inner.next().unwrap_or_default());
                            for next in inner {
                                out.push(std::mem::replace(&mut word, next));
                            }
                        }
                        // The name of a program that is not known here stays recognisable.
                        (None, Reference::Variable("CURDIR" | "PWD", _)) => word.push(HERE),
                        (None, Reference::Variable(name, _)) => word.extend([&*UNKNOWN.to_string(), name]),
                        (None, _) => word.push(UNKNOWN),
                    }
                    has_word = true;
                }
                (None, ' ' | '\t') => {
                    if has_word {
                        out.push(std::mem::take(&mut word));
                    }
                    has_word = false;
                }
                (None, ';' | '&' | '|' | '>' | '<') if !(ch == ';' && word.starts_with("paths=")) => {
                    if has_word {
                        out.push(std::mem::take(&mut word));
                    }
                    has_word = false;
                    out.push(ch.to_string());
                }
                (_, ch) => {
                    word.push(ch);
                    has_word = true;
                }
            }
            if out.len() > MAX_LINE || word.len() > MAX_LINE || !self.goes_on() {
                break;
            }
        }
        if has_word {
            out.push(word);
        }
        out
    }

    /// Whether another character may be looked at.
    fn goes_on(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.saturating_sub(1));
        steps > 0
    }
}

/// What stands behind a `$`.
#[derive(Clone, Copy)]
enum Reference<'l> {
    /// A variable, and what it is by default.
    Variable(&'l str, Option<&'l str>),
    /// The folder that the script is called in.
    Here,
    /// Text in which there may be others.
    Text(&'l str),
    /// A program that is looked for when it runs.
    Program,
    /// What is known only when it runs.
    Unknown,
}

/// What a text behind `$` refers to, and how many characters that takes.
fn reference(text: &str) -> (Reference<'_>, usize) {
    let close = match text.chars().next() {
        Some('(') => ')',
        Some('{') => '}',
        Some('$') => {
            let behind = text.trim_start_matches('$');
            let (found, len) = reference(behind);
            return (found, text.len() - behind.len() + len);
        }
        _ => {
            let end = text.find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_')).unwrap_or(text.len());
            let name = text.get(..end).filter(|name| !name.is_empty());
            return (name.map_or(Reference::Unknown, |name| Reference::Variable(name, None)), end);
        }
    };
    let Some(end) = closed(text, close) else { return (Reference::Unknown, 1) };
    let inner = text.get(1..end).unwrap_or("").trim();
    let len = text.get(..=end).map_or(0, |taken| taken.chars().count());
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) if close == '}' => (name, Some(default)),
        _ => (inner, None),
    };
    let is_name = !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'));
    let command = inner.strip_prefix("shell ").unwrap_or(inner).trim();
    // Scripts stand below the folder that they are called in, and go up to it.
    let goes_up = command.starts_with("cd ") && command.contains("/..");
    let is_here = command == "pwd" && close == ')'
        || command == "git rev-parse --show-toplevel"
        || goes_up && (command.ends_with(" pwd") || command.ends_with(" pwd -P"));
    let reference = match (is_here, is_name) {
        (true, _) => Reference::Here,
        (_, true) => Reference::Variable(name, default),
        _ => function(inner),
    };
    (reference, len)
}

/// What a call of a function of make, or of a program, gives.
fn function(call: &str) -> Reference<'_> {
    let (name, arguments) = call.split_once([' ', '\t']).unwrap_or((call, ""));
    match name {
        "abspath" | "realpath" => Reference::Text(arguments.trim()),
        // The first argument that is not empty: a variable that is not set, and what it is by default.
        "or" => match arguments.split_once(',') {
            Some((first, default)) => match first.trim().strip_prefix('$').map(reference) {
                Some((Reference::Variable(name, None), _)) => Reference::Variable(name, Some(default.trim())),
                _ => Reference::Unknown,
            },
            None => Reference::Text(arguments.trim()),
        },
        _ if call.contains("controller-gen") => Reference::Program,
        _ => Reference::Unknown,
    }
}

/// Where the bracket that `text` begins with is closed, in bytes.
fn closed(text: &str, close: char) -> Option<usize> {
    let open = text.chars().next()?;
    let mut depth = 0_usize;
    text.char_indices().take_while(|(at, _)| *at < MAX_REFERENCE).find_map(|(at, ch)| {
        depth += usize::from(ch == open);
        depth -= usize::from(ch == close);
        (depth == 0).then_some(at)
    })
}

/// `value` without quotes around it.
fn unquoted(value: &str) -> &str {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

impl Line {
    /// The calls of controller-gen: the folder that a `cd` before leads to, and the words behind the program's name.
    pub(super) fn calls(&self) -> Vec<(Option<String>, Vec<String>)> {
        let mut found = Vec::new();
        let mut folder = self.folder.clone();
        let ends = |word: &str| matches!(word, ";" | "&" | "|" | ">" | "<");
        for command in self.words.split(|word| ends(word)) {
            if let Some(at) = command.iter().position(|word| word.trim_start_matches(['@', '-', '(']) == "cd")
            {
                folder = command.get(at + 1).map(|target| entered(folder.as_deref(), target));
                continue;
            }
            let Some(at) = command.iter().position(|word| is_program(word)) else { continue };
            let arguments = command.get(at + 1..).map_or_else(Vec::new, <[String]>::to_vec);
            found.push((folder.clone(), arguments));
        }
        found
    }
}

fn is_program(word: &str) -> bool {
    let word = word.trim_start_matches(['@', '-', UNKNOWN]).trim_end_matches(')');
    let name = word.rsplit('/').next().unwrap_or("");
    let name = name.split('@').next().unwrap_or("");
    name == "controller-gen"
        || name.starts_with("controller-gen-")
        || matches!(
            name,
            "CONTROLLER_GEN" | "CONTROLLERGEN" | "CONTROLLER_GEN_BIN" | "CONTROLLER_GEN_BIN_PATH"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<(Option<String>, String)> {
        lines(text).iter().flat_map(Line::calls).map(|(folder, words)| (folder, words.join(" "))).collect()
    }

    #[test]
    fn a_call_in_a_makefile_has_its_variables_in_place() {
        let text = "CRD_OPTIONS ?= \"crd:maxDescLen=0\"\nmanifests: controller-gen\n\tcd api; $(CONTROLLER_GEN) $(CRD_OPTIONS) \
                    rbac:roleName=x \\\n\t  paths=\"./...\" output:crd:artifacts:config=\"../config/crd\" > log\n";
        let expected =
            "crd:maxDescLen=0 rbac:roleName=x paths=./... output:crd:artifacts:config=../config/crd";
        assert_eq!(arguments(text).last(), Some(&(Some("api".to_owned()), expected.to_owned())));
    }

    #[test]
    fn a_rule_may_call_its_first_prerequisite() {
        let text = "manifests: $(CONTROLLER_GEN) other\n\tcd apis; $(abspath $<) crd paths=./...\n\
                    all: $(OTHER)\n\t$< crd\n";
        assert_eq!(arguments(text).last(), Some(&(Some("apis".to_owned()), "crd paths=./...".to_owned())));
    }

    #[test]
    fn a_script_has_its_variables_in_place() {
        let text = "CONTROLLER_GEN_BIN_PATH=$1\n: \"${LEN:=-1}\"\n: ${HOLD=false}\n\
                    OPTIONS=\"crd:maxDescLen=$LEN,allowDangerousTypes=true\"\n\
                    \"$CONTROLLER_GEN_BIN_PATH\" \"$OPTIONS\" paths=\"./v1\"\n";
        let expected = "crd:maxDescLen=-1,allowDangerousTypes=true paths=./v1";
        assert_eq!(arguments(text).last(), Some(&(None, expected.to_owned())));
    }

    #[test]
    fn a_script_may_go_elsewhere_first() {
        let folders = |text: &str| -> Vec<String> {
            let found = arguments(text).into_iter().filter_map(|(folder, _)| folder);
            found.map(|folder| folder.replace(HERE, "HERE")).collect()
        };
        let text = "cd api\ncontroller-gen crd paths=./v1\ncd v2\ncontroller-gen crd\n\tcontroller-gen crd\n";
        assert_eq!(folders(text), ["api", "api/v2"]);
        let text = "cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\"\npushd api >/dev/null\ncontroller-gen crd\npopd\ncontroller-gen crd\n";
        assert_eq!(folders(text), ["HERE/api"]);
        assert_eq!(folders("(cd ${REPO_ROOT}/api && controller-gen crd)\n"), ["HERE/api"]);
        assert_eq!(folders("cd $(dirname $0)/../..\ncontroller-gen crd\n"), ["HERE"]);
    }

    #[test]
    fn comments_call_nothing() {
        let text =
            "\tcontroller-gen crd paths=./a\n#\tcontroller-gen crd paths=./b\n\t# controller-gen crd\n";
        assert_eq!(arguments(text), [(None, "crd paths=./a".to_owned())]);
    }

    #[test]
    fn variables_are_those_of_make() {
        let of = |text: &str| arguments(text).pop().map(|(_, words)| words);
        let call = "x:\n\tcontroller-gen $(O) paths=\"$(P)\"\n";
        assert_eq!(of(&format!("O := crd:a=1\nO := crd\n{call}")).as_deref(), Some("crd paths=\u{2}P"));
        assert_eq!(
            of(&format!("O := crd\nO ?= rbac\nO += object\n{call}")).as_deref(),
            Some("crd object paths=\u{2}P")
        );
        let paths = "O = crd\nP := ./api/...;./b/...\n";
        assert_eq!(of(&format!("{paths}{call}")).as_deref(), Some("crd paths=./api/...;./b/..."));
        assert_eq!(
            of("O=crd\ncontroller-gen \"$O\" paths=\"${P:-./a}\"\n").as_deref(),
            Some("crd paths=./a")
        );
    }

    #[test]
    fn defaults_of_arguments_and_variables_of_one_target_are_known() {
        let of = |text: &str| arguments(text).pop().map(|(_, words)| words).unwrap_or_default();
        let call = "controller-gen crd output:dir=\"${OUT}\"\n";
        assert_eq!(of(&format!("OUT=\"${{1:-out/crds}}\"\n{call}")), "crd output:dir=out/crds");
        assert_eq!(of(&format!("OUT=\"$1\"\n{call}")), "crd output:dir=\u{2}OUT");
        let makefile = "manifests: OUT=out/crds\nmanifests:\n\tcontroller-gen crd output:dir=$(OUT)\n";
        assert_eq!(of(makefile), "crd output:dir=out/crds");
        assert_eq!(of(&format!("OUT = crds\n{makefile}")), "crd output:dir=crds");
    }

    #[test]
    fn templates_of_task_and_just_are_variables() {
        let of = |text: &str| arguments(text).pop().map(|(_, words)| words).unwrap_or_default();
        let task = "vars:\n  CRD_DIR: out/crds\ntasks:\n  manifests:\n    cmds:\n      - |\n        {{.LOCALBIN}}/controller-gen crd \\\n          output:crd:dir={{.CRD_DIR}}\n";
        assert_eq!(of(task), "crd output:crd:dir=out/crds");
        assert_eq!(
            of("  - controller-gen crd output:crd:dir={{.ROOT_DIR}}/crds\n"),
            "crd output:crd:dir=\u{1}/crds"
        );
        let just =
            "crd_dir := \"out/crds\"\nmanifests:\n    controller-gen crd output:crd:dir={{ crd_dir }}\n";
        assert_eq!(of(just), "crd output:crd:dir=out/crds");
        for unknown in ["{{.OTHER}}", "{{default \"a\" .CRD_DIR}}", "{{}}"] {
            let words = of(&format!("controller-gen crd output:crd:dir={unknown}\n"));
            assert!(words.starts_with("crd output:crd:dir=\u{2}"), "{words}");
        }
    }

    #[test]
    fn the_folder_of_the_call_is_known_and_other_commands_are_not() {
        for here in [
            "$(CURDIR)",
            "$(PWD)",
            "${PWD}",
            "$(shell pwd)",
            "$$(pwd)",
            "$(shell git rev-parse --show-toplevel)",
        ] {
            assert_eq!(
                arguments(&format!("x:\n\tcontroller-gen crd output:dir={here}/c\n")),
                [(None, "crd output:dir=\u{1}/c".to_owned())]
            );
        }
        for unknown in ["$(or a,b)", "$(shell ls (a))"] {
            assert_eq!(
                arguments(&format!("controller-gen crd output:dir={unknown}/c\n")),
                [(None, "crd output:dir=\u{2}/c".to_owned())]
            );
        }
        assert_eq!(arguments("controller-gen crd $(\n"), [(None, "crd \u{2}".to_owned())]);
    }

    #[test]
    fn what_conditions_and_recipes_set_replaces_nothing() {
        let text = "ROOT=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd -P)\nOUT=\"$ROOT\"\nif true; then\n  OUT=\"$1x\"\nfi\n\
                    controller-gen crd output:dir=\"${OUT}/crds\"\n";
        assert_eq!(arguments(text), [(None, "crd output:dir=\u{1}/crds".to_owned())]);
        let text = "x:\n\tcontroller-gen crd output:dir=$(or $(TMP),config)\ny:\n\tTMP=tmp A=b $(MAKE) x\n";
        assert_eq!(arguments(text), [(None, "crd output:dir=config".to_owned())]);
    }

    #[test]
    fn hostile_lines_end() {
        let many = 1 << 14;
        let nested: String =
            (0..5).map(|at| format!("V{at} = {}\n", format!("$(V{})", at + 1).repeat(8_000))).collect();
        for text in [
            format!("controller-gen {}", "$".repeat(many)),
            format!("controller-gen {}", "$(".repeat(many)),
            format!("controller-gen {}", "$(or ".repeat(many)),
            format!("controller-gen {}", "$".repeat(1 << 20)),
            format!("{nested}V5 =\ncontroller-gen $(V0)\n"),
        ] {
            let started = std::time::Instant::now();
            arguments(&text);
            assert!(started.elapsed().as_secs() < 5, "{}", text.get(..40).unwrap_or_default());
        }
    }

    #[test]
    fn functions_of_make_are_followed() {
        let of = |text: &str| arguments(text).pop().map(|(_, words)| words);
        let call = "x:\n\t$(CONTROLLER_GEN) crd output:dir=$(or $(OUT),config)/crd\n";
        let known = Some("crd output:dir=config/crd");
        for program in [
            "$(abspath $(BIN)/$(NAME)-$(VERSION))",
            "$(shell which controller-gen)",
            "$(GOBIN)/controller-gen",
        ] {
            let text =
                format!("NAME := controller-gen\nVERSION := v0.21.0\nCONTROLLER_GEN := {program}\n{call}");
            assert_eq!(of(&text).as_deref(), known, "{program}");
        }
    }

    #[test]
    fn a_program_is_known_by_its_name() {
        for text in [
            "go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.16.5 crd",
            "go tool controller-gen crd",
            "$(LOCALBIN)/controller-gen-v0.17.0 crd",
            "\"${CONTROLLER_GEN}\" crd",
            "$CONTROLLER_GEN_BIN_PATH crd",
        ] {
            assert_eq!(arguments(text), [(None, "crd".to_owned())], "{text}");
        }
    }
}
