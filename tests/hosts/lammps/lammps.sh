# SPDX-License-Identifier: MIT
# Sourced by the tests of LAMMPS, which are called with ROOT BUILD FOLDER: goes to a folder of its own that holds the files
# of FOLDER, and gives them functions.
set -u
root=$1
build=$2
command -v mpirun >/dev/null || { echo 'mpirun was not found: install openmpi-bin'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$3"/*.in "$3"/*.pcm "$work"
cd "$work" || exit 1
export PCM_PLUGIN_PATH="$build/plugins" OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Runs in parallel would clean up a common folder, even while another run creates its own there.
export OMPI_MCA_orte_tmpdir_base="$work"
# A single rank does not start a daemon for others.
export OMPI_MCA_ess_singleton_isolated=1
# Ranks that wait yield the processor to others.
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_base_warn_component_unused=0
failed=0
complain() {
    echo "$1"
    failed=1
}

# on N SCRIPT [OPTION ...]: runs a script on N ranks. Its output is stored in `printed`.
on() {
    ranks=$1
    script=$2
    shift 2
    program="$build/hosts/lammps/pcm-lammps"
    if [ "$ranks" = 1 ]; then # starts faster without mpirun
        "$program" -in "$script" -log none "$@" >printed 2>&1
    else
        mpirun -np "$ranks" "$program" -in "$script" -log none "$@" >printed 2>&1
    fi
}

# runs N SCRIPT [OPTION ...]: the same, and it must succeed.
runs() { on "$@" || { cat printed; complain "$2 does not run on $1 ranks: $*"; }; }

# largest A B: prints the largest difference of any number in two dumps of the same atoms; nan if something is no number.
largest() {
    paste "$1" "$2" | awk '
        /ITEM: ATOMS/ { inside = 1; next }
        inside { for (k = 1; k <= NF / 2; k++) { d = $k - $(k + NF / 2); d = d < 0 ? -d : d; if (d > most) most = d } n++ }
        inside && /[nN][aA][nN]|[iI][nN][fF]/ { bad = 1 }
        END { print bad || n == 0 ? "nan" : most + 0 }'
}

# within NUMBER LIMIT: whether it is a number of at most the limit. mawk takes nan for a number that equals every other.
within() {
    case $1 in
    *[!-+.0-9e]*) return 1 ;;
    *[0-9]*) ;;
    *) return 1 ;;
    esac
    awk -v d="$1" -v t="$2" 'BEGIN { exit !(d + 0 <= t) }'
}

# agree A B TOLERANCE: all numbers of two dumps agree within the tolerance.
agree() {
    apart=$(largest "$1" "$2")
    echo "$1 $2: $apart"
    within "$apart" "$3" || complain "$1 and $2 differ by $apart, allowed is $3"
}

# Whether this LAMMPS is of 29 September 2021.
of_2021() { "$build/hosts/lammps/pcm-lammps" -help 2>&1 | grep -q '^Large-scale.* 29 Sep 2021'; }

# native_wall hooke|hertz KN KT GN XT MU: the law of LAMMPS's own walls, for the tangential damping XT times GN. Since 2022
# the tangential spring of their hooke/history and hertz/history is multiplied by the radius of the contact once too often.
native_wall() {
    if of_2021; then
        echo "$1/history $2 $3 $4 $(awk "BEGIN { print $4 * $5 }") $6 1"
    elif [ "$1" = hooke ]; then
        echo "granular hooke $2 $4 tangential linear_history $3 $5 $6 damping mass_velocity"
    else
        echo "granular hertz $2 $4 tangential mindlin $3 $5 $6 damping viscoelastic"
    fi
}

# Two clusters of 125 spheres that move towards each other, as a data file.
clusters() {
    awk 'BEGIN {
        print "two clusters\n\n250 atoms\n2 atom types\n\n-12 12 xlo xhi\n-8 8 ylo yhi\n-8 8 zlo zhi\n\nAtoms # sphere\n"
        for (c = 0; c < 2; c++) for (i = 0; i < 5; i++) for (j = 0; j < 5; j++) for (k = 0; k < 5; k++)
            printf "%d %d 1.03 1 %.6f %.6f %.6f\n", ++n, 1 + c, ((c ? 2 + i : i - 4) - 0.48) * 1.0357,
                (c ? j - 1 : j - 2) * 1.0357, (c ? k - 1 : k - 2) * 1.0357
        print "\nVelocities\n"
        for (n = 1; n <= 250; n++)
            print n, n < 126 ? "1.5 0.1 0 0.3 0 0" : "-1.5 0 0.2 0 0 -0.4"
    }' >clusters.data
}
