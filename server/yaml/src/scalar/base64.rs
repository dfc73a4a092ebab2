//! Base64 as Go's `encoding/base64.StdEncoding` decodes it, for `!!binary`.

use super::resolve::ResolveError;

/// Decodes standard, padded base64. CR and LF are ignored; the unused bits of the last character may have any
/// value.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, ResolveError> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut quad = Quad::default();
    let mut finished = false;
    for byte in text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        if finished {
            return Err(ResolveError::InvalidBase64);
        }
        quad.push(byte)?;
        if quad.length == 4 {
            let [_, first, second, third] = quad.bits.to_be_bytes();
            bytes.push(first);
            if quad.padding < 2 {
                bytes.push(second);
            }
            if quad.padding < 1 {
                bytes.push(third);
            }
            finished = quad.padding > 0;
            quad = Quad::default();
        }
    }
    if quad.length == 0 { Ok(bytes) } else { Err(ResolveError::InvalidBase64) }
}

/// Up to four characters, which encode up to three bytes.
#[derive(Default)]
struct Quad {
    bits: u32,
    length: usize,
    padding: usize,
}

impl Quad {
    fn push(&mut self, byte: u8) -> Result<(), ResolveError> {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if self.length >= 2 => {
                self.padding += 1;
                0
            }
            _ => return Err(ResolveError::InvalidBase64),
        };
        if self.padding > 0 && byte != b'=' {
            return Err(ResolveError::InvalidBase64);
        }
        self.bits = self.bits << 6 | u32::from(value);
        self.length += 1;
        Ok(())
    }
}
