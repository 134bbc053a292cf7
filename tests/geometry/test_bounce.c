/* SPDX-License-Identifier: MIT */
/* A box bounces and tumbles on a plane without friction or loss. CVODE integrates it, with the contacts of a space as
 * forces and the zero crossings of the separation as events, and energy is conserved to the solver's tolerance. */
#include "fixture.h"
#include "reference.h"
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { POSITION, TURN = 3, VELOCITY = 7, MOMENTUM = 10, STATES = 13 };

static const double sides[3] = {0.3, 0.2, 0.1}, mass = 1, gravity = 9.81;

typedef struct bouncer {
    fixture       f;
    pcm_geometry *plane, *box;
    pcm_space    *space;
    pcm_object    ground, body;
    double        inertia[3];
} bouncer;

/* Places the box at the state y; its angular velocity follows from its angular momentum. */
static void place_box(bouncer *b, const double *y, pcm_pose *pose, pcm_twist *twist)
{
    double length = 0, own[3];
    memcpy(pose->position, y + POSITION, 3 * sizeof *y);
    for (int k = 0; k < 4; k++)
        length += y[TURN + k] * y[TURN + k];
    for (int k = 0; k < 4; k++)
        pose->orientation[k] = y[TURN + k] / sqrt(length);
    const double *q = pose->orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
    rotate(back, y + MOMENTUM, own);
    for (int k = 0; k < 3; k++)
        own[k] /= b->inertia[k];
    rotate(q, own, twist->angular);
    memcpy(twist->linear, y + VELOCITY, 3 * sizeof *y);
    assert_int_equal(pcm_space_move(b->space, b->body, pose, twist), PCM_OK);
}

static int right_hand_side(realtype t, N_Vector state, N_Vector rate, void *user)
{
    bouncer      *b = user;
    const double *y = N_VGetArrayPointer(state), *q = y + TURN;
    double       *dy = N_VGetArrayPointer(rate);
    pcm_pose      pose;
    pcm_twist     twist;
    pcm_wrench    w;
    place_box(b, y, &pose, &twist);
    if (pcm_space_touch(b->space) != PCM_OK || pcm_world_update(b->f.world, t, 0) != PCM_OK ||
        pcm_world_wrench(b->f.world, b->body, &w) != PCM_OK)
        return -1;
    const double *o = twist.angular;
    dy[TURN] = -0.5 * (o[0] * q[1] + o[1] * q[2] + o[2] * q[3]);
    dy[TURN + 1] = 0.5 * (o[0] * q[0] + o[1] * q[3] - o[2] * q[2]);
    dy[TURN + 2] = 0.5 * (o[1] * q[0] + o[2] * q[1] - o[0] * q[3]);
    dy[TURN + 3] = 0.5 * (o[2] * q[0] + o[0] * q[2] - o[1] * q[1]);
    for (int k = 0; k < 3; k++) {
        dy[POSITION + k] = y[VELOCITY + k];
        dy[VELOCITY + k] = w.force[k] / mass - (k == 2 ? gravity : 0);
        dy[MOMENTUM + k] = w.torque[k];
    }
    return 0;
}

static int separation(realtype t, N_Vector state, realtype *g, void *user)
{
    bouncer  *b = user;
    pcm_pose  pose;
    pcm_twist twist;
    (void)t;
    place_box(b, N_VGetArrayPointer(state), &pose, &twist);
    return pcm_space_crossings(b->space, g, 1) == 1 ? 0 : -1;
}

/* The energy of motion, height and the springs of all contacts. */
static double energy(bouncer *b, double t, const double *y)
{
    pcm_pose  pose;
    pcm_twist twist;
    double    sum = mass * gravity * y[2];
    place_box(b, y, &pose, &twist);
    assert_int_equal(pcm_space_touch(b->space), PCM_OK);
    assert_int_equal(pcm_world_update(b->f.world, t, 0), PCM_OK);
    for (int k = 0; k < 3; k++)
        sum += 0.5 * (mass * twist.linear[k] * twist.linear[k] + twist.angular[k] * y[MOMENTUM + k]);
    for (size_t i = 0; i < pcm_world_contact_count(b->f.world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(b->f.world, i, &info), PCM_OK);
        sum += info.energy;
    }
    return sum;
}

static void open_bouncer(bouncer *b)
{
    fixture_open(&b->f,
                 "ContactType C = SmoothSpringDamper { Stiffness = 2e4; Damping = 0; TransitionRegionWidth = 1e-3;"
                 " Smoothing = Quintic; FrictionMethod = None; ZeroCrossings = true; };"
                 "ObjectPair Ground * Box -> C;",
                 NULL);
    b->plane = pcm_geometry_plane(b->f.context);
    b->box = pcm_geometry_box(b->f.context, sides);
    b->space = pcm_space_new(b->f.context, b->f.world);
    b->ground = pcm_space_add(b->space, &PCM_OBJECT(.name = "Ground", .fixed = true), b->plane, NULL);
    b->body = pcm_space_add(b->space, &PCM_OBJECT(.name = "Box"), b->box, NULL);
    for (int k = 0; k < 3; k++) {
        const double p = sides[(k + 1) % 3], q = sides[(k + 2) % 3];
        b->inertia[k] = mass / 12 * (p * p + q * q);
    }
}

static void close_bouncer(bouncer *b)
{
    pcm_space_free(b->space);
    pcm_geometry_free(b->plane);
    pcm_geometry_free(b->box);
    fixture_close(&b->f);
}

/* The largest relative change of energy over two seconds; *crossings: the number of events. */
static double drift(double tolerance, int *crossings)
{
    bouncer    b;
    SUNContext sun;
    double     worst = 0;
    open_bouncer(&b);
    assert_int_equal(SUNContext_Create(NULL, &sun), 0);
    N_Vector     y = N_VNew_Serial(STATES, sun);
    const double start[STATES] = {0, 0, 0.4, 0.9, 0.3, 0.3, 0.1, 0.5, 0, -1, 0.004, 0.01, 0.002};
    double      *now = N_VGetArrayPointer(y), t = 0;
    memcpy(now, start, sizeof start);
    const double    before = energy(&b, 0, now);
    void           *solver = CVodeCreate(CV_ADAMS, sun);
    SUNMatrix       matrix = SUNDenseMatrix(STATES, STATES, sun);
    SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, sun);
    assert_int_equal(CVodeInit(solver, right_hand_side, 0, y), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(solver, tolerance, 1e-2 * tolerance), CV_SUCCESS);
    assert_int_equal(CVodeSetLinearSolver(solver, linear, matrix), CV_SUCCESS);
    assert_int_equal(CVodeSetUserData(solver, &b), CV_SUCCESS);
    assert_int_equal(CVodeRootInit(solver, 1, separation), CV_SUCCESS);
    CVodeSetNoInactiveRootWarn(solver);
    CVodeSetMaxNumSteps(solver, 100000);
    CVodeSetMaxStep(solver, 2e-3); /* so that no corner enters and leaves the plane unseen within a step */
    *crossings = 0;
    while (t < 2) {
        const int met = CVode(solver, t + 0.01, y, &t, CV_NORMAL);
        assert_true(met == CV_SUCCESS || met == CV_ROOT_RETURN);
        worst = fmax(worst, fabs(energy(&b, t, now) / before - 1));
        assert_int_equal(pcm_world_commit(b.f.world), PCM_OK);
        if (met == CV_ROOT_RETURN) {
            ++*crossings;
            assert_int_equal(CVodeReInit(solver, t, y), CV_SUCCESS);
        }
    }
    CVodeFree(&solver);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&sun);
    close_bouncer(&b);
    return worst;
}

static void keeps_its_energy(void **state)
{
    (void)state;
    for (double tolerance = 1e-6; tolerance > 5e-11; tolerance *= 1e-2) {
        int          crossings;
        const double worst = drift(tolerance, &crossings);
        print_message("relative tolerance %.0e: energy changes by %.1e, %d crossings\n", tolerance, worst, crossings);
        assert_true(crossings > 10);
        /* Local errors add up over some thousand steps. */
        assert_true(worst < 1e3 * tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_its_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
