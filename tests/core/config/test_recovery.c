/* SPDX-License-Identifier: MIT */
/* One mistake gives one error, or few: every token of a good configuration is omitted, replaced and preceded by another
 * token, and the resulting errors are counted. */
#include "specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 4, TEXT_MOST = 2000 };

static const char good[] = "ContactType A = Specimen [{ K = 2*(1+1) [kN/mm], B=1; Angle = 45 [deg]; Table = (1, 2.5, "
                           "3) [mm]; Label = \"x y\";\n"
                           "  Method=Fancy; Limit = 3[cm]; }];\n"
                           "ContactType C1 = Specimen { K=1000, };\n"
                           "ContactType C2 = Specimen { K = 1 [kN/m]; Smooth = true };\n"
                           "ObjectPair X * Y -> C2;\n"
                           "SurfacePair Sticky * Glass -> A;\n"
                           "ObjectPair \"*Foot\" * Ground -> C1;\n"
                           "ObjectPair FrontFoot * Ground -> C1;\n"
                           "DefaultPair -> A;\n";

/* The bytes of the token at text. */
static size_t token_length(const char *text)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    size_t            length = strspn(text, word);
    if (*text == '"')
        return 2 + strcspn(text + 1, "\"");
    return length > 0 ? length : strncmp(text, "->", 2) == 0 ? 2 : 1;
}

static void one_slip_is_few_errors(void **state)
{
    (void)state;
    static const char *const slips[] = {"",  ";",  "=",  "}",   "{", "(", ")", "[",          "]",
                                        "*", "->", "\"", "foo", "1", ",", "@", "ContactType"};
    pcm_specimen             specimen;
    size_t                   counts[MOST + 1] = {0}, all = 0;
    specimen_start(&specimen);
    pcm_config_release(specimen_good(&specimen, good));
    for (const char *at = good; *at != '\0'; at += token_length(at)) {
        at += strspn(at, " \n");
        for (size_t i = 0; i < sizeof slips / sizeof *slips && *at != '\0'; i++)
            for (int keep = 0; keep < 2; keep++) {
                char text[TEXT_MOST];
                snprintf(text, sizeof text, "%.*s%s %s", (int)(at - good), good, slips[i],
                         at + (keep ? 0 : token_length(at)));
                pcm_config_release(specimen_parse(&specimen, text));
                if (specimen.errors > MOST)
                    fail_msg("%s\n%s", text, specimen.told);
                counts[specimen.errors]++;
                all++;
            }
        if (*at == '\0')
            break;
    }
    assert_true(counts[0] + counts[1] > all * 8 / 10);
    assert_true(counts[3] + counts[4] < all / 50);
    specimen_end(&specimen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_slip_is_few_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
