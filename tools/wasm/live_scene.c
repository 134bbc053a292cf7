/* SPDX-License-Identifier: MIT */
#include "live_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/materials.h>

#include "command.h"
#include "live.h"

enum { TOUCHES = 512 }; /* of one pair */

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

double *live_scene_room(live_scene *scene, size_t count)
{
    if (count > scene->room_count) {
        free(scene->room);
        scene->room = malloc(count * sizeof *scene->room);
        scene->room_count = scene->room ? count : 0;
    }
    return scene->room;
}

void live_scene_clear(live_scene *scene)
{
    for (size_t i = 0; i < scene->n_bodies; i++) {
        live_body *body = &scene->bodies[i];
        pcm_geometry_free(body->shape);
        pcm_geometry_free(body->smooth);
        free(body->names);
        free(body->surface);
    }
    free(scene->bodies);
    free(scene->pairs);
    free(scene->room);
    free(scene->motion);
    free(scene->wrenches);
    pcm_context_free(scene->context);
    *scene = (live_scene){0};
}

static bool has_body(live_scene *scene)
{
    if (scene->n_bodies < scene->body_capacity)
        return true;
    const size_t wanted = scene->body_capacity ? 2 * scene->body_capacity : 32;
    live_body   *bodies = realloc(scene->bodies, wanted * sizeof *bodies);
    scene->bodies = bodies ? bodies : scene->bodies;
    double *motion = realloc(scene->motion, wanted * LIVE_MOTION * sizeof *motion);
    scene->motion = motion ? motion : scene->motion;
    double *wrenches = realloc(scene->wrenches, wanted * LIVE_WRENCH * sizeof *wrenches);
    scene->wrenches = wrenches ? wrenches : scene->wrenches;
    if (bodies && motion && wrenches)
        scene->body_capacity = wanted;
    return bodies && motion && wrenches;
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

/* The lines after the first two are aliases. */
static void split_names(live_body *body)
{
    char  *at = strchr(body->names, '\n');
    size_t count = 0;
    if (at)
        *at++ = '\0';
    body->label = at ? at : body->names;
    while (at && (at = strchr(at, '\n'))) {
        *at++ = '\0';
        if (count < LIVE_ALIASES && *at)
            body->aliases[count++] = at;
    }
}

int live_scene_object(live_scene *scene, const live_object_def *def)
{
    if (!has_body(scene))
        return -1;
    live_body *body = &scene->bodies[scene->n_bodies];
    *body = (live_body){.names = strdup(def->names),
                        .surface = strdup(def->surface),
                        .fixed = def->fixed,
                        .site = def->site,
                        .said = def->said,
                        .radius = def->radius,
                        .mass = def->mass,
                        .yields = def->yields,
                        .kind = -1,
                        .turn = {1, 0, 0, 0}};
    memcpy(body->own.position, scene->room, 3 * sizeof(double));
    memcpy(body->own.orientation, scene->room + 3, 4 * sizeof(double));
    if (!body->names || !body->surface)
        return -1;
    split_names(body);
    return (int)scene->n_bodies++;
}

static pcm_object_def def_of(const live_body *body)
{
    return PCM_OBJECT(.name = body->names, .label = body->label, .aliases = body->aliases, .surface = body->surface,
                      .fixed = body->fixed, .radius = body->radius, .mass = body->fixed ? 0 : body->mass);
}

static pcm_geometry *shape_of(live_scene *scene, int kind, const double d[3], bool smooth)
{
    const double *room = scene->room;
    const size_t  nx = (size_t)d[0], ny = (size_t)d[1];
    switch (kind) {
    case PCM_HULL:
        return pcm_geometry_hull(scene->context, room, 3 * nx);
    case PCM_SPHERE:
        return pcm_geometry_sphere(scene->context, d[0]);
    case PCM_CAPSULE:
        return pcm_geometry_capsule(scene->context, d[0], d[1]);
    case PCM_BOX:
        return pcm_geometry_box(scene->context, d);
    case PCM_CYLINDER:
        return pcm_geometry_cylinder(scene->context, d[0], d[1]);
    case PCM_GRID:
        return smooth ? pcm_geometry_smooth_grid(scene->context, room, nx, room + nx, ny, room + nx + ny)
                      : pcm_geometry_grid(scene->context, room, nx, room + nx, ny, room + nx + ny);
    case PCM_PLANE:
        return pcm_geometry_plane(scene->context);
    case PCM_POINT:
        return pcm_geometry_point(scene->context);
    default:
        return NULL;
    }
}

/* The radius of a ball about the origin of a shape that contains it. */
static double ball_of(const pcm_geometry *shape, int kind, const double d[3])
{
    size_t        count = 0;
    const double *points = kind == PCM_HULL ? pcm_geometry_points(shape, &count) : NULL;
    double        most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, sqrt(points[3 * i] * points[3 * i] + points[3 * i + 1] * points[3 * i + 1] +
                               points[3 * i + 2] * points[3 * i + 2]));
    switch (kind) {
    case PCM_HULL:
        return most;
    case PCM_SPHERE:
        return d[0];
    case PCM_CAPSULE:
        return d[0] + 0.5 * d[1];
    case PCM_BOX:
        return 0.5 * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    case PCM_CYLINDER:
        return sqrt(d[0] * d[0] + 0.25 * d[1] * d[1]);
    default:
        return kind == PCM_POINT ? 0 : INFINITY;
    }
}

static void report(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    page_report(diagnostic);
}

bool live_scene_shape(live_scene *scene, size_t object, int kind, const double dimensions[3])
{
    static const double quarter[4] = {0.70710678118654752, 0, 0, 0.70710678118654752};
    live_body          *body = &scene->bodies[object];
    if (!scene->context)
        scene->context = command_context(NULL, report, NULL);
    if (!scene->context)
        return false;
    body->shape = shape_of(scene, kind, dimensions, false);
    if (kind == PCM_GRID) { /* MuJoCo splits its cells along the other diagonal, so that the grid is rotated */
        body->smooth = shape_of(scene, kind, dimensions, true);
        memcpy(body->turn, quarter, sizeof quarter);
    }
    body->kind = body->shape ? kind : -1;
    body->ball = body->shape ? ball_of(body->shape, kind, dimensions) : 0;
    return body->shape;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

bool live_scene_pairs(live_scene *scene, size_t count)
{
    free(scene->pairs);
    scene->pairs = calloc(count + 1, sizeof *scene->pairs);
    scene->n_pairs = scene->pairs ? count : 0;
    for (size_t i = 0; i < scene->n_pairs; i++)
        scene->pairs[i] = (live_pair){.a = (uint32_t)scene->room[3 * i],
                                      .b = (uint32_t)scene->room[3 * i + 1],
                                      .apart = scene->room[3 * i + 2] != 0};
    return scene->pairs;
}

static bool fits(const live_body *body, const char *text)
{
    const pcm_object_def def = def_of(body);
    return pcm_object_fits(&def, text);
}

static bool fits_a_geom(const live_scene *scene, const char *text)
{
    for (size_t i = 0; i < scene->n_bodies; i++)
        if (!scene->bodies[i].site && fits(&scene->bodies[i], text))
            return true;
    return false;
}

/* A pattern means the geoms that it fits, and sites only if it fits no geom. A site without a surface matches no
 * SurfacePair rule. */
static void mean_sites(live_scene *scene, const pcm_config *config, pcm_rule_kind kind, const char *text)
{
    if (kind == PCM_OBJECT_PAIR && strpbrk(text, "*?") && fits_a_geom(scene, text))
        return;
    for (size_t i = 0; i < scene->n_bodies; i++) {
        live_body           *body = &scene->bodies[i];
        const pcm_object_def def = def_of(body);
        if (!body->site || body->meant)
            continue;
        const char *surface = pcm_config_object_surface(config, &def);
        body->meant = kind == PCM_OBJECT_PAIR ? fits(body, text) : *surface && pcm_name_matches(text, surface);
    }
}

static void find_sites(live_scene *scene, const pcm_config *config)
{
    for (size_t i = 0; i < scene->n_bodies; i++)
        scene->bodies[i].meant = false;
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        if (rule.kind == PCM_DEFAULT_PAIR)
            continue;
        mean_sites(scene, config, rule.kind, rule.a);
        mean_sites(scene, config, rule.kind, rule.b);
    }
}

/* The type that the rules give to the pair; NULL: none. */
static const pcm_type *written_type(const live_scene *scene, const pcm_config *config, live_pair *pair)
{
    const live_body     *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    const pcm_object_def first = def_of(a), second = def_of(b);
    size_t               winner;
    pair->rule = -1;
    if ((a->site && !a->meant) || (b->site && !b->meant) ||
        !pcm_config_resolve_objects(config, &first, &second, &winner, NULL, 1))
        return NULL;
    const pcm_rule_info rule = pcm_config_rule_at(config, winner);
    if ((a->site || b->site) && rule.kind == PCM_DEFAULT_PAIR)
        return NULL;
    pair->rule = (int)winner;
    return pcm_type_get_info(rule.type)->model->flags & PCM_HOST_CONTACT ? NULL : rule.type;
}

static bool resolve(live_scene *scene, const pcm_config *config, live_pair *pair)
{
    const live_body *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    const pcm_type  *written = written_type(scene, config, pair);
    const bool       meets =
        a->kind >= 0 && b->kind >= 0 && pcm_geometry_meets((pcm_geometry_kind)a->kind, (pcm_geometry_kind)b->kind);
    pair->shapeless = written && !meets;
    pair->type = meets ? written : NULL;
    if (!pair->type || pair->apart)
        return true;
    const pcm_object_def first = def_of(a), second = def_of(b);
    pair->type = pcm_type_between(written, pcm_config_object_surface(config, &first),
                                  pcm_config_object_surface(config, &second));
    if (!pair->type)
        return false;
    const pcm_common *common = pcm_type_get_info(pair->type)->common;
    pair->reach = fmin(fmax(common->separation, 0), 1e6);
    pair->smooth = common->smooth;
    pair->shaped = pcm_type_wants_shape(pair->type) && !a->site && !b->site && !a->said && !b->said;
    return true;
}

bool live_scene_rules(live_scene *scene, const pcm_config *config)
{
    bool good = true;
    find_sites(scene, config);
    for (size_t i = 0; i < scene->n_pairs; i++)
        good = resolve(scene, config, &scene->pairs[i]) && good;
    return good;
}

static bool enter(live_body *body, pcm_world *world)
{
    const pcm_object_def def = def_of(body);
    if (!body->entered.generation)
        body->entered = pcm_world_add_object(world, &def);
    return body->entered.generation;
}

/* In the order of the native host, by which the base of a pair follows where the rule names none. */
bool live_scene_enter(live_scene *scene, pcm_world *world)
{
    bool good = true;
    for (size_t i = 0; i < scene->n_bodies; i++)
        scene->bodies[i].entered = (pcm_object){0};
    for (size_t i = 0; i < scene->n_pairs; i++)
        if (scene->pairs[i].type && !scene->pairs[i].apart)
            good = good && enter(&scene->bodies[scene->pairs[i].a], world) &&
                   enter(&scene->bodies[scene->pairs[i].b], world);
    for (size_t i = 0; i < scene->n_bodies; i++)
        good = good && enter(&scene->bodies[i], world);
    return good;
}

void live_scene_change(live_scene *scene)
{
    for (size_t i = 0; i < scene->n_bodies; i++) {
        scene->bodies[i].object = scene->bodies[i].entered;
        scene->bodies[i].placed = false;
    }
}

/* ---- Motion ------------------------------------------------------------------------------------------------------ */

static void cross(const double a[3], const double b[3], double result[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        result[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static void multiply(const double a[4], const double b[4], double result[4])
{
    result[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    result[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    result[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    result[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void turn_of(const double m[9], double q[4])
{
    const double trace[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4]};
    int          most = 0;
    for (int k = 1; k < 4; k++)
        most = trace[k] > trace[most] ? k : most;
    const double rows[4][4] = {{1 + trace[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
                               {m[7] - m[5], 1 + trace[1], m[1] + m[3], m[2] + m[6]},
                               {m[2] - m[6], m[1] + m[3], 1 + trace[2], m[5] + m[7]},
                               {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + trace[3]}};
    double       length = 0;
    for (int k = 0; k < 4; k++)
        length += rows[most][k] * rows[most][k];
    for (int k = 0; k < 4; k++)
        q[k] = rows[most][k] / sqrt(length);
}

/* The pose in the axes of the motion, as one of the world. */
static pcm_pose placed(const double *motion, const double place[3], const double turn[4], const double own[4])
{
    const double *axes = motion + 3;
    pcm_pose      pose;
    for (int k = 0; k < 3; k++)
        pose.position[k] = motion[k] + axes[3 * k] * place[0] + axes[3 * k + 1] * place[1] + axes[3 * k + 2] * place[2];
    multiply(turn, own, pose.orientation);
    return pose;
}

static pcm_twist twist_of(const double *motion, const double point[3])
{
    const double *rotation = motion + 12, *velocity = motion + 15, *centre = motion + 18;
    pcm_twist     twist;
    double        arm[3], turning[3];
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - centre[k];
    cross(arm, rotation, turning);
    for (int k = 0; k < 3; k++) {
        twist.angular[k] = rotation[k];
        twist.linear[k] = velocity[k] - turning[k];
    }
    return twist;
}

/* The pose after a time of that motion; the turn is of first order. */
static void advance(pcm_pose *pose, const pcm_twist *twist, const double about[3], double ahead)
{
    const double spin[4] = {0, twist->angular[0], twist->angular[1], twist->angular[2]};
    double       arm[3], turning[3], change[4], length = 0;
    for (int k = 0; k < 3; k++)
        arm[k] = pose->position[k] - about[k];
    cross(twist->angular, arm, turning);
    multiply(spin, pose->orientation, change);
    for (int k = 0; k < 3; k++)
        pose->position[k] += ahead * (twist->linear[k] + turning[k]);
    for (int k = 0; k < 4; k++) {
        pose->orientation[k] += 0.5 * ahead * change[k];
        length += pose->orientation[k] * pose->orientation[k];
    }
    for (int k = 0; k < 4; k++)
        pose->orientation[k] /= sqrt(length);
}

void live_scene_move(live_scene *scene, pcm_world *world, double ahead)
{
    static const double none[3] = {0, 0, 0};
    for (size_t i = 0; i < scene->n_bodies; i++) {
        live_body    *body = &scene->bodies[i];
        const double *motion = scene->motion + i * LIVE_MOTION;
        double        turn[4], origin[3];
        if (body->fixed && body->placed)
            continue;
        turn_of(motion + 3, turn);
        body->pose = placed(motion, body->own.position, turn, body->own.orientation);
        body->seat = placed(motion, none, turn, body->turn);
        body->twist = twist_of(motion, body->pose.position);
        memcpy(origin, body->pose.position, sizeof origin);
        if (ahead > 0) {
            advance(&body->pose, &body->twist, origin, ahead);
            advance(&body->seat, &body->twist, origin, ahead);
        }
        body->placed = pcm_world_move(world, body->object, &body->pose, &body->twist) == PCM_OK;
    }
}

/* ---- Touches ----------------------------------------------------------------------------------------------------- */

static double length_of(const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static void touch_pair(live_scene *scene, pcm_world *world, const live_pair *pair)
{
    static pcm_touch         touches[TOUCHES];
    static pcm_contact_shape shapes[TOUCHES];
    const live_body         *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    const pcm_geometry      *first = pair->smooth && a->smooth ? a->smooth : a->shape;
    const pcm_geometry      *second = pair->smooth && b->smooth ? b->smooth : b->shape;
    size_t                   count = 0;
    if (length_of(a->seat.position, b->seat.position) > (a->ball + b->ball + pair->reach) * (1 + 1e-9))
        return;
    const bool few = !pair->shaped && pcm_type_get_info(pair->type)->common->patch == PCM_PATCH_SHARED;
    if ((few ? pcm_geometry_touch_few : pcm_geometry_touch)(first, &a->seat, second, &b->seat, pair->reach, touches,
                                                            sizeof *touches, TOUCHES, &count) != PCM_OK)
        return;
    count = count < TOUCHES ? count : TOUCHES;
    for (size_t i = 0; i < count; i++)
        shapes[i].size = sizeof *shapes;
    const bool shaped = pair->shaped && pcm_geometry_shape(first, &a->seat, second, &b->seat, touches, sizeof *touches,
                                                           count, shapes, sizeof *shapes) == PCM_OK;
    for (size_t i = 0; i < count; i++) {
        touches[i].shape = shaped ? &shapes[i] : NULL;
        (void)pcm_world_touch(world, a->object, b->object, &touches[i], sizeof *touches);
    }
}

/* The most that the gap of a pair may close in a step. */
static double way_of(const live_body *a, const live_body *b, double step)
{
    static const double none[3] = {0, 0, 0};
    const double        turns = (isfinite(a->ball) ? a->ball * length_of(a->twist.angular, none) : 0) +
                         (isfinite(b->ball) ? b->ball * length_of(b->twist.angular, none) : 0);
    return step * (length_of(a->twist.linear, b->twist.linear) + turns);
}

bool live_scene_approaches(const live_scene *scene, double step)
{
    for (size_t i = 0; i < scene->n_pairs; i++) {
        const live_pair *pair = &scene->pairs[i];
        const live_body *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
        pcm_touch        touch;
        size_t           count = 0;
        if (!pair->type || pair->apart)
            continue;
        const double way = way_of(a, b, step);
        if (length_of(a->seat.position, b->seat.position) > a->ball + b->ball + way)
            continue;
        if (pcm_geometry_touch(a->shape, &a->seat, b->shape, &b->seat, way, &touch, sizeof touch, 1, &count) ==
                PCM_OK &&
            count > 0 && touch.depth < 0)
            return true;
    }
    return false;
}

void live_scene_touch(live_scene *scene, pcm_world *world)
{
    for (size_t i = 0; i < scene->n_pairs; i++)
        if (scene->pairs[i].type && !scene->pairs[i].apart)
            touch_pair(scene, world, &scene->pairs[i]);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

const double *live_scene_wrenches(live_scene *scene, pcm_world *world)
{
    for (size_t i = 0; i < scene->n_bodies; i++) {
        const live_body *body = &scene->bodies[i];
        const double    *centre = scene->motion + i * LIVE_MOTION + 21;
        double          *to = scene->wrenches + i * LIVE_WRENCH, arm[3], turning[3];
        pcm_wrench       wrench;
        if (pcm_world_wrench(world, body->object, &wrench) != PCM_OK)
            wrench = (pcm_wrench){0};
        for (int k = 0; k < 3; k++)
            arm[k] = body->pose.position[k] - centre[k];
        cross(arm, wrench.force, turning);
        for (int k = 0; k < 3; k++) {
            to[k] = wrench.force[k];
            to[3 + k] = wrench.torque[k] + turning[k];
        }
    }
    return scene->wrenches;
}

double live_scene_number(const live_scene *scene, pcm_object object)
{
    for (size_t i = 0; i < scene->n_bodies; i++)
        if (scene->bodies[i].object.index == object.index && scene->bodies[i].object.generation == object.generation)
            return (double)i;
    return -1;
}

void live_scene_forget_loads(live_scene *scene)
{
    for (size_t i = 0; i < scene->n_bodies; i++)
        scene->bodies[i].load = 0;
}

void live_scene_load(live_scene *scene, size_t a, size_t b)
{
    scene->bodies[a].load++;
    scene->bodies[b].load++;
}

/* Contacts of one body share its mass. */
double live_scene_mass(const live_scene *scene, size_t a, size_t b)
{
    const live_body *first = &scene->bodies[a], *second = &scene->bodies[b];
    const double     yields = first->yields * first->load + second->yields * second->load;
    return yields > 0 ? 1 / yields : INFINITY;
}
