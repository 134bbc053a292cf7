#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: others.sh PYTHON FOLDER PLUGINS
#
# The one file _pcm.abi3.so in FOLDER, under each Python from 3.11 on that is found beside PYTHON, in PATH or with pyenv:
# without numpy, which it does not need.
set -u
here=$(dirname "$0")
first=$1
folder=$2
plugins=$3
tried=0
for place in $(echo "$PATH" | tr ':' ' ') "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin; do
    for python in "$place"/python3.1[1-9]; do
        [ "$python" -ef "$first" ] || ! "$python" -S -c 'import sys' 2>/dev/null && continue
        "$python" -c 'import sysconfig, sys; sys.exit(bool(sysconfig.get_config_var("Py_GIL_DISABLED")))' || continue
        tried=$((tried + 1))
        "$python" -S -B "$here/alone.py" "$folder" "$plugins" || { echo "$python: see above"; exit 1; }
    done
done
[ $tried -gt 0 ] || { echo 'there is no other Python from 3.11 on'; exit 77; }
echo "$tried other Pythons"
