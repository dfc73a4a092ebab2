---@brief
---
--- Language server for Kubernetes CustomResourceDefinitions and custom resources.
---
--- It speaks only about definitions and resources of their kinds, and runs beside yaml-language-server. `crd-ls` has to
--- be in `PATH`.
---
--- Settings: `kubernetesVersion`, `rules`, `inlayHints`, `fieldValidation`, `crds`, `compareWith`, `groupErrors`,
--- `experimental`; a repository keeps them in `.crd-ls.toml`.

---@type vim.lsp.Config
return {
  cmd = { 'crd-ls', 'server' },
  filetypes = { 'yaml' },
  root_markers = { '.crd-ls.toml', '.git' },
}
