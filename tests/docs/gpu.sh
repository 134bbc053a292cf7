#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: gpu.sh ROOT BUILD
#
# docs/gpu.md does what it says, and what it shows for CUDA and DEM-Engine compiles, with declarations in place of these; and
# so does a contact of pair_style pcm/kk, which has the force of the page's first example.
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

cat >contact.cpp <<'END'
#include "contact.h"
#include <cstdio>
int main()
{
    const pcm_kokkos::Side base = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 5e-3, 1.3e-3};
    const pcm_kokkos::Side follower = {{0, 0, 9.9e-3}, {0.02, 0, -0.1}, {0, 0, 0}, 5e-3, 1.3e-3};
    pcm_kokkos::Held held;
    const pcm_kokkos::Wrench w = pcm_kokkos::evaluate<false>(base, follower, 0, 1e-5, true, held);
    std::printf("%.6f N, %.6f N\n", w.force.z, w.force.x);
}
END
c++ -std=c++17 -O2 -Wall -Wextra -Werror -Wno-unused-function -I"$engines" -I"$root/hosts/lammps/kokkos" '-DPCM_HEADER="beads.h"' \
    -DPCM_TYPE=Bead -I. contact.cpp -o contact
"${CC:-cc}" -O2 -w -x c - -o one -lm <<END
$(awk '/^```c one.c$/ { on = 1; next } /^```$/ { on = 0 } on' "$root/docs/gpu.md")
END
[ "$(./contact)" = "$(./one | head -n 1)" ]

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
