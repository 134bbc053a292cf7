/* SPDX-License-Identifier: MIT */
/* parts_kernels.c - evaluates a sum of laws.
 *
 * Lanes go through all parts chunk by chunk, so that each part finds the outputs of earlier ones in the first-level
 * cache. The first part that has an output writes it to the batch's column; every later one writes to a column of the
 * chunk, which is then added. So a lane is summed in the order of the parts, whatever the chunk. */
#include "law_call.h"
#include "parts.h"

enum {
    CHUNK = 128,
    WITH_JACOBIAN = 16, /* lanes of a chunk if parts write partial derivatives too */
    ROOM = CHUNK + 8    /* a cache line between columns, so that the low bits of their addresses differ */
};

/* Outputs of earlier parts that later parts read. */
typedef struct loads {
    double force_n[ROOM], elastic_n[ROOM], adhesive_n[ROOM], pull_off[ROOM], patch_radius[ROOM];
    double force_x[ROOM], force_y[ROOM], dissipation[ROOM], friction[ROOM], damping[ROOM];
} loads;

/* The outputs of one part. */
typedef struct result {
    double  force_n[ROOM], force_x[ROOM], force_y[ROOM], moment_n[ROOM], moment_x[ROOM], moment_y[ROOM];
    double  energy[ROOM], dissipation[ROOM];
    double  elastic_n[ROOM], adhesive_n[ROOM], pull_off[ROOM], patch_radius[ROOM];
    double  onset[ROOM];
    int64_t life[ROOM], mode[ROOM];
} result;

/* The partial derivatives of one part, kept apart from the sum of those of earlier parts. */
typedef struct partials {
    double *column[PCM_MAX_PARTIALS];
    bool    given[PCM_MAX_PARTIALS]; /* the sum's partials that a part has written already */
    double  beside[PCM_MAX_PARTIALS][WITH_JACOBIAN];
} partials;

/* The columns of a part: pointers into those of the sum's batch. */
typedef struct slice {
    const double *host_input[PCM_MAX_COLUMNS], *state[PCM_MAX_COLUMNS];
    double       *next[PCM_MAX_COLUMNS], *rate[PCM_MAX_COLUMNS], *event[PCM_MAX_COLUMNS];
    const double *amount[2][PCM_MAX_AMOUNTS];
    double       *flow[2][PCM_MAX_AMOUNTS];
} slice;

enum { FORCE_N = 1 << 30 }; /* an output that every part writes: a bit that pcm_model.outputs does not use */

/* One chunk while it is evaluated. */
typedef struct chunk {
    const pcm_batch *whole;
    double          *force_n, *force_x, *force_y, *dissipation; /* the sums; in `sum` if later parts read them */
    size_t           first, count;
    uint32_t         outputs; /* outputs written by the parts so far */
    loads            sum;
    result           part;
    slice            columns;
    partials        *jacobian; /* NULL: not wanted */
} chunk;

static void add(double *sum, const double *part, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        sum[i] += part[i];
}

/* Where a part writes an output: the first that has it writes to the batch's column. */
static double *target(const chunk *c, uint32_t output, double *sum, double *part)
{
    return c->outputs & output ? part : sum;
}

/* Adds a part's output to those of earlier parts. */
static void take(const chunk *c, uint32_t outputs, uint32_t output, double *sum, const double *part)
{
    if (outputs & c->outputs & output)
        add(sum, part, c->count);
}

/* ---- A part's batch --------------------------------------------------------------------------------------------- */

static void move_inputs(pcm_batch *b, size_t by)
{
    const double **inputs[] = {&b->depth,
                               &b->depth_rate,
                               &b->slip_x,
                               &b->slip_y,
                               &b->spin_x,
                               &b->spin_y,
                               &b->spin_n,
                               &b->x,
                               &b->y,
                               &b->z,
                               &b->radius,
                               &b->mass,
                               &b->velocity_x,
                               &b->velocity_y,
                               &b->velocity_z,
                               &b->fresh,
                               &b->area,
                               &b->share,
                               &b->base_spin_x,
                               &b->base_spin_y,
                               &b->base_spin_n,
                               &b->follower_spin_x,
                               &b->follower_spin_y,
                               &b->follower_spin_n,
                               &b->base_axis_x,
                               &b->base_axis_y,
                               &b->base_axis_n,
                               &b->follower_axis_x,
                               &b->follower_axis_y,
                               &b->follower_axis_n,
                               &b->curvature_1,
                               &b->curvature_2,
                               &b->curvature_x,
                               &b->curvature_y,
                               &b->point_part,
                               &b->patch_part,
                               &b->line_length,
                               &b->line_curvature,
                               &b->flat_area,
                               &b->flat_aspect};
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
    for (uint32_t k = 0; k < part->model->amounts.count; k++) {
        s->amount[0][k] = b->base_amount[part->amount + k] + c->first;
        s->amount[1][k] = b->follower_amount[part->amount + k] + c->first;
        s->flow[0][k] = b->base_flow[part->amount + k] + c->first;
        s->flow[1][k] = b->follower_flow[part->amount + k] + c->first;
    }
}

/* Where a part writes its partials: the first that has one of the sum's writes to the batch's column. */
static double *const *part_jacobian(const chunk *c, const pcm_part *part)
{
    partials *to = c->jacobian;
    if (to == NULL || part->model->partials.count == 0)
        return NULL;
    for (uint32_t i = 0; i < part->model->partials.count; i++) {
        const uint32_t whole = part->partial[i];
        const bool     first = whole != PCM_NO_PARTIAL && !to->given[whole];
        to->column[i] = first ? c->whole->jacobian[whole] + c->first : to->beside[i];
    }
    return to->column;
}

static void take_partials(const chunk *c, const pcm_part *part)
{
    partials *from = c->jacobian;
    for (uint32_t i = 0; from != NULL && i < part->model->partials.count; i++) {
        const uint32_t whole = part->partial[i];
        if (whole == PCM_NO_PARTIAL)
            continue;
        if (from->given[whole])
            add(c->whole->jacobian[whole] + c->first, from->beside[i], c->count);
        from->given[whole] = true;
    }
}

static pcm_batch part_batch(chunk *c, const pcm_part *part)
{
    const pcm_batch *whole = c->whole;
    const size_t     at = c->first;
    result          *to = &c->part;
    pcm_batch        b = *whole;
    slice_columns(c, part);
    move_inputs(&b, c->first);
    b.count = c->count;
    b.params = (const char *)b.params + part->params;
    b.load_n = c->sum.force_n;
    b.load_elastic = c->sum.elastic_n;
    b.load_adhesive = c->sum.adhesive_n;
    b.load_pull_off = c->sum.pull_off;
    b.contact_radius = c->sum.patch_radius;
    b.loss_friction = c->sum.friction, b.loss_damping = c->sum.damping;
    b.load_x = c->sum.force_x, b.load_y = c->sum.force_y;
    b.host_inputs = c->columns.host_input;
    b.state = c->columns.state;
    b.next = c->columns.next;
    b.rate = c->columns.rate;
    b.event = c->columns.event;
    b.jacobian = part_jacobian(c, part);
    b.base_amount = c->columns.amount[0], b.follower_amount = c->columns.amount[1];
    b.base_flow = c->columns.flow[0], b.follower_flow = c->columns.flow[1];
    b.force_n = target(c, FORCE_N, c->force_n, to->force_n);
    b.force_x = target(c, PCM_FRICTION, c->force_x, to->force_x);
    b.force_y = target(c, PCM_FRICTION, c->force_y, to->force_y);
    b.moment_n = target(c, PCM_MOMENT, whole->moment_n + at, to->moment_n);
    b.moment_x = target(c, PCM_MOMENT, whole->moment_x + at, to->moment_x);
    b.moment_y = target(c, PCM_MOMENT, whole->moment_y + at, to->moment_y);
    b.energy = target(c, PCM_ENERGY, whole->energy + at, to->energy);
    b.dissipation = target(c, PCM_DISSIPATION, c->dissipation, to->dissipation);
    b.elastic_n = to->elastic_n, b.adhesive_n = to->adhesive_n, b.pull_off = to->pull_off;
    b.patch_radius = to->patch_radius;
    b.onset = to->onset;
    b.life = to->life, b.mode = to->mode;
    return b;
}

/* ---- Adding up -------------------------------------------------------------------------------------------------- */

/* A normal force counts as elastic if the law does not split it. */
static void take_shares(chunk *c, uint32_t outputs, const double *force_n)
{
    const bool told = outputs & PCM_SHARES;
    add(c->sum.elastic_n, told ? c->part.elastic_n : force_n, c->count);
    if (told) {
        add(c->sum.adhesive_n, c->part.adhesive_n, c->count);
        add(c->sum.pull_off, c->part.pull_off, c->count);
    }
    if (outputs & PCM_PATCH_RADIUS)
        memcpy(c->sum.patch_radius, c->part.patch_radius, c->count * sizeof(double));
}

/* A contact ends if any part ends it. Its mode is that of the first part that has one. */
static void take_life_and_mode(chunk *c, uint32_t outputs)
{
    int64_t *life = c->whole->life + c->first, *mode = c->whole->mode + c->first;
    for (size_t i = 0; outputs & PCM_LIFE && i < c->count; i++)
        life[i] = c->outputs & PCM_LIFE && life[i] > c->part.life[i] ? life[i] : c->part.life[i];
    if (outputs & PCM_MODE && !(c->outputs & PCM_MODE))
        memcpy(mode, c->part.mode, c->count * sizeof *mode);
}

/* A contact begins if any part lets it. A part without an onset per contact lets it up to its constant onset. */
static void take_onset(const chunk *c, const pcm_parts *parts, const pcm_part *part)
{
    const size_t p = (size_t)(part - parts->part);
    const double own = ((const pcm_parts_block *)c->whole->params)->onset[p];
    double      *most = c->whole->onset + c->first;
    for (size_t i = 0; i < c->count; i++) {
        const double onset = part->model->outputs & PCM_ONSET ? pcm_min(own, c->part.onset[i]) : own;
        most[i] = p == 0 || onset > most[i] ? onset : most[i];
    }
}

/* Whether later parts read what this one dissipates: then it computes its reports in every call. */
static bool tells_loss(const pcm_parts *parts, const pcm_part *part) { return part < parts->part + parts->losses; }

static void take_energy(const chunk *c, const pcm_parts *parts, const pcm_part *part)
{
    const uint32_t outputs = part->model->outputs;
    if (c->whole->reports)
        take(c, outputs, PCM_ENERGY, c->whole->energy + c->first, c->part.energy);
    if (c->whole->reports || tells_loss(parts, part))
        take(c, outputs, PCM_DISSIPATION, c->dissipation, c->part.dissipation);
}

/* Whether friction of the part can slip: what holds by itself and does not say when it slips is a bond. */
static bool can_slip(const pcm_model *model)
{
    return model->outputs & PCM_FRICTION &&
           (model->outputs & PCM_MODE || model->inputs & PCM_LOAD || model->states.count == 0);
}

/* The shares of one part's dissipation, as plugin.h says it. */
static void take_losses(chunk *c, const pcm_model *model, const pcm_batch *b)
{
    const bool slides = can_slip(model), says = model->outputs & PCM_MODE;
    const bool rubs = model->inputs & PCM_LOAD || !(model->inputs & PCM_SLIP); /* and does nothing else */
    for (size_t i = 0; model->outputs & PCM_DISSIPATION && i < c->count; i++) {
        const double all = b->dissipation[i];
        double       friction = 0;
        if (slides && (!says || b->mode[i] == PCM_SLIPPING))
            friction = rubs ? all : pcm_clamp(-(b->force_x[i] * b->slip_x[i] + b->force_y[i] * b->slip_y[i]), 0, all);
        c->sum.friction[i] += friction;
        c->sum.damping[i] += all - friction;
    }
}

static void take_part(chunk *c, const pcm_parts *parts, const pcm_part *of, const pcm_batch *b)
{
    const uint32_t   outputs = of->model->outputs;
    const pcm_batch *whole = c->whole;
    const result    *part = &c->part;
    const size_t     at = c->first;
    if (parts->shares)
        take_shares(c, outputs, b->force_n);
    if (tells_loss(parts, of))
        take_losses(c, of->model, b);
    take(c, FORCE_N, FORCE_N, c->force_n, part->force_n);
    take(c, outputs, PCM_FRICTION, c->force_x, part->force_x);
    take(c, outputs, PCM_FRICTION, c->force_y, part->force_y);
    take(c, outputs, PCM_MOMENT, whole->moment_n + at, part->moment_n);
    take(c, outputs, PCM_MOMENT, whole->moment_x + at, part->moment_x);
    take(c, outputs, PCM_MOMENT, whole->moment_y + at, part->moment_y);
    take_energy(c, parts, of);
    take_life_and_mode(c, outputs);
    c->outputs |= outputs | FORCE_N;
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
    c->jacobian = NULL;
    c->force_n = parts->shares ? c->sum.force_n : whole->force_n + first;
    c->force_x = parts->losses ? c->sum.force_x : whole->force_x + first;
    c->force_y = parts->losses ? c->sum.force_y : whole->force_y + first;
    c->dissipation = parts->losses ? c->sum.dissipation : whole->dissipation + first;
    double *const pressed[] = {c->sum.force_n, c->sum.elastic_n, c->sum.adhesive_n, c->sum.pull_off,
                               c->sum.patch_radius};
    double *const lost[] = {c->sum.force_x, c->sum.force_y, c->sum.friction, c->sum.damping};
    for (size_t i = 0; parts->shares && i < sizeof pressed / sizeof *pressed; i++)
        memset(pressed[i], 0, c->count * sizeof(double));
    for (size_t i = 0; parts->losses && i < sizeof lost / sizeof *lost; i++)
        memset(lost[i], 0, c->count * sizeof(double));
}

/* The sums that later parts read, where the whole wants them. */
static void give_sums(const chunk *c, const pcm_parts *parts)
{
    const pcm_batch *whole = c->whole;
    const size_t     size = c->count * sizeof(double);
    if (parts->shares)
        memcpy(whole->force_n + c->first, c->sum.force_n, size);
    if (parts->losses && parts->model.outputs & PCM_FRICTION) {
        memcpy(whole->force_x + c->first, c->sum.force_x, size);
        memcpy(whole->force_y + c->first, c->sum.force_y, size);
    }
    if (parts->losses && whole->reports && parts->model.outputs & PCM_DISSIPATION)
        memcpy(whole->dissipation + c->first, c->sum.dissipation, size);
}

static void update_part(chunk *c, const pcm_parts *parts, const pcm_part *part, uint32_t isa)
{
    const pcm_kernel_set *kernels = part->kernels[isa];
    pcm_batch             b = part_batch(c, part);
    b.reports |= tells_loss(parts, part);
    pcm_clear_outputs(&b, part->model->outputs);
    pcm_call_kernel(b.reports || !kernels->forces ? kernels->update : kernels->forces, &b);
    take_part(c, parts, part, &b);
    if (parts->model.outputs & PCM_ONSET)
        take_onset(c, parts, part);
    take_partials(c, part);
}

static void update_chunks(const pcm_batch *b, uint32_t isa, size_t most, partials *jacobian)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += most) {
        start(&c, parts, b, first);
        c.count = c.count < most ? c.count : most;
        c.jacobian = jacobian;
        if (jacobian != NULL)
            memset(jacobian->given, 0, sizeof jacobian->given);
        for (uint32_t p = 0; p < parts->count; p++)
            update_part(&c, parts, &parts->part[p], isa);
        give_sums(&c, parts);
    }
}

static void update_with_jacobian(const pcm_batch *b, uint32_t isa)
{
    partials jacobian;
    update_chunks(b, isa, WITH_JACOBIAN, &jacobian);
}

static void update_parts(const pcm_batch *b, uint32_t isa)
{
    if (b->jacobian != NULL)
        update_with_jacobian(b, isa);
    else
        update_chunks(b, isa, CHUNK, NULL);
}

static void establish_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        start(&c, parts, b, first);
        for (uint32_t p = 0; p < parts->count; p++) {
            const pcm_batch batch = part_batch(&c, &parts->part[p]);
            pcm_call_kernel(parts->part[p].kernels[isa]->establish, &batch);
        }
    }
}

/* Calls jump of the part that has the event. */
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
        pcm_call_kernel(parts->part[p].kernels[isa]->jump, &batch);
    }
}

/* Adds up what terminate writes for a chunk's contacts, for one column. */
typedef struct remains {
    double *whole, *part;
    bool    told[CHUNK]; /* written by the parts so far */
} remains;

/* A part that does not write a value has none. The first part that writes it replaces the host's value, as a single law
 * does; later ones add to it. */
static void forget_part(remains *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        r->part[i] = NAN;
}

static void take_remains(remains *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(r->part[i])) {
            r->whole[i] = r->told[i] ? r->whole[i] + r->part[i] : r->part[i];
            r->told[i] = true;
        }
}

static void terminate_part(chunk *c, const pcm_part *part, uint32_t isa, remains *energy, remains *heat)
{
    pcm_batch batch = part_batch(c, part);
    batch.energy = energy->part;
    batch.dissipation = heat->part;
    forget_part(energy, c->count);
    forget_part(heat, c->count);
    pcm_call_kernel(part->kernels[isa]->terminate, &batch);
    if (part->model->outputs & PCM_ENERGY)
        take_remains(energy, c->count);
    if (part->model->outputs & PCM_DISSIPATION)
        take_remains(heat, c->count);
    c->outputs |= part->model->outputs;
}

static void terminate_parts(const pcm_batch *b, uint32_t isa)
{
    const pcm_parts *parts = parts_of_batch(b);
    chunk            c;
    for (size_t first = 0; first < b->count; first += CHUNK) {
        remains energy = {.whole = b->energy + first, .part = c.part.energy};
        remains heat = {.whole = b->dissipation + first, .part = c.part.dissipation};
        start(&c, parts, b, first);
        for (uint32_t p = 0; p < parts->count; p++)
            terminate_part(&c, &parts->part[p], isa, &energy, &heat);
    }
}

/* One part's verb for a chunk of pairs. Every part sees the sums over the contacts, unscaled. */
static void pair_part(const pcm_pair_batch *b, const pcm_part *part, pcm_pair_verb *verb, size_t first, size_t count)
{
    double         scale[CHUNK];
    int64_t        life[CHUNK];
    pcm_pair_batch own = *b;
    const double **inputs[] = {&own.contacts, &own.force_n, &own.force_t, &own.pull,
                               &own.area,     &own.depth,   &own.energy};
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        *inputs[k] += first;
    for (size_t i = 0; i < count; i++) {
        scale[i] = 1;
        life[i] = PCM_LIVE;
    }
    own.count = count;
    own.params = (const char *)b->params + part->params;
    own.scale = scale;
    own.life = life;
    const uint64_t arithmetic = pcm_arithmetic();
    verb(&own);
    pcm_arithmetic_keep(arithmetic);
    for (size_t i = 0; i < count; i++) {
        b->scale[first + i] *= scale[i];
        b->life[first + i] = life[i] > b->life[first + i] ? life[i] : b->life[first + i];
    }
}

static void pair_parts(const pcm_pair_batch *b, uint32_t isa)
{
    const pcm_parts *parts = ((const pcm_parts_block *)b->params)->parts;
    for (size_t first = 0; first < b->count; first += CHUNK)
        for (uint32_t p = 0; p < parts->count; p++) {
            pcm_pair_verb *verb = parts->part[p].kernels[isa]->pair;
            if (verb)
                pair_part(b, &parts->part[p], verb, first, b->count - first < CHUNK ? b->count - first : CHUNK);
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
        few.jacobian = NULL;                                                                                           \
        update_parts(&few, (isa));                                                                                     \
    }                                                                                                                  \
    static void establish_##set(const pcm_batch *b) { establish_parts(b, (isa)); }                                     \
    static void jump_##set(const pcm_batch *b) { jump_parts(b, (isa)); }                                               \
    static void terminate_##set(const pcm_batch *b) { terminate_parts(b, (isa)); }                                     \
    static void pair_##set(const pcm_pair_batch *b) { pair_parts(b, (isa)); }
#define SET(set, isa_, ...)                                                                                            \
    {                                                                                                                  \
        .isa = (isa_), .update = update_##set, .establish = establish_##set, .jump = jump_##set,                       \
        .terminate = terminate_##set, .forces = forces_##set, __VA_ARGS__                                              \
    }

KERNELS(plain, PCM_ISA_PLAIN)
KERNELS(avx2, PCM_ISA_AVX2)
KERNELS(avx512, PCM_ISA_AVX512)

const pcm_kernel_set pcm_parts_kernels[PCM_PARTS_SETS] = {
    SET(plain, PCM_ISA_PLAIN, .pair = NULL),
    SET(avx2, PCM_ISA_AVX2, .pair = NULL),
    SET(avx512, PCM_ISA_AVX512, .pair = NULL),
};
const pcm_kernel_set pcm_parts_pair_kernels[PCM_PARTS_SETS] = {
    SET(plain, PCM_ISA_PLAIN, .pair = pair_plain),
    SET(avx2, PCM_ISA_AVX2, .pair = pair_avx2),
    SET(avx512, PCM_ISA_AVX512, .pair = pair_avx512),
};
