/* SPDX-License-Identifier: MIT */
/* The kit in MuJoCo, in explicit steps as those of the other engines. */
#include "kit.h"
#include "../../core/fixture.h"
#include <pcm/mujoco.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct simulation {
    mjModel    *model;
    mjData     *data;
    pcm_mujoco *host;
} simulation;

static void write_body(FILE *file, const kit_body *b)
{
    (void)fprintf(file, "<body name='%s' pos='%.17g %.17g %.17g'><freejoint/><geom mass='%.17g' ", b->name, b->at[0],
                  b->at[1], b->at[2], b->mass);
    if (b->radius > 0)
        (void)fprintf(file, "type='sphere' size='%.17g'/></body>", b->radius);
    else
        (void)fprintf(file, "type='box' size='%.17g %.17g %.17g'/></body>", b->half[0], b->half[1], b->half[2]);
}

static mjModel *load(const kit_scene *scene)
{
    char      path[] = "/tmp/kitXXXXXX", said[256] = "";
    const int number = mkstemp(path);
    FILE     *file = number >= 0 ? fdopen(number, "w") : NULL;
    assert_non_null(file);
    (void)fprintf(file,
                  "<mujoco><option timestep='%.17g' gravity='%.17g %.17g %.17g'/><worldbody>"
                  "<geom name='Ground' type='plane' size='10 10 1'/>",
                  scene->step, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    for (size_t i = 0; i < scene->count; i++)
        write_body(file, &scene->bodies[i]);
    assert_true(fputs("</worldbody></mujoco>", file) >= 0 && fclose(file) == 0);
    mjModel *model = mj_loadXML(path, NULL, said, sizeof said);
    (void)unlink(path);
    assert_string_equal(said, "");
    return model;
}

static void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    pcm_mujoco_def def = pcm_mujoco_defaults();
    simulation    *s = test_calloc(1, sizeof *s);
    s->model = load(scene);
    s->data = mj_makeData(s->model);
    for (size_t i = 0; i < scene->count; i++) {
        mju_copy3(s->data->qvel + 6 * i, scene->bodies[i].velocity);
        mju_copy3(s->data->qvel + 6 * i + 3, scene->bodies[i].spin);
    }
    def.implicit = false;
    s->host = pcm_mujoco_attach(context, config, s->model, s->data, &def);
    return s->host ? s : NULL;
}

static void step(void *engine)
{
    simulation *s = engine;
    mj_step(s->model, s->data);
    assert_int_equal(pcm_mujoco_status(s->host), PCM_OK);
}

static kit_motion look(void *engine, size_t body)
{
    const simulation *s = engine;
    const mjtNum     *at = s->data->qpos + 7 * body, *motion = s->data->qvel + 6 * body;
    kit_motion        m;
    mju_copy3(m.at, at);
    mju_copy3(m.velocity, motion);
    mju_rotVecQuat(m.spin, motion + 3, at + 3); /* which MuJoCo has in the body's axes */
    return m;
}

static void free_all(void *engine)
{
    simulation *s = engine;
    pcm_mujoco_free(s->host);
    mj_deleteData(s->data);
    mj_deleteModel(s->model);
    test_free(s);
}

static pcm_world *world(void *engine) { return pcm_mujoco_world(((simulation *)engine)->host); }

int main(void)
{
    static const kit_engine mujoco = {make, step, look, free_all, world, true, 1e-9, 1e-6, 1e-12};
    return kit_run(&mujoco);
}
