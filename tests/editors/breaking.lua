-- Types a change that breaks stored objects, reads whom it breaks, and reverts it, in Neovim 0.7 and newer.
--
-- run: nvim --headless -u INIT.lua -S breaking.lua crd.yaml, in a repository with a branch `main`, with $SEEN naming the
-- file for the transcript (JSON). Exit status 0 if every step succeeded.

local seen = {}

local support = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/support.lua')
local wait, hover_text = support.wait, support.hover_text

-- The findings on changes since the base.
local function findings()
  local list = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local lsp = d.user_data and d.user_data.lsp or {} -- where Neovim 0.7 keeps the code
    local code = d.code or lsp.code
    if vim.startswith(code, 'compat/') then
      list[#list + 1] = { code = code, line = d.lnum + 1, message = d.message }
    end
  end
  return list
end

local function take_restore()
  vim.ui.select = function(items, _, choose)
    for i, item in ipairs(items) do
      local action = item.action or item[2] -- Neovim 0.7 has a pair
      if not seen.taken and vim.startswith(action.title, 'Restore ') then
        seen.taken = action.title
        choose(item, i)
      end
    end
  end
  vim.lsp.buf.code_action({ only = { 'quickfix' }, context = { only = { 'quickfix' } } })
  wait('the fix', function() return seen.taken end)
end

local function session()
  if vim.fn.search('maximum: 9', 'cW') == 0 then
    error('no maximum in the text')
  end
  vim.cmd('normal! $r5')
  wait('the breaking change', function() return #findings() > 0 end)
  seen.reported = findings()
  seen.hover = hover_text()

  take_restore()
  wait('no breaking change', function() return #findings() == 0 end)
  vim.cmd('write')
end

local ok, problem = pcall(session)
seen.problem = ok and '' or tostring(problem)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(ok and 'qall!' or 'cquit 1')
