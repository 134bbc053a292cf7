/* SPDX-License-Identifier: MIT */
/* ledger.h - where the energy of contacts goes, kept from commit to commit for worlds that ask for it. */
#ifndef PCM_WORLD_LEDGER_H
#define PCM_WORLD_LEDGER_H

#include "world.h"

/* The columns of the ledger. */
enum {
    PCM_LEDGER_POWER, /* of the contact on its bodies, at the last commit */
    PCM_LEDGER_HEAT,  /* the dissipation that the law told there          */
    PCM_LEDGER_WORK,
    PCM_LEDGER_DISSIPATED,
    PCM_LEDGER_FLOW, /* how much energy has gone to and fro */
    PCM_LEDGER_COLUMNS
};

/* A row's ledger with the last update, which the scratch has in this lane, accepted. */
typedef struct pcm_account {
    double column[PCM_LEDGER_COLUMNS];
    double stored;
} pcm_account;
pcm_account pcm_ledger_account(const pcm_world *world, const pcm_group *group, size_t row, size_t lane);

/* Accepts the last update in the ledgers of rows that the scratch has from lane 0 on, all of one block, and in their
 * group's, apart from its residue. */
void pcm_ledger_commit(pcm_world *world, pcm_group *group, size_t first, size_t count);

pcm_ledger pcm_ledger_sum(const pcm_account *account);

/* W, of the force and moment in that lane of a scratch on the contact's two bodies. */
double pcm_ledger_power(const pcm_group *group, const pcm_scratch *scratch, size_t lane);

/* s, the time that a commit of the last update accounts for. */
double pcm_ledger_span(const pcm_world *world);

/* Of a contact that ends: whether it created energy, J, of what it exchanged, and its law does not say so. It is
 * reported, once for a pair. */
bool pcm_ledger_judge(pcm_world *world, const pcm_group *group, size_t row, double created, double exchanged);

#endif
