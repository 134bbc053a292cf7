/* SPDX-License-Identifier: MIT */
/* lane.h - one contact of a contact type. `pcm export` compiles this file together with the type's laws, each for one
 * lane, and the optimiser leaves nothing of it but arithmetic.
 *
 * The rules by which the parts of a sum add up are those of core/config/parts_kernels.c. The test `one lane of sums`
 * holds every sum of two or three shipped laws to the same bits as that file's. */
#ifndef PCM_TOOLS_EXPORT_LANE_H
#define PCM_TOOLS_EXPORT_LANE_H

#include <pcm/plugin.h>

enum { LANE_COLUMNS = 32, LANE_AMOUNTS = 16, LANE_PARTS = 8 };

/* The loops are unrolled: so that each verb is known where it is called, and each column has a name. */
#if defined(__clang__)
#define LANE_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define LANE_UNROLLED
#endif

/* A law of the type: its verbs, and its range of the type's columns. */
typedef struct lane_part {
    pcm_verb *update, *forces, *establish, *jump, *terminate;
    uint32_t  inputs, outputs, states; /* states: entries of the law's table */
    uint32_t  state, n_state, host_input, n_host_input, event, n_event, amount, n_amount;
    double (*onset)(const void *params); /* the model's; NULL: 0 */
} lane_part;

typedef struct lane_type {
    uint32_t  count, outputs;
    uint32_t  losses; /* the last part that reads the losses of earlier ones; 0: none does */
    uint32_t  n_state, n_host_input, n_event, n_amount;
    lane_part part[LANE_PARTS];
} lane_type;

/* What a law writes, besides the columns of its tables. */
typedef struct lane_outputs {
    double  force_n, force_x, force_y, moment_n, moment_x, moment_y, energy, dissipation;
    double  elastic_n, adhesive_n, pull_off, patch_radius, onset;
    int64_t life, mode;
} lane_outputs;

/* What later parts read of earlier ones, and what these have written so far. */
typedef struct lane_sums {
    lane_outputs all;
    double       elastic_n, adhesive_n, pull_off, patch_radius, friction, damping;
    uint32_t     outputs;
} lane_sums;

/* Pointers to one part's columns. */
typedef struct lane_columns {
    const double *host_input[LANE_COLUMNS], *state[LANE_COLUMNS];
    double       *next[LANE_COLUMNS], *rate[LANE_COLUMNS], *event[LANE_COLUMNS];
    const double *amount[2][LANE_AMOUNTS];
    double       *flow[2][LANE_AMOUNTS];
} lane_columns;

PCM_INLINE void lane_give_outputs(pcm_batch *b, lane_outputs *o)
{
    b->force_n = &o->force_n, b->force_x = &o->force_x, b->force_y = &o->force_y;
    b->moment_n = &o->moment_n, b->moment_x = &o->moment_x, b->moment_y = &o->moment_y;
    b->energy = &o->energy, b->dissipation = &o->dissipation;
    b->elastic_n = &o->elastic_n, b->adhesive_n = &o->adhesive_n, b->pull_off = &o->pull_off;
    b->patch_radius = &o->patch_radius, b->onset = &o->onset;
    b->life = &o->life, b->mode = &o->mode;
}

PCM_INLINE void lane_slice(lane_columns *c, const pcm_batch *whole, const lane_part *part)
{
    LANE_UNROLLED
    for (uint32_t k = 0; k < part->n_state; k++) {
        c->state[k] = whole->state[part->state + k];
        c->next[k] = whole->next[part->state + k];
        c->rate[k] = whole->rate[part->state + k];
    }
    LANE_UNROLLED
    for (uint32_t k = 0; k < part->n_host_input; k++)
        c->host_input[k] = whole->host_inputs[part->host_input + k];
    LANE_UNROLLED
    for (uint32_t k = 0; k < part->n_event; k++)
        c->event[k] = whole->event[part->event + k];
    LANE_UNROLLED
    for (uint32_t k = 0; k < part->n_amount; k++) {
        c->amount[0][k] = whole->base_amount[part->amount + k];
        c->amount[1][k] = whole->follower_amount[part->amount + k];
        c->flow[0][k] = whole->base_flow[part->amount + k];
        c->flow[1][k] = whole->follower_flow[part->amount + k];
    }
}

/* The batch of one part, which writes to `own`. */
PCM_INLINE pcm_batch lane_batch_of(const pcm_batch *whole, const lane_part *part, const void *params, lane_columns *c,
                                   lane_sums *s, lane_outputs *own)
{
    pcm_batch b = *whole;
    lane_slice(c, whole, part);
    lane_give_outputs(&b, own);
    b.params = params;
    b.load_n = &s->all.force_n, b.load_x = &s->all.force_x, b.load_y = &s->all.force_y;
    b.load_elastic = &s->elastic_n, b.load_adhesive = &s->adhesive_n, b.load_pull_off = &s->pull_off;
    b.contact_radius = &s->patch_radius;
    b.loss_friction = &s->friction, b.loss_damping = &s->damping;
    b.host_inputs = c->host_input, b.state = c->state, b.next = c->next, b.rate = c->rate, b.event = c->event;
    b.base_amount = c->amount[0], b.follower_amount = c->amount[1];
    b.base_flow = c->flow[0], b.follower_flow = c->flow[1];
    return b;
}

/* ---- Adding up --------------------------------------------------------------------------------------------------- */

/* The first part that has an output writes it; later ones add to it. */
PCM_INLINE void lane_take(const lane_sums *s, uint32_t outputs, uint32_t output, double *sum, double part)
{
    if (outputs & output)
        *sum = s->outputs & output ? *sum + part : part;
}

/* A normal force counts as elastic if the law does not split it. */
PCM_INLINE void lane_take_shares(lane_sums *s, const lane_part *part, const lane_outputs *own)
{
    const int told = (part->outputs & PCM_SHARES) != 0;
    s->elastic_n += told ? own->elastic_n : own->force_n;
    if (told) {
        s->adhesive_n += own->adhesive_n;
        s->pull_off += own->pull_off;
    }
    if (part->outputs & PCM_PATCH_RADIUS)
        s->patch_radius = own->patch_radius;
}

/* What holds by itself and does not say when it slips is a bond: its dissipation is no friction. */
PCM_INLINE void lane_take_losses(lane_sums *s, const lane_part *part, const lane_outputs *own, const pcm_batch *b)
{
    const int says = (part->outputs & PCM_MODE) != 0, loaded = (part->inputs & PCM_LOAD) != 0;
    const int slides = part->outputs & PCM_FRICTION && (says || loaded || part->states == 0);
    const int rubs = loaded || !(part->inputs & PCM_SLIP); /* and does nothing else */
    if (!(part->outputs & PCM_DISSIPATION))
        return;
    const double all = own->dissipation;
    const double power = -(own->force_x * *b->slip_x + own->force_y * *b->slip_y);
    const int    slips = slides && (!says || own->mode == PCM_SLIPPING);
    const double friction = !slips ? 0 : rubs ? all : pcm_clamp(power, 0, all);
    s->friction += friction;
    s->damping += all - friction;
}

PCM_INLINE void lane_take_part(lane_sums *s, const lane_type *type, uint32_t p, const void *params,
                               const lane_outputs *own)
{
    const lane_part *part = &type->part[p];
    const uint32_t   outputs = part->outputs;
    lane_outputs    *all = &s->all;
    all->force_n = p > 0 ? all->force_n + own->force_n : own->force_n;
    lane_take(s, outputs, PCM_FRICTION, &all->force_x, own->force_x);
    lane_take(s, outputs, PCM_FRICTION, &all->force_y, own->force_y);
    lane_take(s, outputs, PCM_MOMENT, &all->moment_n, own->moment_n);
    lane_take(s, outputs, PCM_MOMENT, &all->moment_x, own->moment_x);
    lane_take(s, outputs, PCM_MOMENT, &all->moment_y, own->moment_y);
    lane_take(s, outputs, PCM_ENERGY, &all->energy, own->energy);
    lane_take(s, outputs, PCM_DISSIPATION, &all->dissipation, own->dissipation);
    if (outputs & PCM_LIFE)
        all->life = s->outputs & PCM_LIFE && all->life > own->life ? all->life : own->life;
    if (outputs & PCM_MODE && !(s->outputs & PCM_MODE))
        all->mode = own->mode;
    const double constant = part->onset ? part->onset(params) : 0;
    const double onset = outputs & PCM_ONSET ? pcm_min(constant, own->onset) : constant;
    all->onset = p == 0 || onset > all->onset ? onset : all->onset;
    s->outputs |= outputs;
}

/* ---- The verbs of a part, one part after the other ----------------------------------------------------------------
 */

/* update, with or without reports; with them also where later parts read what this one dissipates. A law that is alone
 * writes to the type's own outputs, which are zero before. */
PCM_INLINE void lane_update(const lane_type *type, uint32_t p, const void *params, const pcm_batch *whole,
                            uint64_t reports, lane_sums *s)
{
    const lane_part *part = &type->part[p];
    const int        alone = type->count == 1;
    lane_outputs     own = {.life = 0};
    lane_columns     columns;
    pcm_batch        b = *whole;
    b.params = params;
    if (!alone)
        b = lane_batch_of(whole, part, params, &columns, s, &own);
    b.reports = reports | (p < type->losses);
    if (b.reports)
        part->update(&b);
    else
        part->forces(&b);
    if (alone)
        return;
    lane_take_shares(s, part, &own);
    lane_take_losses(s, part, &own, &b);
    lane_take_part(s, type, p, params, &own);
}

/* After the last part: the sums become the type's outputs. */
PCM_INLINE void lane_end_update(const lane_type *type, const pcm_batch *whole, uint64_t reports, const lane_sums *s)
{
    const lane_outputs *all = &s->all;
    if (type->count == 1)
        return;
    *whole->force_n = all->force_n;
    if (type->outputs & PCM_FRICTION)
        *whole->force_x = all->force_x, *whole->force_y = all->force_y;
    if (type->outputs & PCM_MOMENT)
        *whole->moment_n = all->moment_n, *whole->moment_x = all->moment_x, *whole->moment_y = all->moment_y;
    if (reports && type->outputs & PCM_ENERGY)
        *whole->energy = all->energy;
    if (reports && type->outputs & PCM_DISSIPATION)
        *whole->dissipation = all->dissipation;
    if (type->outputs & PCM_LIFE)
        *whole->life = all->life;
    if (type->outputs & PCM_MODE)
        *whole->mode = all->mode;
    if (type->outputs & PCM_ONSET)
        *whole->onset = all->onset;
}

PCM_INLINE void lane_establish(const lane_type *type, uint32_t p, const void *params, const pcm_batch *whole)
{
    lane_sums       s = {.outputs = 0};
    lane_outputs    own = {.life = 0};
    lane_columns    columns;
    const pcm_batch b = lane_batch_of(whole, &type->part[p], params, &columns, &s, &own);
    type->part[p].establish(&b);
}

/* jump, if the event is one of this part. */
PCM_INLINE void lane_jump(const lane_type *type, uint32_t p, const void *params, const pcm_batch *whole)
{
    const lane_part *part = &type->part[p];
    lane_sums        s = {.outputs = 0};
    lane_outputs     own = {.life = 0};
    lane_columns     columns;
    pcm_batch        b = lane_batch_of(whole, part, params, &columns, &s, &own);
    b.event_index -= part->event;
    if (b.event_index < part->n_event)
        part->jump(&b);
}

/* What terminate adds up, and which values a part has written so far. */
typedef struct lane_remains {
    int energy, dissipation;
} lane_remains;

/* What is NaN was not written. The first part that writes a value replaces the host's; later ones add to it. */
PCM_INLINE void lane_remain(const lane_part *part, uint32_t output, double *whole, double own, int *told)
{
    if (part->outputs & output && own == own) {
        *whole = *told ? *whole + own : own;
        *told = 1;
    }
}

PCM_INLINE void lane_terminate(const lane_type *type, uint32_t p, const void *params, const pcm_batch *whole,
                               lane_remains *told)
{
    lane_sums       s = {.outputs = 0};
    lane_outputs    own = {.energy = NAN, .dissipation = NAN};
    lane_columns    columns;
    const pcm_batch b = lane_batch_of(whole, &type->part[p], params, &columns, &s, &own);
    type->part[p].terminate(&b);
    lane_remain(&type->part[p], PCM_ENERGY, whole->energy, own.energy, &told->energy);
    lane_remain(&type->part[p], PCM_DISSIPATION, whole->dissipation, own.dissipation, &told->dissipation);
}

/* ---- One contact ------------------------------------------------------------------------------------------------- */

#define LANE_SHAPE(X)                                                                                                  \
    X(curvature_1)                                                                                                     \
    X(curvature_2)                                                                                                     \
    X(curvature_x)                                                                                                     \
    X(curvature_y)                                                                                                     \
    X(point_part)                                                                                                      \
    X(patch_part)                                                                                                      \
    X(line_length)                                                                                                     \
    X(line_curvature)                                                                                                  \
    X(flat_area)                                                                                                       \
    X(flat_aspect)
#define LANE_INPUTS(X)                                                                                                 \
    LANE_SHAPE(X)                                                                                                      \
    X(depth)                                                                                                           \
    X(depth_rate)                                                                                                      \
    X(slip_x)                                                                                                          \
    X(slip_y)                                                                                                          \
    X(spin_x)                                                                                                          \
    X(spin_y)                                                                                                          \
    X(spin_n)                                                                                                          \
    X(x)                                                                                                               \
    X(y)                                                                                                               \
    X(z)                                                                                                               \
    X(velocity_x)                                                                                                      \
    X(velocity_y)                                                                                                      \
    X(velocity_z)                                                                                                      \
    X(radius)                                                                                                          \
    X(mass)                                                                                                            \
    X(load_n)                                                                                                          \
    X(load_elastic)                                                                                                    \
    X(load_adhesive)                                                                                                   \
    X(load_pull_off)                                                                                                   \
    X(contact_radius)                                                                                                  \
    X(fresh)                                                                                                           \
    X(area)                                                                                                            \
    X(share)                                                                                                           \
    X(base_spin_x)                                                                                                     \
    X(base_spin_y)                                                                                                     \
    X(base_spin_n)                                                                                                     \
    X(follower_spin_x)                                                                                                 \
    X(follower_spin_y)                                                                                                 \
    X(follower_spin_n)                                                                                                 \
    X(base_axis_x)                                                                                                     \
    X(base_axis_y)                                                                                                     \
    X(base_axis_n)                                                                                                     \
    X(follower_axis_x) X(follower_axis_y) X(follower_axis_n) X(loss_friction) X(loss_damping) X(load_x) X(load_y)

/* Its numbers. */
typedef struct lane_contact {
#define LANE_MEMBER(name) double name;
    LANE_INPUTS(LANE_MEMBER)
#undef LANE_MEMBER
    double       time, dt;
    double       host_input[LANE_COLUMNS], state[LANE_COLUMNS], next[LANE_COLUMNS], rate[LANE_COLUMNS];
    double       event[LANE_COLUMNS], amount[2][LANE_AMOUNTS], flow[2][LANE_AMOUNTS];
    lane_outputs out;
} lane_contact;

/* Inputs that the type does not declare read NaN; what it does not write is 0, and next its state. */
PCM_INLINE void lane_clear(lane_contact *l, const lane_type *type)
{
#define LANE_CLEAR(name) l->name = NAN;
    LANE_INPUTS(LANE_CLEAR)
#undef LANE_CLEAR
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_state; k++)
        l->rate[k] = 0;
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_event; k++)
        l->event[k] = 0;
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_amount; k++)
        l->flow[0][k] = l->flow[1][k] = 0;
    const lane_outputs none = {.life = 0};
    l->out = none;
}

/* The batch of the contact. The three are variables of their own, so that the optimiser can take them apart. */
PCM_INLINE void lane_point(pcm_batch *b, lane_columns *c, lane_contact *l, const lane_type *type)
{
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_state; k++)
        c->state[k] = &l->state[k], c->next[k] = &l->next[k], c->rate[k] = &l->rate[k];
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_host_input; k++)
        c->host_input[k] = &l->host_input[k];
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_event; k++)
        c->event[k] = &l->event[k];
    LANE_UNROLLED
    for (uint32_t k = 0; k < type->n_amount; k++) {
        c->amount[0][k] = &l->amount[0][k], c->flow[0][k] = &l->flow[0][k];
        c->amount[1][k] = &l->amount[1][k], c->flow[1][k] = &l->flow[1][k];
    }
    const pcm_batch batch = {.size = sizeof batch,
                             .count = 1,
                             .time = l->time,
                             .dt = l->dt,
                             .host_inputs = c->host_input,
                             .state = c->state,
                             .next = c->next,
                             .rate = c->rate,
                             .event = c->event,
                             .base_amount = c->amount[0],
                             .follower_amount = c->amount[1],
                             .base_flow = c->flow[0],
                             .follower_flow = c->flow[1],
#define LANE_POINT(name) .name = &l->name,
                             LANE_INPUTS(LANE_POINT)
#undef LANE_POINT
    };
    *b = batch;
    lane_give_outputs(b, &l->out);
}

/* Eight bytes of a law's parameters, and the numbers in them. */
typedef union lane_word {
    int64_t     whole;
    const void *address;
} lane_word;
#define LANE_REAL(words, offset)  (*(double *)((char *)(words) + (offset)))
#define LANE_WHOLE(words, offset) (*(int64_t *)((char *)(words) + (offset)))
#define LANE_BITS(words, offset)  (*(PCM_OF_(uint64_t, uint32_t) *)((char *)(words) + (offset)))

/* Where a text would be: a law that reads it in a hot verb cannot be exported. */
extern const char lane_text[];

#endif
