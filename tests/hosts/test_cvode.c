/* SPDX-License-Identifier: MIT */
/* CVODE compared with closed forms: times of events, and results that do not depend on the order of candidates. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"

#include <pcm/cvode.h>
#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct event_log {
    size_t count;
    double time[64];
    char   name[64][16], b[64][16];
} event_log;

static void take(void *user, const pcm_cvode_event *event)
{
    event_log *events = user;
    if (events->count == 64)
        return;
    events->time[events->count] = event->time;
    (void)snprintf(events->name[events->count], 16, "%s", event->name);
    (void)snprintf(events->b[events->count], 16, "%s", event->b);
    events->count++;
}

static pcm_cvode *open_solver(fixture *f, event_log *events, double rtol, double max_step)
{
    pcm_cvode_def def = pcm_cvode_defaults();
    def.rtol = rtol;
    def.atol = 1e-3 * rtol;
    def.max_step = max_step;
    def.user = events;
    def.event = take;
    pcm_cvode *solver = pcm_cvode_new(f->context, f->host, &def);
    if (!solver)
        fail_msg("%s", f->last);
    return solver;
}

/* Time of the next event with that name, from index *at on. */
static double next_time(const event_log *events, size_t *at, const char *name)
{
    while (*at < events->count && strcmp(events->name[*at], name) != 0)
        ++*at;
    return *at < events->count ? events->time[(*at)++] : NAN;
}

/* A ball falls from 0.1 m on a spring without loss: each flight takes 2 v/g and each contact 2/w (pi - atan(w v/g)). */
static void bounces_are_located(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.2'>"
                 "<joint type='slide' axis='0 0 1'/><geom name='Body' type='sphere' size='0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = ViscoelasticGround { GroundStiffness = 1e4; GroundDamping = 0; Friction = 0 };\n"
                 "ObjectPair Ground * Body -> C;\n");
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-11, 0.01);
    assert_int_equal(pcm_cvode_advance(solver, 1), PCM_OK);
    const double gravity = 9.81, w = 100, v = sqrt(2 * gravity * 0.1);
    const double stay = 2 / w * (mjPI - atan(w * v / gravity)), flight = 2 * v / gravity;
    double       wanted = v / gravity;
    size_t       at = 0;
    for (int bounce = 0; bounce < 2; bounce++) {
        assert_near(next_time(&events, &at, "touch-down"), wanted, 1e-9);
        wanted += stay;
        assert_near(next_time(&events, &at, "parted"), wanted, 1e-9);
        wanted += flight;
    }
    assert_near(f.data->time, 1, 0);
    pcm_cvode_free(solver);
    fixture_close(&f);
}

/* A spring that is pulled by a constant force breaks exactly when its pull reaches 5 N, not a step later. */
static void breaking_is_located(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option gravity='0 0 10'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.1'><joint type='slide' axis='0 0 1'/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = SpringContact { K = 1000; B = 0; Z_Limit = 5 };\nObjectPair Ground * Body -> C;\n");
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-11, 0.01);
    assert_int_equal(pcm_cvode_advance(solver, 0.2), PCM_OK);
    /* z = g/w^2 (1 - cos w t) reaches 5 N / K */
    const double w = sqrt(1000);
    size_t       at = 0;
    assert_near(next_time(&events, &at, "z-limit"), acos(1 - 5.0 / 10) / w, 1e-9);
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_world_rule_stats(pcm_mujoco_world(f.host), 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 1);
    assert_int_equal(stats.broken, 1);
    assert_true(f.data->qvel[0] > 0.5);
    pcm_cvode_free(solver);
    fixture_close(&f);
}

/* A ball without forces moves at 1 m/s from a distance of 1 cm: its film meets the plane's at the law's onset. Where a
 * larger volume makes the type's onset earlier than the law's, the film forms only when they overlap. */
static double time_of_bridge(const char *largest, const char *event)
{
    fixture f;
    char    config[256];
    (void)snprintf(config, sizeof config,
                   "ContactType C = Bridge { SurfaceTension = 0; Volume = 1e-8; LargestVolume = %s };\n"
                   "ObjectPair Ground * Body -> C;\n",
                   largest);
    fixture_open(&f,
                 "<option gravity='0 0 0'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 0.11'><joint type='slide' axis='0 0 1'/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 config);
    f.data->qvel[0] = -1;
    event_log        events = {0};
    pcm_cvode       *solver = open_solver(&f, &events, 1e-11, 1e-3);
    pcm_contact_info info = {.size = sizeof info};
    pcm_world       *world = pcm_mujoco_world(f.host);
    assert_int_equal(pcm_cvode_advance(solver, 0.0101), PCM_OK);
    assert_int_equal(pcm_world_contact_at(world, 0, &info), PCM_OK);
    size_t       at = 0;
    const double told = next_time(&events, &at, event);
    assert_near(info.since, told, 1e-12);
    pcm_cvode_free(solver);
    fixture_close(&f);
    return told;
}

static void onsets_are_located(void **state)
{
    (void)state;
    const double films = 1e-8 / (4 * mjPI * 1e-6);
    assert_near(time_of_bridge("1e-8", "onset"), 0.01 - films, 1e-9);
    assert_near(time_of_bridge("2e-8", "touch-down"), 0.01, 1e-9);
}

/* The bend of bristles that slip is a spring: a history state, which steps at the end of each advance. The mass on it
 * swings by v/w sin(w t). Returns the error of its speed, as a part of v, after a quarter of a period, when it is at
 * rest except for the initial stretch of the bristles of 1 um. */
static double swing(fixture *f, double rtol, double step)
{
    fixture_open(f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.099'>"
                 "<joint type='slide' axis='1 0 0'/><geom name='Body' type='sphere' size='0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType Turf = Brush { Stiffness = 1e4 };\nObjectPair Ground * Body -> Turf;\n");
    const double w = 100, v = 0.1, quarter = 0.5 * mjPI / w, steps = ceil(quarter / step - 1e-6);
    f->data->qvel[0] = v;
    event_log  events = {0};
    pcm_cvode *solver = open_solver(f, &events, rtol, 0.01);
    for (double i = 1; i <= steps; i++)
        assert_int_equal(pcm_cvode_advance(solver, fmin(i * step, quarter)), PCM_OK);
    pcm_cvode_free(solver);
    return (f->data->qvel[0] + w * 1e-6) / v;
}

/* A state that lags by half a step has an error of w dt/2, whatever the tolerance, and the solver warns of it. */
static void history_states_step_by_the_advance(void **state)
{
    (void)state;
    static const double cases[][2] = {{1e-4, 1e-4}, {1e-8, 1e-4}, {1e-10, 1e-4}, {1e-8, 1e-3}, {1e-8, 1e-5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double rtol = cases[i][0], step = cases[i][1];
        fixture      f;
        assert_near(swing(&f, rtol, step), 100 * step / 2, 0.02);
        char wanted[128];
        (void)snprintf(wanted, sizeof wanted, "'Turf' has history states, which step every %s s",
                       pcm_number(step, 3).text);
        assert_int_equal(fixture_said(&f, PCM_MSG_HISTORY_STEPS), 1);
        assert_ptr_equal(strstr(f.last, wanted), f.last);
        fixture_close(&f);
    }
}

/* Friction that jumps with the sign of the slip stops a mass of 1 kg with 0.1 m/s after 10 ms; from then on there is no
 * solution that a solver could follow, which it reports. */
static void a_stall_says_where_and_why(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body name='Block' pos='0 0 0.099'>"
                 "<joint type='slide' axis='1 0 0'/><geom type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType Dry = Rub { Force = 10 };\nObjectPair Ground * Block -> Dry;\n");
    f.data->qvel[0] = 0.1;
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-6, 0.01);
    assert_int_equal(pcm_cvode_advance(solver, 0.1), PCM_BAD_HOST);
    assert_int_equal(f.n_codes, 1);
    assert_int_equal(f.codes[0], PCM_MSG_STALL);
    const char *stands = strstr(f.last, "at t = ");
    assert_non_null(stands);
    assert_near(strtod(stands + 7, NULL), 0.01, 1e-4); /* the tolerance of the speed, divided by 10 m/s^2 */
    assert_non_null(strstr(stands, " s: it cannot follow the velocity of 'Block'"));
    assert_non_null(strstr(stands, "begin there was 'Dry' between 'Ground' and 'Block'"));
    pcm_cvode_free(solver);
    fixture_close(&f);
}

/* A mass on a spring of 1e14 N/m swings ten million times a second, and on one of 1e20 N/m ten thousand times as often:
 * the first is integrated, with a warning, the second is not. */
static void short_steps_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *stiffness;
        pcm_status  status;
        const char *said;
    } cases[] = {{"1e14", PCM_OK, "CVODE needs very short steps"}, {"1e20", PCM_BAD_HOST, "CVODE makes no headway"}};
    for (size_t i = 0; i < 2; i++) {
        char rules[256];
        (void)snprintf(rules, sizeof rules,
                       "ContactType Hard = SpringContact { K = %s; B = 0; Z_Limit = 1e18; };\n"
                       "ObjectPair Ground * Block -> Hard;\n",
                       cases[i].stiffness);
        fixture f;
        fixture_open(&f,
                     "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body name='Block' pos='0 0 0.099'>"
                     "<joint type='slide' axis='0 0 1'/><geom type='sphere' size='0.1' mass='1'/></body></worldbody>",
                     rules);
        f.data->qvel[0] = 1;
        event_log  events = {0};
        pcm_cvode *solver = open_solver(&f, &events, 1e-10, 0.01);
        assert_int_equal(pcm_cvode_advance(solver, 1e-4), cases[i].status);
        assert_int_equal(fixture_said(&f, PCM_MSG_STALL), 1);
        assert_ptr_equal(strstr(f.last, cases[i].said), f.last);
        pcm_cvode_free(solver);
        fixture_close(&f);
    }
}

/* Pairs that are left to MuJoCo are counted here too. */
static void contacts_of_mujoco_are_counted(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.0999'>"
                 "<joint type='slide' axis='0 0 1'/><geom name='Body' type='sphere' size='0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = DefaultContact;\nObjectPair Ground * Body -> C;\n");
    event_log      events = {0};
    pcm_cvode     *solver = open_solver(&f, &events, 1e-6, 0.01);
    pcm_rule_stats stats = {.size = sizeof stats};
    assert_int_equal(pcm_cvode_advance(solver, 0.01), PCM_OK);
    assert_int_equal(pcm_mujoco_rule_stats(f.host, 0, &stats), PCM_OK);
    assert_int_equal(stats.made, 1);
    assert_true(stats.max_force > 1);
    pcm_cvode_free(solver);
    fixture_close(&f);
}

/* A spinning body without forces conserves energy and angular momentum: quaternions are integrated and do not drift. */
static void rotation_keeps_its_momentum(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option gravity='0 0 0'/><worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                 "<body pos='0 0 1'><freejoint/><geom name='Body' type='box' size='0.1 0.2 0.05' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = ViscoelasticGround;\nObjectPair Ground * Body -> C;\n");
    f.data->qvel[3] = 1;
    f.data->qvel[4] = 5; /* nearly about the middle axis: it tumbles */
    f.data->qvel[5] = 0.1;
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-10, 0.01);
    mj_forward(f.model, f.data);
    mj_subtreeVel(f.model, f.data);
    double before[3];
    mju_copy3(before, f.data->subtree_angmom);
    assert_int_equal(pcm_cvode_advance(solver, 3), PCM_OK);
    mj_forward(f.model, f.data);
    mj_subtreeVel(f.model, f.data);
    for (int i = 0; i < 3; i++)
        assert_near(f.data->subtree_angmom[i] - before[i], 0, 1e-9);
    pcm_cvode_free(solver);
    fixture_close(&f);
}

static void rest_on_points(const char *sites, double result[7])
{
    char scene[2048];
    (void)snprintf(scene, sizeof scene,
                   "<worldbody><geom name='Ground' type='plane' size='1 1 1'/>"
                   "<body pos='0 0 0.12' euler='10 5 0'><freejoint/>"
                   "<geom type='box' size='0.1 0.1 0.1' mass='1' contype='0' conaffinity='0'/>%s</body></worldbody>",
                   sites);
    fixture f;
    fixture_open(
        &f, scene,
        "ContactType C = CompliantGround { Friction = 0.3; Point = Follower };\nObjectPair Ground * \"P?\" -> C;\n");
    f.data->qvel[0] = 0.3;
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-7, 0.01);
    assert_int_equal(pcm_cvode_advance(solver, 0.3), PCM_OK);
    assert_true(events.count > 8);
    memcpy(result, f.data->qpos, 7 * sizeof *result);
    pcm_cvode_free(solver);
    fixture_close(&f);
}

static void the_order_of_candidates_changes_nothing(void **state)
{
    (void)state;
    double first[7], second[7];
    rest_on_points("<site name='P1' pos='-0.1 -0.1 -0.1'/><site name='P2' pos='0.1 -0.1 -0.1'/>"
                   "<site name='P3' pos='-0.1 0.1 -0.1'/><site name='P4' pos='0.1 0.1 -0.1'/>",
                   first);
    rest_on_points("<site name='P4' pos='0.1 0.1 -0.1'/><site name='P2' pos='0.1 -0.1 -0.1'/>"
                   "<site name='P1' pos='-0.1 -0.1 -0.1'/><site name='P3' pos='-0.1 0.1 -0.1'/>",
                   second);
    assert_memory_equal(first, second, sizeof first);
}

#ifdef PCM_TEST_GEOMETRY
/* A can, a block that is a mesh and a roll on its side fall obliquely onto a box and come to rest at the law's depth. A
 * single point that moves over a patch would require ever shorter steps. */
static void cans_and_meshes_come_to_rest(void **state)
{
    (void)state;
    fixture f;
    fixture_open(
        &f,
        "<option gravity='0 0 -10'/><asset><mesh name='m' vertex='-.05 -.05 -.05  .05 -.05 -.05  -.05 .05 -.05  "
        ".05 .05 -.05  -.05 -.05 .05  .05 -.05 .05  -.05 .05 .05  .05 .05 .05'/></asset>"
        "<worldbody><geom name='Table' type='box' size='0.5 0.5 0.05'/>"
        "<body pos='-.2 0 0.115' euler='3 6 0'><freejoint/>"
        "<geom name='Can' type='cylinder' size='0.05 0.05' mass='1'/></body>"
        "<body pos='0.2 0 0.115' euler='5 0 0'><freejoint/><geom name='Block' type='mesh' mesh='m' mass='1'/></body>"
        "<body pos='0.2 0.3 0.115' euler='85 0 0'><freejoint/>"
        "<geom name='Roll' type='cylinder' size='0.05 0.05' mass='1'/></body></worldbody>",
        "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 700; Friction = 0.5; "
        "Patch = Shared };\nDefaultPair -> C;\n");
    event_log  events = {0};
    pcm_cvode *solver = open_solver(&f, &events, 1e-6, 0.01);
    assert_int_equal(pcm_cvode_advance(solver, 0.4), PCM_OK);
    for (int i = 0; i < 3; i++)
        assert_near(0.1 - f.data->qpos[7 * i + 2], 10 / 1e5, 0.02);
    assert_true(fixture_live(&f) >= 3 + 4 + 2);
    pcm_cvode_free(solver);
    fixture_close(&f);
}
#endif

/* A model of other sizes has replaced the one for which the solver was made, as after mj_recompile. */
static void a_model_in_its_place_is_refused(void **state)
{
    (void)state;
    fixture small, large;
    fixture_open(&small,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.1'>"
                 "<joint type='slide' axis='0 0 1'/><geom name='Body' type='sphere' size='0.1' mass='1'/></body>"
                 "</worldbody>",
                 "ContactType C = SpringContact {}; DefaultPair -> C;");
    fixture_open(&large,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body><body pos='1 0 0.1'><freejoint/>"
                 "<geom name='Other' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = SpringContact {}; DefaultPair -> C;");
    event_log     events = {0};
    pcm_cvode    *solver = open_solver(&small, &events, 1e-6, 0.01);
    const mjModel model = *small.model;
    const mjData  data = *small.data;
    assert_int_equal(pcm_cvode_advance(solver, 0.01), PCM_OK);
    *small.model = *large.model;
    *small.data = *large.data;
    assert_int_equal(pcm_cvode_advance(solver, 0.02), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&small, PCM_MSG_OTHER_MODEL), 1);
    pcm_cvode_free(solver);
    *small.model = model;
    *small.data = data;
    fixture_close(&large);
    fixture_close(&small);
}

/* Whichever allocation fails, once or permanently: there is no solver but a message, and nothing leaks. */
static void a_solver_needs_memory(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body pos='0 0 0.09'><freejoint/>"
                 "<geom name='Body' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = SpringContact {}; DefaultPair -> C;");
    for (int once = 0; once < 2; once++) {
        pcm_cvode *solver = NULL;
        f.memory.once = once;
        for (size_t calls = 0; !solver; calls++) {
            f.memory.calls = calls;
            f.memory.refused = f.n_codes = 0;
            solver = pcm_cvode_new(f.context, f.host, NULL);
            assert_int_equal(f.memory.refused > 0, !solver);
            assert_int_equal(fixture_said(&f, PCM_MSG_OUT_OF_MEMORY) > 0, !solver);
        }
        pcm_cvode_free(solver);
    }
    fixture_close(&f);
}

#if PCM_RELEASE >= 4000000
static void springs_that_yield_are_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Ground' type='plane' size='1 1 1'/><body name='Leg' pos='0 0 0.5'>"
                 "<joint type='slide' axis='0 0 1' stiffness='200' springyield='0.02'/>"
                 "<geom name='Foot' type='sphere' size='0.1' mass='1'/></body></worldbody>",
                 "ContactType C = CompliantGround {}; DefaultPair -> C;\n");
    assert_null(pcm_cvode_new(f.context, f.host, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_SOLVER), 1);
    fixture_close(&f);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if PCM_RELEASE >= 4000000
        cmocka_unit_test(springs_that_yield_are_refused),
#endif
        cmocka_unit_test(bounces_are_located),
        cmocka_unit_test(breaking_is_located),
        cmocka_unit_test(onsets_are_located),
        cmocka_unit_test(history_states_step_by_the_advance),
        cmocka_unit_test(a_stall_says_where_and_why),
        cmocka_unit_test(short_steps_are_reported),

        cmocka_unit_test(contacts_of_mujoco_are_counted),
        cmocka_unit_test(rotation_keeps_its_momentum),
        cmocka_unit_test(the_order_of_candidates_changes_nothing),
#ifdef PCM_TEST_GEOMETRY
        cmocka_unit_test(cans_and_meshes_come_to_rest),
#endif
        cmocka_unit_test(a_model_in_its_place_is_refused),
        cmocka_unit_test(a_solver_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
