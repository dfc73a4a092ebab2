//! The messages of the client. A message that cannot be read must not end an editing session: it is answered, and the next one
//! is found.

use std::io::{self, BufRead, Read};

use tower_lsp::jsonrpc::{Request, Response};

/// The maximum length of a header line, in bytes.
const MAX_HEADER: u64 = 4096;

/// The maximum size of a message in bytes; longer ones are skipped. It fits the largest text that is analysed, each byte of
/// which may take six bytes as an escape.
const MAX_BODY: u64 = 256 * 1024 * 1024;

/// The name of the only header that is read.
const CONTENT_LENGTH: &[u8] = b"content-length:";

/// A message of the client.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A request or a notification.
    Request(Request),
    /// The answer to a request of the server.
    Response(Response),
    /// An invalid message, or one that is too long.
    Unreadable,
}

/// The next message; `None` at the end.
///
/// # Errors
///
/// If the input can no longer be read.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let body = read(input)?;
    Ok(body.map(|body| body.map_or(Incoming::Unreadable, |body| parse(&body))))
}

/// The body of the next message, or `Some(None)` if it is too long. Lines that are not its headers are skipped. `None` at the
/// end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        match (line.is_empty(), length) {
            (true, Some(length)) if length > MAX_BODY => {
                let passed = io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
                return Ok((passed == length).then_some(None));
            }
            (true, Some(length)) => {
                let mut body = Vec::new();
                let got = input.by_ref().take(length).read_to_end(&mut body)?;
                return Ok((got as u64 == length).then_some(Some(body)));
            }
            (true, None) => {}
            (false, _) => length = content_length(line).or(length),
        }
    }
}

/// The length in a header line. Text before the header is the rest of a message whose header stated too small a length; after
/// this header the stream is read correctly again.
fn content_length(line: &[u8]) -> Option<u64> {
    let width = CONTENT_LENGTH.len();
    let header = line.windows(width).rposition(|name| name.eq_ignore_ascii_case(CONTENT_LENGTH))?;
    str::from_utf8(line.get(header + width..)?).ok()?.trim().parse().ok()
}

/// The message in `body`, which is repaired if necessary.
fn parse(body: &[u8]) -> Incoming {
    let message = |body: &[u8]| {
        match serde_json::from_slice::<Request>(body) {
            // tower-lsp parses an answer as a request without a method.
            Ok(request) if !request.method().is_empty() => Ok(Incoming::Request(request)),
            _ => serde_json::from_slice(body).map(Incoming::Response),
        }
    };
    let repaired = |_| message(&replace_unpaired_surrogates(body));
    message(body).or_else(repaired).unwrap_or(Incoming::Unreadable)
}

/// Replaces unpaired surrogates. Editors whose strings are UTF-16 escape them as they are, but UTF-8 text cannot hold
/// them. Each becomes U+FFFD, which is also one UTF-16 unit, so that later positions stay correct.
fn replace_unpaired_surrogates(body: &[u8]) -> Vec<u8> {
    let mut repaired = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(first) = rest.first() {
        let taken = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
            (Some(SurrogateHalf::High), Some(SurrogateHalf::Low)) => 12,
            (Some(_), _) => {
                repaired.extend_from_slice(b"\\ufffd");
                rest = rest.get(6..).unwrap_or_default();
                continue;
            }
            // An escaped backslash does not begin another escape.
            (None, _) if *first == b'\\' => 2,
            (None, _) => 1,
        };
        let (passed, left) = rest.split_at(taken.min(rest.len()));
        repaired.extend_from_slice(passed);
        rest = left;
    }
    repaired
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SurrogateHalf {
    High,
    Low,
}

/// The half of a surrogate pair with whose escape `text` begins.
fn surrogate(text: &[u8]) -> Option<SurrogateHalf> {
    let digits = str::from_utf8(text.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(SurrogateHalf::High),
        0xDC00..=0xDFFF => Some(SurrogateHalf::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn bodies(mut input: &[u8]) -> Vec<String> {
        let mut bodies = Vec::new();
        while let Some(body) = read(&mut input).unwrap() {
            bodies.push(body.map_or_else(|| "too long".to_owned(), |body| String::from_utf8(body).unwrap()));
        }
        bodies
    }

    #[test]
    fn headers_come_in_any_form_and_between_any_lines() {
        let input = b"junk\r\n\r\nContent-Type: application/vscode-jsonrpc\r\ncontent-length:2\r\n\r\n{}\
            Content-Length: x\r\nContent-Length: 3\r\n\r\n[1]";
        assert_eq!(bodies(input), ["{}", "[1]"]);
    }

    #[test]
    fn a_body_that_never_comes_is_the_end() {
        assert_eq!(bodies(b"Content-Length: 18446744073709551615\r\n\r\n{}"), Vec::<String>::new());
        assert_eq!(bodies(&[b'x'; 100_000]), Vec::<String>::new());
    }

    #[test]
    fn the_next_message_is_found_after_a_wrong_length() {
        let input =
            b"Content-Length: 3\r\n\r\n{\"a\": 1}Content-Length: 2\r\n\r\n[]content-length : 2\r\n\r\n\
            Content-Length: 4\r\n\r\nnull";
        assert_eq!(bodies(input), ["{\"a", "[]", "null"]);
    }

    #[test]
    fn an_oversized_message_is_skipped() {
        let body = vec![b' '; MAX_BODY as usize + 1];
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        let input = [header.as_bytes(), &body, b"Content-Length: 2\r\n\r\n{}"].concat();
        assert_eq!(bodies(&input), ["too long", "{}"]);
    }

    #[test]
    fn halves_of_surrogate_pairs_are_replaced_and_pairs_kept() {
        let repair = |text: &str| String::from_utf8(replace_unpaired_surrogates(text.as_bytes())).unwrap();
        assert_eq!(repair(r#""\ud83d\ude00""#), r#""\ud83d\ude00""#);
        assert_eq!(repair(r#""a\uD83D b\ude00""#), r#""a\ufffd b\ufffd""#);
        assert_eq!(repair(r#""\ud83d\ud83d\ude00""#), r#""\ufffd\ud83d\ude00""#);
        assert_eq!(repair(r#""\\ud83d\"""#), r#""\\ud83d\"""#);
        assert_eq!(repair("\\"), "\\");
    }

    #[test]
    fn invalid_messages_are_unreadable() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","method":"a","params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
        for bad in [
            "",
            "{",
            "[]",
            "7",
            r#"{"jsonrpc":"1.0","method":"a"}"#,
            r#"{"jsonrpc":"2.0","method":1}"#,
            &deep,
        ] {
            assert!(matches!(parse(bad.as_bytes()), Incoming::Unreadable), "{bad}");
        }
        assert!(matches!(parse(br#"{"jsonrpc":"2.0","id":1,"result":null}"#), Incoming::Response(_)));
        assert!(matches!(parse(br#"{"jsonrpc":"2.0","method":"a"}"#), Incoming::Request(_)));
    }
}
