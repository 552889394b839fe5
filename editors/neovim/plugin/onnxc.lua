vim.filetype.add({ extension = { onnxtxt = 'onnxtxt', onnxtext = 'onnxtxt' } })
if vim.fn.has('nvim-0.11') == 1 and vim.fn.executable('onnxc') == 1 then
  vim.lsp.enable('onnxc')
end

local group = vim.api.nvim_create_augroup('onnxc', {})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = '*.onnx',
  callback = function(event)
    require('onnxc.model').read(event.buf, vim.fn.fnamemodify(event.match, ':p'))
  end,
})
vim.api.nvim_create_autocmd('BufWriteCmd', {
  group = group,
  pattern = '*.onnx',
  callback = function(event)
    require('onnxc.model').write(event.buf, vim.fn.fnamemodify(event.match, ':p'), vim.v.cmdbang == 1)
  end,
})
