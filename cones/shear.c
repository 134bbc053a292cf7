/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <pcm/cone.h>
#include <pcm/messages.h>

static const double pi = 3.14159265358979323846;

/* A component's share of its limit, 1 at the limit; an interval without width contains no force. */
static double share_of(double force, double limit) { return force == 0 ? 0 : fabs(force) / limit; }

static double ellipse_margin(const pcm_shear *set, double along, double across)
{
    const double length = hypot(along, across), half = along < 0 ? -set->least : set->most;
    if (length == 0)
        return fmin(fmin(set->most, -set->least), set->across);
    return length / hypot(share_of(along, half), share_of(across, set->across)) - length;
}

static double box_margin(const pcm_shear *set, double along, double across)
{
    return fmin(fmin(set->most - along, along - set->least), set->across - fabs(across));
}

double pcm_shear_margin(const pcm_shear *set, double along, double across)
{
    if (!isfinite(along) || !isfinite(across))
        return NAN;
    return (set->shape == PCM_SHEAR_BOX ? box_margin : ellipse_margin)(set, along, across);
}

static void box_corner(const pcm_shear *set, uint32_t k, double corner[2])
{
    corner[0] = k == 0 || k == 3 ? set->most : set->least;
    corner[1] = k < 2 ? set->across : -set->across;
}

static void ellipse_corner(const pcm_shear *set, double turn, double corner[2])
{
    corner[0] = cos(turn) * (cos(turn) < 0 ? -set->least : set->most);
    corner[1] = sin(turn) * set->across;
}

uint32_t pcm_shear_polygon(const pcm_shear *set, uint32_t sides, double (*corners)[2])
{
    const bool     box = set->shape == PCM_SHEAR_BOX;
    const uint32_t count = !(set->least <= set->most) ? 0 : box ? 4 : sides;
    for (uint32_t k = 0; k < count; k++)
        if (box)
            box_corner(set, k, corners[k]);
        else
            ellipse_corner(set, 2 * pi * k / count, corners[k]);
    return count;
}
