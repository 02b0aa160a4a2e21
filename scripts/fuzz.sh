#!/bin/sh
# Runs libFuzzer on the parsers, as many at once as there are cores: scripts/fuzz.sh SECONDS [TARGET ...]
# New inputs go to .build/fuzz/corpus/TARGET, and what a finding needs to be repeated to Fuzz/Findings.
set -eu
[ $# -ge 1 ] || { echo "usage: scripts/fuzz.sh SECONDS [TARGET ...]; the targets are the folders of Fuzz/Corpus" >&2; exit 2; }
seconds=$1
shift
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    for folder in Fuzz/Corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
for target in "$@"; do
    [ -d "Fuzz/Corpus/$target" ] || { echo "There is no Fuzz/Corpus/$target." >&2; exit 2; }
done
FLEET_TOKEN_LANE=fuzzing swift build -c release --product Fuzz
mkdir -p .build/fuzz
cp .build/release/Fuzz .build/fuzz/
cd Fuzz
mkdir -p Findings
export seconds scratch=../.build/fuzz
# Swift keeps some memory until the end, which is no leak.
export ASAN_OPTIONS=detect_leaks=0
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh -c '
    log=$scratch/$1.log
    mkdir -p "$scratch/corpus/$1"
    if FUZZ_TARGET=$1 "$scratch/Fuzz" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="Findings/$1-" "$scratch/corpus/$1" "Corpus/$1" >"$log" 2>&1
    then echo "$1: $(sed -n "s/^stat::number_of_executed_units: *//p" "$log") runs, no finding"
    else tail -n 60 "$log"; echo "$1: a finding, see Fuzz/Findings" >&2; exit 255
    fi' sh
