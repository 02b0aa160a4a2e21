#!/bin/sh
# Checks that the client modules use no API newer than iOS 14, and no part of the language newer than Swift 6.2.
#
#   scripts/check-client-floor.sh [DIRECTORY...]    checks the Swift files below the directories
#
# Linux has no iOS SDK and CI has one Swift, so the check matches names: one extended regular expression for each API, with the
# version that introduced it and an example. A compiler with the SDK is more precise; use it too if available.
set -eu

apis() {
    cat <<'LIST'
iOS 15|URLSession's async functions|\.(data|bytes|upload|download)\((for|from):|session.data(for: request)
iOS 15|a task's own delegate|task\.delegate|task.delegate = self
iOS 15|Date.now|(^|[^A-Za-z0-9_])Date\.now|Date.now
iOS 15|format styles|\.(formatted|ISO8601Format)\(|date.formatted()
iOS 15|AttributedString|(^|[^A-Za-z0-9_])AttributedString|AttributedString("a")
iOS 15|String(localized:)|String\(localized:|String(localized: "a")
iOS 16|Duration|(^|[^A-Za-z0-9_."])Duration([^A-Za-z0-9_]|$)|let pause: Duration
iOS 16|clocks|(^|[^A-Za-z0-9_])(ContinuousClock|SuspendingClock|InstantProtocol)([^A-Za-z0-9_]|$)|ContinuousClock.now
iOS 16|clocks|(any|some|:) Clock([^A-Za-z0-9_]|$)|func wait(clock: some Clock<Duration>)
iOS 16|Task.sleep(for:)|Task\.sleep\((for|until):|try await Task.sleep(for: .seconds(1))
iOS 16|regular expressions|(^|[^A-Za-z0-9_])(Regex[ <({]|RegexBuilder|RegexComponent)|let pattern: Regex<Substring>
iOS 16|regular expressions|(#/|[=(,:] */[^/* ])|let pattern = /[a-z]+/
iOS 16|algorithms on collections|\.(firstRange|ranges|wholeMatch|firstMatch|prefixMatch|matches|trimmingPrefix|replacing)\(|text.firstRange(of: "a")
iOS 16|parts of URLs|\.(appending|append)\((path|component|components|queryItems):|url.appending(path: "a")
iOS 16|parts of URLs|\.(host|path|query|user|password|fragment)\((percentEncoded.*)?\)|url.host()
iOS 16|parts of URLs|URL\(filePath:|URL(filePath: "/")
iOS 16|OSAllocatedUnfairLock|OSAllocatedUnfairLock|OSAllocatedUnfairLock()
iOS 16|constrained existentials|(^|[^A-Za-z0-9_])any [A-Z][A-Za-z0-9_.]*<|let tokens: any Sequence<Int>
iOS 17|makeStream|\.makeStream\(|AsyncStream.makeStream(of: Int.self)
iOS 17|discarding task groups|DiscardingTaskGroup|withThrowingDiscardingTaskGroup { }
iOS 17|Observation|(import Observation|@Observable)|@Observable final class Model
iOS 17|executors|(DispatchSerialQueue|TaskExecutor|SerialExecutor)|DispatchSerialQueue(label: "a")
iOS 18|Synchronization|(import Synchronization|(^|[^A-Za-z0-9_])(Mutex|Atomic)[<(])|let state = Mutex(0)
iOS 18|128-bit integers|(^|[^A-Za-z0-9_])U?Int128|let wide: Int128
iOS 18|String(validating:as:)|validating:|String(validating: bytes, as: UTF8.self)
iOS 18|isolated deinit|isolated deinit|isolated deinit { }
iOS 26|spans|(^|[^A-Za-z0-9_])(InlineArray|UTF8Span|(Mutable|Output)?(Raw)?Span)[<(:. ]|let bytes: Span<UInt8>
iOS 26|priority escalation|escalatePriority|Task.escalatePriority(task, to: .high)
iOS 26|immediate tasks|Task\.immediate|Task.immediate { }
Swift 6.3|@nonexhaustive without a condition|@nonexhaustive|@nonexhaustive public enum Kind { }
Swift 6.3|C functions and enums|@c([ (]|$)|@c(start) public func start() { }
Swift 6.3|module selectors|[A-Za-z0-9_]::[A-Za-z0-9_]|let text: Swift::String
Swift 6.3|control of specialization and inlining|@(specialized|inline\(always\)|export)|@inline(always) func add() { }
Swift 6.3|sections of object files|@(section|used)([ (]|$)|@section("data") let value = 1
Swift 6.3|weak constants|weak let|weak let owner: Owner?
Swift 6.3|accessors that lend|(^|[^A-Za-z0-9_])(borrow|mutate) \{|var first: Int { borrow { value } }
Swift 6.3|asynchronous defer|defer \{[^}]*await|defer { await close() }
LIST
}

# Prints each use as "file:line: version: API", and fails if there is any.
check() {
    any=$(apis | while IFS= read -r line; do split "$line" && printf '%s|' "$pattern"; done)
    any=${any%|}
    find -H "$@" -name '*.swift' -type f | sort | {
        found=0
        while IFS= read -r file; do
            # Comments may name newer APIs, and conditions may guard newer attributes.
            code=$(sed -E -e '/^ *#if hasAttribute/,/^ *#endif/s/@.*//' -e 's|(^\|[^:"])//.*$|\1|' "$file")
            # Search for all patterns at once first: usually there is no match.
            printf '%s\n' "$code" | grep -qE -e "$any" || continue
            while IFS= read -r line; do
                split "$line"
                lines=$(printf '%s\n' "$code" | grep -nE -e "$pattern" | cut -d: -f1)
                [ -n "$lines" ] || continue
                for number in $lines; do
                    printf '%s:%s: %s is new in %s\n' "$file" "$number" "$name" "$version"
                done
                found=1
            done <<LIST
$(apis)
LIST
        done
        test "$found" -eq 0
    }
}

# The columns of a line of the list; the pattern may contain the separator, the others don't.
split() {
    version=${1%%|*}
    rest=${1#*|}
    name=${rest%%|*}
    rest=${rest#*|}
    pattern=${rest%|*}
}

fail() {
    echo "check-client-floor: $1" >&2
    exit 1
}

if [ "$#" -eq 0 ]; then
    cd "$(dirname "$0")/.."
    set -- Sources/TokenProvider Sources/FleetToken Sources/ExpiringCache Sources/StrictCoding Sources/Timing
fi
for directory in "$@"; do
    [ -d "$directory" ] || fail "directory not found: $directory"
done
check "$@" || fail 'apps must run on iOS 14: use an older API.'
