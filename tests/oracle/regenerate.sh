#!/bin/sh
# Rewrites all goldens from the API server's own code, or with --check only
# compares them, prints the differences and ends with status 1.
#
# usage: regenerate.sh [--check] [CORPUS]
#   CORPUS  directory of real definitions; without it, fixtures/corpus.tsv stays
set -eu
check=
if [ "${1-}" = --check ]; then
	check=--check
	shift
fi
corpus=
if [ $# -gt 0 ]; then
	corpus=$(cd "$1" && pwd)
fi
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
go build -o "$build/oracle" .

status=0
"$build/oracle" goldens $check ../../fixtures/crd/structural ../../fixtures/crd/editor ../../fixtures/documents || status=1
"$build/oracle" goldens $check --remarks ../../fixtures/crd/cases || status=1
if [ -n "$corpus" ]; then
	"$build/oracle" corpus $check "$corpus" ../../fixtures/corpus.tsv || status=1
else
	echo "fixtures/corpus.tsv: left alone, as no corpus is named" >&2
fi
exit $status
