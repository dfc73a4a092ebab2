//! Lines of scripts as words, with the variables of the same file in place.

use std::collections::BTreeMap;

/// A line with its continuations.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where it begins, from 1.
    pub(super) number: usize,
    pub(super) words: Vec<String>,
}

/// Variables in variables are followed so far.
const MAX_DEPTH: usize = 6;

/// A line does not become longer than this, in bytes.
const MAX_LINE: usize = 1 << 16;

/// The lines of a script that call controller-gen.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let joined = with_prerequisites(joined(text));
    let variables = variables(&joined);
    let calls = joined.iter().filter(|(_, line)| {
        line.contains("controller-gen")
            || line.to_uppercase().contains("CONTROLLER_GEN")
            || line.contains("CONTROLLERGEN")
    });
    calls.map(|(number, line)| Line { number: *number, words: words(line, &variables, 0) }).collect()
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

/// What `NAME = value`, `NAME := value`, `NAME ?= value`, `NAME=value` and `: "${NAME:=value}"` say.
fn variables(lines: &[(usize, String)]) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for (_, line) in lines {
        let line = line.trim_start().trim_start_matches("export ").trim_start_matches("readonly ");
        let line = unset(line).unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim_end_matches(['?', ':', '+', ' ', '\t']);
        // Nobody knows what a script is called with.
        let is_argument =
            value.trim().trim_matches('"').strip_prefix('$').is_some_and(|value| {
                value.trim_start_matches('{').starts_with(|ch: char| ch.is_ascii_digit())
            });
        if !is_argument
            && !name.is_empty()
            && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'))
        {
            variables.entry(name.to_owned()).or_insert_with(|| value.trim().to_owned());
        }
    }
    variables
}

/// The assignment in `: "${NAME:=value}"`, which the shell carries out where the variable has no value.
fn unset(line: &str) -> Option<&str> {
    let line = line.strip_prefix(": ")?.trim().trim_matches('"');
    line.strip_prefix("${")?.strip_suffix('}')
}

/// Cuts a line into words: quotes keep blanks together, and marks of the shell are words of their own.
fn words(line: &str, variables: &BTreeMap<String, String>, depth: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
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
                let (name, len) = variable(line.get(at + 1..).unwrap_or(""));
                for _ in 0..len {
                    chars.next();
                }
                let value = name.and_then(|name| variables.get(name)).filter(|_| depth < MAX_DEPTH);
                match value {
                    Some(value) => {
                        let mut inner = words(value, variables, depth + 1).into_iter();
                        word.push_str(&inner.next().unwrap_or_default());
                        for next in inner {
                            out.push(std::mem::replace(&mut word, next));
                        }
                    }
                    // The name of a program that is not known here stays recognisable.
                    None => word.push_str(name.unwrap_or("$")),
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
        if out.len() > MAX_LINE {
            break;
        }
    }
    if has_word {
        out.push(word);
    }
    out
}

/// The name of the variable that a text begins with, behind `$`, and how many characters it takes.
fn variable(text: &str) -> (Option<&str>, usize) {
    let close = match text.chars().next() {
        Some('(') => ')',
        Some('{') => '}',
        Some('$') => {
            let (name, len) = variable(text.get(1..).unwrap_or(""));
            return (name, len + 1);
        }
        _ => {
            let end = text.find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_')).unwrap_or(text.len());
            return (text.get(..end).filter(|name| !name.is_empty()), end);
        }
    };
    match text.find(close) {
        Some(end) => {
            let inner = text.get(1..end).unwrap_or("");
            let len = text.get(..=end).map_or(0, |taken| taken.chars().count());
            let is_name =
                !inner.is_empty() && inner.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'));
            (is_name.then_some(inner), len)
        }
        None => (None, 1),
    }
}

impl Line {
    /// The calls of controller-gen: the folder that a `cd` before leads to, and the words behind the program's name.
    pub(super) fn calls(&self) -> Vec<(Option<String>, Vec<String>)> {
        let mut found = Vec::new();
        let mut folder: Option<String> = None;
        let ends = |word: &str| matches!(word, ";" | "&" | "|" | ">" | "<");
        for command in self.words.split(|word| ends(word)) {
            if let Some(at) = command.iter().position(|word| word.trim_start_matches(['@', '-', '(']) == "cd")
            {
                folder = command.get(at + 1).cloned();
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
    let word = word.trim_start_matches(['@', '-']).trim_end_matches(')');
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
