/* SPDX-License-Identifier: MIT */
/* Shapes of contacts, from the host to the columns that laws read: in every lane, from handles and in columns, for
 * single contacts, in the frame, and where a shape is missing or bad. */
#include "fixture.h"

#include <math.h>
#include <pcm/contact_shape.h>

static const char *const rules = "ContactType First = Shaped { Column = First; };\n"
                                 "ContactType X = Shaped { Column = X; };\n"
                                 "ContactType Y = Shaped { Column = Y; };\n"
                                 "ContactType Part = Shaped { Column = PatchPart; };\n"
                                 "ContactType Single = Shaped { Column = PatchPart; Single = true; };\n"
                                 "ContactType Length = Shaped { Column = Length; };\n"
                                 "ContactType Round = Round;\n"
                                 "ObjectPair ground * first -> First;\n"
                                 "ObjectPair ground * x -> X;\n"
                                 "ObjectPair ground * y -> Y;\n"
                                 "ObjectPair ground * part -> Part;\n"
                                 "ObjectPair ground * single -> Single;\n"
                                 "ObjectPair ground * length -> Length;\n"
                                 "ObjectPair ground * ball -> Round;\n"
                                 "ContactType Whole = Shaped { Column = Length; Patch = Shared; };\n"
                                 "ObjectPair ground * whole -> Whole;\n";

static pcm_contact_shape line_of(double length, double part)
{
    pcm_contact_shape s = pcm_contact_shape_defaults();
    s.curvature[0] = 20;
    s.curvature[1] = 50;
    s.direction[0] = 0.6;
    s.direction[1] = 0.8;
    s.point_part = 0;
    s.patch_part = part;
    s.line_length = length;
    s.line_curvature = 50;
    return s;
}

static pcm_contact touch_shaped(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, double depth,
                                const pcm_contact_shape *shape)
{
    const pcm_touch t = {
        .feature = feature, .point = {0.01 * (double)feature}, .normal = {0, 0, 1}, .depth = depth, .shape = shape};
    return pcm_world_touch(world, a, b, &t, sizeof t);
}

/* The forces on an object that the law Shaped gives at one touch. */
static double read_column(fixture *f, const char *name, const pcm_contact_shape *shape)
{
    const pcm_object ground = pcm_world_add_object(f->world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object other = pcm_world_add(f->world, name, NULL);
    touch_shaped(f->world, ground, other, 0, 1e-3, shape);
    assert_int_equal(pcm_world_update(f->world, 0, 0), PCM_OK);
    const double force = wrench_of(f->world, other).force[2];
    assert_int_equal(pcm_world_commit(f->world), PCM_OK);
    assert_int_equal(pcm_world_remove(f->world, other), PCM_OK);
    assert_int_equal(pcm_world_remove(f->world, ground), PCM_OK);
    return force;
}

/* A law that reads parts of a line has shared it already: Patch = Shared scales its points alone. */
static void parts_are_not_shared_again(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object        ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object        other = pcm_world_add(f.world, "whole", NULL);
    const pcm_contact_shape line = line_of(0.3, 0.5), point = line_of(0.3, 0);
    for (uint64_t feature = 0; feature < 2; feature++)
        touch_shaped(f.world, ground, other, feature, 1e-3, &line);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, other).force[2], 0.6, 1e-15);
    for (uint64_t feature = 0; feature < 2; feature++)
        touch_shaped(f.world, ground, other, feature, 1e-3, &point);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, other).force[2], 0.3, 1e-15);
    fixture_close(&f);
}

static void laws_read_what_hosts_give(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_contact_shape line = line_of(0.3, 0.5), point = pcm_contact_shape_defaults();
    assert_int_equal(pcm_contact_shape_kind(&line), PCM_CONTACT_LINE);
    assert_int_equal(pcm_contact_shape_kind(&point), PCM_CONTACT_UNKNOWN);
    assert_near(read_column(&f, "first", &line), 20, 0);
    assert_near(read_column(&f, "x", &line), 0.6, 1e-15);
    assert_near(read_column(&f, "y", &line), 0.8, 1e-15);
    assert_near(read_column(&f, "part", &line), 0.5, 0);
    assert_near(read_column(&f, "length", &line), 0.3, 0);
    assert_near(read_column(&f, "first", &point), -1, 0); /* NaN */
    assert_near(read_column(&f, "part", &point), 0, 0);
    assert_near(read_column(&f, "part", NULL), -1, 0);
    assert_int_equal(f.messages, 0);
    fixture_close(&f);
}

/* Lanes of one block: touched with a shape, without one, and not touched. */
static void each_lane_has_its_own_shape(void **state)
{
    (void)state;
    enum { CONTACTS = 300 };
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object other = pcm_world_add(f.world, "length", NULL);
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < CONTACTS; i++) {
            const pcm_contact_shape s = line_of(0.1 + 0.001 * (double)i, 0.5);
            if (round == 0 || i % 3 > 0)
                touch_shaped(f.world, ground, other, i, 1e-3, i % 3 == 1 ? NULL : &s);
        }
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    for (uint64_t i = 0; i < CONTACTS; i++) {
        const pcm_contact_shape s = line_of(0.1 + 0.001 * (double)i, 0.5);
        if (i % 3 > 0)
            touch_shaped(f.world, ground, other, i, 1e-3, i % 3 == 1 ? NULL : &s);
    }
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    size_t seen = 0;
    for (size_t i = 0; i < pcm_world_contact_count(f.world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(f.world, i, &info), PCM_OK);
        const bool shaped = info.feature % 3 == 2;
        assert_int_equal(info.shape != NULL, shaped);
        if (shaped)
            assert_near(info.shape->line_length, 0.1 + 0.001 * (double)info.feature, 0);
        assert_near(info.force[2], shaped ? 0.1 + 0.001 * (double)info.feature : -1, 1e-15);
        seen++;
    }
    assert_int_equal(seen, CONTACTS * 2 / 3);
    fixture_close(&f);
}

static void columns_of_touches_have_shapes(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object        ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object        other = pcm_world_add(f.world, "length", NULL);
    const pcm_contact_shape shapes[2] = {line_of(0.2, 0.5), line_of(0.3, 0.5)};
    pcm_contact             contacts[2] = {{0, 0}, {0, 0}};
    pcm_touch_columns       columns = {.size = sizeof columns,
                                       .count = 2,
                                       .a = &ground,
                                       .b = &other,
                                       .one_a = true,
                                       .one_b = true,
                                       .feature = (uint64_t[]){1, 2},
                                       .point = (double[6]){0, 0, 0, 1, 0, 0},
                                       .normal = (double[6]){0, 0, 1, 0, 0, 1},
                                       .depth = (double[2]){1e-3, 1e-3},
                                       .contacts = contacts,
                                       .shape = shapes};
    assert_int_equal(pcm_world_touch_many(f.world, &columns), 2);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, other).force[2], 0.5, 1e-15);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    columns.a = columns.b = NULL;
    assert_int_equal(pcm_world_touch_many(f.world, &columns), 2);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, other).force[2], 0.5, 1e-15);
    fixture_close(&f);
}

/* The one contact of a pair has the parts of all its points, whichever is the deepest. */
static void a_single_contact_has_all_parts(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object        ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object        other = pcm_world_add(f.world, "single", NULL);
    const pcm_contact_shape half = line_of(0.2, 0.5), quarter = line_of(0.2, 0.25);
    for (int turn = 0; turn < 2; turn++) {
        touch_shaped(f.world, ground, other, 1, turn ? 1e-3 : 2e-3, &half);
        touch_shaped(f.world, ground, other, 2, turn ? 2e-3 : 1e-3, &quarter);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_near(wrench_of(f.world, other).force[2], 0.75, 1e-15);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    fixture_close(&f);
}

static void bad_shapes_count_as_none_and_are_named_once(void **state)
{
    (void)state;
    static const struct {
        size_t      place;
        double      value;
        const char *said;
    } cases[] = {
        {offsetof(pcm_contact_shape, curvature), -3, "curvature below 0"},
        {offsetof(pcm_contact_shape, curvature) + sizeof(double), INFINITY, "curvature that is not finite"},
        {offsetof(pcm_contact_shape, curvature), NAN, "curvature that is not finite"},
        {offsetof(pcm_contact_shape, curvature), 60, "smaller one is not the first"},
        {offsetof(pcm_contact_shape, patch_part), 1.5, "between 0 and 1"},
        {offsetof(pcm_contact_shape, point_part), NAN, "between 0 and 1"},
        {offsetof(pcm_contact_shape, line_length), INFINITY, "line without a length"},
        {offsetof(pcm_contact_shape, line_length), 0, "flat without an area"},
        {offsetof(pcm_contact_shape, line_curvature), 0, "line without a curvature"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture           f;
        pcm_contact_shape bad = line_of(0.3, 0.5);
        *(double *)(void *)((char *)&bad + cases[i].place) = cases[i].value;
        fixture_open(&f, rules, NULL);
        assert_near(read_column(&f, "length", &bad), -1, 0);
        assert_near(read_column(&f, "length", &bad), -1, 0);
        assert_int_equal(fixture_said(&f, 425), 1);
        assert_non_null(strstr(f.text[0], cases[i].said));
        fixture_close(&f);
    }
}

/* 393 mm is as stiff as a line of 1 m; sqrt(0.02 m 1e-4 m) is 1.41 mm. */
static void laws_of_points_warn_of_lines_once(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object        ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object        other = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ball", .radius = 0.02));
    const pcm_contact_shape point = pcm_contact_shape_defaults(), line = line_of(1, 0.5);
    assert_true(pcm_type_wants_shape(pcm_config_type_find(f.config, "Round")));
    touch_shaped(f.world, ground, other, 0, 1e-4, &point);
    assert_int_equal(f.messages, 0);
    for (int k = 0; k < 3; k++) {
        touch_shaped(f.world, ground, other, 0, 1e-4, &line);
        touch_shaped(f.world, ground, other, 1, 1e-4, &line);
        assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(fixture_said(&f, 424), 1);
    assert_non_null(strstr(f.text[0], "along a line of 1 m"));
    assert_non_null(strstr(f.text[0], "0.00141"));
    assert_non_null(strstr(f.text[0], "0.393"));
    fixture_close(&f);
}

/* A program of before has touches without the field. */
static void touches_of_before_have_no_shape(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, rules, NULL);
    const pcm_object ground = pcm_world_add_object(f.world, &PCM_OBJECT(.name = "ground", .fixed = true));
    const pcm_object other = pcm_world_add(f.world, "part", NULL);
    const pcm_touch  t = {.normal = {0, 0, 1}, .depth = 1e-3};
    assert_true(pcm_world_touch(f.world, ground, other, &t, offsetof(pcm_touch, shape)).generation > 0);
    assert_int_equal(pcm_world_update(f.world, 0, 0), PCM_OK);
    assert_near(wrench_of(f.world, other).force[2], -1, 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_not_shared_again),
        cmocka_unit_test(laws_read_what_hosts_give),
        cmocka_unit_test(each_lane_has_its_own_shape),
        cmocka_unit_test(columns_of_touches_have_shapes),
        cmocka_unit_test(a_single_contact_has_all_parts),
        cmocka_unit_test(bad_shapes_count_as_none_and_are_named_once),
        cmocka_unit_test(laws_of_points_warn_of_lines_once),
        cmocka_unit_test(touches_of_before_have_no_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
