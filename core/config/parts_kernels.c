/* SPDX-License-Identifier: MIT */
/* parts_kernels.c - evaluates a law that is put together from parts.
 *
 * Lanes go through all parts a chunk at a time, so that what one part gives the next reads from the nearest cache. Each
 * part writes into columns of its own, which are then added to those of the whole in the order of the parts: a lane's
 * sums are the same whatever the chunk. */
#include "parts.h"

enum { CHUNK = 128 };

/* What the parts of a chunk have given so far. */
typedef struct sums {
    double force_n[CHUNK], force_x[CHUNK], force_y[CHUNK], moment_n[CHUNK], moment_x[CHUNK], moment_y[CHUNK];
    double energy[CHUNK], dissipation[CHUNK];
    double elastic_n[CHUNK], adhesive_n[CHUNK], pull_off[CHUNK], patch_radius[CHUNK];
} sums;

/* What one part gives. */
typedef struct result {
    sums    of;
    int64_t life[CHUNK], mode[CHUNK];
} result;

/* The columns of a part: pointers into those of the whole's batch. */
typedef struct slice {
    const double *host_input[PCM_MAX_COLUMNS], *state[PCM_MAX_COLUMNS];
    double       *next[PCM_MAX_COLUMNS], *rate[PCM_MAX_COLUMNS], *event[PCM_MAX_COLUMNS];
} slice;

enum { FORCE_N = 1 << 30 }; /* every part gives it: a bit beside those of pcm_model.outputs */

/* One chunk on its way. */
typedef struct chunk {
    const pcm_batch *whole;
    size_t           first, count;
    uint32_t         outputs; /* of the parts so far */
    sums             sum;
    result           part;
    slice            columns;
} chunk;

static void add(double *sum, const double *part, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        sum[i] += part[i];
}

/* The first part that gives an output starts its sum; every later one adds to it. */
static void take(chunk *c, uint32_t outputs, uint32_t output, double *sum, const double *part)
{
    if (outputs & c->outputs & output)
        add(sum, part, c->count);
    else if (outputs & output)
        memcpy(sum, part, c->count * sizeof *sum);
}

/* ---- What a part is called with --------------------------------------------------------------------------------- */

static void move_inputs(pcm_batch *b, size_t by)
{
    const double **inputs[] = {&b->depth,  &b->depth_rate, &b->slip_x,     &b->slip_y,     &b->spin_x,
                               &b->spin_y, &b->spin_n,     &b->x,          &b->y,          &b->z,
                               &b->radius, &b->mass,       &b->velocity_x, &b->velocity_y, &b->velocity_z};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        *inputs[i] += by;
}

static void slice_columns(chunk *c, const pcm_part *part)
{
    const pcm_batch *b = c->whole;
    slice           *s = &c->columns;
    for (uint32_t k = 0; k < part->n_state; k++) {
        s->state[k] = b->state[part->state + k] + c->first;
        s->next[k] = b->next[part->state + k] + c->first;
        s->rate[k] = b->rate[part->state + k] + c->first;
    }
    for (uint32_t k = 0; k < part->n_host_input; k++)
        s->host_input[k] = b->host_inputs[part->host_input + k] + c->first;
    for (uint32_t k = 0; k < part->model->events.count; k++)
        s->event[k] = b->event[part->event + k] + c->first;
}

static pcm_batch part_batch(chunk *c, const pcm_part *part)
{
    pcm_batch b = *c->whole;
    sums     *to = &c->part.of;
    slice_columns(c, part);
    move_inputs(&b, c->first);
    b.count = c->count;
    b.params = (const char *)b.params + part->params;
    b.load_n = c->sum.force_n;
    b.load_elastic = c->sum.elastic_n;
    b.load_adhesive = c->sum.adhesive_n;
    b.load_pull_off = c->sum.pull_off;
    b.contact_radius = c->sum.patch_radius;
    b.host_inputs = c->columns.host_input;
    b.state = c->columns.state;
    b.next = c->columns.next;
    b.rate = c->columns.rate;
    b.event = c->columns.event;
    b.jacobian = NULL;
    b.force_n = to->force_n, b.force_x = to->force_x, b.force_y = to->force_y;
    b.moment_n = to->moment_n, b.moment_x = to->moment_x, b.moment_y = to->moment_y;
    b.energy = to->energy, b.dissipation = to->dissipation;
    b.elastic_n = to->elastic_n, b.adhesive_n = to->adhesive_n, b.pull_off = to->pull_off;
    b.patch_radius = to->patch_radius;
    b.life = c->part.life, b.mode = c->part.mode;
    return b;
}

/* ---- Adding up -------------------------------------------------------------------------------------------------- */

/* A normal force whose parts the law does not tell is elastic. */
static void take_shares(chunk *c, uint32_t outputs)
{
    const sums *part = &c->part.of;
    const bool  told = outputs & PCM_SHARES;
    add(c->sum.elastic_n, told ? part->elastic_n : part->force_n, c->count);
    if (told) {
        add(c->sum.adhesive_n, part->adhesive_n, c->count);
        add(c->sum.pull_off, part->pull_off, c->count);
    }
    if (outputs & PCM_PATCH_RADIUS)
        memcpy(c->sum.patch_radius, part->patch_radius, c->count * sizeof(double));
}

/* A contact ends when one part says so; how it moves is what the first part says that can tell. */
static void take_life_and_mode(chunk *c, uint32_t outputs)
{
    int64_t *life = c->whole->life + c->first, *mode = c->whole->mode + c->first;
    for (size_t i = 0; outputs & PCM_LIFE && i < c->count; i++)
        life[i] = c->outputs & PCM_LIFE && life[i] > c->part.life[i] ? life[i] : c->part.life[i];
    if (outputs & PCM_MODE && !(c->outputs & PCM_MODE))
        memcpy(mode, c->part.mode, c->count * sizeof *mode);
}

static void take_energy(chunk *c, uint32_t outputs)
{
    take(c, outputs, PCM_ENERGY, c->sum.energy, c->part.of.energy);
    take(c, outputs, PCM_DISSIPATION, c->sum.dissipation, c->part.of.dissipation);
}

static void take_part(chunk *c, const pcm_parts *parts, uint32_t outputs)
{
    const sums *part = &c->part.of;
    take(c, outputs | FORCE_N, FORCE_N, c->sum.force_n, part->force_n);
    take(c, outputs, PCM_FRICTION, c->sum.force_x, part->force_x);
    take(c, outputs, PCM_FRICTION, c->sum.force_y, part->force_y);
    take(c, outputs, PCM_MOMENT, c->sum.moment_n, part->moment_n);
    take(c, outputs, PCM_MOMENT, c->sum.moment_x, part->moment_x);
    take(c, outputs, PCM_MOMENT, c->sum.moment_y, part->moment_y);
    if (c->whole->reports)
        take_energy(c, outputs);
    if (parts->shares)
        take_shares(c, outputs);
    take_life_and_mode(c, outputs);
    c->outputs |= outputs | FORCE_N;
}

static void give_energy(const chunk *c)
{
    const size_t at = c->first, bytes = c->count * sizeof(double);
    if (c->outputs & PCM_ENERGY)
        memcpy(c->whole->energy + at, c->sum.energy, bytes);
    if (c->outputs & PCM_DISSIPATION)
        memcpy(c->whole->dissipation + at, c->sum.dissipation, bytes);
}

static void give(const chunk *c)
{
    const pcm_batch *b = c->whole;
    const size_t     at = c->first, bytes = c->count * sizeof(double);
    memcpy(b->force_n + at, c->sum.force_n, bytes);
    if (c->outputs & PCM_FRICTION) {
        memcpy(b->force_x + at, c->sum.force_x, bytes);
        memcpy(b->force_y + at, c->sum.force_y, bytes);
    }
    if (c->outputs & PCM_MOMENT) {
        memcpy(b->moment_n + at, c->sum.moment_n, bytes);
        memcpy(b->moment_x + at, c->sum.moment_x, bytes);
        memcpy(b->moment_y + at, c->sum.moment_y, bytes);
    }
    if (b->reports)
        give_energy(c);
}

/* ---- The verbs -------------------------------------------------------------------------------------------------- */

static const pcm_parts *parts_of_batch(const pcm_batch *b) { return ((const pcm_parts_block *)b->params)->parts; }

static void start(chunk *c, const pcm_parts *parts, const pcm_batch *whole, size_t first)
{
    const size_t left = whole->count - first;
    c->whole = whole;
    c->first = first;
    c->count = left < CHUNK ? left : CHUNK;
    c->outputs = 0;
    double *const read[] = {c->sum.force_n, c->sum.elastic_n, c->sum.adhesive_n, c->sum.pull_off, c->sum.patch_radius};
    for (size_t i = 0; parts->shares && i < sizeof read / sizeof *read; i++)
        memset(read[i], 0, c->count * sizeof(double));
}

static void update_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        start(&c, parts, b, first);
        for (uint32_t p = 0; p < parts->count; p++) {
            const pcm_part       *part = &parts->part[p];
            const pcm_kernel_set *kernels = part->kernels[isa];
            const pcm_batch       batch = part_batch(&c, part);
            memset(batch.force_n, 0, c.count * sizeof *batch.force_n); /* parts in the tangent plane write none */
            (b->reports || !kernels->forces ? kernels->update : kernels->forces)(&batch);
            take_part(&c, parts, part->model->outputs);
        }
        give(&c);
    }
}

static void establish_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        start(&c, parts, b, first);
        for (uint32_t p = 0; p < parts->count; p++) {
            const pcm_batch batch = part_batch(&c, &parts->part[p]);
            parts->part[p].kernels[isa]->establish(&batch);
        }
    }
}

/* For the part whose event it is. */
static void jump_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    uint32_t         p = parts->count - 1;
    chunk            c;
    while (b->event_index < parts->part[p].event)
        p--;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        start(&c, parts, b, first);
        pcm_batch batch = part_batch(&c, &parts->part[p]);
        batch.event_index -= parts->part[p].event;
        parts->part[p].kernels[isa]->jump(&batch);
    }
}

static void terminate_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        start(&c, parts, b, first);
        for (uint32_t p = 0; p < parts->count; p++) {
            const pcm_batch batch = part_batch(&c, &parts->part[p]);
            parts->part[p].kernels[isa]->terminate(&batch);
            take_energy(&c, parts->part[p].model->outputs);
            c.outputs |= parts->part[p].model->outputs;
        }
        give_energy(&c);
    }
}

#define KERNELS(set, isa)                                                                                              \
    static void update_##set(const pcm_batch *b)                                                                       \
    {                                                                                                                  \
        pcm_batch all = *b;                                                                                            \
        all.reports = 1;                                                                                               \
        update_parts(&all, (isa));                                                                                     \
    }                                                                                                                  \
    static void forces_##set(const pcm_batch *b)                                                                       \
    {                                                                                                                  \
        pcm_batch few = *b;                                                                                            \
        few.reports = 0;                                                                                               \
        update_parts(&few, (isa));                                                                                     \
    }                                                                                                                  \
    static void establish_##set(const pcm_batch *b) { establish_parts(b, (isa)); }                                     \
    static void jump_##set(const pcm_batch *b) { jump_parts(b, (isa)); }                                               \
    static void terminate_##set(const pcm_batch *b) { terminate_parts(b, (isa)); }
#define SET(set, isa_)                                                                                                 \
    {                                                                                                                  \
        .isa = (isa_), .update = update_##set, .establish = establish_##set, .jump = jump_##set,                       \
        .terminate = terminate_##set, .forces = forces_##set                                                           \
    }

KERNELS(plain, PCM_ISA_PLAIN)
KERNELS(avx2, PCM_ISA_AVX2)
KERNELS(avx512, PCM_ISA_AVX512)

const pcm_kernel_set pcm_parts_kernels[] = {SET(plain, PCM_ISA_PLAIN), SET(avx2, PCM_ISA_AVX2),
                                            SET(avx512, PCM_ISA_AVX512)};
const uint32_t       pcm_parts_kernel_count = sizeof pcm_parts_kernels / sizeof *pcm_parts_kernels;
