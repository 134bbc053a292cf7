/* SPDX-License-Identifier: MIT */
/* advice.c - warnings that a user gets once while a scene runs: objects that overlap at the start, steps that are
 * too large, and explicit steps after pcm_mujoco_implicit. */
#include "evaluation.h"
#include <pcm/messages.h>

/* No body at rest presses with more than this many times the weight of the lighter side. */
enum { WEIGHTS = 30 };

/* N, the weight of the lighter of the moving sides. */
static double weight_at(const pcm_mujoco *host, const pcm_contact_info *info)
{
    const mjModel *model = host->model;
    const double   gravity = mju_norm3(model->opt.gravity);
    const int      bodies[2] = {pcm_mujoco_body(host, info->base), pcm_mujoco_body(host, info->follower)};
    double         mass = INFINITY;
    for (int side = 0; side < 2; side++) {
        const int root = model->body_rootid[bodies[side]];
        if (root > 0 && model->body_weldid[bodies[side]] != 0)
            mass = fmin(mass, model->body_subtreemass[root]);
    }
    return mass * (gravity > 0 ? gravity : 9.81);
}

static void find_overlap(pcm_mujoco *host)
{
    pcm_contact_info info = {.size = sizeof info};
    pcm_overlap      found = {.start = host->evaluation->overlap.start};
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || !(info.depth > 0))
            continue;
        const double weights = mju_norm3(info.world_force) / weight_at(host, &info);
        found.count += weights > WEIGHTS;
        if (weights > fmax(WEIGHTS, found.weights)) {
            found.weights = weights;
            found.depth = info.depth;
            found.a = info.base_name;
            found.b = info.follower_name;
        }
    }
    host->evaluation->overlap = found;
}

/* Called after the first step, so that there is no warning if the user has turned on easing. */
static void report_overlap(pcm_mujoco *host)
{
    pcm_evaluation    *e = host->evaluation;
    const pcm_overlap *found = &e->overlap;
    e->overlap_reported = true;
    if (found->count > 0 && !e->overlaps)
        pcm_report(host->context, PCM_WARNING, PCM_MSG_OVERLAP,
                   "'%.100s' and '%.100s' overlap by %s m at the start, and are pushed apart with %s times the weight "
                   "of what moves there (such contacts: %zu): move them apart, or let pcm_mujoco_ease (pcm run --ease "
                   "0.1) part them slowly",
                   found->a, found->b, pcm_number(found->depth, 3).text, pcm_number(found->weights, 3).text,
                   found->count);
}

/* Whether a solver other than our own for RK4 makes the steps. */
static bool is_solved(const pcm_mujoco *host)
{
    return host->evaluation->has_solver && host->evaluation->solver.user != host;
}

/* Whether the check is due. It costs some evaluations, so it runs at the first contacts, whenever their number has
 * doubled, and when the number of evaluations with contacts reaches a power of two. */
static bool is_due(pcm_mujoco *host, size_t contacts)
{
    const uint64_t pressed = ++host->evaluation->pressed;
    return (pressed & (pressed - 1)) == 0 || contacts > 2 * host->evaluation->most;
}

static const char *way_out(const mjModel *model)
{
    if (!PCM_RELEASE_KNOWS_INERTIA)
        return " or soften the contact type";
    if (pcm_release_explicit_integrator(model))
        return ", soften the contact type, or call pcm_mujoco_implicit and pcm_mujoco_step, which need the integrator "
               "Euler, implicit or implicitfast";
    return ", soften the contact type, or call pcm_mujoco_implicit and pcm_mujoco_step";
}

static void advise_of_step(pcm_mujoco *host, double time)
{
    pcm_evaluation      *e = host->evaluation;
    const size_t         contacts = pcm_world_contact_count(host->world);
    pcm_mujoco_stability found = {.size = sizeof found};
    const double         step = host->model->opt.timestep;
    if (e->step_reported || contacts == 0 || time == e->overlap.start || e->implicit.on || is_solved(host) ||
        !is_due(host, contacts))
        return;
    e->most = contacts > e->most ? contacts : e->most;
    if (pcm_mujoco_stable_step(host, &found) != PCM_OK || !(step > found.step))
        return;
    e->step_reported = true;
    pcm_report(
        host->context, PCM_WARNING, PCM_MSG_STEP_LARGE,
        "the step of %s s is too large: by its stiffness, its damping and the inertia of its bodies, the contact of "
        "'%.100s' and '%.100s' (%.80s) at t = %s s is stable up to %s s: shorten it%s",
        pcm_number(step, 3).text, found.a, found.b, pcm_type_get_info(found.type)->name, pcm_number(time, 4).text,
        pcm_number(found.step, 3).text, way_out(host->model));
}

static void advise_of_overlap(pcm_mujoco *host, double time)
{
    pcm_evaluation *e = host->evaluation;
    if (e->overlap_reported)
        return;
    if (time != e->overlap.start)
        report_overlap(host);
    else if (e->overlap.count == 0)
        find_overlap(host);
}

void pcm_advise(pcm_mujoco *host, double time)
{
    if (host->source)
        return;
    if (isnan(host->evaluation->overlap.start))
        host->evaluation->overlap.start = time;
    advise_of_overlap(host, time);
    advise_of_step(host, time);
}

void pcm_advise_of_loop(pcm_mujoco *host)
{
    pcm_evaluation *e = host->evaluation;
    if (!e->implicit.on || e->explicit_reported)
        return;
    e->explicit_reported = true;
    pcm_report(
        host->context, PCM_WARNING, PCM_MSG_NOT_IMPLICIT,
        "steps of mj_step are explicit in contacts, whatever pcm_mujoco_implicit asked for: call pcm_mujoco_step");
}
