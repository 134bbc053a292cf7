#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: versions.sh ROOT BUILD
#
# There is one version, that of meson.build.
set -u
cd "$1" || exit 1
failed=0
version=$(sed -n "s/^ *version: '\(.*\)',\$/\1/p" meson.build)
[ -n "$version" ] || { echo 'meson.build has no version'; exit 1; }

# is WHAT VERSION
is() { [ "$2" = "$version" ] || { echo "$1 says '$2', meson.build says '$version'"; failed=1; }; }

defined() { sed -n "s/^#define PCM_VERSION$1 *\"\{0,1\}\([0-9.]*\)\"\{0,1\}\$/\1/p" include/pcm/pcm.h; }
is 'PCM_VERSION of pcm.h' "$(defined '')"
is 'PCM_VERSION_MAJOR, _MINOR, _PATCH of pcm.h' "$(defined _MAJOR).$(defined _MINOR).$(defined _PATCH)"
is 'packaging/debian/changelog' "$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog)"
is 'pcm --version' "$("$2/tools/pcm" --version | cut -d' ' -f2)"
grep -q "$(echo "$version" | sed 's/\./\\./g')" CHANGELOG.md || { echo "CHANGELOG.md does not mention $version"; failed=1; }
exit $failed
