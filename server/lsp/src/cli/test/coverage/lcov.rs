//! Coverage in the format of lcov: a line for each place in the definition, a branch for each side of its items.

use std::collections::BTreeMap;
use std::fmt::Write;

use text::LineIndex;

use super::{Coverages, by_file, line};

pub(super) fn text(all: &Coverages) -> String {
    let mut out = String::new();
    for (file, (text, coverages)) in by_file(all) {
        let lines = LineIndex::new(text);
        let mut of_lines: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        for item in coverages.iter().flat_map(|coverage| &coverage.items) {
            of_lines.entry(line(&lines, item)).or_default().extend(item.sides.iter().flatten());
        }
        // Writing to a text cannot fail.
        let _ = writeln!(out, "TN:\nSF:{}", file.display());
        for (line, sides) in &of_lines {
            for (branch, covered) in sides.iter().enumerate() {
                let _ = writeln!(out, "BRDA:{line},0,{branch},{}", u8::from(*covered));
            }
        }
        let sides = || of_lines.values().flatten();
        let _ = writeln!(out, "BRF:{}\nBRH:{}", sides().count(), sides().filter(|covered| **covered).count());
        let is_hit = |sides: &Vec<bool>| sides.contains(&true);
        for (line, sides) in &of_lines {
            let _ = writeln!(out, "DA:{line},{}", u8::from(is_hit(sides)));
        }
        let hit = of_lines.values().filter(|sides| is_hit(sides)).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", of_lines.len());
    }
    out
}
