/* SPDX-License-Identifier: MIT */
/* Reads every file of configs/, good or bad, with each allocation failing in turn, once or from there on: a good file
 * is either read or rejected with a message, and no memory leaks. */
#include <pcm/messages.h>
#include "budget.h"
#include "folder.h"

typedef struct reading {
    budget       memory;
    pcm_context *context;
    size_t       told, errors; /* how many errors were about memory; all errors */
} reading;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    reading *r = user;
    r->told += diagnostic->code == PCM_MSG_OUT_OF_MEMORY;
    r->errors += diagnostic->severity == PCM_ERROR;
}

static bool load(reading *r, const char *path, size_t calls)
{
    r->memory.calls = calls;
    r->memory.refused = r->told = r->errors = 0;
    pcm_config *config = pcm_config_load(r->context, path);
    const bool  loaded = config != NULL;
    r->memory.calls = SIZE_MAX;
    pcm_config_release(config);
    assert_int_equal(loaded, r->errors == 0);
    return loaded;
}

static void starve(void *user, const char *path)
{
    reading        *r = user;
    const bool      sound = load(r, path, SIZE_MAX); /* the laws are loaded now, and stay loaded */
    const ptrdiff_t bytes = r->memory.bytes;
    for (size_t calls = 0;; calls++) {
        const bool loaded = load(r, path, calls);
        if (r->memory.bytes != bytes)
            fail_msg("%s: %td bytes stay behind after allocation %zu", path, r->memory.bytes - bytes, calls);
        if (r->memory.refused == 0) {
            assert_int_equal(loaded, sound);
            break;
        }
        if (loaded || r->told == 0)
            fail_msg("%s: without memory at allocation %zu it is %s", path, calls, loaded ? "read" : "not told");
    }
}

static void no_file_is_half_read(void **state)
{
    (void)state;
    for (int once = 0; once < 2; once++) {
        reading         r = {.memory = {.calls = SIZE_MAX, .once = once}};
        pcm_context_def def = pcm_context_defaults();
        def.allocator = budget_allocator(&r.memory);
        def.sink = listen;
        def.sink_user = &r;
        def.plugin_path = PLUGINS;
        def.flags = PCM_NO_DEFAULT_PATHS;
        r.context = pcm_context_new(&def);
        assert_non_null(r.context);
        static const char *const folders[] = {CONFIGS, CONFIGS "/climber", CONFIGS "/pairs", CONFIGS "/bad"};
        size_t                   files = 0;
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            files += each_config(folders[i], starve, &r);
        assert_true(files > 100);
        pcm_context_free(r.context);
        assert_int_equal(r.memory.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_file_is_half_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
