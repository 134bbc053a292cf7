/* SPDX-License-Identifier: MIT */
/* Any bytes as a mesh: a convex solid with finite corners, or an error. */
#include "fuzz.h"
#include <pcm/geometry.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pcm_context  *context = fuzz_context(NULL);
    pcm_geometry *solid = pcm_geometry_hull_file(context, fuzz_file(data, size), 0.001);
    demand((solid == NULL) == (fuzz_heard[PCM_ERROR] > 0));
    if (solid) {
        size_t        count;
        const double *corners = pcm_geometry_points(solid, &count);
        demand(count >= 4);
        for (size_t i = 0; i < 3 * count; i++)
            demand(isfinite(corners[i]));
        pcm_geometry_free(solid);
    }
    return 0;
}
