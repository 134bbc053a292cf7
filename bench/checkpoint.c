/* SPDX-License-Identifier: MIT */
/* Saving a world and restoring it, compared with copying the same bytes: into memory that was used before, as for a
 * world that returns to a checkpoint, and into new memory, which the system hands out page by page, as for a new
 * world. */
#include "bench.h"
#include "baseline_scalar.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char text[] = "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;";

typedef struct Saved {
    Scene       *scene;
    pcm_context *context; /* with the library's own allocator */
    pcm_config  *config;
    pcm_world   *used, *fresh;
    size_t       size;
    void        *bytes, *copy, *new_copy;
} Saved;

static void save(void *work)
{
    Saved *s = work;
    if (pcm_world_checkpoint_save(s->used, s->bytes, s->size) != PCM_OK)
        bench_fail("a checkpoint is not saved");
}

static void restore_into(pcm_world *world, const Saved *s)
{
    if (pcm_world_checkpoint_restore(world, s->bytes, s->size) != PCM_OK)
        bench_fail("a checkpoint is not restored");
}

static void restore(void *work)
{
    const Saved *s = work;
    restore_into(s->used, s);
}

/* A world with the objects but without any pair yet. */
static pcm_world *new_world(const Saved *s)
{
    pcm_world *world = pcm_world_new(s->config, NULL);
    if (!world)
        bench_fail("no world");
    for (size_t i = 0; i < s->scene->n_bodies; i++) {
        pcm_object_info info = {.size = sizeof info};
        if (pcm_world_object_info(s->scene->world, s->scene->objects[i], &info) != PCM_OK ||
            pcm_world_add(world, info.name, info.surface).generation == 0)
            bench_fail("no object");
    }
    return world;
}

static void make_fresh(void *work)
{
    Saved *s = work;
    pcm_world_free(s->fresh);
    s->fresh = new_world(s);
}

static void restore_fresh(void *work)
{
    const Saved *s = work;
    restore_into(s->fresh, s);
}

static void copy(void *work)
{
    const Saved *s = work;
    memcpy(s->copy, s->bytes, s->size);
}

static void forget_copy(void *work)
{
    Saved *s = work;
    if (s->new_copy)
        munmap(s->new_copy, s->size);
    s->new_copy = NULL;
}

static void copy_fresh(void *work)
{
    Saved *s = work;
    s->new_copy = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->new_copy == MAP_FAILED)
        bench_fail("out of memory");
    memcpy(s->new_copy, s->bytes, s->size);
}

static void measure(const char *name, Saved *s, bench_way ours, bench_way rival)
{
    ours.work = rival.work = s;
    bench_compare(&(bench_promise){.name = name,
                                   .size = s->scene->n_contacts,
                                   .items = (double)s->scene->n_contacts,
                                   .bytes = (double)s->size / (double)s->scene->n_contacts,
                                   .kind = BENCH_COST,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  ours, rival);
}

static void measure_all(size_t n_contacts)
{
    Saved s = {.scene = scene_new(text, n_contacts, 1, NULL), .context = open_context(NULL)};
    s.config = open_text(s.context, text, strlen(text));
    s.used = new_world(&s);
    s.size = pcm_world_checkpoint_size(s.scene->world);
    s.bytes = bench_allocate(s.size);
    s.copy = bench_allocate(s.size);
    if (pcm_world_checkpoint_save(s.scene->world, s.bytes, s.size) != PCM_OK)
        bench_fail("a checkpoint is not saved");
    restore(&s);

    const bench_way to_used = {.run = copy}, to_new = {.run = copy_fresh, .prepare = forget_copy};
    measure("saving, against copying its bytes", &s, (bench_way){.run = save}, to_used);
    measure("restoring, against copying its bytes", &s, (bench_way){.run = restore}, to_used);
    measure("restoring, against a copy to new", &s, (bench_way){.run = restore}, to_new);
    measure("in a new world, against the same", &s, (bench_way){.run = restore_fresh, .prepare = make_fresh}, to_new);

    forget_copy(&s);
    pcm_world_free(s.fresh);
    pcm_world_free(s.used);
    pcm_config_release(s.config);
    pcm_context_free(s.context);
    free(s.bytes);
    free(s.copy);
    scene_free(s.scene);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    for (size_t size = 1000; size <= (bench_settings()->large ? 10000000 : 1000000); size *= 10)
        measure_all(size);
}
