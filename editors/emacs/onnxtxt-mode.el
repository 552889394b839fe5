;;; onnxtxt-mode.el --- Major mode for the ONNX text syntax  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Colours and indentation for ONNX models as text.  With Eglot, the server `onnxc lsp' tells errors, types and shapes:
;;
;;   (require 'onnxtxt-mode)
;;   (add-hook 'onnxtxt-mode-hook #'eglot-ensure)

;;; Code:

(defgroup onnxtxt nil
  "The ONNX text syntax."
  :group 'languages)

(defcustom onnxtxt-indent-offset 3
  "The blanks of a step."
  :type 'natnum
  :safe #'natnump)

(defcustom onnxtxt-server-command '("onnxc" "lsp")
  "The program that Eglot starts, and its arguments."
  :type '(repeat string))

(defvar onnxtxt-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?< "(>" table)
    (modify-syntax-entry ?> ")<" table)
    (modify-syntax-entry ?= "." table)
    (modify-syntax-entry ?. "." table)
    (modify-syntax-entry ?- "." table)
    table))

;; The `>' of an arrow closes nothing.
(defconst onnxtxt--syntax-propertize (syntax-propertize-rules ("=\\(>\\)" (1 "."))))

(defconst onnxtxt--types
  '("float" "uint8" "int8" "uint16" "int16" "int32" "int64" "string" "bool" "float16" "double" "uint32" "uint64"
    "complex64" "complex128" "bfloat16" "float8e4m3fn" "float8e4m3fnuz" "float8e5m2" "float8e5m2fnuz" "uint4" "int4"
    "float4e2m1" "float8e8m0" "uint2" "int2" "float6e2m3" "float6e3m2"))

(defconst onnxtxt-font-lock-keywords
  (let ((name "[A-Za-z_][A-Za-z_0-9]*"))
    `(("#[ \t]*onnxc:.*$" 0 font-lock-preprocessor-face t)
      ;; A node's operator: `= domain.Op:overload ('.
      (,(concat "=[ \t]*\\(\\(?:" name "\\.\\)*\\)\\(" name "\\)\\(?::\\(" name "\\)\\)?[ \t\n]*[(<]")
       (1 font-lock-constant-face) (2 font-lock-function-name-face) (3 font-lock-constant-face nil t))
      ;; A graph or function.
      (,(concat "^\\(" name "\\)[ \t]*[(<]") 1 font-lock-function-name-face)
      ;; A reference, and a field before an element.
      (,(concat "@[ \t]*" name "\\(?:\\." name "\\)*") 0 font-lock-preprocessor-face)
      (,(concat "\\_<\\(?:" (regexp-opt onnxtxt--types) "\\)\\_>[ \t]*\\(?:\\[[^]]*\\]\\)?[ \t]+\\(" name "\\)")
       1 font-lock-variable-name-face)
      (,(concat "\\_<" (regexp-opt onnxtxt--types) "\\_>") 0 font-lock-type-face)
      ("\\_<\\(seq\\|optional\\|map\\|sparse_tensor\\|opaque\\)\\_>[ \t]*(" 1 font-lock-type-face)
      ;; What a node gives; an attribute.
      (,(concat "\\_<\\(" name "\\)[ \t]*=\\(?:[^>]\\|$\\)") 1 font-lock-variable-name-face)
      (,(concat "\\_<\\(" name "\\)[ \t]*:") 1 font-lock-keyword-face)
      ("-?\\_<\\(?:[nN][aA][nN]\\(?:0x[0-9a-fA-F]+\\)?\\|[iI][nN][fF]\\(?:[iI][nN][iI][tT][yY]\\)?\\)\\_>"
       0 font-lock-constant-face))))

(defun onnxtxt-indent-line ()
  "Indent the line by the brackets around it."
  (interactive)
  (let* ((column (save-excursion (beginning-of-line) (onnxtxt--column)))
         (from-end (- (point-max) (point))))
    (unless (nth 3 (syntax-ppss (line-beginning-position))) ; a string keeps its blanks
      (indent-line-to column)
      (when (> (- (point-max) from-end) (point))
        (goto-char (- (point-max) from-end))))))

(defun onnxtxt--column ()
  "The column: a step in from the line of the innermost open bracket."
  (let ((bracket (nth 1 (syntax-ppss)))
        (closes (looking-at "[ \t]*[])}>]")))
    (if (null bracket)
        0
      (save-excursion
        (goto-char bracket)
        (+ (current-indentation) (if closes 0 onnxtxt-indent-offset))))))

;;;###autoload
(define-derived-mode onnxtxt-mode prog-mode "ONNX"
  "Major mode for models in the ONNX text syntax."
  (setq-local comment-start "# "
              comment-start-skip "#+[ \t]*"
              comment-end ""
              indent-tabs-mode nil
              tab-width onnxtxt-indent-offset
              indent-line-function #'onnxtxt-indent-line
              syntax-propertize-function onnxtxt--syntax-propertize
              parse-sexp-lookup-properties t
              electric-indent-chars (append "})]>" electric-indent-chars)
              font-lock-defaults '(onnxtxt-font-lock-keywords)
              imenu-generic-expression '((nil "^\\([A-Za-z_][A-Za-z_0-9]*\\)[ \t]*[(<]" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.onnxte?xt\\'" . onnxtxt-mode))

(defun onnxtxt--server (&rest _)
  "The command that Eglot starts; an error where its program is missing."
  (unless (executable-find (car onnxtxt-server-command))
    (user-error "The program %s is not on `exec-path': install onnxc, or set `onnxtxt-server-command'"
                (car onnxtxt-server-command)))
  onnxtxt-server-command)

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(onnxtxt-mode . onnxtxt--server)))

(provide 'onnxtxt-mode)
;;; onnxtxt-mode.el ends here
