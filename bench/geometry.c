/* SPDX-License-Identifier: MIT */
/* usage: bench-geometry [--json] [--seconds N] [WORD ...]
 *
 * The time of the narrow phase for a pair of geometries, contacts included, compared with MuJoCo's, FCL's and Bullet's
 * for the same pairs, if these are installed; and the time of the broad phase per object among a hundred thousand
 * moving ones. With words, only pairs whose name contains one of them. */
#include "bench.h"
#include "open_config.h"
#include "others.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <pcm/geometry.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 256, TOUCHES = 64, CORNERS = 40, OBJECTS = 100000, FRAMES = 32 };

/* A MuJoCo geom at the pose of the geometry. Every library is given poses, and converts them to its own form. */
typedef struct Place {
    double position[3], turn[4];
} Place;

/* The libraries besides MuJoCo. */
static const other_library *const others[] = {
#ifdef BENCH_FCL
    &other_fcl,
#endif
#ifdef BENCH_BULLET
    &other_bullet,
#endif
    NULL};

/* A pair in another library. */
typedef struct Other {
    const other_library *library;
    other_pairs         *pairs;
    int                  moment;
} Other;

/* One kind of pair in many poses, all in shallow contact. */
typedef struct Pair {
    pcm_context        *context;
    const pcm_geometry *a, *b;
    pcm_pose            at_a[PLACES], at_b[PLACES];
    Place               place_a[PLACES], place_b[PLACES];
    mjModel            *model;
    mjData             *data;
    int                 geom_a, geom_b;
    /* The same pairs in coherent motion: in frame k each b is displaced by 1e-4 of its size and rotated by 1e-4 rad
     * from the frame before. */
    pcm_pose            frame_b[FRAMES][PLACES];
    Place               frame_place[FRAMES][PLACES];
    pcm_geometry_cache *cache[PLACES];
    int                 our_frame, their_frame;
    Other               other[BENCH_RIVALS];
} Pair;

/* The motion goes back and forth, so that it never jumps. */
static int next_frame(int *count)
{
    const int at = (*count)++ % (2 * FRAMES - 2);
    return at < FRAMES ? at : 2 * FRAMES - 2 - at;
}

static void find_ours(void *work)
{
    const Pair *p = work;
    pcm_touch   touches[TOUCHES];
    size_t      count;
    for (int i = 0; i < PLACES; i++)
        pcm_geometry_touch(p->a, &p->at_a[i], p->b, &p->at_b[i], 0, touches, sizeof *touches, TOUCHES, &count);
}

static void follow_ours(void *work)
{
    Pair           *p = work;
    pcm_touch       touches[TOUCHES];
    size_t          count;
    const pcm_pose *at_b = p->frame_b[next_frame(&p->our_frame)];
    for (int i = 0; i < PLACES; i++)
        pcm_geometry_touch_cached(p->cache[i], p->a, &p->at_a[i], p->b, &at_b[i], 0, touches, sizeof *touches, TOUCHES,
                                  &count);
}

/* A ball looks the same at any orientation: its axes remain the world's. */
static inline void put_geom(const Pair *p, int geom, const Place *place)
{
    memcpy(p->data->geom_xpos + 3 * geom, place->position, sizeof place->position);
    if (p->model->geom_type[geom] != mjGEOM_SPHERE)
        mju_quat2Mat(p->data->geom_xmat + 9 * geom, place->turn);
}

static void collide_all(const Pair *p, const Place *place_b)
{
    mjContact          contacts[TOUCHES];
    const int         *type = p->model->geom_type;
    const mjfCollision collide = mjCOLLISIONFUNC[type[p->geom_a]][type[p->geom_b]];
    for (int i = 0; i < PLACES; i++) {
        put_geom(p, p->geom_a, &p->place_a[i]);
        put_geom(p, p->geom_b, &place_b[i]);
        collide(p->model, p->data, contacts, p->geom_a, p->geom_b, 0);
    }
}

static void find_mujoco(void *work)
{
    const Pair *p = work;
    collide_all(p, p->place_b);
}

static void follow_mujoco(void *work)
{
    Pair *p = work;
    collide_all(p, p->frame_place[next_frame(&p->their_frame)]);
}

static void find_other(void *work)
{
    const Other *o = work;
    o->library->find(o->pairs);
}

static void follow_other(void *work)
{
    Other *o = work;
    o->library->follow(o->pairs, (size_t)next_frame(&o->moment));
}

static pcm_pose random_pose(double spread)
{
    pcm_pose pose;
    double   length = 0;
    for (int k = 0; k < 3; k++)
        pose.position[k] = bench_random(-spread, spread);
    for (int k = 0; k < 4; k++) {
        pose.orientation[k] = bench_random(-1, 1);
        length += pose.orientation[k] * pose.orientation[k];
    }
    for (int k = 0; k < 4; k++)
        pose.orientation[k] /= sqrt(length);
    return pose;
}

/* MuJoCo moves and rotates a mesh to its principal axes, and stores their pose in the geom's axes. */
static Place place_of(const mjModel *model, int geom, const pcm_pose *pose)
{
    Place place;
    mju_rotVecQuat(place.position, model->geom_pos + 3 * geom, pose->orientation);
    mju_addTo3(place.position, pose->position);
    mju_mulQuat(place.turn, pose->orientation, model->geom_quat + 4 * geom);
    return place;
}

/* Moves b into a by a hundredth of its size. */
static void place(Pair *p, int i, bool fixed)
{
    pcm_separation s = {.size = sizeof s};
    p->at_a[i] = fixed ? (pcm_pose){{0, 0, 0}, {1, 0, 0, 0}} : random_pose(1);
    p->at_b[i] = random_pose(1);
    if (pcm_geometry_separate(p->a, &p->at_a[i], p->b, &p->at_b[i], &s) != PCM_OK)
        bench_fail("a pair has no separation");
    for (int k = 0; k < 3; k++)
        p->at_b[i].position[k] -= (s.distance + 0.005) * s.normal[k];
    p->place_a[i] = place_of(p->model, p->geom_a, &p->at_a[i]);
    p->place_b[i] = place_of(p->model, p->geom_b, &p->at_b[i]);
}

/* Computes the motion of pair i, starting from its pose. */
static void move_place(Pair *p, int i)
{
    double way[3], turn[4];
    for (int k = 0; k < 3; k++)
        way[k] = bench_random(-1e-4, 1e-4);
    for (int k = 0; k < 4; k++)
        turn[k] = bench_random(-1e-4, 1e-4);
    p->frame_b[0][i] = p->at_b[i];
    p->frame_place[0][i] = p->place_b[i];
    for (int f = 1; f < FRAMES; f++) {
        pcm_pose *at = &p->frame_b[f][i];
        *at = p->frame_b[f - 1][i];
        for (int k = 0; k < 3; k++)
            at->position[k] += way[k];
        for (int k = 0; k < 4; k++)
            at->orientation[k] += turn[k];
        mju_normalize4(at->orientation);
        p->frame_place[f][i] = place_of(p->model, p->geom_b, at);
    }
}

/* The shapes in MuJoCo's model: all in this order, then all again, so that two equal shapes can touch. */
enum { PLANE, SPHERE, CAPSULE, CYLINDER, BOX, HULL, SHAPES };

static other_shape shape_of(int kind, const double *corners)
{
    static const other_shape shapes[SHAPES] = {
        [PLANE] = {.kind = OTHER_PLANE},
        [SPHERE] = {.kind = OTHER_SPHERE, .radius = 0.5},
        [CAPSULE] = {.kind = OTHER_CAPSULE, .radius = 0.3, .length = 0.8},
        [CYLINDER] = {.kind = OTHER_CYLINDER, .radius = 0.4, .length = 1},
        [BOX] = {.kind = OTHER_BOX, .sides = {1, 0.6, 0.8}},
        [HULL] = {.kind = OTHER_HULL, .radius = 0.5, .n_corners = CORNERS},
    };
    other_shape shape = shapes[kind];
    shape.corners = corners;
    return shape;
}

static mjModel *make_model(const double *corners)
{
    static char  text[16384];
    static mjVFS files;
    char         error[512];
    int          n = snprintf(text, sizeof text, "<mujoco><asset><mesh name='hull' vertex='");
    for (int i = 0; i < 3 * CORNERS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%.17g ", corners[i]);
    n += snprintf(text + n, sizeof text - (size_t)n, "'/></asset><worldbody>");
    for (int twice = 0; twice < 2; twice++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<geom type='plane' size='1 1 1'/><geom type='sphere' size='0.5'/>"
                      "<geom type='capsule' size='0.3 0.4'/><geom type='cylinder' size='0.4 0.5'/>"
                      "<geom type='box' size='0.5 0.3 0.4'/><geom type='mesh' mesh='hull'/>");
    snprintf(text + n, sizeof text - (size_t)n, "</worldbody></mujoco>");
    mj_defaultVFS(&files);
    const int length = (int)strlen(text) + 1;
    if (mj_makeEmptyFileVFS(&files, "shapes.xml", length) != 0)
        bench_fail("MuJoCo takes no file");
    memcpy(files.filedata[files.nfile - 1], text, (size_t)length);
    mjModel *model = mj_loadXML("shapes.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model)
        bench_fail(error);
    return model;
}

static other_place other_place_of(const pcm_pose *pose)
{
    other_place place;
    memcpy(place.position, pose->position, sizeof place.position);
    memcpy(place.turn, pose->orientation, sizeof place.turn);
    return place;
}

/* Makes the pair in the other libraries; returns the number of those that support it. */
static size_t make_others(Pair *p, const other_shape *a, const other_shape *b)
{
    size_t n = 0;
    for (const other_library *const *library = others; *library; library++) {
        other_pairs *pairs = (*library)->make(a, b, PLACES, FRAMES);
        for (size_t i = 0; i < PLACES; i++)
            for (size_t f = 0; f < FRAMES; f++) {
                const other_place at_a = other_place_of(&p->at_a[i]), at_b = other_place_of(&p->frame_b[f][i]);
                (*library)->put(pairs, i, f, &at_a, &at_b);
            }
        /* Contacts barely 5 mm deep are not always found. */
        if ((*library)->find(pairs) < PLACES / 2)
            bench_fail("a library finds few of the contacts");
        p->other[n++] = (Other){*library, pairs, 0};
    }
    return n;
}

static void compare(Pair *p, const char *name, size_t n_others, bool moving)
{
    char        full[64];
    bench_rival rivals[BENCH_RIVALS] = {{"MuJoCo", {moving ? follow_mujoco : find_mujoco, NULL, p}}};
    void (*const single)(void *) = moving ? follow_ours : find_ours;
    (void)snprintf(full, sizeof full, "%s%s", name, moving ? ", moving" : "");
    for (size_t i = 0; i < n_others; i++)
        rivals[1 + i] =
            (bench_rival){p->other[i].library->name, {moving ? follow_other : find_other, NULL, &p->other[i]}};
    bench_compare_all(
        &(bench_promise){
            .name = full, .size = PLACES, .items = PLACES, .kind = BENCH_FASTER, .clock = CLOCK_THREAD_CPUTIME_ID},
        (bench_way){single, NULL, p}, rivals, 1 + n_others);
}

/* Measures the pair without cached data, and in motion. */
static void compare_pair(Pair *p, const char *name, const other_shape *a, const other_shape *b)
{
    for (int k = 0; k < PLACES; k++) {
        place(p, k, a->kind == OTHER_PLANE);
        move_place(p, k);
        p->cache[k] = pcm_geometry_cache_new(p->context);
        if (!p->cache[k])
            bench_fail("no memory");
    }
    const size_t n_others = make_others(p, a, b);
    compare(p, name, n_others, false);
    compare(p, name, n_others, true);
    for (size_t i = 0; i < n_others; i++)
        p->other[i].library->free(p->other[i].pairs);
    for (int k = 0; k < PLACES; k++)
        pcm_geometry_cache_free(p->cache[k]);
}

static bool is_wanted(const char *name)
{
    const bench_options *options = bench_settings();
    bool                 wanted = options->word_count == 0;
    for (int i = 0; i < options->word_count; i++)
        wanted = wanted || strstr(name, options->words[i]);
    return wanted;
}

static void compare_pairs(pcm_context *context)
{
    static const struct {
        const char *name;
        int         a, b;
    } pairs[] = {{"sphere, plane", PLANE, SPHERE},
                 {"sphere, sphere", SPHERE, SPHERE},
                 {"sphere, box", SPHERE, BOX},
                 {"capsule, capsule", CAPSULE, CAPSULE},
                 {"capsule, box", CAPSULE, BOX},
                 {"capsule, plane", PLANE, CAPSULE},
                 {"capsule, sphere", SPHERE, CAPSULE},
                 {"capsule, hull 40", CAPSULE, HULL},
                 {"box, plane", PLANE, BOX},
                 {"box, box", BOX, BOX},
                 {"hull 40, plane", PLANE, HULL},
                 {"hull 40, sphere", SPHERE, HULL},
                 {"hull 40, box", BOX, HULL},
                 {"hull 40, hull 40", HULL, HULL},
                 {"cylinder, plane", PLANE, CYLINDER},
                 {"cylinder, box", CYLINDER, BOX},
                 {"cylinder, sphere", SPHERE, CYLINDER},
                 {"cylinder, capsule", CAPSULE, CYLINDER},
                 {"cylinder, hull 40", CYLINDER, HULL},
                 {"cylinder, cylinder", CYLINDER, CYLINDER}};
    double corners[3 * CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        const double z = 1 - (2 * i + 1.0) / CORNERS, r = sqrt(1 - z * z);
        corners[3 * i] = 0.5 * r * cos(2.4 * i);
        corners[3 * i + 1] = 0.5 * r * sin(2.4 * i);
        corners[3 * i + 2] = 0.5 * z;
    }
    pcm_geometry *shapes[SHAPES] = {pcm_geometry_plane(context),
                                    pcm_geometry_sphere(context, 0.5),
                                    pcm_geometry_capsule(context, 0.3, 0.8),
                                    pcm_geometry_cylinder(context, 0.4, 1),
                                    pcm_geometry_box(context, (double[]){1, 0.6, 0.8}),
                                    pcm_geometry_hull(context, corners, CORNERS)};
    mjModel      *model = make_model(corners);
    mjData       *data = mj_makeData(model);
    for (int k = 0; k < model->ngeom; k++)
        mju_quat2Mat(data->geom_xmat + 9 * k, (double[]){1, 0, 0, 0});
    Pair *p = bench_allocate(sizeof *p);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        p->a = shapes[pairs[i].a];
        p->b = shapes[pairs[i].b];
        p->context = context;
        p->model = model;
        p->data = data;
        p->geom_a = pairs[i].a;
        p->geom_b = SHAPES + pairs[i].b;
        const other_shape a = shape_of(pairs[i].a, corners), b = shape_of(pairs[i].b, corners);
        if (is_wanted(pairs[i].name))
            compare_pair(p, pairs[i].name, &a, &b);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    for (int k = 0; k < SHAPES; k++)
        pcm_geometry_free(shapes[k]);
}

/* ---- The broad phase ------------------------------------------------------------------------------------------- */

typedef struct Crowd {
    pcm_world *world;
    pcm_space *space;
    pcm_object object[OBJECTS];
    pcm_pose   pose[OBJECTS];
    pcm_twist  rest[OBJECTS];
    double     way[OBJECTS][3];
    int        step;
} Crowd;

/* All move back and forth, by a hundredth of their size a step. */
static void move_crowd(void *work)
{
    Crowd       *c = work;
    const double sign = c->step++ / 20 % 2 ? -1 : 1;
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < 3; k++)
            c->pose[i].position[k] += sign * c->way[i][k];
    if (pcm_space_move_many(c->space, c->object, c->pose, c->rest, OBJECTS) != OBJECTS ||
        pcm_space_touch(c->space) != PCM_OK)
        bench_fail("the crowd cannot be searched");
}

static void measure_crowd(pcm_context *context, uint32_t threads)
{
    static const char rules[] = "ContactType C = SmoothSpringDamper; SurfacePair Grain * Grain -> C;";
    pcm_config       *config = pcm_config_parse(context, "crowd.pcm", rules, sizeof rules - 1);
    pcm_world_def     def = pcm_world_defaults();
    Crowd            *c = bench_allocate(sizeof *c);
    pcm_geometry     *grain = pcm_geometry_sphere(context, 0.5);
    def.threads = threads;
    c->world = config ? pcm_world_new(config, &def) : NULL;
    c->space = c->world ? pcm_space_new(context, c->world) : NULL;
    if (!c->space || !grain)
        bench_fail("no crowd");
    for (int i = 0; i < OBJECTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "g%d", i);
        c->object[i] = pcm_space_add(c->space, &PCM_OBJECT(.name = name, .surface = "Grain"), grain, NULL);
        c->pose[i] = random_pose(36); /* fills a quarter of the space */
        c->rest[i] = (pcm_twist){{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 3; k++)
            c->way[i][k] = bench_random(-0.01, 0.01);
    }
    bench_quantity(
        threads > 1 ? "100,000 spheres that move, two threads, ns each" : "100,000 spheres that move, ns each", OBJECTS,
        bench_time((bench_way){move_crowd, NULL, c}, OBJECTS, threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID),
        0);
    if (threads == 1)
        bench_quantity("100,000 spheres, near pairs each", OBJECTS, (double)pcm_space_pair_count(c->space) / OBJECTS,
                       0);
    pcm_space_free(c->space);
    pcm_world_free(c->world);
    pcm_config_release(config);
    pcm_geometry_free(grain);
}

/* The libraries that this run does not compare with. */
static void tell_missing(void)
{
#ifndef BENCH_FCL
    fputs("FCL was not there when this was built: libfcl-dev\n", stderr);
#endif
#ifndef BENCH_BULLET
    fputs("Bullet was not there when this was built: libbullet-dev\n", stderr);
#endif
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "[WORD ...]");
    pcm_context *context = open_context(NULL);
    tell_missing();
    compare_pairs(context);
    if (is_wanted("spheres")) {
        measure_crowd(context, 1);
        measure_crowd(context, 2);
    }
    pcm_context_free(context);
}
