/* SPDX-License-Identifier: MIT */
/* Plugins built with the headers of interfaces 2.0 and 2.1 still give the numbers that they gave then, and so do their
 * sources with the current headers. */
#include "law.h"

enum { LANES = 5 };

static lanes contacts(void)
{
    lanes c = lanes_open(LANES);
    for (size_t i = 0; i < LANES; i++) {
        c.depth[i] = 0.25 * (double)i - 0.25;
        c.depth_rate[i] = 0.5;
        c.slip_x[i] = 2;
        c.slip_y[i] = -4;
        c.host_inputs[0][i] = 1;
    }
    return c;
}

static void check_numbers(const char *plugins)
{
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= pcm_context_defaults().isa; isa++) {
        law   l = law_open_at(plugins, isa, "Kept", "Stiffness = 200; Doubled = true;");
        lanes c = contacts();
        assert_true(l.info->common->separation == 0.005 && law_derived(&l, "compression", 50, 0) == 0.25);
        lanes_call(&l, PCM_ESTABLISH, &c, 0, LANES, 0);
        lanes_commit(&c);
        lanes_call(&l, PCM_UPDATE, &c, 0, LANES, 0.125);
        for (size_t i = 0; i < LANES; i++) {
            const double push = 200 * c.depth[i] + 6;
            assert_true(c.force_n[i] == 2 * push && c.force_x[i] == -6 && c.force_y[i] == 12);
            assert_true(c.next[0][i] == 0.75 && c.event[0][i] == push);
            assert_true(c.energy[i] == 100 * c.depth[i] * c.depth[i]);
            assert_int_equal(c.mode[i], push > 0 ? PCM_STICKING : PCM_SEPARATED);
        }
        lanes_close(&c);
        law_close(&l);
    }
}

static void check_onsets(const char *plugins)
{
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= pcm_context_defaults().isa; isa++) {
        law   l = law_open_at(plugins, isa, "KeptOnset", "Stiffness = 200; Preload = 3; Gap = 0.25;");
        lanes c = contacts();
        assert_true(l.info->onset == 0.25 && l.info->common->separation == 0.75);
        assert_true(pcm_type_input_fallback(l.type, 0) == 3);
        for (size_t i = 0; i < LANES; i++)
            c.more[LAW_MORE_fresh][i] = (double)(i % 2);
        lanes_call(&l, PCM_ESTABLISH, &c, 0, LANES, 0);
        lanes_commit(&c);
        c.depth[0] = -0.625;
        lanes_call(&l, PCM_UPDATE, &c, 0, LANES, 0.125);
        for (size_t i = 0; i < LANES; i++) {
            assert_true(c.force_n[i] == 200 * (c.depth[i] + 0.25) + 1 && c.next[0][i] == (double)(i % 2));
            assert_true(c.more[LAW_MORE_onset][i] == 0.125 * (double)(i % 2));
            assert_int_equal(c.life[i], i == 0 ? PCM_BROKEN : PCM_LIVE);
        }
        lanes_close(&c);
        law_close(&l);
    }
}

static void numbers_are_those_of_then(void **state)
{
    (void)state;
#if defined(__x86_64__) && defined(__linux__)
    check_numbers(KEPT_PLUGINS);
    check_onsets(KEPT_PLUGINS);
#else
    skip();
#endif
}

static void sources_give_them_with_the_headers_of_today(void **state)
{
    (void)state;
    check_numbers(BUILT_PLUGINS);
    check_onsets(BUILT_PLUGINS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_then),
        cmocka_unit_test(sources_give_them_with_the_headers_of_today),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
