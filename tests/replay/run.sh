#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: run.sh ROOT BUILD
#
# pcm run --replay changes no byte of --out and the logs; two runs give one page; a run that is killed leaves a page of
# whole chunks; where the page cannot be written the run goes on and its status tells; a page of over 200 MB is told how to
# halve; pcm replay takes the page out again; a plain loop is recorded as well.
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
echo '<!DOCTYPE html><title>page</title>' >viewer.html
export PCM_REPLAY_VIEWER="$folder/viewer.html" PCM_PLUGIN_PATH="$build/plugins"

# run NAME SECONDS OPTIONS: the climber, its files called NAME. exec replaces the shell, so that it can be killed.
run() {
    name=$1
    time=$2
    shift 2
    exec "$build/tools/pcm" run "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time "$time" --every 0.01 \
        --log "$name" --out "$name.csv" "$@" >"$name.txt" 2>"$name.err"
}

(run plain 2) || complain 'the run fails'
(run one 2 --replay page.html) || complain 'a run that is recorded fails'
cp page.html first.html
(run two 2 --replay page.html) || complain 'a second one fails'
cmp plain.csv one.csv && diff -r plain one || complain 'the recorder changes the run'
cmp first.html page.html || complain 'the same run gives another page'
grep -q '^page.html: [0-9]* kB' two.txt || complain 'the size of the page is not told'

(run full 1 --replay /dev/full) && complain 'a page that could not be written passes'
[ "$(grep -c PCM-760 full.err)" = 1 ] || complain 'it is not reported once'
[ "$(wc -l <full.csv)" = 102 ] || complain 'the run did not go on'

# The disk fills up during the run: all that was written before is shown.
(
    trap '' XFSZ
    ulimit -f 120
    exec "$build/tools/pcm" run "$climber.xml" "$climber.pcm" --ctrl "$climber.csv" --time 5 --every 0.002 \
        --replay mid.html >mid.txt 2>mid.err
) && complain 'a page that was cut off passes'
[ "$(grep -c PCM-760 mid.err)" = 1 ] || complain 'a disk that is full in mid-run is not reported once'
grep -q 'simulated 5 s' mid.txt || complain 'the run did not go on'
"$build/tools/pcm" replay mid.html --csv mid_tables >mid.out 2>mid.why
[ "$(sed -n 's/^mid_tables: \([0-9]*\) frames.*/\1/p' mid.out)" -ge 256 ] || complain 'the chunks before it are not shown'

# A viewer of 200 MB makes an even larger page at once.
truncate -s 200000000 large.html
PCM_REPLAY_VIEWER="$folder/large.html" run large 0.01 --replay large_page.html &
wait $!
grep -q 'every 0.02 halves it' large.err || complain 'of a large page nothing is said'
rm -f large.html large_page.html

run killed 1000 --step 0.001 --replay killed.html &
until [ -f killed.html ] && [ "$(grep -c 'script type' killed.html)" -ge 4 ]; do sleep 0.05; done
sleep "0.$(($$ % 10))"
kill -9 $!
wait $! 2>/dev/null
"$build/tools/pcm" replay killed.html --csv killed_tables >killed.out 2>killed.why
grep -q 'frames in' killed.out || complain 'a run that was killed leaves no page'
[ "$(grep -c PCM-763 killed.why)" -le 1 ] || complain 'more than its last chunk is damaged'

"$build/tools/pcm" replay page.html --csv tables --vtk vtk >replay.out || complain 'pcm replay fails'
for table in contacts poses events quantities; do
    awk -F, 'NR == 1 { n = NF } END { exit !(NR > 1) }' "tables/$table.csv" || complain "$table.csv is empty"
done
sed 's/integrator="Euler"/integrator="RK4"/' "$climber.xml" >rk4.xml
"$build/tools/pcm" run rk4.xml "$climber.pcm" --ctrl "$climber.csv" --time 0.1 --every 0.01 --replay rk4.html >rk4.txt 2>&1
"$build/tools/pcm" replay rk4.html --csv rk4 >rk4.out || complain 'a run by RK4 is not recorded'
cat tables/quantities.csv rk4/quantities.csv | grep -qi nan && complain 'a frame lacks its energies'
# The tables of a foot agree with its log: the same rows to 16 bits of mantissa.
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[FILENAME, $i] = i; next }
    FILENAME ~ /contacts/ && $column[FILENAME, "type"] == "Tread" {
        force[sprintf("%.9f", $column[FILENAME, "time"]), $column[FILENAME, "b"]] = $column[FILENAME, "force_n"]
    }
    FILENAME ~ /tread/ {
        key = sprintf("%.9f", $column[FILENAME, "time [s]"]) SUBSEP $column[FILENAME, "B"]
        if (!(key in force)) next
        wanted = $column[FILENAME, "force_n [N]"]
        miss = force[key] - wanted
        if (miss * miss > (8e-6 * wanted) ^ 2 + 1e-30) { print key ": " force[key] " is not " wanted; bad = 1 }
        compared++
    }
    END { if (compared < 500) print compared " rows"; exit bad || compared < 500 }' tables/contacts.csv one/tread.csv ||
    complain 'the tables say something else than the log'
frames=$(sed -n 's/^tables: \([0-9]*\) frames.*/\1/p' replay.out)
[ "$frames" = 200 ] && [ "$(ls vtk/contacts_*.vtp | wc -l)" = "$frames" ] || complain 'frames are missing'
"$build/tools/pcm" replay "$climber.pcm" --csv none 2>none.err && complain 'a file that is no page passes'
grep -q PCM-760 none.err || complain 'it is not said why'
# A plain loop: the same table with and without a page, and a frame for each row.
if [ -x "$build/examples/tumbling" ]; then
    "$build/examples/tumbling" "$root/examples/tumbling.pcm" loop.csv || complain 'the loop fails'
    "$build/examples/tumbling" "$root/examples/tumbling.pcm" loop_page.csv loop.html || complain 'a recorded loop fails'
    cmp loop.csv loop_page.csv || complain 'the recorder changes the loop'
    "$build/tools/pcm" replay loop.html --csv loop_tables | grep -q "^loop_tables: $(($(wc -l <loop.csv) - 1)) frames" ||
        complain 'frames of the loop are missing'
fi
python=/usr/bin/python3
if $python -c 'import vtkmodules' 2>/dev/null; then
    $python "$root/tests/replay/vtk_sums.py" vtk tables || complain 'VTK reads other forces'
else
    echo 'VTK is not installed (Debian: python3-vtk9): its files are not read'
fi
exit $failed
