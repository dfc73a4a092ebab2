;;; Fixes a definition as a user at the keyboard does, in Emacs with eglot, and records what the editor shows.
;;
;; run: emacs -q --batch -l INIT.el -l eglot.el FILE, with $SEEN naming the file for the transcript (JSON).
;; INIT.el holds the set-up that the manual shows. Exit status 0 if every step succeeded.

(require 'cl-lib)
(require 'flymake)
(require 'json)

(defvar seen nil "The transcript, an alist.")

(defun note (key value) (setf (alist-get key seen) value))

(defun wait-for (what condition)
  "What CONDITION answers, once it is no longer nil."
  (let ((end (+ (float-time) 20)) answer)
    (while (and (not (setq answer (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (error "waited in vain for %s" what))))

(defun finding (diagnostic)
  (let ((text (substring-no-properties (flymake-diagnostic-text diagnostic)))
        (begin (flymake-diagnostic-beg diagnostic)))
    ;; eglot shows "crd-ls [code]: message", with or without the space by version.
    (unless (string-match "\\`\\([^[ ]*\\) ?\\[\\([^]]*\\)\\]: *\\(\\(?:.\\|\n\\)*\\)" text)
      (error "a finding without source or code: %s" text))
    `((line . ,(line-number-at-pos begin))
      (marked . ,(buffer-substring-no-properties begin (flymake-diagnostic-end diagnostic)))
      (source . ,(match-string 1 text))
      (code . ,(match-string 2 text))
      (message . ,(match-string 3 text)))))

(defun findings ()
  (flymake-start) ; Batch mode has no timers that would show what has come in.
  (vconcat (mapcar #'finding (flymake-diagnostics))))

(defun send-changes ()
  (eglot--signal-textDocument/didChange)) ; Sent by an idle timer otherwise.

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun hover-text ()
  (let (text)
    (eglot-hover-eldoc-function (lambda (shown &rest _) (setq text shown)))
    (substring-no-properties (wait-for "the hover" (lambda () text)))))

(defun proposals ()
  "The labels of what is proposed at point."
  (let ((capf (eglot-completion-at-point)))
    (vconcat (mapcar #'substring-no-properties (all-completions "" (nth 2 capf))))))

(defun take-action (kind title)
  "Opens the menu of code actions at point and takes the first whose title begins with TITLE."
  (let* ((offered (mapcar (lambda (action) (plist-get action :title))
                          (eglot-code-actions (point) (point) kind)))
         (taken (cl-find-if (lambda (offer) (string-prefix-p title offer)) offered))
         (last-nonmenu-event t)) ; The menu of the keyboard, not of the mouse.
    (unless taken (error "no code action %s titled %s in %s" kind title offered))
    (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) taken)))
      (eglot-code-actions (point) (point) kind t)) ; A lone action is taken without a menu.
    (send-changes)
    (note 'taken (vconcat (alist-get 'taken seen) (list taken)))))

(defun session ()
  (setq eglot-sync-connect 20)
  (find-file (car command-line-args-left))
  (run-hooks 'post-command-hook) ; eglot-ensure waits for the end of the command.
  (wait-for "the connection" #'eglot-current-server)
  (wait-for "findings" (lambda () (> (length (findings)) 0)))
  (note 'opened (findings))
  (go-to "anyOf:")
  (note 'hover (hover-text))
  (go-to "type: string}")
  (take-action "quickfix" "Move `type")
  (wait-for "a single finding" (lambda () (= (length (findings)) 1)))
  (note 'hoisted (findings))
  (take-action "source.fixAll.crd-ls" "")
  (wait-for "no findings" (lambda () (= (length (findings)) 0)))
  (save-buffer)
  (go-to "type: object")
  (end-of-line)
  (insert "\n        ")
  (send-changes)
  (note 'proposed (proposals))
  (eglot-shutdown (eglot-current-server)))

(let ((problem ""))
  (condition-case failure (session)
    (error (setq problem (error-message-string failure))))
  (note 'problem problem)
  (let ((coding-system-for-write 'utf-8))
    (write-region (json-encode seen) nil (getenv "SEEN")))
  (setq kill-emacs-hook nil)
  (kill-emacs (if (equal problem "") 0 1)))
