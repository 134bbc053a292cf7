/* SPDX-License-Identifier: MIT */
/* Saving a world and restoring it, beside copying the same bytes. */
#include "bench.h"
#include "baseline_scalar.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct Saved {
    Scene *scene;
    size_t size;
    void  *bytes, *copy;
} Saved;

static void save(void *work)
{
    Saved *s = work;
    if (pcm_world_checkpoint_save(s->scene->world, s->bytes, s->size) != PCM_OK)
        bench_fail("a checkpoint is not saved");
}

static void restore(void *work)
{
    Saved *s = work;
    if (pcm_world_checkpoint_restore(s->scene->world, s->bytes, s->size) != PCM_OK)
        bench_fail("a checkpoint is not restored");
}

static void copy(void *work)
{
    Saved *s = work;
    memcpy(s->copy, s->bytes, s->size);
}

static void measure(const char *name, size_t n_contacts, void (*run)(void *))
{
    static const char text[] = "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;";
    Saved             s = {.scene = scene_new(text, n_contacts, 1, NULL)};
    s.size = pcm_world_checkpoint_size(s.scene->world);
    s.bytes = bench_allocate(s.size);
    s.copy = bench_allocate(s.size);
    save(&s);
    bench_compare(&(bench_promise){.name = name,
                                   .size = n_contacts,
                                   .items = (double)n_contacts,
                                   .kind = BENCH_COST,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){run, NULL, &s}, (bench_way){copy, NULL, &s});
    free(s.bytes);
    free(s.copy);
    scene_free(s.scene);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    for (size_t size = 1000; size <= (bench_settings()->large ? 10000000 : 1000000); size *= 10) {
        measure("saving, against copying its bytes", size, save);
        measure("restoring, against copying its bytes", size, restore);
    }
}
