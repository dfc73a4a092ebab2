//! Fixes for text that does not belong to the document: a character before a line, such as the `+` of a diff, and
//! lines of Markdown, of a shell or of a merge conflict. Two keys on one line are divided, and lines that are
//! written as in another language are rewritten.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::line_rewrites;
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::fix::Title;
use crate::analysis::foreign_line::ForeignLine;
use crate::analysis::separated::lines_alike;
use crate::analysis::syntax::{is_key_of_next_block, is_of_syntax};
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix, Severity};

/// The number of bytes before and after a finding that are read.
const AROUND: TextSize = 4_000;
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 4;
/// The maximum number of columns that are tried for the second key of a line.
const MOST_COLUMNS: usize = 4;
/// The maximum number of characters of a line that a title repeats.
const MOST_SHOWN: usize = 40;

/// The findings that a line causes that is not written as YAML.
const LINES: [Code; 7] = [
    Code::YamlSyntax,
    Code::YamlUnclosed,
    Code::DecodeUnknownField,
    Code::ResourceUnknownField,
    Code::DecodeType,
    Code::ResourceType,
    Code::SchemaTypeUnsupported,
];

/// Whether a finding with `code` is about a value, so that only its line can be wrong.
const fn is_of_value(code: Code) -> bool {
    matches!(code, Code::DecodeType | Code::ResourceType | Code::SchemaTypeUnsupported)
}

/// A possible repair.
struct Candidate {
    title: Title,
    edits: Vec<TextEdit>,
    /// Whether the text cannot be meant otherwise, so that it precedes other fixes that leave as few findings.
    is_certain: bool,
}

/// The fixes for the touched findings of `request`, if they leave fewer findings than the
/// first of `others` for the same finding.
pub(super) fn fixes(request: &FixRequest<'_, '_>, others: &[Fix], proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let fix = |finding: &Finding| {
        let lines = Lines::at(document, finding.range.start)?;
        let candidates = lines.candidates(document, finding);
        // The colon that is missing may uncover more findings than any other repair leaves.
        let lacks_colon = is_of_syntax(finding.code) && is_key_of_next_block(document, finding.range);
        if candidates.is_empty() || lacks_colon {
            return None;
        }
        let is_here = |fix: &&Fix| fix.repairs.contains(&(finding.code, finding.range));
        let mut best: Option<(usize, Candidate)> = None;
        // The right repair removes an error of the syntax, so most candidates need no check.
        let errors = proof.syntax_errors_after(&[]);
        let most = if is_of_syntax(finding.code) { errors.checked_sub(1)? } else { errors };
        for candidate in candidates {
            if proof.syntax_errors_after(&candidate.edits) > most {
                continue;
            }
            let Some(left) = proof.all_remaining(&candidate.edits) else { continue };
            if best.as_ref().is_none_or(|(least, _)| left < *least) {
                best = Some((left, candidate));
            }
        }
        let (left, Candidate { title, edits, is_certain }) = best?;
        let other = others.iter().find(is_here).and_then(|fix| proof.all_remaining(&fix.edits));
        // The repair of one slip may uncover the findings of another.
        let is_better = proof.improves(&edits);
        (is_better && other.is_none_or(|other| left < other || is_certain && left == other))
            .then(|| Fix::suggested(title, edits, finding.code, finding.range))
    };
    let wanted = request.with_codes(&LINES).filter(|finding| finding.severity <= Severity::Warning);
    wanted.take(MOST).filter_map(fix).collect()
}

/// The text around a finding.
struct Lines {
    text: String,
    start: TextSize,
    /// The offset of the line of the finding in `text`.
    own: usize,
}

impl Lines {
    fn at(document: Document<'_>, at: TextSize) -> Option<Self> {
        let whole = document.range();
        let mut start = at.saturating_sub(AROUND).max(whole.start);
        let end = at.saturating_add(AROUND).min(whole.end);
        let mut text = text_of(document.syntax(), TextRange::new(start, end));
        if start > whole.start {
            let first = text.find('\n')? + 1;
            start += first as TextSize;
            text.drain(..first);
        }
        let own = text.get(..(at.checked_sub(start)?) as usize)?.rfind('\n').map_or(0, |end| end + 1);
        Some(Self { text, start, own })
    }

    /// The line at the offset `from`, without its end.
    fn line(&self, from: usize) -> &str {
        self.text.get(from..).and_then(|rest| rest.lines().next()).unwrap_or_default()
    }

    /// The offset of the next line above `from` that is not blank.
    fn above(&self, from: usize) -> Option<usize> {
        let before = self.text.get(..from)?.trim_end();
        (!before.is_empty()).then(|| before.rfind('\n').map_or(0, |end| end + 1))
    }

    /// The offset of the next line above the finding that is indented less.
    fn opener(&self) -> Option<usize> {
        let own = text::indentation(self.line(self.own));
        let mut above = self.above(self.own)?;
        while text::indentation(self.line(above)) >= own {
            above = self.above(above)?;
        }
        Some(above)
    }

    /// The edit of the bytes `from` to `to`.
    fn edit(&self, from: usize, to: usize, new: String) -> TextEdit {
        let at = |offset: usize| self.start + offset as TextSize;
        TextEdit::replace(TextRange::new(at(from), at(to)), new)
    }

    fn candidates(&self, document: Document<'_>, finding: &Finding) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        // An error of the indentation is on the next line.
        let above = self.above(self.own).filter(|_| is_of_syntax(finding.code));
        if is_of_value(finding.code) {
            return self.rewritten(self.own).chain(self.as_item(self.own)).collect();
        }
        for from in [Some(self.own), above].into_iter().flatten() {
            candidates.extend(self.without_prefix(from));
            candidates
                .extend(self.rewritten(from).map(|candidate| self.with_lines_alike(document, candidate)));
            match self.behind_key(from) {
                Some(candidate) => candidates.push(candidate),
                None => candidates.extend(self.without_line(document, from)),
            }
            // Behind the fix that makes a word the value of the key above.
            candidates.extend(self.as_item(from));
            candidates.extend(self.divided(from));
        }
        // A line without its indentation has the lines below it as a block, and the error is behind them.
        let opener = above.and_then(|_| self.opener()).filter(|opener| Some(*opener) != above);
        if let Some(from) = opener {
            candidates.extend(self.without_prefix(from));
            candidates.extend(self.rewritten(from));
        }
        candidates
    }

    /// Removes one or two characters before the indentation of a line, alone or with the blank behind them.
    fn without_prefix(&self, from: usize) -> Vec<Candidate> {
        let line = self.line(from);
        let prefix = line.split(' ').next().unwrap_or_default();
        let is_short = (1..=2).contains(&prefix.chars().count()) && !prefix.starts_with(['#', '"', '\'']);
        let rest = line.get(prefix.len()..).unwrap_or_default();
        let word = rest.trim();
        if !is_short || !rest.starts_with("  ") || word.is_empty() {
            return Vec::new();
        }
        let key = word.split(": ").next().unwrap_or_default().trim_end_matches(':');
        let word = text::start(key, MOST_SHOWN);
        let candidate = |length: usize| Candidate {
            title: format!("Replace `{prefix} {word}` with `{word}`").into(),
            edits: vec![self.edit(from, from + length, String::new())],
            is_certain: true,
        };
        vec![candidate(prefix.len()), candidate(prefix.len() + 1)]
    }

    /// Rewrites a line that is written as in another language.
    fn rewritten(&self, from: usize) -> impl Iterator<Item = Candidate> {
        let line = self.line(from);
        let shown = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            text::start(&words.join(" "), MOST_SHOWN).into_owned()
        };
        line_rewrites::rewrites(line, self.below(from)).into_iter().map(move |(range, new)| {
            let mut right = line.to_owned();
            right.replace_range(range.clone(), &new);
            Candidate {
                title: format!("Replace `{}` with `{}`", shown(line), shown(&right)).into(),
                edits: vec![self.edit(from + range.start, from + range.end, new)],
                is_certain: true,
            }
        })
    }

    /// `candidate`, and the same for the bullets of the lines below.
    fn with_lines_alike(&self, document: Document<'_>, mut candidate: Candidate) -> Candidate {
        if let [TextEdit { range, new_text }] = &*candidate.edits
            && new_text == "- "
        {
            let (range, bullet) = (*range, text_of(document.syntax(), *range));
            let below = lines_alike(document, range.start, &|line| line.starts_with(&*bullet));
            let edit = |at| TextEdit::replace(TextRange::at(at, range.len()), "- ".to_owned());
            candidate.edits.extend(below.into_iter().map(edit));
        }
        candidate
    }

    /// Adds the dash of an item before a word below the key of a list.
    fn as_item(&self, from: usize) -> Option<Candidate> {
        let line = self.line(from);
        let (word, start) = (line.trim(), from + text::indentation(line));
        let above = self.line(self.above(from)?);
        let is_word =
            !word.is_empty() && !word.contains([' ', ':', '#', '"', '\'', '{', '[', '|', '>', '&', '*', '!']);
        let is_below_key = above.trim_end().ends_with(':') && column_of(above) <= text::indentation(line);
        (is_word && is_below_key && !word.starts_with('-')).then(|| Candidate {
            title: format!("Add `-` before `{}`", text::start(word, MOST_SHOWN)).into(),
            edits: vec![self.edit(start, start, "- ".to_owned())],
            is_certain: false,
        })
    }

    /// Removes a line that is neither an entry nor an item; for Markdown, all such lines.
    fn without_line(&self, document: Document<'_>, from: usize) -> Option<Candidate> {
        let line = self.line(from);
        let written = line.trim();
        let foreign = ForeignLine::of(line);
        let is_yaml = written.starts_with("- ") || written.contains(": ") || written.ends_with(':');
        // Among items, the dash is missing.
        let is_item = |line: &str| line.trim_start().starts_with("- ");
        let above = self.above(from).map(|above| self.line(above));
        let below = self.text.get(from..).and_then(|rest| rest.lines().nth(1));
        let is_among_items = above.into_iter().chain(below).any(is_item);
        let is_yaml = is_yaml || is_among_items && !written.contains(' ');
        if written.is_empty() || written.starts_with('#') || is_yaml && foreign.is_none() {
            return None;
        }
        let title = match foreign {
            Some(ForeignLine::Fence) => Title::removal_of_foreign_lines("the fences of Markdown"),
            _ => Title::removal_of_foreign_lines(format_args!(
                "the line `{}`",
                text::start(written, MOST_SHOWN)
            )),
        };
        let edits = match foreign {
            Some(ForeignLine::Fence) => {
                let whole = document.syntax().text();
                let (mut at, mut edits) = (document.range().start, Vec::new());
                for line in whole.split_inclusive('\n') {
                    let end = at + line.len() as TextSize;
                    if ForeignLine::of(line) == Some(ForeignLine::Fence) {
                        edits.push(TextEdit::replace(TextRange::new(at, end), String::new()));
                    }
                    at = end;
                }
                edits
            }
            _ => {
                let end = self.text.get(from..)?.find('\n').map_or(self.text.len(), |end| from + end + 1);
                vec![self.edit(from, end, String::new())]
            }
        };
        Some(Candidate { title, edits, is_certain: foreign.is_some() })
    }

    /// The next line below the one at `from` that is not blank.
    fn below(&self, from: usize) -> Option<&str> {
        self.text.get(from..)?.lines().skip(1).find(|line| !line.trim().is_empty())
    }

    /// Moves a word on its own line behind the key above it, if that has no value.
    fn behind_key(&self, from: usize) -> Option<Candidate> {
        let word = self.line(from).trim();
        let above = self.above(from)?;
        let key = self.line(above).trim_end().strip_suffix(':')?;
        let column = column_of(self.line(above));
        let has_value = self.below(from).is_some_and(|below| text::indentation(below) > column);
        let is_value = !has_value
            && !word.is_empty()
            && !word.contains([' ', ':', '`', '=', '<', '>', '#'])
            && word != "...";
        let title = format!(
            "Move `{}` after `{}:`",
            text::start(word, MOST_SHOWN),
            key.trim_start_matches([' ', '-'])
        );
        let (end, start) = (above + key.len() + 1, from + self.line(from).find(word)?);
        is_value.then(|| Candidate {
            title: title.into(),
            edits: vec![self.edit(end, start, " ".to_owned())],
            is_certain: true,
        })
    }

    /// Moves the second key of a line to its own line, in each column that it may have.
    fn divided(&self, from: usize) -> Vec<Candidate> {
        let line = self.line(from);
        let Some((first, _)) = line.split_once(": ") else { return Vec::new() };
        let Some((end, second, key)) = second_key(line, first.len() + 2) else { return Vec::new() };
        let next = self.below(from).map(text::indentation);
        let own = column_of(line);
        let is_alone = end == first.len() + 1;
        let mut columns = if is_alone { vec![own + 2] } else { Vec::new() };
        columns.push(own);
        columns.extend(next.and_then(|next| next.checked_sub(2)));
        columns.extend(next);
        let (mut above, mut outer) = (from, own);
        while columns.len() < MOST_COLUMNS + 2
            && let Some(line_above) = self.above(above)
        {
            above = line_above;
            let column = column_of(self.line(above));
            if column < outer {
                columns.push(column);
                outer = column;
            }
        }
        let mut tried: Vec<usize> = Vec::new();
        columns.retain(|column| {
            let is_new = !tried.contains(column);
            tried.push(*column);
            is_new
        });
        columns.truncate(MOST_COLUMNS);
        let newline = crate::analysis::values::newline(&self.text);
        let candidate = |column: usize| Candidate {
            title: format!("Move `{}` to its own line", text::start(key, MOST_SHOWN)).into(),
            edits: vec![self.edit(from + end, from + second, format!("{newline}{}", " ".repeat(column)))],
            is_certain: false,
        };
        columns.into_iter().map(candidate).collect()
    }
}

/// The end of the first value of `line`, which begins at `from` or later, the start of the second key, and that key.
fn second_key(line: &str, from: usize) -> Option<(usize, usize, &str)> {
    let ends = line.match_indices(':').map(|(at, _)| at).filter(|at| *at > from);
    let mut ends =
        ends.filter(|at| line.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
    let colon = ends.next()?;
    let before = line.get(..colon)?;
    let start = before.rfind(' ')? + 1;
    let key = before.get(start..)?;
    let value = before.get(..start)?.trim_end().trim_end_matches([',', ';']);
    if value.get(from.saturating_sub(2)..) == Some(": -") {
        // The dash of the first item.
        return Some((from - 1, from, key));
    }
    let is_behind = if start == from { value.len() + 1 == from } else { value.len() >= from };
    (start >= from && is_behind && !key.is_empty()).then_some((value.len(), start, key))
}

/// The column of the first key of `line`, behind dashes.
fn column_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    /// Checks that `text` has one finding, whose first fix restores the definition.
    #[track_caller]
    fn check(text: &str) {
        let file = File::new(text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(text, 0, &fix.edits)).collect();
        assert_eq!(repaired.first().map(String::as_str), Some(WIDGET), "{fixes:#?}\n{text}");
    }

    #[test]
    fn a_character_before_a_line_is_one_finding_and_is_removed() {
        for line in [
            "  scope: Namespaced\n",
            "    schema:\n",
            "          status:\n",
            "                type: array\n",
            "            - size\n",
        ] {
            for prefix in ["+", "-", "j", "//"] {
                check(&WIDGET.replacen(line, &format!("{prefix}{line}"), 1));
            }
        }
    }

    #[test]
    fn a_line_of_another_language_is_one_finding_and_is_removed() {
        for line in ["foo", "--", "=======", ">>>>>>> branch", "<<<<<<< HEAD"] {
            for before in ["  scope: Namespaced\n", "    schema:\n", "                type: array\n"] {
                check(&WIDGET.replacen(before, &format!("{line}\n{before}"), 1));
            }
        }
        check(&format!("{WIDGET}```\n"));
        check(&format!("```yaml\n{WIDGET}```\n"));
        check(&format!("$ cat crd.yaml\n{WIDGET}"));
    }

    #[test]
    fn a_line_that_is_written_as_in_another_language_is_one_finding_and_is_rewritten() {
        for (right, written) in [
            ("  scope: Namespaced\n", "7:   scope: Namespaced\n"),
            ("  names:\n", "12   names:\n"),
            ("          status:\n", "| "),
            ("            - size\n", "            + size\n"),
            ("            - size\n", "            1. size\n"),
            ("    singular: widget\n", "    singular:: widget\n"),
            ("    schema:\n", "    schema =>\n"),
            ("    schema:\n", "    schema: {\n"),
            ("            required:\n", "            required: []\n"),
            ("    plural: widgets\n", "    'plural\": widgets\n"),
            ("    storage: true\n", "    storage: \"true\n"),
            ("        type: object\n", "        type: 'object\"\n"),
            ("    schema:\n      openAPIV3Schema:\n", "    schema: openAPIV3Schema:\n"),
            (
                "    additionalPrinterColumns:\n    - name: Size\n",
                "    additionalPrinterColumns: - name: Size\n",
            ),
        ] {
            let written = if written == "| " { format!("| {right}") } else { written.to_owned() };
            let text = WIDGET.replacen(right, &written, 1);
            assert_ne!(text, WIDGET, "{right}");
            check(&text);
        }
    }

    #[test]
    fn a_value_on_its_own_line_is_one_finding_and_is_moved() {
        for key in ["  scope", "                type", "    plural"] {
            check(&WIDGET.replacen(&format!("{key}: "), &format!("{key}:\n"), 1));
        }
    }

    #[test]
    fn a_word_below_the_key_of_a_list_becomes_an_item() {
        check(&WIDGET.replacen("            - size\n", "            size\n", 1));
    }

    #[test]
    fn another_closing_bracket_is_one_finding_and_is_replaced() {
        let right = "                items:\n                  type: string\n";
        for closing in [")", "]"] {
            let written = format!("                items: {{type: string{closing}\n");
            let text = WIDGET.replacen(right, &written, 1);
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            assert_eq!(found.len(), 1, "{found:#?}\n{text}");
            let fixes = file.fixes(found[0].range);
            let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
            assert_eq!(repaired, Some(text.replacen(closing, "}", 1)), "{fixes:#?}");
        }
    }

    #[test]
    fn two_keys_on_one_line_are_one_finding_and_are_divided() {
        for (right, written) in [
            ("plural: widgets\n    singular", "plural: widgets singular"),
            ("plural: widgets\n    singular", "plural: widgets, singular"),
            ("singular: widget\n  versions:", "singular: widget; versions:"),
            ("type: integer\n              modes:", "type: integer modes:"),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET, "{right}");
            check(&text);
        }
    }
}
