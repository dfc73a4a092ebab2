//! Groups comments, and assigns them to the code that follows.

use super::{File, Group, Span};

/// Groups comments in the order of the text, as Go's parser does.
pub(super) fn groups(text: &str, comments: &[Span]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut before = 0;
    for (number, comment) in comments.iter().enumerate() {
        let gap = text.get(before..comment.start as usize).unwrap_or("");
        let breaks = gap.matches('\n').count();
        let is_blank = gap.trim().is_empty();
        match groups.last_mut() {
            Some(group) if is_blank && breaks <= usize::from(!group.trailing) => {
                group.comments.end = number + 1;
                group.span.end = comment.end;
            }
            _ => {
                let line = gap.rsplit_once('\n').map_or(gap, |(_, line)| line);
                let trailing = !line.trim().is_empty();
                groups.push(Group { comments: number..number + 1, span: *comment, trailing });
            }
        }
        before = comment.end as usize;
    }
    groups
}

impl File {
    /// The group of comments directly above the code that starts at `start`.
    pub(super) fn doc_above(&self, start: u32) -> Option<usize> {
        let number = self.groups.partition_point(|group| group.span.start < start).checked_sub(1)?;
        let group = self.groups.get(number)?;
        let gap = self.text.get(group.span.end as usize..start as usize)?;
        let is_doc = !group.trailing && gap.trim().is_empty() && gap.matches('\n').count() == 1;
        is_doc.then_some(number)
    }

    /// The group of comments on the line of the code that ends at `end`.
    pub(super) fn comment_after(&self, end: u32) -> Option<usize> {
        let number = self.groups.partition_point(|group| group.span.start < end);
        let group = self.groups.get(number)?;
        let gap = self.text.get(end as usize..group.span.start as usize)?;
        let rest = self.text.get(group.span.end as usize..)?;
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let is_after =
            gap.trim_matches(|ch| matches!(ch, ' ' | '\t' | ';')).is_empty() && line.trim().is_empty();
        is_after.then_some(number)
    }

    /// The text of a group as documentation: without markers, and by the conventions of Kubernetes.
    #[must_use]
    pub fn documentation(&self, group: Option<usize>, rules: bool) -> String {
        let Some(group) = group.and_then(|group| self.groups.get(group)) else { return String::new() };
        let comments: Vec<&str> = group
            .comments
            .clone()
            .map(|number| self.comment(number))
            .filter(|comment| marker_text(comment).is_none())
            .collect();
        let has_block = comments.iter().any(|comment| comment.starts_with("/*"));
        let text = go_text(&comments);
        let mut lines: Vec<&str> = text.split('\n').collect();
        if lines.last() == Some(&"") {
            lines.pop();
        }
        let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
        let mut in_code = false;
        for line in lines {
            let line = if has_block { line.trim() } else { line };
            if !rules {
                // A blank line becomes two line breaks.
                kept.push(if line.is_empty() { "\n" } else { line });
                continue;
            }
            if line.starts_with("```") || line.starts_with("~~~") {
                in_code = !in_code;
            }
            if !in_code {
                if line.starts_with("TODO") {
                    continue;
                }
                if line.starts_with("---") {
                    break;
                }
            }
            kept.push(line);
        }
        kept.join("\n")
    }
}

/// The text of a comment that is a marker, from its `+`, and the number of bytes before it in the comment.
#[must_use]
pub(crate) fn marker_text(comment: &str) -> Option<(&str, usize)> {
    let rest = comment.strip_prefix("//")?;
    let text = rest.trim_start();
    let at = comment.len() - text.len();
    text.starts_with('+').then(|| (text.trim_end(), at))
}

/// The text of comments according to `go/ast`: without comment marks and directives, and with single blank lines.
fn go_text(comments: &[&str]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let body = if let Some(line) = comment.strip_prefix("//") {
            match line.strip_prefix(' ') {
                Some(line) => line,
                None if is_directive(line) => continue,
                None => line,
            }
        } else {
            let body = comment.strip_prefix("/*").unwrap_or(*comment);
            body.strip_suffix("*/").unwrap_or(body)
        };
        lines.extend(body.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r', '\n'])));
    }
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    for line in lines {
        if !line.is_empty() || kept.last().is_some_and(|last| !last.is_empty()) {
            kept.push(line);
        }
    }
    if kept.last().is_some_and(|last| !last.is_empty()) {
        kept.push("");
    }
    kept.join("\n")
}

/// Whether a comment is a directive for tools: `//go:build`, `//nolint:x`.
fn is_directive(line: &str) -> bool {
    if ["line ", "extern ", "export "].iter().any(|prefix| line.starts_with(prefix)) {
        return true;
    }
    let Some((name, rest)) = line.split_once(':') else { return false };
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !name.is_empty() && name.bytes().all(is_word) && rest.bytes().next().is_some_and(is_word)
}
