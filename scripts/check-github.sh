#!/bin/sh
# Checks the files of .github against their schemas, which the tool brings along.
set -eu
cd "$(dirname "$0")/../.github"
check() { # schema, then files
    schema=$1
    shift
    ../.build/venv/bin/check-jsonschema --quiet --builtin-schema "vendor.$schema" "$@"
}
check github-workflows workflows/*.yml
check dependabot dependabot.yml
check github-issue-config ISSUE_TEMPLATE/config.yml
for form in ISSUE_TEMPLATE/*.yml; do
    [ "$form" = ISSUE_TEMPLATE/config.yml ] || check github-issue-forms "$form"
done
