//! The stored objects of the API server, read from its etcd.

use serde_json::{Value, json};

use super::http::Client;
use super::server::InstalledDefinition;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The prefix of all keys of the server.
const ROOT: &str = "/registry/apiextensions.kubernetes.io";

/// The stored object with that name; null if there is none.
pub(crate) fn stored(url: &str, installed: &InstalledDefinition<'_>, name: &str) -> Value {
    let key = format!("{ROOT}/{}/{name}", installed.key());
    let (_, answer) = Client::new(url).post("/v3/kv/range", &json!({"key": encoded(key.as_bytes())}));
    let text = answer["kvs"][0]["value"].as_str().unwrap_or_default();
    serde_json::from_slice(&decoded(text)).unwrap_or(Value::Null)
}

/// Base64, which the JSON of etcd uses for bytes.
fn encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        let digit = |at: u32| char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
        let used = chunk.len() as u32 + 1;
        text.extend((0..4).map(|at| if at < used { digit(at) } else { '=' }));
    }
    text
}

fn decoded(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0usize, 0);
    for digit in digits {
        bits = (bits << 6 | digit) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}
