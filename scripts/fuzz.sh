#!/bin/sh
# Runs libFuzzer on the parsers, one process per core: scripts/fuzz.sh SECONDS [TARGET ...]
# Writes new inputs to TARGET in FUZZ_CORPUS (by default .build/fuzz/corpus), and inputs that reproduce a finding to Fuzz/Findings.
set -eu
[ $# -ge 1 ] || { echo "usage: scripts/fuzz.sh SECONDS [TARGET ...]; the targets are the folders of Fuzz/Corpus" >&2; exit 2; }
seconds=$1
shift
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    for folder in Fuzz/Corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
for target in "$@"; do
    [ -d "Fuzz/Corpus/$target" ] || { echo "Fuzz/Corpus/$target does not exist." >&2; exit 2; }
done
make --no-print-directory build-fuzz
cd Fuzz
mkdir -p Findings
export seconds scratch=../.build/fuzz corpus="${FUZZ_CORPUS:-$PWD/../.build/fuzz/corpus}"
# Swift keeps some memory until exit, which is not a leak.
export ASAN_OPTIONS=detect_leaks=0
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh -c '
    log=$scratch/$1.log
    mkdir -p "$corpus/$1"
    if FUZZ_TARGET=$1 "$scratch/Fuzz" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="Findings/$1-" "$corpus/$1" "Corpus/$1" >"$log" 2>&1
    then echo "$1: $(sed -n "s/^stat::number_of_executed_units: *//p" "$log") runs, no finding"
    else tail -n 60 "$log"; echo "$1: a finding, see Fuzz/Findings" >&2; exit 255
    fi' sh
