/* SPDX-License-Identifier: MIT */
/* sole.c - the wrench cone of a rectangular sole in closed form (Caron, Pham, Nakamura 2015). */
#include "refuse.h"

enum { TX, TY, TZ, FX, FY, FZ };

/* scale * w[of] + sign * w[by] */
static void pair(double face[6], int of, double scale, int by, double sign)
{
    memset(face, 0, 6 * sizeof *face);
    face[of] = scale;
    face[by] = sign;
}

pcm_status pcm_sole_faces(pcm_context *context, double half_x, double half_y, double friction, double faces[16][6])
{
    if (!(half_x > 0 && half_y > 0 && friction > 0) || isinf(half_x) || isinf(half_y) || isinf(friction))
        return REFUSE(context, PCM_MSG_WRENCH_CONE, "a sole has half sizes and friction above 0, not %s, %s and %s",
                      pcm_number(half_x, 0).text, pcm_number(half_y, 0).text, pcm_number(friction, 0).text);
    const double signs[2] = {-1, 1};
    for (int s = 0; s < 2; s++) {
        pair(faces[s], FZ, friction, FX, signs[s]);
        pair(faces[2 + s], FZ, friction, FY, signs[s]);
        pair(faces[4 + s], FZ, half_y, TX, signs[s]);
        pair(faces[6 + s], FZ, half_x, TY, signs[s]);
    }
    /* |a| + |b| <= c holds if it does for both signs of a and of b. */
    for (int i = 0; i < 8; i++) {
        const double a = signs[i & 1], b = signs[i >> 1 & 1], side = i < 4 ? 1 : -1;
        double      *face = faces[8 + i];
        face[TX] = a * friction;
        face[TY] = b * friction;
        face[TZ] = side;
        face[FX] = -side * a * half_y;
        face[FY] = -side * b * half_x;
        face[FZ] = friction * (half_x + half_y);
    }
    return PCM_OK;
}

void pcm_sole_yaw(double half_x, double half_y, double friction, const pcm_wrench *wrench, double *min, double *max)
{
    const double *t = wrench->torque, *f = wrench->force;
    const double  most = friction * (half_x + half_y) * f[2];
    *min = -most + fabs(half_y * f[0] - friction * t[0]) + fabs(half_x * f[1] - friction * t[1]);
    *max = most - fabs(half_y * f[0] + friction * t[0]) - fabs(half_x * f[1] + friction * t[1]);
}
