---@brief
---
--- Language server for Kubernetes CustomResourceDefinitions and custom resources.
---
--- It reports only on definitions, resources of their kinds and Go types with kubebuilder markers, and runs beside
--- yaml-language-server and gopls. `crd-ls` has to be in `PATH`.
---
--- Settings: `kubernetesVersion`, `rules`, `inlayHints`, `fieldValidation`, `crds`, `compareWith`, `groupErrors`,
--- `experimental`; a repository keeps them in `.crd-ls.toml`.

---@type vim.lsp.Config
return {
  cmd = { 'crd-ls', 'server' },
  filetypes = { 'yaml', 'go' },
  root_markers = { '.crd-ls.toml', '.git' },
  -- gopls reports them.
  init_options = { goErrors = vim.fn.executable('gopls') == 0 },
}
