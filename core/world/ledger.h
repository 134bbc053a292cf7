/* SPDX-License-Identifier: MIT */
/* ledger.h - the energy ledger of contacts, kept from commit to commit in worlds that ask for it. */
#ifndef PCM_WORLD_LEDGER_H
#define PCM_WORLD_LEDGER_H

#include "world.h"

/* The number of ledger columns of a group with this law. */
static inline uint32_t pcm_ledger_columns(const pcm_model *model)
{
    return model->outputs & PCM_MOMENT ? PCM_LEDGER_COLUMNS : PCM_LEDGER_MOMENT;
}

/* A row's ledger as it is once the last update, which the scratch has in this lane, is accepted. */
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

/* When the last contact of a pair ends: reports, once for a pair, if its contacts created energy, J, relative to what
 * they exchanged, and the law does not declare it. */
bool pcm_ledger_judge(pcm_world *world, const pcm_group *group, size_t row, double created, double exchanged);

/* At the end of a commit, for a row that it removes. A pair is judged with the last of its contacts: as bodies roll on
 * one another, the points of their patch pass energy on to each other, so that a single one may seem to create some. */
void pcm_ledger_end(pcm_world *world, const pcm_group *group, size_t row);

#endif
