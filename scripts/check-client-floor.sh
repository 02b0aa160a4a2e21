#!/bin/sh
# Checks that TokenProvider uses no API newer than iOS 16, and no part of the language newer than Swift 6.2:
# scripts/check-client-floor.sh [DIRECTORY...].
#
# Linux has no iOS SDK and CI's Linux has one Swift, so the check matches names. A job of ci.yml builds for the simulator.
set -eu

# The version, the API, and an extended regular expression.
apis() {
    cat <<'LIST'
iOS 17|makeStream|\.makeStream\(
iOS 17|discarding task groups|DiscardingTaskGroup
iOS 17|Observation|import Observation|@Observable
iOS 17|executors|DispatchSerialQueue|TaskExecutor|SerialExecutor
iOS 18|Synchronization|import Synchronization|(^|[^A-Za-z0-9_])(Mutex|Atomic)[<(]
iOS 18|128-bit integers|(^|[^A-Za-z0-9_])U?Int128
iOS 18|String(validating:as:)|validating:
iOS 18|isolated deinit|isolated deinit
iOS 26|spans|(^|[^A-Za-z0-9_])(InlineArray|UTF8Span|RawSpan|Span<)
iOS 26|priority escalation|escalatePriority
iOS 26|immediate tasks|Task\.immediate
Swift 6.3|@nonexhaustive|@nonexhaustive
Swift 6.3|C functions and enums|@c([ (]|$)
Swift 6.3|module selectors|[A-Za-z0-9_]::[A-Za-z0-9_]
Swift 6.3|control of specialization and inlining|@(specialized|inline\(always\)|export)
Swift 6.3|weak constants|weak let
Swift 6.3|accessors that lend|(^|[^A-Za-z0-9_])(borrow|mutate) \{
Swift 6.3|asynchronous defer|defer \{[^}]*await
LIST
}

cd "$(dirname "$0")/.."
[ "$#" -gt 0 ] || set -- Sources/TokenProvider
newer=$(apis | while IFS='|' read -r version name pattern; do
    grep -rnE --include='*.swift' -e "$pattern" "$@" | grep -vE '^[^:]*:[0-9]*: *//' | sed -E "s/^([^:]*:[0-9]*):.*/\1: $name is new in $version/" || true
done)
[ -z "$newer" ] || {
    echo "$newer" >&2
    echo 'check-client-floor: apps must run on iOS 16: use an older API.' >&2
    exit 1
}
