#!/bin/sh
# Checks that ThreadSanitizer's suppressions do not hide races in this project: a planted race must be reported.
#
#   scripts/check-thread-sanitizer.sh [ARGUMENT...]    arguments of the ThreadSanitizer build of the tests
set -eu

cd "$(dirname "$0")/.."
output=$(mktemp)
trap 'rm -f "$output"' EXIT
TSAN_OPTIONS="suppressions=Tests/ThreadSanitizer/suppressions.txt" FLEET_TOKEN_PLANTED_RACE=1 \
    "${SWIFT:-swift}" test "$@" --skip-build --filter PlantedRaceTests >"$output" 2>&1 || true
if ! grep -q 'WARNING: ThreadSanitizer: data race' "$output" || ! grep -q fetchCountsWithoutALock "$output"; then
    tail -n 30 "$output" >&2
    echo 'check-thread-sanitizer: the planted race was not reported: narrow the suppressions.' >&2
    exit 1
fi
echo 'check-thread-sanitizer: the planted race is reported, suppressions in force.'
