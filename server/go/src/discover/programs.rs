//! Go programs that build a project: `sh.Run("controller-gen", "crd", "paths=./...")`, `exec.Command(controllerGen, "crd")`.

/// The name of the program in a text.
const NAME: &str = "controller-gen";
/// A part of the names of variables that hold the program, without the first letter.
const VARIABLE: &str = "ontrollerGen";

/// The name of a constant that holds the program, as in makefiles.
const CONSTANT: &str = "CONTROLLER_GEN";

/// A Go program as lines of a shell: a line that calls controller-gen with string literals as arguments becomes that call,
/// every other line becomes empty.
pub(super) fn in_shell(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = [NAME, VARIABLE, CONSTANT].into_iter().filter_map(|name| rest.find(name)).min() {
        let (before, found) = rest.split_at(at);
        out.extend(before.chars().filter(|ch| *ch == '\n'));
        let after = match found.starts_with(NAME) {
            true => {
                let name = found.find(['"', '`', '\n']).unwrap_or(found.len());
                let after = found.get(name..).unwrap_or("");
                after.strip_prefix(['"', '`']).unwrap_or(after)
            }
            // `b.controllerGenPath()` and `tools.ControllerGen` as well.
            false => {
                let after = found.trim_start_matches(|ch: char| ch.is_ascii_alphanumeric() || ch == '_');
                after.strip_prefix("()").unwrap_or(after)
            }
        };
        if let Some(arguments) = arguments(after, text) {
            out.push_str(NAME);
            arguments.iter().for_each(|argument| out.push_str(&format!(" {argument}")));
        }
        rest = after;
    }
    out
}

/// The further arguments of a call, up to its closing parenthesis, as words of a shell; `None` if other code follows. Slices
/// are looked up in the `text` of the program.
fn arguments(after: &str, text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = after.trim_start();
    while let Some(next) = rest.strip_prefix(',') {
        let next = next.trim_start();
        if next.starts_with([')', '}']) {
            break;
        }
        if let Some((all, after)) = spread(next, text) {
            found.extend(all);
            rest = after.trim_start();
            continue;
        }
        rest = match literal(next) {
            Some((literal, after)) if after.trim_start().starts_with([',', ')', '}']) => {
                found.push(format!("'{literal}'"));
                after.trim_start()
            }
            // The argument is known only at run time.
            _ => {
                found.push(UNKNOWN.to_owned());
                next.find([',', ')', '}', '\n']).and_then(|end| next.get(end..)).unwrap_or("").trim_start()
            }
        };
    }
    (!found.is_empty()).then_some(found)
}

/// The string literal at the start of a text, and the rest of the text.
fn literal(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '`'))?;
    text.strip_prefix(quote)?.split_once(quote)
}

/// The elements of the slice at the start of a text, each of which is one argument, and the rest of the text: `args...`,
/// `append(args, "crd")...` and `[]string{"crd"}...`.
fn spread<'t>(next: &'t str, text: &str) -> Option<(Vec<String>, &'t str)> {
    if let Some(inner) = next.strip_prefix(SLICE) {
        let (elements, after) = elements(inner, '}')?;
        return Some((elements, after.trim_start().strip_prefix("...")?));
    }
    if let Some(inner) = next.strip_prefix("append(") {
        let name = name_at(inner);
        let (more, after) = elements(inner.get(name.len()..)?.trim_start().strip_prefix(',')?, ')')?;
        let mut all = slice(name, text)?;
        all.extend(more);
        return Some((all, after.trim_start().strip_prefix("...")?));
    }
    let name = name_at(next);
    let after = next.get(name.len()..)?.strip_prefix("...")?;
    Some((slice(name, text)?, after))
}

/// The start of a slice of strings.
const SLICE: &str = "[]string{";

/// The maximum number of elements of a slice.
const MOST_ELEMENTS: usize = 64;

/// A placeholder for a value that is known only at run time.
const UNKNOWN: &str = "${_}";

/// The identifier at the start of a text.
fn name_at(text: &str) -> &str {
    let end = text.find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_')).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

/// The elements of a variable of the program, with those that are appended to it.
fn slice(name: &str, text: &str) -> Option<Vec<String>> {
    let mut all: Option<Vec<String>> = None;
    for (at, _) in text.match_indices(name).filter(|_| !name.is_empty()) {
        let is_whole =
            !text.get(..at)?.ends_with(|ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '.'));
        let after = text.get(at + name.len()..)?.trim_start();
        let value = after.strip_prefix(":=").or_else(|| after.strip_prefix('=')).filter(|_| is_whole);
        let Some(value) = value.map(str::trim_start) else { continue };
        if let Some(inner) = value.strip_prefix(SLICE) {
            all = Some(elements(inner, '}')?.0);
        } else if let Some(inner) = value.strip_prefix("append(").and_then(|inner| inner.strip_prefix(name)) {
            let more = elements(inner.trim_start().strip_prefix(',')?, ')')?.0;
            all.as_mut()?.extend(more);
        }
    }
    all
}

/// The elements up to a closing bracket, as words of a shell, and the rest of the text.
fn elements(inner: &str, close: char) -> Option<(Vec<String>, &str)> {
    let mut found = Vec::new();
    let mut rest = inner.trim_start();
    while found.len() < MOST_ELEMENTS {
        if let Some(after) = rest.strip_prefix(close) {
            return Some((found, after));
        }
        let ends = |after: &str| after.trim_start().starts_with([',', close]);
        rest = match literal(rest).filter(|(_, after)| ends(after)) {
            Some((literal, after)) => {
                found.push(format!("'{literal}'"));
                after
            }
            None => {
                found.push(UNKNOWN.to_owned());
                rest.get(rest.find([',', close])?..)?
            }
        };
        let after = rest.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::in_shell;

    #[test]
    fn calls_in_go_are_read_like_shell_commands() {
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
        for program in [
            "controllerGen",
            "*controllerGen",
            "CONTROLLER_GEN",
            "tools.ControllerGenPath()",
            "\"bin/controller-gen\"",
        ] {
            let run = format!("cmd := exec.CommandContext(ctx, {program}, \"crd\", \"paths=./api\")\n");
            assert_eq!(in_shell(&run), "controller-gen 'crd' 'paths=./api'");
        }
        let joined = "controllerGen := filepath.Join(bin, \"controller-gen\")\nuse(controllerGen)\n";
        assert_eq!(in_shell(joined).trim(), "");
    }

    #[test]
    fn arguments_in_slices_are_read() {
        let expected = "controller-gen 'crd' 'paths=./api/...'";
        for body in [
            "args := []string{\"crd\", \"paths=./api/...\"}\n\treturn sh.RunV(\"controller-gen\", args...)",
            "args := []string{\n\t\t\"crd\",\n\t}\n\targs = append(args, \"paths=./api/...\")\n\treturn sh.Run(controllerGen, args...)",
            "args := []string{\"crd\"}\n\treturn sh.Run(\"controller-gen\", append(args, \"paths=./api/...\")...)",
            "cmd := exec.Command(controllerGen, []string{\"crd\", \"paths=./api/...\"}...)",
            "return sh.Run(\"controller-gen\", \"crd\", rest...)\n}\n\nvar rest = []string{`paths=./api/...`}\n\nfunc other() {",
        ] {
            let text = format!("package main\n\nfunc Gen() error {{\n\t{body}\n}}\n");
            assert_eq!(in_shell(&text).trim(), expected, "{body}");
        }
        for unknown in ["", "rest := others()\n\t"] {
            let text = format!("{unknown}sh.Run(\"controller-gen\", \"crd\", rest...)\n");
            assert_eq!(in_shell(&text).trim(), "controller-gen 'crd' ${_}");
        }
        let element = "rest := []string{\"paths=\" + dir}\nsh.Run(\"controller-gen\", \"crd\", rest...)\n";
        assert_eq!(in_shell(element).trim(), "controller-gen 'crd' ${_}");
    }
}
