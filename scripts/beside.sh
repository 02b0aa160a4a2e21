#!/usr/bin/env bash
# Runs a command, and beside it another one that gets only what the first leaves of the processors:
#
#   beside.sh COMMAND OTHER
#
# The output of OTHER follows that of COMMAND. Fails if either does; OTHER ends with COMMAND only if that fails.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: beside.sh COMMAND OTHER" >&2; exit 64; }

log=$(mktemp)
# A process group of its own, so that all of it can be ended.
set -m
if command -v chrt >/dev/null; then
    chrt --idle 0 bash -c "$2" >"$log" 2>&1 &
else
    nice -n 19 bash -c "$2" >"$log" 2>&1 &
fi
other=$!
set +m
trap 'kill -- "-$other" 2>/dev/null || true; rm -f "$log"' EXIT

bash -c "$1"
status=0
wait "$other" || status=$?
echo "$2"
cat "$log"
exit "$status"
