;; As an add-on it runs beside yaml-language-server.
(require 'lsp-mode)
(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection '("crd-ls" "server"))
  :activation-fn (lsp-activate-on "yaml")
  :add-on? t
  ;; :initialization-options '(:kubernetesVersion "1.33")
  :server-id 'crd-ls))
