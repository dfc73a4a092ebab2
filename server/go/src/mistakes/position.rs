//! Markers at places where nothing reads them, and comments that lack the `+` of a marker.

use std::collections::HashSet;

use super::above::{above_field, above_type};
use super::mistake::{CheckedFile, GROUP, Mistake, MistakeKind, MistakeText, advised, written_name};
use super::similar_names;
use crate::marker::{self, Target};
use crate::syntax::{
    DeclarationKind, ExprKind, FileMarkers, Group, MarkerComment, Span, TypeDeclaration, marker_text,
    with_kinds,
};

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    has_group: bool,
    found: &mut Vec<Mistake>,
) {
    let declared =
        associated.types.markers_within(seen.scope).chain(associated.fields.markers_within(seen.scope));
    let lists = declared.map(|(_, list)| list).chain([associated.package.as_slice()]);
    let read: HashSet<u32> = lists.flatten().map(|comment| comment.comment.start).collect();
    in_bodies(seen, found);
    let first = seen.file.groups.partition_point(|group| group.span.start < seen.scope.start);
    let groups = seen.file.groups.get(first..).unwrap_or_default().iter();
    for group in groups.take_while(|group| seen.includes(group.span.start)) {
        let is_code = has_code(seen, group);
        let mut of_group = Vec::new();
        for number in group.comments.clone() {
            let Some(span) = seen.file.comments.get(number).copied() else { continue };
            let comment = seen.file.comment(number);
            if comment.starts_with("/*") {
                found.extend(in_block(seen, comment, span));
                continue;
            }
            match marker_text(comment) {
                Some(_) if read.contains(&span.start) || is_code => {}
                Some((text, at)) => {
                    of_group.extend(unread(seen, (text, span), at, (group.trailing, has_group)));
                }
                None if is_code => {}
                None => found
                    .extend(without_plus(seen, comment, span).or_else(|| after_text(seen, comment, span))),
            }
        }
        found.extend(merged_moves(of_group));
    }
}

/// The mistakes in a group of comments, as one if a fix moves all its markers to the same place: one blank line detaches them.
fn merged_moves(mistakes: Vec<Mistake>) -> Vec<Mistake> {
    let target = |mistake: &Mistake| match mistake.repairs.as_slice() {
        [repair] => match repair.edits.as_slice() {
            [_, (place, _)] => Some(*place),
            _ => None,
        },
        _ => None,
    };
    let common = mistakes.first().and_then(target);
    if mistakes.len() < 2 || common.is_none() || mistakes.iter().any(|mistake| target(mistake) != common) {
        return mistakes;
    }
    let others = match mistakes.len() - 1 {
        1 => "and one more marker".to_owned(),
        others => format!("and {others} more markers"),
    };
    let (mut edits, mut moved) = (Vec::new(), String::new());
    for repair in mistakes.iter().flat_map(|mistake| &mistake.repairs) {
        edits.extend(repair.edits.first().cloned());
        moved.extend(repair.edits.last().map(|(_, text)| text.as_str()));
    }
    edits.extend(common.map(|place| (place, moved)));
    let mut all = mistakes.into_iter();
    let first = all.next().into_iter().map(|mistake| {
        let title = mistake.repairs.first().map_or("", |repair| repair.title.as_str());
        let title = title.replacen("` above ", &format!("` {others} above "), 1);
        let problem = mistake.problem.replacen("` belongs to", &format!("` {others} belong to"), 1);
        let problem = problem.replace("controller-gen ignores it", "controller-gen ignores them");
        let remedy = mistake.remedy.as_ref().map(|remedy| remedy.replace("move it", "move them"));
        Mistake { problem, remedy, ..mistake.clone() }.repaired(title, edits.clone(), false)
    });
    first.collect()
}

/// Whether a comment is within a commented-out type or field, to which its markers belong.
pub(super) fn is_commented_out(seen: CheckedFile<'_>, comment: Span) -> bool {
    let next = seen.file.groups.partition_point(|group| group.span.start <= comment.start);
    let group = next.checked_sub(1).and_then(|last| seen.file.groups.get(last));
    group.is_some_and(|group| has_code(seen, group))
}

fn has_code(seen: CheckedFile<'_>, group: &Group) -> bool {
    let is_code = |comment: &str| {
        let mut words = comment.trim_start_matches('/').split_whitespace();
        let is_type = words.next() == Some("type")
            && words.next().is_some_and(|name| name.starts_with(char::is_uppercase))
            && words.next().is_some()
            && words.next().is_none_or(|word| word == "{");
        is_type || comment.contains("json:\"")
    };
    group.comments.clone().any(|number| is_code(seen.file.comment(number)))
}

/// Checks for markers in functions and in the values of variables.
fn in_bodies(seen: CheckedFile<'_>, found: &mut Vec<Mistake>) {
    for span in seen.file.unread.iter().filter(|span| seen.includes(span.start)) {
        let comment = seen.file.slice(*span);
        let Some((text, at)) = marker_text(comment) else { continue };
        let name = written_name(text);
        if !name.contains(':') || !is_known(seen, text) {
            continue;
        }
        let words = advised(
            format!("controller-gen ignores `{name}` in functions and in values of variables"),
            "move it directly above a type or field of the package",
        );
        found.push(Mistake::new(MistakeKind::Position, part(seen, *span, at + 1, name.len()), words));
    }
}

const TARGETS: [Target; 3] = [Target::Field, Target::Type, Target::Package];

fn is_known(seen: CheckedFile<'_>, text: &str) -> bool {
    TARGETS.into_iter().any(|target| marker::lookup(text, target, seen.version).is_some())
}

/// The place of a part of a comment.
const fn part(seen: CheckedFile<'_>, comment: Span, at: usize, len: usize) -> crate::load::Place {
    let start = comment.start + at as u32;
    seen.place(Span { start, end: start + len as u32 })
}

/// Checks for a marker without a target.
fn unread(
    seen: CheckedFile<'_>,
    (text, comment): (&str, Span),
    at: usize,
    (trailing, has_group): (bool, bool),
) -> Option<Mistake> {
    if !is_known(seen, text) {
        return None;
    }
    let name = written_name(text);
    let place = part(seen, comment, at + 1, name.len());
    let new_mistake = |words: MistakeText| Some(Mistake::new(MistakeKind::Position, place, words));
    if trailing {
        let found = new_mistake(advised(
            format!("controller-gen ignores `{name}` after a field"),
            "move the marker above the field",
        ))?;
        return Some(match moved_up(seen, text, comment) {
            Some(edits) => found.repaired(format!("Move `{name}` above the field"), edits, true),
            None => found,
        });
    }
    let declaration = {
        let next = seen.file.declarations.partition_point(|one| one.span.end <= comment.start);
        seen.file.declarations.get(next)
    };
    match declaration.map(|declaration| (declaration, &declaration.kind)) {
        Some((declaration, DeclarationKind::Type(types, _))) if comment.start > declaration.span.start => {
            let found = new_mistake(advised(
                format!("`{name}` belongs to no field or type here, so controller-gen ignores it"),
                "move it directly above one",
            ))?;
            Some(to_field(seen, (text, comment), types, found))
        }
        Some((_, DeclarationKind::Type(types, true))) => {
            let found = new_mistake(advised(
                format!("controller-gen ignores `{name}` above `type (`"),
                "move it directly above its type",
            ))?;
            let only = match types.as_slice() {
                [only] => above_type(seen, (text, comment), only).map(|edits| (&only.name.name, edits)),
                _ => None,
            };
            Some(match only {
                Some((of, edits)) => found.repaired(format!("Move `{name}` above {of}"), edits, true),
                None => found,
            })
        }
        Some((declaration, DeclarationKind::Type(_, false))) if comment.end <= declaration.span.start => None,
        // At these places, other tools may read these names.
        _ if !name.contains(':') && name != GROUP && name != "versionName" => None,
        _ => {
            let is_of = |target| marker::lookup(text, target, seen.version).is_some();
            let problem = format!("`{name}` belongs to nothing here, so controller-gen ignores it");
            let remedy = match (is_of(Target::Package), is_of(Target::Type), is_of(Target::Field)) {
                (true, false, false) => {
                    let mistake = new_mistake(advised(problem, ABOVE_PACKAGE))?;
                    return Some(above_package(seen, (text, comment), has_group, mistake));
                }
                (_, true, false) => "move it above a type",
                _ => "move it above a field or a type",
            };
            let mistake = new_mistake(advised(problem, remedy))?;
            Some(to_type_of_constants(seen, (text, comment), mistake))
        }
    }
}

/// Adds the edits that move a marker above constants to their type.
fn to_type_of_constants(seen: CheckedFile<'_>, (text, comment): (&str, Span), found: Mistake) -> Mistake {
    let next = seen.file.declarations.partition_point(|one| one.span.end <= comment.start);
    let kind = seen.file.declarations.get(next).and_then(|declaration| match &declaration.kind {
        DeclarationKind::Const(constants) => Some(with_kinds(constants).next()?.0),
        _ => None,
    });
    let mut types = seen.file.types().map(|(_, declared)| declared);
    let declared = kind.and_then(|kind| types.find(|declared| *declared.name.name == *kind));
    let is_of_type = marker::lookup(text, Target::Type, seen.version).is_some();
    let edits = declared.filter(|_| is_of_type).and_then(|one| above_type(seen, (text, comment), one));
    match (declared, edits) {
        (Some(declared), Some(edits)) => {
            let title = format!("Move `{}` above {}", written_name(text), declared.name.name);
            found.repaired(title, edits, false)
        }
        _ => found,
    }
}

/// The mistake for a marker of a type on the line of its brace, which belongs to the first field.
pub(super) fn behind_brace(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<Mistake> {
    let span = comment.comment;
    let before = seen.file.text.get(..span.start as usize)?;
    let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
    if !line.trim_end().ends_with('{') || !line.trim_start().starts_with("type ") {
        return None;
    }
    let text = seen.text(comment);
    let is_of_object = written_name(text).starts_with("kubebuilder:object:");
    if marker::lookup(text, Target::Type, seen.version).is_none() && !is_of_object {
        return None;
    }
    let declared = seen.file.types().map(|(_, declared)| declared);
    let declared = declared.into_iter().find(|declared| declared.expr.span.contains(span))?;
    let name = written_name(text);
    let words = advised(
        format!("`{name}` behind `{{` belongs to the first field, not to {}", declared.name.name),
        "move it above the type",
    );
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let mistake = Mistake::new(MistakeKind::Position, place, words);
    Some(match above_type(seen, (text, span), declared) {
        Some(edits) => mistake.repaired(format!("Move `{name}` above {}", declared.name.name), edits, true),
        None => mistake,
    })
}

/// Adds the edits that move a marker within a struct above the next field, or above the last one.
fn to_field(
    seen: CheckedFile<'_>,
    (text, comment): (&str, Span),
    types: &[TypeDeclaration],
    found: Mistake,
) -> Mistake {
    let declared = types.iter().find(|declared| declared.expr.span.contains(comment));
    let Some(ExprKind::Struct(fields)) = declared.map(|declared| &declared.expr.kind) else { return found };
    let below = fields.iter().find(|field| field.spec.span.start > comment.start);
    // A marker directly below the last field was meant for it.
    let below = below.or_else(|| {
        let last = fields.last().filter(|field| field.spec.span.end <= comment.start)?;
        let between = seen.file.text.get(last.spec.span.end as usize..comment.start as usize)?;
        (between.trim().is_empty() && between.matches('\n').count() == 1).then_some(last)
    });
    let is_of_field = marker::lookup(text, Target::Field, seen.version).is_some();
    let named = below.filter(|_| is_of_field).and_then(|field| Some((field, field.names.first()?)));
    let edits = named.and_then(|(field, name)| Some((name, above_field(seen, (text, comment), field)?)));
    match edits {
        Some((field, edits)) => {
            found.repaired(format!("Move `{}` above {}", written_name(text), field.name), edits, false)
        }
        None => found,
    }
}

/// The remedy for a marker of the package.
pub(super) const ABOVE_PACKAGE: &str = "move it above the `package` clause";

/// Adds the edits that move a marker of the package above its clause, unless the package names its group there.
pub(super) fn above_package(
    seen: CheckedFile<'_>,
    (text, comment): (&str, Span),
    has_group: bool,
    mistake: Mistake,
) -> Mistake {
    let name = written_name(text);
    if has_group && name == GROUP {
        return mistake;
    }
    let start = seen.file.package_start;
    let edits = vec![
        (seen.line_of(comment), String::new()),
        (seen.place(Span { start, end: start }), format!("// {}\n", text.trim_end())),
    ];
    mistake.repaired(format!("Move `{name}` above `package`"), edits, true)
}

/// The edits that move a marker after a field to a separate line above the field.
fn moved_up(seen: CheckedFile<'_>, text: &str, comment: Span) -> Option<Vec<(crate::load::Place, String)>> {
    let before = seen.file.text.get(..comment.start as usize)?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(start..)?;
    let indent = line.len() - line.trim_start().len();
    let at = start as u32 + indent as u32;
    let blanks = line.len() - line.trim_end().len();
    let above = format!("// {}\n{}", text.trim_end(), line.get(..indent)?);
    // A carriage return at the end of the line stays.
    let len = seen.file.slice(comment).trim_end_matches('\r').len();
    let after = Span { start: comment.start - blanks as u32, end: comment.start + len as u32 };
    Some(vec![(seen.place(Span { start: at, end: at }), above), (seen.place(after), String::new())])
}

/// Checks for known markers in a comment between `/*` and `*/`.
fn in_block(seen: CheckedFile<'_>, comment: &str, span: Span) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let trimmed = line.trim_start_matches([' ', '\t', '/', '*']);
        let text = trimmed.trim_end_matches(['*', '/', ' ', '\t', '\r', '\n']);
        // The comment contains nothing but the marker.
        let is_all = comment.trim_start_matches(['/', '*']).trim_end_matches(['/', '*']).trim() == text;
        if (text.starts_with("+kubebuilder:") || is_all && text.starts_with('+')) && is_known(seen, text) {
            let name = written_name(text);
            let place = part(seen, span, at + (line.len() - trimmed.len()) + 1, name.len());
            let words = advised(
                format!("controller-gen ignores `{name}` between `/*` and `*/`"),
                "write it after `//`",
            );
            let mistake = Mistake::new(MistakeKind::Position, place, words);
            let line = || seen.indent_of(span).filter(|_| is_all);
            found.push(match line() {
                Some(_) => {
                    let edit = (seen.place(span), format!("// {text}"));
                    mistake.repaired(format!("Write `{name}` after `//`"), vec![edit], false)
                }
                None => mistake,
            });
        }
        at += line.len();
    }
    found
}

/// Checks for a comment that would be a marker if it started with `+`.
fn without_plus(seen: CheckedFile<'_>, comment: &str, span: Span) -> Option<Mistake> {
    let text = comment.trim_start_matches('/').trim();
    let name = text.trim_start_matches(['@', '#', '-', '+', '*', '!', ' ']);
    // A word of prose does not begin with `@`.
    let is_word = text.starts_with('@') && !name.contains(char::is_whitespace);
    if is_word
        && !is_known(seen, &format!("+{name}"))
        && let Some(mistake) = as_annotation(seen, (comment, span), name)
    {
        return Some(mistake);
    }
    if !is_word && name.strip_prefix("kubebuilder:").is_none_or(str::is_empty) {
        return None;
    }
    // Prose may name a marker. In a marker, only its value may follow the name.
    let whole = written_name(name).trim_end_matches(':');
    let is_prose = whole.chars().any(char::is_whitespace);
    let marker = format!("+{name}");
    if is_prose || !is_known(seen, &marker) {
        return None;
    }
    let at = comment.find(name)?;
    let place = part(seen, span, at, whole.len());
    // A third `/`, a `-` or a `#` disables a marker. A `-` also starts an item of a list in prose.
    let is_out =
        comment.starts_with("///") || comment.get(..at).is_some_and(|head| head.contains(['-', '#', '!']));
    let words = advised(
        format!("controller-gen ignores `{whole}` without `+` directly after `//`"),
        format!("write `// +{whole}`"),
    );
    let found = Mistake::new(MistakeKind::Form, place, words);
    let head = seen.place(Span { start: span.start, end: span.start + at as u32 });
    let found = found.repaired(format!("Change to `// +{whole}`"), vec![(head, "// +".to_owned())], !is_out);
    Some(if is_out { found.hint() } else { found })
}

/// The mistake for a validation in the form of an annotation of another language: `@Minimum(1)` and `@Pattern="^a"`.
fn as_annotation(seen: CheckedFile<'_>, (comment, span): (&str, Span), name: &str) -> Option<Mistake> {
    let (word, rest) = name.split_at_checked(name.find(['(', '='])?)?;
    let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix('(')?.strip_suffix(')'))?.trim();
    let names = [word.to_owned(), format!("kubebuilder:validation:{word}")].into_iter();
    let others =
        similar_names::by_other_word(&format!("kubebuilder:validation:{word}"), Target::Field, seen.version);
    let mut intended = names.chain(others).filter(|name| name.contains(':'));
    let intended = intended.find(|name| is_known(seen, &format!("+{name}={value}")))?;
    let at = comment.find('@')?;
    let end = comment.trim_end().len();
    // Annotations without a prefix occur in comments on code of other languages.
    let has_value = !value.is_empty() && !value.contains("://");
    has_value.then_some(())?;
    let words = advised(
        format!("controller-gen ignores `@{word}`, which is not a marker"),
        format!("write `+{intended}=…`"),
    );
    let mistake = Mistake::new(MistakeKind::Form, part(seen, span, at, 1 + word.len()), words);
    let edits = vec![(part(seen, span, at, end - at), format!("+{intended}={value}"))];
    Some(mistake.repaired(format!("Change to `+{intended}`"), edits, false))
}

/// The blank before the last word of a comment, if the word begins with `+`.
fn last_word_with_plus(comment: &str) -> Option<usize> {
    let at = comment.trim_end().rfind(' ')?;
    let word = comment.get(at + 1..)?.strip_prefix('+')?;
    word.starts_with(|ch: char| ch.is_ascii_lowercase()).then_some(at)
}

/// Checks for a marker after a sentence on the same line. Within a sentence, prose may mention a marker.
fn after_text(seen: CheckedFile<'_>, comment: &str, span: Span) -> Option<Mistake> {
    let at = comment.find(" +kubebuilder:").or_else(|| last_word_with_plus(comment))? + 1;
    let (before, marker) = comment.split_at_checked(at)?;
    let marker = marker.trim_end();
    let text = before.trim_end();
    let value = marker.get(written_name(marker).len() + 1..).unwrap_or("").trim_start_matches('=');
    let is_quoted = value.starts_with(['"', '`', '{']);
    let is_prose =
        marker.contains(char::is_whitespace) && !is_quoted || !text.ends_with(['.', ';', ')', ',', '!']);
    if !comment.starts_with("//") || is_prose || !is_known(seen, marker) {
        return None;
    }
    let name = written_name(marker);
    let words = advised(
        format!("controller-gen ignores `{name}`, because text precedes it on its line"),
        "write the marker on a separate line",
    );
    let mistake = Mistake::new(MistakeKind::Position, part(seen, span, at + 1, name.len()), words);
    // Names of one word occur in prose, and other tools read them.
    let mistake = if name.contains(':') { mistake } else { mistake.hint() };
    let Some(indent) = seen.indent_of(span) else { return Some(mistake) };
    let blanks = part(seen, span, text.len(), at - text.len());
    Some(mistake.repaired(
        format!("Move `{name}` to its own line"),
        vec![(blanks, format!("\n{indent}// "))],
        false,
    ))
}
