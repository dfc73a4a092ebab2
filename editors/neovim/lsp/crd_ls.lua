---@brief
---
--- Language server for Kubernetes CustomResourceDefinitions.
---
--- It speaks only about definitions and runs beside yaml-language-server. `crd-ls` has to be in `PATH`.
---
--- Settings: `kubernetesVersion`, `rules`, `fieldValidation`, `crds`, `compareWith`,
--- `groupErrors`, `experimental`; a repository keeps them in `.crd-ls.toml`.

---@type vim.lsp.Config
return {
  cmd = { 'crd-ls', 'server' },
  filetypes = { 'yaml' },
  root_markers = { '.crd-ls.toml', '.git' },
}
