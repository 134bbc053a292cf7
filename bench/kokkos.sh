#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kokkos.sh BUILD KOKKOS [SIDE STEPS]
#
# A step of the same packed bed of SIDE^3 spheres, in one lmp on one rank: LAMMPS's gran/hooke/history, plain and for Kokkos,
# and the same law by pair_style pcm and pcm/kk, with half lists and full ones. KOKKOS is a folder that
# scripts/lammps-kokkos has filled, BUILD one of PCM for the same LAMMPS. Prints for each ns of the processor per touching
# pair and step, in the pair style and in all: the least of five runs in turn.
set -eu
build=$(realpath "$1")
folder=$(realpath "$2")
side=${3:-32}
steps=${4:-100}
scripts=$(cd "$(dirname "$0")" && pwd)
export PCM_PLUGIN_PATH="$build/plugins" PCM="$build/tools/pcm" PKG_CONFIG_PATH="$build/meson-uninstalled"
export OMP_NUM_THREADS=1 OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl_base_warn_component_unused=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
CXXFLAGS="-DOMPI_SKIP_MPICXX $(mpicc --showme:compile)" "$scripts/../hosts/lammps/kokkos/plugin" "$scripts/lammps-hooke.pcm" G "$folder/lammps" \
    /usr/include/trilinos hooke.so
printf 'pair_style gran/hooke/history 1e4 2.857e3 100 50 0.5 1\npair_coeff * *\n' >native
printf 'plugin load %s/hosts/lammps/pcmplugin.so\npair_style pcm %s/lammps-hooke.pcm\npair_coeff * * Grain\n' "$build" "$scripts" >pcm
printf 'plugin load %s/hooke.so\npair_style pcm/kk\npair_coeff * *\n' "$work" >kk
"$folder/build/lmp" -in "$scripts/lammps-bed.in" -log none -v side "$side" -v bed bed.data -v least 0.01 -v most 0.01 -v spacing 0.0108 -v strewn 0.003 \
    -v pressed 0.0093 -v steps 2000 >bed.log 2>&1 || { cat bed.log; exit 1; }

# measure NAME STYLE [OPTION ...]
measure() {
    name=$1 style=$2
    shift 2
    "$folder/build/lmp" -in "$scripts/lammps.in" -log none -v bed bed.data -v copies '1 1 1' -v n "$steps" -v style "$style" "$@" >run.log 2>&1 ||
        { cat run.log >&2; exit 1; }
    awk -v steps="$steps" -v name="$name" '/^Loop time/ { loop = $4 } /% CPU use/ { share = $1 / 100 } /^Pair  /{ pair = $3 * share }
        NF == 2 && $1 == 20 + steps { contacts = $2 / 2 }
        END { printf "%s;%f;%f\n", name, 1e9 * pair / steps / contacts, 1e9 * loop * share / steps / contacts }' run.log
}
for run in 1 2 3 4 5; do
    measure 'gran/hooke/history' native
    measure 'gran/hooke/history/kk, half lists' native -k on -sf kk
    measure 'pcm' pcm
    measure 'pcm/kk, half lists' kk -k on -sf kk
    measure 'pcm/kk, full lists' kk -k on -sf kk -pk kokkos neigh full
done | awk -F';' '
    !($1 in pair) { order[++n] = $1 }
    !($1 in pair) || $2 < pair[$1] { pair[$1] = $2 }
    !($1 in all) || $3 < all[$1] { all[$1] = $3 }
    END { for (i = 1; i <= n; i++) printf "| %s | %.0f ns | %.0f ns |\n", order[i], pair[order[i]], all[order[i]] }'
