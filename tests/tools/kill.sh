#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kill.sh ROOT BUILD
#
# A run that is stopped, killed or finds the disk full: its files hold whole rows, and resumed from its last checkpoint it
# ends with the same bytes as the run that nothing happened to. A law that takes the program down is named.
set -u
root=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
climber=$root/configs/climber/climber
failed=0
complain() {
    echo "$1"
    failed=1
}

# run NAME OPTIONS: simulates the climber for one second, with files named NAME. It replaces the shell, so that it can
# be killed.
run() {
    name=$1
    shift
    exec "$build/tools/pcm" run "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time 1 \
        --log "$name" --out "$name.csv" --sense "$name.sense" --every 0.002 "$@" >"$name.txt" 2>"$name.err"
}

# Whether all rows of a file have as many cells as the first, and the last row is complete.
whole() {
    [ ! -s "$1" ] || { awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$1" && [ -z "$(tail -c 1 "$1")" ]; } ||
        complain "$1 holds part of a row"
}

same() {
    cmp whole.csv "$1.csv" && cmp whole.sense "$1.sense" && diff -r whole "$1" || complain "$1: the resumed run is another one"
}

(run whole) || complain 'the run fails'
(run saved --save saved.run --save-every 0.01) || complain 'a run that is saved fails'
same saved

# Resumes at times at which MuJoCo would change the last bit of a quaternion if it normalised it once more.
for time in 0.005 0.0225 0.08; do
    name=split$time
    (run "$name" --time "$time" --save "$name.run") || complain 'a run that is saved fails'
    (run "$name" --resume "$name.run") || complain "$(cat "$name.err")"
    same "$name"
done

# Ended by a signal that it handles, and killed, at several moments.
for signal in INT TERM HUP KILL; do
    for delay in 0.04 0.08 0.12 0.2; do
        name=$signal$delay
        rm -rf "$name" "$name".*
        (run "$name" --save "$name.run" --save-every 0.01) &
        child=$!
        sleep "$delay"
        kill -s "$signal" "$child" 2>/dev/null
        wait "$child"
        status=$?
        if [ "$signal" != KILL ] && [ -s "$name.txt" ]; then
            [ "$status" -eq 0 ] || [ "$status" -gt 128 ] || complain "$signal: exit status $status"
            grep -q '^simulated' "$name.txt" || complain "$signal: no summary"
            for file in "$name.csv" "$name.sense" "$name"/*; do
                whole "$file"
            done
        fi
        [ -s "$name.run" ] || continue
        (run "$name" --resume "$name.run") || complain "$(cat "$name.err")"
        same "$name"
    done
done

# A full disk, whichever file needs room first.
for blocks in 16 100 500 2000; do
    name=full$blocks
    (
        ulimit -f $blocks
        run "$name" --save "$name.run" --save-every 0.01
    )
    [ $? -eq 1 ] || complain "a full disk: the run goes on"
    for file in "$name.csv" "$name.sense" "$name"/*; do
        whole "$file"
    done
    [ -s "$name.run" ] || continue
    (run "$name" --resume "$name.run") || complain "$(cat "$name.err")"
    same "$name"
done

# Files that are changed in place.
for i in $(seq 2000); do echo "SurfacePair S$i*T -> C; /* a comment */"; done >long.pcm
cp long.pcm kept.pcm
for command in 'check --fix' fmt; do
    (
        ulimit -f 8
        "$build/tools/pcm" $command long.pcm >/dev/null 2>long.err
    ) && complain "$command: a full disk goes unnoticed"
    grep -q 'long.pcm. is unchanged' long.err || complain "$command: $(cat long.err)"
    cmp long.pcm kept.pcm || complain "$command loses a file where the disk is full"
    sed -i 's|/\*.*||' long.pcm kept.pcm # comments, which fmt does not read
done

# Files that are not checkpoints of this run.
head -c 100 saved.run >cut.run
(run saved --resume cut.run) && complain 'part of a checkpoint is taken'
(run saved --resume saved.run --step 0.0001) && complain 'a checkpoint of another step is taken'

# If a run cannot continue, all files stay unchanged.
stays() {
    what=$1
    shift
    (run saved --resume early.run "$@") && complain "a run is resumed with $what"
    grep -q 'PCM-502\|PCM-641' saved.err || complain "$what: $(cat saved.err)"
    same saved
}
(run early --save early.run --time 0.5) || complain 'a run that is saved fails'
stays 'another parameter' --set Tread.Friction=0.7
stays 'other books' --energy
stays 'other steps' --explicit
stays 'other surfaces' --surface 'nothing*=Sticky'

stays 'time for the overlaps' --ease 0.1
mkdir laws
cp "$build/plugins/CompliantGround.so" laws
printf 'other' >>laws/CompliantGround.so
stays 'other code of a law' --plugins laws
sed 's/^0,/0.0,/' "$climber.csv" >other.csv
cmp -s other.csv "$climber.csv" && complain 'the other table of controls is the same one'
stays 'another table of controls' --ctrl other.csv

# Files that a checkpoint must not replace.
mkfifo pipe
(run pipes --save pipe --time 0.01) && complain 'a checkpoint takes the place of a pipe'
[ -p pipe ] || complain 'a pipe is gone'
ln -s behind.run link.run
touch behind.run
chmod 600 behind.run
(run links --save link.run --save-every 1e300 --time 0.01) || complain 'a checkpoint behind a link is not written'
[ -L link.run ] && [ -s behind.run ] && [ "$(stat -c %a behind.run)" = 600 ] || complain 'a link is replaced'

# A save creates its new file itself: a FIFO or a hard link with that name is not opened.
mkfifo way.run.pcm-new
(exec timeout 20 "$build/tools/pcm" run "$climber.xml" "$climber.pcm" --time 0.01 --save way.run >way.txt 2>way.err)
[ $? -eq 1 ] && grep -q 'is not a plain file' way.err && [ -p way.run.pcm-new ] || complain "a pipe in the way: $(cat way.err)"
echo kept >other.txt
ln other.txt hard.run.pcm-new
(run hard --save hard.run --time 0.01) || complain "a link in the way: $(cat hard.err)"
[ "$(cat other.txt)" = kept ] && [ -s hard.run ] && [ ! -e hard.run.pcm-new ] || complain 'a save writes into a linked file'

# With --ease, a run can be continued if it was saved after easing had ended, and not before.
cat >deep.xml <<'X'
<mujoco><worldbody><geom name='Floor' type='plane' size='1 1 1'/>
<body pos='0 0 .05'><freejoint/><geom name='Ball' type='sphere' size='.1' mass='1'/></body></worldbody></mujoco>
X
echo 'ContactType C = CompliantGround {}; DefaultPair -> C;' >deep.pcm
deep() { "$build/tools/pcm" run deep.xml deep.pcm "$@" >deep.txt 2>deep.err; }
deep --ease 0.1 --time 0.4 --out eased.csv || complain "an eased run fails: $(cat deep.err)"
deep --ease 0.1 --time 0.2 --out parts.csv --save parted.run || complain "an eased run fails: $(cat deep.err)"
deep --time 0.4 --out parts.csv --resume parted.run && complain 'a run is resumed without its --ease'
deep --ease 0.2 --time 0.4 --out parts.csv --resume parted.run && complain 'a run is resumed with another --ease'
deep --ease 0.1 --time 0.4 --out parts.csv --resume parted.run || complain "an eased run is not resumed: $(cat deep.err)"
cmp eased.csv parts.csv || complain 'a resumed run is another one after --ease'
deep --ease 0.1 --time 0.05 --save parting.run || complain "an eased run fails: $(cat deep.err)"
grep -q 'parting.run: --ease is at work until t = 0.1 s' deep.err || complain 'a checkpoint that cannot continue is no warning'
deep --ease 0.1 --time 0.4 --resume parting.run && complain 'a run is resumed while --ease is at work'
grep -q 'PCM-641' deep.err || complain "the message on --ease: $(cat deep.err)"

# Laws that end the program.
cat >fall.xml <<'X'
<mujoco><worldbody><geom name='Floor' type='plane' size='1 1 1'/>
<body pos='0 0 .09'><freejoint/><geom name='Ball' type='sphere' size='.1' mass='1'/></body></worldbody></mujoco>
X
# ends HOW FUNCTION STATUS TEXT COMMAND...: a law that ends its program in this way, in that function, is named.
ends() {
    how=$1
    function=$2
    wanted=$3
    text=$4
    shift 4
    echo "ContactType Bad = Ends { How = $how; Where = $function }; DefaultPair -> Bad;" >fall.pcm
    timeout 60 "$build/tools/pcm" "$@" --plugins "$build/tests/tools" >/dev/null 2>fall.err
    status=$?
    [ $status -eq "$wanted" ] || complain "$* with a law that ends by $how in $function: exit status $status"
    grep -q "$text.*PCM-64" fall.err || complain "$* with a law that ends by $how in $function: $(cat fall.err)"
}
printf 't,depth\n0,0\n0.01,1e-3\n' >motion.csv
law="the law Ends of contact type 'Bad'"
call="of the law Ends (contact type 'Bad')"
for command in 'run fall.xml fall.pcm' 'rig fall.pcm --motion motion.csv'; do
    ends Exit update 1 "update $call: it ended its process" $command
    ends QuickExit update 1 "update $call: it ended its process" $command
    ends Leave update 1 "update $call: it ended its process" $command
    ends Crash update 1 "update $call: Segmentation fault" $command
    ends Abort update 1 "update $call: Aborted" $command
    ends Kill update 1 "update $call: Killed" $command
    ends Hang update 1 "update $call: it does not return" $command
done
ends OnceItRuns update 134 "$law aborted (SIGABRT) in update" run fall.xml fall.pcm
for command in 'run fall.xml fall.pcm' 'rig fall.pcm --motion motion.csv'; do
    for function in prepare onset reach; do
        ends Exit $function 1 "$law ended the program in $function" $command
        ends Crash $function 139 "$law accessed memory that is not there (SIGSEGV) in $function" $command
    done
    ends Abort prepare 134 "$law aborted (SIGABRT) in prepare" $command
done
ends Abort shear 134 "$law aborted (SIGABRT) in shear" cone fall.pcm Bad
for command in 'check fall.pcm' 'explain fall.pcm a b' 'check fall.pcm --isolate' 'rig fall.pcm --motion motion.csv --isolate'; do
    for function in prepare onset reach; do
        ends Exit $function 1 "a law ended the process.*: it was in $function $call" $command
        ends Crash $function 1 "Segmentation fault: it was in $function $call" $command
    done
    ends Abort prepare 1 "Aborted: it was in prepare $call" $command
    ends Leave prepare 1 "a law ended the process.*: it was in prepare $call" $command
done
ends Abort gain 1 "Aborted: it was in gain $call" explain fall.pcm a b
ends Leave update 1 "a law ended the process.*: it was in update $call" rig fall.pcm --motion motion.csv --isolate

# Laws that write to memory that they must not write to.
strays() {
    echo "ContactType Bad = Strays { How = $1 }; DefaultPair -> Bad;" >fall.pcm
    for command in "run fall.xml fall.pcm --time 0.1" "rig fall.pcm --motion motion.csv"; do
        "$build/tools/pcm" $command --plugins "$build/tests/tools" >/dev/null 2>fall.err
        [ $? -eq "$2" ] || complain "$command with a law that writes $1: the status"
        [ -z "$3" ] || grep -q "the law Strays of contact type 'Bad' writes $3.*PCM-640" fall.err ||
            complain "$command with a law that writes $1: $(cat fall.err)"
    done
}
strays Nowhere 0 ''
strays Before 1 'beyond its lanes of force_n'
strays Behind 1 'beyond its lanes of force_n'
strays Input 1 'to or beside what it reads: depth'
strays BeforeInput 1 'to or beside what it reads: depth'
strays BehindInput 1 'to or beside what it reads: depth'
strays State 1 'to or beside what it reads: age'
strays BehindState 1 'to or beside what it reads: age'
strays Params 1 'to or beside its parameters'
strays BehindParams 1 'to or beside its parameters'

# A law whose prepare never returns.
echo "ContactType Bad = Ends { How = Hang; Where = prepare }; DefaultPair -> Bad;" >fall.pcm
"$build/tools/pcm" run fall.xml fall.pcm --plugins "$build/tests/tools" >/dev/null 2>fall.err &
child=$!
while kill -s 0 $child && ! grep -q Ends.so /proc/$child/maps; do sleep 0.1; done
sleep 1
kill -s INT $child
kill -s TERM $child
sleep 0.1
kill -s TERM $child 2>/dev/null
wait $child
grep -q "$law did not return in prepare" fall.err || complain "a law that hangs is not named: $(cat fall.err)"
exit $failed
