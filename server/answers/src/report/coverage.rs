//! The objects of a file that were checked.

use ide::{File, NotJudged, UnvalidatedReason, ValidationCoverage};

/// The objects of one file that were checked.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The number of definitions.
    pub definitions: usize,
    /// The number of rules in them.
    pub rules: usize,
    /// The number of resources.
    pub resources: usize,
    /// The number of Go files from which definitions are generated.
    pub go_files: usize,
    /// The objects that were not checked.
    pub not_judged: Vec<UnvalidatedObject>,
}

impl Coverage {
    /// The coverage of `file`. Reads `text` only if some object was not checked.
    pub fn of(file: &File, text: &dyn Fn() -> String) -> Self {
        let ValidationCoverage { definitions, rules, resources, not_judged } = file.coverage();
        let resources = resources.len();
        if not_judged.is_empty() {
            return Self { definitions, rules, resources, ..Self::default() };
        }
        let text = text();
        let (mut line, mut from) = (0, 0);
        let lines = not_judged.into_iter().map(|NotJudged { range, api_version, kind, reason }| {
            let start = range.start as usize;
            if start < from {
                (line, from) = (0, 0);
            }
            line += text.get(from..start).map_or(0, line_breaks);
            from = start;
            UnvalidatedObject { line, api_version, kind, reason }
        });
        Self { definitions, rules, resources, not_judged: lines.collect(), ..Self::default() }
    }

    /// The coverage of a file that cannot be read.
    pub fn unreadable() -> Self {
        let (api_version, kind) = (String::new(), String::new());
        let unread = UnvalidatedObject { line: 0, api_version, kind, reason: UnvalidatedReason::Unreadable };
        Self { not_judged: vec![unread], ..Self::default() }
    }
}

/// An object that was not checked, or only in part.
#[derive(Clone, Debug)]
pub struct UnvalidatedObject {
    /// The line, counted from 0.
    pub line: u32,
    /// The `apiVersion` of the object.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// The reason.
    pub reason: UnvalidatedReason,
}

/// The number of lines in `text` that end with LF, CR or both.
fn line_breaks(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n');
    u32::try_from(memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::line_breaks;

    #[test]
    fn lines_end_with_lf_crlf_or_cr() {
        assert_eq!(["", "a", "a\nb\n", "a\r\nb\r\n", "a\rb\r"].map(line_breaks), [0, 0, 2, 2, 2]);
    }
}
