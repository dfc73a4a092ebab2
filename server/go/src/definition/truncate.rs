//! Descriptions that are cut.

use std::sync::Arc;

use crate::schema::Schema;

/// Shortens all descriptions: none for 0, all of them for a negative number.
pub(super) fn truncate(schema: &mut Schema, most: i64, at_word: bool) {
    let Ok(most) = usize::try_from(most) else { return };
    if most == 0 {
        schema.description.clear();
    } else if schema.description.len() > most {
        schema.description = truncated(&schema.description, most, at_word);
    }
    let additional = schema.additional.iter_mut().filter_map(|additional| additional.schema.as_mut());
    let shared = schema.items.iter_mut().chain(additional).chain(schema.properties.values_mut());
    let others = schema.all_of.iter_mut().chain(&mut schema.any_of);
    for inner in shared.map(Arc::make_mut).chain(others) {
        truncate(inner, most as i64, at_word);
    }
}

fn truncated(text: &str, most: usize, at_word: bool) -> String {
    let bytes = text.as_bytes().get(..most).unwrap_or(&[][..]);
    let whole = match std::str::from_utf8(bytes) {
        Ok(whole) => whole,
        Err(error) => text.get(..error.valid_up_to()).unwrap_or(""),
    };
    let last = |is: fn(char) -> bool| whole.rfind(is).filter(|at| *at > 0);
    // Bytes of half a character become U+FFFD, one for each.
    let lossy = |bytes: &[u8]| {
        let mut out = String::new();
        for chunk in bytes.utf8_chunks() {
            out.push_str(chunk.valid());
            out.extend(std::iter::repeat_n('\u{fffd}', chunk.invalid().len()));
        }
        out
    };
    if let Some(at) = last(is_sentence_end) {
        // The first byte of the character that ends the sentence is kept, whatever its length.
        return lossy(bytes.get(..=at).unwrap_or(&[][..]));
    }
    if !at_word {
        return lossy(bytes);
    }
    match last(is_white_space) {
        Some(at) => format!("{}...", whole.get(..at).unwrap_or("")),
        None => format!("{}...", lossy(bytes)),
    }
}

fn is_white_space(ch: char) -> bool {
    ch.is_whitespace()
}

/// Unicode's property `Sentence_Terminal`, in the planes that texts use.
const fn is_sentence_end(ch: char) -> bool {
    matches!(
        ch,
        '!' | '.'
            | '?'
            | '\u{589}'
            | '\u{61d}'..='\u{61f}'
            | '\u{6d4}'
            | '\u{700}'..='\u{702}'
            | '\u{7f9}'
            | '\u{837}'
            | '\u{839}'
            | '\u{83d}'..='\u{83e}'
            | '\u{964}'..='\u{965}'
            | '\u{104a}'..='\u{104b}'
            | '\u{1362}'
            | '\u{1367}'..='\u{1368}'
            | '\u{166e}'
            | '\u{1735}'..='\u{1736}'
            | '\u{17d4}'..='\u{17d5}'
            | '\u{1803}'
            | '\u{1809}'
            | '\u{1944}'..='\u{1945}'
            | '\u{1aa8}'..='\u{1aab}'
            | '\u{1b4e}'..='\u{1b4f}'
            | '\u{1b5a}'..='\u{1b5b}'
            | '\u{1b5e}'..='\u{1b5f}'
            | '\u{1b7d}'..='\u{1b7f}'
            | '\u{1c3b}'..='\u{1c3c}'
            | '\u{1c7e}'..='\u{1c7f}'
            | '\u{2024}'
            | '\u{203c}'..='\u{203d}'
            | '\u{2047}'..='\u{2049}'
            | '\u{2cf9}'..='\u{2cfb}'
            | '\u{2e2e}'
            | '\u{2e3c}'
            | '\u{2e53}'..='\u{2e54}'
            | '\u{3002}'
            | '\u{a4ff}'
            | '\u{a60e}'..='\u{a60f}'
            | '\u{a6f3}'
            | '\u{a6f7}'
            | '\u{a876}'..='\u{a877}'
            | '\u{a8ce}'..='\u{a8cf}'
            | '\u{a92f}'
            | '\u{a9c8}'..='\u{a9c9}'
            | '\u{aa5d}'..='\u{aa5f}'
            | '\u{aaf0}'..='\u{aaf1}'
            | '\u{abeb}'
            | '\u{fe12}'
            | '\u{fe15}'..='\u{fe16}'
            | '\u{fe52}'
            | '\u{fe56}'..='\u{fe57}'
            | '\u{ff01}'
            | '\u{ff0e}'
            | '\u{ff1f}'
            | '\u{ff61}'
    )
}
