#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: run.sh PYTHON FILE ...
#
# Runs tests of the Python package. Skipped where this Python has no numpy or no pytest.
set -eu
python=$1
shift
"$python" -c 'import numpy, pytest' 2>/dev/null || { echo "$python has no numpy or no pytest"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
# The official MuJoCo package, if there is one.
export PYTHONPATH="$PYTHONPATH:$PCM_SOURCE/../shared/mujoco/python"
# Python frees little of its own memory at the end.
export LD_PRELOAD="${PYTHON_PRELOAD-}" ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
status=0
"$python" -m pytest -q -p no:cacheprovider -W error::DeprecationWarning "$@" || status=$?
# pytest's exit code for a file whose tests are all skipped.
[ $status -ne 5 ] || exit 77
exit $status
