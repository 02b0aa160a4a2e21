#!/bin/sh
# Checks that an app which embeds TokenProvider gets neither SwiftNIO nor OpenSSL nor any other dependency.
#
#   scripts/check-light-client.sh               what the package manager resolves for Examples, which depends on this package as
#                                               apps do; and the client modules' imports, for Android
#   scripts/check-light-client.sh --programs    also builds Examples, and checks the libraries that its programs link directly
#
# Libraries that the system's libraries link (URLSession on Linux uses libcurl) do not count. With the Swift SDK for Android,
# --programs builds for Android, too.
set -eu

fail() {
    echo "check-light-client: $1" >&2
    exit 1
}

# Prints the libraries that a program links directly.
linked() {
    case $(uname) in
    Darwin) otool -L "$1" ;;
    *) readelf -d "$1" | grep NEEDED ;;
    esac
}

check() { # package, then whether to build it
    package=$1
    [ -f "$package/Package.swift" ] || fail "no package found in $package"
    # A package on disk goes by the name of its directory: here, by that of this project's.
    this=$(basename "$(cd "$(dirname "$0")/.." && pwd)" | tr '[:upper:]' '[:lower:]')
    dependencies=$(swift package --package-path "$package" show-dependencies --format flatlist)
    if printf '%s\n' "$dependencies" | grep -vxF "$this" | grep . >&2; then return 1; fi
    [ "$2" = build ] || return 0
    scratch=${3-$package/.build}
    "${SWIFT:-swift}" build --package-path "$package" --scratch-path "$scratch" >&2
    programs=$("${SWIFT:-swift}" build --package-path "$package" --scratch-path "$scratch" --show-bin-path)
    count=0
    for program in "$programs"/*; do
        case ${program##*/} in *.*) continue ;; esac
        if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
        count=$((count + 1))
        if linked "$program" | grep -iE 'libssl|libcrypto|libyaml|boringssl|nio' >&2; then return 1; fi
        # Static libraries are detected by symbols: C functions of OpenSSL and BoringSSL, and NIO's modules.
        if nm "$program" | grep -E '(EVP_(Digest|PKEY)|RSA_|SSL_)[A-Za-z0-9_]+$|[$]s[0-9]+C?NIO' | head -n 3 | grep . >&2
        then return 1; fi
    done
    [ "$count" -gt 0 ] || fail "$package builds no program to check"
}

# Prints the files that import a C library of Linux but not that of Android.
without_android() { # directories
    grep -rlE --include='*.swift' 'canImport\((Glibc|Musl)\)' "$@" | while IFS= read -r file; do
        grep -q 'canImport(Android)' "$file" || printf '%s\n' "$file"
    done
}

check_android() { # whether to build
    files=$(without_android "$root/Sources/ExpiringCache" "$root/Sources/FleetToken" \
        "$root/Sources/StrictCoding" "$root/Sources/Timing" "$root/Sources/TokenProvider" "$root/Sources/TokenProviderTesting")
    [ -z "$files" ] || fail "these files don't import Android's C library: $files"
    [ "$1" = build ] || return 0
    sdk=$("${SWIFT:-swift}" sdk list 2>/dev/null | grep -i android | head -n 1 || true)
    if [ -n "$sdk" ]; then
        "${SWIFT:-swift}" build --package-path "$root/Examples" --scratch-path "$root/.build/android" --swift-sdk "$sdk" >&2
    else
        echo 'check-light-client: the Swift SDK for Android is not installed; its imports were checked, nothing was built.' >&2
    fi
}

root=$(cd "$(dirname "$0")/.." && pwd)
mode=resolve
[ "${1-}" != --programs ] || mode=build
check_android $mode
# The folder in which `make examples` builds.
check "$root/Examples" $mode "$root/.build/examples" ||
    fail 'the client must not add dependencies or libraries: remove those listed above.'
