#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: site.sh ROOT
#
# The documentation becomes a site without a warning. Skipped where PyPI cannot be reached.
set -eu
cd "$1"
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps -d "$site/wheel" \
    "$(head -n 1 docs/site/requirements.txt)" 2>/dev/null || { echo 'PyPI cannot be reached'; exit 77; }
scripts/site "$site"
[ -s "$site/docs/guide.html" ] && [ -s "$site/searchindex.js" ]
