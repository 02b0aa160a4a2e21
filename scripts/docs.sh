#!/bin/sh
# Builds the documentation of what apps embed, and fails on every warning, such as a link to nothing: scripts/docs.sh
# It is in .build/docs/NAME.doccarchive then.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
folder=$PWD/.build/docs
rm -rf "$folder/graphs"
for module in FleetToken ExpiringCache TokenProvider; do
    mkdir -p "$folder/graphs/$module"
    # An app's build: without the service and what it depends on.
    "$swift" build --disable-default-traits --scratch-path "$folder/build" --target "$module"
    "$swift" symbolgraph-extract -module-name "$module" -I "$folder/build/debug/Modules" -output-dir "$folder/graphs/$module" \
        -minimum-access-level public -target "$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p')"
    catalog=Sources/$module/Documentation.docc
    [ -d "$catalog" ] || catalog=""
    docc convert ${catalog:+"$catalog"} --warnings-as-errors --additional-symbol-graph-dir "$folder/graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "fleet-token.$module" \
        --output-path "$folder/$module.doccarchive"
done
