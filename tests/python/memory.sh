#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: memory.sh SOURCE BUILD
#
# Runs the Python package's tests under valgrind, which sees every read and write of the extension, of libpcm and of Python
# itself. Leaks are counted by the tests' own counts: Python frees little of its own at the end.
set -eu
source=$1
build=$2
export PYTHONPATH="$build/python:$source/../shared/mujoco/python" PCM_PLUGIN_PATH="$build/plugins" PCM_COMMAND="$build/tools/pcm"
export PCM_SOURCE="$source" PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1
for name in config world bodies law attach; do
    echo "test_$name.py"
    valgrind --quiet --error-exitcode=99 --leak-check=no --suppressions="$source/tests/python/loader.supp" \
        python3 -m pytest -q -p no:cacheprovider "$source/tests/python/test_$name.py"
done
