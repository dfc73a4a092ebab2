//! Limits of the analysis, and the findings for files beyond them.

use api::Code;
use ide::{FieldPath, Finding, Message, Severity};
use text::TextRange;

/// The largest text that is analysed, in bytes. etcd rejects much smaller objects; this limit is for bundles.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Deep documents need more stack than a thread gets by default.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// The number of bytes in which Git looks for a NUL, which makes a file binary.
pub const BINARY_PROBE: usize = 8000;

/// The finding for a text above [`MAX_BYTES`].
pub fn too_large(severity: Severity) -> Finding {
    let mib = MAX_BYTES / (1024 * 1024);
    let message = Message::new(format!("the file is larger than {mib} MiB and is not checked"))
        .advise("split it, or exclude it with `exclude` in `.crd-ls.toml`");
    finding(Code::FileTooLarge, severity, message, TextRange::default())
}

/// The finding for bytes that are not UTF-8; `place` is the position of the first of them.
pub fn not_utf8(severity: Severity, binary: bool, place: TextRange) -> Finding {
    let message = match binary {
        true => Message::new("this is a binary file; it is not checked"),
        false => {
            Message::new("the file is not UTF-8 from here on; it is not checked").advise("save it as UTF-8")
        }
    };
    finding(Code::FileNotUtf8, severity, message, place)
}

fn finding(code: Code, severity: Severity, message: Message, range: TextRange) -> Finding {
    Finding {
        code,
        severity,
        message,
        range,
        field_path: FieldPath::root(),
        api_server: None,
        related: Vec::new(),
    }
}
