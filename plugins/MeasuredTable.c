/* SPDX-License-Identifier: MIT */
/* MeasuredTable.c - a measured normal force, as a table over the depth. */
#include "rebound.h"

typedef struct {
    pcm_list depths, forces;
    double   dissipation;
} Law;

/* A line segment of the table: where it begins, and the work up to there. */
typedef struct {
    double at, force, slope, work;
} Line;

/* The segment that applies to each lane of a block. */
typedef struct {
    size_t count;
    _Alignas(64) double at[PCM_BLOCK_LANES], force[PCM_BLOCK_LANES], slope[PCM_BLOCK_LANES], work[PCM_BLOCK_LANES];
} Lines;

/* The segment from entry k on; beyond the last entry, the slope of the segment before continues. */
PCM_INLINE Line line_from(const Law *law, size_t k, Line before)
{
    const double *d = law->depths.values, *f = law->forces.values;
    const size_t  end = k + 1 < law->depths.count ? k + 1 : k, begin = end - 1;
    const double  step = 0.5 * (d[k] - before.at) * (before.force + f[k]);
    return (Line){d[k], f[k], (f[end] - f[begin]) / (d[end] - d[begin]), before.work + step};
}

/* Takes the lanes that are in this segment or beyond it from the segment before to this one. A change in place would
 * make gcc 12 branch around each vector that stays, hard to predict. */
PCM_INLINE void advance(Line line, const double *depth, uint64_t with_work, const Lines *was, Lines *now)
{
    now->count = was->count;
    PCM_EACH(was, i) {
        const double x = depth[i], was_at = was->at[i], was_force = was->force[i], was_slope = was->slope[i];
        const double was_work = was->work[i];
        now->at[i] = x >= line.at ? line.at : was_at;
        now->force[i] = x >= line.at ? line.force : was_force;
        now->slope[i] = x >= line.at ? line.slope : was_slope;
        if (with_work)
            now->work[i] = x >= line.at ? line.work : was_work;
    }
}

/* Finds the segment for each lane: two passes over the table at a time, there and back between two buffers. */
PCM_INLINE void find_lines(const Law *law, const double *depth, uint64_t with_work, Lines *found)
{
    const Line   start = {.slope = law->forces.values[0] / law->depths.values[0]};
    const size_t last = law->depths.count - 1;
    Line         line = start;
    Lines        other;
    PCM_EACH(found, i) {
        found->at[i] = start.at;
        found->force[i] = start.force;
        found->slope[i] = start.slope;
        if (with_work)
            found->work[i] = start.work;
    }
    for (size_t k = 0; k <= last; k += 2) {
        line = line_from(law, k, line);
        advance(line, depth, with_work, found, &other);
        /* After an odd number of entries the last one again, which changes nothing. */
        line = line_from(law, k < last ? k + 1 : last, line);
        advance(line, depth, with_work, &other, found);
    }
}

static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    Lines     line;
    for (size_t first = 0; first < b->count; first += PCM_BLOCK_LANES) {
        const double *depth = b->depth + first, *rate = b->depth_rate + first;
        double       *force_n = b->force_n + first, *elastic_n = b->elastic_n + first, *energy = b->energy + first;
        double       *adhesive_n = b->adhesive_n + first, *pull_off = b->pull_off + first;
        double       *dissipation = b->dissipation + first;
        line.count = b->count - first < PCM_BLOCK_LANES ? b->count - first : PCM_BLOCK_LANES;
        find_lines(&law, depth, b->reports, &line);
        PCM_EACH(&line, i) {
            const double on = pcm_ramp(depth[i]) - line.at[i], dd = rate[i];
            const double spring = line.force[i] + line.slope[i] * on;
            const double fn = spring * pcm_ramp(1 + law.dissipation * dd);
            force_n[i] = fn;
            elastic_n[i] = spring;
            adhesive_n[i] = 0;
            pull_off[i] = 0;
            if (b->reports) {
                /* When the surfaces part faster than the spring can follow, its energy goes into its own damper. */
                energy[i] = line.work[i] + 0.5 * on * (line.force[i] + spring);
                dissipation[i] = (fn - spring) * dd;
            }
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law     *law = params;
    const pcm_list d = law->depths, f = law->forces;
    if (d.count != f.count || d.count < 2) {
        setup->report(setup, "Forces", "must have as many entries as Depths, at least two");
        return 1;
    }
    for (size_t i = 0; i < d.count; i++)
        if (!(d.values[i] > (i ? d.values[i - 1] : 0))) {
            setup->report(setup, "Depths", "must ascend, from above 0: the table begins with no force at depth 0");
            return 1;
        }
    for (size_t i = 0; i < f.count; i++)
        if (!(f.values[i] >= (i ? f.values[i - 1] : 0))) {
            setup->report(setup, "Forces", "must not descend, from 0 on: that would pull the surfaces together");
            return 1;
        }
    return 0;
}

static double compression(const void *params, const pcm_load *load)
{
    const Law    *law = params;
    const double *d = law->depths.values, *f = law->forces.values;
    size_t        k = 0;
    while (k + 1 < law->depths.count && f[k] < load->force)
        k++;
    const double before = k ? d[k - 1] : 0, from = k ? f[k - 1] : 0;
    return before + (load->force - from) * (d[k] - before) / (f[k] - from);
}

PCM_DERIVED(Law, restitution, rebound(law->dissipation * load->speed));

static const pcm_param params[] = {
    PCM_LIST(Law, depths, "Depths", "m", "at which the force was measured, ascending", .flags = PCM_REQUIRED),
    PCM_LIST(Law, forces, "Forces", "N", "measured, at each of them", .flags = PCM_REQUIRED),
    PCM_REAL(Law, dissipation, "Dissipation", "s/m", 0, "share of the force per m/s of approach", .min = 0),
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"restitution", "1", "of an impact with that speed, whatever its mass", restitution},
};

PCM_KERNELS(update);
PCM_MODEL(
    MeasuredTable, "Normal force from a table that was measured", .flags = PCM_ISOTROPIC,
    .source = "the table; damping as of Hunt and Crossley, J. Applied Mechanics 42 (1975) 440",
    .equations =
        "fn = F(d) max(1 + dissipation d', 0)        d depth, d' depth rate\n"
        "F by straight lines between the entries, from no force at depth 0, and beyond the last on the\n"
        "last line. A drop test gives dissipation: restitution e at a speed v, for e near 1, needs 1.5 (1 - e)/v.\n"
        "Holds for depths and speeds that were measured, on bodies of the shape that was pressed.\n",
    .params = PCM_TABLE(params), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_DEPTH_RATE,
    .outputs = PCM_ENERGY | PCM_DISSIPATION | PCM_SHARES, .prepare = prepare);
