/* SPDX-License-Identifier: MIT */
/* advice.c - warnings that a user gets once while a scene runs: objects that overlap at the start, and explicit steps
 * that are too large. */
#include "evaluation.h"
#include <pcm/messages.h>
#include <string.h>

/* Nothing at rest is pushed with more than this many times its weight, all contacts together. */
enum { WEIGHTS = 30 };

/* And nothing is thrown that rises by less than this share of the size of bodies, as weights and depth let it. */
static const double HOP = 0.1;

/* The body from which the tree of a moving object hangs; 0: the object does not move. */
static int tree_of(const pcm_mujoco *host, pcm_object object)
{
    const int body = pcm_mujoco_body(host, object);
    return host->model->body_weldid[body] ? host->model->body_rootid[body] : 0;
}

/* Adds up what contacts push each tree with. */
static void sum_pushes(pcm_mujoco *host)
{
    double          *sums = host->evaluation->tree_push;
    pcm_contact_info info = {.size = sizeof info};
    memset(sums, 0, 3 * host->n_bodies * sizeof *sums);
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || !(info.depth > 0))
            continue;
        mju_addTo3(sums + 3 * tree_of(host, info.follower), info.world_force);
        mju_subFrom3(sums + 3 * tree_of(host, info.base), info.world_force);
    }
}

/* The push on the tree at a side of a contact, all contacts together, in weights of the tree; 0: it does not move. */
static double weights_at(const pcm_mujoco *host, pcm_object side)
{
    const mjModel *model = host->model;
    const int      tree = tree_of(host, side);
    const double   gravity = mju_norm3(model->opt.gravity);
    const double   weight = model->body_subtreemass[tree] * (gravity > 0 ? gravity : 9.81);
    return tree ? mju_norm3(host->evaluation->tree_push + 3 * tree) / weight : 0;
}

static void find_overlap(pcm_mujoco *host)
{
    pcm_contact_info info = {.size = sizeof info};
    pcm_overlap      found = {.start = host->evaluation->overlap.start};
    sum_pushes(host);
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK || !(info.depth > 0))
            continue;
        const double weights = fmax(weights_at(host, info.base), weights_at(host, info.follower));
        const bool   thrown = weights > WEIGHTS && 0.5 * weights * info.depth > HOP * host->model->stat.meansize;
        found.count += thrown;
        if (thrown && (weights > found.weights || (weights == found.weights && info.depth > found.depth))) {
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
        pcm_report(
            host->context, PCM_WARNING, PCM_MSG_OVERLAP,
            "'%.100s' and '%.100s' overlap by %s m at the start, and what moves there is pushed with %s times its "
            "weight (contacts that push it: %zu): move them apart, or let pcm_mujoco_ease (pcm run --ease 0.1) "
            "part them slowly",
            found->a, found->b, pcm_number(found->depth, 3).text, pcm_number(found->weights, 3).text, found->count);
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
        return ", soften the contact type, or choose an integrator under which steps are implicit in contacts: Euler, "
               "implicit, implicitfast or RK4";
    return ", soften the contact type, or call pcm_mujoco_implicit";
}

/* Implicit stages of RK4 are bounded, but do not come to rest; and friction follows the motion that they leave. */
static void note_of_stages(pcm_mujoco *host, const pcm_mujoco_stability *found)
{
    pcm_report(
        host->context, PCM_NOTE, PCM_MSG_STEP_LARGE,
        "RK4 does not resolve the contact of '%.100s' and '%.100s' (%.80s) at this step: it keeps a little motion "
        "at rest, and friction may be off: Euler or implicitfast let it rest, or steps up to %s s",
        found->a, found->b, pcm_type_get_info(found->type)->name, pcm_number(found->step, 3).text);
}

static void advise_of_step(pcm_mujoco *host, double time)
{
    pcm_evaluation      *e = host->evaluation;
    const size_t         contacts = pcm_world_contact_count(host->world);
    const bool           implicit = pcm_implicit_acts(host), stages = host->model->opt.integrator == mjINT_RK4;
    pcm_mujoco_stability found = {.size = sizeof found};
    const double         step = host->model->opt.timestep;
    if (e->step_reported || contacts == 0 || time == e->overlap.start || (implicit && !stages) || is_solved(host) ||
        !is_due(host, contacts))
        return;
    e->most = contacts > e->most ? contacts : e->most;
    if (pcm_mujoco_stable_step(host, &found) != PCM_OK || !(step > found.step))
        return;
    e->step_reported = true;
    if (implicit) {
        note_of_stages(host, &found);
        return;
    }
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
