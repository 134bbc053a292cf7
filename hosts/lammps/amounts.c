/* SPDX-License-Identifier: MIT */
/* amounts.c - amounts of atoms and walls that laws change besides motion: temperatures, wear. */
#include "step.h"

#include <pcm/amount.h>

#include <stdio.h>
#include <string.h>

static bool is_face(int32_t side) { return side >= PCM_LAMMPS_FACE; }

static double value_of(const pcm_lammps_pass *p, int32_t side, uint32_t amount)
{
    return is_face(side) ? p->wall->amount[amount] : p->atoms->amount[amount][side];
}

void pcm_lammps_gather_amounts(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    for (uint32_t k = 0; k < p->law->n_amounts; k++) {
        const uint32_t amount = p->law->amount[k];
        for (size_t i = 0; i < p->count; i++) {
            const pcm_lammps_pairing *pairing = &p->pairing[i];
            s->amount[k][i] = value_of(p, pairing->base, amount);
            s->amount[s->n_amounts + k][i] = value_of(p, pairing->follower, amount);
        }
    }
}

void pcm_lammps_scale_flows(const pcm_lammps_pass *p, pcm_lammps_scratch *s, size_t i, double scale)
{
    for (uint32_t k = 0; k < p->law->n_amounts; k++) {
        s->flow[k][i] *= scale;
        s->flow[s->n_amounts + k][i] *= scale;
    }
}

/* Adds a flow to an atom of this rank or to the wall. The flow into a copy of an atom is added by the rank that owns
 * the atom. */
static void add_flow(const pcm_lammps_pass *p, int32_t side, uint32_t amount, double flow)
{
    if (is_face(side))
        p->wall->flow[amount] += flow;
    else if (side < p->atoms->n_local)
        p->atoms->flow[amount][side] += flow;
}

void pcm_lammps_scatter_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    for (uint32_t k = 0; k < p->law->n_amounts; k++)
        for (size_t i = 0; i < p->count; i++) {
            const pcm_lammps_pairing *pairing = &p->pairing[i];
            add_flow(p, pairing->base, p->law->amount[k], s->flow[k][i]);
            add_flow(p, pairing->follower, p->law->amount[k], s->flow[s->n_amounts + k][i]);
        }
}

double pcm_lammps_check_flows(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i)
{
    double zero = 0;
    for (uint32_t k = 0; k < p->law->n_amounts; k++)
        zero += 0 * (s->flow[k][i] + s->flow[s->n_amounts + k][i]);
    return zero;
}

bool pcm_lammps_find_amount(pcm_lammps_laws *laws, const char *name, uint32_t *amount)
{
    const size_t n = pcm_config_amount_count(laws->config);
    char         known[256] = "";
    for (size_t i = 0; i < n; i++) {
        const char *other = pcm_config_amount_at(laws->config, i)->name;
        if (strcmp(other, name) == 0) {
            *amount = (uint32_t)i;
            return true;
        }
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, " %s", other);
    }
    return pcm_lammps_fail(laws, "the laws have no amount `%s`: those of the .pcm file are%s", name,
                           n == 0 ? " none" : known);
}

bool pcm_lammps_wall_amounts(pcm_lammps_wall *wall)
{
    pcm_lammps_laws *laws = wall->contacts.laws;
    for (size_t k = 0; k < pcm_config_amount_count(laws->config); k++)
        wall->amount[k] = pcm_config_amount_at(laws->config, k)->initial;
    for (int i = 0; i < wall->n_given; i++) {
        pcm_lammps_given *given = &wall->given[i];
        if (!pcm_lammps_find_amount(laws, given->name, &given->amount))
            return false;
        wall->amount[given->amount] = given->value;
    }
    return true;
}
