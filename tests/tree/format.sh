#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: format.sh ROOT
#
# C files are as clang-format 14 leaves them with the .clang-format beside the README. Other versions differ in details.
set -u
here=$(dirname "$0")
. "$here/files.sh"
clang-format --version 2>/dev/null | grep -q 'version 14\.' || exit 77
tree_files '*.c' '*.h' | xargs clang-format --dry-run --Werror
