vim.bo.commentstring = '# %s'
vim.bo.shiftwidth, vim.bo.softtabstop, vim.bo.expandtab = 3, 3, true
-- Uses the colours of tree-sitter if the parser is installed, and otherwise syntax/onnxtxt.vim.
if pcall(vim.treesitter.start) then
  vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldlevel = 'expr', 'v:lua.vim.treesitter.foldexpr()', 99
end
if vim.fn.executable('onnxc') == 0 then
  vim.notify_once('The program onnxc is not on PATH: only colours work. See :checkhealth onnxc', vim.log.levels.WARN)
end
