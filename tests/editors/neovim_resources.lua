-- Opens a resource whose definition is only on disk, then edits the definition, in Neovim 0.7 and newer, and writes down
-- what was seen.
--
-- run: nvim --headless -u INIT.lua -S neovim_resources.lua widget.yaml, in a directory with crd.yaml, with $SEEN naming
-- the file for the transcript (JSON). Exit status 0 when every step could be done.

local seen = {}

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

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
