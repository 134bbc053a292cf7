/* SPDX-License-Identifier: MIT */
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>
#include <pcm/messages.h>

#include "command.h"
#include "describe.h"
#include "linked.h"
#include "models.h"

static struct {
    pcm_context *context;
    pcm_config  *config;
    char        *answer;
    json         out;
    bool         lists; /* an array of diagnostics is open in the answer */
} page;

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

json *answer_begin(void)
{
    static size_t length;
    free(page.answer);
    page.answer = NULL;
    page.out = (json){.out = open_memstream(&page.answer, &length)};
    json_begin_object(&page.out, NULL);
    return &page.out;
}

const char *answer_end(void)
{
    json_end_object(&page.out);
    (void)fclose(page.out.out);
    return page.answer;
}

static void put_place(json *j, const pcm_place *place)
{
    json_text(j, "file", place->file);
    json_integer(j, "line", place->line);
    json_integer(j, "column", place->column);
    json_integer(j, "length", place->length);
}

static void put_fixes(json *j, const pcm_diagnostic *diagnostic)
{
    json_begin_array(j, "fixes");
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++) {
        json_begin_object(j, NULL);
        put_place(j, &diagnostic->fixes[i].place);
        json_text(j, "text", diagnostic->fixes[i].text);
        json_end_object(j);
    }
    json_end_array(j);
}

void reading_put_diagnostic(json *j, const pcm_diagnostic *diagnostic)
{
    static const char *const words[] = {"note", "warning", "error"};
    json_begin_object(j, NULL);
    json_text(j, "severity", words[diagnostic->severity]);
    json_integer(j, "code", diagnostic->code);
    json_text(j, "message", diagnostic->message);
    put_place(j, &diagnostic->place);
    put_fixes(j, diagnostic);
    json_end_object(j);
}

/* A sink: adds the diagnostic to the answer that is being written. */
static void take_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    if (diagnostic->code == PCM_MSG_UNUSED_TYPE)
        return;
    if (page.lists)
        reading_put_diagnostic(&page.out, diagnostic);
    else
        page_report(diagnostic);
}

static json *begin_list(void)
{
    json *j = answer_begin();
    json_begin_array(j, "diagnostics");
    page.lists = true;
    return j;
}

static void end_list(json *j)
{
    page.lists = false;
    json_end_array(j);
}

pcm_config *reading_config(void) { return page.config; }

void reading_take(pcm_context **context, pcm_config **config)
{
    *context = page.context;
    *config = page.config;
    page.context = NULL;
    page.config = NULL;
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

static void close_all(void)
{
    page_forget();
    pcm_config_release(page.config);
    pcm_context_free(page.context);
    page.config = NULL;
    page.context = NULL;
}

const char *page_link(const pcm_library *entry)
{
    close_all();
    json      *j = begin_list();
    const bool room = linked_add(entry);
    page.context = room ? command_context(NULL, take_diagnostic, NULL) : NULL;
    if (room && !page.context)
        linked_drop();
    end_list(j);
    json_bool(j, "good", page.context != NULL);
    return answer_end();
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

static void put_values(json *j, const pcm_type *type)
{
    json_begin_array(j, "values");
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        json_begin_object(j, NULL);
        json_text(j, "name", value.param->name);
        json_text(j, "unit", value.param->unit);
        describe_json(j, "value", &value);
        json_bool(j, "written", value.written);
        json_bool(j, "mixed", value.mixed);
        json_bool(j, "holds", pcm_type_when(type, value.param->when));
        if (value.written)
            put_place(j, &value.place);
        json_end_object(j);
    }
    json_end_array(j);
}

/* NaN: no law of the type declares a round cone. */
static double friction_of(const pcm_type *type)
{
    double friction;
    return pcm_type_friction(type, &friction) ? friction : NAN;
}

static void put_types(json *j)
{
    json_begin_array(j, "types");
    for (size_t i = 0; page.config && i < pcm_config_type_count(page.config); i++) {
        const pcm_type      *type = pcm_config_type_at(page.config, i);
        const pcm_type_info *info = pcm_type_get_info(type);
        json_begin_object(j, NULL);
        json_text(j, "name", info->name);
        json_text(j, "law", info->model->name);
        json_bool(j, "waits", info->params == NULL);
        json_bool(j, "native", info->model->flags & PCM_HOST_CONTACT);
        json_number(j, "friction", friction_of(type));
        put_place(j, &info->place);
        json_begin_array(j, "model");
        models_json(j, info->model, NULL);
        json_end_array(j);
        put_values(j, type);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_rules(json *j)
{
    json_begin_array(j, "rules");
    for (size_t i = 0; i < pcm_config_rule_count(page.config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(page.config, i);
        json_begin_object(j, NULL);
        json_integer(j, "kind", rule.kind);
        json_text(j, "a", rule.a);
        json_text(j, "b", rule.b);
        json_integer(j, "type", pcm_type_get_info(rule.type)->index);
        put_place(j, &rule.place);
        json_end_object(j);
    }
    json_end_array(j);
}

const char *page_read(const char *name, const char *text)
{
    json        *j = begin_list();
    pcm_context *context = command_context(NULL, take_diagnostic, NULL);
    pcm_config  *config = context ? pcm_config_parse(context, name, text, strlen(text)) : NULL;
    end_list(j);
    json_bool(j, "good", config != NULL);
    if (config) {
        close_all();
        page.context = context;
        page.config = config;
        put_types(j);
        put_rules(j);
    } else {
        pcm_context_free(context);
    }
    return answer_end();
}
