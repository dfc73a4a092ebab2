-- Applies each fix by its name, in Neovim 0.11 and newer: opens its file, requests the code action at its place, saves.
--
-- run: nvim --headless -u INIT.lua -S fixes.lua, in the folder with `steps.json`, with $SEEN naming the file for the
-- transcript: a list of the failed steps.

local problems = {}

-- The last message of Neovim to the user.
local notice
vim.notify = function(message) notice = message end

local function take(step)
  vim.cmd.edit(vim.fn.fnameescape(step.file))
  vim.bo.fixendofline = false
  local function wait(what, condition)
    if not vim.wait(20000, condition, 5) then
      error('waited in vain for ' .. what)
    end
  end
  wait('the server', function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
  if step.finding then
    wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  end
  vim.api.nvim_win_set_cursor(0, { step.line + 1, step.byte })
  local before = vim.b.changedtick
  notice = nil
  vim.lsp.buf.code_action({ filter = function(action) return action.title == step.title end, apply = true })
  wait('the code action', function() return notice or vim.b.changedtick ~= before end)
  if notice then
    error(notice)
  end
  vim.cmd('silent write')
  vim.cmd.bwipeout()
end

-- The cursor may be after the last letter of a line, where missing parts are reported.
vim.o.virtualedit = 'onemore'
for _, step in ipairs(vim.json.decode(table.concat(vim.fn.readfile('steps.json'), '\n'))) do
  local ok, problem = pcall(take, step)
  if not ok then
    problems[#problems + 1] = step.file .. ', ' .. step.title .. ': ' .. tostring(problem)
    vim.cmd('silent! %bwipeout!')
  end
end
vim.fn.writefile({ vim.json.encode(problems) }, vim.env.SEEN)
vim.cmd('qall!')
