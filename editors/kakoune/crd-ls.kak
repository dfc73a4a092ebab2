# For kakrc, with kak-lsp 17 or newer.
hook -group lsp-filetype-yaml global BufSetOption filetype=yaml %{
  set-option buffer lsp_servers %{
    [crd-ls]
    root_globs = [".crd-ls.toml", ".git"]
    command = "crd-ls"
    args = ["server"]
    settings_section = "crd-ls"
    [crd-ls.settings.crd-ls]
    # kubernetesVersion = "1.33"
  }
}
