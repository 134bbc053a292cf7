/* SPDX-License-Identifier: MIT */
/* A plugin that was built with the headers of interface 2.0 gives the numbers that it gave then. */
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

static void numbers_are_those_of_then(void **state)
{
    (void)state;
#if defined(__x86_64__) && defined(__linux__)
    for (uint32_t isa = PCM_ISA_PLAIN; isa <= pcm_context_defaults().isa; isa++) {
        law   l = law_open_at(KEPT_PLUGINS, isa, "Kept", "Stiffness = 200; Doubled = true;");
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
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_those_of_then)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
