#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: engines.sh PYTHON ROOT BUILD PACKAGE==RELEASE ...
#
# Laws in PyBullet, dartpy and Drake with PyPI's wheels, and the programs in Python of docs/hosts.md with them and
# MuJoCo. The environment stays in BUILD. Says which wheels there are not; skipped where PyPI has none of them.
set -eu
python=$1
root=$2
build=$3
shift 3
"$python" -c 'import numpy, pytest, venv, ensurepip' 2>/dev/null || { echo "$python has no numpy, pytest or venv"; exit 77; }
place=$build/tests/python/engines
own=$place/bin/python
if [ "$(cat "$place/complete" 2>/dev/null)" != "$*" ]; then
    rm -rf "$place"
    "$python" -m venv --system-site-packages "$place"
    for package; do
        "$own" -m pip -q --disable-pip-version-check --timeout 20 --retries 1 install --only-binary :all: "$package" ||
            echo "PyPI gave no $package for this Python"
    done
    echo "$*" >"$place/complete"
fi
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python" XDG_CACHE_HOME="$build/tests/python/cache"
export PCM_COMMAND="$build/tools/pcm" PCM_SOURCE="$root" PCM_PLUGIN_PATH="$build/plugins"
found=0
for package; do
    name=${package%==*}
    [ "$name" != drake ] || name=pydrake
    if ! "$own" -c "import $name" 2>/dev/null; then
        echo "there is no $package: not tested with it"
        continue
    fi
    found=$((found + 1))
    [ "$name" = mujoco ] || PCM_ENGINE=$name "$own" -m pytest -q -p no:cacheprovider -W error::DeprecationWarning "$root/tests/python/engines.py"
done
[ "$found" -gt 0 ] || exit 77
