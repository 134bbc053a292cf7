/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>

static void *count_allocate(void *user, size_t bytes)
{
    fixture *f = user;
    if (f->limit && f->allocations >= f->limit)
        return NULL;
    f->allocations++;
    f->bytes += (ptrdiff_t)bytes;
    return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void count_release(void *user, void *memory, size_t bytes)
{
    fixture *f = user;
    if (memory)
        f->bytes -= (ptrdiff_t)bytes;
    free(memory);
}

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    fixture *f = user;
    if (f->messages == FIXTURE_MESSAGES)
        return;
    f->code[f->messages] = diagnostic->code;
    snprintf(f->text[f->messages], sizeof *f->text, "%s", diagnostic->message);
    f->messages++;
}

void fixture_open(fixture *f, const char *config, const pcm_world_def *def)
{
    fixture_open_with(f, TEST_LAWS, config, def);
}

void fixture_open_with(fixture *f, const char *plugin_path, const char *config, const pcm_world_def *def)
{
    *f = (fixture){0};
    pcm_context_def setting = pcm_context_defaults();
    setting.allocator = (pcm_allocator){f, count_allocate, count_release};
    setting.sink = listen;
    setting.sink_user = f;
    setting.plugin_path = plugin_path;
    setting.flags = PCM_NO_DEFAULT_PATHS;
    f->context = pcm_context_new(&setting);
    assert_non_null(f->context);
    f->config = pcm_config_parse(f->context, "test.pcm", config, strlen(config));
    for (size_t i = 0; i < f->messages; i++)
        print_message("%s\n", f->text[i]);
    assert_non_null(f->config);
    f->messages = 0;
    f->world = fixture_world(f, def);
}

pcm_world *fixture_world(fixture *f, const pcm_world_def *def)
{
    pcm_world *world = pcm_world_new(f->config, def);
    assert_non_null(world);
    return world;
}

void fixture_close(fixture *f)
{
    pcm_world_free(f->world);
    pcm_config_release(f->config);
    pcm_context_free(f->context);
    assert_int_equal(f->bytes, 0);
}

size_t fixture_said(const fixture *f, uint32_t code)
{
    size_t count = 0;
    for (size_t i = 0; i < f->messages; i++)
        count += f->code[i] == code;
    return count;
}

void place(pcm_world *world, pcm_object object, double x, double y, double z, double vx, double vy, double vz)
{
    pcm_pose  pose = {{x, y, z}, {1, 0, 0, 0}};
    pcm_twist twist = {{0, 0, 0}, {vx, vy, vz}};
    assert_int_equal(pcm_world_move(world, object, &pose, &twist), PCM_OK);
}

pcm_contact touch(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, double x, double y, double depth)
{
    return touch_with(world, a, b, feature, (double[]){x, y, 0}, (double[]){0, 0, 1}, depth);
}

pcm_contact touch_with(pcm_world *world, pcm_object a, pcm_object b, uint64_t feature, const double point[3],
                       const double normal[3], double depth)
{
    const pcm_touch touch = {.feature = feature,
                             .point = {point[0], point[1], point[2]},
                             .normal = {normal[0], normal[1], normal[2]},
                             .depth = depth};
    return pcm_world_touch(world, a, b, &touch, sizeof touch);
}

bool touch_again(pcm_world *world, pcm_contact contact, const double point[3], const double normal[3], double depth)
{
    const pcm_touch_columns columns = {
        .size = sizeof columns, .count = 1, .point = point, .normal = normal, .depth = &depth, .contacts = &contact};
    assert_int_equal(pcm_world_touch_many(world, &columns), 1);
    return contact.generation != 0;
}

pcm_wrench wrench_of(pcm_world *world, pcm_object object)
{
    pcm_wrench wrench;
    assert_int_equal(pcm_world_wrench(world, object, &wrench), PCM_OK);
    return wrench;
}

void run_backwards(void *user, pcm_task *task, void *argument, uint32_t count)
{
    ++*(size_t *)user;
    while (count-- > 0)
        task(argument, count);
}

double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9223372036854775808.0;
}

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", value, expected, tolerance);
}
