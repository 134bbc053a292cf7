/* SPDX-License-Identifier: MIT */
#include "outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "child.h"
#include "crash.h"
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

static bool writes_params(const pcm_type_info *info)
{
    command_error(PCM_MSG_LAW_ENDED_RUN,
                  "the law %s of contact type '%s' writes to or beside its parameters; try it with pcm verify",
                  info->model->name, info->name);
    return true;
}

static bool keeps_inside(const trial *t)
{
    const pcm_type_info *info = t->subject.info;
    const char          *beyond = lanes_overrun(&t->lanes), *input = beyond ? NULL : lanes_spoilt_input(&t->lanes);
    const bool           params = t->params_size > 0 && memcmp(t->params, info->params, t->params_size) != 0;
    if (beyond || input)
        command_error(PCM_MSG_LAW_ENDED_RUN, "the law %s of contact type '%s' writes %s %s; try it with pcm verify",
                      info->model->name, info->name,
                      beyond ? "beyond its lanes of" : "to or beside what it reads:", beyond ? beyond : input);
    return !beyond && !input && !(params && writes_params(info));
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
        good = good && (lanes_keeps_params(&t->lanes) || !writes_params(t->subject.info));
    }
    return good;
}

/* started: hears that another type is tried; NULL: nobody. */
static bool try_all(const pcm_config *config, void (*started)(void))
{
    bool good = true;
    for (size_t i = 0; good && i < pcm_config_type_count(config); i++) {
        const pcm_type *type = pcm_config_type_at(config, i);
        trial          *t = pcm_type_get_info(type)->params ? calloc(1, sizeof *t) : NULL;
        if (t && prepare(t, type)) {
            if (started)
                started();
            good = try_type(t, type);
        }
        if (t)
            finish(t);
        free(t);
    }
    return good;
}

/* ---- In a process of its own ------------------------------------------------------------------------------------ */

typedef struct job {
    const pcm_config *config;
    bool             *good; /* shared */
} job;

static void work(void *user)
{
    const job *j = user;
    *j->good = try_all(j->config, child_start_clock);
}

static const char *describe_breach(const child_report *report)
{
    switch (report->end) {
    case CHILD_CRASHED:
        return strsignal(report->signal);
    case CHILD_STACK:
        return "it used up the stack";
    case CHILD_LEFT:
        return "it ended its process";
    default:
        return "it does not return";
    }
}

bool outside_try(const pcm_config *config)
{
    enum { SECONDS = 600 };
    job                j = {config, child_share(sizeof *j.good)};
    bool               good = true;
    char               call[192];
    const child_report report = j.good ? child_run(work, &j, SECONDS, false) : (child_report){.end = CHILD_NONE};
    if (report.end == CHILD_DONE)
        good = *j.good;
    else if (report.end == CHILD_NONE)
        good = try_all(config, NULL);
    else if (report.end != CHILD_SLOW) {
        good = false;
        if (!crash_describe(call, sizeof call))
            (void)snprintf(call, sizeof call, "a law");
        command_error(PCM_MSG_LAW_ENDED_RUN, "%s: %s; try it with pcm verify", call, describe_breach(&report));
        crash_call(NULL, NULL);
    }
    child_unshare(j.good, sizeof *j.good);
    return good;
}
