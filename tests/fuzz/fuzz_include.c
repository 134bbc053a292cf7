/* SPDX-License-Identifier: MIT */
/* Any bytes as files that include each other, a.pcm to d.pcm, separated by lines of ----: they load or are rejected,
 * and a loaded one moves a few objects, with logs. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 4, STEPS = 3 };

static char folder[] = "/dev/shm/pcm-fuzz-XXXXXX";

/* In a memory file system if there is one: files on a disk take a hundred times longer. */
static void make_folder(void)
{
    if (!mkdtemp(folder)) {
        strcpy(folder, "/tmp/pcm-fuzz-XXXXXX");
        demand(mkdtemp(folder) != NULL);
    }
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    demand(system(command) == 0);
}

static const char *path_of(int file)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%c.pcm", folder, 'a' + file);
    return path;
}

static void write_files(const uint8_t *data, size_t size)
{
    static const char between[] = "\n----\n";
    for (int i = 0; i < FILES; i++) {
        const uint8_t *end = memmem(data, size, between, strlen(between));
        const size_t   length = end ? (size_t)(end - data) : size;
        FILE          *file = fopen(path_of(i), "wb");
        demand(file && fwrite(data, 1, length, file) == length && fclose(file) == 0);
        data = end ? end + strlen(between) : data + size;
        size -= end ? length + strlen(between) : length;
    }
}

static void run(pcm_world *world)
{
    static const char *const names[] = {"Ball", "Floor", "A1", "b"}, *const surfaces[] = {"Rubber", "Steel", "", NULL};
    pcm_object objects[4];
    for (int i = 0; i < 4; i++)
        objects[i] = pcm_world_add(world, names[i], surfaces[i]);
    for (int step = 0; step < STEPS; step++) {
        for (uint64_t pair = 0; pair < 16; pair++) {
            const pcm_object a = objects[pair / 4], b = objects[pair % 4];
            const pcm_touch  touch = {.feature = pair, .normal = {0, 0, 1}, .depth = 1e-3 * step};
            pcm_world_touch(world, a, b, &touch, sizeof touch);
        }
        const pcm_status status = pcm_world_update(world, 1e-3 * step, 1e-3);
        demand(status == PCM_OK || status == PCM_BAD_MOTION || status == PCM_BAD_INPUT);
        demand(pcm_world_commit(world) == PCM_OK);
    }
    demand(pcm_world_flush(world) == PCM_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    if (!made) {
        make_folder();
        made = atexit(remove_folder) == 0;
    }
    write_files(data, size);
    pcm_context *context = fuzz_context(PLUGINS);
    pcm_config  *config = pcm_config_load(context, path_of(0));
    demand((config == NULL) == (fuzz_heard[PCM_ERROR] > 0));
    if (config) {
        pcm_world_def def = pcm_world_defaults();
        def.log_directory = folder;
        pcm_world *world = pcm_world_new(config, &def);
        if (world)
            run(world);
        else
            demand(fuzz_heard[PCM_ERROR] > 0);
        pcm_world_free(world);
    }
    pcm_config_release(config);
    return 0;
}
