#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: isolate.sh ROOT BUILD UNCONFINED
#
# A law that writes, removes files, starts programs, opens sockets and signals others does so where it may, and none of it
# under --isolate; one that crashes takes nothing but its own process down; commands answer as they do without. On a
# system that cannot confine a process, which UNCONFINED makes of this one, no law is loaded under --isolate.
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

# What the law could do stands in its refusal: prepare returns 1 where it could not.
for way in Write Remove Start Connect Kill; do
    echo "ContactType C = Reaches { How = $way; }; DefaultPair -> C;" >law.pcm
    echo kept >precious
    pcm check law.pcm >out 2>&1 || { cat out; complain "$way: not even without --isolate"; }
    rm -f written started
    echo kept >precious
    pcm check law.pcm --isolate >out 2>&1 && complain "$way: the law could under --isolate"
    [ "$(ls)" = "law.pcm
out
precious" ] || { ls; complain "$way: there is more or less than before"; }
done

echo "ContactType C = Reaches { How = Crash; }; DefaultPair -> C;" >law.pcm
pcm check law.pcm --isolate >out 2>&1
[ $? -eq 1 ] || complain 'the status of a crash'
grep -q 'the process of the laws ended early.*PCM-642' out || { cat out; complain 'a crash is not told'; }

# The same answers.
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
printf 't,depth,depth_rate,slip_x,slip_y\n0,1e-3,0,0.1,0\n' >motion.csv
echo 'ContactType C = ViscoelasticGround; DefaultPair -> C;' >law.pcm
same rig law.pcm --motion motion.csv

# Where nothing confines, nothing runs: neither the law that would write, nor one to be verified, which is not blamed.
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

# Nothing is written for the command either.
"$build/tools/pcm" rig law.pcm --motion motion.csv --isolate --out forces.csv >out 2>&1
[ $? -eq 2 ] && grep -q 'no file is written' out || complain 'rig --out under --isolate'
"$build/tools/pcm" check law.pcm --fix --isolate >out 2>&1
[ $? -eq 2 ] && grep -q 'no file is written' out || complain 'check --fix under --isolate'
exit $failed
