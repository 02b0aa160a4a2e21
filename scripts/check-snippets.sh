#!/bin/sh
# Checks that the Swift examples in the documentation compile unchanged, with the imports that they show.
#
#   scripts/check-snippets.sh [FILE...]    checks the files' examples; by default those of README, guides and DocC
#
# Each example becomes the body of two functions, one on the main actor and one nonisolated. They are compiled as in an
# app: in Swift 5 mode, in Swift 6 mode, and in Swift 6 mode with the main actor by default, as in new Xcode projects. An
# example without imports uses those of the previous examples in its file; in a source file, all modules.
# Tests/Snippets/Context.swift has the declarations of the surrounding app, Tests/Shims those of Apple's and Google's
# frameworks. A line that begins with `.package(` is checked as part of a manifest. Examples/RiderApp is compiled in the
# same three ways, and a page that shows a file of Examples must show it unchanged.
set -eu

cd "$(dirname "$0")/.."
context=$PWD/Tests/Snippets/Context.swift

fail() {
    echo "check-snippets: $1" >&2
    exit 1
}

# Writes each example of a file to a Swift file or manifest in a directory, named after the file's number.
extract() { # file, directory, number
    awk -v file="$1" -v directory="$2" -v number="$3" '
        function finish(   path, i, isolation) {
            count++
            # A whole manifest is checked with the program that follows it.
            if (body[1] ~ /^\/\/ swift-tools-version/) return
            if (body[1] ~ /^ *\.package\(/) {
                path = directory "/" number "-" count ".manifest"
                for (i = 1; i <= lines; i++) print body[i] > path
                close(path)
                return
            }
            path = directory "/snippet" number "_" count ".swift"
            printf "%s", imports > path
            if (is_test) {
                # A test cannot be local to a function.
                printf "struct Snippet%d_%d {\n#sourceLocation(file: \"%s\", line: %d)\n", number, count, file, first > path
                for (i = 1; i <= lines; i++) print body[i] > path
                print "#sourceLocation()\n}" > path
                close(path)
                return
            }
            for (isolation = 0; isolation < 2; isolation++) {
                printf "%sfunc snippet%d_%d_%d() async throws {\n", isolation ? "@MainActor " : "nonisolated ", number, count, isolation > path
                printf "#sourceLocation(file: \"%s\", line: %d)\n", file, first > path
                for (i = 1; i <= lines; i++) print body[i] > path
                print "#sourceLocation()\n}" > path
            }
            close(path)
        }
        BEGIN {
            networking = "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
            if (file ~ /\.swift$/) {
                imports = networking "import Foundation\nimport GoogleRidesharingConsumer\n" \
                    "import GoogleRidesharingDriver\nimport TokenProvider\nimport TokenProviderTesting\n"
            }
        }
        { line = $0; if (file ~ /\.swift$/) sub(/^ *\/\/\/ ?/, "", line) }
        # An example of Examples/ is compiled there.
        !inside && line ~ /^<!-- Examples\// { getline; while ((getline line) > 0 && line !~ /^```/) {} next }
        !inside && line ~ /^ *```swift *$/ { inside = 1; is_test = 0; lines = 0; first = NR + 1; next }
        inside && line ~ /^@Test/ { is_test = 1 }
        inside && line ~ /^ *```/ { inside = 0; finish(); next }
        # Imports move to the top; an empty line preserves the line numbers of the rest.
        inside && line == "import PackageDescription" { line = "" }
        # On Linux, a part of Foundation is a module of its own.
        inside && line == "import Foundation" { imports = imports networking }
        inside && line ~ /^import / { imports = imports line "\n"; line = "" }
        inside { body[++lines] = line }
    ' "$1"
}

check() { # files
    work=$(mktemp -d)
    number=0
    for file in "$@"; do
        [ -f "$file" ] || fail "file not found: $file"
        number=$((number + 1))
        extract "$file" "$work" "$number"
    done
    status=0
    compile "$work" || status=1
    read_manifests "$work" || status=1
    rm -rf "$work"
    return "$status"
}

compile() { # directory
    set -- "$1"/*.swift
    [ -f "$1" ] || return 0
    typecheck "$context" "$@"
}

typecheck() { # files
    modules=$("${SWIFT:-swift}" build --package-path Tests/Shims --show-bin-path)/Modules
    plugins=$(swiftc -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)",*$/\1/p')/host/plugins/testing
    result=0
    while read -r mode; do
        # shellcheck disable=SC2086 # The mode is several arguments.
        swiftc -typecheck -parse-as-library -suppress-warnings -module-name Snippets -I "$modules" \
            -plugin-path "$plugins" $mode "$@" || { echo "check-snippets: with $mode" >&2; result=1; }
    done <<MODES
-swift-version 5
-swift-version 6 -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny
-swift-version 6 -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances -enable-upcoming-feature MemberImportVisibility
MODES
    return "$result"
}

read_manifests() { # directory
    for fragment in "$1"/*.manifest; do
        [ -f "$fragment" ] || return 0
        mkdir -p "$1/app"
        {
            # The oldest version that the guides name for `traits`.
            echo '// swift-tools-version: 6.1'
            echo 'import PackageDescription'
            echo 'let package = Package(name: "app", dependencies: ['
            cat "$fragment"
            echo '])'
        } >"$1/app/Package.swift"
        swift package --package-path "$1/app" dump-package >/dev/null || return 1
    done
}

# The app that needs stand-ins for Apple's and Google's frameworks, and the pages that show files of Examples.
check_examples() {
    result=0
    typecheck Examples/RiderApp/*.swift Examples/Adapters/*.swift || result=1
    same_as_shown README.md Sources/TokenProvider/Documentation.docc/*.md || result=1
    return "$result"
}

# Checks the guide's first program as a newcomer pastes it: its manifest, with this package on disk, and its only file, without
# anything around it. FLEET_TOKEN_BUILD_NEWCOMER=1 builds both.
check_newcomer() {
    work=$(mktemp -d)
    awk -v directory="$work" '
        /^## / { inside = $0 == "## A first program" }
        inside && /^```swift *$/ { path = directory "/" ++count; next }
        /^```/ { path = "" }
        path { print > path }' Sources/TokenProvider/Documentation.docc/UseItInAServer.md
    mkdir -p "$work/rider/Sources/rider"
    sed "s|\.package(url: [^,]*, from: [^,]*,|.package(name: \"fleet-token\", path: \"$PWD\",|" "$work/1" \
        >"$work/rider/Package.swift"
    cp "$work/2" "$work/rider/Sources/rider/main.swift"
    result=0
    modules=$("${SWIFT:-swift}" build --package-path Tests/Shims --show-bin-path)/Modules
    "${SWIFT:-swift}" package --package-path "$work/rider" dump-package >"$work/manifest.json" || result=1
    grep -q '"fleet-token"' "$work/manifest.json" || result=1
    grep -q 'library(name: "TokenProvider", targets' Package.swift || result=1
    swiftc -typecheck -swift-version 6 -module-name rider -I "$modules" "$work/rider/Sources/rider/main.swift" || result=1
    if [ -n "${FLEET_TOKEN_BUILD_NEWCOMER-}" ]; then
        "${SWIFT:-swift}" build --package-path "$work/rider" >&2 || result=1
    fi
    rm -rf "$work"
    return "$result"
}

# Checks that each block below a line `<!-- Examples/FILE -->` is that file.
same_as_shown() { # pages
    shown=$(mktemp)
    result=0
    for page in "$@"; do
        # shellcheck disable=SC2013 # No file here has a space in its name.
        for file in $(sed -n 's/^<!-- \(Examples\/.*\) -->$/\1/p' "$page"); do
            awk -v mark="<!-- $file -->" '
                $0 == mark { getline; getline; while (getline > 0 && $0 !~ /^```/) print; exit }' "$page" >"$shown"
            diff -u "$file" "$shown" >&2 || { echo "check-snippets: $page shows another $file" >&2; result=1; }
        done
    done
    rm -f "$shown"
    return "$result"
}

"${SWIFT:-swift}" build --package-path Tests/Shims >&2
if [ "$#" -eq 0 ]; then
    # shellcheck disable=SC2046,SC2016 # No file here has a space in its name; the marks of a code block.
    set -- $(grep -rlE '^ *(/// ?)?```swift' README.md docs Sources --include='*.md' --include='*.swift' | sort)
    [ "$#" -gt 3 ] || fail 'no examples found in the documentation'
    check_newcomer || fail 'UseItInAServer: the first program must build as it is pasted.'
    check_examples || fail 'fix the programs of Examples above.'
fi
check "$@" || fail 'fix the examples above: each must compile with the imports that its page shows.'
