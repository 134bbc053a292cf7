/* SPDX-License-Identifier: MIT */
/* The kit in a loop of its own: the shortest host, without an engine. */
#include "kit.h"
#include "../../../examples/body.h"
#include "../../core/fixture.h"
#include <pcm/jacobian.h>
#include <pcm/messages.h>
#include <pcm/near.h>

#include <string.h>

typedef struct simulation {
    kit_scene     scene;
    pcm_context  *context;
    pcm_world    *world;
    pcm_matrices *matrices;
    pcm_object    ground, object[KIT_BODIES];
    Body          body[KIT_BODIES];
    double        time;
    bool          told;
} simulation;

static void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    simulation *s = test_calloc(1, sizeof *s);
    s->scene = *scene;
    s->context = context;
    s->world = pcm_world_new(config, NULL);
    s->matrices = pcm_matrices_new(s->world);
    s->ground = pcm_world_add_object(s->world, &PCM_OBJECT(.name = "Ground", .fixed = true));
    for (size_t i = 0; i < scene->count; i++) {
        const kit_body *b = &scene->bodies[i];
        const double   *h = b->half, ball = 0.4 * b->mass * b->radius * b->radius;
        s->object[i] =
            pcm_world_add_object(s->world, &PCM_OBJECT(.name = b->name, .radius = b->radius, .mass = b->mass));
        s->body[i] = (Body){.mass = b->mass, .pose.orientation = {1, 0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            const double y = h[(k + 1) % 3], z = h[(k + 2) % 3];
            s->body[i].inertia[k] = b->radius > 0 ? ball : b->mass / 3 * (y * y + z * z);
            s->body[i].pose.position[k] = b->at[k];
            s->body[i].twist.linear[k] = b->velocity[k];
            s->body[i].twist.angular[k] = b->spin[k];
        }
    }
    return s;
}

/* Points of a body on the ground: its lowest, or its corners. */
static size_t on_ground(const kit_body *b, const Body *body, pcm_touch touches[8])
{
    double m[3][3];
    size_t count = 0;
    body_axes(body, m);
    for (int i = 0; i < (b->radius > 0 ? 1 : 8); i++) {
        const double local[3] = {i & 1 ? b->half[0] : -b->half[0], i & 2 ? b->half[1] : -b->half[1],
                                 i & 4 ? b->half[2] : -b->half[2]};
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = body->pose.position[k] + m[k][0] * local[0] + m[k][1] * local[1] + m[k][2] * local[2];
        at[2] -= b->radius;
        if (at[2] < 0)
            touches[count++] = (pcm_touch){.point = {at[0], at[1], at[2] / 2}, .normal = {0, 0, 1}, .depth = -at[2]};
    }
    return count;
}

static size_t of_balls(const kit_body *a, const Body *one, const kit_body *b, const Body *other, pcm_touch *touch)
{
    double apart[3], length = 0;
    for (int k = 0; k < 3; k++) {
        apart[k] = other->pose.position[k] - one->pose.position[k];
        length += apart[k] * apart[k];
    }
    length = sqrt(length);
    *touch = (pcm_touch){.depth = a->radius + b->radius - length};
    for (int k = 0; k < 3; k++) {
        touch->normal[k] = apart[k] / length;
        touch->point[k] = one->pose.position[k] + (a->radius - touch->depth / 2) * touch->normal[k];
    }
    return touch->depth > 0 && a->radius > 0 && b->radius > 0;
}

static void touch_all(simulation *s)
{
    pcm_touch touches[8];
    for (size_t i = 0; i < s->scene.count; i++) {
        const kit_body *b = &s->scene.bodies[i];
        assert_int_equal(pcm_world_move(s->world, s->object[i], &s->body[i].pose, &s->body[i].twist), PCM_OK);
        size_t count = on_ground(b, &s->body[i], touches);
        assert_int_equal(
            pcm_world_touch_near(s->world, s->ground, s->object[i], touches, sizeof *touches, count, 0, NULL), PCM_OK);
        for (size_t k = 0; k < i; k++) {
            count = of_balls(&s->scene.bodies[k], &s->body[k], b, &s->body[i], touches);
            assert_int_equal(
                pcm_world_touch_near(s->world, s->object[k], s->object[i], touches, sizeof *touches, count, 0, NULL),
                PCM_OK);
        }
    }
}

static void advise(simulation *s)
{
    if (s->told || !(s->scene.step > pcm_matrices_least_step(s->matrices, NULL)))
        return;
    s->told = true;
    pcm_report(s->context, PCM_WARNING, PCM_MSG_STEP_LARGE, "the step is too large");
}

static void step(void *engine)
{
    simulation  *s = engine;
    const double h = s->scene.step;
    touch_all(s);
    assert_int_equal(pcm_world_update(s->world, s->time, h), PCM_OK);
    advise(s);
    for (size_t i = 0; i < s->scene.count; i++) {
        pcm_wrench wrench;
        assert_int_equal(pcm_world_wrench(s->world, s->object[i], &wrench), PCM_OK);
        for (int k = 0; k < 3; k++)
            wrench.force[k] +=
                s->body[i].mass * (s->scene.gravity[k] + (k == 2 ? GRAVITY : 0)); /* body_step has its own */
        body_step(&s->body[i], &wrench, h);
    }
    assert_int_equal(pcm_world_commit(s->world), PCM_OK);
    s->time += h;
}

static kit_motion look(void *engine, size_t body)
{
    const Body *b = &((simulation *)engine)->body[body];
    kit_motion  m;
    for (int k = 0; k < 3; k++) {
        m.at[k] = b->pose.position[k];
        m.velocity[k] = b->twist.linear[k];
        m.spin[k] = b->twist.angular[k];
    }
    return m;
}

static void free_all(void *engine)
{
    simulation *s = engine;
    pcm_matrices_free(s->matrices);
    pcm_world_free(s->world);
    test_free(s);
}

static pcm_world *world(void *engine) { return ((simulation *)engine)->world; }

int main(void)
{
    static const kit_engine own = {make, step, look, free_all, world, false, 1e-9, 1e-6, 1e-12};
    return kit_run(&own);
}
