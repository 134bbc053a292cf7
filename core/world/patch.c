/* SPDX-License-Identifier: MIT */
/* patch.c - the shares of contacts in their pair's patch, and the law's verb per pair.
 *
 * A law's verb per pair reads sums of forces, so all its contacts are evaluated twice: first for the sums, then with
 * the verb's results. The first evaluation changes only the initial states of new contacts, which are the same again.
 */
#include "evaluate.h"
#include "patch.h"
#include <pcm/spatial.h>

/* m; the weight of a point at its separation, so that there are shares even if all points are there. */
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

/* A contact's depth plus its type's separation: 0 where the contact begins or ends. */
static double presence(const pcm_group *group, size_t row)
{
    const double within = group->separation + group->record[row].depth;
    return isfinite(within) ? pcm_max(within, 0) + least_presence : 0;
}

/* The sums of the row's pair. */
static pcm_pair_sum *sum_of(const pcm_world *world, const pcm_group *group, size_t row)
{
    return &group->pair_sum[world->pairs[group->identity[row].pair].lane];
}

/* Assigns sums to every pair of touched contacts, adds up their presence, and marks pairs with missing shares. Returns
 * the number of pairs. */
static size_t place_pairs(pcm_world *world, pcm_group *group)
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
    return lanes;
}

static void derive_shares(const pcm_world *world, pcm_group *group)
{
    for (size_t row = 0; row < group->count; row++) {
        const pcm_pair_sum *sum = is_touched(world, group, row) ? sum_of(world, group, row) : NULL;
        if (sum && sum->lacks_share)
            *pcm_group_patch(group, PCM_ROW_SHARE, row) = presence(group, row) / sum->presence;
    }
}

/* Whether the law has shared the patch by itself: it knows what part of a line or flat the contact is. */
static bool has_part(const pcm_group *group, size_t row)
{
    return group->model->inputs & PCM_EXTENT &&
           *pcm_group_shape(group, offsetof(pcm_contact_shape, patch_part), row) > 0;
}

static void start_scales(const pcm_world *world, pcm_group *group)
{
    const bool shared = group->type->common.patch == PCM_PATCH_SHARED;
    for (size_t row = 0; row < group->count; row++) {
        if (!is_touched(world, group, row))
            continue;
        const double share = *pcm_group_patch(group, PCM_ROW_SHARE, row);
        *pcm_group_patch(group, PCM_ROW_SCALE, row) = shared && !has_part(group, row) ? share : 1;
        *pcm_group_patch(group, PCM_ROW_LIFE, row) = PCM_LIVE;
    }
}

/* ---- The verb per pair ----------------------------------------------------------------------------------------- */

static void add_contact(pcm_pair_sum *sum, const pcm_group *group, const pcm_scratch *s, size_t row, size_t i)
{
    const bool   base_axes = group->model->flags & PCM_BASE_AXES;
    const double n[3] = {s->contact[3][i], s->contact[4][i], s->contact[5][i]};
    const double force[3] = {s->wrench[0][i], s->wrench[1][i], s->wrench[2][i]};
    const double normal = base_axes ? pcm_dot(force, n) : s->force_n[i];
    sum->depth = sum->contacts > 0 ? pcm_max(sum->depth, group->record[row].depth) : group->record[row].depth;
    sum->contacts += 1;
    sum->force_n += normal;
    sum->pull += pcm_max(-normal, 0);
    sum->area += s->area[i];
    sum->energy += group->model->outputs & PCM_ENERGY ? s->energy[i] : 0;
    for (size_t k = 0; k < 3; k++)
        sum->force[k] += force[k] - normal * n[k];
}

/* Evaluates rows of one block, all live or all tentative, and adds them to the sums of their pairs. */
static void look_at(pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t row, size_t count)
{
    const pcm_scratch *s = world->scratch;
    if (count == 0)
        return;
    pcm_world_run_rows(world, pass, group, row, count, world->scratch);
    for (size_t i = 0; i < count; i++)
        if (!s->absent[i] && !s->fault[i])
            add_contact(sum_of(world, group, row + i), group, s, row + i, i);
}

static void look_at_all(pcm_world *world, const pcm_pass *pass, pcm_group *group)
{
    pcm_pass look = *pass;
    look.wrench = NULL;
    look.first = true;
    for (size_t first = 0; first < group->count; first += PCM_BLOCK) {
        const size_t end = first + pcm_group_block_rows(group, first);
        const size_t live_end = group->live < first ? first : group->live < end ? group->live : end;
        look_at(world, &look, group, first, live_end - first);
        look_at(world, &look, group, live_end, end - live_end);
    }
}

/* Calls the verb for up to PCM_BLOCK pairs, and stores its results with their sums. */
static void call_verb(const pcm_pass *pass, const pcm_group *group, pcm_pair_sum *sums, size_t count, pcm_scratch *s)
{
    enum { CONTACTS, FORCE_N, FORCE_T, PULL, AREA, DEPTH, ENERGY, SCALE, COLUMNS };
    double  column[COLUMNS][PCM_BLOCK];
    int64_t life[PCM_BLOCK];
    for (size_t i = 0; i < count; i++) {
        const pcm_pair_sum *sum = &sums[i];
        const double        row[COLUMNS] = {sum->contacts,
                                            sum->force_n,
                                            sqrt(pcm_dot(sum->force, sum->force)),
                                            sum->pull,
                                            sum->area,
                                            sum->depth,
                                            sum->energy,
                                            1};
        for (size_t k = 0; k < COLUMNS; k++)
            column[k][i] = row[k];
        life[i] = PCM_LIVE;
    }
    const uint64_t arithmetic = pcm_law_begins(s, group);
    group->pair(&(pcm_pair_batch){.size = sizeof(pcm_pair_batch),
                                  .count = count,
                                  .time = pass->time,
                                  .dt = pass->dt,
                                  .params = group->type->info.params,
                                  .contacts = column[CONTACTS],
                                  .force_n = column[FORCE_N],
                                  .force_t = column[FORCE_T],
                                  .pull = column[PULL],
                                  .area = column[AREA],
                                  .depth = column[DEPTH],
                                  .energy = column[ENERGY],
                                  .scale = column[SCALE],
                                  .life = life});
    pcm_law_ends(s, arithmetic);
    for (size_t i = 0; i < count; i++) {
        sums[i].scale = column[SCALE][i] >= 0 && isfinite(column[SCALE][i]) ? column[SCALE][i] : NAN;
        sums[i].life = life[i];
    }
}

static void judge_pairs(pcm_world *world, const pcm_pass *pass, pcm_group *group, size_t pairs)
{
    look_at_all(world, pass, group);
    for (size_t first = 0; first < pairs; first += PCM_BLOCK)
        call_verb(pass, group, group->pair_sum + first, pairs - first < PCM_BLOCK ? pairs - first : PCM_BLOCK,
                  world->scratch);
    for (size_t row = 0; row < group->count; row++) {
        if (!is_touched(world, group, row))
            continue;
        const pcm_pair_sum *sum = sum_of(world, group, row);
        *pcm_group_patch(group, PCM_ROW_SCALE, row) *= sum->scale;
        *pcm_group_patch(group, PCM_ROW_LIFE, row) = (double)sum->life;
    }
}

void pcm_world_weigh(pcm_world *world, const pcm_pass *pass)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        const bool lack = group->patch_needed & PCM_SHARE && some_lack_share(world, group);
        size_t     pairs = 0;
        if (lack || group->pair)
            pairs = place_pairs(world, group);
        if (lack)
            derive_shares(world, group);
        if (group->scales)
            start_scales(world, group);
        if (group->pair)
            judge_pairs(world, pass, group, pairs);
    }
}

void pcm_world_keep_scales(pcm_world *world)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        pcm_group *group = &world->groups[g];
        for (size_t row = 0; group->scales && row < group->count; row++)
            if (is_touched(world, group, row))
                *pcm_group_patch(group, PCM_ROW_LAST_SCALE, row) = *pcm_group_patch(group, PCM_ROW_SCALE, row);
    }
}
