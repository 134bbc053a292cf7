/* SPDX-License-Identifier: MIT */
/* ledger.h - where the energy of contacts goes, kept from commit to commit for worlds that ask for it. */
#ifndef PCM_WORLD_LEDGER_H
#define PCM_WORLD_LEDGER_H

#include "world.h"

/* How many columns a group of the law has. */
static inline uint32_t pcm_ledger_columns(const pcm_model *model)
{
    return model->outputs & PCM_MOMENT ? PCM_LEDGER_COLUMNS : PCM_LEDGER_MOMENT;
}

/* A row's ledger with the last update, which the scratch has in this lane, accepted. */
typedef struct pcm_account {
    double column[PCM_LEDGER_COLUMNS];
    double stored;
} pcm_account;
pcm_account pcm_ledger_account(const pcm_world *world, const pcm_group *group, size_t row, size_t lane);

/* Accepts the last update in the ledgers of rows that the scratch has from lane 0 on, all of one block, and in their
 * group's, apart from its residue. */
void pcm_ledger_commit(pcm_world *world, pcm_group *group, size_t first, size_t count);

static inline void pcm_ledger_balance(pcm_ledger *ledger)
{
    ledger->residue = ledger->brought - ledger->work - ledger->stored - ledger->dissipated;
}

pcm_ledger pcm_ledger_sum(const pcm_account *account);

/* Accepts the last update in the columns of one contact, which the scratch has in its first lane. They begin as 0, at
 * the commit that makes the contact. */
void pcm_ledger_follow(const pcm_world *world, const pcm_group *group, size_t row, double ledger[PCM_LEDGER_COLUMNS]);

/* s, the time that a commit of the last update accounts for. */
double pcm_ledger_span(const pcm_world *world);

/* Of all contacts of a row's pair, which end with it: whether they created energy, J, of what they exchanged, and the
 * law does not say so. It is reported, once for a pair. */
bool pcm_ledger_judge(pcm_world *world, const pcm_group *group, size_t row, double created, double exchanged);

/* At the end of a commit, of a row that it takes out. A pair is judged with the last of its contacts: as bodies turn on
 * one another, points of their patch hand on to each other what they hold, and some take more than they have got. */
void pcm_ledger_end(pcm_world *world, const pcm_group *group, size_t row);

#endif
