;; As an add-on it runs beside yaml-language-server.
(require 'lsp-mode)
(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection '("crd-ls" "server"))
  ;; Not by language: lsp-mode takes some YAML files for those of Spring Boot.
  :major-modes '(yaml-mode yaml-ts-mode)
  :add-on? t
  ;; :initialization-options '(:kubernetesVersion "1.33")
  :server-id 'crd-ls))
