/* SPDX-License-Identifier: MIT */
#include <pcm/spatial.h>

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Body axes to base axes, row-major, from any quaternion but zero. */
static void rotation_of(const double q[4], double m[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double s = 2 / (w * w + x * x + y * y + z * z);
    m[0] = 1 - s * (y * y + z * z);
    m[1] = s * (x * y - w * z);
    m[2] = s * (x * z + w * y);
    m[3] = s * (x * y + w * z);
    m[4] = 1 - s * (x * x + z * z);
    m[5] = s * (y * z - w * x);
    m[6] = s * (x * z - w * y);
    m[7] = s * (y * z + w * x);
    m[8] = 1 - s * (x * x + y * y);
}

void pcm_spatial_from_twist(const double position[3], const pcm_twist *twist, double velocity[6])
{
    double swept[3];
    cross(twist->angular, position, swept);
    for (size_t i = 0; i < 3; i++) {
        velocity[i] = twist->angular[i];
        velocity[3 + i] = twist->linear[i] - swept[i];
    }
}

void pcm_spatial_to_twist(const double position[3], const double velocity[6], pcm_twist *twist)
{
    double swept[3];
    cross(velocity, position, swept);
    for (size_t i = 0; i < 3; i++) {
        twist->angular[i] = velocity[i];
        twist->linear[i] = velocity[3 + i] + swept[i];
    }
}

void pcm_spatial_points(const pcm_pose *pose, const double velocity[6], size_t n, const double *local, double *motion)
{
    double m[9];
    rotation_of(pose->orientation, m);
    for (size_t i = 0; i < n; i++, local += 3, motion += 6) {
        for (size_t k = 0; k < 3; k++)
            motion[k] = pose->position[k] + m[3 * k] * local[0] + m[3 * k + 1] * local[1] + m[3 * k + 2] * local[2];
        cross(velocity, motion, motion + 3);
        for (size_t k = 3; k < 6; k++)
            motion[k] += velocity[k];
    }
}

void pcm_spatial_forces(size_t n, const double *points, const double *forces, double *spatial)
{
    for (size_t i = 0; i < n; i++, points += 3, forces += 3, spatial += 6) {
        cross(points, forces, spatial);
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
