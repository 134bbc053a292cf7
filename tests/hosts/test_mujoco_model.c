/* SPDX-License-Identifier: MIT */
/* A model or data other than the attached ones: every call reports it. */
#include "../../hosts/mujoco/base/release.h"
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <string.h>

static const char ball[] = "<option timestep='1e-3'/><worldbody><geom name='Floor' type='plane' size='5 5 0.1'/>"
                           "<body pos='0 0 0.1'><freejoint/><geom name='Ball' size='0.1'/></body></worldbody>";
static const char heap[] = "<option timestep='1e-3'/><worldbody><geom name='Floor' type='plane' size='5 5 0.1'/>"
                           "<body pos='0 0 0.1'><freejoint/><geom name='Ball' size='0.1'/></body>"
                           "<body pos='1 0 0.1'><freejoint/><geom name='Other' size='0.1'/></body>"
                           "<body pos='2 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body></worldbody>";
static const char rules[] = "ContactType C = CompliantGround {};\nDefaultPair -> C;\n";

static void data_of_another_model_is_refused(void **state)
{
    (void)state;
    fixture f, other;
    fixture_open(&f, ball, rules);
    fixture_open(&other, heap, rules);
    assert_null(pcm_mujoco_attach(f.context, f.config, other.model, f.data, NULL));
    assert_int_equal(fixture_said(&f, PCM_MSG_OTHER_MODEL), 1);
    assert_non_null(strstr(f.last, "not of this mjModel"));
    assert_null(pcm_mujoco_attach(other.context, other.config, f.model, other.data, NULL));
    assert_int_equal(fixture_said(&other, PCM_MSG_OTHER_MODEL), 1);
    assert_int_equal(pcm_mujoco_fork(f.host, other.data), PCM_BAD_ARGUMENT);
    fixture_close(&other);
    fixture_close(&f);
}

/* Every call that a program may make with an attachment whose model was replaced. */
static void ask_all(fixture *f)
{
    mjvScene  scene;
    mjvOption option;
    double    force[6];
    uint8_t   bytes[8] = {0};
    mjv_defaultScene(&scene);
    mjv_defaultOption(&option);
    option.flags[mjVIS_CONTACTPOINT] = 1;
    for (int i = 0; i < 50; i++)
        mj_step(f->model, f->data);
    mj_resetData(f->model, f->data);
    mj_forward(f->model, f->data);
    assert_int_equal(pcm_mujoco_status(f->host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_step(f->host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_forward(f->host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_commit(f->host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_sense(f->host), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_ease(f->host, 1), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_implicit(f->host, true), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_contact_force(f->host, 0, force), PCM_BAD_HOST);
    assert_int_equal(pcm_mujoco_sense_pairs(f->host, NULL, sizeof(pcm_sensing), 0), PCM_BAD_HOST);
    mjData *copy = mj_copyData(NULL, f->model, f->data);
    assert_int_equal(pcm_mujoco_fork(f->host, copy), PCM_BAD_HOST);
    mj_step(f->model, copy);
    mj_deleteData(copy);
    assert_int_not_equal(pcm_mujoco_checkpoint_restore(f->host, bytes, sizeof bytes), PCM_OK);
    assert_true(pcm_mujoco_checkpoint_size(f->host) > 0);
    pcm_mujoco_draw(f->host, &option, &scene);
    pcm_mujoco_reset(f->host);
    assert_int_equal(fixture_said(f, PCM_MSG_OTHER_MODEL), 1);
}

/* Attached again, laws act in the new model. */
static void attach_again(fixture *f)
{
    pcm_mujoco_free(f->host);
    f->host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, NULL);
    assert_non_null(f->host);
    fixture_step(f, 20);
    assert_true(fixture_live(f) > 1);
}

static void swap(fixture *a, fixture *b)
{
    const mjModel model = *a->model;
    const mjData  data = *a->data;
    *a->model = *b->model;
    *a->data = *b->data;
    *b->model = model;
    *b->data = data;
}

/* The same effect as mj_recompile, in any release: another model at the same address, larger or smaller. */
static void a_model_in_its_place_is_reported(void **state)
{
    (void)state;
    fixture small, large;
    fixture_open(&small, ball, rules);
    fixture_open(&large, heap, rules);
    fixture_step(&small, 10);
    fixture_step(&large, 10);
    swap(&small, &large);
    ask_all(&small);
    ask_all(&large);
    attach_again(&small);
    pcm_mujoco_free(large.host);
    large.host = NULL;
    fixture_close(&small);
    fixture_close(&large);
}

static void another_name_is_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, ball, rules);
    fixture_step(&f, 10);
    f.model->names[f.model->name_geomadr[1]] = 'K';
    mj_step(f.model, f.data);
    assert_int_equal(pcm_mujoco_status(f.host), PCM_BAD_HOST);
    assert_int_equal(fixture_said(&f, PCM_MSG_OTHER_MODEL), 1);
    fixture_close(&f);
}

#if PCM_RELEASE >= 3002000
static void recompiling_is_reported(void **state)
{
    (void)state;
    fixture f;
    char    error[500];
    fixture_open(&f, ball, rules);
    mjSpec  *spec = mj_parseXMLString("<mujoco><worldbody><geom name='Floor' type='plane' size='5 5 0.1'/><body "
                                       "pos='0 0 0.1'><freejoint/><geom name='Ball' size='0.1'/></body></worldbody>"
                                       "</mujoco>",
                                      NULL, error, sizeof error);
    mjModel *model = mj_compile(spec, NULL);
    mjData  *data = mj_makeData(model);
    assert_non_null(data);
    pcm_mujoco_free(f.host);
    mj_deleteData(f.data);
    mj_deleteModel(f.model);
    f.model = model;
    f.data = data;
    f.host = pcm_mujoco_attach(f.context, f.config, f.model, f.data, NULL);
    assert_non_null(f.host);
    fixture_step(&f, 10);
    mjsBody *body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
    body->pos[0] = 1;
    body->pos[2] = 0.1;
    mjs_addFreeJoint(body);
    for (int i = 0; i < 30; i++) {
        mjsGeom *geom = mjs_addGeom(body, NULL);
        geom->type = mjGEOM_SPHERE;
        geom->size[0] = 0.1;
        geom->pos[0] = 0.01 * i;
    }
    assert_int_equal(mj_recompile(spec, NULL, f.model, f.data), 0);
    ask_all(&f);
    attach_again(&f);
    mj_deleteSpec(spec);
    fixture_close(&f);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_another_model_is_refused),
        cmocka_unit_test(a_model_in_its_place_is_reported),
        cmocka_unit_test(another_name_is_reported),
#if PCM_RELEASE >= 3002000
        cmocka_unit_test(recompiling_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
