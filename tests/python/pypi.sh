#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pypi.sh PYTHON ROOT BUILD PACKAGE==RELEASE [MORE==RELEASE...]
#
# Attachments to MuJoCo, and what docs/python.md says, with the wheel that `pip install PACKAGE==RELEASE` brings from
# PyPI; with more packages, those of Gymnasium, also what docs/learning.md says. The environment stays in BUILD. Skipped
# where PyPI cannot be reached.
set -eu
python=$1
root=$2
build=$3
package=$4
shift 4
place=$build/tests/python/$package
own=$place/bin/python
"$root/tests/python/venv.sh" "$python" "$place" "$package" "$@"

# Nothing else may stand in for the wheel.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python" XDG_CACHE_HOME="$build/tests/python/cache"
"$own" - "$package" "$place" <<'END'
import sys, mujoco
wanted, place = sys.argv[1].split("==")[1], sys.argv[2]
assert mujoco.__version__ == wanted and mujoco.__file__.startswith(place), (mujoco.__version__, mujoco.__file__)
END
export PCM_COMMAND="$build/tools/pcm" PCM_SOURCE="$root" PCM_PLUGIN_PATH="$build/plugins"
"$own" -m pytest -q -p no:cacheprovider -W error::DeprecationWarning "$root/tests/python/test_mujoco.py"
for page in python ${1:+learning}; do
    VIRTUAL_ENV=$place PYTHONPATH="$root/tests/python" "$root/tests/docs/page.sh" "$root/docs/$page.md" "$build"
done
