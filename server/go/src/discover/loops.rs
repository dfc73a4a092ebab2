//! Loops of Task: converts a command with `for:` to a loop of the shell.

use std::borrow::Cow;

/// The variable that holds the item, unless `as` names another one.
const ITEM: &str = "ITEM";

/// A Taskfile with its loops converted to loops of the shell, line by line. A loop over values that are known only at run
/// time stays unchanged.
pub(super) fn in_shell(text: &str) -> Cow<'_, str> {
    if !text.contains("- for:") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let entry = entry_at(&lines, at);
        match entry.and_then(|entry| written_out(entry, text)) {
            Some(written) => {
                at += written.len();
                out.extend(written.iter().flat_map(|line| [line, "\n"]));
            }
            None => {
                at += 1;
                out.extend([line, "\n"]);
            }
        }
    }
    Cow::Owned(out)
}

/// The lines of the entry that starts with `- for:`.
fn entry_at<'l, 't>(lines: &'l [&'t str], at: usize) -> Option<&'l [&'t str]> {
    let rest = lines.get(at..)?;
    let (first, below) = rest.split_first()?;
    let dash = indent(first);
    if !first.trim_start().starts_with("- for:") {
        return None;
    }
    let len = below.iter().take_while(|line| line.trim().is_empty() || indent(line) > dash).count();
    rest.get(..=len)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of an entry with its command replaced by a loop of the shell, and its list by empty lines.
fn written_out(entry: &[&str], text: &str) -> Option<Vec<String>> {
    let keys = indent(entry.first()?) + "- ".len();
    let is_command = |line: &&str| indent(line) == keys && line.trim_start().starts_with("cmd:");
    let command = entry.iter().position(is_command)?;
    let (before, after) = entry.split_at(command);
    let (first, block) = after.split_first()?;
    let value = unquoted(first.trim_start().strip_prefix("cmd:")?.trim());
    if let Some(items) = items_of(before) {
        return Some(with_items(&items, (command, keys), value, block));
    }
    let (variable, words) = list_of(before, text)?;
    let head = format!("for {variable} in {}; do ", words.join(" "));
    let mut out = vec![String::new(); command];
    if !value.starts_with(['|', '>']) {
        out.push(format!("{head}{value}; done"));
        out.extend(block.iter().map(|line| (*line).to_owned()));
        return Some(out);
    }
    let is_folded = value.starts_with('>');
    let len = block.iter().take_while(|line| line.trim().is_empty() || indent(line) > keys).count();
    let (body, rest) = block.split_at(len);
    let last = body.iter().rposition(|line| !line.trim().is_empty());
    out.push(String::new());
    let mut continues = false;
    for (at, line) in body.iter().enumerate() {
        let line = line.trim();
        let is_continued = line.ends_with('\\') || is_folded && last.is_some_and(|last| at < last);
        let start = if continues || line.is_empty() { "" } else { &*head };
        let end = match (is_continued, line.is_empty() || line.ends_with('\\')) {
            (false, false) => "; done",
            (true, false) => " \\",
            _ => "",
        };
        continues = is_continued && (continues || !line.is_empty());
        out.push(format!("{start}{line}{end}"));
    }
    out.extend(rest.iter().map(|line| (*line).to_owned()));
    Some(out)
}

/// The names and values of an item of a loop.
type LoopItem = Vec<(String, String)>;

/// The maximum number of items to expand.
const MOST_ITEMS: usize = 64;

/// The items of a loop that have several values: the items of a list of maps, or the combinations of a matrix.
fn items_of(lines: &[&str]) -> Option<Vec<LoopItem>> {
    let (first, below) = lines.split_first()?;
    let inline = first.trim_start().strip_prefix("- for:")?.trim();
    let pair = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_owned(), unquoted(value.trim()).to_owned()))
    };
    let below: Vec<&str> = below.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let matrix = match inline.strip_prefix('{').and_then(|map| map.trim().strip_prefix("matrix:")) {
        Some(inner) => {
            let inner = inner.trim().strip_prefix('{')?.trim_end_matches(['}', ' ']);
            inner.split_inclusive(']').map(|list| list.trim_matches([',', ' '])).collect()
        }
        None if inline.is_empty() && below.first() == Some(&"matrix:") => below.get(1..)?.to_vec(),
        None => {
            let is_of_maps = inline.is_empty() && below.first()?.strip_prefix("- ").and_then(pair).is_some();
            let mut items: Vec<LoopItem> = Vec::new();
            for line in below.iter().filter(|_| is_of_maps) {
                match line.strip_prefix("- ") {
                    Some(first) => items.push(vec![pair(first)?]),
                    None => items.last_mut()?.push(pair(line)?),
                }
            }
            return (!items.is_empty() && items.len() <= MOST_ITEMS).then_some(items);
        }
    };
    let mut items: Vec<LoopItem> = vec![Vec::new()];
    for line in matrix {
        let (name, list) = line.split_once(':')?;
        let values = list_items(list.trim().strip_prefix('[')?.strip_suffix(']')?, ",");
        let with = |item: &LoopItem, value: &String| {
            let mut item = item.clone();
            item.push((name.trim().to_owned(), value.clone()));
            item
        };
        items = items.iter().flat_map(|item| values.iter().map(move |value| with(item, value))).collect();
        if items.len() > MOST_ITEMS {
            return None;
        }
    }
    (!items.is_empty()).then_some(items)
}

/// The lines of an entry with its command once for each item, in one line.
fn with_items(
    items: &[LoopItem],
    (command, keys): (usize, usize),
    value: &str,
    block: &[&str],
) -> Vec<String> {
    let mut out = vec![String::new(); command];
    let is_block = value.starts_with(['|', '>']);
    let is_body = |line: &&&str| line.trim().is_empty() || indent(line) > keys;
    let len = if is_block { block.iter().take_while(is_body).count() } else { 0 };
    let (body, rest) = block.split_at(len);
    let text = body.iter().fold(String::new(), |text, line| {
        let (line, between) = match line.trim().strip_suffix('\\') {
            Some(line) => (line.trim(), " "),
            None => (line.trim(), if value.starts_with('>') { " " } else { "; " }),
        };
        if line.is_empty() { text } else { text + line + between }
    });
    let text = if is_block { text.trim_end_matches([';', ' ']) } else { value };
    let filled = items.iter().map(|item| {
        item.iter().fold(text.to_owned(), |text, (name, value)| {
            ["{{.ITEM.NAME}}", "{{ .ITEM.NAME }}"]
                .iter()
                .fold(text, |text, form| text.replace(&form.replace("NAME", name), value))
        })
    });
    out.push(filled.collect::<Vec<_>>().join("; "));
    out.extend(body.iter().map(|_| String::new()));
    out.extend(rest.iter().map(|line| (*line).to_owned()));
    out
}

/// The variable of a loop and its words.
fn list_of(lines: &[&str], text: &str) -> Option<(String, Vec<String>)> {
    let (first, below) = lines.split_first()?;
    let inline = first.trim_start().strip_prefix("- for:")?.trim();
    let below = || below.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    if let Some(list) = inline.strip_prefix('[') {
        return Some((ITEM.to_owned(), list_items(list.strip_suffix(']')?, ",")));
    }
    let pairs: Vec<(&str, &str)> = match inline.strip_prefix('{') {
        Some(map) => map.strip_suffix('}')?.split(", ").filter_map(|pair| pair.split_once(':')).collect(),
        None if inline.is_empty() && below().all(|line| line.starts_with("- ")) => {
            let items: Vec<String> = below().map(|line| unquoted(line[2..].trim()).to_owned()).collect();
            return (!items.is_empty()).then(|| (ITEM.to_owned(), items));
        }
        None if inline.is_empty() => below().filter_map(|line| line.split_once(':')).collect(),
        None => return None,
    };
    let of = |key: &str| {
        let pair = pairs.iter().find(|(name, _)| name.trim() == key);
        pair.map(|(_, value)| unquoted(value.trim()))
    };
    let found = declared(of("var")?, text)?;
    let variable = of("as").unwrap_or(ITEM).to_owned();
    Some((variable, list_items(found, of("split").unwrap_or(" "))))
}

/// The value of a variable that is declared on one line.
fn declared<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    let values = text.lines().filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'));
    let mut values = values.map(|value| unquoted(value.trim()));
    values.find(|value| !value.is_empty() && !value.contains(['{', '|', '>', '$', '*']))
}

fn list_items(list: &str, separator: &str) -> Vec<String> {
    let words = list.split(separator).map(|word| unquoted(word.trim()).to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

fn unquoted(value: &str) -> &str {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::in_shell;

    fn written(tasks: &str) -> String {
        let text = format!("version: '3'\nvars:\n  MODULES: api,extra\ntasks:\n  gen:\n    cmds:\n{tasks}");
        let written = in_shell(&text).into_owned();
        assert_eq!(written.lines().count(), text.lines().count(), "{written}");
        written.lines().skip(6).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn loops_of_task_become_loops_of_the_shell() {
        let call = "controller-gen crd paths=./{{.ITEM}}/...";
        let expected = format!("for ITEM in api extra; do {call}; done");
        for list in [
            "[api, extra]",
            "['api', \"extra\"]",
            "{ var: MODULES, split: ',' }",
            "\n          - api\n          - extra",
            "\n        - api\n        - extra",
            "\n          var: MODULES\n          split: ','",
        ] {
            for command in [format!("'{call}'"), call.to_owned(), format!("|\n          {call}")] {
                assert_eq!(
                    written(&format!("      - for: {list}\n        cmd: {command}\n")),
                    expected,
                    "{list}"
                );
            }
        }
        let named =
            "      - for: {var: MODULES, split: ',', as: DIR}\n        cmd: run {{.DIR}}\n      - other\n";
        assert_eq!(written(named), "for DIR in api extra; do run {{.DIR}}; done\n      - other");
    }

    #[test]
    fn items_with_several_values_are_expanded() {
        let call = "controller-gen crd paths=./{{.ITEM.DIR}}/... output:crd:dir={{ .ITEM.OUT }}";
        let each =
            |dir: &str, out: &str| format!("controller-gen crd paths=./{dir}/... output:crd:dir={out}");
        let expected = format!("{}; {}", each("api", "crds"), each("extra", "crds"));
        for list in [
            "{ matrix: { DIR: [api, extra], OUT: [crds] } }",
            "\n          matrix:\n            DIR: ['api', 'extra']\n            OUT: [crds]",
            "\n        - DIR: api\n          OUT: crds\n        - DIR: extra\n          OUT: \"crds\"",
        ] {
            for command in [
                call.to_owned(),
                format!("|\n          {}", call.replace(" output", " \\\n          output")),
            ] {
                assert_eq!(
                    written(&format!("      - for: {list}\n        cmd: {command}\n")),
                    expected,
                    "{list}"
                );
            }
        }
    }

    #[test]
    fn a_command_of_several_lines_is_one_loop() {
        let folded = "      - for: [a, b]\n        cmd: >-\n          controller-gen crd\n          paths=./{{.ITEM}}/...\n";
        assert_eq!(written(folded), "for ITEM in a b; do controller-gen crd \\\npaths=./{{.ITEM}}/...; done");
        let continued = "      - for: [a, b]\n        cmd: |\n          cd x\n          controller-gen crd \\\n            paths=./{{.ITEM}}/...\n";
        assert_eq!(
            written(continued),
            "for ITEM in a b; do cd x; done\nfor ITEM in a b; do controller-gen crd \\\npaths=./{{.ITEM}}/...; done"
        );
    }

    #[test]
    fn a_list_known_only_at_run_time_is_not_expanded() {
        for list in ["sources", "{ var: UNKNOWN }", "{ matrix: { A: { ref: .B } } }"] {
            let task = format!("      - for: {list}\n        cmd: controller-gen crd paths=./{{{{.ITEM}}}}");
            assert_eq!(written(&task), task);
        }
        let task = "      - for: [a]\n        task: other";
        assert_eq!(written(task), task);
    }
}
