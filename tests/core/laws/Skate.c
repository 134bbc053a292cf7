/* SPDX-License-Identifier: MIT */
/* A blade on ice: viscous friction along the blade and larger friction across it; or, if the base has a grain, along
 * and across the grain. The axis need not be in the tangent plane: then its projection counts. */
#include <pcm/plugin.h>

typedef struct {
    double  along, across;
    int64_t side;
} Law;

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *axis_x = law.side ? b->base_axis_x : b->follower_axis_x;
    const double *axis_y = law.side ? b->base_axis_y : b->follower_axis_y;
    PCM_EACH(b, i) {
        const double length = pcm_sqrt(axis_x[i] * axis_x[i] + axis_y[i] * axis_y[i]);
        const double x = axis_x[i] / length, y = axis_y[i] / length;
        const double glide = x * b->slip_x[i] + y * b->slip_y[i], skid = x * b->slip_y[i] - y * b->slip_x[i];
        b->force_n[i] = 0;
        b->force_x[i] = -law.along * glide * x + law.across * skid * y;
        b->force_y[i] = -law.along * glide * y - law.across * skid * x;
    }
}

static const char *const sides[] = {"Follower", "Base", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, along, "Along", "N*s/m", 0.5, "resistance along the axis", .min = 0),
    PCM_REAL(Law, across, "Across", "N*s/m", 20, "resistance across it", .min = 0),
    PCM_CHOICE(Law, side, "Side", sides, 0, "whose axis it is"),
};

PCM_KERNELS(update);
PCM_MODEL(Skate, "Friction along and across an axis of a body", .params = PCM_TABLE(params),
          .inputs = PCM_SLIP | PCM_AXES, .outputs = PCM_FRICTION, .flags = PCM_ISOTROPIC);
