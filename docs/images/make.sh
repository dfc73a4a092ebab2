#!/usr/bin/env bash
# Makes the pictures of this folder from what the built programs show, for light and dark pages.
#
# usage: CRD_LS=PATH_TO_CRD_LS NVIM=PATH_TO_NEOVIM_0.11 docs/images/make.sh
# Needs python3, script (util-linux), tmux and git. Look at the pictures before they are committed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
fixtures=$(cd "$here/../../fixtures" && pwd)
work=$(mktemp -d)
trap 'tmux -L "crd-ls-$$" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$CRD_LS")" "$work/bin/crd-ls"
export PATH=$work/bin:$PATH HOME=$work LANG=C.UTF-8 TERM=xterm-256color

# As a terminal shows it, with colours.
on_terminal() {
  script --quiet --return --command "$1" /dev/null </dev/null || true
}

prompt() {
  printf '\e[32m$\e[0m \e[1m%s\e[0m\n' "$1"
}

check_picture() {
  rm -rf .git
  cp "$fixtures/first-light/widgets.yaml" .
  git init --quiet
  git add widgets.yaml
  prompt "crd-ls check widgets.yaml"
  on_terminal "crd-ls check widgets.yaml" >all.txt
  # The first and fourth finding, as examples.
  awk -v RS='\r?\n\r?\n' -v ORS='\n\n' 'NR == 1 || NR == 4' all.txt
  printf '\e[2m  [...]\e[0m\n'
  tail -n 1 all.txt
  echo
  prompt "crd-ls check --fix widgets.yaml"
  on_terminal "crd-ls check --fix widgets.yaml"
  echo
  prompt "git diff --unified=1"
  git diff --color=always --unified=1 | tail -n +5
}

neovim_picture() {
  local background=$1 session="tmux -L crd-ls-$$"
  git checkout --quiet widgets.yaml
  cat >init.lua <<'LUA'
vim.lsp.config('crd_ls', { cmd = { 'crd-ls', 'server' }, filetypes = { 'yaml' }, root_markers = { '.git' } })
vim.lsp.enable('crd_ls')
vim.diagnostic.config({ virtual_text = true, signs = false })
vim.o.termguicolors = true
vim.o.background = vim.env.BACKGROUND
vim.o.number = true
vim.o.linebreak = true
vim.cmd('highlight Normal guibg=NONE')
vim.keymap.set('n', 'K', function() vim.lsp.buf.hover({ border = 'rounded', max_width = 78 }) end)
LUA
  $session -f /dev/null new-session -d -x 110 -y 26 "BACKGROUND=$background COLORTERM=truecolor $NVIM -n -i NONE -u init.lua +28 widgets.yaml"
  sleep 3
  $session send-keys zt 11j ww K
  sleep 2
  $session capture-pane -eNp
  $session kill-server
}

cd "$work"
for theme in light dark; do
  check_picture | "$here/draw.py" "$theme" 110 >"$here/check-$theme.svg"
  neovim_picture "$theme" | "$here/draw.py" "$theme" 110 >"$here/neovim-$theme.svg"
done
ls -l "$here"/*.svg
