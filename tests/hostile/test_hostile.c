/* SPDX-License-Identifier: MIT */
/* Plugins that are missing, damaged or wrong: each gets its own message, and none crashes the process. */
#define _GNU_SOURCE /* fegetexcept, dladdr */
#include <dlfcn.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <pcm/pcm.h>
#include <pcm/messages.h>

/* The number of plugins that meson.build makes, of those in expected.txt, and of those that load. */
enum { PLUGINS = 93 + HOSTILE_PARALLEL, EXPECTED = 93, SOUND = 4 + HOSTILE_PARALLEL };

typedef struct voice {
    char     file[512], text[1024];
    uint32_t code;
    size_t   count;
} voice;

static void listen(void *user, const pcm_diagnostic *diagnostic)
{
    voice *heard = user;
    snprintf(heard->file, sizeof heard->file, "%s", diagnostic->place.file ? diagnostic->place.file : "");
    snprintf(heard->text, sizeof heard->text, "%s", diagnostic->message);
    heard->code = diagnostic->code;
    heard->count++;
}

static pcm_context *context_of(const char *directory, voice *heard)
{
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = directory;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.sink = listen;
    def.sink_user = heard;
    *heard = (voice){.count = 0};
    pcm_context *context = pcm_context_new(&def);
    assert_non_null(context);
    return context;
}

/* Loads one plugin of a directory in a context of its own. */
static bool load(const char *directory, const char *name, voice *heard)
{
    pcm_context *context = context_of(directory, heard);
    const bool   loaded = pcm_model_load(context, name);
    pcm_context_free(context);
    return loaded;
}

/* ---- False declarations ----------------------------------------------------------------------------------------- */

/* expected.txt has a line per plugin: its name, then "loads", or code and text; '*' at the end matches any rest. */
static void every_lie_has_its_message(void **state)
{
    (void)state;
    FILE *expected = fopen(HOSTILE_EXPECTED, "r");
    assert_non_null(expected);
    char line[1024];
    int  lines = 0;
    while (fgets(line, sizeof line, expected)) {
        line[strcspn(line, "\n")] = '\0';
        char *name = line, *rest = strchr(line, ' ');
        assert_non_null(rest);
        *rest++ = '\0';

        voice      heard;
        const bool loaded = load(HOSTILE_PLUGINS, name, &heard);
        char       said[1100], path[1100];
        snprintf(said, sizeof said, "PCM-%u %s", (unsigned)heard.code, heard.text);
        const size_t compared = strchr(rest, '*') ? strlen(rest) - 1 : sizeof said;
        if (strncmp(loaded ? "loads" : said, rest, compared) != 0)
            fail_msg("%s: %s", name, loaded ? "loads" : said);
        assert_int_equal(heard.count, loaded ? 0 : 1);
        snprintf(path, sizeof path, "%s/%s.so", HOSTILE_PLUGINS, name);
        assert_string_equal(heard.file, loaded ? "" : path);
        lines++;
    }
    fclose(expected);
    assert_int_equal(lines, EXPECTED);
}

/* ---- Damage ----------------------------------------------------------------------------------------------------- */

typedef struct scratch {
    char   directory[64], file[96];
    char  *bytes; /* bytes of the correct plugin */
    size_t size;
} scratch;

static int open_scratch(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    strcpy(s->directory, "/tmp/pcm-hostile-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    snprintf(s->file, sizeof s->file, "%s/Sound.so", s->directory);
    FILE *stream = fopen(HOSTILE_PLUGINS "/Sound.so", "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    s->size = (size_t)ftell(stream);
    rewind(stream);
    s->bytes = malloc(s->size);
    assert_non_null(s->bytes);
    assert_int_equal(fread(s->bytes, 1, s->size, stream), s->size);
    fclose(stream);
    *state = s;
    return 0;
}

static int close_scratch(void **state)
{
    scratch *s = *state;
    remove(s->file);
    rmdir(s->directory);
    free(s->bytes);
    free(s);
    return 0;
}

/* Writes a new file each time: for an old one the system's loader would use what it has mapped already. */
static void write_plugin(const scratch *s, const char *bytes, size_t size)
{
    remove(s->file);
    FILE *stream = fopen(s->file, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static uint32_t code_of(const scratch *s, const char *bytes, size_t size)
{
    voice heard;
    write_plugin(s, bytes, size);
    assert_false(load(s->directory, "Sound", &heard));
    assert_int_equal(heard.count, 1);
    return heard.code;
}

static void cut_anywhere(void **state)
{
    const scratch *s = *state;
    voice          heard;
    write_plugin(s, s->bytes, s->size);
    assert_true(load(s->directory, "Sound", &heard));
    assert_int_equal(code_of(s, s->bytes, 0), PCM_MSG_PLUGIN_TRUNCATED);
    assert_int_equal(code_of(s, s->bytes, 3), PCM_MSG_PLUGIN_NOT_ELF);
    for (size_t size = 4; size < 1024; size += 7)
        assert_int_equal(code_of(s, s->bytes, size), PCM_MSG_PLUGIN_TRUNCATED);
    for (size_t size = 1024; size < s->size; size += 509)
        assert_int_equal(code_of(s, s->bytes, size), PCM_MSG_PLUGIN_TRUNCATED);
    assert_int_equal(code_of(s, s->bytes, s->size - 1), PCM_MSG_PLUGIN_TRUNCATED);
}

static uint32_t code_with(scratch *s, size_t at, char byte)
{
    const char was = s->bytes[at];
    s->bytes[at] = byte;
    const uint32_t code = code_of(s, s->bytes, s->size);
    s->bytes[at] = was;
    return code;
}

/* Offsets in the ELF header: 4 the class, 5 the byte order, 16 the type, 18 the machine, 54 the size of an entry. */
static void for_other_machines(void **state)
{
    scratch *s = *state;
    assert_int_equal(code_with(s, 0, 'X'), PCM_MSG_PLUGIN_NOT_ELF);
    assert_int_equal(code_with(s, 4, 1), PCM_MSG_PLUGIN_MACHINE);
    assert_int_equal(code_with(s, 5, 2), PCM_MSG_PLUGIN_MACHINE);
    static const unsigned char machines[] = {3 /* i386 */, 8 /* MIPS */, 22 /* s390x */, 62 /* x86-64 */,
                                             183 /* aarch64 */};
    for (size_t i = 0; i < sizeof machines; i++)
        if (machines[i] != (unsigned char)s->bytes[18])
            assert_int_equal(code_with(s, 18, (char)machines[i]), PCM_MSG_PLUGIN_MACHINE);
    assert_int_equal(code_with(s, 16, 1), PCM_MSG_PLUGIN_NOT_ELF);
    assert_int_equal(code_with(s, 54, 32), PCM_MSG_PLUGIN_NOT_ELF);
}

static void no_file_at_all(void **state)
{
    const scratch *s = *state;
    voice          heard;
    assert_false(load(s->directory, "Nothing", &heard));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_MISSING);
    assert_non_null(strstr(heard.text, s->directory));
    static const char *const names[] = {"", "../Sound", "a/b", ".", "Sound.so", "1st", "Spring Contact"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(load(HOSTILE_PLUGINS, names[i], &heard));
        assert_int_equal(heard.code, PCM_MSG_PLUGIN_BAD_NAME);
    }
    assert_int_equal(code_of(s, "#!/bin/sh\n", 10), PCM_MSG_PLUGIN_NOT_ELF);
}

static void no_ordinary_file(void **state)
{
    const scratch *s = *state;
    voice          heard;
    remove(s->file);
    assert_int_equal(mkdir(s->file, 0700), 0);
    assert_false(load(s->directory, "Sound", &heard));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_UNREADABLE);
    rmdir(s->file);
    assert_int_equal(mkfifo(s->file, 0600), 0);
    assert_false(load(s->directory, "Sound", &heard)); /* without waiting for a writer */
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_UNREADABLE);
    remove(s->file);
    assert_int_equal(symlink("Sound.so", s->file), 0);
    assert_false(load(s->directory, "Sound", &heard));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_UNREADABLE);
}

/* A directory that everybody may write to causes a warning; a host may have it rejected. */
static void open_directories(void **state)
{
    const scratch  *s = *state;
    voice           heard = {.count = 0};
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = s->directory;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.sink = listen;
    def.sink_user = &heard;
    write_plugin(s, s->bytes, s->size);
    assert_int_equal(chmod(s->directory, 0777), 0);
    pcm_context *careless = pcm_context_new(&def);
    assert_non_null(pcm_model_load(careless, "Sound"));
    assert_int_equal(heard.code, PCM_MSG_PLUGIN_OPEN);
    assert_string_equal(heard.file, s->file);
    pcm_context_free(careless);
    def.flags |= PCM_CLOSED_PATHS;
    pcm_context *careful = pcm_context_new(&def);
    assert_null(pcm_model_load(careful, "Sound"));
    assert_int_equal(heard.count, 2);
    assert_int_equal(chmod(s->directory, 0700), 0);
    assert_non_null(pcm_model_load(careful, "Sound"));
    assert_int_equal(chmod(s->file, 0666), 0);
    assert_false(pcm_model_load(careful, "Sound") == NULL); /* the plugin is loaded already */
    pcm_context_free(careful);
    assert_int_equal(heard.count, 2);
}

static uint32_t code_where_closed(const scratch *s, voice *heard)
{
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = s->directory;
    def.flags = PCM_NO_DEFAULT_PATHS | PCM_CLOSED_PATHS;
    def.sink = listen;
    def.sink_user = heard;
    *heard = (voice){.count = 0};
    pcm_context *context = pcm_context_new(&def);
    const bool   loaded = pcm_model_load(context, "Sound");
    assert_int_equal(heard->count, loaded ? 0 : 1);
    pcm_context_free(context);
    return heard->code;
}

/* Also rejected: a plugin that a group or another user owns, may write to or may replace. */
static void directories_of_others(void **state)
{
    const scratch *s = *state;
    voice          heard;
    write_plugin(s, s->bytes, s->size);
    assert_int_equal(code_where_closed(s, &heard), 0);
    const bool is_root = geteuid() == 0;
    if (is_root && chown(s->file, 12345, 12345) == 0) {
        assert_int_equal(code_where_closed(s, &heard), PCM_MSG_PLUGIN_OPEN);
        assert_non_null(strstr(heard.text, "another user owns the plugin;"));
        assert_int_equal(chown(s->file, 0, 12345), 0);
        assert_int_equal(chmod(s->file, 0664), 0);
        assert_int_equal(code_where_closed(s, &heard), PCM_MSG_PLUGIN_OPEN);
        assert_non_null(strstr(heard.text, "a group may write to the plugin;"));
        assert_int_equal(chown(s->file, 0, 0), 0);
        assert_int_equal(code_where_closed(s, &heard), 0);
    }
    scratch inner = *s;
    snprintf(inner.directory, sizeof inner.directory, "%.40s/inner", s->directory);
    snprintf(inner.file, sizeof inner.file, "%s/Sound.so", inner.directory);
    assert_int_equal(mkdir(inner.directory, 0700), 0);
    write_plugin(&inner, s->bytes, s->size);
    assert_int_equal(code_where_closed(&inner, &heard), 0);
    assert_int_equal(chmod(s->directory, 0777), 0);
    assert_int_equal(code_where_closed(&inner, &heard), PCM_MSG_PLUGIN_OPEN);
    assert_non_null(strstr(heard.text, "every user may write to the plugin's directory, or one above"));
    assert_int_equal(chmod(s->directory, 01777), 0);
    assert_int_equal(code_where_closed(&inner, &heard), 0);
    remove(inner.file);
    rmdir(inner.directory);
}

/* ---- Code that runs while a plugin is loaded -------------------------------------------------------------------- */

static void plugins_leave_the_arithmetic_alone(void **state)
{
    (void)state;
    volatile double small = 0x1p-1060;
    voice           heard;
    pcm_context    *context = context_of(HOSTILE_PLUGINS, &heard);
    assert_non_null(pcm_model_load(context, "FastMath"));
    assert_true(small / 2 > 0);
    assert_int_equal(unsetenv("HOSTILE_ROUNDS"), 0);
    assert_non_null(pcm_model_load(context, "Rounds"));
    assert_string_equal(getenv("HOSTILE_ROUNDS"), "1"); /* it has run */
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_int_equal(fegetexcept(), 0);
    pcm_context_free(context);
    assert_int_equal(heard.count, 0);
}

/* A law may use its own libraries, such as OpenMP's. */
static void plugins_bring_libraries(void **state)
{
    (void)state;
    voice heard;
    if (!HOSTILE_PARALLEL)
        skip();
    assert_true(load(HOSTILE_PLUGINS, "Parallel", &heard));
    assert_int_equal(heard.count, 0);
}

static void the_missing_symbol_is_named(void **state)
{
    (void)state;
    voice heard;
    assert_false(load(HOSTILE_PLUGINS, "MissingSymbol", &heard));
    assert_non_null(strstr(heard.text, "pcm_no_such_symbol"));
    assert_non_null(strstr(heard.text, "; build it on this system, and link it with every library that it calls"));
}

/* ---- Files that change while their plugin is loaded ------------------------------------------------------------- */

static void *code_of_model(const pcm_model *model)
{
    union {
        pcm_verb *function;
        void     *address;
    } update = {.function = ((const pcm_kernel_set *)pcm_table_entry(&model->kernels, 0))->update};
    return update.address;
}

/* The original file is mapped, so that debuggers and profilers find a law's source lines. */
static void the_file_itself_is_loaded(void **state)
{
    const scratch *s = *state;
    voice          heard;
    Dl_info        info;
    write_plugin(s, s->bytes, s->size);
    pcm_context     *context = context_of(s->directory, &heard);
    const pcm_model *model = pcm_model_load(context, "Sound");
    assert_non_null(model);
    assert_true(dladdr(code_of_model(model), &info));
    assert_string_equal(info.dli_fname, s->file);
    assert_string_equal(pcm_model_path(context, "Sound"), s->file);
    pcm_context_free(context);
}

static void a_file_is_loaded_once(void **state)
{
    const scratch *s = *state;
    voice          heard;
    write_plugin(s, s->bytes, s->size);
    pcm_context *first = context_of(s->directory, &heard), *second = context_of(s->directory, &heard);
    void        *code = code_of_model(pcm_model_load(first, "Sound"));
    assert_ptr_equal(code_of_model(pcm_model_load(second, "Sound")), code);
    pcm_context_free(first);
    pcm_context *third = context_of(s->directory, &heard);
    assert_ptr_equal(code_of_model(pcm_model_load(third, "Sound")), code);
    pcm_context_free(second);
    pcm_context_free(third);
    assert_int_equal(heard.count, 0);
}

/* A file that replaces another one is loaded, even if the other one is still in use. */
static void a_plugin_built_again_is_a_new_one(void **state)
{
    const scratch *s = *state;
    voice          heard;
    pcm_context   *contexts[4];
    for (int i = 0; i < 4; i++)
        contexts[i] = context_of(s->directory, &heard);
    write_plugin(s, s->bytes, s->size);
    const pcm_model *old = pcm_model_load(contexts[0], "Sound");
    remove(s->file);
    assert_int_equal(symlink(HOSTILE_PLUGINS "/Later.so", s->file), 0);
    const pcm_model *new = pcm_model_load(contexts[1], "Sound");
    const pcm_model *shared = pcm_model_load(contexts[2], "Sound");
    write_plugin(s, s->bytes, s->size);
    const pcm_model *newest = pcm_model_load(contexts[3], "Sound");
    assert_int_equal(heard.count, 0);
    assert_string_equal(old->summary, "a law for tests");
    assert_string_equal(new->summary, "a later version");
    assert_ptr_equal(code_of_model(new), code_of_model(shared));
    assert_string_equal(newest->summary, "a law for tests");
    assert_ptr_not_equal(code_of_model(old), code_of_model(newest));
    for (int i = 0; i < 4; i++)
        pcm_context_free(contexts[i]);
}

/* The file is overwritten in place between two loads, as by cp. */
static void a_file_may_change_between_loads(void **state)
{
    const scratch *s = *state;
    voice          heard;
    static char    bytes[1 << 21];
    write_plugin(s, s->bytes, s->size);
    assert_true(load(s->directory, "Sound", &heard));
    FILE        *later = fopen(HOSTILE_PLUGINS "/Later.so", "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, later);
    fclose(later);
    assert_true(size < sizeof bytes);
    FILE *same = fopen(s->file, "wb");
    assert_int_equal(fwrite(bytes, 1, size, same), size);
    fclose(same);
    pcm_context     *context = context_of(s->directory, &heard);
    const pcm_model *model = pcm_model_load(context, "Sound");
    assert_non_null(model);
    assert_string_equal(model->summary, "a later version");
    pcm_context_free(context);
}

/* ---- The search path -------------------------------------------------------------------------------------------- */

static void count(void *user, const pcm_model *model)
{
    (void)model;
    ++*(size_t *)user;
}

static void one_model_per_context(void **state)
{
    const scratch  *s = *state;
    voice           heard = {.count = 0};
    char            path[256];
    pcm_context_def def = pcm_context_defaults();
    write_plugin(s, s->bytes, s->size);
    snprintf(path, sizeof path, "::/nowhere:%s:%s:", s->directory, HOSTILE_PLUGINS);
    def.plugin_path = path;
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.sink = listen;
    def.sink_user = &heard;
    pcm_context     *context = pcm_context_new(&def);
    const pcm_model *model = pcm_model_load(context, "Sound");
    assert_non_null(model);
    assert_ptr_equal(pcm_model_load(context, "Sound"), model);
    assert_string_equal(pcm_model_path(context, "Sound"), s->file); /* from the first directory that has the plugin */
    assert_null(pcm_model_path(context, "GrownUsed"));

    size_t visited = 0;
    assert_int_equal(pcm_model_each(context, count, &visited),
                     SOUND); /* all other directories are skipped, with a message */
    assert_int_equal(visited, SOUND);
    assert_int_equal(heard.count, PLUGINS - SOUND);
    pcm_context_free(context);
}

static void the_environment_is_searched_by_default(void **state)
{
    (void)state;
    assert_int_equal(setenv("PCM_PLUGIN_PATH", HOSTILE_PLUGINS, 1), 0);
    pcm_context_def def = pcm_context_defaults();
    pcm_context    *open = pcm_context_new(&def);
    def.flags = PCM_NO_DEFAULT_PATHS;
    pcm_context *closed = pcm_context_new(&def);
    assert_int_equal(unsetenv("PCM_PLUGIN_PATH"), 0);
    assert_non_null(pcm_model_load(open, "Sound"));
    assert_null(pcm_model_load(closed, "Sound"));
    pcm_context_free(open);
    pcm_context_free(closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lie_has_its_message),
        cmocka_unit_test_setup_teardown(cut_anywhere, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(for_other_machines, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(no_file_at_all, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(no_ordinary_file, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(open_directories, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(directories_of_others, open_scratch, close_scratch),
        cmocka_unit_test(plugins_leave_the_arithmetic_alone),
        cmocka_unit_test(plugins_bring_libraries),
        cmocka_unit_test(the_missing_symbol_is_named),
        cmocka_unit_test_setup_teardown(the_file_itself_is_loaded, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(a_file_is_loaded_once, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(a_plugin_built_again_is_a_new_one, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(a_file_may_change_between_loads, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(one_model_per_context, open_scratch, close_scratch),
        cmocka_unit_test(the_environment_is_searched_by_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
