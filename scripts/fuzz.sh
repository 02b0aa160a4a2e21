#!/bin/sh
# Runs libFuzzer on the parsers, one process per core, or keeps what it found:
#
#   scripts/fuzz.sh run SECONDS [TARGET ...]   writes new inputs to TARGET in FUZZ_CORPUS (by default .build/fuzz/corpus), and
#                                              inputs that reproduce a finding to Fuzz/Findings
#   scripts/fuzz.sh keep [TARGET ...]          adds to Fuzz/Corpus a minimal set of the new inputs that increase coverage, as a
#                                              start for later runs; commit them
#
# The targets are the folders of Fuzz/Corpus. Add a finding to the corpus, too, minimized, together with its fix:
#   FUZZ_TARGET=jws .build/fuzz/Fuzz -minimize_crash=1 -runs=100000 -exact_artifact_path=Fuzz/Corpus/jws/NAME Fuzz/Findings/FILE
set -eu
cd "$(dirname "$0")/.."
usage() {
    echo "usage: scripts/fuzz.sh run SECONDS [TARGET ...] | keep [TARGET ...]" >&2
    exit 2
}
mode=${1-}
[ "$mode" = run ] || [ "$mode" = keep ] || usage
shift
if [ "$mode" = run ]; then
    [ $# -ge 1 ] || usage
    seconds=$1
    shift
fi
if [ $# -eq 0 ]; then
    for folder in Fuzz/Corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
for target in "$@"; do
    [ -d "Fuzz/Corpus/$target" ] || { echo "Fuzz/Corpus/$target does not exist." >&2; exit 2; }
done
export scratch=../.build/fuzz corpus="${FUZZ_CORPUS:-$PWD/.build/fuzz/corpus}"
# Swift keeps some memory until exit, which is not a leak.
export ASAN_OPTIONS=detect_leaks=0

run() { # targets
    FLEET_TOKEN_LANE=fuzzing "${SWIFT:-swift}" build -c release --product Fuzz
    install -D -t .build/fuzz .build/release/Fuzz
    cd Fuzz
    mkdir -p Findings
    export seconds
    # shellcheck disable=SC2016 # expanded by the inner shell
    printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh -c '
        log=$scratch/$1.log
        mkdir -p "$corpus/$1"
        if FUZZ_TARGET=$1 "$scratch/Fuzz" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
            -print_final_stats=1 -artifact_prefix="Findings/$1-" "$corpus/$1" "Corpus/$1" >"$log" 2>&1
        then echo "$1: $(sed -n "s/^stat::number_of_executed_units: *//p" "$log") runs, no finding"
        else tail -n 60 "$log"; echo "$1: a finding, see Fuzz/Findings" >&2; exit 255
        fi' sh
}

keep() { # targets
    cd Fuzz
    for target in "$@"; do
        [ -d "$corpus/$target" ] || { echo "No inputs found for $target. Run make fuzz first." >&2; exit 2; }
        before=$(find "Corpus/$target" -type f | wc -l)
        # Longer inputs add no coverage and would slow down every later run.
        FUZZ_TARGET=$target "$scratch/Fuzz" -set_cover_merge=1 -max_len=512 "Corpus/$target" "$corpus/$target" \
            >"$scratch/$target-keep.log" 2>&1 || { tail -n 20 "$scratch/$target-keep.log"; exit 1; }
        echo "$target: $before inputs before, $(find "Corpus/$target" -type f | wc -l) now"
    done
}

"$mode" "$@"
