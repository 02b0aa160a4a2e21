#!/bin/sh
# Prints the licenses and notices of the Swift packages that a build has checked out: scripts/notices.sh .build
set -eu
for file in "$1"/checkouts/*/LICENSE* "$1"/checkouts/*/NOTICE*; do
    [ -f "$file" ] || continue
    printf '\n==== %s ====\n\n' "${file#"$1"/checkouts/}"
    cat "$file"
done
