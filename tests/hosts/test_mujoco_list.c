/* SPDX-License-Identifier: MIT */
/* Contacts of laws in mjData.contact are those that MuJoCo lists without laws, except that they are not in the
 * solver, whenever and from wherever they are read. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>
#include <string.h>

#define RULES "ContactType C = CompliantGround {};\nDefaultPair -> C;\n"

/* Geoms of all types that overlap the floor, with parameters of all kinds. */
#define GEOMS                                                                                                          \
    "<worldbody><geom name='Floor' type='plane' size='9 9 1' friction='0.7 0.01 0.002' solmix='3' margin='0.001' "     \
    "zaxis='0.001 0.002 1'/>"                                                                                          \
    "<body pos='0 0 0.09'><freejoint/><geom name='Ball' size='0.1' condim='6' friction='0.9 0.2 0.1'/></body>"         \
    "<body pos='1 0 0.08' euler='90 5 0'><freejoint/><geom type='capsule' size='0.1 0.2' solref='0.05 0.7'/></body>"   \
    "<body pos='2 0 0.08' euler='4 5 6'><freejoint/><geom type='box' size='0.1 0.1 0.1' priority='2' "                 \
    "friction='0 0 0' solimp='0.8 0.9 0.01 0.4 3' condim='4'/></body>"                                                 \
    "<body pos='3 0 0.08'><freejoint/><geom type='cylinder' size='0.1 0.1' solref='-1000 -20' priority='-1'/></body>"  \
    "<body pos='4 0 0.09'><freejoint/><geom type='ellipsoid' size='0.1 0.2 0.1' solref='-500 -10' solmix='0'/></body>" \
    "<body pos='5 0 0.081'><freejoint/><geom size='0.1' margin='0.05' gap='0.04'/></body>"                             \
    "<body pos='5 0.17 0.081'><freejoint/><geom size='0.1' margin='0.02' gap='0.01' solmix='0'/></body>"               \
    "<body pos='7 0 0.09'><freejoint/><geom size='0.1'/><geom pos='0.3 0 0' size='0.1'/><geom pos='0.6 0 0' "          \
    "size='0.1'/></body>"                                                                                              \
    "<body pos='7 0.19 0.09'><freejoint/><geom size='0.1'/><geom pos='0.3 0 0' size='0.1'/><geom pos='0.6 0 0' "       \
    "size='0.1'/></body>"                                                                                              \
    "<body pos='6 0 0.08'><freejoint/><geom name='Paired' size='0.1'/></body></worldbody>"                             \
    "<contact><pair geom1='Floor' geom2='Paired' condim='1' friction='2 1 0.5 0.1 0.2' margin='0.03' gap='0.02' "      \
    "solref='0.03 0.9'/></contact>"

static void assert_alike(const mjContact *a, const mjContact *b)
{
    assert_true(a->geom1 == b->geom1 && a->geom2 == b->geom2 && a->dim == b->dim);
    assert_true(a->dist == b->dist);
    assert_memory_equal(a->pos, b->pos, sizeof a->pos);
    for (int i = 0; i < 9; i++)
        assert_near(a->frame[i], b->frame[i], 1e-14);
    assert_near(a->includemargin, b->includemargin, 1e-14);
    for (int i = 0; i < 5; i++)
        assert_near(a->friction[i], b->friction[i], 1e-14);
    for (int i = 0; i < mjNREF; i++)
        assert_near(a->solref[i], b->solref[i], 1e-14);
    for (int i = 0; i < mjNIMP; i++)
        assert_near(a->solimp[i], b->solimp[i], 1e-14);
#if PCM_RELEASE >= 3000000
    assert_memory_equal(a->geom, b->geom, sizeof a->geom);
    assert_memory_equal(a->flex, b->flex, sizeof a->flex);
    assert_memory_equal(a->solreffriction, b->solreffriction, sizeof a->solreffriction);
#endif
}

typedef void a_look(const mjModel *model, mjData *data);

static void look_at_positions(const mjModel *model, mjData *data) { mj_fwdPosition(model, data); }

static void look_for_contacts(const mjModel *model, mjData *data)
{
    mj_kinematics(model, data);
    mj_comPos(model, data);
    mj_collision(model, data);
}

static void look_twice(const mjModel *model, mjData *data)
{
    mj_fwdPosition(model, data);
    mj_collision(model, data);
}

static void look_halfway(const mjModel *model, mjData *data) { mj_step1(model, data); }

static void assert_listed(const char *scene, a_look *look)
{
    fixture f;
    fixture_open(&f, scene, RULES);
    fixture_use_engine_pairs(&f);
    look(f.model, f.data);
    pcm_mujoco_free(f.host);
    f.host = NULL;
    mjData *alone = mj_makeData(f.model);
    look(f.model, alone);
    assert_true(alone->ncon >= 9);
    assert_int_equal(f.data->ncon, alone->ncon);
    assert_int_equal(f.data->nefc, 0);
    for (int i = 0; i < alone->ncon; i++) {
        assert_alike(&f.data->contact[i], &alone->contact[i]);
        assert_true(f.data->contact[i].exclude == 1 && f.data->contact[i].efc_address == -1);
    }
    mj_deleteData(alone);
    fixture_close(&f);
}

static void contacts_are_true_whoever_looks(void **state)
{
    (void)state;
    static a_look *const looks[] = {look_at_positions, look_for_contacts, look_twice, look_halfway};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        assert_listed(GEOMS, looks[i]);
        assert_listed("<option o_margin='0.02' o_solref='0.04 0.8' o_solimp='0.7 0.8 0.01 0.5 2'><flag "
                      "override='enable'/></option>" GEOMS,
                      looks[i]);
    }
}

#if PCM_RELEASE >= 3003000
/* The list is up to date, within margins too, with and without listed contacts; and a search leaves no contact
 * behind. */
static void distances_are_of_now(void **state)
{
    (void)state;
    static const char scene[] =
        "<worldbody><geom name='Floor' type='plane' size='9 9 1' margin='0.1'/>"
        "<body pos='0 0 0.12'><joint type='slide' axis='0 0 1'/><geom name='Ball' size='0.1' margin='0.1'/></body>"
        "</worldbody><sensor><distance geom1='Floor' geom2='Ball' cutoff='0.05'/>"
        "<distance geom1='Floor' geom2='Ball' cutoff='0.1'/><distance geom1='Floor' geom2='Ball' "
        "cutoff='0.2'/></sensor>";
    for (int lists = 0; lists < 2; lists++) {
        fixture f;
        fixture_open(&f, scene, RULES);
        fixture_list_contacts(&f, lists);
        for (int i = 0; i < 10; i++) {
            f.data->qpos[0] = 0.002 * i;
            mj_forward(f.model, f.data);
            for (int k = 0; k < 3; k++)
                assert_near(f.data->sensordata[k], 0.02 + 0.002 * i, 1e-12);
            assert_near(mj_geomDistance(f.model, f.data, 0, 1, 0.1, NULL), 0.02 + 0.002 * i, 1e-12);
            assert_int_equal(f.data->ncon, 0);
        }
        fixture_close(&f);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_true_whoever_looks),
#if PCM_RELEASE >= 3003000
        cmocka_unit_test(distances_are_of_now),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
