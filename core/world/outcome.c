/* SPDX-License-Identifier: MIT */
/* outcome.c - where a contact begins, and whether it stays or ends at a commit. */
#include "contact_type.h"

/* Whether a lingering state has not yet relaxed to zero. */
static bool lingers(const pcm_model *model, const double *next)
{
    size_t column = 0;
    for (size_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const size_t     end = column + pcm_columns_of(state->shape);
        for (; column < end; column++)
            if (state->flags & PCM_LINGERS && next[column] != 0)
                return true;
    }
    return false;
}

pcm_outcome pcm_type_outcome(const pcm_type *type, bool touched, double depth, int64_t life, const double *next)
{
    const bool apart = !touched || -depth > type->common.separation;
    if (!apart)
        return life == PCM_BROKEN ? PCM_OUTCOME_BROKEN : PCM_OUTCOME_KEPT;
    return life != PCM_BROKEN && lingers(type->info.model, next) ? PCM_OUTCOME_KEPT : PCM_OUTCOME_PARTED;
}

bool pcm_type_can_begin(const pcm_type *type, double depth) { return pcm_can_begin(type->info.onset, depth); }

bool pcm_type_begins(const pcm_type *type, double depth, double onset)
{
    return pcm_can_begin(pcm_min(type->info.onset, onset), depth);
}
