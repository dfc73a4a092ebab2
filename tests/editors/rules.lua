-- Reads a rule as a user at the keyboard does, in Neovim 0.7 and newer, and records what the editor shows.
--
-- run: nvim --headless -u INIT.lua -S rules.lua FILE, with $SEEN naming the file for the transcript (JSON).

local seen = {}

local support = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/support.lua')
local wait = support.wait

local function client()
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
  local _, first = next(clients)
  return first
end

local function rule_line()
  return vim.fn.search('rule: ', 'cnw')
end

local function write_rule(rule)
  local line = vim.fn.getline(rule_line())
  vim.fn.setline(rule_line(), (line:gsub('rule: .*', function() return 'rule: ' .. rule end)))
end

-- Sends a request as Neovim's own commands do, with the cursor after `text` in the rule.
local function ask(method, text, more)
  local line = rule_line()
  local _, column = vim.fn.getline(line):find(text, 1, true)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  params = vim.tbl_extend('error', params, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

-- The hint beside the rule; Neovim before 0.10 shows none, so the request is sent directly.
local function hint()
  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
    wait('the cost', function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
    return vim.lsp.inlay_hint.get({ bufnr = 0 })[1].inlay_hint.label
  end
  local all = { start = { line = 0, character = 0 }, ['end'] = { line = vim.fn.line('$'), character = 0 } }
  local params = { textDocument = vim.lsp.util.make_text_document_params(), range = all }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/inlayHint', params, 20000)) do
    return answer.result[1].label
  end
end

local function session()
  wait('the server', client)
  wait('its answer to initialize', function() return client().server_capabilities.hoverProvider end)
  seen.hint = hint()

  seen.hover = ask('textDocument/hover', 'p.por').contents.value

  local renamed = ask('textDocument/rename', 'p.por', { newName = 'number' })
  vim.lsp.util.apply_workspace_edit(renamed, client().offset_encoding)
  seen.renamed = { vim.trim(vim.fn.getline(rule_line())), vim.trim(vim.fn.getline(vim.fn.line('$') - 1)) }

  write_rule('self.mode == 1')
  local found
  -- The previous rule also has a finding.
  wait('a finding on types', function()
    for _, one in ipairs(vim.diagnostic.get(0)) do
      local lsp = one.user_data and one.user_data.lsp or {} -- where Neovim 0.7 keeps the code
      seen.code = one.code or lsp.code
      found = one
      if seen.code == 'cel/rule-compile' then return true end
    end
    return false
  end)
  local marked = vim.api.nvim_buf_get_text(0, found.lnum, found.col, found.end_lnum, found.end_col, {})
  seen.marked = marked[1]

  write_rule('self.mo')
  local items = ask('textDocument/completion', 'self.mo')
  seen.first = items[1].label
  vim.lsp.util.apply_text_edits({ items[2].textEdit }, vim.api.nvim_get_current_buf(), client().offset_encoding)
  seen.taken = vim.trim(vim.fn.getline(rule_line()))
end

local ok, problem = pcall(session)
seen.problem = ok and '' or tostring(problem)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(ok and 'qall!' or 'cquit 1')
