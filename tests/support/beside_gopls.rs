//! The set-up of gopls in Neovim, beside crd-ls.

/// The configuration that a user of Neovim adds for gopls.
pub(crate) const SETUP: &str = "
vim.lsp.config('gopls', {
  cmd = { 'gopls' },
  filetypes = { 'go' },
  root_markers = { 'go.mod' },
  settings = { gopls = { semanticTokens = true, hints = { assignVariableTypes = true } } },
})
vim.lsp.enable('gopls')
";

/// Variables with which Go downloads nothing.
pub(crate) const OFFLINE: [(&str, &str); 5] = [
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("GOFLAGS", "-mod=mod"),
    ("GOWORK", "off"),
    ("GOENV", "off"),
];
