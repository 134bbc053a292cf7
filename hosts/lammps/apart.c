/* SPDX-License-Identifier: MIT */
/* apart.c - pairs that are apart: finds those that have come together.
 *
 * Such pairs are divided into near and far ones. The gap of a far pair stays above `clear` for some steps if all atoms
 * keep moving as they do now, and far pairs are not tested while atoms do so. How far any atom has strayed from its
 * straight path takes one pass over all positions, a quarter of the time of testing all pairs. Where radii may change,
 * all pairs are near. */
#include "step.h"

#include <math.h>

enum { FEWEST_STEPS = 8, MOST_STEPS = 64 };

/* An upper bound on how much closer two atoms may be than if all had kept the motion that they had when pairs were
 * divided, except for the rounding of `held`. */
static double stray(const pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    const size_t n = 3 * (size_t)atoms->n_all;
    const float *held = contacts->held, *pace = contacts->held + n;
    return 2 * sqrt(3) * contacts->scratch->kernels->stray(atoms->x, held, pace, contacts->looks, n);
}

/* Stores the atoms' positions and their predicted mean motion per step. The prediction assumes that velocities keep
 * changing as in the last period: the mean of the coming period is then as far above the present velocity as the last
 * mean was below it. A velocity that is not finite counts as 0. */
static void hold(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, double dt)
{
    const size_t n = 3 * (size_t)atoms->n_all;
    const double looks = contacts->looks, ahead = looks > 0 ? contacts->period / looks : 0;
    float       *held = contacts->held, *pace = contacts->held + n, most = 0;
    double       largest = 0;
    for (size_t i = 0; i < n; i++) {
        const double now = dt * atoms->v[i], mean = looks > 0 ? (atoms->x[i] - (double)held[i]) / looks : now;
        held[i] = (float)atoms->x[i];
        pace[i] = (float)(now + ahead * (now - mean));
        pace[i] = isfinite(pace[i]) ? pace[i] : 0;
        const float size = fabsf(pace[i]);
        most = size > most ? size : most;
    }
    contacts->fastest = 2 * sqrt(3) * (double)most;
    for (int i = 0; i < atoms->n_all; i++)
        largest = atoms->radius[i] > largest ? atoms->radius[i] : largest;
    contacts->widest = 2 * largest;
    contacts->looks = contacts->strayed = 0;
    contacts->blur = stray(contacts, atoms);
}

/* The atoms' present motion, for testing many pairs. */
typedef struct course {
    pcm_lammps_atoms at;
    const float     *pace;
    const double (*reach)[2];
    double clear, period, most; /* most: no gap closes by more than this within the period, `clear` included */
    double widest;
} course;

/* The square of the least distance of two atoms within the period, if they keep moving as they do now. */
static double nearest(const course *c, const pcm_lammps_pairing *pairing)
{
    const size_t base = 3 * (size_t)pairing->base, follower = 3 * (size_t)pairing->follower;
    double       square = 0, along = 0, motion = 0;
    for (size_t k = 0; k < 3; k++) {
        const double d = c->at.x[follower + k] - c->at.x[base + k],
                     v = (double)c->pace[follower + k] - (double)c->pace[base + k];
        square += d * d;
        along += d * v;
        motion += v * v;
    }
    const double last = -along / motion, steps = last < c->period ? last : c->period;
    return along < 0 ? square + steps * (2 * along + steps * motion) : square;
}

/* Broken pairs are always near: they have to be tested, since they may begin again once they are apart. */
static bool is_near(const course *c, const pcm_lammps_pairing *pairing)
{
    if (pairing->life == PCM_LAMMPS_BROKEN)
        return true;
    if (!pcm_lammps_touches(c->reach, &c->at, pairing, c->widest, c->most))
        return false;
    const double least = c->at.radius[pairing->base] + c->at.radius[pairing->follower];
    const double away = least + c->reach[pairing->law][0] + c->clear;
    return nearest(c, pairing) <= away * away;
}

/* Prefetches the positions of a pair some rows ahead. */
enum { AHEAD = 16 };
static void fetch(const pcm_lammps_atoms *atoms, pcm_lammps_pairing pairing)
{
    __builtin_prefetch(atoms->x + 3 * (size_t)pairing.base);
    __builtin_prefetch(atoms->x + 3 * (size_t)pairing.follower);
}

/* Moves near pairs to the front. They keep their order, which is that of their atoms in memory. */
static void divide_section(const course *c, pcm_lammps_pairing *pairing, pcm_lammps_section *section)
{
    section->far = section->apart;
    for (size_t row = section->apart; row < section->end; row++) {
        const pcm_lammps_pairing it = pairing[row];
        fetch(&c->at, pairing[row + AHEAD < section->end ? row + AHEAD : row]);
        if (!is_near(c, &it))
            continue;
        pairing[row] = pairing[section->far];
        pairing[section->far++] = it;
    }
}

/* Atoms stray by a k^2 in k steps. If pairs are divided every k steps, which takes as long as testing all of them, and
 * a share of 3 a k^2 / skin is near, the total time is least at k^3 = skin / (6 a). A period is at most a quarter
 * longer than the last one, since longer periods reveal more than a k^2. */
static void choose_period(pcm_lammps_contacts *contacts)
{
    if (contacts->strayed > 0)
        contacts->bend = contacts->strayed / fmax(contacts->looks * contacts->looks, 1);
    const double best = cbrt(contacts->skin / (6 * contacts->bend)), looks = contacts->looks;
    const double most = looks > FEWEST_STEPS ? fmin(1.25 * looks, MOST_STEPS) : MOST_STEPS;
    contacts->period = floor(best < most ? fmax(best, FEWEST_STEPS) : most);
    contacts->clear = fmax(1.5 * contacts->bend * contacts->period * contacts->period, contacts->skin / 256);
}

static void make_near(pcm_lammps_contacts *contacts)
{
    contacts->clear = 0;
    contacts->widest = INFINITY;
    for (size_t law = 0; law < contacts->laws->n_laws; law++)
        contacts->section[law].far = contacts->section[law].end;
}

/* Divides the pairs. Where atoms stray so much that most pairs would be near, all count as near for a while. */
static void divide(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, double dt)
{
    choose_period(contacts);
    hold(contacts, atoms, dt);
    contacts->clear = fmax(contacts->clear, 4 * contacts->blur);
    if (contacts->clear > contacts->skin / 4) {
        contacts->clear = INFINITY;
        contacts->period = MOST_STEPS;
        contacts->bend /= 4;
        return;
    }
    const course c = {.at = *atoms,
                      .pace = contacts->held + 3 * (size_t)atoms->n_all,
                      .reach = (const double(*)[2])contacts->scratch->reach,
                      .clear = contacts->clear,
                      .period = contacts->period,
                      .most = contacts->clear + contacts->period * contacts->fastest,
                      .widest = contacts->widest};
    for (size_t law = 0; law < contacts->laws->n_laws; law++)
        divide_section(&c, contacts->pairing, &contacts->section[law]);
    contacts->sorted = false;
}

/* Whether far pairs are known to be apart. */
static bool is_divided(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    if (contacts->clear == 0)
        return false;
    const double strayed = isfinite(contacts->clear) ? stray(contacts, atoms) : 0;
    contacts->strayed = fmax(contacts->strayed, strayed);
    /* A thousandth is far more than the rounding error of gaps. */
    return contacts->looks <= contacts->period && strayed + contacts->blur < 0.999 * contacts->clear;
}

void pcm_lammps_apart_look(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step)
{
    if (!contacts->divides)
        return;
    if (contacts->period > 0)
        contacts->looks += step->advance;
    if (is_divided(contacts, atoms))
        return;
    make_near(contacts);
    if (step->advance)
        divide(contacts, atoms, step->dt);
}

void pcm_lammps_apart_join(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, pcm_lammps_section *section,
                           bool heals)
{
    const double(*reach)[2] = (const double(*)[2])contacts->scratch->reach;
    const pcm_lammps_atoms at = *atoms;
    for (size_t row = section->apart; row < section->far; row++) {
        pcm_lammps_pairing *pairing = &contacts->pairing[row];
        fetch(&at, contacts->pairing[row + AHEAD < section->far ? row + AHEAD : row]);
        if (pcm_lammps_touches(reach, &at, pairing, contacts->widest, 0)) {
            if (pairing->life != PCM_LAMMPS_BROKEN)
                pcm_lammps_contacts_join(contacts, section, row);
        } else if (pairing->life != PCM_LAMMPS_NONE && heals) {
            pairing->life = PCM_LAMMPS_NONE;
        }
    }
}
