/* SPDX-License-Identifier: MIT */
/* Sums of laws by the rules that `pcm export` compiles (tools/export/lane.h) and by those of the library
 * (core/config/parts_kernels.c): every sum of two or three shipped laws that is allowed, with every verb, gives the
 * same bits. */
#include "law.h"
#include "parts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/export/lane.h"

enum { LAWS_MOST = 128, CONTACTS = 6, BLOCK = 1 << 14 };

/* A law with its default parameters, and its verbs compiled for one lane. */
typedef struct single {
    law       law;
    lane_part verbs;
} single;

static single singles[LAWS_MOST];
static size_t n_singles;

static pcm_verb *find_verb(void *object, const char *model, const char *name)
{
    char      symbol[128];
    pcm_verb *verb;
    (void)snprintf(symbol, sizeof symbol, "%s_%s", model, name);
    void *address = dlsym(object, symbol);
    assert_non_null(address);
    memcpy(&verb, &address, sizeof verb);
    return verb;
}

/* Values for what has no default. */
static const char *needed(const char *model)
{
    return strcmp(model, "MeasuredTable") == 0 ? "Depths = (1e-4, 4e-4, 9e-4); Forces = (1, 5, 30);"
           : strcmp(model, "WallContact") == 0 ? "GapLeft = -5e-4; GapRight = 5e-4;"
                                               : "";
}

static void add_law(void *user, const pcm_model *model)
{
    char path[512];
    (void)user;
    single *s = &singles[n_singles++];
    assert_true(n_singles < LAWS_MOST);
    s->law = law_open(model->name, "%s", needed(model->name));
    (void)snprintf(path, sizeof path, ONE_LANE_PLUGINS "/lane-%s.so", model->name);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(object);
    s->verbs = (lane_part){.update = find_verb(object, model->name, "update"),
                           .forces = find_verb(object, model->name, "forces"),
                           .establish = find_verb(object, model->name, "establish"),
                           .jump = find_verb(object, model->name, "jump"),
                           .terminate = find_verb(object, model->name, "terminate")};
}

/* A sum, as the library has it and as lane.h does. */
typedef struct sum {
    const pcm_parts *parts;
    lane_type        type;
    const void      *params[LANE_PARTS];
    _Alignas(16) char block[BLOCK];
} sum;

static void make(sum *s, pcm_arena *arena, single *const *laws, uint32_t count)
{
    const pcm_model *models[LANE_PARTS];
    for (uint32_t p = 0; p < count; p++)
        models[p] = laws[p]->law.info->model;
    s->parts = pcm_parts_make(arena, models, count);
    assert_non_null(s->parts);
    pcm_parts_block *block = (pcm_parts_block *)(void *)s->block;
    block->parts = s->parts;
    s->type = (lane_type){.count = count, .outputs = s->parts->model.outputs, .losses = s->parts->losses};
    for (uint32_t p = 0; p < count; p++) {
        const pcm_part *part = &s->parts->part[p];
        const void     *own = laws[p]->law.info->params;
        lane_part      *to = &s->type.part[p];
        assert_true(part->params + part->params_size <= BLOCK);
        memcpy(s->block + part->params, own, part->params_size);
        block->onset[p] = models[p]->onset ? models[p]->onset(own) : 0;
        s->params[p] = s->block + part->params;
        *to = laws[p]->verbs;
        to->inputs = models[p]->inputs, to->outputs = models[p]->outputs, to->states = models[p]->states.count;
        to->state = part->state, to->n_state = part->n_state;
        to->host_input = part->host_input, to->n_host_input = part->n_host_input;
        to->event = part->event, to->n_event = models[p]->events.count;
        to->amount = part->amount, to->n_amount = models[p]->amounts.count;
        to->onset = models[p]->onset;
        s->type.n_state += to->n_state, s->type.n_host_input += to->n_host_input;
        s->type.n_event += to->n_event, s->type.n_amount += to->n_amount;
    }
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* Every number of a contact, inputs and outputs: of usual sizes, with some at the ends of the range. */
static void draw(lane_contact *l, uint64_t *seed)
{
    static const double ends[] = {0, -0.0, 5e-324, -1e-310, 1e300, -1e300, INFINITY, NAN};
    double             *numbers = (double *)(void *)l;
    for (size_t i = 0; i < offsetof(lane_contact, out) / sizeof(double); i++) {
        const double x = noise(seed), which = fabs(noise(seed));
        numbers[i] = which < 0.05 ? ends[(size_t)(which * 160)] : which < 0.5 ? 1e-3 * x : x;
    }
    l->time = 0.5, l->dt = noise(seed) < 0 ? 0 : 1e-3;
    l->radius = fabs(l->radius), l->mass = fabs(l->mass), l->area = fabs(l->area);
    memset(&l->out, 0, sizeof l->out);
    memset(l->rate, 0, sizeof l->rate);
    memset(l->event, 0, sizeof l->event);
    memset(l->flow, 0, sizeof l->flow);
    memcpy(l->next, l->state, sizeof l->next);
}

static bool same(const void *a, const void *b, size_t bytes)
{
    const double *x = a, *y = b;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        if (memcmp(&x[i], &y[i], sizeof *x) != 0 && !(isnan(x[i]) && isnan(y[i])))
            return false;
    return true;
}

/* What lane.h and the library make of the same contact. */
static void by_lane(const sum *s, lane_contact *l, pcm_verb_kind verb, size_t event)
{
    pcm_batch    b;
    lane_columns c;
    lane_sums    sums = {.outputs = 0};
    lane_remains told = {0, 0};
    lane_point(&b, &c, l, &s->type);
    b.event_index = event;
    for (uint32_t p = 0; p < s->type.count; p++)
        if (verb == PCM_ESTABLISH)
            lane_establish(&s->type, p, s->params[p], &b);
        else if (verb == PCM_JUMP)
            lane_jump(&s->type, p, s->params[p], &b);
        else if (verb == PCM_TERMINATE)
            lane_terminate(&s->type, p, s->params[p], &b, &told);
        else
            lane_update(&s->type, p, s->params[p], &b, verb == PCM_UPDATE, &sums);
    if (verb == PCM_UPDATE || verb == PCM_FORCES)
        lane_end_update(&s->type, &b, verb == PCM_UPDATE, &sums);
}

static void by_library(const sum *s, lane_contact *l, pcm_verb_kind verb, size_t event)
{
    const pcm_kernel_set *kernels = &pcm_parts_kernels[0];
    pcm_verb *const       verbs[] = {[PCM_UPDATE] = kernels->update,
                                     [PCM_ESTABLISH] = kernels->establish,
                                     [PCM_JUMP] = kernels->jump,
                                     [PCM_FORCES] = kernels->forces,
                                     [PCM_TERMINATE] = kernels->terminate};
    pcm_batch             b;
    lane_columns          c;
    lane_point(&b, &c, l, &s->type);
    b.event_index = event;
    b.params = s->block;
    verbs[verb](&b);
}

static void compare(const sum *s, const lane_contact *l, pcm_verb_kind verb, size_t event)
{
    lane_contact ours = *l, theirs = *l;
    by_lane(s, &ours, verb, event);
    by_library(s, &theirs, verb, event);
    const uint32_t outputs = s->type.outputs;
    /* Without reports the library may leave them unwritten or not; lane.h writes none. */
    if (verb == PCM_FORCES) {
        memset(ours.event, 0, sizeof ours.event), memset(theirs.event, 0, sizeof ours.event);
        memset(ours.rate, 0, sizeof ours.rate), memset(theirs.rate, 0, sizeof ours.rate);
        theirs.out.energy = ours.out.energy, theirs.out.dissipation = ours.out.dissipation;
        theirs.out.mode = ours.out.mode;
    }
    if (!(outputs & PCM_ONSET))
        theirs.out.onset = ours.out.onset;
    if (!same(&ours, &theirs, offsetof(lane_contact, out.life)) || ours.out.life != theirs.out.life ||
        ours.out.mode != theirs.out.mode)
        fail_msg("%s differs, verb %d", s->parts->model.name, verb);
}

static size_t compared;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

static void try_sum(single *const *laws, uint32_t count)
{
    static sum       s;
    const pcm_model *models[LANE_PARTS];
    uint32_t         at;
    pcm_arena        arena = {.allocator = {.allocate = allocate, .release = release}};
    uint64_t         seed = ++compared;
    for (uint32_t p = 0; p < count; p++)
        models[p] = laws[p]->law.info->model;
    if (pcm_parts_clash(models, count, &at))
        return;
    memset(&s, 0, sizeof s);
    make(&s, &arena, laws, count);
    for (int i = 0; i < CONTACTS; i++) {
        static const pcm_verb_kind verbs[] = {PCM_UPDATE, PCM_FORCES, PCM_ESTABLISH, PCM_TERMINATE};
        lane_contact               l;
        draw(&l, &seed);
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
            compare(&s, &l, verbs[v], 0);
        for (size_t event = 0; event < s.type.n_event; event++)
            compare(&s, &l, PCM_JUMP, event);
    }
    pcm_arena_free(&arena);
}

static void all_sums_of_two_and_three(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_singles; i++)
        for (size_t j = 0; j < n_singles; j++) {
            single *laws[3] = {&singles[i], &singles[j]};
            try_sum(laws, 2);
            for (size_t k = 0; k < n_singles; k++) {
                laws[2] = &singles[k];
                try_sum(laws, 3);
            }
        }
}

static int open_laws(void **state)
{
    (void)state;
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = law_plugins;
    def.flags = PCM_NO_DEFAULT_PATHS;
    pcm_context *context = pcm_context_new(&def);
    (void)pcm_model_each(context, add_law, NULL);
    pcm_context_free(context);
    return 0;
}

static int close_laws(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_singles; i++)
        law_close(&singles[i].law);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sums_of_two_and_three),
    };
    return cmocka_run_group_tests(tests, open_laws, close_laws);
}
