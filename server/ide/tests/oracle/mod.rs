//! The verdict of the API server's code on a text, if `CRD_LS_ORACLE` names its program (`tests/oracle`).

use std::io::Write;
use std::process::Command;

use serde_json::Value;

/// The lines in which the API server's code rejects definitions in `text`; `None` if the program is not
/// available.
pub(crate) fn refused(text: &str) -> Option<String> {
    let oracle = environment::oracle()?;
    let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let output = Command::new(oracle).arg("crd").arg(file.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(!lines.is_empty(), "no verdict on {text}");
    let is_refused = |line: &&str| {
        let verdict: Value = serde_json::from_str(line).unwrap();
        ["decodeErrors", "strictErrors", "errors"]
            .iter()
            .any(|key| verdict[*key].as_array().is_some_and(|errors| !errors.is_empty()))
    };
    Some(lines.lines().filter(is_refused).map(|line| format!("{line}\n")).collect())
}
