/* SPDX-License-Identifier: MIT */
/* Meshes and cylinders with libpcm-geometry: a mesh of a box acts like the box, however fine it is, and an object on
 * its face has a contact over the whole patch. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

#define SHARED                                                                                                         \
    "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 500; Friction = 0.3; "                \
    "Patch = Shared; };\nDefaultPair -> C;\n"

enum { TEXT = 16384 };

/* The vertices of a mesh over the sides of a box, `cells` along each edge, and some more. */
static void write_box_mesh(char text[TEXT], const char *name, const double half[3], int cells, const char *more)
{
    size_t used = (size_t)snprintf(text, TEXT, "<mesh name='%s' vertex='%s ", name, more);
    for (int i = 0; i <= cells; i++)
        for (int j = 0; j <= cells; j++)
            for (int k = 0; k <= cells; k++)
                if (i % cells == 0 || j % cells == 0 || k % cells == 0)
                    used += (size_t)snprintf(text + used, TEXT - used, "%g %g %g  ", half[0] * (2.0 * i / cells - 1),
                                             half[1] * (2.0 * j / cells - 1), half[2] * (2.0 * k / cells - 1));
    assert_true(used < TEXT - 8);
    strcat(text, "'/>");
}

static const double half[3] = {0.125, 0.25, 0.0625};

/* The wrench on a box or its mesh, slightly tilted, on a table of this type. */
static void lie(const char *table, const char *box, int cells, double wrench[6], size_t *contacts)
{
    static char mesh[TEXT], slab[TEXT], scene[3 * TEXT];
    write_box_mesh(mesh, "m", half, cells, "");
    write_box_mesh(slab, "s", (double[]){1, 0.5, 0.125}, cells, "");
    (void)snprintf(scene, sizeof scene,
                   "<mujoco><asset>%s%s</asset><worldbody><geom name='Table' %s/><body pos='0.01 0.02 0.18' "
                   "euler='0.1 0.05 20'><freejoint/><geom name='Box' %s mass='1'/></body></worldbody></mujoco>",
                   mesh, slab, table, box);
    fixture f;
    fixture_open_file(&f, scene, SHARED);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    mju_copy(wrench, f.data->qfrc_passive, 6);
    *contacts = fixture_live(&f);
    fixture_close(&f);
}

static void a_mesh_of_a_box_is_the_box(void **state)
{
    (void)state;
    static const char        box[] = "type='box' size='0.125 0.25 0.0625'", mesh[] = "type='mesh' mesh='m'";
    static const char *const tables[][2] = {
        {"type='box' size='1 0.5 0.125'", "type='mesh' mesh='s'"},
        {"type='plane' size='1 1 1' pos='0 0 0.125'", "type='plane' size='1 1 1' pos='0 0 0.125'"}};
    /* On a plane MuJoCo's box has four equal points; the shares of a mesh depend on how its faces are inclined to
     * the plane. */
    static const double same[] = {1e-12, 1e-3};
    for (int table = 0; table < 2; table++) {
        double wanted[6], got[6];
        size_t corners, contacts;
        lie(tables[table][0], box, 1, wanted, &corners);
        assert_int_equal(corners, 4);
        assert_true(wanted[2] > 100);
        for (int cells = 1; cells <= 6; cells += 5)
            for (int slab = 0; slab < 2; slab++) {
                lie(tables[table][slab], mesh, cells, got, &contacts);
                assert_int_equal(contacts, 4);
                for (int i = 0; i < 6; i++)
                    assert_true(fabs(got[i] - wanted[i]) < same[table] * wanted[2] * (i < 3 ? 1 : half[1]));
            }
    }
}

/* MuJoCo turns a mesh to its principal axes and rounds its vertices to single precision, so that the vertices of a face
 * lie in a plane only to 1e-8 m. They still form one face: a block that rests on it, and is then pushed and turned over
 * the table, keeps its first contacts. */
static void a_rough_face_is_one_face(void **state)
{
    (void)state;
    for (int cells = 1; cells <= 3; cells++) {
        static char mesh[TEXT], scene[2 * TEXT];
        fixture     f;
        write_box_mesh(mesh, "m", (double[]){0.05, 0.07, 0.03}, cells, "0.02 0.03 0.06");
        (void)snprintf(scene, sizeof scene,
                       "<mujoco><option timestep='0.001'/><asset>%s</asset><worldbody>"
                       "<geom name='Table' type='box' size='1 1 0.1'/><body pos='0.01 0.02 0.1299' euler='0 0 20'>"
                       "<freejoint/><geom name='Block' type='mesh' mesh='m' mass='1'/></body></worldbody></mujoco>",
                       mesh);
        fixture_open_file(&f, scene, SHARED);
        fixture_step(&f, 500);
        const size_t   live = fixture_live(&f);
        const uint64_t made = fixture_made(&f);
        for (int i = 0; i < 3000; i++) {
            f.data->xfrc_applied[6] = 4 * cos(i * 0.01);
            f.data->xfrc_applied[7] = 4 * sin(i * 0.01);
            f.data->xfrc_applied[11] = 0.1;
            fixture_step(&f, 1);
        }
        assert_true(live >= 4);
        assert_int_equal(fixture_live(&f), live);
        assert_int_equal(fixture_made(&f), made);
        assert_true(mju_norm(f.data->qpos, 2) > 0.03);
        fixture_close(&f);
    }
}

/* With contacts along its whole rim a cylinder stays upright, at the law's depth. With MuJoCo's single point, which
 * jumps over the patch, it falls. */
static void a_cylinder_stands_on_its_face(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='0.001' gravity='0 0 -10'/><worldbody>"
                 "<geom name='Table' type='box' size='1 1 0.1'/><body pos='0.03 0.01 0.2'><freejoint/>"
                 "<geom name='Can' type='cylinder' size='0.05 0.1' mass='1'/></body></worldbody>",
                 SHARED);
    fixture_step(&f, 3000);
    const double *place = f.data->qpos;
    assert_near(0.2 - place[2], 10 / 1e5, 1e-6);
    assert_near(place[0], 0.03, 1e-9);
    assert_near(place[1], 0.01, 1e-9);
    assert_near(fabs(place[3]), 1, 1e-12);
    assert_int_equal(fixture_made(&f), fixture_live(&f));
    assert_true(fixture_live(&f) > 2);
    fixture_close(&f);
}

/* It rolls smoothly, on two points of one line. */
static void a_cylinder_rolls_on_its_side(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<option timestep='0.001' gravity='0 0 -10'/><worldbody>"
                 "<geom name='Table' type='box' size='2 1 0.1'/><body pos='-1 0 0.1499' euler='90 0 0'><freejoint/>"
                 "<geom name='Roll' type='cylinder' size='0.05 0.1' mass='1'/></body></worldbody>",
                 SHARED);
    f.data->qvel[0] = 1;
    f.data->qvel[5] = -20; /* 1 m/s over 0.05 m, about the cylinder's own axis */
    double slowest = 1, height = 0;
    for (int i = 0; i < 1000; i++) {
        fixture_step(&f, 1);
        slowest = fmin(slowest, f.data->qvel[0]);
        height = fmax(height, f.data->qpos[2]);
    }
    assert_true(f.data->qpos[0] > -0.05 && slowest > 0.95);
    assert_true(height < 0.15);
    assert_int_equal(fixture_live(&f), 2);
    fixture_close(&f);
}

/* With own_convex false the contacts are the points of MuJoCo's own function. */
static void the_engine_may_look_at_them(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f,
                 "<worldbody><geom name='Table' type='box' size='1 1 0.1'/><body pos='0 0 0.199' euler='1 2 0'>"
                 "<freejoint/><geom name='Can' type='cylinder' size='0.05 0.1' mass='1'/></body></worldbody>",
                 SHARED);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    const double ours = f.data->contact[0].dist;
    fixture_use_engine_pairs(&f);
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    mjData *alone = mj_makeData(f.model);
    mj_forward(f.model, alone);
    assert_int_equal(f.data->ncon, alone->ncon);
    assert_int_equal(fixture_live(&f), alone->ncon);
    assert_true(f.data->contact[0].dist == alone->contact[0].dist && ours != alone->contact[0].dist);
    mj_deleteData(alone);
    fixture_close(&f);
}

/* The memory for dice on a plane and for their measurements; their mesh has 400 vertices, on a ball. */
static ptrdiff_t memory_of_dice(int dice, int meshes)
{
    static char assets[4 * TEXT], bodies[TEXT], scene[6 * TEXT];
    size_t      asset = 0, body = 0;
    for (int i = 0; i < meshes; i++) {
        asset += (size_t)snprintf(assets + asset, sizeof assets - asset, "<mesh name='m%d' vertex='", i);
        for (int k = 0; k < 400; k++) {
            const double z = 1 - (2 * k + 1) / 400.0, r = sqrt(1 - z * z), turn = 2.4 * k;
            asset += (size_t)snprintf(assets + asset, sizeof assets - asset, "%.4f %.4f %.4f  ", 0.1 * r * cos(turn),
                                      0.1 * r * sin(turn), 0.1 * z);
        }
        asset += (size_t)snprintf(assets + asset, sizeof assets - asset, "'/>");
    }
    for (int i = 0; i < dice; i++)
        body += (size_t)snprintf(bodies + body, sizeof bodies - body,
                                 "<body pos='%d 0 1'><freejoint/><geom type='mesh' mesh='m%d'/></body>", i, i % meshes);
    assert_true(asset < sizeof assets - 8 && body < sizeof bodies - 8);
    (void)snprintf(scene, sizeof scene,
                   "<mujoco><asset>%s</asset><worldbody><geom name='Floor' type='plane' size='1 1 1'/>%s</worldbody>"
                   "</mujoco>",
                   assets, bodies);
    fixture f;
    fixture_open_file(&f, scene, "ContactType C = CompliantGround {};\nObjectPair Floor * \"*\" -> C;\n");
    pcm_sensing sensing[8] = {{.size = sizeof *sensing}};
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(pcm_mujoco_sense_pairs(f.host, sensing, sizeof *sensing, 8), PCM_OK);
    const ptrdiff_t bytes = f.memory.bytes;
    fixture_close(&f);
    return bytes;
}

static void geoms_of_a_mesh_share_its_hull(void **state)
{
    (void)state;
    const ptrdiff_t hull = memory_of_dice(4, 2) - memory_of_dice(4, 1);
    assert_true(hull > 10000);
    assert_true(memory_of_dice(4, 1) - memory_of_dice(2, 1) < hull / 4);
}

/* MuJoCo 2.2 reports a deep contact for an ellipsoid that is small compared with the margin and above the box. */
static void separated_bodies_do_not_push(void **state)
{
    (void)state;
    static const char scene[] =
        "<mujoco><worldbody><geom name='Block' type='box' size='0.3 0.3 0.05' pos='0 0 0.05'/><body name='C' "
        "pos='0 -0.15 0.2'><freejoint/><geom name='C' type='ellipsoid' size='0.05 0.05 0.03' mass='1'/></body>"
        "</worldbody></mujoco>";
    fixture f;
    fixture_open_file(&f, scene, "ContactType C = CompliantGround { Separation = 0.1; };\nDefaultPair -> C;\n");
    for (double gap = -1e-3; gap < 0.09; gap += 1e-3) {
        f.data->qpos[2] = 0.13 + gap;
        pcm_mujoco_reset(f.host);
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        assert_true(gap > 1e-6 ? f.data->qfrc_passive[2] == 0 : gap > -1e-6 || f.data->qfrc_passive[2] > 1);
    }
    fixture_close(&f);
}

/* A disc of so many sides, 1 mm deep on a plane. */
static void disc_open(fixture *f, int sides, const char *law)
{
    static char text[4 * TEXT], scene[5 * TEXT];
    size_t      used = 0;
    for (int k = 0; k < 2 * sides; k++) {
        const double turn = 2 * mjPI * (k / 2) / sides;
        used += (size_t)snprintf(text + used, sizeof text - used, "%.9g %.9g %g ", 0.1 * cos(turn), 0.1 * sin(turn),
                                 k % 2 ? 0.02 : -0.02);
    }
    assert_true(used < sizeof text - 1);
    (void)snprintf(scene, sizeof scene,
                   "<mujoco><asset><mesh name='d' vertex='%s'/></asset><worldbody><geom name='Floor' type='plane' "
                   "size='1 1 1'/><body pos='0 0 0.019'><freejoint/><geom name='Disc' type='mesh' mesh='d' mass='1'/>"
                   "</body></worldbody></mujoco>",
                   text);
    fixture_open_file(f, scene, law);
}

#define WHOLE "ContactType C = KelvinVoigt { Stiffness = 1e3; Damping = 0; Patch = Shared; };\nDefaultPair -> C;\n"
#define EACH  "ContactType C = KelvinVoigt { Stiffness = 10; Damping = 0; };\nDefaultPair -> C;\n"

/* MuJoCo lists 50 contacts of a pair. All points count, and the disc is not tilted. With shares, four stand for more
 * than sixteen. */
static void every_point_of_a_disc_bears(void **state)
{
    (void)state;
    static const int sides[] = {12, 64, 128, 256};
    for (size_t i = 0; i < 8; i++) {
        const bool shared = i < 4;
        const int  n = sides[i % 4];
        fixture    f;
        disc_open(&f, n, shared ? WHOLE : EACH);
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
        assert_int_equal(fixture_live(&f), shared && n > 16 ? 4 : n);
        /* MuJoCo keeps vertices in single precision. */
        assert_near(f.data->qfrc_passive[2], shared ? 1 : 0.01 * n, 1e-6 * n);
        for (int k = 3; k < 6; k++)
            assert_near(f.data->qfrc_passive[k], 0, 1e-7);
        assert_int_equal(fixture_said(&f, PCM_MSG_CROWDED_PAIR), 0);
        fixture_close(&f);
    }
    fixture f;
    disc_open(&f, 600, EACH);
    for (int k = 0; k < 3; k++)
        assert_int_equal(pcm_mujoco_forward(f.host), PCM_OK);
    assert_int_equal(fixture_said(&f, PCM_MSG_CROWDED_PAIR), 1);
    fixture_close(&f);
}

/* A disc comes to rest at the depth of its weight, level, in whatever number of sides. */
static void a_disc_stands_level(void **state)
{
    (void)state;
    static const char law[] = "ContactType C = KelvinVoigt { Stiffness = 21419; Damping = 200; Patch = Shared; };\n"
                              "DefaultPair -> C;\n";
    static const int  sides[] = {16, 128, 256};
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        disc_open(&f, sides[i], law);
        while (f.data->time < 1)
            assert_int_equal(pcm_mujoco_step(f.host), PCM_OK);
        const double depth = 0.02 - f.data->qpos[2];
        assert_near(depth, 9.81 / 21419, 5e-6); /* 0.458 mm; MuJoCo keeps 0.02 m in single precision */
        assert_near(hypot(f.data->qpos[4], f.data->qpos[5]), 0, 1e-6);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_of_a_disc_bears),   cmocka_unit_test(a_disc_stands_level),
        cmocka_unit_test(a_mesh_of_a_box_is_the_box),    cmocka_unit_test(a_rough_face_is_one_face),
        cmocka_unit_test(a_cylinder_stands_on_its_face), cmocka_unit_test(a_cylinder_rolls_on_its_side),
        cmocka_unit_test(the_engine_may_look_at_them),   cmocka_unit_test(geoms_of_a_mesh_share_its_hull),
        cmocka_unit_test(separated_bodies_do_not_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
