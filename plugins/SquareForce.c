/* SPDX-License-Identifier: MIT */
/* SquareForce.c - a constant pull up to a gap. */
#include <pcm/plugin.h>

typedef struct {
    double  force, range;
    int64_t forms;
    double  onset, breaks; /* m, the gaps at which it forms and at which the contact ends */
} Law;

enum { AT_RANGE, AT_TOUCH };
enum { TOUCH, RANGE };

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double d = b->depth[i], near = d < -law.range ? 0 : 1, held = near * law.force;
        b->force_n[i] = -held;
        b->elastic_n[i] = 0;
        b->adhesive_n[i] = -held;
        b->pull_off[i] = d < 0 ? 0 : held;
        b->life[i] = d < -law.breaks ? PCM_BROKEN : PCM_LIVE;
        if (b->reports) {
            b->energy[i] = -law.force * (pcm_max(d, -law.range) + law.onset);
            b->dissipation[i] = 0;
            b->event[TOUCH][i] = d;
            b->event[RANGE][i] = d + law.range;
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    law->onset = law->forms == AT_TOUCH ? 0 : law->range;
    law->breaks = law->forms == AT_TOUCH ? law->range : INFINITY;
    return 0;
}

PCM_DERIVED(Law, bond_energy, law->force * law->range);
PCM_DERIVED(Law, parting_speed, pcm_sqrt(2 * law->force * law->range / load->mass));

static double reach(const void *params) { return ((const Law *)params)->range; }
static double onset(const void *params) { return ((const Law *)params)->onset; }

static const char *const forms[] = {"AtRange", "AtTouch", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, force, "Force", "N", 1e-4, "F: the pull, also while they touch", .min = 0, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, range, "Range", "m", 1e-6, "D: the largest gap across which it pulls", PCM_ABOVE(0)),
    PCM_CHOICE(Law, forms, "Forms", forms, AT_RANGE, "the pull begins at that gap; not before they touch, as a bond"),
};

static const pcm_event events[] = {
    {.name = "touch", .doc = "the bodies touch, or part"},
    {.name = "range", .doc = "the pull ends, or begins"},
};

static const pcm_derived derived[] = {
    {"bond_energy", "J", "F D: what it takes to part bodies that touch", bond_energy},
    {"parting_speed", "m/s", "sqrt(2 F D/m): that bodies that touch need to part", parting_speed},
};

PCM_KERNELS(update);
PCM_MODEL(
    SquareForce, "Constant pull up to a gap", .params = PCM_TABLE(params),
    .source = "Liu, LaMarche, Kellogg and Hrenya, AIChE J. 64 (2018) 2329",
    .equations =
        "fn = -F for d >= -D, 0 below                      d depth, below 0 the gap\n"
        "AtRange: on the way in and out alike, and nothing is lost. AtTouch: bodies have to touch, and keep the\n"
        "bond up to D, where F D is lost and the contact ends, with all of its parts; a part that begins across a\n"
        "gap begins the bond there. F counts in dense flow, F D in dilute flow; the paper finds both by\n"
        "defluidization. Friction behind it is limited by what presses, fn + 2 F, while they touch; friction before\n"
        "it by the force of the earlier parts. A step has to be shorter than the way across D takes.\n"
        "Holds for points of contact of small grains behind a law that pushes, as in HertzTsuji + SquareForce.\n",
    .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_LIFE | PCM_SHARES,
    .flags = PCM_ISOTROPIC | PCM_POINTS | PCM_PULLS | PCM_JUMPS, .prepare = prepare, .reach = reach, .onset = onset);
