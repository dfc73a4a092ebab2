//! Random edits that open, close, move and break structures.

use text::{TextEdit, TextRange};

/// Pieces of text that open, close, move and break structures.
const PIECES: &[&str] = &[
    "a",
    "x: 1",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    ":",
    ": ",
    "- ",
    "-",
    "\n- b",
    "\n  c: d",
    "? ",
    "#",
    " # c",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|\n",
    ">-\n",
    "|2\n",
    "&a ",
    "*a",
    "!t ",
    "\n---\n",
    "---",
    "\n...\n",
    "%YAML 1.1\n",
    "\t",
    "\n\t",
    "é",
    "😀",
    "\u{feff}",
    "@",
    "key",
    "<<: *a",
    "\\",
    "''",
    "\"\"",
    "\n      ",
    "~",
    "{{ .x }}",
    "\\/",
    "?",
    "? - ",
    "\n: ",
    "!!str,",
    "!x!y ",
    "&a:b ",
    "&a &b ",
    "%YAML 1.2\n",
    "\n%TAG ! x\n",
    "\n\t\n",
    "-\t",
    " \t",
    "|\n   \n",
    "|0",
    "\u{2028}",
    "\u{1}",
    "]#",
    "{a\n: b}",
    "[[a]: b, &c d: e, ",
];

/// A small generator of pseudo-random numbers (splitmix64), so that a seed names a run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
    }
}

/// `at` moved back to the start of its character.
pub(crate) fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Pieces of text as a user types them.
const GENTLE: &[&str] = &["a", "x", "1", "ab", " c", "-", ".", "é", "_", " # d", "'", ": "];

/// Removes a little of `text`, inserts a little, or both.
pub(crate) fn random_edit(text: &str, random: &mut Random) -> TextEdit {
    let start = boundary(text, random.below(text.len() + 1));
    if random.below(3) == 0 {
        let end = boundary(text, (start + random.below(3)).min(text.len())).max(start);
        let new_text = if random.below(4) == 0 { "" } else { GENTLE[random.below(GENTLE.len())] };
        return TextEdit::replace(TextRange::new(start as u32, end as u32), new_text);
    }
    let removed = match random.below(4) {
        0 => random.below(40),
        1 => random.below(4),
        _ => 0,
    };
    let end = boundary(text, (start + removed).min(text.len()));
    let count = random.below(3) + usize::from(end == start);
    let new_text: String = (0..count).map(|_| PIECES[random.below(PIECES.len())]).collect();
    TextEdit::replace(TextRange::new(start as u32, end.max(start) as u32), new_text)
}
