/* SPDX-License-Identifier: MIT */
/* bits.c - prints one number for each law, a hash of its results for many random contacts, which is the same on every
 * machine.
 *
 * usage: bits CONTACTS [LAW ...] */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "rig.h"

/* Laws with parameters that have no defaults. */
static const struct needy {
    const char *law, *values;
} needy[] = {
    {"MeasuredTable", "Depths = (1, 2, 4) [mm]; Forces = (10, 30, 90) [N];"},
    {"WallContact", "GapLeft = (0.5, 1.5) [m]; GapRight = (0.7, 1.7) [m];"},
};

typedef struct run {
    uint64_t seed, sum;
} run;

/* Adds a number to the hash of Fowler, Noll and Vo. NaN has many bit patterns, which count as one. */
static void fold(run *r, double value)
{
    uint64_t bits;
    value = isnan(value) ? NAN : value;
    memcpy(&bits, &value, sizeof bits);
    bits = isnan(value) ? 0x7ff8000000000000u : bits;
    for (int i = 0; i < 8; i++)
        r->sum = (r->sum ^ (bits >> 8 * i & 0xff)) * 1099511628211u;
}

/* A reproducible number in [-1, 1). */
static double noise(run *r)
{
    r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)r->seed / 9223372036854775808.0;
}

/* A random value for a quantity by its name: some are never negative, and lengths are of the order of millimetres. */
static double draw(run *r, const char *name)
{
    static const char *const positive[] = {"radius", "mass", "area", "contact_radius", "load_", "share"};
    const double             value = noise(r);
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (strncmp(name, positive[i], strlen(positive[i])) == 0)
            return 0.01 + fabs(value);
    return strcmp(name, "depth") == 0 ? 0.005 * value : value;
}

static void fold_lane(run *r, const rig_law *law, size_t lane)
{
    const pcm_batch *b = &law->batch;
    const double     results[] = {b->force_n[lane],      b->force_x[lane],     b->force_y[lane], b->moment_n[lane],
                                  b->moment_x[lane],     b->moment_y[lane],    b->energy[lane],  b->dissipation[lane],
                                  (double)b->mode[lane], (double)b->life[lane]};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        fold(r, results[i]);
    for (size_t i = 0; i < law->n_outputs; i++)
        fold(r, law->outputs[i].values[lane]);
}

/* Random contacts and states. */
static bool fold_trials(run *r, const pcm_type *type, size_t contacts)
{
    rig_law    law;
    const bool made = rig_law_new(&law, type, true);
    for (size_t done = 0; made && done < contacts; done += RIG_LANES) {
        for (size_t i = 0; i < law.n_inputs; i++)
            for (size_t lane = 0; lane < RIG_LANES; lane++)
                law.inputs[i].values[lane] = draw(r, law.inputs[i].name);
        rig_law_evaluate(&law, RIG_LANES, 1, 1e-4);
        for (size_t lane = 0; lane < RIG_LANES; lane++)
            fold_lane(r, &law, lane);
    }
    rig_law_free(&law);
    return made;
}

/* Contacts that begin, continue and end, with the states that develop. */
static bool fold_history(run *r, const pcm_type *type, size_t contacts)
{
    rig_law    law;
    const bool made = rig_law_new(&law, type, false);
    if (made)
        law.inputs[0].has_cell = true;
    for (size_t i = 0; made && i < contacts; i++) {
        for (rig_column *input = law.inputs; input < law.starts; input++)
            input->values[0] = draw(r, input->name);
        rig_law_step(&law, 1e-4 * (double)i);
        fold_lane(r, &law, 0);
    }
    rig_law_free(&law);
    return made;
}

static bool hash(pcm_context *context, const pcm_model *model, size_t contacts)
{
    char        text[512];
    run         r = {1, 14695981039346656037u};
    const char *values = "";
    for (size_t i = 0; i < sizeof needy / sizeof *needy; i++)
        if (strcmp(needy[i].law, model->name) == 0)
            values = needy[i].values;
    (void)snprintf(text, sizeof text, "ContactType T = %s { %s };", model->name, values);
    pcm_config     *config = pcm_config_parse(context, "bits", text, strlen(text));
    const pcm_type *type = config ? pcm_config_type_find(config, "T") : NULL;
    const bool      good = type && fold_trials(&r, type, contacts / 2) && fold_history(&r, type, contacts / 2);
    if (good)
        (void)printf("%s %016" PRIx64 "\n", model->name, r.sum);
    pcm_config_release(config);
    return good;
}

typedef struct all {
    pcm_context *context;
    size_t       contacts;
    bool         good;
} all;

static void hash_each(void *user, const pcm_model *model)
{
    all *a = user;
    if (!(model->flags & PCM_HOST_CONTACT))
        a->good = hash(a->context, model, a->contacts) && a->good;
}

int main(int argc, char **argv)
{
    all a = {command_context(NULL, command_report_types, NULL), argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0,
             true};
    if (!a.context || a.contacts == 0)
        return EXIT_CALL;
    for (int i = 2; i < argc; i++) {
        const pcm_model *model = pcm_model_load(a.context, argv[i]);
        if (model)
            hash_each(&a, model);
        a.good = a.good && model;
    }
    if (argc == 2)
        (void)pcm_model_each(a.context, hash_each, &a);
    pcm_context_free(a.context);
    return command_finish(a.good ? EXIT_GOOD : EXIT_WRONG);
}
