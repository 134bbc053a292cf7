/* SPDX-License-Identifier: MIT */
/* suggest.c - pcm suggest: contact types to start from, based on a scene's masses, its time step and a depth. */
#include <math.h>
#include <pcm/messages.h>
#include <pcm/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lively.h"
#include "scene_object.h"
#include "stacked.h"

/* Moving objects whose trees have similar masses. */
typedef struct group {
    double mass;   /* kg: of the heaviest tree */
    double lively; /* 1/kg: the largest effective inverse mass of its geoms */
    double amid;   /* 1/kg: the same for contacts all around a geom */
    double load;   /* kg: the largest mass of a tree with everything that lies on it */
    double speed;  /* m/s: the largest impact speed */
    bool   flat;   /* some geom touches others at more than one point */
    size_t count;
} group;

typedef struct member {
    char *name;
    int   bucket, root;
} member;

static const double IMPACT = 0.5; /* m/s, the least impact speed */

enum { BUCKETS = 32, FIRST = -12 }; /* masses that differ by less than RATIO share a type */
static const double ratio = 4;

typedef struct proposal {
    const mjModel *model;
    double         step, depth, gravity;
    bool           asks_step; /* the stiffness is to be stable at the given step */
    lively         lively;
    stacked        stacked;
    group          groups[BUCKETS];
    member        *members;
    size_t         count, capacity;
    size_t         trees; /* number of trees that have objects */
    bool           failed;
} proposal;

static int bucket_of(double mass)
{
    const int bucket = (int)floor(log(mass) / log(ratio)) - FIRST;
    return bucket < 0 ? 0 : bucket >= BUCKETS ? BUCKETS - 1 : bucket;
}

static void visit(void *user, const pcm_mujoco_object *object)
{
    proposal      *p = user;
    const mjModel *model = p->model;
    const int      root = model->body_rootid[object->body_id];
    const double   mass = model->body_subtreemass[root];
    if (object->geom_id < 0 || p->failed)
        return;
    const double moves = object->fixed || !(mass > 0) ? 0 : lively_geom(&p->lively, object->geom_id);
    if (object->fixed || moves > 0)
        stacked_geom(&p->stacked, object->geom_id, object->fixed);
    if (!(moves > 0))
        return;
    if (p->count == p->capacity) {
        member *grown = realloc(p->members, (2 * p->capacity + 16) * sizeof *grown);
        p->failed = !grown;
        if (!grown)
            return;
        p->members = grown;
        p->capacity = 2 * p->capacity + 16;
    }
    group *g = &p->groups[bucket_of(mass)];
    g->mass = fmax(g->mass, mass);
    g->lively = fmax(g->lively, moves);
    g->amid = fmax(g->amid, lively_amid(&p->lively, object->geom_id));
    g->flat |= !lively_is_rounded(model, object->geom_id);
    g->count++;
    member *m = &p->members[p->count++];
    *m = (member){strdup(*object->place ? object->place : object->name), bucket_of(mass), root};
    p->failed = !m->name;
    if (m->name)
        scene_quotable(m->name);
}

static int heavier_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The masses of the moving trees in kg, the heaviest first; returns their number. */
static size_t weigh(const proposal *p, double *masses)
{
    size_t n = 0;
    for (int i = 1; i < p->model->nbody; i++)
        if (p->stacked.trees[i].moves)
            masses[n++] = p->model->body_subtreemass[i];
    qsort(masses, n, sizeof *masses, heavier_first);
    return n;
}

/* kg: a tree of that mass together with the heaviest other trees, stacked in the layers of a heap above it. */
static double heap_on(const double *masses, size_t n, double mass)
{
    double layers = cbrt((double)n) - 1, load = mass;
    bool   itself = false;
    for (size_t i = 0; i < n && layers > 0; i++) {
        if (!itself && masses[i] == mass) {
            itself = true;
            continue;
        }
        load += fmin(layers, 1) * masses[i];
        layers -= 1;
    }
    return load;
}

/* Called after all objects are added: finds the loads, and the speeds at which objects hit those below. In a heap of n
 * trees the lowest ones carry the n^(1/3) layers above. */
static void find_loads(proposal *p)
{
    double *masses = calloc((size_t)p->model->nbody, sizeof *masses);
    p->failed |= !masses;
    if (!masses)
        return;
    stacked_find(&p->stacked);
    p->trees = weigh(p, masses);
    for (size_t i = 0; i < p->count; i++) {
        const stacked_tree *tree = &p->stacked.trees[p->members[i].root];
        group              *g = &p->groups[p->members[i].bucket];
        g->load = fmax(g->load, fmax(tree->load, heap_on(masses, p->trees, g->mass)));
        g->speed = fmax(g->speed, fmax(IMPACT, sqrt(2 * p->gravity * tree->fall)));
    }
    free(masses);
}

/* ---- A type ------------------------------------------------------------------------------------------------------ */

static double round_to(double value, int digits) { return strtod(pcm_number(value, digits).text, NULL); }

typedef struct values {
    double stiffness, damping, rest, loaded, restitution, step; /* rest, loaded: m, without and with its load */
    bool   heaped;                                              /* the step is the one for a heap */
} values;

enum { DEEPER = 10 }; /* to allow a larger step, the depth may exceed the requested one by this factor */
/* Numbers of contacts around a body in a heap: as many as hold it, or two faces of four. A body that settles presses
 * with twice its weight. */
enum { CONTACTS = 6, FLAT = 8, SETTLES = 2 };

static double force_of(const values *v, double depth, double rate)
{
    return fmax(sqrt(fmax(depth, 0)) * (v->stiffness * depth + v->damping * rate), 0);
}

/* Simulates an impact of the mass at that speed, approach and rebound: the greatest depth and the rebound speed. */
static void strike(const values *v, double mass, double speed, double *deepest, double *back)
{
    const double dt = 1e-3 * sqrt(mass / (1.5 * v->stiffness * sqrt(v->rest)));
    double       depth = 0, rate = speed;
    *deepest = 0;
    for (int i = 0; i < 100000 && (depth >= 0 || rate > 0); i++) {
        rate -= dt * force_of(v, depth, rate) / mass;
        depth += dt * rate;
        *deepest = fmax(*deepest, depth);
    }
    *back = -rate;
}

/* The largest stable step at a depth, for an effective inverse mass. */
static double step_of(const values *v, double moves, double depth)
{
    const double most = sqrt(depth) * moves, k = 1.5 * v->stiffness * most, c = v->damping * most;
    return 4 / (c + sqrt(c * c + 4 * k));
}

/* The largest stable step in a heap: the stiffnesses of all contacts around a body add up, and the other sides move
 * too. */
static double heap_step(const group *g, const values *v, double deepest)
{
    const double around = g->flat ? FLAT : CONTACTS;
    return step_of(v, around * g->amid, fmax(deepest, v->loaded * pow(SETTLES, 2.0 / 3)));
}

/* The values for which the whole weight on one point presses it to the depth; the damper has half of the critical
 * damping. */
static values values_at(const proposal *p, const group *g, double depth)
{
    const double weight = g->mass * p->gravity, root = sqrt(depth);
    values       v = {.stiffness = round_to(weight / (depth * root), 2)};
    v.damping = round_to(sqrt(1.5 * weight / depth * g->mass) / root, 2);
    v.rest = pow(weight / v.stiffness, 2.0 / 3);
    v.loaded = pow(g->load * p->gravity / v.stiffness, 2.0 / 3);
    double whole, deepest, back;
    strike(&v, g->mass, g->speed, &whole, &back);
    v.restitution = back / g->speed;
    const double heaped = p->trees > 1 ? heap_step(g, &v, whole) : INFINITY;
    strike(&v, 1 / g->lively, g->speed, &deepest, &back); /* a lighter body sinks less, but needs shorter steps */
    v.step = 0.5 * step_of(&v, g->lively, fmax(deepest, v.rest)); /* half of the limit: other points join it */
    v.heaped = heaped < v.step;
    v.step = fmin(v.step, heaped);
    return v;
}

/* The values at the requested depth, or at a larger one if the requested step needs it. */
static values values_of(const proposal *p, const group *g)
{
    const values v = values_at(p, g, p->depth);
    for (double depth = p->depth; p->asks_step && depth <= DEEPER * p->depth; depth *= 1.1) {
        const values deeper = values_at(p, g, depth);
        if (deeper.step >= p->step)
            return deeper;
    }
    return v;
}

static void print_step(const proposal *p, const group *g, const values *v)
{
    const double      asked = values_at(p, g, p->depth).step;
    const char *const steps = v->heaped ? "In a heap explicit" : "Explicit";
    if (v->step < p->step && p->asks_step)
        (void)printf("# %s steps must be below %s s, since %d times the depth is not enough for the step. The usual "
                     "ones, implicit in contacts, hold.\n",
                     steps, pcm_number(v->step, 2).text, DEEPER);
    else if (v->step < p->step)
        (void)printf("# %s steps must be below %s s. The usual ones, implicit in contacts, hold.\n", steps,
                     pcm_number(v->step, 2).text);
    else if (asked < p->step)
        (void)printf("# Deeper than asked for, for the step: at %s m explicit steps must be below %s s.\n",
                     pcm_number(p->depth, 2).text, pcm_number(asked, 2).text);
    else
        (void)printf("# %s steps up to %s s are stable.\n", steps, pcm_number(v->step, 2).text);
}

static void print_type(const proposal *p, const group *g, int number)
{
    const values v = values_of(p, g);
    char         loaded[128] = "";
    if (p->trees > 1)
        (void)snprintf(loaded, sizeof loaded, ", at most %s m at the bottom of a heap of %s kg",
                       pcm_number(v.loaded, 2).text, pcm_number(g->load, 3).text);
    (void)printf(
        "\n# %zu object%s of up to %s kg: %s m deep at rest on one point%s; an impact at %s m/s has restitution "
        "%s.\n",
        g->count, g->count == 1 ? "" : "s", pcm_number(g->mass, 3).text, pcm_number(v.rest, 2).text, loaded,
        pcm_number(g->speed, 2).text, pcm_number(fmax(v.restitution, 0), 2).text);
    print_step(p, g, &v);
    (void)printf("ContactType Contact%d = CompliantGround { Stiffness = %s; Damping = %s; Friction = 0.8; };\n", number,
                 pcm_number(v.stiffness, 3).text, pcm_number(v.damping, 3).text);
}

/* ---- A file ------------------------------------------------------------------------------------------------------ */

/* Prints the file. The group with the most objects is the default. The lighter side of a pair decides, so its rule
 * comes later. */
static void print_file(const proposal *p, const char *path)
{
    int most = 0, number = 0, numbers[BUCKETS] = {0};
    for (int b = 0; b < BUCKETS; b++)
        most = p->groups[b].count > p->groups[most].count ? b : most;
    (void)printf("# To start from, for %s: alone at rest %s m deep at most, at a step of %s s. Friction is that of "
                 "rubber on dry ground.\n",
                 path, pcm_number(p->depth, 3).text, pcm_number(p->step, 3).text);
    for (int b = BUCKETS - 1; b >= 0; b--)
        if (p->groups[b].count > 0) {
            numbers[b] = ++number;
            print_type(p, &p->groups[b], number);
        }
    (void)printf("\nDefaultPair -> Contact%d;\n", numbers[most]);
    for (int b = BUCKETS - 1; b >= 0; b--)
        for (size_t i = 0; i < p->count && number > 1; i++)
            if (p->members[i].bucket == b)
                (void)printf("ObjectPair \"*\" * \"%s\" -> Contact%d;\n", p->members[i].name, numbers[b]);
}

static bool suggest(pcm_context *context, const char *path, const option_robot *robot, proposal *p)
{
    mjModel *model = scene_load(context, path, robot);
    if (!model)
        return false;
    p->model = model;
    p->asks_step = p->step > 0;
    p->step = p->asks_step ? p->step : model->opt.timestep;
    p->gravity = mju_norm3(model->opt.gravity);
    p->gravity = p->gravity > 0 ? p->gravity : 9.81;
    p->failed = !lively_start(&p->lively, model) || !stacked_start(&p->stacked, model, p->lively.data);
    const bool listed = pcm_mujoco_each_object(context, NULL, model, NULL, visit, p) == PCM_OK;
    if (!p->failed)
        find_loads(p);
    lively_stop(&p->lively);
    stacked_free(&p->stacked);
    if (p->failed)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    else if (listed && p->count == 0)
        (void)printf("nothing in %s that contacts move can collide: PCM has no values to suggest; a URDF file takes "
                     "--floor and --free\n",
                     path);
    else if (listed)
        print_file(p, path);
    mj_deleteModel(model);
    return listed && !p->failed;
}

static const char about[] =
    "Writes a .pcm file to start from: contact types of the law CompliantGround with stiffness and damping from\n"
    "the masses that meet in a MuJoCo scene (MJCF or URDF). A comment on each gives the depth at rest, the\n"
    "restitution of an impact, and the largest stable step.";

static const char examples[] = "  pcm suggest robot.xml >robot.pcm\n"
                               "  pcm suggest robot.xml --step 0.002 --depth 0.0005";

int suggest_run(int argc, char **argv)
{
    const char  *plugins = NULL;
    proposal     p = {.depth = 1e-3};
    option_robot robot = OPTION_ROBOT_NONE;
    option_texts words;
    const option options[] = {
        {.name = "--step",
         .value = "S",
         .doc = "the step at which contacts must be stable; default: any, compared with the scene's",
         .positive = &p.step},
        {.name = "--depth",
         .value = "M",
         .doc = "how deep things sink at rest at most; default 0.001",
         .positive = &p.depth},
        OPTION_ROBOT(&robot),
        OPTION_PLUGINS(&plugins)};
    const command_line line = {.name = "suggest",
                               .usage = "SCENE.xml [--step S] [--depth M]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 1};
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context *context = command_context(plugins, command_report, NULL);
        status = context && suggest(context, words.at[0], &robot, &p) ? EXIT_GOOD : EXIT_WRONG;
        pcm_context_free(context);
    }
    for (size_t i = 0; i < p.count; i++)
        free(p.members[i].name);
    free(p.members);
    free(robot.packages.at);
    free(words.at);
    return status;
}
