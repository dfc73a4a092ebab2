#!/usr/bin/env bash
# Makes the pictures of this folder anew from what the built programs show.
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
  cp "$fixtures/first-light/widgets.yaml" .
  prompt "crd-ls check widgets.yaml"
  on_terminal "crd-ls check widgets.yaml" >all.txt
  # The first and fourth finding stand for all.
  awk -v RS='\r?\n\r?\n' -v ORS='\n\n' 'NR == 1 || NR == 4' all.txt
  printf '\e[2m  [...]\e[0m\n'
  tail -n 1 all.txt
  prompt "crd-ls check --fix widgets.yaml"
  on_terminal "crd-ls check --fix widgets.yaml"
  prompt "git diff widgets.yaml"
  git diff --no-index --color=always --unified=1 "$fixtures/first-light/widgets.yaml" widgets.yaml | tail -n +5 || true
}

neovim_picture() {
  local session="tmux -L crd-ls-$$"
  cp "$fixtures/first-light/widgets.yaml" .
  mkdir -p .git
  cat >init.lua <<'LUA'
vim.lsp.config('crd_ls', { cmd = { 'crd-ls', 'server' }, filetypes = { 'yaml' }, root_markers = { '.git' } })
vim.lsp.enable('crd_ls')
vim.diagnostic.config({ virtual_text = true, signs = false })
vim.o.termguicolors = true
vim.o.number = true
vim.cmd('highlight Normal guibg=NONE')
LUA
  $session -f /dev/null new-session -d -x 110 -y 28 "COLORTERM=truecolor $NVIM -n -i NONE -u init.lua +28 widgets.yaml"
  sleep 3
  $session send-keys zt 5j ww K
  sleep 2
  $session capture-pane -ep
}

cd "$work"
check_picture | "$here/draw.py" 110 >"$here/check.svg"
neovim_picture | "$here/draw.py" 110 >"$here/neovim.svg"
ls -l "$here"/*.svg
