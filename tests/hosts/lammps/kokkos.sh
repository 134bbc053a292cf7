#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: [KOKKOS=FOLDER] kokkos.sh ROOT BUILD FOLDER
#
# `pair_style pcm/kk` has the bits of `pair_style pcm`: laws without and with history and with moments, in a gas of spheres
# and in rings of spheres that always touch, with half lists and full ones; those with history on two ranks too. An atom
# that touches three others adds their forces in the order of its list, which is another there: a packing agrees within
# rounding. The environment's KOKKOS is a folder that scripts/lammps-kokkos has filled; without it a new one is.
. "$(dirname "$0")/lammps.sh"
export OMPI_MCA_mpi_yield_when_idle=0 # two ranks of short steps lose most of their time to others that run
folder=${KOKKOS-}
if [ -z "$folder" ]; then
    folder=$work/kokkos
    "$root/scripts/lammps-kokkos" "$folder" >built 2>&1 || { tail built; echo 'LAMMPS with KOKKOS was not to be had'; exit 77; }
fi
lmp=$folder/build/lmp
export PCM="$build/tools/pcm" PKG_CONFIG_PATH="$build/meson-uninstalled" CXXFLAGS="-DOMPI_SKIP_MPICXX $(mpicc --showme:compile)"
of_2021 || { echo 'this build is for another LAMMPS than Debian 12 has'; exit 77; }

cat >laws.pcm <<'END'
ContactType Hooke = GranHooke { NormalStiffness = 2e5; NormalDamping = 600; };
ContactType Tsuji = HertzTsuji { ReducedModulus = 1e8; Restitution = 0.7; };
ContactType Hertz = GranHertz { NormalStiffness = 1e8; TangentialStiffness = 2.857e7; NormalDamping = 6e4; TangentialDamping = 3e4; };
ContactType Rolls = HertzTsuji + Mindlin + RollingResistance + Twisting {
    ReducedModulus = 1e8; Mindlin.ReducedShearModulus = 6e7; Twisting.ReducedShearModulus = 6e7;
    HertzTsuji.Restitution = 0.7;
};
ContactType Soft = HertzTsuji + Mindlin + RollingResistance + Twisting {
    ReducedModulus = 1e5; Mindlin.ReducedShearModulus = 6e4; Twisting.ReducedShearModulus = 6e4; HertzTsuji.Restitution = 0.7;
};
END
for law in Hooke Tsuji Hertz Rolls Soft; do
    { cat laws.pcm; echo "DefaultPair -> $law;"; } >$law.pcm
    printf 'pair_style pcm %s.pcm\npair_coeff * * Grain\n' $law >$law-pcm
    printf 'plugin load %s/%s.so\npair_style pcm/kk\npair_coeff * *\n' "$work" $law >$law-kk
    "$root/hosts/lammps/kokkos/plugin" $law.pcm $law "$folder/lammps" /usr/include/trilinos $law.so || exit 1
done

# spheres NAME LONG WIDE NX NY NZ DISTANCE STRAY SPEED SPIN: NX * NY * NZ spheres of diameter 1 that stray about a lattice, and
# drift along x: with their contacts, from one rank to the other and through the side of the box.
spheres() {
    awk -v nx="$4" -v ny="$5" -v nz="$6" -v d="$7" -v stray="$8" -v speed="$9" -v spin="${10}" -v long="$2" -v wide="$3" '
        function any(most) { return most * (2 * rand() - 1) }
        BEGIN {
            srand(4711)
            print "spheres\n\n" nx * ny * nz " atoms\n1 atom types\n\n0 " long " xlo xhi\n0 " wide " ylo yhi\n0 " wide " zlo zhi"
            print "\nAtoms # sphere\n"
            for (i = 0; i < nx; i++) for (j = 0; j < ny; j++) for (k = 0; k < nz; k++)
                printf "%d 1 1 1.03 %.9f %.9f %.9f\n", ++n, (i + 0.5) * d + any(stray),
                    (j + 0.5) * wide / ny + any(stray), (k + 0.5) * wide / nz + any(stray)
            print "\nVelocities\n"
            for (n = 1; n <= nx * ny * nz; n++)
                printf "%d %.9f %.9f %.9f %.9f %.9f %.9f\n", n, 3 + any(speed), any(speed), any(speed), any(spin), any(spin), any(spin)
        }' >"$1"
}
spheres gas 16 16 10 10 10 1.6 0.25 2 4
spheres rings 9.99 20 10 5 5 0.999 0 0.02 0.5

# kk RANKS SCRIPT [OPTION ...]: the same as runs, with LAMMPS's Kokkos.
kk() {
    ranks=$1 script=$2
    shift 2
    mpirun -np "$ranks" "$lmp" -k on -sf kk -in "$script" -log none "$@" >printed 2>&1 || { cat printed; complain "$script does not run: $*"; }
}
# most: the most contacts of an atom that the run has printed.
most() { awk 'NF == 6 && $1 ~ /^[0-9]+$/ && $6 > n { n = $6 } END { print n + 0 }' printed; }
# bits A B: two dumps are the same.
bits() { cmp "$1" "$2" && echo "$1 $2: the same bits" || complain "$1 and $2 differ by $(largest "$1" "$2")"; }

for scene in gas rings; do
    steps=$([ $scene = gas ] && echo 4000 || echo 2000)
    for law in Hooke Tsuji Hertz Rolls; do
        set -- kokkos.in -v data $scene -v n "$steps"
        runs 1 "$@" -v often 1 -v style $law-pcm -v out $scene-$law
        touch=$(most)
        echo "$scene $law: at most $touch contacts of an atom"
        [ "$touch" -ge 1 ] && [ "$touch" -le 2 ] || complain 'sums of three contacts depend on their order: this shows nothing'
        kk 1 "$@" -v often 1000 -v style $law-kk -v out half
        bits $scene-$law half
        kk 1 "$@" -v often 1000 -v style $law-kk -v out full -pk kokkos neigh full
        bits $scene-$law full
        [ $law = Hertz ] || [ $law = Rolls ] || continue
        runs 2 "$@" -v often 1000 -v style $law-pcm -v out $scene-$law-2
        kk 2 "$@" -v often 1000 -v style $law-kk -v out two
        bits $scene-$law-2 two
    done
done

# A run that goes on without a setup is one run.
sed 's/^run          ${n}/run 700\nrun 1300 pre no/' kokkos.in >parts.in
kk 1 parts.in -v data rings -v often 1000 -v style Rolls-kk -v out parts
bits rings-Rolls parts

# A packing, six contacts of each atom: forces are added in another order. Energy and pressure are LAMMPS's sums.
spheres packing 9.8 9.8 10 10 10 0.98 0.005 0.3 1
# printed_at STEP: energy and pressure that the run has printed.
printed_at() { awk -v step="$1" 'NF == 6 && $1 == step { print $3, $4; exit }' printed; }
set -- kokkos.in -v data packing -v n 1000 -v often 100
runs 1 "$@" -v style Soft-pcm -v out packing-Soft
sums=$(printed_at 1000)
[ "$(most)" -gt 5 ] || complain "packing: at most $(most) contacts of an atom"
for neigh in half full; do
    kk 2 "$@" -v style Soft-kk -v out $neigh -pk kokkos neigh $neigh
    agree packing-Soft $neigh 1e-9 # of forces of 30 N
    echo "$sums $(printed_at 1000)" | awk '{ exit !($1 > 0 && $2 > 0 && $1 / $3 - 1 < 1e-10 && 1 - $1 / $3 < 1e-10 && $2 / $4 - 1 < 1e-10 && 1 - $2 / $4 < 1e-10) }' ||
        complain "energy and pressure: $sums and $(printed_at 1000)"
done

# says TEXT: the last run has failed with that text.
says() { grep -q "$1" printed || { cat printed; complain "is not said: $1"; }; }
set -- -k on -sf kk -log none -v style Hertz-kk -v n 1 -v often 1 -v out wrong
sed 's/newton       off/newton on/' kokkos.in >wrong.in
"$lmp" "$@" -v data gas -in wrong.in >printed 2>&1 && complain 'newton on is no error'
says 'write `newton off`'
sed 's/^compute      spin/fix none all freeze\n&/' kokkos.in >wrong.in
"$lmp" "$@" -v data gas -in wrong.in >printed 2>&1 && complain 'fix freeze is no error'
says 'does not know what fix freeze'
"$lmp" -log none -v data gas -v style Hertz-kk -v n 1 -v often 1 -v out wrong -in kokkos.in >printed 2>&1 && complain 'no -k on is no error'
says 'needs -k on'
spheres twins 16 16 2 1 1 0 0 0 0
"$lmp" "$@" -v data twins -in kokkos.in >printed 2>&1 && complain 'two spheres in one place are no error'
says 'a force or torque is not finite'
{ cat laws.pcm; echo 'ContactType Tears = Jkr; DefaultPair -> Tears;'; } >tears.pcm
"$root/hosts/lammps/kokkos/plugin" tears.pcm Tears "$folder/lammps" /usr/include/trilinos tears.so >printed 2>&1 && complain 'Jkr is no error'
says 'this law ends contacts, says where they begin'
exit $failed
