/* SPDX-License-Identifier: MIT */
/* trial.c - runs tests. A law that crashes, hangs or fails ends its own test alone. */
#include "trial.h"

#include <fcntl.h>
#include <math.h>
#include <pcm/materials.h>
#include <pcm/messages.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "flight.h"
#include "progress.h"
#include "rig.h"

enum { MOST_SECONDS = 600, MOST_IN_LAMMPS = 7200 }; /* of the processor, for a test */

/* What a child leaves in memory that it shares with its parent. */
typedef struct outcome {
    bool   done, ran;   /* ran: a scene, whose table is in the folder */
    double value, step; /* value in SI units */
    double simulated;   /* s */
} outcome;

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

/* Whether a parameter of a type is called that: "Friction", or "Mindlin.Friction" of a sum. */
static bool is_called(const char *parameter, const char *name, size_t length)
{
    const char *dot = strrchr(parameter, '.'), *own = dot ? dot + 1 : parameter;
    return strlen(own) == length && strncmp(own, name, length) == 0;
}

static void add_setting(trial_def *def, const char *parameter, const char *value)
{
    const size_t size = strlen(def->type) + strlen(parameter) + strlen(value) + 3;
    const char **at = realloc(def->settings.at, (def->settings.count + 1) * sizeof *at);
    char        *text = malloc(size);
    if (at)
        def->settings.at = at;
    if (!at || !text) {
        free(text);
        def->starved = true;
        return;
    }
    (void)snprintf(text, size, "%s.%s=%s", def->type, parameter, value);
    def->settings.at[def->settings.count++] = text;
}

/* Sets every parameter of that name; returns how many there are. */
static size_t set_all(trial_def *def, const char *name, size_t length, const char *value)
{
    const pcm_type *type = def->of_file;
    size_t          found = 0;
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value known = pcm_type_value_at(type, i);
        if (!is_called(known.param->name, name, length))
            continue;
        found++;
        if (value)
            add_setting(def, known.param->name, value);
    }
    return found;
}

bool trial_prepare(trial_def *def, char *reason, size_t size)
{
    const suite *s = def->suite;
    if (def->between->count == 2 && strcmp(def->between->at[0], def->between->at[1]) != 0 && s->kind == SUITE_SCENE &&
        (!s->base || !s->follower || strcmp(s->base, s->follower) == 0)) {
        (void)snprintf(reason, size, "its bodies have one surface, so that --between must name one twice");
        return false;
    }
    for (size_t i = 0; i < s->needs.count; i++)
        if (!set_all(def, s->needs.at[i], strlen(s->needs.at[i]), NULL)) {
            (void)snprintf(reason, size, "it has no %s", s->needs.at[i]);
            return false;
        }
    for (size_t i = 0; i < s->sets.count; i++) {
        const char *equal = strchr(s->sets.at[i], '=');
        (void)set_all(def, s->sets.at[i], (size_t)(equal - s->sets.at[i]), equal + 1);
    }
    return true;
}

/* Takes back the settings after the first ones. */
static void keep_settings(trial_def *def, size_t count)
{
    while (def->settings.count > count)
        free((void *)(uintptr_t)def->settings.at[--def->settings.count]);
}

/* Adds what a test sets: NAME=VALUE, with semicolons between several. */
static void set_for_test(trial_def *def, const suite_test *test)
{
    char *text = strdup(test->set);
    if (!text)
        def->starved = true;
    for (char *one = text ? strtok(text, ";") : NULL; one; one = strtok(NULL, ";")) {
        char *equal = strchr(one, '=');
        if (equal) {
            *equal = '\0';
            one += strspn(one, " ");
            (void)set_all(def, one, strlen(one), equal + 1);
        }
    }
    free(text);
}

void trial_free(trial_def *def)
{
    keep_settings(def, 0);
    free(def->settings.at);
    def->settings = (option_texts){0};
}

/* ---- Kinds of tests, in the child -------------------------------------------------------------------------------- */

/* FOLDER/case.pcm: the file, a rule that gives the pair the type, and the surfaces of both sides. */
static bool write_case(const trial_def *def, const char *base, const char *follower, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/case.pcm", def->folder);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    char       *whole = realpath(def->file, NULL);
    const char *sides[] = {base, follower};
    (void)fprintf(out, "Include \"%s\";\nObjectPair \"%s\" * \"%s\" -> \"%s\";\n", whole ? whole : def->file, base,
                  follower, def->type);
    for (size_t i = 0; i < def->between->count; i++)
        (void)fprintf(out, "Surface \"%s\" = \"%s\";\n", def->between->at[i], sides[i]);
    free(whole);
    return fclose(out) == 0;
}

static void hit(const trial_def *def, const suite_test *test, pcm_context *context, outcome *out)
{
    char              path[4096];
    const impact_case what = test->impact;
    if (!write_case(def, "Base", "Ball", path, sizeof path))
        return;
    pcm_config *config = command_config(context, path, &def->settings);
    if (!config)
        return;
    const flight_result r = flight_run(config, &what);
    out->value = flight_measure(&r, test->measure);
    out->step = r.step;
    out->simulated = r.time;
    out->done = r.left;
    if (!r.left)
        command_error(PCM_MSG_BAD_SUITE, "the bodies do not part");
    pcm_config_release(config);
}

/* Columns between whose rows positions go straight; rates hold. */
static bool is_position(const char *name)
{
    static const char *const names[] = {"depth", "x", "y", "z", "edge_depth"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Steps the law from the row before to that in lane 0. */
static void step_row(rig_law *law, double *before, bool first, double from, double to, double steps)
{
    enum { MOST = 128 };
    double         now[MOST];
    const size_t   count = law->n_inputs < MOST ? law->n_inputs : MOST;
    const unsigned parts = first ? 1 : (unsigned)steps;
    for (size_t i = 0; i < count; i++)
        now[i] = law->inputs[i].values[0];
    for (unsigned k = 1; k <= parts; k++) {
        const double share = (double)k / parts;
        for (size_t i = 0; i < count; i++)
            law->inputs[i].values[0] =
                is_position(law->inputs[i].name) && k < parts ? before[i] + share * (now[i] - before[i]) : now[i];
        rig_law_step(law, k < parts ? from + share * (to - from) : to);
    }
    memcpy(before, now, count * sizeof *before);
}

static double *column_of(const rig_law *law, const char *name)
{
    const struct {
        const char *name;
        double     *values;
    } forces[] = {{"force_n", law->batch.force_n},   {"force_x", law->batch.force_x},
                  {"force_y", law->batch.force_y},   {"moment_n", law->batch.moment_n},
                  {"moment_x", law->batch.moment_x}, {"moment_y", law->batch.moment_y},
                  {"energy", law->batch.energy}};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++)
        if (strcmp(forces[i].name, name) == 0)
            return forces[i].values;
    for (size_t i = 0; i < law->n_outputs; i++)
        if (strcmp(law->outputs[i].name, name) == 0)
            return law->outputs[i].values;
    return NULL;
}

/* Follows a table of motion; the value is the largest difference from the table of the reference. */
static void follow(const trial_def *def, const suite_test *test, pcm_context *context, outcome *out)
{
    double          before[128] = {0}, time = 0, last = 0, expected;
    rig_law         law = {0};
    csv_reader      motion = {0}, reference = {0};
    pcm_config     *config = command_config(context, def->file, &def->settings);
    char            moved[SUITE_PATH], known[SUITE_PATH];
    const pcm_type *type = config ? pcm_config_type_find(config, def->type) : NULL;
    type = !type                                                    ? NULL
           : def->between->count || pcm_type_get_info(type)->params ? command_between(type, def->between)
                                                                    : pcm_type_between(type, "Wall", "Ball");
    if (!type || !rig_law_new(&law, type, false) || !csv_open(&motion, suite_path(def->suite, test->motion, moved)) ||
        !csv_open(&reference, suite_path(def->suite, test->reference, known)) || !rig_law_match(&law, &motion))
        return;
    const size_t  t = csv_find(&motion, "t"), against = csv_find(&reference, test->against);
    const double *values = column_of(&law, test->column);
    if (t == motion.columns || against == reference.columns || !values) {
        command_error(PCM_MSG_BAD_SUITE, "%s: no column %s", def->suite->folder,
                      t == motion.columns ? "t in the motion"
                      : !values           ? test->column
                                          : test->against);
        return;
    }
    bool first = true;
    while (csv_next(&motion) == CSV_ROW && csv_next(&reference) == CSV_ROW) {
        if (!csv_number(&motion, t, &time) || !csv_number(&reference, against, &expected) ||
            !rig_law_read(&law, &motion, 0))
            return;
        step_row(&law, before, first, last, time, isnan(test->steps) ? 1 : test->steps);
        rig_failure why;
        if (rig_law_fails(&law, 0, &why)) {
            command_error(PCM_MSG_BAD_SUITE, "at t = %g s: %s", time, why.text);
            return;
        }
        out->value = fmax(out->value, fabs(values[0] - expected));
        first = false;
        last = time;
    }
    out->done = !first;
    out->simulated = time;
}

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

/* The cell of the column, less that of another. */
static bool cell_of(const csv_reader *r, const suite_test *test, double *value)
{
    const size_t column = csv_find(r, test->column), minus = *test->minus ? csv_find(r, test->minus) : r->columns;
    double       less = 0;
    if (column == r->columns || (*test->minus && minus == r->columns)) {
        command_error(PCM_MSG_BAD_SUITE, "the run has no column %s", column == r->columns ? test->column : test->minus);
        return false;
    }
    const bool good = csv_number(r, column, value) && (!*test->minus || csv_number(r, minus, &less));
    *value -= less;
    return good;
}

/* The measure over the rows of a run from test->from on. */
static void measure(const suite_test *test, const char *path, outcome *out)
{
    csv_reader r = {0};
    double     time = 0, value = 0, first = NAN, began = 0, most = -INFINITY, least = INFINITY, squares = 0, rows = 0;
    double     when = NAN;
    bool       good = csv_open(&r, path);
    while (good && csv_next(&r) == CSV_ROW) {
        good = csv_number(&r, 0, &time) && cell_of(&r, test, &value);
        if (time < test->from)
            continue;
        if (isnan(first)) {
            first = value;
            began = time;
        }
        most = fmax(most, value);
        least = fmin(least, value);
        squares += (value - first) * (value - first);
        when = isnan(when) && value <= 0 ? time : when;
        rows++;
    }
    csv_close(&r);
    const double of[] = {[SCENE_END] = value,
                         [SCENE_RATE] = (value - first) / (time - began),
                         [SCENE_MOST] = most,
                         [SCENE_LEAST] = least,
                         [SCENE_MEAN_SQUARE] = squares / rows,
                         [SCENE_WHEN] = when};
    out->value = of[suite_scene_measure(test->measure)];
    out->done = good && !isnan(first);
}

/* What a run reads and writes, as texts. */
typedef struct scene_run {
    char scene[SUITE_PATH], rules[SUITE_PATH], table[SUITE_PATH], time[32], step[32];
} scene_run;

/* The words of a command, whose array has room. */
typedef struct command_words {
    char **at;
    int    count;
} command_words;

static void add_words(command_words *words, const char *name, const char *value)
{
    words->at[words->count++] = (char *)(uintptr_t)name;
    words->at[words->count++] = (char *)(uintptr_t)value;
}

/* Two words and the test's options, with room for more; without an array: no memory. */
static command_words command_of(const trial_def *def, const suite_test *test, const char *first, const char *second)
{
    char         *options = strdup(test->options);
    command_words words = {.at = calloc(strlen(test->options) + 2 * def->settings.count + 32, sizeof *words.at)};
    if (!words.at || !options)
        return (command_words){.at = NULL};
    add_words(&words, first, second);
    for (char *word = strtok(options, " "); word; word = strtok(NULL, " "))
        words.at[words.count++] = word;
    return words;
}

static void add_settings(command_words *words, const trial_def *def)
{
    for (size_t i = 0; i < def->settings.count; i++)
        add_words(words, "--set", def->settings.at[i]);
    if (def->plugins)
        add_words(words, "--plugins", def->plugins);
}

#if defined(PCM_WITH_MUJOCO)
static bool run_in_mujoco(const trial_def *def, const suite_test *test, const scene_run *run)
{
    command_words words = command_of(def, test, run->scene, run->rules);
    if (!words.at)
        return false;
    add_settings(&words, def);
    add_words(&words, "--out", run->table);
    add_words(&words, "--time", run->time);
    add_words(&words, "--step", run->step);
    return run_run(words.count, words.at) == EXIT_GOOD;
}
#else
static bool run_in_mujoco(const trial_def *def, const suite_test *test, const scene_run *run)
{
    (void)def, (void)test, (void)run;
    command_error(PCM_MSG_NO_SCENES, "this pcm was built without MuJoCo");
    return false;
}
#endif

enum { NOT_FOUND = 127 };

/* Runs a program whose output goes to the file, or NULL: to where errors are read; its exit status. */
static int run_program(const char *program, char *const *words, const char *file)
{
    int         status = -1;
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(file ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600) : STDERR_FILENO, STDOUT_FILENO);
        (void)execvp(program, words);
        _exit(NOT_FOUND);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The script gets the variables rules, table, time and step. LAMMPS takes no settings, so that pcm show puts them in.
 */
static bool run_in_lammps(const trial_def *def, const suite_test *test, const scene_run *run)
{
    static const suite_test plain = {.options = ""};
    char                    rules[SUITE_PATH];
    command_words           words = command_of(def, test, "pcm-lammps", "-nocite");
    command_words           show = command_of(def, &plain, "pcm", "show");
    const char *const       variables[][2] = {
              {"rules", rules}, {"table", run->table}, {"time", run->time}, {"step", run->step}};
    if (!words.at || !show.at)
        return false;
    add_words(&words, "-in", run->scene);
    add_words(&words, "-log", "none");
    for (int i = 0; i < 4; i++) {
        words.at[words.count++] = (char *)(uintptr_t) "-var";
        add_words(&words, variables[i][0], variables[i][1]);
    }
    show.at[show.count++] = (char *)(uintptr_t)run->rules;
    add_settings(&show, def);
    (void)snprintf(rules, sizeof rules, "%s/rules.pcm", def->folder);
    if (def->plugins)
        (void)setenv("PCM_PLUGIN_PATH", def->plugins, 1);
    if (run_program("/proc/self/exe", show.at, rules) != EXIT_GOOD)
        return false;
    const int status = run_program(words.at[0], words.at, NULL);
    if (status == NOT_FOUND)
        command_error(PCM_MSG_NO_SCENES, "there is no %s on the PATH", words.at[0]);
    else if (status != 0)
        command_error(PCM_MSG_BAD_SUITE, "%s could not run the scene", words.at[0]);
    return status == 0;
}

/* Whether the tests measure the same run, whose table is in the folder. */
static bool is_measured_again(const suite_test *ran, const suite_test *test)
{
    return ran && !strcmp(ran->scene, test->scene) && !strcmp(ran->options, test->options) &&
           !strcmp(ran->set, test->set) && ran->time == test->time && ran->step == test->step;
}

static void simulate(const trial_def *def, const suite_test *test, outcome *out)
{
    const suite *s = def->suite;
    scene_run    run;
    (void)suite_path(s, test->scene, run.scene);
    (void)snprintf(run.table, sizeof run.table, "%s/out.csv", def->folder);
    (void)snprintf(run.time, sizeof run.time, "%.17g", test->time);
    (void)snprintf(run.step, sizeof run.step, "%.17g", test->step);
    if (!write_case(def, s->base ? s->base : "*", s->follower ? s->follower : "*", run.rules, sizeof run.rules))
        return;
    out->ran = is_measured_again(def->ran, test) ||
               (strcmp(suite_host(s), "lammps") == 0 ? run_in_lammps(def, test, &run) : run_in_mujoco(def, test, &run));
    if (out->ran)
        measure(test, run.table, out);
    out->step = test->step;
    out->simulated = test->time;
}

/* ---- Processes --------------------------------------------------------------------------------------------------- */

static void work(const trial_def *def, const suite_test *test, outcome *out)
{
    if (def->suite->kind == SUITE_SCENE) {
        simulate(def, test, out);
        return;
    }
    pcm_context *context = command_context(def->plugins, command_report_types, NULL);
    if (context && def->suite->kind == SUITE_IMPACT)
        hit(def, test, context, out);
    else if (context)
        follow(def, test, context, out);
}

/* Sends what the child prints to the file. */
static void redirect(const char *said, rlim_t most)
{
    const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_WRONLY);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(file, STDERR_FILENO);
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){most, most + 1});
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Counts the warnings, and keeps the first error. */
static void read_said(const char *said, trial_result *result)
{
    char  line[512];
    FILE *in = fopen(said, "r");
    while (in && fgets(line, sizeof line, in)) {
        char *error = strstr(line, "error: ");
        error = error ? error : strstr(line, "ERROR: ");
        result->warnings += strstr(line, "warning: ") && !strstr(line, "[PCM-217]"); /* a type that no rule uses */
        if (error && !result->reason[0])
            (void)snprintf(result->reason, sizeof result->reason, "%.*s", (int)strcspn(error + 7, "\n"), error + 7);
    }
    if (in)
        (void)fclose(in);
}

trial_result trial_run(trial_def *def, const suite_test *test)
{
    char         said[4096];
    int          status = 1;
    trial_result result = {.value = NAN, .error = NAN, .step = NAN};
    const double start = progress_clock();
    outcome     *out = mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    (void)snprintf(said, sizeof said, "%s/said", def->folder);
    if (out == MAP_FAILED)
        return result;
    *out = (outcome){.step = NAN};
    const size_t settings = def->settings.count;
    set_for_test(def, test);
    (void)fflush(NULL);
    const pid_t child = def->starved ? -1 : fork();
    if (child == 0) {
        redirect(said, strcmp(suite_host(def->suite), "lammps") == 0 ? MOST_IN_LAMMPS : MOST_SECONDS);
        work(def, test, out);
        (void)fflush(NULL);
        _exit(0);
    }
    if (child > 0)
        while (waitpid(child, &status, 0) < 0)
            ;
    result.seconds = progress_clock() - start;
    if (child > 0)
        read_said(said, &result);
    if (child > 0 && out->done && WIFEXITED(status) && isfinite(out->value)) {
        result.done = true;
        result.value = out->value / test->to_si;
        result.error = fabs(result.value - test->expected);
        result.step = out->step;
        result.simulated = out->simulated;
    } else if (!result.reason[0])
        (void)snprintf(result.reason, sizeof result.reason, "%s",
                       child < 0             ? "there is no memory, or no process"
                       : WIFSIGNALED(status) ? "the law did not come back"
                                             : "no number came back");
    def->ran = out->ran && WIFEXITED(status) ? test : NULL;
    keep_settings(def, settings);
    (void)munmap(out, sizeof *out);
    return result;
}
