/* SPDX-License-Identifier: MIT */
/* PartialSlip.c - springs under a circle of contact, which stick and slip one by one: a part behind a normal law. */
#include <pcm/plugin.h>

enum { MOST = 12, CIRCLE = 2 * MOST };

typedef struct {
    double  modulus, friction, depth;
    int64_t springs;
    double  end[MOST + 1]; /* of each spring, over the radius of the circle at the depth of the layout */
} Law;

#define TINY 1e-30 /* m: smaller radii and depths count as zero */

/* What the circle of radius a covers of the spring that lies between the distances `from` and `to` of its middle. */
PCM_INLINE double covered(double a, double from, double to) { return pcm_max(pcm_min(a, to) - from, 0); }

enum { SLIP };

/* What the springs of a block of lanes pull with and store, what they stored before the step, and by how much the one
 * that is farthest from slipping could pull more. */
typedef struct {
    size_t count;
    double fx[PCM_BLOCK_LANES], fy[PCM_BLOCK_LANES], stored[PCM_BLOCK_LANES], held[PCM_BLOCK_LANES];
    double spare[PCM_BLOCK_LANES];
} Sums;

PCM_INLINE void begin(Sums *s)
{
    PCM_EACH(s, i) {
        s->fx[i] = 0;
        s->fy[i] = 0;
        s->stored[i] = 0;
        s->held[i] = 0;
        s->spare[i] = -DBL_MAX;
    }
}

PCM_INLINE void hang_slack(const pcm_batch *b, size_t first, int k, const Sums *s)
{
    (void)s;
    double *next_x = b->next[2 * k] + first, *next_y = b->next[2 * k + 1] + first;
    PCM_EACH(s, i) {
        next_x[i] = 0;
        next_y[i] = 0;
    }
}

/* Laid out for a depth, springs have a width that does not change with the load: a grows as the root of the depth. The
 * outermost spring takes all beyond. New ground under a spring is unstretched, so that its pull stays; ground that is
 * left takes its share of the pull away. Both only lose energy. */
PCM_INLINE void pull_spring(const pcm_batch *b, const Law *law, size_t first, int k, Sums *s)
{
    const double *circle = b->contact_radius + first, *circle_before = b->state[CIRCLE] + first;
    const double *depth = b->depth + first, *load = b->load_n + first;
    const double *slip_x = b->slip_x + first, *slip_y = b->slip_y + first;
    const double *from_x = b->state[2 * k] + first, *from_y = b->state[2 * k + 1] + first;
    double       *next_x = b->next[2 * k] + first, *next_y = b->next[2 * k + 1] + first;
    const double  stiff = 8 * law->modulus, mu = law->friction, laid_for = law->depth, dt = b->dt;
    const double  begins = law->end[k], ends = k + 1 < law->springs ? law->end[k + 1] : DBL_MAX;
    PCM_EACH(s, i) {
        const double a = circle[i], before = circle_before[i], x0 = from_x[i], y0 = from_y[i];
        const double laid = a * pcm_sqrt(laid_for / pcm_max(depth[i], TINY)), from = laid * begins, to = laid * ends;
        const double touches = a > TINY ? 1 : 0, inside = 1 / pcm_max(a, TINY), step = touches * dt;
        const double now = covered(a, from, to), was = covered(before, from, to);
        const double keep = (now > 0 ? 1.0 : 0) * pcm_min(was, now) / pcm_max(now, DBL_MIN);
        const double x = keep * x0 + step * slip_x[i], y = keep * y0 + step * slip_y[i];
        const double pull = stiff * now * pcm_length(x, y);
        /* The share of the load on it: of Hertz's pressure, which falls to the edge as a^2 - x^2 here. */
        const double p = pcm_min(from * inside, 1), q = pcm_min(p + now * inside, 1);
        const double bound = touches * mu * pcm_ramp(load[i]) * 0.5 * (q - p) * (3 - (q * q + q * p + p * p));
        const double sticks = pull > bound ? bound / pull : 1, after_x = sticks * x, after_y = sticks * y;
        s->fx[i] += stiff * now * after_x;
        s->fy[i] += stiff * now * after_y;
        s->stored[i] += 0.5 * stiff * now * (after_x * after_x + after_y * after_y);
        s->held[i] += 0.5 * stiff * was * (x0 * x0 + y0 * y0);
        s->spare[i] = pcm_max(s->spare[i], now > 0 ? bound - pull : -DBL_MAX);
        next_x[i] = now > 0 ? after_x : 0;
        next_y[i] = now > 0 ? after_y : 0;
    }
}

PCM_INLINE void answer(const pcm_batch *b, size_t first, const Sums *s)
{
    const double per_dt = b->dt > 0 ? 1 / b->dt : 0;
    PCM_EACH(s, i) {
        const size_t k = first + i;
        const double a = b->contact_radius[k], spare = a > TINY ? s->spare[i] : 0;
        b->force_x[k] = -s->fx[i];
        b->force_y[k] = -s->fy[i];
        b->next[CIRCLE][k] = a;
        if (b->reports) {
            const int64_t touching = spare < 0 ? PCM_SLIPPING : PCM_STICKING;
            b->mode[k] = a > 0 ? touching : PCM_SEPARATED;
            b->event[SLIP][k] = spare;
            b->energy[k] = s->stored[i];
            b->dissipation[k] =
                pcm_ramp(s->fx[i] * b->slip_x[k] + s->fy[i] * b->slip_y[k] - (s->stored[i] - s->held[i]) * per_dt);
        }
    }
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    Sums      sums;
    for (size_t first = 0; first < b->count; first += PCM_BLOCK_LANES) {
        sums.count = b->count - first < PCM_BLOCK_LANES ? b->count - first : PCM_BLOCK_LANES;
        begin(&sums);
        PCM_EACH_COLUMN
        for (int k = 0; k < MOST; k++)
            if (k < law.springs)
                pull_spring(b, &law, first, k, &sums);
            else
                hang_slack(b, first, k, &sums);
        answer(b, first, &sums);
    }
}

/* Narrower to the edge, where slip begins: errors are half of those of springs of one width. */
static int prepare(const pcm_setup *setup, void *params)
{
    Law *law = params;
    (void)setup;
    for (int k = 0; k <= (int)law->springs; k++)
        law->end[k] = pcm_pow(k / (double)law->springs, 0.7);
    return 0;
}

static const pcm_param params[] = {
    PCM_REAL(Law, modulus, "ReducedShearModulus", "Pa", 2.4e10, "G* of both bodies; steel on steel has 2.4e10",
             PCM_ABOVE(0), .mix = PCM_MIX_SHEAR),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "mu", .min = 0, .flags = PCM_CONE, .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, depth, "LayoutDepth", "m", 1e-5, "for which springs are laid out: the greatest expected",
             PCM_ABOVE(0)),
    PCM_INTEGER(Law, springs, "Springs", 8, "under half the circle", .min = 1, .max = MOST),
};

#define SPRING(k)                                                                                                      \
    {                                                                                                                  \
        "stretch" #k, "m", "of the spring there, 1 in the middle", 1e-6, PCM_TANGENT, PCM_HISTORY, 0, -1               \
    }

static const pcm_state states[] = {
    SPRING(1),
    SPRING(2),
    SPRING(3),
    SPRING(4),
    SPRING(5),
    SPRING(6),
    SPRING(7),
    SPRING(8),
    SPRING(9),
    SPRING(10),
    SPRING(11),
    SPRING(12),
    {"circle", "m", "radius of the circle of contact", 1e-4, PCM_SCALAR, PCM_HISTORY, 0, 1},
};

static const pcm_event events[] = {
    {.name = "slip", .doc = "the last spring slips, or one of them sticks again"},
};

PCM_KERNELS(update);
PCM_MODEL(
    PartialSlip, "Springs of elastic spheres that stick and slip one by one, behind a normal law",
    .params = PCM_TABLE(params),
    .source = "Cattaneo, Accademia dei Lincei 27 (1938); Mindlin and Deresiewicz, J. Applied Mechanics 20 (1953); "
              "Popov and Hess, Method of Dimensionality Reduction (2015)",
    .equations = "ft = -sum 8 G* w u,  u' = v                a radius of the circle of contact, v slip, N the load\n"
                 "8 G* w |u| <= mu N (F(q) - F(p)),  F(x) = (3 x - x^3)/2,  p = from/a, q = (from + w)/a\n"
                 "1/G* = (2 - va)/Ga + (2 - vb)/Gb; w what the circle covers of a spring, from its middle outwards.\n"
                 "Springs under the profile x^2/R have the pressure and the slip of two spheres: those at the edge\n"
                 "slip first. All together they begin with 8 G* a and end with mu N. Spring k of n ends at\n"
                 "A (k/n)^0.7, A = a sqrt(LayoutDepth/depth); the last one takes all beyond, as Mindlin's does.\n"
                 "Off by at most 0.6% of mu times the largest load with 8 springs, and 0.25% with 12, where\n"
                 "LayoutDepth is the largest depth. Small steps matter as well: within one the order of load and pull\n"
                 "is lost. It never gains energy. It has no damper. Holds for elastic spheres, where depth is that of\n"
                 "Hertz; behind a law that adheres at a negative depth it has one spring there.\n",
    .states = PCM_TABLE(states), .events = PCM_TABLE(events),
    .inputs = PCM_DEPTH | PCM_SLIP | PCM_LOAD | PCM_CONTACT_RADIUS,
    .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE, .flags = PCM_ISOTROPIC | PCM_FRAME_SHARED,
    .prepare = prepare);
