/* SPDX-License-Identifier: MIT */
/* stability.c - the largest time step at which contacts are stable, from differences of their laws.
 *
 * LAMMPS's steps are those of x' = x + h v', v' = v - h (k x + c v) / m: stable while h^2 k/m + 2 h c/m <= 4. For atoms
 * with many contacts, k/m is the largest eigenvalue of the whole packing. It is at most the largest one of any atom's
 * sum of k n n^T / m over its contacts, where m is the reduced mass of each and n its direction: a contact between i
 * and j holds k ((xi - xj).n)^2 <= k m ((xi.n)^2 / mj + (xj.n)^2 / mi) (1/mi + 1/mj). Along the surface a sphere also
 * turns: 1/m + r^2/(0.4 m r^2) = 3.5/m answer there. */
#include "step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turning = 3.5, inertia = 0.4; /* of solid spheres */

/* How far a probe moves a contact, as a share of its depth. */
static const double share = 1e-6;

enum { FORCE_N, FORCE_X, FORCE_Y, MOMENT_N, MOMENT_X, MOMENT_Y, FORCES };

typedef double answers[FORCES][PCM_LAMMPS_BLOCK];

/* What the law answers over a step of dt, for inputs that are moved by so much: depth in m, velocities in m/s. */
typedef struct probe {
    double dt, depth, rate, slip;
} probe;

static void move(double *column, const double *by, double times, size_t count)
{
    for (size_t i = 0; i < count; i++)
        column[i] += times * by[i];
}

static void ask(pcm_lammps_scratch *s, const pcm_lammps_law *law, const double *length, probe of, answers to)
{
    pcm_lammps_block *b = &s->block;
    double *const     moved[] = {b->depth, b->depth_rate, b->slip_x, b->slip_y, b->spin_x, b->spin_y, b->spin_n};
    const double      times[] = {of.depth, of.rate, of.slip, of.slip, of.slip, of.slip, of.slip};
    enum { MOVED = sizeof moved / sizeof *moved };
    pcm_lammps_column held[MOVED];
    const size_t      count = s->batch.count;
    const double     *given[FORCES] = {b->force_n, b->force_x, b->force_y, b->moment_n, b->moment_x, b->moment_y};
    const double      dt = s->batch.dt;
    const uint64_t    reports = s->batch.reports;
    for (size_t k = 0; k < MOVED; k++) {
        memcpy(held[k], moved[k], count * sizeof *moved[k]);
        move(moved[k], length, times[k], count);
    }
    s->batch.dt = of.dt;
    s->batch.reports = 0;
    pcm_type_call(law->type, PCM_FORCES, &s->batch);
    s->batch.dt = dt;
    s->batch.reports = reports;
    for (size_t k = 0; k < MOVED; k++)
        memcpy(moved[k], held[k], count * sizeof *moved[k]);
    for (size_t k = 0; k < FORCES; k++)
        memcpy(to[k], given[k], count * sizeof *to[k]);
}

/* (b - a) / by, at least 0; 0 where it is not finite. */
static double slope(double a, double b, double by)
{
    const double is = (b - a) / by;
    return is > 0 && is < INFINITY ? is : 0;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* The damping of a contact between two answers, of which the second has velocities larger by speed. */
static pcm_lammps_held damping(answers a, answers pressed, answers slid, double speed, size_t i)
{
    return (pcm_lammps_held){
        slope(a[FORCE_N][i], pressed[FORCE_N][i], speed),
        larger(slope(slid[FORCE_X][i], a[FORCE_X][i], speed), slope(slid[FORCE_Y][i], a[FORCE_Y][i], speed)),
        larger(
            slope(slid[MOMENT_N][i], a[MOMENT_N][i], speed),
            larger(slope(slid[MOMENT_X][i], a[MOMENT_X][i], speed), slope(slid[MOMENT_Y][i], a[MOMENT_Y][i], speed)))};
}

void pcm_lammps_stability_probe(const pcm_lammps_pass *p, pcm_lammps_scratch *s)
{
    pcm_lammps_stability *to = p->step->stability;
    pcm_lammps_block     *b = &s->block;
    const double          dt = to->dt, per_dt = 1 / dt;
    double                length[PCM_LAMMPS_BLOCK];
    answers               still, deeper, higher, pressed, slid, still_now, pressed_now, slid_now;
    for (size_t i = 0; i < p->count; i++) {
        const double depth = fabs(b->depth[i]) < INFINITY ? fabs(b->depth[i]) : 0;
        length[i] = share * (depth + share * larger(b->radius[i], share));
    }
    ask(s, p->law, length, (probe){.dt = dt}, still);
    ask(s, p->law, length, (probe){.dt = dt, .depth = 1}, deeper);
    ask(s, p->law, length, (probe){.dt = dt, .depth = -1}, higher);
    ask(s, p->law, length, (probe){.dt = dt, .rate = per_dt}, pressed);
    ask(s, p->law, length, (probe){.dt = dt, .slip = per_dt}, slid);
    ask(s, p->law, length, (probe){.dt = 0}, still_now);
    ask(s, p->law, length, (probe){.dt = 0, .rate = per_dt}, pressed_now);
    ask(s, p->law, length, (probe){.dt = 0, .slip = per_dt}, slid_now);
    for (size_t i = 0; i < p->count; i++) {
        const double          speed = length[i] * per_dt;
        const pcm_lammps_held now = damping(still_now, pressed_now, slid_now, speed, i);
        const pcm_lammps_held later = damping(still, pressed, slid, speed, i);
        const double          stiff = larger(slope(still[FORCE_N][i], deeper[FORCE_N][i], length[i]),
                                             slope(higher[FORCE_N][i], still[FORCE_N][i], length[i]));
        /* What a velocity does through states within the step counts as stiffness: they follow the displacement. */
        to->damping[i] = now;
        to->stiffness[i] =
            (pcm_lammps_held){stiff + larger(later.normal - now.normal, 0) * per_dt,
                              larger(later.along - now.along, 0) * per_dt, larger(later.turn - now.turn, 0) * per_dt};
    }
}

/* Adds to a tensor `along` in the plane and `normal` along n. */
static void add_tensor(float tensor[6], const double n[3], double normal, double along)
{
    static const size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (size_t k = 0; k < 6; k++)
        tensor[k] += (float)((k < 3 ? along : 0) + (normal - along) * n[row[k]] * n[column[k]]);
}

/* The sides of a contact. */
typedef struct ends {
    double mass, per_inertia; /* kg, the reduced mass; 1/(kg m^2); 0: neither moves */
} ends;

static double per(double x) { return x > 0 ? 1 / x : 0; }

static ends ends_of(const pcm_lammps_atoms *atoms, const pcm_lammps_pairing *pairing)
{
    const int32_t side[] = {pairing->base, pairing->follower};
    double        masses = 0, inertias = 0;
    for (size_t s = 0; s < 2; s++) {
        if (side[s] >= PCM_LAMMPS_FACE)
            continue;
        const double mass = atoms->mass[side[s]], radius = atoms->radius[side[s]];
        masses += per(mass);
        inertias += per(inertia * mass * radius * radius);
    }
    return (ends){per(masses), inertias};
}

void pcm_lammps_stability_add(const pcm_lammps_pass *p, const pcm_lammps_scratch *s)
{
    pcm_lammps_stability *to = p->step->stability;
    const uint16_t        law = (uint16_t)(1 + (p->law - p->contacts->laws->law));
    for (size_t i = 0; i < p->count; i++) {
        const pcm_lammps_pairing *pairing = &p->pairing[i];
        const ends                of = ends_of(p->atoms, pairing);
        const pcm_lammps_held     k = to->stiffness[i], c = to->damping[i];
        const double              n[3] = {s->block.normal[0][i], s->block.normal[1][i], s->block.normal[2][i]};
        const float               most = (float)(larger(k.normal, turning * k.along) * per(of.mass));
        for (size_t side = 0; side < 2; side++) {
            const int32_t atom = side ? pairing->follower : pairing->base;
            if (atom >= p->atoms->n_local || of.mass == 0 || pcm_lammps_is_withheld(p, s, i))
                continue;
            pcm_lammps_support *own = &to->atom[atom];
            add_tensor(own->stiffness, n, k.normal / of.mass, turning * k.along / of.mass);
            add_tensor(own->damping, n, c.normal / of.mass, turning * c.along / of.mass);
            own->turn_stiffness += (float)(k.turn * of.per_inertia);
            own->turn_damping += (float)(c.turn * of.per_inertia);
            if (most >= own->most) {
                own->most = most;
                own->law = law;
            }
        }
    }
}

/* The largest eigenvalue of a symmetric tensor xx, yy, zz, xy, xz, yz, by its invariants. */
static double largest(const float t[6])
{
    const double mean = ((double)t[0] + t[1] + t[2]) / 3, x = t[0] - mean, y = t[1] - mean, z = t[2] - mean;
    const double xy = t[3], xz = t[4], yz = t[5];
    const double square = (x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6, size = sqrt(square);
    const double volume = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
    const double turn = size > 0 ? fmin(fmax(0.5 * volume / (square * size), -1), 1) : 1;
    return mean + 2 * size * cos(acos(turn) / 3);
}

static double step_of(const pcm_lammps_support *atom)
{
    const double k = largest(atom->stiffness) + (double)atom->turn_stiffness;
    const double c = largest(atom->damping) + (double)atom->turn_damping;
    return k > 0 || c > 0 ? 4 / (c + sqrt(c * c + 4 * larger(k, 0))) : INFINITY;
}

bool pcm_lammps_stability_begin(pcm_lammps_stability *stability, size_t n_local, double dt)
{
    stability->atom = calloc(n_local + 1, sizeof *stability->atom);
    stability->count = n_local;
    stability->dt = dt;
    return stability->atom;
}

void pcm_lammps_stability_end(pcm_lammps_stability *stability, double *least, size_t *atom, size_t n_laws)
{
    for (size_t law = 0; law < n_laws; law++)
        least[law] = INFINITY;
    for (size_t i = 0; i < stability->count; i++) {
        const size_t law = stability->atom[i].law;
        const double step = law > 0 && law <= n_laws ? step_of(&stability->atom[i]) : INFINITY;
        if (step < (law > 0 && law <= n_laws ? least[law - 1] : 0)) {
            least[law - 1] = step;
            atom[law - 1] = i;
        }
    }
    free(stability->atom);
    stability->atom = NULL;
    stability->count = 0;
}
