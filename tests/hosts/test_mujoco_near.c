/* SPDX-License-Identifier: MIT */
/* The host tests only the pairs in its neighbour list: it finds the same contacts as a test of all pairs. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 24, PLACES = 20000 };

typedef struct place {
    int    a, b; /* a geom, or for a site -1 - its index */
    double depth;
} place;

typedef struct places {
    place    items[PLACES];
    size_t   count;
    uint32_t last_pair;
} places;

static uint64_t random_state = 1;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* ---- Contacts that the host finds -------------------------------------------------------------------------------- */

/* The number of an object is the last part of its name. */
static int number_of(const char *name) { return atoi(name + 1) * (*name == 'g' ? 1 : -1) - (*name == 's'); }

static bool record(void *user, pcm_mujoco_contact_point *found)
{
    places *list = user;
    assert_true(list->count < PLACES && found->pair >= list->last_pair);
    list->items[list->count++] = (place){number_of(found->a), number_of(found->b), found->depth};
    list->last_pair = found->pair;
    return true;
}

static pcm_status nothing(void *user)
{
    (void)user;
    return PCM_OK;
}

/* ---- Contacts that a test of all pairs finds --------------------------------------------------------------------- */

static bool repeats(const pcm_found *contacts, int index)
{
    for (int i = 0; i < index; i++)
        if (memcmp(contacts[i].pos, contacts[index].pos, sizeof contacts[i].pos) == 0)
            return true;
    return false;
}

/* Whether a contact is beyond the margin: MuJoCo's function for boxes reports some that are. */
static bool out_of_reach(const mjModel *model, const mjData *data, int a, int b, double margin)
{
    const double bound_a = model->geom_rbound[a], bound_b = model->geom_rbound[b];
    return bound_a > 0 && bound_b > 0 &&
           mju_dist3(data->geom_xpos + 3 * a, data->geom_xpos + 3 * b) > bound_a + bound_b + margin;
}

/* MuJoCo's table before anything was attached, and whether it uses the general convex function for a pair of types. */
static mjfCollision own_functions[mjNGEOMTYPES][mjNGEOMTYPES];

static bool is_general(int type_a, int type_b)
{
    return own_functions[type_a][type_b] == own_functions[mjGEOM_ELLIPSOID][mjGEOM_ELLIPSOID];
}

static bool overlap(const pcm_found *contacts, int count)
{
    for (int i = 0; i < count; i++)
        if (contacts[i].dist < 0)
            return true;
    return false;
}

/* Overlaps are those of the general function without a margin. Gaps are those with a half, a quarter ... of the margin,
 * if with the whole margin it reports an overlap. */
static int ask(const mjModel *copy, mjData *data, int a, int b, double margin, pcm_found *contacts)
{
    const mjfCollision collide = own_functions[copy->geom_type[a]][copy->geom_type[b]];
    int                count = collide(copy, data, contacts, a, b, margin);
    if (!is_general(copy->geom_type[a], copy->geom_type[b]) || !(margin > 0) || !overlap(contacts, count))
        return count;
    count = collide(copy, data, contacts, a, b, 0);
    if (overlap(contacts, count))
        return count;
    do {
        margin /= 2;
        count = collide(copy, data, contacts, a, b, margin);
    } while (overlap(contacts, count));
    return count;
}

/* The hooks know only the attached model: a copy keeps them out of what MuJoCo's own functions call. */
static void look_at_geoms(const mjModel *copy, mjData *data, int a, int b, double margin, places *list)
{
    const int          type_a = copy->geom_type[a], type_b = copy->geom_type[b];
    const mjfCollision collide = own_functions[type_a][type_b];
    if (type_a > type_b) {
        look_at_geoms(copy, data, b, a, margin, list);
        return;
    }
    pcm_found contacts[mjMAXCONPAIR];
    const int count = collide && !out_of_reach(copy, data, a, b, margin) ? ask(copy, data, a, b, margin, contacts) : 0;
    for (int i = 0; i < count; i++)
        if (!repeats(contacts, i))
            list->items[list->count++] = (place){a, b, -contacts[i].dist};
}

static void look_at_sites(const mjModel *model, const mjData *data, int plane, double margin, places *list)
{
    for (int site = 0; site < model->nsite; site++) {
        const double *axes = data->geom_xmat + 9 * plane;
        double        depth = 0;
        for (int k = 0; k < 3; k++)
            depth -= axes[3 * k + 2] * (data->site_xpos[3 * site + k] - data->geom_xpos[3 * plane + k]);
        if (!(depth < -margin))
            list->items[list->count++] = (place){plane, -1 - site, depth};
    }
}

/* Two geoms of the material Bare have no rule. */
static void look_at_all(const mjModel *copy, mjData *data, double margin, places *list)
{
    list->count = 0;
    for (int a = 0; a < copy->ngeom; a++) {
        for (int b = a + 1; b < copy->ngeom; b++) {
            const int body_a = copy->geom_bodyid[a], body_b = copy->geom_bodyid[b];
            if (copy->body_weldid[body_a] != copy->body_weldid[body_b] &&
                !(copy->geom_matid[a] == 1 && copy->geom_matid[b] == 1))
                look_at_geoms(copy, data, a, b, margin, list);
        }
        if (copy->geom_type[a] == mjGEOM_PLANE)
            look_at_sites(copy, data, a, margin, list);
    }
}

/* ---- The comparison ---------------------------------------------------------------------------------------------- */

static int by_pair_and_depth(const void *left, const void *right)
{
    const place *x = left, *y = right;
    if (x->a != y->a || x->b != y->b)
        return x->a != y->a ? x->a - y->a : x->b - y->b;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

static void assert_same(places *found, places *wanted)
{
    assert_int_equal(found->count, wanted->count);
    qsort(found->items, found->count, sizeof *found->items, by_pair_and_depth);
    qsort(wanted->items, wanted->count, sizeof *wanted->items, by_pair_and_depth);
    for (size_t i = 0; i < found->count; i++) {
        assert_int_equal(found->items[i].a, wanted->items[i].a);
        assert_int_equal(found->items[i].b, wanted->items[i].b);
        const double depth = found->items[i].depth, expected = wanted->items[i].depth;
        if (depth != expected && !(isnan(depth) && isnan(expected)))
            assert_near(depth, expected, 1e-12);
    }
}

typedef struct comparison {
    fixture  f;
    mjModel *copy;
    places  *found, *wanted;
    size_t   total;      /* number of all points ever found */
    double   separation; /* m, of the contact type */
} comparison;

static void compare(comparison *c, mjData *data, double reach)
{
    const pcm_mujoco_solver solver = {
        .size = sizeof solver, .user = c->found, .reach = reach, .touches = record, .before = nothing};
    pcm_mujoco_use_solver(c->f.host, &solver);
    c->found->count = c->found->last_pair = 0;
    mj_kinematics(c->f.model, data); /* avoids MuJoCo's search for contacts, whose list would be full */
    mj_comPos(c->f.model, data);
    mj_fwdVelocity(c->f.model, data);
    look_at_all(c->copy, data, fmax(reach, c->separation), c->wanted);
    assert_same(c->found, c->wanted);
    c->total += c->found->count;
}

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

/* Bodies of all types near two planes, one of which moves, and a height field; every fourth body has no rule for its
 * own type, every fifth has a site. */
static void write_scene(char *text, size_t size)
{
    static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
    size_t                   at = 0;
    at += (size_t)snprintf(text, size,
                           "<mujoco><size nconmax='1000' njmax='100'/><option><flag "
                           "multiccd='disable'/></option><asset>"
                           "<material name='Plain'/><material name='Bare'/>"
                           "<mesh name='m' vertex='0 0 0  .3 0 0  0 .2 0  0 0 .4  .1 .2 .3'/>"
                           "<hfield name='h' nrow='4' ncol='5' size='1 1 .3 .1'/></asset><worldbody>"
                           "<geom name='g0' type='plane' size='1 1 1' material='Plain'/>"
                           "<geom name='g1' type='hfield' hfield='h' pos='0 0 -.1' material='Plain'/>"
                           "<body mocap='true' pos='-1 0 0'><geom name='g2' type='plane' size='1 1 1' zaxis='1 0 .3' "
                           "material='Bare'/></body>");
    for (int i = 0; i < BODIES; i++) {
        char           shape[64] = "mesh='m'", site[64] = "";
        const unsigned type = (unsigned)i % 6;
        if (type < 5)
            (void)snprintf(shape, sizeof shape, "size='%.3g %.3g %.3g'", uniform(0.02, 0.3), uniform(0.02, 0.3),
                           uniform(0.02, 0.3));
        if (i % 5 == 0)
            (void)snprintf(site, sizeof site, "<site name='s%d' pos='0 0 .2' material='Plain'/>", i / 5);
        at += (size_t)snprintf(
            text + at, size - at,
            "<body pos='%d 0 9'><freejoint/><geom name='g%d' type='%s' %s mass='1' material='%s'/>%s</body>", 2 * i,
            3 + i, types[type], shape, i % 4 ? "Plain" : "Bare", site);
    }
    at += (size_t)snprintf(text + at, size - at, "</worldbody></mujoco>");
    assert_true(at < size);
}

static void open_comparison(comparison *c)
{
    static char text[16384];
    *c = (comparison){.found = calloc(1, sizeof *c->found), .wanted = calloc(1, sizeof *c->wanted)};
    assert_true(c->found && c->wanted);
    write_scene(text, sizeof text);
    fixture_open_file(&c->f, text,
                      "ContactType C = SpringContact { K = 1000; B = 1; Z_Limit = 10 };\n"
                      "SurfacePair Plain * Plain -> C; SurfacePair Plain * Bare -> C;\n");
    fixture_use_engine_pairs(&c->f);
    for (int i = 0; i < c->f.model->nhfielddata; i++)
        c->f.model->hfield_data[i] = (float)uniform(0, 1);
    c->copy = mj_copyModel(NULL, c->f.model);
    c->separation = pcm_type_get_info(pcm_config_rule_at(c->f.config, 0).type)->common->separation;
    assert_true(c->separation > 0);
}

static void close_comparison(comparison *c)
{
    mj_deleteModel(c->copy);
    fixture_close(&c->f);
    free(c->found);
    free(c->wanted);
}

/* Moves all bodies to other places. */
static void scatter(mjData *data)
{
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 7; k++)
            data->qpos[7 * i + k] = uniform(-1, 1);
}

/* Moves all bodies, some fast and some slowly, and turns them; at the walls they are reflected. */
static void fly(mjData *data)
{
    for (int i = 0; i < BODIES; i++) {
        double *q = data->qpos + 7 * i, *v = data->qvel + 6 * i;
        for (int k = 0; k < 3; k++) {
            v[k] = fabs(q[k]) > 1 ? -copysign(v[k], q[k]) : v[k];
            q[k] += v[k];
        }
        mju_quatIntegrate(q + 3, v + 3, 0.1);
    }
}

static void slow_and_fast_motion(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    for (int i = 0; i < 6 * BODIES; i++)
        c.f.data->qvel[i] = pow(10, uniform(-3, -1)) * (i % 2 ? 1 : -1);
    for (int i = 0; i < 500; i++) {
        if (i % 100 == 0)
            scatter(c.f.data);
        fly(c.f.data);
        compare(&c, c.f.data, 0);
    }
    assert_true(c.total > 5000);
    close_comparison(&c);
}

/* Two spheres, which are placed one after the other far from all others. */
enum { FIRST = 6, SECOND = 18 };

static void spread(mjData *data)
{
    for (int i = 0; i < BODIES; i++)
        data->qpos[7 * i] = data->qpos[7 * i + 2] = 5 + 5 * i;
}

/* They approach each other from gaps about as large as the slack of the list. */
static void slow_approach(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    double      *first = c.f.data->qpos + 7 * FIRST, *second = c.f.data->qpos + 7 * SECOND;
    const double radius = c.f.model->geom_size[3 * (3 + FIRST)], other = c.f.model->geom_size[3 * (3 + SECOND)];
    spread(c.f.data);
    for (int i = 0; i < 20; i++) {
        second[0] = first[0] + (radius + other) * uniform(1.05, 1.2) + c.separation;
        second[2] = first[2];
        for (; second[0] - first[0] > radius + other; second[0] -= 0.002 * other) {
            compare(&c, c.f.data, 0);
            first[0] += 0.002 * radius;
        }
    }
    assert_true(c.total > 20);
    close_comparison(&c);
}

static void slow_descent(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    double      *first = c.f.data->qpos + 7 * FIRST;
    const double radius = c.f.model->geom_size[3 * (3 + FIRST)];
    spread(c.f.data);
    for (int i = 0; i < 20; i++)
        for (first[2] = radius * uniform(1.05, 1.2) + c.separation; first[2] > radius; first[2] -= 0.002 * radius)
            compare(&c, c.f.data, 0);
    assert_true(c.total > 20);
    close_comparison(&c);
}

static void planes_that_move(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    scatter(c.f.data);
    for (int i = 0; i < 50; i++) {
        c.f.data->mocap_pos[0] = uniform(-1, 0);
        compare(&c, c.f.data, 0);
        c.f.data->mocap_quat[2] = uniform(0.4, 0.7);
        compare(&c, c.f.data, 0);
    }
    close_comparison(&c);
}

/* Solvers with a larger reach, and with a smaller one. */
static void reaches_that_change(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    for (int i = 0; i < 50; i++) {
        scatter(c.f.data);
        compare(&c, c.f.data, uniform(0, 0.1));
        compare(&c, c.f.data, uniform(0.1, 1));
    }
    close_comparison(&c);
}

/* Two states alternate, one of which is copied from elsewhere. */
static void several_states(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    mjData *other = mj_makeData(c.f.model);
    for (int i = 0; i < 40; i++) {
        scatter(c.f.data);
        compare(&c, c.f.data, 0);
        scatter(other);
        mj_copyData(c.f.data, c.f.model, other);
        compare(&c, c.f.data, 0);
    }
    mj_deleteData(other);
    close_comparison(&c);
}

static void numbers_that_are_none(void **state)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e16, -1e40, 1e300};
    (void)state;
    comparison c;
    open_comparison(&c);
    for (int i = 0; i < 60; i++) {
        scatter(c.f.data);
        double      *number = &c.f.data->qpos[7 * (5 * i % BODIES) + i % 3];
        const double before = *number;
        *number = strange[i % 6];
        compare(&c, c.f.data, 0.01);
        *number = before;
        compare(&c, c.f.data, 0.01);
    }
    close_comparison(&c);
}

/* Shapes may be changed in the model, with their bounding spheres. */
static void sizes_that_change(void **state)
{
    (void)state;
    comparison c;
    open_comparison(&c);
    scatter(c.f.data);
    for (int i = 0; i < 40; i++) {
        const int sphere = 3 + 6 * (i % (BODIES / 6));
        c.f.model->geom_size[3 * sphere] = c.f.model->geom_rbound[sphere] = uniform(0.02, 0.5);
        c.copy->geom_size[3 * sphere] = c.copy->geom_rbound[sphere] = c.f.model->geom_rbound[sphere];
        compare(&c, c.f.data, 0);
    }
    close_comparison(&c);
}

int main(void)
{
    memcpy(own_functions, mjCOLLISIONFUNC, sizeof own_functions);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_and_fast_motion),  cmocka_unit_test(slow_approach),
        cmocka_unit_test(slow_descent),          cmocka_unit_test(planes_that_move),
        cmocka_unit_test(reaches_that_change),   cmocka_unit_test(several_states),
        cmocka_unit_test(numbers_that_are_none), cmocka_unit_test(sizes_that_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
