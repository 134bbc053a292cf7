#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: starve.sh ROOT BUILD STARVE.so
#
# Every command with memory that fails at its first, second ... allocation, until all succeed: it prints what it prints
# otherwise and exits with 0, or says that there is no memory and exits with 1.
set -u
root=$1
build=$2
export STARVE_TOLD
starving=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
STARVE_TOLD=$folder/told
cd "$folder" || exit 1
climber=$root/configs/climber/climber
cat >motion.csv <<'X'
depth,depth_rate,slip_x,slip_y
0.001,0,0,0
0.002,0.1,0.1,0
X
cat >rig.pcm <<'X'
ContactType Pad = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 100; };
DefaultPair -> Pad;
X
runs=0
failed=0

starve() {
    "$build/tools/pcm" "$@" >wanted 2>wanted.err
    wanted=$?
    [ $wanted -eq 0 ] || { cat wanted.err; failed=1; }
    at=1
    while echo 0 >told && [ $at -lt 2000 ]; do
        STARVE_AT=$at LD_PRELOAD=$starving "$build/tools/pcm" "$@" >printed 2>said
        status=$?
        runs=$((runs + 1))
        [ "$(cat told)" = 1 ] || break
        if [ $status -eq 0 ]; then
            cmp -s wanted printed || { echo "pcm $*: allocation $at: exit 0 with another output"; failed=1; }
        elif [ $status -ne 1 ] || ! grep -qi memory said; then
            echo "pcm $*: allocation $at: exit status $status: $(head -c 200 said)"
            failed=1
        fi
        at=$((at + 1))
    done
}

starve models SpringContact
starve models CompliantGround --json
starve explain "$climber.pcm" FrontRightFoot:Sticky Ground:Glass --load 10 --speed 1 --mass 1
starve cone "$climber.pcm" Tread --json
starve check "$climber.pcm" --json
starve show "$climber.pcm"
starve fmt --check "$climber.pcm"
starve rig rig.pcm --motion motion.csv --trial
starve rig rig.pcm --motion motion.csv --out rig.csv
if [ "$4" != no-mujoco ]; then
    starve show "$climber.pcm" --scene "$climber.xml"
    run() { starve run "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time "$@"; }
    run 0.001 --out out.csv --log logs
    run 0.001 --energy --sense sense.csv --save saved.run --save-every 0.0005
    run 0.002 --energy --sense sense.csv --resume saved.run
    [ "$5" = no-replay ] || run 0.001 --replay page.html
fi
echo "$runs runs"
[ "$runs" -gt 500 ] || { echo 'no allocation fails: is the library in front of the command?'; failed=1; }
exit $failed
