//! Whether Go's TLS can load a CA bundle (`ValidateCABundle`): check 66, as far as the text of the bundle
//! shows.

/// The server's error for `bundle`, the base64 of PEM; `None` if it may be valid: certificates are not
/// parsed.
pub(super) fn problem(bundle: &str) -> Option<String> {
    let pem = String::from_utf8_lossy(&decode(bundle)).into_owned();
    let mut rest = pem.as_str();
    let mut error = "no valid certificate authority data seen";
    while !rest.is_empty() {
        let Some((block, after)) = next_block(rest) else {
            error = "unable to parse bytes as PEM block";
            break;
        };
        rest = after;
        if block.kind != "CERTIFICATE" || block.has_headers {
            continue;
        }
        if is_sequence(&block.bytes) {
            return None;
        }
        error = "failed to parse certificate: x509: malformed certificate";
        break;
    }
    // One certificate that loads is enough, at any position.
    let loads = all_blocks(&pem)
        .any(|block| block.kind == "CERTIFICATE" && !block.has_headers && is_sequence(&block.bytes));
    (!loads).then(|| format!("unable to load root certificates: {error}"))
}

struct PemBlock<'p> {
    kind: &'p str,
    has_headers: bool,
    bytes: Vec<u8>,
}

fn all_blocks(pem: &str) -> impl Iterator<Item = PemBlock<'_>> {
    let mut rest = pem;
    std::iter::from_fn(move || {
        let (block, after) = next_block(rest)?;
        rest = after;
        Some(block)
    })
}

/// The first complete block of `pem`, and the text after it.
fn next_block(pem: &str) -> Option<(PemBlock<'_>, &str)> {
    let mut rest = pem;
    loop {
        let at = if rest.starts_with(BEGIN) { 0 } else { rest.find("\n-----BEGIN ")? + 1 };
        let head = rest.get(at + BEGIN.len()..)?;
        let (line, body) = head.split_once('\n')?;
        rest = head;
        let Some(kind) = line.trim_end().strip_suffix("-----") else { continue };
        let end = format!("-----END {kind}-----");
        let Some((body, after)) = body.split_once(end.as_str()) else { continue };
        let has_headers = body.lines().next().is_some_and(|line| line.contains(':'));
        let bytes = decode(body);
        return Some((PemBlock { kind, has_headers, bytes }, after.trim_start()));
    }
}

const BEGIN: &str = "-----BEGIN ";

/// Whether `bytes` begin like all certificates: a DER sequence that extends to their end.
fn is_sequence(bytes: &[u8]) -> bool {
    let (Some(0x30), Some(&first)) = (bytes.first(), bytes.get(1)) else { return false };
    if first < 0x80 {
        return bytes.len() == 2 + usize::from(first);
    }
    let count = usize::from(first & 0x7F);
    let Some(digits) = bytes.get(2..2 + count).filter(|_| count <= 4) else { return false };
    let length = digits.iter().fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
    bytes.len() == 2 + count + length
}

/// Decodes base64; all other characters are skipped.
fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        }
    }
    bytes
}
