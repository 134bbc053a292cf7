#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: menagerie.sh PYTHON ROOT BUILD [ROBOT...]
#
# menagerie.py with the wheels of MuJoCo and of its Menagerie that PyPI has. That of Menagerie downloads a model when it is
# first asked for, or takes it from a checkout of Menagerie at $MENAGERIE_ROOT. Skipped where one of both cannot be had.
set -eu
python=$1
root=$2
build=$3
shift 3
place=$build/tests/python/menagerie
"$root/tests/python/venv.sh" "$python" "$place" mujoco==4.0.0 mujoco-menagerie==2026.10.4
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python" XDG_CACHE_HOME="$build/tests/python/cache"
export PCM_COMMAND="$build/tools/pcm" PCM_SOURCE="$root" PCM_PLUGIN_PATH="$build/plugins"
exec "$place/bin/python" "$root/tests/python/menagerie.py" "$root" "$@"
