//! Checksums of the released files.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{read, write};

/// The list of the checksums of the downloads, in the format of `sha256sum`.
pub(crate) const FILE: &str = "SHA256SUMS";

/// SHA-256 in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// SHA-256 in the URL-safe alphabet of Base64, without padding.
pub(crate) fn url_safe(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digest = Sha256::digest(bytes);
    let letters = digest.chunks(3).flat_map(|chunk| {
        let bits =
            chunk.iter().fold(0, |bits: u32, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |at| (bits >> (18 - 6 * at) & 63) as usize)
    });
    letters.filter_map(|at| LETTERS.get(at)).map(|letter| char::from(*letter)).collect()
}

/// Writes the list of the files at the top of `out`: those on the page of a release.
pub(crate) fn write_list(out: &Path) -> Result<(), String> {
    let mut list = String::new();
    for path in super::files(out)?.iter().filter(|path| path.components().count() == 1) {
        list.push_str(&format!("{}  {}\n", hexadecimal(&read(&out.join(path))?), path.display()));
    }
    write(&out.join(FILE), list)
}
