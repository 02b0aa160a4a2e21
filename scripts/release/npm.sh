#!/usr/bin/env bash
# Packs web/ as npm does, with types: scripts/release/npm.sh [FOLDER], .build/dist by default.
# It needs tsc and tar, no npm; the same commit gives the same bytes. The name is not that of the chart in the same folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-.build/dist}
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' web/package.json)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$folder" "$stage/package"
cp web/*.js web/README.md LICENSE "$stage/package/"
# The README's links are relative to the repository.
sed "/^  \"license\"/a\  \"repository\": { \"type\": \"git\", \"url\": \"git+$(scripts/release/check.py --repository).git\", \"directory\": \"web\" }," \
    web/package.json > "$stage/package/package.json"
tsc -p web/tsconfig.types.json --outDir "$stage/package/types"
# No type of the interface refers to these modules.
rm "$stage"/package/types/{abortable,app-values}.d.ts
chmod -R u=rwX,go=rX "$stage/package"
tar --create --directory "$stage" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" package | gzip -9n > "$folder/fleet-token-npm-$version.tgz"
