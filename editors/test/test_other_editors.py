"""Vim, Emacs, Kate's and Sublime's highlighters: colours, indentation, configuration."""
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from conftest import EDITORS, program
from texts import ROOT

# Indentation by brackets is that of the layout where no list is wrapped.
INDENTED = ["examples/branch", "examples/function", "examples/mlp", "docs/activations", "docs/swish"]

FUNCTION = ROOT / "testdata/examples/function.onnxtxt"


@pytest.fixture(params=INDENTED)
def flat(request, onnxc, tmp_path):
    """Returns a file without indentation, and the text with the expected indentation."""
    done = subprocess.run([onnxc, "fmt", ROOT / f"testdata/{request.param}.onnxtxt"], capture_output=True, text=True, check=True)
    path = tmp_path / "flat.onnxtxt"
    path.write_text("\n".join(line.lstrip(" ") for line in done.stdout.split("\n")))
    return path, done.stdout


def vim(environment, file, *commands):
    script = Path(environment["HOME"]) / "test.vim"
    script.write_text("\n".join(["filetype plugin indent on", "syntax on", f"edit {file}", *commands, "quit!"]))
    words = [program("vim"), "-Nu", "NONE", "-es", "--cmd", f"set rtp^={EDITORS}/vim", "-S", script]
    subprocess.run(words, env=environment, timeout=60)


def emacs(environment, *forms):
    words = ["--batch", "--eval", "(package-initialize)", "-L", str(EDITORS / "emacs"), "-l", "onnxtxt-mode", *(w for form in forms for w in ("--eval", form))]
    done = subprocess.run([program("emacs"), *words], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_vim_indents_as_the_layout_does(flat, environment):
    path, expected = flat
    vim(environment, path, "set equalprg=", "normal gg=G", "write")
    assert path.read_text() == expected


def test_vim_formats_by_onnxc(environment, tmp_path):
    path = tmp_path / "untidy.onnxtxt"
    path.write_text("g (float  x)=>(float y){y=Relu(x)}\n")
    vim(environment, path, "normal gg=G", "write")
    assert path.read_text() == "g (float x) => (float y) {\n   y = Relu (x)\n}\n"


@pytest.mark.parametrize("lines", ["gg=G", "=="])
@pytest.mark.parametrize("text", ["g (float  x)=>(float y){y=Relu(x}\n", "no model\n  # at all\n", "y = Relu(x)\n" * 20000])
def test_vim_keeps_lines_that_onnxc_does_not_format(environment, tmp_path, text, lines):
    path = tmp_path / "wrong.onnxtxt"
    path.write_text(text)
    vim(environment, path, f"normal {lines}", "write")
    assert path.read_text() == text


def test_vim_colours(environment, tmp_path):
    ask = "synIDattr(synID(search('{}'), col('.'), 1), 'name')"
    marks = {"# A": "onnxtxtComment", "pair": "onnxtxtDefinition", "float": "onnxtxtType", "left": "onnxtxtOutput",
             r"Scale <factor =": "onnxtxtOperator", "3.0": "onnxtxtFloat", "@factor": "onnxtxtAnnotation",
             "opset_import": "onnxtxtKey", '"example"': "onnxtxtString"}  # fmt: skip
    lines = (f"call cursor(1, 1) | call writefile([{ask.format(mark)}], '{tmp_path}/out', 'a')" for mark in marks)
    vim(environment, FUNCTION, *lines)
    assert (tmp_path / "out").read_text().split() == list(marks.values())


def test_emacs_indents_as_the_layout_does(flat, environment):
    path, expected = flat
    emacs(environment, f'(with-current-buffer (find-file "{path}") (indent-region (point-min) (point-max)) (save-buffer))')
    assert path.read_text() == expected


def test_emacs_colours(environment):
    marks = {"# A": "font-lock-comment-delimiter-face", "pair": "font-lock-function-name-face", "float": "font-lock-type-face",
             "left": "font-lock-variable-name-face", "Scale <factor =": "font-lock-function-name-face",
             "@factor": "font-lock-preprocessor-face", "opset_import": "font-lock-keyword-face",
             '\\"example\\"': "font-lock-string-face"}  # fmt: skip
    out = emacs(
        environment,
        f'(find-file "{FUNCTION}")',
        "(font-lock-ensure)",
        *(f'(progn (goto-char (point-min)) (search-forward "{mark}") (princ (format "%s\\n" (get-text-property (match-beginning 0) (quote face)))))'
          for mark in marks),
    )  # fmt: skip
    assert out.split() == list(marks.values())


def test_emacs_compiles_the_mode_without_warnings(environment, tmp_path):
    source = tmp_path / "onnxtxt-mode.el"
    source.write_text((EDITORS / "emacs/onnxtxt-mode.el").read_text())
    emacs(environment, "(setq byte-compile-error-on-warn t)", f'(unless (byte-compile-file "{source}") (kill-emacs 1))')


def test_kate_colours(environment):
    environment |= {"XDG_DATA_HOME": f"{environment['HOME']}/data", "QT_QPA_PLATFORM": "offscreen"}
    folder = Path(environment["XDG_DATA_HOME"]) / "org.kde.syntax-highlighting/syntax"
    folder.mkdir(parents=True)
    shutil.copy(EDITORS / "kate/onnxtxt.xml", folder)
    command = [program("kate-syntax-highlighter"), "-s", "ONNX text", "-f", "html", FUNCTION]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    colours = dict((word, colour) for colour, word in re.findall(r'<span style="color:(#\w+);">(\w+)\.?</span>', done.stdout))
    assert len({colours[word] for word in ("opset_import", "example", "Scale", "17")}) == 4, done.stdout
    assert colours["float"] == colours["opset_import"], done.stdout  # of the kind `float`, a key


def test_sublime_colours(environment, tmp_path):
    """Tests the colours with bat, which uses the syntax definitions of Sublime Text."""
    bat = program("batcat")
    environment |= {"BAT_CACHE_PATH": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path)}
    (tmp_path / "bat/syntaxes").mkdir(parents=True)
    shutil.copy(EDITORS / "sublime/ONNX text.sublime-syntax", tmp_path / "bat/syntaxes")
    subprocess.run([bat, "cache", "--build", "--source", tmp_path / "bat"], env=environment, check=True, capture_output=True)
    command = [bat, "-p", "--color=always", "--theme=Monokai Extended", FUNCTION]
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    colours = {}
    for colour, word in re.findall(r"\x1b\[([0-9;]+)m(\w+)", out):
        colours.setdefault(word, colour)
    assert len({colours[word] for word in ("ir_version", "float", "17", "x")}) == 4, out


def test_configurations_can_be_read():
    assert tomllib.loads((EDITORS / "helix/languages.toml").read_text())["language"][0]["name"] == "onnxtxt"
    assert "ONNX text" in json.loads((EDITORS / "kate/lspclient.json").read_text())["servers"]
    assert json.loads((EDITORS / "sublime/LSP.sublime-settings").read_text())["clients"]["onnxc"]["command"] == ["onnxc", "lsp"]


def test_emacs_shows_what_the_server_says(environment, tmp_path):
    """Eglot starts the server; Flymake shows its diagnostics, and its correction is applied."""
    file = tmp_path / "scale.onnxtxt"
    file.write_text((ROOT / "testdata/docs/scale.onnxtxt").read_text())
    form = f"""
      (progn
        (require 'eglot)
        (find-file "{file}")
        (setq-local eglot-sync-connect 20)
        (apply #'eglot (eglot--guess-contact))
        (flymake-mode 1)
        (flymake-start)
        (let ((end (+ (float-time) 30)))
          (while (and (< (float-time) end) (< (length (flymake-diagnostics)) 2))
            (accept-process-output nil 0.1)))
        (dolist (found (flymake-diagnostics))
          (princ (format "%s: %s\\n" (buffer-substring (flymake-diagnostic-beg found) (flymake-diagnostic-end found))
                         (flymake-diagnostic-text found))))
        (goto-char (point-min))
        (search-forward "wieghts")
        (backward-char 3)
        (let ((eglot-confirm-server-initiated-edits nil))
          (eglot-code-actions (point) (point) "quickfix" t))
        (eglot-format-buffer)
        (princ (buffer-string))
        (eglot-shutdown (eglot-current-server)))
    """
    out = emacs(environment, form)
    assert "wieghts: " in out and "unknown-name" in out, out
    assert "   c = Mul (x, weights)\n   y = Relu (c, c)\n}\n" in out, out


def test_emacs_tells_that_the_program_is_missing(environment):
    form = "(condition-case told (eglot--guess-contact) (error (princ (error-message-string told))))"
    out = emacs(environment, "(setq onnxtxt-server-command '(\"no-onnxc\" \"lsp\"))", "(require 'eglot)", f'(find-file "{FUNCTION}")', form)
    assert "The program no-onnxc is not on" in out
