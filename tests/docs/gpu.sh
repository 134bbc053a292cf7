#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: gpu.sh ROOT BUILD
#
# docs/gpu.md does what it says, and what it shows for CUDA, DEM-Engine and Kokkos compiles, with declarations in place of
# these.
set -eu
root=$1
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/tests/docs/page.sh" "$root/docs/gpu.md" "$build"

awk '/^```(pcm|cpp) [^ ]+$/ { name = $2; next } /^```$/ { name = "" } name { print > "'"$folder"'/" name }' "$root/docs/gpu.md"
cd "$folder"
export PCM_PLUGIN_PATH="$build/plugins" PKG_CONFIG_PATH="$build/meson-uninstalled"
"$build/tools/pcm" export beads.pcm Bead -o beads.h
engines=$root/tests/docs/engines

clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -Wall -Werror -Wno-unknown-cuda-version \
    -Wno-unused-function -I"$root/tests/export" -include "$engines/cuda.h" -S beads.cu -o beads.ptx
grep -q 'entry .*contacts' beads.ptx
grep -q 'entry .*bodies' beads.ptx

cat >functor.cpp <<'END'
#include "kokkos.h"
#include "bead_functor.h"
#include <cstdio>
struct Columns { column depth, depth_rate, slip, radius, mass, stretch, circle, force; };
int main()
{
    double depth = 1e-4, rate = 0.1, slip[2] = {0.02, 0}, radius = 2.5e-3, mass = 6.5e-4, stretch[2] = {0, 0}, circle = 0, force[3];
    const Columns view = {{&depth, 1}, {&rate, 1}, {slip, 2}, {&radius, 1}, {&mass, 1}, {stretch, 2}, {&circle, 1}, {force, 3}};
    BeadFunctor<Columns>{view, 1e-5}(0);
    std::printf("%.6f N, %.6f N\n", force[2], force[0]);
}
END
c++ -std=c++17 -O2 -Wall -Werror -Wno-unused-function -I"$engines" functor.cpp -o functor
"${CC:-cc}" -O2 -w -x c - -o one -lm <<END
$(awk '/^```c one.c$/ { on = 1; next } /^```$/ { on = 0 } on' "$root/docs/gpu.md")
END
[ "$(./functor)" = "$(./one | head -n 1)" ]

"$build/tools/pcm" export beads.pcm Bead --float -o beads.h
{
    echo '#include "dem.h"'
    echo '#include "beads.h"'
    echo 'void calculate(float overlapDepth, float3 B2A, float3 ALinVel, float3 BLinVel, float3 ARotVel, float3 BRotVel, float3 locCPA,'
    echo '    float3 locCPB, float4 AOriQ, float4 BOriQ, float AOwnerMass, float BOwnerMass, float ARadius, float BRadius, float time,'
    echo '    float ts, float &spring_x, float &spring_y, float &spring_z, float &circle, float3 &force) {'
    cat Bead.cu
    echo '}'
} >model.cpp
c++ -std=c++17 -O2 -Wall -Werror -Wno-unused-function -I"$engines" -c model.cpp
