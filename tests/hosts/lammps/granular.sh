#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: granular.sh ROOT BUILD FOLDER
#
# Submodels of LAMMPS's pair granular and the same law of PCM with its kinematics, over 2,000 steps of two clusters in
# collision. A build of Debian's release skips this: its pair granular has other lever arms.
. "$(dirname "$0")/lammps.sh"
clusters
modulus=5494505.494505494 shear=1131221.7194570135 # E = 10 MPa, nu = 0.3: E/(2 (1 - nu^2)), E/(4 (1 + nu) (2 - nu))
# apart A B: the largest difference of two dumps, in each column against its largest number, or 1 if that is less.
apart() {
    paste "$1" "$2" | awk '
        /ITEM: ATOMS/ { inside = 1; next }
        inside {
            n = NF / 2
            for (k = 1; k <= n; k++) {
                d = $k - $(k + n); d = d < 0 ? -d : d; m = $k < 0 ? -$k : $k
                if (d > most[k]) most[k] = d
                if (m > size[k]) size[k] = m
            }
        }
        inside && /[nN][aA][nN]|[iI][nN][fF]/ { bad = 1 }
        END { for (k = 1; k <= n; k++) { d = most[k] / (size[k] > 1 ? size[k] : 1); if (d > all) all = d }; print bad || !n ? "nan" : all + 0 }'
}
# same TOLERANCE COEFFICIENTS LAW VALUES: the contact type of PCM moves the clusters as these coefficients of pair granular do.
same() {
    echo "ContactType Grain = $3 { $4 }; DefaultPair -> Grain;" >grain.pcm
    printf 'pair_style granular\npair_coeff * * %s\n' "$2" >native
    printf 'pair_style pcm grain.pcm kinematics lammps-granular\npair_coeff * * Left Right\n' >style
    compare "$@"
}
# warm ...: likewise where one cluster is hot and the other cold: temperatures and heat flows are compared too.
warm() {
    echo "ContactType Grain = $3 { $4 }; DefaultPair -> Grain;" >grain.pcm
    printf '%s\n' 'fix stored all property/atom temperature heatflow ghost yes' 'pair_style granular' "pair_coeff * * $2" \
        'set type 1 temperature 400' 'set type 2 temperature 293.15' 'fix warmth all heat/flow constant 0.1' \
        'compute warmth all property/atom temperature heatflow' >native
    printf '%s\n' 'pair_style pcm grain.pcm kinematics lammps-granular' 'pair_coeff * * Left Right' \
        'set type 1 d_temperature 400' 'fix warmth all amount/pcm temperature per kg 0.1' \
        'compute warmth all property/atom d_temperature d_temperature_flow' >style
    sed 's/c_stress\[6\]/& c_warmth[1] c_warmth[2]/' clusters.in >warm.in
    compare "$@" warm.in
    awk '/ITEM: ATOMS/ { inside = 1; next } inside && $1 < 126 && $16 < 390 { n++ } END { exit !(n >= 5) }' ours ||
        complain "$3 cools nothing"
}
compare() {
    runs 1 "${5-clusters.in}" -v n 2000 -v style native -v out theirs
    runs 1 "${5-clusters.in}" -v n 2000 -v style style -v out ours
    off=$(apart theirs ours)
    echo "$3, $2: $off"
    within "$off" "$1" || complain "$2 and $3 differ by $off, allowed is $1"
}
of_2021 && { echo 'this LAMMPS is of 29 September 2021: its pair granular has other lever arms'; exit 77; }

linear='hooke 2e5 600 tangential' limited='damping coeff_restitution limit_damping'
spring='NormalStiffness = 2e5; NormalDamping = 600; TangentialDamping = 300; Friction = 0.5;'
slider='GranHooke.Friction = 0; TangentialStiffness = 5.714e4; CundallStrack.Friction = 0.5; AsLammps = true;'
for limit in 'false ' 'true limit_damping'; do
    same 1e-10 "$linear linear_history 5.714e4 0.5 0.5 damping mass_velocity ${limit#* }" 'GranHooke + CundallStrack' "$slider
        NormalStiffness = 2e5; NormalDamping = 600; LimitDamping = ${limit% *}; CundallStrack.TangentialDamping = 300;"
done
same 1e-10 "$linear linear_nohistory 0.5 0.5 damping mass_velocity" GranHooke "$spring LimitDamping = false;"
same 1e-10 "$linear linear_nohistory 0.5 0.5 damping mass_velocity limit_damping" GranHooke "$spring"
same 1e-9 'hertz 1e7 6e3 tangential mindlin 2.857e6 0.5 0.5 damping viscoelastic' GranHertz 'NormalStiffness = 1e7;
    TangentialStiffness = 2.857e6; NormalDamping = 6e3; TangentialDamping = 3e3; Friction = 0.5; LimitDamping = false;'
elastic="ReducedModulus = $modulus; HertzTsuji.Restitution = 0.8; Damping = ClippedNominal;"
rough="ReducedShearModulus = $shear; Friction = 0.5; AsLammps = true;"
for history in 'mindlin Displacement' 'mindlin/force Force' 'mindlin_rescale Rescale' 'mindlin_rescale/force RescaleForce'; do
    same 1e-10 "hertz/material 1e7 0.8 0.3 tangential ${history% *} NULL 0.5 0.5 $limited" 'HertzTsuji + Mindlin' \
        "$elastic $rough Mindlin.Restitution = 0.8; TangentialDampingRatio = 0.5; History = ${history#* };"
done
# The work of adhesion of two equal surfaces is twice LAMMPS's energy of one.
smooth='tangential linear_nohistory 0 0 damping velocity'
same 1e-10 "dmt 1e7 0 0.3 10 $smooth" Dmt "ReducedModulus = $modulus; WorkOfAdhesion = 20;"
adhesive="ReducedModulus = $modulus; WorkOfAdhesion = 20; Release = PullOff; LargestRadius = 0.26;"
same 1e-10 "jkr 1e7 0 0.3 10 $smooth" Jkr "$adhesive"
same 1e-9 'jkr 1e7 0 0.3 10 tangential mindlin NULL 0 0.5 damping velocity' 'Jkr + Mindlin' \
    "$adhesive $rough TangentialDampingRatio = 0; History = Displacement;"
same 1e-9 'dmt 1e7 0 0.3 10 tangential mindlin NULL 0 0.5 damping velocity' 'Dmt + Mindlin' \
    "ReducedModulus = $modulus; WorkOfAdhesion = 20; $rough TangentialDampingRatio = 0; History = Displacement;"
slides='TangentialStiffness = 5.714e4; TangentialDamping = 0; CundallStrack.Friction = 0.5; AsLammps = true;'
same 1e-10 "hertz/material 1e7 0.8 0.3 tangential linear_history 5.714e4 0 0.5 $limited" 'HertzTsuji + CundallStrack' \
    "ReducedModulus = $modulus; Restitution = 0.8; Damping = ClippedNominal; $slides"
same 1e-10 'jkr 1e7 0 0.3 10 tangential linear_history 5.714e4 0 0.5 damping velocity' 'Jkr + CundallStrack' "$adhesive $slides"
rolls='RollingStiffness = 2e4; RollingDamping = 30; RollingFriction = 0.1; AsLammps = true;'
rolling='rolling sds 2e4 30 0.1'
same 1e-10 "hertz/material 1e7 0.8 0.3 tangential linear_nohistory 0 0 $rolling $limited" 'HertzTsuji + RollingResistance' \
    "ReducedModulus = $modulus; Restitution = 0.8; Damping = ClippedNominal; $rolls"
same 1e-10 "jkr 1e7 0 0.3 10 $smooth $rolling" 'Jkr + RollingResistance' "$adhesive $rolls"
same 1e-10 "$linear linear_nohistory 0.5 0.5 $rolling damping mass_velocity" 'GranHooke + RollingResistance' \
    "$spring LimitDamping = false; $rolls"
warm 1e-10 "hertz/material 1e7 0.8 0.3 tangential mindlin NULL 0.5 0.5 $limited heat radius 20" \
    'HertzTsuji + Mindlin + HeatConduction' "$elastic ReducedShearModulus = $shear; Mindlin.Friction = 0.5; AsLammps = true;
    Mindlin.Restitution = 0.8; TangentialDampingRatio = 0.5; History = Displacement; ThermalConductivity = 20;"
warm 1e-10 "hertz/material 1e7 0.8 0.3 tangential linear_nohistory 0 0 $limited heat area 300" 'HertzTsuji + HeatConduction' \
    "ReducedModulus = $modulus; Restitution = 0.8; Damping = ClippedNominal; ThermalConductivity = 0; Conductance = 300;"
warm 1e-10 "jkr 1e7 0 0.3 10 $smooth heat radius 20" 'Jkr + HeatConduction' "$adhesive ThermalConductivity = 20;"
exit $failed
