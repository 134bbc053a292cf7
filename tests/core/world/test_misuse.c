/* SPDX-License-Identifier: MIT */
/* A host's mistakes cause messages: in the call that makes the mistake, or at the commit where it shows. */
#include "fixture.h"

#include <math.h>
#include <pcm/bond.h>
#include <stdio.h>
#include <string.h>

static const char *const springs = "ContactType C = Spring { Stiffness=10000; Damping=10; }; DefaultPair -> C;";

static void find_message(const fixture *f, uint32_t code, const char *text)
{
    for (size_t i = 0; i < f->messages; i++)
        if (f->code[i] == code && strstr(f->text[i], text))
            return;
    fail_msg("PCM-%u with '%s' was not reported", code, text);
}

/* ---- Mistakes that show at commits ----------------------------------------------------------------------------- */

typedef struct fall {
    double dt, normal, late; /* normal: 1, or -1: reversed; late: how far the depth lags, in steps */
    double damping;
    double clock;    /* increase of t in a step, over dt */
    size_t unjudged; /* number of steps at the start without judgement */
    bool   silent;   /* the host does not report gaps */
    bool   sure;     /* of its normals */
} fall;

/* A ball of 1 kg hits the ground at 1 m/s and leaves it. */
static void drop(fixture *f, const fall *how, bool ledger)
{
    pcm_world_def def = pcm_world_defaults();
    def.ledger = ledger;
    def.sure_normals = how->sure;
    char rules[160];
    (void)snprintf(rules, sizeof rules, "ContactType C = Spring { Stiffness=10000; Damping=%g; }; DefaultPair -> C;",
                   how->damping);
    fixture_open(f, rules, &def);
    pcm_object   ground = pcm_world_add_object(f->world, &PCM_OBJECT(.name = "ground", .fixed = true));
    pcm_object   ball = pcm_world_add(f->world, "ball", NULL);
    const double point[3] = {0}, normal[3] = {0, 0, how->normal};
    double       z = -1e-5, last = z, v = -1;
    for (size_t i = 0; i < 400; i++) {
        assert_int_equal(pcm_world_judge(f->world, i >= how->unjudged), PCM_OK);
        place(f->world, ball, 0, 0, 1, 0, 0, v);
        const double depth = -(z + how->late * (last - z));
        if (!how->silent || depth > 0)
            touch_with(f->world, ground, ball, 1, point, normal, depth);
        last = z;
        assert_int_equal(pcm_world_update(f->world, how->clock * how->dt * (double)i, how->dt), PCM_OK);
        v += how->dt * wrench_of(f->world, ball).force[2];
        z += how->dt * v;
        assert_int_equal(pcm_world_commit(f->world), PCM_OK);
    }
}

static void a_correct_host_gets_no_message(void **state)
{
    (void)state;
    fixture f;
    drop(&f, &(fall){.dt = 1e-4, .normal = 1, .damping = 10, .clock = 1}, false);
    assert_int_equal(f.messages, 0);
    fixture_close(&f);
}

static void a_reversed_normal_is_reported_once(void **state)
{
    (void)state;
    fixture f;
    drop(&f, &(fall){.dt = 1e-4, .normal = -1, .damping = 10, .clock = 1}, false);
    assert_int_equal(fixture_said(&f, 419), 1);
    find_message(&f, 419, "the depth of 'ground' and 'ball' grew by 0.0001 m up to t = 0.0003 s");
    fixture_close(&f);
    drop(&f, &(fall){.dt = 1e-4, .normal = -1, .damping = 10, .clock = 1, .sure = true}, false);
    assert_int_equal(fixture_said(&f, 419), 0);
    fixture_close(&f);
}

/* A ball at rest whose depth, as reported by the host, changes by a last bit against its motion. */
static void rounding_is_no_reversed_normal(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Spring { Stiffness=10000; Damping=10; }; DefaultPair -> C;", NULL);
    pcm_object   ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    pcm_object   ball = pcm_world_add(f.world, "ball", NULL);
    const double point[3] = {0}, normal[3] = {0, 0, 1}, dt = 1e-4, bit = ldexp(1, -58);
    for (int i = 0; i < 20; i++) {
        place(f.world, ball, 0, 0, 1, 0, 0, -bit / dt);
        touch_with(f.world, ground, ball, 1, point, normal, ldexp(1, -7) - i * bit);
        assert_int_equal(pcm_world_update(f.world, dt * i, dt), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(fixture_said(&f, 419), 0);
    fixture_close(&f);
}

/* With a ledger every contact is judged; without one, only the first of each type. */
static void created_energy_is_reported_without_a_ledger(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        fixture f;
        drop(&f, &(fall){.dt = 2e-3, .normal = 1, .late = 1, .clock = 1, .silent = k / 2 == 1}, k % 2 == 1);
        assert_int_equal(fixture_said(&f, 409), 1);
        find_message(&f, 409, "contacts of 'ground' and 'ball' added ");
        fixture_close(&f);
    }
}

/* No judgement while it is switched off, nor later of contacts that lived then: the late host's contact ends in the
 * fourth step. */
static void host_contacts_are_not_judged(void **state)
{
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        fixture f;
        drop(&f, &(fall){.dt = 1e-4, .normal = -1, .damping = 10, .clock = 1, .unjudged = 2}, ledger);
        assert_int_equal(f.messages, 0);
        fixture_close(&f);
        drop(&f, &(fall){.dt = 2e-3, .normal = 1, .late = 1, .clock = 1, .unjudged = 2}, ledger);
        assert_int_equal(f.messages, 0);
        fixture_close(&f);
    }
}

static void a_clock_that_goes_wrong_is_reported_once(void **state)
{
    (void)state;
    const struct {
        double      clock;
        const char *text;
    } clocks[] = {{-1, " s to -0.0001 s (dt = 0.0001 s): contacts keep their history"},
                  {10, "time went on from t = 0 s to 0.001 s, but the step was dt = 0.0001 s"},
                  {0, "time went on from t = 0 s to 0 s, but the step was dt = 0.0001 s"}};
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        drop(&f, &(fall){.dt = 1e-4, .normal = 1, .damping = 10, .clock = clocks[i].clock}, false);
        assert_int_equal(fixture_said(&f, 417), 1);
        find_message(&f, 417, clocks[i].text);
        fixture_close(&f);
    }
}

/* dt may be given with the update at the beginning of the step or with the one at its end. */
static void steps_of_any_size_are_right(void **state)
{
    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        fixture f;
        fixture_open(&f, springs, NULL);
        pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
        double     t = 0, dt = 1e-3, last = 0;
        for (int i = 0; i < 50; i++, t += last = dt, dt *= i % 2 ? 1.7 : 0.6) {
            touch(f.world, a, b, 1, 0, 0, 0.1);
            assert_int_equal(pcm_world_update(f.world, t, ends ? last : dt), PCM_OK);
            assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        }
        assert_int_equal(f.messages, 0);
        fixture_close(&f);
    }
}

static size_t freed_after(int updates, double dt, bool commits)
{
    fixture f;
    fixture_open(&f, springs, NULL);
    pcm_world *world = fixture_world(&f, NULL);
    pcm_object a = pcm_world_add(world, "a", NULL), b = pcm_world_add(world, "b", NULL);
    for (int i = 0; i < updates; i++) {
        touch(world, a, b, 1, 0, 0, 0.1);
        assert_int_equal(pcm_world_update(world, i * dt, dt), PCM_OK);
        if (commits)
            assert_int_equal(pcm_world_commit(world), PCM_OK);
    }
    pcm_world_free(world);
    const size_t said = fixture_said(&f, 416);
    if (said)
        find_message(&f, 416, "the world made 10 updates with contacts and no commit");
    fixture_close(&f);
    return said;
}

static void a_world_that_is_never_committed_says_so_in_the_end(void **state)
{
    (void)state;
    assert_int_equal(freed_after(10, 1e-3, false), 1);
    assert_int_equal(freed_after(9, 1e-3, false), 0);
    assert_int_equal(freed_after(10, 1e-3, true), 0);
    assert_int_equal(freed_after(10, 0, false), 0); /* evaluations without a commit */
}

static void a_depth_in_millimetres_is_reported_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "ContactType C = Spring { Limit=100 [m]; }; DefaultPair -> C;", NULL);
    pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    for (int i = 0; i < 3; i++) {
        touch(f.world, a, b, 1, 0, 0, 0.9);
        touch(f.world, a, b, 2, 0, 0, i == 0 ? 1 : 10);
        assert_int_equal(pcm_world_update(f.world, i * 1e-3, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(fixture_said(&f, 421), i > 0);
    }
    find_message(&f, 421, "'a' and 'b' overlap by 10 m at t = 0.001 s");
    fixture_close(&f);
}

static void two_points_of_one_feature_are_reported_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, springs, NULL);
    pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    for (int i = 0; i < 3; i++) {
        touch(f.world, a, b, 7, 0, 0, 0.001);
        touch(f.world, a, b, 7, 0, 0, 0.001); /* the same point, touched a second time */
        assert_int_equal(fixture_said(&f, 422), i > 1);
        touch(f.world, a, b, 8, 1, 0, 0.001);
        if (i > 0)
            touch(f.world, b, a, 7, 1, 0, 0.002);
        assert_int_equal(pcm_world_update(f.world, i * 1e-3, 1e-3), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        assert_int_equal(fixture_said(&f, 422), i > 0);
    }
    find_message(&f, 422, "'a' and 'b' were touched at two points with the same feature, 7");
    fixture_close(&f);
}

static void too_many_threads_are_rejected(void **state)
{
    (void)state;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    fixture_open(&f, springs, NULL);
    def.threads = UINT32_MAX;
    assert_null(pcm_world_new(f.config, &def));
    find_message(&f, 400, "a world of 4294967295 threads: there may be 1024 at most");
    assert_int_equal(fixture_said(&f, 100), 0);
    fixture_close(&f);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

/* A world with a live contact of Creep, which has a state and no event or host input. */
typedef struct pair_scene {
    fixture     f;
    pcm_object  a, b;
    pcm_contact contact;
} pair_scene;

static void open_pair(pair_scene *s, const pcm_world_def *def)
{
    fixture_open(&s->f, "ContactType C = Creep; DefaultPair -> C;", def);
    s->a = pcm_world_add(s->f.world, "a", NULL);
    s->b = pcm_world_add(s->f.world, "b", NULL);
    touch(s->f.world, s->a, s->b, 1, 0, 0, 0.1);
    assert_int_equal(pcm_world_update(s->f.world, 0, 1), PCM_OK);
    assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    s->contact = touch(s->f.world, s->a, s->b, 1, 0, 0, 0.1);
    assert_int_equal(pcm_world_update(s->f.world, 1, 1), PCM_OK);
}

/* Every rejected call gives exactly one message, with the reason. */
static void expect(pair_scene *s, pcm_status status, pcm_status expected, const char *text)
{
    assert_int_equal(status, expected);
    assert_int_equal(s->f.messages, 1);
    assert_non_null(strstr(s->f.text[0], text));
    s->f.messages = 0;
}

static void impossible_calls_are_refused(void **state)
{
    (void)state;
    pair_scene s;
    open_pair(&s, NULL);
    pcm_world       *world = s.f.world;
    double           value = 0;
    pcm_wrench       wrench;
    pcm_contact_info info = {.size = sizeof info};
    pcm_rule_stats   stats = {.size = sizeof stats};
    pcm_ledger       ledger = {.size = sizeof ledger};
    expect(&s, pcm_world_contact_at(world, 1, &info), PCM_BAD_ARGUMENT, "pcm_world_contact_at: there are not so many");
    expect(&s, pcm_world_rule_stats(world, 1, &stats), PCM_BAD_ARGUMENT, "pcm_world_rule_stats: ");
    expect(&s, pcm_world_type_ledger(world, NULL, &ledger), PCM_BAD_ARGUMENT, "pcm_world_type_ledger: ");
    char bytes[8];
    expect(&s, pcm_world_checkpoint_save(world, bytes, sizeof bytes), PCM_BAD_ARGUMENT, "pcm_world_checkpoint_save: ");
    expect(&s, pcm_world_update(world, 1, -1), PCM_BAD_ARGUMENT, "pcm_world_update: t and dt");
    expect(&s, pcm_world_update(world, NAN, 1), PCM_BAD_ARGUMENT, "pcm_world_update: t and dt");
    expect(&s, pcm_world_jump(world, s.contact, 0), PCM_BAD_ORDER, "pcm_world_jump: states change after a commit");
    expect(&s, pcm_world_bond(world, s.contact, NULL), PCM_BAD_ORDER, "pcm_world_bond: states change after a commit");
    assert_int_equal(pcm_world_commit(world), PCM_OK);
    expect(&s, pcm_world_bond(world, s.contact, NULL), PCM_BAD_ARGUMENT, "pcm_world_bond: the contact's law makes no");
    expect(&s, pcm_world_jump(world, s.contact, 9), PCM_BAD_ARGUMENT, "pcm_world_jump: the contact's law has no event");
    expect(&s, pcm_world_set_input(world, s.contact, 9, 1), PCM_BAD_ARGUMENT, "pcm_world_set_input: ");
    pcm_contact fresh = touch(world, s.a, s.b, 2, 0, 0, 0.1);
    expect(&s, pcm_world_try_state(world, fresh, &value), PCM_BAD_ORDER, "pcm_world_try_state: the contact is new");
    expect(&s, pcm_world_wrench(world, s.a, &wrench), PCM_BAD_ORDER, "pcm_world_wrench: there is no wrench between");
    expect(&s, pcm_world_wrench_many(world, &s.a, &wrench, 1) ? PCM_OK : PCM_BAD_ORDER, PCM_BAD_ORDER,
           "pcm_world_wrench_many: ");
    expect(&s, pcm_world_contact_info(world, fresh, &info), PCM_BAD_ORDER, "pcm_world_contact_info: ");
    assert_int_equal(pcm_world_update(world, 2, 1), PCM_OK);
    assert_int_equal(pcm_world_wrench(world, s.a, &wrench), PCM_OK);
    assert_int_equal(s.f.messages, 0);
    fixture_close(&s.f);
}

/* Each column that touches need, and a side without the other. */
static void lack_columns(pair_scene *s)
{
    const double            vector[3] = {0, 0, 1};
    pcm_contact             kept = s->contact;
    const pcm_touch_columns whole = {.size = sizeof whole,
                                     .count = 1,
                                     .a = &s->a,
                                     .b = &s->b,
                                     .point = vector,
                                     .normal = vector,
                                     .depth = vector,
                                     .contacts = &kept};
    pcm_touch_columns       lacks[6] = {whole, whole, whole, whole, whole, whole};
    lacks[0].point = lacks[1].normal = lacks[2].depth = NULL;
    lacks[3].a = lacks[4].b = lacks[5].a = lacks[5].b = NULL;
    lacks[5].contacts = NULL;
    for (size_t i = 0; i < 6; i++)
        expect(s, (pcm_status)pcm_world_touch_many(s->f.world, &lacks[i]), 0, "pcm_world_touch_many: point, normal");
}

static void a_null_is_reported(void **state)
{
    (void)state;
    pair_scene s;
    open_pair(&s, NULL);
    pcm_world      *world = s.f.world;
    const pcm_pose  pose = {.orientation = {1, 0, 0, 0}};
    const pcm_twist twist = {.linear = {0}};
    const char     *null = "a pointer that it needs is NULL";
    expect(&s, pcm_world_move(world, s.b, NULL, &twist), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_move(world, s.b, &pose, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, (pcm_status)pcm_world_move_many(world, NULL, &pose, &twist, 1), 0, null);
    expect(&s, (pcm_status)pcm_world_touch(world, s.a, s.b, NULL, sizeof(pcm_touch)).generation, 0, null);
    expect(&s, (pcm_status)pcm_world_touch_many(world, NULL), 0, null);
    lack_columns(&s);
    expect(&s, pcm_world_try_state(world, s.contact, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_wrench(world, s.a, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, (pcm_status)pcm_world_wrench_many(world, &s.a, NULL, 1), 0, null);
    expect(&s, pcm_world_contact_at(world, 0, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_contact_info(world, s.contact, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_sense(world, s.contact, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_rule_stats(world, 0, NULL), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_checkpoint_save(world, NULL, 1), PCM_BAD_ARGUMENT, null);
    expect(&s, pcm_world_checkpoint_restore(world, NULL, 0), PCM_BAD_ARGUMENT, null);
    assert_int_equal(pcm_world_move_many(world, NULL, NULL, NULL, 0), 0);
    assert_int_equal(s.f.messages, 0);
    assert_int_equal(pcm_world_commit(world), PCM_OK); /* the rejected calls have changed nothing */
    fixture_close(&s.f);
}

static void no_world_is_no_crash(void **state)
{
    (void)state;
    const pcm_object o = {1, 1};
    const double     vector[3] = {0, 0, 1};
    pcm_wrench       wrench;
    assert_int_equal(pcm_world_add(NULL, "a", NULL).generation, 0);
    assert_int_equal(pcm_world_remove(NULL, o), PCM_BAD_ARGUMENT);
    assert_int_equal(touch_with(NULL, o, o, 1, vector, vector, 0).generation, 0);
    assert_int_equal(pcm_world_touch_many(NULL, NULL), 0);
    assert_int_equal(pcm_world_update(NULL, 0, 0), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_wrench(NULL, o, &wrench), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_commit(NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_judge(NULL, true), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_flush(NULL), PCM_BAD_ARGUMENT);
    assert_int_equal(pcm_world_contact_count(NULL), 0);
    assert_int_equal(pcm_world_checkpoint_size(NULL), 0);
    assert_null(pcm_world_pair(NULL, o, o, NULL));
    pcm_world_report_faults(NULL);
    pcm_world_free(NULL);
}

/* ---- Calls within calls ---------------------------------------------------------------------------------------- */

static void meddle(pair_scene *s)
{
    pcm_wrench       wrench;
    pcm_contact_info info = {.size = sizeof info};
    expect(s, pcm_world_update(s->f.world, 1, 1), PCM_BUSY, "pcm_world_update: another call on this world");
    expect(s, pcm_world_wrench(s->f.world, s->a, &wrench), PCM_BUSY, "pcm_world_wrench: another call");
    expect(s, pcm_world_contact_info(s->f.world, s->contact, &info), PCM_BUSY, "pcm_world_contact_info: another call");
    expect(s, (pcm_status)touch(s->f.world, s->a, s->b, 1, 0, 0, 0.1).generation, 0, "pcm_world_touch: another call");
    pcm_world_free(s->f.world);
    expect(s, PCM_BUSY, PCM_BUSY, "pcm_world_free: another call");
}

static void end_and_meddle(void *user, const pcm_ending *ending)
{
    assert_int_equal(ending->reason, PCM_END_PARTED);
    meddle(user);
}

static void run_and_meddle(void *user, pcm_task *task, void *argument, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        task(argument, i);
    if (((pair_scene *)user)->contact.generation)
        meddle(user);
}

static void a_call_within_a_call_is_rejected(void **state)
{
    (void)state;
    static pair_scene s;
    s = (pair_scene){.contact = {0, 0}};
    pcm_world_def def = pcm_world_defaults();
    def.ended = end_and_meddle;
    def.ended_user = &s;
    def.threads = 2;
    def.run = run_and_meddle;
    def.run_user = &s;
    open_pair(&s, &def);
    assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
    assert_int_equal(pcm_world_update(s.f.world, 2, 1), PCM_OK); /* no touch is reported: the contact parts */
    assert_int_equal(pcm_world_commit(s.f.world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(s.f.world), 0);
    s.contact.generation = 0;
    fixture_close(&s.f);
}

/* A torque about an object's own origin overflows where that is too far from the contact. */
static void a_wrench_that_is_not_finite_is_told(void **state)
{
    (void)state;
    fixture    f;
    pcm_wrench wrenches[3], wrench;
    fixture_open(&f, "ContactType C = Spring { Stiffness=1e7; }; DefaultPair -> C;", NULL);
    const pcm_object ground = pcm_world_add(f.world, "ground", NULL), ball = pcm_world_add(f.world, "ball", NULL),
                     far = pcm_world_add(f.world, "far", NULL), all[] = {ground, far, ball};
    place(f.world, far, 1e304, 0, 0, 0, 0, 0);
    touch(f.world, ground, far, 1, 0, 0, 0.1);
    touch(f.world, ground, ball, 2, 0, 0, 0.1);
    assert_int_equal(pcm_world_update(f.world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_wrench(f.world, ball, &wrench), PCM_OK);
    assert_int_equal(pcm_world_wrench(f.world, far, &wrench), PCM_BAD_MOTION);
    find_message(&f, 404, "the wrench on 'far' is not finite");
    assert_int_equal(pcm_world_wrench_many(f.world, all, wrenches, 3), 1);
    assert_int_equal(fixture_said(&f, 404), 2);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_correct_host_gets_no_message),
        cmocka_unit_test(a_reversed_normal_is_reported_once),
        cmocka_unit_test(rounding_is_no_reversed_normal),
        cmocka_unit_test(created_energy_is_reported_without_a_ledger),
        cmocka_unit_test(host_contacts_are_not_judged),
        cmocka_unit_test(a_clock_that_goes_wrong_is_reported_once),
        cmocka_unit_test(steps_of_any_size_are_right),
        cmocka_unit_test(a_world_that_is_never_committed_says_so_in_the_end),
        cmocka_unit_test(a_depth_in_millimetres_is_reported_once),
        cmocka_unit_test(two_points_of_one_feature_are_reported_once),
        cmocka_unit_test(too_many_threads_are_rejected),
        cmocka_unit_test(impossible_calls_are_refused),
        cmocka_unit_test(a_null_is_reported),
        cmocka_unit_test(no_world_is_no_crash),
        cmocka_unit_test(a_call_within_a_call_is_rejected),
        cmocka_unit_test(a_wrench_that_is_not_finite_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
