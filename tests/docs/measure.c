/* SPDX-License-Identifier: MIT */
/* usage: measure LAW...
 *
 * Measures for docs/laws/table each law with its default parameters and prints a line: how smooth its forces are, and
 * the largest stable step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion.h"
#include "probe.h"
#include "rest.h"

/* ---- Smoothness ------------------------------------------------------------------------------------------------ */

typedef enum smoothness { SMOOTH, BENDS, JUMPS } smoothness;
static const char *const words[] = {[SMOOTH] = "C1", [BENDS] = "C0", [JUMPS] = "jumps"};

enum { SEGMENTS = 100, PARTS = 16 };
static const double least_force = 1e-12; /* N: below this, a difference is rounding of depths */

/* Two motions in one state. Every other time they are on both sides of the touch, and the second is fast. */
static void roll_between(subject *s, dice *d, motion *m)
{
    do
        motion_roll_lanes(s, d, m);
    while (m->count < 2);
    m->count = 2;
    m->dt = 0;
    memcpy(m->row[1] + s->n_inputs, m->row[0] + s->n_inputs, s->info->n_state * sizeof(double));
    if (dice_below(d, 2)) {
        m->row[1][MOTION_AT(depth)] *= -1;
        m->row[1][MOTION_AT(depth_rate)] *= 100;
    }
}

typedef struct forces {
    double on[PROBE_FORCES]; /* the follower */
} forces;

/* Of the forces at three points: the larger of the changes from the middle to either side, and the difference of the
 * two. */
typedef struct change {
    double first, second;
} change;

static change change_at(const forces *f)
{
    forces up, bend;
    for (size_t k = 0; k < PROBE_FORCES; k++) {
        up.on[k] = f[1].on[k] - f[0].on[k];
        bend.on[k] = f[2].on[k] - 2 * f[1].on[k] + f[0].on[k];
    }
    return (change){probe_length(up.on), probe_length(bend.on)};
}

/* Samples the forces along an interval and then narrows the interval around the sharpest bend. */
static change sharpest(probe *p, const motion *m, double *from, double *to, double *size)
{
    forces       f[PARTS + 1];
    size_t       at = 1;
    change       most = {0, -1};
    const double width = (*to - *from) / PARTS, start = *from;
    for (size_t i = 0; i <= PARTS; i++) {
        motion_between(p->subject, m, start + width * (double)i, p->at.row[0]);
        probe_ask(p, f[i].on);
        *size = fmax(*size, probe_length(f[i].on));
    }
    for (size_t i = 1; i < PARTS; i++) {
        const change here = change_at(&f[i - 1]);
        if (here.second > most.second) {
            most = here;
            at = i;
        }
    }
    *from = start + width * (double)(at - 1);
    *to = start + width * (double)(at + 1);
    return most;
}

/* As the interval shrinks, a jump keeps its size and a kink its change of slope; all other changes shrink. */
static smoothness along(probe *p, const motion *m)
{
    enum { ZOOMS = 13, FINE = 6, COARSE = 4, APART = 3 }; /* each zoom keeps an eighth of the interval */
    double firsts[ZOOMS], bends[ZOOMS], from = 0, to = 1, size = 0;
    for (size_t i = 0; i < ZOOMS; i++) {
        const double width = (to - from) / PARTS;
        const change here = sharpest(p, m, &from, &to, &size);
        firsts[i] = here.first;
        bends[i] = here.second / width;
    }
    const double jump = firsts[ZOOMS - 1];
    if (size < least_force)
        return SMOOTH;
    /* The last interval is 1e-13 of the first, over which a force that grows as depth^(1/4) still grows by 1e-3. */
    if (jump > 1e-2 * size && jump > 0.7 * firsts[ZOOMS - 1 - APART])
        return JUMPS;
    return bends[FINE] > 1e-3 * size && bends[FINE] > 0.4 * bends[COARSE] ? BENDS : SMOOTH;
}

static smoothness measure_smoothness(subject *s)
{
    smoothness worst = SMOOTH;
    dice       d = {.state = 1};
    for (size_t i = 0; i < SEGMENTS && worst < JUMPS; i++) {
        motion m = {0};
        probe  p;
        roll_between(s, &d, &m);
        if (probe_open(&p, s, &m, 0)) {
            const smoothness here = along(&p, &m);
            worst = here > worst ? here : worst;
        }
        probe_close(&p);
    }
    return worst;
}

/* ---- The largest stable step ----------------------------------------------------------------------------------- */

/* A part gets its load from a normal law, whose stiffness is not the part's. */
static void leave_normal_out(pcm_contact_matrices *m)
{
    for (size_t i = 0; i < 6; i++)
        m->stiffness[6 * i + 5] = m->stiffness[30 + i] = m->damping[6 * i + 5] = m->damping[30 + i] = 0;
}

static pcm_config *config_of_part(const subject *s)
{
    char text[256];
    (void)snprintf(text, sizeof text, "ContactType Law = Hertz + %s; DefaultPair -> Law;", s->model->name);
    return pcm_config_parse(s->sets[s->n_sets - 1].context, "part", text, strlen(text));
}

/* The step for a sphere of 1 kg and 1 cm, with a contact area of 1 cm^2; NaN if the law does not carry its weight. */
static double measure_step(const subject *s)
{
    const bool           is_part = s->model->inputs & PCM_FROM_PARTS;
    pcm_contact_matrices known = {.size = sizeof known};
    const rest_def       def = {.config = is_part ? config_of_part(s) : s->sets[s->n_sets - 1].config,
                                .base = &PCM_OBJECT(.name = "Base"),
                                .follower = &PCM_OBJECT(.name = "Follower"),
                                .load = 9.81,
                                .mass = 1,
                                .radius = 0.01,
                                .area = 1e-4};
    const bool           borne = rest_matrices(&def, &known);
    if (is_part) {
        leave_normal_out(&known);
        pcm_config_release(def.config);
    }
    return borne ? pcm_matrices_step(&known, def.mass) : NAN;
}

/* ---- The program ----------------------------------------------------------------------------------------------- */

/* A law with required parameters has no defaults, and so no step to measure. */
static bool has_defaults(const subject *s)
{
    for (size_t i = 0; i < s->model->params.count; i++)
        if (pcm_model_param(s->model, i)->flags & PCM_REQUIRED)
            return false;
    return true;
}

static bool measure(const char *law)
{
    const option_texts no_settings = {0};
    const subject_def  def = {.model = law, .settings = &no_settings};
    subject            s;
    double             values[SUBJECT_PARAMS];
    const bool         open = subject_open(&s, &def, 0);
    for (size_t i = 0; open && i < subject_param_count(&s); i++)
        values[i] = motion_default(&s, i);
    const bool good = open && subject_set_values(&s, values, command_report);
    if (good) {
        const double step = has_defaults(&s) ? measure_step(&s) : NAN;
        (void)printf("%s %s ", law, words[measure_smoothness(&s)]);
        (void)(isfinite(step) ? printf("%.2g\n", step) : printf("-\n"));
    }
    subject_close(&s);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i < argc; i++)
        good = measure(argv[i]) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
