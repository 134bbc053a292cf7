/* SPDX-License-Identifier: MIT */
#include "refuse.h"
#include "vector.h"

static const double pi = 3.14159265358979323846;

/* The cosine and sine of 2 pi eighths / (8 sides), exact at quarter turns. */
static void turn(uint64_t eighths, uint64_t sides, double *cosine, double *sine)
{
    const uint64_t quarter = 2 * sides, rest = eighths % quarter;
    const double   angle = 2 * pi * (double)rest / (double)(8 * sides);
    const double   c = cos(angle), s = rest ? sin(angle) : 0;
    switch (eighths / quarter % 4) {
    case 0:
        *cosine = c, *sine = s;
        break;
    case 1:
        *cosine = -s, *sine = c;
        break;
    case 2:
        *cosine = -c, *sine = -s;
        break;
    default:
        *cosine = s, *sine = -c;
    }
}

static double edge_slope(pcm_pyramid_kind kind, uint32_t sides, double friction)
{
    const double step = 2 * pi / sides;
    switch (kind) {
    case PCM_PYRAMID_OUTER:
        return friction / cos(step / 2);
    case PCM_PYRAMID_EQUAL: /* the polygon's area, sides / 2 * sin(step) * slope^2, is pi * friction^2 */
        return friction * sqrt(step / sin(step));
    default:
        return friction;
    }
}

pcm_status pcm_pyramid_make(pcm_context *context, const pcm_cone *cone, pcm_pyramid_kind kind, uint32_t sides,
                            const double first[3], pcm_pyramid *pyramid)
{
    if (sides < 3 || sides > PCM_PYRAMID_SIDES)
        return REFUSE(context, PCM_MSG_PYRAMID, "a pyramid has 3 to %d sides, not %u", PCM_PYRAMID_SIDES, sides);
    if (kind != PCM_PYRAMID_INNER && kind != PCM_PYRAMID_OUTER && kind != PCM_PYRAMID_EQUAL)
        return REFUSE(context, PCM_MSG_PYRAMID, "there is no pyramid of kind %u", (unsigned)kind);
    if (!(cone->friction > 0) || isinf(cone->friction))
        return REFUSE(context, PCM_MSG_PYRAMID, "the friction of a pyramid must be above 0, not %s",
                      pcm_number(cone->friction, 0).text);

    pcm_pyramid p = {.slope = edge_slope(kind, sides, cone->friction), .sides = sides, .kind = kind};
    double      across[3];
    memcpy(p.axis, cone->axis, sizeof p.axis);
    add_scaled(first, -pcm_dot(first, p.axis), p.axis, across);
    /* A direction along the axis leaves only rounding error here, which is not a direction. */
    if (!(norm(across) > 1e-9 * norm(first)) || !normalise(across, p.x))
        return REFUSE(context, PCM_MSG_PYRAMID,
                      "the first edge of a pyramid must be finite, not zero and not along its axis (%s, %s, %s); it is "
                      "(%s, %s, %s)",
                      pcm_number(p.axis[0], 0).text, pcm_number(p.axis[1], 0).text, pcm_number(p.axis[2], 0).text,
                      pcm_number(first[0], 0).text, pcm_number(first[1], 0).text, pcm_number(first[2], 0).text);
    pcm_cross(p.axis, p.x, p.y);
    *pyramid = p;
    return PCM_OK;
}

/* axis * along + (cosine x + sine y) * across, normalised. */
static void compose(const pcm_pyramid *p, double along, double across, double cosine, double sine, double out[3])
{
    const double length = hypot(along, across);
    for (size_t i = 0; i < 3; i++)
        out[i] = (along * p->axis[i] + across * (cosine * p->x[i] + sine * p->y[i])) / length;
}

void pcm_pyramid_edge(const pcm_pyramid *pyramid, uint32_t k, double edge[3])
{
    double cosine, sine;
    turn(8 * (uint64_t)k, pyramid->sides, &cosine, &sine);
    compose(pyramid, 1, pyramid->slope, cosine, sine, edge);
}

void pcm_pyramid_face(const pcm_pyramid *pyramid, uint32_t k, double face[3])
{
    double cosine, sine;
    turn(8 * (uint64_t)k + 4, pyramid->sides, &cosine, &sine);
    compose(pyramid, pyramid->slope * cos(pi / pyramid->sides), -1, cosine, sine, face);
}

double pcm_pyramid_margin(const pcm_pyramid *pyramid, const double force[3])
{
    if (!finite3(force))
        return NAN;
    double least = INFINITY;
    for (uint32_t k = 0; k < pyramid->sides; k++) {
        double face[3];
        pcm_pyramid_face(pyramid, k, face);
        least = fmin(least, pcm_dot(face, force));
    }
    return least;
}

bool pcm_pyramid_weights(const pcm_pyramid *pyramid, const double force[3], double *weights)
{
    if (!finite3(force))
        return false;
    /* Edges have unit length: per unit of their part along the axis they reach outwards by the slope. */
    const double   scale = hypot(1, pyramid->slope), step = 2 * pi / pyramid->sides;
    const double   x = pcm_dot(force, pyramid->x) / pyramid->slope, y = pcm_dot(force, pyramid->y) / pyramid->slope;
    const double   azimuth = atan2(y, x);
    const double   sector = floor((azimuth < 0 ? azimuth + 2 * pi : azimuth) / step);
    const uint32_t k = (uint32_t)fmin(sector, pyramid->sides - 1);

    double c0, s0, c1, s1;
    turn(8 * (uint64_t)k, pyramid->sides, &c0, &s0);
    turn(8 * ((uint64_t)k + 1), pyramid->sides, &c1, &s1);
    const double area = c0 * s1 - s0 * c1;
    /* Not below 0: only rounding near an edge gives negative values. */
    const double before = fmax((x * s1 - y * c1) / area, 0), after = fmax((c0 * y - s0 * x) / area, 0);
    const double rest = pcm_dot(force, pyramid->axis) - before - after;
    if (!(rest >= 0))
        return false;
    for (uint32_t i = 0; i < pyramid->sides; i++)
        weights[i] = scale * rest / pyramid->sides;
    weights[k] += scale * before;
    weights[(k + 1) % pyramid->sides] += scale * after;
    return true;
}
