/* SPDX-License-Identifier: MIT */
/* A host's loop never calls the C library's allocator, neither through the library's own allocator nor otherwise. */
#include "fixture.h"

#include <stdlib.h>

/* These replace the C library's functions. */
static size_t calls;
void         *__libc_malloc(size_t size);
void         *__libc_calloc(size_t count, size_t size);
void         *__libc_realloc(void *memory, size_t size);
void         *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    calls++;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    calls++;
    return __libc_realloc(memory, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    calls++;
    return __libc_memalign(alignment, size);
}

static void loop_never_allocates(void **state)
{
    (void)state;
    fixture       f;
    pcm_world_def def = pcm_world_defaults();
    def.ledger = true;
    fixture_open(&f, "ContactType C = Brush; ContactType D = Spring; ObjectPair a * b -> C; DefaultPair -> D;", &def);
    pcm_object object[3] = {pcm_world_add(f.world, "a", NULL), pcm_world_add(f.world, "b", NULL),
                            pcm_world_add(f.world, "c", NULL)};
    size_t     before = calls;
    assert_true(before > 0);
    for (uint64_t step = 0; step < 400; step++) {
        if (step == 200)
            before = calls;
        place(f.world, object[2], 0, 0, 1, 0.1, 0, -0.1);
        for (uint64_t k = 0; k < 600; k++)
            if ((k + step) % 20 != 0)
                touch(f.world, object[k % 3], object[(k + 1) % 3], k, 0, 0, 0.01);
        assert_int_equal(pcm_world_update(f.world, (double)step, 1e-3), PCM_OK);
        pcm_contact_info info = {.size = sizeof info};
        assert_int_equal(pcm_world_contact_at(f.world, step, &info), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(calls, before);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loop_never_allocates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
