#!/bin/sh
# Rewrites all goldens from the API server's own code, or with --check only
# compares them, prints the differences and ends with status 1.
#
# usage: regenerate.sh [--check] [--minors] [CORPUS]
#   --minors  the answers of older releases as well, from the modules in minors/;
#             the first build of each takes minutes
#   CORPUS  directory of real definitions; without it, fixtures/corpus.tsv is unchanged
set -eu
check=
minors=
while :; do
	case ${1-} in
	--check) check=--check ;;
	--minors) minors=yes ;;
	*) break ;;
	esac
	shift
done
corpus=
if [ $# -gt 0 ]; then
	corpus=$(cd "$1" && pwd)
fi
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
go build -o "$build/oracle" .

status=0
"$build/oracle" goldens $check ../../fixtures/crd/editor ../../fixtures/documents || status=1
"$build/oracle" goldens $check --remarks ../../fixtures/crd/cases ../../fixtures/crd/structural || status=1
if [ -n "$corpus" ]; then
	"$build/oracle" corpus $check "$corpus" ../../fixtures/corpus.tsv || status=1
else
	echo "fixtures/corpus.tsv: left alone, as no corpus is named" >&2
fi
if [ -n "$minors" ]; then
	for modules in minors/*.mod; do
		minor=$(basename "$modules" .mod)
		go build -modfile="$modules" -tags hand_written_only -o "$build/oracle-$minor" .
		"$build/oracle-$minor" minor $check "../../fixtures/crd/minors/$minor.jsonl" \
			../../fixtures/crd/cases ../../fixtures/crd/structural || status=1
	done
else
	echo "fixtures/crd/minors: left alone without --minors" >&2
fi
exit $status
