//! Starts `crd-ls server` for YAML files in Zed.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct CrdLs;

impl zed::Extension for CrdLs {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("crd-ls").ok_or_else(|| {
            "crd-ls is not in PATH: install it, e.g. by `cargo install --path server/lsp`".to_owned()
        })?;
        Ok(Command { command, args: vec!["server".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(CrdLs);
