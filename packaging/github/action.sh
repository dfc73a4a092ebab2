#!/usr/bin/env bash
# The script of action.yml: downloads crd-ls, checks files with annotations, and writes the requested additional outputs.
# The variables INPUT_* are the inputs of the action.
#
# The rehearsal (`cargo xtask dist --rehearse`) sets INPUT_DOWNLOADS to download from a place other than the releases.
set -euo pipefail

# The archive for the runner, according to the variables that GitHub sets.
archive() {
  case $RUNNER_OS/$RUNNER_ARCH in
    Linux/X64) echo crd-ls-x86_64-unknown-linux-"$(libc)".tar.gz ;;
    Linux/ARM64) echo crd-ls-aarch64-unknown-linux-"$(libc)".tar.gz ;;
    macOS/X64) echo crd-ls-x86_64-apple-darwin.tar.gz ;;
    macOS/ARM64) echo crd-ls-aarch64-apple-darwin.tar.gz ;;
    Windows/X64) echo crd-ls-x86_64-pc-windows-msvc.zip ;;
    Windows/ARM64) echo crd-ls-aarch64-pc-windows-msvc.zip ;;
    *) echo "::error::crd-ls has no program for $RUNNER_OS on $RUNNER_ARCH" >&2 && return 1 ;;
  esac
}

libc() {
  if [ -n "$(getconf GNU_LIBC_VERSION 2>/dev/null || true)" ]; then echo gnu; else echo musl; fi
}

# The version of the checkout of this action.
own_version() {
  sed -n '/^\[workspace.package\]/,/^\[/ s/^version = "\(.*\)"$/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml"
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Downloads the program, compares it with the checksums of the release, and prints its path.
install_program() {
  local version=${INPUT_VERSION:-$(own_version)} place file downloads expected
  place=$(mktemp -d "$RUNNER_TEMP/crd-ls.XXXXXX")
  file=$(archive)
  downloads=${INPUT_DOWNLOADS:-$INPUT_REPOSITORY/releases/download/v$version}
  curl --fail --silent --show-error --location --retry 3 --output "$place/$file" "$downloads/$file"
  curl --fail --silent --show-error --location --retry 3 --output "$place/SHA256SUMS" "$downloads/SHA256SUMS"
  expected=$(awk -v file="$file" '$2 == file { print $1 }' "$place/SHA256SUMS")
  if [ -z "$expected" ] || [ "$(sha256 "$place/$file")" != "$expected" ]; then
    echo "::error::$file is not the one whose checksum the release names" >&2
    return 1
  fi
  case $file in
    *.zip) unzip -q "$place/$file" -d "$place" && echo "$place/crd-ls.exe" ;;
    *) tar -xzf "$place/$file" -C "$place" && echo "$place/crd-ls" ;;
  esac
}

# Splits a text into its non-empty lines, as the array `lines`.
split_lines() {
  lines=()
  local line
  while IFS= read -r line; do
    if [ -n "$line" ]; then lines+=("$line"); fi
  done <<<"$1"
}

# Writes the changes of definitions to the job summary. The exit status is that of the comparison.
summarize_changes() {
  local status=0 changes
  changes=$("$program" diff --base "$INPUT_BASE" --fail-on "$INPUT_DIFF_FAIL_ON" --output markdown "${paths[@]}") ||
    status=$?
  # shellcheck disable=SC2016 # The backquotes are Markdown.
  printf '## Changes of definitions since `%s`\n\n%s\n' "$INPUT_BASE" "${changes:-No definition changes.}" \
    >>"$GITHUB_STEP_SUMMARY"
  return "$status"
}

program=$(install_program)
"$program" --version
split_lines "$INPUT_PATHS"
paths=("${lines[@]}")
split_lines "$INPUT_ARGUMENTS"
arguments=(${lines[@]+"${lines[@]}"})
if [ -n "$INPUT_KUBERNETES_VERSION" ]; then
  arguments+=(--kubernetes-version "$INPUT_KUBERNETES_VERSION")
fi

status=0
"$program" check --output github --fail-on "$INPUT_FAIL_ON" ${arguments[@]+"${arguments[@]}"} "${paths[@]}" || status=$?
if [ -n "$INPUT_SARIF_FILE" ]; then
  "$program" check --output sarif --fail-on never ${arguments[@]+"${arguments[@]}"} "${paths[@]}" \
    >"$INPUT_SARIF_FILE" || status=$?
fi
if [ -n "$INPUT_BASE" ]; then
  summarize_changes || status=$?
fi
exit "$status"
