//! Limits of the analysis, and the findings for files beyond them.

use api::Code;
use ide::{Finding, Message, Severity};
use text::TextRange;

/// The largest text that is analysed, in bytes. etcd rejects much smaller objects; this limit is for bundles.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Deep documents need more stack than a thread gets by default.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// The number of bytes in which Git looks for a NUL, which makes a file binary.
const BINARY_PROBE: usize = 8000;

/// The finding for a text above [`MAX_BYTES`].
pub fn too_large(severity: Severity) -> Finding {
    let mib = MAX_BYTES / (1024 * 1024);
    let message = Message::new(format!("the file is larger than {mib} MiB and is not checked"))
        .advise("split it, or exclude it with `exclude` in `.crd-ls.toml`");
    Finding::of_text(Code::FileTooLarge, severity, TextRange::default(), message)
}

/// Why bytes have no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndecodableBytes {
    /// They have a NUL byte, as Git recognizes binary files.
    Binary,
    /// They begin with the byte order mark of UTF-16, which PowerShell writes.
    Utf16,
    /// They are not UTF-8 from this place on.
    From(TextRange),
}

impl UndecodableBytes {
    /// Recognizes bytes without text by the first [`BINARY_PROBE`] of them.
    pub fn at_start_of(bytes: &[u8]) -> Option<Self> {
        let has_nul = bytes.iter().take(BINARY_PROBE).any(|byte| *byte == 0);
        match bytes {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] if has_nul => Some(Self::Utf16),
            _ => has_nul.then_some(Self::Binary),
        }
    }
}

/// The finding for bytes that are not UTF-8.
pub fn not_utf8(severity: Severity, bytes: UndecodableBytes) -> Finding {
    let (message, place) = match bytes {
        UndecodableBytes::Binary => {
            (Message::new("this is a binary file; it is not checked"), TextRange::default())
        }
        UndecodableBytes::Utf16 => {
            let message = Message::new("the file is UTF-16; it is not checked").advise("save it as UTF-8");
            (message, TextRange::default())
        }
        UndecodableBytes::From(place) => {
            let problem = "the file is not UTF-8 from here on; it is not checked";
            (Message::new(problem).advise("save it as UTF-8"), place)
        }
    };
    Finding::of_text(Code::FileNotUtf8, severity, place, message)
}
