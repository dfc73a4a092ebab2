//! Taskfiles and justfiles: converts `{{…}}` to references of the shell, and declared variables to assignments.

use std::borrow::Cow;

/// Expressions for the folder of the file.
const FOLDERS: [&str; 5] =
    [".ROOT_DIR", ".TASKFILE_DIR", ".USER_WORKING_DIR", "justfile_directory()", "invocation_directory()"];

/// A script with its templates converted, line by line.
pub(super) fn in_shell(text: &str) -> Cow<'_, str> {
    if !text.contains("{{") {
        return Cow::Borrowed(text);
    }
    let lines = text.lines().map(|line| without_templates(&assignment(line)));
    Cow::Owned(lines.fold(String::with_capacity(text.len()), |text, line| text + &line + "\n"))
}

/// A Task variable `NAME: value` as an assignment of the shell; other lines unchanged.
fn assignment(line: &str) -> Cow<'_, str> {
    let declared = line.trim().split_once(": ").filter(|(name, value)| {
        let is_name = name.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name && !value.trim().contains([' ', '|', '>'])
    });
    declared.map_or(Cow::Borrowed(line), |(name, value)| Cow::Owned(format!("{name}={}", value.trim())))
}

/// A line with each template replaced by a variable of the shell. Templates other than names are known only at run
/// time.
fn without_templates(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, (inner, after))) =
        rest.split_once("{{").and_then(|(before, inner)| Some((before, inner.split_once("}}")?)))
    {
        out.push_str(before);
        let name = inner.trim_matches([' ', '-']);
        let variable = name.strip_prefix('.').unwrap_or(name);
        let is_name = variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match FOLDERS.contains(&name) {
            true => out.push_str("$(pwd)"),
            false if is_name && !variable.is_empty() => out.push_str(&format!("${{{variable}}}")),
            false => out.push_str(&part_of_path(name).unwrap_or_else(|| "${_}".to_owned())),
        }
        rest = after;
    }
    out + rest
}

/// `dir .NAME`, `.NAME | base` and similar templates as a function of make.
fn part_of_path(call: &str) -> Option<String> {
    let words: Vec<&str> = call.split_whitespace().collect();
    let (function, variable) = match words.as_slice() {
        [function, variable] | [variable, "|", function] => (*function, variable.strip_prefix('.')?),
        _ => return None,
    };
    let function = match function {
        "dir" | "osDir" => "dir",
        "base" | "osBase" => "notdir",
        _ => return None,
    };
    Some(format!("$({function} ${{{variable}}})"))
}
