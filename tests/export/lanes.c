/* SPDX-License-Identifier: MIT */
/* usage: lanes FILE.pcm TABLE LANES|time OBJECT.so...
 *
 * Compares the functions of a header by pcm export with the plugins, bit for bit, on contacts of every kind: plausible
 * ones, random bits, infinite, denormal and NaN numbers, and zeros of both signs. Each object contains lanes_TYPE_VERB
 * for every type and verb of the table, whose lines say which numbers stand in the structs. Prints the number of those
 * that differ, for each object; the status is 1 if any do. NaNs count as equal. With `time` it measures calls of one
 * contact by the first object and by pcm_type_call. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pcm/pcm.h>

enum { MOST = 64, NAME = 160, VERBS = 5 };

static const char *const   verb_names[VERBS] = {"forces", "update", "establish", "jump", "terminate"};
static const pcm_verb_kind verb_kinds[VERBS] = {PCM_FORCES, PCM_UPDATE, PCM_ESTABLISH, PCM_JUMP, PCM_TERMINATE};

/* The numbers of a struct. */
typedef struct numbers {
    char   name[MOST][NAME];
    size_t count;
} numbers;

typedef struct type_table {
    char    name[NAME];
    numbers contact, result[VERBS];
} type_table;

/* The columns of a type's batch, and the pointers to them. */
typedef struct columns {
    size_t        count, n_state, n_event, n_amount;
    double       *in[MOST], *next[MOST], *rate[MOST], *event[MOST], *flow[2][MOST], *out[MOST];
    double       *none; /* for what the type does not have */
    const double *state[MOST], *host_input[MOST], *amount[2][MOST];
    pcm_batch     batch;
} columns;

static const double time_of_all = 0.5;

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double uniform(void) { return (double)(draw() >> 11) * 0x1p-52 - 1; }

/* ---- Inputs ------------------------------------------------------------------------------------------------------ */

/* A usual size of the number of that name. */
static double size_of(const char *name)
{
    static const struct {
        const char *begins;
        double      size;
    } sizes[] = {{"depth_rate", 0.1}, {"depth", 1e-3}, {"slip", 0.1}, {"spin", 10},      {"velocity", 0.1},
                 {"radius", 1e-2},    {"mass", 1},     {"load", 100}, {"contact", 1e-3}, {"loss", 10},
                 {"area", 1e-3},      {"x", 1e-3},     {"y", 1e-3},   {"z", 1e-3},       {"state", 1e-3},
                 {"base_temp", 300},  {"host", 10}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strncmp(name, sizes[i].begins, strlen(sizes[i].begins)) == 0)
            return sizes[i].size;
    return 1;
}

static bool is_positive(const char *name)
{
    static const char *const names[] = {"radius", "mass", "area", "share", "contact_radius", "load_pull_off"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static double value(const char *name, size_t lane)
{
    static const double special[] = {0,      -0.0,    1,      -1,    INFINITY, -INFINITY, NAN,
                                     5e-324, -5e-324, 1e-310, 1e308, -1e308,   PCM_FAR,   2.2e-308};
    const uint64_t      bits = draw();
    double              number;
    memcpy(&number, &bits, sizeof number);
    if (lane % 10 == 7)
        return number;
    if (lane % 10 == 8)
        return special[bits % (sizeof special / sizeof *special)];
    if (lane % 10 == 9 && bits % 4 == 0)
        return bits % 8 ? 0.0 : -0.0;
    if (strcmp(name, "fresh") == 0)
        return (double)(bits & 1);
    number = size_of(name) * uniform() * (lane % 3 ? 1 : 1e-2);
    return is_positive(name) ? fabs(number) : number;
}

static double *column(size_t count)
{
    double *c = calloc(count, sizeof *c);
    if (!c)
        abort();
    return c;
}

/* ---- The plugin's answers ---------------------------------------------------------------------------------------- */

#define SHAPE(X)                                                                                                       \
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
#define IN(X)                                                                                                          \
    SHAPE(X)                                                                                                           \
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
#define OUT(X)                                                                                                         \
    X(force_n)                                                                                                         \
    X(force_x)                                                                                                         \
    X(force_y)                                                                                                         \
    X(moment_n)                                                                                                        \
    X(moment_x) X(moment_y) X(energy) X(dissipation) X(elastic_n) X(adhesive_n) X(pull_off) X(patch_radius) X(onset)

static const char *const out_names[] = {
#define NAME_OF(name) #name,
    OUT(NAME_OF) "life", "mode"};
#define NUMBER_OF(name) OUT_##name,
enum { OUT(NUMBER_OF) OUT_END };
enum { OUTS = sizeof out_names / sizeof *out_names };

static double *find(const columns *c, const numbers *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return c->in[i];
    return c->none;
}

/* The inputs whose names begin like this, in order. */
static void find_all(const columns *c, const numbers *n, const char *begins, const double **to)
{
    for (size_t i = 0; i < n->count; i++)
        if (strncmp(n->name[i], begins, strlen(begins)) == 0)
            *to++ = c->in[i];
}

static void draw_inputs(columns *c, const numbers *contact, double dt)
{
    for (size_t i = 0; i < contact->count; i++) {
        const bool is_time = strcmp(contact->name[i], "time") == 0, is_dt = strcmp(contact->name[i], "dt") == 0;
        c->in[i] = column(c->count);
        for (size_t k = 0; k < c->count; k++)
            c->in[i][k] = is_time ? time_of_all : is_dt ? dt : value(contact->name[i], k);
    }
    for (size_t k = 0; k < c->count; k++)
        c->none[k] = NAN;
    find_all(c, contact, "state.", c->state);
    find_all(c, contact, "host_", c->host_input);
}

static void open_outputs(columns *c)
{
    for (size_t i = 0; i < c->n_state; i++)
        c->next[i] = column(c->count), c->rate[i] = column(c->count);
    for (size_t i = 0; i < c->n_event; i++)
        c->event[i] = column(c->count);
    for (size_t i = 0; i < 2 * c->n_amount; i++)
        c->flow[i % 2][i / 2] = column(c->count);
    for (size_t i = 0; i < OUTS; i++)
        c->out[i] = column(c->count);
}

static void open_columns(columns *c, const type_table *t, const pcm_type_info *info, size_t count, double dt)
{
    *c = (columns){.count = count,
                   .n_state = info->n_state,
                   .n_event = info->model->events.count,
                   .n_amount = info->model->amounts.count,
                   .none = column(count)};
    draw_inputs(c, &t->contact, dt);
    open_outputs(c);
    for (uint32_t i = 0; i < c->n_amount; i++)
        for (int side = 0; side < 2; side++) {
            char name[NAME];
            (void)snprintf(name, sizeof name, "%s_%s", side ? "follower" : "base",
                           pcm_model_amount(info->model, i)->name);
            c->amount[side][i] = find(c, &t->contact, name);
        }
#define INPUT(name_)  .name_ = find(c, &t->contact, #name_),
#define OUTPUT(name_) .name_ = c->out[OUT_##name_],
    c->batch = (pcm_batch){.size = sizeof c->batch,
                           .count = count,
                           .time = time_of_all,
                           .dt = dt,
                           IN(INPUT) OUT(OUTPUT).life = (int64_t *)(void *)c->out[OUTS - 2],
                           .mode = (int64_t *)(void *)c->out[OUTS - 1],
                           .host_inputs = c->host_input,
                           .state = c->state,
                           .next = c->next,
                           .rate = c->rate,
                           .event = c->event,
                           .base_amount = c->amount[0],
                           .follower_amount = c->amount[1],
                           .base_flow = c->flow[0],
                           .follower_flow = c->flow[1]};
}

static void close_columns(columns *c)
{
    for (size_t i = 0; i < MOST; i++) {
        double *const all[] = {c->in[i], c->next[i], c->rate[i], c->event[i], c->flow[0][i], c->flow[1][i], c->out[i]};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            free(all[k]);
    }
    free(c->none);
}

static void fill(double *to, size_t count, double with)
{
    for (size_t i = 0; i < count; i++)
        to[i] = with;
}

/* What is written before a call: as worlds do it; NaN where terminate may leave its host's value. */
static void clear(columns *c, int verb)
{
    for (size_t i = 0; i < OUTS; i++)
        fill(c->out[i], c->count, verb == 4 ? NAN : 0);
    for (size_t k = 0; k < c->n_state; k++) {
        fill(c->next[k], c->count, 0);
        fill(c->rate[k], c->count, 0);
        if (verb != 2)
            memcpy(c->next[k], c->state[k], c->count * sizeof(double));
    }
    for (size_t k = 0; k < c->n_event; k++)
        fill(c->event[k], c->count, 0);
    for (size_t k = 0; k < 2 * c->n_amount; k++)
        fill(c->flow[k % 2][k / 2], c->count, 0);
}

/* Steps the states that the law leaves to its host; history states have no rate. */
static void step(columns *c, const pcm_model *model)
{
    for (uint32_t i = 0, k = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        for (uint32_t column_ = 0; column_ < pcm_columns_of(state->shape); column_++, k++) {
            if (state->role != PCM_CONTINUOUS)
                fill(c->rate[k], c->count, 0);
            else if (!(state->flags & PCM_STEPS))
                for (size_t n = 0; n < c->count; n++)
                    c->next[k][n] = c->state[k][n] + c->batch.dt * c->rate[k][n];
        }
    }
}

static void call_plugin(columns *c, const pcm_type *type, int verb, size_t event)
{
    clear(c, verb);
    c->batch.event_index = event;
    if (pcm_type_call(type, verb_kinds[verb], &c->batch) != PCM_OK)
        abort();
    if (verb < 2)
        step(c, pcm_type_get_info(type)->model);
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

/* The plugin's column for each number of a result. */
static void place(const columns *c, const numbers *result, int verb, const double **to, bool *whole)
{
    size_t next = 0, rate = 0, event = 0, flow[2] = {0, 0};
    for (size_t i = 0; i < result->count; i++) {
        const char *name = result->name[i];
        name += strncmp(name, "result.", 7) == 0 ? 7 : 0;
        const int side = strncmp(name, "follower_", 9) == 0;
        to[i] = NULL;
        whole[i] = strcmp(name, "life") == 0 || strcmp(name, "mode") == 0;
        for (size_t k = 0; k < OUTS; k++)
            if (strcmp(name, out_names[k]) == 0)
                to[i] = c->out[k];
        if (verb == 2 || verb == 3 || strncmp(name, "next.", 5) == 0)
            to[i] = c->next[next++];
        else if (strncmp(name, "rate.", 5) == 0)
            to[i] = c->rate[rate++];
        else if (strncmp(name, "event_", 6) == 0)
            to[i] = c->event[event++];
        else if (strstr(name, "_flow"))
            to[i] = c->flow[side][flow[side]++];
        if (!to[i])
            abort();
    }
}

typedef struct count {
    size_t numbers, differ;
} count;

static bool same(double ours, double theirs, bool whole)
{
    int64_t as_whole;
    memcpy(&as_whole, &theirs, sizeof as_whole);
    if (whole)
        return ours == (double)as_whole;
    return memcmp(&ours, &theirs, sizeof ours) == 0 || (isnan(ours) && isnan(theirs));
}

static void compare(const columns *c, const type_table *t, int verb, const double *ours, count *all)
{
    const numbers *result = &t->result[verb];
    const double  *theirs[MOST];
    bool           whole[MOST], told = false;
    place(c, result, verb, theirs, whole);
    for (size_t i = 0; i < result->count; i++)
        for (size_t lane = 0; lane < c->count; lane++) {
            const double a = ours[lane * result->count + i], b = theirs[i][lane];
            all->numbers++;
            if (same(a, b, whole[i]))
                continue;
            all->differ++;
            if (!told)
                (void)printf("%s_%s: %s of contact %zu is %a, %a by the plugin\n", t->name, verb_names[verb],
                             result->name[i], lane, a, b);
            told = true;
        }
}

typedef void lanes_function(const double *in, double *out, unsigned long n);

static lanes_function *function_of(void *object, const char *type, const char *verb)
{
    char            name[2 * NAME];
    lanes_function *function;
    (void)snprintf(name, sizeof name, "lanes_%s_%s", type, verb);
    void *address = dlsym(object, name);
    memcpy(&function, &address, sizeof function);
    return function;
}

/* One verb of a type, by the plugin and by every object. */
static void run(columns *c, const pcm_type *type, const type_table *t, int verb, void *const *objects, int n,
                count *counts)
{
    const size_t n_in = t->contact.count, n_out = t->result[verb].count;
    double      *in = column(c->count * n_in), *out = column(c->count * n_out);
    const size_t events = verb == 3 ? c->n_event : 1;
    for (size_t i = 0; i < n_in; i++)
        for (size_t lane = 0; lane < c->count; lane++)
            in[lane * n_in + i] = c->in[i][lane];
    for (size_t event = 0; event < events; event++) {
        call_plugin(c, type, verb, event);
        for (int k = 0; k < n; k++) {
            lanes_function *function = function_of(objects[k], t->name, verb_names[verb]);
            fill(out, c->count * n_out, (double)event);
            if (!function)
                continue;
            function(in, out, c->count);
            compare(c, t, verb, out, &counts[k]);
        }
    }
    free(in);
    free(out);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void read_numbers(numbers *n)
{
    *n = (numbers){.count = 0};
    for (const char *word; (word = strtok(NULL, " \n"));)
        (void)snprintf(n->name[n->count++], NAME, "%s", word);
}

/* Reads the next type; its name is on the line, which then is that of the type after it. False: there is none. */
static bool read_type(FILE *table, char *line, int size, type_table *t)
{
    if (strncmp(line, "type ", 5) != 0 && !fgets(line, size, table))
        return false;
    *t = (type_table){.name = ""};
    (void)sscanf(line, "type %159s", t->name);
    while (fgets(line, size, table) && strncmp(line, "type ", 5) != 0) {
        const char *word = strtok(line, " \n");
        if (strcmp(word, "contact") == 0)
            read_numbers(&t->contact);
        for (int v = 0; v < VERBS; v++)
            if (strcmp(word, verb_names[v]) == 0)
                read_numbers(&t->result[v]);
        line[0] = '\0';
    }
    return *t->name;
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

enum { TIMED = 500, ROUNDS = 20 };

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The least time in s of calls one contact at a time: by the function, or by pcm_type_call if it is NULL. */
static double time_of(columns *c, const pcm_type *type, lanes_function *function)
{
    static double in[MOST], out[MOST];
    double        least = INFINITY;
    c->batch.count = 1;
    for (size_t i = 0; i < MOST; i++)
        in[i] = c->in[i] ? c->in[i][0] : 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int i = 0; i < TIMED; i++)
            if (function)
                function(in, out, 1);
            else
                (void)pcm_type_call(type, PCM_FORCES, &c->batch);
        least = fmin(least, now() - start);
    }
    return least / TIMED;
}

/* The header may take a third of the time of a call, over all types. */
static int measure(FILE *table, char *line, int size, const pcm_config *config, void *object, type_table *t)
{
    static columns c;
    double         ours = 0, theirs = 0;
    int            types = 0;
    for (; read_type(table, line, size, t); types++) {
        const pcm_type *type = pcm_config_type_find(config, t->name);
        open_columns(&c, t, pcm_type_get_info(type), 64, 1e-4);
        ours += time_of(&c, type, function_of(object, t->name, "forces"));
        theirs += time_of(&c, type, NULL);
        close_columns(&c);
    }
    (void)printf("one contact: %.1f ns by the header, %.1f ns by pcm_type_call, in the mean of %d types\n",
                 1e9 * ours / types, 1e9 * theirs / types, types);
    return ours > theirs / 3;
}

static void complain(void *user, const pcm_diagnostic *diagnostic)
{
    char text[1024];
    (void)user;
    (void)pcm_diagnostic_format(diagnostic, text, sizeof text);
    if (diagnostic->severity == PCM_ERROR)
        (void)fputs(text, stderr);
}

int main(int argc, char **argv)
{
    static char     line[1 << 16];
    static columns  c;
    static void    *objects[16];
    static count    counts[16];
    const int       n = argc - 4;
    pcm_context_def def = pcm_context_defaults();
    def.sink = complain;
    pcm_context *context = pcm_context_new(&def);
    pcm_config  *config = argc > 4 ? pcm_config_load(context, argv[1]) : NULL;
    FILE        *table = config ? fopen(argv[2], "r") : NULL;
    type_table  *t = malloc(sizeof *t);
    if (!table || !t || n > 16)
        return 2;
    for (int k = 0; k < n; k++)
        if (!(objects[k] = dlopen(argv[4 + k], RTLD_NOW | RTLD_LOCAL)))
            return fprintf(stderr, "%s\n", dlerror()), 2;
    if (strcmp(argv[3], "time") == 0)
        return measure(table, line, sizeof line, config, objects[0], t);
    while (read_type(table, line, sizeof line, t)) {
        const pcm_type *type = pcm_config_type_find(config, t->name);
        for (int pass = 0; pass < 2; pass++) {
            const size_t lanes = strtoul(argv[3], NULL, 10) / (pass ? 8 : 1) + 1;
            open_columns(&c, t, pcm_type_get_info(type), lanes, pass ? 0 : 1e-4);
            for (int v = 0; v < VERBS; v++)
                if (t->result[v].count > 0)
                    run(&c, type, t, v, objects, n, counts);
            close_columns(&c);
        }
    }
    int status = 0;
    for (int k = 0; k < n; k++) {
        (void)printf("%s: %zu numbers, %zu differ\n", argv[4 + k], counts[k].numbers, counts[k].differ);
        status |= counts[k].differ > 0 || counts[k].numbers == 0;
    }
    return status;
}
