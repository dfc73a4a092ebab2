//! What was checked of a file.

use ide::{File, Judged, NotJudged, Reason};

/// What was checked of one file.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How many definitions.
    pub definitions: usize,
    /// How many rules in them.
    pub rules: usize,
    /// How many resources.
    pub resources: usize,
    /// How many Go files, of which definitions are generated.
    pub go_files: usize,
    /// What was left alone.
    pub not_judged: Vec<Unjudged>,
}

impl Coverage {
    /// What was checked of `file`, whose text is `text`. Of a file without anything left alone the text is not asked for.
    pub fn of(file: &File, text: &dyn Fn() -> String) -> Self {
        let Judged { definitions, rules, resources, not_judged } = file.judged();
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
            Unjudged { line, api_version, kind, reason }
        });
        Self { definitions, rules, resources, not_judged: lines.collect(), ..Self::default() }
    }

    /// Of a file that cannot be read.
    pub fn unreadable() -> Self {
        let (api_version, kind) = (String::new(), String::new());
        let unread = Unjudged { line: 0, api_version, kind, reason: Reason::Unreadable };
        Self { not_judged: vec![unread], ..Self::default() }
    }
}

/// An object that was not checked, or not in whole.
#[derive(Clone, Debug)]
pub struct Unjudged {
    /// Counts from 0.
    pub line: u32,
    /// The `apiVersion` of the object.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Why.
    pub reason: Reason,
}

/// How many lines end in `text`: with LF, CR or both.
fn line_breaks(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n');
    u32::try_from(memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::line_breaks;

    #[test]
    fn lines_end_as_in_any_text() {
        assert_eq!(["", "a", "a\nb\n", "a\r\nb\r\n", "a\rb\r"].map(line_breaks), [0, 0, 2, 2, 2]);
    }
}
