-- Opens a Go file that crd-ls and gopls serve together, in Neovim 0.11, and records the answers of both.
--
-- run: nvim --headless -u INIT.lua -S gopls.lua api/v1/widget_types.go, in a module as `tests/support/beside_gopls.rs` writes
-- it, with $SEEN naming the file for the transcript (JSON). Exit status 0 if every step succeeded.

local seen = { findings = {}, asked = {}, refused = {} }

local support = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/support.lua')
local wait = support.wait

local buffer = vim.api.nvim_get_current_buf()
local servers = { 'crd_ls', 'gopls' }

local function lines()
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

-- The position after `before`, which is on one line, counted from 0.
local function behind(before)
  for number, line in ipairs(lines()) do
    local _, last = line:find(before, 1, true)
    if last then
      return { line = number - 1, character = last }
    end
  end
  error('there is no ' .. before)
end

local function go_to(before)
  local place = behind(before)
  vim.api.nvim_win_set_cursor(0, { place.line + 1, place.character })
end

-- Replaces `from`, which is on one line, by `to`.
local function edit(from, to)
  local place = behind(from)
  local first = place.character - #from
  vim.api.nvim_buf_set_text(buffer, place.line, first, place.line, place.character, vim.split(to, '\n'))
end

local function client(name)
  return vim.lsp.get_clients({ name = name, bufnr = buffer })[1]
end

-- The answer of the server `name`; errors of crd-ls are recorded.
local function ask(name, method, more)
  local params = vim.tbl_extend('force', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, more or {})
  local answer, problem = client(name):request_sync(method, params, 20000, buffer)
  if not answer then
    error(name .. ' does not answer ' .. method .. ': ' .. tostring(problem))
  end
  if answer.err and name == 'crd_ls' then
    table.insert(seen.refused, method .. ': ' .. answer.err.message)
  end
  return answer.result ~= vim.NIL and answer.result or nil
end

-- Records which of the two servers have an answer.
local function both(what, method, more)
  seen.asked[what] = vim.tbl_filter(function(name)
    local answer = ask(name, method, more)
    return answer ~= nil and next(answer) ~= nil
  end, servers)
end

local function labels(name, place)
  local answer = ask(name, 'textDocument/completion', { position = place }) or {}
  return vim.tbl_map(function(item) return item.label end, answer.items or answer)
end

-- The diagnostics that gopls has published.
local function of_gopls()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    if diagnostic.source ~= 'crd-ls' then
      found[#found + 1] = diagnostic.message
    end
  end
  return found
end

local function of_crd_ls()
  local report = ask('crd_ls', 'textDocument/diagnostic')
  return vim.tbl_map(function(diagnostic) return diagnostic.code end, report.items)
end

-- The findings after an edit, which is then reverted; `by_gopls`: whether gopls must have some.
local function findings(what, from, to, by_gopls)
  local before = lines()
  edit(from, to)
  if by_gopls then
    wait('findings of gopls on ' .. what, function() return #of_gopls() > 0 end)
  end
  seen.findings[what] = { gopls = #of_gopls(), crd_ls = of_crd_ls() }
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, before)
  wait('no findings of gopls after ' .. what, function() return #of_gopls() == 0 end)
end

local function session()
  wait('both servers', function()
    return vim.iter(servers):all(function(name) return client(name) and client(name).initialized end)
  end)
  local whole = { start = { line = 0, character = 0 }, ['end'] = { line = #lines(), character = 0 } }
  seen.opened = { gopls = #of_gopls(), crd_ls = of_crd_ls() }

  go_to('+kubebuilder:validation:Max')
  seen.hover_on_marker = support.hover_text()
  go_to('\tSi')
  seen.hover_on_field = support.hover_text()

  seen.completed_in_marker = { crd_ls = labels('crd_ls', behind('+kubebuilder:validation:Max'))[1] }
  seen.completed_in_marker.gopls = #labels('gopls', behind('+kubebuilder:validation:Max'))
  seen.completed_in_go = { crd_ls = #labels('crd_ls', behind('= spec.')) }
  seen.completed_in_go.gopls = vim.tbl_contains(labels('gopls', behind('= spec.')), 'Least')

  both('hover in Go', 'textDocument/hover', { position = behind('= spec.Si') })
  both('definition in Go', 'textDocument/definition', { position = behind('= spec.Si') })
  both('definition in a rule', 'textDocument/definition', { position = behind('self.lea') })
  both('references', 'textDocument/references', {
    position = behind('\tSi'),
    context = { includeDeclaration = true },
  })
  both('highlights', 'textDocument/documentHighlight', { position = behind('\tSi') })
  both('rename', 'textDocument/prepareRename', { position = behind('\tSi') })
  both('outline', 'textDocument/documentSymbol')
  both('folds', 'textDocument/foldingRange')
  both('selection', 'textDocument/selectionRange', { positions = { behind('\tSi') } })
  both('links', 'textDocument/documentLink')
  both('tokens', 'textDocument/semanticTokens/full')
  both('hints', 'textDocument/inlayHint', { range = whole })

  local function coloured_by(before)
    local place = behind(before)
    local tokens = vim.lsp.semantic_tokens.get_at_pos(buffer, place.line, place.character - 1) or {}
    return vim.tbl_map(function(token) return vim.lsp.get_client_by_id(token.client_id).name end, tokens)
  end
  wait('colours of both servers', function()
    return vim.tbl_contains(coloured_by('self.least'), 'crd_ls') and vim.tbl_contains(coloured_by('type Widg'), 'gopls')
  end)

  findings('a syntax error', 'Least int32', 'Least in{t32', true)
  findings('an unknown type', 'Least int32', 'Least Unknown', true)
  findings('an unknown type of a package', 'Least int32', 'Least metav1.Unknown', true)
  findings('an unknown package', 'Least int32', 'Least unknown.Unknown', true)
  findings('an unused import', '// Widget is', 'import "fmt"\n\n// Widget is', true)
  findings('a JSON name that is not new', 'Other int32 `json:"other"`', 'Other int32 `json:"size"`', true)
  findings('a blank in a tag', 'json:"other"', 'json:"other, omitempty"', true)
  findings('a field that is not exported', 'Other int32', 'other int32', true)
  findings('a key that Go cannot compare', 'Other int32', 'Other map[[]int]string', true)
  findings('a malformed tag', 'json:"other"', 'json:other', true)
  findings('a misspelt marker', 'validation:Maximum', 'validation:Maxmum', false)
  findings('a misspelt field of a rule', 'self.least', 'self.lest', false)

  edit('json:"other"', 'json:"other, omitempty"')
  local place = behind('other, omit')
  local function actions_of(name)
    local asked = { range = { start = place, ['end'] = place }, context = { diagnostics = {} } }
    return vim.tbl_map(function(action) return action.title end, ask(name, 'textDocument/codeAction', asked) or {})
  end
  seen.ours, seen.theirs = actions_of('crd_ls'), actions_of('gopls')
  edit('json:"other, omitempty"', 'json:"other"')

  -- The two requests that change the text, as a user sends them.
  go_to('\tSi')
  vim.lsp.buf.rename('Length')
  wait('the new name', function() return table.concat(lines(), '\n'):find('= spec.Length', 1, true) ~= nil end)
  edit('\tLeast int32', '\tLeast    int32')
  both('formatting', 'textDocument/formatting', { options = { tabSize = 4, insertSpaces = false } })
  vim.lsp.buf.format({ timeout_ms = 20000 })
  seen.written = table.concat(lines(), '\n') .. '\n'
end

local ok, problem = pcall(session)
seen.problem = ok and '' or tostring(problem)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(ok and 'qall!' or 'cquit 1')
