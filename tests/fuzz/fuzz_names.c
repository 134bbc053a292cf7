/* SPDX-License-Identifier: MIT */
/* Any bytes as the names of a scene's geoms and bodies, and as rules about them: every pair has a type or none, and
 * every message about it can be printed. The text starts after the first line of ----. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include <pcm/mujoco.h>

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <unistd.h>

#define ROOM "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" /* for names */
static const char scene[] =
    "<mujoco><worldbody><geom name='0" ROOM "' type='plane' size='1 1 1'/><geom type='box' size='1 1 1'/>"
    "<body name='1" ROOM "'><freejoint/><geom size='1'/><geom name='2" ROOM "' size='2'/></body>"
    "<body name='3" ROOM "'><freejoint/><geom size='1'/><geom type='box' size='1 1 1' group='2'/></body>"
    "<body><freejoint/><geom name='4" ROOM "' size='1'/><geom size='1'/></body></worldbody></mujoco>";

static mjModel *read_scene(void)
{
    char      path[] = "/tmp/pcm-fuzz-scene-XXXXXX", error[200];
    const int file = mkstemp(path);
    demand(file >= 0 && write(file, scene, strlen(scene)) == (ssize_t)strlen(scene) && close(file) == 0);
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    demand(model && unlink(path) == 0);
    return model;
}

/* A name ends at the end of its buffer, or at a 0 before it. */
static void rename_one(mjModel *model, int address, fuzz_input *input)
{
    char        *name = model->names + address;
    const size_t room = strlen(ROOM) + 1;
    if (!*name)
        return;
    for (size_t i = 0, length = fuzz_byte(input) % (room + 1); i < room; i++)
        name[i] = i < length ? (char)fuzz_byte(input) : '\0';
}

static void see(void *user, const pcm_mujoco_object *object)
{
    demand(object->name && object->name[0] && strlen(object->name) < 4096);
    ++*(size_t *)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static mjModel   *original;
    static const char between[] = "\n----\n";
    fuzz_input        input = {data, data + size};
    const uint8_t    *end = memmem(data, size, between, strlen(between));
    const uint8_t    *text = end ? end + strlen(between) : data + size;
    size_t            seen = 0;
    original = original ? original : read_scene();
    mjModel *model = mj_copyModel(NULL, original);
    demand(model != NULL);
    for (int i = 0; i < model->ngeom; i++)
        rename_one(model, model->name_geomadr[i], &input);
    for (int i = 1; i < model->nbody; i++)
        rename_one(model, model->name_bodyadr[i], &input);
    pcm_context *context = fuzz_context(PLUGINS);
    pcm_config  *config = pcm_config_parse(context, "names.pcm", (const char *)text, (size_t)(data + size - text));
    if (config) {
        pcm_mujoco_coverage coverage = {.size = sizeof coverage};
        demand(pcm_mujoco_check(context, config, model, NULL, true, &coverage) == PCM_OK && coverage.pairs > 0);
        demand(pcm_mujoco_each_object(context, config, model, NULL, see, &seen) == PCM_OK && seen > 0);
    }
    pcm_config_release(config);
    mj_deleteModel(model);
    return 0;
}
