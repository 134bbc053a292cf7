/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include <math.h>
#include <string.h>

const char *const probe_names[PROBE_FORCES] = {"force_x", "force_y", "force_n", "moment_x", "moment_y", "moment_n"};

bool probe_open(probe *p, subject *s, const motion *m, size_t lane)
{
    p->subject = s;
    p->at = *m;
    p->at.kind = MOTION_LANES;
    p->at.count = 1;
    memcpy(p->at.row[0], m->row[lane], sizeof p->at.row[0]);
    return lanes_open(&p->lanes, s);
}

void probe_close(probe *p) { lanes_close(&p->lanes); }

void probe_ask(probe *p, double *forces)
{
    lanes_show(&p->lanes, &p->at, 0);
    lanes_call(&p->lanes, p->subject->type, PCM_UPDATE, 0, 1);
    probe_forces(p, forces);
}

void probe_forces(const probe *p, double *forces)
{
    const pcm_batch    *b = &p->lanes.batch;
    const double *const columns[] = {b->force_x, b->force_y, b->force_n, b->moment_x, b->moment_y, b->moment_n};
    for (size_t i = 0; i < PROBE_FORCES; i++)
        forces[i] = lanes_is_sentinel(columns[i][0]) ? 0 : columns[i][0];
}

double *probe_states(probe *p) { return p->at.row[0] + p->subject->n_inputs; }

void probe_begin(probe *p)
{
    const size_t n_state = p->subject->info->n_state;
    memset(probe_states(p), 0, n_state * sizeof(double));
    lanes_show(&p->lanes, &p->at, 0);
    for (size_t i = 0; i < n_state; i++)
        p->lanes.next[i][0] = 0;
    lanes_call(&p->lanes, p->subject->type, PCM_ESTABLISH, 0, 1);
    for (size_t i = 0; i < n_state; i++)
        probe_states(p)[i] = p->lanes.next[i][0];
}

double probe_length(const double *forces)
{
    double sum = 0;
    for (size_t i = 0; i < PROBE_FORCES; i++)
        sum += forces[i] * forces[i];
    return sqrt(sum);
}
