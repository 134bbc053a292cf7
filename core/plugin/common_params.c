/* SPDX-License-Identifier: MIT */
/* common_params.c - the parameters that belong to every model. */
#include "model.h"

static const char *const points[] = {"Middle", "Base", "Follower", NULL};
static const char *const patches[] = {"Points", "Shared", "Single", NULL};
static const char *const axes[] = {"X", "Y", "Z", NULL};

static const pcm_param common_params[] = {
    PCM_TEXT(pcm_common, log_file, "LogFile", "", "file in the host's log directory for the contacts' motion"),
    PCM_REAL(pcm_common, resolution, "Resolution", "s", 0, "time between log rows; 0: a row at every commit", .min = 0),
    PCM_REAL(pcm_common, separation, "Separation", "m", 0, "gap at which a contact ends; default: the law's reach",
             .min = 0),
    PCM_CHOICE(pcm_common, point, "Point", points, PCM_POINT_MIDDLE,
               "the point whose velocity is measured and where the force acts"),
    PCM_SWITCH(pcm_common, single, "Single", 0, "one contact for each pair, at the deepest point"),
    PCM_CHOICE(pcm_common, patch, "Patch", patches, PCM_PATCH_POINTS,
               "what the law's numbers are of: each point, the whole patch by shares, or one point for it"),
    PCM_SWITCH(pcm_common, debug, "Debug", 0, "notes about contacts made, parted and broken"),
    PCM_SWITCH(pcm_common, zero_crossings, "ZeroCrossings", 0,
               "a solver that locates events stops where the separation crosses zero"),
    PCM_SWITCH(pcm_common, sensing, "Sensing", 0, "log rows with frames, magnitudes and velocities of the contact"),
    PCM_SWITCH(pcm_common, smooth, "Smooth", 0, "fields of heights are smooth surfaces through their points"),
    PCM_CHOICE(pcm_common, base_axis, "BaseAxis", axes, 0,
               "the base's own axis that a law of blades or grain goes by; only of laws that read axes"),
    PCM_CHOICE(pcm_common, follower_axis, "FollowerAxis", axes, 0, "likewise of the follower"),
};

_Static_assert(sizeof common_params / sizeof *common_params == PCM_COMMON_PARAMS, "model.h knows their number");

pcm_table pcm_common_params(void) { return (pcm_table)PCM_TABLE(common_params); }
