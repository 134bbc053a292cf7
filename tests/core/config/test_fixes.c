/* SPDX-License-Identifier: MIT */
/* Diagnostics of mistakes with one certain correction carry it: with every fix applied, the text loads without a
 * message. */
#include "specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { TEXT_MOST = 2000, FIXES_MOST = 20 };

typedef struct change {
    size_t at, length;
    char   text[200];
} change;

typedef struct mending {
    change changes[FIXES_MOST];
    size_t count, messages;
} mending;

/* The texts of these tests have one line. */
static void collect(void *user, const pcm_diagnostic *diagnostic)
{
    mending *m = user;
    assert_int_equal(diagnostic->size, sizeof *diagnostic);
    m->messages += diagnostic->severity != PCM_NOTE;
    for (uint32_t i = 0; i < diagnostic->n_fixes; i++) {
        const pcm_fix *fix = &diagnostic->fixes[i];
        assert_true(m->count < FIXES_MOST && fix->place.line == 1);
        assert_string_equal(fix->place.file, "test.pcm");
        change *c = &m->changes[m->count++];
        *c = (change){.at = fix->place.column - 1, .length = fix->place.length};
        snprintf(c->text, sizeof c->text, "%s", fix->text);
    }
}

static void load(const char *text, mending *m)
{
    pcm_context_def def = pcm_context_defaults();
    *m = (mending){.count = 0};
    def.sink = collect;
    def.sink_user = m;
    def.plugin_path = SPECIMEN_PLUGINS;
    def.flags = PCM_NO_DEFAULT_PATHS;
    pcm_context *context = pcm_context_new(&def);
    assert_non_null(context);
    pcm_config_release(pcm_config_parse(context, "test.pcm", text, strlen(text)));
    pcm_context_free(context);
}

/* Applies fixes from the last to the first, so that earlier positions stay valid; none overlap. */
static void mend(char text[TEXT_MOST], mending *m)
{
    for (size_t left = m->count; left > 0; left--) {
        size_t last = 0;
        for (size_t i = 1; i < left; i++)
            last = m->changes[i].at > m->changes[last].at ? i : last;
        const change c = m->changes[last];
        m->changes[last] = m->changes[left - 1];
        assert_true(c.at + c.length <= strlen(text) && strlen(text) + strlen(c.text) < TEXT_MOST);
        memmove(text + c.at + strlen(c.text), text + c.at + c.length, strlen(text + c.at + c.length) + 1);
        memcpy(text + c.at, c.text, strlen(c.text));
    }
}

static void becomes(const char *slip, const char *mended)
{
    char    text[TEXT_MOST];
    mending m;
    snprintf(text, sizeof text, "%s", slip);
    load(text, &m);
    if (m.messages == 0)
        fail_msg("%s passes", slip);
    mend(text, &m);
    assert_string_equal(text, mended);
    load(text, &m);
    if (m.messages > 0)
        fail_msg("%s is still told of", text);
}

#define TYPE(parameters) "ContactType C = Specimen { K = 100; " parameters " }; DefaultPair -> C;"

static void numbers(void **state)
{
    (void)state;
    becomes(TYPE("Friction = 0,5"), TYPE("Friction = 0.5"));
    becomes(TYPE("Friction = 0,5, B = 1"), TYPE("Friction = 0.5, B = 1"));
    becomes(TYPE("B = 2,5 [N*s/m]"), TYPE("B = 2.5 [N*s/m]"));
    becomes(TYPE("Friction = 0,125"), TYPE("Friction = 0.125"));
    becomes(TYPE("Hertz = 1,5e3 [N/m^1.5]"), TYPE("Hertz = 1.5e3 [N/m^1.5]"));
    becomes(TYPE("Hertz = 20'000"), TYPE("Hertz = 20000"));
    becomes(TYPE("Hertz = 20 000.5"), TYPE("Hertz = 20000.5"));
    becomes(TYPE("Hertz = 1_000_000"), TYPE("Hertz = 1000000"));
    becomes(TYPE("Friction = 50%"), TYPE("Friction = 0.5"));
    becomes(TYPE("Friction = 50 [%]"), TYPE("Friction = 0.5"));
    becomes(TYPE("Table = 0, 2 [mm]"), TYPE("Table = (0, 2) [mm]"));
    becomes(TYPE("Table = 0, 1.5, 2;"), TYPE("Table = (0, 1.5, 2);"));
    becomes(TYPE("Table = [0, 2]"), TYPE("Table = (0, 2)"));
    becomes(TYPE("Table = {0, 2}"), TYPE("Table = (0, 2)"));
}

static void units(void **state)
{
    (void)state;
    becomes(TYPE("B = 1 N*s/m"), TYPE("B = 1 [N*s/m]"));
    becomes(TYPE("B = 1kN*s/km"), TYPE("B = 1[kN*s/km]"));
    becomes(TYPE("B = 1 [Ns/m]"), TYPE("B = 1 [N*s/m]"));
    becomes(TYPE("Hertz = 1 [KN/m^1.5]"), TYPE("Hertz = 1 [kN/m^1.5]"));
    becomes(TYPE("Hertz = 1 [N/m^3/2]"), TYPE("Hertz = 1 [N/m^1.5]"));
    becomes(TYPE("Angle = 10 [degrees]"), TYPE("Angle = 10 [deg]"));
    becomes(TYPE("Table = (1, 2) [Meters]"), TYPE("Table = (1, 2) [m]"));
}

static void words(void **state)
{
    (void)state;
    becomes(TYPE("friction = 0.5"), TYPE("Friction = 0.5"));
    becomes(TYPE("Method = fancy"), TYPE("Method = Fancy"));
    becomes(TYPE("Smooth = True"), TYPE("Smooth = true"));
    becomes(TYPE("Smooth = off"), TYPE("Smooth = false"));
    becomes(TYPE("Debug = 1"), TYPE("Debug = true"));
    becomes(TYPE("Label = word"), TYPE("Label = \"word\""));
    becomes(TYPE("Label = 'word'"), TYPE("Label = \"word\""));
    becomes("ContactType C = specimen { K = 10 }; DefaultPair -> C;",
            "ContactType C = Specimen { K = 10 }; DefaultPair -> C;");
    becomes("ContactType Cc = Specimen { K = 10 }; DefaultPair -> CC;",
            "ContactType Cc = Specimen { K = 10 }; DefaultPair -> Cc;");
    becomes("Contacttype C = Specimen { K = 10 }; DefaultPair -> C;",
            "ContactType C = Specimen { K = 10 }; DefaultPair -> C;");
}

static void signs(void **state)
{
    (void)state;
    becomes(TYPE("Friction: 0.5"), TYPE("Friction = 0.5"));
    becomes(TYPE("Friction := 0.5; B == 1"), TYPE("Friction = 0.5; B = 1"));
    becomes("ContactType C: Specimen { K = 10 }; DefaultPair => C;",
            "ContactType C = Specimen { K = 10 }; DefaultPair -> C;");
    becomes("DefaultPair -> C; ContactType C = Specimen { K = 10 }; % why",
            "DefaultPair -> C; ContactType C = Specimen { K = 10 }; # why");
    becomes("DefaultPair -> C; ContactType C = Specimen { K = 10 }; /* why */",
            "DefaultPair -> C; ContactType C = Specimen { K = 10 }; # why ");
    becomes("DefaultPair -> C; ContactType C = Specimen { K = 10 }",
            "DefaultPair -> C; ContactType C = Specimen { K = 10 };");
    becomes("ContactType C = Specimen { K = 10 B = 1 }; DefaultPair -> C;",
            "ContactType C = Specimen { K = 10; B = 1 }; DefaultPair -> C;");
    becomes("ContactType C = Specimen [{ K = 10 }; DefaultPair -> C;",
            "ContactType C = Specimen [{ K = 10 }]; DefaultPair -> C;");
    becomes("ContactType C = Specimen { K = 10; DefaultPair -> C;",
            "ContactType C = Specimen { K = 10;}; DefaultPair -> C;");
}

static void names(void **state)
{
    (void)state;
#define RULE(sides) "ContactType C = Specimen { K = 10 }; ObjectPair " sides " -> C;"
    becomes(RULE("Left Foot * Floor"), RULE("\"Left Foot\" * Floor"));
    becomes(RULE("Floor * Left Back Foot"), RULE("Floor * \"Left Back Foot\""));
    becomes("ContactType Old C = Specimen { K = 10 }; DefaultPair -> \"Old C\";",
            "ContactType \"Old C\" = Specimen { K = 10 }; DefaultPair -> \"Old C\";");
    becomes(RULE("\xe2\x80\x9c*Foot\xe2\x80\x9d * Floor"), RULE("\"*Foot\" * Floor"));
    becomes(RULE("\xe2\x80\x98"
                 "A\xe2\x80\x99 * Floor"),
            RULE("\"A\" * Floor"));
    becomes(RULE("\".*Foot\" * Floor"), RULE("\"*Foot\" * Floor"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(units), cmocka_unit_test(words),
        cmocka_unit_test(signs),   cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
