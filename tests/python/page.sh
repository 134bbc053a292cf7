#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: page.sh PYTHON ROOT BUILD
#
# Does what docs/python.md says. Its simulation runs in the official package of MuJoCo, or in a stand-in for it.
set -eu
python=$1
root=$2
build=$3
"$python" -c 'import numpy' 2>/dev/null || { echo "$python has no numpy"; exit 77; }
official=$root/../shared/mujoco/python
[ -d "$official" ] || official=$root/tests/python/stand_in
export PYTHONPATH="$official:$root/tests/python"
exec "$root/tests/docs/page.sh" "$root/docs/python.md" "$build"
