/* SPDX-License-Identifier: MIT */
#include "outside.h"

#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "lanes.h"

enum { BATCHES = 4 };

typedef struct trial {
    subject subject;
    lanes   lanes;
    motion  motion;
    size_t  params_size;
    void   *params; /* as they were */
} trial;

static bool prepare(trial *t, const pcm_type *type)
{
    const pcm_model *model = pcm_type_get_info(type)->model;
    t->params_size = model->params.count > 0 ? pcm_model_param(model, 0)->params_size : 0;
    t->params = malloc(t->params_size + 1);
    if (!t->params || !subject_borrow(&t->subject, type) || !lanes_open(&t->lanes, &t->subject))
        return false;
    if (t->params_size > 0)
        memcpy(t->params, t->subject.info->params, t->params_size);
    return true;
}

static void finish(trial *t)
{
    free(t->params);
    lanes_close(&t->lanes);
    subject_close(&t->subject);
}

static bool keeps_inside(const trial *t)
{
    const pcm_type_info *info = t->subject.info;
    const char          *beyond = lanes_overrun(&t->lanes), *input = beyond ? NULL : lanes_spoilt_input(&t->lanes);
    const bool           params = t->params_size > 0 && memcmp(t->params, info->params, t->params_size) != 0;
    if (beyond || input)
        command_error(PCM_MSG_LAW_ENDED_RUN, "the law %s of contact type '%s' writes %s %s; try it with pcm verify",
                      info->model->name, info->name,
                      beyond ? "beyond its lanes of" : "to what it reads:", beyond ? beyond : input);
    else if (params)
        command_error(PCM_MSG_LAW_ENDED_RUN,
                      "the law %s of contact type '%s' writes to its parameters; try it with pcm verify",
                      info->model->name, info->name);
    return !beyond && !input && !params;
}

static bool try_type(trial *t, const pcm_type *type)
{
    static const pcm_verb_kind verbs[] = {PCM_ESTABLISH, PCM_FORCES, PCM_UPDATE};
    dice                       d = {1};
    bool                       good = true;
    for (int i = 0; good && i < BATCHES; i++) {
        motion_roll_new(&t->subject, &d, &t->motion);
        for (size_t v = 0; good && v < sizeof verbs / sizeof *verbs; v++) {
            lanes_show(&t->lanes, &t->motion, 0);
            lanes_call(&t->lanes, type, verbs[v], 0, t->motion.count);
            good = keeps_inside(t);
        }
    }
    return good;
}

bool outside_try(const pcm_config *config, void (*calls)(const pcm_type *type))
{
    bool good = true;
    for (size_t i = 0; good && i < pcm_config_type_count(config); i++) {
        const pcm_type *type = pcm_config_type_at(config, i);
        trial          *t = pcm_type_get_info(type)->params ? calloc(1, sizeof *t) : NULL;
        if (t && prepare(t, type)) {
            if (calls)
                calls(type);
            good = try_type(t, type);
        }
        if (t)
            finish(t);
        free(t);
    }
    if (calls)
        calls(NULL);
    return good;
}
