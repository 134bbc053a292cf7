/* SPDX-License-Identifier: MIT */
/* kinds.c - the table of the kinds of parameters. */
#include "kinds.h"

#include <string.h>

static void write_real(void *field, const pcm_value *value) { memcpy(field, &value->number, sizeof value->number); }

static void write_whole(void *field, const pcm_value *value)
{
    const int64_t whole = (int64_t)value->number;
    memcpy(field, &whole, sizeof whole);
}

static void write_text(void *field, const pcm_value *value) { memcpy(field, &value->text, sizeof value->text); }

static void write_list(void *field, const pcm_value *value) { memcpy(field, &value->list, sizeof value->list); }

const pcm_kind pcm_kinds[] = {
    [PCM_KIND_REAL] = {"a number", sizeof(double), true, write_real},
    [PCM_KIND_INTEGER] = {"a whole number", sizeof(int64_t), true, write_whole},
    [PCM_KIND_SWITCH] = {"true or false", sizeof(int64_t), false, write_whole},
    [PCM_KIND_CHOICE] = {"one word", sizeof(int64_t), false, write_whole},
    [PCM_KIND_TEXT] = {"a text in quotes", sizeof(const char *), false, write_text},
    [PCM_KIND_LIST] = {"a list of numbers (a, b, ...)", sizeof(pcm_list), false, write_list},
};
_Static_assert(sizeof pcm_kinds / sizeof *pcm_kinds == PCM_KINDS, "a kind of parameter has no row");

const char *const *pcm_kind_words(const pcm_param *param)
{
    static const char *const switches[] = {"false", "true", NULL};
    return param->kind == PCM_KIND_SWITCH ? switches : param->kind == PCM_KIND_CHOICE ? param->choices : NULL;
}

pcm_value pcm_kind_default(const pcm_param *param)
{
    const char *const *words = pcm_kind_words(param);
    const char        *text = param->kind == PCM_KIND_TEXT ? (param->text ? param->text : "") : NULL;
    return (pcm_value){.size = sizeof(pcm_value),
                       .param = param,
                       .number = param->fallback,
                       .text = words ? words[(size_t)param->fallback] : text};
}
