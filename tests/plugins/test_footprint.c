/* SPDX-License-Identifier: MIT */
/* The memory of a contact, as docs/speed.md tells it: the peak in a world of 100,000 contacts, three to an object. */
#include "budget.h"
#include "law.h"

#include <stdio.h>
#include <string.h>

enum { OBJECTS = 33333, EACH = 3 };

typedef struct meter {
    budget    budget;
    ptrdiff_t peak;
} meter;

static void *allocate(void *user, size_t bytes)
{
    meter *m = user;
    void  *memory = budget_spend(&m->budget, bytes);
    m->peak = m->budget.bytes > m->peak ? m->budget.bytes : m->peak;
    return memory;
}

static void release(void *user, void *memory, size_t bytes) { budget_refund(&((meter *)user)->budget, memory, bytes); }

static double bytes_per_contact(const char *model)
{
    static pcm_object object[OBJECTS + EACH];
    meter             m = {.budget.calls = SIZE_MAX};
    char              text[128];
    pcm_context_def   def = pcm_context_defaults();
    def.allocator = (pcm_allocator){&m, allocate, release};
    def.plugin_path = law_plugins;
    def.flags = PCM_NO_DEFAULT_PATHS;
    (void)snprintf(text, sizeof text, "ContactType C = %s; DefaultPair -> C;", model);
    pcm_context *context = pcm_context_new(&def);
    pcm_config  *config = pcm_config_parse(context, "footprint", text, strlen(text));
    pcm_world   *world = pcm_world_new(config, NULL);
    assert_non_null(world);
    for (int i = 0; i < OBJECTS + EACH; i++) {
        (void)snprintf(text, sizeof text, "B%d", i);
        object[i] = pcm_world_add(world, text, "S0");
    }
    const pcm_touch touch = {.normal = {0, 0, 1}, .depth = 1e-4};
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 1; k <= EACH; k++)
            (void)pcm_world_touch(world, object[i], object[i + k], &touch, sizeof touch);
    assert_int_equal(pcm_world_update(world, 1e-3, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
    assert_int_equal(pcm_world_contact_count(world), OBJECTS * EACH);
    pcm_world_free(world);
    pcm_config_release(config);
    pcm_context_free(context);
    assert_int_equal(m.budget.bytes, 0);
    return (double)m.peak / (OBJECTS * EACH);
}

static void contacts_take_the_memory_that_the_page_tells(void **state)
{
    static const char *const laws[] = {"ViscoelasticGround", "SmoothSpringDamper", "CompliantGround"};
    static char              page[65536];
    (void)state;
    FILE *file = fopen(SPEED_PAGE, "r");
    assert_non_null(file);
    const size_t length = fread(page, 1, sizeof page - 1, file);
    assert_int_equal(fclose(file), 0);
    page[length] = '\0';
    const char *told = strstr(page, "A contact of a world takes ");
    assert_non_null(told);
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const double bytes = bytes_per_contact(laws[i]);
        told += strcspn(told, "0123456789");
        if (!(fabs(bytes - strtod(told, NULL)) < 0.5))
            fail_msg("%s: %.1f bytes, the page has %.20s", laws[i], bytes, told);
        told = strstr(told, laws[i]);
        assert_non_null(told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_take_the_memory_that_the_page_tells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
