/* SPDX-License-Identifier: MIT */
/* header.c - writes the header: structs with units, and a place for the body of each function. */
#include "export.h"

#include <stdlib.h>
#include <string.h>

static const char *const prelude[] = {
#include "prelude.inc"
};

/* ---- Comments ---------------------------------------------------------------------------------------------------- */

/* Writes text of a comment, in which the marks of comments are taken apart. */
static void write_quoted(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char next = i + 1 < length ? text[i + 1] : '\0';
        (void)fputc(text[i], out);
        if ((text[i] == '*' && next == '/') || (text[i] == '/' && next == '*'))
            (void)fputc(' ', out);
    }
}

/* Writes each line behind " * ". */
static void write_lines(FILE *out, const char *before, const char *text, size_t length)
{
    while (length > 0) {
        const char  *end = memchr(text, '\n', length);
        const size_t line = end ? (size_t)(end - text) : length;
        (void)fprintf(out, " *%s%s", line > 0 ? " " : "", line > 0 ? before : "");
        write_quoted(out, text, line);
        (void)fputc('\n', out);
        text += line + (end ? 1 : 0), length -= line + (end ? 1 : 0);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_law(FILE *out, const pcm_model *model)
{
    const char *source = model->source ? model->source : "no source";
    (void)fprintf(out, " * %s, version %s:\n", model->name, model->version ? model->version : "1");
    write_lines(out, "  ", source, strlen(source));
}

static void write_laws(const export_job *job, FILE *out)
{
    for (size_t i = 0; i < job->n_types; i++)
        for (uint32_t p = 0; p < job->types[i]->n_parts; p++) {
            const pcm_model *model = job->types[i]->part[p].model;
            bool             known = false;
            for (size_t j = 0; j <= i; j++)
                for (uint32_t q = 0; q < (j < i ? job->types[j]->n_parts : p); q++)
                    known |= job->types[j]->part[q].model == model;
            if (!known)
                write_law(out, model);
        }
}

static void write_sources(const export_job *job, FILE *out)
{
    for (size_t i = 0; i < pcm_config_source_count(job->config); i++) {
        const pcm_source_info source = pcm_config_source_at(job->config, i);
        if (source.table)
            continue;
        (void)fprintf(out, " *\n * %s:\n *\n", base_name(source.name));
        write_lines(out, "  ", source.text, source.length);
    }
    for (size_t i = 0; i < job->settings.count; i++) {
        (void)fprintf(out, " *\n * --set ");
        write_quoted(out, job->settings.at[i], strlen(job->settings.at[i]));
        (void)fputc('\n', out);
    }
}

/* ---- Structs ----------------------------------------------------------------------------------------------------- */

static void write_member(FILE *out, const char *type, const char *name, const char *unit, const char *doc)
{
    (void)fprintf(out, "    %s %s; /* %s: ", type, name, unit);
    write_quoted(out, doc, strlen(doc));
    (void)fputs(" */\n", out);
}

static void write_members(const export_job *job, FILE *out, const export_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const export_field *f = &fields->at[i];
        if (!f->again)
            write_member(out, f->whole ? "pcmx_int" : job->single ? "float" : "double", f->name, f->unit, f->doc);
    }
}

static void write_state_member(FILE *out, const export_type *type, const char *name, const char *doc)
{
    char member[EXPORT_NAME + 8];
    (void)snprintf(member, sizeof member, "%s_state", type->name);
    if (type->state.count > 0)
        write_member(out, member, name, "1", doc);
}

static void write_structs(const export_job *job, FILE *out, const export_type *type)
{
    const char *n = type->name, *number = job->single ? "float" : "double";
    if (type->state.count > 0) {
        (void)fprintf(out, "typedef struct %s_state {\n", n);
        write_members(job, out, &type->state);
        (void)fprintf(out, "} %s_state;\n", n);
    }
    (void)fprintf(out, "typedef struct %s_contact {\n", n);
    write_members(job, out, &type->contact);
    write_state_member(out, type, "state", "as committed");
    (void)fprintf(out, "} %s_contact;\ntypedef struct %s_result {\n", n, n);
    write_members(job, out, &type->result);
    write_state_member(out, type, "next", "after the step");
    (void)fprintf(out, "} %s_result;\ntypedef struct %s_report {\n    %s_result result; /* 1: as of %s_forces */\n", n,
                  n, n, n);
    write_members(job, out, &type->report);
    if (export_has_rates(type->info->model))
        write_state_member(out, type, "rate", "per second; 0 for history states");
    (void)fprintf(out, "} %s_report;\n", n);
    if (type->n_free > 0) {
        (void)fprintf(out, "typedef struct %s_params {\n", n);
        for (size_t i = 0; i < type->params.count; i++) { /* those that prepare leaves constant are dropped */
            const export_fields one = {.at = &type->params.at[i], .count = 1};
            (void)fprintf(out, "@param %s %s\t", n, type->params.at[i].name);
            write_members(job, out, &one);
        }
        (void)fprintf(out, "} %s_params;\n", n);
    }
    if (type->info->model->outputs & (PCM_ENERGY | PCM_DISSIPATION))
        (void)fprintf(out,
                      "@maybe %s_terminate\ntypedef struct %s_end {\n"
                      "    %s energy; /* J: that the states still store; NaN: as %s_update gives it */\n"
                      "    %s dissipation; /* J: that the contact turned into heat in its life; NaN: not known */\n"
                      "} %s_end;\n@end\n",
                      n, n, number, n, number, n);
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static void write_function(FILE *out, const export_type *type, const char *result, const char *variable,
                           const char *name, const char *more)
{
    const char *n = type->name, *params = type->n_free > 0 ? "_params p, " : "";
    (void)fprintf(out, "PCM_FN %s_%s %s_%s(%s%s%s_contact c%s)\n{\n    PCMX_EXACT_\n    %s_%s %s;\n    (void)c;\n%s", n,
                  result, n, name, *params ? n : "", params, n, more, n, result, variable,
                  *params ? "    (void)p;\n" : "");
    (void)fprintf(out, "@body %s_%s\n    return %s;\n}\n", n, name, variable);
}

static void write_prepare(const export_job *job, FILE *out, const export_type *type)
{
    (void)fprintf(out, "PCM_FN %s_params %s_prepare(", type->name, type->name);
    for (size_t i = 0; i < type->n_free; i++) {
        const pcm_param *param = pcm_model_param(type->info->model, type->free[i]);
        const bool       real = param->kind == PCM_KIND_REAL;
        char             name[EXPORT_NAME];
        export_identifier(name, NULL, param->name);
        (void)fprintf(out, "%s%s %s", i ? ", " : "", !real ? "pcmx_int" : job->single ? "float" : "double", name);
    }
    (void)fprintf(out, ")\n{\n    PCMX_EXACT_\n    %s_params made;\n@body %s_prepare\n    return made;\n}\n",
                  type->name, type->name);
}

static void write_functions(const export_job *job, FILE *out, const export_type *type)
{
    if (type->n_free > 0)
        write_prepare(job, out, type);
    write_function(out, type, "result", "r", "forces", "");
    write_function(out, type, "report", "r", "update", "");
    if (type->state.count > 0)
        write_function(out, type, "state", "s", "establish", "");
    if (type->state.count > 0 && export_has_jumps(type->info->model))
        write_function(out, type, "state", "s", "jump", ", int event");
    if (type->info->model->outputs & (PCM_ENERGY | PCM_DISSIPATION)) {
        (void)fprintf(out, "@maybe %s_terminate\n", type->name);
        write_function(out, type, "end", "e", "terminate", "");
        (void)fputs("@end\n", out);
    }
}

/* What the engine has to do, since the header does not. */
static void write_type_comment(FILE *out, const export_type *type)
{
    const pcm_common *common = type->info->common;
    (void)fprintf(out, "\n/* ---- %s: %s ----\n", type->name, type->info->model->name);
    write_lines(out, "", type->info->model->summary, strlen(type->info->model->summary));
    if (type->info->model->flags & PCM_BASE_AXES)
        (void)fputs(" * The force is along the base's own axes: force_x, force_y, force_n along its x, y, z.\n", out);
    if (common->patch == PCM_PATCH_SHARED)
        (void)fputs(" * Patch = Shared: multiply forces, moments, energy and dissipation by the contact's share.\n",
                    out);
    if (common->patch == PCM_PATCH_SINGLE || common->single)
        (void)fputs(" * Single: one contact per pair of objects, at the deepest point.\n", out);
    if (common->point != PCM_POINT_MIDDLE)
        (void)fprintf(out, " * Point: measure velocities and apply the force at the %s's surface.\n",
                      common->point == PCM_POINT_BASE ? "base" : "follower");
    if (type->info->model->inputs & PCM_AXES)
        (void)fprintf(out, " * Axes: base_axis is the base's %c, follower_axis the follower's %c.\n",
                      "XYZ"[common->base_axis], "XYZ"[common->follower_axis]);
    if (type->n_free > 0)
        (void)fputs(" * ONSET and SEPARATION are those of the file's parameters.\n", out);
    (void)fputs(" */\n", out);
}

static void write_limit(FILE *out, const export_type *type, const char *name, double gap)
{
    if (gap - gap == 0)
        (void)fprintf(out, "#define %s_%s %.17g\n", type->name, name, gap);
    else
        (void)fprintf(out, "#define %s_%s pcmx_from_bits(0x7ff0000000000000u)\n", type->name, name);
}

/* How the states lie in the contact frame, and how long they live: for engines that keep them as vectors of space. */
static void write_frame(FILE *out, const export_type *type)
{
    static const char *const arm[] = {[PCM_POINT_MIDDLE] = "0.5", [PCM_POINT_BASE] = "0", [PCM_POINT_FOLLOWER] = "1"};
    const pcm_model         *model = type->info->model;
    const export_field      *field = type->state.at;
    bool                     vectors = false, inputs = false, lingers = false;
    (void)fprintf(out, "#define %s_STATES(VECTOR, NUMBER)", type->name);
    for (uint32_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        const bool       vector = state->shape == PCM_TANGENT;
        if (vector)
            (void)fprintf(out, " VECTOR(%s, %s)", field[0].name, field[1].name);
        for (uint32_t k = 0; !vector && k < pcm_columns_of(state->shape); k++)
            (void)fprintf(out, " NUMBER(%s)", field[k].name);
        field += pcm_columns_of(state->shape);
        vectors |= vector, lingers |= state->flags & PCM_LINGERS;
    }
    for (uint32_t i = 0; i < model->host_inputs.count; i++)
        inputs |= pcm_model_host_input(model, i)->shape == PCM_TANGENT;
    (void)fprintf(out, "\n#define %s_ANY_AXES %d\n#define %s_SHARED %d\n#define %s_ARM %s\n#define %s_LINGERS %d\n",
                  type->name, !type->info->carries_frame || (model->flags & PCM_ISOTROPIC && vectors && !inputs),
                  type->name, (model->flags & PCM_FRAME_SHARED) != 0, type->name, arm[type->info->common->point],
                  type->name, lingers);
}

static void write_type(const export_job *job, FILE *out, const export_type *type)
{
    write_type_comment(out, type);
    write_limit(out, type, "ONSET", type->info->onset);
    write_limit(out, type, "SEPARATION", type->info->common->separation);
    write_frame(out, type);
    write_structs(job, out, type);
    write_functions(job, out, type);
}

void export_write_header(const export_job *job, FILE *out)
{
    char guard[EXPORT_NAME];
    export_identifier(guard, "PCM_EXPORT_", base_name(job->path));
    (void)fprintf(out,
                  "/* Contact laws of %s, written by pcm export %s. It includes nothing, and is valid C11, C++11,\n"
                  " * OpenCL C 1.2, CUDA and HIP. Numbers are in SI units.\n *\n",
                  base_name(job->path), PCM_VERSION);
    write_laws(job, out);
    write_sources(job, out);
    (void)fprintf(out, " */\n#ifndef %s\n#define %s\n", guard, guard);
    for (size_t i = 0; i < sizeof prelude / sizeof *prelude; i++)
        (void)fputs(prelude[i], out);
    (void)fputs("\n@kit\n", out);
    for (size_t i = 0; i < job->n_types; i++)
        write_type(job, out, job->types[i]);
    (void)fputs("\n/* ---- Types and surfaces ---- */\n\nenum {\n", out);
    for (size_t i = 0; i < job->n_types; i++)
        (void)fprintf(out, "    %s_TYPE = %zu%s\n", job->types[i]->name, i, i + 1 < job->n_types ? "," : "");
    (void)fputs("};\n", out);
    if (job->whole_file)
        export_write_surfaces(job, out);
    (void)fputs("\n#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)\n#pragma GCC pop_options\n"
                "#endif\n#endif\n",
                out);
}
