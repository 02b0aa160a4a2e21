#!/bin/sh
# Makes a static site of the documentation that scripts/docs.sh built: scripts/docs-site.sh BASE
# BASE is the first component of the site's paths, such as fleet-token. Writes .build/docs/site.
set -eu
cd "$(dirname "$0")/../.build/docs"
base=$1
rm -rf site
mkdir site
for archive in *.doccarchive; do
    name=${archive%.doccarchive}
    docc process-archive transform-for-static-hosting "$archive" --output-path "site/$name" \
        --hosting-base-path "$base/$name"
done
printf '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=%s">\n' \
    "TokenProvider/documentation/tokenprovider/" > site/index.html
