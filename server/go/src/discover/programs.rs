//! Go programs that build a project: `sh.Run("controller-gen", "crd", "paths=./...")`, `exec.Command(controllerGen, "crd")`.

/// The name of the program in a text.
const NAME: &str = "controller-gen";
/// What the variables that hold it have in their names, without its first letter.
const VARIABLE: &str = "ontrollerGen";

/// The lines of a Go program as those of a shell: each one with a call of controller-gen, whose arguments are string literals, is
/// that call, all others are empty.
pub(super) fn in_shell(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = [NAME, VARIABLE].into_iter().filter_map(|name| rest.find(name)).min() {
        let (before, found) = rest.split_at(at);
        out.extend(before.chars().filter(|ch| *ch == '\n'));
        let behind = match found.starts_with(NAME) {
            true => {
                let name = found.find(['"', '`', '\n']).unwrap_or(found.len());
                let behind = found.get(name..).unwrap_or("");
                behind.strip_prefix(['"', '`']).unwrap_or(behind)
            }
            // `b.controllerGenPath()` and `tools.ControllerGen` as well.
            false => {
                let behind = found.trim_start_matches(|ch: char| ch.is_ascii_alphanumeric() || ch == '_');
                behind.strip_prefix("()").unwrap_or(behind)
            }
        };
        if let Some(arguments) = arguments(behind) {
            out.push_str(NAME);
            arguments.iter().for_each(|argument| out.push_str(&format!(" {argument}")));
        }
        rest = behind;
    }
    out
}

/// The further arguments of a call, up to its closing bracket, as words of a shell; none where something else follows.
fn arguments(behind: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = behind.trim_start();
    while let Some(next) = rest.strip_prefix(',') {
        let next = next.trim_start();
        if next.starts_with([')', '}']) {
            break;
        }
        let quote = next.chars().next().filter(|quote| matches!(quote, '"' | '`'));
        let literal = quote.and_then(|quote| next.strip_prefix(quote)?.split_once(quote));
        rest = match literal {
            Some((literal, behind)) if behind.trim_start().starts_with([',', ')', '}']) => {
                found.push(format!("'{literal}'"));
                behind.trim_start()
            }
            // What it is is known only when it runs.
            _ => {
                found.push("${_}".to_owned());
                next.find([',', ')', '}', '\n']).and_then(|end| next.get(end..)).unwrap_or("").trim_start()
            }
        };
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::in_shell;

    #[test]
    fn calls_in_go_are_those_of_a_shell() {
        let text = "package main\n\nfunc Gen() error {\n\treturn sh.RunV(\"controller-gen\", \"crd:maxDescLen=0\",\n\t\t\"paths=./api/...\", out, \"rbac\")\n}\n";
        assert_eq!(
            in_shell(text).trim_start_matches('\n'),
            "controller-gen 'crd:maxDescLen=0' 'paths=./api/...' ${_} 'rbac'"
        );
        assert_eq!(in_shell(text).matches('\n').count(), 3);
        let run =
            "sh.Run(\"go\", \"run\", \"sigs.k8s.io/controller-tools/cmd/controller-gen@v0.16.0\", \"crd\")\n";
        assert_eq!(in_shell(run), "controller-gen 'crd'");
        assert_eq!(in_shell("// controller-gen is run\nlog(\"controller-gen\")\n"), "\n");
        for program in
            ["controllerGen", "*controllerGen", "tools.ControllerGenPath()", "\"bin/controller-gen\""]
        {
            let run = format!("cmd := exec.CommandContext(ctx, {program}, \"crd\", \"paths=./api\")\n");
            assert_eq!(in_shell(&run), "controller-gen 'crd' 'paths=./api'");
        }
        let joined = "controllerGen := filepath.Join(bin, \"controller-gen\")\nuse(controllerGen)\n";
        assert_eq!(in_shell(joined).trim(), "");
    }
}
