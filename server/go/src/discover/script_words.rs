//! Lines of scripts as words, with the variables of the same file in place.

use std::path::PathBuf;

use super::arrays::in_one_line;
use super::expansion::expanded;
use super::redirected::{RedirectedOutput, redirected};
use super::removals::{RemovedPath, removed_paths};
use super::steps::{Steps, entered};
use super::templates::in_shell;
use super::variables::{Variables, variables};

/// A line with its continuations.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The number of its first line, from 1.
    pub(super) number: usize,
    /// The file that contains it, if a Makefile includes that file.
    pub(super) included: Option<PathBuf>,
    pub(super) words: Vec<String>,
    /// The folder to which earlier lines have changed.
    pub(super) folder: Option<String>,
    /// The paths that this line or later ones of the same recipe or script remove.
    pub(super) removed: Vec<RemovedPath>,
}

/// A placeholder for the folder that a script is called in.
pub(super) const HERE: char = '\u{1}';
/// A placeholder for the folder of the script's file.
pub(super) const SCRIPT: char = '\u{3}';
/// A mark before the name of an unknown variable.
pub(super) const UNKNOWN: char = '\u{2}';

/// The operator before the file for messages of errors.
pub(super) const ERRORS_TO: &str = "2>";

/// The maximum length of a line, in bytes. Longer lines are skipped.
pub(super) const MAX_LINE: usize = 1 << 16;

/// The language of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Shell,
    /// Make does not treat single quotes as quotes.
    Make,
}

/// The lines of a shell script that call controller-gen.
pub(super) fn lines(text: &str) -> Vec<Line> {
    lines_of(text, Dialect::Shell)
}

/// The lines of a script that call controller-gen.
pub(super) fn lines_of(text: &str, dialect: Dialect) -> Vec<Line> {
    let mut joined = with_prerequisites(join_lines(&in_shell(text)));
    joined.retain(|(_, line)| line.len() <= MAX_LINE && !line.trim_start().starts_with('#'));
    let joined = in_one_line(joined);
    let variables = variables(&joined).in_dialect(dialect);
    let joined = expanded(joined, &variables);
    let programs = variables.references_containing("controller-gen");
    let mut steps = Steps::new(dialect);
    let mut lines: Vec<Line> = Vec::new();
    // The first call of the recipe or script.
    let mut first = 0;
    for (number, line) in &joined {
        if dialect == Dialect::Make && !line.starts_with('\t') && !line.trim().is_empty() {
            first = lines.len();
        }
        let calls = line.contains("controller-gen")
            || line.to_uppercase().contains("CONTROLLER_GEN")
            || line.contains("CONTROLLERGEN")
            || programs.iter().any(|program| line.contains(program));
        let folder = steps
            .directory_of(line, || if calls { Vec::new() } else { variables.split_words(line, 0, None) });
        let may_remove = line.contains("rm ") && first < lines.len();
        if !calls && !may_remove {
            continue;
        }
        let words = variables.split_words(line, 0, None);
        let removed: Vec<RemovedPath> = removed_paths(&words)
            .into_iter()
            .map(|path| RemovedPath { folder: folder.clone(), path })
            .collect();
        if calls {
            let words = with_scripts(words, &variables);
            lines.push(Line { number: *number, included: None, words, folder, removed });
        } else {
            let earlier = lines.get_mut(first..).unwrap_or_default().iter_mut();
            earlier.for_each(|line| line.removed.extend(removed.iter().cloned()));
        }
    }
    lines
}

/// The words with a quoted command replaced by its words, as in `sh -c '…'` and `run "…"`. Commands that only print are not
/// expanded.
fn with_scripts(words: Vec<String>, variables: &Variables) -> Vec<String> {
    const PRINTING: [&str; 7] = ["echo", "printf", "info", "log", "warn", "error", "fail"];
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut prints = false;
    for word in words {
        let name = word.trim_start_matches(['@', '-', '(']);
        let begins = out.last().is_none_or(|before| ends_command(before));
        prints = if begins { PRINTING.iter().any(|print| name.contains(print)) } else { prints };
        if !word.contains(' ') || ends_command(&word) {
            out.push(word);
            continue;
        }
        let is_option = |before: &String| before.starts_with('-') && before.ends_with('c');
        let is_script = out.last().is_some_and(is_option);
        let inner = variables.split_words(&word, 0, None);
        match is_script || !prints && calls_crd(&inner) {
            true => out.extend(inner),
            false => out.push(word),
        }
    }
    out
}

/// Whether words call the generator `crd`.
fn calls_crd(words: &[String]) -> bool {
    let is_crd = |word: &String| word == "crd" || word.starts_with("crd:");
    let program = words.iter().position(|word| is_program(word));
    program.and_then(|at| words.get(at..)).is_some_and(|after| after.iter().any(is_crd))
}

/// Whether a word is an operator of the shell, after which another command starts.
pub(super) fn ends_command(word: &str) -> bool {
    matches!(word, ";" | "&" | "|" | ">" | "<" | ERRORS_TO)
}

/// Joins lines that a `\` continues.
pub(super) fn join_lines(text: &str) -> Vec<(usize, String)> {
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

/// The lines of a Makefile with `$<`, which may be the program, replaced by the first prerequisite of the rule.
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

/// A call of controller-gen in a line.
#[derive(Clone, Debug)]
pub(super) struct CallWords {
    /// The folder that an earlier `cd` changes to.
    pub(super) folder: Option<String>,
    /// The words after the program's name.
    pub(super) arguments: Vec<String>,
    /// The file to which the shell writes the output.
    pub(super) redirected: Option<RedirectedOutput>,
}

impl Line {
    /// The calls of controller-gen.
    pub(super) fn calls(&self) -> Vec<CallWords> {
        let mut found = Vec::new();
        let mut folder = self.folder.clone();
        let mut end = 0;
        for command in self.words.split(|word| ends_command(word)) {
            let behind = end + command.len();
            end = behind + 1;
            if let Some(at) = command.iter().position(|word| word.trim_start_matches(['@', '-', '(']) == "cd")
            {
                folder = command.get(at + 1).map(|target| entered(folder.as_deref(), target));
                continue;
            }
            let Some(at) = command.iter().position(|word| is_program(word)) else { continue };
            let mut arguments = command.get(at + 1..).map_or_else(Vec::new, <[String]>::to_vec);
            // The closing parenthesis of a subshell.
            if let Some(last) = arguments.last_mut().filter(|last| last.ends_with(')') && !last.contains('('))
            {
                last.truncate(last.trim_end_matches(')').len());
            }
            let redirected = redirected(self.words.get(behind..).unwrap_or_default());
            found.push(CallWords { folder: folder.clone(), arguments, redirected });
        }
        found
    }
}

/// Whether a word is the name of controller-gen, or of a variable with its path.
pub(super) fn is_program(word: &str) -> bool {
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
        lines(text).iter().flat_map(Line::calls).map(|call| (call.folder, call.arguments.join(" "))).collect()
    }

    #[test]
    fn a_variable_of_any_name_may_hold_the_program() {
        let text = "GENERATOR ?= $(GO) tool sigs.k8s.io/controller-tools/cmd/controller-gen\n\ncrd:\n\t$(GENERATOR) $(\\\n\t\t) crd paths='./api/...'\n";
        assert_eq!(arguments(text), [(None, String::new()), (None, "crd paths=./api/...".to_owned())]);
        assert_eq!(arguments("OTHER = x\n\ncrd:\n\t$(OTHER) crd paths='./api/...'\n"), []);
    }

    #[test]
    fn a_call_in_a_makefile_has_its_variables_in_place() {
        let text = "CRD_OPTIONS ?= \"crd:maxDescLen=0\"\nmanifests: controller-gen\n\tcd api; $(CONTROLLER_GEN) $(CRD_OPTIONS) \
                    rbac:roleName=x \\\n\t  paths=\"./...\" output:crd:artifacts:config=\"../config/crd\" > log\n";
        let expected =
            "crd:maxDescLen=0 rbac:roleName=x paths=./... output:crd:artifacts:config=../config/crd";
        assert_eq!(arguments(text).last(), Some(&(Some("api".to_owned()), expected.to_owned())));
    }

    /// The path of the program may be known only at run time.
    #[test]
    fn the_name_of_a_variable_names_the_program() {
        let text = "SRC := $(shell realpath vendor/controller-gen)\nCONTROLLER_GEN := $(shell go list -f '{{.Target}}' $(SRC))\n\
                    crd:\n\t(cd apis; $(CONTROLLER_GEN) crd paths=./a output:dir=../crds)\n";
        let expected = (Some("apis".to_owned()), "crd paths=./a output:dir=../crds".to_owned());
        assert_eq!(arguments(text).last(), Some(&expected));
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
    fn functions_and_loops_are_expanded() {
        let of = |text: &str| -> Vec<String> {
            let found = arguments(text).into_iter();
            found.map(|(folder, words)| format!("{}|{words}", folder.unwrap_or_default())).collect()
        };
        let both = ["|crd paths=./a/...", "|crd paths=./b/..."];
        for text in [
            "define gen\n\t$(CONTROLLER_GEN) crd paths=$(1)\nendef\nx:\n\t$(call gen,./a/...)\n\t$(call gen,./b/...)\n",
            "gen = $(CONTROLLER_GEN) crd paths=$(1)\nx:\n\t$(call gen,./a/...)\n\t@$(call gen,./b/...)\n",
            "DIRS := a b\nx:\n\t$(foreach d,$(DIRS),$(CONTROLLER_GEN) crd paths=./$(d)/...;)\n",
            "DIRS := a b\nx:\n\t@for d in $(DIRS); do $(CONTROLLER_GEN) crd paths=./$$d/...; done\n",
            "for d in a b; do\n  controller-gen crd paths=./${d}/...\ndone\n",
            "for d in a b; do controller-gen crd paths=\"./$d/...\"; done\n",
            "x:\n\tsh -c 'controller-gen crd paths=./a/...'\n\tbash -ec \"$(CONTROLLER_GEN) crd paths=./b/...\"\n",
        ] {
            assert_eq!(of(text), both, "{text}");
        }
        let folders = "for d in a b; do\n  (cd $d && controller-gen crd paths=./...)\ndone\n";
        assert_eq!(of(folders), ["a|crd paths=./...", "b|crd paths=./..."]);
        let unknown = "for d in $(ls); do controller-gen crd paths=./$d; done\n";
        assert!(of(unknown).iter().all(|call| call.contains(UNKNOWN)), "{:?}", of(unknown));
        let nested = "gen = $(call gen,$(1))\nx:\n\t$(call gen,a) controller-gen crd\n";
        assert_eq!(of(nested).len(), 1);
    }

    #[test]
    fn quoted_calls_count_and_printed_ones_do_not() {
        for text in [
            "run \"controller-gen crd paths=./a\"\n",
            "x:\n\t$(DOCKER) run image \"$(CONTROLLER_GEN) crd paths=./a\"\n",
            "    - \"controller-gen crd paths=./a\"\n",
            "      - cmd: 'controller-gen crd paths=./a'\n",
        ] {
            assert_eq!(arguments(text), [(None, "crd paths=./a".to_owned())], "{text}");
        }
        for text in [
            "echo \"controller-gen crd paths=./a\"\n",
            "x:\n\t@echo \"$(CONTROLLER_GEN) crd\" && true\n",
            "log::info \"run controller-gen crd\"\n",
            "run \"controller-gen object paths=./a\"\n",
        ] {
            assert_eq!(arguments(text), [], "{text}");
        }
    }

    #[test]
    fn lists_of_the_shell_are_words_and_loops_end_with_the_last() {
        let of =
            |text: &str| -> Vec<String> { arguments(text).into_iter().map(|(_, words)| words).collect() };
        let both = ["crd paths=./a/...", "crd paths=./b/..."];
        for list in ["DIRS=(a b)", "readonly DIRS=( a b )", "DIRS=(\n  a # one\n  b\n)"] {
            let text = format!(
                "{list}\nfor d in \"${{DIRS[@]}}\"\ndo\n  controller-gen crd paths=./${{d}}/...\ndone\n"
            );
            assert_eq!(of(&text), both, "{text}");
            let text = format!("{list}\ncontroller-gen crd \"${{DIRS[@]/#/paths=}}\"\n");
            assert_eq!(of(&text).len(), 1);
        }
        let after = "for V in v1 v2; do\n  echo $V\ndone\ncontroller-gen crd paths=\"./api/${V}\"\n";
        assert_eq!(of(after), ["crd paths=./api/v2"]);
        let again = "for V in v1 v2; do\n  echo $V\ndone\nfor V in $(ls); do\n  controller-gen crd paths=./$V\ndone\n";
        assert!(of(again).iter().all(|call| call.contains(UNKNOWN)), "{:?}", of(again));
        let paths = "P=(paths=./a paths=./b)\ncontroller-gen crd \"${P[@]}\" output:dir=c\n";
        assert_eq!(of(paths), ["crd paths=./a paths=./b output:dir=c"]);
    }

    #[test]
    fn functions_of_make_return_words() {
        let of = |list: &str| {
            let text =
                format!("empty :=\nDIRS := a/x b/y test/z\nP := {list}\nx:\n\t$(CONTROLLER_GEN) crd $(P)\n");
            let lines = lines_of(&text, Dialect::Make);
            lines.last().and_then(|line| line.calls().pop()).map(|call| call.arguments.join(" "))
        };
        for (list, expected) in [
            ("$(filter-out test/%,$(DIRS))", "crd a/x b/y"),
            ("$(filter a/% b/%,$(DIRS))", "crd a/x b/y"),
            (
                "$(addprefix paths=./,$(addsuffix /...,$(DIRS)))",
                "crd paths=./a/x/... paths=./b/y/... paths=./test/z/...",
            ),
            ("paths=\"$(subst $(empty) ,;,$(filter-out test/%,$(DIRS)))\"", "crd paths=a/x;b/y"),
            ("$(patsubst %,paths=./%,$(firstword $(DIRS)))", "crd paths=./a/x"),
            ("$(DIRS:%=paths=./%)", "crd paths=./a/x paths=./b/y paths=./test/z"),
            ("$(notdir $(lastword $(DIRS))) '$(dir a/b)'", "crd z a/"),
            ("paths=$(unknown $(DIRS))", "crd paths=\u{2}"),
            ("paths=$(filter-out $(OTHER),$(DIRS))", "crd paths=\u{2}"),
        ] {
            assert_eq!(of(list).as_deref(), Some(expected), "{list}");
        }
    }

    #[test]
    fn comments_call_nothing() {
        let text =
            "\tcontroller-gen crd paths=./a\n#\tcontroller-gen crd paths=./b\n\t# controller-gen crd\n";
        assert_eq!(arguments(text), [(None, "crd paths=./a".to_owned())]);
    }

    #[test]
    fn variables_follow_the_rules_of_make() {
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
    fn values_set_in_conditions_and_recipes_are_not_used() {
        let text = "ROOT=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd -P)\nOUT=\"$ROOT\"\nif true; then\n  OUT=\"$1x\"\nfi\n\
                    controller-gen crd output:dir=\"${OUT}/crds\"\n";
        assert_eq!(arguments(text), [(None, "crd output:dir=\u{3}/../crds".to_owned())]);
        let text = "ROOT=$(unset CDPATH && cd $(dirname \"${BASH_SOURCE[0]}\")/.. && pwd)\ncontroller-gen crd output:dir=${ROOT}/crds\n";
        assert_eq!(arguments(text), [(None, "crd output:dir=\u{3}/../crds".to_owned())]);
        let text = "x:\n\tcontroller-gen crd output:dir=$(or $(TMP),config)\ny:\n\tTMP=tmp A=b $(MAKE) x\n";
        assert_eq!(arguments(text), [(None, "crd output:dir=config".to_owned())]);
    }

    #[test]
    fn hostile_lines_terminate() {
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
