#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: page.sh PAGE.md BUILD
#
# Does in an empty folder what the page tells its reader to do, with the programs of the build in place of installed ones.
set -eu
page=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
script=$(awk -f "$here/blocks.awk" "$page")
[ -n "$script" ] || { echo "$page: nothing to run"; exit 1; }

fail() {
    echo "$page:$1: this block does not do what the page says"
    exit 1
}
export PATH="$build/tools:$PATH"
export PKG_CONFIG_PATH="$build/meson-uninstalled"
export LD_LIBRARY_PATH="$build/core:$build/cones:$build/geometry:$build/hosts/mujoco"
export PCM_PLUGIN_PATH="$build/plugins"
cd "$folder"
eval "$script"
