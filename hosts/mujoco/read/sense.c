/* SPDX-License-Identifier: MIT */
/* sense.c - MuJoCo's sensors of contact forces, with the forces of laws.
 *
 * Touch sensors sum the contacts in MuJoCo's solver, and cfrc_ext sums these and xfrc_applied; neither includes forces
 * of laws. Both are computed again here, from all contacts of the last evaluation, and so are contact sensors
 * (counted.c). */
#include "reading.h"
#include <pcm/messages.h>
#include <stdio.h>
#include <string.h>

/* ---- Touch sensors ----------------------------------------------------------------------------------------------- */

typedef struct touch_zone {
    const mjModel *model;
    const mjData  *data;
    int            site, body;
    double         sum; /* N */
} touch_zone;

/* MuJoCo's rule: a contact counts if the ray that starts at its point and leads out of the sensor's body meets the
 * site's shape. */
static void add_contact(touch_zone *zone, const double point[3], const double normal[3], int body_a, int body_b,
                        double force)
{
    if ((zone->body != body_a && zone->body != body_b) || !(force > 0))
        return;
    const double sign = zone->body == body_a ? 1 : -1, out[3] = {sign * normal[0], sign * normal[1], sign * normal[2]};
    if (pcm_release_ray(zone->model, zone->data, zone->site, point, out) >= 0)
        zone->sum += force;
}

static void add_native(touch_zone *zone)
{
    for (int i = 0; i < zone->data->ncon; i++) {
        const mjContact *contact = &zone->data->contact[i];
        if (contact->efc_address < 0 || contact->geom1 < 0 || contact->geom2 < 0)
            continue;
        double force[6];
        mj_contactForce(zone->model, zone->data, i, force);
        add_contact(zone, contact->pos, contact->frame, zone->model->geom_bodyid[contact->geom1],
                    zone->model->geom_bodyid[contact->geom2], force[0]);
    }
}

static void add_served(const pcm_mujoco *host, touch_zone *zone)
{
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK)
            continue;
        const double normal[3] = {info.frame[2], info.frame[5], info.frame[8]};
        add_contact(zone, info.point, normal, host->detection->by_handle[info.base.index]->body,
                    host->detection->by_handle[info.follower.index]->body, info.force[2]);
    }
}

/* MuJoCo has no rays for sites of meshes. */
static bool has_mesh(const mjModel *model, int sensor)
{
    return model->site_type[model->sensor_objid[sensor]] == mjGEOM_MESH;
}

static void sense_touch(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    for (int i = 0; host->reading->touches && i < model->nsensor; i++) {
        if (model->sensor_type[i] != mjSENS_TOUCH || has_mesh(model, i))
            continue;
        const int  site = model->sensor_objid[i];
        touch_zone zone = {.model = model, .data = data, .site = site, .body = model->site_bodyid[site]};
        add_native(&zone);
        add_served(host, &zone);
        const double cutoff = model->sensor_cutoff[i];
        data->sensordata[model->sensor_adr[i]] = cutoff > 0 ? fmin(zone.sum, cutoff) : zone.sum;
    }
}

void pcm_sense_all(pcm_mujoco *host)
{
    if (host->model->opt.disableflags & mjDSBL_SENSOR)
        return;
    pcm_host_lock(host);
    sense_touch(host);
    pcm_count_contacts(host);
    pcm_host_unlock(host);
}

/* ---- Sensors in bodies ------------------------------------------------------------------------------------------- */

bool pcm_sense_feels(const pcm_mujoco *host)
{
    return host->evaluation->senses && !pcm_forces_are_shared(host) && host->detection->n_pairs > 0 &&
           !(host->model->opt.disableflags & mjDSBL_SENSOR);
}

/* As MuJoCo measures them, from cfrc_int. */
static void sense_joint(const mjModel *model, mjData *data, int sensor)
{
    const int     site = model->sensor_objid[sensor], body = model->site_bodyid[site];
    const mjtNum *about = data->subtree_com + 3 * model->body_rootid[body];
    const mjtNum  cutoff = model->sensor_cutoff[sensor];
    mjtNum        inner[6], *felt = data->sensordata + model->sensor_adr[sensor];
    mju_transformSpatial(inner, data->cfrc_int + 6 * body, 1, data->site_xpos + 3 * site, about,
                         data->site_xmat + 9 * site);
    mju_copy3(felt, model->sensor_type[sensor] == mjSENS_FORCE ? inner + 3 : inner);
    for (int k = 0; cutoff > 0 && k < 3; k++)
        felt[k] = fmax(-cutoff, fmin(felt[k], cutoff));
}

void pcm_sense_joints(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    for (int i = 0; i < model->nsensor; i++)
        if (model->sensor_type[i] == mjSENS_FORCE || model->sensor_type[i] == mjSENS_TORQUE)
            sense_joint(model, host->data, i);
}

/* ---- Sensors that are not supported ------------------------------------------------------------------------------ */

/* The element's name, or its number if it has none. */
typedef struct label {
    char text[128];
} label;

static label label_of(const mjModel *model, int kind, int id)
{
    label       l;
    const char *name = mj_id2name(model, kind, id);
    if (name)
        (void)snprintf(l.text, sizeof l.text, "'%.120s'", name);
    else
        (void)snprintf(l.text, sizeof l.text, "%d", id);
    return l;
}

/* Whether a sensor measures forces of contacts. */
static bool feels(const mjModel *model, int sensor, bool *on_joints)
{
    int           fields;
    pcm_reduction reduction;
    const int     type = model->sensor_type[sensor];
    *on_joints = type == mjSENS_FORCE || type == mjSENS_TORQUE || type == mjSENS_USER;
    return *on_joints || type == mjSENS_TOUCH || pcm_release_contact_sensor(model, sensor, &fields, &reduction);
}

static void find_sensor(pcm_mujoco *host, int sensor)
{
    const mjModel *model = host->model;
    bool           on_joints;
    if (!feels(model, sensor, &on_joints))
        return;
    const bool touches = model->sensor_type[sensor] == mjSENS_TOUCH;
    if (touches && has_mesh(model, sensor))
        pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                   "touch sensor %s has a mesh as its site, for which MuJoCo has no rays: give the site another shape",
                   label_of(model, mjOBJ_SENSOR, sensor).text);
    host->evaluation->senses |= on_joints;
    host->evaluation->pushes |=
        on_joints && (model->sensor_type[sensor] == mjSENS_USER || pcm_release_late_sensor(model, sensor));
    host->reading->touches |= touches;
    host->reading->counts |= !on_joints && !touches;
    host->reading->counts_motion |= pcm_release_measures_motion(model, sensor);
    if (!on_joints && host->detection->n_pairs && pcm_release_late_sensor(model, sensor))
        pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                   "sensor %s has a delay, an interval or a history, which know MuJoCo's own contacts alone",
                   label_of(model, mjOBJ_SENSOR, sensor).text);
}

/* The geoms on one side of a distance sensor. */
static int geoms_of(const mjModel *model, int type, int id, int *count)
{
    *count = type == mjOBJ_BODY ? model->body_geomnum[id] : 1;
    return type == mjOBJ_BODY ? model->body_geomadr[id] : id;
}

/* Whether a distance sensor would get contacts of laws instead of distances (hooks.c). */
static bool looks_near(const pcm_mujoco *host, int sensor)
{
    const mjModel *model = host->model;
    int            n_a, n_b;
    if (!pcm_release_asks_like_contacts(model, sensor))
        return false;
    const int first_a = geoms_of(model, model->sensor_objtype[sensor], model->sensor_objid[sensor], &n_a);
    const int first_b = geoms_of(model, model->sensor_reftype[sensor], model->sensor_refid[sensor], &n_b);
    for (int a = first_a; a < first_a + n_a; a++)
        for (int b = first_b; b < first_b + n_b; b++)
            if (*pcm_pair_of(host, a, b) && !(model->sensor_cutoff[sensor] > pcm_process_widest(model, a, b)))
                return true;
    return false;
}

/* Whether MuJoCo calls mj_rnePostConstraint for the sensor in every step. */
static bool has_inner(const mjModel *model, int sensor)
{
    const int  type = model->sensor_type[sensor];
    const bool asks = type == mjSENS_ACCELEROMETER || type == mjSENS_FORCE || type == mjSENS_TORQUE ||
                      type == mjSENS_FRAMELINACC || type == mjSENS_FRAMEANGACC;
    return asks && !pcm_release_late_sensor(model, sensor);
}

void pcm_sense_find(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    host->reading->felt_time = NAN;
    for (int i = 0; i < model->nsensor; i++) {
        find_sensor(host, i);
        host->reading->inner |= has_inner(model, i);
        if (looks_near(host, i))
            pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                       "sensor %s looks no farther than the margins of geoms between which laws act, where this MuJoCo "
                       "does not tell distances from contacts: give it a larger cutoff",
                       label_of(model, mjOBJ_SENSOR, i).text);
    }
    for (int i = 0; i < model->nu && !host->detection->lists; i++) {
        if (model->actuator_trntype[i] != mjTRN_BODY || !host->detection->served_body[model->actuator_trnid[2 * i]])
            continue;
        pcm_report(
            host->context, PCM_WARNING, PCM_MSG_UNSERVED,
            "actuator %s holds on by listed contacts alone, and those of %s that the rules give to a law are not "
            "listed: attach with list_contacts",
            label_of(model, mjOBJ_ACTUATOR, i).text, label_of(model, mjOBJ_BODY, model->actuator_trnid[2 * i]).text);
    }
}

/* Writes the names of all sensors that measure forces. Returns their length in bytes, even if there is less room than
 * that. */
static size_t list_names(const mjModel *model, char *text, size_t room)
{
    size_t length = 0;
    bool   on_joints;
    for (int i = 0; i < model->nsensor; i++) {
        if (!feels(model, i, &on_joints))
            continue;
        const size_t left = length < room ? room - length : 0;
        length += (size_t)snprintf(left ? text + length : NULL, left, "%s%s", length ? ", " : "",
                                   label_of(model, mjOBJ_SENSOR, i).text);
    }
    return length;
}

static void report_sensors(pcm_mujoco *host)
{
    const size_t size = list_names(host->model, NULL, 0) + 1;
    char        *names = pcm_allocate(host->context, size);
    if (names)
        list_names(host->model, names, size);
    pcm_report(host->context, PCM_NOTE, PCM_MSG_UNSERVED,
               "sensors, cfrc_ext and cfrc_int know nothing of laws' forces after mj_step alone (%s): %s",
               names ? names : "out of memory",
               host->evaluation->senses ? "call pcm_mujoco_step in its place"
                                        : "call pcm_mujoco_sense after it, or pcm_mujoco_step in its place");
    pcm_free(host->context, names, names ? size : 0);
}

/* Whether inner forces were computed: after mj_rnePostConstraint, called by the user or for some sensor, the world's
 * acceleration is gravity. */
static bool has_inner_forces(const mjData *data)
{
    return data->cacc[3] != 0 || data->cacc[4] != 0 || data->cacc[5] != 0;
}

static void report_inner_forces(pcm_mujoco *host)
{
    host->reading->reported_sensors = true;
    pcm_report(host->context, PCM_NOTE, PCM_MSG_UNSERVED,
               "cfrc_ext and cfrc_int know nothing of laws' forces after mj_rnePostConstraint: call pcm_mujoco_sense "
               "in its place");
}

void pcm_sense_report(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    const bool   feels = host->evaluation->senses || r->touches || r->counts;
    if (host->source || r->reported_sensors || host->detection->n_pairs == 0 ||
        !(feels || has_inner_forces(host->data)))
        return;
    if (!feels) {
        report_inner_forces(host);
        return;
    }
    r->reported_sensors = true;
    report_sensors(host);
}

/* Whether the inner forces that MuJoCo computes in a step of ours belong to the beginning of the step, like those of
 * laws. */
static bool are_own(const pcm_mujoco *host)
{
    const mjOption *option = &host->model->opt;
    return host->reading->inner && option->integrator != mjINT_RK4 && !(option->disableflags & mjDSBL_SENSOR);
}

bool pcm_sense_adds(const pcm_mujoco *host)
{
    return are_own(host) && !pcm_forces_are_shared(host) && !pcm_sense_feels(host) && host->detection->n_pairs > 0;
}

static double felt(const pcm_mujoco *host) { return mju_norm(host->data->cfrc_ext, 6 * (int)host->model->nbody); }

void pcm_sense_keep_own(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    if (are_own(host) && !r->reported_sensors && host->detection->n_pairs > 0) {
        r->felt = felt(host);
        r->felt_time = host->data->time;
    }
}

void pcm_sense_report_own(pcm_mujoco *host)
{
    pcm_reading *r = host->reading;
    if (r->reported_sensors || host->detection->n_pairs == 0)
        return;
    if (are_own(host) ? r->felt_time == host->data->time && felt(host) != r->felt : has_inner_forces(host->data))
        report_inner_forces(host);
}
