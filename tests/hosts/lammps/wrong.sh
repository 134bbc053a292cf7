#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: wrong.sh ROOT BUILD FOLDER
#
# What cannot work stops all ranks, one or two, and the first one says what is wrong and what to do.
. "$(dirname "$0")/lammps.sh"
clusters

# Prints the working script, edited with sed.
script() {
    cat >base.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
processors   * 1 1
read_data    clusters.data
pair_style   pcm hertz.pcm
pair_coeff   * * Left Right
neighbor     0.3 bin
timestep     0.0002
fix          move all nve/sphere
run          1900
SCRIPT
    sed "$1" base.in >wrong.in
}

# case_ends TEXT EDITS [LINES]: in a folder of its own, the script with the edits, and with LINES as wrong.pcm, ends
# with an error that contains TEXT, on the first rank and only once.
case_ends() (
    failed=0
    mkdir "case$cases" && cp ./*.data ./*.pcm "case$cases" && cd "case$cases" || exit 1
    export OMPI_MCA_orte_tmpdir_base="$PWD"
    echo "${3-}" >wrong.pcm
    script "$2"
    for many in 1 2; do
        on $many wrong.in && complain "it runs: $2"
        said=$(grep -c "ERROR.*$1" printed)
        [ "$said" = 1 ] || { cat printed; complain "on $many ranks it says $said times: $1"; }
        grep -qE 'Segmentation|Signal|MPI_ABORT' printed && complain "not a clean stop: $1"
    done
    exit $failed
)

# stops: the same for several cases at a time, since starting and ending ranks is mostly waiting; `settle` waits for
# all.
cases=0
jobs=
settle() {
    for job in $jobs; do wait "$job" || failed=1; done
    jobs=
}
stops() {
    cases=$((cases + 1))
    case_ends "$@" &
    jobs="$jobs $!"
    [ $((cases % 6)) != 0 ] || settle
}
script ''
runs 1 wrong.in
runs 2 wrong.in

stops 'write .newton off.' 's/^newton.*/newton on/'
stops 'write .comm_modify vel yes.' '/^comm_modify/d'
stops 'write .units si., not .units cgs.' 's/^units.*/units cgs/'
stops 'write pair_style pcm FILE.pcm' 's/hertz.pcm//'
stops 'has no option .kinematics both.' 's/hertz.pcm/hertz.pcm kinematics both/'
stops "none.pcm: error: cannot read 'none.pcm': the file does not exist" 's/hertz.pcm/none.pcm/'
stops 'one name per atom type, here 2' 's/Left Right/Left/'
stops 'atom type 1 has no name: NULL is for types' 's/Left Right/NULL Right/'
stops 'atom type 1 is named ":": write Object or Object:Surface' 's/Left Right/: Right/'
stops 'fix PCM_HISTORY is gone' 's/^run.*/unfix PCM_HISTORY\nrun 1/'
stops 'fix PCM_HISTORY is gone' 's/^run.*/fix PCM_HISTORY all PCM_HISTORY\nrun 1/'
stops 'write .run_style verlet., not .run_style respa.' 's/^run.*/run_style respa 2 2\nrun 1/'
stops 'fix even balance could move atoms away' 's/^pair_style/fix even all balance 100 1.1 shift xyz 5 1.1\n&/'
stops 'pair_style hybrid has pcm once' 's/^pair_style.*/pair_style hybrid pcm hertz.pcm pcm hertz.pcm/'
stops 'write pair_style pcm behind the command that makes the box' 's/^read_data/pair_style pcm hertz.pcm\n&/'
stops 'atoms . and . touch across two sides of the periodic box' 's/^boundary.*/boundary p p p/; /^processors/d
    s/^read_data.*/region b block 0 4 0 4 0 1.9\ncreate_box 2 b\ncreate_atoms 1 single 1 1 0.5\ncreate_atoms 1 single 1.05 1 1.45/
    s/^pair_style/set group all diameter 1\nset group all density 1000\n&/'
stops 'atom .* has grown beyond the largest radius' 's/^atom_style.*/& 1/
    s/^run.*/variable d equal 1.03+0.001*step\nfix grows all adapt 1 atom diameter v_d\nrun 5/'
stops '.minimize. has no time' 's/^run.*/minimize 0 0 10 10/'

stops 'write fix ID GROUP wall/pcm .*the error is near .ball.' 's/^run.*/fix w all wall\/pcm Wall ball 1 2\nrun 1/'
stops 'the error is near .0x.' 's/^run.*/fix w all wall\/pcm Wall plane 0 0 0x 0 0 1\nrun 1/'
stops "cannot read the STL file .none.stl." 's/^run.*/fix w all wall\/pcm Wall stl none.stl\nrun 1/'
stops ".base.in. is not an STL file with triangles" 's/^run.*/fix w all wall\/pcm Wall stl base.in\nrun 1/'
stops 'the error is near .scale.' 's/^run.*/fix w all wall\/pcm Wall stl base.in scale\nrun 1/'
stops 'takes its laws from pair_style pcm' 's/^pair_style.*/pair_style zero 1.1/; s/Left Right//; s/^run.*/fix w all wall\/pcm Wall plane 0 0 0 0 0 1\nrun 1/'

# config TEXT LINES: the same for a .pcm file.
config() {
    stops "$1" 's/hertz.pcm/wrong.pcm/' "$2"
}
config 'wrong.pcm:1:29: error: GranHertz has no parameter .NormalStifness.' \
    'ContactType G = GranHertz { NormalStifness = 1e8; }; DefaultPair -> G;'
config 'no rule of the .pcm file matches Left and Right (surfaces Left and Right)' \
    'ContactType G = GranHertz { }; SurfacePair Left * Left -> G; SurfacePair Right * Right -> G;'
config 'contact type W cannot act between Left and Left: it reads where the contact is on its base' \
    'ContactType W = WallContact { GapLeft = (0) [m]; GapRight = (1) [m]; }; DefaultPair -> W;'
config 'contact type A cannot act between Left and Left: it reads an axis of a body' \
    'ContactType A = Microspine { }; DefaultPair -> A;'
config 'contact type S cannot act between Left and Left: its input input_n has no value' \
    'ContactType S = SmoothSpringDamper { NormalMethod = ProvidedByInput; }; DefaultPair -> S;'
config 'contact type N cannot act between Left and Left: it leaves the contact to the simulator' \
    'ContactType N = DefaultContact { }; DefaultPair -> N;'

config 'contact type B (ParallelBond) reaches .* m beyond contact, and the box is .* m long' \
    'ContactType B = ParallelBond { TensileStrength = 1e15; ShearStrength = 1e15; }; DefaultPair -> B;'
stops 'compute pcm/step needs pair_style pcm' 's/^pair_style.*/pair_style zero 1.1/; s/Left Right//; s/^run.*/compute s all pcm\/step\nrun 1/'
settle

# A run gives the warnings that the command gives, too, once; and warns that logs are not written.
script 's/hertz.pcm/warned.pcm/; s/1900/1/'
sed 's/GranHertz *{/&LogFile = "grain.csv";/' hertz.pcm >warned.pcm
echo 'ContactType Idle = GranHertz { };' >>warned.pcm
runs 2 wrong.in
for text in 'no rule uses the contact type .Idle.' 'the LogFile of contact type Grain is not written'; do
    [ "$(grep -c "$text" printed)" = 1 ] || { cat printed; complain "it does not warn once: $text"; }
done

# Lists by the largest radii, under a law that acts beyond contact, with room for more atoms than a list holds: the run goes on
# where there are fewer, and an overflow is LAMMPS's own error behind the warning.
script 's/hertz.pcm/wide.pcm/; s/1900/1/; s/^neighbor/set atom 1 diameter 0.2\n&/'
echo 'ContactType Wet = Hertz + CapillaryBridge { ReducedModulus = 1 [MPa]; Volume = 1e-9; }; DefaultPair -> Wet;' >wide.pcm
runs 2 wrong.in
wet='WARNING.*as Wet acts beyond contact: up to .* atoms of type 1 have room in a list, and neigh_modify one is'
[ "$(grep -c "$wet 2000" printed)" = 1 ] || { cat printed; complain 'it does not warn once of long lists'; }
script 's/hertz.pcm/wide.pcm/; s/1900/1/; s/^neighbor.*/&\nneigh_modify one 2 page 40/'
for many in 1 2; do
    on $many wrong.in && complain 'lists of two atoms suffice'
    grep -q "$wet 2" printed && grep -q 'ERROR.*Neighbor list overflow' printed || { cat printed; complain 'no word on lists that overflow'; }
done

# An atom that flies past all others in one step is named with its law before LAMMPS loses it, also where nothing is reported.
script 's/^timestep.*/timestep 0.02/; s/^run.*/thermo_modify lost ignore\nrun 1900/'
for many in 1 2; do
    on $many wrong.in && complain 'a timestep of 0.02 s runs'
    grep -q 'ERROR.*at step [0-9]* atom [0-9]* of type [12] moves .* contact type Grain flings it' printed ||
        { cat printed; complain 'an atom is lost without a name'; }
done

# Forces that are not finite, or an atom that has flown before the next of them: as the release makes its lists.
script 's/^timestep.*/timestep 1e200/'
on 2 wrong.in && complain 'a timestep of 1e200 s runs'
grep -q 'ERROR.*contact type Grain \(gives no finite force between atom\|flings it\)' printed ||
    { cat printed; complain 'no message on forces without end'; }

script 's/^read_data.*/region b block -1 1 -1 1 -1 1\ncreate_box 2 b\ncreate_atoms 1 single 0 0 0\ncreate_atoms 1 single 0 0 0/
    s/^pair_style/set group all diameter 1\nset group all density 1000\n&/'
on 1 wrong.in && complain 'two atoms in one place run'
grep -q 'ERROR.*no finite force between atom 1 and atom 2 .*their centres are in one place' printed ||
    { cat printed; complain 'no message on centres in one place'; }

# Ranks in different folders.
mkdir one two plugins
for folder in one two; do cp hertz.pcm clusters.data base.in "$folder"; done
# together [NAME=VALUE ...]: runs one rank in each folder, the second one with these variables.
together() {
    program="$build/hosts/lammps/pcm-lammps"
    mpirun -np 1 -wdir "$work/one" "$program" -in base.in -log none : \
        -np 1 -wdir "$work/two" env "$@" "$program" -in base.in -log none >printed 2>&1
}
# differ WHAT TEXT [NAME=VALUE ...]: WHAT differs between the two ranks, and the run ends with an error that contains TEXT.
differ() {
    what=$1
    text=$2
    shift 2
    together "$@" && complain "it runs, though this differs: $what"
    grep -q "ERROR.*$text" printed || { cat printed; complain "it does not say that this differs: $what"; }
}
together || { cat printed; complain 'ranks whose files are alike do not run'; }
same='is not the same on all ranks'
sed -i 's/0\.5/0.4/' two/hertz.pcm
differ 'a number' "$same"
for folder in one two; do
    {
        sed '/DefaultPair/d' hertz.pcm
        echo 'ContactType Other = Grain { Friction = 0.1; };'
        echo "Surface Clay = $([ $folder = one ] && echo Left || echo Left, Right);"
        echo 'SurfacePair "*" * "*" -> Other; SurfacePair Clay * Clay -> Grain;'
    } >$folder/hertz.pcm
done
differ 'the surface of a type' "$same"
for plugin in GranHertz Mindlin; do
    cp "$build/plugins/$plugin.so" plugins
    printf x >>plugins/$plugin.so
done
for folder in one two; do cp hertz.pcm $folder; done
differ 'a plugin' "$same" PCM_PLUGIN_PATH="$work/plugins:$PCM_PLUGIN_PATH"
for folder in one two; do
    echo 'ContactType Grain = Hertz + Mindlin { ReducedModulus = 1 [MPa]; }; DefaultPair -> Grain;' >$folder/hertz.pcm
done
differ 'the plugin of a part' "$same" PCM_PLUGIN_PATH="$work/plugins:$PCM_PLUGIN_PATH"
rm two/hertz.pcm
differ 'that one has no file' 'rank 1: .*cannot read'
exit $failed
