/* SPDX-License-Identifier: MIT */
/* Contacts between spheres, stepped from LAMMPS's arrays, compared with a pcm_world that gets the same motion: laws of
 * every kind, with materials and sums, while lists are rebuilt and atoms change places. */
#include "host.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SPHERES = 48, STEPS = 200, TYPES = 3 };

static const double dt = 1e-4;
static const char  *names[TYPES + 1] = {"", "Steel", "Glass", "Clay"};

/* The arrays that LAMMPS would have, and a list of all pairs. */
typedef struct bed {
    double x[SPHERES][3], v[SPHERES][3], omega[SPHERES][3], radius[SPHERES], mass[SPHERES];
    double force[SPHERES][3], torque[SPHERES][3], turn[SPHERES][4];
    int    tag[SPHERES], type[SPHERES], mask[SPHERES];
    int    atom[SPHERES], count[SPHERES], neighbour[SPHERES][SPHERES], *neighbours[SPHERES];
} bed;

static double uniform(void)
{
    static uint64_t seed = 20;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

/* Spheres on a grid, each overlapping the next, moving so that they rub and roll. */
static void fill(bed *b)
{
    for (int i = 0; i < SPHERES; i++) {
        const double at[3] = {i % 4, i / 4 % 3, i / 12};
        for (int k = 0; k < 3; k++) {
            b->x[i][k] = 0.0199 * at[k] + 1e-4 * uniform();
            b->v[i][k] = 0.2 * (uniform() - 0.5);
            b->omega[i][k] = 20 * (uniform() - 0.5);
            b->turn[i][k + 1] = 0;
        }
        b->turn[i][0] = 1;
        b->radius[i] = 0.01 + 2e-4 * uniform();
        b->mass[i] = 0.01 + 0.002 * uniform();
        b->tag[i] = i + 1;
        b->type[i] = 1 + i % TYPES;
        b->mask[i] = 1;
    }
}

static void list_pairs(bed *b)
{
    for (int i = 0; i < SPHERES; i++) {
        b->atom[i] = i;
        b->count[i] = 0;
        b->neighbours[i] = b->neighbour[i];
        for (int j = i + 1; j < SPHERES; j++)
            b->neighbour[i][b->count[i]++] = j;
    }
}

static void swap_bytes(void *a, void *b, size_t size)
{
    char keep[64];
    memcpy(keep, a, size);
    memcpy(a, b, size);
    memcpy(b, keep, size);
}

/* Swaps two atoms with their history, as when LAMMPS sorts atoms. */
static void trade(bed *b, pcm_lammps_history *history, int i, int j)
{
#define TRADE(array) swap_bytes(&(array)[i], &(array)[j], sizeof *(array))
    TRADE(b->x);
    TRADE(b->v);
    TRADE(b->omega);
    TRADE(b->radius);
    TRADE(b->mass);
    TRADE(b->turn);
    TRADE(b->tag);
    TRADE(b->type);
    TRADE(history->count);
    TRADE(history->first);
    TRADE(history->known);
    TRADE(history->committed);
#undef TRADE
}

static void turn_by(double q[4], const double w[3])
{
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = 0.5 * rate * dt;
    const double s = rate > 0 ? sin(half) / rate : 0, r[4] = {cos(half), s * w[0], s * w[1], s * w[2]};
    const double p[4] = {q[0], q[1], q[2], q[3]};
    q[0] = r[0] * p[0] - r[1] * p[1] - r[2] * p[2] - r[3] * p[3];
    q[1] = r[0] * p[1] + r[1] * p[0] + r[2] * p[3] - r[3] * p[2];
    q[2] = r[0] * p[2] - r[1] * p[3] + r[2] * p[0] + r[3] * p[1];
    q[3] = r[0] * p[3] + r[1] * p[2] - r[2] * p[1] + r[3] * p[0];
}

/* The motion is prescribed, not computed, so that small differences of forces do not lead to different trajectories. */
static void move(bed *b)
{
    for (int i = 0; i < SPHERES; i++) {
        for (int k = 0; k < 3; k++)
            b->x[i][k] += dt * b->v[i][k];
        turn_by(b->turn[i], b->omega[i]);
    }
}

static pcm_lammps_atoms view(bed *b)
{
    return (pcm_lammps_atoms){.n_local = SPHERES,
                              .n_all = SPHERES,
                              .tag = b->tag,
                              .type = b->type,
                              .mask = b->mask,
                              .x = b->x[0],
                              .v = b->v[0],
                              .omega = b->omega[0],
                              .radius = b->radius,
                              .mass = b->mass,
                              .force = b->force[0],
                              .torque = b->torque[0]};
}

/* Evaluates the world once, with the pairs in the order of IDs, and commits it. */
static void step_world(pcm_world *world, const pcm_object *object, const bed *b, double time, pcm_wrench *wrench)
{
    int at[SPHERES];
    for (int i = 0; i < SPHERES; i++) {
        pcm_pose  pose;
        pcm_twist twist;
        memcpy(pose.position, b->x[i], sizeof pose.position);
        memcpy(pose.orientation, b->turn[i], sizeof pose.orientation);
        memcpy(twist.linear, b->v[i], sizeof twist.linear);
        memcpy(twist.angular, b->omega[i], sizeof twist.angular);
        assert_int_equal(pcm_world_move(world, object[b->tag[i] - 1], &pose, &twist), PCM_OK);
        at[b->tag[i] - 1] = i;
    }
    for (int first = 0; first < SPHERES; first++)
        for (int second = first + 1; second < SPHERES; second++) {
            const int a = at[first], c = at[second];
            pcm_touch touch = {0};
            double    distance = 0;
            for (int k = 0; k < 3; k++)
                distance += (b->x[c][k] - b->x[a][k]) * (b->x[c][k] - b->x[a][k]);
            distance = sqrt(distance);
            touch.depth = b->radius[a] + b->radius[c] - distance;
            for (int k = 0; k < 3; k++) {
                touch.normal[k] = (b->x[c][k] - b->x[a][k]) / distance;
                touch.point[k] = b->x[a][k] + (b->radius[a] - touch.depth / 2) * touch.normal[k];
            }
            pcm_world_touch(world, object[first], object[second], &touch, sizeof touch);
        }
    assert_int_equal(pcm_world_update(world, time, dt), PCM_OK);
    for (int i = 0; i < SPHERES; i++)
        assert_int_equal(pcm_world_wrench(world, object[b->tag[i] - 1], &wrench[i]), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

static double size_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* The largest difference of any force, relative to the largest force, and of any torque, relative to that force times a
 * radius. */
static double compare(const bed *b, const pcm_wrench *wrench)
{
    double most = 0, force = 1e-9;
    for (int i = 0; i < SPHERES; i++)
        force = fmax(force, size_of(wrench[i].force));
    for (int i = 0; i < SPHERES; i++)
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(b->force[i][k] - wrench[i].force[k]) / force);
            most = fmax(most, fabs(b->torque[i][k] - wrench[i].torque[k]) / (force * b->radius[i]));
        }
    return most;
}

typedef struct run {
    bed                 bed;
    pcm_lammps_laws    *laws;
    pcm_lammps_history  history;
    pcm_lammps_contacts contacts;
    pcm_world          *world;
    pcm_object          object[SPHERES];
} run;

static void open_run(run *r, const char *text)
{
    FILE *file = fopen("lammps_world.pcm", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    memset(r, 0, sizeof *r);
    fill(&r->bed);
    r->laws = pcm_lammps_laws_open("lammps_world.pcm", TYPES, PCM_LAMMPS_POINT);
    assert_non_null(r->laws);
    if (!r->laws->config)
        fail_msg("%s", r->laws->error);
    r->contacts.laws = r->laws;
    r->contacts.history = &r->history;
    r->contacts.kept = true;
    for (int type = 1; type <= TYPES; type++)
        assert_true(pcm_lammps_laws_name(r->laws, type, names[type]));
    for (int a = 1; a <= TYPES; a++)
        for (int b = a; b <= TYPES; b++)
            if (!pcm_lammps_laws_pair(r->laws, a, b))
                fail_msg("%s", r->laws->error);
    assert_true(pcm_lammps_history_adopt(&r->history, r->laws, r->laws->width));
    assert_true(pcm_lammps_history_grow(&r->history, SPHERES));
    r->world = pcm_world_new(r->laws->config, NULL);
    assert_non_null(r->world);
    for (int i = 0; i < SPHERES; i++)
        r->object[i] =
            pcm_world_add_object(r->world, &PCM_OBJECT(.name = names[r->bed.type[i]], .surface = names[r->bed.type[i]],
                                                       .radius = r->bed.radius[i], .mass = r->bed.mass[i]));
}

static void close_run(run *r)
{
    pcm_lammps_contacts_close(&r->contacts);
    pcm_lammps_history_close(&r->history);
    pcm_world_free(r->world);
    pcm_lammps_laws_close(r->laws);
    (void)remove("lammps_world.pcm");
}

/* Rebuilds the list, after swapping two atoms. */
static void rebuild(run *r, int step, double skin)
{
    pcm_lammps_atoms atoms = view(&r->bed);
    assert_true(pcm_lammps_contacts_keep(&r->contacts, &atoms));
    if (step > 0)
        trade(&r->bed, &r->history, step / 20 % SPHERES, (step / 20 * 7 + 5) % SPHERES);
    list_pairs(&r->bed);
    atoms = view(&r->bed);
    const pcm_lammps_list list = {SPHERES, r->bed.atom, r->bed.count, r->bed.neighbours};
    assert_true(pcm_lammps_contacts_build(&r->contacts, &atoms, &list, skin));
}

/* Steps the contacts and the world; returns their largest difference. */
static double step_both(run *r, int step)
{
    const pcm_lammps_atoms atoms = view(&r->bed);
    pcm_lammps_step        now = {.time = step * dt, .dt = dt, .advance = true};
    pcm_wrench             wrench[SPHERES];
    memset(r->bed.force, 0, sizeof r->bed.force);
    memset(r->bed.torque, 0, sizeof r->bed.torque);
    if (!pcm_lammps_step_all(&r->contacts, &atoms, &now))
        fail_msg("%s", r->laws->error);
    step_world(r->world, r->object, &r->bed, step * dt, wrench);
    return compare(&r->bed, wrench);
}

/* The results of all pairs, evaluated one by one, sum to the forces of an evaluation that changes no state. */
static void look_at_all(run *r, const pcm_lammps_atoms *atoms, const pcm_lammps_step *step)
{
    double force[SPHERES][3] = {{0}}, largest = 1e-9;
    for (int a = 0; a < SPHERES; a++)
        for (int b = a + 1; b < SPHERES; b++) {
            pcm_lammps_contact contact;
            if (!pcm_lammps_look(&r->contacts, atoms, step, a, b, &contact))
                continue;
            for (int k = 0; k < 3; k++) {
                force[contact.follower][k] += contact.force[k];
                force[contact.base][k] -= contact.force[k];
            }
        }
    for (int i = 0; i < SPHERES; i++)
        largest = fmax(largest, size_of(force[i]));
    for (int i = 0; i < SPHERES; i++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(force[i][k] - r->bed.force[i][k]) <= 1e-13 * largest);
}

/* The laws in `text` give the same forces as in a world: within `exact` in the first step, within `carried` in all
 * steps. */
static void hold(const char *text, double exact, double carried)
{
    run *r = malloc(sizeof *r);
    open_run(r, text);
    for (int step = 0; step < STEPS; step++) {
        if (step % 20 == 0)
            rebuild(r, step, 1e-3);
        const pcm_lammps_atoms atoms = view(&r->bed);
        pcm_lammps_step        look = {.time = step * dt, .dt = 0};
        if (step % 7 == 3) { /* as in the setup of a run: changes nothing but forces */
            memset(r->bed.force, 0, sizeof r->bed.force);
            memset(r->bed.torque, 0, sizeof r->bed.torque);
            assert_true(pcm_lammps_step_all(&r->contacts, &atoms, &look));
            look_at_all(r, &atoms, &look);
        }
        const double apart = step_both(r, step);
        if (!(apart <= (step == 0 ? exact : carried)))
            fail_msg("step %d: forces differ by %g: %s", step, apart, text);
        move(&r->bed);
    }
    close_run(r);
    free(r);
}

/* Laws that need no carried frame agree within rounding in every step. */
static void isotropic_laws_agree_to_rounding(void **state)
{
    (void)state;
    hold("ContactType L = GranHooke { NormalStiffness = 2e4; }; DefaultPair -> L;", 1e-11, 1e-11);
    hold("ContactType L = HuntCrossley { }; DefaultPair -> L;", 1e-11, 1e-11);
    hold("ContactType L = Hertz + CoulombRegularised { }; DefaultPair -> L;", 1e-11, 1e-11);
    hold("ContactType L = Jkr { }; DefaultPair -> L;", 1e-11, 1e-11);
}

/* Frames are carried to first order in the step here, and computed from the spheres' orientations in the world: 20
 * rad/s turn by 0.4 rad in the run, in steps of 0.002 rad. */
static void laws_with_history_agree(void **state)
{
    (void)state;
    hold("ContactType L = GranHertz { NormalStiffness = 1e6; TangentialStiffness = 3e5; }; DefaultPair -> L;", 1e-12,
         2e-5);
    hold("ContactType L = Hertz + Mindlin + RollingResistance { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = SpringContact { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = CompliantGround { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = Hertz + LuGre { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = ParallelBond { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = LudingHysteresis { }; DefaultPair -> L;", 1e-12, 2e-5);
    hold("ContactType L = CapillaryBridge { }; DefaultPair -> L;", 1e-12, 2e-5);
}

/* Every pair of types has its own law, with a base that the rule chooses, and properties of materials. */
static void mixtures_agree(void **state)
{
    (void)state;
    hold("Let E = 2 [GPa]; Let nu = 0.3;\n"
         "Material Steel { YoungModulus = E; PoissonRatio = nu; Friction = 0.2; };\n"
         "Material Glass { YoungModulus = E; PoissonRatio = nu; Friction = 0.5; }; Material Clay { Friction = 0.8; };\n"
         "ContactType Grain = GranHooke { NormalStiffness = 2e4; };\n"
         "ContactType Hard = Hertz + Mindlin { };\n"
         "ContactType Soft = CompliantGround { };\n"
         "SurfacePair Steel * Glass -> Hard; SurfacePair Clay * Steel -> Soft; DefaultPair -> Grain;",
         1e-12, 2e-5);
}

/* Counts the pairs that are apart, for all laws: those that have to be tested, and all. */
static void count_apart(const run *r, size_t *near, size_t *all)
{
    *near = *all = 0;
    for (size_t law = 0; law < r->laws->n_laws; law++) {
        *near += r->contacts.section[law].far - r->contacts.section[law].apart;
        *all += r->contacts.section[law].end - r->contacts.section[law].apart;
    }
}

/* A crowd of spheres that alternately expands and overlaps again under one list: hundreds of contacts come and go and
 * change places. With `leaps`, a sphere now and then jumps onto another one without warning. Most pairs that are apart
 * need no test. */
static void breathe(const char *text, bool leaps, double carried)
{
    run   *r = malloc(sizeof *r);
    size_t near, all, looked = 0, apart = 0;
    open_run(r, text);
    for (int i = 0; i < SPHERES; i++)
        for (int k = 0; k < 3; k++) {
            r->bed.x[i][k] *= 0.6;
            r->bed.omega[i][k] *= 0.01;
        }
    for (int step = 0; step < 2000; step++) {
        if (step % 700 == 0)
            rebuild(r, step, 0.2);
        const double differ = step_both(r, step);
        if (!(differ <= carried))
            fail_msg("step %d: forces differ by %g: %s", step, differ, text);
        count_apart(r, &near, &all);
        looked += near;
        apart += all;
        for (int i = 0; i < SPHERES; i++)
            for (int k = 0; k < 3; k++)
                r->bed.v[i][k] = (r->bed.x[i][k] - 0.03) * 20 * sin(0.01 * step) + 0.01 * sin(0.02 * step + i + k);
        if (leaps && step % 250 == 50) {
            memcpy(r->bed.x[step / 250], r->bed.x[step / 250 + 7], sizeof r->bed.x[0]);
            r->bed.x[step / 250][0] += r->bed.radius[0];
        }
        move(&r->bed);
    }
    assert_true(looked > 0 && looked < apart / 2);
    close_run(r);
    free(r);
}

static void crowds_that_breathe_agree(void **state)
{
    (void)state;
    breathe("ContactType L = Hertz + CoulombRegularised { }; DefaultPair -> L;", true, 1e-12);
    breathe("ContactType L = GranHertz { NormalStiffness = 1e6; TangentialStiffness = 3e5; }; DefaultPair -> L;", false,
            1e-6);
    breathe("ContactType L = CompliantGround { }; DefaultPair -> L;", false, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isotropic_laws_agree_to_rounding),
        cmocka_unit_test(laws_with_history_agree),
        cmocka_unit_test(mixtures_agree),
        cmocka_unit_test(crowds_that_breathe_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
