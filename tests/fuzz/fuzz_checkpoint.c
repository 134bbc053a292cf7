/* SPDX-License-Identifier: MIT */
/* A checkpoint with some bytes changed and a correct checksum: the world restores it and can go on, or rejects it and
 * stays unchanged. */
#include "fuzz.h"
#include "checkpoint.h"

enum { BALLS = 5, BYTES_MOST = 1 << 16 };

static const char text[] = "ContactType Tyre = CompliantGround { Stiffness = 2e5; Damping = 1000; Friction = 0.8 };"
                           "ContactType Bolt = Bond { }; ObjectPair Ball1 * \"*\" -> Bolt; DefaultPair -> Tyre;"
                           "Material M0 { YoungModulus = 1e7; PoissonRatio = 0.3 }"
                           "Material M1 { YoungModulus = 2e7; PoissonRatio = 0.3 }"
                           "Material M2 { YoungModulus = 3e7; PoissonRatio = 0.3 }"
                           "ContactType Grain = Hertz; SurfacePair \"M?\" * \"M?\" -> Grain;";

static uint8_t sound[BYTES_MOST];
static size_t  sound_size;

static void step(pcm_world *world, const pcm_object *objects, double time)
{
    for (uint64_t i = 1; i <= BALLS; i++) {
        const double    y = (double)i;
        const pcm_touch touch = {.feature = i, .point = {0, y, 0}, .normal = {0, 0, 1}, .depth = 1e-3 * y - 2e-3};
        pcm_world_touch(world, objects[0], objects[i], &touch, sizeof touch);
    }
    for (uint64_t i = 3; i <= 4; i++) {
        const pcm_touch touch = {.feature = i, .point = {0, 0, (double)i}, .normal = {0, 1, 0}, .depth = 1e-5};
        pcm_world_touch(world, objects[2], objects[i], &touch, sizeof touch);
    }
    const pcm_status status = pcm_world_update(world, time, 1e-3);
    demand(status == PCM_OK || status == PCM_BAD_MOTION || status == PCM_BAD_ARGUMENT);
    demand(status == PCM_BAD_ARGUMENT || pcm_world_commit(world) == PCM_OK);
}

static pcm_world *new_world(pcm_object *objects)
{
    static const char *const names[] = {"Floor", "Ball1", "Ball2", "Ball3", "Ball3", "Ball5"};
    static const char *const surfaces[] = {"", "", "M0", "M1", "M2", ""};
    pcm_world_def            def = pcm_world_defaults();
    def.ledger = true;
    pcm_world *world = pcm_world_new(fuzz_config(PLUGINS, text), &def);
    demand(world != NULL);
    for (int i = 0; i <= BALLS; i++)
        objects[i] = pcm_world_add_object(
            world, &PCM_OBJECT(.name = names[i], .surface = surfaces[i], .fixed = i == 0, .radius = 0.1));
    step(world, objects, 0);
    step(world, objects, 1e-3);
    return world;
}

static void save(pcm_world *world, uint8_t *bytes, size_t *size)
{
    *size = pcm_world_checkpoint_size(world);
    demand(*size <= BYTES_MOST && pcm_world_checkpoint_save(world, bytes, *size) == PCM_OK);
}

/* The header is the mark, the version, the length and the checksum. */
static void put_right(uint8_t *bytes, size_t size)
{
    const uint64_t sum = pcm_checkpoint_sum(bytes, size);
    for (int i = 0; i < 8; i++)
        bytes[PCM_CHECKPOINT_HEAD - 8 + i] = (uint8_t)(sum >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[BYTES_MOST], after[BYTES_MOST];
    size_t         after_size;
    fuzz_input     input = {data, data + size};
    pcm_object     objects[BALLS + 1];
    pcm_world     *world = new_world(objects);
    if (sound_size == 0)
        save(world, sound, &sound_size);
    memcpy(bytes, sound, sound_size);
    fuzz_edit(&input, bytes + PCM_CHECKPOINT_HEAD, sound_size - PCM_CHECKPOINT_HEAD);
    put_right(bytes, sound_size);
    const pcm_status status = pcm_world_checkpoint_restore(world, bytes, sound_size);
    demand(status == PCM_OK || status == PCM_BAD_CHECKPOINT || status == PCM_NO_MEMORY);
    save(world, after, &after_size);
    if (status != PCM_OK)
        demand(after_size == sound_size && memcmp(after, sound, sound_size) == 0);
    step(world, objects, 2e-3);
    pcm_world_free(world);
    return 0;
}
