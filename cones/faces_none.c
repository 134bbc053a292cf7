/* SPDX-License-Identifier: MIT */
/* faces_none.c - replaces faces_cdd.c in a build without cddlib. */
#include "refuse.h"
#include "rows.h"

pcm_status pcm_faces_of_rays(pcm_context *context, const pcm_rows *rays, pcm_rows *faces)
{
    (void)rays;
    (void)faces;
    return REFUSE(context, PCM_MSG_NO_CDDLIB, "this build has no wrench cones of points: it was made without cddlib");
}
