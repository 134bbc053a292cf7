#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: copy.sh FROM TO NAME... STAMP
set -eu
from=$1 to=$2
shift 2
while [ $# -gt 1 ]; do
    rm -rf "${to:?}/$1"
    cp -R "$from/$1" "$to/$1"
    shift
done
: >"$1"
