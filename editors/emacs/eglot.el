;; eglot runs one server for a mode: this one takes the place of another YAML server.
(require 'eglot)
(add-to-list 'eglot-server-programs '((yaml-mode yaml-ts-mode) . ("crd-ls" "server")))
;; (setq-default eglot-workspace-configuration '((:crd-ls . (:kubernetesVersion "1.33"))))
