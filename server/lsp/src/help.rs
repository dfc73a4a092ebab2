//! The parts of `--help` after the options of a command: two examples and the exit statuses.

pub(crate) const CRD_LS: &str = "\
Examples:
  crd-ls check                                 check all files below this directory
  crd-ls check --fix crds/                     apply all safe fixes, then report the rest

Exit status: 0 without findings, 1 with findings, 2 if something could not be checked; see the help of each command.";

pub(crate) const SERVER: &str = "\
Examples:
  crd-ls server                                the command that an editor starts
  crd-ls server --log crd-ls.log --log-level debug

Exit status: 0 if the editor shuts the server down, 1 if it exits without that or the server cannot start.";

pub(crate) const MCP: &str = "\
Examples:
  crd-ls mcp                                   the command that an agent starts
  npx crd-ls mcp                               without installing crd-ls

Exit status: 0 if the agent closes standard input, 2 if the server cannot start.";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  crd-ls completions bash > ~/.local/share/bash-completion/completions/crd-ls
  crd-ls completions zsh > _crd-ls             in a directory of $fpath
  crd-ls completions fish > ~/.config/fish/completions/crd-ls.fish
  crd-ls completions powershell | Out-String | Invoke-Expression

Exit status: 0, or 2 for an unknown shell.";

pub(crate) const MANUAL: &str = "\
Examples:
  crd-ls manual man1/                          into an existing directory
  crd-ls manual . && man ./crd-ls-check.1      read one page

Exit status: 0, or 2 if a page could not be written.";

pub(crate) const CHECK: &str = "\
Examples:
  crd-ls check                                 all files below this directory
  crd-ls check --fix --crd crds/ samples/      apply safe fixes, with definitions from crds/

Exit status: 0 without findings at or above --fail-on, 1 with findings, 2 if something could not be checked.";

pub(crate) const MIGRATE: &str = "\
Examples:
  crd-ls migrate crds/                         convert in place
  crd-ls migrate --diff crds/ | git apply      review the changes first

Exit status: 0 if all definitions are migrated, 1 if one is not migrated or still has errors, 2 if a file could not be read.";

pub(crate) const GENERATE: &str = "\
Examples:
  crd-ls generate ./...                        write the files that controller-gen would write
  crd-ls generate --check ./api/v1             show stale files as a diff

Exit status: 0 without problems, 1 if controller-gen would report an error or, with --check, if a file is stale, 2 \
if it could not run.";

pub(crate) const COST: &str = "\
Examples:
  crd-ls cost crds/                            all rules, most expensive first
  crd-ls cost --html crds/ > costs.html        a page with a treemap and the missing bounds

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const DOCS: &str = "\
Examples:
  crd-ls docs crds/ > api.html                 one page of all definitions
  kustomize build . | crd-ls docs - > api.html

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const OPENAPI: &str = "\
Examples:
  crd-ls openapi crd.yaml                      the schema of each served version
  crd-ls openapi --group-version example.com/v1 crds/

Exit status: 0, or 2 if a definition could not be read.";

pub(crate) const APPLY: &str = "\
Examples:
  crd-ls apply --dry-run --crd crd.yaml cr.yaml
  crd-ls apply --dry-run --base main samples/  as updates of the resources on main

Exit status: 0 if all resources are accepted, 1 if one is rejected, 2 if something could not be read.";

pub(crate) const GATES: &str = "\
Examples:
  crd-ls gates crds/
  crd-ls gates --output json crd.yaml

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const EVAL: &str = "\
Examples:
  crd-ls eval crd.yaml cr.yaml                 all rules
  crd-ls eval --expression 'self.spec.size > 3' crd.yaml cr.yaml

Exit status: 0 if all rules are satisfied, 1 if one is not, 2 if something could not be read.";

pub(crate) const SAMPLE: &str = "\
Examples:
  crd-ls sample Widget                         a kind defined below this directory
  crd-ls sample --version v1 crd.yaml

Exit status: 0, or 2 if the kind or version does not exist.";

pub(crate) const REHEARSE: &str = "\
Examples:
  kubectl get widgets -A -o yaml | crd-ls rehearse --old old/ --new new/ --objects -
  crd-ls rehearse --old v1.yaml --new v2.yaml --objects dump/ >> $GITHUB_STEP_SUMMARY
  crd-ls rehearse --new config/crd/ --cluster --context staging

Exit status: 0 if all objects stay valid and keep their fields, 1 if steps are necessary, 2 if something could not be read.";

pub(crate) const TEST: &str = "\
Examples:
  crd-ls test                                  all suites below this directory
  crd-ls test --filter replicas --output junit crds/

Exit status: 0 if all cases pass, 1 if one fails, 2 if a suite or a definition could not be read.";

pub(crate) const DIFF: &str = "\
Examples:
  crd-ls diff old.yaml new.yaml
  crd-ls diff --base merge-base crds/          changes since the branch left the main branch

Exit status: 0 if nothing breaks, 1 if something breaks (or may break, with --fail-on risky), 2 if something could not be compared.";

pub(crate) const VERSIONS: &str = "\
Examples:
  crd-ls versions crd.yaml
  crd-ls versions --all --output json crds/

Exit status: 0, 1 if fields are lost between versions (see --fail-on), 2 if a file could not be read.";

pub(crate) const RULES: &str = "\
Examples:
  crd-ls rules
  crd-ls rules --output json

Exit status: 0.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  crd-ls explain structural/type-required
  crd-ls explain cel/rule-cost

Exit status: 0, or 2 if the rule does not exist.";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use clap::{Command, CommandFactory, Parser};

    use crate::args::Cli;

    const LONGEST_LINE: usize = 120;

    fn commands() -> Vec<Command> {
        let mut root = Cli::command();
        root.build();
        let commands = root.get_subcommands().filter(|command| command.get_name() != "help").cloned();
        let mut commands: Vec<Command> = commands.collect();
        commands.push(root);
        commands
    }

    /// The commands below `Examples:`, without their descriptions.
    fn examples(help: &str) -> Vec<&str> {
        let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        let lines = lines.take_while(|line| !line.is_empty()).map(str::trim_start);
        lines.map(|line| line.split("  ").next().unwrap_or_default()).collect()
    }

    /// The arguments of `crd-ls` in a shell command.
    fn arguments(example: &str) -> Vec<String> {
        let at = example.find("crd-ls ").unwrap_or_else(|| panic!("no crd-ls in `{example}`"));
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for char in example[at..].chars() {
            match char {
                '\'' => is_quoted = !is_quoted,
                '|' | '>' | '&' if !is_quoted => break,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().unwrap().push(char),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn each_help_has_one_line_a_usage_two_examples_and_the_exit_statuses() {
        for mut command in commands() {
            let name = command.get_name().to_owned();
            let about = command.get_about().unwrap_or_else(|| panic!("{name} has no line")).to_string();
            assert!(about.lines().count() == 1 && about.len() <= LONGEST_LINE, "{name}: {about}");
            let help = command.render_long_help().to_string();
            assert!(help.contains("Usage: crd-ls"), "{name}: {help}");
            assert!(examples(&help).len() >= 2, "{name}: {help}");
            assert!(help.contains("\nExit status: 0"), "{name}: {help}");
        }
    }

    #[test]
    fn examples_are_valid_calls_of_their_command() {
        for mut command in commands() {
            let help = command.render_long_help().to_string();
            for example in examples(&help) {
                let arguments = arguments(example);
                if let Err(error) = Cli::try_parse_from(&arguments) {
                    panic!("`{example}`: {error}");
                }
                if command.get_name() != "crd-ls" {
                    assert_eq!(arguments[1], command.get_name(), "`{example}`");
                }
            }
        }
    }
}
