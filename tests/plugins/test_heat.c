/* SPDX-License-Identifier: MIT */
/* Heat and wear of sums of laws in a world: what slides, what sticks and what rebounds, against closed forms and
 * against the world's ledger. */
#include "law.h"

#include <math.h>
#include <pcm/amount.h>
#include <stdio.h>
#include <string.h>

enum { TEMPERATURE, WORN };

static const double mass = 0.01, radius = 0.01;

typedef struct scene {
    law        law;
    pcm_world *world;
    pcm_object floor, body;
    pcm_twist  twist;
    double     position[3], time;
    double     first, last; /* J, heat of the first step and of the last */
} scene;

static scene scene_open(const char *text, bool ledger)
{
    pcm_world_def def = pcm_world_defaults();
    scene         s = {.law = law_open("Hertz", "%s", "")};
    pcm_config   *config = pcm_config_parse(s.law.context, "heat", text, strlen(text));
    assert_non_null(config);
    def.ledger = ledger;
    s.world = pcm_world_new(config, &def);
    pcm_config_release(config);
    s.floor = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "Floor", .fixed = true));
    s.body = pcm_world_add_object(s.world, &PCM_OBJECT(.name = "Body", .radius = radius, .mass = mass));
    for (size_t i = 0; i < pcm_config_amount_count(pcm_world_config(s.world)); i++)
        assert_int_equal(pcm_world_set_capacity(s.world, s.body, i, 1), PCM_OK);
    assert_int_equal(pcm_world_set_amount(s.world, s.body, TEMPERATURE, 0), PCM_OK);
    return s;
}

static void scene_close(scene *s)
{
    pcm_world_free(s->world);
    law_close(&s->law);
}

static pcm_amount_info amount(const scene *s, size_t number)
{
    pcm_amount_info info = {.size = sizeof info};
    assert_int_equal(pcm_world_amount(s->world, s->body, number, &info), PCM_OK);
    return info;
}

static double dissipated(const scene *s)
{
    pcm_ledger ledger = {.size = sizeof ledger};
    assert_int_equal(pcm_world_type_ledger(s->world, pcm_config_type_find(pcm_world_config(s->world), "C"), &ledger),
                     PCM_OK);
    return ledger.dissipated;
}

/* One step at the body's position and velocity, in which the body touches the floor where it is that deep in it. */
static pcm_wrench step(scene *s, double dt)
{
    const pcm_pose  pose = {.position = {s->position[0], s->position[1], s->position[2]}, .orientation = {1}};
    const pcm_touch touch = {
        .point = {s->position[0], s->position[1], 0}, .normal = {0, 0, 1}, .depth = radius - s->position[2]};
    pcm_wrench wrench;
    s->time += dt;
    assert_int_equal(pcm_world_move(s->world, s->body, &pose, &s->twist), PCM_OK);
    pcm_world_touch(s->world, s->floor, s->body, &touch, sizeof touch);
    assert_int_equal(pcm_world_update(s->world, s->time, dt), PCM_OK);
    assert_int_equal(pcm_world_wrench(s->world, s->body, &wrench), PCM_OK);
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
    s->last = dt * amount(s, TEMPERATURE).flow;
    s->first = s->time > dt ? s->first : s->last;
    return wrench;
}

static void near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g, expected %.17g", got, wanted);
}

/* The ledger takes the mean of both ends of each step, the amount its start: half a step at both ends of the motion. */
static void compare_with_ledger(const scene *s)
{
    near(amount(s, TEMPERATURE).value - 0.5 * (s->first + s->last), dissipated(s), 1e-9);
}

/* A body of 80 N goes 0.5 m at 0.5 m/s, where tanh of the slip is 1: mu N s of heat, and K N s/H of wear. The world
 * computes no reports for itself. */
static void sliding_turns_all_work_to_heat(void **state)
{
    scene s = scene_open("ContactType C = KelvinVoigt + CoulombRegularised + ContactHeat + ArchardWear {\n"
                         "    KelvinVoigt.Stiffness = 8e4; Damping = 0; Friction = 0.3; BaseShare = 0;\n"
                         "    TransitionVelocity = 1e-3; WearCoefficient = 1e-4; FollowerHardness = 5e8;\n"
                         "};\n"
                         "ObjectPair Floor * Body -> C;\n",
                         false);
    (void)state;
    s.twist.linear[0] = 0.5;
    s.position[2] = radius - 1e-3;
    for (int i = 0; i < 1000; i++, s.position[0] += 0.5e-3)
        step(&s, 1e-3);
    near(amount(&s, TEMPERATURE).value, 0.3 * 80 * 0.5, 1e-9);
    near(amount(&s, WORN).value, 1e-4 * 80 * 0.5 / 5e8, 1e-9);
    scene_close(&s);
}

static const char *const spring =
    "ContactType C = Hertz + Mindlin + ContactHeat + ArchardWear {\n"
    "    ReducedModulus = 1e8; ReducedShearModulus = 3e7; Friction = 0.5; BaseShare = 0;\n"
    "    Restitution = 0.5;\n"
    "};\n"
    "ObjectPair Floor * Body -> C;\n";
static const double depth = 1e-5;

/* Mindlin's spring is stretched by mu N/k before it slides: its work is stored, and then all is heat. What is worn goes
 * with the way that slides. */
static void a_spring_stores_before_it_slides(void **state)
{
    const double a = sqrt(radius * depth), load = 4.0 / 3 * 1e8 * a * depth, stiffness = 8 * 3e7 * a;
    const double stretch = 0.5 * load / stiffness, v = 1e-3, dt = 1e-6;
    scene        s = scene_open(spring, true);
    double       work = 0;
    (void)state;
    s.twist.linear[0] = v;
    s.position[2] = radius - depth;
    for (int i = 0; i < 20000; i++, s.position[0] += v * dt)
        work -= v * dt * step(&s, dt).force[0];
    near(amount(&s, TEMPERATURE).value, work - 0.5 * stiffness * stretch * stretch, 1e-9);
    compare_with_ledger(&s);
    const double worn = amount(&s, WORN).value * 2e9 / (1e-4 * load);
    near(worn, 20000 * v * dt - stretch, 2 * v * dt / worn + 0.02); /* the damper slips first */
    scene_close(&s);
}

/* Below the limit of friction only the damper makes heat, and the explicit step of the spring, which loses k (v
 * dt)^2/2. Nothing is worn. */
static void sticking_makes_no_heat_of_friction(void **state)
{
    const double pi = 3.14159265358979323846, a = sqrt(radius * depth), stiffness = 8 * 3e7 * a;
    const double log_e = log(0.5), alpha = -sqrt(5) * log_e / sqrt(log_e * log_e + pi * pi);
    const double damper = alpha * sqrt(mass * stiffness), swing = 1e-7, rate = 2 * pi * 100, dt = 1e-6;
    scene        s = scene_open(spring, true);
    double       damped = 0, stepped = 0;
    (void)state;
    s.position[2] = radius - depth;
    for (int i = 0; i < 20000; i++) {
        const double v = s.twist.linear[0] = swing * rate * cos(rate * dt * i);
        damped += damper * v * v * dt;
        stepped += 0.5 * stiffness * v * v * dt * dt;
        step(&s, dt);
    }
    assert_true(amount(&s, WORN).value == 0);
    assert_true(stepped < 0.01 * damped);
    near(amount(&s, TEMPERATURE).value, damped + stepped, 1e-9);
    compare_with_ledger(&s);
    scene_close(&s);
}

/* The heat of an impact at 30 degrees to the floor, in free flight before and after. */
static double impact(const char *shares, double *lost, double *moved)
{
    char   text[512];
    double heat;
    snprintf(text, sizeof text,
             "ContactType C = HertzTsuji + Mindlin + ContactHeat {\n"
             "    ReducedModulus = 1e8; ReducedShearModulus = 3e7; Friction = 0.2;\n"
             "    HertzTsuji.Restitution = 0.6; Mindlin.Restitution = 0.6;\n"
             "    BaseShare = 0; %s\n"
             "};\nObjectPair Floor * Body -> C;\n",
             shares);
    scene        s = scene_open(text, true);
    const double dt = 1e-7, before = 0.5 * mass;
    s.twist = (pcm_twist){.linear = {cos(0.5235987755982988), 0, -sin(0.5235987755982988)}};
    s.position[2] = radius;
    for (int i = 0; i < 20000; i++) {
        const pcm_wrench w = step(&s, dt);
        for (size_t k = 0; k < 3; k++) {
            s.twist.linear[k] += dt * w.force[k] / mass;
            s.position[k] += dt * s.twist.linear[k];
        }
    }
    assert_true(s.position[2] > radius);
    *lost = dissipated(&s) + 0.5 * (s.first + s.last);
    *moved = before - 0.5 * mass * (s.twist.linear[0] * s.twist.linear[0] + s.twist.linear[2] * s.twist.linear[2]);
    heat = amount(&s, TEMPERATURE).value;
    scene_close(&s);
    return heat;
}

static void an_impact_makes_heat_of_all_that_it_loses(void **state)
{
    double       lost, moved;
    const double friction = impact("DampingShare = 0;", &lost, &moved);
    const double damping = impact("FrictionShare = 0;", &lost, &moved);
    const double all = impact("", &lost, &moved);
    (void)state;
    assert_true(friction > 0.1 * lost && damping > 0.1 * lost);
    near(all, lost, 1e-9);
    near(friction + damping, lost, 1e-9);
    near(lost, moved, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sliding_turns_all_work_to_heat),
                                       cmocka_unit_test(a_spring_stores_before_it_slides),
                                       cmocka_unit_test(sticking_makes_no_heat_of_friction),
                                       cmocka_unit_test(an_impact_makes_heat_of_all_that_it_loses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
