//! Messages for a `fieldPath` that leads to no field.

use crate::go;
use crate::message::Message;
use crate::schema::path::{ArrayNotation, PathError, resolve};
use crate::schema::{Keyword, Schema};
use crate::suggest::closest;

/// The message for `path`, which does not lead from `schema` to a field because of `error`; it uses the
/// schema's field names if they help.
pub(super) fn path_message(path: &str, error: &PathError, schema: &Schema<'_, '_>) -> Message {
    let leads = |path: &str| resolve(path, schema, ArrayNotation::Allowed).is_ok();
    let example = example(schema);
    let of_field = || format!("write the path of a field in the same schema, such as `{example}`");
    let shown = quoted_path(path);
    match error {
        PathError::NoSuchField => {
            let remedy = nearest(path, schema).map_or_else(of_field, |near| format!("write `{near}`"));
            Message::new(format!("{shown} is not a declared field")).advise(remedy)
        }
        PathError::NoStep(_) if path.starts_with(char::is_whitespace) => {
            let start = if path.starts_with(['\n', '\r']) { "a line break" } else { "a space" };
            Message::new(format!("`fieldPath` begins with {start}"))
                .advise(format!("start it with a dot, such as `{example}`"))
        }
        PathError::NoStep(_) if !path.starts_with(['.', '[', ']']) => {
            // A path from the root or from `self` starts with a name that the schema does not declare.
            let below = path.find('.').and_then(|at| path.get(at..)).map(str::to_owned);
            let intended =
                [Some(format!(".{path}")), below].into_iter().flatten().find(|intended| leads(intended));
            let remedy = match intended {
                Some(intended) => format!("write `{intended}`"),
                None => format!("write the path from the schema that has the rule, such as `{example}`"),
            };
            Message::new(format!("{shown} does not begin with a dot")).advise(remedy)
        }
        PathError::NotQuoted(found)
            if !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            let list = path.find(&format!("[{found}]")).and_then(|at| path.get(..at)).unwrap_or(path);
            let problem = format!("{shown} selects an item, but `fieldPath` cannot go through a list");
            Message::new(problem).advise(format!("write the path of the list, {}", self::quoted_path(list)))
        }
        PathError::UnexpectedEnd if path.ends_with('.') => {
            Message::new(format!("{shown} has no field after its last dot"))
                .advise(format!("add a field, as in `{example}`"))
        }
        _ => error.in_words(path),
    }
}

/// A path in backticks, or quoted if it contains backticks or control characters, or is blank.
fn quoted_path(path: &str) -> String {
    let is_plain = !path.trim().is_empty() && !path.contains('`') && !path.contains(char::is_control);
    if is_plain { format!("`{path}`") } else { go::quoted(path) }
}

/// The path of the first field of `schema`.
fn example(schema: &Schema<'_, '_>) -> String {
    let properties = schema.members(Keyword::Properties);
    let is_plain = |name: &&str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut names = properties.entries.iter().map(|(name, _)| name.as_ref());
    format!(".{}", names.find(is_plain).unwrap_or("size"))
}

/// The path whose last step is replaced with the name of a similar field.
fn nearest(path: &str, schema: &Schema<'_, '_>) -> Option<String> {
    let (above, name) = path.rsplit_once('.').filter(|(_, name)| !name.contains('['))?;
    let holder = match above {
        "" => similar_field(name, schema),
        _ => similar_field(name, &resolve(above, schema, ArrayNotation::Allowed).ok()?.schema?),
    };
    Some(format!("{above}.{}", holder?))
}

/// The field of `schema` with the name most similar to `name`.
fn similar_field(name: &str, schema: &Schema<'_, '_>) -> Option<String> {
    let properties = schema.members(Keyword::Properties);
    let names = properties.entries.iter().map(|(name, _)| name.as_ref());
    closest(name, names).map(|(near, _)| near.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use yaml::{Reader, Tree};

    use super::*;

    #[test]
    fn a_path_has_the_correction_that_it_needs() {
        let tree =
            Tree::parse("properties: {color: {}, list: {items: {}}, part: {properties: {size: {}}}}\n");
        let reader = Reader::new(tree.documents().next().unwrap());
        let root = tree.documents().next().unwrap().root().unwrap();
        let schema = Schema::read(root, &reader).unwrap();
        for (path, expected) in [
            (".colour", "`.colour` is not a declared field; write `.color`"),
            (".part.sise", "`.part.sise` is not a declared field; write `.part.size`"),
            (
                ".x",
                "`.x` is not a declared field; write the path of a field in the same schema, such as `.color`",
            ),
            (" ", "`fieldPath` begins with a space; start it with a dot, such as `.color`"),
            ("\n.color", "`fieldPath` begins with a line break; start it with a dot, such as `.color`"),
            ("color", "`color` does not begin with a dot; write `.color`"),
            ("self.color", "`self.color` does not begin with a dot; write `.color`"),
            (
                "x.y",
                "`x.y` does not begin with a dot; write the path from the schema that has the rule, such as `.color`",
            ),
            (
                ".list[0]",
                "`.list[0]` selects an item, but `fieldPath` cannot go through a list; write the path of the list, `.list`",
            ),
            (".", "`.` has no field after its last dot; add a field, as in `.color`"),
        ] {
            let error = resolve(path, &schema, ArrayNotation::Allowed).unwrap_err();
            assert_eq!(path_message(path, &error, &schema).to_string(), expected, "{path}");
        }
    }
}
