/* SPDX-License-Identifier: MIT */
/* run_cvode.c - pcm run --solver cvode: error control, and a table of located events.
 *
 * There is no advice on the step here: implicit methods are stable at any step. */
#include <math.h>
#include <pcm/cvode.h>
#include <pcm/messages.h>

#include "interrupt.h"
#include "run.h"

static void take_event(void *user, const pcm_cvode_event *event)
{
    run *r = user;
    if (!r->writes_events)
        return;
    csv_put_number(&r->events, event->time);
    csv_put_text(&r->events, event->name);
    csv_put_text(&r->events, event->direction > 0 ? "rising" : "falling");
    csv_put_text(&r->events, event->type);
    csv_put_text(&r->events, event->a);
    csv_put_text(&r->events, event->b);
    csv_put_number(&r->events, (double)event->feature);
    csv_end_row(&r->events);
}

/* With short steps there are many evaluations between two rows, so they update the progress bar too. */
static void set_controls(void *user, mjData *data)
{
    run *r = user;
    series_at(&r->controls, data->time, data->ctrl);
    run_show_progress(r);
}

static void take_commit(void *user) { thrown_meet(&((run *)user)->thrown); }

static bool open_events(run *r)
{
    if (!r->options->events)
        return true;
    if (!csv_create(&r->events, r->options->events))
        return false;
    static const char *const names[] = {"time", "event", "direction", "type", "a", "b", "feature"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        csv_put_text(&r->events, names[i]);
    csv_end_row(&r->events);
    r->writes_events = true;
    return true;
}

/* The time between commits. There is at least one for each step of the scene, for logs, statistics and history states,
 * and one at each row. */
static double commit_step(const run *r)
{
    const double step = r->model->opt.timestep, every = r->options->every;
    return every > 0 ? every / ceil(every / step - 1e-6) : step;
}

static bool advance(run *r, pcm_cvode *solver)
{
    const double step = commit_step(r);
    const size_t steps = (size_t)ceil((r->end - r->start) / step - 1e-6);
    run_record(r);
    for (size_t i = 1; i <= steps && !interrupt_asked(); i++) {
        const double from = r->data->time;
        if (pcm_cvode_advance(solver, fmin(r->start + (double)i * step, r->end)) != PCM_OK ||
            pcm_world_flush(pcm_mujoco_world(r->host)) != PCM_OK)
            return false;
        record_step(r);
        thrown_step(&r->thrown, r->data->time - from);
        (void)thrown_look(&r->thrown);
        run_record(r);
    }
    return true;
}

bool run_with_cvode(run *r)
{
    pcm_cvode_def def = pcm_cvode_defaults();
    def.rtol = r->options->rtol > 0 ? r->options->rtol : def.rtol;
    def.atol = r->options->atol > 0 ? r->options->atol : def.atol;
    def.user = r;
    def.event = take_event;
    def.control = set_controls;
    def.committed = take_commit;
    pcm_cvode *solver = open_events(r) ? pcm_cvode_new(r->context, r->host, &def) : NULL;
    const bool done = solver && advance(r, solver);
    pcm_cvode_free(solver);
    return (!r->writes_events || csv_finish(&r->events)) && done;
}
