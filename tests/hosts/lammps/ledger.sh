#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: ledger.sh ROOT BUILD FOLDER
#
# The energy of two clusters in collision: what `compute pair pcm` sums over all ranks is the same on 1, 2 and 4 of them, and
# closes with the motion that LAMMPS itself reports. A dump per rank holds each contact once.
. "$(dirname "$0")/lammps.sh"
clusters
# Softer than in other tests, so that a sum over steps approximates an integral.
cat >ledger.pcm <<'PCM'
ContactType Grain = GranHooke {
    NormalStiffness = 1 [kN/m]; NormalDamping = 5 [1/s]; TangentialDamping = 20 [1/s]; Friction = 0.4;
};
DefaultPair -> Grain;
PCM
cat >ledger.in <<'SCRIPT'
compute      contacts all pair pcm
compute      pairs all property/local patom1 patom2
compute      laws all pair/local eng force p8 p10
thermo_style custom step ke c_spin c_contacts[1] c_contacts[2] c_contacts[3] c_contacts[4] c_contacts[5]
thermo_modify norm no format float %.15g
thermo       1900
dump         contacts all local 1900 contacts.*.%.dump c_pairs[1] c_pairs[2] c_laws[*]
SCRIPT
sed '/^run .*{n}/i include ledger.in' clusters.in >energy.in
echo 'pair_style pcm ledger.pcm ledger yes
pair_coeff * * Left Right' >style

ledger() { awk 'NF == 8 && $1 ~ /^(0|1900|3800)$/' printed | sort -un; }
# Joins the dumps of a step: lines of atoms, the lower ID first, with the energy and depth of their contact. Forces of
# dampers use other ranks' atoms half a step earlier. Only the first rank writes a header.
contacts() {
    cat contacts."$1".*.dump | sed '/^ITEM: TIMESTEP/,/^ITEM: ENTRIES/d' |
        awk '$4 != 0 { print ($1 < $2 ? $1 " " $2 : $2 " " $1), $3, $5 }' | sort
}
for ranks in 1 2 4; do
    runs $ranks energy.in -v n 3800 -v style style -v out end
    ledger >ledger$ranks
    contacts 1900 >contacts$ranks
    [ "$(find . -name 'contacts.1900.*.dump' | wc -l)" = $ranks ] || complain "$ranks ranks do not write as many dumps"
    rm contacts.*.dump
done
cat ledger1
[ "$(wc -l <ledger1)" = 3 ] || complain 'the ledger has not three lines'
[ "$(wc -l <contacts1)" -gt 40 ] || complain 'hardly a contact is in the dump: this test shows nothing'
# same FILE FILE: their numbers agree to 1e-10 of the larger one or, if that is small, of 1.
same() {
    paste -d' ' "$1" "$2" | awk '
        NF % 2 { exit bad = 1 }
        { for (k = 1; k <= NF / 2; k++) { a = $k; b = $(k + NF / 2); d = a - b; if (d < 0) d = -d; m = a < 0 ? -a : a; if (!(d < 1e-10 * (m > 1 ? m : 1))) bad = 1 } }
        END { exit bad }' || { diff "$1" "$2" | head; complain "$1 and $2 differ"; }
}
for ranks in 2 4; do
    same ledger1 ledger$ranks
    same contacts1 contacts$ranks
done

# The residue is what the other columns leave open.
awk 'NR == 1 { stored = $5 } { off = $8 + $5 - stored + $6 + $7; most = 1e-12 * ($7 > 1 ? $7 : 1); if (!(off < most && -off < most)) bad = 1 } END { exit bad || NR != 3 }' \
    ledger1 || complain 'the residue is not stored at the beginning less work, stored and dissipated'

# Work equals the change of kinetic energy, to second order in the time step: 1e-4 of the energy dissipated. The balance
# with stored and dissipated energy is of first order, since a step dissipates at the velocity of its middle: 5e-3.
closes() { # LEDGER SHARE WORK
    awk -v share="$2" -v work="$3" 'NR == 1 { motion = $2 + $3; stored = $5 }
        NR > 1 {
            gained = $2 + $3 - motion
            open = gained + $5 - stored + $7
            off = gained - $6
            print "open", open, "of", $7, "and", off
            if (!($7 > 1 && open * open <= (share * $7) ^ 2 && off * off <= (work * $7) ^ 2)) bad = 1
        }
        END { exit bad || NR != 3 }' "$1"
}
closes ledger2 5e-3 1e-4 || complain 'the ledger does not close'
# The same for a law whose tangential spring loses stored energy when the load decreases: the dissipation includes that
# loss, 3e-2 of it.
cp ledger.pcm hooke.pcm
cat >ledger.pcm <<'PCM'
ContactType Grain = GranHertz {
    NormalStiffness = 20 [kPa]; TangentialStiffness = 6 [kPa]; NormalDamping = 50 [1/(m*s)]; TangentialDamping = 20 [1/(m*s)];
    Friction = 0.4;
};
DefaultPair -> Grain;
PCM
runs 1 energy.in -v n 3800 -v style style -v out end
ledger >hertz
closes hertz 1e-2 5e-4 || complain 'the ledger of GranHertz does not close'
rm contacts.*.dump
# The residue after the clusters have passed, for a step of 0.2 ms and for half of it. It goes with the square of the step
# where nothing is dissipated, as work does; with the step where something is, as laws see the velocity of half a step
# before. What GranHertz gives back beyond what its springs took does not go: it may add energy, and says so.
residue() { # STEPS
    sed "s/^timestep.*/timestep $(awk "BEGIN { print 0.76 / $1 }")/; s/1900/$(($1 / 2))/" energy.in >finer.in
    sed "s/1900/$(($1 / 2))/" ledger.in >halved && mv halved finer-ledger.in
    sed -i 's/ledger.in/finer-ledger.in/; s/^dump  *contacts.*//' finer.in
    sed -i '/^dump/d' finer-ledger.in
    runs 1 finer.in -v n "$1" -v style style -v out end
    awk -v n="$1" 'NF == 8 && $1 == n { r = $8 } END { print r }' printed
}
# goes LEAST MOST LAW: the residue of the longer step over that of its half.
goes() {
    echo "ContactType Grain = $3; DefaultPair -> Grain;" >ledger.pcm
    long=$(residue 3800)
    short=$(residue 7600)
    echo "$3: residue $long J, $short J at half the step"
    awk -v a="$long" -v b="$short" -v least="$1" -v most="$2" 'BEGIN { r = a / b; exit !(r >= least && r <= most) }' ||
        complain "the residue goes from $long J to $short J at half the step: $3"
}
goes 3 8 'GranHooke { NormalStiffness = 1 [kN/m]; NormalDamping = 0; TangentialDamping = 0; Friction = 0; }'
goes 3 8 'GranHertz { NormalStiffness = 20 [kPa]; NormalDamping = 0; TangentialDamping = 0; Friction = 0; }'
goes 1.95 2.05 'LudingHysteresis { LoadingStiffness = 1 [kN/m]; UnloadingStiffness = 2 [kN/m]; AdhesionStiffness = 100; }'
goes 1.95 2.05 'Hertz + Mindlin { ReducedModulus = 15 [kPa]; ReducedShearModulus = 4 [kPa]; TangentialDampingRatio = 0; Friction = 0.4; }'
goes 1 1.8 'GranHertz { NormalStiffness = 20 [kPa]; TangentialStiffness = 20 [kPa]; NormalDamping = 0; TangentialDamping = 0; Friction = 0.8; }'
mv hooke.pcm ledger.pcm
# A wall keeps a ledger of its own: two spheres that bounce off a floor.
cat >bounce.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
region       box block -1 1 -1 1 -1 1
create_box   1 box
create_atoms 1 single 0 0 0.06
create_atoms 1 single 0.5 0 0.07
set          group all diameter 0.1
set          group all density 1000
velocity     all set 0.2 0 -1 units box
pair_style   pcm ledger.pcm ledger yes
pair_coeff   * * Ball
fix          floor all wall/pcm Floor plane 0 0 0 0 0 1
neighbor     0.01 bin
timestep     2e-5
fix          move all nve/sphere
compute      spin all erotate/sphere
thermo_style custom step ke c_spin f_floor[7] f_floor[8] f_floor[9] f_floor[10] f_floor[11]
thermo_modify norm no format float %.15g
thermo       5000
run          5000
SCRIPT
runs 1 bounce.in
awk 'NF == 8 && $1 == 0 { motion = $2 + $3 }
    NF == 8 && $1 == 5000 { gained = $2 + $3 - motion; print "bounce", gained, $6, $7
        if (gained < -0.01 && (gained - $6) ^ 2 < 1e-10 * gained * gained && (gained + $7) ^ 2 < 25e-6 * gained * gained) good = 1 }
    END { exit !good }' printed || { grep -A3 '^Step' printed; complain "the wall's ledger does not close"; }
exit $failed
