/* SPDX-License-Identifier: MIT */
/* check_world.c - a law in a world of two bodies: a run goes on from a checkpoint as if it had not stopped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"

typedef struct scene {
    pcm_world *world;
    pcm_object base, follower;
} scene;

static bool scene_open(scene *at, const subject *s, const motion *m)
{
    const double *row = m->row[0], radius = row[MOTION_AT(radius)], mass = row[MOTION_AT(mass)];
    at->world = pcm_world_new(s->sets[s->n_sets - 1].config, NULL);
    if (!at->world)
        return false;
    at->base = pcm_world_add_object(at->world, &PCM_OBJECT(.name = "Base", .fixed = true));
    at->follower = pcm_world_add_object(at->world, &PCM_OBJECT(.name = "Follower", .radius = radius, .mass = mass));
    return true;
}

static void touch(const scene *at, const subject *s, const motion_step *step)
{
    const pcm_touch touch = {
        .point = {step->row[MOTION_AT(x)], 0, 0}, .normal = {0, 0, 1}, .depth = step->row[MOTION_AT(depth)]};
    const pcm_contact contact = pcm_world_touch(at->world, at->base, at->follower, &touch, sizeof touch);
    for (uint32_t i = 0; i < s->info->n_host_inputs; i++)
        (void)pcm_world_set_input(at->world, contact, i, step->row[s->n_motions + i]);
}

/* One step of the path; what acts on the follower. */
static bool advance(const scene *at, const subject *s, const motion_step *step, pcm_wrench *wrench)
{
    const double   *row = step->row;
    const pcm_pose  pose = {.position = {row[MOTION_AT(x)], row[MOTION_AT(y)], row[MOTION_AT(z)]}, .orientation = {1}};
    const pcm_twist twist = {.linear = {row[MOTION_AT(slip_x)], row[MOTION_AT(slip_y)], -row[MOTION_AT(depth_rate)]},
                             .angular = {row[MOTION_AT(spin_x)], row[MOTION_AT(spin_y)], row[MOTION_AT(spin_n)]}};
    (void)pcm_world_move(at->world, at->follower, &pose, &twist);
    touch(at, s, step);
    return pcm_world_update(at->world, step->time, step->dt) == PCM_OK &&
           pcm_world_wrench(at->world, at->follower, wrench) == PCM_OK && pcm_world_commit(at->world) == PCM_OK;
}

/* What was saved in one world goes on in the other. */
static bool hand_over(const scene *from, const scene *to)
{
    const size_t size = pcm_world_checkpoint_size(from->world);
    void        *bytes = malloc(size);
    const bool   handed = bytes && pcm_world_checkpoint_save(from->world, bytes, size) == PCM_OK &&
                        pcm_world_checkpoint_restore(to->world, bytes, size) == PCM_OK;
    free(bytes);
    return handed;
}

static bool differs(const pcm_wrench *a, const pcm_wrench *b) { return memcmp(a, b, sizeof *a) != 0; }

/* Both worlds take the path; the second begins in the middle, from the first one's checkpoint. */
static bool continues_differently(const scene *one, const scene *two, const subject *s, const motion *m, finding *found)
{
    const size_t count = motion_step_count(m), middle = count / 2;
    for (size_t i = 0; i < count; i++) {
        const motion_step step = motion_step_at(s, m, i);
        pcm_wrench        a = {.force = {0}}, b = {.force = {0}};
        if (step.dt > 0 && !advance(one, s, &step, &a))
            return false;
        if (step.dt > 0 && i > middle && advance(two, s, &step, &b) && differs(&a, &b))
            return finding_say(found, 1,
                               "What a contact remembers is in its states, and in nothing else; what follows from the "
                               "parameters is computed in prepare.",
                               "in a world that goes on from a checkpoint at t = %s s the force is %s N along the "
                               "normal, and %s N in the one that was not stopped",
                               pcm_number(step.time, 4).text, pcm_number(b.force[2], 0).text,
                               pcm_number(a.force[2], 0).text);
        if (i == middle && !hand_over(one, two))
            return finding_say(found, 2, "States must stay finite.", "a world with this contact has no checkpoint");
    }
    return false;
}

static bool resume_fails(subject *s, const motion *m, finding *found)
{
    scene      one = {0}, two = {0};
    const bool fails =
        scene_open(&one, s, m) && scene_open(&two, s, m) && continues_differently(&one, &two, s, m, found);
    pcm_world_free(one.world);
    pcm_world_free(two.world);
    return fails;
}

static void roll_path(subject *s, dice *d, motion *m) { motion_roll_path(s, d, m); }

const check check_resume = {.name = "resume",
                            .doc = "a world goes on from a checkpoint with the same bits",
                            .weight = 50,
                            .whole = true,
                            .roll = roll_path,
                            .fails = resume_fails};
