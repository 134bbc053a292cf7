/* SPDX-License-Identifier: MIT */
#include "refuse.h"
#include "vector.h"

pcm_status pcm_cone_make(pcm_context *context, const double normal[3], double friction, pcm_cone *cone)
{
    if (!(friction >= 0) || isinf(friction))
        return REFUSE(context, PCM_MSG_CONE, "the friction of a cone must be a number of at least 0, not %s",
                      pcm_number(friction, 0).text);
    if (!normalise(normal, cone->axis))
        return REFUSE(context, PCM_MSG_CONE, "the normal of a cone must have a direction; (%s, %s, %s) has none",
                      pcm_number(normal[0], 0).text, pcm_number(normal[1], 0).text, pcm_number(normal[2], 0).text);
    cone->friction = friction;
    return PCM_OK;
}

static void set_all(double out[3], double value) { out[0] = out[1] = out[2] = value; }

static pcm_cone_report measure(const pcm_cone *cone, const double force[3])
{
    const double    mu = cone->friction;
    pcm_cone_report r = {
        .size = sizeof r, .normal = NAN, .tangential = NAN, .margin = NAN, .angle = NAN, .distance = NAN};
    set_all(r.projection, NAN);
    if (!finite3(force))
        return r;

    double across[3];
    r.normal = pcm_dot(force, cone->axis);
    add_scaled(force, -r.normal, cone->axis, across);
    r.tangential = norm(across);
    r.margin = mu * r.normal - r.tangential;
    r.inside = r.margin >= 0 && r.normal >= 0;
    r.stable = r.inside && r.normal > 0;
    r.angle = atan(mu) - atan2(r.tangential, r.normal);
    r.distance = r.margin / hypot(1, mu);
    if (r.inside) {
        memcpy(r.projection, force, sizeof r.projection);
    } else if (mu * r.tangential <= -r.normal) { /* in the polar cone: the apex is nearest */
        r.distance = -norm(force);
        set_all(r.projection, 0);
    } else {
        const double along = (r.normal + mu * r.tangential) / (1 + mu * mu);
        for (size_t i = 0; i < 3; i++)
            r.projection[i] = along * (cone->axis[i] + mu * (across[i] / r.tangential));
    }
    return r;
}

void pcm_cone_measure_into(const pcm_cone *cone, const double force[3], pcm_cone_report *report, size_t size)
{
    const pcm_cone_report known = measure(cone, force);
    pcm_info_fill(NULL, NULL, report, size, &known);
}
