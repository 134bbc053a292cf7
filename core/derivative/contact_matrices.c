/* SPDX-License-Identifier: MIT */
/* contact_matrices.c - stiffness and damping of a world's contacts, from the Jacobians of their laws. */
#include "jacobian.h"
#include "guard.h"
#include "evaluate.h"
#include "surface_velocity.h"
#include "world.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>
#include <pcm/spatial.h>

enum { RESULT_COUNT = 6, CAUSE_COUNT = PCM_WRT_VELOCITY_Z + 1, MOST = RESULT_COUNT * CAUSE_COUNT };
enum { RUN = 32 }; /* contacts passed to a law in one call; divides PCM_BLOCK */

/* s: the effect of states within a step is computed over one so short that every law is linear in it. */
static const double short_step = 1e-6;

/* A share of a partial. If a partial changes by more within that step, this may be due to a spring without a damper, or
 * to friction that sticks at one end of the step and slides at the other. A spring causes equal changes in both halves
 * of the step, a jump only in one of them. */
static const double jump = 0.01;

/* The partials of a run of contacts over a step. */
typedef struct pcm_values {
    double  value[MOST][RUN];
    int64_t flag[MOST][RUN];
} pcm_values;

struct pcm_matrices {
    pcm_world     *world;
    pcm_jacobian **jacobians; /* indexed by contact type; NULL: not made yet */
    size_t         capacity;
    double         step; /* s; 0: of no step */
    pcm_values     at_once, later, halfway;
    uint32_t      *sharers; /* of each object, its contacts */
    size_t         sharer_capacity;

    pcm_contact_matrices found[RUN]; /* while the least step is looked for */
};

/* Lists the partials of the type's forces and moments by its motion; those by states are not needed. */
static pcm_jacobian *jacobian_of(const pcm_type *type)
{
    pcm_jacobian *all = pcm_jacobian_new(type, NULL, 0, 0);
    pcm_partial   partials[MOST];
    size_t        count = 0;
    for (size_t i = 0; all && i < pcm_jacobian_count(all); i++) {
        const pcm_partial partial = pcm_jacobian_partial(all, i);
        if (partial.output < RESULT_COUNT && partial.wrt < CAUSE_COUNT)
            partials[count++] = partial;
    }
    pcm_jacobian_free(all);
    return all ? pcm_jacobian_new(type, partials, count, 0) : NULL;
}

/* The Jacobian of a type, made at its first use; NULL if there is no memory. */
static pcm_jacobian *find_jacobian(pcm_matrices *m, const pcm_type *type)
{
    if (!pcm_grow(m->world->context, &m->jacobians, &m->capacity, type->number + 1, sizeof *m->jacobians)) {
        pcm_report(m->world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for contact matrices");
        return NULL;
    }
    pcm_jacobian **known = &m->jacobians[type->number];
    if (*known && (*known)->type != type) { /* the world has its own type since a parameter was set */
        pcm_jacobian_free(*known);
        *known = NULL;
    }
    if (!*known)
        *known = jacobian_of(type);
    return *known;
}

pcm_matrices *pcm_matrices_new(pcm_world *world)
{
    pcm_matrices *m = pcm_allocate(world->context, sizeof *m);
    if (!m) {
        pcm_report(world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for contact matrices");
        return NULL;
    }
    m->world = world;
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_type *type = world->groups[g].type;
        if (type->info.params && !find_jacobian(m, type)) {
            pcm_matrices_free(m);
            return NULL;
        }
    }
    return m;
}

void pcm_matrices_free(pcm_matrices *matrices)
{
    if (!matrices)
        return;
    for (size_t i = 0; i < matrices->capacity; i++)
        pcm_jacobian_free(matrices->jacobians[i]);
    pcm_free(matrices->world->context, matrices->jacobians, matrices->capacity * sizeof *matrices->jacobians);
    pcm_free(matrices->world->context, matrices->sharers, matrices->sharer_capacity * sizeof *matrices->sharers);
    pcm_free(matrices->world->context, matrices, sizeof *matrices);
}

pcm_status pcm_matrices_set_step(pcm_matrices *matrices, double dt)
{
    if (!matrices || !(dt >= 0) || !isfinite(dt))
        return PCM_BAD_ARGUMENT;
    matrices->step = dt;
    return PCM_OK;
}

/* The axes along which a contact's numbers are measured, in world axes. */
typedef struct pcm_axes {
    double frame[3][3]; /* x, y, n of the law's frame */
    double base[3][3];  /* the base's own x, y, z */
} pcm_axes;

static pcm_axes axes_of(const pcm_world *world, const pcm_record *record, size_t lane)
{
    const pcm_scratch *s = world->scratch;
    double             base[9];
    pcm_axes           axes;
    pcm_rotation(world->pose[world->front][pcm_side_object(record->base)].orientation, base);
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < 3; i++)
            axes.base[i][k] = base[3 * k + i];
        axes.frame[0][k] = s->x_axis[k][lane];
        axes.frame[1][k] = s->y_axis[k][lane];
        axes.frame[2][k] = s->contact[3 + k][lane];
    }
    return axes;
}

/* A matrix whose rows are the law's results, in the order of PCM_OUTPUT_... and along the law's axes; its columns are
 * those of the final matrix. */
typedef struct pcm_rows {
    double row[RESULT_COUNT][6];
} pcm_rows;

typedef struct pcm_rows_of_all {
    pcm_rows stiffness, damping, states;
} pcm_rows_of_all;

/* A variable in world axes: its matrix, whether it is a rotation or a translation, and its direction. */
typedef struct pcm_direction {
    pcm_rows     *rows;
    size_t        column; /* 0 rotation, 3 translation */
    const double *axis;
    double        sign;
} pcm_direction;

static pcm_direction direction_of(uint32_t by, const pcm_axes *axes, pcm_rows_of_all *m)
{
    switch (by) {
    case PCM_WRT_DEPTH:
        return (pcm_direction){&m->stiffness, 3, axes->frame[2], -1};
    case PCM_WRT_DEPTH_RATE:
        return (pcm_direction){&m->damping, 3, axes->frame[2], -1};
    case PCM_WRT_SLIP_X:
    case PCM_WRT_SLIP_Y:
        return (pcm_direction){&m->damping, 3, axes->frame[by - PCM_WRT_SLIP_X], 1};
    case PCM_WRT_X:
    case PCM_WRT_Y:
    case PCM_WRT_Z:
        return (pcm_direction){&m->stiffness, 3, axes->base[by - PCM_WRT_X], 1};
    case PCM_WRT_VELOCITY_X:
    case PCM_WRT_VELOCITY_Y:
    case PCM_WRT_VELOCITY_Z:
        return (pcm_direction){&m->damping, 3, axes->base[by - PCM_WRT_VELOCITY_X], 1};
    default: /* spin x, y, n */
        return (pcm_direction){&m->damping, 0, axes->frame[by - PCM_WRT_SPIN_X], 1};
    }
}

static void add_partial(uint32_t of, const pcm_direction *d, double value)
{
    for (size_t k = 0; k < 3; k++)
        d->rows->row[of][d->column + k] -= value * d->sign * d->axis[k];
}

/* Rotates rows of results to world axes. */
static void turn_rows(const pcm_rows *rows, const pcm_model *model, const pcm_axes *axes, double scale, double m[36])
{
    static const size_t axis_of[] = {[PCM_OUTPUT_FORCE_N] = 2,  [PCM_OUTPUT_FORCE_X] = 0,  [PCM_OUTPUT_FORCE_Y] = 1,
                                     [PCM_OUTPUT_MOMENT_N] = 2, [PCM_OUTPUT_MOMENT_X] = 0, [PCM_OUTPUT_MOMENT_Y] = 1};
    const size_t        end = model->outputs & PCM_MOMENT ? RESULT_COUNT : PCM_OUTPUT_MOMENT_N;
    const size_t        begin = model->inputs & PCM_SPIN ? 0 : 3; /* the first column */
    for (size_t of = 0; of < end; of++) {
        const double *along = (model->flags & PCM_BASE_AXES ? axes->base : axes->frame)[axis_of[of]];
        double       *block = m + (of < PCM_OUTPUT_MOMENT_N ? 18 : 0);
        for (size_t i = 0; i < 3; i++)
            for (size_t k = begin; k < 6; k++)
                block[6 * i + k] += scale * along[i] * rows->row[of][k];
    }
}

/* flags: whether they are wanted. */
static void evaluate_over(pcm_jacobian *jacobian, const pcm_batch *batch, double dt, pcm_values *result, bool flagged)
{
    const size_t count = pcm_jacobian_count(jacobian);
    double      *values[MOST];
    int64_t     *flags[MOST];
    pcm_batch    over = *batch;
    over.dt = dt;
    for (size_t k = 0; k < count; k++) {
        values[k] = result->value[k];
        flags[k] = result->flag[k];
    }
    pcm_jacobian_evaluate(jacobian, &over, values, flagged ? flags : NULL);
}

/* Over how long states count. */
static double span_of(const pcm_matrices *matrices) { return matrices->step > 0 ? matrices->step : short_step; }

/* Whether some partial is not 0 (all are if the contact no longer touches), and whether one is one-sided. */
static bool has_partials(const pcm_matrices *matrices, size_t count, bool follows, size_t lane, bool *one_sided)
{
    bool    some = false;
    int64_t flags = 0;
    for (size_t k = 0; k < count; k++) {
        some |= matrices->at_once.value[k][lane] != 0 || (follows && matrices->later.value[k][lane] != 0);
        flags |= matrices->at_once.flag[k][lane];
    }
    *one_sided = flags & PCM_PARTIAL_ONE_SIDED;
    return some;
}

static bool may_jump(const pcm_matrices *matrices, size_t partial, size_t lane)
{
    const double before = matrices->at_once.value[partial][lane], after = matrices->later.value[partial][lane];
    return fabs(after - before) > jump * fmax(fabs(before), fabs(after));
}

static bool some_may_jump(const pcm_matrices *matrices, size_t count, size_t lanes)
{
    for (size_t k = 0; k < count; k++)
        for (size_t lane = 0; lane < lanes; lane++)
            if (may_jump(matrices, k, lane))
                return true;
    return false;
}

/* The growth of a partial within the step, per second. */
static double growth_of(const pcm_matrices *matrices, size_t partial, size_t lane)
{
    const double before = matrices->at_once.value[partial][lane], after = matrices->later.value[partial][lane];
    if (!may_jump(matrices, partial, lane))
        return (after - before) / short_step;
    const double amid = matrices->halfway.value[partial][lane], early = amid - before, late = after - amid;
    return (fabs(early) < fabs(late) ? early : late) / (0.5 * short_step);
}

/* The immediate effect of a velocity is damping. Its effect through the states grows with time, since they follow the
 * displacement, and so counts as stiffness; over a step it is damping as well. scale: that of the contact's force, for
 * a patch. */
static void add_partials(const pcm_matrices *matrices, const pcm_jacobian *jacobian, const pcm_model *model,
                         size_t lane, const pcm_axes *axes, double scale, pcm_contact_matrices *m)
{
    const bool      follows = model->states.count > 0, steps = follows && matrices->step > 0;
    pcm_rows_of_all rows = {{{{0}}}, {{{0}}}, {{{0}}}};
    for (size_t k = 0; k < pcm_jacobian_count(jacobian); k++) {
        const pcm_partial partial = pcm_jacobian_partial(jacobian, k);
        const double      now = matrices->at_once.value[k][lane], then = matrices->later.value[k][lane];
        pcm_direction     d = direction_of(partial.wrt, axes, &rows);
        if (now == 0 && (!follows || then == 0))
            continue;
        const bool moves = d.rows == &rows.damping;
        add_partial(partial.output, &d, steps ? then : now);
        d.rows = steps ? &rows.states : &rows.stiffness;
        if (moves && follows)
            add_partial(partial.output, &d, steps ? then - now : growth_of(matrices, k, lane));
    }
    turn_rows(&rows.stiffness, model, axes, scale, m->stiffness);
    turn_rows(&rows.damping, model, axes, scale, m->damping);
    turn_rows(&rows.states, model, axes, scale, m->states);
}

/* Rows that one run of the pipeline evaluates, RUN of them at most. */
static size_t run_length(const pcm_group *group, size_t row, size_t wanted)
{
    const size_t live_end = row < group->live ? group->live : group->count;
    const size_t left = live_end - row, block = PCM_BLOCK - row % PCM_BLOCK;
    const size_t most = left < block ? left : block, least = wanted < most ? wanted : most;
    return least < RUN ? least : RUN;
}

/* The position of the contact, and its force. */
static void add_place(const pcm_world *world, const pcm_record *record, size_t lane, pcm_contact_matrices *m)
{
    const pcm_scratch *s = world->scratch;
    m->base = pcm_world_handle(world, pcm_side_object(record->base));
    m->follower = pcm_world_handle(world, pcm_side_object(record->follower));
    m->reported = !s->absent[lane];
    for (size_t k = 0; k < 3 && m->reported; k++) {
        m->force[k] = s->wrench[k][lane];
        m->point[k] = s->contact[k][lane];
        m->frame[3 * k] = s->x_axis[k][lane];
        m->frame[3 * k + 1] = s->y_axis[k][lane];
        m->frame[3 * k + 2] = s->contact[3 + k][lane];
    }
    if (m->reported)
        pcm_surface_relative(world, record, m->point, m->surface_velocity);
}

/* Writes the matrices of `count` rows to results, each of `size` bytes. */
static pcm_status find_run(pcm_matrices *matrices, pcm_group *group, size_t row, size_t count, void *results,
                           size_t size)
{
    pcm_world    *world = matrices->world;
    pcm_jacobian *jacobian = find_jacobian(matrices, group->type);
    const bool    follows = group->model->states.count > 0;
    pcm_status    status = PCM_OK;
    if (!jacobian)
        return PCM_NO_MEMORY;
    pcm_world_reevaluate(world, group, row, count);
    world->looked = (pcm_looked){group, row, count};
    evaluate_over(jacobian, &world->scratch->batch, 0, &matrices->at_once, true);
    if (follows)
        evaluate_over(jacobian, &world->scratch->batch, span_of(matrices), &matrices->later, false);
    if (follows && matrices->step == 0 && some_may_jump(matrices, pcm_jacobian_count(jacobian), count))
        evaluate_over(jacobian, &world->scratch->batch, 0.5 * short_step, &matrices->halfway, false);
    for (size_t lane = 0; lane < count && status == PCM_OK; lane++) {
        void                 *result = (char *)results + lane * size;
        pcm_contact_matrices  own;
        pcm_contact_matrices *known = size == sizeof own ? result : &own;
        *known = (pcm_contact_matrices){.size = sizeof own};
        known->type = group->type;
        add_place(world, &group->record[row + lane], lane, known);
        if (has_partials(matrices, pcm_jacobian_count(jacobian), follows, lane, &known->one_sided)) {
            const pcm_axes axes = axes_of(world, &group->record[row + lane], lane);
            add_partials(matrices, jacobian, group->model, lane, &axes, group->scales ? world->scratch->scale[lane] : 1,
                         known);
        }
        if (known == &own)
            status = pcm_info_fill(world->context, "pcm_contact_matrices", result, size, known);
    }
    return status;
}

static const char before_update[] = "matrices are those of an update";

static pcm_status find_matrices(pcm_matrices *matrices, pcm_contact contact, pcm_contact_matrices *result,
                                const char *call)
{
    pcm_world *world = matrices->world;
    if (!pcm_world_lives(world, contact))
        return PCM_BAD_HANDLE;
    if (!pcm_world_is_evaluated(world))
        return pcm_world_reject(world, PCM_BAD_ORDER, call, before_update);
    const pcm_contact_slot *slot = &world->slots[contact.index];
    return find_run(matrices, &world->groups[slot->group], slot->row, 1, result, result->size);
}

pcm_status pcm_matrices_contact(pcm_matrices *matrices, pcm_contact contact, pcm_contact_matrices *result)
{
    pcm_world *world = matrices ? matrices->world : NULL;
    pcm_status status = pcm_world_enter(world, result != NULL, __func__);
    if (status != PCM_OK)
        return status;
    status = find_matrices(matrices, contact, result, __func__);
    pcm_world_leave(world);
    return status;
}

static pcm_status list_matrices(pcm_matrices *matrices, size_t first, size_t count, char *results, size_t size)
{
    pcm_world *world = matrices->world;
    pcm_status status = PCM_OK;
    for (size_t g = 0; g < world->n_groups && count > 0 && status == PCM_OK; g++) {
        pcm_group *group = &world->groups[g];
        size_t     row = first < group->count ? first : group->count;
        first -= row;
        while (row < group->count && count > 0 && status == PCM_OK) {
            const size_t run = run_length(group, row, count);
            status = find_run(matrices, group, row, run, results, size);
            row += run;
            count -= run;
            results += run * size;
        }
    }
    return status;
}

pcm_status pcm_matrices_list(pcm_matrices *matrices, size_t first, size_t count, pcm_contact_matrices *results,
                             size_t result_size)
{
    pcm_world *world = matrices ? matrices->world : NULL;
    pcm_status status = pcm_world_enter(world, results != NULL || count == 0, __func__);
    if (status != PCM_OK)
        return status;
    const size_t there = pcm_world_contact_count(world);
    if (!pcm_world_is_evaluated(world))
        status = pcm_world_reject(world, PCM_BAD_ORDER, __func__, before_update);
    else if (first > there || count > there - first)
        status = pcm_world_reject(world, PCM_BAD_ARGUMENT, __func__,
                                  "there are not so many contacts: see pcm_world_contact_count");
    else
        status = list_matrices(matrices, first, count, (char *)results, result_size);
    pcm_world_leave(world);
    return status;
}

/* The largest |eigenvalue| of the lower right 3 by 3 block is at most this. */
static double bound(const double m[36])
{
    double largest = 0;
    for (size_t i = 3; i < 6; i++) {
        double row = 0;
        for (size_t k = 3; k < 6; k++)
            row += fabs(m[6 * i + k]);
        largest = fmax(largest, row);
    }
    return largest;
}

double pcm_matrices_step(const pcm_contact_matrices *matrices, double mass)
{
    /* v' = v - h (k x + c v) / m, x' = x + h v' is stable while h^2 k + 2 h c <= 4 m. */
    const double k = bound(matrices->stiffness), c = bound(matrices->damping);
    if (k == 0)
        return c > 0 ? 2 * mass / c : INFINITY;
    return 4 * mass / (c + sqrt(c * c + 4 * k * mass));
}

static void count_sharers(pcm_matrices *m)
{
    const pcm_world *world = m->world;
    memset(m->sharers, 0, world->n_bodies * sizeof *m->sharers);
    for (size_t g = 0; g < world->n_groups; g++)
        for (size_t row = 0; row < world->groups[g].count; row++) {
            m->sharers[pcm_side_object(world->groups[g].record[row].base)]++;
            m->sharers[pcm_side_object(world->groups[g].record[row].follower)]++;
        }
}

/* The largest step on the contact's shares of both objects. */
static double step_of(const pcm_matrices *m, const pcm_contact_matrices *contact)
{
    const double     turns = 3.5;
    const pcm_world *world = m->world;
    const pcm_object sides[2] = {contact->base, contact->follower};
    double           least = INFINITY;
    for (size_t i = 0; i < 2; i++) {
        const uint32_t object = sides[i].index;
        const double   heavy = turns * world->twist[world->front][object].inverse_mass * m->sharers[object];
        if (!world->bodies[object].fixed && heavy > 0)
            least = fmin(least, pcm_matrices_step(contact, 1 / heavy));
    }
    return least;
}

static pcm_status find_least(pcm_matrices *m, double *least, pcm_contact_matrices *contact)
{
    const size_t count = pcm_world_contact_count(m->world);
    if (!pcm_world_is_evaluated(m->world))
        return pcm_world_reject(m->world, PCM_BAD_ORDER, "pcm_matrices_least_step", before_update);
    if (!pcm_grow(m->world->context, &m->sharers, &m->sharer_capacity, m->world->n_bodies, sizeof *m->sharers)) {
        pcm_report(m->world->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for contact matrices");
        return PCM_NO_MEMORY;
    }
    count_sharers(m);
    pcm_status status = PCM_OK;
    for (size_t first = 0; first < count && status == PCM_OK; first += RUN) {
        const size_t run = count - first < RUN ? count - first : RUN;
        status = list_matrices(m, first, run, (char *)m->found, sizeof *m->found);
        for (size_t i = 0; i < run && status == PCM_OK; i++) {
            const double step = m->found[i].reported ? step_of(m, &m->found[i]) : INFINITY;
            if (!(step < *least))
                continue;
            *least = step;
            if (contact)
                status = pcm_info_fill(m->world->context, "pcm_contact_matrices", contact, contact->size, &m->found[i]);
        }
    }
    return status;
}

double pcm_matrices_least_step(pcm_matrices *matrices, pcm_contact_matrices *contact)
{
    pcm_world *world = matrices ? matrices->world : NULL;
    double     least = INFINITY;
    if (pcm_world_enter(world, true, __func__) != PCM_OK)
        return NAN;
    const double step = matrices->step;
    matrices->step = 0; /* explicit steps meet the stiffness of the next instant */
    if (find_least(matrices, &least, contact) != PCM_OK)
        least = NAN;
    matrices->step = step;
    pcm_world_leave(world);
    return least;
}
