"""Neovim 0.11: the plugin of editors/neovim, without a screen."""
import json
import subprocess
from pathlib import Path

import pytest

from conftest import EDITORS, program
from texts import ROOT

FUNCTION = ROOT / "testdata/examples/function.onnxtxt"


@pytest.fixture
def neovim(environment, library, tmp_path):
    """Runs Lua with the plugin and the parser installed, and returns the argument of its call of `answer`."""
    parsers = tmp_path / "runtime/parser"
    parsers.mkdir(parents=True)
    (parsers / "onnxtxt.so").write_bytes(library.read_bytes())

    def run(lua, *files, seconds=60):
        script, out = tmp_path / "test.lua", tmp_path / "out.json"
        head = f"""
          local function answer(value)
            vim.fn.writefile({{ vim.json.encode(value) }}, {json.dumps(str(out))})
          end
          local function wait(what, condition)
            if not vim.wait({seconds * 500}, condition, 20) then error('no ' .. what) end
          end
          local ok, message = xpcall(function() {lua} end, debug.traceback)
          if not ok then answer({{ error = message }}) end
          vim.cmd('qall!')
        """
        script.write_text(head)
        command = [program("nvim"), "--clean", "--headless", "--cmd", f"set rtp^={tmp_path}/runtime,{EDITORS}/neovim",
                   *map(str, files), "-c", f"luafile {script}"]  # fmt: skip
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=seconds)
        assert out.is_file(), done.stdout + done.stderr
        value = json.loads(out.read_text())
        assert not (isinstance(value, dict) and "error" in value), value["error"]
        return value

    return run


def test_colours_come_from_the_tree(neovim):
    lua = """
      vim.treesitter.get_parser(0):parse(true)
      local names = {}
      for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
        for column = 1, #line do
          for _, capture in ipairs(vim.treesitter.get_captures_at_pos(0, row - 1, column - 1)) do
            names[capture.capture] = (names[capture.capture] or 0) + 1
          end
        end
      end
      answer({ filetype = vim.bo.filetype, active = vim.treesitter.highlighter.active[vim.fn.bufnr()] ~= nil, names = names })
    """
    found = neovim(lua, FUNCTION)
    assert found["filetype"] == "onnxtxt" and found["active"]
    assert {"comment", "function", "function.call", "module", "variable", "type.builtin", "number", "property"} <= set(found["names"])


def test_folds_come_from_the_tree(neovim):
    levels = neovim("local l = {} for i = 1, vim.fn.line('$') do l[i] = vim.fn.foldlevel(i) end answer(l)", FUNCTION)
    assert levels[5] == 1 and levels[0] == 0  # the body of the graph


@pytest.fixture
def model(onnxc, tmp_path):
    """Returns the file of a model with weights that its text does not show."""
    path = tmp_path / "mlp.onnx"
    values = ", ".join(str(i / 8) for i in range(1024))
    text = f"<ir_version: 8, opset_import: ['': 17]> g (float[1024] x) => (float[1024] y) <float[1024] w = {{{values}}}> {{ y = Add (x, w) }}"
    subprocess.run([onnxc, "compile", "-", "-o", path], input=text.replace("'", '"'), text=True, check=True)
    return path


def test_model_opens_as_text_and_is_saved_with_its_weights(neovim, model):
    before = model.read_bytes()
    shown = neovim("answer(vim.api.nvim_buf_get_lines(0, 0, -1, true)) vim.cmd('write!')", model)
    assert any('"elided": "sha256:' in line for line in shown)
    assert model.read_bytes() == before
    neovim("vim.cmd('%s/Add/Mul/') vim.cmd('write') answer(vim.bo.modified)", model)
    assert model.read_bytes() == before.replace(b"Add", b"Mul")


def test_copies_of_a_model_have_its_weights(neovim, model, tmp_path):
    lua = """
      vim.cmd('%s/Add/Mul/')
      vim.cmd('write copy.onnx')
      local modified = vim.bo.modified
      vim.cmd('saveas other.onnx')
      vim.cmd('%s/Mul/Div/')
      vim.cmd('write')
      answer({ modified, vim.bo.modified })
    """
    before = model.read_bytes()
    assert neovim(lua, model) == [True, False]  # a copy does not save the model itself
    assert model.read_bytes() == before
    assert (tmp_path / "copy.onnx").read_bytes() == before.replace(b"Add", b"Mul")
    assert (tmp_path / "other.onnx").read_bytes() == before.replace(b"Add", b"Div")


def test_a_new_model_is_compiled(neovim, onnxc, tmp_path):
    lua = """
      vim.fn.setline(1, { '<ir_version: 8, opset_import: ["" : 17]>', 'g (float[N] x) => (float[N] y) { y = Relu (x) }' })
      vim.cmd('write')
      answer({ vim.bo.filetype, vim.bo.modified })
    """
    assert neovim(lua, tmp_path / "new.onnx") == ["onnxtxt", False]
    assert b"Relu" in (tmp_path / "new.onnx").read_bytes()


def test_a_text_is_written_as_a_model(neovim, tmp_path):
    text = tmp_path / "a.onnxtxt"
    text.write_text('<ir_version: 8, opset_import: ["" : 17]>\ng (float[N] x) => (float[N] y) { y = Relu (x) }\n')
    lua = """
      vim.cmd('write copy.onnx')
      local again, message = pcall(vim.cmd, 'write copy.onnx')
      vim.cmd('write! copy.onnx')
      answer({ again, message })
    """
    again, message = neovim(lua, text)
    assert not again and "E13" in message  # Neovim asks before it replaces the file
    assert b"Relu" in (tmp_path / "copy.onnx").read_bytes()


# What a buffer shows, and how a write of it fails.
WRITE = """
  local function write(command)
    local ok, message = pcall(vim.cmd, command)
    return { ok = ok, message = message, modified = vim.bo.modified }
  end
"""


@pytest.mark.parametrize("change", ["%s/Add/Addd/", "%s/Add (x, w)/Add (x, v)/", "%s/float.1024. x/float[7] x/", "%s/Add (x, w)/Add (x/"])
def test_model_with_an_error_is_shown_and_not_saved(neovim, model, change):
    before = model.read_bytes()
    lua = f"""{WRITE}
      vim.cmd('{change}')
      wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
      answer({{ write('write'), write('wq'), write('wall') }})
    """
    for result in neovim(lua, model):
        assert not result["ok"] and result["modified"] and ": error: " in result["message"], result
    assert model.read_bytes() == before


def test_model_with_an_error_is_saved_where_that_is_asked_for(neovim, model):
    lua = f"""{WRITE}
      vim.cmd('%s/Add/Addd/')
      local done = write('write!')
      vim.cmd('%s/ => / =/')
      answer({{ done, write('write!') }})
    """
    done, wrong = neovim(lua, model)
    assert done["ok"] and not done["modified"] and b"Addd" in model.read_bytes(), done
    assert not wrong["ok"] and wrong["modified"], wrong  # no model can be made of this text


@pytest.mark.parametrize("other", ["cat other > mlp.onnx", "mv other mlp.onnx", "touch mlp.onnx"])
def test_model_that_another_program_changed_is_not_replaced(neovim, model, tmp_path, other):
    before = model.read_bytes()
    (tmp_path / "other").write_bytes(before.replace(b"Add", b"Sub"))
    lua = f"""{WRITE}
      vim.cmd('%s/Add/Mul/')
      vim.fn.system('sleep 0.1; {other}')
      local refused = write('write')
      answer({{ refused, vim.fn.readblob('mlp.onnx') == vim.fn.readblob('kept'), write('write!'), write('write') }})
    """
    (tmp_path / "kept").write_bytes(before if other.startswith("touch") else before.replace(b"Add", b"Sub"))
    refused, is_kept, forced, again = neovim(lua, model)
    assert not refused["ok"] and refused["modified"] and "has changed since it was read" in refused["message"], refused
    assert is_kept and forced["ok"] and again["ok"] and not again["modified"]
    assert model.read_bytes() == before.replace(b"Add", b"Mul")


def test_model_that_is_gone_is_not_replaced_by_one_without_weights(neovim, model):
    refused = neovim(f"{WRITE} vim.fn.delete('mlp.onnx') answer(write('write!'))", model)
    assert not refused["ok"] and not model.exists()


def test_server_tells_errors_and_mends_them(neovim, tmp_path):
    file = tmp_path / "scale.onnxtxt"
    file.write_text((ROOT / "testdata/docs/scale.onnxtxt").read_text())
    lua = """
      wait('diagnostics', function() return #vim.diagnostic.get(0) == 2 end)
      local first = vim.diagnostic.get(0)[1]
      vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
      vim.lsp.buf.code_action({ apply = true, context = { only = { 'quickfix' }, diagnostics = {} } })
      wait('correction', function() return vim.fn.search('wieghts', 'nw') == 0 end)
      vim.cmd('%s/(c, c)/(c)/')
      wait('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
      vim.lsp.buf.format()
      local client = vim.lsp.get_clients({ bufnr = 0 })[1]
      answer({ code = first.code, encoding = client.offset_encoding, lines = vim.api.nvim_buf_get_lines(0, 0, -1, true) })
    """
    found = neovim(lua, file)
    assert found["code"] == "unknown-name"
    assert found["lines"][-3:] == ["   c = Mul (x, weights)", "   y = Relu (c)", "}"]


def test_hover_and_definition(neovim):
    lua = """
      wait('the server', function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)
      local function ask(method, words)
        vim.fn.cursor(1, 1)
        vim.fn.search(words, 'W')
        local encoding = vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding
        local reply = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(0, encoding), 10000)
        return select(2, next(reply)).result
      end
      answer({ hover = ask('textDocument/hover', 'ReduceSum'), definition = ask('textDocument/definition', 'total)') })
    """
    found = neovim(lua, ROOT / "testdata/examples/branch.onnxtxt")
    assert "keepdims" in found["hover"]["contents"]["value"]
    definition = found["definition"][0] if isinstance(found["definition"], list) else found["definition"]
    assert definition.get("range", definition.get("targetSelectionRange"))["start"] == {"line": 4, "character": 3}


def test_checkhealth_tells_what_is_there(neovim, onnxc):
    lua = "vim.cmd('checkhealth onnxc') answer(vim.api.nvim_buf_get_lines(0, 0, -1, true))"
    told = "\n".join(neovim(lua))
    assert f"{onnxc.parent}/onnxc is version " in told and "parser is installed" in told and "ERROR" not in told, told


def test_what_is_missing_is_told(neovim, environment):
    environment["PATH"] = "/nowhere"
    lua = """
      local told = vim.fn.execute('messages')
      vim.cmd('checkhealth onnxc')
      answer({ told = told, health = vim.api.nvim_buf_get_lines(0, 0, -1, true) })
    """
    found = neovim(lua, FUNCTION)
    assert found["told"].count("onnxc is not on PATH") == 1 and "checkhealth" in found["told"]
    assert any("ERROR" in line and "onnxc is not on PATH" in line for line in found["health"]), found["health"]
