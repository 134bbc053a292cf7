/* SPDX-License-Identifier: MIT */
/* export.c - pcm export: contact types as one header for GPUs and for programs that load nothing. */
#include "export.h"

#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "replace.h"

static bool add_named(export_job *job, const char *name)
{
    const pcm_type *type = pcm_config_type_find(job->config, name);
    if (!type) {
        const size_t count = pcm_config_type_count(job->config);
        const char **names = calloc(count + 1, sizeof *names);
        for (size_t i = 0; names && i < count; i++)
            names[i] = pcm_type_get_info(pcm_config_type_at(job->config, i))->name;
        (void)export_refuse(NULL, "%s has no contact type '%s'%s", job->path, name,
                            names ? options_did_you_mean(name, names).text : "");
        free(names);
        return false;
    }
    if (!(pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT))
        type = command_between(type, &job->between);
    return type && export_add_type(job, type, "");
}

/* All types of the file with a law, and those that pairs of surfaces get by their materials. */
static bool add_all(export_job *job)
{
    for (size_t i = 0; i < pcm_config_type_count(job->config); i++) {
        const pcm_type      *type = pcm_config_type_at(job->config, i);
        const pcm_type_info *info = pcm_type_get_info(type);
        if (info->model->flags & PCM_HOST_CONTACT)
            continue;
        if (job->between.count > 0 && !(type = command_between(type, &job->between)))
            return false;
        if (pcm_type_get_info(type)->params && !export_add_type(job, type, ""))
            return false;
    }
    job->whole_file = job->between.count == 0;
    if (job->whole_file && !export_find_surfaces(job))
        return false;
    return job->n_types > 0 || export_refuse(NULL, "%s has no contact type with a law to export", job->path);
}

/* Whether every parameter of --free belongs to a type. */
static bool check_free(const export_job *job)
{
    size_t length;
    for (const char *name = job->free ? job->free : ""; *name; name += length + (name[length] == ',')) {
        char           word[EXPORT_NAME];
        pcm_suggestion near;
        bool           found = false;
        length = strcspn(name, ",");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, name);
        near = pcm_suggest(word, strlen(word));
        for (size_t i = 0; i < job->n_types; i++) {
            const pcm_model *model = job->types[i]->info->model;
            for (size_t k = 0; k < model->params.count; k++) {
                const char *known = pcm_model_param(model, k)->name;
                found |= strcmp(known, word) == 0;
                pcm_suggest_try(&near, known, strlen(known));
            }
        }
        if (!found)
            return export_refuse(NULL, "no exported type has a parameter '%s' for --free%s", word,
                                 options_hint_of(&near).text);
    }
    return true;
}

static bool write_out(const char *path, const char *text, size_t length)
{
    if (!path) {
        (void)fwrite(text, 1, length, stdout);
        return true;
    }
    const char *why = replace_file(path, text, length);
    return !why || export_refuse(NULL, "%s: %s", path, why);
}

static bool export(export_job *job, const char *plugins, const option_texts *words, const char *out)
{
    job->path = words->at[0];
    job->context = command_context(plugins, command_report_types, NULL);
    job->config = job->context ? command_config(job->context, job->path, &job->settings) : NULL;
    if (!job->config || !export_open_folder(job))
        return false;
    bool good = true;
    for (size_t i = 1; good && i < words->count; i++)
        good = add_named(job, words->at[i]);
    if (!good || (words->count == 1 && !add_all(job)) || !check_free(job))
        return false;
    size_t length;
    char  *text = export_compile(job, &length);
    good = text && write_out(out, text, length);
    free(text);
    return good;
}

int export_run(int argc, char **argv)
{
    export_job  job = {0};
    const char *out = NULL, *plugins = NULL;
    option      table[] = {
             {.name = "-o", .value = "FILE", .doc = "the header; without it, standard output", .text = &out},
             {.name = "--out", .value = "FILE", .doc = "the same", .text = &out},
             OPTION_BETWEEN(&job.between),
             {.name = "--free", .value = "P,Q", .doc = "parameters that stay arguments", .text = &job.free},
             {.name = "--float", .doc = "numbers in single precision", .flag = &job.single},
             {.name = "--shapes", .doc = "ellipses, lines and flats as well as spheres", .flag = &job.shapes},
             {.name = "--source", .value = "LAW.c", .doc = "the C file of a law; may be repeated", .texts = &job.sources},
             OPTION_SET(&job.settings),
             OPTION_PLUGINS(&plugins),
    };
    const command_line line = {
        .name = "export",
        .usage = "FILE.pcm [TYPE ...] [options]",
        .about =
            "Writes the contact types of a file, or those named, as one header of plain functions, which give the\n"
            "plugins' bits in C, C++, OpenCL C, CUDA and HIP. Parameters are constants in it. clang compiles each\n"
            "law's C file, which stands beside its plugin.",
        .examples = "  pcm export configs/rise.pcm -o out/contacts.h",
        OPTIONS(table),
        .min_words = 1,
        .max_words = 1000,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status))
        status = export(&job, plugins, &words, out) ? EXIT_GOOD : EXIT_WRONG;
    export_free_types(&job);
    export_close_folder(&job);
    pcm_config_release(job.config);
    pcm_context_free(job.context);
    free(words.at);
    free(job.between.at);
    free(job.settings.at);
    free(job.sources.at);
    return command_finish(status);
}
