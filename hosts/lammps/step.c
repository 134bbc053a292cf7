/* SPDX-License-Identifier: MIT */
/* step.c - a step of all contacts of a rank, law by law in blocks: each block passes through all stages while its
 * columns are in the nearest cache. */
#include "step.h"

#include <math.h>
#include <pcm/bond.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 72 }; /* states and a frame; a model has at most 64 columns of states */

/* ---- From atoms to columns --------------------------------------------------------------------------------------- */

static bool is_face(int32_t side) { return side >= PCM_LAMMPS_FACE; }

/* Fills in a wall, which is flat and immovable: its radius and mass are 0. */
static void gather_wall(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    const pcm_lammps_atoms *atoms = p->atoms;
    pcm_lammps_block       *b = &s->block;
    for (size_t i = 0; i < p->count; i++) {
        const pcm_lammps_pairing *pairing = &p->pairing[i];
        const double             *place = p->wall->place[p->rows[i]];
        const bool                on_wall = is_face(pairing->base);
        const size_t              atom = (size_t)(on_wall ? pairing->follower : pairing->base);
        const double              side = on_wall ? 1 : -1, radius = atoms->radius[atom], mass = atoms->mass[atom];
        for (size_t k = 0; k < 3; k++) {
            const double omega = atoms->omega[3 * atom + k];
            b->away[k][i] = side * place[k];
            b->velocity[k][i] = side * (atoms->v[3 * atom + k] - place[3 + k]);
            b->base_omega[k][i] = on_wall ? p->pose->omega[k] : omega;
            b->follower_omega[k][i] = on_wall ? omega : p->pose->omega[k];
            b->centre[k][i] = atoms->x[3 * atom + k];
        }
        b->base_radius[i] = on_wall ? 0 : radius;
        b->follower_radius[i] = on_wall ? radius : 0;
        b->base_mass[i] = on_wall ? 0 : mass;
        b->follower_mass[i] = on_wall ? mass : 0;
    }
    s->kernels->place(plan, b, p->count);
}

/* Starts a new frame: its x axis is the simulation's x axis, projected to the tangent plane, or the y axis where x is
 * nearly normal. Spheres have no axes of their own. */
static void begin_frame(pcm_lammps_block *b, size_t i)
{
    const double *d[3] = {b->away[0], b->away[1], b->away[2]};
    const double  square = d[0][i] * d[0][i] + d[1][i] * d[1][i] + d[2][i] * d[2][i];
    const size_t  axis = square - d[0][i] * d[0][i] > 1e-6 * square ? 0u : 1u;
    double        length = 0;
    for (size_t k = 0; k < 3; k++) {
        b->old_axis[k][i] = (k == axis ? 1 : 0) - d[axis][i] * d[k][i] / square;
        length += b->old_axis[k][i] * b->old_axis[k][i];
    }
    for (size_t k = 0; k < 3; k++)
        b->old_axis[k][i] /= sqrt(length);
}

static void begin_normal(pcm_lammps_block *b, size_t i)
{
    double square = 0;
    for (size_t k = 0; k < 3; k++)
        square += b->away[k][i] * b->away[k][i];
    for (size_t k = 0; k < 3; k++)
        b->was[k][i] = b->away[k][i] / sqrt(square);
}

/* The stored columns other than states: the x axis if it is carried, and at a wall the normal, which does not follow
 * from the motion alone. */
static size_t list_frame(const pcm_lammps_pass *p, double *const x_axis[3], pcm_lammps_column normal[3],
                         double *frame[6])
{
    size_t n = 0;
    for (size_t k = 0; p->law->carries && k < 3; k++)
        frame[n++] = x_axis[k];
    for (size_t k = 0; (p->law->carries || p->law->turns) && p->wall && k < 3; k++)
        frame[n++] = normal[k];
    return n;
}

/* The addresses of the pointers to all stored columns: those of the frame, then of states, or of vectors instead.
 * Returns their number. */
static size_t list_memory(const pcm_lammps_law *law, double **frame, size_t n, double **state, double **vector,
                          double **memory[])
{
    for (size_t k = 0; k < n; k++)
        memory[k] = &frame[k];
    for (size_t i = 0; i < law->model->states.count; i++) {
        const uint32_t shape = pcm_model_state(law->model, i)->shape;
        const bool     is_vector = law->turns && shape == PCM_TANGENT;
        for (uint32_t k = 0; k < (is_vector ? 3 : pcm_columns_of(shape)); k++)
            memory[n++] = is_vector ? vector++ : &state[k];
        state += pcm_columns_of(shape);
    }
    return n;
}

static void begin(const pcm_lammps_pass *p, pcm_lammps_scratch *s, size_t i)
{
    for (uint32_t k = 0; k < p->law->n_state; k++)
        s->state[k][i] = 0;
    for (uint32_t k = 0; k < p->law->n_vector; k++)
        s->vector[k][i] = 0;
    if (p->law->carries)
        begin_frame(&s->block, i);
    if (p->wall)
        begin_normal(&s->block, i);
}

/* Takes a stored column: the column itself if `stays`, else a copy. */
static void take_column(const pcm_lammps_pass *p, size_t k, bool stays, double **column)
{
    double *memory = p->wall ? NULL : pcm_lammps_memory(p->contacts, p->first) + k * PCM_LAMMPS_CHUNK;
    for (size_t i = 0; p->wall && i < p->count; i++)
        (*column)[i] = pcm_lammps_memory(p->contacts, p->rows[i])[k * PCM_LAMMPS_CHUNK];
    if (stays)
        *column = memory;
    else if (memory)
        memcpy(*column, memory, p->count * sizeof *memory);
}

/* Takes the stored history of pairings, and starts the new ones. Columns between atoms that are only read are used in
 * place, and so is the frame if the step advances. */
static void gather_memory(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    pcm_lammps_block *b = &s->block;
    const bool        projects = p->law->carries && p->contacts->laws->kinematics != PCM_LAMMPS_POINT;
    double           *frame[6], **column[MOST_COLUMNS];
    for (uint32_t k = 0; k < 3; k++)
        b->x_axis[k] = b->own_axis[k];
    for (uint32_t k = 0; k < p->law->n_state; k++)
        s->state[k] = s->columns[k];
    for (uint32_t k = 0; k < p->law->n_vector; k++)
        s->vector[k] = s->columns[3 * s->n_state + k];
    const size_t n_frame = list_frame(p, b->x_axis, b->was, frame);
    const size_t n = list_memory(p->law, frame, n_frame, s->state, s->vector, column);
    for (size_t k = 0; k < n; k++)
        take_column(p, k, !p->wall && !projects && !p->law->bonds, column[k]);
    for (uint32_t k = 0; p->law->carries && k < 3; k++) {
        b->old_axis[k] = frame[k];
        b->x_axis[k] = p->step->advance ? frame[k] : b->own_axis[k];
    }
    for (size_t i = 0; p->n_new > 0 && i < p->count; i++)
        if (p->pairing[i].life != PCM_LAMMPS_LIVE)
            begin(p, s, i);
}

/* Finds contacts that have parted. Live contacts between atoms are not tested before this point. */
static void find_absent(const pcm_lammps_pass *p, pcm_lammps_scratch *s, size_t apart)
{
    const double least = -p->law->separation;
    double      *depth = s->block.depth;
    s->n_absent = 0;
    if (p->wall || p->law->lingers)
        return;
    for (size_t i = 0; apart > 0 && i < p->count; i++) {
        s->absent[i] = p->pairing[i].life == PCM_LAMMPS_LIVE && depth[i] < least;
        s->n_absent += s->absent[i];
        depth[i] = s->absent[i] ? least : depth[i];
    }
}

/* Contacts that live on while their atoms are apart are infinitely far, and at rest. */
static void set_nowhere(const pcm_lammps_pass *p, pcm_lammps_block *b)
{
    if (!p->law->lingers)
        return;
    for (size_t i = 0; i < p->count; i++)
        if (b->depth[i] < -p->law->separation) {
            b->depth[i] = PCM_FAR;
            b->depth_rate[i] = b->slip_x[i] = b->slip_y[i] = b->spin_x[i] = b->spin_y[i] = b->spin_n[i] = 0;
        }
}

/* ---- The law ----------------------------------------------------------------------------------------------------- */

static void fill_inputs(const pcm_lammps_law *law, pcm_lammps_scratch *s, size_t count)
{
    const uint32_t n = pcm_type_get_info(law->type)->n_host_inputs;
    for (uint32_t k = 0; k < n; k++) {
        const double value = pcm_type_input_fallback(law->type, k);
        for (size_t i = 0; i < count; i++)
            s->input[k][i] = value;
    }
}

/* Gives new contacts the law's initial state. */
static void establish(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    const pcm_lammps_pairing *pairing = p->pairing;
    for (uint32_t k = 0; k < p->law->n_state; k++)
        memset(s->next[k], 0, p->count * sizeof *s->next[k]);
    for (size_t i = 0; i < p->count; i++)
        s->block.fresh[i] = pairing[i].fresh && !p->contacts->stepped;
    pcm_type_call(p->law->type, PCM_ESTABLISH, &s->batch);
    for (uint32_t k = 0; k < p->law->n_state; k++)
        for (size_t i = 0; i < p->count; i++)
            if (pairing[i].life != PCM_LAMMPS_LIVE)
                s->state[k][i] = s->next[k][i];
}

/* Bonds contacts that live already, if the script asks for it; and counts those with and without a bond. */
static void bond(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    pcm_lammps_laws *laws = p->contacts->laws;
    pcm_lammps_law  *law = &laws->law[p->law - laws->law];
    size_t           made = 0;
    if (!law->bonds && !(law->counts && p->step->advance))
        return;
    for (size_t i = 0; i < p->count; i++)
        s->block.fresh[i] = 1;
    (void)pcm_type_bond(law->type, &s->batch, &made);
    for (uint32_t k = 0; law->bonds && k < law->n_state; k++)
        memcpy(s->state[k], s->next[k], p->count * sizeof *s->state[k]);
    if (p->step->advance) {
        law->bare += (double)made;
        law->bonded += (double)(p->count - made);
    }
}

/* Scales the results by the rule's factor for the pair; each contact here is a pair of its own. */
static void scale_results(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    pcm_lammps_block *b = &s->block;
    pcm_lammps_column force_t, pull, scale, area;
    int64_t           life[PCM_LAMMPS_BLOCK];
    for (size_t i = 0; i < p->count; i++) {
        const bool rubs = p->law->model->outputs & PCM_FRICTION;
        force_t[i] = rubs ? sqrt(b->force_x[i] * b->force_x[i] + b->force_y[i] * b->force_y[i]) : 0;
        pull[i] = b->force_n[i] < 0 ? -b->force_n[i] : 0;
        area[i] = NAN;
    }
    pcm_type_call_pairs(p->law->type,
                        &(pcm_pair_batch){sizeof(pcm_pair_batch), p->count, p->step->time, p->step->dt, p->law->params,
                                          b->one, b->force_n, force_t, pull, area, b->depth, b->energy, scale, life});
    double *const scaled[] = {b->force_n,  b->force_x,  b->force_y, b->moment_n,
                              b->moment_x, b->moment_y, b->energy,  b->dissipation};
    for (size_t k = 0; k < sizeof scaled / sizeof *scaled; k++)
        for (size_t i = 0; i < p->count; i++)
            scaled[k][i] *= scale[i];
    for (size_t i = 0; i < p->count; i++) {
        pcm_lammps_scale_flows(p, s, i, scale[i]);
        const int64_t own = p->law->model->outputs & PCM_LIFE ? b->life[i] : PCM_LIVE;
        b->life[i] = own > life[i] ? own : life[i];
    }
}

/* ---- The results ------------------------------------------------------------------------------------------------- */

bool pcm_lammps_is_withheld(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i)
{
    const pcm_lammps_block *b = &s->block;
    if (s->n_absent > 0 && s->absent[i])
        return true;
    return p->law->model->outputs & PCM_ONSET && p->pairing[i].life != PCM_LAMMPS_LIVE &&
           !pcm_type_begins(p->law->type, b->depth[i], b->onset[i]);
}

static void withhold(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    double *const given[] = {s->block.force_n,  s->block.force_x,  s->block.force_y, s->block.moment_n,
                             s->block.moment_x, s->block.moment_y, s->block.energy,  s->block.dissipation};
    const bool    some = p->law->model->outputs & PCM_ONSET || s->n_absent > 0;
    for (size_t i = 0; some && i < p->count; i++) {
        if (!pcm_lammps_is_withheld(p, s, i))
            continue;
        for (size_t k = 0; k < sizeof given / sizeof *given; k++)
            given[k][i] = 0;
        pcm_lammps_scale_flows(p, s, i, 0);
    }
}

/* The life of a contact after the step. */
static uint8_t next_life(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i)
{
    const pcm_lammps_block *b = &s->block;
    const int64_t           life = p->law->ends ? b->life[i] : PCM_LIVE;
    const bool              touched = b->depth[i] >= -p->law->separation;
    double                  next[64];
    if (life == PCM_LIVE && touched)
        return PCM_LAMMPS_LIVE;
    for (uint32_t k = 0; k < p->law->n_state && k < 64; k++)
        next[k] = s->next[k][i];
    switch (pcm_type_outcome(p->law->type, touched, b->depth[i], life, next)) {
    case PCM_OUTCOME_KEPT:
        return PCM_LAMMPS_LIVE;
    case PCM_OUTCOME_BROKEN: {
        const double onset = p->law->model->outputs & PCM_ONSET ? b->onset[i] : INFINITY;
        return pcm_type_begins(p->law->type, b->depth[i], onset) ? PCM_LAMMPS_BROKEN : PCM_LAMMPS_NONE;
    }
    case PCM_OUTCOME_PARTED:
        break;
    }
    return PCM_LAMMPS_NONE;
}

static void keep_memory(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    double      *frame[6], **column[MOST_COLUMNS];
    const size_t n_frame = list_frame(p, s->block.x_axis, s->block.normal, frame);
    const size_t n = list_memory(p->law, frame, n_frame, s->next, s->vector, column);
    if (p->law->turns)
        s->kernels->keep(plan, &s->block, s->next, s->vector, p->count);
    for (size_t k = 0; !p->wall && k < n; k++) {
        double *memory = pcm_lammps_memory(p->contacts, p->first) + k * PCM_LAMMPS_CHUNK;
        if (memory != *column[k])
            memcpy(memory, *column[k], p->count * sizeof *memory);
    }
    for (size_t i = 0; p->wall && i < p->count; i++)
        for (size_t k = 0; k < n; k++)
            pcm_lammps_memory(p->contacts, p->rows[i])[k * PCM_LAMMPS_CHUNK] = (*column[k])[i];
}

/* Whether all contacts live on after the step, because no output of the law can end them. */
static bool is_plain(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    return !p->law->ends && !p->law->lingers && !(p->law->model->outputs & PCM_ONSET) && s->n_absent == 0;
}

static void remember(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    const bool plain = is_plain(p, s);
    keep_memory(p, plan, s);
    for (size_t i = 0; plain && p->n_new > 0 && i < p->count; i++)
        p->pairing[i].life = PCM_LAMMPS_LIVE;
    for (size_t i = 0; !plain && i < p->count; i++)
        p->pairing[i].life = pcm_lammps_is_withheld(p, s, i) ? (uint8_t)PCM_LAMMPS_NONE : next_life(p, s, i);
}

/* Adds the force and torque on the wall, about its pivot. */
static void push_wall(const pcm_lammps_pass *p, const pcm_lammps_block *b, size_t i)
{
    const bool on_wall = is_face(p->pairing[i].base);
    double     arm[3], force[3];
    for (size_t k = 0; k < 3; k++) {
        const double back = on_wall ? -b->follower_arm[i] : b->base_arm[i];
        arm[k] = b->centre[k][i] + back * b->normal[k][i] - p->pose->at[k];
        force[k] = on_wall ? -b->force[k][i] : b->force[k][i];
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t l = (k + 1) % 3, m = (k + 2) % 3;
        p->wall->force[k] += force[k];
        p->wall->torque[k] += arm[l] * force[m] - arm[m] * force[l];
        p->wall->torque[k] += on_wall ? -b->moment[k][i] : b->moment[k][i];
    }
}

/* The mode of a contact: its law's, or touching if it has a force and its law has no modes. */
static int64_t mode_of(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i)
{
    const pcm_lammps_block *b = &s->block;
    if (p->law->model->outputs & PCM_MODE)
        return b->mode[i];
    return b->force_n[i] != 0 || b->force_x[i] != 0 || b->force_y[i] != 0 ? PCM_TOUCHING : PCM_SEPARATED;
}

static void show(const pcm_lammps_pass *p, const pcm_lammps_scratch *s, size_t i, double *state,
                 pcm_lammps_contact *contact)
{
    const pcm_lammps_pairing *pairing = &p->pairing[i];
    const pcm_lammps_block   *b = &s->block;
    *contact = (pcm_lammps_contact){.base = pairing->base,
                                    .follower = pairing->follower,
                                    .name = pcm_type_get_info(p->law->type)->name,
                                    .normal_force = b->force_n[i],
                                    .depth = b->depth[i],
                                    .energy = b->energy[i],
                                    .dissipation = b->dissipation[i],
                                    .mode = mode_of(p, s, i),
                                    .n_state = p->law->n_state,
                                    .state = state};
    for (size_t k = 0; k < 3; k++) {
        contact->away[k] = b->away[k][i];
        contact->point[k] = p->atoms->x[3 * pairing->base + (int)k] + b->base_arm[i] * b->normal[k][i];
        contact->force[k] = b->force[k][i];
        contact->moment[k] = b->moment[k][i];
    }
    for (uint32_t k = 0; k < p->law->n_state; k++)
        state[k] = s->next[k][i];
}

/* How many sides of a contact belong to this rank: one between two ranks has one side on each. */
static int sides(const pcm_lammps_pass *p, const pcm_lammps_pairing *pairing)
{
    const int n_local = p->atoms->n_local;
    return p->wall ? 2 : (pairing->base < n_local) + (pairing->follower < n_local);
}

/* How many sides of the block's contacts are atoms of this rank, between atoms. Kept from step to step. */
static size_t count_own(const pcm_lammps_pass *p)
{
    uint8_t *kept = &p->contacts->chunk[p->first / PCM_LAMMPS_CHUNK].own;
    if (*kept == 0)
        for (size_t i = 0; i < p->count; i++)
            *kept = (uint8_t)(*kept + sides(p, &p->pairing[i]));
    return *kept;
}

static void sum_up(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    const pcm_lammps_block *b = &s->block;
    pcm_lammps_step        *step = p->step;
    step->touching += p->wall ? (double)p->count : 0.5 * (double)count_own(p);
    for (size_t i = 0; s->n_absent > 0 && i < p->count; i++)
        step->touching -= s->absent[i] ? 0.5 * sides(p, &p->pairing[i]) : 0;
    for (size_t i = 0; step->reports && i < p->count; i++) {
        const double part = 0.5 * sides(p, &p->pairing[i]);
        step->stored += part * b->energy[i];
        step->dissipation += part * b->dissipation[i];
    }
}

static const char *kind(int32_t side) { return is_face(side) ? "face" : "atom"; }
static int         number(const pcm_lammps_pass *p, int32_t side)
{
    return is_face(side) ? side - PCM_LAMMPS_FACE : p->atoms->tag[side];
}

/* Reports the first contact with a result that is not finite. */
static bool report_fault(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    for (size_t i = 0; i < p->count; i++) {
        const pcm_lammps_pairing *pairing = &p->pairing[i];
        const pcm_lammps_block   *b = &s->block;
        double                    zero = 0 * (b->force_n[i] + b->force_x[i] + b->force_y[i]);
        zero += pcm_lammps_check_flows(p, s, i);
        for (uint32_t k = 0; k < p->law->n_state; k++)
            zero += 0 * s->next[k][i];
        if (zero == 0 && !(p->law->ends && b->life[i] == PCM_INVALID))
            continue;
        return pcm_lammps_fail(
            p->contacts->laws,
            "contact type %s gives no finite force between %s %d and %s %d (depth %g m): their motion "
            "is not finite, their centres are in one place, or the timestep is too long for the law",
            pcm_type_get_info(p->law->type)->name, kind(pairing->base), number(p, pairing->base),
            kind(pairing->follower), number(p, pairing->follower), b->depth[i]);
    }
    return true;
}

/* Whether states and flows are finite, and the law reports no fault. */
static bool is_sound(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, const pcm_lammps_scratch *s)
{
    bool sound = s->kernels->check(plan, s->next, p->count) == 0;
    for (size_t i = 0; p->law->ends && i < p->count; i++)
        sound = sound && (s->block.life[i] != PCM_INVALID || (s->n_absent > 0 && s->absent[i]));
    for (size_t i = 0; p->law->n_amounts > 0 && i < p->count; i++)
        sound = sound && pcm_lammps_check_flows(p, s, i) == 0;
    return sound;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static pcm_lammps_plan plan_of(const pcm_lammps_pass *p)
{
    pcm_lammps_plan plan = {.law = p->law,
                            .native = p->contacts->laws->kinematics != PCM_LAMMPS_POINT,
                            .granular = p->contacts->laws->kinematics == PCM_LAMMPS_GRANULAR,
                            .dt = p->step->dt,
                            .pose = p->pose};
    if (!p->wall) {
        plan.width = p->contacts->width;
        plan.memory = pcm_lammps_memory(p->contacts, p->next - p->next % PCM_LAMMPS_CHUNK);
        plan.pairing = p->contacts->pairing + p->next;
    }
    return plan;
}

/* Evaluates a block, from the atoms to the law's outputs. */
static void evaluate(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    if (p->wall)
        gather_wall(p, plan, s);
    else
        s->exchange->gather(plan, p->atoms, p->pairing, &s->block, p->count);
    gather_memory(p, s);
    const size_t apart = s->kernels->motion(plan, &s->block, s->vector, s->state, p->count);
    find_absent(p, s, apart);
    set_nowhere(p, &s->block);
    fill_inputs(p->law, s, p->count);
    if (p->law->model->inputs & PCM_SHAPED)
        pcm_lammps_fill_shape(p, &s->block);
    if (p->law->n_amounts > 0)
        pcm_lammps_gather_amounts(p, s);
    s->batch.count = p->count;
    s->batch.time = p->step->time;
    s->batch.dt = p->step->dt;
    s->batch.params = p->law->params;
    s->batch.reports = p->step->reports;
    if (p->n_new > 0)
        establish(p, s);
    bond(p, s);
    if (p->step->stability)
        pcm_lammps_stability_probe(p, s);
    pcm_type_call(p->law->type, p->step->reports ? PCM_UPDATE : PCM_FORCES, &s->batch);
    s->kernels->step(plan, s->state, s->rate, s->next, p->count);
    if (p->law->scales)
        scale_results(p, s);
    withhold(p, s);
}

/* Computes forces and torques from the law's outputs. False: some are not finite. */
static bool find_results(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    return s->kernels->results(plan, &s->block, p->count) == 0 && is_sound(p, plan, s);
}

/* Adds forces and torques to the atoms; in one pass if nothing else reads them. False: some are not finite. */
static bool apply(const pcm_lammps_pass *p, const pcm_lammps_plan *plan, pcm_lammps_scratch *s)
{
    pcm_lammps_block *b = &s->block;
    if (!p->wall && !p->step->see)
        return s->exchange->spread(plan, p->atoms, p->pairing, b, count_own(p) == 2 * p->count, p->count) == 0 &&
               is_sound(p, plan, s);
    if (!find_results(p, plan, s))
        return false;
    s->exchange->scatter(p->atoms, p->pairing, b, p->count);
    for (size_t i = 0; p->wall && i < p->count; i++)
        push_wall(p, b, i);
    return true;
}

/* A law never writes the columns that it does not declare: they have to be zero. */
static void clear_undeclared(const pcm_lammps_law *law, pcm_lammps_scratch *s)
{
    pcm_lammps_block *b = &s->block;
    if (s->law == law)
        return;
    s->law = law;
    const uint32_t outputs = law->model->outputs;
    if (!(outputs & PCM_FRICTION)) {
        memset(b->force_x, 0, sizeof b->force_x);
        memset(b->force_y, 0, sizeof b->force_y);
    }
    if (!(outputs & PCM_MOMENT)) {
        memset(b->moment_x, 0, sizeof b->moment_x);
        memset(b->moment_y, 0, sizeof b->moment_y);
        memset(b->moment_n, 0, sizeof b->moment_n);
        memset(b->moment, 0, sizeof b->moment);
    }
    if (!(outputs & PCM_ENERGY))
        memset(b->energy, 0, sizeof b->energy);
    if (!(outputs & PCM_DISSIPATION))
        memset(b->dissipation, 0, sizeof b->dissipation);
}

static bool run_block(const pcm_lammps_pass *p)
{
    pcm_lammps_scratch   *s = p->contacts->scratch;
    const pcm_lammps_plan plan = plan_of(p);
    clear_undeclared(p->law, s);
    evaluate(p, &plan, s);
    if (!apply(p, &plan, s))
        return report_fault(p, s);
    if (p->law->n_amounts > 0)
        pcm_lammps_scatter_flows(p, s);
    sum_up(p, s);
    if (p->step->stability)
        pcm_lammps_stability_add(p, s);
    for (size_t i = 0; p->step->see && i < p->count; i++) {
        if (s->n_absent > 0 && s->absent[i])
            continue;
        double             state[64];
        pcm_lammps_contact contact;
        show(p, s, i, state, &contact);
        p->step->see(p->step->user, &contact);
    }
    if (p->step->advance)
        remember(p, &plan, s);
    return true;
}

/* ---- All pairs --------------------------------------------------------------------------------------------------- */

/* Makes scratch for the present laws. */
static bool ready_scratch(pcm_lammps_contacts *contacts)
{
    const pcm_lammps_laws    *laws = contacts->laws;
    const pcm_lammps_scratch *s = contacts->scratch;
    if (s && s->n_laws == laws->n_laws && s->n_state == laws->max_state && s->n_vector == laws->max_vector &&
        s->n_events == laws->max_events && s->n_inputs == laws->max_inputs && s->n_amounts == laws->max_amounts)
        return true;
    pcm_lammps_scratch_free(contacts->scratch);
    contacts->scratch = pcm_lammps_scratch_new(laws);
    contacts->clear = 0;
    return contacts->scratch || pcm_lammps_fail(contacts->laws, "no memory is left");
}

bool pcm_lammps_begin(pcm_lammps_contacts *contacts, pcm_lammps_step *step)
{
    if (!ready_scratch(contacts))
        return false;
    step->touching = step->stored = step->dissipation = 0;
    memset(contacts->scratch->n_waiting, 0, contacts->scratch->n_laws * sizeof *contacts->scratch->n_waiting);
    memset(contacts->scratch->n_new, 0, contacts->scratch->n_laws * sizeof *contacts->scratch->n_new);
    return true;
}

static bool run_waiting(const pcm_lammps_pass *pass, size_t law)
{
    pcm_lammps_scratch *s = pass->contacts->scratch;
    pcm_lammps_pass     p = *pass;
    p.law = &p.contacts->laws->law[law];
    p.pairing = s->pairing;
    p.rows = s->waiting + law * PCM_LAMMPS_BLOCK;
    p.count = s->n_waiting[law];
    p.n_new = s->n_new[law];
    s->n_waiting[law] = s->n_new[law] = 0;
    for (size_t i = 0; i < p.count; i++)
        s->pairing[i] = p.contacts->pairing[p.rows[i]];
    const bool good = p.count == 0 || run_block(&p);
    for (size_t i = 0; i < p.count; i++)
        p.contacts->pairing[p.rows[i]].life = s->pairing[i].life;
    return good;
}

bool pcm_lammps_add(const pcm_lammps_pass *pass, size_t row)
{
    pcm_lammps_scratch       *s = pass->contacts->scratch;
    const pcm_lammps_pairing *pairing = &pass->contacts->pairing[row];
    const size_t              law = pairing->law;
    s->n_new[law] += pairing->life != PCM_LAMMPS_LIVE;
    s->waiting[law * PCM_LAMMPS_BLOCK + s->n_waiting[law]++] = (uint32_t)row;
    return s->n_waiting[law] < PCM_LAMMPS_BLOCK || run_waiting(pass, law);
}

bool pcm_lammps_finish(const pcm_lammps_pass *pass)
{
    for (size_t law = 0; law < pass->contacts->laws->n_laws; law++)
        if (!run_waiting(pass, law))
            return false;
    if (pass->step->advance) {
        pass->contacts->kept = false;
        pass->contacts->stepped = true;
    }
    return true;
}

/* Whether some row of the block is no longer a contact after the step. */
static bool some_ended(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    bool ended = false;
    for (size_t i = 0; (p->n_new > 0 || !is_plain(p, s)) && i < p->count; i++)
        ended = ended || p->pairing[i].life != PCM_LAMMPS_LIVE;
    return ended;
}

static bool run_section(const pcm_lammps_pass *pass, size_t law)
{
    pcm_lammps_contacts *contacts = pass->contacts;
    pcm_lammps_section  *section = &contacts->section[law];
    pcm_lammps_pass      p = *pass;
    p.law = &contacts->laws->law[law];
    pcm_lammps_apart_join(contacts, pass->atoms, section, pass->step->advance);
    for (p.first = section->first; p.first < section->live; p.first += PCM_LAMMPS_CHUNK) {
        pcm_lammps_chunk *chunk = &contacts->chunk[p.first / PCM_LAMMPS_CHUNK];
        p.pairing = contacts->pairing + p.first;
        p.count = chunk->count;
        p.n_new = chunk->begins ? p.count : 0;
        p.next = p.first + PCM_LAMMPS_CHUNK < section->live ? p.first + PCM_LAMMPS_CHUNK : p.first;
        if (p.count > 0 && !run_block(&p))
            return false;
        chunk->ended = some_ended(&p, contacts->scratch);
        chunk->begins = false;
    }
    pcm_lammps_contacts_part(contacts, section);
    return true;
}

bool pcm_lammps_step_all(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_step *step)
{
    const pcm_lammps_pass pass = {.contacts = contacts, .atoms = atoms, .step = step};
    if (!pcm_lammps_begin(contacts, step))
        return false;
    pcm_lammps_apart_look(contacts, atoms, step);
    for (size_t law = 0; law < contacts->laws->n_laws; law++)
        if (!run_section(&pass, law))
            return false;
    return pcm_lammps_finish(&pass);
}

/* The row of a base and a follower, among sorted rows; the end if they have none. */
static size_t find_row(const pcm_lammps_contacts *contacts, int base, int follower)
{
    for (size_t k = contacts->row[2 * (size_t)base]; k < contacts->row[2 * (size_t)base + 1]; k++)
        if (contacts->pairing[contacts->by_base[k]].follower == follower)
            return contacts->by_base[k];
    return contacts->count;
}

bool pcm_lammps_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step, int a,
                     int b, pcm_lammps_contact *contact)
{
    if (a >= atoms->n_local || !ready_scratch(contacts) || !pcm_lammps_contacts_sort(contacts, atoms))
        return false;
    pcm_lammps_scratch *s = contacts->scratch;
    const size_t found = find_row(contacts, a, b), row = found < contacts->count ? found : find_row(contacts, b, a);
    if (row == contacts->count)
        return false;
    pcm_lammps_pairing *pairing = &contacts->pairing[row];
    if (pairing->life == PCM_LAMMPS_BROKEN ||
        !pcm_lammps_touches((const double(*)[2])s->reach, atoms, pairing, INFINITY, 0))
        return false;
    pcm_lammps_step       look = *step;
    const pcm_lammps_pass p = {.contacts = contacts,
                               .atoms = atoms,
                               .step = &look,
                               .law = &contacts->laws->law[pairing->law],
                               .pairing = pairing,
                               .first = row,
                               .next = row,
                               .count = 1,
                               .n_new = pairing->life != PCM_LAMMPS_LIVE};
    clear_undeclared(p.law, s);
    const pcm_lammps_plan plan = plan_of(&p);
    evaluate(&p, &plan, s);
    const bool sound = find_results(&p, &plan, s);
    show(&p, s, 0, s->columns[0], contact);
    return sound;
}
