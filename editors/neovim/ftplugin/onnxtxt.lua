vim.bo.commentstring = '# %s'
vim.bo.shiftwidth, vim.bo.softtabstop, vim.bo.expandtab = 3, 3, true
-- Colours by the tree where the parser is installed, else by syntax/onnxtxt.vim.
if pcall(vim.treesitter.start) then
  vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldlevel = 'expr', 'v:lua.vim.treesitter.foldexpr()', 99
end
