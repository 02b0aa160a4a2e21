#!/bin/sh
# Checks that an app which embeds TokenProvider or FleetEngineClient gets neither SwiftNIO nor OpenSSL nor any other dependency.
#
#   scripts/check-light-client.sh               what the package manager resolves for Examples, which depends on this package as
#                                               apps do; and the client modules' imports, for Android
#   scripts/check-light-client.sh --programs    also builds Examples, and checks the libraries that its programs link directly
#   scripts/check-light-client.sh --self-test   checks that a dependency and a linked library are detected
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

self_test() {
    directory=$(mktemp -d)
    trap 'rm -rf "$directory"' EXIT
    mkdir -p "$directory/swift-nio/Sources/NIOCore" "$directory/client/Sources/client"
    echo 'public enum Loop { public static let name = "loop" }' >"$directory/swift-nio/Sources/NIOCore/Loop.swift"
    cat >"$directory/swift-nio/Package.swift" <<'SWIFT'
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "swift-nio", products: [.library(name: "NIOCore", targets: ["NIOCore"])], targets: [.target(name: "NIOCore")])
SWIFT

    echo 'print("client")' >"$directory/client/Sources/client/main.swift"
    manifest "$directory/client" '' ''
    check "$directory/client" build 2>"$directory/output" || fail 'a client without dependencies was refused'

    manifest "$directory/client" '.package(path: "../swift-nio")' ''
    check "$directory/client" build 2>"$directory/output" && fail 'a dependency was not found'
    grep -q swift-nio "$directory/output" || fail 'a dependency was found as something else'

    manifest "$directory/client" '' '.linkedLibrary("crypto")'
    echo '@_silgen_name("OpenSSL_version_num") func version() -> UInt; print(version())' \
        >"$directory/client/Sources/client/main.swift"
    check "$directory/client" build 2>"$directory/output" && fail 'a linked library was not found'
    grep -q libcrypto "$directory/output" || fail 'a linked library was found as something else'

    # A module of that name in the package itself, like copied sources.
    manifest "$directory/client" '' ''
    mv "$directory/swift-nio/Sources/NIOCore" "$directory/client/Sources/NIOCore"
    sed 's/name: "client"/name: "client", dependencies: ["NIOCore"]/; s/targets: \[/&.target(name: "NIOCore"), /' \
        "$directory/client/Package.swift" >"$directory/manifest"
    mv "$directory/manifest" "$directory/client/Package.swift"
    printf 'import NIOCore\nprint(Loop.name)\n' >"$directory/client/Sources/client/main.swift"
    check "$directory/client" build 2>"$directory/output" && fail 'a module linked statically was not found'
    grep -q 'NIOCore' "$directory/output" || fail 'a module linked statically was found as something else'
    printf '#if canImport(Glibc)\nimport Glibc\n#endif\n' >"$directory/client/Sources/client/main.swift"
    [ -n "$(without_android "$directory/client")" ] || fail 'a file without Android was not found'
    printf '#if canImport(Android)\nimport Android\n#endif\n' >>"$directory/client/Sources/client/main.swift"
    [ -z "$(without_android "$directory/client")" ] || fail 'a file with Android was found'
    echo 'check-light-client: detects a dependency, a linked library and a module, and accepts a client without them.'
}

# Prints the files that import a C library of Linux but not that of Android.
without_android() { # directories
    grep -rlE --include='*.swift' 'canImport\((Glibc|Musl)\)' "$@" | while IFS= read -r file; do
        grep -q 'canImport(Android)' "$file" || printf '%s\n' "$file"
    done
}

check_android() { # whether to build
    files=$(without_android "$root/Sources/ExpiringCache" "$root/Sources/FleetEngineClient" "$root/Sources/FleetToken" \
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

manifest() {
    cat >"$1/Package.swift" <<SWIFT
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "example", dependencies: [$2], targets: [.executableTarget(name: "client", linkerSettings: [$3])])
SWIFT
}

if [ "${1-}" = --self-test ]; then
    self_test
    exit
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mode=resolve
[ "${1-}" != --programs ] || mode=build
check_android $mode
# The folder in which `make examples` builds.
check "$root/Examples" $mode "$root/.build/examples" ||
    fail 'the client must not add dependencies or libraries: remove those listed above.'
