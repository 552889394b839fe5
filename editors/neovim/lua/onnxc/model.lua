-- Binary models as texts: reading `model.onnx` prints it without large weights; writing compiles the text with the
-- weights of the file that was read. `b:onnxc_source` is this file: its path, and its state when it was read or written.
local M = {}

local function run(args, input, path)
  return vim.system(vim.list_extend({ 'onnxc' }, args), { stdin = input, cwd = vim.fs.dirname(path) }):wait()
end

-- Returns a string that changes if another program writes or replaces the file.
local function state(path)
  local file = vim.uv.fs_stat(path)
  return file and table.concat({ file.mtime.sec, file.mtime.nsec, file.size, file.ino }, ' ') or 'missing'
end

local function refuse(reason)
  vim.notify('The model is not saved. ' .. reason, vim.log.levels.ERROR)
end

function M.read(buffer, path)
  local found = state(path)
  if found ~= 'missing' then
    local printed = run({ 'print', '--weights', 'elide', path }, nil, path)
    if printed.code ~= 0 then
      vim.notify(printed.stderr, vim.log.levels.ERROR)
      found = 'unreadable'
    else
      local undolevels = vim.bo[buffer].undolevels
      vim.bo[buffer].undolevels = -1 -- the reading cannot be undone
      vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(printed.stdout:gsub('\n$', ''), '\n', { plain = true }))
      vim.bo[buffer].undolevels = undolevels
      vim.bo[buffer].modified = false
    end
  end
  vim.b[buffer].onnxc_source = { path = path, state = found }
  vim.bo[buffer].filetype = 'onnxtxt'
end

-- Writes the text unless it has errors or another program has changed the file. `forced`: `:write!` only needs a text
-- that can be compiled.
function M.write(buffer, path, forced)
  local events = { buffer = buffer, modeline = false }
  vim.api.nvim_exec_autocmds('BufWritePre', events)
  -- A buffer that was not read from a model, such as that of a text, has no source.
  local source = vim.b[buffer].onnxc_source or { path = path, state = 'missing' }
  local found = path == source.path and state(path) or 'missing' -- Neovim asks before it replaces another file
  if not forced and found ~= 'missing' and found ~= source.state then
    return refuse('The file has changed since it was read; :write! replaces it, :edit! reads it again.')
  end
  local args = { 'compile', '-q', '-', '-o', path }
  if forced then
    table.insert(args, '--no-check')
  end
  if state(source.path) ~= 'missing' then
    vim.list_extend(args, { '--weights', source.path })
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n') .. '\n'
  local compiled = run(args, text, path)
  if compiled.code ~= 0 then
    local hint = compiled.code == 1 and not forced and ':write! saves it if it can be compiled.\n' or ''
    return refuse(hint .. compiled.stderr)
  end
  if path == vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p') then -- otherwise it is a copy
    vim.b[buffer].onnxc_source = { path = path, state = state(path) }
    vim.bo[buffer].modified = false
  end
  vim.api.nvim_exec_autocmds('BufWritePost', events)
end

return M
