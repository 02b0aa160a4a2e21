#!/bin/sh
# Runs libFuzzer on one of the parsers: scripts/fuzz.sh TARGET SECONDS
# New inputs go to Fuzz/.build/corpus/TARGET, and what a finding needs to be repeated to Fuzz/Findings.
set -eu
[ $# -eq 2 ] || { echo "usage: scripts/fuzz.sh TARGET SECONDS; the targets are the folders of Fuzz/Corpus" >&2; exit 2; }
target=$1
seconds=$2
cd "$(dirname "$0")/../Fuzz"
[ -d "Corpus/$target" ] || { echo "There is no Fuzz/Corpus/$target." >&2; exit 2; }
scratch=${FUZZ_BUILD:-.build}
swift build -c release --scratch-path "$scratch"
mkdir -p "$scratch/corpus/$target" Findings
# Swift keeps some memory until the end, which is no leak.
ASAN_OPTIONS=detect_leaks=0 FUZZ_TARGET=$target "$scratch/release/Fuzz" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="Findings/$target-" "$scratch/corpus/$target" "Corpus/$target"
