/* SPDX-License-Identifier: MIT */
#include <pcm/spatial.h>

void pcm_spatial_points(const pcm_pose *pose, const double velocity[6], size_t n, const double *local, double *motion)
{
    double m[9];
    pcm_rotation(pose->orientation, m);
    for (size_t i = 0; i < n; i++, local += 3, motion += 6) {
        for (size_t k = 0; k < 3; k++)
            motion[k] = pose->position[k] + m[3 * k] * local[0] + m[3 * k + 1] * local[1] + m[3 * k + 2] * local[2];
        pcm_cross(velocity, motion, motion + 3);
        for (size_t k = 3; k < 6; k++)
            motion[k] += velocity[k];
    }
}

void pcm_spatial_forces(size_t n, const double *points, const double *forces, double *spatial)
{
    for (size_t i = 0; i < n; i++, points += 3, forces += 3, spatial += 6) {
        pcm_cross(points, forces, spatial);
        memcpy(spatial + 3, forces, 3 * sizeof *forces);
    }
}

void pcm_spatial_sum(size_t n, const uint32_t *body, const double *spatial, double *bodies)
{
    for (size_t i = 0; i < n; i++, spatial += 6)
        for (size_t k = 0; k < 6; k++)
            bodies[6 * (size_t)body[i] + k] += spatial[k];
}

void pcm_planar_points(const double position[2], double angle, const double velocity[3], size_t n, const double *local,
                       double *motion)
{
    const double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < n; i++, local += 2, motion += 4) {
        motion[0] = position[0] + c * local[0] - s * local[1];
        motion[1] = position[1] + s * local[0] + c * local[1];
        motion[2] = velocity[1] - velocity[0] * motion[1];
        motion[3] = velocity[2] + velocity[0] * motion[0];
    }
}

void pcm_planar_forces(size_t n, const double *points, const double *forces, double *planar)
{
    for (size_t i = 0; i < n; i++, points += 2, forces += 2, planar += 3) {
        planar[0] = points[0] * forces[1] - points[1] * forces[0];
        memcpy(planar + 1, forces, 2 * sizeof *forces);
    }
}

void pcm_planar_sum(size_t n, const uint32_t *body, const double *planar, double *bodies)
{
    for (size_t i = 0; i < n; i++, planar += 3)
        for (size_t k = 0; k < 3; k++)
            bodies[3 * (size_t)body[i] + k] += planar[k];
}
