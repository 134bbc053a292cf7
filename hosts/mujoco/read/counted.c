/* SPDX-License-Identifier: MIT */
/* counted.c - contact sensors of MuJoCo 3, with contacts of laws among MuJoCo's own.
 *
 * MuJoCo computes these sensors from mjData.contact and the forces of its solver, which do not include forces of laws.
 * They are computed again here, by MuJoCo's rules, from all contacts of the last evaluation: those of laws in the order
 * of their pairs, then MuJoCo's own in the order of its list. */
#include "reading.h"
#include <string.h>

/* ---- All contacts ------------------------------------------------------------------------------------------------ */

/* Makes room for one more contact; NULL: no memory. */
static pcm_counted *add(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    pcm_context *context = host->context;
    if (!pcm_grow(context, &r->counted, &r->counted_capacity, r->n_counted + 1, sizeof *r->counted)) {
        pcm_host_note(host, pcm_host_no_memory(context));
        return NULL;
    }
    pcm_counted *counted = &r->counted[r->n_counted++];
    *counted = (pcm_counted){0};
    return counted;
}

/* The velocity of the point as part of a body, and the body's angular velocity, in the world's axes. */
static void velocity_of(const pcm_mujoco *host, int body, const double at[3], double velocity[3], double angular[3])
{
    double motion[6], arm[3], turning[3];
    mj_objectVelocity(host->model, host->data, mjOBJ_XBODY, body, motion, 0);
    mju_sub3(arm, at, host->data->xpos + 3 * body);
    mju_cross(turning, motion, arm);
    mju_add3(velocity, motion + 3, turning);
    mju_copy3(angular, motion);
}

/* How the second body moves against the first at the point. */
static void find_motion(const pcm_mujoco *host, pcm_counted *counted)
{
    double velocity[2][3], angular[2][3];
    for (int i = 0; i < 2; i++)
        velocity_of(host, counted->body[i], counted->at, velocity[i], angular[i]);
    mju_subFrom3(velocity[1], velocity[0]);
    mju_subFrom3(angular[1], angular[0]);
    mju_mulMatVec(counted->motion, counted->frame, velocity[1], 3, 3);
    mju_mulMatVec(counted->motion + 3, counted->frame, angular[1], 3, 3);
}

/* The same for a contact of a flex, which has no body: the velocity that the solver works with. A contact without
 * friction has its normal part alone. */
static void find_flex_motion(const pcm_mujoco *host, const mjContact *contact, double velocity[3])
{
    if (contact->efc_address < 0)
        return;
    const double *row = host->data->efc_vel + contact->efc_address;
    if (contact->dim == 1) {
        velocity[0] = row[0];
    } else if (host->model->opt.cone == mjCONE_ELLIPTIC) {
        mju_copy3(velocity, row);
    } else {
        velocity[0] = 0.5 * (row[0] + row[1]);
        for (int i = 0; i < 2; i++)
            velocity[1 + i] = 0.5 * (row[2 * i] - row[2 * i + 1]) / contact->friction[i];
    }
}

/* The force of a law at the point, as mj_contactForce returns it. */
static void press(const pcm_mujoco *host, const pcm_contact_point *point, pcm_counted *counted)
{
    const pcm_detection *d = host->detection;
    pcm_contact_info     info = {.size = sizeof info};
    if (pcm_world_contact_info(host->world, point->contact, &info) != PCM_OK)
        return;
    const bool   on_second = d->by_handle[info.follower.index] == &d->objects[d->pairs[point->pair].b];
    const double sign = on_second ? 1 : -1;
    double       moment[3];
    mju_mulMatVec(moment, info.frame, info.moment, 3, 3);
    mju_copy3(counted->at, info.point);
    for (int i = 0; i < 3; i++) {
        counted->wrench[i] = sign * pcm_dot(counted->frame + 3 * i, info.world_force);
        counted->wrench[3 + i] = sign * pcm_dot(counted->frame + 3 * i, moment);
    }
}

static void add_served(pcm_mujoco *host, const pcm_contact_point *point)
{
    pcm_detection         *d = host->detection;
    const pcm_served_pair *pair = &d->pairs[point->pair];
    const pcm_served      *sides[2] = {&d->objects[pair->a], &d->objects[pair->b]};
    pcm_counted           *counted = add(host);
    if (!counted)
        return;
    for (int i = 0; i < 2; i++) {
        counted->geom[i] = sides[i]->geom;
        counted->body[i] = sides[i]->body;
    }
    counted->distance = -point->depth;
    mju_copy3(counted->at, point->point);
    pcm_frame_along(point->normal, (double[3]){0}, counted->frame);
    press(host, point, counted);
    if (host->reading->counts_motion)
        find_motion(host, counted);
}

static bool is_of_law(const pcm_mujoco *host, const mjContact *contact)
{
    const int a = contact->geom1, b = contact->geom2;
    return a >= 0 && b >= 0 && *pcm_pair_of(host, a, b);
}

static void add_native(pcm_mujoco *host, int index)
{
    const mjContact *contact = &host->data->contact[index];
    const int        geom[2] = {contact->geom1, contact->geom2};
    pcm_counted     *counted = add(host);
    if (!counted)
        return;
    for (int i = 0; i < 2; i++) {
        counted->geom[i] = geom[i];
        counted->body[i] = geom[i] < 0 ? -1 : host->model->geom_bodyid[geom[i]];
    }
    counted->distance = contact->dist;
    mju_copy3(counted->at, contact->pos);
    mju_copy(counted->frame, contact->frame, 9);
    mj_contactForce(host->model, host->data, index, counted->wrench);
    if (!host->reading->counts_motion)
        return;
    if (counted->body[0] >= 0 && counted->body[1] >= 0)
        find_motion(host, counted);
    else
        find_flex_motion(host, contact, counted->motion);
}

static void collect(pcm_mujoco *host)
{
    pcm_detection *d = host->detection;
    host->reading->n_counted = 0;
    for (size_t i = 0; i < d->seen.count; i++)
        if (d->seen.items[i].touched)
            add_served(host, &d->seen.items[i]);
    for (int i = 0; i < host->data->ncon; i++)
        if (!is_of_law(host, &host->data->contact[i]))
            add_native(host, i);
}

/* ---- The contacts of a sensor ------------------------------------------------------------------------------------ */

static bool lies_in(const mjModel *model, const mjData *data, int site, const double point[3])
{
    const double *size = model->site_size + 3 * site;
    double        apart[3], p[3];
    mju_sub3(apart, point, data->site_xpos + 3 * site);
    mju_mulMatTVec(p, data->site_xmat + 9 * site, apart, 3, 3);
    const double across = p[0] * p[0] + p[1] * p[1], beyond = fmax(fabs(p[2]) - size[1], 0);
    switch (model->site_type[site]) {
    case mjGEOM_SPHERE:
        return across + p[2] * p[2] < size[0] * size[0];
    case mjGEOM_CAPSULE:
        return across + beyond * beyond < size[0] * size[0];
    case mjGEOM_ELLIPSOID:
        for (int i = 0; i < 3; i++)
            p[i] /= size[i];
        return pcm_dot(p, p) < 1;
    case mjGEOM_CYLINDER:
        return beyond == 0 && across < size[0] * size[0];
    case mjGEOM_BOX:
        return fabs(p[0]) < size[0] && fabs(p[1]) < size[1] && fabs(p[2]) < size[2];
    default:
        return pcm_release_inside_mesh(model, data, site, point);
    }
}

static bool is_part(const mjModel *model, const pcm_counted *counted, int side, int type, int id)
{
    int body = counted->body[side];
    switch (type) {
    case mjOBJ_GEOM:
        return counted->geom[side] == id;
    case mjOBJ_BODY:
        return body == id;
    case mjOBJ_XBODY: /* includes all its descendants */
        while (body > id)
            body = model->body_parentid[body];
        return body == id;
    default: /* a site, which is tested before, or nothing */
        return true;
    }
}

/* 1: the contact goes from the sensor's first object to its second; -1: the other way round; 0: it is not between
 * them. */
static int direction(const pcm_mujoco *host, int sensor, const pcm_counted *counted)
{
    const mjModel *model = host->model;
    const int      type = model->sensor_objtype[sensor], id = model->sensor_objid[sensor];
    const int      other_type = model->sensor_reftype[sensor], other = model->sensor_refid[sensor];
    if (type == mjOBJ_SITE && !lies_in(model, host->data, id, counted->at))
        return 0;
    const bool first[2] = {is_part(model, counted, 0, type, id), is_part(model, counted, 1, type, id)};
    const bool second[2] = {is_part(model, counted, 0, other_type, other),
                            is_part(model, counted, 1, other_type, other)};
    if (!(first[0] || first[1]) || !(second[0] || second[1]))
        return 0;
    if (type != mjOBJ_UNKNOWN && other_type != mjOBJ_UNKNOWN)
        return first[0] && second[1] ? 1 : first[1] && second[0] ? -1 : 0;
    if (type != mjOBJ_UNKNOWN)
        return first[0] ? 1 : -1;
    return second[1] ? 1 : -1;
}

/* Marks the contacts that match; returns their number. */
static int match(pcm_mujoco *host, int sensor)
{
    pcm_reading *r = host->reading;
    int          matches = 0;
    for (size_t i = 0; i < r->n_counted; i++) {
        r->counted[i].direction = direction(host, sensor, &r->counted[i]);
        matches += r->counted[i].direction != 0;
    }
    return matches;
}

/* ---- Readings ---------------------------------------------------------------------------------------------------- */

/* The members are in the order of mjtConDataField. */
typedef struct reading {
    double found, force[3], torque[3], distance, at[3], normal[3], tangent[3], velocity[3], angular[3];
} reading;

static reading reading_of(const pcm_counted *counted, int matches)
{
    reading      r = {.found = matches, .distance = counted->distance};
    const double sign = counted->direction;
    mju_copy3(r.force, counted->wrench);
    mju_copy3(r.torque, counted->wrench + 3);
    r.force[2] *= sign; /* the frame is turned about its third axis, and the force becomes that on the other side */
    r.torque[2] *= sign;
    mju_copy3(r.at, counted->at);
    mju_scl3(r.normal, counted->frame, sign);
    mju_scl3(r.tangent, counted->frame + 3, sign);
    mju_copy3(r.velocity, counted->motion);
    mju_copy3(r.angular, counted->motion + 3);
    r.velocity[2] *= sign;
    r.angular[2] *= sign;
    return r;
}

/* The net force of all matches at the centre of their forces, in the world's axes. */
static reading net_reading(const pcm_mujoco *host, int matches)
{
    reading r = {.found = matches, .normal = {1, 0, 0}, .tangent = {0, 1, 0}};
    double  total = 0;
    for (size_t i = 0; i < host->reading->n_counted; i++) {
        const pcm_counted *counted = &host->reading->counted[i];
        const double       weight = counted->direction ? mju_norm3(counted->wrench) : 0;
        mju_addToScl3(r.at, counted->at, weight);
        total += weight;
    }
    mju_scl3(r.at, r.at, 1 / fmax(total, mjMINVAL));
    for (size_t i = 0; i < host->reading->n_counted; i++) {
        const pcm_counted *counted = &host->reading->counted[i];
        const double       sign = counted->direction;
        double             force[3], torque[3], arm[3], moment[3];
        mju_mulMatTVec(force, counted->frame, counted->wrench, 3, 3);
        mju_mulMatTVec(torque, counted->frame, counted->wrench + 3, 3, 3);
        mju_sub3(arm, counted->at, r.at);
        mju_cross(moment, arm, force);
        mju_addTo3(torque, moment);
        mju_addToScl3(r.force, force, sign);
        mju_addToScl3(r.torque, torque, sign);
    }
    return r;
}

/* Writes the fields that the sensor has. Returns the count of numbers. */
static int write_fields(const reading *r, int fields, double *numbers)
{
    static const int sizes[] = {1, 3, 3, 1, 3, 3, 3, 3, 3};
    const double    *from = &r->found;
    int              written = 0;
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); from += sizes[i++]) {
        if (!(fields & 1 << i))
            continue;
        mju_copy(numbers + written, from, sizes[i]);
        written += sizes[i];
    }
    return written;
}

/* Reads the next match and unmarks it; false: none is left. */
static bool take_next(pcm_mujoco *host, pcm_reduction reduction, reading *r, int matches)
{
    pcm_counted *best = NULL;
    double       least = INFINITY;
    for (size_t i = 0; i < host->reading->n_counted; i++) {
        pcm_counted *counted = &host->reading->counted[i];
        if (!counted->direction)
            continue;
        const double order = reduction == PCM_REDUCE_NEAREST     ? counted->distance
                             : reduction == PCM_REDUCE_STRONGEST ? -pcm_dot(counted->wrench, counted->wrench)
                                                                 : 0;
        if (!best || order < least) {
            best = counted;
            least = order;
        }
    }
    if (best) {
        *r = reading_of(best, matches);
        best->direction = 0;
    }
    return best != NULL;
}

static void measure(pcm_mujoco *host, int sensor, int fields, pcm_reduction reduction)
{
    double      *numbers = host->data->sensordata + host->model->sensor_adr[sensor];
    const int    room = host->model->sensor_dim[sensor], matches = match(host, sensor);
    const double cutoff = pcm_release_contact_cutoff(host->model, sensor);
    reading      r;
    mju_zero(numbers, room);
    if (reduction == PCM_REDUCE_NET) {
        r = net_reading(host, matches);
        if (matches || PCM_RELEASE_NETS_NONE)
            write_fields(&r, fields, numbers);
    } else {
        for (int at = 0; at < room && take_next(host, reduction, &r, matches);)
            at += write_fields(&r, fields, numbers + at);
    }
    for (int i = 0; i < room; i++)
        numbers[i] = mju_clip(numbers[i], -cutoff, cutoff);
}

void pcm_count_contacts(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    bool           collected = false;
    for (int i = 0; host->reading->counts && i < model->nsensor; i++) {
        int           fields;
        pcm_reduction reduction;
        if (!pcm_release_contact_sensor(model, i, &fields, &reduction))
            continue;
        if (!collected)
            collect(host);
        collected = true;
        measure(host, i, fields, reduction);
    }
}

void pcm_count_free(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    pcm_free(host->context, r->counted, r->counted_capacity * sizeof *r->counted);
}
