/* SPDX-License-Identifier: MIT */
/* Any bytes as a sequence of calls on a world, in any order and with any numbers and handles. No force is infinite or
 * NaN, and a saved world can be restored and is then the same. */
#include "fuzz.h"

enum { OBJECTS = 6, CONTACTS = 12, CALLS = 200 };

typedef struct run {
    pcm_world  *world;
    fuzz_input  input;
    pcm_object  objects[OBJECTS];
    pcm_contact contacts[CONTACTS];
    uint8_t    *saved;
    size_t      saved_size;
} run;

static const char text[] =
    "ContactType Ground = ViscoelasticGround { }; ContactType Tyre = CompliantGround { Stiffness = 2e5; Damping = 1000;"
    " Friction = 0.8 }; ContactType Bolt = Bond { }; ObjectPair \"A*\" * \"B*\" -> Tyre;"
    "ObjectPair C * \"*\" -> Bolt; DefaultPair -> Ground;";

static pcm_object  any_object(run *r) { return r->objects[fuzz_byte(&r->input) % OBJECTS]; }
static pcm_contact any_contact(run *r) { return r->contacts[fuzz_byte(&r->input) % CONTACTS]; }

static void numbers(run *r, double *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = fuzz_number(&r->input);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static void add(run *r)
{
    static const char *const names[] = {"A", "A2", "B", "B2", "C", "D"};
    const uint8_t            choice = fuzz_byte(&r->input);
    r->objects[choice % OBJECTS] = pcm_world_add_object(
        r->world, &PCM_OBJECT(.name = names[choice / 8 % 6], .surface = names[choice / 64], .fixed = choice & 1,
                              .mass = choice & 2 ? fuzz_number(&r->input) : 1));
}

static void remove_or_renew(run *r)
{
    const pcm_object object = any_object(r);
    (void)(fuzz_byte(&r->input) & 1 ? pcm_world_remove(r->world, object) : pcm_world_renew(r->world, object));
}

static void move(run *r)
{
    pcm_pose  pose;
    pcm_twist twist;
    numbers(r, pose.position, 3);
    numbers(r, pose.orientation, 4);
    numbers(r, twist.angular, 3);
    numbers(r, twist.linear, 3);
    pcm_world_move(r->world, any_object(r), &pose, &twist);
}

static void touch(run *r)
{
    const pcm_object a = any_object(r), b = any_object(r);
    const uint8_t    choice = fuzz_byte(&r->input);
    pcm_touch        touch = {.feature = choice % 4, .normal = {0, 0, 1}, .depth = fuzz_number(&r->input)};
    if (choice & 64)
        numbers(r, touch.point, 3), numbers(r, touch.normal, 3);
    if (choice & 128)
        touch.area = fuzz_number(&r->input), touch.share = fuzz_number(&r->input), touch.gives = choice / 4 % 8;
    r->contacts[choice / 8 % CONTACTS] = pcm_world_touch(r->world, a, b, &touch, sizeof touch);
}

static void touch_again(run *r)
{
    double at[7];
    numbers(r, at, 7);
    pcm_contact             contact = any_contact(r);
    const pcm_touch_columns columns = {
        .size = sizeof columns, .count = 1, .point = at, .normal = at + 3, .depth = at + 6, .contacts = &contact};
    (void)pcm_world_touch_many(r->world, &columns);
}

static void set(run *r)
{
    double        state[32];
    const uint8_t choice = fuzz_byte(&r->input);
    numbers(r, state, choice % 4);
    for (size_t i = choice % 4; i < sizeof state / sizeof *state; i++)
        state[i] = 0;
    if (choice & 4)
        pcm_world_try_state(r->world, any_contact(r), state);
    else if (choice & 8)
        pcm_world_jump(r->world, any_contact(r), choice / 16);
    else
        pcm_world_set_input(r->world, any_contact(r), choice / 16, state[0]);
}

static void check_contacts(run *r)
{
    for (size_t i = 0; i < pcm_world_contact_count(r->world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        pcm_sensing      sensing = {.size = sizeof sensing};
        demand(pcm_world_contact_at(r->world, i, &info) == PCM_OK && info.type && info.base_name);
        demand(isfinite(info.world_force[0] + info.world_force[1] + info.world_force[2]));
        demand(pcm_world_sense(r->world, info.handle, &sensing) == PCM_OK && !isnan(sensing.normal_force));
    }
}

static void update(run *r)
{
    const double     time = fuzz_number(&r->input), dt = fuzz_number(&r->input);
    const pcm_status status = pcm_world_update(r->world, time, dt);
    demand(status == PCM_OK || status == PCM_BAD_MOTION || status == PCM_BAD_INPUT || status == PCM_BAD_ARGUMENT);
    for (int i = 0; i < OBJECTS; i++) {
        pcm_wrench wrench;
        if (pcm_world_wrench(r->world, r->objects[i], &wrench) == PCM_OK)
            demand(!isnan(wrench.force[0] + wrench.force[1] + wrench.force[2]));
    }
    if (status == PCM_OK || status == PCM_BAD_MOTION)
        check_contacts(r);
}

static void commit(run *r)
{
    const pcm_status status = pcm_world_commit(r->world);
    demand(status == PCM_OK || status == PCM_BAD_ORDER);
}

static uint8_t *save(run *r, size_t *size)
{
    *size = pcm_world_checkpoint_size(r->world);
    uint8_t *bytes = malloc(*size);
    demand(bytes && pcm_world_checkpoint_save(r->world, bytes, *size) == PCM_OK);
    return bytes;
}

static void keep(run *r)
{
    free(r->saved);
    r->saved = save(r, &r->saved_size);
}

/* Objects may have been added or removed since. */
static void bring_back(run *r)
{
    size_t size;
    if (!r->saved || pcm_world_checkpoint_restore(r->world, r->saved, r->saved_size) != PCM_OK)
        return;
    uint8_t *again = save(r, &size);
    demand(size >= r->saved_size);
    free(again);
}

static void save_and_restore(run *r)
{
    size_t   size, again_size;
    uint8_t *bytes = save(r, &size);
    demand(pcm_world_checkpoint_restore(r->world, bytes, size) == PCM_OK);
    uint8_t *again = save(r, &again_size);
    demand(size == again_size && memcmp(bytes, again, size) == 0);
    free(bytes);
    free(again);
}

static void (*const calls[])(run *r) = {
    touch, touch, touch, touch_again, update, update, commit, commit,          move,
    move,  add,   set,   set,         keep,   touch,  update, remove_or_renew, bring_back,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run           r = {.input = {data, data + size}};
    pcm_world_def def = pcm_world_defaults();
    def.ledger = fuzz_byte(&r.input) & 1;
    r.world = pcm_world_new(fuzz_config(PLUGINS, text), &def);
    demand(r.world != NULL);
    static const char *const names[OBJECTS] = {"A", "B", "C", "D", "A2", "B"};
    for (int i = 0; i < OBJECTS; i++)
        r.objects[i] = pcm_world_add_object(r.world, &PCM_OBJECT(.name = names[i], .fixed = i == 0, .mass = i));
    for (int i = 0; i < CALLS && r.input.at < r.input.end; i++)
        calls[fuzz_byte(&r.input) % (sizeof calls / sizeof *calls)](&r);
    save_and_restore(&r);
    free(r.saved);
    pcm_world_free(r.world);
    return 0;
}
