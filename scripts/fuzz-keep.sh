#!/bin/sh
# Adds inputs found by fuzzing to the corpus, as a start for later runs: scripts/fuzz-keep.sh [TARGET ...]
# Adds to Fuzz/Corpus a minimal set of the inputs that scripts/fuzz.sh found on this machine and that increase coverage.
# Commit them. Add a finding in Fuzz/Findings too, minimized, together with its fix:
#   FUZZ_TARGET=jws .build/fuzz/Fuzz -minimize_crash=1 -runs=100000 -exact_artifact_path=Fuzz/Corpus/jws/NAME Fuzz/Findings/FILE
set -eu
cd "$(dirname "$0")/../Fuzz"
if [ $# -eq 0 ]; then
    for folder in Corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
# Swift keeps some memory until exit, which is not a leak.
export ASAN_OPTIONS=detect_leaks=0
for target in "$@"; do
    found=${FUZZ_CORPUS:-../.build/fuzz/corpus}/$target
    [ -d "$found" ] || { echo "No inputs found for $target. Run scripts/fuzz.sh first." >&2; exit 2; }
    before=$(find "Corpus/$target" -type f | wc -l)
    # Longer inputs add no coverage and would slow down every later run.
    FUZZ_TARGET=$target ../.build/fuzz/Fuzz -set_cover_merge=1 -max_len=512 "Corpus/$target" "$found" \
        >"../.build/fuzz/$target-keep.log" 2>&1 || { tail -n 20 "../.build/fuzz/$target-keep.log"; exit 1; }
    echo "$target: $before inputs before, $(find "Corpus/$target" -type f | wc -l) now"
done
