#!/bin/sh
# Builds the documentation of the client modules and fails on every warning, such as a broken link.
# Writes .build/docs/NAME.doccarchive.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
folder=$PWD/.build/docs
rm -rf "$folder/graphs"
for module in TokenProvider TokenProviderTesting; do
    mkdir -p "$folder/graphs/$module"
    # Built as an app builds it: without the service and its dependencies.
    "$swift" build --disable-default-traits --scratch-path "$folder/build" --target "$module"
    "$swift" symbolgraph-extract -module-name "$module" -I "$folder/build/debug/Modules" -output-dir "$folder/graphs/$module" \
        -minimum-access-level public -target "$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p')"
    catalog=Sources/$module/Documentation.docc
    [ -d "$catalog" ] || catalog=""
    docc convert ${catalog:+"$catalog"} --warnings-as-errors --additional-symbol-graph-dir "$folder/graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "fleet-token.$module" \
        --output-path "$folder/$module.doccarchive"
done
