/* SPDX-License-Identifier: MIT */
/* rig.c - pcm rig: runs a table of motion through one or several laws, without a simulator. */
#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"
#include "isolate.h"
#include "outside.h"
#include "progress.h"
#include "suggest.h"

typedef struct rig {
    const pcm_config *config;
    csv_reader        table;
    csv_writer        out;
    bool              trial;
    option_texts      between; /* surfaces whose materials give parameters */
    rig_law          *laws;
    size_t            n_laws;
    size_t            contact, t, dt; /* these columns of the table; equal to the number of columns if it has none */
    bool              has_energy;
    rig_column      **columns; /* additional columns of the output, n_columns for each law; NULL: the cell is empty */
    const char      **names;   /* names of these columns */
    size_t            n_columns;
    size_t            failures, bad_row; /* number of rows at which a law failed, and the first of them */
    const rig_law    *bad_law;
    rig_failure       failure; /* the failure in that row */
    progress          bar;
} rig;

/* ---- Selecting laws ---------------------------------------------------------------------------------------------- */

static bool add_law(rig *r, const pcm_type *type)
{
    type = command_between(type, &r->between);
    if (!type)
        return false;
    if (pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT) {
        command_error(PCM_MSG_NO_LAW, "contact type %s leaves its pairs to the simulator: there is no law for the rig",
                      pcm_type_get_info(type)->name);
        return false;
    }
    rig_law *laws = realloc(r->laws, (r->n_laws + 1) * sizeof *laws);
    if (!laws) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    r->laws = laws;
    return rig_law_new(&laws[r->n_laws++], type, r->trial);
}

static options_hint suggest_type(const pcm_config *config, const char *name, size_t length)
{
    pcm_suggestion suggestion = pcm_suggest(name, length);
    for (size_t i = 0; i < pcm_config_type_count(config); i++) {
        const char *known = pcm_type_get_info(pcm_config_type_at(config, i))->name;
        pcm_suggest_try(&suggestion, known, strlen(known));
    }
    return options_hint_of(&suggestion);
}

static bool add_named(rig *r, const char *name)
{
    const pcm_type *type = pcm_config_type_find(r->config, name);
    if (type)
        return add_law(r, type);
    command_error(PCM_MSG_NO_LAW, "the file has no contact type '%s'%s", name,
                  suggest_type(r->config, name, strlen(name)).text);
    return false;
}

/* For a call in which neither the command line nor the table names a contact type: the file must have exactly one. */
static bool add_only(rig *r)
{
    const pcm_type *only = NULL;
    size_t          laws = 0;
    for (size_t i = 0; i < pcm_config_type_count(r->config); i++) {
        const pcm_type *type = pcm_config_type_at(r->config, i);
        if (pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT)
            continue;
        only = type;
        laws++;
    }
    if (laws == 1)
        return add_law(r, only);
    command_error(PCM_MSG_NO_LAW,
                  "the file has %zu contact types with a law: name one on the command line, or in a column 'contact'",
                  laws);
    return false;
}

static rig_law *find_law(const rig *r, const csv_cell *cell)
{
    for (size_t i = 0; i < r->n_laws; i++)
        if (csv_is(cell, r->laws[i].info->name))
            return &r->laws[i];
    return NULL;
}

static bool add_from_cell(rig *r, const csv_cell *cell)
{
    for (size_t i = 0; i < pcm_config_type_count(r->config); i++) {
        const pcm_type *type = pcm_config_type_at(r->config, i);
        if (csv_is(cell, pcm_type_get_info(type)->name))
            return add_law(r, type);
    }
    csv_error(&r->table, PCM_MSG_TABLE_CELL, r->contact, "row %zu, column 'contact': no contact type '%.*s'%s",
              r->table.row, (int)cell->length, cell->text, suggest_type(r->config, cell->text, cell->length).text);
    return false;
}

/* Adds every law that the column names. */
static bool add_from_table(rig *r)
{
    csv_result result;
    while ((result = csv_next(&r->table)) == CSV_ROW)
        if (!find_law(r, &r->table.cells[r->contact]) && !add_from_cell(r, &r->table.cells[r->contact]))
            return false;
    csv_rewind(&r->table);
    return result == CSV_END;
}

static bool find_laws(rig *r, const char *contact)
{
    if (contact)
        return add_named(r, contact);
    return r->contact < r->table.columns ? add_from_table(r) : add_only(r);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static const char *const own_columns[] = {"contact", "t", "dt"};

static bool is_known(const rig *r, const csv_cell *name)
{
    for (size_t i = 0; i < (r->trial ? 3 : 2); i++)
        if (csv_is(name, own_columns[i]))
            return true;
    for (size_t i = 0; i < r->n_laws; i++)
        for (size_t j = 0; j < r->laws[i].n_inputs; j++)
            if (csv_is(name, r->laws[i].inputs[j].name))
                return true;
    return false;
}

static bool refuse_column(const rig *r, size_t column)
{
    const csv_cell *name = &r->table.names[column];
    pcm_suggestion  near = pcm_suggest(name->text, name->length);
    for (size_t i = 0; i < sizeof own_columns / sizeof *own_columns; i++)
        pcm_suggest_try(&near, own_columns[i], strlen(own_columns[i]));
    for (size_t i = 0; i < r->n_laws; i++)
        for (size_t j = 0; j < r->laws[i].n_inputs; j++)
            pcm_suggest_try(&near, r->laws[i].inputs[j].name, strlen(r->laws[i].inputs[j].name));
    if (csv_is(name, own_columns[2])) {
        csv_error(&r->table, PCM_MSG_TABLE_COLUMN, column,
                  "column 'dt' needs --trial: a history steps from row to row");
        return false;
    }
    csv_error(&r->table, PCM_MSG_TABLE_COLUMN, column, "this law does not use a column '%.*s'%s", (int)name->length,
              name->text, options_hint_of(&near).text);
    return false;
}

static bool match_columns(rig *r)
{
    for (size_t i = 0; i < r->table.columns; i++)
        if (!is_known(r, &r->table.names[i]))
            return refuse_column(r, i);
    for (size_t i = 0; i < r->n_laws; i++) {
        if (!rig_law_match(&r->laws[i], &r->table))
            return false;
        if (!r->trial && r->laws[i].info->n_state > 0 && r->t == r->table.columns) {
            csv_error(&r->table, PCM_MSG_TABLE_COLUMN, r->table.columns,
                      "column 't' is missing: %s has states, which step from row to row", r->laws[i].info->name);
            return false;
        }
    }
    return true;
}

/* Lists the additional columns of the output: those of all laws, by name. */
static bool lay_out(rig *r)
{
    size_t most = 0;
    for (size_t i = 0; i < r->n_laws; i++)
        most += r->laws[i].n_outputs;
    r->names = calloc(most + 1, sizeof *r->names);
    r->columns = calloc(most * r->n_laws + 1, sizeof *r->columns);
    if (!r->names || !r->columns) {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    for (size_t i = 0; i < r->n_laws; i++) {
        rig_law *law = &r->laws[i];
        r->has_energy |= law->info->model->outputs & PCM_ENERGY;
        for (size_t j = 0; j < law->n_outputs; j++) {
            size_t at = 0;
            while (at < r->n_columns && strcmp(r->names[at], law->outputs[j].name) != 0)
                at++;
            r->n_columns += at == r->n_columns;
            r->names[at] = law->outputs[j].name;
            r->columns[at * r->n_laws + i] = &law->outputs[j];
        }
    }
    return true;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static void write_header(rig *r)
{
    static const char *const names[] = {"contact",  "t",        "force_n",  "force_x", "force_y",
                                        "moment_n", "moment_x", "moment_y", "mode",    "life"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        csv_put_text(&r->out, names[i]);
    if (r->has_energy)
        csv_put_text(&r->out, "energy");
    for (size_t i = 0; i < r->n_columns; i++)
        csv_put_text(&r->out, r->names[i]);
    csv_end_row(&r->out);
}

static const char *word(int64_t mark, const char *const words[], int64_t count)
{
    return mark >= 0 && mark < count ? words[mark] : "invalid";
}

static void write_row(rig *r, const rig_law *law, size_t lane)
{
    static const char *const modes[] = {"separated", "sticking", "slipping", "touching"};
    static const char *const lives[] = {
        [PCM_LIVE] = "live",     [PCM_BROKEN] = "broken",   [PCM_INVALID] = "invalid",
        [RIG_PARTED] = "parted", [RIG_NO_CONTACT] = "none",
    };
    const pcm_batch *b = &law->batch;
    csv_put_text(&r->out, law->info->name);
    const double *const numbers[] = {b->force_n, b->force_x, b->force_y, b->moment_n, b->moment_x, b->moment_y};
    csv_put_number(&r->out, b->time);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        csv_put_number(&r->out, numbers[i][lane]);
    csv_put_text(&r->out, word(b->mode[lane], modes, sizeof modes / sizeof *modes));
    csv_put_text(&r->out, word(b->life[lane], lives, sizeof lives / sizeof *lives));
    if (r->has_energy) {
        if (law->info->model->outputs & PCM_ENERGY)
            csv_put_number(&r->out, b->energy[lane]);
        else
            csv_put_text(&r->out, "");
    }
    for (size_t i = 0; i < r->n_columns; i++) {
        const rig_column *column = r->columns[i * r->n_laws + (size_t)(law - r->laws)];
        if (column)
            csv_put_number(&r->out, column->values[lane]);
        else
            csv_put_text(&r->out, "");
    }
    csv_end_row(&r->out);
}

/* Writes the lanes; the last of them is row `last` of the table. */
static void write_lanes(rig *r, const rig_law *law, size_t last)
{
    for (size_t lane = 0; lane < law->batch.count; lane++) {
        rig_failure why;
        if (law->batch.life[lane] != RIG_NO_CONTACT && rig_law_fails(law, lane, &why)) {
            law->batch.life[lane] = PCM_INVALID;
            if (r->failures++ == 0) {
                r->bad_row = last - (law->batch.count - 1 - lane);
                r->bad_law = law;
                r->failure = why;
            }
        }
        write_row(r, law, lane);
    }
}

static void tell_failures(const rig *r)
{
    if (r->failures == 0)
        return;
    char others[48] = "";
    if (r->failures > 1)
        (void)snprintf(others, sizeof others, " (laws failed in %zu rows)", r->failures);
    command_error(PCM_MSG_NOT_FINITE, "%s: row %zu: %s gives %s%s%s", r->table.path, r->bad_row, r->bad_law->info->name,
                  r->failure.text, r->trial ? "" : ": its contact ends", others);
}

static bool optional_number(const rig *r, size_t column, double *value)
{
    *value = 0;
    return column == r->table.columns || csv_number(&r->table, column, value);
}

/* Reads the next row, and updates the progress bar from time to time. */
static csv_result next_row(rig *r)
{
    enum { ROWS_PER_LOOK = 4096 };
    const csv_result result = csv_next(&r->table);
    if (r->table.row % ROWS_PER_LOOK == 0)
        progress_at(&r->bar, (double)r->table.at / (double)r->table.length, "of the rows");
    return result;
}

/* Reads the law and the time of the present row. */
static bool read_start(const rig *r, rig_law **law, double *time, double *dt)
{
    *law = r->n_laws > 1 ? find_law(r, &r->table.cells[r->contact]) : r->laws;
    if (!optional_number(r, r->t, time) || !optional_number(r, r->dt, dt))
        return false;
    if (*dt >= 0)
        return true;
    csv_error(&r->table, PCM_MSG_TABLE_CELL, r->dt, "row %zu, column 'dt': a step must not be negative", r->table.row);
    return false;
}

static bool run_history(rig *r)
{
    csv_result result;
    while ((result = next_row(r)) == CSV_ROW) {
        rig_law *law;
        double   time, dt;
        if (!read_start(r, &law, &time, &dt) || !rig_law_read(law, &r->table, 0))
            return false;
        if (law->started && time < law->time) {
            csv_error(&r->table, PCM_MSG_TABLE_CELL, r->t, "row %zu, column 't': time must not decrease", r->table.row);
            return false;
        }
        rig_law_step(law, time);
        write_lanes(r, law, r->table.row);
    }
    return result == CSV_END;
}

/* A batch holds consecutive rows of one law, one time and one step. */
static bool run_trials(rig *r)
{
    csv_result result;
    rig_law   *open = NULL;
    double     open_time = 0, open_dt = 0;
    size_t     lanes = 0;
    while ((result = next_row(r)) == CSV_ROW) {
        rig_law *law;
        double   time, dt;
        if (!read_start(r, &law, &time, &dt))
            return false;
        if (lanes > 0 && (law != open || time != open_time || dt != open_dt || lanes == RIG_LANES)) {
            rig_law_evaluate(open, lanes, open_time, open_dt);
            write_lanes(r, open, r->table.row - 1);
            lanes = 0;
        }
        if (!rig_law_read(law, &r->table, lanes))
            return false;
        open = law, open_time = time, open_dt = dt;
        lanes++;
    }
    if (lanes > 0) {
        rig_law_evaluate(open, lanes, open_time, open_dt);
        write_lanes(r, open, r->table.row);
    }
    return result == CSV_END;
}

static bool run(rig *r, const char *contact, const char *motion, const char *out)
{
    if (!csv_open(&r->table, motion))
        return false;
    r->contact = csv_find(&r->table, "contact");
    r->t = csv_find(&r->table, "t");
    r->dt = csv_find(&r->table, "dt");
    if (!find_laws(r, contact) || !match_columns(r) || !lay_out(r) || !csv_create(&r->out, out))
        return false;
    r->bar = out ? progress_start() : (progress){.every = INFINITY};
    write_header(r);
    const bool read = r->trial ? run_trials(r) : run_history(r);
    progress_end(&r->bar);
    const bool written = csv_finish(&r->out);
    tell_failures(r);
    return read && written && r->failures == 0;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const char about[] =
    "Puts a contact law on a test rig: a table of motion in, a table of forces out, no simulator.\n\n"
    "IN.csv has a header row and any of the columns contact (the contact type of the row), t, depth,\n"
    "depth_rate, slip_x, slip_y, spin_x, spin_y, spin_n, x, y, z, velocity_x, velocity_y, velocity_z, radius, mass,\n"
    "what the host sets (input_n, input_x, input_y), and the law's states by name (a tangent state NAME has\n"
    "NAME_x and NAME_y). It must have all columns that the law reads; see `pcm models NAME`. - is standard input.\n\n"
    "The rows are one history: the contact begins at depth >= 0, or at its law's onset, its states step from\n"
    "row to row, it ends by the law's own rules, and the row that ends it has the force that ended it. A force or\n"
    "state that is not finite, or PCM_INVALID, ends it too: the row says `invalid`, and the exit status is 1.\n"
    "Columns of states set the initial states of a contact that begins in that row. With --trial each row is\n"
    "evaluated alone, at the states in that row; a column dt may set the step that NAME_next is for.";

static const char examples[] = "  printf 't,depth,depth_rate\\n0,0,1\\n0.001,0.001,0.9\\n' > press.csv\n"
                               "  pcm rig linear.pcm Soft --motion press.csv\n"
                               "  pcm rig linear.pcm Soft --motion press.csv --trial --out forces.csv";

static int run_file(pcm_context *context, const option_texts *words, const option_texts *settings,
                    const option_texts *between, const char *motion, const char *out, bool trial)
{
    pcm_config *config = command_config(context, words->at[0], settings);
    if (!config)
        return EXIT_WRONG;
    int  status = EXIT_WRONG;
    rig *r = calloc(1, sizeof *r);
    if (r) {
        r->config = config;
        r->trial = trial;
        r->between = *between;
        if (outside_try(config) && run(r, words->count > 1 ? words->at[1] : NULL, motion, out))
            status = EXIT_GOOD;
        for (size_t i = 0; i < r->n_laws; i++)
            rig_law_free(&r->laws[i]);
        free(r->laws);
        free(r->names);
        free(r->columns);
        csv_close(&r->table);
    } else {
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    }
    free(r);
    pcm_config_release(config);
    return status;
}

int rig_run(int argc, char **argv)
{
    const char  *plugins = NULL, *motion = NULL, *out = NULL;
    bool         trial = false, isolated = false;
    option_texts settings = {0}, between = {0};
    const option options[] = {
        OPTION_PLUGINS(&plugins),
        OPTION_SET(&settings),
        OPTION_BETWEEN(&between),
        {.name = "--motion", .value = "IN.csv", .doc = "the motion, a .csv file", .text = &motion},
        {.name = "--trial", .doc = "evaluate each row alone", .flag = &trial},
        {.name = "--out", .value = "OUT.csv", .doc = "write to this file instead of standard output", .text = &out},
        OPTION_ISOLATE(&isolated)};
    const command_line line = {.name = "rig",
                               .usage = "FILE.pcm [CONTACT] --motion IN.csv [--trial] [--out OUT.csv]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 2};
    option_texts       words;
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        pcm_context *context = NULL;
        if (!motion)
            status = options_refuse(&line, "--motion IN.csv is missing: the motion for the law");
        else if (isolated && out)
            status = options_refuse(&line, "with --isolate no file is written: redirect the output instead of --out");
        else if (isolated && !isolate(&status))
            context = NULL;
        else if (!(context = command_context(plugins, command_report_types, NULL)))
            status = EXIT_WRONG;
        else
            status = command_excuse(run_file(context, &words, &settings, &between, motion, out, trial));
        pcm_context_free(context);
    }
    free(words.at);
    free(settings.at);
    free(between.at);
    return status;
}
