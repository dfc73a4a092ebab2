//! Known marker names with additional text around them that makes them unknown names.

use super::mistake::{
    CheckedFile, Mistake, MistakeKind, MistakeText, advised, beginning, flag_of, written_name,
};
use crate::marker::{self, Shape, Target};
use crate::syntax::MarkerComment;

/// The markers of the generator `object`.
pub(super) const OF_OBJECTS: [&str; 2] = ["kubebuilder:object:generate", "kubebuilder:object:root"];

/// Checks for a known name with additional text around it that makes it an unknown name.
pub(super) fn form(seen: CheckedFile<'_>, comment: &MarkerComment, target: Target) -> Option<Mistake> {
    let text = seen.text(comment);
    let whole = written_name(text);
    let new_mistake = |range: std::ops::Range<usize>, words: MistakeText| {
        Mistake::new(MistakeKind::Form, seen.place_in_marker(comment, range), words)
    };
    let is_known = |name: &str| marker::lookup(&format!("+{name}"), target, seen.version).is_some();
    let trimmed = whole.trim_start();
    let blanks = whole.len() - trimmed.len();
    let name = beginning(trimmed);
    if blanks > 0 {
        let found = new_mistake(
            1..1 + blanks + name.len(),
            advised(
                "controller-gen ignores this marker, because a space follows `+`",
                format!("write `+{name}`"),
            ),
        );
        return is_known(name).then(|| found.replaced(format!("Change to `+{name}`"), name.to_owned()));
    }
    let rest = whole.get(name.len()..).unwrap_or("");
    if !rest.is_empty()
        && let Some(known) = marker::lookup(&format!("+{name}"), target, seen.version)
    {
        let is_flag = matches!(known.definition.shape, Shape::Empty);
        return Some(wrong_following_text(seen, comment, (name, whole), is_flag));
    }
    let of_name = repeated_sign(seen, comment, target).or_else(|| blanks_in_name(seen, comment, target));
    let of_name = of_name.or_else(|| argument(seen, comment, trimmed, target));
    if of_name.is_some() {
        return of_name;
    }
    let next = seen.text(comment).get(1 + name.len()..).unwrap_or("").trim_start_matches([' ', '\t']);
    if rest.starts_with([' ', '\t']) && is_known(&format!("{name}:{next}")) {
        let blanks = rest.len() - rest.trim_start().len();
        let edit = (seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + blanks), ":".to_owned());
        let problem = format!("controller-gen ignores this marker, because a space follows `{name}`");
        let found = new_mistake(1..1 + name.len(), advised(problem, "write `:` in its place"));
        let found = found.with_intended_name(&format!("{name}:{next}"));
        return Some(found.repaired(format!("Insert `:` after `{name}`"), vec![edit], true));
    }
    if rest.is_empty()
        && let Some(part) = text.get(1 + name.len()..).and_then(|rest| rest.strip_prefix('='))
        && is_known(&format!("{name}:{part}"))
    {
        let edit = (seen.place_in_marker(comment, 1 + name.len()..2 + name.len()), ":".to_owned());
        let problem = format!("controller-gen ignores this marker, because `=` follows `{name}`");
        let found = new_mistake(1..1 + name.len(), advised(problem, "write `:` in its place"));
        let found = found.with_intended_name(&format!("{name}:{part}"));
        return Some(found.repaired(format!("Change `=` to `:` after `{name}`"), vec![edit], true));
    }
    let (short, last) = name.rsplit_once(':')?;
    let with_colon = || {
        let problem =
            format!("controller-gen ignores this marker, because the value of `{short}` follows `:`");
        let found = new_mistake(1..2 + short.len(), advised(problem, "write `=` instead"));
        let found = found.with_intended_name(short);
        Some(with_equals(seen, comment, short, found))
    };
    if OF_OBJECTS.contains(&short) && !text.contains('=') {
        return with_colon();
    }
    let known = marker::lookup(&format!("+{short}"), target, seen.version)?;
    if text.contains('=') || known.name() != short {
        return None;
    }
    match known.definition.shape {
        Shape::Empty => flagged(seen, comment, short, last),
        Shape::Arguments(arguments) => arguments.iter().any(|argument| argument.name == last).then(|| {
            new_mistake(
                1..1 + name.len(),
                advised(
                    format!("controller-gen ignores this marker, because `=` is missing after `{last}`"),
                    format!("write `{name}=…`"),
                ),
            )
        }),
        _ => with_colon(),
    }
}

/// The mistake for a marker without a value whose name is followed by a boolean: `storageversion:true`.
fn flagged(seen: CheckedFile<'_>, comment: &MarkerComment, name: &str, last: &str) -> Option<Mistake> {
    let flag = flag_of(last)?;
    let problem = format!("controller-gen ignores this marker, because `{name}` takes no value");
    let place = seen.place_in_marker(comment, 1..2 + name.len() + last.len());
    let found = |remedy: String| Mistake::new(MistakeKind::Form, place, advised(problem, remedy));
    Some(match flag {
        "true" => {
            let mistake = found(format!("remove `:{last}`")).with_intended_name(name);
            mistake.replaced(format!("Change to `{name}`"), name.to_owned())
        }
        _ => found("remove the marker".to_owned()).removed(
            seen,
            comment.comment,
            format!("Remove `{name}:{last}`"),
            true,
        ),
    })
}

/// Checks for a known name with blanks in it.
fn blanks_in_name(seen: CheckedFile<'_>, comment: &MarkerComment, target: Target) -> Option<Mistake> {
    let text = seen.text(comment);
    let whole = written_name(text).trim_end().trim_end_matches(':');
    let name: String = whole.split_whitespace().collect();
    let is_of_words = name.contains(':');
    let rest = text.get(1 + whole.len()..).unwrap_or("");
    let is_known = |text: String| marker::lookup(&text, target, seen.version).is_some();
    if name == whole || !is_of_words || !is_known(format!("+{name}{rest}")) {
        return None;
    }
    let place = seen.place_in_marker(comment, 1..1 + whole.len());
    let problem = "controller-gen ignores this marker, because its name has a space".to_owned();
    let found = Mistake::new(MistakeKind::Form, place, advised(problem, format!("write `{name}`")));
    let found = found.with_intended_name(&name);
    Some(found.replaced(format!("Change to `{name}`"), name))
}

/// Checks for the first argument of a known marker at the start of `whole`, without `=` directly after it.
fn argument(seen: CheckedFile<'_>, comment: &MarkerComment, whole: &str, target: Target) -> Option<Mistake> {
    let is_argument = |name: &&str| {
        let Some((marker, argument)) = name.rsplit_once(':') else { return false };
        let known = marker::lookup(&format!("+{marker}"), target, seen.version);
        known.is_some_and(|known| match known.definition.shape {
            Shape::Arguments(all) => known.name() == marker && all.iter().any(|one| one.name == argument),
            _ => false,
        })
    };
    let ends = whole.match_indices([':', ' ', '\t']).map(|(end, _)| end);
    let name = ends.filter_map(|end| whole.get(..end)).find(is_argument)?;
    let rest = whole.get(name.len()..).filter(|rest| !rest.trim().is_empty())?;
    let new_mistake = |why: String, remedy: &str| {
        let problem = format!("controller-gen ignores this marker, because {why}");
        Mistake::new(
            MistakeKind::Form,
            seen.place_in_marker(comment, 1..1 + name.len()),
            advised(problem, remedy),
        )
    };
    let last = name.rsplit(':').next().unwrap_or(name);
    if rest.starts_with(':') {
        let found = new_mistake(format!("the value of `{last}` follows `:`"), "write `=` instead");
        return Some(with_equals(seen, comment, name, found));
    }
    let blanks = rest.len() - rest.trim_start().len();
    let edit = (seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + blanks), "=".to_owned());
    let found = new_mistake(format!("`=` is missing after `{last}`"), "write it there");
    Some(found.repaired(format!("Insert `=` after `{last}`"), vec![edit], true))
}

/// Adds the fix that writes `=` in place of the colon after `name`.
fn with_equals(seen: CheckedFile<'_>, comment: &MarkerComment, name: &str, found: Mistake) -> Mistake {
    let after = seen.text(comment).get(2 + name.len()..).unwrap_or("");
    let blanks = after.len() - after.trim_start().len();
    let colon = seen.place_in_marker(comment, 1 + name.len()..2 + name.len() + blanks);
    found.repaired(format!("Change `:` to `=` after `{name}`"), vec![(colon, "=".to_owned())], true)
}

/// The mistake for a known name at the start of `whole` that other text than `=` follows. A flag takes no value.
fn wrong_following_text(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (name, whole): (&str, &str),
    is_flag: bool,
) -> Mistake {
    let rest = whole.get(name.len()..).unwrap_or("");
    let ignored = |why: String| format!("controller-gen ignores this marker, because {why}");
    let new_mistake = |problem: String, remedy: &str| {
        let place = seen.place_in_marker(comment, 1..1 + name.len());
        Mistake::new(MistakeKind::Form, place, advised(problem, remedy))
    };
    let has_value = seen.text(comment).len() > 1 + whole.len();
    let removed = |len: usize| {
        vec![(seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + len), String::new())]
    };
    if whole.trim_end() == name {
        let problem = ignored("a space precedes `=`".to_owned());
        let title = format!("Change to `{name}`");
        let value = seen.text(comment).get(2 + whole.len()..).unwrap_or("");
        let blanks = value.len() - value.trim_start().len();
        let mut edits = removed(rest.len());
        if blanks > 0 {
            edits.push((
                seen.place_in_marker(comment, 2 + whole.len()..2 + whole.len() + blanks),
                String::new(),
            ));
        }
        return new_mistake(problem, "remove the space").repaired(title, edits, true);
    }
    if let Some((gap, second)) = second_marker(rest) {
        let problem = ignored(format!("another one follows `{name}` on its line"));
        let found = new_mistake(problem, "write each marker on a separate line");
        let Some(indent) = seen.indent_of(comment.comment) else { return found };
        let gap = seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + gap);
        let title = format!("Move `{}` to a separate line", beginning(second));
        return found.repaired(title, vec![(gap, format!("\n{indent}// +"))], true);
    }
    if has_value && let Some(mistake) = wrong_sign(seen, comment, (name, rest), is_flag) {
        return mistake;
    }
    if rest == ":" && !has_value && !is_flag {
        let takes = "no argument follows `:`";
        return new_mistake(ignored(takes.to_owned()), "add one, or remove `:`");
    }
    if rest.starts_with(':') && !has_value && !is_flag {
        let problem = ignored(format!("the value of `{name}` follows `:`"));
        return with_equals(seen, comment, name, new_mistake(problem, "write `=` instead"));
    }
    let shown = rest.trim();
    let quoted = if shown.contains('`') { format!("\"{shown}\"") } else { format!("`{shown}`") };
    let problem = ignored(format!("{quoted} follows `{name}`"));
    if !is_flag && !shown.is_empty() && rest.starts_with([' ', '(', '\t', '[', '{', '<']) {
        return with_value(seen, comment, (name, whole), problem);
    }
    let found = new_mistake(problem, if has_value { "write `=` there" } else { "end the line there" });
    // Without a letter, it is no text for readers.
    let is_mark = is_flag && !has_value && !shown.contains(char::is_alphanumeric);
    let is_prose = is_flag && !has_value && rest.starts_with([' ', '\t']);
    let is_value = is_prose && flag_of(shown) == Some("true");
    let is_list = is_flag && rest.starts_with(',') && seen.text(comment).trim_end().ends_with(rest);
    match seen.indent_of(comment.comment).filter(|_| is_prose) {
        _ if is_list && !is_mark => {
            found.repaired(format!("Remove `{rest}` after `{name}`"), removed(rest.len()), false)
        }
        _ if is_mark || is_value => {
            found.repaired(format!("Remove {quoted} after `{name}`"), removed(rest.len()), true)
        }
        Some(indent) => {
            let prose = shown.trim_start_matches(['-', '–', '—', ':', '#', '/', ' ']);
            let line = if prose.is_empty() { String::new() } else { format!("{prose}\n{indent}// ") };
            let edits = vec![(seen.place_in_marker(comment, 0..1 + whole.len()), format!("{line}+{name}"))];
            let moved = found.or_repaired(format!("Move the text before `{name}`"), edits);
            match shown.starts_with(['/', '#']) {
                true => moved.or_repaired(format!("Remove {quoted} after `{name}`"), removed(rest.len())),
                false => moved,
            }
        }
        None => found,
    }
}

/// The mistake for a known name with a second `+` before it, or with `::` in it.
fn repeated_sign(seen: CheckedFile<'_>, comment: &MarkerComment, target: Target) -> Option<Mistake> {
    let text = seen.text(comment);
    let whole = written_name(text).trim_end();
    let value = text.get(1 + whole.len()..).unwrap_or_default();
    let (sign, better) = match whole.strip_prefix('+') {
        Some(rest) => ("+", rest.trim_start_matches('+').to_owned()),
        None if whole.contains("::") => ("::", whole.replace("::", ":")),
        None => return None,
    };
    marker::lookup(&format!("+{better}{value}"), target, seen.version)?;
    let problem = match sign {
        "+" => format!("controller-gen ignores this marker, because another `+` precedes `{better}`"),
        _ => "controller-gen ignores this marker, because it has `::` in its name".to_owned(),
    };
    let place = seen.place_in_marker(comment, 1..1 + whole.len());
    let mistake = Mistake::new(MistakeKind::Form, place, advised(problem, format!("write `+{better}`")));
    let mistake = mistake.with_intended_name(&better);
    Some(mistake.replaced(format!("Change to `+{better}`"), better))
}

/// The mistake for another sign than `:` before the arguments of a marker, or beside `=` before its value.
fn wrong_sign(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (name, rest): (&str, &str),
    is_flag: bool,
) -> Option<Mistake> {
    let ignored = |why: String| format!("controller-gen ignores this marker, because {why}");
    let new_mistake = |problem: String, remedy: &str| {
        let place = seen.place_in_marker(comment, 1..1 + name.len());
        Mistake::new(MistakeKind::Form, place, advised(problem, remedy))
    };
    let removed = |len: usize| {
        vec![(seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + len), String::new())]
    };
    if let Some(argument) = wrong_separator(rest).filter(|argument| rest.trim() != *argument) {
        let mark = rest.get(..rest.len() - argument.len()).unwrap_or_default();
        let lookup = marker::lookup(&format!("+{name}:{argument}="), Target::Type, seen.version);
        let is_known = |known: marker::ResolvedMarker| match known.definition.shape {
            Shape::Arguments(arguments) => arguments.iter().any(|one| one.name == argument),
            _ => false,
        };
        if lookup.is_some_and(is_known) {
            let edit =
                (seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + mark.len()), ":".to_owned());
            let problem = ignored(format!("`{}` follows `{name}`", mark.trim()));
            let found = new_mistake(problem, "write `:` in its place");
            return Some(found.repaired(
                format!("Change `{}` to `:` after `{name}`", mark.trim()),
                vec![edit],
                true,
            ));
        }
    }
    if !is_flag && rest.chars().all(|ch| matches!(ch, '<' | '>' | '!' | '~' | '-' | '?' | ':' | ' ')) {
        let problem = ignored(format!("`{}` follows `{name}`", rest.trim()));
        let title = format!("Remove `{}` after `{name}`", rest.trim());
        return Some(new_mistake(problem, "write only `=` there").repaired(title, removed(rest.len()), true));
    }
    None
}

/// A second marker in the text after a name, without its `+`, and the length of the text before it.
fn second_marker(rest: &str) -> Option<(usize, &str)> {
    let marker = rest.trim_start_matches([' ', '\t', ',', ';', '/', '&']);
    let second = marker.strip_prefix('+').map(str::trim_start).or_else(|| {
        let is_apart = marker.len() < rest.len();
        Some(marker).filter(|marker| is_apart && marker.starts_with("kubebuilder:"))
    })?;
    Some((rest.len() - second.len(), second))
}

/// The name of an argument after a separator other than `:`.
fn wrong_separator(rest: &str) -> Option<&str> {
    let argument = rest.trim_start_matches([',', ';', '.', ' ', '\t', '-', '{', '(', '/', ':']);
    let is_name = !argument.is_empty() && argument.chars().all(|ch| ch.is_ascii_alphanumeric());
    // Another check reports brackets around all arguments.
    let is_open = rest.contains(['{', '(']);
    (is_name && !is_open && argument.len() < rest.len()).then_some(argument)
}

/// The text within a pair of brackets.
fn within_brackets(value: &str) -> Option<&str> {
    let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')].into_iter();
    // Braces with a comma are a list of values.
    let is_list = value.starts_with('{') && value.contains(',');
    let mut inner = pairs.filter_map(|(open, close)| value.strip_prefix(open)?.strip_suffix(close));
    inner.next().filter(|_| !is_list)
}

/// The mistake for a known name whose value follows a blank or is in brackets.
fn with_value(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (name, whole): (&str, &str),
    problem: String,
) -> Mistake {
    let text = seen.text(comment);
    let rest = text.get(1 + name.len()..).unwrap_or("");
    let value = rest.trim();
    let value = ["->", "=>", "is ", "="]
        .into_iter()
        .find_map(|mark| value.strip_prefix(mark))
        .unwrap_or(value)
        .trim();
    let value = within_brackets(value).unwrap_or(value);
    // `XValidation rule="…"`
    let mark = if whole.len() + 1 < text.len() { ':' } else { '=' };
    let words = advised(problem, format!("write `{mark}` there"));
    let mistake = Mistake::new(MistakeKind::Form, seen.place_in_marker(comment, 1..1 + name.len()), words);
    let edit = (
        seen.place_in_marker(comment, 1 + name.len()..1 + name.len() + rest.trim_end().len()),
        format!("{mark}{value}"),
    );
    // Prose may start with the name of a marker.
    let is_sure = name.contains(':') && !value.contains(' ');
    mistake.repaired(format!("Insert `{mark}` after `{name}`"), vec![edit], is_sure)
}
