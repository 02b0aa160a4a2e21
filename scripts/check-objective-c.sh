#!/bin/sh
# Checks what Objective-C sees of TokenProvider: its header, and the examples that use it.
#
#   scripts/check-objective-c.sh            compares the header, and compiles the examples of Examples and DocC with it
#   scripts/check-objective-c.sh --update   writes the header
#
# The compiler makes the header of the real declarations; Tests/Shims/ObjectiveC has stand-ins for Foundation, for Google's
# SDK and for the Swift types that they use. The header that is kept there is the generated one without its macros.
set -eu

cd "$(dirname "$0")/.."
shims=Tests/Shims/ObjectiveC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "check-objective-c: $1" >&2
    exit 1
}

frontend() {
    swiftc -frontend -swift-version 6 -enable-objc-interop -disable-objc-attr-requires-foundation-module \
        -parse-as-library -suppress-warnings -I "$work" -Xcc -fblocks -Xcc "-fmodules-cache-path=$work/modules" \
        -Xcc "-fmodule-map-file=$work/module.modulemap" "$@"
}

# Without the header itself: it is what is to be made.
generate() {
    cp "$shims"/ObjectiveC.h "$shims"/Foundation.h "$work"
    head -n 2 "$shims/module.modulemap" >"$work/module.modulemap"
    frontend -emit-module -module-name Foundation -import-underlying-module -o "$work/Foundation.swiftmodule" \
        "$shims/Foundation.swift"
    # The real provider is Swift's alone.
    frontend -typecheck -module-name TokenProvider -emit-objc-header-path "$work/header.h" "$shims/TokenProvider.swift" \
        Sources/TokenProvider/ObjectiveC/*.swift
    echo '// What Objective-C sees of TokenProvider: generated, without macros, by scripts/check-objective-c.sh --update.'
    echo
    echo '@import Foundation;'
    # Declarations only; the enums first, since a module is read from the top.
    sed -n '/^SWIFT_CLASS\|^@interface/,/^@end/p; /^typedef SWIFT_ENUM/,/^};/p' "$work/header.h" |
        sed -E '/^(SWIFT_CLASS_NAMED|SWIFT_CLASS)\(|^\+ \(nonnull instancetype\)new|^\+ \(NSString .*SWIFT_WARN/d
            /^ *\/\/\/?/d
            s/SWIFT_CLASS_PROPERTY\((.*)\)$/\1/
            s/typedef SWIFT_ENUM(_NAMED)?\((NSInteger), ([A-Za-z]+),.*\) \{/typedef NS_ENUM(\2, \3) {/
            s/ (OBJC_DESIGNATED_INITIALIZER|SWIFT_WARN_UNUSED_RESULT)//g
            s/SWIFT_UNAVAILABLE/NS_UNAVAILABLE/
            s/enum (FT[A-Za-z]+)/\1/g' >"$work/declarations"
    echo
    sed -n '/^typedef/,/^};/p' "$work/declarations" | sed 's/^};/&\n/'
    sed -n '/^@interface/,/^@end/p' "$work/declarations" | sed 's/^@end/&\n/' | sed '$d'
}

# The examples of a page, each as a function's body.
extract() { # page
    awk '
        /^<!-- Examples\// { getline; while ((getline line) > 0 && line !~ /^```/) {} next }
        /^```objc *$/ { inside = 1; body = ""; next }
        inside && /^```/ { inside = 0; count++
            print imports "void Snippet" count "(NSURL *serverURL, Session *session) {\n" body "}"; next }
        inside && /^@import/ { imports = imports $0 "\n"; next }
        inside { body = body $0 "\n" }' "$1"
}

compile() { # file
    clang -fsyntax-only -x objective-c -target arm64-apple-ios16.0 -fobjc-arc -fblocks -fmodules -Wall -Werror \
        -fmodules-cache-path="$work/modules" -fmodule-map-file="$shims/module.modulemap" "$1"
}

generate >"$work/TokenProvider-Swift.h"
if [ "${1-}" = --update ]; then
    cp "$work/TokenProvider-Swift.h" "$shims"
fi
diff -u "$shims/TokenProvider-Swift.h" "$work/TokenProvider-Swift.h" >&2 ||
    fail 'the header is another than is kept: if that is meant, run scripts/check-objective-c.sh --update.'
for file in Examples/*/*.m; do
    compile "$file" || fail "$file does not compile."
done
for page in Sources/TokenProvider/Documentation.docc/*.md; do
    {
        echo '@import Foundation;'
        echo '@interface Session : NSObject'
        echo '- (void)accessTokenRenewed:(BOOL)isRenewed completion:(void (^)(NSString *, NSError *))completion;'
        echo '@end'
        extract "$page"
    } >"$work/snippets.m"
    compile "$work/snippets.m" || fail "an example of $page does not compile."
done
echo 'check-objective-c: the header is the one that is kept, and the examples compile with it.'
