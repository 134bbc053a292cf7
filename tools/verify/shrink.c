/* SPDX-License-Identifier: MIT */
#include "shrink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

enum { SHRINK_TRIES = 1500, DEATH_TRIES = 60 };

typedef struct shrinker {
    search  *search;
    subject *law; /* NULL: each try runs in a child */
    motion   candidate;
    size_t   tries;
    bool     smaller; /* this round made it smaller */
} shrinker;

/* ---- Does it still fail? -------------------------------------------------------------------------------------------
 */

static void crashes_again(void *argument)
{
    search *s = ((shrinker *)argument)->search;
    finding ignored;
    subject law;
    s->current = ((shrinker *)argument)->candidate;
    if (subject_open(&law, s->def->subject, s->current.carrier) && subject_set_values(&law, s->current.params, NULL) &&
        (!s->check->absent || !s->check->absent(&law)))
        (void)s->check->fails(&law, &s->current, &ignored);
}

static bool crashes_alike(shrinker *k)
{
    const double       seconds = 5;
    const child_report end = child_run(crashes_again, k, seconds, true);
    return end.end == k->search->child.end && end.signal == k->search->child.signal &&
           strcmp(end.name, k->search->child.name) == 0;
}

static bool fails_alike(shrinker *k)
{
    search *s = k->search;
    finding found = {.cause = 0};
    for (size_t i = 0; i < k->candidate.count && k->candidate.kind == MOTION_LANES; i++)
        motion_settle(k->law, k->candidate.row[i]);
    child_start_clock();
    if (!subject_set_values(k->law, k->candidate.params, NULL) || (s->check->absent && s->check->absent(k->law)) ||
        !s->check->fails(k->law, &k->candidate, &found) || found.cause != s->found.cause)
        return false;
    s->found = found;
    return true;
}

/* Keeps the candidate if it still fails, else makes it the smallest again. */
static bool attempt(shrinker *k)
{
    const size_t most = k->law ? SHRINK_TRIES : DEATH_TRIES;
    const bool   kept = k->tries++ < most && (k->law ? fails_alike(k) : crashes_alike(k));
    if (kept)
        k->search->smallest = k->candidate;
    else
        k->candidate = k->search->smallest;
    k->smaller = k->smaller || kept;
    return kept;
}

/* ---- Smaller candidates ---------------------------------------------------------------------------------------------
 */

static void drop_rows(shrinker *k)
{
    const size_t ends = k->candidate.kind == MOTION_PATH;
    for (size_t i = ends; i + ends < k->candidate.count && k->candidate.count > 1 + ends;) {
        motion *m = &k->candidate;
        memmove(m->row[i], m->row[i + 1], (m->count - 1 - i) * sizeof m->row[0]);
        m->count--;
        i += !attempt(k);
    }
}

/* Rounded to so many digits. */
static double round_to(double value, int digits)
{
    double                rounded = value;
    const pcm_number_text text = pcm_number(value, digits);
    (void)pcm_number_read(text.text, strlen(text.text), &rounded);
    return rounded;
}

/* Tries zero or the default, then rounder and rounder numbers. */
static void simplify(shrinker *k, double *value, double best)
{
    if (*value == best || !isfinite(*value))
        return;
    *value = best;
    if (attempt(k))
        return;
    for (int digits = 1; digits <= 3; digits++) {
        if (*value == round_to(*value, digits))
            return;
        *value = round_to(*value, digits);
        if (attempt(k))
            return;
    }
}

static void simplify_params(shrinker *k, const subject *law)
{
    for (size_t i = 0; i < subject_param_count(law); i++) {
        const pcm_param *param = subject_param(law, i);
        if (!subject_is_set(law, param) && !(param->flags & PCM_REQUIRED))
            simplify(k, &k->candidate.params[i], param->fallback);
    }
}

/* States stay: they are what the law itself came to. */
static void simplify_rows(shrinker *k, const subject *law)
{
    for (size_t row = 0; row < k->candidate.count; row++)
        for (size_t i = 0; i < law->n_inputs; i++)
            if (i >= law->n_motions || !motion_is_settled(&rig_motions[i]))
                simplify(k, &k->candidate.row[row][i], 0);
}

static void coarsen(shrinker *k)
{
    while (k->candidate.kind == MOTION_PATH && k->candidate.steps > 1) {
        k->candidate.steps /= 2;
        if (!attempt(k))
            return;
    }
}

static void run(shrinker *k, const subject *law)
{
    const size_t most = k->law ? SHRINK_TRIES : DEATH_TRIES;
    do {
        k->smaller = false;
        drop_rows(k);
        coarsen(k);
        simplify_params(k, law);
        simplify_rows(k, law);
        simplify(k, &k->candidate.dt, k->candidate.kind == MOTION_LANES ? 0 : 1);
    } while (k->smaller && k->tries < most);
}

void shrink(search *s, subject *law)
{
    shrinker *k = calloc(1, sizeof *k);
    if (!k)
        return;
    *k = (shrinker){.search = s, .law = law, .candidate = s->smallest};
    run(k, law);
    free(k);
}

/* A law that ends its process is not loaded here: what is known of it stands in the motion. */
void shrink_death(search *s)
{
    shrinker *k = calloc(1, sizeof *k);
    if (!k)
        return;
    *k = (shrinker){.search = s, .candidate = s->smallest};
    drop_rows(k);
    coarsen(k);
    free(k);
}
