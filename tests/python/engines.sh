#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: engines.sh PYTHON ROOT BUILD PACKAGE==RELEASE ...
#
# Laws in PyBullet, dartpy and Drake with PyPI's wheels; where all are there, also the programs in Python of docs/hosts.md,
# and examples/transfer. The environment stays in BUILD. Says which wheels there are not; skipped where there is none.
set -eu
python=$1
root=$2
build=$3
shift 3
place=$build/tests/python/engines
own=$place/bin/python
"$root/tests/python/venv.sh" --some "$python" "$place" "$@"
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
[ "$found" -eq $# ] || exit 0

# The page's programs, and the certificate: its forces, and the ends of the engines to which they differ as the page says.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '/^```(python|pcm|text) [a-z]+\.[a-z]+$/ { name = $2; next } /^```$/ { name = "" }
    name { print >(folder "/" name) }' "$root/docs/hosts.md"
cd "$folder"
for program in bullet dart slide; do
    "$own" -W error "$program.py" | grep -v '^argv' >"$program.said"
    diff -u "$program.txt" "$program.said"
done
"$own" "$root/examples/transfer/transfer.py" "$root/examples/transfer/transfer.pcm" transfer.csv | grep -v '^argv' >transfer.said
grep '^ODE is not installed' transfer.said && exit 0
awk '
    function fail(what) { print $1 " " what; bad = 1 }
    $1 ~ /^(MuJoCo|PyBullet|ODE|Drake|DART|DART\/Bullet|DART\/ODE)$/ {
        seen++
        if ($2 != 4) fail("has " $2 " points")
        for (i = 3; i <= 6; i++)
            if (!($i < 1e-9)) fail("has a force that is off by " $i " N")
        off = $9
        if ($1 ~ /ODE|\//) { if (!(off > 1e-7 && off < 1e-5)) fail("ends " off " m away") }
        else if (!(off < 1e-8)) fail("ends " off " m away")
    }
    $1 == "DART/plane" { seen++; if ($2 != 1) fail("has " $2 " points") }
    END { exit bad || seen != 8 }' transfer.said || { cat transfer.said; exit 1; }
# Without what rounding says.
for text in transfer.txt transfer.said; do
    sed 's/ *[0-9.]*e[-+][0-9]*//g' "$text" >"$text.held"
done
diff -u transfer.txt.held transfer.said.held
command -v gnuplot >/dev/null || exit 0
gnuplot -e "csv='transfer.csv'; png='transfer.png'" "$root/examples/transfer/transfer.gp"
test -s transfer.png
