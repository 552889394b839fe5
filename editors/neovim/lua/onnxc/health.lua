-- `:checkhealth onnxc`: shows which parts are installed, and which are missing.
local M = {}

local INSTALL = 'Put the program onnxc on PATH: docs/building.md of onnxc tells how to build or install it.'

function M.check()
  vim.health.start('onnxc')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim is 0.11 or later')
  else
    vim.health.warn('This Neovim is older than 0.11: the server is not started.')
  end
  local path = vim.fn.exepath('onnxc')
  if path == '' then
    vim.health.error('The program onnxc is not on PATH: no errors, types or completion, and no binary models.', INSTALL)
  else
    local told = vim.system({ path, '--version' }, { text = true }):wait()
    local version = told.code == 0 and told.stdout:match('^onnxc ([%d.]+)')
    if version then
      vim.health.ok(('%s is version %s'):format(path, version))
    else
      vim.health.error(path .. ' does not tell its version: it is another program, or does not run here.', INSTALL)
    end
  end
  if #vim.api.nvim_get_runtime_file('parser/onnxtxt.*', false) > 0 then
    vim.health.ok('The tree-sitter parser is installed')
  else
    vim.health.warn('There is no tree-sitter parser: colours come from syntax/onnxtxt.vim, and there are no folds.', {
      'editors/README.md of onnxc shows the command that compiles it.',
    })
  end
end

return M
