//! Values with another meaning than they seem to have.

use std::collections::HashSet;
use std::ops::Range;

use super::brackets;
use super::mistake::{
    CheckedFile, Mistake, MistakeKind, MistakeText, advised, bare, flag_of, is_list, nearest,
};
use super::quoted_values::{self, is_bare};
use super::remarks::{before_comment, has_comment};
use super::swallowed_arguments::Swallowed;
use crate::load::Place;
use crate::marker::{ArgumentType, Data, Marker, Meaning, Value};
use crate::syntax::{ExprKind, MarkerComment, Read, Span};

/// Typographic quotes.
const TYPOGRAPHIC: [char; 7] = ['“', '”', '„', '‟', '‘', '’', '‚'];

pub(super) fn check(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    found: &mut Vec<Mistake>,
) {
    let text = seen.text(comment);
    let Some(Read { marker, refusals }) = comment.read.as_deref() else { return };
    if !refusals.is_empty() {
        super::refusals::check(seen, (comment, list), found);
        return;
    }
    repeated(seen, comment, marker, found);
    for (name, value) in &marker.arguments {
        let written = text.get(value.range.clone()).unwrap_or("");
        let place = seen.place_in_marker(comment, value.range.clone());
        if let Some(Swallowed { words, title, removed }) = Swallowed::of(text, name, value) {
            let mistake = Mistake::new(MistakeKind::Value, place, words);
            let edit = |range| vec![(seen.place_in_marker(comment, range), String::new())];
            found.push(match removed {
                Some(range) => mistake.repaired(title, edit(range), false),
                None => mistake,
            });
            continue;
        }
        if is_bare(written) {
            found.extend(check_bare_text(seen, comment, marker, (name, value)));
        }
        let Data::List(items) = &value.data else { continue };
        match marker.meaning() {
            Meaning::Enum => {
                enumeration(seen, comment, text, items, found);
                ends_with_separator(seen, comment, items, found);
                repeated_items(seen, comment, items, "the enum has the value", found);
            }
            Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf => {
                repeated_items(seen, comment, items, "the rule counts the field", found);
            }
            _ => {}
        }
    }
}

/// The mistake in a text without quotes around it, of which controller-gen reads another part than the author means.
fn check_bare_text(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    marker: &Marker,
    (name, value): (&str, &Value),
) -> Option<Mistake> {
    let Data::Text(read) = &value.data else { return None };
    let written = seen.text(comment).get(value.range.clone()).unwrap_or("");
    let place = seen.place_in_marker(comment, value.range.clone());
    let report = |words: MistakeText| Mistake::new(MistakeKind::Value, place, words);
    let replace = |words: MistakeText, better: String| {
        Some(report(words).replaced(format!("Change to `{better}`"), better))
    };
    let quoted = read.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
    if let Some(inner) = quoted.filter(|inner| has_single_quotes(marker.meaning(), name, inner)) {
        let words = advised(format!("`'` is part of the value {written}"), "use `\"` as quotes");
        return replace(words, crate::strings::quoted(inner));
    }
    if let Some((mark, inner)) = typographic(written) {
        let words = advised(format!("`{mark}` is part of the value"), "use `\"` as quotes");
        return replace(words, crate::strings::quoted(inner));
    }
    if let Some(read) = cut_short(written, read) {
        let problem = format!("a space before the end makes controller-gen read `{read}`");
        let words = advised(problem, "quote the value");
        return replace(words, crate::strings::quoted(written.trim_end()));
    }
    let is_rule = |better: &&str| marker.meaning() == Meaning::Validation && better.starts_with(['"', '`']);
    if let Some(better) =
        after_second_equals(written).filter(|better| is_plain(marker.meaning()) || is_rule(better))
    {
        let problem = format!("`=` is part of the value `{}`", written.trim_end());
        return replace(advised(problem, "remove one `=`"), better.trim_end().to_owned());
    }
    if is_plain(marker.meaning()) && has_comment(written) {
        let problem = format!("the comment is part of the value `{written}`");
        let words = advised(problem, "move it to a separate line");
        return replace(words, before_comment(written).to_owned());
    }
    if marker.meaning() != Meaning::Default {
        return None;
    }
    if let Some(inner) = bracketed_scalar(seen, comment, written) {
        let words = advised(format!("the default is the text \"{read}\""), format!("write `{inner}`"));
        return replace(words, inner.to_owned());
    }
    if is_of_list(seen, comment, written) {
        return Some(bracketed(seen, comment, value.range.clone(), ArgumentType::Any));
    }
    let problem = format!("the default is the text \"{read}\"");
    if matches!(&**read, "null" | "nil") {
        let mistake = report(advised(problem, "remove the marker, or quote the text"));
        let title = format!("Remove `{}`", marker.definition.name());
        return Some(mistake.removed(seen, comment.comment, title, false));
    }
    let near = |read: &str| match &*read.to_lowercase() {
        "enable" | "enabled" => Some("true"),
        "disable" | "disabled" => Some("false"),
        word => nearest(word, ["true", "false"], 1),
    };
    let flag = flag_of(read).or_else(|| near(read)).filter(|_| is_flag(seen, comment))?;
    replace(advised(problem, format!("write `{flag}`")), flag.to_owned())
}

/// Whether the default of a list is written in brackets.
fn is_of_list(seen: CheckedFile<'_>, comment: &MarkerComment, written: &str) -> bool {
    let expr = || seen.expr_below(comment.comment).filter(|expr| is_list(expr));
    brackets::unbracketed(written, ArgumentType::Any).is_some() && expr().is_some()
}

/// The number or boolean in brackets that is the default of a number or a boolean.
fn bracketed_scalar<'t>(seen: CheckedFile<'_>, comment: &MarkerComment, written: &'t str) -> Option<&'t str> {
    let pairs = [('(', ')'), ('[', ']'), ('<', '>')].into_iter();
    let mut inner = pairs.filter_map(|(open, close)| written.trim().strip_prefix(open)?.strip_suffix(close));
    let inner = inner.next()?.trim();
    let expr = seen.expr_below(comment.comment).map(bare)?;
    let ExprKind::Ident(name) = &expr.kind else { return None };
    let fits = match &**name {
        "bool" => matches!(inner, "true" | "false"),
        "int" | "int8" | "int16" | "int32" | "int64" => crate::strings::atoi(inner).is_ok(),
        _ => false,
    };
    fits.then_some(inner)
}

/// Whether a marker is on a boolean.
fn is_flag(seen: CheckedFile<'_>, comment: &MarkerComment) -> bool {
    let expr = seen.expr_below(comment.comment).map(bare);
    expr.is_some_and(|expr| matches!(&expr.kind, ExprKind::Ident(name) if &**name == "bool"))
}

/// Checks for arguments that occur again later in the marker. The last one applies.
fn repeated(seen: CheckedFile<'_>, comment: &MarkerComment, marker: &Marker, found: &mut Vec<Mistake>) {
    let text = seen.text(comment);
    let name_before = |value: &Value, name: &str| {
        let before = text.get(..value.range.start)?.trim_end().strip_suffix('=')?.trim_end();
        Some(before.strip_suffix(name)?.len()..before.len())
    };
    for (name, value) in &marker.repeated {
        let Some(winner) = marker.argument(name) else { continue };
        let (Some(lost), Some(last)) = (name_before(value, name), name_before(winner, name)) else {
            continue;
        };
        let words = advised(
            format!("`{name}` is given again in this marker, and the last one counts"),
            "remove one of the two",
        );
        let mistake =
            Mistake::new(MistakeKind::Overridden, seen.place_in_marker(comment, lost.clone()), words);
        let mistake =
            mistake.with_related(seen.place_in_marker(comment, last), "this one has the effect".to_owned());
        let mistake = if value.data == winner.data { mistake.hint() } else { mistake }; // A comma separates the next argument.
        let rest = text.get(value.range.end..).unwrap_or("");
        let after = rest.trim_start().strip_prefix(',').map(|next| next.trim_start().len());
        found.push(match after {
            Some(len) => mistake.repaired(
                format!("Remove this `{name}`, which has no effect"),
                vec![(seen.place_in_marker(comment, lost.start..text.len() - len), String::new())],
                false,
            ),
            None => mistake,
        });
    }
}

/// Whether `'` around a value is meant as quotes. A rule may start and end with string literals.
fn has_single_quotes(meaning: Meaning, argument: &str, inner: &str) -> bool {
    match meaning {
        Meaning::Validation => !matches!(argument, "rule" | "messageExpression") || !inner.contains('\''),
        _ => is_plain(meaning),
    }
}

/// Markers whose values are words.
const fn is_plain(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Default
            | Meaning::Format
            | Meaning::Type
            | Meaning::ListType
            | Meaning::ListMapKey
            | Meaning::MapType
            | Meaning::StructType
            | Meaning::GroupName
            | Meaning::VersionName
            | Meaning::Pattern
            | Meaning::Resource
            | Meaning::PrintColumn
            | Meaning::SelectableField
            | Meaning::Scale
            | Meaning::DeprecatedVersion
            | Meaning::ExternalDocs
    )
}

/// The typographic quotes around a value, and the text between them.
fn typographic(written: &str) -> Option<(char, &str)> {
    let written = written.trim();
    let mark = written.chars().next().filter(|mark| TYPOGRAPHIC.contains(mark))?;
    let inner = written.strip_prefix(mark)?.strip_suffix(TYPOGRAPHIC)?;
    Some((mark, inner))
}

/// The mistake for a list in brackets, which become part of the value.
fn bracketed(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    range: Range<usize>,
    kind: ArgumentType,
) -> Mistake {
    let written = seen.text(comment).get(range.clone()).unwrap_or("").trim();
    let range = range.start..range.start + written.len();
    let better = brackets::unbracketed(written, kind);
    let remedy = better.as_deref().map_or("remove them".to_owned(), |better| format!("write `{better}`"));
    let words = advised("the brackets are read as text, and do not make a list", remedy);
    let place = seen.place_in_marker(comment, range);
    let mistake = Mistake::new(MistakeKind::Value, place, words);
    match better {
        // Existing resources may have the current values.
        Some(better) => mistake.repaired(format!("Change to `{better}`"), vec![(place, better)], false),
        None => mistake,
    }
}

/// The mistake for a `\` as the last value of an enum, as if the marker continued on the next line.
fn continued(seen: CheckedFile<'_>, comment: &MarkerComment, place: Place) -> Mistake {
    let words = advised("`\\` is a value of the enum, because a marker ends with its line", "remove it");
    let mistake = Mistake::new(MistakeKind::Value, place, words);
    let text = seen.text(comment);
    let start = (place.span.start - comment.span.start) as usize;
    let before = text.get(..start).unwrap_or("").trim_end().trim_end_matches(';').len();
    if let Some((end, more)) = more_values(seen, comment) {
        let rest = Span { start: comment.span.start + before as u32, end };
        let edits = vec![(seen.place(rest), format!(";{more}"))];
        return mistake.repaired("Merge the lines".to_owned(), edits, false);
    }
    let edit = (seen.place_in_marker(comment, before..text.trim_end().len()), String::new());
    mistake.repaired("Remove `\\`".to_owned(), vec![edit], false)
}

/// The value that is read if a blank before `,` or `;` drops the last word.
fn cut_short<'r>(written: &str, read: &'r str) -> Option<&'r str> {
    let written = written.trim();
    (read.trim_end() != written && read.len() < written.len() && written.starts_with(read.trim_end()))
        .then(|| read.trim_end())
}

/// The mistake for brackets, quotes or a sign around all values of an enum.
fn of_whole_list(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    text: &str,
    items: &[Value],
) -> Option<Mistake> {
    if let Some(range) = brackets::bracketed_items(text, items) {
        return Some(bracketed(seen, comment, range, ArgumentType::Anys));
    }
    second_equals(seen, comment, text, items)
        .or_else(|| quoted_values::single_quoted(seen, comment, text, items))
}

/// Checks single values of an enum.
fn enumeration(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    text: &str,
    items: &[Value],
    found: &mut Vec<Mistake>,
) {
    if let Some(mistake) = of_whole_list(seen, comment, text, items) {
        found.push(mistake);
        return;
    }
    for item in items {
        let written = text.get(item.range.clone()).unwrap_or("");
        let place = seen.place_in_marker(comment, item.range.clone());
        let Data::Text(read) = &item.data else { continue };
        let new_mistake = |words: MistakeText| Mistake::new(MistakeKind::Value, place, words);
        let quoted = crate::strings::quoted;
        if is_bare(written) && &**read == "\\" {
            found.push(continued(seen, comment, place));
        } else if let Some((mark, inner)) = typographic(written) {
            let better = quoted(inner);
            let words = advised(format!("`{mark}` is part of the value"), "use `\"` as quotes");
            found.push(new_mistake(words).replaced(format!("Change to `{better}`"), better));
        } else if is_bare(written) && read.len() > 1 && read.starts_with('\'') && read.ends_with('\'') {
            let better = quoted(read.get(1..read.len() - 1).unwrap_or(""));
            let words = advised(format!("`'` is part of the value {written}"), "use `\"` as quotes");
            found.push(new_mistake(words).replaced(format!("Change to `{better}`"), better));
        } else if is_bare(written) && read.is_empty() {
            let mistake =
                new_mistake(advised("the value is empty, as a space precedes `;`", "remove the space"));
            let blanks = text.get(item.range.start..).map_or(0, |rest| rest.len() - rest.trim_start().len());
            let place = seen.place_in_marker(comment, item.range.start..item.range.start + blanks);
            found.push(match blanks {
                0 => mistake,
                _ => mistake.repaired(
                    "Remove the space before `;`".to_owned(),
                    vec![(place, String::new())],
                    false,
                ),
            });
        } else if is_bare(written) && read.starts_with(';') {
            let better = read.trim_start_matches(';');
            let words = advised(format!("`;` is part of the value {}", quoted(read)), "remove one `;`");
            let mistake = new_mistake(words);
            found.push(match better.is_empty() {
                true => mistake,
                false => mistake.repaired(
                    format!("Change `{written}` to `{better}`"),
                    vec![(place, better.to_owned())],
                    false,
                ),
            });
        } else if is_bare(written) && has_comment(written) {
            let better = before_comment(written).to_owned();
            let words = advised(
                format!("the comment is part of the value {}", quoted(read)),
                "move it to a separate line",
            );
            found.push(new_mistake(words).replaced(format!("Change to `{better}`"), better));
        } else if let Some(separator) = separator(read, is_bare(written)).filter(|_| items.len() == 1) {
            let is_value = |word: &&str| {
                !word.is_empty()
                    && (separator != ' ' || !matches!(*word, "or" | "and" | "OR" | "|" | "-" | "/"))
            };
            let words = read.split(separator).map(str::trim).filter(is_value);
            let words: Vec<String> = words
                .map(
                    |word| {
                        if is_bare(written) && is_safe_word(word) { word.to_owned() } else { quoted(word) }
                    },
                )
                .collect();
            let better = words.join(";");
            let words =
                advised(format!("the enum has the one value {}", quoted(read)), format!("write `{better}`"));
            let mistake = new_mistake(words); // The user may mean a value in quotes.
            found.push(mistake.repaired(
                format!("Change to `{better}`"),
                vec![(place, better)],
                is_bare(written) && separator != ' ',
            ));
        }
    }
}

/// Checks for items that occur before. `what` is the start of the message.
fn repeated_items(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    items: &[Value],
    what: &str,
    found: &mut Vec<Mistake>,
) {
    let mut before = HashSet::new();
    for item in items {
        let written = seen.text(comment).get(item.range.clone()).unwrap_or("").trim(); // A text may be quoted in one place and bare in another. Other values are compared as written.
        let value = match &item.data {
            Data::Text(text) => (true, &**text),
            _ => (false, written),
        }; // Another check reports an empty value without quotes.
        let is_lost = matches!(value, (true, "")) && is_bare(written);
        if !is_lost && !before.insert(value) {
            let place = seen.place_in_marker(comment, item.range.clone());
            let words = advised(format!("{what} `{written}` twice"), "remove one");
            let mistake = Mistake::new(MistakeKind::Value, place, words); // Includes the separator before it.
            let text = seen.text(comment).get(..item.range.start).unwrap_or("");
            let separator = text.trim_end().strip_suffix([';', ',']).map(str::len);
            found.push(match separator {
                Some(start) => {
                    let whole = seen.place_in_marker(comment, start..item.range.start + written.len());
                    mistake.repaired(
                        format!("Remove the second `{written}`"),
                        vec![(whole, String::new())],
                        true,
                    )
                }
                None => mistake,
            });
        }
    }
}

/// Checks for a `;` after the last value, which adds no value.
fn ends_with_separator(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    items: &[Value],
    found: &mut Vec<Mistake>,
) {
    let Some(last) = items.last() else { return };
    let rest = seen.text(comment).get(last.range.end..).unwrap_or("");
    let start = last.range.end + rest.len() - rest.trim_start().len();
    if rest.trim() != ";" {
        return;
    }
    let place = seen.place_in_marker(comment, start..start + 1);
    if let Some((end, more)) = more_values(seen, comment) {
        let words = advised(
            "the marker ends with its line, but its values go on in the next one",
            "write them on one line",
        );
        let mistake = Mistake::new(MistakeKind::Value, place, words);
        let edits = vec![(seen.place(Span { start: comment.span.start + start as u32 + 1, end }), more)];
        found.push(mistake.repaired("Merge the lines".to_owned(), edits, false));
        return;
    }
    let words = advised("the `;` behind the last value adds no value to the enum", "remove it");
    let mistake = Mistake::new(MistakeKind::Value, place, words).hint();
    found.push(mistake.repaired("Remove the last `;`".to_owned(), vec![(place, String::new())], true));
}

/// The values in the next comment, if they continue the enum, and the end of that comment.
fn more_values(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<(u32, String)> {
    let below = seen.file.text.get(comment.comment.end as usize..)?;
    let next = below.split_inclusive('\n').nth(1)?;
    let comment_below = next.trim().strip_prefix("//")?.trim();
    // Some authors write `+` before each line of a marker.
    let values = comment_below.strip_prefix('+').unwrap_or(comment_below);
    let is_word = |word: &str| {
        let word = word.trim();
        !word.is_empty() && (!word.contains(' ') || word.starts_with('"') && word.ends_with('"'))
    };
    let is_list = values.trim_end_matches(';').split(';').all(is_word);
    let first = below.split_inclusive('\n').next().map_or(0, str::len);
    let end = comment.comment.end + (first + next.trim_end().len()) as u32; // A single word may start prose.
    let is_more = values.contains(';') || values.starts_with('"');
    (is_list && is_more && !values.starts_with('+') && !values.contains([':', '=']))
        .then(|| (end, values.to_owned()))
}

/// The mistake for an enum whose first value begins with a second `=`.
fn second_equals(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    text: &str,
    items: &[Value],
) -> Option<Mistake> {
    let (first, others) = items.split_first()?;
    let Data::Text(read) = &first.data else { return None };
    let written = text.get(first.range.clone())?;
    let better = after_second_equals(written)?;
    if !others.iter().all(|other| is_without_equals(text, other)) {
        return None;
    }
    let problem = format!("`=` is part of the value {}", crate::strings::quoted(read));
    let place = seen.place_in_marker(comment, first.range.clone());
    let mistake = Mistake::new(MistakeKind::Value, place, advised(problem, "remove it"));
    let equals = seen.place_in_marker(comment, first.range.start..first.range.start + 1);
    let edits = vec![(equals, String::new())];
    Some(mistake.repaired(format!("Change `{written}` to `{better}`"), edits, false))
}

/// The value after a second `=`, if it begins as a word does or in quotes. An enum of operators may contain `==`.
fn after_second_equals(written: &str) -> Option<&str> {
    let value = written.strip_prefix('=')?;
    value.starts_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '"' | '`')).then_some(value)
}

/// Whether a value does not begin as an operator does.
fn is_without_equals(text: &str, value: &Value) -> bool {
    !text.get(value.range.clone()).unwrap_or("").starts_with(['=', '!', '<', '>', '~'])
}

/// Whether controller-gen reads a word without quotes as this text.
fn is_safe_word(word: &str) -> bool {
    word.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && word.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_'))
        && !matches!(word, "true" | "false")
}

/// The separator between the words of a value that looks like several values. Blanks count only outside quotes.
fn separator(read: &str, is_bare: bool) -> Option<char> {
    let is_word = |word: &str| !word.trim().is_empty() && !word.trim().contains(' ');
    let found = [';', ',', '|'].into_iter().find(|separator| {
        let mut words = read.split(*separator);
        // A text with `|` is rarely prose.
        let is_part = |word: &str| is_word(word) || *separator == '|' && !word.trim().is_empty();
        read.contains(*separator) && words.all(is_part)
    });
    let is_slashed = || {
        let parts: Vec<&str> = read.split('/').collect();
        // A type of media has one `/`.
        let is_part =
            |part: &&str| part.starts_with(|ch: char| ch.is_ascii_alphabetic()) && is_safe_word(part);
        let is_capital = |part: &&str| part.starts_with(|ch: char| ch.is_ascii_uppercase());
        parts.iter().all(is_part) && (parts.len() > 2 || parts.len() == 2 && parts.iter().all(is_capital))
    };
    let found = found.or_else(|| (is_bare && is_slashed()).then_some('/'));
    let are_words = || is_bare && read.trim().contains(' ') && read.split_whitespace().all(is_word);
    found.or_else(|| are_words().then_some(' '))
}
