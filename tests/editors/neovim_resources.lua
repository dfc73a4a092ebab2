-- Opens a resource whose definition is only on disk, then edits the definition, in Neovim 0.7 and newer, and records
-- what the editor shows.
--
-- run: nvim --headless -u INIT.lua -S neovim_resources.lua widget.yaml, in a directory with crd.yaml, with $SEEN naming
-- the file for the transcript (JSON). Exit status 0 if every step succeeded.

local seen = {}

local support = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/support.lua')
local wait = support.wait

local function findings(buffer)
  local list = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    list[#list + 1] = diagnostic.message
  end
  return list
end

local function session()
  local resource = vim.api.nvim_get_current_buf()
  wait('a finding on the resource', function() return #findings(resource) > 0 end)
  seen.opened = findings(resource)

  local function ask(method, line, character, more)
    local params = { textDocument = { uri = vim.uri_from_bufnr(resource) }, position = { line = line, character = character } }
    params = vim.tbl_extend('force', params, more or {})
    for _, answer in pairs(vim.lsp.buf_request_sync(resource, method, params, 20000) or {}) do
      if answer.result then
        return answer.result
      end
    end
    error('no answer to ' .. method)
  end
  seen.hover = ask('textDocument/hover', 4, 3).contents.value
  vim.api.nvim_buf_set_lines(resource, 4, 5, false, { '  ' })
  seen.completed = ask('textDocument/completion', 4, 2)[1].label
  vim.cmd('undo')

  -- Enter after `spec:`, one key: from 0.12 on, Neovim itself sends the request.
  vim.api.nvim_buf_set_lines(resource, 4, 4, false, { '' })
  local options = { tabSize = 2, insertSpaces = true }
  seen.entered = ask('textDocument/onTypeFormatting', 4, 0, { ch = '\n', options = options })[1].newText
  vim.cmd('undo')

  vim.cmd('split crd.yaml')
  vim.cmd('%s/integer/string/')
  wait('no finding on the resource', function() return #findings(resource) == 0 end)

  vim.cmd('undo')
  wait('the finding again', function() return #findings(resource) > 0 end)
end

local ok, problem = pcall(session)
seen.problem = ok and '' or tostring(problem)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(ok and 'qall!' or 'cquit 1')
