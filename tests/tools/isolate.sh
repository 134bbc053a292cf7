#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: isolate.sh ROOT BUILD UNCONFINED
#
# A law that writes, removes files, starts programs, opens sockets and signals others does so where it may (pcm rig), and
# nothing of it under --isolate or in a command that only reads; one that crashes takes nothing but its own process down;
# commands answer as they do without. On a system that cannot confine a process, which UNCONFINED makes of this one, no law
# is loaded under --isolate, and commands that only read do without.
set -u
root=$1
build=$2
unconfined=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() {
    echo "$1"
    failed=1
}
pcm() { "$build/tools/pcm" "$@" --plugins "$build/tests/tools"; }
printf 't,depth,depth_rate,slip_x,slip_y\n0,1e-3,0,0.1,0\n' >motion.csv

# The law reports in its refusal what it could do: prepare returns 1 if it could not do it.
for way in Write Remove Start Connect Kill Own; do
    echo "ContactType C = Reaches { How = $way; }; DefaultPair -> C;" >law.pcm
    echo kept >precious
    pcm rig law.pcm --motion motion.csv >out 2>&1 || { cat out; complain "$way: not even where it may"; }
    rm -f written started
    echo kept >precious
    for command in 'rig law.pcm --motion motion.csv --isolate' 'check law.pcm --isolate' 'check law.pcm' 'show law.pcm' \
        'explain law.pcm a b'; do
        pcm $command >out 2>&1 && complain "$way: the law could in pcm $command"
        [ "$(ls)" = "law.pcm
motion.csv
out
precious" ] || { ls; complain "$way: there is more or less than before pcm $command"; }
    done
done

echo "ContactType C = Reaches { How = Crash; }; DefaultPair -> C;" >law.pcm
pcm check law.pcm --isolate >out 2>&1
[ $? -eq 1 ] || complain 'the status of a crash'
grep -q 'the process of the laws ended early.*PCM-642' out || { cat out; complain 'a crash is not told'; }

# Files that were open before are closed for the law.
echo "ContactType C = Reaches { How = Inherit; }; DefaultPair -> C;" >law.pcm
pcm rig law.pcm --motion motion.csv >out 2>&1 9>inherited
[ -s inherited ] || complain 'an open file is not even written to where it may be'
pcm check law.pcm >out 2>&1 9>inherited && complain 'an open file could be written to'
[ ! -s inherited ] || complain 'an open file was written to'

# Standard input can only be read, and output is only appended.
echo "ContactType C = Reaches { How = Input; }; DefaultPair -> C;" >law.pcm
pcm rig law.pcm --motion motion.csv >out 2>&1 0<>input
[ "$(cat input)" = written ] || complain 'standard input is not even written to where it may be'
echo kept >input
pcm check law.pcm >out 2>&1 0<>input && complain 'standard input could be written to'
[ "$(cat input)" = kept ] || complain 'standard input was written to'
for way in Seek Map; do
    echo "ContactType C = Reaches { How = $way; }; DefaultPair -> C;" >law.pcm
    echo 'line of others' >out
    pcm rig law.pcm --motion motion.csv 1<>out 2>err || { cat err; complain "$way: not even where it may"; }
    pcm check law.pcm 1<>out 2>err && complain "$way: the law could"
done

# A law that ends the process silently, or never returns, does not count as a command that has finished.
echo "ContactType C = Reaches { How = Leave; }; DefaultPair -> C;" >law.pcm
pcm check law.pcm --isolate >out 2>&1
[ $? -eq 1 ] || complain 'the status of a law that leaves'
grep -q 'a law ended the process of the laws.*PCM-642' out || { cat out; complain 'that a law leaves is not told'; }
echo "ContactType C = Reaches { How = Sleep; }; DefaultPair -> C;" >law.pcm
(export PCM_ISOLATE_SECONDS=1; pcm check law.pcm --isolate >out 2>&1)
[ $? -eq 1 ] || complain 'the status of a law that sleeps'
grep -q 'did not end within 1 s.*PCM-642' out || { cat out; complain 'that a law sleeps is not told'; }
for seconds in 0 -1 abc '' 1e3 99999999999; do
    PCM_ISOLATE_SECONDS=$seconds "$build/tools/pcm" models Hertz --isolate >out 2>&1
    [ $? -eq 2 ] && grep -q "PCM_ISOLATE_SECONDS is '$seconds': .*PCM-642" out || complain "PCM_ISOLATE_SECONDS=$seconds is taken"
done

# The laws' process ends with the command: no process keeps its output open.
mkfifo held
"$build/tools/pcm" check law.pcm --isolate --plugins "$build/tests/tools" >held 2>&1 &
(sleep 1; kill -s TERM $!) &
timeout 60 cat held >out || complain 'a command that is ended leaves its laws running'

# Results are the same with and without isolation.
climber=$root/configs/climber/climber.pcm
same() {
    "$build/tools/pcm" "$@" >plain 2>&1
    plain=$?
    "$build/tools/pcm" "$@" --isolate >isolated 2>&1
    [ $? -eq $plain ] && cmp plain isolated || complain "$*: another answer under --isolate"
}
same check "$climber" --json
same models SpringContact
same models
same models NoSuchLaw
same verify Hertz --only columns --seed 3
echo 'ContactType C = ViscoelasticGround; DefaultPair -> C;' >law.pcm
same rig law.pcm --motion motion.csv
same show law.pcm
same explain law.pcm a b

# If the system cannot confine a process, nothing runs: neither the law that would write, nor a law that is to be
# verified, which is not blamed.
unconfined() {
    LD_PRELOAD=$unconfined "$build/tools/pcm" "$@" --isolate >out 2>&1
    [ $? -eq 1 ] || complain "$*: the status on a system that cannot confine"
    grep -q 'this system cannot confine a process.*PCM-642' out || { cat out; complain "$*: it is not told"; }
    [ "$(wc -l <out)" -eq 1 ] || { cat out; complain "$*: something went on"; }
}
echo "ContactType C = Reaches { How = Write; }; DefaultPair -> C;" >reaches.pcm
rm -f written
unconfined check reaches.pcm --plugins "$build/tests/tools"
unconfined models SpringContact
unconfined rig law.pcm --motion motion.csv
unconfined verify Hertz
[ ! -e written ] || complain 'the law ran where nothing confines it'
LD_PRELOAD=$unconfined pcm check reaches.pcm >out 2>&1 || { cat out; complain 'a command that only reads needs a system that confines'; }

# No output file is written for the command either.
"$build/tools/pcm" rig law.pcm --motion motion.csv --isolate --out forces.csv >out 2>&1
[ $? -eq 2 ] && grep -q 'no file is written' out || complain 'rig --out under --isolate'
"$build/tools/pcm" check law.pcm --fix --isolate >out 2>&1
[ $? -eq 2 ] && grep -q 'no file is written' out || complain 'check --fix under --isolate'
exit $failed
