#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: replay.sh ROOT BUILD
#
# What a page of a run costs: bytes per contact, and the share of the run that recording takes, for the climber and for 120
# bodies that fall in a heap; then what a browser makes of pages. Prints a row for each. docs/replay.md has a table of it.
# PILE is how long the bodies fall, in s: at 0.3 they touch first, at 1.2 they lie.
set -eu
root=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# A height field with five layers of spheres, boxes and capsules above it.
awk 'BEGIN {
    print "<mujoco><option timestep=\"0.001\"/><asset><hfield name=\"Bowl\" nrow=\"41\" ncol=\"41\" size=\"1.5 1.5 0.4 0.1\"/>"
    print "<material name=\"Stone\" rgba=\"0.7 0.6 0.5 1\"/><material name=\"Soil\" rgba=\"0.5 0.55 0.45 1\"/></asset><worldbody>"
    print "<geom name=\"Ground\" type=\"hfield\" hfield=\"Bowl\" material=\"Soil\"/>"
    split("type=\"sphere\" size=\"0.06\"|type=\"box\" size=\"0.06 0.05 0.04\"|type=\"capsule\" size=\"0.04 0.05\"", shape, "|")
    for (i = 0; i < 120; i++)
        printf "<body name=\"Body%03d\" pos=\"%g %g %g\"><freejoint/><geom %s mass=\"1\" material=\"Stone\"/></body>\n", i,
            0.17 * (i % 5) - 0.34 + 0.01 * (i % 3), 0.17 * (int(i / 5) % 5) - 0.34 + 0.01 * (i % 7), 0.25 + 0.15 * int(i / 25), shape[i % 3 + 1]
    print "</worldbody></mujoco>"
}' >pile.xml
echo 'ContactType Rough = CompliantGround { Stiffness = 1e4; Damping = 100; Friction = 0.6; }; DefaultPair -> Rough;' >pile.pcm

# seconds TIMES COMMAND...: processor time of the fastest run.
seconds() {
    times=$1
    shift
    for _ in $(seq "$times"); do
        bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - "$@" 2>&1 | awk '{ print $1 + $2 }'
    done | sort -n | head -n 1
}

# row NAME TIMES EVERY SCENE RULES OPTIONS...
row() {
    name=$1 times=$2 every=$3 scene=$4 rules=$5
    shift 5
    plain=$(seconds "$times" "$build/tools/pcm" run "$scene" "$rules" "$@")
    recorded=$(seconds "$times" "$build/tools/pcm" run "$scene" "$rules" "$@" --every "$every" --replay "$name.html")
    "$build/tools/pcm" replay "$name.html" --csv tables >taken
    page=$(wc -c <"$name.html") code=$(wc -c <"$build/web/replay.html")
    contacts=$(($(wc -l <tables/contacts.csv) - 1))
    awk -v name="$name" -v page="$page" -v code="$code" -v n="$contacts" -v plain="$plain" -v recorded="$recorded" 'BEGIN {
        printf "%-16s %8d contacts %7.0f kB of them data %6.0f kB, %5.1f bytes a contact; run %.2f s, recorded %.2f s\n",
            name, n, page / 1000, (page - code) / 1000, (page - code) / n, plain, recorded }'
    [ -z "${KEEP-}" ] || cp "$name.html" "$KEEP/"
}

climber=$root/configs/climber/climber
row climber-0.01 3 0.01 "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time 5
row climber-0.001 3 0.001 "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time 5
row pile 1 0.01 pile.xml pile.pcm --time "${PILE-0.3}"
"$build/tests/replay/pages" "$build/web/replay.html" 2100 # 19 MB, 700 contacts a frame
[ -z "${KEEP-}" ] || cp large.html "$KEEP/"
python=/usr/bin/python3
if $python -c 'import selenium' 2>/dev/null && [ -x /usr/bin/chromedriver ]; then
    $python "$root/bench/page.py" climber-0.01.html climber-0.001.html pile.html large.html
else
    echo 'pages are not opened (Debian: chromium-driver, python3-selenium)'
fi
