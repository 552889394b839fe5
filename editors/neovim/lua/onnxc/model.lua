-- Binary models as texts: reading `model.onnx` prints it without large weights; writing compiles the text with the
-- weights of the file.
local M = {}

local function run(args, input, path)
  return vim.system(vim.list_extend({ 'onnxc' }, args), { stdin = input, cwd = vim.fs.dirname(path) }):wait()
end

function M.read(buffer, path)
  if not vim.uv.fs_stat(path) then
    return
  end
  local printed = run({ 'print', '--weights', 'elide', path }, nil, path)
  if printed.code ~= 0 then
    vim.notify(printed.stderr, vim.log.levels.ERROR)
    return
  end
  local undolevels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1 -- the reading cannot be undone
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(printed.stdout:gsub('\n$', ''), '\n', { plain = true }))
  vim.bo[buffer].undolevels = undolevels
  vim.bo[buffer].buftype = 'acwrite'
  vim.bo[buffer].filetype = 'onnxtxt'
  vim.bo[buffer].modified = false
end

function M.write(buffer, path)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n') .. '\n'
  local args = { 'compile', '-q', '--no-check', '-', '-o', path }
  if vim.uv.fs_stat(path) then
    vim.list_extend(args, { '--weights', path })
  end
  local compiled = run(args, text, path)
  if compiled.code ~= 0 then
    vim.notify('The model is not changed. ' .. compiled.stderr, vim.log.levels.ERROR)
    return
  end
  vim.bo[buffer].modified = false
end

return M
