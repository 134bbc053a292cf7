/* SPDX-License-Identifier: MIT */
/* Sixty scenes, each with its own step: with MuJoCo's own contacts, and with laws in explicit and in implicit steps.
 * Prints how many run, and the time per simulated second. SCENES in the environment: how many scenes, spread over the
 * families; default 12. */
#include "mujoco_fixture.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum way { OWN, EXPLICIT, IMPLICIT, WAYS } way;

typedef struct outcome {
    bool   runs, stays; /* it runs to the end, and nothing is thrown */
    double seconds;     /* CPU time per simulated second */
    double centre[3];   /* centre of mass at the end */
} outcome;

static const char *const rules[WAYS] = {"ContactType C = DefaultContact; DefaultPair -> C;",
                                        "ContactType C = CompliantGround { Friction = 0.8; }; DefaultPair -> C;",
                                        "ContactType C = CompliantGround { Friction = 0.8; }; DefaultPair -> C;"};

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool step(fixture *f, way which)
{
    const int unstable = f->data->warning[mjWARN_BADQACC].number;
    if (which != OWN)
        return pcm_mujoco_step(f->host) == PCM_OK;
    mj_step(f->model, f->data);
    return f->data->warning[mjWARN_BADQACC].number == unstable;
}

/* A body that has touched the floor under gravity must never be as fast as after a fall of 20 m. */
static bool is_thrown(const fixture *f)
{
    for (int i = 0; i < f->model->nbody; i++)
        if (!(fabs(f->data->xpos[3 * i + 2]) < 3))
            return true;
    return false;
}

static outcome run(int index, way which, double seconds)
{
    static char text[SCENE_SIZE];
    outcome     out = {.runs = true};
    fixture     f;
    scene_write(index, text);
    fixture_open_file(&f, text, rules[which]);
    if (f.model->nkey)
        mj_resetDataKeyframe(f.model, f.data, 0);
    if (which == IMPLICIT)
        assert_int_equal(pcm_mujoco_implicit(f.host, true), PCM_OK);
    const double start = clock_now();
    while (out.runs && f.data->time < seconds)
        out.runs = step(&f, which);
    out.seconds = (clock_now() - start) / seconds;
    out.stays = out.runs && !is_thrown(&f);
    mj_kinematics(f.model, f.data);
    mj_comPos(f.model, f.data);
    for (int i = 0; i < 3; i++)
        out.centre[i] = f.data->subtree_com[i];
    fixture_close(&f);
    return out;
}

static void scenes_run_at_their_own_step(void **state)
{
    (void)state;
    const char  *wanted = getenv("SCENES");
    const int    count = wanted ? atoi(wanted) : 12;
    const double seconds = wanted ? 2 : 0.3;
    int          runs[WAYS] = {0}, stays[WAYS] = {0}, as_high[WAYS] = {0};
    double       took[WAYS] = {0};
    printf("%-14s %8s %8s %8s   %8s %8s %8s\n", "scene", "own [s]", "explicit", "implicit", "own [m]", "explicit",
           "implicit");
    for (int i = 0; i < count; i++) {
        const int index = count < SCENES ? i * 11 % SCENES : i;
        outcome   out[WAYS];
        for (way w = OWN; w < WAYS; w++) {
            out[w] = run(index, w, seconds);
            runs[w] += out[w].runs;
            stays[w] += out[w].stays;
            took[w] += out[w].seconds;
            as_high[w] += out[w].stays && fabs(out[w].centre[2] - out[OWN].centre[2]) < 0.03;
        }
        printf("%-10s %d %c%c%c %7.4f %8.4f %8.4f   %8.4f %8.4f %8.4f\n", scene_family(index), index / 10,
               out[OWN].stays ? '+' : '-', out[EXPLICIT].stays ? '+' : '-', out[IMPLICIT].stays ? '+' : '-',
               out[OWN].seconds, out[EXPLICIT].seconds, out[IMPLICIT].seconds, out[OWN].centre[2],
               out[EXPLICIT].centre[2], out[IMPLICIT].centre[2]);
    }
    printf("run to the end: %d, %d, %d of %d; not thrown: %d, %d, %d; as high within 3 cm: %d, %d\n", runs[OWN],
           runs[EXPLICIT], runs[IMPLICIT], count, stays[OWN], stays[EXPLICIT], stays[IMPLICIT], as_high[EXPLICIT],
           as_high[IMPLICIT]);
    printf("a simulated second takes %.4f, %.4f, %.4f s\n", took[OWN] / count, took[EXPLICIT] / count,
           took[IMPLICIT] / count);
    assert_true(stays[IMPLICIT] >= stays[OWN]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_run_at_their_own_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
