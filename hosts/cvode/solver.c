/* SPDX-License-Identifier: MIT */
/* solver.c - integrates the motion and the contacts with CVODE, from event to event. */
#include "../mujoco/base/release.h"
#include "system.h"
#include <pcm/messages.h>
#include <cvode/cvode.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

struct pcm_cvode {
    pcm_system      system;
    SUNContext      sundials;
    void           *memory;
    N_Vector        y, tolerances;
    SUNMatrix       matrix;
    SUNLinearSolver linear;
    int            *fired; /* one for each root function */
    size_t          fired_capacity;
    double          committed; /* s, time of the last commit */
    double          reached;   /* s, the time that CVODE has reached */
};

void pcm_cvode_defaults_into(pcm_cvode_def *def, size_t size)
{
    const pcm_cvode_def defaults = {
        .size = sizeof defaults, .rtol = 1e-6, .atol = 1e-9, .max_step = 0.01, .reach = 0.1};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

/* ---- Callbacks of CVODE ------------------------------------------------------------------------------------------ */

/* CVODE tries a smaller step after a positive answer and gives up after a negative one. */
static int answer(pcm_system *system, pcm_status status)
{
    if (status == PCM_OK)
        return 0;
    if (status == PCM_BAD_MOTION)
        return 1;
    if (system->status == PCM_OK)
        system->status = status;
    return -1;
}

static int on_rates(double time, N_Vector y, N_Vector rates, void *user)
{
    pcm_system   *system = user;
    const double *values = N_VGetArrayPointer(y);
    const int     failed = answer(system, pcm_system_evaluate(system, time, values, 0));
    if (!failed)
        pcm_system_rates(system, values, N_VGetArrayPointer(rates));
    return failed;
}

static int on_roots(double time, N_Vector y, double *roots, void *user)
{
    pcm_system *system = user;
    const int   failed = answer(system, pcm_system_evaluate(system, time, N_VGetArrayPointer(y), 0));
    if (!failed)
        pcm_system_roots(system, roots);
    return failed ? -1 : 0;
}

/* Whether CVODE gave up because the system could not be evaluated. */
static bool is_evaluation(int code) { return code <= CV_RHSFUNC_FAIL && code >= CV_RTFUNC_FAIL; }

/* Whether CVODE gave up because no step was short enough. */
static bool is_stall(int code) { return code == CV_ERR_FAILURE || code == CV_CONV_FAILURE; }

static void on_message(int code, const char *module, const char *function, char *message, void *user)
{
    const pcm_system *system = user;
    (void)module;
    if (is_evaluation(code) || is_stall(code) || code == CV_TOO_MUCH_WORK) /* reported elsewhere, with the reason */
        return;
    pcm_report(system->context, code < 0 ? PCM_ERROR : PCM_WARNING, PCM_MSG_SOLVER, "CVODE, %s: %s", function, message);
}

/* ---- Restarting -------------------------------------------------------------------------------------------------- */

static void forget(pcm_cvode *solver)
{
    if (solver->memory)
        CVodeFree(&solver->memory);
    if (solver->linear)
        SUNLinSolFree(solver->linear);
    if (solver->matrix)
        SUNMatDestroy(solver->matrix);
    if (solver->tolerances)
        N_VDestroy(solver->tolerances);
    if (solver->y)
        N_VDestroy(solver->y);
    solver->memory = NULL;
    solver->linear = NULL;
    solver->matrix = NULL;
    solver->tolerances = solver->y = NULL;
}

/* Rising: a place begins to touch. Falling: a contact's gap passes its separation. Laws give the directions of their
 * own events. */
static void set_directions(const pcm_system *system, int *directions)
{
    for (size_t i = 0; i < system->n_touch_roots; i++)
        directions[i] = 1;
    for (size_t i = 0; i < system->n_contacts; i++) {
        const pcm_tracked *tracked = &system->contacts[i];
        const pcm_model   *model = pcm_type_get_info(tracked->type)->model;
        for (uint32_t k = 0; k < model->events.count; k++)
            directions[tracked->first_root + k] = pcm_model_event(model, k)->direction;
        directions[tracked->first_root + model->events.count] = -1;
    }
}

static bool find_roots(pcm_cvode *solver)
{
    set_directions(&solver->system, solver->fired);
    return CVodeRootInit(solver->memory, (int)solver->system.n_roots, on_roots) == CV_SUCCESS &&
           CVodeSetRootDirection(solver->memory, solver->fired) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(solver->memory) == CV_SUCCESS;
}

static bool configure(pcm_cvode *solver)
{
    pcm_system *system = &solver->system;
    return CVodeSetErrHandlerFn(solver->memory, on_message, system) == CV_SUCCESS &&
           CVodeInit(solver->memory, on_rates, system->data->time, solver->y) == CV_SUCCESS &&
           CVodeSetUserData(solver->memory, system) == CV_SUCCESS &&
           CVodeSVtolerances(solver->memory, system->def.rtol, solver->tolerances) == CV_SUCCESS &&
           CVodeSetLinearSolver(solver->memory, solver->linear, solver->matrix) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(solver->memory, PCM_ROUND) == CV_SUCCESS &&
           CVodeSetMaxHnilWarns(solver->memory, -1) == CV_SUCCESS &&
           (system->def.max_step <= 0 || CVodeSetMaxStep(solver->memory, system->def.max_step) == CV_SUCCESS) &&
           (system->n_roots == 0 || find_roots(solver));
}

static pcm_status reserve_fired(pcm_cvode *solver)
{
    const bool room = pcm_grow(solver->system.context, &solver->fired, &solver->fired_capacity,
                               solver->system.n_roots + 1, sizeof *solver->fired);
    return room ? PCM_OK : pcm_system_no_memory(&solver->system);
}

/* Restarts CVODE. After an event its record of earlier steps is invalid, and y may have a different length. */
static pcm_status start(pcm_cvode *solver)
{
    pcm_system *system = &solver->system;
    forget(solver);
    if (reserve_fired(solver) != PCM_OK)
        return PCM_NO_MEMORY;
    const sunindextype n = (sunindextype)system->n;
    solver->y = N_VNew_Serial(n, solver->sundials);
    solver->tolerances = N_VNew_Serial(n, solver->sundials);
    solver->matrix = SUNDenseMatrix(n, n, solver->sundials);
    if (!solver->y || !solver->tolerances || !solver->matrix)
        return pcm_system_no_memory(system);
    solver->linear = SUNLinSol_Dense(solver->y, solver->matrix, solver->sundials);
    solver->memory = CVodeCreate(CV_BDF, solver->sundials);
    if (!solver->linear || !solver->memory)
        return pcm_system_no_memory(system);
    pcm_system_read(system, N_VGetArrayPointer(solver->y));
    pcm_system_tolerances(system, N_VGetArrayPointer(solver->tolerances));
    return configure(solver) ? PCM_OK : PCM_BAD_HOST;
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

static void tell(pcm_system *system, const pcm_tracked *tracked, const char *name, int direction)
{
    const pcm_cvode_event event = {.size = sizeof event,
                                   .time = system->data->time,
                                   .name = name,
                                   .type = pcm_type_get_info(tracked->type)->name,
                                   .a = tracked->base,
                                   .b = tracked->follower,
                                   .feature = tracked->feature,
                                   .direction = direction};
    pcm_system_tell(system, &event);
}

/* Reports the events of live contacts, and marks the contacts that part. */
static void mark_contacts(pcm_cvode *solver)
{
    for (size_t i = 0; i < solver->system.n_contacts; i++) {
        pcm_tracked     *tracked = &solver->system.contacts[i];
        const pcm_model *model = pcm_type_get_info(tracked->type)->model;
        const int       *fired = solver->fired + tracked->first_root;
        for (uint32_t k = 0; k < model->events.count; k++)
            if (fired[k])
                tell(&solver->system, tracked, pcm_model_event(model, k)->name, fired[k]);
        tracked->apart = fired[model->events.count] != 0;
        if (tracked->apart)
            tell(&solver->system, tracked, PCM_PARTED_EVENT, -1);
    }
}

static pcm_status jump(pcm_cvode *solver)
{
    pcm_status status = PCM_OK;
    for (size_t i = 0; status == PCM_OK && i < solver->system.n_contacts; i++) {
        const pcm_tracked *tracked = &solver->system.contacts[i];
        const pcm_model   *model = pcm_type_get_info(tracked->type)->model;
        for (uint32_t k = 0; status == PCM_OK && k < model->events.count; k++)
            if (solver->fired[tracked->first_root + k] && pcm_model_event(model, k)->jumps)
                status = pcm_world_jump(solver->system.world, tracked->contact, k);
        if (status == PCM_BAD_HANDLE) /* the event ended it */
            status = PCM_OK;
    }
    return status;
}

static pcm_status commit(pcm_cvode *solver, double time)
{
    pcm_system      *system = &solver->system;
    const pcm_status status = pcm_system_commit(system, time, N_VGetArrayPointer(solver->y), time - solver->committed);
    solver->committed = time;
    if (status == PCM_OK && system->def.committed)
        system->def.committed(system->def.user);
    return status;
}

/* Marks the pairs that begin to touch: at their onset, and possibly again where they overlap. */
static void mark_pairs(pcm_cvode *solver)
{
    pcm_system  *system = &solver->system;
    const size_t pairs = pcm_mujoco_pair_count(system->host);
    for (size_t i = 0; i < pairs; i++) {
        const bool overlaps = pairs + i < system->n_touch_roots && solver->fired[pairs + i];
        system->pair_begins[i] = overlaps ? 0 : solver->fired[i] ? 0 - system->pair_onset[i] : NAN;
    }
}

static pcm_status pass_event(pcm_cvode *solver, double time)
{
    pcm_system *system = &solver->system;
    bool        changed;
    if (CVodeGetRootInfo(solver->memory, solver->fired) != CV_SUCCESS)
        return PCM_BAD_HOST;
    pcm_status status = pcm_system_evaluate(system, time, N_VGetArrayPointer(solver->y), 0);
    if (status != PCM_OK)
        return status;
    mark_contacts(solver);
    mark_pairs(solver);
    system->places = PCM_PLACES_EVENT;
    status = commit(solver, time);
    if (status == PCM_OK)
        status = jump(solver);
    if (status == PCM_OK)
        status = pcm_system_track(system, &changed);
    if (status != PCM_OK)
        return status;
    return start(solver);
}

/* ---- The public calls -------------------------------------------------------------------------------------------- */

static pcm_status open_solver(pcm_cvode *solver)
{
    pcm_system *system = &solver->system;
    bool        changed;
    if (system->model->nv == 0) {
        pcm_report(system->context, PCM_ERROR, PCM_MSG_SOLVER,
                   "nothing in the scene moves: there is nothing to integrate");
        return PCM_BAD_HOST;
    }
    if (pcm_release_yields(system->model)) {
        pcm_report(system->context, PCM_ERROR, PCM_MSG_SOLVER,
                   "a spring of the scene yields (springyield, yield), which only MuJoCo's own integrators follow: "
                   "choose one of them");
        return PCM_BAD_HOST;
    }
    if (SUNContext_Create(NULL, &solver->sundials) != 0)
        return pcm_system_no_memory(system);
    pcm_status status = pcm_system_open(system);
    if (status == PCM_OK) /* ends contacts of an earlier trial that was not committed */
        status = pcm_system_evaluate(system, system->data->time, NULL, 0);
    if (status == PCM_OK)
        status = pcm_system_track(system, &changed);
    if (status == PCM_OK)
        status = start(solver);
    if (status != PCM_OK)
        return status;
    system->places = PCM_PLACES_BEGIN;
    status = commit(solver, system->data->time);
    if (status == PCM_OK)
        status = pcm_system_track(system, &changed);
    return status == PCM_OK ? start(solver) : status;
}

static bool fill(pcm_context *context, const pcm_cvode_def *def, pcm_cvode_def *filled)
{
    *filled = pcm_cvode_defaults();
    if (!pcm_def_fill(context, "pcm_cvode_def", filled, def))
        return false;
    if (filled->rtol >= 0 && filled->atol > 0 && filled->reach > 0)
        return true;
    pcm_report(context, PCM_ERROR, PCM_MSG_BAD_DEF, "a tolerance or the reach of pcm_cvode_def is not above zero");
    return false;
}

/* A run that stops before a commit has to report the faults that the commit would have reported. */
static pcm_status explain(const pcm_cvode *solver, pcm_status status)
{
    if (status == PCM_BAD_MOTION || status == PCM_BAD_INPUT)
        pcm_world_report_faults(solver->system.world);
    return status;
}

pcm_cvode *pcm_cvode_new(pcm_context *context, pcm_mujoco *host, const pcm_cvode_def *def)
{
    pcm_cvode_def filled;
    if (!fill(context, def, &filled))
        return NULL;
    pcm_cvode *solver = pcm_allocate(context, sizeof *solver);
    if (!solver) {
        pcm_system_no_memory(&(pcm_system){.context = context});
        return NULL;
    }
    solver->system = (pcm_system){.context = context,
                                  .host = host,
                                  .world = pcm_mujoco_world(host),
                                  .model = pcm_mujoco_model(host),
                                  .data = pcm_mujoco_data(host),
                                  .def = filled};
    solver->committed = solver->system.data->time;
    if (explain(solver, open_solver(solver)) == PCM_OK)
        return solver;
    pcm_cvode_free(solver);
    return NULL;
}

void pcm_cvode_free(pcm_cvode *solver)
{
    if (!solver)
        return;
    pcm_context *context = solver->system.context;
    pcm_mujoco_use_solver(solver->system.host, NULL);
    forget(solver);
    SUNContext_Free(&solver->sundials);
    pcm_free(context, solver->fired, solver->fired_capacity * sizeof *solver->fired);
    pcm_system_close(&solver->system);
    pcm_free(context, solver, sizeof *solver);
}

static pcm_status finish(pcm_cvode *solver, double time)
{
    bool       changed;
    pcm_status status = commit(solver, time);
    if (status == PCM_OK)
        status = pcm_system_track(&solver->system, &changed);
    return status == PCM_OK && (changed || solver->system.history_stepped) ? start(solver) : status;
}

/* The status for a return of CVODE without progress. */
static pcm_status fail(pcm_cvode *solver, int result)
{
    pcm_system *system = &solver->system;
    if (system->status != PCM_OK)
        return system->status;
    if (is_stall(result))
        pcm_system_tell_stall(system, solver->memory, solver->y, PCM_ERROR, "finds no step that is short enough");
    return is_evaluation(result) ? PCM_BAD_MOTION : PCM_BAD_HOST;
}

/* Integrates from the present time to `time`, an event, or the end of a round of steps. */
static pcm_status go_on(pcm_cvode *solver, double time)
{
    double reached = solver->reached;
    if (CVodeSetStopTime(solver->memory, time) != CV_SUCCESS)
        return PCM_BAD_HOST;
    const int    result = CVode(solver->memory, time, solver->y, &reached, CV_NORMAL);
    const double headway = reached - solver->reached;
    solver->reached = reached;
    if (result == CV_TOO_MUCH_WORK)
        return pcm_system_judge_headway(&solver->system, solver->memory, solver->y, headway);
    if (result < 0)
        return fail(solver, result);
    return result == CV_ROOT_RETURN ? pass_event(solver, reached) : finish(solver, time);
}

pcm_status pcm_cvode_advance(pcm_cvode *solver, double time)
{
    pcm_status status = PCM_OK;
    if (!pcm_system_fits(&solver->system))
        return pcm_mujoco_forward(solver->system.host);
    solver->system.status = PCM_OK;
    solver->system.span = time - solver->committed;
    solver->reached = solver->committed;
    while (status == PCM_OK && solver->committed < time)
        status = go_on(solver, time);
    return explain(solver, status);
}
