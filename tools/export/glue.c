/* SPDX-License-Identifier: MIT */
/* glue.c - writes the C between a header's numbers and the laws: for each function of the header one named body_..., in
 * which calls of "<TEXT" read a number and calls of ">TEXT" write one. */
#include "export.h"

#include <inttypes.h>
#include <string.h>

static const char *const lane_lines[] = {
#include "lane.inc"
};

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static void read_number(export_job *job, FILE *out, const char *to, const char *text, bool whole)
{
    const int n = job->wrote++;
    (void)fprintf(out, "    extern %s in_%d(void) __asm__(\"<%s%s\") __attribute__((const));\n    %s = in_%d();\n",
                  whole ? "int64_t" : "double", n, whole ? "(pcmx_word)" : "", text, to, n);
}

static void write_number(export_job *job, FILE *out, const char *text, const char *from, bool whole)
{
    const int n = job->wrote++;
    (void)fprintf(out,
                  "    extern void out_%d(%s) __asm__(\">%s\") __attribute__((nothrow, noduplicate));\n    "
                  "out_%d(%s);\n",
                  n, whole ? "int64_t" : "double", text, n, from);
}

static void read_fields(export_job *job, FILE *out, const export_fields *fields, const char *lane, const char *text)
{
    for (size_t i = 0; i < fields->count; i++) {
        char to[2 * EXPORT_NAME], from[2 * EXPORT_NAME];
        (void)snprintf(to, sizeof to, "%s%s", lane, fields->at[i].lane);
        (void)snprintf(from, sizeof from, "%s%s", text, fields->at[i].name);
        read_number(job, out, to, from, fields->at[i].whole);
    }
}

static void write_fields(export_job *job, FILE *out, const export_fields *fields, const char *lane, const char *text)
{
    for (size_t i = 0; i < fields->count; i++) {
        char to[2 * EXPORT_NAME], from[2 * EXPORT_NAME];
        (void)snprintf(from, sizeof from, "%s%s", lane, fields->at[i].lane);
        (void)snprintf(to, sizeof to, "%s%s", text, fields->at[i].name);
        write_number(job, out, to, from, fields->at[i].whole);
    }
}

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

static void write_real(FILE *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (number - number == 0)
        (void)fprintf(out, "%a", number);
    else
        (void)fprintf(out, "pcm_from_bits_(0x%" PRIx64 ")", bits);
}

/* The lists of a part, as arrays. */
static void write_lists(FILE *out, const export_type *type, uint32_t p)
{
    const export_part *part = &type->part[p];
    for (size_t i = 0; i < part->model->params.count; i++) {
        const pcm_value value = pcm_type_value_at(type->type, part->first_param + i);
        if (pcm_model_param(part->model, i)->kind != PCM_KIND_LIST)
            continue;
        (void)fprintf(out, "static const double %s_list_%u_%zu[] = {", type->name, p, part->offset[i]);
        for (size_t k = 0; k < value.list.count; k++) {
            write_real(out, value.list.values[k]);
            (void)fputs(", ", out);
        }
        (void)fputs("0};\n", out);
    }
}

/* Eight bytes of a part's parameters, as prepared. */
static void write_word(FILE *out, const export_type *type, uint32_t p, size_t offset)
{
    const export_part *part = &type->part[p];
    uint64_t           bits = 0;
    for (size_t i = 0; i < part->model->params.count; i++) {
        const uint32_t kind = pcm_model_param(part->model, i)->kind;
        if (part->offset[i] != offset || (kind != PCM_KIND_LIST && kind != PCM_KIND_TEXT))
            continue;
        if (kind == PCM_KIND_LIST)
            (void)fprintf(out, "{.address = %s_list_%u_%zu}, ", type->name, p, offset);
        else
            (void)fputs("{.address = lane_text}, ", out);
        return;
    }
    memcpy(&bits, part->params + offset, part->params_size - offset < 8 ? part->params_size - offset : 8);
    (void)fprintf(out, "{.whole = (int64_t)0x%" PRIx64 "}, ", bits);
}

static size_t words_of(const export_part *part) { return (part->params_size + 7) / 8; }

static void write_constants(FILE *out, const export_type *type)
{
    for (uint32_t p = 0; p < type->n_parts; p++) {
        write_lists(out, type, p);
        (void)fprintf(out, "static const lane_word %s_w%u[] = {", type->name, p);
        for (size_t k = 0; k < words_of(&type->part[p]); k++)
            write_word(out, type, p, 8 * k);
        (void)fputs("{0}};\n", out);
    }
}

/* Declares `params`, the parameters of each part: the constants, or copies whose words the header's struct has. */
static void write_params(export_job *job, FILE *out, const export_type *type)
{
    const bool constant = type->n_free == 0;
    for (uint32_t p = 0; p < type->n_parts && !constant; p++)
        (void)fprintf(out, "    lane_word w%u[%zu];\n    __builtin_memcpy(w%u, %s_w%u, sizeof w%u);\n", p,
                      words_of(&type->part[p]) + 1, p, type->name, p, p);
    if (!constant) {
        (void)fputs("    int64_t rejected;\n", out);
        read_fields(job, out, &type->params, "", "p.");
        (void)fputs("    (void)rejected;\n", out);
    }
    (void)fputs("    const void *const params[] = {", out);
    for (uint32_t p = 0; p < type->n_parts; p++)
        (void)fprintf(out, "%s%s%sw%u", p ? ", " : "", constant ? type->name : "", constant ? "_" : "", p);
    (void)fputs("};\n", out);
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static void write_type(FILE *out, const export_type *type)
{
    const pcm_model *whole = type->info->model;
    uint32_t         losses = 0;
    for (uint32_t p = 0; p < type->n_parts; p++)
        losses = type->part[p].model->inputs & PCM_LOSS ? p : losses;
    (void)fprintf(out, "static const lane_type %s_type = {%u, %u, %u, %u, %u, %u, %u, {\n", type->name, type->n_parts,
                  whole->outputs, losses, type->info->n_state, type->info->n_host_inputs, whole->events.count,
                  whole->amounts.count);
    for (uint32_t p = 0; p < type->n_parts; p++) {
        const export_part *part = &type->part[p];
        const pcm_model   *m = part->model;
        (void)fprintf(out,
                      "    {%s_update, %s_forces, %s_establish, %s_jump, %s_terminate, %u, %u, %u, %u, %u, %u, %u, %u, "
                      "%u, %u, %u, %s_onset},\n",
                      m->name, m->name, m->name, m->name, m->name, m->inputs, m->outputs, m->states.count, part->state,
                      part->n_state, part->host_input, part->n_host_input, part->event, m->events.count, part->amount,
                      m->amounts.count, m->name);
    }
    (void)fputs("}};\n", out);
}

/* The first lines of a body: the contact's numbers. next starts at `first`, "state" or "0". */
static void begin(export_job *job, FILE *out, const export_type *type, const char *name, const char *first)
{
    (void)fprintf(out,
                  "void body_%s_%s(void)\n{\n    const lane_type *const type = &%s_type;\n    lane_contact l;\n    "
                  "lane_columns c;\n    pcm_batch b;\n    lane_clear(&l, type);\n",
                  type->name, name, type->name);
    write_params(job, out, type);
    read_fields(job, out, &type->contact, "l.", "c.");
    for (size_t k = 0; k < type->state.count; k++) {
        char to[64], from[2 * EXPORT_NAME];
        (void)snprintf(to, sizeof to, "l.state[%zu]", k);
        (void)snprintf(from, sizeof from, "c.state.%s", type->state.at[k].name);
        read_number(job, out, to, from, false);
        (void)fprintf(out, "    l.next[%zu] = %s[%zu];\n", k, first, k);
    }
    (void)fputs("    lane_point(&b, &c, &l, type);\n", out);
}

static void write_states(export_job *job, FILE *out, const export_type *type, const char *lane, const char *text)
{
    for (size_t k = 0; k < type->state.count; k++) {
        char to[2 * EXPORT_NAME], from[64];
        (void)snprintf(from, sizeof from, "%s[%zu]", lane, k);
        (void)snprintf(to, sizeof to, "%s%s", text, type->state.at[k].name);
        write_number(job, out, to, from, false);
    }
}

/* Calls a verb of each part; `more` are its last arguments. */
static void write_calls(FILE *out, const export_type *type, const char *verb, const char *more)
{
    for (uint32_t p = 0; p < type->n_parts; p++)
        (void)fprintf(out, "    lane_%s(type, %u, params[%u], &b%s);\n", verb, p, p, more);
}

/* Steps the continuous states that the law leaves to its host. */
static void write_steps(FILE *out, const pcm_model *model)
{
    for (uint32_t i = 0, k = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        for (uint32_t column = 0; column < pcm_columns_of(state->shape); column++, k++)
            if (state->role == PCM_CONTINUOUS && !(state->flags & PCM_STEPS))
                (void)fprintf(out, "    l.next[%u] = l.state[%u] + l.dt * l.rate[%u];\n", k, k, k);
    }
}

/* The rates of continuous states; those of others are 0. */
static void write_rates(export_job *job, FILE *out, const export_type *type)
{
    const pcm_model *model = type->info->model;
    for (uint32_t i = 0, k = 0; i < model->states.count; i++)
        for (uint32_t column = 0; column < pcm_columns_of(pcm_model_state(model, i)->shape); column++, k++)
            if (pcm_model_state(model, i)->role != PCM_CONTINUOUS)
                (void)fprintf(out, "    l.rate[%u] = 0;\n", k);
    if (export_has_rates(model))
        write_states(job, out, type, "l.rate", "r.rate.");
}

bool export_has_rates(const pcm_model *model)
{
    for (uint32_t i = 0; i < model->states.count; i++)
        if (pcm_model_state(model, i)->role == PCM_CONTINUOUS)
            return true;
    return false;
}

bool export_has_jumps(const pcm_model *model)
{
    for (uint32_t i = 0; i < model->events.count; i++)
        if (pcm_model_event(model, i)->jumps)
            return true;
    return false;
}

static void write_update(export_job *job, FILE *out, const export_type *type, bool reports)
{
    const char *result = reports ? "r.result." : "r.";
    char        next[32];
    (void)snprintf(next, sizeof next, "%snext.", result);
    begin(job, out, type, reports ? "update" : "forces", "l.state");
    (void)fputs("    lane_sums s = {.outputs = 0};\n", out);
    write_calls(out, type, "update", reports ? ", 1, &s" : ", 0, &s");
    (void)fprintf(out, "    lane_end_update(type, &b, %d, &s);\n", reports);
    write_steps(out, type->info->model);
    write_fields(job, out, &type->result, "l.", result);
    write_states(job, out, type, "l.next", next);
    if (reports) {
        write_fields(job, out, &type->report, "l.", "r.");
        write_rates(job, out, type);
    }
    (void)fputs("}\n", out);
}

static void write_changes_of_states(export_job *job, FILE *out, const export_type *type)
{
    static const char zeros[] = "(const double[32]){0}";
    begin(job, out, type, "establish", zeros);
    write_calls(out, type, "establish", "");
    write_states(job, out, type, "l.next", "s.");
    (void)fputs("}\n", out);
    if (!export_has_jumps(type->info->model))
        return;
    begin(job, out, type, "jump", "l.state");
    (void)fputs("    int64_t event;\n", out);
    read_number(job, out, "event", "event", true);
    (void)fputs("    b.event_index = (size_t)event;\n", out);
    write_calls(out, type, "jump", "");
    write_states(job, out, type, "l.next", "s.");
    (void)fputs("}\n", out);
}

static void write_terminate(export_job *job, FILE *out, const export_type *type)
{
    begin(job, out, type, "terminate", "l.state");
    (void)fputs("    l.out.energy = l.out.dissipation = NAN;\n    lane_remains told = {0, 0};\n", out);
    write_calls(out, type, "terminate", ", &told");
    write_number(job, out, "e.energy", "l.out.energy", false);
    write_number(job, out, "e.dissipation", "l.out.dissipation", false);
    (void)fputs("}\n", out);
}

/* The parameters as the file has them, with the arguments in their places, through each law's prepare. */
static void write_prepare(export_job *job, FILE *out, const export_type *type)
{
    (void)fprintf(out, "void body_%s_prepare(void)\n{\n    int64_t rejected = 0;\n", type->name);
    for (uint32_t p = 0; p < type->n_parts; p++) {
        const export_part *part = &type->part[p];
        (void)fprintf(out, "    lane_word w%u[%zu] = {{0}};\n", p, words_of(part) + 1);
        for (size_t i = 0; i < part->model->params.count; i++) {
            const pcm_param *param = pcm_model_param(part->model, i);
            const pcm_value  value = pcm_type_value_at(type->type, part->first_param + i);
            const size_t     offset = part->offset[i], word = offset / 8;
            size_t           argument = 0;
            char             to[64];
            while (argument < type->n_free && type->free[argument] != part->first_param + i)
                argument++;
            const bool real = param->kind == PCM_KIND_REAL;
            (void)snprintf(to, sizeof to, "LANE_%s(w%u, %zu)", real ? "REAL" : "WHOLE", p, offset);
            if (argument < type->n_free) {
                char name[EXPORT_NAME];
                export_identifier(name, NULL, pcm_model_param(type->info->model, type->free[argument])->name);
                read_number(job, out, to, name, !real);
            } else if (param->kind == PCM_KIND_LIST || param->kind == PCM_KIND_TEXT) {
                (void)fprintf(out, "    w%u[%zu] = %s_w%u[%zu];\n", p, word, type->name, p, word);
                if (param->kind == PCM_KIND_LIST)
                    (void)fprintf(out, "    w%u[%zu] = %s_w%u[%zu];\n", p, word + 1, type->name, p, word + 1);
            } else {
                (void)fprintf(out, "    %s = ", to);
                write_real(out, value.number);
                (void)fputs(";\n", out);
            }
        }
        (void)fprintf(out, "    rejected |= %s_prepare(w%u);\n", part->model->name, p);
    }
    write_fields(job, out, &type->params, "", "made.");
    (void)fputs("}\n", out);
}

static void declare_laws(FILE *out, const export_type *type)
{
    for (uint32_t p = 0; p < type->n_parts; p++) {
        const char *n = type->part[p].model->name;
        (void)fprintf(out,
                      "extern pcm_verb %s_update, %s_forces, %s_establish, %s_jump, %s_terminate;\n"
                      "extern double %s_onset(const void *);\nextern int %s_prepare(void *);\n",
                      n, n, n, n, n, n, n);
    }
}

void export_write_glue(export_job *job, FILE *out)
{
    for (size_t i = 0; i < sizeof lane_lines / sizeof *lane_lines; i++)
        (void)fputs(lane_lines[i], out);
    for (size_t i = 0; i < job->n_types; i++) {
        const export_type *type = job->types[i];
        declare_laws(out, type);
        write_constants(out, type);
        write_type(out, type);
        if (type->n_free > 0)
            write_prepare(job, out, type);
        write_update(job, out, type, false);
        write_update(job, out, type, true);
        if (type->state.count > 0)
            write_changes_of_states(job, out, type);
        if (type->info->model->outputs & (PCM_ENERGY | PCM_DISSIPATION))
            write_terminate(job, out, type);
    }
}
