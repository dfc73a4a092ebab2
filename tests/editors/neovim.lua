-- Fixes a definition as a user at the keyboard does, in Neovim 0.7 and newer, and records what the editor shows.
--
-- run: nvim --headless -u INIT.lua -S neovim.lua FILE, with $SEEN naming the file for the transcript (JSON).
-- INIT.lua holds the set-up that the manual shows. Exit status 0 if every step succeeded.

local seen = { taken = {} }

local support = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/support.lua')
local wait, hover_text = support.wait, support.hover_text

local function findings()
  local list = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local d = diagnostic
    local marked = vim.api.nvim_buf_get_text(0, d.lnum, d.col, d.end_lnum, d.end_col, {})
    local lsp = d.user_data and d.user_data.lsp or {} -- where Neovim 0.7 keeps the code
    list[#list + 1] = {
      line = d.lnum + 1,
      marked = table.concat(marked, '\n'),
      code = d.code or lsp.code,
      message = d.message,
      source = d.source,
    }
  end
  return list
end

local function go_to(pattern)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if vim.fn.search(pattern, 'cW') == 0 then
    error('no ' .. pattern .. ' in the text')
  end
end

-- Opens the menu of code actions at the cursor and applies the first whose title begins with `title`.
local function take_action(kind, title)
  local taken
  vim.ui.select = function(items, _, choose)
    for i, item in ipairs(items) do
      local action = item.action or item[2] -- Neovim 0.7 has a pair
      if not taken and action.title:sub(1, #title) == title then
        taken = action.title
        choose(item, i)
      end
    end
  end
  -- Neovim 0.7 takes the context itself, newer ones take it as an option.
  vim.lsp.buf.code_action({ only = { kind }, context = { only = { kind } } })
  wait('a code action ' .. kind .. ' titled ' .. title, function() return taken end)
  seen.taken[#seen.taken + 1] = taken
end

local function session()
  wait('findings', function() return #findings() > 0 end)
  seen.opened = findings()

  go_to('anyOf:')
  seen.hover = hover_text()

  go_to('type: string}')
  take_action('quickfix', 'Move `type')
  wait('a single finding', function() return #findings() == 1 end)
  seen.hoisted = findings()

  take_action('source.fixAll.crd-ls', '')
  wait('no findings', function() return #findings() == 0 end)
  vim.cmd('write')
end

local ok, problem = pcall(session)
seen.problem = ok and '' or tostring(problem)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(ok and 'qall!' or 'cquit 1')
