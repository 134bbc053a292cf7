/* SPDX-License-Identifier: MIT */
/* Checkpoints that were altered and given a correct checksum: contents that no world could have saved are rejected, and
 * the world remains unchanged. */
#include "fixture.h"
#include "checkpoint.h"
#include "world.h"
#include <pcm/messages.h>

static const char laws[] = "ContactType B = Spring { Limit = 2 [mm]; };\n"
                           "Material M0 { YoungModulus = 1e7; PoissonRatio = 0.3; }\n"
                           "Material M1 { YoungModulus = 2e7; PoissonRatio = 0.3; }\n"
                           "Material M2 { YoungModulus = 3e7; PoissonRatio = 0.3; }\n"
                           "ContactType H = Hertz; SurfacePair Floor * Glued -> B; SurfacePair \"M*\" * \"M*\" -> H;\n";

enum { FLOOR, GLUED, GRAIN_0, GRAIN_1, GRAIN_2, OBJECTS };

/* Features whose values occur nowhere else in the bytes. */
#define FEATURE(n) (UINT64_C(0xFEA7000000000000) + (n))

typedef struct scene {
    fixture    f;
    pcm_object object[OBJECTS];
    uint8_t   *bytes; /* a checkpoint */
    size_t     size;
} scene;

static void add_objects(scene *s, pcm_world *world)
{
    static const char *const surfaces[OBJECTS] = {"Floor", "Glued", "M0", "M1", "M2"};
    for (size_t i = 0; i < OBJECTS; i++)
        s->object[i] = pcm_world_add_object(
            world, &PCM_OBJECT(.name = surfaces[i], .surface = surfaces[i], .fixed = i == FLOOR, .radius = 0.1));
}

static void step(pcm_world *world)
{
    const double dt = 0x1p-10;
    assert_int_equal(pcm_world_update(world, pcm_world_time(world) + dt, dt), PCM_OK);
    assert_int_equal(pcm_world_commit(world), PCM_OK);
}

/* Two live contacts, two broken ones, one contact for each of two pairs of materials, and one touch without a rule. */
static int open_scene(void **state)
{
    scene *s = test_calloc(1, sizeof *s);
    fixture_open(&s->f, laws, NULL);
    add_objects(s, s->f.world);
    for (size_t n = 0; n < 2; n++) {
        for (uint64_t i = 0; i < 4; i++)
            touch(s->f.world, s->object[FLOOR], s->object[GLUED], FEATURE(i), 0, 0, i < 2 || n == 0 ? 1e-3 : 3e-3);
        touch(s->f.world, s->object[GRAIN_0], s->object[GRAIN_1], FEATURE(4), 0, 0, 1e-5);
        touch(s->f.world, s->object[GRAIN_0], s->object[GRAIN_2], FEATURE(5), 0, 0, 1e-5);
        touch(s->f.world, s->object[FLOOR], s->object[GRAIN_0], FEATURE(6), 0, 0, 1e-5);
        step(s->f.world);
    }
    assert_int_equal(pcm_world_contact_count(s->f.world), 4);
    s->size = pcm_world_checkpoint_size(s->f.world);
    s->bytes = test_malloc(s->size);
    assert_int_equal(pcm_world_checkpoint_save(s->f.world, s->bytes, s->size), PCM_OK);
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    scene *s = *state;
    test_free(s->bytes);
    fixture_close(&s->f);
    test_free(s);
    return 0;
}

/* The only place that contains these words. */
static uint8_t *find_words(const scene *s, const uint64_t *words, size_t count)
{
    uint8_t *found = NULL;
    for (size_t at = PCM_CHECKPOINT_HEAD; at + 8 * count <= s->size; at++) {
        size_t same = 0;
        while (same < count && pcm_word_at(s->bytes + at + 8 * same) == words[same])
            same++;
        if (same < count)
            continue;
        assert_null(found);
        found = s->bytes + at;
    }
    assert_non_null(found);
    return found;
}

static uint8_t *find_feature(const scene *s, uint64_t n) { return find_words(s, &(uint64_t){FEATURE(n)}, 1); }

/* A new world rejects the checkpoint and remains unchanged. */
static void is_rejected(scene *s)
{
    pcm_world *fresh = fixture_world(&s->f, NULL);
    add_objects(s, fresh);
    const size_t size = pcm_world_checkpoint_size(fresh);
    uint8_t     *before = test_malloc(size), *after = test_malloc(size);
    assert_int_equal(pcm_world_checkpoint_save(fresh, before, size), PCM_OK);
    pcm_put_word(s->bytes + PCM_CHECKPOINT_HEAD - 8, pcm_checkpoint_sum(s->bytes, s->size));
    s->f.messages = 0;
    assert_int_equal(pcm_world_checkpoint_restore(fresh, s->bytes, s->size), PCM_BAD_CHECKPOINT);
    assert_int_equal(fixture_said(&s->f, PCM_MSG_CHECKPOINT_DAMAGED), s->f.messages);
    assert_int_equal(s->f.messages, 1);
    assert_int_equal(pcm_world_checkpoint_size(fresh), size);
    assert_int_equal(pcm_world_checkpoint_save(fresh, after, size), PCM_OK);
    assert_memory_equal(after, before, size);
    test_free(before);
    test_free(after);
    pcm_world_free(fresh);
}

static void no_key_has_two_contacts(void **state)
{
    scene *s = *state;
    pcm_put_word(find_feature(s, 1), FEATURE(0));
    is_rejected(s);
}

static void no_feature_is_broken_twice(void **state)
{
    scene *s = *state;
    pcm_put_word(find_feature(s, 3), FEATURE(2));
    is_rejected(s);
}

static void no_contact_is_of_a_broken_feature(void **state)
{
    scene *s = *state;
    pcm_put_word(find_feature(s, 3), FEATURE(0));
    is_rejected(s);
}

static void no_contact_lacks_its_number(void **state)
{
    scene   *s = *state;
    uint8_t *id = find_feature(s, 1) + 8 * 2 * (PCM_WORD_ID - PCM_WORD_FEATURE); /* the columns have two contacts */
    assert_in_range(pcm_word_at(id), 1, 6);                                      /* six contacts have begun */
    pcm_put_word(id, 0);
    is_rejected(s);
    pcm_put_word(id, 7);
    is_rejected(s);
}

/* A pair of materials is listed twice, with contacts in both lists, though there would be room for only one list. */
static void no_materials_are_listed_twice(void **state)
{
    scene         *s = *state;
    const uint64_t length = 2;
    uint8_t        words[2][2 * (8 + 2)];
    uint8_t       *at = NULL;
    for (size_t pair = 0; pair < 2; pair++)
        for (size_t side = 0; side < 2; side++) {
            uint8_t *text = words[pair] + 10 * side;
            pcm_put_word(text, length);
            text[8] = 'M';
            text[9] = side == 0 ? '0' : pair == 0 ? '1' : '2';
        }
    for (size_t i = PCM_CHECKPOINT_HEAD; i + sizeof words[1] + 8 <= s->size; i++)
        if (memcmp(s->bytes + i, words[1], sizeof words[1]) == 0)
            at = s->bytes + i;
    assert_non_null(at);
    /* Together with the fingerprint that follows the first pair. */
    const size_t entry = 8 + sizeof words[0] + 8;
    assert_memory_equal(at - entry, words[0], sizeof words[0]);
    memcpy(at, at - entry, sizeof words[0] + 8);
    uint8_t       *contact = find_feature(s, 5) - 8 * PCM_WORD_FEATURE; /* the columns have one contact */
    const uint64_t objects = pcm_word_at(contact), flipped = objects & PCM_FLIPPED_MASK;
    if ((objects & PCM_PLACE_MASK) == GRAIN_2)
        pcm_put_word(contact, GRAIN_1 | (uint64_t)GRAIN_0 << PCM_FOLLOWER_SHIFT | flipped);
    else
        pcm_put_word(contact, GRAIN_0 | (uint64_t)GRAIN_1 << PCM_FOLLOWER_SHIFT | flipped);
    is_rejected(s);
}

static void no_pair_was_warned_of_nothing(void **state)
{
    scene         *s = *state;
    const uint64_t warned[] = {FLOOR, GRAIN_0, PCM_WARNED_UNASSIGNED};
    uint8_t       *what = find_words(s, warned, 3) + 16;
    pcm_put_word(what, 0);
    is_rejected(s);
    pcm_put_word(what, UINT64_C(1) << 32);
    is_rejected(s);
}

static void no_object_is_held_otherwise(void **state)
{
    scene         *s = *state;
    const uint64_t glued[] = {PCM_HOLD_FIXED, strlen("Floor")};
    pcm_put_word(find_words(s, glued, 2), PCM_HOLD_PLACED + 1);
    is_rejected(s);
}

/* Enough contacts for their keys to be sorted before they enter the index. */
enum { MANY = 40000 };

static void touch_many(const scene *s, pcm_contact *contacts)
{
    for (uint64_t i = MANY; i-- > 0;)
        contacts[i] = touch(s->f.world, s->object[FLOOR], s->object[GLUED], FEATURE(i), 0, 0, 1e-3);
}

/* If a checkpoint is rejected at its last contact, the world still finds each of its own contacts. */
static void many_keys_are_each_found_once(void **state)
{
    (void)state;
    scene        s;
    pcm_contact *before = test_calloc(MANY, sizeof *before), *after = test_calloc(MANY, sizeof *after);
    fixture_open(&s.f, laws, NULL);
    add_objects(&s, s.f.world);
    touch_many(&s, before);
    step(s.f.world);
    s.size = pcm_world_checkpoint_size(s.f.world);
    s.bytes = test_malloc(s.size);
    uint8_t *sound = test_malloc(s.size);
    assert_int_equal(pcm_world_checkpoint_save(s.f.world, sound, s.size), PCM_OK);
    memcpy(s.bytes, sound, s.size);
    pcm_put_word(find_feature(&s, 0), FEATURE(MANY - 1)); /* the last contact saved gets the first one's feature */
    pcm_put_word(s.bytes + PCM_CHECKPOINT_HEAD - 8, pcm_checkpoint_sum(s.bytes, s.size));
    assert_int_equal(pcm_world_checkpoint_restore(s.f.world, s.bytes, s.size), PCM_BAD_CHECKPOINT);
    touch_many(&s, after);
    assert_memory_equal(after, before, MANY * sizeof *after);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pcm_world_checkpoint_restore(s.f.world, sound, s.size), PCM_OK);
        assert_int_equal(pcm_world_checkpoint_save(s.f.world, s.bytes, s.size), PCM_OK);
        assert_memory_equal(s.bytes, sound, s.size);
        touch_many(&s, after);
        step(s.f.world);
        assert_int_equal(pcm_world_contact_count(s.f.world), MANY);
    }
    test_free(before);
    test_free(after);
    test_free(sound);
    test_free(s.bytes);
    fixture_close(&s.f);
}

/* Enough pairs that these are sorted too. All first contacts are stored before all second ones. */
enum { PAIRS = 20000 };

typedef struct crowd {
    pcm_world *world;
    pcm_object floor, glued[PAIRS];
} crowd;

static void open_crowd(crowd *c, fixture *f)
{
    c->world = fixture_world(f, NULL);
    c->floor = pcm_world_add_object(c->world, &PCM_OBJECT(.name = "Floor", .surface = "Floor", .fixed = true));
    for (size_t i = 0; i < PAIRS; i++)
        c->glued[i] = pcm_world_add(c->world, "Glued", "Glued");
}

static void step_crowd(const crowd *c)
{
    for (uint64_t i = 0; i < 2 * PAIRS; i++)
        touch(c->world, c->floor, c->glued[i % PAIRS], FEATURE(i), 0, 0, 1e-3);
    step(c->world);
    assert_int_equal(pcm_world_contact_count(c->world), 2 * PAIRS);
    assert_int_equal(c->world->pair_index.count, PAIRS);
}

static void new_worlds_meet_each_pair_once(void **state)
{
    (void)state;
    scene  s;
    crowd *saved = test_malloc(sizeof *saved), *restored = test_malloc(sizeof *restored);
    fixture_open(&s.f, laws, NULL);
    open_crowd(saved, &s.f);
    step_crowd(saved);
    s.size = pcm_world_checkpoint_size(saved->world);
    s.bytes = test_malloc(s.size);
    uint8_t *sound = test_malloc(s.size);
    assert_int_equal(pcm_world_checkpoint_save(saved->world, sound, s.size), PCM_OK);
    for (size_t i = 0; i < 2;
         i++) { /* first into a new world, then into one that has rejected a checkpoint with the same pairs */
        open_crowd(restored, &s.f);
        memcpy(s.bytes, sound, s.size);
        if (i > 0) {
            pcm_put_word(find_feature(&s, PAIRS), FEATURE(0)); /* now twice in one pair */
            pcm_put_word(s.bytes + PCM_CHECKPOINT_HEAD - 8, pcm_checkpoint_sum(s.bytes, s.size));
            assert_int_equal(pcm_world_checkpoint_restore(restored->world, s.bytes, s.size), PCM_BAD_CHECKPOINT);
            assert_int_equal(pcm_world_contact_count(restored->world), 0);
        }
        assert_int_equal(pcm_world_checkpoint_restore(restored->world, sound, s.size), PCM_OK);
        assert_int_equal(pcm_world_checkpoint_save(restored->world, s.bytes, s.size), PCM_OK);
        assert_memory_equal(s.bytes, sound, s.size);
        step_crowd(restored);
        pcm_world_free(restored->world);
    }
    pcm_world_free(saved->world);
    test_free(saved);
    test_free(restored);
    test_free(sound);
    test_free(s.bytes);
    fixture_close(&s.f);
}

#define IN_SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCENE(no_key_has_two_contacts),
        IN_SCENE(no_feature_is_broken_twice),
        IN_SCENE(no_contact_is_of_a_broken_feature),
        IN_SCENE(no_contact_lacks_its_number),
        IN_SCENE(no_materials_are_listed_twice),
        IN_SCENE(no_pair_was_warned_of_nothing),
        IN_SCENE(no_object_is_held_otherwise),
        cmocka_unit_test(many_keys_are_each_found_once),
        cmocka_unit_test(new_worlds_meet_each_pair_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
