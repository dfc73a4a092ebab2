//! Completion in the tag of a field, even while it is being typed.

use go::json_name;
use ide::{Completion, CompletionKind};
use text::{TextRange, TextSize};

use super::complete::nothing;

/// The options of a JSON tag, and their effects.
const OPTIONS: [(&str, &str); 3] = [
    ("omitempty", "The field is optional, and an empty value is not written."),
    ("omitzero", "The field is optional, and a zero value is not written."),
    ("inline", "The fields of the struct are fields of this one."),
];

/// The documentation of a proposed name.
const NAME: &str = "The name of the Go field in JSON.";

/// Names and options for the JSON tag at byte `offset` of a Go file.
pub(super) fn in_tag(file: &str, offset: TextSize) -> Vec<Completion> {
    found_in(file, offset as usize).unwrap_or_default()
}

fn found_in(file: &str, offset: usize) -> Option<Vec<Completion>> {
    let before = file.get(..offset)?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(start..)?;
    let rest = file.get(offset..)?.lines().next().unwrap_or("");
    let (declared, tag) = line.split_once('`')?;
    let is_field = line.starts_with([' ', '\t']) && !declared.trim_start().starts_with("//");
    if !is_field || tag.contains('`') {
        return None;
    }
    let names = declared.trim();
    let field = names.split(|ch: char| !(ch.is_alphanumeric() || ch == '_')).next()?;
    // An embedded field has no name.
    let is_embedded = !names.contains(char::is_whitespace);
    let Some((_, value)) = tag.rsplit_once("json:\"").filter(|(_, value)| !value.contains('"')) else {
        return Some(whole_tag(tag, field, is_embedded, offset));
    };
    let typed = value.rsplit(',').next().unwrap_or(value);
    let end = rest.find([',', '"', '`']).unwrap_or(0);
    let range = range_of(offset - typed.len(), offset + end);
    if value.contains(',') {
        let written = format!("{value}{rest}");
        let is_left = |option: &str| option == typed || !written.contains(&format!(",{option}"));
        let options = OPTIONS.iter().filter(|(option, _)| is_left(option));
        let options = options.filter(|(option, _)| is_embedded == (*option == "inline"));
        return Some(options.map(|(option, doc)| tag_proposal(option, doc, range)).collect());
    }
    if field.is_empty() || is_embedded {
        return Some(Vec::new());
    }
    let name = json_name(field);
    let mut found = vec![tag_proposal(&name, NAME, range)];
    if !rest.contains(',') {
        found.push(tag_proposal(&format!("{name},omitempty"), OPTIONS[0].1, range));
    }
    Some(found)
}

/// The whole tag, if it is empty or has only the start of `json`.
fn whole_tag(tag: &str, field: &str, is_embedded: bool, offset: usize) -> Vec<Completion> {
    let typed = tag.rsplit(' ').next().unwrap_or(tag);
    if !"json:\"".starts_with(typed) || tag.contains("json:") {
        return Vec::new();
    }
    let range = range_of(offset - typed.len(), offset);
    let name = if is_embedded { ",inline".to_owned() } else { json_name(field) };
    let mut found = vec![tag_proposal(&format!("json:\"{name}\""), NAME, range)];
    if !is_embedded {
        found.push(tag_proposal(&format!("json:\"{name},omitempty\""), OPTIONS[0].1, range));
    }
    found
}

fn tag_proposal(text: &str, doc: &str, range: TextRange) -> Completion {
    Completion {
        label: text.to_owned(),
        kind: CompletionKind::Value,
        documentation: doc.to_owned(),
        text: text.to_owned(),
        range,
        ..nothing()
    }
}

fn range_of(start: usize, end: usize) -> TextRange {
    let at = |at: usize| TextSize::try_from(at).unwrap_or(TextSize::MAX);
    TextRange::new(at(start), at(end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The texts after each completion at the `|` of a line in a struct.
    fn completed_texts(line: &str) -> Vec<String> {
        let file = format!("package v1\n\ntype A struct {{\n\t{line}\n}}\n");
        let at = file.find('|').unwrap();
        let file = file.replace('|', "");
        let start = file.find("\t").unwrap() + 1;
        let end = start + line.len() - 1;
        let found = in_tag(&file, TextSize::try_from(at).unwrap());
        found
            .iter()
            .map(|one| {
                let (from, to) = (one.range.start as usize, one.range.end as usize);
                format!("{}{}{}", &file[start..from], one.text, &file[to..end])
            })
            .collect()
    }

    #[test]
    fn names_and_options_are_proposed() {
        let both = ["Size int `json:\"size\"`", "Size int `json:\"size,omitempty\"`"];
        for line in ["Size int `json:\"|\"`", "Size int `json:\"si|\"`", "Size int `js|`", "Size int `|`"] {
            assert_eq!(completed_texts(line), both, "{line}");
        }
        assert_eq!(
            completed_texts("Size int `json:\"si|"),
            ["Size int `json:\"size", "Size int `json:\"size,omitempty"]
        );
        assert_eq!(
            completed_texts("URLPath string `json:\"u|,omitempty\"`"),
            ["URLPath string `json:\"urlPath,omitempty\"`"]
        );
        let options = ["Size int `json:\"size,omitempty\"`", "Size int `json:\"size,omitzero\"`"];
        assert_eq!(completed_texts("Size int `json:\"size,o|\"`"), options);
        assert_eq!(
            completed_texts("Size int `json:\"size,omitempty,|\"`"),
            ["Size int `json:\"size,omitempty,omitzero\"`"]
        );
        assert_eq!(completed_texts("Part `json:\",|\"`"), ["Part `json:\",inline\"`"]);
        assert_eq!(completed_texts("metav1.TypeMeta `|`"), ["metav1.TypeMeta `json:\",inline\"`"]);
        for line in
            ["Size int `yaml:\"|\"`", "Size int|", "// Size `json:\"|\"`", "Size int `json:\"size\"`|"]
        {
            assert_eq!(completed_texts(line), Vec::<String>::new(), "{line}");
        }
    }
}
