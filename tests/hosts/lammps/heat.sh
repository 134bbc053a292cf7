#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: heat.sh ROOT BUILD FOLDER
#
# Amounts of the atoms: two spheres exchange heat as they should and keep its sum; heat of friction and wear of two clusters
# are the same on 1, 2 and 4 ranks and after a restart; a wall heats what lies on it.
. "$(dirname "$0")/lammps.sh"
cat >heat.pcm <<'PCM'
ContactType Ball = Hertz + HeatConduction {
    ReducedModulus = 1 [MPa]; ThermalConductivity = 20 [W/(m*K)]; Conductance = 1e4 [W/(m^2*K)];
};
DefaultPair -> Ball;
PCM
# Two fixed spheres with an overlap of 1e-4 m, one on each of two ranks, and a floor below the second.
cat >pair.in <<'SCRIPT'
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
processors   * 1 1
region       box block -0.1 0.1 -0.1 0.1 -0.1 0.1
create_box   2 box
create_atoms 1 single -0.00995 0 0
create_atoms 2 single 0.00995 0 0
set          group all diameter 0.02
set          group all density 2500
pair_style   pcm heat.pcm
pair_coeff   * * Hot Cold
set          type 1 d_temperature 400
group        cold type 2
fix          all all amount/pcm temperature per kg 500
fix          cold cold amount/pcm temperature per atom 1 7
compute      warmth all property/atom d_temperature d_temperature_flow
compute      mean all reduce ave c_warmth[1] c_warmth[2]
timestep     0.02
thermo_style custom step c_mean[1] c_mean[2]
thermo_modify norm no format float %.15g
include      more
run          1000
run          1000
dump         last all custom 1 ${out} id d_temperature d_temperature_flow
dump_modify  last sort id format float %.17g
run          0
SCRIPT
: >more
for ranks in 1 2; do
    runs $ranks pair.in -v out pair$ranks
    awk '/ITEM: ATOMS/ { inside = 1; next } inside { t[$1] = $2; q[$1] = $3 }
        function off(a, b) { return a > b ? a - b : b - a }
        END {
            pi = 3.14159265358979323846
            c1 = 500 * 2500 * 4 / 3 * pi * 1e-6; c2 = 7
            a = sqrt(0.005 * 1e-4)
            g = (2 * 20 + pi * 1e4 * a) * a
            between = (293.15 - 400) * (1 - 0.02 * g * (1 / c1 + 1 / c2)) ^ 2000
            sum = c1 * 400 + c2 * 293.15
            print t[1], t[2], "apart by", between, "W", q[1]
            exit !(between < -5 && between > -90 && off(t[2] - t[1], between) < 1e-9 && q[1] == -q[2] &&
                off(q[1], g * between) < 1e-9 && off(c1 * t[1] + c2 * t[2], sum) < 1e-14 * sum)
        }' pair$ranks || complain "on $ranks ranks heat does not flow as it should"
done
agree pair1 pair2 0

# A floor at 500 K under both, 1e-4 m deep in them: they reach its temperature, and the heat that flows out of it flows
# into them.
echo 'fix floor all wall/pcm Floor plane 0 0 -0.0099 0 0 1 amount temperature 500
thermo 1000
thermo_style custom step c_mean[1] c_mean[2] f_floor[12]
thermo_modify norm no format float %.15g' >more
runs 2 pair.in -v out floor
awk '$1 ~ /^[0-9]+$/ && NF == 4 { n++; if (!($3 > 0 && $4 < 0 && ($4 + 2 * $3) ^ 2 < 1e-20 * $4 * $4)) bad = 1 }
    END { exit bad || n < 3 }' printed || { cat printed; complain 'the floor does not give what the spheres get'; }
awk '/ITEM: ATOMS/ { inside = 1; next } inside && !($2 > 370 && $2 < 500) { bad = 1 } END { exit bad }' floor ||
    complain 'the floor does not warm the spheres'
# An amount of a wall, or of a fix, that no law has; and a script that already has a property with the name.
stops() {
    on 1 pair.in -v out none && complain "it runs: $1"
    [ "$(grep -c "ERROR.*$1" printed)" = 1 ] || { cat printed; complain "it does not say once: $1"; }
}
echo 'fix floor all wall/pcm Floor plane 0 0 -0.0099 0 0 1 amount charge 5' >more
stops 'the laws have no amount .charge.: those of the .pcm file are temperature'
echo 'fix floor all wall/pcm Floor plane 0 0 -0.0099 0 0 1 amount temperature' >more
stops 'amount NAME VALUE; the error is near .temperature.'
echo 'fix worn all amount/pcm worn per atom 1' >more
stops 'the laws have no amount .worn.'
for words in '' 'per' 'per mol 3' 'per kg 0' 'per kg -1' 'per kg 1 2 3' 'per atom x'; do
    echo "fix other all amount/pcm temperature $words" >more
    stops 'write fix ID GROUP amount/pcm NAME per atom|kg C'
done
echo 'uncompute mean
uncompute warmth
unfix PCM_temperature
run 1' >more
stops 'the atoms have no d_temperature or d_temperature_flow any more'
echo 'unfix PCM_AMOUNTS' >more
stops 'fix PCM_AMOUNTS is gone'
sed -i 's/^pair_style.*/fix mine all property\/atom i_temperature\n&/' pair.in
stops 'give i_temperature or d2_temperature of fix property.atom another name'

# Heat and wear of two clusters that rub, and a restart during contact.
clusters
cat >rub.pcm <<'PCM'
ContactType Rub = Hertz + CoulombRegularised + ContactHeat + HeatConduction + ArchardWear {
    ReducedModulus = 2e5; TransitionVelocity = 0.1; ThermalConductivity = 10; WearCoefficient = 1e-3;
};
DefaultPair -> Rub;
PCM
echo 'pair_style pcm rub.pcm
pair_coeff * * Left Right
fix warmth all amount/pcm temperature per atom 0.1' >style
sed '/^pair_/d; s/^neighbor/include ${style}\n&/; s/ omegaz$/ omegaz d_temperature d_worn/' restart.in >rub.in
sed 's/ omegaz$/ omegaz d_temperature d_worn/' continue.in >on.in
sed -i '/create_box/d' rub.in
runs 2 rub.in -v style style -v out rub2
for ranks in 1 4; do
    runs $ranks rub.in -v style style -v out rub$ranks
    agree rub2 rub$ranks 1e-11
    runs $ranks on.in -v style style -v from rub2.restart -v out on
    agree rub2 on 1e-11
done
awk '/ITEM: ATOMS/ { inside = 1; next } inside { if ($11 > 293.2) warm++; if ($12 > 0) worn++; if ($11 < 293.15 - 1e-9 || $12 < 0) bad = 1 }
    END { print warm, "warm", worn, "worn"; exit bad || !(warm > 50 && worn > 50) }' rub2 || complain 'friction neither warms nor wears'
exit $failed
