/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { REACH = 16 }; /* the largest distance in memory between the two bodies of a contact */

static void random_vector(double v[3], double size)
{
    for (int k = 0; k < 3; k++)
        v[k] = bench_random(-size, size);
}

static void random_normal(double n[3])
{
    double square;
    do {
        random_vector(n, 1);
        square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    } while (square < 0.1 || square > 1);
    for (int k = 0; k < 3; k++)
        n[k] /= sqrt(square);
}

static void make_bodies(Scene *scene, uint32_t n_surfaces)
{
    for (size_t i = 0; i < scene->n_bodies; i++) {
        Body        *body = &scene->bodies[i];
        const size_t row = i / 100, layer = row / 100;
        /* In alternating order, so that neighbours in memory are neighbours in space. */
        const size_t grid[3] = {row % 2 ? 99 - i % 100 : i % 100, layer % 2 ? 99 - row % 100 : row % 100, layer};
        for (int k = 0; k < 3; k++)
            body->position[k] = 0.1 * (double)grid[k];
        random_vector(body->linear, 0.1);
        random_vector(body->angular, 0.5);
        body->surface = (uint32_t)bench_random(0, n_surfaces);
    }
}

static void make_contacts(Scene *scene, size_t per_body)
{
    for (size_t i = 0; i < scene->n_contacts; i++) {
        Contact *contact = &scene->contacts[i];
        contact->a = (uint32_t)(i / per_body);
        contact->b = contact->a + 1 + (uint32_t)bench_random(0, REACH);
        random_vector(contact->point, 0.05);
        for (int k = 0; k < 3; k++)
            contact->point[k] += scene->bodies[contact->a].position[k];
        random_normal(contact->normal);
        contact->depth = bench_random(1e-4, 1e-3);
    }
}

static void make_world(Scene *scene, const char *text, const pcm_world_def *def)
{
    scene->context = open_context(&scene->account);
    scene->config = open_text(scene->context, text, strlen(text));
    scene->world = pcm_world_new(scene->config, def);
    if (!scene->world)
        bench_fail("no world");

    for (size_t i = 0; i < scene->n_bodies; i++) {
        const Body *body = &scene->bodies[i];
        char        name[32], surface[32];
        snprintf(name, sizeof name, "B%zu", i);
        snprintf(surface, sizeof surface, "S%u", body->surface);
        scene->objects[i] =
            pcm_world_add_object(scene->world, &PCM_OBJECT(.name = name, .surface = surface, .radius = 0.02));
        scene->poses[i].orientation[0] = 1;
        memcpy(scene->poses[i].position, body->position, sizeof body->position);
        memcpy(scene->twists[i].angular, body->angular, sizeof body->angular);
        memcpy(scene->twists[i].linear, body->linear, sizeof body->linear);
    }
}

/* The frame and state that the world gave a contact, in the form of the hand-written loop: b relative to a. */
static void copy_state(Scene *scene, size_t i)
{
    Contact         *contact = &scene->contacts[i];
    pcm_contact_info info = {.size = sizeof info};
    if (pcm_world_contact_info(scene->world, scene->handles[i], &info) != PCM_OK)
        bench_fail("a contact did not live");
    const double turn = info.base.index == scene->objects[contact->a].index ? 1 : -1;
    for (int k = 0; k < 3; k++)
        contact->axis[k] = info.frame[3 * k];
    if (pcm_type_get_info(info.type)->n_state >= 2) {
        contact->stretch[0] = turn * info.state[0];
        contact->stretch[1] = info.state[1];
    }
}

Scene *scene_new(const char *text, size_t n_contacts, uint32_t n_surfaces, const pcm_world_def *def)
{
    return scene_new_dense(text, n_contacts, 3, n_surfaces, def);
}

Scene *scene_new_dense(const char *text, size_t n_contacts, size_t per_body, uint32_t n_surfaces,
                       const pcm_world_def *def)
{
    Scene *scene = bench_allocate(sizeof *scene);
    scene->n_contacts = n_contacts;
    scene->n_bodies = n_contacts / per_body + 1 + REACH;
    scene->dt = 1e-4;
    scene->bodies = bench_allocate(scene->n_bodies * sizeof *scene->bodies);
    scene->contacts = bench_allocate(scene->n_contacts * sizeof *scene->contacts);
    scene->objects = bench_allocate(scene->n_bodies * sizeof *scene->objects);
    scene->handles = bench_allocate(scene->n_contacts * sizeof *scene->handles);
    scene->points = bench_allocate(3 * scene->n_contacts * sizeof *scene->points);
    scene->normals = bench_allocate(3 * scene->n_contacts * sizeof *scene->normals);
    scene->depths = bench_allocate(scene->n_contacts * sizeof *scene->depths);
    scene->poses = bench_allocate(scene->n_bodies * sizeof *scene->poses);
    scene->twists = bench_allocate(scene->n_bodies * sizeof *scene->twists);
    scene->wrenches = bench_allocate(scene->n_bodies * sizeof *scene->wrenches);
    make_bodies(scene, n_surfaces);
    make_contacts(scene, per_body);
    make_world(scene, text, def);

    for (size_t i = 0; i < n_contacts; i++) {
        const Contact *c = &scene->contacts[i];
        memcpy(&scene->points[3 * i], c->point, sizeof c->point);
        memcpy(&scene->normals[3 * i], c->normal, sizeof c->normal);
        scene->depths[i] = c->depth;
        scene->handles[i] = scene_touch_one(scene, i);
    }
    scene_update(scene);
    if (pcm_world_commit(scene->world) != PCM_OK)
        bench_fail("commit failed");
    for (size_t i = 0; i < n_contacts; i++)
        copy_state(scene, i);
    scene_touch(scene);
    scene_update(scene);
    return scene;
}

void scene_free(Scene *scene)
{
    pcm_world_free(scene->world);
    pcm_config_release(scene->config);
    pcm_context_free(scene->context);
    free(scene->bodies);
    free(scene->contacts);
    free(scene->objects);
    free(scene->handles);
    free(scene->points);
    free(scene->normals);
    free(scene->depths);
    free(scene->shapes);
    free(scene->poses);
    free(scene->twists);
    free(scene->wrenches);
    free(scene);
}

pcm_contact scene_touch_one(const Scene *scene, size_t i)
{
    const Contact  *c = &scene->contacts[i];
    const pcm_touch touch = {.feature = i,
                             .point = {c->point[0], c->point[1], c->point[2]},
                             .normal = {c->normal[0], c->normal[1], c->normal[2]},
                             .depth = c->depth};
    return pcm_world_touch(scene->world, scene->objects[c->a], scene->objects[c->b], &touch, sizeof touch);
}

void scene_touch(void *work)
{
    Scene                  *scene = work;
    const pcm_touch_columns columns = {.size = sizeof columns,
                                       .count = scene->n_contacts,
                                       .point = scene->points,
                                       .normal = scene->normals,
                                       .depth = scene->depths,
                                       .contacts = scene->handles,
                                       .shape = scene->shapes};
    if (pcm_world_touch_many(scene->world, &columns) != scene->n_contacts)
        bench_fail("a touch was rejected");
}

void scene_update(void *work)
{
    Scene       *scene = work;
    const size_t n = scene->n_bodies;
    if (pcm_world_move_many(scene->world, scene->objects, scene->poses, scene->twists, n) != n ||
        pcm_world_update(scene->world, scene->dt, scene->dt) != PCM_OK ||
        pcm_world_wrench_many(scene->world, scene->objects, scene->wrenches, n) != n)
        bench_fail("update failed");
}

void scene_agree(const Scene *scene, double tolerance)
{
    double largest = 0, error = 0;
    for (size_t i = 0; i < scene->n_bodies; i++)
        for (int k = 0; k < 3; k++) {
            const pcm_wrench *wrench = &scene->wrenches[i];
            largest = fmax(largest, fabs(wrench->force[k]));
            error = fmax(error, fabs(wrench->force[k] - scene->bodies[i].force[k]));
            error = fmax(error, fabs(wrench->torque[k] - scene->bodies[i].torque[k]));
        }
    if (!(largest > 0 && error <= tolerance * largest)) {
        fprintf(stderr, "bench: wrenches differ by %g of %g\n", error, largest);
        exit(2);
    }
}
