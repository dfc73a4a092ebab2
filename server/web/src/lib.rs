//! crd-ls in a browser. [`Engine`] answers calls in JSON: the commands of the program, and messages of the
//! protocol. It keeps texts in memory, reads no files, starts no threads and uses no clock.

#[cfg(target_arch = "wasm32")]
mod abi;
mod calls;
mod host;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use host::Host;

/// Answers calls: the open texts of one client, and functions.
#[derive(Debug, Default)]
pub struct Engine {
    host: Host,
}

/// A call.
#[derive(Debug, Deserialize)]
struct Call<'a> {
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

impl Engine {
    /// Answers a call `{"method": …, "params": …}` with `{"result": …}` or `{"error": "…"}`.
    #[must_use]
    pub fn call(&mut self, call: &str) -> String {
        match self.answer(call) {
            Ok(result) => format!("{{\"result\":{}}}", result.trim_end()),
            Err(problem) => serde_json::json!({ "error": problem }).to_string(),
        }
    }

    fn answer(&mut self, call: &str) -> Result<String, String> {
        let call: Call<'_> = serde_json::from_str(call).map_err(|error| format!("not a call: {error}"))?;
        let params = call.params.map_or("null", RawValue::get);
        match call.method.as_str() {
            "lsp" => {
                let messages =
                    serde_json::from_str(params).map_err(|error| format!("not messages: {error}"))?;
                Ok(format!("[{}]", self.host.take(messages).join(",")))
            }
            method => calls::answer(method, params),
        }
    }
}
