//! The marker at a place of a Go file, even while it is being typed.

use std::ops::Range;

use go::marker::{Argument, Quote, QuotedValue, ResolvedMarker, Shape, Target, all, lookup};
use go::version::Version;
use text::TextSize;

/// A marker, from its `+` to the end of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    /// The text of the marker.
    pub(super) text: &'t str,
    /// The offset of its `+` in the file.
    pub(super) start: usize,
    /// The bytes of the marker before the place.
    pub(super) at: usize,
    /// The kind of declaration that it applies to.
    pub(super) target: Target,
    /// Whether that declaration is not written yet.
    pub(super) is_above_nothing: bool,
}

/// The part of a marker at a place.
#[derive(Clone, Debug)]
pub(super) enum MarkerPart {
    /// The name: its bytes in the marker, after the `+`.
    Name(Range<usize>),
    /// The name of an argument.
    Argument(ResolvedMarker, Range<usize>),
    /// The value of an argument; the name is empty for the value after `=`.
    Value(ResolvedMarker, &'static str, Range<usize>),
}

impl<'t> Cursor<'t> {
    /// The marker at byte `offset` of a file.
    pub(super) fn at(file: &'t str, offset: TextSize) -> Option<Self> {
        let offset = offset as usize;
        let start = file.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
        let end = file.get(offset..)?.find('\n').map_or(file.len(), |at| offset + at);
        let line = file.get(start..end)?.trim_end_matches('\r');
        let plus = marker_in(line)?;
        let marker = line.get(plus..)?.trim_end();
        let at = offset.checked_sub(start + plus)?;
        // Text after a blank at the end belongs to the marker while it is being typed.
        let text = if at > marker.len() { line.get(plus..plus + at.min(line.len() - plus))? } else { marker };
        let (target, is_above_nothing) = target_between(file.get(..start)?, file.get(end..)?);
        Some(Self { text, start: start + plus, at: at.min(text.len()), target, is_above_nothing })
    }

    /// The markers of the file on the lines in `range`, in bytes of the file.
    pub(super) fn all_in(file: &'t str, range: Range<usize>) -> Vec<Self> {
        let mut found = Vec::new();
        let mut start = file.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let from = start;
        for line in file.get(from..).unwrap_or("").split_inclusive('\n') {
            if start > range.end {
                break;
            }
            if let Some(plus) = marker_in(line) {
                let text = line.get(plus..).unwrap_or("").trim_end();
                let before = file.get(..start).unwrap_or("");
                let rest = file.get(start + line.len()..).unwrap_or("");
                let (target, is_above_nothing) = target_between(before, rest);
                found.push(Self { text, start: start + plus, at: 0, target, is_above_nothing });
            }
            start += line.len();
        }
        found
    }

    /// The known marker of this name.
    pub(super) fn resolve_marker(&self, version: Version) -> Option<ResolvedMarker> {
        lookup(self.text, self.target, version)
    }

    /// The part of the marker at the place.
    pub(super) fn part(&self, version: Version) -> Option<MarkerPart> {
        let Some(known) = self.resolve_marker(version) else {
            return self.unknown(version);
        };
        let name = known.name();
        let end = 1 + name.len();
        if self.at <= end {
            return Some(MarkerPart::Name(1..end));
        }
        match known.definition.shape {
            Shape::Empty => None,
            Shape::Arguments(arguments) => self.argument(known, arguments, end + 1),
            _ => {
                let start = self.text.get(end..)?.find('=').map(|at| end + at + 1)?;
                // `:=` is `=`.
                (self.at >= start).then_some(MarkerPart::Value(known, "", start..self.text.len()))
            }
        }
    }

    /// The part of a marker whose name is unknown or incomplete. If the name begins with that of a known marker with
    /// arguments, that marker applies.
    fn unknown(&self, version: Version) -> Option<MarkerPart> {
        let written = self.text.get(1..).unwrap_or("");
        let end = written.find('=').unwrap_or(written.len());
        let name = written.get(..end)?;
        let with_arguments = all(version).find(|(known, target)| {
            *target == self.target
                && matches!(known.definition.shape, Shape::Arguments(_))
                && name.strip_prefix(&known.name()).is_some_and(|rest| rest.starts_with(':'))
        });
        if let Some((known, _)) = with_arguments
            && let Shape::Arguments(arguments) = known.definition.shape
            && self.at > known.name().len() + 1
        {
            return self.argument(known, arguments, known.name().len() + 2);
        }
        let name_end = 1 + name.find(char::is_whitespace).unwrap_or(name.len());
        (self.at <= name_end).then_some(MarkerPart::Name(1..name_end))
    }

    /// The argument at the place; arguments begin at `from`.
    fn argument(
        &self,
        known: ResolvedMarker,
        arguments: &'static [Argument],
        from: usize,
    ) -> Option<MarkerPart> {
        let mut at = from;
        loop {
            let rest = self.text.get(at..)?;
            let name_end = at + rest.find(['=', ',']).unwrap_or(rest.len());
            let is_named = self.text.get(name_end..).is_some_and(|rest| rest.starts_with('='));
            if self.at <= name_end || !is_named {
                return (self.at >= at && self.at <= name_end)
                    .then_some(MarkerPart::Argument(known, at..name_end));
            }
            let start = name_end + 1;
            let end = start + value_len(self.text.get(start..)?);
            if self.at <= end {
                let name = self.text.get(at..name_end)?.trim();
                let argument = arguments.iter().find(|argument| argument.name == name)?;
                return Some(MarkerPart::Value(known, argument.name, start..end));
            }
            at = end + 1;
        }
    }

    /// The bytes of the file within the quotes of a value at `range`.
    pub(super) fn within_quotes(&self, range: &Range<usize>, value: &QuotedValue) -> text::TextRange {
        let quotes = usize::from(value.quote != Quote::Bare);
        let end = value.range(0..value.text.len()).end.max(quotes);
        self.in_file(range.start + quotes..range.start + end)
    }

    /// A range of the marker as a range of the file.
    pub(super) fn in_file(&self, range: Range<usize>) -> text::TextRange {
        let at = |at: usize| TextSize::try_from(self.start + at).unwrap_or(TextSize::MAX);
        text::TextRange::new(at(range.start), at(range.end))
    }
}

/// The length of a value, up to the comma after it.
fn value_len(rest: &str) -> usize {
    match rest.chars().next() {
        Some(quote @ ('"' | '`')) => {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, ch)| {
                let ends = *ch == quote && !escaped;
                escaped = *ch == '\\' && quote == '"' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        }
        Some('{') => rest.find('}').map_or(rest.len(), |at| at + 1),
        _ => rest.find(',').unwrap_or(rest.len()),
    }
}

/// The offset of a marker's `+` in a line.
fn marker_in(line: &str) -> Option<usize> {
    let comment =
        line.find("//").filter(|at| line.get(..*at).is_some_and(|before| before.trim().is_empty()))?;
    let rest = line.get(comment + 2..)?;
    let at = comment + 2 + rest.len() - rest.trim_start().len();
    line.get(at..)?.starts_with('+').then_some(at)
}

/// The kind of declaration on the next line that is not a comment, or of the one that is about to be written, and whether it
/// is the latter.
fn target_between(before: &str, rest: &str) -> (Target, bool) {
    let has_package = || before.lines().any(|line| line.starts_with("package "));
    let next_one = || if has_package() { (Target::Type, true) } else { (Target::Package, false) };
    let mut lines = rest.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let Some(line) = lines.find(|line| !line.trim_start().starts_with("//")) else { return next_one() };
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["package" | "import", ..] => (Target::Package, false),
        ["type", ..] => (Target::Type, false),
        // Within `type ( … )`.
        [_, "struct" | "struct{" | "interface", ..] if line.ends_with('{') => (Target::Type, false),
        [")", ..] => (Target::Type, true),
        // A field is about to be written at the end of its struct.
        [end, ..] if end.starts_with('}') => (Target::Field, true),
        _ if line.starts_with([' ', '\t']) => (Target::Field, false),
        _ => next_one(),
    }
}

/// The value of a marker's argument as it is written, with the text that it represents.
pub(super) fn quoted(cursor: &Cursor<'_>, range: &Range<usize>) -> QuotedValue {
    QuotedValue::read(cursor.text.get(range.clone()).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    /// The part at the `|` of a line above a field.
    fn part(line: &str) -> String {
        let offset = line.find('|').unwrap();
        let file = format!("type A struct {{\n\t// {}\n\tB string\n}}\n", line.replace('|', ""));
        let at = file.find("// ").unwrap() + 3 + offset;
        let cursor = Cursor::at(&file, TextSize::try_from(at).unwrap()).unwrap();
        assert_eq!(cursor.target, Target::Field);
        let text = |range: Range<usize>| cursor.text[range].to_owned();
        match cursor.part(Version::NEWEST) {
            Some(MarkerPart::Name(range)) => format!("name {}", text(range)),
            Some(MarkerPart::Argument(known, range)) => {
                format!("argument {} of {}", text(range), known.name())
            }
            Some(MarkerPart::Value(known, name, range)) => {
                format!("value {} of {} {name}", text(range), known.name())
            }
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn the_part_of_a_marker_at_the_cursor_is_found_while_typing() {
        for (line, expected) in [
            ("+|", "name "),
            ("+kube|", "name kube"),
            ("+kubebuilder:validation:Max|Length=5", "name kubebuilder:validation:MaxLength"),
            ("+kubebuilder:validation:MaxLength=|", "value  of kubebuilder:validation:MaxLength "),
            ("+kubebuilder:validation:Format=da|te", "value date of kubebuilder:validation:Format "),
            ("+kubebuilder:validation:XValidation:|", "argument  of kubebuilder:validation:XValidation"),
            ("+kubebuilder:validation:XValidation:ru|", "argument ru of kubebuilder:validation:XValidation"),
            (
                "+kubebuilder:validation:XValidation:rule=\"a, b|\",message=\"c\"",
                "value \"a, b\" of kubebuilder:validation:XValidation rule",
            ),
            (
                "+kubebuilder:validation:XValidation:rule=\"a\",me|ssage=\"c\"",
                "argument message of kubebuilder:validation:XValidation",
            ),
            (
                "+kubebuilder:validation:XValidation:rule=\"self.|",
                "value \"self. of kubebuilder:validation:XValidation rule",
            ),
            ("+optional|", "name optional"),
            ("+optional text|", "nothing"),
        ] {
            assert_eq!(part(line), expected, "{line}");
        }
    }

    #[test]
    fn the_target_of_a_marker_is_the_declaration_below_it() {
        let types = "package v1\n\n";
        for (before, rest, expected) in [
            (types, "\n// more\ntype A struct {\n", Target::Type),
            (types, "\n\tName string `json:\"name\"`\n", Target::Field),
            ("", "\npackage v1\n", Target::Package),
            (types, "\nimport \"time\"\n", Target::Package),
            ("", "\n\n", Target::Package),
        ] {
            assert_eq!(target_between(before, rest), (expected, false), "{rest}");
        }
        assert!(Cursor::at("a := 1 // +x\n", 11).is_none());
    }

    #[test]
    fn a_marker_may_precede_its_declaration() {
        let types = "package v1\n\n";
        for (before, rest, expected) in [
            ("package v1\n\ntype A struct {\n\tB string\n\n\t// C is one.\n", "\n}\n", Target::Field),
            ("package v1\n\ntype A struct {\n\tB struct {\n", "\n\t} `json:\"b\"`\n}\n", Target::Field),
            ("package v1\n\ntype (\n\tA string\n\n", "\n)\n", Target::Type),
            (types, "\n", Target::Type),
            (types, "\n\nfunc init() {}\n", Target::Type),
        ] {
            assert_eq!(target_between(before, rest), (expected, true), "{rest}");
        }
    }
}
