#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: page.sh PAGE.md BUILD
#
# Does in an empty folder what the page tells its reader to do, in the shell that `meson devenv` opens for the build, with
# nothing else in the environment but PYTHONPATH, which brings the packages that a page stands on, and Python's own virtual
# environment if one is active. MPI may start where the tests are run by root.
set -eu
page=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    echo "fail() { echo '$page:'\"\$1: this block does not do what the page says\"; exit 1; }"
    awk -f "$here/blocks.awk" "$page"
} >"$folder/.typed"
[ "$(wc -l <"$folder/.typed")" -gt 1 ] || { echo "$page: nothing to run"; exit 1; }
env -i HOME="$folder" PATH="${VIRTUAL_ENV:+$VIRTUAL_ENV/bin:}/usr/local/bin:/usr/bin:/bin" PYTHONPATH="${PYTHONPATH-}" \
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 meson devenv -C "$build" -w "$folder" sh .typed
