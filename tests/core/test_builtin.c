/* SPDX-License-Identifier: MIT */
/* Plugins linked into the program: the same laws as from files, under the same checks. */
#include <pcm/messages.h>
#include <pcm/pcm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

extern const pcm_library Hertz_entry, SpringContact_entry;

typedef struct voice {
    size_t   count;
    uint32_t code;
    char     file[64], text[512];
} voice;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    voice *heard = user;
    heard->count++;
    heard->code = diagnostic->code;
    snprintf(heard->file, sizeof heard->file, "%s", diagnostic->place.file ? diagnostic->place.file : "");
    snprintf(heard->text, sizeof heard->text, "%s", diagnostic->message);
}

static pcm_context *open_with(voice *heard, const pcm_library *const *builtin, size_t count)
{
    pcm_context_def def = pcm_context_defaults();
    def.sink = listen;
    def.sink_user = heard;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.builtin = builtin;
    def.n_builtin = count;
    return pcm_context_new(&def);
}

/* The force of one contact under a law, in the given context. */
static double force(pcm_context *context, const char *text)
{
    pcm_config *config = pcm_config_parse(context, "text", text, strlen(text));
    pcm_world  *world = pcm_world_new(config, NULL);
    assert_non_null(world);
    const pcm_object a = pcm_world_add(world, "a", "A"), b = pcm_world_add(world, "b", "B");
    const pcm_touch  touch = {.normal = {0, 0, 1}, .depth = 1e-3};
    pcm_wrench       wrench;
    pcm_world_touch(world, a, b, &touch, sizeof touch);
    assert_int_equal(pcm_world_update(world, 0, 1e-3), PCM_OK);
    assert_int_equal(pcm_world_wrench(world, b, &wrench), PCM_OK);
    pcm_world_free(world);
    pcm_config_release(config);
    return wrench.force[2];
}

static const char text[] =
    "ContactType T = Hertz { ReducedModulus = 1 [MPa]; ReducedRadius = 10 [mm]; };\nDefaultPair -> T;\n";

static void laws_that_are_linked_in_answer_as_from_files(void **state)
{
    (void)state;
    const pcm_library *const builtin[] = {&Hertz_entry, &SpringContact_entry};
    voice                    heard = {.count = 0};
    pcm_context             *own = open_with(&heard, builtin, 2);
    pcm_context_def          def = pcm_context_defaults();
    def.plugin_path = PCM_TEST_PLUGINS;
    pcm_context *files = pcm_context_new(&def);
    assert_non_null(own);
    const double linked = force(own, text), loaded = force(files, text);
    assert_true(linked > 0);
    assert_memory_equal(&linked, &loaded, sizeof linked);
    assert_null(pcm_model_path(own, "Hertz"));
    assert_non_null(pcm_model_path(files, "Hertz"));
    assert_null(pcm_model_load(own, "Dahl"));
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_MISSING);
    pcm_context_free(own);
    pcm_context_free(files);
}

static void note_name(void *user, const pcm_model *model)
{
    strcat(user, model->name);
    strcat(user, " ");
}

static void they_are_listed_and_come_before_files(void **state)
{
    (void)state;
    const pcm_library *const builtin[] = {&SpringContact_entry, &Hertz_entry};
    voice                    heard = {.count = 0};
    char                     names[4096] = "";
    pcm_context             *own = open_with(&heard, builtin, 2);
    assert_int_equal(pcm_model_each(own, note_name, names), 2);
    assert_string_equal(names, "Hertz SpringContact ");
    pcm_context_free(own);

    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = PCM_TEST_PLUGINS;
    def.builtin = builtin;
    def.n_builtin = 2;
    pcm_context *both = pcm_context_new(&def);
    names[0] = '\0';
    assert_true(pcm_model_each(both, note_name, names) > 30);
    assert_ptr_equal(strstr(strstr(names, " Hertz ") + 1, " Hertz "), NULL);
    assert_null(pcm_model_path(both, "Hertz"));
    assert_non_null(pcm_model_path(both, "Jkr"));
    pcm_context_free(both);
}

static void reject(const pcm_library *entry, uint32_t code, const char *part)
{
    const pcm_library *const builtin[] = {&SpringContact_entry, entry};
    voice                    heard = {.count = 0};
    assert_null(open_with(&heard, builtin, 2));
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.code, code);
    assert_string_equal(heard.file, "builtin[1]");
    assert_non_null(strstr(heard.text, part));
}

static void faulty_ones_are_rejected_as_files_are(void **state)
{
    (void)state;
    reject(NULL, PCM_MSG_PLUGIN_MAGIC, "PCM_MAGIC");
    pcm_library entry = Hertz_entry;
    entry.magic = 0;
    reject(&entry, PCM_MSG_PLUGIN_MAGIC, "PCM_MAGIC");
    entry = Hertz_entry;
    entry.abi_major++;
    reject(&entry, PCM_MSG_PLUGIN_ABI, "plugin interface");
    entry = Hertz_entry;
    entry.model = NULL;
    reject(&entry, PCM_MSG_PLUGIN_LAYOUT, "wrong sizes");
    entry = Hertz_entry;
    pcm_model model = *Hertz_entry.model;
    entry.model = &model;
    model.params.size++;
    reject(&entry, PCM_MSG_PLUGIN_LAYOUT, "parameters");
    model = *Hertz_entry.model;
    model.summary = NULL;
    reject(&entry, PCM_MSG_PLUGIN_TEXT, "summary");
    model = *Hertz_entry.model;
    pcm_kernel_set kernels = *(const pcm_kernel_set *)model.kernels.entries;
    kernels.update = NULL;
    model.kernels.entries = &kernels;
    model.kernels.count = 1;
    reject(&entry, PCM_MSG_PLUGIN_CODE, "kernel");
    reject(&SpringContact_entry, PCM_MSG_PLUGIN_NAME_DIFFERS, "called SpringContact too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_that_are_linked_in_answer_as_from_files),
        cmocka_unit_test(they_are_listed_and_come_before_files),
        cmocka_unit_test(faulty_ones_are_rejected_as_files_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
