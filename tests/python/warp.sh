#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: warp.sh PYTHON ROOT BUILD PACKAGE==RELEASE ...
#
# Warp, MuJoCo Warp and Newton with laws, on the processor where there is no GPU, and the programs in Python of
# docs/gpu.md. The environment and the kernels that Warp compiles stay in BUILD. Skipped where PyPI cannot be reached.
set -eu
python=$1
root=$2
build=$3
shift 3
place=$build/tests/python/warp
own=$place/bin/python
"$root/tests/python/venv.sh" "$python" "$place" "$@"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python" XDG_CACHE_HOME="$build/tests/python/cache"
export WARP_CACHE_PATH="$build/tests/python/warp/kernels" PKG_CONFIG_PATH="$build/meson-uninstalled"
export PCM_COMMAND="$build/tools/pcm" PCM_SOURCE="$root" PCM_PLUGIN_PATH="$build/plugins"
"$own" -m pytest -q -p no:cacheprovider "$root/tests/python/warps.py"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```(python|pcm|xml) / { name = $2; next } /^```$/ { name = "" } name { print > "'"$folder"'/" name }' "$root/docs/gpu.md"
cd "$folder"
for program in press.py worlds.py slide.py; do
    "$own" "$program" >"$program.txt"
done
grep -q '^\[0\.    0\.1   0\.283\]$' press.py.txt
grep -q '^256 contacts in 64 worlds$' worlds.py.txt
grep -q '^4 contacts$' slide.py.txt
