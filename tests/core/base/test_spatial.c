/* SPDX-License-Identifier: MIT */
/* The spatial-vector functions for ground contacts, compared with outputs of Spatial_v2's gcPosVel, Fpt and gcFD. */
#include "reference.h"

#include <pcm/spatial.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static reference table;

static double at(size_t row, const char *column) { return reference_at(&table, row, column); }

static void vector_at(size_t row, const char *const columns[], size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = at(row, columns[i]);
}

/* Compares relative to the largest expected component, whose rounding limits the others. */
static void assert_vector(const double *actual, const double *expected, size_t n, double relative)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < n; i++)
        assert_true(near(actual[i], expected[i], relative * largest, 0));
}

/* Converts the rows of a base-to-body rotation to the quaternion of pcm_pose, starting from its largest component. */
static void quaternion_of(double m[9], double q[4])
{
    const double squares[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8],
                               1 - m[0] - m[4] + m[8]};
    size_t       best = 0;
    for (size_t i = 1; i < 4; i++)
        best = squares[i] > squares[best] ? i : best;
    const double d[3] = {m[5] - m[7], m[6] - m[2], m[1] - m[3]};
    const double s[3] = {m[5] + m[7], m[6] + m[2], m[1] + m[3]}; /* yz, zx, xy */
    const double rows[4][4] = {{squares[0], d[0], d[1], d[2]},
                               {d[0], squares[1], s[2], s[1]},
                               {d[1], s[2], squares[2], s[0]},
                               {d[2], s[1], s[0], squares[3]}};
    memcpy(q, rows[best], sizeof rows[best]);
}

static void points_move_as_in_gcposvel(void **state)
{
    (void)state;
    static const char *const local[] = {"lx", "ly", "lz"}, *const base[] = {"bx", "by", "bz"};
    static const char *const rotation[] = {"E11", "E12", "E13", "E21", "E22", "E23", "E31", "E32", "E33"};
    static const char *const velocity[] = {"w1", "w2", "w3", "v1", "v2", "v3"};
    static const char *const result[] = {"px", "py", "pz", "pdx", "pdy", "pdz"};
    size_t                   planar = 0;
    table = reference_open("gcposvel_sample.csv");
    for (size_t row = 0; row < table.rows; row++) {
        double l[3], m[9], v[6], motion[6], expected[6];
        vector_at(row, local, 3, l);
        vector_at(row, rotation, 9, m);
        vector_at(row, velocity, 6, v);
        vector_at(row, result, 6, expected);
        pcm_pose pose;
        vector_at(row, base, 3, pose.position);
        if (at(row, "model") == 4) {
            const double in_plane[3] = {v[2], v[3], v[4]};
            const double wanted[4] = {expected[0], expected[1], expected[3], expected[4]};
            pcm_planar_points(pose.position, atan2(m[1], m[0]), in_plane, 1, l, motion);
            assert_vector(motion, wanted, 4, 1e-13);
            planar++;
        } else {
            quaternion_of(m, pose.orientation);
            pcm_spatial_points(&pose, v, 1, l, motion);
            /* Spatial_v2 passes through the joints of a tree, with a rounding error or two in each. */
            assert_vector(motion, expected, 3, 1e-13);
            assert_vector(motion + 3, expected + 3, 3, 1e-13);
        }
    }
    assert_true(planar > 0 && planar < table.rows);
    reference_close(&table);
}

static void forces_become_spatial_as_in_fpt(void **state)
{
    (void)state;
    static const char *const point[] = {"px", "py", "pz"}, *const force[] = {"fx", "fy", "fz"};
    static const char *const result[] = {"out1", "out2", "out3", "out4", "out5", "out6"};
    size_t                   planar = 0;
    table = reference_open("fpt_sample.csv");
    for (size_t row = 0; row < table.rows; row++) {
        double p[3], f[3], expected[6], spatial[6];
        vector_at(row, point, 3, p);
        vector_at(row, force, 3, f);
        vector_at(row, result, 6, expected);
        const bool is_planar = at(row, "dim") == 2;
        if (is_planar)
            pcm_planar_forces(1, p, f, spatial);
        else
            pcm_spatial_forces(1, p, f, spatial);
        /* Both compute the same two products and one difference, so the bits are equal. */
        for (size_t i = 0; i < (is_planar ? 3 : 6); i++)
            assert_true(spatial[i] == expected[i]);
        planar += is_planar;
    }
    assert_true(planar > 0 && planar < table.rows);
    reference_close(&table);
}

/* The disc of Spatial_v2's example 7 in the states of gcFD's table. Its acceleration is computed here from the sum of
 * forces, by Newton's and Euler's equations about the centre of mass, which is the body's origin. */
static void rate_of_disc(const double q[4], const double r[3], const double w[3], const double v[3],
                         const double force[6], double rate[13])
{
    const double   mass = 0.2356194490192345, about_axis = 2.9452431127404e-4, across = 1.4922565104552e-4;
    const pcm_pose pose = {.orientation = {q[0], q[1], q[2], q[3]}};
    const double   axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, still[6] = {0};
    double         body[3][6];
    pcm_spatial_points(&pose, still, 3, axes, body[0]);

    double moment[3], alpha[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        moment[i] = force[i] - (r[j] * force[3 + k] - r[k] * force[3 + j]);
    }
    const double inertia[3] = {across, about_axis, across};
    double       local_w[3], local_n[3];
    for (size_t i = 0; i < 3; i++) {
        local_w[i] = body[i][0] * w[0] + body[i][1] * w[1] + body[i][2] * w[2];
        local_n[i] = body[i][0] * moment[0] + body[i][1] * moment[1] + body[i][2] * moment[2];
    }
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        const double local = (local_n[i] - (inertia[k] - inertia[j]) * local_w[j] * local_w[k]) / inertia[i];
        for (size_t c = 0; c < 3; c++)
            alpha[c] += local * body[i][c];
    }

    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), pull = 0.1 * spin * (1 - size);
    rate[0] = 0.5 * (pull * q[0] - w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
    double own[3]; /* of the disc's own origin */
    pcm_cross(w, r, own);
    for (size_t i = 0; i < 3; i++)
        own[i] += v[i];
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        rate[1 + i] = 0.5 * (pull * q[1 + i] + w[i] * q[0] + w[j] * q[1 + k] - w[k] * q[1 + j]);
        rate[4 + i] = own[i];
        rate[7 + i] = alpha[i];
        rate[10 + i] = force[3 + i] / mass - (i == 2 ? 9.81 : 0) - (alpha[j] * r[k] - alpha[k] * r[j]) -
                       (w[j] * own[k] - w[k] * own[j]);
    }
}

static void sums_move_the_disc_as_in_gcfd(void **state)
{
    (void)state;
    static const char *const q_names[] = {"qn0", "qn1", "qn2", "qn3"}, *const r_names[] = {"rx", "ry", "rz"};
    static const char *const w_names[] = {"w1", "w2", "w3"}, *const v_names[] = {"v1", "v2", "v3"};
    static const char *const rates[] = {"d_qnd0", "d_qnd1", "d_qnd2", "d_qnd3", "d_rdx", "d_rdy", "d_rdz",
                                        "d_aw1",  "d_aw2",  "d_aw3",  "d_av1",  "d_av2", "d_av3"};
    const uint32_t           bodies[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    table = reference_open("gcfd_sample.csv");
    const size_t first = reference_column(&table, "p1_nx");
    for (size_t row = 0; row < table.rows; row++) {
        double q[4], r[3], w[3], v[3], expected[13], rate[13], sums[2][6] = {{0}};
        vector_at(row, q_names, 4, q);
        vector_at(row, r_names, 3, r);
        vector_at(row, w_names, 3, w);
        vector_at(row, v_names, 3, v);
        vector_at(row, rates, 13, expected);
        pcm_spatial_sum(8, bodies, table.cells + row * table.columns + first, sums[0]);
        for (size_t i = 0; i < 6; i++)
            assert_true(sums[0][i] == 0);
        rate_of_disc(q, r, w, v, sums[1], rate);
        assert_vector(rate, expected, 7, 1e-13);
        /* The disc's inertia is given to 14 digits; Spatial_v2 solves 6 equations where this test divides three
         * times. */
        assert_vector(rate + 7, expected + 7, 6, 1e-11);
    }
    reference_close(&table);
}

/* A body's own origin is one of its points: its velocity is v' = v + w x r. */
static void a_body_moves_with_its_origin(void **state)
{
    (void)state;
    const pcm_pose pose = {{1, -2, 0.5}, {0.5, 0.5, 0.5, 0.5}};
    const double   velocity[6] = {0.25, 2, -1, 3, 0.5, -4}, origin[3] = {0};
    double         motion[6], swept[3];
    pcm_spatial_points(&pose, velocity, 1, origin, motion);
    pcm_cross(velocity, pose.position, swept);
    for (size_t i = 0; i < 3; i++) {
        assert_true(motion[i] == pose.position[i]);
        assert_true(motion[3 + i] == velocity[3 + i] + swept[i]); /* numbers of few bits: every operation is exact */
    }
    assert_true(pcm_dot(swept, velocity) == 0 && pcm_dot(swept, pose.position) == 0);
}

static void the_plane_is_a_plane_of_space(void **state)
{
    (void)state;
    const double   angle = 0.7, in_plane[3] = {1.5, 0.25, -2}, velocity[6] = {0, 0, 1.5, 0.25, -2, 0};
    const pcm_pose pose = {{0.3, -0.4, 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
    const double   local2[4] = {0.1, 0.2, -0.3, 0.05}, local3[6] = {0.1, 0.2, 0, -0.3, 0.05, 0};
    double         planar[8], spatial[12];
    pcm_planar_points(pose.position, angle, in_plane, 2, local2, planar);
    pcm_spatial_points(&pose, velocity, 2, local3, spatial);
    for (size_t i = 0; i < 2; i++) {
        const double expected[4] = {spatial[6 * i], spatial[6 * i + 1], spatial[6 * i + 3], spatial[6 * i + 4]};
        assert_vector(planar + 4 * i, expected, 4, 1e-15); /* one uses sines of the angle, the other of its half */
    }
    const double force2[4] = {5, -1, 2, 7};
    double       forces[6], sum[6] = {0, 0, 0, 1, 1, 1};
    pcm_planar_forces(2, local2, force2, forces);
    pcm_planar_sum(2, (const uint32_t[]){1, 1}, forces, sum);
    for (size_t i = 0; i < 3; i++) {
        assert_true(sum[i] == 0);
        assert_true(sum[3 + i] == 1 + forces[i] + forces[3 + i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_move_as_in_gcposvel),    cmocka_unit_test(forces_become_spatial_as_in_fpt),
        cmocka_unit_test(sums_move_the_disc_as_in_gcfd), cmocka_unit_test(a_body_moves_with_its_origin),
        cmocka_unit_test(the_plane_is_a_plane_of_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
