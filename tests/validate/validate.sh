#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: validate.sh ROOT BUILD CC
#
# pcm validate: the board of docs/validate.md is what the command prints, planted slips lower the scores that they should,
# and everything wrong in a suite or a law is said with its place.
set -u
root=$1 build=$2 cc=$3
export PATH="$build/tools:$PATH" LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() {
    echo "$1"
    [ ! -s out ] || tail -20 out
    failed=1
}
# says WORDS STATUS COMMAND...: its output has the words, and it exits with the status.
says() {
    words=$1 wanted=$2
    shift 2
    "$@" >out 2>&1
    status=$?
    [ $status -eq "$wanted" ] || complain "$*: exit status $status"
    tr -s '\n ' ' ' <out | grep -qF -e "$words" || complain "$*: nothing says '$words'"
}

# ---- The board, of the suites that have the same bits everywhere
pcm validate --host own --markdown >board.md || complain 'the board does not run'
grep '^|' board.md | while read -r line; do
    grep -qxF -e "$line" "$root/docs/validate.md" || echo "docs/validate.md (docs/validate BUILD) lacks: $line"
done >lacking
[ ! -s lacking ] || { complain "$(cat lacking)"; }
grep -q '^| PartialSlip | 30 of 31 | .* best |' board.md || complain 'PartialSlip is not the best of kharaz'

# ---- A planted slip: half the stiffness of the springs; twice the bound
for slip in 's/8 \* law->modulus/4 * law->modulus/' 's/0.5 \* (q - p)/1.0 * (q - p)/'; do
    mkdir -p planted
    sed "$slip" "$root/plugins/PartialSlip.c" >planted/PartialSlip.c
    cmp -s planted/PartialSlip.c "$root/plugins/PartialSlip.c" && complain "$slip changes nothing"
    "$cc" -O2 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -fvisibility=hidden -fPIC -shared \
        -I"$root/include" -I"$build/include" planted/PartialSlip.c -o planted/PartialSlip.so || exit 1
    pcm validate --suite partial-slip --suite kharaz --plugins planted --json >scores.json || complain 'a planted slip does not run'
    python3 - scores.json <<'X' || complain "$slip is not seen"
import json, sys
rows = {(row['suite'], row['type']): row for row in json.load(open(sys.argv[1]))}
within = {key: sum(test['within'] for test in row['tests']) for key, row in rows.items()}
assert within['partial-slip', 'Eight'] <= 1 and within['partial-slip', 'Twelve'] <= 1, within
assert rows['kharaz', 'PartialSlip']['mean_error'] > 1.5, rows['kharaz', 'PartialSlip']['mean_error']
assert rows['kharaz', 'Mindlin']['mean_error'] < 2.5
X
done

# ---- Tests of the same run share it, and of no other: each number is what its test alone gives
if pcm validate --host mujoco --suite cradle >out 2>&1; then
    mkdir -p shared alone
    cp -r "$root/suites/cradle" shared/runs
    {
        sed -n 2p "$root/suites/cradle/tests.csv"
        for when in 0.01,0.00001,--keyframe\ start 0.01,0.00001,--keyframe\ start 0.02,0.00001,--keyframe\ start \
            0.02,0.00002,--keyframe\ start 0.02,0.00002,; do
            echo "place,end,0,m,,1,cradle.xml,$when,ball5.position,,"
        done
    } >shared/runs/tests.csv
    pcm validate --suites shared --suite runs --json >shared.json || complain 'the runs do not run'
    for row in 2 3 4 5 6; do
        rm -rf alone/runs
        cp -r shared/runs alone/runs
        sed -n "1p;${row}p" shared/runs/tests.csv >alone/runs/tests.csv
        pcm validate --suites alone --suite runs --json >"alone$row.json" || complain "run $row does not run"
    done
    python3 - <<'X' || complain 'tests of one run are not what they are alone'
import json
of = lambda name: [[test['measured'] for test in row['tests']] for row in json.load(open(name))]
together = of('shared.json')
assert together == [sum(row, []) for row in zip(*(of(f'alone{row}.json') for row in range(2, 7)))], together
assert all(row[0] == row[1] and len(set(row)) == 4 for row in together), together
X
elif ! grep -q 'without MuJoCo' out; then
    complain 'cradle does not run'
fi

# ---- A law that crashes or gives no number fails its own tests alone
cat >planted/Crash.c <<'X'
#include <pcm/plugin.h>
typedef struct { double stiffness; } Law;
static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    if (law.stiffness > 1e6)
        *(volatile int *)16 = 1;
    PCM_EACH(b, i) b->force_n[i] = law.stiffness * pcm_ramp(b->depth[i]);
}
static const pcm_param params[] = {PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e7, "k", PCM_ABOVE(0))};
PCM_KERNELS(update);
PCM_MODEL(Crash, "crashes", .params = PCM_TABLE(params), .inputs = PCM_DEPTH);
X
"$cc" -O1 -fopenmp-simd -ffp-contract=off -fvisibility=hidden -fPIC -shared -I"$root/include" -I"$build/include" planted/Crash.c \
    -o planted/Crash.so || exit 1
cat >crash.pcm <<'X'
ContactType Bad = Crash;
ContactType Good = Crash { Stiffness = 1 [N/mm]; };
X
mkdir -p mine/one
suite() {
    printf 'key,value\ntitle,One\n%skind,%s\nlaws,laws.pcm\n%s' "$1" "$2" "$3" >mine/one/suite.csv
}
tests() {
    printf 'test,measure,expected,unit,tolerance,%s\n%s\n' "${2:-radius,mass,speed}" "$1" >mine/one/tests.csv
}
printf 'ContactType Soft = KelvinVoigt { Stiffness = 1 [N/mm]; Damping = 0; };\n' >mine/one/laws.pcm
suite 'source,closed form
' impact ''
# The closed form: half a period of the spring, pi sqrt(m/k).
tests 'T,duration,31.4159,ms,0.1,0.01,0.1,1'
says '1 of 1' 0 pcm validate --suites mine
says 'one, test T, Bad: the law Crash of contact type ' 1 pcm validate crash.pcm --suites mine --plugins planted
says 'Good 1 of 1' 1 pcm validate crash.pcm --suites mine --plugins planted
says 'Good 1 of 1' 0 pcm validate crash.pcm Good --suites mine --plugins planted
says 'has no contact type Best' 1 pcm validate crash.pcm Best --suites mine --plugins planted

# ---- Suites with faults
says 'did you mean' 1 pcm validate --suite kharas
says 'there is no folder of suites nowhere' 1 pcm validate --suites nowhere
says '--host is own, mujoco or lammps, not ode' 2 pcm validate --host ode
says '--between is given twice' 2 pcm validate --between Rubber

# ---- Materials of a file: friction that the suite does not set, of these two surfaces in every kind of suite
cat >pads.pcm <<'X'
ContactType Pad = Hertz + Dahl { Dahl.Stiffness = 20 [N/mm]; };
Material Rubber { YoungModulus = 2 [MPa]; PoissonRatio = 0.49; };
Material Steel { YoungModulus = 210 [GPa]; PoissonRatio = 0.3; };
X
for kind in spheres partial-slip scenes; do
    pcm validate pads.pcm Pad --suite $kind --between Rubber --between Steel --json >out 2>&1 || complain "$kind: no materials"
done
# In LAMMPS, too, whose scripts know no surfaces; balls that are all alike have one.
cat >warm.pcm <<'PCM'
ContactType Warm = Hertz + HeatConduction;
Material Rubber { YoungModulus = 2 [MPa]; PoissonRatio = 0.49; };
Material Steel { YoungModulus = 210 [GPa]; PoissonRatio = 0.3; };
PCM
says 'Warm is not for the suite heat: its bodies have one surface, so that --between must name one twice' 0 \
    pcm validate warm.pcm Warm --suite heat --between Rubber --between Steel
if [ -x "$build/hosts/lammps/pcm-lammps" ]; then
    says 'Warm 10 of 10' 0 env PATH="$build/hosts/lammps:$PATH" PCM_PLUGIN_PATH="$build/plugins" pcm validate warm.pcm Warm --suite heat --between Steel --between Steel
    mkdir -p sides/two
    sed 's/Ball/Wheel/' "$root/suites/lammps/ball.in" >sides/two/ball.in
    cp "$root/suites/lammps/laws.pcm" sides/two
    printf 'key,value\ntitle,Two\nsource,own\nkind,scene\nlaws,laws.pcm\nbase,*\nfollower,Wheel\n' >sides/two/suite.csv
    # Twice the modulus of a pair of equal bodies is that of one of them on a rigid one.
    sed -n '2p;/dem03-hertzmaterial-wall/p' "$root/suites/lammps/tests.csv" | sed 's/ReducedModulus=[^;]*;//;s/ReducedShearModulus=[^;]*;//' >sides/two/tests.csv
    cat >sides.pcm <<'PCM'
ContactType Pad = HertzTsuji + Mindlin;
Material Rubber { YoungModulus = 50 [GPa]; PoissonRatio = 0.25; };
Material Stiff { YoungModulus = 1e12 [GPa]; PoissonRatio = 0.25; };
PCM
    says 'Pad 1 of 1' 0 env PATH="$build/hosts/lammps:$PATH" PCM_PLUGIN_PATH="$build/plugins" pcm validate sides.pcm Pad --suites sides --between Stiff --between Rubber
fi
suite '' impact ''
says 'lacks a source' 1 pcm validate --suites mine
suite 'source,closed form
' flight ''
says 'no kind of suite: impact, history or scene' 1 pcm validate --suites mine
suite 'source,closed form
' impact 'author,me
'
says 'no key of a suite' 1 pcm validate --suites mine
suite 'source,closed form
' impact 'needs,Friction
'
tests 'T,duration,31.4159,ms,0.1,0.01,0.1,1'
says 'it has no Friction' 0 pcm validate --suites mine
says 'Good is not for the suite one: it has no Friction' 0 pcm validate crash.pcm Good --suites mine --plugins planted
suite 'source,closed form
' impact ''
tests 'T,duration,31.4159,ms,,0.01,0.1,1'
says 'a tolerance above 0' 1 pcm validate --suites mine
tests 'T,duration,31.4159,mm,1,0.01,0.1,1'
says 'duration is in s' 1 pcm validate --suites mine
tests 'T,duration,31.4159,parsec,1,0.01,0.1,1'
says 'tests.csv:2:' 1 pcm validate --suites mine
tests 'T,duration,31.4159,ms,1,0.01,0,1'
says 'radii, masses and a speed above 0' 1 pcm validate --suites mine
tests 'T,duration,31.4159,ms,1,0.01,0.1,1,-0.1' radius,mass,speed,partner_mass
says 'radii, masses and a speed above 0' 1 pcm validate --suites mine
tests 'T,duratoin,31.4159,ms,1,0.01,0.1,1'
says 'tests.csv:2:3: error: no measure of this kind of suite' 1 pcm validate --suites mine
suite 'source,closed form
' scene ''
tests 'T,reat,31.4159,ms,1' column
says 'error: row 1 has 5 cells' 1 pcm validate --suites mine
tests 'T,reat,31.4159,m,1,body.x' column
says 'tests.csv:2:3: error: no measure of this kind of suite' 1 pcm validate --suites mine
for wrong in 'end,1,m/s,1,ball.z:m' 'rate,1,m,1,ball.x:m/s' 'end,1,m,1,ball.wz:rad/s' 'end,1,s,1,depth:m'; do
    tests "T,${wrong%:*}" column
    says "error: $(echo "$wrong" | sed 's/.*,\([^,]*\):.*/\1/') is in ${wrong#*:}" 1 pcm validate --suites mine
done
tests 'T,when,1,m,1,ball.z' column
says 'error: when is in s' 1 pcm validate --suites mine

# ---- Depths and instants: two balls of 1 kg rest on springs of 1 N/mm, and one falls by 1.9 m
cat >mine/one/balls.xml <<'X'
<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <geom name="Ground" type="plane" size="5 5 1"/>
    <body pos="0 0 0.1"><freejoint name="low"/><geom type="sphere" size="0.1" mass="1"/></body>
    <body pos="1 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
    <body pos="2 0 2"><joint name="high" type="slide" axis="0 0 1" ref="1.9"/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
</mujoco>
X
if pcm validate --host mujoco --suite cradle >out 2>&1; then
    tests 'T,when,0.62238,s,0.001,high.position,balls.xml,0.7,0.0002,
T,end,0.013873,m,0.0001,depth,balls.xml,0.6,0.001,--depth
T,when,1,s,1,low.z,balls.xml,0.1,0.001,' column,scene,time,step,options
    printf 'ContactType Soft = KelvinVoigt { Stiffness = 1 [N/mm]; Damping = 60; };\n' >mine/one/laws.pcm
    says 'one, test T, Soft: no number came back' 1 pcm validate --suites mine
    says 'Soft 2 of 3 (failed)' 1 pcm validate --suites mine
    printf 'ContactType Soft = KelvinVoigt { Stiffness = 1 [N/mm]; Damping = 0; };\n' >mine/one/laws.pcm
fi
suite 'source,closed form
' scene ''
# ---- A scene of LAMMPS, which may not be there
tests 'T,end,1,m,1,none.in,1,1e-5,z' scene,time,step,column
says 'there is no pcm-lammps on the PATH' 1 env PATH="$build/tools:/usr/bin:/bin" pcm validate --suites mine
touch mine/notes
says 'one, test T, Soft: there is no pcm-lammps on the PATH' 1 env PATH="$build/tools:/usr/bin:/bin" pcm validate --suites mine
suite 'source,closed form
' history ''
tests 'T,largest_difference,0,N,1,force_n,none.csv,none.csv,f' column,motion,reference,against
says 'none.csv' 1 pcm validate --suites mine
printf 't,depth,depth_rate\n0,0,1\n1,1e-3,0.001\n' >mine/one/none.csv
says 'no column f' 1 pcm validate --suites mine
printf 'Contact' >mine/one/laws.pcm
says 'laws.pcm:1:1: error' 1 pcm validate --suites mine
says 'cannot write' 1 pcm validate --suite partial-slip --page /nowhere/page.html
exit $failed
