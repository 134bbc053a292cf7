/* SPDX-License-Identifier: MIT */
#include "patch.h"

/* m; a point counts for so much where it comes and goes, so that points that all do so at once have shares too. */
static const double least_presence = 1e-12;

static bool is_touched(const pcm_world *world, const pcm_group *group, size_t row)
{
    return group->stamp[row] == world->evaluation;
}

static bool lacks_share(const pcm_world *world, const pcm_group *group, size_t row)
{
    return is_touched(world, group, row) && isnan(*pcm_group_patch(group, PCM_ROW_SHARE, row));
}

static bool some_lack_share(const pcm_world *world, const pcm_group *group)
{
    for (size_t row = 0; row < group->count; row++)
        if (lacks_share(world, group, row))
            return true;
    return false;
}

/* How far a contact is within its type's separation: 0 where it comes and goes. */
static double presence(const pcm_group *group, size_t row)
{
    const double within = group->separation + group->record[row].depth;
    return isfinite(within) ? pcm_max(within, 0) + least_presence : 0;
}

/* The place among the sums of the row's pair. */
static pcm_pair_sum *sum_of(const pcm_world *world, const pcm_group *group, size_t row)
{
    return &group->pair_sum[world->pairs[group->identity[row].pair].lane];
}

/* Gives every pair of touched contacts a place, with the sum of their presence, and notes where shares are missing. */
static void sum_presence(pcm_world *world, pcm_group *group)
{
    uint32_t lanes = 0;
    for (size_t row = 0; row < group->count; row++) {
        if (!is_touched(world, group, row))
            continue;
        pcm_pair *pair = &world->pairs[group->identity[row].pair];
        if (pair->weighed != world->evaluation) {
            pair->weighed = world->evaluation;
            pair->lane = lanes++;
            group->pair_sum[pair->lane] = (pcm_pair_sum){0};
        }
        pcm_pair_sum *sum = &group->pair_sum[pair->lane];
        sum->presence += presence(group, row);
        sum->lacks_share |= lacks_share(world, group, row);
    }
}

static void derive_shares(pcm_world *world, pcm_group *group)
{
    sum_presence(world, group);
    for (size_t row = 0; row < group->count; row++) {
        const pcm_pair_sum *sum = is_touched(world, group, row) ? sum_of(world, group, row) : NULL;
        if (sum && sum->lacks_share)
            *pcm_group_patch(group, PCM_ROW_SHARE, row) = presence(group, row) / sum->presence;
    }
}

/* A contact that is not touched keeps the scale that it had. */
static void scale_by_share(const pcm_world *world, pcm_group *group)
{
    for (size_t row = 0; row < group->count; row++)
        if (is_touched(world, group, row))
            *pcm_group_patch(group, PCM_ROW_SCALE, row) = *pcm_group_patch(group, PCM_ROW_SHARE, row);
}

void pcm_world_weigh(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        if (group->patch_needed & PCM_SHARE && some_lack_share(world, group))
            derive_shares(world, group);
        if (group->scales)
            scale_by_share(world, group);
    }
}
