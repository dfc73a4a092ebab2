//! Truncates descriptions.

use std::collections::HashMap;
use std::sync::Arc;

use super::generator::Generator;
use super::model::Schema;
use crate::version::Change;

/// Truncated schemas by the address of the original schema. The original is kept so that its address is not reused.
#[derive(Clone, Debug, Default)]
pub(super) struct TruncatedSchemas(HashMap<usize, TruncatedSchema>);

#[derive(Clone, Debug)]
struct TruncatedSchema {
    before: Arc<Schema>,
    after: Arc<Schema>,
}

impl TruncatedSchemas {
    /// The truncated schemas whose originals are still in use elsewhere.
    pub(super) fn in_use(mut self) -> Self {
        self.0.retain(|_, truncated| Arc::strong_count(&truncated.before) > 1);
        self
    }
}

impl Generator<'_> {
    /// Truncates all descriptions: 0 removes them, a negative number keeps them.
    pub(crate) fn truncate(&mut self, schema: &mut Schema, most: i64) {
        let Ok(most) = usize::try_from(most) else { return };
        let at_word = self.has(Change::TruncateAtWord);
        Truncator { most, at_word, known: &mut self.kept.truncated }.truncate(schema);
    }
}

/// Truncates the descriptions of schemas. A schema that occurs in many places is copied once.
struct Truncator<'k> {
    most: usize,
    at_word: bool,
    known: &'k mut TruncatedSchemas,
}

impl Truncator<'_> {
    fn truncate(&mut self, schema: &mut Schema) {
        if self.most == 0 {
            schema.description.clear();
        } else if schema.description.len() > self.most {
            schema.description = truncated(&schema.description, self.most, self.at_word);
        }
        let additional = schema.additional.iter_mut().filter_map(|additional| additional.schema.as_mut());
        for shared in schema.items.iter_mut().chain(additional).chain(schema.properties.values_mut()) {
            self.truncate_shared(shared);
        }
        for own in schema.all_of.iter_mut().chain(&mut schema.any_of) {
            self.truncate(own);
        }
    }

    fn truncate_shared(&mut self, schema: &mut Arc<Schema>) {
        if schema.description.len() <= self.most && schema.inner().next().is_none() {
            return;
        }
        let address = Arc::as_ptr(schema).addr();
        if let Some(known) = self.known.0.get(&address) {
            *schema = Arc::clone(&known.after);
            return;
        }
        let mut after = Schema::clone(schema);
        self.truncate(&mut after);
        let before = std::mem::replace(schema, Arc::new(after));
        self.known.0.insert(address, TruncatedSchema { before, after: Arc::clone(schema) });
    }
}

fn truncated(text: &str, most: usize, at_word: bool) -> String {
    let bytes = text.as_bytes().get(..most).unwrap_or(&[][..]);
    let whole = match std::str::from_utf8(bytes) {
        Ok(whole) => whole,
        Err(error) => text.get(..error.valid_up_to()).unwrap_or(""),
    };
    let last = |is: fn(char) -> bool| whole.rfind(is).filter(|at| *at > 0);
    // Each byte of an incomplete character becomes U+FFFD.
    let lossy = |bytes: &[u8]| {
        let mut out = String::new();
        for chunk in bytes.utf8_chunks() {
            out.push_str(chunk.valid());
            out.extend(std::iter::repeat_n('\u{fffd}', chunk.invalid().len()));
        }
        out
    };
    if let Some(at) = last(is_sentence_end) {
        // Of the character that ends the sentence, only the first byte is kept, regardless of its length.
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

/// Unicode's property `Sentence_Terminal`, for the planes that are in use.
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
