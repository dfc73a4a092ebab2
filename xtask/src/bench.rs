//! `cargo xtask bench`: what a key stroke costs.

use std::process::Command;

use crate::place;

/// A large definition of the corpus, and what is edited in it.
const SESSIONS: [(&str, &str); 2] = [
    (
        "external-secrets__external-secrets/crds/config/crds/bases/external-secrets.io_secretstores.yaml",
        "description: ",
    ),
    ("istio__istio/crds/tests/integration/pilot/testdata/gateway-api-crd.yaml", "rule: "),
];

pub(crate) fn run() -> Result<(), String> {
    place::run(&mut place::cargo(&["bench", "--locked", "--package", "crd-ls-ide", "--bench", "keystroke"]))?;
    let Some(lspbench) = place::shared("lspbench/lspbench", "without a session over stdio") else {
        return Ok(());
    };
    let Some(corpus) = place::shared("corpus", "without a session over stdio") else { return Ok(()) };
    let server = format!("{} server", place::release_program()?.display());
    for (file, edited) in SESSIONS {
        let mut command = Command::new(&lspbench);
        command.args(["--cmd", &server, "--edits", "60", "--edit-match", edited]).arg(corpus.join(file));
        place::run(&mut command)?;
    }
    Ok(())
}
