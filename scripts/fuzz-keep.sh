#!/bin/sh
# Keeps what fuzzing found, so that the next run begins there: scripts/fuzz-keep.sh [TARGET ...]
# Adds to Fuzz/Corpus as few as possible of the inputs that scripts/fuzz.sh found on this machine and that get further than
# those which are there. Commit them. A finding in Fuzz/Findings belongs there too, made small, with the change that mends it:
#   FUZZ_TARGET=jws .build/fuzz/Fuzz -minimize_crash=1 -runs=100000 -exact_artifact_path=Fuzz/Corpus/jws/NAME Fuzz/Findings/FILE
set -eu
cd "$(dirname "$0")/../Fuzz"
if [ $# -eq 0 ]; then
    for folder in Corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
# Swift keeps some memory until the end, which is no leak.
export ASAN_OPTIONS=detect_leaks=0
for target in "$@"; do
    found=../.build/fuzz/corpus/$target
    [ -d "$found" ] || { echo "Nothing was found for $target here. Run scripts/fuzz.sh first." >&2; exit 2; }
    before=$(find "Corpus/$target" -type f | wc -l)
    # Longer inputs get no further than some short one, and would be read in vain for ever after.
    FUZZ_TARGET=$target ../.build/fuzz/Fuzz -set_cover_merge=1 -max_len=512 "Corpus/$target" "$found" \
        >"../.build/fuzz/$target-keep.log" 2>&1 || { tail -n 20 "../.build/fuzz/$target-keep.log"; exit 1; }
    echo "$target: $before inputs before, $(find "Corpus/$target" -type f | wc -l) now"
done
