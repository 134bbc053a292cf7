/* SPDX-License-Identifier: MIT */
/* usage: test_turnover [UPDATES]
 *
 * A world in which contacts keep beginning and ending, and sometimes an object is replaced, can run for ever. A round
 * of a thousand updates begins and ends without contacts, so each round gives the bits of the first, and after two
 * rounds no more memory is taken. SIGINT and SIGTERM end the program after a round, and it prints how far it came. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 1000, TURNS = 20, WARM_ROUNDS = 2, BODIES = 3, SURFACES = 4, ROUNDS_TOLD = 10000 };

static uint64_t              updates = 200000;
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

/* A law whose state outlives its contact, one with a single contact per pair, one that breaks, and one without a
 * state. */
static const char laws[] = "ContactType C = Brush; ContactType S = Spring { Single=true; };\n"
                           "ContactType B = Bond { Gap=1 [mm]; Reach=10 [mm]; }; ContactType L = Spring;\n"
                           "SurfacePair Floor * Soft -> C; SurfacePair Floor * Lone -> S;\n"
                           "SurfacePair Floor * Glued -> B; SurfacePair Floor * Light -> L;\n";

typedef struct scene {
    fixture    f;
    pcm_object floor, body[BODIES];
    uint64_t   update; /* counted from the beginning */
} scene;

/* Adds the object of this turn of a round. */
static void add_object(scene *s, size_t turn)
{
    static const char *const surfaces[SURFACES] = {"Soft", "Lone", "Glued", "Light"};
    s->body[turn % BODIES] = pcm_world_add(s->f.world, surfaces[turn % SURFACES], surfaces[turn % SURFACES]);
}

/* Begins with the objects that exist at the end of a round. */
static void open_scene(scene *s)
{
    fixture_open(&s->f, laws, NULL);
    s->update = 0;
    s->floor = pcm_world_add_object(s->f.world, &PCM_OBJECT(.name = "floor", .surface = "Floor", .fixed = true));
    for (size_t turn = TURNS - BODIES; turn < TURNS; turn++)
        add_object(s, turn);
}

/* Removes the oldest object and adds one of another surface. */
static void replace_object(scene *s, size_t turn)
{
    assert_int_equal(pcm_world_remove(s->f.world, s->body[turn % BODIES]), PCM_OK);
    add_object(s, turn);
}

/* One object touches, between a depth of 3 mm and gaps, which only some laws keep, at features that come and go. */
static void stir(scene *s, uint64_t *seed)
{
    const double   x = 1e-3 * noise(seed), speed = noise(seed), depth = 1e-3 * (1 + 2 * noise(seed));
    const uint64_t feature = (uint64_t)(3 + 3 * noise(seed));
    const size_t   i = (size_t)(BODIES * (0.5 + 0.5 * noise(seed)));
    place(s->f.world, s->body[i], x, 0, 0, speed, 0, -speed);
    touch(s->f.world, s->floor, s->body[i], feature, x, 0, depth);
}

/* FNV-1a, word by word. */
static uint64_t add_wrenches(const scene *s, uint64_t hash)
{
    pcm_wrench wrench[BODIES];
    uint64_t   words[sizeof wrench / (sizeof(uint64_t))];
    assert_int_equal(pcm_world_wrench_many(s->f.world, s->body, wrench, BODIES), BODIES);
    memcpy(words, wrench, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}

/* One round. In its last updates there are no touches, until the remaining contacts have ended. Returns the hash of its
 * forces. */
static uint64_t go_round(scene *s)
{
    enum { QUIET = 20 };
    const double dt = 0x1p-10;
    uint64_t     seed = 1, hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < ROUND; i++, s->update++) {
        if (i % (ROUND / TURNS) == 0)
            replace_object(s, i / (ROUND / TURNS));
        if (i < ROUND - QUIET)
            stir(s, &seed);
        assert_int_equal(pcm_world_update(s->f.world, (double)s->update * dt, dt), PCM_OK);
        hash = add_wrenches(s, hash);
        assert_int_equal(pcm_world_commit(s->f.world), PCM_OK);
    }
    assert_int_equal(pcm_world_contact_count(s->f.world), 0);
    return hash;
}

static void no_round_knows_of_those_before(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    const uint64_t hash = go_round(&s);
    ptrdiff_t      bytes = 0;
    for (uint64_t round = 1; round * ROUND < updates && !stopped; round++) {
        if (go_round(&s) != hash)
            fail_msg("other forces in round %llu", (unsigned long long)round);
        if (round == WARM_ROUNDS)
            bytes = s.f.bytes;
        if (round > WARM_ROUNDS)
            assert_int_equal(s.f.bytes, bytes);
        if (round % ROUNDS_TOLD == 0) {
            print_message("%llu updates\n", (unsigned long long)s.update);
            fflush(stdout);
        }
    }
    pcm_rule_stats stats = {.size = sizeof stats};
    uint64_t       made = 0;
    for (size_t rule = 0; rule < pcm_config_rule_count(s.f.config); rule++) {
        assert_int_equal(pcm_world_rule_stats(s.f.world, rule, &stats), PCM_OK);
        assert_true(stats.made > 0 && stats.made >= stats.parted + stats.broken); /* the others end with their object */
        made += stats.made;
    }
    print_message("%llu updates, %llu contacts made and ended, %td bytes all along\n", (unsigned long long)s.update,
                  (unsigned long long)made, bytes);
    fixture_close(&s.f);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_round_knows_of_those_before)};
    if (count > 1)
        updates = strtoull(arguments[1], NULL, 10);
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
