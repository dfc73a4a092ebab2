-- Shared code of the drivers of Neovim.

local support = {}

-- Waits until `condition` holds; `what` describes it in errors.
function support.wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

-- The text of the hover at the cursor.
function support.hover_text()
  local float
  vim.lsp.buf.hover()
  support.wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        float = window
        return true
      end
    end
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false)
  vim.api.nvim_win_close(float, true)
  return table.concat(lines, '\n')
end

return support
