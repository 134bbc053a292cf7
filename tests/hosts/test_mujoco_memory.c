/* SPDX-License-Identifier: MIT */
/* Memory: the loop allocates nothing once it has enough; without memory the host reports an error and leaks nothing. */
#include "mujoco_fixture.h"
#include <pcm/messages.h>

#include <stdio.h>

enum { SPHERES = 40 };

/* Spheres that fall into a pit and never come to rest completely. */
static void open_pit(fixture *f)
{
    char   text[8192];
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                                 "<geom type='plane' size='1 1 1' pos='-.3 0 0' zaxis='1 0 .2'/>"
                                 "<geom type='plane' size='1 1 1' pos='.3 0 0' zaxis='-1 0 .2'/>"
                                 "<geom type='plane' size='1 1 1' pos='0 -.3 0' zaxis='0 1 .2'/>"
                                 "<geom type='plane' size='1 1 1' pos='0 .3 0' zaxis='0 -1 .2'/>");
    for (int i = 0; i < SPHERES; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "<body pos='%g %g %g'><freejoint/><geom type='sphere' size='.05' mass='1'/></body>",
                               .12 * (i % 4) - .17, .12 * (i / 4 % 4) - .18 + .001 * i, .05 + .11 * (i / 16));
    (void)snprintf(text + at, sizeof text - at, "</worldbody></mujoco>");
    fixture_open_file(f, text,
                      "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 50 }; ObjectPair "
                      "\"*\" * \"*\" -> C;");
}

static void memory_is_asked_for_once(void **state)
{
    (void)state;
    fixture f;
    open_pit(&f);
    fixture_step(&f, 1000);
    const size_t live = fixture_live(&f);
    assert_true(live > SPHERES);
    mj_resetData(f.model, f.data);
    fixture_step(&f, 1); /* a reset restores a checkpoint */
    f.memory.calls = 0;
    fixture_step(&f, 999);
    assert_int_equal(fixture_live(&f), live);
    fixture_close(&f);
}

/* Attaches while the first, second ... allocation fails, until all succeed: without memory there is a message and no
 * attachment; with memory the attachment is the same as ever. */
static size_t attach_without(fixture *f, bool once)
{
    const ptrdiff_t bytes = f->memory.bytes;
    pcm_mujoco     *host = NULL;
    size_t          calls = 0;
    f->memory.once = once;
    for (; !host; calls++) {
        f->memory.calls = calls;
        f->memory.refused = 0;
        f->n_codes = 0;
        host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, NULL);
        assert_int_equal(fixture_said(f, PCM_MSG_OUT_OF_MEMORY), !host);
        assert_int_equal(f->memory.refused > 0, !host);
        assert_true(host || f->memory.bytes == bytes);
    }
    pcm_mujoco_free(host);
    assert_int_equal(f->memory.bytes, bytes);
    return calls;
}

static void an_attachment_needs_memory(void **state)
{
    (void)state;
    fixture f;
    open_pit(&f);
    pcm_mujoco_free(f.host);
    f.host = NULL;
    assert_true(attach_without(&f, true) > 20);
    assert_true(attach_without(&f, false) > 20);
    fixture_close(&f);
}

static void an_evaluation_needs_memory(void **state)
{
    (void)state;
    fixture f;
    open_pit(&f);
    f.memory.calls = 0;
    assert_int_equal(pcm_mujoco_forward(f.host), PCM_NO_MEMORY);
    assert_int_equal(fixture_said(&f, PCM_MSG_OUT_OF_MEMORY), 1);
    f.memory.calls = SIZE_MAX;
    fixture_step(&f, 100);
    assert_true(fixture_live(&f) > 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_asked_for_once),
        cmocka_unit_test(an_attachment_needs_memory),
        cmocka_unit_test(an_evaluation_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
