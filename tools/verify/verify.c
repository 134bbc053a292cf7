/* SPDX-License-Identifier: MIT */
/* verify.c - pcm verify: tries to break a contact law before anyone simulates with it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <pcm/messages.h>

#include "ending.h"
#include "isolate.h"
#include "packed.h"
#include "progress.h"
#include "report.h"
#include "source.h"
#include "types.h"

enum { LEAST_SECONDS = 10 /* of processor time that all checks together may take, however small the budget */ };

const check *const checks[] = {
    &check_survives, &check_static, &check_calls,  &check_pure,  &check_columns,    &check_lanes,  &check_reports,
    &check_clock,    &check_units,  &check_finite, &check_acts,  &check_touch_down, &check_steady, &check_pull,
    &check_cone,     &check_slide,  &check_turn,   &check_swap,  &check_energy,     &check_ledger, &check_heat,
    &check_step,     &check_slopes, &check_rates,  &check_modes, &check_events,     &check_life,   &check_derived,
    &check_jump,     &check_pair,   &check_resume, NULL,
};

typedef struct verification {
    search_def   def;
    law_source   source;
    const char  *folder; /* of counterexamples */
    option_texts only;   /* names of checks; none: all */
    grid         table;
    char         plugin[4096]; /* its path */
    size_t       held, findings;
    bool         failed; /* a check could not be run */
} verification;

/* ---- Loading ------------------------------------------------------------------------------------------------------
 */

typedef struct loading {
    const subject_def *def;
    volatile bool      loaded, has_law;
    char               path[4096]; /* of the plugin; "" of a sum */
} loading;

/* In a child: what is wrong with the plugin, or with the values of the command line, is said here. */
static void load(void *argument)
{
    loading *l = argument;
    subject  law;
    double   values[SUBJECT_PARAMS];
    if (!subject_open(&law, l->def, 0))
        return;
    if (!subject_is_sum(&law))
        (void)snprintf(l->path, sizeof l->path, "%s", pcm_model_path(law.sets[0].context, law.model->name));
    l->has_law = !(law.model->flags & PCM_HOST_CONTACT);
    for (size_t i = 0; i < subject_param_count(&law); i++)
        values[i] = motion_default(&law, i);
    l->loaded = subject_set_values(&law, values, command_report_types);
}

/* Runs the work in a child; false, and reported, where that ends it. */
static bool done_in_child(void (*work)(void *), void *argument, const char *what)
{
    const double seconds = 10;
    search       s = {.child = child_run(work, argument, seconds, false)};
    if (s.child.end == CHILD_DONE)
        return true;
    search_say_end(&s);
    command_error(PCM_MSG_NOT_VERIFIED, "%s cannot be loaded: %s", what, s.found.what);
    return false;
}

/* Whether there is a law to be checked; else *status. */
static bool can_load(verification *v, int *status)
{
    loading *l = child_share(sizeof *l);
    *status = EXIT_WRONG;
    if (!l) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    *l = (loading){.def = v->def.subject};
    const bool done = done_in_child(load, l, v->def.subject->model), loaded = l->loaded, has_law = l->has_law;
    memcpy(v->plugin, l->path, sizeof v->plugin);
    child_unshare(l, sizeof *l);
    if (done && loaded && !has_law)
        *status = EXIT_GOOD *
                  printf("%s leaves its contacts to the simulator: there is no law to verify\n", v->def.subject->model);
    return done && loaded && has_law;
}

/* ---- Checking -----------------------------------------------------------------------------------------------------
 */

static bool is_wanted(const verification *v, const check *c)
{
    for (size_t i = 0; i < v->only.count; i++)
        if (strcmp(v->only.at[i], c->name) == 0)
            return true;
    return v->only.count == 0;
}

/* Whether the law leaves a process in which more can be checked. */
static bool goes_on(const search *s)
{
    return s->result != SEARCH_FAILED && !(s->result == SEARCH_FOUND && s->check->is_base) &&
           (s->child.end == CHILD_DONE || s->child.end == CHILD_SLOW || s->child.end == CHILD_CALLED ||
            s->child.end == CHILD_TOUCHED);
}

/* Processor time of the children so far, s. */
static double children_seconds(void)
{
    struct rusage used;
    (void)getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* What one check may take: a third of what all may, together. A small budget is a number of tries rather than of
 * seconds, so that a slow machine finds the same with it as a fast one. */
static double seconds_left(const verification *v, double begun)
{
    const double all = fmax(3 * v->def.budget, LEAST_SECONDS);
    return fmax(0.01 * v->def.budget, fmin(all / 3, begun + all - children_seconds()));
}

static void run_checks(verification *v, search *results)
{
    const double begun = children_seconds(); /* a compiler's, too */
    progress     bar = progress_start();
    bool         going = true;
    for (size_t i = 0; checks[i] && going; i++) {
        search *s = &results[i];
        if (!is_wanted(v, checks[i]))
            continue;
        progress_at(&bar, (double)i / (double)(sizeof checks / sizeof *checks), checks[i]->name);
        s->def = &v->def;
        s->check = checks[i];
        s->seconds = seconds_left(v, begun);
        search_run(s);
        v->held += s->result == SEARCH_GOOD;
        v->findings += s->result == SEARCH_FOUND;
        v->failed = v->failed || s->result == SEARCH_FAILED;
        report_line(s, &v->table);
        going = goes_on(s);
    }
    progress_end(&bar);
    grid_print(&v->table, 2);
    if (!going)
        (void)printf("  the others were not run: first the law must pass this one\n");
}

static void print_title(const search_def *def)
{
    const char *const *surface = def->subject->surface;
    (void)printf("%s", def->subject->model);
    if (def->subject->file && *surface[0])
        (void)printf(", between %s and %s", surface[0], surface[1]);
    (void)printf(", seed %llu\n", (unsigned long long)def->seed);
}

static int verify(verification *v)
{
    enum { CHECKS = sizeof checks / sizeof *checks };
    int status;
    if (!can_load(v, &status))
        return status;
    search *results = child_share(CHECKS * sizeof *results);
    if (!results) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return EXIT_WRONG;
    }
    print_title(&v->def);
    run_checks(v, results);
    if (v->plugin[0])
        packed_print(&v->source, v->plugin);
    for (size_t i = 0; checks[i]; i++)
        if (results[i].result == SEARCH_FOUND)
            report_finding(&results[i], v->folder);
    (void)printf("\n%zu check%s hold%s, %zu finding%s\n", v->held, v->held == 1 ? "" : "s", v->held == 1 ? "s" : "",
                 v->findings, v->findings == 1 ? "" : "s");
    child_unshare(results, CHECKS * sizeof *results);
    if (v->failed)
        command_error(PCM_MSG_NOT_VERIFIED, "a check could not be run: the system gave no process or no memory");
    return v->findings > 0 || v->failed ? EXIT_WRONG : EXIT_GOOD;
}

/* ---- The command
 * ----------------------------------------------------------------------------------------------------*/

static const char about[] =
    "Tries to break contact laws before anyone simulates with them. A law is named by its model, its plugin, or its C\n"
    "file, which is compiled first with $CC or cc: its parameters are varied in their declared ranges. A law that is "
    "a\n"
    "part, as friction is, is tried alone and behind a spring, Hertz, HertzTsuji and Jkr; one that reads losses is\n"
    "tried behind friction. The contact types of a .pcm file are tried as they are written, sums and all pairs of "
    "materials\n"
    "included. Laws run in a process of their own, over random and adversarial motions and states:\n\n"
    "  survives    comes back from every call: no crash, endless loop or way out\n"
    "  static      writes no static data\n"
    "  calls       calls nothing from outside: no allocation, lock, errno, or function of libm\n"
    "  pure        the same question has the same answer, whatever was tried in between\n"
    "  columns     writes what it declares, in all of its lanes and no others, and reads nothing else\n"
    "  lanes       same bits in any batch, place and company, and with every instruction set\n"
    "  reports     asking for energy, mode or events changes neither forces nor states\n"
    "  clock       no answer depends on the time, nor on the step where there are no states\n"
    "  units       no answer depends on the size of metre, kilogram and second\n"
    "  finite      finite at zero depth, far apart, at rest, without load, for huge and tiny values\n"
    "  acts        gives a force or a moment somewhere, and moves its states\n"
    "  touch-down  the force begins from zero where a contact begins, unless PCM_JUMPS\n"
    "  steady      the force changes without a jump with the motion, also from mode to mode\n"
    "  pull        never pulls, unless PCM_PULLS\n"
    "  cone        friction stays inside the law's cone, and opposes the slip\n"
    "  slide       friction never drives a slip that keeps its way, however the load changes\n"
    "  turn        the answer of an isotropic law turns with the motion\n"
    "  swap        states trade places with the two bodies as their .swap says\n"
    "  energy      no closed path returns more energy than it took, unless PCM_ACTIVE or within .gain\n"
    "  ledger      work is stored or dissipated, as the law reports it\n"
    "  heat        what is dissipated never comes back, and no more heat flows than is lost\n"
    "  step        the answer settles as the step goes to zero\n"
    "  slopes      the Jacobian agrees with differences\n"
    "  rates       states move with the time, and as their rate says\n"
    "  modes       separated without a force, sticking at rest, slipping when dragged\n"
    "  events      an event changes sign, its way, where the mode changes\n"
    "  life        a contact begins alive, and gives no force where hosts end it\n"
    "  derived     compression, impact_depth, contact_time and restitution are what the force gives\n"
    "  jump        the verb jump writes next alone, finite, with the same bits in any batch\n"
    "  pair        the verb per pair gives a scale that is one, with the same bits in any batch\n"
    "  resume      a world goes on from a checkpoint with the same bits\n\n"
    "A check that is none for the law has a dash and the reason. What fails is made small: few rows, parameters by\n"
    "default, round numbers. It is written as a table of motion, and of a law as a contact type, that pcm rig "
    "replays.\n"
    "A seed gives the same tries again, on any machine that is fast enough for the budget. Which instruction sets the\n"
    "loop was packed for, several contacts to an instruction, is told too; that it was not is no finding. That every\n"
    "check holds is no proof: it says that so many tries did not break the law.";

static const char examples[] = "  pcm verify SoftPad.c\n"
                               "  pcm verify ViscoelasticGround --budget 60 --seed 7\n"
                               "  pcm verify WallContact --set 'GapLeft=(1, 2) [m]' --set 'GapRight=(1.1, 2.1) [m]'\n"
                               "  pcm verify SoftPad.so --only energy --only pull\n"
                               "  pcm verify robot.pcm Foot --between Rubber --between Steel";

static bool knows_checks(const command_line *line, const option_texts *only, int *status)
{
    const char *names[sizeof checks / sizeof *checks] = {NULL};
    for (size_t i = 0; checks[i]; i++)
        names[i] = checks[i]->name;
    for (size_t i = 0; i < only->count; i++) {
        size_t at = 0;
        while (names[at] && strcmp(names[at], only->at[i]) != 0)
            at++;
        if (!names[at]) {
            *status = options_refuse(line, "there is no check '%s'%s", only->at[i],
                                     options_did_you_mean(only->at[i], names).text);
            return false;
        }
    }
    return true;
}

/* The law that a word names. */
static int verify_law(verification *v, const char *word, const char *plugins, const option_texts *settings)
{
    if (!law_source_find(&v->source, word, plugins))
        return EXIT_WRONG;
    const subject_def law = {.plugins = v->source.plugins, .model = v->source.model, .settings = settings};
    v->def.subject = &law;
    return verify(v);
}

/* Each type of a file, one after the other. */
static int verify_types(const verification *v, const found_types *types)
{
    int status = EXIT_GOOD;
    for (size_t i = 0; i < types->count; i++) {
        const found_type *at = &types->at[i];
        const subject_def type = {.plugins = types->plugins,
                                  .model = at->name,
                                  .settings = types->settings,
                                  .file = types->file,
                                  .surface = {at->surface[0], at->surface[1]}};
        verification      one = *v;
        one.def.subject = &type;
        (void)printf("%s", i > 0 ? "\n" : "");
        status = verify(&one) == EXIT_GOOD ? status : EXIT_WRONG;
        (void)fflush(stdout);
    }
    if (types->count == 0)
        (void)printf("%s leaves all contacts to the simulator: there is no law to verify\n", types->file);
    return status;
}

static int verify_file(const verification *v, const option_texts *words, const char *plugins,
                       const option_texts *settings, const option_texts *between)
{
    found_types *types = child_share(sizeof *types);
    int          status = EXIT_WRONG;
    if (!types) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return EXIT_WRONG;
    }
    types->file = words->at[0];
    types->plugins = plugins;
    types->settings = settings;
    types->between = between;
    types->names = words->at + 1;
    types->n_names = words->count - 1;
    if (done_in_child(types_find, types, types->file) && types->good)
        status = verify_types(v, types);
    child_unshare(types, sizeof *types);
    return status;
}

int verify_run(int argc, char **argv)
{
    const char  *plugins = NULL;
    size_t       seed = 1;
    bool         isolated = false;
    option_texts settings = {0}, between = {0}, words;
    verification v = {.folder = "findings", .def.budget = 20, .table.columns = 4};
    const option options[] = {
        {.name = "--budget",
         .value = "S",
         .doc = "how much to try: about so many seconds, at most three times as many, or 10; 20 unless told",
         .positive = &v.def.budget},
        {.name = "--seed", .value = "N", .doc = "try other motions; 1 unless told", .count = &seed},
        {.name = "--set",
         .value = "NAME=VALUE",
         .doc =
             "a parameter of the law that is not varied, or a setting of the file, as in a .pcm file; may be repeated",
         .texts = &settings},
        OPTION_BETWEEN(&between),
        {.name = "--only", .value = "CHECK", .doc = "run this check; may be repeated", .texts = &v.only},
        {.name = "--out",
         .value = "DIR",
         .doc = "where counterexamples are written; findings unless told",
         .text = &v.folder},
        OPTION_PLUGINS(&plugins),
        OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "verify",
                               .usage = "MODEL|PLUGIN.so|LAW.c|FILE.pcm [TYPE...] [--budget S] [--seed N] "
                                        "[--set NAME=VALUE]...",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = TYPES_MOST};
    int                status;
    if (options_read(&line, argc, argv, &words, &status) && knows_checks(&line, &v.only, &status)) {
        const bool is_file = ends_with(words.at[0], ".pcm");
        v.def.seed = seed;
        child_isolate(isolated);
        if (!is_file && words.count > 1)
            status = options_refuse(&line, "%s is not a .pcm file: give one law, or a file and contact types of it",
                                    words.at[0]);
        else if (between.count != 0 && (!is_file || between.count != 2))
            status = options_refuse(&line, "--between is given twice, with a .pcm file");
        else if (isolated && !isolate_can())
            status = EXIT_WRONG;
        else
            status = is_file ? verify_file(&v, &words, plugins, &settings, &between)
                             : verify_law(&v, words.at[0], plugins, &settings);
    }
    free(words.at);
    free(settings.at);
    free(between.at);
    free(v.only.at);
    return status;
}
