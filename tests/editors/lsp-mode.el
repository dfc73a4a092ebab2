;;; Fixes a definition as a user at the keyboard does, in Emacs with lsp-mode, and records what the editor shows.
;;
;; run: emacs -q --batch -l INIT.el -l lsp-mode.el FILE, with $SEEN naming the file for the transcript (JSON).
;; INIT.el holds the set-up that the manual shows. Exit status 0 if every step succeeded.

(require 'cl-lib)
(require 'json)
(require 'lsp-mode)
(require 'yaml-mode)

(defvar seen nil "The transcript, an alist.")

(defun note (key value) (setf (alist-get key seen) value))

(defun wait-for (what condition)
  "What CONDITION answers, once it is no longer nil."
  (let ((end (+ (float-time) 20)) answer)
    (while (and (not (setq answer (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (error "waited in vain for %s" what))))

(defun finding (diagnostic)
  (let* ((range (lsp-get diagnostic :range))
         (begin (lsp--position-to-point (lsp-get range :start)))
         (end (lsp--position-to-point (lsp-get range :end))))
    `((line . ,(line-number-at-pos begin))
      (marked . ,(buffer-substring-no-properties begin end))
      (source . ,(lsp-get diagnostic :source))
      (code . ,(lsp-get diagnostic :code))
      (message . ,(lsp-get diagnostic :message)))))

(defun findings ()
  (vconcat (mapcar #'finding (lsp--get-buffer-diagnostics))))

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun hover-text ()
  (lsp-get (lsp-get (lsp-request "textDocument/hover" (lsp--text-document-position-params)) :contents) :value))

(defun take-action (kind title)
  "Opens the menu of code actions at point and takes the first whose title begins with TITLE."
  (let* ((offered (lsp-code-actions-at-point kind))
         (taken (cl-find-if (lambda (offer) (string-prefix-p title (lsp-get offer :title))) offered)))
    (unless taken (error "no code action %s titled %s in %s" kind title offered))
    (lsp-execute-code-action taken)
    (note 'taken (vconcat (alist-get 'taken seen) (list (lsp-get taken :title))))))

(defun session ()
  (setq lsp-auto-guess-root t lsp-restart 'ignore lsp-auto-configure nil lsp-debounce-full-sync-notifications nil)
  (find-file (car command-line-args-left))
  (yaml-mode)
  (lsp)
  (wait-for "findings" (lambda () (> (length (findings)) 0)))
  (note 'opened (findings))
  (go-to "anyOf:")
  (note 'hover (hover-text))
  ;; lsp-mode counts characters where the protocol counts UTF-16 units: not on the line with the kite.
  (go-to "type: string\n")
  (take-action "quickfix" "Move `type")
  (wait-for "a single finding" (lambda () (= (length (findings)) 1)))
  (note 'hoisted (findings))
  (take-action "source.fixAll.crd-ls" "")
  (wait-for "no findings" (lambda () (= (length (findings)) 0)))
  (save-buffer))

(let ((problem ""))
  (condition-case failure (session)
    (error (setq problem (error-message-string failure))))
  (note 'problem problem)
  (let ((coding-system-for-write 'utf-8))
    (write-region (json-encode seen) nil (getenv "SEEN")))
  (setq kill-emacs-hook nil)
  (kill-emacs (if (equal problem "") 0 1)))
