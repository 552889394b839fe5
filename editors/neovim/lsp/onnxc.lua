-- For `vim.lsp.enable('onnxc')`.
return {
  cmd = { 'onnxc', 'lsp' },
  filetypes = { 'onnxtxt' },
  root_markers = { '.onnxc.toml', '.git' },
  init_options = { inlayHints = { types = true, inputs = true, values = true }, codeLenses = true },
}
