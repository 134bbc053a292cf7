/* SPDX-License-Identifier: MIT */
/* Steps of 1,000 boxes on a plane, in each engine that has a host: with bristles of a law, and with the engine's own
 * contacts. */
#include "bench.h"
#include "engines.h"
#include "open_config.h"

#include <string.h>

static const char rules[] = "ContactType C = KelvinVoigt + Dahl { KelvinVoigt.Stiffness = 1e5; Damping = 50; "
                            "Dahl.Stiffness = 1e5; Friction = 0.5; }; DefaultPair -> C;";
enum { BOXES = 1000, SETTLING = 100 };

typedef struct scene {
    const engine_kind *engine;
    void              *of_engine;
} scene;

static void run(void *work)
{
    const scene *s = work;
    if (s->engine->step(s->of_engine) != PCM_OK)
        bench_fail("the step failed");
}

static scene open_scene(const engine_kind *engine, pcm_context *context, pcm_config *config)
{
    scene s = {engine, engine->make(BOXES, context, config)};
    if (!s.of_engine)
        bench_fail("no scene");
    for (int i = 0; i < SETTLING; i++)
        run(&s);
    return s;
}

static void measure(const engine_kind *engine, double goal, pcm_context *context, pcm_config *config)
{
    scene laws = open_scene(engine, context, config), own = open_scene(engine, context, NULL);
    if (engine->contacts(laws.of_engine) != 4 * BOXES)
        bench_fail("boxes that lie have four contacts each");
    bench_compare(&(bench_promise){.name = engine->name,
                                   .size = BOXES,
                                   .items = BOXES,
                                   .kind = BENCH_FASTER,
                                   .goal = goal,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){run, NULL, &laws}, (bench_way){run, NULL, &own});
    engine->free(laws.of_engine);
    engine->free(own.of_engine);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    pcm_context *context = open_context(NULL);
    pcm_config  *config = open_text(context, rules, strlen(rules));
#ifdef BENCH_ODE
    measure(&engine_ode, 1, context, config);
#endif
#ifdef BENCH_BULLET
    measure(&engine_bullet, 1, context, config);
#endif
#ifdef BENCH_DART
    measure(&engine_dart, 1, context, config);
#endif
    pcm_config_release(config);
    pcm_context_free(context);
}
