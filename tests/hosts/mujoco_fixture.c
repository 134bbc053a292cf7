/* SPDX-License-Identifier: MIT */
#include "mujoco_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(void *user, const pcm_diagnostic *diagnostic)
{
    fixture *f = user;
    if (f->n_codes < sizeof f->codes / sizeof *f->codes)
        f->codes[f->n_codes++] = diagnostic->code;
    (void)snprintf(f->last, sizeof f->last, "%s", diagnostic->message);
}

static mjModel *load_scene(pcm_context *context, const char *text)
{
    char      path[] = "/tmp/pcm_sceneXXXXXX.xml";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
    mjModel *model = pcm_mujoco_load(context, path);
    assert_int_equal(unlink(path), 0);
    return model;
}

void fixture_open(fixture *f, const char *scene, const char *rules)
{
    char file[4096];
    assert_true(snprintf(file, sizeof file, "<mujoco>%s</mujoco>", scene) < (int)sizeof file);
    fixture_open_file(f, file, rules);
}

void fixture_open_file(fixture *f, const char *file, const char *rules)
{
    *f = (fixture){.memory.calls = SIZE_MAX};
    pcm_context_def def = pcm_context_defaults();
    def.allocator = budget_allocator(&f->memory);
    def.sink = take;
    def.sink_user = f;
    def.plugin_path = TEST_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    f->context = pcm_context_new(&def);
    assert_non_null(f->context);
    f->config = pcm_config_parse(f->context, "rules", rules, strlen(rules));
    f->model = load_scene(f->context, file);
    if (!f->config || !f->model)
        fail_msg("%s", f->last);
    f->data = mj_makeData(f->model);
    const pcm_mujoco_def explicit = fixture_defaults();
    f->host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, &explicit);
    if (!f->host)
        fail_msg("%s", f->last);
}

pcm_mujoco_def fixture_defaults(void)
{
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.implicit = false;
    return def;
}

static void attach_again(fixture *f, const pcm_mujoco_def *def)
{
    pcm_mujoco_free(f->host);
    f->host = pcm_mujoco_attach(f->context, f->config, f->model, f->data, def);
    assert_non_null(f->host);
}

void fixture_use_engine_pairs(fixture *f)
{
    pcm_mujoco_def def = fixture_defaults();
    def.own_boxes = def.own_convex = false;
    attach_again(f, &def);
}

void fixture_list_contacts(fixture *f, bool lists)
{
    pcm_mujoco_def def = fixture_defaults();
    def.list_contacts = lists;
    attach_again(f, &def);
}

void fixture_keep_ledger(fixture *f)
{
    pcm_mujoco_def def = fixture_defaults();
    def.ledger = true;
    attach_again(f, &def);
}

void fixture_close(fixture *f)
{
    pcm_mujoco_free(f->host);
    mj_deleteData(f->data);
    mj_deleteModel(f->model);
    pcm_config_release(f->config);
    pcm_context_free(f->context);
    assert_int_equal(f->memory.bytes, 0);
}

const char fixture_box_scene[] =
    "<option timestep='5e-4'/><worldbody><geom name='Ground' type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.0499'><freejoint/><geom name='Body' type='box' size='0.1 0.1 0.05' mass='1'/></body></worldbody>";
const char fixture_box_rules[] =
    "ContactType C = CompliantGround { Stiffness = 1e6; Damping = 2000; Friction = 0.3 };\n"
    "ObjectPair Ground * Body -> C;\n";

void fixture_push(fixture *f, int step) { f->data->xfrc_applied[6] = 2 + sin(step * 0.01); }

void fixture_step(fixture *f, int steps)
{
    for (int i = 0; i < steps; i++)
        if (pcm_mujoco_step(f->host) != PCM_OK)
            fail_msg("step %d: %s", i, f->last);
}

size_t fixture_live(const fixture *f) { return pcm_world_contact_count(pcm_mujoco_world(f->host)); }

uint64_t fixture_made(const fixture *f)
{
    uint64_t made = 0;
    for (size_t i = 0; i < pcm_config_rule_count(f->config); i++) {
        pcm_rule_stats stats = {.size = sizeof stats};
        assert_int_equal(pcm_world_rule_stats(pcm_mujoco_world(f->host), i, &stats), PCM_OK);
        made += stats.made;
    }
    return made;
}

size_t fixture_said(const fixture *f, uint32_t code)
{
    size_t count = 0;
    for (size_t i = 0; i < f->n_codes; i++)
        count += f->codes[i] == code;
    return count;
}

void assert_near_(double value, double wanted, double tolerance, const char *file, int line)
{
    const double scale = wanted == 0 ? 1 : fabs(wanted);
    if (!(fabs(value - wanted) <= tolerance * scale)) {
        print_error("%.17g is not near %.17g (tolerance %g)\n", value, wanted, tolerance);
        _fail(file, line);
    }
}
